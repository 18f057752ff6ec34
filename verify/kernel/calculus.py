"""The rules that rest on calculus: changes of variables, slopes, limits, integrals."""

from __future__ import annotations

from collections.abc import Mapping

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
    require,
    same,
    scope,
    usable,
    usable_in,
)
from .terms import put


def reparametrise(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi(g(t)) for all t in T |- phi(x) for all x in D, if g(T) contains D.

    Arguments: variable x, image g; t stands in the premise where x does in the conclusion.
    Further premises may help to see that phi(g(t)) is defined. Intermediate value theorem.
    """
    goal, premise = relation(conclusion), relation(premises[0], "the premise")
    x, image = args["variable"], args["image"]
    require(isinstance(x, sp.Symbol), f"{x} is no single variable")
    place = [variable for variable, _ in goal.over].index(x)
    t, source = premise.over[place]
    values = {x: image}
    after = tuple((v, moved(domain, values)) for v, domain in goal.over[place + 1 :])
    context = scope(premise).knowing(usable(premises[1:], premise))
    require(premise.over[:place] == goal.over[:place], "the variables before x differ")
    require(t not in dict(goal.over[:place]) and t not in dict(after), f"{t} is already a variable")
    require(len(after) == len(premise.over[place + 1 :]) and all(
        v == variable and _same_domain(here, domain, context)
        for (v, here), (variable, domain) in zip(after, premise.over[place + 1 :], strict=True)
    ), "the variables after x differ")  # fmt: skip
    hypotheses = tuple(rebound(given, values) for given in goal.given)
    require(hypotheses == premise.given, "the hypotheses differ")
    covers(image, t, source, goal.over[place][1], Context.of(goal.over[:place]))
    defined(goal, context.at(values))
    same(replaced(goal, values), premise, context)
    return ("intermediate value theorem",)


def _same_domain(one: Domain, two: Domain, context: Context) -> bool:
    kind = (one.low_open, one.high_open, one.integer) == (two.low_open, two.high_open, two.integer)
    ends = ((one.low, two.low), (one.high, two.high))
    infinite = (oo, -oo)
    return kind and all(
        a == b or (a not in infinite and b not in infinite and context.equal(a, b)) for a, b in ends
    )


def monotone(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """f' > 0 on (p, q), p <= u < v <= q |- f(u) < f(v); likewise <= and decreasing f.

    Arguments: function f, variable x, low u, high v. Further premises may help to see where u
    and v lie. Mean value theorem.
    """
    goal, premise = relation(conclusion), relation(premises[0], "the premise")
    function, x, low, high = (args[key] for key in ("function", "variable", "low", "high"))
    context = defined(goal, scope(goal).knowing(usable(premises[1:], goal)))
    require(
        premise.over[-1][0] == x and not premise.over[-1][1].integer, "x must be a real variable"
    )
    require(premise.rhs == 0 and premise.op not in ("=", "!="), "the premise must give f' a sign")
    require(not any(mentions(given, x) for given in premise.given), "a hypothesis limits x")
    usable_in(Relation(x, "=", x, premise.over[:-1], premise.given), goal, context)
    inner = scope(premise)
    require(inner.equal(premise.lhs, function.diff(x)), "the premise is not about f'")
    domain = premise.over[-1][1]
    closure = Domain(domain.low, domain.high, domain.low == -oo, domain.high == oo)
    for point in (low, high):
        require(context.contains(closure, point), f"{point} is not seen to lie in {closure}")
    require(context.signs(high - low) == POSITIVE, f"{low} < {high} is not seen")
    inside = sp.Dummy()
    between = context.extended(inside, Domain(low, high, False, False))
    between.at({x: inside}).require_defined(function)
    between.at({x: inside}).require_smooth(function)
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
    require(type(conclusion) is Limit, "the conclusion must be a limit")
    goal: Limit = conclusion  # type: ignore[assignment]
    require(len(goal.tends) == 1 and goal.tends[0][0] in dict(goal.over), "one variable must tend")
    (x, target), domain = goal.tends[0], dict(goal.over)[goal.tends[0][0]]
    require(goal.expression.free_symbols <= {x}, "the path may move the other variables too")
    scope(goal).require_defined(goal.expression)
    outer = Context()
    sides = (
        [1] if target == domain.low or target == oo else [-1] if target == domain.high else [1, -1]
    )
    for side in sides:
        found = limit(goal.expression, x, target, outer, side)
        require(found == goal.value or (found not in (oo, -oo) and outer.equal(found, goal.value)),
                f"the limit is {found}")  # fmt: skip
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
    inner = context.extended(inside, Domain(*ends, False, False))
    for expr in (primitive, primitive.diff(s)):
        inner.at({s: inside}).require_defined(expr)
        inner.at({s: inside}).require_smooth(expr)
    slope, integrand = (put(e, {s: inside}) for e in (primitive.diff(s), goal.lhs.function))
    require(inner.equal(slope, integrand), "F' is not the integrand")
    value = put(primitive, {s: high}) - put(primitive, {s: low})
    require(context.equal(goal.rhs, value), f"F(b) - F(a) is {value}")
    return ("fundamental theorem of calculus",)


CALCULUS: Mapping[str, Rule] = {
    "reparametrise": reparametrise, "monotone": monotone, "limit": take_limit,
    "antiderivative": antiderivative,
}  # fmt: skip
