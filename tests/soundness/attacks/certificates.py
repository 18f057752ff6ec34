"""Certificates."""

from sympy import Integer, Rational

from attacks import ONE, TWO, ZERO, F, false, true, x, y
from lemmata.symbolic.statements import Infeasible, Minimiser, PolynomialDegree, Rank
from lemmata.verify.kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Multipliers,
    RankCertificate,
)

THIRD = F(1 / 3)  # the float next to 1/3


@false
def rank_by_rounding():
    """3*THIRD is not 1, but its float is."""
    matrix = ((ONE, Integer(3)), (Rational(THIRD.numerator, THIRD.denominator), ONE))
    return Rank(matrix, 1), RankCertificate(101, (0,), (0,), ((1.0,), (1 / 3,)))


@false
def minimiser_by_rounding():
    statement = Minimiser(((Integer(3), ZERO), (ZERO, ONE)), (ONE, ZERO), (ONE, ZERO))
    return statement, Multipliers((1 / 3, 0.0))


@false
def infeasible_by_rounding():
    rows = ((ONE,), (Rational(-1, 3),))
    return Infeasible(rows, (ZERO, ONE)), Multipliers((1 / 3, 1.0))


@false
def rank_of_ragged_rows():
    return Rank(((ONE, TWO), (ONE,)), 1), RankCertificate(7, (0,), (0,), ((F(1),), (F(1),)))


@false
def rank_by_a_composite():
    matrix = ((Integer(3),),)
    return Rank(matrix, 2), RankCertificate(15, (0,), (0,), ((F(1),),))


@false
def rank_by_a_repeated_row():
    matrix = ((ONE, ZERO), (ZERO, ZERO))
    return Rank(matrix, 2), RankCertificate(7, (0, 0), (0, 1), ((F(1), F(0)), (F(0), F(0))))


@false
def rank_by_a_negative_index():
    matrix = ((ONE, ZERO), (ZERO, ZERO))
    return Rank(matrix, 2), RankCertificate(7, (-1, 0), (0, 1), ((F(0), F(1)), (F(0), F(0))))


@true
def rank_with_p_in_a_denominator():
    matrix = ((Rational(1, 7),),)
    return Rank(matrix, 1), RankCertificate(7, (0,), (0,), ((F(1),),))


@false
def rank_of_no_rows():
    return Rank((), 1), RankCertificate(7, (), (), ())


@false
def degree_by_a_short_line():
    return PolynomialDegree(x * y, (x, y), ONE), DegreeCertificate(7, (0,), (1,))


@false
def degree_by_a_composite():
    return PolynomialDegree(2 * x, (x,), ZERO), DegreeCertificate(4, (0,), (2,))


@false
def degree_of_a_pole():
    return PolynomialDegree(1 / x, (x,), Integer(-1)), DegreeCertificate(7, (1,), (1,))


@false
def degree_of_what_cancels():
    statement = PolynomialDegree((x + 1) ** 2 - x**2, (x,), TWO)
    return statement, DegreeCertificate(7, (0,), (1,))


@false
def too_few_multipliers():
    return Infeasible(((ONE,), (-ONE,)), (ZERO, ZERO)), Multipliers((F(1),))


@false
def negative_multipliers():
    return Infeasible(((ONE,), (ONE,)), (ZERO, -ONE)), Multipliers((F(1), F(-1)))


@true
def feasible_point_of_wrong_length():
    statement = Minimiser(((ONE, ZERO),), (ONE,), (ONE, ZERO))
    return statement, Counterexample(((x, ONE),))
