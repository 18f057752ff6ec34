"""Linear attention of given sizes: the bound by degrees, where it is attained, and several heads.

Sizes are (layers L, width d, tokens m on each side). The values come from `symbolic.separation`,
the ranks from `numeric.separation`; the kernel computes its own bounds and its own minors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product
from math import comb

from sympy import Integer

from ....symbolic import separation as theory
from ....symbolic.derivation import Derivation
from ....symbolic.separation.attention import Size
from ....symbolic.separation.bounds import partitions
from ....symbolic.statements import Attention, Every, Operator, SeparationRank
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Evidence, Part
from .networks import certify, certify_every

SEED = "seed 002, section 1"
LEVINE = "arXiv 2110.04541 (Levine, Wies, Jannai, Navon, Hoshen, Shashua)"
LARGEST = 4  # layers, width, tokens a side
LOOKED_AT = 120  # ranks up to this one are computed to look for a failure of the upper bound
RANKS = 900  # and up to this one where it is stated that the bound is attained
Value = Callable[[int, int, int], int]
Hilbert = Callable[[int, int, int], int]


def rank(size: Size, op: Operator, value: int, weights: tuple[int, ...] = ()) -> SeparationRank:
    """`size` is (layers, width, tokens, heads, degree)."""
    layers, width, tokens, heads, degree = map(Integer, size)
    network = Attention(layers, width, tokens, heads, degree, weights)
    return SeparationRank(network, op, Integer(value))


def reach(layers: int) -> int:
    """D, the degree in the entries of the Gram matrix."""
    return (3**layers - 1) // 2


@cache
def bound(layers: int, width: int, tokens: int) -> int:
    return theory.attention_bound(layers, width, tokens)


def summed(
    layers: int, width: int, tokens: int, left: Hilbert = theory.hilbert_left,
    right: Hilbert = theory.hilbert_right, choose: Callable[..., int] = min,
) -> int:  # fmt: skip
    """The bound from other Hilbert functions, or with another choice."""
    top = reach(layers)
    return sum(
        choose(left(k, width, tokens), right(top - k, width, tokens)) for k in range(top + 1)
    )


def parts_all_odd(power: int, width: int, tokens: int) -> int:
    """The left Hilbert function with every part odd, not one of them."""
    found = partitions(2 * power + 1, min(width, tokens))
    odd = (parts for parts in found if all(part % 2 for part in parts))
    return sum(theory.schur_dimension(parts, width) for parts in odd)


def one_less(layers: int, width: int, tokens: int) -> int:
    return bound(layers, width, tokens) - 1


def one_token_less(layers: int, width: int, tokens: int) -> int:
    return bound(layers, width, max(tokens - 1, 1))


def one_layer_less(layers: int, width: int, tokens: int) -> int:
    return bound(max(layers - 1, 1), width, tokens)


def upper_sizes() -> tuple[Size, ...]:
    """Four layers with one head alone: the kernel counts many partitions there."""
    every = range(1, LARGEST + 1)
    return tuple(
        (layers, width, tokens, heads, 3)
        for layers, width, tokens in product(every, every, every)
        for heads in (every if layers < LARGEST else (1,))
        if width % heads == 0
    )


def attention_upper(value: Value = bound) -> Every:
    """sep <= U, for all weights."""
    return Every(tuple(rank(size, "<=", value(*size[:3])) for size in upper_sizes()))


def derive_upper() -> Derivation:
    return theory.derive_attention_bounds(upper_sizes())


def look_at_small(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The rank with one head, where it is expected to be small."""
    return tuple(
        Part(place, found)
        for place, (part, size) in enumerate(zip(statement.parts, upper_sizes(), strict=True))
        if isinstance(part, SeparationRank) and size[3] == 1 and bound(*size[:3]) <= LOOKED_AT
        for found in certify(part, settings)
    )


