"""A request of the command line: what to check and how, carried out with progress shown."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import console
from .claim import Settings
from .failures import RequestError, StoppedError, mutant_failure, survivors, verdict_failure
from .targets import Selection, flags, new_folder, select

if TYPE_CHECKING:
    from .runner import Result, Run


@dataclass(frozen=True)
class Request:
    """What to check and how, as asked for on the command line."""

    targets: tuple[str, ...]
    settings: Settings
    jobs: int = 1
    cluster: str | None = None
    out: Path | None = None
    mutants: bool = False
    verb: str = "verify"

    def resume(self, folder: Path) -> str:
        """The command that continues this request in `folder`."""
        words = ["lemmata", self.verb, *self.targets, *flags(self.settings)]
        words += ["--mutants"] if self.mutants and self.verb == "verify" else []
        words += ["--jobs", str(self.jobs)] if self.jobs != 1 else []
        words += ["--cluster", self.cluster] if self.cluster else []
        return shlex.join([*words, "--out", str(folder)])

    def perform(self) -> tuple[Selection, Run]:
        """Check what is asked for; progress, the folder and remarks go to standard error."""
        from .runner import run

        with console.aside():
            selection = select(self.targets)
        self._check_device()
        folder = self.out or new_folder()
        screen = console.Screen(stderr=True)
        needed = selection.needed
        screen.say(f"Checking {console.count(len(needed), 'claim')}; the record goes to {folder}")
        finished: list[Result] = []
        try:
            with console.progress(len(needed)) as report, console.aside():

                def note(result: Result) -> None:
                    finished.append(result)
                    report(result)

                outcome = run(
                    selection.claims,
                    selection.catalogue,
                    self.settings,
                    folder=folder,
                    jobs=self.jobs,
                    cluster=self.cluster,
                    mutants=self.mutants,
                    source=selection.source,
                    progress=note,
                )
        except KeyboardInterrupt:
            raise StoppedError(
                f"{len(finished)} of {console.count(len(needed), 'claim')} finished and saved in "
                f"{folder}. Go on with:\n    {self.resume(folder)}"
            ) from None
        for remark in outcome.notes:
            screen.say(f"note: {remark}")
        return selection, outcome

    def _check_device(self) -> None:
        """Say at once that a device asked for is not here; a cluster's workers have their own."""
        if self.cluster is not None or self.settings.device in ("auto", "cpu"):
            return
        from ..numeric.device import resolve
        from ..numeric.errors import NumericError

        try:
            resolve(self.settings.device)
        except NumericError as error:
            raise RequestError(str(error)) from None

    def failures(self, selection: Selection, results: Sequence[Result]) -> dict[str, str]:
        """For each claim that did not come out as expected, why, and how to see it again."""
        found = self.survivors(selection, results)
        for result in results:
            if not result.as_expected:
                command = selection.command(result.id, self.settings)
                text = verdict_failure(result, result.expected, command)
                found[result.id] = "\n\n".join(filter(None, [text, found.get(result.id)]))
        return found

    def survivors(self, selection: Selection, results: Sequence[Result]) -> dict[str, str]:
        """For each claim with mutants that were not refuted, the same about these."""
        found = {}
        for result in results:
            command = selection.command(result.id, self.settings, "mutants")
            texts = [mutant_failure(result, entry, command) for entry in survivors(result)]
            if texts:
                found[result.id] = "\n\n".join(texts)
        return found
