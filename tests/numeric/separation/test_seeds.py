"""Linear attention with one head at every small size, five seeds each, against the closed form."""

from __future__ import annotations

from itertools import product

import pytest

from lemmata.numeric import separation
from lemmata.symbolic.separation import attention_bound

SEEDS = range(5)
# L, d, m up to 4 as far as the rank is at most 900; beyond that 4538 alone is quick.
SIZES = [
    size
    for size in product(range(1, 5), repeat=3)
    if size[0] <= 2 or size[1] == 1 or size in {(3, 2, 1), (3, 2, 2), (3, 2, 3), (3, 2, 4)}
]
LARGE = [(3, 3, 1), (4, 2, 1), (4, 2, 2)]


@pytest.mark.parametrize("size", [*SIZES, *LARGE])
def test_every_seed_attains_the_bound(size):
    ranks = {separation.attention_rank(*size, seed=seed).rank for seed in SEEDS}
    assert ranks == {attention_bound(*size)}


@pytest.mark.parametrize(
    ("layers", "width", "tokens", "degree"),
    [(1, 4, 2, 5), (2, 2, 2, 5), (1, 3, 3, 7), (1, 4, 2, 7), (2, 2, 1, 7)],
)
def test_every_seed_attains_the_bound_at_other_degrees(layers, width, tokens, degree):
    found = (separation.attention_rank(layers, width, tokens, 1, degree, seed) for seed in SEEDS)
    assert {one.rank for one in found} == {attention_bound(layers, width, tokens, degree)}


@pytest.mark.parametrize("heads", [2, 4])
def test_random_heads_stay_below_the_bound(heads):
    """No seed reaches what one head does, nor do weights and points of more seeds."""
    ranks = {separation.attention_rank(2, 4, 2, heads, seed=seed).rank for seed in range(5, 15)}
    assert len(ranks) == 1
    assert ranks.pop() < attention_bound(2, 4, 2)