ATTENTION_UPPER = Claim(
    id="separation.attention-upper",
    title="linear attention: sep <= U, the sum over k of min(h_A(k), h_B(D - k))",
    statement=attention_upper,
    source=f"{SEED}, equation (1), with the constant and all sizes; {LEVINE}",
    expected="proved",
    hypotheses=(
        "L, d, m up to 4 (D up to 40), all real weights; every number of heads that divides d, but "
        "with four layers one head",
        "h_B(k): partitions of k into at most min(m, d) parts, dim S_2lambda(C^d); h_A(k): "
        "partitions of 2k + 1 into as many parts, exactly one of them odd, dim S_lambda(C^d)",
        "the bound does not depend on the heads; each value stands in the statement, computed by "
        "the closed form, and the kernel counts the dimensions again",
    ),
    derivation=derive_upper,
    certificate=look_at_small,
    mutants=(
        Mutant("one-less", partial(attention_upper, one_less), "the bound is attained"),
        Mutant(
            "without-coordinate",
            partial(attention_upper, partial(summed, left=theory.hilbert_right)),
            "the left side has a coordinate of the token as another factor",
        ),
        Mutant(
            "all-parts-odd",
            partial(attention_upper, partial(summed, left=parts_all_odd)),
            "exactly one part is odd",
        ),
        Mutant(
            "one-part-fewer",
            partial(attention_upper, one_token_less),
            "there may be as many parts as tokens",
        ),
        Mutant("one-layer-fewer", partial(attention_upper, one_layer_less), "another depth"),
    ),
)


def attained_sizes() -> tuple[tuple[int, int, int], ...]:
    every = range(1, LARGEST + 1)
    return tuple(size for size in product(every, every, every) if bound(*size) <= RANKS)


def attention_attained(value: Value = bound) -> Every:
    """sep = U for one head."""
    return Every(tuple(rank((*size, 1, 3), "=", value(*size)) for size in attained_sizes()))


def one_more(layers: int, width: int, tokens: int) -> int:
    return bound(layers, width, tokens) + 1


def two_tokens_alone(layers: int, width: int, tokens: int) -> int:
    return comb(reach(layers) + width, width)


def many_tokens(layers: int, width: int, tokens: int) -> int:
    return bound(layers, width, width)


def as_stated(layers: int, width: int, tokens: int) -> int:
    return 3 ** (layers * width)


ATTENTION_ATTAINED = Claim(
    id="separation.attention-attained",
    title="linear attention with one head attains the bound: the largest rank is U",
    statement=attention_attained,
    source=f"{SEED}, equation (1), as an equality at given sizes",
    expected="certified",
    hypotheses=(
        "one head; every L, d, m up to 4 with U up to 900",
        "larger sizes were computed outside this claim, five seeds each, and attain U as well: "
        "2380, 2640 and 3102 at L = 3, 4538 and 12341 at L = 4",
        "that it is attained at all sizes is a conjecture",
    ),
    certificate=certify_every,
    mutants=(
        Mutant("one-less", partial(attention_attained, one_less), "the rank is larger"),
        Mutant("one-more", partial(attention_attained, one_more), "the bound is smaller"),
        Mutant(
            "two-tokens-alone",
            partial(attention_attained, two_tokens_alone),
            "C(D + d, d) at every m",
        ),
        Mutant(
            "tokens-do-not-matter",
            partial(attention_attained, many_tokens),
            "few tokens limit the parts of a partition",
        ),
        Mutant(
            "larger-side",
            partial(attention_attained, partial(summed, choose=max)),
            "the smaller side bounds the rank of a block",
        ),
        Mutant("three-to-the-L-d", partial(attention_attained, as_stated), "the rate of the seed"),
    ),
)


def one_layer(width: int) -> int:
    return width + 1


def two_layers(width: int, square: bool = False, twice: int = 2) -> int:
    n = width**2 if square else comb(width + 1, 2)
    return (n + 1) * (n + 2 + twice * width) // 2


def small_depths(
    one: Callable[[int], int] = one_layer, two: Callable[[int], int] = two_layers, least: int = 2
) -> Every:
    """Depth 1 at every m, depth 2 from m = min(least, d) on, up to m = d + 1."""
    widths = range(1, LARGEST + 1)
    single = (rank((1, d, m, 1, 3), "=", one(d)) for d in widths for m in range(1, d + 2))
    double = (
        rank((2, d, m, 1, 3), "=", two(d)) for d in widths for m in range(min(least, d), d + 2)
    )
    return Every((*single, *double))


