"""Signs, definedness, whole numbers and containment, as they follow from domains."""

import re

import pytest
from sympy import (
    Abs,
    Derivative,
    Dummy,
    E,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Max,
    Product,
    Rational,
    Sum,
    binomial,
    ceiling,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    factorial,
    floor,
    gamma,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from lemmata.symbolic.statements import REALS, Domain, Relation, above, integers, interval
from lemmata.verify.kernel.reasoning import Context
from lemmata.verify.kernel.terms import Rejected

a, b, c, x, y, n, m, k, i, u = symbols("a b c x y n m k i u")
s, r = IndexedBase("s"), IndexedBase("r")
ONE = Integer(1)
HALF = Rational(1, 2)
UNIT = interval(0, 1, "[]")
OVER = (
    (x, above(0)),
    (y, REALS),
    (u, UNIT),
    (a, interval(-3, -1, "[]")),
    (b, interval(-2, 0)),
    (c, interval(-2, 0, "[]")),
    (n, integers(0)),
    (m, integers(2, 9)),
    (s, above(0)),
    (r, integers(1)),
)
CONTEXT = Context.of(OVER)
SETS = {
    "+": {1}, "-": {-1}, "0": {0}, "0+": {0, 1}, "0-": {0, -1}, "-+": {-1, 1}, "?": {-1, 0, 1},
}  # fmt: skip


@pytest.mark.parametrize(
    ("expr", "signs"),
    [
        (x, "+"), (y, "?"), (u, "0+"), (a, "-"), (b, "-"), (c, "0-"), (n, "0+"), (m, "+"),
        (s[1], "+"), (s[n], "+"), (k, "?"), (-x, "-"), (Integer(0), "0"), (Integer(-2), "-"),
        (x + u, "+"), (x + c, "?"), (x - c, "+"), (u + n, "0+"), (c - u, "0-"), (b - x, "-"),
        (x * b, "-"), (x * c, "0-"), (a * b, "+"), (u * y, "?"), (0 * x, "0"),
        (exp(y), "+"), (cosh(y), "+"), (exp(y) - 1, "?"), (exp(y) + 1, "+"),
        (y**2, "0+"), (y**3, "?"), (a**2, "+"), (a**3, "-"), (a**-1, "-"), (u**-1, "?"),
        (c**2, "0+"), (x**y, "+"), (u**x, "0+"), (u**y, "?"), (y**x, "?"), (sqrt(u), "0+"),
        (log(x), "?"), (log(1 + x), "+"), (log(m), "+"), (log(1 + n), "0+"), (log(y), "?"),
        (log(1 / (1 + x)), "?"), (log(x / (1 + x)), "?"),
        (erf(x), "+"), (sinh(b), "-"), (tanh(c), "0-"), (LambertW(x), "+"), (sin(x), "?"),
        (Abs(a), "+"), (Abs(y), "0+"), (Abs(c), "0+"), (Abs(b * x), "+"),
        (Sum(s[i], (i, 1, n)), "0+"), (Sum(-s[i], (i, 1, n)), "0-"), (Sum(y * i, (i, 1, n)), "?"),
        (Product(s[i], (i, 1, n)), "+"), (Product(-s[i], (i, 1, n)), "?"),
        (Sum(x * i, (i, 0, n)), "0+"), (Sum(x * (i - 3), (i, 0, n)), "?"),
        (Sum(x * (i - 3), (i, 3, n)), "0+"), (Sum(x * (i - 9), (i, 3, 8)), "0-"),
        (m - 2, "0+"), (m - 1, "+"), (m - 3, "?"), (9 - m, "0+"), (10 - m, "+"), (m - 10, "-"),
        (a + 1, "0-"), (a + 3, "0+"), (a + 4, "+"), (b + 2, "+"), (c + 2, "0+"), (u - 1, "0-"),
        (m * (m + 1) - 6, "0+"), (m**2 - 4, "0+"), (m**2 - 5, "?"), (m**2 - 82, "?"),
        (x + 1, "+"), (r[3] - 1, "0+"), (r[n] + r[m] - 2, "0+"), (r[n] - 2, "?"),
        (sqrt(2) - Rational(7, 5), "+"), (log(2) - Rational(7, 10), "-"), (pi - E, "+"),
        (log(8) - 3 * log(2), "0"), (sqrt(6) - sqrt(2) * sqrt(3), "0"),
        (sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3), "?"), (x + log(2) - 1, "?"),
        (x + 1 - log(2), "+"), (Derivative(y**3, y), "0+"), (-Derivative(exp(y), y), "-"),
        (Sum(m * y, (m, 1, 3)) + y, "?"), (floor(x), "?"), (Integral(u, (u, 0, x)), "?"),
    ],
)  # fmt: skip
def test_signs(expr, signs):
    assert CONTEXT.signs(expr) == SETS[signs]


