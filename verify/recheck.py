"""Re-checking a run: every verdict rebuilt from the record, every field compared.

    python -m lemmata.verify.recheck RUN [--simulate]

Statements are compared with the catalogue, verdicts with what the kernel says of the recorded
evidence, and seals with the content. With `simulate` the evidence itself is made again too and
must be the same to the last bit, provided that code and versions are the same; otherwise it must
lead to the same outcome.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..symbolic.statements import Statement
from .catalogue import Catalogue, CatalogueError, builtin, file_digest, load_file
from .claim import Claim, Settings, is_id
from .environment import environment
from .errors import VerifyError
from .kernel import check
from .kernel.evidence import Evidence
from .record import RecordError, decode, differences, encode
from .runner import claim_settings
from .store import HEADER, RunFolder
from .worker import (
    derive,
    describe_claim,
    describe_statement,
    error_probability,
    investigate,
    mutant_name,
    read_back,
    settings_data,
    verdict_data,
)

Difference = tuple[str, str, str]  # field, recorded, recomputed


@dataclass(frozen=True)
class Problem:
    """A field that does not stand up."""

    claim: str
    field: str
    recorded: str
    recomputed: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.field}: recorded {self.recorded}; expected {self.recomputed}"


@dataclass(frozen=True)
class Checked:
    """What became of one file of the run."""

    id: str
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems


def recheck(
    folder: str | Path, *, catalogue: Catalogue | None = None, simulate: bool = False
) -> tuple[Checked, ...]:
    """The header's check, then each claim's. `catalogue` replaces the one the header names."""
    run = RunFolder(folder)
    header = run.header()
    notes: list[str] = []
    problems = list(_selection_problems(run, header["selection"]))
    if catalogue is None:
        catalogue = _catalogue(header, problems, notes)
    known = [catalogue[id] for id in header["selection"] if id in catalogue]
    if header["shares"] < (least := sum(1 + len(claim.mutants) for claim in known)):
        problems.append(Problem(HEADER, "shares", str(header["shares"])[:80], f"{least} or more"))
    try:
        audit = _Audit(run, header, catalogue, claim_settings(header), simulate)
    except (ValueError, ArithmeticError) as error:
        problems.append(Problem(HEADER, "settings", str(header["settings"])[:80], str(error)))
        return (Checked(HEADER, tuple(problems), tuple(notes)),)
    claims = [audit.claim(id) for id in header["selection"] if is_id(id)]
    return (Checked(HEADER, tuple(problems), tuple(notes)), *claims)


def _selection_problems(run: RunFolder, selection: list[str]) -> Iterator[Problem]:
    for id, count in Counter(selection).items():
        if count > 1 or not is_id(id):
            yield Problem(HEADER, "selection", repr(id)[:80], "ids of claims, each once")
    for name in run.stray(selection):
        yield Problem(HEADER, "selection", "no claim", f"the claim of claims/{name}")


def _catalogue(header: dict[str, Any], problems: list[Problem], notes: list[str]) -> Catalogue:
    """The catalogue the run was made from. A file of claims is run only if it is still the one
    that was checked; without it, its statements are taken from the record."""
    source = header["source"]
    if source is None:
        return builtin()
    try:
        found = file_digest(source["path"])
        if found == source["sha256"]:
            return load_file(source["path"])
        problems.append(
            Problem(HEADER, "source.sha256", source["sha256"][:80], f"{found}, of the file now")
        )
    except CatalogueError as error:
        notes.append(f"statements are taken from the record: {error}")
    return builtin()


@dataclass(frozen=True)
class _Audit:
    """Goes through the claims in order; `judged` are the statements and outcomes so far."""

    run: RunFolder
    header: dict[str, Any]
    catalogue: Catalogue
    settings: Settings
    simulate: bool
    judged: dict[str, tuple[Statement, str]] = field(default_factory=dict)

    def claim(self, id: str) -> Checked:
        claim = self.catalogue.get(id)
        try:
            record = self.run.record(id)
            problems = tuple(Problem(id, *found) for found in self._problems(record, claim))
        except RecordError as error:
            return Checked(id, (Problem(id, "file", "as it is", f"a sound record ({error})"),))
        notes = () if claim else ("not in the catalogue: its statement is taken from the record",)
        return Checked(id, problems, notes)

    def _problems(self, record: dict[str, Any], claim: Claim | None) -> Iterator[Difference]:
        if record["run"] != self.header["digest"]:
            yield "run", record["run"][:80], f"{self.header['digest']}, the digest of {HEADER}"
        if (record["mutants"] is not None) != self.header["mutants"]:
            yield "mutants", str(record["mutants"])[:80], "mutants where the header has them"
        yield from _stated(record, claim)
        yield from differences(record["settings"], settings_data(self.settings), "settings")
        for id in record["uses"]:
            if id not in self.judged:
                yield "uses", id[:80], "a claim that stands before this one in the run"
        yield from self._verdicts(record)
        if self.simulate and claim is not None:
            yield from self._simulated(record, claim)

    def _verdicts(self, record: dict[str, Any]) -> Iterator[Difference]:
        """The kernel's verdicts, now, on the statement and on the mutants."""
        lemmas = {id: self.judged[id] for id in record["uses"] if id in self.judged}
        for name, prefix, entry in _entries(record):
            statement = decode(entry["statement"], Statement, f"{prefix}statement")
            evidence = tuple(
                decode(item, Evidence, f"{prefix}evidence[{index}]")
                for index, item in enumerate(entry["evidence"])
            )
            if (spent := error_probability(evidence)) > self.settings.alpha:
                yield f"{prefix}evidence", f"alpha {spent}", f"at most {self.settings.alpha}"
            try:
                verdict = verdict_data(check(name, statement, evidence, lemmas))
            except Exception as error:  # evidence so odd that the kernel cannot even reject it
                yield f"{prefix}verdict", entry["verdict"]["outcome"][:80], f"none ({error!r})"
                continue
            yield from differences(entry["verdict"], verdict, f"{prefix}verdict")
            if entry is record:
                self.judged[record["id"]] = (statement, verdict["outcome"])

    def _simulated(self, record: dict[str, Any], claim: Claim) -> Iterator[Difference]:
        """The evidence made again, and where versions differ at least the outcome."""
        lemmas = {id: self.judged[id] for id in record["uses"] if id in self.judged}
        same = self.header["environment"] == environment(self.settings.device)
        derived = derive(claim, read_back(claim.statement))
        for name, prefix, entry in _entries(record):
            statement = decode(entry["statement"], Statement, f"{prefix}statement")
            own = derived if entry is record else derived.without_errors()
            exhibits = own + investigate(claim, statement, self.settings)
            if same:
                yield from differences(entry["evidence"], list(exhibits.data), f"{prefix}evidence")
                yield from differences(entry["errors"], list(exhibits.errors), f"{prefix}errors")
            else:
                outcome = check(name, statement, exhibits.values, lemmas).outcome
                yield from differences(
                    entry["verdict"]["outcome"], outcome, f"{prefix}verdict.outcome"
                )


