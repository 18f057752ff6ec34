"""Exact certificates: multipliers, ranks, degrees; each accepted one beside damaged ones."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Rational, log, pi, symbols

from lemmata.symbolic.statements import (
    Infeasible,
    Minimiser,
    PolynomialDegree,
    Rank,
    Relation,
)
from lemmata.verify.kernel.certificates import multipliers, polynomial_degree, rank
from lemmata.verify.kernel.evidence import DegreeCertificate, Multipliers, RankCertificate

x, y, z = symbols("x y z")
OTHER = Relation(Integer(0), "<", Integer(1))


def table(*rows):
    return tuple(tuple(Rational(entry) for entry in row) for row in rows)


def weights(*values):
    return Multipliers(tuple(map(Fraction, values)))


LEAST = Minimiser(table((1, 0), (0, 1), (1, 1)), table((1, 2, 1))[0], table((1, 2))[0])
SLACK = Minimiser(table((2, 0), (-1, 0)), table((1, -5))[0], table(("1/2", 0))[0])
NONE = Infeasible(table((1, 1), (-1, 0), (0, -1)), table((1, 0, 0))[0])
TIE = Infeasible(table((1, 0), (-1, 0)), table((1, -1))[0])


@pytest.mark.parametrize(
    ("statement", "evidence", "facts"),
    [
        (LEAST, weights(1, 2, 0), ("Karush-Kuhn-Tucker",)),
        (SLACK, weights("1/4", 0), ("Karush-Kuhn-Tucker",)),
        (NONE, weights(1, 1, 1), ()),
        (NONE, weights(7, 7, 7), ()),
    ],
)
def test_multipliers(statement, evidence, facts):
    finding = multipliers(statement, evidence)
    assert (finding.outcome, finding.facts) == ("certified", facts)


@pytest.mark.parametrize(
    ("why", "statement", "evidence"),
    [
        ("only", OTHER, weights(1)),
        ("each row needs a multiplier", LEAST, weights(1, 2)),
        ("each row needs a multiplier", NONE, weights(1, 1, 1, 0)),
        ("a multiplier is negative", LEAST, weights(2, 3, -1)),
        ("a multiplier is negative", NONE, weights(-1, -1, -1)),
        ("not the combination", LEAST, weights(1, 1, 0)),
        ("not the combination", replace(LEAST, point=table((1, 3))[0]), weights(1, 2, 0)),
        ("complement fails", LEAST, weights(0, 1, 1)),
        ("complement fails", replace(LEAST, bounds=table((1, 3, 1))[0]), weights(1, 2, 0)),
        ("complement fails", replace(LEAST, bounds=table((1, 1, 1))[0]), weights(1, 2, 0)),
        ("complement fails", replace(LEAST, bounds=table((1, 2, 4))[0]), weights(1, 2, 0)),
        ("complement fails", SLACK, weights("3/8", "1/4")),
        ("do not cancel", NONE, weights(1, 1, 2)),
        ("do not cancel", NONE, weights(2, 1, 1)),
        ("no contradiction", NONE, weights(0, 0, 0)),
        ("no contradiction", TIE, weights(1, 1)),
        ("no contradiction", replace(TIE, bounds=table((1, -2))[0]), weights(1, 1)),
        ("each row needs a bound", replace(TIE, bounds=table((1, 2, 3))[0]), weights(1, 1)),
        ("differ in length", Infeasible(table((1, 1), (1,)), table((1, 1))[0]), weights(1, 1)),
        ("differ in length", Infeasible((), ()), weights()),
        ("not rational", replace(TIE, bounds=(pi, Integer(1))), weights(1, 1)),
        ("not rational", replace(LEAST, point=(pi, Integer(1))), weights(1, 2, 0)),
        ("not rational", Infeasible(((pi,),), (Integer(1),)), weights(0)),
    ],
)
def test_no_multipliers(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        multipliers(statement, evidence)


MATRIX = table((1, 2, 3), (2, 4, 6), ("1/2", 0, 1))
PIVOTS = RankCertificate(101, (0, 2), (0, 1), (
    (Fraction(1), Fraction(0)), (Fraction(2), Fraction(0)), (Fraction(0), Fraction(1)),
))  # fmt: skip
ZERO_MATRIX = table((0, 0), (0, 0))
IDENTITY = table((1, 0), (0, 1))
WHOLE = RankCertificate(7, (0, 1), (0, 1), ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))


@pytest.mark.parametrize(
    ("outcome", "statement", "evidence"),
    [
        ("certified", Rank(MATRIX, 2), PIVOTS),
        ("refuted", Rank(MATRIX, 1), PIVOTS),
        ("refuted", Rank(MATRIX, 3), PIVOTS),
        ("refuted", Rank(MATRIX, 1), replace(PIVOTS, combinations=())),
        ("certified", Rank(IDENTITY, 2), WHOLE),
        ("refuted", Rank(IDENTITY, 1), WHOLE),
        ("certified", Rank(ZERO_MATRIX, 0), RankCertificate(2, (), (), ((), ()))),
        ("refuted", Rank(ZERO_MATRIX, 1), RankCertificate(2, (), (), ((), ()))),
        ("certified", Rank(table((3, 3)), 1), RankCertificate(2, (0,), (1,), ((Fraction(1),),))),
    ],
)
def test_rank(outcome, statement, evidence):
    assert rank(statement, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("why", "statement", "evidence"),
    [
        ("a rank only", OTHER, PIVOTS),
        ("is not a prime", Rank(MATRIX, 2), replace(PIVOTS, prime=91)),
        ("is not a prime", Rank(MATRIX, 2), replace(PIVOTS, prime=1)),
        ("is not a prime", Rank(MATRIX, 2), replace(PIVOTS, prime=2**89 - 1)),
        ("must increase", Rank(MATRIX, 2), replace(PIVOTS, rows=(2, 0))),
        ("must increase", Rank(MATRIX, 2), replace(PIVOTS, rows=(0, 0))),
        ("must increase", Rank(MATRIX, 2), replace(PIVOTS, columns=(1, 0))),
        ("out of range", Rank(MATRIX, 2), replace(PIVOTS, rows=(0, 3))),
        ("out of range", Rank(MATRIX, 2), replace(PIVOTS, rows=(-1, 0))),
        ("out of range", Rank(MATRIX, 2), replace(PIVOTS, columns=(0, 3))),
        ("divides a denominator", Rank(MATRIX, 2), replace(PIVOTS, prime=2)),
        ("not square", Rank(MATRIX, 2), replace(PIVOTS, columns=(0,))),
        ("the minor vanishes", Rank(MATRIX, 2), replace(PIVOTS, rows=(0, 1))),
        ("the minor vanishes", Rank(table((3, 3)), 1),
         RankCertificate(3, (0,), (1,), ((Fraction(1),),))),
        ("each row needs its combination", Rank(MATRIX, 2),
         replace(PIVOTS, combinations=PIVOTS.combinations[:2])),
        ("wrong length", Rank(MATRIX, 2),
         replace(PIVOTS, combinations=((Fraction(1),), *PIVOTS.combinations[1:]))),
        ("not the stated combination", Rank(MATRIX, 2),
         replace(PIVOTS, combinations=((Fraction(2), Fraction(0)), *PIVOTS.combinations[1:]))),
        ("not the stated combination", Rank(table((1, 0), (0, 1)), 1),
         RankCertificate(7, (0,), (0,), ((Fraction(1),), (Fraction(0),)))),
        ("differ in length", Rank(table((1, 5), (1,)), 1),
         RankCertificate(7, (0,), (0,), ((Fraction(1),), (Fraction(1),)))),
        ("differ in length", Rank((), 0), RankCertificate(7, (), (), ())),
        ("not rational", Rank(((log(2),),), 1), RankCertificate(7, (0,), (0,), ((Fraction(1),),))),
    ],
)  # fmt: skip
def test_no_rank(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        rank(statement, evidence)


def degree(polynomial, value, variables=(x, y)):
    return PolynomialDegree(polynomial, variables, Integer(value))


LINE = DegreeCertificate(101, (1, 2), (3, 5))
NETWORK = ((x + 2 * y) * (3 * x - y) + x) ** 2


@pytest.mark.parametrize(
    ("outcome", "statement", "evidence"),
    [
        ("certified", degree(NETWORK, 4), LINE),
        ("certified", degree(x * y**2 + 7, 3), LINE),
        ("certified", degree(Integer(7), 0), LINE),
        ("certified", degree(x - 102 * y, 1), LINE),
        ("refuted", degree(NETWORK, 3), LINE),
        ("refuted", degree(NETWORK, 5), LINE),
        ("refuted", degree((x + y) ** 2 - (x - y) ** 2, 3), LINE),
        ("refuted", degree((x + y) ** 3 - x**3, 1), LINE),
    ],
)
def test_degree(outcome, statement, evidence):
    assert polynomial_degree(statement, evidence).outcome == outcome


CANCELLING = (x + y) ** 3 - (x + y) ** 2 * x - (x + y) ** 2 * y


@pytest.mark.parametrize(
    ("why", "statement", "evidence"),
    [
        ("a degree only", OTHER, LINE),
        ("is not a prime", degree(NETWORK, 4), replace(LINE, prime=100)),
        ("only seen to lie in [0, 1]", degree(x - 3 * y, 1), replace(LINE, direction=(3, 1))),
        ("only seen to lie in [0, 1]", degree(x - 3 * y, 0), replace(LINE, direction=(3, 1))),
        ("only seen to lie in [-1, 3]", degree(CANCELLING, 3), LINE),
        ("only seen to lie in [-1, 1]", degree(101 * x, 1), LINE),
        ("may be as large as", degree(x ** (10**6 + 1), 1), LINE),
        ("steps", degree(x ** (10**6), 1), LINE),
        ("is not a prime", degree(NETWORK, 4), replace(LINE, prime=2**89 - 1)),
        ("zip()", degree(NETWORK, 4), replace(LINE, base=(1,))),
        ("zip()", degree(NETWORK, 4), replace(LINE, direction=(1, 2, 3))),
        ("no integer polynomial", degree(x + z, 1), LINE),
        ("no integer polynomial", degree(x / 2, 1), LINE),
        ("is no polynomial", degree(x + 1 / y, 1), LINE),
        ("is no polynomial", degree(x ** Rational(1, 2), 1), LINE),
        ("is no polynomial", degree(x**y, 1), LINE),
        ("is no polynomial", degree(log(x), 1), LINE),
    ],
)
def test_no_degree(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        polynomial_degree(statement, evidence)
