"""Rules on other kinds of statement: isserlis, degree, fact, part, every."""

import re

import pytest
from sympy import Integer, Rational, exp, log, sqrt, symbols

from lemmata.symbolic.statements import (
    REALS,
    Every,
    Maximum,
    Mean,
    PolynomialDegree,
    Relation,
    above,
)
from lemmata.verify.kernel.derivations import ALL
from lemmata.verify.kernel.facts import FACTS, Fact
from lemmata.verify.kernel.terms import Rejected

x, y, u, v = symbols("x y u v")
ZERO, ONE = Integer(0), Integer(1)
TRUE, FALSE = Relation(ZERO, "<", ONE), Relation(ONE, "<", ZERO)
ZERO_ = sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)  # 0, but not seen to be
NORMAL = ((u, "normal"), (v, "normal"))


def case(rule, conclusion, *premises, **args):
    return rule, conclusion, premises, args


def mean(quantity, value, laws=NORMAL):
    return Mean(quantity, laws, Integer(value) if isinstance(value, int) else value)


def degree(polynomial, value, variables=(x, y)):
    return PolynomialDegree(polynomial, variables, Integer(value))


SIGNS = FACTS["sum of signs"].instance(Integer(5), ONE)
SQUARES = Fact(
    "squares", "Euclid", "a^2 >= 0 for a > 0",
    lambda b: Relation(b**2, ">=", ZERO, (), (Relation(b, ">", ZERO),)),
)  # fmt: skip

ACCEPTED = [
    (("Isserlis",), case("isserlis", mean(u**2, 1))),
    (("Isserlis",), case("isserlis", mean(u**4 + v, 3))),
    (("Isserlis",), case("isserlis", mean(u**6, 15))),
    (("Isserlis",), case("isserlis", mean((u + v) ** 4, 12))),
    (("Isserlis",), case("isserlis", mean(u * v, 0))),
    (("Isserlis",), case("isserlis", mean(u**3, 0))),
    (("Isserlis",), case("isserlis", mean((u * v + 1) ** 2, 2))),
    (("Isserlis",), case("isserlis", mean(sqrt(2) * u**2, sqrt(2)))),
    ((), case("degree", degree((x + y) ** 3 - x**3, 3))),
    ((), case("degree", degree((x + y) ** 2 - (x - y) ** 2 - 4 * x * y + x, 1))),
    ((), case("degree", degree(x * y**2 + 7, 3))),
    ((), case("degree", degree(Integer(7), 0))),
    ((), case("degree", degree((x + y) ** 10, 10))),
    ((), case("degree", degree(x**2999, 2999, (x,)))),
    (("Isserlis",), case("isserlis", mean(u**2999, 0, NORMAL[:1]))),
    (("Isserlis",), case("isserlis", mean(u**9 * v, 0))),
    (("sum of signs",), case("fact", SIGNS, name="sum of signs", count=Integer(5), below=ONE)),
    ((), case("part", TRUE, Every((TRUE, SIGNS)))),
    ((), case("part", SIGNS, Every((TRUE, SIGNS)))),
    ((), case("every", Every((TRUE, SIGNS)), SIGNS, TRUE)),
    ((), case("every", Every((TRUE,)), TRUE, SIGNS)),
]
REFUSED = [
    ("must be a mean", case("isserlis", TRUE)),
    ("the moment differs", case("isserlis", mean(u**2, 0))),
    ("the moment differs", case("isserlis", mean(u**4, 1))),
    ("the moment differs", case("isserlis", mean(u**6, 105))),
    ("the moment differs", case("isserlis", mean(u * v, 1))),
    ("the moment differs", case("isserlis", mean(u**3, 1))),
    ("the moment differs", case("isserlis", mean(u**2 * v**2, 3))),
    ("not standard normal", case("isserlis", mean(u**2, 1, ((u, "sign"), (v, "normal"))))),
    ("not standard normal", case("isserlis", mean(u**2, 1, ((u, "normal"), (v, "sign"))))),
    ("no polynomial", case("isserlis", mean(exp(u), exp(Rational(1, 2))))),
    ("no polynomial", case("isserlis", mean(1 / u, 0))),
    ("no polynomial", case("isserlis", mean(Relation(u, "<", ZERO), Rational(1, 2)))),
    ("too large", case("degree", degree(x**3000, 3000, (x,)))),
    ("too large", case("isserlis", mean(u**3001, 0, NORMAL[:1]))),
    ("too large", case("isserlis", mean((u + v) ** 901, 0))),
    ("not shown to be defined", case("isserlis", mean(u**2 / ZERO_, 1 / ZERO_))),
    ("not shown to be defined", case("isserlis", mean(x * u, 0))),
    ("must be a degree", case("degree", TRUE)),
    ("the degree is 3", case("degree", degree((x + y) ** 3, 2))),
    ("the degree is 3", case("degree", degree((x + y) ** 3, 4))),
    ("the degree is 1", case("degree", degree((x + y) ** 2 - x**2 - 2 * x * y - y**2 + x, 2))),
    ("the degree is 2", case("degree", degree(x * y, 1))),
    ("no degree", case("degree", degree((x + y) ** 2 - x**2 - 2 * x * y - y**2, 0))),
    ("no degree", case("degree", degree(ZERO, 0))),
    ("use a certificate", case("degree", degree((x + y) ** 901, 901))),
    ("1/x is no polynomial", case("degree", degree(1 / x, -1))),
    ("no fact named 'Pythagoras'", case("fact", TRUE, name="Pythagoras")),
    ("no fact named None", case("fact", TRUE)),
    ("no fact named 'Isserlis' has instances", case("fact", mean(u**2, 1), name="Isserlis")),
    ("the fact states",
         case("fact", SIGNS, name="sum of signs", count=Integer(5), below=Integer(2))),
    ("the fact states", case("fact", SIGNS, name="sum of signs", count=Integer(6), below=ONE)),
    ("the fact states",
         case("fact", mean(u**2, 1), name="sum of signs", count=Integer(5), below=ONE)),
    ("must be integers",
     case("fact", SIGNS, name="sum of signs", count=Rational(1, 2), below=ONE)),
    ("must be integers",
         case("fact", SIGNS, name="sum of signs", count=Integer(5), below=Rational(1, 2))),
    ("the count must be positive",
         case("fact", SIGNS, name="sum of signs", count=ZERO, below=ONE)),
    ("the fact states", case("fact", SIGNS, name="sum of signs", count=Integer(5), below=ZERO)),
    ("argument", case("fact", SIGNS, name="sum of signs", count=Integer(5))),
    ("no part of the premise", case("part", FALSE, Every((TRUE, SIGNS)))),
    ("no part of the premise", case("part", TRUE, TRUE)),
    ("no part of the premise", case("part", TRUE, Every(()))),
    ("index out of range", case("part", TRUE)),
    ("must be a conjunction", case("every", TRUE, TRUE)),
    ("a part is not shown", case("every", Every((TRUE, SIGNS)), TRUE)),
    ("a part is not shown", case("every", Every((TRUE, FALSE)), TRUE, SIGNS)),
    ("a part is not shown", case("every", Every(()), TRUE)),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "inference"), ACCEPTED)