def _stated(record: dict[str, Any], claim: Claim | None) -> Iterator[Difference]:
    """What is claimed: as the catalogue has it, else at least consistent."""
    said = describe_claim(claim) if claim else describe_statement(record["statement"])
    yield from differences({key: record[key] for key in said}, said)
    if claim is None or record["mutants"] is None:
        return
    found = [[entry["name"], entry["why"], entry["statement"]] for entry in record["mutants"]]
    stated = [[mutant.name, mutant.why, encode(mutant.statement)] for mutant in claim.mutants]
    yield from differences(found, stated, "mutants: name, why and statement")


def _entries(record: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What was judged: the claim itself, then its mutants, each with its name and place."""
    yield record["id"], "", record
    for index, entry in enumerate(record["mutants"] or ()):
        yield mutant_name(record["id"], entry["name"]), f"mutants[{index}].", entry


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: the record stands; 1: it does not; 2: there is none."""
    parser = argparse.ArgumentParser(prog="python -m lemmata.verify.recheck")
    parser.add_argument("run", help="a run folder")
    parser.add_argument("--simulate", action="store_true", help="make the evidence again too")
    options = parser.parse_args(arguments)
    try:
        checked = recheck(options.run, simulate=options.simulate)
    except VerifyError as error:
        print(error, file=sys.stderr)
        return 2
    for item in checked:
        print(f"{'ok    ' if item.ok else 'FAILED'} {item.id}")
        for line in (*item.notes, *item.problems):
            print(f"       {line}")
    return 0 if all(item.ok for item in checked) else 1


if __name__ == "__main__":
    sys.exit(main())
