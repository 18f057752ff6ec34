"""Single instances: counterexamples, enumerated cases, statements with variables fixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import sympy as sp
from flint import fmpq, fmpq_mat
from sympy import Expr, Indexed, oo

from ...symbolic.statements import (
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Orbit,
    Relation,
    SeparationRank,
    Statement,
    above,
)
from .certificates import dot, system
from .evidence import Counterexample, Enumeration, Finding
from .limits import limit
from .means import mean_at, over_signs
from .orbits import strays
from .reasoning import INFINITE, Context
from .rules import decide, decide_cases, moved, rebound, replaced, rival
from .separation import separation_at
from .terms import (
    Rejected,
    admit,
    decimal,
    expect,
    ground_sign,
    holds,
    put,
    rational,
    rationals,
    require,
)

Point = Mapping[Expr, Expr]


def counterexample(statement: Statement, evidence: Counterexample) -> Finding:
    """One exact instance that satisfies the hypotheses and violates the conclusion."""
    point, facts = dict(evidence.point), ()
    match statement:
        case Relation():
            _point(statement, point)
            require(not _truth(statement, point), f"the statement holds {_at(point)}")
            said = f"false {_at(point)}{_sides(statement, point)}"
        case Maximum():
            below = rival(statement, statement.domain)
            _point(below, point)
            domain, at = moved(statement.domain, point), put(statement.at, point)
            Context().require_defined(at)
            low = domain.low != -oo and ground_sign(at - domain.low) == -1
            if low or (domain.high != oo and ground_sign(at - domain.high) == 1):
                said = f"{_at(point)} the stated maximum {decimal(at)} lies outside {domain}"
            else:
                stated = decide(Relation(statement.variable, "=", at), point)
                require(not stated, "the point is the stated maximum")
                require(not decide(below, point), "it is smaller there")
                said = f"{_at(point)} the value is not smaller than at {at}{_sides(below, point)}"
        case MaximumValue():
            own = ((statement.variable, statement.domain),)
            bounded = Relation(statement.function, "<=", statement.high, own)
            _point(bounded, point)
            require(not decide(bounded, point), "the value there is not above the stated maximum")
            said = f"the value {_at(point)} is larger"
        case Limit():
            said = _path(statement, evidence)
        case Orbit():
            _point(replace(statement.holds, over=statement.over), point)
            said = strays(statement, evidence)
        case Minimiser() | Infeasible():
            said = _feasible_point(statement, rationals(point.values()))
        case NoSpuriousMinimum():
            said = _spurious(statement, point, dict(evidence.other))
            facts = ("second-order condition",)
        case _:
            raise Rejected(f"{type(statement).__name__} has no counterexamples of this form")
    return Finding("Counterexample", "refuted", said, facts)


def _point(statement: Relation, point: Point) -> None:
    """Every variable has a number of its domain as value, and the hypotheses hold there."""
    domains = dict(statement.over)
    for key, value in point.items():
        admit(value)
        require(not value.free_symbols, f"{key} = {value} is no number")
        Context().require_defined(value)
        variable = key.base if isinstance(key, Indexed) else key
        require(variable in domains, f"{key} is no variable of the statement")
        inside = Context().contains(moved(domains[variable], point), value)
        require(inside, f"{key} = {value} lies outside its domain")
    missing = [v for v in domains if isinstance(v, sp.Symbol) and v not in point]
    require(not missing, f"no value is given for {missing}")
    for given in statement.given:
        require(not given.over and decide(given, point), f"the hypothesis {given} fails there")


def _truth(relation: Relation, point: Point) -> bool:
    """Is the relation true at the point? Sequences are looked up entry by entry."""
    places = [index for key in point if isinstance(key, Indexed) for index in key.indices]
    if not places:
        return decide(relation, point)
    require(all(isinstance(index, sp.Integer) for index in places), "an entry has no number")
    found = {key: rational(value, {}) for key, value in point.items()}
    values = {k: expect(v, Fraction, "the entries must be rational") for k, v in found.items()}
    gap = rational(relation.lhs, values), rational(relation.rhs, values)
    left, right = (expect(v, Fraction, "the sides at the point are not rational") for v in gap)
    return holds((left > right) - (left < right), relation.op)


def _at(point: Point) -> str:
    values = ", ".join(f"{key} = {value}" for key, value in point.items())
    return f"at {values}" if point else "as it stands"


def _sides(relation: Relation, point: Point) -> str:
    """Both sides at the point, for the reader."""
    if any(isinstance(key, Indexed) for key in point):
        return ""
    return f": {' against '.join(decimal(put(e, point)) for e in (relation.lhs, relation.rhs))}"


def _path(statement: Limit, evidence: Counterexample) -> str:
    """Along a path k -> oo the hypotheses hold, the premises tend, the conclusion does not."""
    point = dict(evidence.point)
    reason = "a limit is refuted along a path with a number to start from"
    k, start = expect(evidence.path, sp.Symbol, reason), expect(evidence.start, Expr, reason)
    require(not start.free_symbols, reason)
    require(k not in dict(statement.over), f"{k} is a variable of the statement")
    require(set(point) == set(dict(statement.over)), "the path misses a variable")
    context = Context().extended(k, above(start))
    for variable, domain in statement.over:
        value = point[variable]
        admit(value)
        context.require_defined(value)
        inside = context.contains(moved(domain, point), value)
        require(inside, f"{variable} leaves its domain")
    for given in statement.given:
        context.at(point).require_defined(given.lhs, given.rhs)
        seen = not given.over and context.shows(replaced(given, point))
        require(seen, f"the hypothesis {given} is not seen on the path")

    def tends(expression: Expr) -> Expr:
        context.at(point).require_defined(expression)
        return limit(put(expression, point), k, oo, Context())

    for expression, target in statement.tends:
        found = tends(expression)
        require(Context().equal(found, target), f"{expression} tends to {found}")
    found, stated = tends(statement.expression), statement.value
    differs = (found in INFINITE) != (stated in INFINITE)
    if not {found, stated} & {*INFINITE}:
        differs = 0 not in Context().signs(found - stated)
    require(differs, f"the limit on the path is {found}")
    return f"on the path {_at(point)} the limit is {found}"


def _feasible_point(statement: Minimiser | Infeasible, point: tuple[Fraction, ...]) -> str:
    rows, bounds = system(statement)
    slack = [dot(row, point) - b for row, b in zip(rows, bounds, strict=True)]
    if isinstance(statement, Minimiser):
        stated = rationals(statement.point)
        if point == stated:
            require(min(slack) < 0, "the stated point is feasible")
            return "the stated point violates a constraint"
        require(dot(point, point) <= dot(stated, stated), "the other point is longer")
    require(all(s >= 0 for s in slack), "the point is not feasible")
    return f"the point ({', '.join(map(str, point))}) is feasible"


def _spurious(statement: NoSpuriousMinimum, point: Point, other: Point) -> str:
    """Gradient zero, Hessian positive definite, and a lower value elsewhere; all rational."""
    variables = statement.variables
    require(set(point) == set(other) == set(variables), "the points miss a variable")
    gradient = [put(statement.loss.diff(x), point) for x in variables]
    require(all(rational(g, {}) == 0 for g in gradient), "the gradient is not zero")
    hessian = [
        [fmpq(*h.as_integer_ratio()) for h in
         rationals(put(statement.loss.diff(x, y), point) for y in variables)]
        for x in variables
    ]  # fmt: skip
    for size in range(1, len(variables) + 1):
        minor = fmpq_mat([row[:size] for row in hessian[:size]])
        require(minor.det() > 0, "the Hessian is not positive definite")
    gap = rational(put(statement.loss, point) - put(statement.loss, other), {})
    require(gap is not None and gap > 0, "the other point is not lower")
    return f"local minimum {_at(point)}, {gap} above the value {_at(other)}"


def enumeration(statement: Statement, evidence: Enumeration) -> Finding:
    """The cases, one by one, by exact or ball arithmetic; all of them, or the first ones."""
    over = getattr(statement, "over", ())
    if isinstance(statement, Relation):
        cases = decide_cases(statement, evidence.reach)
    elif isinstance(statement, Maximum):
        x, at, context = statement.variable, statement.at, Context.of(over)
        below = rival(statement, statement.domain)
        below = replace(below, given=(*below.given, Relation(x, "!=", at)))
        over, cases = below.over, decide_cases(below, evidence.reach)
        require(context.contains(statement.domain, at), f"{at} is outside")
        context.at({x: at}).require_defined(statement.function)
    elif isinstance(statement, Mean):
        cases, mean = over_signs(statement)
        if not decide(Relation(sp.Rational(mean), "=", statement.value), {}):
            return Finding("Enumeration", "refuted", f"the mean over {cases} cases is {mean}")
    else:
        raise Rejected(f"{type(statement).__name__} is not finite")
    require(cases == evidence.cases, f"there are {cases} cases, not {evidence.cases}")
    if all(domain.high != oo for _, domain in over):
        return Finding("Enumeration", "certified", f"{cases} cases")
    return Finding("Enumeration", "confirmed", f"the first {cases} cases, a part of the domain")


def fixed(statement: Statement, point: Point) -> Statement:
    """The statement with the variables of `point` fixed, which must lie in their domains."""
    if not isinstance(statement, Relation | Maximum | Mean | SeparationRank):
        raise Rejected(f"{type(statement).__name__} has no instances")
    chosen = tuple((v, domain) for v, domain in statement.over if v in point)
    _point(Relation(sp.S.Zero, "=", sp.S.Zero, chosen), point)
    rest = tuple((v, moved(domain, point)) for v, domain in statement.over if v not in point)
    if isinstance(statement, Mean):
        return mean_at(statement, point, rest)
    context, given = Context.of(rest), []
    for hypothesis in statement.given:
        here = rebound(hypothesis, point)
        if not here.over:
            context.at(point).require_defined(hypothesis.lhs, hypothesis.rhs)
        if here.over or here.lhs.free_symbols | here.rhs.free_symbols:
            given.append(here)
        else:
            require(decide(here, {}), f"the hypothesis {hypothesis} fails at the instance")
    if isinstance(statement, SeparationRank):
        return replace(separation_at(statement, point, rest), given=tuple(given))
    if isinstance(statement, Relation):
        context.at(point).require_defined(statement.lhs, statement.rhs)
        return replace(replaced(statement, point), over=rest, given=tuple(given))
    domain, at = moved(statement.domain, point), put(statement.at, point)
    context.extended(statement.variable, domain).at(point).require_defined(statement.function)
    function = put(statement.function, point)
    return Maximum(function, statement.variable, domain, at, rest, tuple(given))
