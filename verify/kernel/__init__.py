"""The kernel: the only maker of verdicts. It re-checks evidence and believes none of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from types import MappingProxyType, NoneType
from typing import Any, get_args

from sympy import Expr, IndexedBase, Integer, Symbol, oo

from ...symbolic.derivation import Derivation, Line
from ...symbolic.statements import Domain, Every, Limit, Maximum, Mean, Relation, Statement
from .certificates import multipliers, polynomial_degree, rank
from .derivations import Lemmas, derivation
from .enclosures import enclosure
from .evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    Evidence,
    Instance,
    Multipliers,
    Part,
    RankCertificate,
    SampleBatch,
    SequentialTest,
    Trajectory,
)
from .experiments import sequential, trajectory
from .findings import Finding
from .instances import counterexample, enumeration, fixed
from .reasoning import Context
from .rules import mentions
from .terms import Rejected, admit, fuelled

KINDS = (Domain, Line, SampleBatch, *get_args(Statement), *get_args(Evidence))
CHECKERS = {
    Counterexample: counterexample, Enclosure: enclosure, Enumeration: enumeration,
    Multipliers: multipliers, RankCertificate: rank, DegreeCertificate: polynomial_degree,
    SequentialTest: sequential, Trajectory: trajectory,
}  # fmt: skip
NOTHING = Relation(Integer(0), "=", Integer(0))
STRENGTH = ("proved", "certified", "confirmed")
OUTCOMES = (*STRENGTH, "refuted", "conflict", "inconclusive")


@dataclass(frozen=True)
class Verdict:
    """What a claim has earned, by which evidence, resting on which facts and claims."""

    claim: str
    outcome: str
    findings: tuple[Finding, ...]
    facts: tuple[str, ...]
    uses: tuple[str, ...]
    detail: str

    def __bool__(self) -> bool:
        raise TypeError(
            "a verdict is not a truth value; compare verdict.outcome with 'proved', ..."
        )


def check(
    name: str,
    statement: Statement,
    evidence: tuple[Evidence, ...],
    lemmas: Lemmas = MappingProxyType({}),
) -> Verdict:
    """Judge `statement` by `evidence`; `lemmas` are the judged claims that it may use."""
    if type(evidence) is not tuple:
        evidence = ()
    try:
        with fuelled():
            _admit_statement(statement)
            findings = tuple(_finding(statement, item, lemmas) for item in evidence)
    except Exception as error:  # to reject is always sound
        findings = (Finding("Statement", "rejected", str(error)),)
        statement = NOTHING
    outcome = _outcome(statement, findings)
    counted = [f for f in findings if f.outcome != "rejected"]
    facts = tuple(dict.fromkeys(fact for f in counted for fact in f.facts))
    uses = tuple(
        dict.fromkeys(
            name
            for item, finding in zip(evidence, findings, strict=False)
            if finding.outcome != "rejected"
            for name in _cited(item)
        )
    )
    telling = [f for f in findings if f.outcome == outcome] or list(findings)
    detail = "; ".join(f"{f.evidence}: {f.detail}" for f in telling) or "no evidence was brought"
    return Verdict(name, outcome, findings, facts, uses, detail)


def _cited(item: Evidence) -> tuple[str, ...]:
    """The claims that a derivation cites."""
    if type(item) is Part or type(item) is Instance:
        return _cited(item.evidence)
    lines = item.lines if type(item) is Derivation else ()
    return tuple(str(dict(line.args).get("name")) for line in lines if line.rule == "claim")


def _admit(value: Any, infinite: bool = False) -> None:
    """Exact data only: classes of the language and of evidence themselves, no floats."""
    if isinstance(value, Expr):
        if not infinite or value not in (oo, -oo):
            admit(value)
    elif type(value) in KINDS:
        for item in fields(value):
            _admit(getattr(value, item.name), type(value) in (Domain, Limit))
        _closed(value)
    elif type(value) is tuple:
        for item in value:
            _admit(item, infinite)
    elif type(value) not in (str, int, bool, Fraction, NoneType):
        raise Rejected(f"{type(value).__name__} does not belong in statements or evidence")


def _closed(value: Any) -> None:
    """Domains are well formed, variables are names, hypotheses are not nested."""
    single = [getattr(value, name, None) for name in ("variable", "index", "path")]
    names = [v for v in single if isinstance(v, Expr)] + list(getattr(value, "variables", ()))
    if any(type(name) is not Symbol for name in names):
        raise Rejected("a variable is not a plain symbol")
    bound = (*getattr(value, "over", ()), *getattr(value, "laws", ()))
    if any(type(variable) not in (Symbol, IndexedBase) for variable, _ in bound):
        raise Rejected("a variable is neither a symbol nor a sequence")
    match value:
        case Domain(low, high, low_open, high_open, integer):
            for bound, is_open in ((low, low_open), (high, high_open)):
                infinite = bound in (oo, -oo)
                if is_open != infinite and (integer or infinite):
                    raise Rejected("infinite ends are open, the ends of integers closed")
        case Relation() | Maximum() | Limit():
            if any(given.given for given in value.given):
                raise Rejected("a hypothesis has hypotheses of its own")
            if type(value) is Maximum and any(mentions(g, value.variable) for g in value.given):
                raise Rejected("a hypothesis limits the variable of the maximum")
        case Mean(quantity=Relation(over=over, given=given)) if over or given:
            raise Rejected("an event has no variables or hypotheses of its own")
        case Every(parts):
            if not parts or any(type(part) is Every for part in parts):
                raise Rejected("the parts of a conjunction are statements, at least one")


def _admit_statement(statement: Statement) -> None:
    if type(statement) not in get_args(Statement):
        raise Rejected(f"{type(statement).__name__} is not a kind of statement")
    _admit(statement)
    unbound = _unbound(statement)
    if unbound:
        raise Rejected(f"{', '.join(sorted(unbound))} has no domain")
    for part in statement.parts if isinstance(statement, Every) else (statement,):
        own = ((part.variable, part.domain),) if isinstance(part, Maximum) else ()
        Context.of((*getattr(part, "over", ()), *own))


def _unbound(statement: Statement) -> set[str]:
    """Names that a statement leaves without a domain or a law."""
    match statement:
        case Every(parts):
            return set().union(*map(_unbound, parts))
        case Mean(Relation(lhs, _, rhs), laws, value):
            own, used = laws, [lhs, rhs, value]
        case Mean(quantity, laws, value):
            own, used = laws, [quantity, value]
        case Maximum(function, variable, domain, at, over, given):
            own, used = (*over, (variable, domain)), [function, at, domain.low, domain.high]
        case Relation(lhs, _, rhs, own, given):
            used = [lhs, rhs]
        case Limit(expression, value, tends, own, given):
            used = [expression, value, *(e for pair in tends for e in pair)]
        case _:
            return set()
    names = {str(symbol) for expr in used for symbol in expr.free_symbols}
    for given in getattr(statement, "given", ()):
        inner = {str(variable) for variable, _ in given.over}
        names |= {str(s) for e in (given.lhs, given.rhs) for s in e.free_symbols} - inner
    bound = {str(variable) for variable, _ in own}
    return {name for name in names if name.partition("[")[0] not in bound}


def _finding(statement: Statement, item: Evidence, lemmas: Lemmas) -> Finding:
    kind = type(item).__name__
    try:
        _admit(item)
        if type(item) is Part:
            if type(statement) is not Every or not 0 <= item.index < len(statement.parts):
                raise Rejected("the statement has no such part")
            inner = _finding(statement.parts[item.index], item.evidence, lemmas)
            label = f"Part {item.index + 1} {inner.evidence}"
            return Finding(label, inner.outcome, inner.detail, inner.facts)
        if type(item) is Instance:
            inner = _finding(fixed(statement, dict(item.point)), item.evidence, lemmas)
            at = ", ".join(f"{variable} = {value}" for variable, value in item.point)
            outcome = "confirmed" if inner.outcome in STRENGTH else inner.outcome
            return Finding(
                f"Instance {inner.evidence}", outcome, f"at {at}: {inner.detail}", inner.facts
            )
        if type(item) is Derivation:
            for line in item.lines:
                _admit_statement(line.statement)
            return derivation(statement, item, lemmas)
        checker = CHECKERS.get(type(item))
        if checker is None:
            raise Rejected(f"{kind} is not a kind of evidence")
        return checker(statement, item)
    except Rejected as error:
        return Finding(kind, "rejected", str(error))
    except Exception as error:  # to reject is always sound
        return Finding(kind, "rejected", f"malformed: {type(error).__name__}: {error}")


def _outcome(statement: Statement, findings: tuple[Finding, ...]) -> str:
    """The strongest outcome earned; refuted beside support of the same thing is a conflict."""
    earned = {f.outcome for f in findings if not f.evidence.startswith("Part ")}
    if type(statement) is Every:
        parts = []
        for k in range(len(statement.parts)):
            label = f"Part {k + 1} "
            own = {f.outcome for f in findings if f.evidence.startswith(label)}
            parts.append(_strongest(own))
        if "refuted" in parts or "conflict" in parts:
            earned.add("conflict" if "conflict" in parts else "refuted")
        elif all(part in STRENGTH for part in parts):
            earned.add(max(parts, key=STRENGTH.index))
    return _strongest(earned)


def _strongest(earned: set[str]) -> str:
    support = [outcome for outcome in STRENGTH if outcome in earned]
    if "conflict" in earned or ("refuted" in earned and support):
        return "conflict"
    return "refuted" if "refuted" in earned else support[0] if support else "inconclusive"
