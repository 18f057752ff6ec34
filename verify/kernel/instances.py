"""Single instances: counterexamples, enumerated cases, statements with variables fixed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import sympy as sp
from flint import fmpq, fmpq_mat
from sympy import Expr, Indexed, oo

from ...symbolic.statements import (
    Domain,
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Relation,
    Statement,
    above,
)
from .certificates import system
from .evidence import Counterexample, Enumeration
from .findings import Finding, rationals
from .limits import limit
from .reasoning import OPERATOR_SIGNS, Context
from .rules import decide, decide_cases, moved, rebound, require
from .terms import Rejected, admit, decimal, ground_sign, holds, put, rational


def counterexample(statement: Statement, evidence: Counterexample) -> Finding:
    """One exact instance that satisfies the hypotheses and violates the conclusion."""
    point = dict(evidence.point)
    match statement:
        case Relation():
            _point(statement, point)
            require(not _truth(statement, point), f"the statement holds {_at(point)}")
            said = f"false {_at(point)}{_sides(statement, point)}"
        case Maximum():
            inner = Maximum(statement.function, statement.variable, statement.domain, statement.at,
                            (*statement.over, (statement.variable, statement.domain)),
                            statement.given)  # fmt: skip
            _point(inner, point)
            x, at = statement.variable, put(statement.at, point)
            domain = moved(statement.domain, point)
            if _outside(domain, at):
                said = f"{_at(point)} the stated maximum {decimal(at)} lies outside {domain}"
                return Finding("Counterexample", "refuted", said)
            require(not decide(Relation(x, "=", at), point), "the point is the stated maximum")
            best = put(statement.function, {x: statement.at})
            require(decide(Relation(statement.function, ">=", best), point), "it is smaller there")
            said = f"{_at(point)} the value is not smaller than at {at}"
            said += _sides(Relation(statement.function, "<", best), point)
        case MaximumValue():
            inner = Relation(statement.function, "<=", statement.high,
                             ((statement.variable, statement.domain),))  # fmt: skip
            _point(inner, point)
            require(not decide(inner, point), "the value there is not above the stated maximum")
            said = f"the value {_at(point)} is larger"
        case Limit():
            said = _path(statement, evidence)
        case Minimiser() | Infeasible():
            said = _feasible_point(statement, tuple(point.values()))
        case NoSpuriousMinimum():
            said = _spurious(statement, point, dict(evidence.other))
            return Finding("Counterexample", "refuted", said, ("second-order condition",))
        case _:
            raise Rejected(f"{type(statement).__name__} has no counterexamples of this form")
    return Finding("Counterexample", "refuted", said)


def _point(statement: Relation | Maximum | Limit, point: Mapping[Expr, Expr]) -> None:
    """Every variable has a number of its domain as value, and the hypotheses hold there."""
    domains = dict(statement.over)
    for key, value in point.items():
        admit(value)
        require(not value.free_symbols, f"{key} = {value} is no number")
        Context().require_defined(value)
        domain = domains.get(key.base if isinstance(key, Indexed) else key)
        if domain is None:
            raise Rejected(f"{key} is no variable of the statement")
        here = moved(domain, point)
        require(Context().contains(here, value), f"{key} = {value} lies outside its domain")
    missing = [v for v in domains if isinstance(v, sp.Symbol) and v not in point]
    require(not missing, f"no value is given for {missing}")
    for given in statement.given:
        require(not given.over and decide(given, point), f"the hypothesis {given} fails there")


def _truth(relation: Relation, point: Mapping[Expr, Expr]) -> bool:
    """Is the relation true at the point? Sequences are looked up entry by entry."""
    if not any(isinstance(key, Indexed) for key in point):
        return decide(relation, point)
    places = [index for key in point if isinstance(key, Indexed) for index in key.indices]
    require(all(isinstance(index, sp.Integer) for index in places), "an entry has no number")
    values = {key: rational(value, {}) for key, value in point.items()}
    require(None not in values.values(), "the entries must be rational")
    sides = [rational(side, values) for side in (relation.lhs, relation.rhs)]  # type: ignore[arg-type]
    if sides[0] is None or sides[1] is None:
        raise Rejected("the sides at the point are not rational")
    return holds((sides[0] > sides[1]) - (sides[0] < sides[1]), relation.op)


def _at(point: Mapping[Expr, Expr]) -> str:
    return (
        "at " + ", ".join(f"{key} = {value}" for key, value in point.items())
        if point
        else "as it stands"
    )


def _outside(domain: Domain, value: Expr) -> bool:
    """Is a number certainly not in the domain?"""
    Context().require_defined(value)
    low = domain.low != -oo and ground_sign(value - domain.low) == -1
    return low or (domain.high != oo and ground_sign(value - domain.high) == 1)


def _sides(relation: Relation, point: Mapping[Expr, Expr]) -> str:
    """Both sides at the point, for the reader."""
    if any(isinstance(key, Indexed) for key in point):
        return ""
    return f": {' against '.join(decimal(put(e, point)) for e in (relation.lhs, relation.rhs))}"


def _path(statement: Limit, evidence: Counterexample) -> str:
    """Along a path k -> oo the hypotheses hold, the premises tend, the conclusion does not."""
    k, start, point = evidence.path, evidence.start, dict(evidence.point)
    if k is None or start is None or start.free_symbols:
        raise Rejected("a limit is refuted along a path with a number to start from")
    require(k not in dict(statement.over), f"{k} is a variable of the statement")
    require(
        set(point) == {variable for variable, _ in statement.over}, "the path misses a variable"
    )
    context = Context().extended(k, above(start))
    for variable, domain in statement.over:
        admit(point[variable])
        context.require_defined(point[variable])
        here = moved(domain, point)
        require(context.contains(here, point[variable]), f"{variable} leaves its domain")
    for given in statement.given:
        signs = context.signs(put(given.lhs, point) - put(given.rhs, point))
        seen = not given.over and signs <= OPERATOR_SIGNS[given.op]
        require(seen, f"the hypothesis {given} is not seen on the path")
    context.at(point).require_defined(statement.expression)
    for expression, target in statement.tends:
        context.at(point).require_defined(expression)
        found = limit(put(expression, point), k, oo, Context())
        require(found == target or (target not in (oo, -oo) and found not in (oo, -oo)
                and Context().equal(found, target)), f"{expression} tends to {found}")  # fmt: skip
    value = limit(put(statement.expression, point), k, oo, Context())
    differs = (value in (oo, -oo)) != (statement.value in (oo, -oo)) or (
        value != statement.value and 0 not in Context().signs(value - statement.value)
    )
    require(differs, f"the limit on the path is {value}")
    return f"on the path {_at(point)} the limit is {value}"


def _feasible_point(statement: Minimiser | Infeasible, point: tuple[Expr, ...]) -> str:
    rows, bounds = system(statement)
    candidate = rationals(point)
    slack = [sum(a * x for a, x in zip(row, candidate, strict=True)) - b
             for row, b in zip(rows, bounds, strict=True)]  # fmt: skip
    if isinstance(statement, Minimiser):
        stated = rationals(statement.point)
        if candidate == stated:
            require(min(slack) < 0, "the stated point is feasible")
            return "the stated point violates a constraint"
        shorter = sum(x * x for x in candidate) <= sum(x * x for x in stated)
        require(shorter, "the other point is longer")
    require(all(s >= 0 for s in slack), "the point is not feasible")
    return f"the point {point} is feasible"


def _spurious(statement: NoSpuriousMinimum, point: dict, other: dict) -> str:
    """Gradient zero, Hessian positive definite, and a lower value elsewhere; all rational."""
    variables = statement.variables
    require(set(point) == set(other) == set(variables), "the points miss a variable")
    gradient = [put(statement.loss.diff(x), point) for x in variables]
    require(all(rational(g, {}) == 0 for g in gradient), "the gradient is not zero")
    hessian = [
        rationals(put(statement.loss.diff(x, y), point) for y in variables) for x in variables
    ]
    for size in range(1, len(variables) + 1):
        minor = fmpq_mat(
            [[fmpq(h.numerator, h.denominator) for h in row[:size]] for row in hessian[:size]]
        )
        require(minor.det() > 0, "the Hessian is not positive definite")
    gap = rational(put(statement.loss, point) - put(statement.loss, other), {})
    require(gap is not None and gap > 0, "the other point is not lower")
    return f"local minimum {_at(point)}, {gap} above the value {_at(other)}"


def enumeration(statement: Statement, evidence: Enumeration) -> Finding:
    """The cases, one by one, by exact or ball arithmetic; all of them, or the first ones."""
    domains = [domain for _, domain in getattr(statement, "over", ())]
    if isinstance(statement, Relation):
        cases = decide_cases(statement, evidence.reach)
    elif isinstance(statement, Maximum):
        x, at, domains = statement.variable, statement.at, [*domains, statement.domain]
        rival = Relation(statement.function, "<", put(statement.function, {x: at}),
                         (*statement.over, (x, statement.domain)),
                         (*statement.given, Relation(x, "!=", at)))  # fmt: skip
        cases = decide_cases(rival, evidence.reach)
        context = Context.of(statement.over)
        require(context.contains(statement.domain, at), f"{at} is outside")
        context.at({x: at}).require_defined(statement.function)
    elif isinstance(statement, Mean):
        signs = [variable for variable, law in statement.laws if law == "sign"]
        require(len(signs) == len(statement.laws) <= 16, "at most 16 signs can be enumerated")
        total = Fraction(0)
        for values in product((-1, 1), repeat=len(signs)):
            point = dict(zip(signs, map(sp.Integer, values), strict=True))
            if isinstance(statement.quantity, Relation):
                total += decide(statement.quantity, point)
            else:
                Context(values=point).require_defined(statement.quantity)
                total += rationals([put(statement.quantity, point)])[0]
        cases = 2 ** len(signs)
        mean = total / cases
        if not decide(
            Relation(sp.Rational(mean.numerator, mean.denominator), "=", statement.value), {}
        ):
            return Finding("Enumeration", "refuted", f"the mean over {cases} cases is {mean}")
    else:
        raise Rejected(f"{type(statement).__name__} is not finite")
    require(cases == evidence.cases, f"there are {cases} cases, not {evidence.cases}")
    if all(domain.high != oo for domain in domains):
        return Finding("Enumeration", "certified", f"{cases} cases")
    return Finding("Enumeration", "confirmed", f"the first {cases} cases, a part of the domain")


def fixed(statement: Statement, point: Mapping[Expr, Expr]) -> Statement:
    """The statement with the variables of `point` fixed, which must lie in their domains."""
    if not isinstance(statement, Relation | Maximum):
        raise Rejected(f"{type(statement).__name__} has no instances")
    chosen = tuple((v, domain) for v, domain in statement.over if v in point)
    _point(Relation(sp.S.Zero, "=", sp.S.Zero, chosen), point)
    rest = tuple((v, moved(domain, point)) for v, domain in statement.over if v not in point)
    given = []
    for hypothesis in statement.given:
        here = rebound(hypothesis, point)
        if here.over or here.lhs.free_symbols | here.rhs.free_symbols:
            given.append(here)
        else:
            require(decide(here, {}), f"the hypothesis {hypothesis} fails at the instance")
    context = Context.of(rest).at(point)
    if isinstance(statement, Relation):
        context.require_defined(statement.lhs)
        context.require_defined(statement.rhs)
        sides = put(statement.lhs, point), put(statement.rhs, point)
        return Relation(sides[0], statement.op, sides[1], rest, tuple(given))
    function, at = put(statement.function, point), put(statement.at, point)
    domain = moved(statement.domain, point)
    context.extended(statement.variable, domain).require_defined(statement.function)
    return Maximum(function, statement.variable, domain, at, rest, tuple(given))
