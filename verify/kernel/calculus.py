"""The rules that rest on calculus: changes of variables, slopes, limits, integrals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp
from sympy import oo

from ...symbolic.statements import Domain, Limit, Relation, Statement
from .limits import covers, limit
from .reasoning import NONNEGATIVE, POSITIVE, Context
from .rules import (
    Args,
    Facts,
    Premises,
    Rule,
    defined,
    mentions,
    moved,
    rebound,
    relation,
    replaced,
    same,
    scope,
    usable,
)
from .terms import expect, put, require


def reparametrise(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi(g(t)) for all t in T |- phi(x) for all x in D, if g(T) contains D.

    Arguments: variable x, image g; t stands in the premise where x does in the conclusion.
    Further premises may help to see that phi(g(t)) is defined. Intermediate value theorem.
    """
    goal, premise = relation(conclusion), relation(premises[0], "the premise")
    x, image = expect(args["variable"], sp.Symbol, "x is no single variable"), args["image"]
    place = [variable for variable, _ in goal.over].index(x)
    t, source = premise.over[place]
    values = {x: image}
    after, later = goal.over[place + 1 :], premise.over[place + 1 :]
    context = scope(premise, premises[1:])
    require(premise.over[:place] == goal.over[:place], "the variables before x differ")
    require(t not in dict(goal.over[:place]) and t not in dict(after), f"{t} is already a variable")
    require([v for v, _ in after] == [v for v, _ in later], "the variables after x differ")
    for (_, here), (_, there) in zip(after, later, strict=True):
        alike = _same_domain(moved(here, values), there, context)
        require(alike, "the variables after x differ")
    hypotheses = tuple(rebound(given, values) for given in goal.given)
    require(hypotheses == premise.given, "the hypotheses differ")
    covers(image, t, source, goal.over[place][1], Context.of(goal.over[:place]))
    defined(goal, context.at(values))
    same(replaced(goal, values), premise, context)
    return ("intermediate value theorem",)


def _same_domain(one: Domain, two: Domain, context: Context) -> bool:
    kind = (one.low_open, one.high_open, one.integer) == (two.low_open, two.high_open, two.integer)
    return kind and context.equal(one.low, two.low) and context.equal(one.high, two.high)


def monotone(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """f' > 0 on (p, q), p <= u < v <= q |- f(u) < f(v); likewise <= and decreasing f.

    Arguments: function f, variable x, low u, high v. Further premises may help to see where u
    and v lie. Mean value theorem.
    """
    goal, premise = relation(conclusion), relation(premises[0], "the premise")
    function, x, low, high = (args[key] for key in ("function", "variable", "low", "high"))
    context = defined(goal, scope(goal, premises[1:]))
    variable, domain = premise.over[-1]
    require(variable == x and not domain.integer, "x must be a real variable")
    require(premise.rhs == 0 and premise.op not in ("=", "!="), "the premise must give f' a sign")
    require(not any(mentions(given, x) for given in premise.given), "a hypothesis limits x")
    usable((replace(premise, over=premise.over[:-1]),), goal, context)
    require(scope(premise).equal(premise.lhs, function.diff(x)), "the premise is not about f'")
    closure = Domain(domain.low, domain.high, domain.low == -oo, domain.high == oo)
    for point in (low, high):
        require(context.contains(closure, point), f"{point} is not seen to lie in {closure}")
    require(context.signs(high - low) == POSITIVE, f"{low} < {high} is not seen")
    inside = sp.Dummy()
    between = context.extended(inside, Domain(low, high, False, False)).at({x: inside})
    between.require_continuous(function)
    ends = put(function, {x: low}), put(function, {x: high})
    rises = premise.op in (">", ">=")
    bottom, top = ends if rises else ends[::-1]
    strict = premise.op in ("<", ">")
    require(goal.op in (("<", "<=", ">", ">=") if strict else ("<=", ">=")), f"not {goal.op}")
    sides = (top, bottom) if goal.op in (">", ">=") else (bottom, top)
    same(Relation(sides[0], goal.op, sides[1]), goal, context)
    return ("mean value theorem",)


def take_limit(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """|- lim e = v as x tends to a, by leading terms and the limits of the parts."""
    goal = expect(conclusion, Limit, "the conclusion must be a limit")
    require(len(goal.tends) == 1 and goal.tends[0][0] in dict(goal.over), "one variable must tend")
    (x, target), domain = goal.tends[0], dict(goal.over)[goal.tends[0][0]]
    require(goal.expression.free_symbols <= {x}, "the path may move the other variables too")
    scope(goal).require_defined(goal.expression)
    rising = target in (domain.low, oo)
    for side in [1] if rising else [-1] if target == domain.high else [1, -1]:
        found = limit(goal.expression, x, target, Context(), side)
        require(Context().equal(found, goal.value), f"the limit is {found}")
    return ()


def antiderivative(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """F' = f on the interval between a and b |- integral of f from a to b = F(b) - F(a).

    Argument: F, in the variable of integration. Fundamental theorem of calculus.
    """
    goal = relation(conclusion)
    require(isinstance(goal.lhs, sp.Integral) and goal.op == "=", "the left side is no integral")
    context = defined(goal)
    s, low, high = goal.lhs.limits[0]
    primitive = args["F"]
    ends = (low, high) if context.signs(high - low) <= NONNEGATIVE else (high, low)
    inside = sp.Dummy()
    inner = context.extended(inside, Domain(*ends, False, False)).at({s: inside})
    inner.require_continuous(primitive, primitive.diff(s))
    slope, integrand = (put(e, {s: inside}) for e in (primitive.diff(s), goal.lhs.function))
    require(inner.at({}).equal(slope, integrand), "F' is not the integrand")
    value = put(primitive, {s: high}) - put(primitive, {s: low})
    require(context.equal(goal.rhs, value), f"F(b) - F(a) is {value}")
    return ("fundamental theorem of calculus",)


CALCULUS: Mapping[str, Rule] = {
    "reparametrise": reparametrise, "monotone": monotone, "limit": take_limit,
    "antiderivative": antiderivative,
}  # fmt: skip
