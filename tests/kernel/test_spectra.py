"""Epsilon-ranks: squared singular values against small cases that are known."""

import pytest
from sympy import Integer, Rational, exp, pi, sqrt, symbols

from lemmata.symbolic.statements import (
    REALS,
    EpsilonRank,
    Function,
    integers,
    interval,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Spectrum

x, y, u = symbols("x y u")
SEGMENT = interval(-1, 1, "[]")
BIT = integers(0, 1)


def judged(expr, law, epsilon, value, domain=REALS, precision=128):
    function = Function(Integer(0) + expr, ((x, domain),), ((y, domain),))
    statement = EpsilonRank(function, law, Integer(0) + epsilon, Integer(0) + value)
    return check("test", statement, (Spectrum(precision),))


@pytest.mark.parametrize(
    ("expr", "law", "domain", "epsilon", "rank"),
    [  # the squared singular values stand behind
        (1 + x * y, "uniform", SEGMENT, 0, 2),  # 1, 1/9
        (1 + x * y, "uniform", SEGMENT, Rational(1, 9), 1),
        (1 + x * y, "uniform", SEGMENT, Rational(1, 10), 2),
        (1 + x * y, "uniform", SEGMENT, Rational(10, 9), 0),
        (1 + x * y, "uniform", SEGMENT, Rational(11, 10), 1),
        (1 + x * y, "uniform", interval(-1, 1), Rational(1, 9), 1),
        (1 + 2 * x * y, "normal", REALS, 1, 1),  # 4, 1
        (1 + 2 * x * y, "normal", REALS, Rational(99, 100), 2),
        (1 + x * y, "normal", REALS, 1, 1),  # 1, 1
        (x**2 * y**2, "normal", REALS, Rational(899, 100), 1),  # 9
        (x**2 * y**2, "normal", REALS, 9, 0),
        (x * y, "uniform", BIT, Rational(1, 4), 0),  # 1/4
        (x * y, "uniform", BIT, Rational(1, 5), 1),
        (x**2 * y + x * y**2, "uniform", BIT, 0, 1),  # one product 2 x y
        (x * y, "uniform", integers(3, 3), 80, 1),  # 81
        (0, "normal", REALS, 0, 0),
        (x + y, "normal", REALS, Rational(9, 10), 2),  # 1, 1
        (1 + x * y + x**2 * y + x * y**2, "normal", REALS, 0, 3),
    ],
)  # fmt: skip
def test_epsilon_rank(expr, law, domain, epsilon, rank):
    found = judged(expr, law, epsilon, rank, domain)
    assert (found.outcome, found.facts) == ("certified", ("Eckart-Young",)), found.detail
    for other in (rank - 1, rank + 1, rank + Rational(1, 2)):
        assert judged(expr, law, epsilon, other, domain).outcome == "refuted"


def test_irrational_singular_values_are_enclosed():
    """(x + y)^2: 4 for 2xy and, as [[0, 1], [1, 0]] [[1, 1], [1, 3]] has the eigenvalues
    1 + sqrt(3) and 1 - sqrt(3), their squares; together E(x + y)^4 = 12."""
    roots = (4 - 2 * sqrt(3), Integer(4), 4 + 2 * sqrt(3))
    assert sum(roots) == 12
    tails = [sum(roots[: k + 1]) for k in range(3)]
    for dropped, tail in enumerate(tails, 1):
        for step, rank in ((1, 3 - dropped), (-1, 4 - dropped)):
            near = Rational(str(tail.evalf(20))) + Rational(step, 10**9)
            assert judged((x + y) ** 2, "normal", near, rank).outcome == "certified"


@pytest.mark.parametrize(
    ("why", "arguments"),
    [
        ("is negative", (x * y, "normal", -1, 1)),
        ("no rational number", (x * y, "normal", pi, 1)),
        ("no rational number", (x * y, "normal", 0, pi)),
        ("there is no law", (x * y, "sign", 0, 1)),
        ("has no uniform law", (x * y, "uniform", 0, 1)),
        ("has no uniform law", (x * y, "uniform", 0, 1, integers(0))),
        ("has no uniform law", (x * y, "uniform", 0, 1, interval(1, 0, "[]"))),
        ("has no uniform law", (x * y, "uniform", 0, 1, interval(0, 0, "[]"))),
        ("has no uniform law", (x * y, "uniform", 0, 1, integers(1, 0))),
        ("all reals as its domain", (x * y, "normal", 0, 1, SEGMENT)),
        ("no polynomial", (exp(x * y), "normal", 0, 1)),
        ("not shown to be defined", (x / y, "normal", 0, 1)),
        ("expected `Rational`", (sqrt(2) * x * y, "normal", 0, 1)),
        ("has no domain", (u * x * y, "normal", 0, 1)),
        ("precision is out of range", (x * y, "normal", 0, 1, REALS, 0)),
        ("precision is out of range", (x * y, "normal", 0, 1, REALS, 4097)),
        ("too large", ((x + y) ** 100, "normal", 0, 1)),
        ("points", (x * y, "uniform", 0, 1, integers(0, 10**6))),
    ],
)
def test_no_epsilon_rank(why, arguments):
    found = judged(*arguments)
    assert found.outcome == "inconclusive"
    assert why in found.detail
