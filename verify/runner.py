"""Runs: many claims, each checked once those it uses are, on any executor, into a run folder.

A run that was stopped, by Ctrl-C or by force, goes on where it stopped when it is started again
with the same folder. The records do not depend on the executor; only `seconds` does.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from .catalogue import Catalogue, builtin, file_digest
from .claim import Claim, Settings
from .environment import environment
from .errors import VerifyError
from .executors import ExecutorError, open_executor
from .expressions import parse_number
from .record import SCHEMA, RecordError
from .store import RunFolder
from .worker import Task, judge, read_back, settings_data, work

__all__ = ["Result", "Run", "RunError", "judge", "run"]


class RunError(VerifyError):
    """A run that could not go on; what is finished is saved."""


@dataclass(frozen=True)
class Result:
    """What came of one claim. `killed` of `total` mutants were refuted, where they were run."""

    id: str
    title: str
    family: str
    outcome: str
    expected: str
    facts: tuple[str, ...]
    detail: str
    errors: tuple[str, ...]
    seconds: float
    killed: int | None
    total: int | None
    record: dict[str, Any]
    resumed: bool = False

    @property
    def as_expected(self) -> bool:
        return self.outcome == self.expected

    @classmethod
    def of(cls, record: dict[str, Any], resumed: bool = False) -> Result:
        """The result that a claim's record holds."""
        verdict, mutants = record["verdict"], record["mutants"]
        outcomes = [mutant["verdict"]["outcome"] for mutant in mutants or ()]
        return cls(
            id=record["id"],
            title=record["title"],
            family=record["id"].partition(".")[0],
            outcome=verdict["outcome"],
            expected=record["expected"],
            facts=tuple(verdict["facts"]),
            detail=verdict["detail"],
            errors=tuple(record["errors"]),
            seconds=sum(record["seconds"].values()),
            killed=None if mutants is None else outcomes.count("refuted"),
            total=None if mutants is None else len(outcomes),
            record=record,
            resumed=resumed,
        )


