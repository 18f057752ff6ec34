"""Limits at infinity of elementary expressions, by their parts and by leading terms."""

from __future__ import annotations

import sympy as sp
from sympy import Expr, oo

from ...symbolic.statements import Domain, above
from .reasoning import INFINITE, NEGATIVE, POSITIVE, ZERO, Context
from .terms import FRACTIONS, STEPS, Rejected, fractional, put, require


def limit(expr: Expr, variable: sp.Symbol, target: Expr, context: Context, side: int = 1) -> Expr:
    """lim of `expr` as `variable` tends to `target` (from above if side = 1, below if -1)."""
    if expr.has(*STEPS):
        raise Rejected(f"{expr} is not built from smooth functions only")
    grows = sp.Dummy("s")
    if target in INFINITE:
        moved = put(expr, {variable: grows if target == oo else -grows})
    else:
        try:
            context.at({variable: target}).require_continuous(expr)
        except Rejected:
            moved = put(expr, {variable: target + side / grows})
        else:
            return put(expr, {variable: target})
    return _at_infinity(moved, grows, context.extended(grows, above(0)))


def _at_infinity(expr: Expr, s: sp.Symbol, context: Context) -> Expr:
    if s not in expr.free_symbols:
        return expr
    if expr.is_rational_function(s):
        return _leading(expr, s, context)
    varying = expr.args[:1] if isinstance(expr, sp.Pow) else expr.args
    parts = [_at_infinity(arg, s, context) for arg in varying]
    match expr, parts:
        case sp.Add(), _:
            require(oo not in parts or -oo not in parts, "infinity minus infinity")
            return next((part for part in parts if part in INFINITE), sp.Add(*parts))
        case sp.Mul(), _:
            return _times(parts, context)
        case sp.exp(), [inner]:
            return {oo: oo, -oo: sp.S.Zero}.get(inner, sp.exp(inner))
        case sp.log(), [inner]:
            signs = POSITIVE if inner == oo else context.signs(inner)
            if signs == ZERO and context.signs(expr.args[0]) == POSITIVE:
                return -oo
            if signs == POSITIVE:
                return sp.log(inner)
        case sp.Pow(), [inner] if isinstance(expr.exp, sp.Rational):
            if inner == oo:
                return oo if expr.exp > 0 else sp.S.Zero
            if inner != -oo and context.signs(inner) == POSITIVE:
                return inner**expr.exp
    raise Rejected(f"no rule for the limit of {expr}")


def _leading(expr: Expr, s: sp.Symbol, context: Context) -> Expr:
    """A rational function of s tends to the ratio of its leading terms."""
    require(fractional(expr) <= FRACTIONS, f"{expr} has too many terms over one denominator")
    over, under = (sp.Poly(part, s) for part in sp.fraction(sp.together(expr)))
    if over.is_zero:
        return sp.S.Zero
    ratio = over.LC() / under.LC()
    if 0 in context.signs(over.LC()) or 0 in context.signs(under.LC()):
        raise Rejected(f"a leading coefficient of {expr} may vanish")
    if over.degree() <= under.degree():
        return ratio if over.degree() == under.degree() else sp.S.Zero
    return _times([oo, ratio], context)


def _times(parts: list[Expr], context: Context) -> Expr:
    if not {oo, -oo} & set(parts):
        return sp.Mul(*parts)
    sign = 1
    for part in parts:
        signs = POSITIVE if part == oo else NEGATIVE if part == -oo else context.signs(part)
        if signs not in (POSITIVE, NEGATIVE):
            raise Rejected("infinity times a factor that may vanish")
        sign *= 1 if signs == POSITIVE else -1
    return sign * oo


def covers(
    image: Expr, variable: sp.Symbol, source: Domain, target: Domain, context: Context
) -> None:
    """Raise unless the continuous `image` of `source` contains all of `target`.

    By the intermediate value theorem, it contains everything between its limits at the ends.
    """
    if source.integer or target.integer:
        raise Rejected("a change of variables needs real intervals")
    if source.low != -oo and source.high != oo:
        if context.signs(source.high - source.low) != POSITIVE:
            raise Rejected(f"the interval from {source.low} to {source.high} may be empty")
    context.extended(variable, source).require_continuous(image)
    first = limit(image, variable, source.low, context), source.low_open
    last = limit(image, variable, source.high, context, -1), source.high_open
    low, high = (target.low, target.low_open), (target.high, target.high_open)
    for bottom, top in ((first, last), (last, first)):
        if _reaches(bottom, low, 1, context) and _reaches(top, high, -1, context):
            return
    ends = first[0], last[0]
    raise Rejected(f"{image} is not shown to reach all of the domain; its limits are {ends}")


def _reaches(end: tuple[Expr, bool], bound: tuple[Expr, bool], way: int, context: Context) -> bool:
    """Do values near an end, open or not, come down (way = 1) or up (-1) to the bound?"""
    (value, value_open), (wanted, wanted_open) = end, bound
    if value in INFINITE or wanted in INFINITE:
        return value == -way * oo
    beyond = context.signs(way * (wanted - value)) == POSITIVE
    return beyond or (context.equal(value, wanted) and (wanted_open or not value_open))