KNOWN = {
    ">": Relation(y, ">", ONE), ">=": Relation(y, ">=", ONE), "<": Relation(y, "<", ONE),
    "<=": Relation(y, "<=", ONE), "=": Relation(y, "=", ONE), "!=": Relation(y, "!=", ONE),
}  # fmt: skip


@pytest.mark.parametrize(
    ("op", "expr", "signs"),
    [
        (">", y - 1, "+"), (">", 1 - y, "-"), (">", y, "?"), (">", y - 2, "?"),
        (">", 2 * y - 2, "?"),
        (">=", y - 1, "0+"), (">=", 1 - y, "0-"), ("<", y - 1, "-"), ("<", 1 - y, "+"),
        ("<=", y - 1, "0-"), ("=", y - 1, "0"), ("=", 1 - y, "0"), ("!=", y - 1, "-+"),
        (">", x * (y - 1), "+"), ("!=", (y - 1) ** 2, "+"), (">", (y - 1) * (y + 1), "?"),
        (">", x - 1, "?"),
    ],
)  # fmt: skip
def test_signs_by_what_is_known(op, expr, signs):
    assert CONTEXT.knowing((KNOWN[op],)).signs(expr) == SETS[signs]
    assert Context.of(OVER, (KNOWN[op],)).signs(expr) == SETS[signs]


def test_two_known_relations_meet():
    both = CONTEXT.knowing((KNOWN[">="], KNOWN["!="]))
    assert both.signs(y - 1) == {1}
    assert CONTEXT.knowing((KNOWN["!="], KNOWN["<="])).signs(1 - y) == {1}


def test_a_general_hypothesis_says_nothing_about_a_single_entry_by_itself():
    general = Relation(s[k], ">", ONE, ((k, integers(0)),))
    assert CONTEXT.knowing((general,)).signs(s[k] - 1) == SETS["?"]


CHAIN = ((x, REALS), (y, above(x)), (u, interval(x, y, "[]")))


@pytest.mark.parametrize(
    ("over", "expr", "signs"),
    [
        (CHAIN, y - x, "+"), (CHAIN, x - y, "-"), (CHAIN, u - x, "0+"), (CHAIN, y - u, "0+"),
        (CHAIN, u - y, "0-"), (CHAIN, y, "?"), (CHAIN, u + x, "?"),
        (((x, above(0)), (y, above(x))), y, "+"),
        (((x, interval(0, 1, "[]")), (y, above(x))), y, "+"),
        (((x, interval(0, 1, "[]")), (y, interval(x, oo, "[)"))), y, "0+"),
        (((x, above(-1)), (y, above(x))), y, "?"),
        (((x, interval(-oo, 0, "(]")), (y, interval(-oo, x, "(]"))), y, "0-"),
        (((x, interval(-oo, 0, "(]")), (y, interval(-oo, x))), y, "-"),
        (((x, interval(-oo, 0)), (y, interval(-oo, x, "(]"))), y, "-"),
        (((x, above(1)), (y, above(x))), x * y - 1, "+"),
    ],
)  # fmt: skip
def test_signs_by_domains_that_depend_on_each_other(over, expr, signs):
    assert Context.of(over).signs(expr) == SETS[signs]


@pytest.mark.parametrize(
    ("why", "over"),
    [
        ("two domains", ((x, REALS), (x, above(0)))),
        ("two domains", ((s, REALS), (s, above(0)))),
        ("", ((x, above(y)), (y, REALS))),
        ("", ((x, above(x)),)),
        ("", ((x, interval(0, y)),)),
    ],
)
def test_domains_that_are_refused(why, over):
    with pytest.raises(Rejected, match=why or None):
        Context.of(over)


