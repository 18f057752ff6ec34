"""Several heads, two layers: the rank in closed form, certified for widths up to 5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import comb

from sympy import Integer

from ....symbolic.separation import attention_bound, two_layer_rank
from ....symbolic.statements import Attention, Every, SeparationRank
from ...claim import Claim, Mutant
from .networks import certify_every, flat_weights

GIVEN = ((2, 1), (2, 2), (3, 1), (3, 3))  # width and heads of networks with weights of their own
ANY = ((4, 2), (4, 4), (5, 5))
TOKENS, BOUND, SEED = 2, 3, 3


def attention(width: int, heads: int) -> Attention:
    return Attention(*map(Integer, (2, width, TOKENS, heads, 3)))


def heads_two_layers(value: Callable[[int, int], int] = two_layer_rank) -> Every:
    """Equality for stated weights, at least as much for the others."""
    from ....numeric.separation import random_attention

    parts = []
    for width, heads in GIVEN:
        drawn = random_attention(2, width, TOKENS, heads, seed=SEED, bound=BOUND)
        network = replace(attention(width, heads), weights=flat_weights(drawn))
        parts.append(SeparationRank(network, "=", Integer(value(width, heads))))
    for width, heads in ANY:
        parts.append(SeparationRank(attention(width, heads), ">=", Integer(value(width, heads))))
    return Every(tuple(parts))


def without_heads(width: int, heads: int) -> int:
    return attention_bound(2, width, TOKENS)


def one_form_a_head(width: int, heads: int) -> int:
    """As if each head gave one linear form, whatever its width."""
    n = comb(width + 1, 2)
    second = comb(heads + 1, 2) + heads * (n - heads)
    third = min(width * n, comb(heads + 2, 3) + width * heads)
    return 1 + n + second + third + width


def forms_alone(width: int, heads: int) -> int:
    """As if two factors of S_B were always two of the linear forms."""
    n = comb(width + 1, 2)
    forms = min(n, width * (width // heads))
    return two_layer_rank(width, heads) - forms * (n - forms)


HEADS_TWO_LAYERS = Claim(
    id="separation.heads-two-layers",
    title="two layers, d up to 5: rank 1 + n + C(f+1,2) + f(n-f) + min(dn, C(f+2,3) + df) + d",
    statement=heads_two_layers,
    source="seed 002, task 1; the count with several heads is not in the seed",
    expected="certified",
    hypotheses=(
        "d is the width, n = d(d + 1)/2, f = min(n, d^2/H); two tokens a side",
        "equality for stated networks of width 2 and 3; their weights, from -3 to 3, are the first "
        "draw at which all four ranks are as large: small weights are often special",
        "for widths 4 and 5 that the rank is reached; for 6 in a test",
        "the upper side for all weights is an argument on the page of the family, not a derivation",
    ),
    certificate=certify_every,
    mutants=(
        Mutant("heads-do-not-matter", partial(heads_two_layers, without_heads), "as with one head"),
        Mutant(
            "one-form-a-head",
            partial(heads_two_layers, one_form_a_head),
            "one head of width d has d^2 forms",
        ),
        Mutant(
            "forms-alone",
            partial(heads_two_layers, forms_alone),
            "the second layer also has an entry of S itself",
        ),
    ),
)

CLAIMS = (HEADS_TWO_LAYERS,)
