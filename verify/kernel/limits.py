"""Limits at infinity of elementary expressions, by their parts and by leading terms."""

from __future__ import annotations

import sympy as sp
from sympy import Expr, oo

from ...symbolic.statements import Domain, above
from .reasoning import NEGATIVE, POSITIVE, ZERO, Context
from .terms import STEPS, Rejected, put


def limit(expr: Expr, variable: sp.Symbol, target: Expr, context: Context, side: int = 1) -> Expr:
    """lim of `expr` as `variable` tends to `target` (from above if side = 1, below if -1)."""
    if expr.has(*STEPS):
        raise Rejected(f"{expr} is not built from smooth functions only")
    grows = sp.Dummy("s")
    if target in (oo, -oo):
        moved = put(expr, {variable: grows if target == oo else -grows})
    else:
        try:
            here = context.at({variable: target})
            here.require_defined(expr)
            here.require_smooth(expr)
        except Rejected:
            moved = put(expr, {variable: target + side / grows})
        else:
            return put(expr, {variable: target})
    return _at_infinity(moved, grows, context.extended(grows, above(0)))


def _at_infinity(expr: Expr, s: sp.Symbol, context: Context) -> Expr:
    if s not in expr.free_symbols:
        return expr
    if expr == s:
        return oo
    ratio = _leading(expr, s, context)
    if ratio is not None:
        return ratio
    match expr:
        case sp.Add() | sp.Mul():
            parts = [_at_infinity(arg, s, context) for arg in expr.args]
            return _total(parts, context) if isinstance(expr, sp.Add) else _times(parts, context)
        case sp.exp():
            inner = _at_infinity(expr.args[0], s, context)
            return {oo: oo, -oo: sp.S.Zero}.get(inner, sp.exp(inner))
        case sp.log():
            inner = _at_infinity(expr.args[0], s, context)
            if inner == oo:
                return oo
            signs = context.signs(inner)
            if signs == ZERO and context.signs(expr.args[0]) == POSITIVE:
                return -oo
            if signs == POSITIVE:
                return sp.log(inner)
        case sp.Pow() if isinstance(expr.exp, sp.Rational):
            inner = _at_infinity(expr.base, s, context)
            if inner == oo:
                return oo if expr.exp > 0 else sp.S.Zero
            if inner != -oo and context.signs(inner) == POSITIVE:
                return inner**expr.exp
    raise Rejected(f"no rule for the limit of {expr}")


def _leading(expr: Expr, s: sp.Symbol, context: Context) -> Expr | None:
    """A rational function of s tends to the ratio of its leading terms."""
    if not expr.is_rational_function(s):
        return None
    over, under = (sp.Poly(part, s) for part in sp.fraction(sp.together(expr)))
    if over.is_zero:
        return sp.S.Zero
    ratio = over.LC() / under.LC()
    if 0 in context.signs(over.LC()) or 0 in context.signs(under.LC()):
        raise Rejected(f"a leading coefficient of {expr} may vanish")
    if over.degree() <= under.degree():
        return ratio if over.degree() == under.degree() else sp.S.Zero
    return _times([oo, ratio], context)


def _total(parts: list[Expr], context: Context) -> Expr:
    if oo in parts and -oo in parts:
        raise Rejected("infinity minus infinity")
    return next((part for part in parts if part in (oo, -oo)), sp.Add(*parts))


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
    inner = context.extended(variable, source)
    inner.require_defined(image)
    inner.require_smooth(image)
    ends = (
        limit(image, variable, source.low, context),
        limit(image, variable, source.high, context, -1),
    )
    closed = (not source.low_open, not source.high_open)
    for bottom, top in ((0, 1), (1, 0)):
        low = _reaches(ends[bottom], closed[bottom], target.low, target.low_open, 1, context)
        if low and _reaches(ends[top], closed[top], target.high, target.high_open, -1, context):
            return
    raise Rejected(f"{image} is not shown to reach all of the domain; its limits are {ends}")


def _reaches(
    end: Expr, closed: bool, bound: Expr, is_open: bool, way: int, context: Context
) -> bool:
    if end == -way * oo:
        return True
    if end in (oo, -oo) or bound in (oo, -oo):
        return False
    signs = context.signs(way * (bound - end))
    if signs == POSITIVE:
        return True
    return context.equal(end, bound) and (is_open or closed)