DEFINED = [
    Integral(i, (i, 0, u)), Integral(i, (i, u, 0)),
    x, y, s[n], r[m + n], r[2 * m], Integer(3), pi, E, x + y, y**2, 1 / x, x**y, sqrt(u), u**2,
    a**-3, y**n, y**m, log(x), log(1 + u), log(m), gamma(x), exp(y), erf(y), erfc(y), sin(y),
    cos(y), sinh(y), cosh(y), tanh(y), Abs(y), Max(y, 1), floor(y), ceiling(y), LambertW(x),
    LambertW(-exp(-1)), LambertW(y * exp(y)), LambertW(-exp(-1) + u), factorial(n), binomial(m, n),
    Sum(1 / i, (i, 1, n)), Product(log(i), (i, 2, n)), Sum(s[i], (i, 1, n)),
    Integral(log(i), (i, 1, 2)), Integral(1 / i, (i, x, x + 1)), Integral(1 / i, (i, x + 1, x)),
    Integral(i, (i, u, u)), Derivative(log(x), x), u**x, n**n, (n + 1) ** -n,
]  # fmt: skip
UNDEFINED = [
    Integral(1 / i, (i, 1, -1)), Integral(1 / (i - HALF), (i, u, c)),
    k, 1 / y, 1 / u, log(y), log(u), log(b), gamma(y), gamma(u), sqrt(y), sqrt(b), y**x, u**y,
    u**-1, y ** (-n), y**-m, s[x], s[k], r[m / 2], LambertW(y), LambertW(b), factorial(y),
    factorial(n - 1),
    binomial(y, 2), binomial(m, n - 3), Sum(1 / i, (i, 0, n)), Sum(i, (i, 1, x)),
    Sum(i, (i, HALF, n)),
    Product(log(i), (i, 0, n)), Integral(log(i), (i, 0, 1)), Integral(1 / i, (i, -1, 1)),
    Integral(1 / i, (i, u, 1)), Integral(i, (i, 0, y)), Integral(1, (i, 1, i)), Sum(k, (i, 1, 3)),
    exp(1 / y), 2 + log(y), Sum(log(y), (i, 1, 3)), Integral(i, (i, 0, sqrt(y))),
    Derivative(log(y), y), sqrt(a), (n - 2) ** -n, Abs(log(y)), s[n] + s[x],
]  # fmt: skip


@pytest.mark.parametrize("expr", DEFINED)
def test_defined(expr):
    CONTEXT.require_defined(expr)


@pytest.mark.parametrize("expr", UNDEFINED)
def test_not_defined(expr):
    with pytest.raises(Rejected, match="not shown to be defined"):
        CONTEXT.require_defined(expr)


@pytest.mark.parametrize(
    ("expr", "whole"),
    [
        (Integer(3), True), (HALF, False), (n, True), (x, False), (k, False), (r[1], True),
        (s[1], False), (n + m, True), (n + HALF, False), (n * m, True), (n * x, False),
        (n / 2, False),
        (n**m, True), (n ** (m - 2), True), (n ** (m - 3), False), (x**n, False), (2**n, True),
        (n**x, False), (floor(y), True), (ceiling(y), True), (factorial(n), True),
        (binomial(m, n), True), (log(n), False), (sqrt(n), False), (pi, False), (-n, True),
    ],
)  # fmt: skip
def test_whole_numbers(expr, whole):
    assert CONTEXT.is_integer(expr) is whole


@pytest.mark.parametrize(
    ("domain", "expr", "inside"),
    [
        (REALS, y, True), (above(0), x, True), (above(0), u, False), (UNIT, u, True),
        (interval(0, 1), u, False), (interval(0, 1, "[)"), u, False),
        (interval(0, 1, "(]"), u, False),
        (interval(0, 2, "(]"), 1 + u, True), (interval(0, 2), 1 + u, False), (above(1), x, False),
        (interval(-oo, 0), b, True), (interval(-oo, 0), c, False),
        (interval(-oo, 0, "(]"), c, True),
        (interval(-oo, -1, "(]"), a, True), (interval(-oo, -1), a, False),
        (integers(), n, True), (integers(0), n, True), (integers(1), n, False),
        (integers(2, 9), m, True),
        (integers(2, 8), m, False), (integers(3, 9), m, False), (integers(), y, False),
        (integers(0), u, False),
        (REALS, n, True), (integers(0), HALF, False), (integers(0, 3), Integer(3), True),
        (integers(0, 2), Integer(3), False), (above(y), y + x, True), (above(y), y, False),
    ],
)  # fmt: skip
def test_containment(domain, expr, inside):
    assert CONTEXT.contains(domain, expr) is inside


@pytest.mark.parametrize("expr", [x**2, exp(-x) * log(x), sqrt(x), sin(x) / x, LambertW(x)])
def test_smooth(expr):
    CONTEXT.require_smooth(expr)


@pytest.mark.parametrize(
    "expr",
    [floor(x), ceiling(x), Abs(x), Max(x, 1), 1 + exp(Abs(x)), factorial(n), binomial(m, n),
     Sum(x, (i, 1, 3)), Product(x, (i, 1, 3)), Integral(i, (i, 0, x))],
)  # fmt: skip
def test_not_smooth(expr):
    with pytest.raises(Rejected, match=re.escape(str(expr))):
        CONTEXT.require_smooth(expr)


def test_extended_contexts_keep_what_they_know():
    step = Dummy()
    more = CONTEXT.knowing((KNOWN[">"],)).extended(step, Domain(Integer(0), oo))
    assert more.signs(step) == {1}
    assert more.signs(y - 1) == {1}
    assert CONTEXT.signs(y - 1) == SETS["?"]
    assert CONTEXT.domain(step) is None
    assert CONTEXT.domain(s[4]) == above(0)
