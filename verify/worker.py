"""The check of one claim: gather its evidence, have the kernel judge it, write the record.

Producers (derivations, experiments, certificates, searches) are not trusted. What they return
is turned into record data and read back before the kernel sees it, so that the kernel judges
what is recorded and nothing else. A producer that fails is reported in the record.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..symbolic.derivation import Derivation
from ..symbolic.statements import Statement
from ..symbolic.tactics import prove
from ..symbolic.text import describe
from .catalogue import file_digest, load
from .claim import Claim, Settings
from .environment import environment
from .errors import VerifyError
from .kernel import Verdict, check
from .kernel.evidence import Counterexample, Evidence, Instance, Part, SequentialTest
from .record import SCHEMA, RecordError, decode, differences, digest, encode, seal
from .witness import search

Lemmas = Mapping[str, tuple[Statement, str]]
Producer = tuple[str, Callable[[], Iterable[Evidence]]]


class WorkerError(VerifyError):
    """A worker that is not set up like the process that gave it work."""


@dataclass(frozen=True)
class Task:
    """All that a worker in another process needs to check a claim.

    `lemmas` are the statements, as data, and the outcomes of the claims it uses. The worker loads
    the claim from `source` (None: from lemmata); one that stands in neither travels as `claim`.
    """

    id: str
    settings: Settings
    mutants: bool
    lemmas: tuple[tuple[str, dict[str, Any], str], ...]
    source: str | None
    sha256: str | None
    claim: Claim | None
    environment: dict[str, Any]
    run: str


@dataclass(frozen=True)
class Exhibits:
    """Evidence as data and as read back from it, and what went wrong making it."""

    data: tuple[dict[str, Any], ...] = ()
    values: tuple[Evidence, ...] = ()
    errors: tuple[str, ...] = ()

    def __add__(self, other: Exhibits) -> Exhibits:
        return Exhibits(
            self.data + other.data, self.values + other.values, self.errors + other.errors
        )

    def without_errors(self) -> Exhibits:
        return Exhibits(self.data, self.values)


def work(task: Task) -> dict[str, Any]:
    """The sealed record of a claim, made in whichever process this is."""
    claim = _find(task)
    lemmas = {
        id: (decode(statement, Statement, id), outcome) for id, statement, outcome in task.lemmas
    }
    clock = _Clock()
    statement, stated = read_back(claim.statement), describe_claim(claim)
    with clock("produce"):
        derived = derive(claim, statement)
        exhibits = derived + investigate(claim, statement, task.settings)
    with clock("judge"):
        verdict = check(claim.id, statement, exhibits.values, lemmas)
    mutants = None
    if task.mutants:
        mutants = _mutants(claim, derived, task.settings, lemmas, clock)
    return seal(
        {
            "schema": SCHEMA,
            "run": task.run,
            **stated,
            "settings": settings_data(task.settings),
            "evidence": list(exhibits.data),
            "verdict": verdict_data(verdict),
            "errors": list(exhibits.errors),
            "mutants": mutants,
            "seconds": clock.seconds,
        }
    )


def judge(
    name: str, statement: Statement, evidence: Sequence[Evidence], lemmas: Lemmas | None = None
) -> Verdict:
    """The kernel's verdict on a statement and evidence, as they read in a record."""
    values = tuple(read_back(item) for item in evidence)
    return check(name, read_back(statement), values, dict(lemmas or {}))


def read_back(value: Any) -> Any:
    """The value as it reads in a record, which must be what it was."""
    found = decode(encode(value), type(value))
    if found != value:
        raise RecordError(f"{value!r:.200} would read {found!r:.200} in a record.")
    return found


def derive(claim: Claim, statement: Statement) -> Exhibits:
    """The claim's own derivation, else one found automatically."""

    def automatic() -> tuple[Derivation, ...]:
        found = prove(statement)
        return () if found is None else (found,)

    own = claim.derivation
    if own is None:
        return gather([("automatic derivation", automatic)])
    return gather([("derivation", lambda: (own(),))], Derivation)


def investigate(claim: Claim, statement: Statement, settings: Settings) -> Exhibits:
    """Evidence from the other side: about the claim's statement or about a mutant's."""
    producers: list[Producer] = [
        (name, lambda make=make: make(statement, settings))
        for name, make in (("experiment", claim.experiment), ("certificate", claim.certificate))
        if make is not None
    ]
    found = gather(producers, alpha=settings.alpha)
    if any(isinstance(_bare(item), Counterexample) for item in found.values):
        return found
    return found + gather([("search for a counterexample", lambda: search(statement))])


