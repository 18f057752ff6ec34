"""Why a claim failed, in words, and the one command that shows it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import VerifyError

if TYPE_CHECKING:
    from .runner import Result

INDENT = "    "


class RequestError(VerifyError):
    """A request that cannot be met as it stands."""


class StoppedError(Exception):
    """Stopped by the user; says what is saved and how to go on."""


def verdict_failure(result: Result, wanted: str, command: str) -> str:
    """A verdict that is not the one wanted: each piece of evidence and what the kernel found."""
    lines = [
        f"{result.id}: {result.title}",
        f"{INDENT}verdict: {result.outcome} (wanted: {wanted})",
        f"{INDENT}statement: {result.record['statement_text']}",
        *(f"{INDENT}{line}" for line in findings(result.record)),
        f"{INDENT}reproduce: {command}",
    ]
    return "\n".join(lines)


def mutant_failure(result: Result, mutant: Mapping[str, Any], command: str) -> str:
    """A mutant that was not refuted."""
    lines = [
        f"{result.id}: the mutant {mutant['name']!r} survived",
        f"{INDENT}verdict: {mutant['verdict']['outcome']} (wanted: refuted)",
        f"{INDENT}false, since: {mutant['why']}",
        *(f"{INDENT}{line}" for line in findings(mutant)),
        f"{INDENT}reproduce: {command}",
    ]
    return "\n".join(lines)


def survivors(result: Result) -> list[dict[str, Any]]:
    """The entries of the mutants that were not refuted."""
    mutants = result.record["mutants"] or ()
    return [mutant for mutant in mutants if mutant["verdict"]["outcome"] != "refuted"]


def findings(entry: Mapping[str, Any]) -> list[str]:
    """A line for each piece of evidence of a record, or of a mutant in it, and each that could
    not be made."""
    lines = [
        f"{finding['evidence']} {finding['outcome']}: {finding['detail']}"
        for finding in entry["verdict"]["findings"]
    ]
    lines += [f"could not be made: {error}" for error in entry["errors"]]
    one_each = [" ".join(line.split()) for line in lines]
    return one_each or ["no evidence was given, and none was found automatically"]
