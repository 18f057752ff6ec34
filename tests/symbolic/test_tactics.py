"""Automatic derivations: the kernel proves true statements by them and no false one."""

import pytest
from sympy import E, Integer, LambertW, Rational, exp, log, oo, pi, sqrt, symbols

from lemmata.symbolic.statements import (
    REALS,
    Every,
    Limit,
    Maximum,
    Mean,
    PolynomialDegree,
    Rank,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.symbolic.tactics import prove
from lemmata.verify.kernel import check

x, y, n, d, u = symbols("x y n d u")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
H = log(d) / d


def judged(statement):
    derivation = prove(statement)
    return None if derivation is None else check("c", statement, (derivation,)).outcome


TRUE = [
    Relation(TWO**3, "<", THREE**2),
    Relation(pi, ">", E),
    Relation((x + 1) ** 2, "=", x**2 + 2 * x + 1, ((x, REALS),)),
    Relation(x * exp(-x), ">", ZERO, ((x, above(0)),)),
    Relation(2**n, ">", n, ((n, integers(0, 20)),)),
    Relation(x, ">", ZERO, ((x, REALS),), (Relation(x, ">", ZERO),)),
    Limit(1 / x, ZERO, ((x, oo),), ((x, above(0)),)),
    PolynomialDegree((x + y) ** 3, (x, y), THREE),
    Mean(u**4, ((u, "normal"),), THREE),
    Maximum(H, d, above(0), E),
    Maximum(-((x - 2) ** 2), x, REALS, TWO),
    Maximum(x * (1 - x), x, interval(0, 1, "[]"), Rational(1, 2)),
    Maximum(x, x, interval(0, 1, "[]"), ONE),
    Maximum(-x, x, interval(0, oo, "[)"), ZERO),
    Maximum(x * exp(-x), x, above(0), ONE),
    Maximum(H, d, integers(1), THREE),
    Maximum(n * (7 - n), n, integers(0, 3), THREE),
    Every((Relation(TWO, "<", THREE), Maximum(H, d, integers(1), THREE), Relation(ONE, "<", TWO))),
]
FALSE = [
    Relation(THREE**2, "<", TWO**3),
    Relation(x**2, "=", x, ((x, REALS),)),
    Relation(x - 1, ">", ZERO, ((x, above(0)),)),
    Relation(n, "<", Integer(20), ((n, integers(0, 20)),)),
    Limit(1 / x, ONE, ((x, oo),), ((x, above(0)),)),
    PolynomialDegree((x + y) ** 3, (x, y), TWO),
    Mean(u**4, ((u, "normal"),), ONE),
    Maximum(H, d, above(0), THREE),
    Maximum(H, d, integers(1), TWO),
    Maximum(H, d, integers(1), Integer(4)),
    Maximum(n * (7 - n), n, integers(0, 5), THREE),
    Maximum(x**2, x, REALS, ZERO),
    Maximum(x, x, interval(0, 1), ONE),
    Every((Relation(TWO, "<", THREE), Relation(TWO, "<", ONE))),
]


@pytest.mark.parametrize("statement", TRUE)
def test_true_statements_are_proved(statement):
    assert judged(statement) == "proved"


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_are_not(statement):
    assert judged(statement) in (None, "inconclusive")


@pytest.mark.parametrize(
    "statement",
    [
        Rank(((ONE,),), 1),
        Mean(u, ((u, "sign"),), ZERO),
        Mean(ONE, (), ONE),
        Maximum(-((x - y) ** 2), x, REALS, y, ((y, REALS),)),
        Maximum(H, d, integers(1), LambertW(1)),
        Maximum(-(n**2), n, integers(-oo), ZERO),
        Maximum(sqrt(n), n, integers(0), ZERO),
        Every((Relation(ONE, "<", TWO), Rank(((ONE,),), 1))),
    ],
)
def test_where_no_tactic_applies(statement):
    assert prove(statement) is None


def test_a_proposal_ends_at_the_statement():
    for statement in TRUE:
        assert prove(statement).lines[-1].statement == statement
