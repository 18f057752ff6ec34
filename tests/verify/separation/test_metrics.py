"""Claims about distances, templates and activations: second ways to numbers, forgeries."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import E, Integer, Rational

from lemmata.numeric.separation import fractional_determinant, relu_rank
from lemmata.symbolic.separation.templates import (
    derive_exponential_cost,
    derive_interval_cost,
    derive_power_cost,
)
from lemmata.verify.claims.separation import metrics
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, SeparationCertificate


@pytest.mark.parametrize("exponent", metrics.EXPONENTS, ids=str)
def test_determinants_differ_from_zero(exponent) -> None:
    power = "e" if exponent == E else Fraction(int(exponent.p), int(exponent.q))
    low, high = fractional_determinant(power, metrics.POINTS)
    assert low * high > 0


def test_relu_has_the_rank_of_its_grid() -> None:
    for size in (1, 4, metrics.POINTS):
        assert relu_rank(size) == size


@pytest.mark.parametrize(
    "derive",
    [
        lambda: derive_interval_cost(1),
        lambda: derive_interval_cost(2),
        derive_exponential_cost,
        lambda: derive_power_cost(100, Rational(1, 100)),
    ],
)
def test_costs_are_proved(derive) -> None:
    found = derive()
    verdict = check("cost", found.lines[-1].statement, (found,))
    assert verdict.outcome == "proved", verdict.detail
    assert verdict.facts == ("fundamental theorem of calculus",)


def test_a_cost_below_the_true_one_is_not_proved() -> None:
    found = derive_power_cost(100, Rational(1, 102))
    assert check("cost", found.lines[-1].statement, (found,)).outcome == "inconclusive"


def test_forged_evidence_is_inconclusive() -> None:
    point = ((metrics.x, Integer(0)), (metrics.y, Integer(0)), (metrics.z, Integer(2)))
    assert check("d2", metrics.triangle(), (Counterexample(point),)).outcome == "inconclusive"
    *_, grid = metrics.activations().parts
    twice = ((Fraction(1),), (Fraction(1),))
    right = ((Fraction(0),), (Fraction(-1),))
    outside = ((Fraction(5),),)
    for item in (
        SeparationCertificate(twice, right),
        SeparationCertificate(outside, right[:1]),
        SeparationCertificate((), (), ((metrics.u, metrics.v),)),
        SeparationCertificate((), (), ((metrics.u + metrics.v, Integer(1)),)),
    ):
        assert check("relu", grid, (item,)).outcome == "inconclusive"
