"""Claims about entrywise products, spectra and metrics: verdicts, and mutants at another seed."""

from __future__ import annotations

import pytest

from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import hadamard, metrics, spectra
from lemmata.verify.kernel import check
from lemmata.verify.record import decode, encode
from lemmata.verify.witness import search

CLAIMS = (*hadamard.CLAIMS, *spectra.CLAIMS, *metrics.CLAIMS)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


def evidence(claim, statement, seed: int = 0):
    settings = Settings(seed=seed, device="cpu")
    producers = (claim.experiment, claim.certificate)
    return tuple(item for make in producers if make for item in make(statement, settings))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
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