def gather(
    producers: Iterable[Producer], hint: Any = Evidence, alpha: Fraction = Fraction(0)
) -> Exhibits:
    """What the producers make; one that fails, or makes no evidence, leaves an error.

    `alpha` is the error probability that the tests among it may have, together.
    """
    exhibits = Exhibits()
    for name, make in producers:
        try:
            made = make()
            if not isinstance(made, tuple | list):
                raise TypeError(f"expected a tuple of evidence; got {type(made).__name__}")
            data = tuple(encode(item) for item in made)
            values = tuple(decode(item, hint, name) for item in data)
            spent = error_probability((*exhibits.values, *values))
            if spent > alpha:
                raise ValueError(
                    f"expected tests with an error probability of at most {alpha} together; "
                    f"got {spent}. Use the alpha of the settings"
                )
        except Exception as error:
            exhibits += Exhibits(errors=(f"{name}: {_failure(error)}",))
        else:
            exhibits += Exhibits(data, values)
    return exhibits


def error_probability(evidence: Iterable[Evidence]) -> Fraction:
    """What the sequential tests among the evidence may err with, together."""
    tests = (item for item in map(_bare, evidence) if isinstance(item, SequentialTest))
    return sum((test.alpha for test in tests), Fraction(0))


def _bare(item: Evidence) -> Evidence:
    """The evidence inside parts and instances."""
    while isinstance(item, Part | Instance):
        item = item.evidence
    return item


def describe_claim(claim: Claim) -> dict[str, Any]:
    """The fields of a record that say what is claimed."""
    return {
        "id": claim.id,
        "title": claim.title,
        "source": claim.source,
        "expected": claim.expected,
        **describe_statement(encode(claim.statement)),
        "hypotheses": list(claim.hypotheses),
        "uses": list(claim.uses),
        "corrects": claim.corrects,
        "corrected_by": claim.corrected_by,
    }


def describe_statement(data: dict[str, Any]) -> dict[str, Any]:
    """A statement as data, in words and as a digest."""
    text = describe(decode(data, Statement, "statement"))
    return {"statement": data, "statement_text": text, "statement_hash": digest(data)}


def settings_data(settings: Settings) -> dict[str, Any]:
    return {**asdict(settings), "alpha": str(settings.alpha)}


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as it stands in a record."""
    return {
        "outcome": verdict.outcome,
        "facts": list(verdict.facts),
        "uses": list(verdict.uses),
        "findings": [
            {
                "evidence": finding.evidence,
                "outcome": finding.outcome,
                "detail": finding.detail,
                "facts": list(finding.facts),
            }
            for finding in verdict.findings
        ],
        "detail": verdict.detail,
    }


def mutant_name(claim: str, mutant: str) -> str:
    """What a mutant's verdict is called."""
    return f"{claim}/{mutant}"


def _mutants(
    claim: Claim, derived: Exhibits, settings: Settings, lemmas: Lemmas, clock: _Clock
) -> list[dict[str, Any]]:
    """Each mutant is judged on the claim's derivation and on fresh evidence about itself."""
    entries = []
    for mutant in claim.mutants:
        with clock("produce"):
            statement = read_back(mutant.statement)
            exhibits = derived.without_errors() + investigate(claim, statement, settings)
        with clock("judge"):
            name = mutant_name(claim.id, mutant.name)
            verdict = check(name, statement, exhibits.values, lemmas)
        entries.append(
            {
                "name": mutant.name,
                "why": mutant.why,
                "statement": encode(statement),
                "evidence": list(exhibits.data),
                "verdict": verdict_data(verdict),
                "errors": list(exhibits.errors),
            }
        )
    return entries


def _find(task: Task) -> Claim:
    own = environment(task.environment["device"])
    for place, wanted, found in differences(task.environment, own):
        raise WorkerError(
            f"{task.id}: the worker differs from the process that started the run: {place} is "
            f"{found}, expected {wanted}. Install the same versions on every worker and restart it."
        )
    if task.claim is not None:
        return task.claim
    if task.source is not None and file_digest(task.source) != task.sha256:
        raise WorkerError(
            f"{task.source}: differs from the file with which the run was started. "
            "Share one file among all workers and leave it unchanged during a run."
        )
    return load(task.source)[task.id]


def _failure(error: Exception) -> str:
    """The error and where it arose, without folders: the same text on every worker."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


class _Clock:
    """Adds up seconds by name: `with clock("judge"): ...`."""

    def __init__(self) -> None:
        self.seconds = {"produce": 0.0, "judge": 0.0}
        self._name, self._start = "", 0.0

    def __call__(self, name: str) -> _Clock:
        self._name, self._start = name, time.perf_counter()
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        spent = time.perf_counter() - self._start
        self.seconds[self._name] = round(self.seconds[self._name] + spent, 6)
