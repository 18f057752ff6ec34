"""One claim on the screen: all there is to know about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ..symbolic.derivation import Derivation
from ..symbolic.statements import Every, Statement
from ..symbolic.text import describe
from .catalogue import Catalogue
from .claim import Claim
from .console import Screen, one_line, paragraph, table, verdict_text
from .failures import findings
from .kernel.evidence import Evidence
from .record import decode

if TYPE_CHECKING:
    from .runner import Result


def show_claim(screen: Screen, claim: Claim, result: Result) -> None:
    """Statement, derivation line by line, mutants, links, and the verdict on it now."""
    screen.say(Text(claim.id, "bold"), f"  {one_line(claim.title)}")
    field(screen, "source", claim.source)
    for hypothesis in claim.hypotheses:
        field(screen, "hypothesis", hypothesis)
    show_statement(screen, "statement", claim.statement)
    field(screen, "expected", claim.expected)
    for derivation in derivations(result):
        show_derivation(screen, derivation)
    for mutant in claim.mutants:
        field(screen, "mutant", f"{mutant.name}: {mutant.why}")
        show_statement(screen, "", mutant.statement, claim.statement)
    for name, ids in (
        ("uses", ", ".join(claim.uses)),
        ("corrects", claim.corrects),
        ("corrected by", claim.corrected_by),
        ("facts used", "; ".join(result.facts) or "none"),
    ):
        if ids:
            field(screen, name, ids)
    field(screen, "verdict", verdict_text(result.outcome))
    for line in findings(result.record):
        field(screen, "", line)


def show_statement(
    screen: Screen, name: str, statement: Statement, known: Statement | None = None
) -> None:
    """One part a line; with a `known` statement, only the parts that it does not have."""
    if not isinstance(statement, Every):
        field(screen, name, describe(statement))
        return
    seen = known.parts if isinstance(known, Every) else ()
    for number, part in enumerate(statement.parts, 1):
        if part not in seen:
            field(screen, name, f"({number}) {describe(part)}")
            name = ""


def show_erratum(screen: Screen, claim: Claim, result: Result, catalogue: Catalogue) -> None:
    """A refuted statement: what was said, where it fails, and what holds instead."""
    screen.say(Text(claim.id, "bold"), "  ", verdict_text(result.outcome))
    field(screen, "source", claim.source)
    field(screen, "stated", f"{claim.title}: {shortened(result.record['statement_text'])}")
    found = result.record["verdict"]["findings"]
    field(
        screen,
        "fails",
        next((f["detail"] for f in found if f["outcome"] == "refuted"), "not seen now"),
    )
    if claim.corrected_by:
        correction = catalogue[claim.corrected_by]
        said = f"{correction.title}: {shortened(describe(correction.statement))}"
        field(screen, "corrected by", f"{correction.id}: {said}")


def shortened(text: str, longest: int = 320) -> str:
    """The text up to a blank before `longest` characters, where the rest is for `lemmata show`."""
    if len(text) <= longest:
        return text
    return f"{text[:longest].rpartition(' ')[0]} … (all of it: lemmata show)"


def derivations(result: Result) -> list[Derivation]:
    """The derivations that were judged, as they read in the record."""
    evidence = [decode(item, Evidence) for item in result.record["evidence"]]
    return [item for item in evidence if isinstance(item, Derivation)]


def show_derivation(screen: Screen, derivation: Derivation) -> None:
    """Number, statement, and the rule with the lines it uses, in columns."""
    screen.say("  derivation")
    rows = [
        [Text(f"{number:>6}"), one_line(describe(line.statement)), one_line(line.reason())]
        for number, line in enumerate(derivation.lines, 1)
    ]
    table(screen, (), rows)


def field(screen: Screen, name: str, value: str | Text) -> None:
    paragraph(screen, f"  {name:<13}", value)
