"""The kernel: the only maker of verdicts. It re-checks evidence and believes none of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from types import MappingProxyType, NoneType
from typing import Any, get_args

from sympy import Expr, IndexedBase, Integer, Symbol

from ...symbolic.derivation import Derivation, Line
from ...symbolic.statements import (
    REALS,
    Attention,
    Domain,
    Domains,
    EpsilonRank,
    Every,
    Function,
    Hadamard,
    Limit,
    Maximum,
    Mean,
    Orbit,
    Relation,
    SeparationRank,
    Statement,
)
from .certificates import multipliers, polynomial_degree, rank
from .derivations import Lemmas, derivation
from .enclosures import enclosure
from .evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    Evidence,
    Finding,
    Instance,
    Multipliers,
    NetworkCertificate,
    Part,
    RankCertificate,
    SampleBatch,
    SeparationCertificate,
    SequentialTest,
    Spectrum,
    Trajectory,
    Trap,
)
from .experiments import sequential, trajectory
from .instances import counterexample, enumeration, fixed
from .networks import formed
from .orbits import opposed
from .reasoning import INFINITE, Context
from .rules import mentions
from .separation import network, separation, spectrum
from .terms import Rejected, admit, fuelled, require

SPLIT = (Function, Attention, Hadamard)
KINDS = (Domain, Line, SampleBatch, *SPLIT, *get_args(Statement), *get_args(Evidence))
CHECKERS = {
    Counterexample: counterexample, Enclosure: enclosure, Enumeration: enumeration,
    Multipliers: multipliers, RankCertificate: rank, DegreeCertificate: polynomial_degree,
    SeparationCertificate: separation, NetworkCertificate: network, Spectrum: spectrum,
    SequentialTest: sequential, Trajectory: trajectory,
}  # fmt: skip
DECLARED = {
    "Expr": Expr, "Expr | Relation": Expr | Relation, "Relation": Relation, "Domain": Domain,
    "bool": bool, "Function": Function, "Function | Attention | Hadamard": SPLIT,
}  # fmt: skip
NOTHING = Relation(Integer(0), "=", Integer(0))
PARTIAL = {"Instance", "Enclosure", "Enumeration"}
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
        raise TypeError("a verdict is no truth value; compare verdict.outcome with 'proved', ...")


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
    pairs = zip(findings, evidence, strict=False)
    counted = [(finding, item) for finding, item in pairs if finding.outcome != "rejected"]
    facts = tuple(dict.fromkeys(fact for finding, _ in counted for fact in finding.facts))
    uses = tuple(dict.fromkeys(used for _, item in counted for used in _cited(item)))
    telling = [f for f in findings if f.outcome == outcome] or list(findings)
    detail = "; ".join(f"{f.evidence}: {f.detail}" for f in telling) or "no evidence was brought"
    return Verdict(name, outcome, findings, facts, uses, detail)


def _cited(item: Evidence) -> tuple[str, ...]:
    """The claims that a derivation cites."""
    match item:
        case Part(_, inner) | Instance(_, inner) | Trap(inner):
            return _cited(inner)
        case Derivation(lines):
            return tuple(str(dict(line.args)["name"]) for line in lines if line.rule == "claim")
    return ()


def _parts(value: Any) -> tuple[Any, ...]:
    """What a statement, a piece of evidence or a tuple is made of."""
    if type(value) in KINDS:
        return tuple(getattr(value, field.name) for field in fields(value))
    return value if type(value) is tuple else ()


def _variables(value: Any) -> Domains:
    """The variables that a statement or a piece of evidence binds, with their domains."""
    single = [getattr(value, name, None) for name in ("variable", "index", "path")]
    names = [v for v in single if isinstance(v, Expr)] + [*getattr(value, "variables", ())]
    names += [v for v, _ in (*getattr(value, "laws", ()), *getattr(value, "step", ()))]
    if type(value) is Function:
        return (*value.left, *value.right)
    return (*getattr(value, "over", ()), *((v, getattr(value, "domain", REALS)) for v in names))


def _unbound(value: Any) -> set[str]:
    """Names that a statement leaves without a domain or a law."""
    if isinstance(value, Expr):
        return {str(symbol).partition("[")[0] for symbol in value.free_symbols}
    names = set().union(*map(_unbound, _parts(value)))
    return names - {str(variable) for variable, _ in _variables(value)}


def _admit(value: Any, infinite: bool = False) -> None:
    """Exact data only: classes of the language and of evidence themselves, no floats."""
    if isinstance(value, Expr):
        if not infinite or value not in INFINITE:
            admit(value)
    elif type(value) in KINDS:
        for part in _parts(value):
            _admit(part, type(value) in (Domain, Limit))
        _closed(value)
    elif type(value) is tuple:
        for part in value:
            _admit(part, infinite)
    elif type(value) not in (str, int, bool, Fraction, NoneType):
        raise Rejected(f"{type(value).__name__} does not belong in statements or evidence")


def _closed(value: Any) -> None:
    """Fields hold what they declare, domains are well formed, variables names, hypotheses plain."""
    for field, part in zip(fields(value), _parts(value), strict=True):
        kind = DECLARED.get(str(field.type), object)
        require(isinstance(part, kind), f"{field.name} is no {field.type}")
    general = [v for v, _ in (*getattr(value, "over", ()), *getattr(value, "laws", ()))]
    known = all(type(v) in (Symbol, IndexedBase) for v in general)
    require(known, "a variable is neither a symbol nor a sequence")
    plain = all(type(v) is Symbol for v, _ in _variables(value) if v not in general)
    require(plain, "a variable is not a plain symbol")
    match value:
        case Domain(low, high, low_open, high_open, integer):
            for bound, is_open in ((low, low_open), (high, high_open)):
                infinite = bound in INFINITE
                if is_open != infinite and (integer or infinite):
                    raise Rejected("infinite ends are open, the ends of integers closed")
        case (
            Relation(given=given)
            | Maximum(given=given)
            | Limit(given=given)
            | SeparationRank(given=given)
        ):
            plain = all(type(g) is Relation and not g.given for g in given)
            require(plain, "a hypothesis is a relation without hypotheses of its own")
            limited = type(value) is Maximum and any(mentions(g, value.variable) for g in given)
            require(not limited, "a hypothesis limits the variable of the maximum")
        case Mean(quantity=Relation(over=over, given=given)):
            require(not over and not given, "an event has no variables or hypotheses of its own")
        case Orbit(step, start, holds):
            names = [x for x, _ in step]
            paired = bool(names) and names == [x for x, _ in start]
            alone = not (holds.over or holds.given)
            require(paired and alone, "an orbit has a start for each variable, one plain relation")
            plain = not any(value.free_symbols & set(names) for _, value in start)
            require(plain, "the start is not given in the parameters alone")
        case Attention() | Hadamard():
            formed(value)
        case Every(parts):
            single = bool(parts) and not any(type(part) is Every for part in parts)
            require(single, "the parts of a conjunction are statements, at least one")


def _admit_statement(statement: Statement) -> None:
    if type(statement) not in get_args(Statement):
        raise Rejected(f"{type(statement).__name__} is not a kind of statement")
    _admit(statement)
    for part in statement.parts if isinstance(statement, Every) else (statement,):
        split = part.function if isinstance(part, SeparationRank | EpsilonRank) else None
        Context.of((*_variables(part), *_variables(split)))
    unbound = _unbound(statement)
    require(not unbound, f"{', '.join(sorted(unbound))} has no domain")


def _finding(statement: Statement, item: Evidence, lemmas: Lemmas) -> Finding:
    kind = type(item).__name__
    try:
        _admit(item)
        match item:
            case Part(index, evidence):
                if type(statement) is not Every or not 0 <= index < len(statement.parts):
                    raise Rejected("the statement has no such part")
                inner = _finding(statement.parts[index], evidence, lemmas)
                return replace(inner, evidence=f"Part {index + 1} {inner.evidence}")
            case Instance(point, evidence):
                inner = _finding(fixed(statement, dict(point)), evidence, lemmas)
                at = ", ".join(f"{variable} = {value}" for variable, value in point)
                outcome = "confirmed" if inner.outcome in STRENGTH else inner.outcome
                label, said = f"Instance {inner.evidence}", f"at {at}: {inner.detail}"
                return Finding(label, outcome, said, inner.facts)
            case Trap(trap):
                ends = opposed(statement, trap)
                inner = _finding(ends, trap, lemmas)
                outcome = "refuted" if inner.outcome in STRENGTH else inner.outcome
                return Finding(kind, outcome, f"for ever {ends.holds}: {inner.detail}", inner.facts)
            case Derivation(lines):
                for line in lines:
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
    earned = _earned(f for f in findings if not f.evidence.startswith("Part "))
    if type(statement) is Every:
        labels = [f"Part {number} " for number, _ in enumerate(statement.parts, 1)]
        parts = [
            _strongest(_earned(f for f in findings if f.evidence.startswith(label)))
            for label in labels
        ]
        if "refuted" in parts or "conflict" in parts:
            earned.add("conflict" if "conflict" in parts else "refuted")
        elif all(part in STRENGTH for part in parts):
            earned.add(max(parts, key=STRENGTH.index))
    return _strongest(earned)


def _earned(findings: Iterable[Finding]) -> set[str]:
    """The outcomes; agreement at some points only does not contradict a failure at another."""
    found = [(f.outcome, f.evidence.split()) for f in findings]
    outcomes = {outcome for outcome, _ in found}
    if "refuted" not in outcomes:
        return outcomes
    return {o for o, kinds in found if o != "confirmed" or PARTIAL.isdisjoint(kinds)}


def _strongest(earned: set[str]) -> str:
    support = [outcome for outcome in STRENGTH if outcome in earned]
    if "conflict" in earned or ("refuted" in earned and support):
        return "conflict"
    return "refuted" if "refuted" in earned else support[0] if support else "inconclusive"
