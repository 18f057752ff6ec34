"""Claims about distances, templates and activations: verdicts, records, forged evidence."""

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
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import metrics
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, SeparationCertificate
from lemmata.verify.record import decode, encode
from lemmata.verify.witness import search

MUTANTS = [(claim, mutant) for claim in metrics.CLAIMS for mutant in claim.mutants]


def evidence(claim, statement, seed: int = 0):
    settings = Settings(seed=seed, device="cpu")
    producers = (claim.experiment, claim.certificate)
    return tuple(item for make in producers if make for item in make(statement, settings))


@pytest.mark.parametrize("claim", metrics.CLAIMS, ids=lambda claim: claim.id)
def test_verdict_is_the_expected_one_after_a_record(claim) -> None:
    derived = (claim.derivation(),) if claim.derivation else ()
    items = (*derived, *evidence(claim, claim.statement))
    assert decode(encode(claim.statement)) == claim.statement
    kept = tuple(decode(encode(item)) for item in items)
    assert kept == items
    verdict = check(claim.id, claim.statement, kept)
    assert verdict.outcome == claim.expected, verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "name", ""))
def test_mutants_are_refuted_at_another_seed(claim, mutant) -> None:
    items = evidence(claim, mutant.statement, seed=1)
    if check(claim.id, mutant.statement, items).outcome != "refuted":
        items = (*items, *search(mutant.statement))
    assert check(claim.id, mutant.statement, items).outcome == "refuted"


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