def test_accepted(facts, inference):
    rule, conclusion, premises, args = inference
    assert ALL[rule](conclusion, premises, args) == facts


@pytest.mark.parametrize(("why", "inference"), REFUSED)
def test_refused(why, inference):
    rule, conclusion, premises, args = inference
    with pytest.raises(Exception, match=re.escape(why)):
        ALL[rule](conclusion, premises, args)


OVER = ((x, above(1)),)


@pytest.fixture
def squares(monkeypatch):
    """A fact that states a relation under a hypothesis; so far none of the listed ones does."""
    monkeypatch.setitem(FACTS, "squares", SQUARES)


@pytest.mark.parametrize(
    ("conclusion", "b"),
    [
        (Relation(x**2, ">=", ZERO, OVER), x),
        (Relation((x - 1) ** 2, ">=", ZERO, OVER), x - 1),
        (Relation(x**2 - 2 * x + 1, ">=", ZERO, OVER), x - 1),
    ],
)
def test_a_relation_by_a_fact(squares, conclusion, b):
    assert ALL["fact"](conclusion, (), {"name": "squares", "b": b}) == ("squares",)


@pytest.mark.parametrize(
    ("why", "conclusion", "b"),
    [
        ("the fact needs", Relation(x**2, ">=", ZERO, ((x, REALS),)), x),
        ("the fact needs", Relation((x - 2) ** 2, ">=", ZERO, OVER), x - 2),
        ("expected", Relation(x**2, ">=", ZERO, OVER), x + 1),
        ("expected the relation", Relation(x**2, ">", ZERO, OVER), x),
        ("expected", Relation(x**2, ">=", ONE, OVER), x),
        ("not shown to be defined", Relation(x**2, ">=", log(x - 1) - log(x - 1), ()), x),
        ("must be a relation", Maximum(x, x, REALS, ONE), x),
    ],
)
def test_a_relation_not_by_a_fact(squares, why, conclusion, b):
    with pytest.raises(Rejected, match=re.escape(why)):
        ALL["fact"](conclusion, (), {"name": "squares", "b": b})


def test_every_rule_shows_its_inference():
    assert all(rule.__doc__ and "|-" in rule.__doc__ for rule in ALL.values())