ONE_TWO_LAYERS = Claim(
    id="separation.one-two-layers",
    title="one head: sep = d + 1 for L = 1 and (n + 1)(n + 2 + 2d)/2 for L = 2, n = d(d + 1)/2",
    statement=small_depths,
    source=f"{SEED}, equation (1), as a closed form for one and two layers",
    expected="certified",
    hypotheses=(
        "widths d = 1 to 4; L = 1 with m = 1 to d + 1 tokens a side",
        "L = 2 with m = min(2, d) to d + 1: the form was expected from m = d + 1 on and holds with "
        "two tokens a side; with one it does not",
    ),
    certificate=certify_every,
    mutants=(
        Mutant(
            "one-token",
            partial(small_depths, least=1),
            "with one token a side the rank is C(4 + d, d)",
        ),
        Mutant(
            "all-entries",
            partial(small_depths, two=partial(two_layers, square=True)),
            "a Gram matrix is symmetric: n = d(d + 1)/2, not d^2",
        ),
        Mutant(
            "one-d",
            partial(small_depths, two=partial(two_layers, twice=1)),
            "n + 2 + 2d, not n + 2 + d",
        ),
        Mutant("d-alone", partial(small_depths, one=int), "one layer has rank d + 1"),
    ),
)

# The same 128 weights from -2 to 2 for each number of heads, from the powers of 3 modulo 233.
WEIGHTS = tuple(pow(3, k, 233) % 5 - 2 for k in range(1, 129))
HEADS = (1, 2, 4)


def heads_lower(ranks: tuple[int, int, int] = (110, 107, 85)) -> Every:
    """L = 2, d = 4, m = 2, with the same weights in different heads."""
    return Every(
        tuple(
            rank((2, 4, 2, heads, 3), "=", value, WEIGHTS)
            for heads, value in zip(HEADS, ranks, strict=True)
        )
    )


HEADS_LOWER = Claim(
    id="separation.heads-lower",
    title="the same 128 weights in 1, 2 and 4 heads of a network of width 4: rank 110, 107, 85",
    statement=heads_lower,
    source=f"{SEED}, where the number of heads does not appear",
    expected="certified",
    hypotheses=(
        "L = 2, d = 4, m = 2; each head has inner width d/H, so all have as many weights",
        "the rank of these networks is exact on both sides; the weights, from -2 to 2, were chosen "
        "to have ranks as high as random large weights do, which special ones do not",
        "that no other weights do better is no part of this claim: random weights and points "
        "modulo a prime p near 2^30 show less than the generic rank modulo p with probability at "
        "most 25 (R + 5)/p < 3/10^6, and five seeds show the same ranks",
    ),
    certificate=certify_every,
    mutants=(
        Mutant("no-difference", partial(heads_lower, (110, 110, 110)), "the heads matter"),
        Mutant("one-less", partial(heads_lower, (109, 106, 84)), "the ranks are larger"),
        Mutant(
            "in-proportion",
            partial(heads_lower, (110, 55, 27)),
            "the rank is not divided by the number of heads",
        ),
        Mutant(
            "as-narrow-networks",
            partial(heads_lower, (110, 18, 5)),
            "H heads do more than one head of width d/H alone",
        ),
    ),
)

DEEP = (4, 2, 2)


def deep_rank(value: Value = bound) -> SeparationRank:
    return rank((*DEEP, 1, 3), "=", value(*DEEP))


DEEP_RANK = Claim(
    id="separation.deep-rank",
    title="four layers of width 2, two tokens a side: the rank is 4538",
    statement=deep_rank,
    source=f"{SEED}, equation (1), at one size",
    expected="certified",
    hypotheses=("41 blocks, one a degree, the largest of size 306",),
    certificate=certify,
    mutants=(
        Mutant("one-less", partial(deep_rank, one_less), "the rank is larger"),
        Mutant("one-more", partial(deep_rank, one_more), "the bound is smaller"),
        Mutant("as-stated", partial(deep_rank, as_stated), "3^(L d) = 6561"),
    ),
)

CLAIMS = (ATTENTION_UPPER, ATTENTION_ATTAINED, DEEP_RANK, ONE_TWO_LAYERS, HEADS_LOWER)
