"""Statements decided box by box, each accepted cover beside damaged ones."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from sympy import Integer, Rational, erf, exp, pi, symbols

from lemmata.symbolic.statements import (
    REALS,
    Maximum,
    MaximumValue,
    Rank,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel.enclosures import enclosure
from lemmata.verify.kernel.evidence import Enclosure

x, y = symbols("x y")
ZERO, ONE = Integer(0), Integer(1)


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(lhs, op, Integer(rhs) if isinstance(rhs, int) else rhs, over, given)


def boxes(*edges, variables=(x,), **more):
    """Boxes between neighbouring edges of one variable."""
    cut = [Fraction(edge) for edge in edges]
    pairs = tuple(((a, b),) for a, b in pairwise(cut))
    return Enclosure(variables, pairs, **more)


def cell(*sides):
    return tuple((Fraction(a), Fraction(b)) for a, b in sides)


UNIT = interval(0, 1, "[]")
BELOW = rel(x * exp(-x), "<", Rational(1, 2), ((x, UNIT),))
SQUARE = rel(x**2 + y**2, "<", 3, ((x, UNIT), (y, UNIT)))
QUARTERS = Enclosure((x, y), (
    cell((0, "1/2"), (0, 1)), cell(("1/2", 1), (0, "1/2")), cell(("1/2", 1), ("1/2", 1)),
))  # fmt: skip
VALUE = MaximumValue(x * (1 - x), x, UNIT, Rational(1, 4), Rational(1, 2))
PEAK = Maximum(-(x**2), x, interval(-1, 1, "[]"), ZERO)
FINE = ["0", "1/4", "1/2", "3/4", "1"]
AROUND = (Fraction(-1, 2), Fraction(1, 2))
COVER = Enclosure((x,), (cell((-1, "-1/2")), cell(("1/2", 1))), around=AROUND)

ACCEPTED = [
    ("certified", BELOW, boxes(*FINE)),
    ("certified", rel(-x, ">", -2, ((x, UNIT),)), boxes(0, 1)),
    ("certified", rel(x, ">=", x, ((x, UNIT),)), boxes(0, 1)),
    ("certified", rel(x, "<=", x, ((x, UNIT),)), boxes(0, 1)),
    ("certified", rel(x, "<", 2, ((x, UNIT),)), boxes(-1, "3/2")),
    ("certified", rel(x, "<", 4, ((x, interval(0, pi)),)), boxes(0, "16/5")),
    ("certified", SQUARE, QUARTERS),
    ("certified", rel(pi, ">", 3), Enclosure((), ((),))),
    ("confirmed", rel(x, "<", 2, ((x, above(0)),)), boxes(0, "3/2")),
    ("confirmed", rel(x, ">", -2, ((x, REALS),)), boxes(0, 1)),
    ("confirmed", rel(x, "<", 4, ((x, interval(0, pi)),)), boxes(0, 3)),
    ("confirmed", rel(x, "<", 4, ((x, UNIT),)), boxes("1/9", 1)),
    ("confirmed", rel(y + x, "<", 4, ((x, UNIT), (y, above(0)))),
         Enclosure((x, y), (cell((0, 1), (0, 1)),))),
    ("certified", VALUE, boxes(*FINE, witness=Fraction(1, 2))),
    ("certified", SQUARE, Enclosure((x, y), (
        cell((0, 1), ("1/2", 1)), cell((0, "1/2"), (0, "1/2")), cell(("1/2", 1), (0, "1/2"))))),
    ("certified", MaximumValue(ONE, x, UNIT, ONE, ONE), boxes(0, 1, witness=Fraction(0))),
    ("certified", Maximum(-(x**2), x, UNIT, ZERO), Enclosure((x,), (), around=cell((0, 1))[0])),
    ("certified", Maximum(-(x**2), x, interval(-1, 0, "[]"), ZERO),
         Enclosure((x,), (), around=cell((-1, 0))[0])),
    ("certified", PEAK, COVER),
    ("confirmed", replace(PEAK, domain=above(-1)), COVER),
    ("certified", Maximum(-(x**2), x, interval(-1, 1, "[]"), ZERO),
         Enclosure((x,), (), around=cell((-1, 1))[0])),
]  # fmt: skip
REFUSED = [
    ("is not decided box by box", Rank(((ONE,),), 1), boxes(0, 1)),
    ("precision", BELOW, boxes(*FINE, precision=15)),
    ("precision", BELOW, boxes(*FINE, precision=4097)),
    ("other variables", BELOW, boxes(*FINE, variables=(y,))),
    ("other variables", SQUARE, replace(QUARTERS, variables=(y, x))),
    ("hypotheses need", rel(x, "<", 2, ((x, UNIT),), (rel(x, ">", 0),)), boxes(0, 1)),
    ("hypotheses need", replace(PEAK, given=(rel(x, ">", 0),)), COVER),
    ("only a maximum has a box", BELOW, boxes(0, "1/2", around=cell(("1/2", 1))[0])),
    ("only a maximum has a box", VALUE,
         boxes(0, "1/2", around=cell(("1/2", 1))[0], witness=Fraction(1, 2))),
    ("undecided", BELOW, boxes(0, 1)),
    ("undecided", rel(x, "<", 1, ((x, UNIT),)), boxes(0, 1)),
    ("undecided", rel(x, "<", x, ((x, UNIT),)), boxes(0, 1)),
    ("undecided", rel(x, ">", x, ((x, UNIT),)), boxes(0, 1)),
    ("undecided", rel(x, ">", 0, ((x, UNIT),)), boxes(0, 1)),
    ("undecided", rel(x - 1, ">=", 0, ((x, UNIT),)), boxes(0, 1)),
    ("not seen to be finite", rel(1 / x, "<=", 10**9, ((x, UNIT),)), boxes(0, 1)),
    ("not seen to be finite", rel(x, "<", x + 1 / x, ((x, UNIT),)), boxes(0, 1)),
    ("not seen to be finite", rel(erf(1 / x), "<", 2, ((x, interval(-1, 1, "[]")),)), boxes(-1, 1)),
    ("inequalities only", rel(x, "!=", 5, ((x, UNIT),)), boxes(0, 1)),
    ("inequalities only", rel(x, "=", x, ((x, UNIT),)), boxes(0, 1)),
    ("real variables", rel(x, "<", 2, ((x, integers(0, 1)),)), boxes(0, 1)),
    ("between 1 and 3000", rel(x, "<", 2, ((x, UNIT),)), boxes()),
    ("between 1 and 3000", rel(x, "<", 2, ((x, UNIT),)),
         boxes(*(Fraction(k, 3001) for k in range(3002)))),
    ("empty or flat", rel(x, "<", 2, ((x, UNIT),)), boxes(1, 0)),
    ("empty or flat", rel(x, "<", 2, ((x, interval(1, 1, "[]")),)), boxes(1, 1)),
    ("overlap", rel(x, "<", 2, ((x, UNIT),)),
         Enclosure((x,), (cell((0, "3/4")), cell(("1/4", 1))))),
    ("overlap", rel(x, "<", 2, ((x, UNIT),)),
         Enclosure((x,), (cell(("1/4", 1)), cell((0, "3/4"))))),
    ("overlap", SQUARE,
         replace(QUARTERS, boxes=(*QUARTERS.boxes, cell(("1/2", 1), ("1/4", "3/4"))))),
    ("a gap", rel(x, "<", 2, ((x, UNIT),)), Enclosure((x,), (cell((0, "1/4")), cell(("1/2", 1))))),
    ("a gap", SQUARE, replace(QUARTERS, boxes=QUARTERS.boxes[:2])),
    ("zip()", SQUARE, replace(QUARTERS, boxes=(cell((0, 1)),))),
    ("leave the domain", rel(x, "<", 4, ((x, interval(0, 2)),)), boxes(1, 3)),
    ("leave the domain", rel(x, "<", 4, ((x, interval(0, 2)),)), boxes(-1, 1)),
    ("leave the domain", rel(y, "<", 4, ((x, UNIT), (y, interval(0, x)))),
     Enclosure((x, y), (cell((0, 1), (0, 1)),))),
    ("needs a witness", VALUE, boxes(*FINE)),
    ("witness too low", VALUE, boxes(*FINE, witness=Fraction(1, 3))),
    ("witness outside", replace(VALUE, function=x, high=ONE), boxes(0, 1, witness=Fraction(2))),
    ("undecided", replace(VALUE, high=Rational(1, 4)), boxes(*FINE, witness=Fraction(1, 2))),
    ("not the domain", VALUE, boxes(*FINE[1:], witness=Fraction(1, 2))),
    ("not the domain", replace(VALUE, function=exp(-x), domain=above(0)),
         boxes(2, 5, witness=Fraction(1, 9))),
    ("parameters need", replace(PEAK, over=((y, UNIT),)), COVER),
    ("needs a box around", PEAK, replace(COVER, around=None)),
    ("undecided", PEAK, boxes("-1/2", "1/2", around=AROUND)),
    ("undecided", PEAK, replace(COVER, boxes=(*COVER.boxes, cell(("-1/4", "1/4"))))),
    ("undecided", replace(PEAK, function=ONE), COVER),
    ("not concave", replace(PEAK, function=ONE), Enclosure((x,), (), around=cell((-1, 1))[0])),
    ("not concave", Maximum(exp(x), x, UNIT, ONE), Enclosure((x,), (), around=cell((0, 1))[0])),
    ("not zero", Maximum(-(x**2), x, interval(-1, 1, "[]"), ONE),
         Enclosure((x,), (), around=cell((-1, 1))[0])),
    ("is outside", Maximum(-((x - 3) ** 2), x, interval(0, 5), Integer(3)),
         Enclosure((x,), (), around=cell((0, 1))[0])),
    ("is outside", Maximum(-((x - 3) ** 2), x, interval(0, 5), Integer(3)),
         Enclosure((x,), (), around=cell((4, 5))[0])),
    ("outside the domain", Maximum(-((x - 3) ** 2), x, UNIT, Integer(3)),
         Enclosure((x,), (), around=cell((-5, 5))[0])),
    ("a gap", PEAK, replace(COVER, boxes=(*COVER.boxes[:1], cell(("3/4", 1))))),
    ("no enclosure", rel(x + y, "<", 5, ((x, UNIT),)), boxes(0, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "statement", "evidence"), ACCEPTED)
def test_accepted(outcome, statement, evidence):
    assert enclosure(statement, evidence).outcome == outcome


@pytest.mark.parametrize(("why", "statement", "evidence"), REFUSED)
def test_refused(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        enclosure(statement, evidence)


def test_the_ends_of_what_is_allowed():
    statement = rel(x, "<", 2, ((x, UNIT),))
    assert enclosure(statement, boxes(0, 1, precision=16)).outcome == "certified"
    assert enclosure(statement, boxes(0, 1, precision=4096)).outcome == "certified"
    with pytest.raises(Exception, match="overlap"):
        enclosure(statement, Enclosure((x,), (cell((0, 1)),) * 3000))
