"""Several heads: the closed form of two layers against ranks that know nothing of it."""

from __future__ import annotations

import pytest

from lemmata.numeric.separation import attention_rank
from lemmata.symbolic.separation import SeparationError, attention_bound, two_layer_rank
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation.heads import HEADS_TWO_LAYERS
from lemmata.verify.kernel import check

SIZES = [(w, h) for w in (2, 3, 4, 5, 6) for h in range(1, w + 1) if w % h == 0]


@pytest.mark.parametrize(("width", "heads"), SIZES)
def test_the_closed_form_is_the_rank_of_random_networks(width: int, heads: int) -> None:
    for seed in range(5 if width < 5 else 1):
        assert attention_rank(2, width, 2, heads, seed=seed).rank == two_layer_rank(width, heads)


@pytest.mark.parametrize("width", [2, 3, 4, 5, 6, 7, 8])
def test_one_head_is_the_bound_by_degrees_and_more_heads_are_below(width: int) -> None:
    assert two_layer_rank(width) == attention_bound(2, width, 2)
    assert two_layer_rank(width, width) < two_layer_rank(width)


def test_heads_divide_the_width() -> None:
    with pytest.raises(SeparationError, match="heads: expected a divisor of width = 4; got 3"):
        two_layer_rank(4, 3)


def test_the_claim_and_its_mutants() -> None:
    claim, settings = HEADS_TWO_LAYERS, Settings(device="cpu")
    verdict = check(claim.id, claim.statement, claim.certificate(claim.statement, settings))
    assert verdict.outcome == "certified"
    for mutant in claim.mutants:
        found = claim.certificate(mutant.statement, Settings(seed=1, device="cpu"))
        assert check(mutant.name, mutant.statement, found).outcome == "refuted"
