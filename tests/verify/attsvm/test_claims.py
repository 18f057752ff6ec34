"""The claims that are proved or refuted by derivations: verdicts, and mutants at another seed."""

from __future__ import annotations

import pytest

from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import feasible, loss, softmax
from lemmata.verify.kernel import check
from lemmata.verify.witness import search

CLAIMS = (
    *(softmax.SOFTMAX_IDENTITY, softmax.SATURATION_AS_STATED, softmax.SATURATION),
    *(loss.OPTIMAL_LOSS_AS_STATED, loss.OPTIMAL_LOSS),
    *(feasible.FEASIBLE_WHEN_WIDE, feasible.WIDTH_AS_NECESSARY),
)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


def evidence(claim, statement, seed: int = 0):
    producers = (claim.experiment, claim.certificate)
    settings = Settings(seed=seed, device="cpu")
    return tuple(item for make in producers if make for item in make(statement, settings))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_no_evidence_is_rejected(claim) -> None:
    derived = (claim.derivation(),) if claim.derivation else ()
    verdict = check(claim.id, claim.statement, (*derived, *evidence(claim, claim.statement)))
    assert verdict.outcome == claim.expected, verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("claim", CLAIMS[:3], ids=lambda claim: claim.id)
def test_experiments_never_contradict_the_verdict(claim, seed: int) -> None:
    found = check(claim.id, claim.statement, evidence(claim, claim.statement, seed))
    assert found.outcome == ("refuted" if claim.expected == "refuted" else "inconclusive")


@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "name", ""))
def test_mutants_are_refuted_at_another_seed(claim, mutant) -> None:
    items = (*evidence(claim, mutant.statement, seed=1), *search(mutant.statement))
    assert check(claim.id, mutant.statement, items).outcome == "refuted"