@dataclass(frozen=True)
class Run:
    """The results of a run, in an order in which each claim follows those it uses."""

    folder: Path
    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many claims got each outcome."""
        return dict(Counter(result.outcome for result in self.results))

    @property
    def survivors(self) -> tuple[str, ...]:
        """The mutants that were not refuted, as id/mutant."""
        return tuple(
            f"{result.id}/{mutant['name']}"
            for result in self.results
            for mutant in result.record["mutants"] or ()
            if mutant["verdict"]["outcome"] != "refuted"
        )

    @property
    def exit_code(self) -> int:
        """0: all as expected; 1: some verdict is not, or a mutant survived; 3: a conflict."""
        if "conflict" in self.counts:
            return 3
        return int(bool(self.survivors) or not all(r.as_expected for r in self.results))

    @property
    def sentence(self) -> str:
        """How things stand, and where the record is."""
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self.counts.items())
        odd = [result.id for result in self.results if not result.as_expected]
        if odd:
            parts = [f"{len(odd)} of {_claims(len(self.results))} not as expected: {_some(odd)}"]
        else:
            parts = [f"{_claims(len(self.results))}, each with the verdict expected"]
        parts[0] += f" ({counts})" if counts else ""
        conflicts = [result.id for result in self.results if result.outcome == "conflict"]
        if conflicts:
            parts.append(f"derivation and experiment disagree on {_some(conflicts)}")
        totals = [result.total for result in self.results if result.total is not None]
        if totals and self.survivors:
            parts.append(f"{len(self.survivors)} of {sum(totals)} mutants survived")
        elif totals:
            parts.append(f"all {sum(totals)} mutants refuted")
        failed = [result.id for result in self.results if result.errors]
        if failed:
            parts.append(f"evidence could not be made in full for {_some(failed)}")
        return f"{'; '.join(parts)}. Record: {self.folder}"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(r.id)}</td><td>{html.escape(r.title)}</td>"
            f"<td>{html.escape(r.outcome)}</td><td>{'✓' if r.as_expected else '✗'}</td>"
            f"<td>{html.escape(r.detail)}</td></tr>"
            for r in self.results
        )
        head = "".join(f"<th>{name}</th>" for name in ("claim", "", "verdict", "expected", "found"))
        return f"<table><tr>{head}</tr>{rows}</table><p>{html.escape(self.sentence)}</p>"


def run(
    claims: Sequence[Claim],
    catalogue: Catalogue,
    settings: Settings,
    *,
    folder: str | Path,
    jobs: int = 1,
    cluster: str | None = None,
    mutants: bool = False,
    source: str | Path | None = None,
    progress: Callable[[Result], None] | None = None,
) -> Run:
    """Check claims of the catalogue and all they build on; resume what `folder` already holds.

    `source` is the file the catalogue was loaded from, None for lemmata's own claims: workers
    load it themselves. `progress` is called with each result as it comes.
    """
    ordered = catalogue.closure(claims)
    for claim in ordered:
        _check_recordable(claim)
    header = _header(ordered, catalogue, settings, mutants, source)
    store = RunFolder(folder)
    report = progress or (lambda result: None)
    with store.writing(header) as digest:
        records, notes = store.finished([claim.id for claim in ordered], digest)
        resumed = frozenset(records)
        for claim in ordered:
            if claim.id in resumed:
                report(Result.of(records[claim.id], resumed=True))
        if len(resumed) < len(ordered):
            schedule = _Schedule(ordered, header, digest, store, records, report)
            with open_executor(jobs, cluster) as executor:
                schedule.work_off(executor)
    results = (Result.of(records[claim.id], claim.id in resumed) for claim in ordered)
    return Run(store.path, tuple(results), notes)


def claim_settings(header: dict[str, Any]) -> Settings:
    """The settings each claim of a run is checked with: `auto` made definite, and its share of
    the error probability."""
    data = header["settings"]
    asked = Settings(data["profile"], data["seed"], data["device"], parse_number(data["alpha"]))
    device, share = header["environment"]["device"], asked.alpha / header["shares"]
    return replace(asked, device=device, alpha=share)


def _header(
    ordered: Sequence[Claim],
    catalogue: Catalogue,
    settings: Settings,
    mutants: bool,
    source: str | Path | None,
) -> dict[str, Any]:
    file = None if source is None else {"path": str(source), "sha256": file_digest(source)}
    return {
        "schema": SCHEMA,
        "settings": settings_data(settings),
        "shares": catalogue.verdicts,
        "mutants": mutants,
        "source": file,
        "selection": [claim.id for claim in ordered],
        "environment": environment(settings.device),
    }


def _check_recordable(claim: Claim) -> None:
    """Say at once, not in the middle of a run, that a statement is outside the language."""
    mutants = ((f"mutant {mutant.name!r}", mutant.statement) for mutant in claim.mutants)
    for name, statement in (("statement", claim.statement), *mutants):
        try:
            read_back(statement)
        except RecordError as error:
            raise RunError(f"{claim.id}: {name}: {error}") from None


@dataclass(frozen=True)
class _Schedule:
    """The claims of a run and the records there are; works off the rest."""

    claims: tuple[Claim, ...]
    header: dict[str, Any]
    digest: str
    store: RunFolder
    records: dict[str, dict[str, Any]]
    report: Callable[[Result], None]

    def work_off(self, executor: Executor) -> None:
        """Submit each claim once all it uses are judged; save each record as it comes."""
        claims = {claim.id: claim for claim in self.claims}
        ready = TopologicalSorter({claim.id: claim.uses for claim in self.claims})
        ready.prepare()
        pending: dict[Future[dict[str, Any]], str] = {}
        try:
            while ready.is_active():
                for id in ready.get_ready():
                    if id in self.records:
                        ready.done(id)
                        continue
                    pending[executor.submit(work, self._task(claims[id]))] = id
                    # In-process work is finished by now: save it before the next begins.
                    ready.done(*self._collect(pending, timeout=0))
                if pending:
                    ready.done(*self._collect(pending))
        except BaseException:
            for future in pending:
                future.cancel()
            self._collect({f: id for f, id in pending.items() if _succeeded(f)}, timeout=0)
            raise

    def _collect(
        self, pending: dict[Future[dict[str, Any]], str], timeout: float | None = None
    ) -> list[str]:
        """Save what has finished and drop it from `pending`; wait until something has."""
        done = wait(pending, timeout, FIRST_COMPLETED).done
        finished = sorted(done, key=lambda future: pending[future])
        ids = []
        for future in finished:
            record = self._outcome(future, pending[future])
            self.store.save(record)
            id = pending.pop(future)
            self.records[id] = record
            self.report(Result.of(record))
            ids.append(id)
        return ids

    def _outcome(self, future: Future[dict[str, Any]], id: str) -> dict[str, Any]:
        try:
            return future.result()
        except VerifyError:
            raise
        except BrokenExecutor:
            raise ExecutorError(
                f"{id}: a worker process ended abruptly, perhaps for want of memory. What is "
                f"finished is saved in {self.store.path}; run the same command again to go on, "
                "with fewer --jobs."
            ) from None
        except Exception as error:
            raise RunError(
                f"{id}: the check itself failed with {type(error).__name__}: {error}. What is "
                f"finished is saved in {self.store.path}."
            ) from error

    def _task(self, claim: Claim) -> Task:
        source = self.header["source"]
        lemmas = tuple(
            (id, self.records[id]["statement"], self.records[id]["verdict"]["outcome"])
            for id in claim.uses
        )
        return Task(
            id=claim.id,
            settings=claim_settings(self.header),
            mutants=self.header["mutants"],
            lemmas=lemmas,
            # Workers may have another current folder.
            source=None if source is None else str(Path(source["path"]).resolve()),
            sha256=None if source is None else source["sha256"],
            claim=claim if source is None and builtin().get(claim.id) != claim else None,
            environment=self.header["environment"],
            run=self.digest,
        )


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"


def _some(ids: Sequence[str], most: int = 3) -> str:
    rest = len(ids) - most
    return ", ".join(ids[:most]) + (f" and {rest} more" if rest > 0 else "")
