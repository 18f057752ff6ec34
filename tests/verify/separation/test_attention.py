"""The claims about linear attention: verdicts, mutants, and evidence that is forged or amiss."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from lemmata.symbolic.statements import Every
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import attention, networks, sizes
from lemmata.verify.kernel import check
from lemmata.verify.record import decode, encode
from lemmata.verify.witness import search

CLAIMS = (*attention.CLAIMS, *sizes.CLAIMS)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]
WEYL = "fundamental theorems for the orthogonal group"


def evidence(claim, statement, seed: int = 0):
    producers = (claim.experiment, claim.certificate)
    settings = Settings(seed=seed, device="cpu")
    return tuple(item for make in producers if make for item in make(statement, settings))


@cache
def judged(claim):
    derived = (claim.derivation(),) if claim.derivation else ()
    items = (*derived, *evidence(claim, claim.statement))
    return items, check(claim.id, claim.statement, items)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_no_evidence_is_rejected(claim) -> None:
    _, verdict = judged(claim)
    assert verdict.outcome == claim.expected, verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "name", ""))
def test_mutants_are_refuted(claim, mutant, seed: int) -> None:
    items = (*evidence(claim, mutant.statement, seed), *search(mutant.statement))
    assert check(claim.id, mutant.statement, items).outcome == "refuted"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_statement_and_evidence_survive_a_record(claim) -> None:
    items, verdict = judged(claim)
    read = [decode(json.loads(json.dumps(encode(item)))) for item in (claim.statement, *items)]
    assert (read[0], tuple(read[1:])) == (claim.statement, items)
    assert verdict.outcome == claim.expected, verdict.detail


def test_the_facts_are_named() -> None:
    assert judged(attention.ATTENTION_UPPER)[1].facts == (WEYL,)
    assert judged(sizes.THETA)[1].facts == ("mean value theorem", WEYL)


def test_the_sizes_are_those_that_the_text_gives() -> None:
    upper = attention.upper_sizes()
    assert {size[:3] for size in upper} == set(product(range(1, 5), repeat=3))
    assert {size[3] for size in upper if size[:3] == (3, 4, 2)} == {1, 2, 4}
    attained = attention.attained_sizes()
    assert {(3, 3, 1), (4, 2, 1), (4, 1, 4), (3, 2, 4)} <= set(attained)
    assert max(attention.bound(*size) for size in attained) == 861
    assert len(attention.WEIGHTS) == 128
    assert set(attention.WEIGHTS) == {-2, -1, 0, 1, 2}


@pytest.mark.parametrize("width", range(1, 7))
def test_closed_forms_of_small_depths_are_the_bound(width: int) -> None:
    assert attention.one_layer(width) == attention.bound(1, width, width)
    assert attention.two_layers(width) == attention.bound(2, width, width + 1)
    assert attention.two_layers(width) == attention.bound(2, width, min(width, 2))
    assert (attention.two_layers(width) == attention.bound(2, width, 1)) == (width == 1)


FIRST = attention.rank((2, 2, 2, 1, 3), "=", 18)
FOUND = networks.certificate(FIRST.function)
FORGERIES = {
    "another weight": replace(FOUND, weights=(FOUND.weights[0] + 1, *FOUND.weights[1:-1], 0)),
    "no weights": replace(FOUND, weights=()),
    "equal points": replace(FOUND, left=(FOUND.left[0],) * len(FOUND.left)),
    "points at zero": replace(FOUND, right=((0,) * 4,) * len(FOUND.right)),
    "too few points": replace(FOUND, left=FOUND.left[:-1]),
    "a larger block": replace(FOUND, blocks=(*FOUND.blocks[:-1], FOUND.blocks[-1] + 1)),
    "blocks in another order": replace(FOUND, blocks=FOUND.blocks[::-1]),
    "a block too many": replace(FOUND, blocks=(*FOUND.blocks, 0)),
    "a small prime": replace(FOUND, prime=3),
    "no prime": replace(FOUND, prime=2**29),
}


def test_the_certificate_itself_holds() -> None:
    assert check("one", FIRST, (FOUND,)).outcome == "certified"
    assert sum(FOUND.blocks) == 18


@pytest.mark.parametrize("name", [name for name in FORGERIES if name != "another weight"])
def test_forged_certificates_are_inconclusive(name: str) -> None:
    assert check("forged", FIRST, (FORGERIES[name],)).outcome == "inconclusive"


def test_weights_of_another_network_certify_nothing_about_given_ones() -> None:
    """Without weights any will do, with weights only these."""
    ours = replace(FIRST, function=replace(FIRST.function, weights=FOUND.weights))
    assert check("other", FIRST, (FORGERIES["another weight"],)).outcome == "certified"
    assert check("other", ours, (FORGERIES["another weight"],)).outcome == "inconclusive"
    assert check("other", ours, (replace(FOUND, weights=()),)).outcome == "certified"


def test_one_part_without_evidence_leaves_the_claim_open() -> None:
    claim = attention.ATTENTION_ATTAINED
    items, _ = judged(claim)
    assert check(claim.id, claim.statement, items[:-1]).outcome == "inconclusive"
    moved = (*items[:-1], replace(items[-1], index=items[-2].index))
    assert check(claim.id, claim.statement, moved).outcome == "inconclusive"


def test_the_upper_bound_for_one_size_says_nothing_about_another() -> None:
    claim = attention.ATTENTION_UPPER
    items, _ = judged(claim)
    swapped = Every((*claim.statement.parts[:-1], claim.statement.parts[0]))
    assert check(claim.id, swapped, items[:1]).outcome == "inconclusive"
