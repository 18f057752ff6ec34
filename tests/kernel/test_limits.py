"""Limits by leading terms and by parts, and what a continuous image reaches."""

import re

import pytest
from sympy import E, Integer, Rational, cos, exp, floor, log, oo, sin, sqrt, symbols

from lemmata.symbolic.statements import REALS, above, integers, interval
from lemmata.verify.kernel.limits import covers, limit
from lemmata.verify.kernel.reasoning import Context
from lemmata.verify.kernel.terms import Rejected

x, a, b, z, t = symbols("x a b z t")
ZERO, ONE = Integer(0), Integer(1)
HALF = Rational(1, 2)
CONTEXT = Context.of(((a, above(0)), (b, interval(-2, -1)), (z, REALS)))

FOUND = [
    (x, oo, 1, oo), (x, -oo, 1, -oo), (-x, oo, 1, -oo), (x**2, -oo, 1, oo), (a, oo, 1, a),
    (1 / x, oo, 1, 0), (1 / x, ZERO, 1, oo), (1 / x, ZERO, -1, -oo), (1 / x**2, ZERO, -1, oo),
    ((3 * x**2 + x) / (2 * x**2 - 7), oo, 1, Rational(3, 2)), (x / (x**2 + 1), oo, 1, 0),
    ((x**3 + 1) / (x + 1), oo, 1, oo), ((1 - x**3) / (x + 1), oo, 1, -oo),
    ((a * x + 1) / (x + 1), oo, 1, a), (a * x + z, oo, 1, oo), (b * x + z, oo, 1, -oo),
    ((x**2 - 1) / (x - 1), ONE, 1, 2), ((x**2 - 1) / (x - 1), ONE, -1, 2),
    ((x - 1) * x - x**2 + x, oo, 1, 0),
    (exp(x), oo, 1, oo), (exp(x), -oo, 1, 0), (exp(-x), oo, 1, 0), (exp(1 / x), oo, 1, 1),
    (exp(1 + 1 / x), oo, 1, E), (exp(1 / x), ZERO, 1, oo), (exp(1 / x), ZERO, -1, 0),
    (log(x), oo, 1, oo), (log(x), ZERO, 1, -oo), (log(2 + 1 / x), oo, 1, log(2)),
    (log(1 / x), oo, 1, -oo),
    (sqrt(x), oo, 1, oo), (1 / sqrt(x), oo, 1, 0), (sqrt(4 + 1 / x), oo, 1, 2),
    (exp(x) + x, oo, 1, oo), (exp(x) * x, oo, 1, oo), (-exp(x) * x, oo, 1, -oo),
    (exp(-x) + 3, oo, 1, 3),
    (exp(-x) * exp(-2 * x), oo, 1, 0), (a * exp(x), oo, 1, oo), (b * exp(x), oo, 1, -oo),
    (exp(-x) - log(x), oo, 1, -oo),
    (x**2 + 1, Integer(2), 1, 5), (x**2 + a, ONE, -1, 1 + a), (sin(x), ZERO, 1, 0),
    (cos(x), ZERO, -1, 1),
    (exp(x) * log(1 + x), ONE, 1, E * log(2)),
]  # fmt: skip
UNKNOWN = [
    ("no rule", sin(x), oo, 1), ("no enclosure", log(-x), oo, 1), ("no rule", x**a, oo, 1),
    ("no rule", sqrt(-x), oo, 1), ("no rule", log(z + exp(-x)), oo, 1),
    ("no rule", log(-exp(-x)), oo, 1),
    ("no rule", sqrt(exp(-x)), oo, 1), ("no rule", sqrt(z + exp(-x)), oo, 1),
    ("no rule", sqrt(-exp(x)), oo, 1),
    ("infinity minus infinity", exp(x) - x, oo, 1), ("infinity minus infinity", log(x) - x, oo, 1),
    ("infinity times a factor that may vanish", exp(-x) * x, oo, 1),
    ("infinity times a factor that may vanish", z * exp(x), oo, 1),
    ("infinity times a factor that may vanish", log(x) * (1 / x), oo, 1),
    ("leading coefficient", z * x + 1, oo, 1),
    ("leading coefficient", (x + 1) / (z * x + 1), oo, 1),
    ("no rule", x**x, ZERO, 1), ("no rule", (x * a) ** (x * z), ZERO, 1),
    ("smooth", floor(x), ONE, 1), ("smooth", floor(x), HALF, 1),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "target", "side", "value"), FOUND)
def test_found(expr, target, side, value):
    found = limit(expr, x, target, CONTEXT, side)
    assert found == value or CONTEXT.equal(found, value)


@pytest.mark.parametrize(("why", "expr", "target", "side"), UNKNOWN)
def test_not_found(why, expr, target, side):
    with pytest.raises(Rejected, match=why):
        limit(expr, x, target, CONTEXT, side)


REACHED = [
    (exp(t), REALS, above(0)),
    (exp(t), REALS, above(1)),
    (exp(t), REALS, interval(2, 5, "[]")),
    (exp(-t), REALS, above(0)),
    (exp(1 + t), above(0), above(E)),
    (exp(1 - t), above(0), interval(0, E)),
    (t**2, interval(0, oo, "[)"), interval(0, oo, "[)")),
    (t**2, above(0), above(0)),
    (t, interval(0, 1, "[]"), interval(0, 1, "[]")),
    (t, interval(0, 1, "[]"), interval(0, 1)),
    (1 - t, interval(0, 1, "[)"), interval(0, 1, "(]")),
    (1 - t, interval(0, 1, "(]"), interval(0, 1, "[)")),
    (t, interval(0, 2), interval(1, Rational(3, 2), "[]")),
    (t, REALS, REALS),
    (-t, REALS, REALS),
    (a + t, above(0), above(a)),
    ((1 + 3 * t) / (1 + t), above(0), interval(1, 3)),
]
MISSED = [
    ("reach all", exp(t), REALS, interval(0, oo, "[)")),
    ("reach all", exp(t), REALS, above(-1)),
    ("reach all", exp(t), above(0), above(0)),
    ("reach all", exp(t), interval(-oo, 0), above(0)),
    ("reach all", t, interval(0, 1), interval(0, 1, "[)")),
    ("reach all", t, interval(0, 1), interval(0, 1, "(]")),
    ("reach all", t, interval(0, 1, "[]"), interval(0, 2)),
    ("reach all", t, interval(0, 1, "[]"), interval(-1, 1)),
    ("reach all", t, above(0), REALS),
    ("reach all", -t, above(0), above(0)),
    ("reach all", t**2, REALS, above(0)),  # both ends go to infinity: the way there is not seen
    ("reach all", a + t, above(0), above(0)),
    ("reach all", z + t, above(0), above(1)),
    ("real intervals", t, integers(1), above(1)),
    ("real intervals", t, above(1), integers(1)),
    ("defined", 1 / t, REALS, above(0)),
    ("smooth", floor(t) + 2 * t, REALS, REALS),
    ("empty", t, interval(1, 0), interval(0, 1)),
    ("empty", t, interval(1, 1, "[]"), interval(1, 1, "[]")),
    ("empty", t, interval(0, z), interval(0, z)),
]


@pytest.mark.parametrize(("image", "source", "target"), REACHED)
def test_reached(image, source, target):
    covers(image, t, source, target, CONTEXT)


@pytest.mark.parametrize(("why", "image", "source", "target"), MISSED)
def test_not_reached(why, image, source, target):
    with pytest.raises(Rejected, match=re.escape(why)):
        covers(image, t, source, target, CONTEXT)
