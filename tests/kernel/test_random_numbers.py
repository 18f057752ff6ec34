"""Exact values, balls and limits against Fractions and mpmath on random expressions."""

from fractions import Fraction

import mpmath
import sympy as sp
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    Integer,
    LambertW,
    Product,
    Rational,
    Sum,
    cos,
    erf,
    erfc,
    exp,
    floor,
    gamma,
    log,
    oo,
    sin,
    sqrt,
    symbols,
    tanh,
)

from lemmata.symbolic.statements import above
from lemmata.verify.kernel.limits import limit
from lemmata.verify.kernel.reasoning import Context
from lemmata.verify.kernel.terms import Rejected, enclose, ground_sign, hull, rational

x, i = symbols("x i")
NUMBERS = st.fractions(-4, 4, max_denominator=12)


def sympy_of(number):
    return Rational(number.numerator, number.denominator)


def combined(inner, functions):
    return st.one_of(
        st.tuples(st.sampled_from(functions), inner).map(lambda pair: pair[0](pair[1])),
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
    )


EXACT = [lambda e: e**2, lambda e: e**-1, lambda e: e**3, Abs, floor, sp.ceiling,
     lambda e: sp.Max(e, 1),
         lambda e: Sum(e * i, (i, 1, 3)), lambda e: Product(e + i, (i, 0, 2))]  # fmt: skip
LEAVES = st.one_of(st.just(x), NUMBERS.map(sympy_of))
RATIONAL = st.recursive(LEAVES, lambda inner: combined(inner, EXACT), max_leaves=6)
SMOOTH = [
    exp,
    log,
    sqrt,
    sin,
    cos,
    tanh,
    erf,
    erfc,
    LambertW,
    gamma,
    lambda e: e**-2,
    lambda e: e**3,
]
REAL = st.recursive(LEAVES, lambda inner: combined(inner, SMOOTH), max_leaves=5)


def by_fractions(expr, at):
    """A second evaluator, straight from the tree; None where a division by zero stands."""
    match expr:
        case sp.Rational():
            return Fraction(int(expr.p), int(expr.q))
        case sp.Symbol():
            return at[expr]
        case sp.Sum() | sp.Product():
            index, low, high = expr.limits[0]
            total = Fraction(0 if isinstance(expr, sp.Sum) else 1)
            for k in range(int(low), int(high) + 1):
                term = by_fractions(expr.function, {**at, index: Fraction(k)})
                total = total + term if isinstance(expr, sp.Sum) else total * term
            return total
    args = [by_fractions(arg, at) for arg in expr.args]
    match expr:
        case sp.Add():
            return sum(args, Fraction(0))
        case sp.Mul():
            result = Fraction(1)
            for arg in args:
                result *= arg
            return result
        case sp.Pow():
            return args[0] ** int(args[1])
        case sp.Abs():
            return abs(args[0])
        case sp.floor():
            return Fraction(args[0] // 1)
        case sp.ceiling():
            return Fraction(-(-args[0] // 1))
        case sp.Max():
            return max(args)
    raise TypeError(expr)


@settings(max_examples=300)
@given(RATIONAL, NUMBERS)
def test_exact_values(expr, number):
    if expr.has(sp.zoo, sp.nan, sp.re, sp.im, sp.I):
        return
    try:
        expected = by_fractions(expr, {x: number})
    except ZeroDivisionError:
        return
    assert rational(expr, {x: number}) == expected
    assert ground_sign(expr, {x: number}) == (expected > 0) - (expected < 0)


def by_mpmath(expr, number):
    with mpmath.workdps(50):
        try:
            found = sp.lambdify(x, expr, modules=["mpmath", {"LambertW": mpmath.lambertw}])(
                mpmath.mpf(number.numerator) / number.denominator
            )
            found = mpmath.mpmathify(found)
        except (ZeroDivisionError, ValueError, OverflowError, TypeError, NameError):
            return None
        if mpmath.im(found) != 0 or not mpmath.isfinite(mpmath.re(found)):
            return None
        return mpmath.re(found)


def holds(ball, found):
    """Does the ball hold the number? Only asked of balls that are finite."""
    with ctx.workprec(170):
        near = arb(mpmath.nstr(found, 45)) + arb(0, 1e-40) * (1 + abs(arb(mpmath.nstr(found, 45))))
        return ball.overlaps(near)


@settings(max_examples=300)
@given(REAL, NUMBERS, st.sampled_from([53, 128, 300]))
def test_balls_hold_what_mpmath_finds(expr, number, precision):
    if expr.has(sp.zoo, sp.nan, oo, sp.I):
        return
    found = by_mpmath(expr, number)
    if found is None or abs(found) > 10**30 or abs(found) < mpmath.mpf(10) ** -30:
        return
    try:
        with ctx.workprec(precision):
            ball = enclose(expr, {x: arb(number.numerator) / number.denominator})
    except (Rejected, ValueError):
        return
    if ball.is_finite():
        assert holds(ball, found)


@settings(max_examples=300)
@given(REAL, NUMBERS, st.fractions(0, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9))
def test_balls_of_boxes_hold_every_point(expr, low, width, share):
    if expr.has(sp.zoo, sp.nan, oo, sp.I):
        return
    found = by_mpmath(expr, low + width * share)
    try:
        ball = enclose(expr, {x: hull(low, low + width)})
    except (Rejected, ValueError):
        return
    if ball.is_finite():
        assert found is not None
        if abs(found) < 10**30:
            assert holds(ball, found)


GROWING = st.recursive(
    st.one_of(st.just(x), st.just(1 / x), NUMBERS.map(sympy_of)),
    lambda inner: combined(inner, [lambda e: exp(-e), lambda e: e**2, lambda e: log(1 + e**2), Abs,
                                   lambda e: sqrt(1 + e**2), lambda e: 1 / (2 + e), exp]),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=300)
@given(GROWING, st.sampled_from([oo, Integer(0), Integer(1)]))
def test_limits_are_approached(expr, target):
    """Where a limit is found, values near the target are near it, or grow without bound."""
    if expr.has(sp.zoo, sp.nan, sp.I):
        return
    try:
        found = limit(expr, x, target, Context.of(()))
    except (Rejected, ValueError, TypeError):
        return
    steps = [Fraction(10) ** 3, Fraction(10) ** 6, Fraction(10) ** 12]
    near = [s if target == oo else int(target) + 1 / s for s in steps]
    values = [by_mpmath(expr, number) for number in near]
    if None in values:
        return
    if found in (oo, -oo):
        sign = 1 if found == oo else -1
        assert sign * values[2] > sign * values[1] > 0
        assert sign * values[2] > 1
    else:
        exact = by_mpmath(found, Fraction(1))
        assert abs(values[2] - exact) <= mpmath.mpf("0.1") * (1 + abs(exact))
        assert abs(values[2] - exact) <= abs(values[0] - exact) + mpmath.mpf(10) ** -20


@given(st.integers(-5, 5), st.integers(1, 5), st.integers(-5, 5), st.integers(1, 5))
def test_rational_functions_tend_to_the_ratio_of_leading_terms(a, b, c, d):
    expr = (a * x**2 + c * x + 1) / (b * x**2 + d)
    assert limit(expr, x, oo, Context.of(((x, above(0)),))) == Rational(a, b)
