"""The search for counterexamples: it finds simple ones, and the kernel accepts what it finds."""

import pytest
from sympy import E, IndexedBase, Integer, Product, Rational, Sum, exp, log, oo, sqrt, symbols

from lemmata.symbolic.statements import (
    REALS,
    Every,
    Limit,
    Maximum,
    MaximumValue,
    Rank,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.claims.degree import CLAIMS
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, Part
from lemmata.verify.witness import search

x, y, n, d, i = symbols("x y n d i")
s = IndexedBase("s")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
H = log(d) / d
TRUE = Relation(ZERO, "<", ONE)

FALSE = [
    Relation(ONE, "<", ZERO),
    Relation(x**2, ">", x, ((x, above(0)),)),
    Relation(x, "<", Integer(90), ((x, above(0)),)),
    Relation(x, "=", y, ((x, REALS), (y, REALS))),
    Relation(sqrt(x), "<", x, ((x, interval(0, 1)),)),
    Relation(x, ">", ZERO, ((x, interval(0, 1, "[]")),)),
    Relation(x, "<", ONE, ((x, interval(0, 1, "(]")),)),
    Relation(x, ">", Integer(-50), ((x, interval(-oo, 0)),)),
    Relation(n, "!=", Integer(7), ((n, integers(0)),)),
    Relation(n, "<=", Integer(4), ((n, integers(-3, 5)),)),
    Relation(x + y, ">", TWO, ((x, above(0)), (y, above(x)))),
    Relation(x, "<", TWO, ((x, REALS),), (Relation(x, ">", ONE),)),
    Relation(Sum(s[i], (i, 1, 3)), "<", Integer(5), ((s, integers(1)),)),
    Relation(Product(s[i], (i, 1, n)), "<", Integer(5), ((s, integers(1)), (n, integers(1, 4)))),
    Maximum(H, d, above(0), THREE),
    Maximum(H, d, above(0), Rational(271, 100)),
    Maximum(H, d, integers(1), TWO),
    Maximum(x * (1 - x), x, interval(0, 1, "[]"), Rational(1, 3)),
    MaximumValue(x * (1 - x), x, interval(0, 1, "[]"), ZERO, Rational(1, 5)),
    Limit(1 / x, ONE, ((x, oo),), ((x, above(0)),)),
    Limit(exp(x), ONE, ((x, -oo),), ((x, REALS),)),
    Limit(x**2, THREE, ((x, TWO),), ((x, REALS),)),
]
TRUTHS = [
    TRUE,
    Relation(x**2, ">=", ZERO, ((x, REALS),)),
    Maximum(H, d, above(0), E),
    Maximum(H, d, integers(1), THREE),
    MaximumValue(x * (1 - x), x, interval(0, 1, "[]"), ZERO, Rational(1, 4)),
    Limit(1 / x, ZERO, ((x, oo),), ((x, above(0)),)),
    Rank(((ONE,),), 1),
]


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_are_refuted(statement):
    (found,) = search(statement)
    assert isinstance(found, Counterexample)
    assert check("c", statement, (found,)).outcome == "refuted"


@pytest.mark.parametrize("statement", TRUTHS)
def test_nothing_is_found_against_a_truth(statement):
    assert search(statement) == ()


def test_each_part_is_searched_by_itself():
    whole = Every((TRUE, FALSE[0], TRUE, FALSE[1]))
    found = search(whole)
    assert [part.index for part in found] == [1, 3]
    assert all(isinstance(part, Part) for part in found)
    assert check("c", whole, found).outcome == "refuted"


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.expected == "proved"], ids=lambda c: c.id)
def test_nothing_is_found_against_the_catalogue(claim):
    assert search(claim.statement) == ()
