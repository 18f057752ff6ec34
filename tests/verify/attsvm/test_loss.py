"""The claims about the loss: verdicts, mutants at other seeds, and the measured excess."""

from __future__ import annotations

import pytest
from sympy import N, Rational

from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import loss
from lemmata.verify.kernel import check
from lemmata.verify.witness import search

CLAIMS = (loss.OPTIMAL_LOSS_AS_STATED, loss.OPTIMAL_LOSS)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


def evidence(claim, statement, seed: int = 0):
    producers = (claim.experiment, claim.certificate)
    settings = Settings(seed=seed, device="cpu")
    return tuple(item for make in producers if make for item in make(statement, settings))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict(claim) -> None:
    derived = (claim.derivation(),) if claim.derivation else ()
    verdict = check(claim.id, claim.statement, (*derived, *evidence(claim, claim.statement)))
    assert verdict.outcome == claim.expected, verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "name", ""))
def test_mutants_are_refuted(claim, mutant, seed: int) -> None:
    items = (*evidence(claim, mutant.statement, seed), *search(mutant.statement))
    assert check(claim.id, mutant.statement, items).outcome == "refuted"


POINTS = [(1, 0, 2, 3, -1), (Rational(1, 4), -3, 5, 12, 12), (3, 2, -2, -4, Rational(1, 2))]


@pytest.mark.parametrize("values", POINTS)
def test_the_stated_excess_is_what_attention_measures(values: tuple) -> None:
    """Softmax, mean score and softplus of torch against the formula of the statement."""
    names = (loss.gap, loss.g1, loss.g2, loss.a1, loss.a2)
    point = {name: Rational(value) for name, value in zip(names, values, strict=True)}
    (seen,) = loss.observed([point], "cpu")
    assert set(seen) == {loss.three_tokens(), loss.two_sequences()}
    for formula, measured in seen.items():
        exact = float(N(formula.xreplace(point), 40))
        assert measured == pytest.approx(exact, abs=1e-14)


def test_opposed_margins_are_measured_too() -> None:
    point = {loss.gap: Rational(2), loss.g1: Rational(1), loss.y: Rational(3, 2)}
    (seen,) = loss.observed([point], "cpu")
    assert loss.three_tokens(loss.y, -loss.y) in seen
    assert loss.two_sequences((loss.y, -loss.y), (loss.g1, loss.g1)) in seen
