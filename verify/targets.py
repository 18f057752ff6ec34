"""What to check: ids, globs and files of claims, as given to `lemmata verify` and in Python."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .catalogue import Catalogue, CatalogueError, builtin, load_file
from .claim import Claim, Settings

if TYPE_CHECKING:
    from .runner import Result, Run


@dataclass(frozen=True)
class Selection:
    """The claims asked for, the catalogue they stand in and the file it came from, if any."""

    catalogue: Catalogue
    claims: tuple[Claim, ...]
    source: str | None = None

    @property
    def needed(self) -> tuple[Claim, ...]:
        """The claims asked for and those they build on, each after those it uses."""
        return self.catalogue.closure(self.claims)

    def command(self, id: str, settings: Settings, verb: str = "verify") -> str:
        """The one command that checks this claim again in the same way."""
        if self.source is None and builtin().get(id) != self.catalogue[id]:
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            return (
                f"pytest {shlex.quote(test)}" if test else "lemmata verify FILE.py, with it there"
            )
        file = [] if self.source is None else [self.source]
        return shlex.join(["lemmata", verb, *file, id, *flags(settings)])


def select(targets: Sequence[str] = (), base: Path | None = None) -> Selection:
    """The claims of these ids and globs; of a file among them, or of lemmata, all without any.

    A file is looked for from `base`, by default the current folder.
    """
    files = [target for target in targets if target.endswith(".py")]
    patterns = [target for target in targets if not target.endswith(".py")]
    if len(files) > 1:
        raise CatalogueError(
            f"expected one file of claims; got {len(files)}: {', '.join(files)}. "
            "Check them one after the other."
        )
    source = str(base / files[0] if base else Path(files[0])) if files else None
    catalogue = builtin() if source is None else load_file(source)
    chosen = catalogue.select(patterns) if patterns else tuple(catalogue.values())
    return Selection(catalogue, chosen, source)


def flags(settings: Settings) -> list[str]:
    """The options of the command line that give these settings."""
    default = Settings()
    named = ("profile", "seed", "device")
    pairs = [(name, getattr(settings, name), getattr(default, name)) for name in named]
    return [
        word for name, value, usual in pairs if value != usual for word in (f"--{name}", str(value))
    ]


def new_folder() -> Path:
    """A folder for one run, `runs/<time>` in the current one, made here so that no other run
    started in the same second has it."""
    stem = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
    attempt = 1
    while True:
        folder = Path("runs") / (stem if attempt == 1 else f"{stem}-{attempt}")
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            attempt += 1
        except OSError as error:
            raise CatalogueError(
                f"{folder}: expected to write the record there; got {error.strerror}. "
                "Choose another folder with --out."
            ) from None


def verify(
    *targets: str | Claim,
    settings: Settings | None = None,
    folder: str | Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    mutants: bool = False,
    progress: Callable[[Result], None] | None = None,
) -> Run:
    """Check claims, as `lemmata verify` does: ids, globs, a file of claims, or claims themselves.

    Without targets all claims of lemmata are checked. The record goes to `folder`, by default
    `runs/<time>`; a folder with the beginning of the same run is continued.
    """
    from .runner import run

    selection = select_any(targets)
    return run(
        selection.claims,
        selection.catalogue,
        settings or Settings(),
        folder=new_folder() if folder is None else folder,
        jobs=jobs,
        cluster=cluster,
        mutants=mutants,
        source=selection.source,
        progress=progress,
    )


def check_now(selection: Selection, settings: Settings | None = None) -> Run:
    """Check a selection in this process, leaving no record behind."""
    from .runner import run

    with tempfile.TemporaryDirectory(prefix="lemmata-") as folder:
        return run(
            selection.claims,
            selection.catalogue,
            settings or Settings(),
            folder=folder,
            source=selection.source,
        )


def select_any(targets: Sequence[str | Claim], base: Path | None = None) -> Selection:
    """As `select`; or the claims given, which may build on one another and on lemmata's."""
    texts = [target for target in targets if isinstance(target, str)]
    claims = tuple(target for target in targets if isinstance(target, Claim))
    if len(texts) + len(claims) < len(targets) or (texts and claims):
        kinds = ", ".join(sorted({type(target).__name__ for target in targets}))
        raise CatalogueError(
            f"expected ids, globs or a file name, or else claims; got {kinds}. "
            "To check both, call twice."
        )
    if claims:
        return Selection(Catalogue(claims, base=builtin()), claims)
    return select(texts, base)
