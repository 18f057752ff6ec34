"""Catalogues: claims by id, checked to hang together, and the files that define them.

The graph of `uses` must be free of cycles, since a claim is judged after those it builds on. A
user's file of claims stands on the claims of lemmata and may cite them.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import os
import stat
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType

from .claim import Claim
from .errors import VerifyError

FEWEST_MUTANTS = 3
_GLOB = frozenset("*?[")
_loading = threading.RLock()


class CatalogueError(VerifyError):
    """Claims that do not hang together, or a file that defines none."""


class UnknownClaimError(CatalogueError, KeyError):
    """No claim has this id, or none matches this pattern."""

    def __str__(self) -> str:  # KeyError would show the message in quotes
        return str(self.args[0])


class Catalogue(Mapping[str, Claim]):
    """Claims by id, in the order given; `base` holds further claims they may refer to.

    `strict` asks for at least three mutants a claim.
    """

    def __init__(
        self, claims: Iterable[Claim], *, strict: bool = False, base: Catalogue | None = None
    ) -> None:
        self._base = base
        self._claims: dict[str, Claim] = {}
        for claim in claims:
            self._add(claim)
        for claim in self._claims.values():
            self._check_references(claim)
            if strict and len(claim.mutants) < FEWEST_MUTANTS:
                raise CatalogueError(
                    f"{claim.id}: expected at least {FEWEST_MUTANTS} mutants; "
                    f"got {len(claim.mutants)}. Add false variants that a check must refute."
                )
        self._check_cycles()

    def __getitem__(self, id: str) -> Claim:
        found = self._claims.get(id)
        if found is None and self._base is not None:
            found = self._base._claims.get(id)
        if found is None:
            raise UnknownClaimError(f"{id!r}: no claim has this id. {self._suggest(id)}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._claims)

    def __len__(self) -> int:
        return len(self._claims)

    def __repr__(self) -> str:
        return f"<Catalogue of {len(self)} claims: {', '.join(self) or 'none'}>"

    @property
    def verdicts(self) -> int:
        """How many verdicts the claims here, those they build on and all mutants can ask for."""
        known = {**(self._base._claims if self._base else {}), **self._claims}
        return sum(1 + len(claim.mutants) for claim in known.values())

    def select(self, patterns: Sequence[str]) -> tuple[Claim, ...]:
        """The claims with these ids or matching these globs, in the order of the catalogue."""
        chosen: dict[str, Claim] = {}
        for pattern in patterns:
            if not _GLOB & set(pattern):
                chosen[pattern] = self[pattern]
                continue
            matches = [id for id in self if fnmatchcase(id, pattern)]
            if not matches:
                raise UnknownClaimError(f"{pattern!r}: no claim matches. {self._suggest(pattern)}")
            chosen.update((id, self[id]) for id in matches)
        place = {id: index for index, id in enumerate(self)}
        return tuple(sorted(chosen.values(), key=lambda claim: place.get(claim.id, -1)))

    def closure(self, claims: Iterable[Claim]) -> tuple[Claim, ...]:
        """These claims and all they build on, each after those it uses."""
        ordered: dict[str, Claim] = {}
        for claim in claims:
            waiting = [claim.id]
            while waiting:
                id = waiting[-1]
                missing = [used for used in self[id].uses if used not in ordered]
                if missing:
                    waiting.extend(reversed(missing))
                else:
                    ordered[waiting.pop()] = self[id]
        return tuple(ordered.values())

    def order(self) -> tuple[Claim, ...]:
        """All claims, each after those it uses."""
        return self.closure(self.values())

    def _add(self, claim: Claim) -> None:
        if not isinstance(claim, Claim):
            raise CatalogueError(f"expected claims; got {type(claim).__name__} {claim!r}.")
        twin = self._claims.get(claim.id)
        if twin is None and self._base is not None:
            known = self._base._claims.get(claim.id)
            twin = None if known == claim else known  # a known claim may be listed again
        if twin is not None:
            raise CatalogueError(
                f"{claim.id}: expected ids to be distinct; got this one for {twin.title!r} and "
                f"for {claim.title!r}. Rename one of them."
            )
        self._claims[claim.id] = claim

    def _check_references(self, claim: Claim) -> None:
        links = (("corrects", claim.corrects), ("corrected_by", claim.corrected_by))
        uses = tuple(("uses", id) for id in claim.uses)
        for field, id in (*uses, *links):
            if id is not None and id not in self:
                raise CatalogueError(
                    f"{claim.id}: {field}: expected the id of a claim; got {id!r}, which no claim "
                    f"has. {self._suggest(id)}"
                )

    def _check_cycles(self) -> None:
        graph = {claim.id: claim.uses for claim in self._claims.values()}
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            # graphlib lists the cycle from each claim to one that uses it.
            cycle = " -> ".join(reversed(error.args[1]))
            raise CatalogueError(
                f"uses: expected no claim to build on itself; got the cycle {cycle}. "
                "Remove one of these references."
            ) from None

    def _suggest(self, text: str) -> str:
        known = list(self._claims) + list(self._base._claims if self._base else ())
        names = {id.partition(".")[2]: id for id in known}
        close = difflib.get_close_matches(text, [*known, *names], n=3, cutoff=0.5)
        nearest = list(dict.fromkeys(names.get(item, item) for item in close))
        if nearest:
            return f"Did you mean {' or '.join(nearest)}?"
        return "`lemmata list` shows them all."


@cache
def builtin() -> Catalogue:
    """The claims that come with lemmata."""
    from .claims import CLAIMS

    return Catalogue(CLAIMS, strict=True)


def load(source: str | Path | None) -> Catalogue:
    """The catalogue of a source: a user's file of claims, or lemmata's own for None."""
    return builtin() if source is None else load_file(source)


def load_file(path: str | Path) -> Catalogue:
    """The claims of a Python file: its `CLAIMS`, else every claim at module level.

    The file is run as a module, once for each content. Its folder joins the import path, behind
    everything installed, so that it can import its neighbours.
    """
    path = Path(path)
    digest = file_digest(path)
    with _loading:
        return _load(path, str(path.resolve()), digest)


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file of claims."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a device or a pipe may have no end
            raise ValueError("something that is no plain file")
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise CatalogueError(
            f"{path}: expected a readable Python file of claims; got {reason}."
        ) from None


@lru_cache(maxsize=32)
def _load(path: Path, resolved: str, digest: str) -> Catalogue:
    module = _execute(path, resolved, digest)
    base = builtin()
    claims = _claims_of(path, module, base)
    try:
        return Catalogue(claims, base=base)
    except CatalogueError as error:
        line = _line_of(path, str(error).partition(":")[0])
        raise CatalogueError(f"{path}{line}: {error}") from None


def _execute(path: Path, resolved: str, digest: str) -> ModuleType:
    name = f"_lemmata_claims_{hashlib.sha256(f'{resolved} {digest}'.encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise CatalogueError(f"{path}: expected a Python file, with a name that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    folder = str(Path(resolved).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        line, kind = _line_in(resolved, error), type(error).__name__
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        raise CatalogueError(f"{path}{line}: {kind}: {text}") from error
    return module


def _claims_of(path: Path, module: ModuleType, base: Catalogue) -> tuple[Claim, ...]:
    listed = getattr(module, "CLAIMS", None)
    if listed is None:
        own = (value for value in vars(module).values() if isinstance(value, Claim))
        listed = tuple({id(claim): claim for claim in own if base.get(claim.id) != claim}.values())
    elif not isinstance(listed, tuple | list):
        raise CatalogueError(
            f"{path}{_line_of(path, 'CLAIMS')}: CLAIMS: expected a tuple of claims; "
            f"got {type(listed).__name__}."
        )
    if not listed:
        raise CatalogueError(
            f"{path}: expected claims; got none. Define CLAIMS = (Claim(...), ...)."
        )
    return tuple(listed)


def _line_in(resolved: str, error: BaseException) -> str:
    """Where in the file the error arose, as ", line 7"."""
    if isinstance(error, SyntaxError) and error.filename == resolved:
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == resolved]
    return f", line {lines[-1]}" if lines else ""


def _line_of(path: Path, text: str) -> str:
    """Where in the file `text` stands last, as ", line 7"."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    places = [number for number, line in enumerate(lines, 1) if text in line]
    return f", line {places[-1]}" if places else ""
