"""Certified ranks against the figures of the theory and against expanded polynomials."""

import dataclasses
from fractions import Fraction
from math import comb

import flint
import pytest

from lemmata.numeric import separation
from lemmata.numeric.errors import NumericError
from lemmata.numeric.separation import networks

PRIME = separation.PRIME


def coefficient_matrix(network, by_definition):
    """The coefficients of y over Z, monomials of the left side x monomials of the right side."""
    size = network.coordinates
    names = tuple(f"{side}{i}" for side in "ab" for i in range(size))
    ring = flint.fmpz_mpoly_ctx.get(names, flint.Ordering.lex)
    variables = ring.gens()
    polynomial = ring.constant(1) * by_definition(network, variables[:size], variables[size:])
    terms = {(e[:size], e[size:]): c for e, c in polynomial.to_dict().items()}
    rows, columns = (
        {part: place for place, part in enumerate(sorted({key[side] for key in terms}))}
        for side in range(2)
    )
    matrix = flint.fmpz_mat(len(rows), len(columns))
    for (a, b), coefficient in terms.items():
        matrix[rows[a], columns[b]] = coefficient
    return matrix


def part_by_powers(network, grade, left, right, by_definition):
    """y_k(a, b): the coefficient of s^(step k) in y(a, s b), multiplied out modulo the prime."""
    step = 2 if isinstance(network, separation.AttentionNetwork) else 1
    scale = flint.nmod_poly([0, 1], PRIME)
    a = [flint.nmod_poly([x], PRIME) for x in left]
    return int(by_definition(network, a, [x * scale for x in right])[step * grade])


# (layers, width, tokens, heads, degree)
ATTENTION = [
    (1, 1, 1),
    (1, 1, 3),
    (2, 1, 1),
    (3, 1, 2),
    (1, 2, 1),
    (1, 2, 2),
    (1, 3, 2),
    (1, 4, 2, 2),
    (2, 2, 1),
    (2, 2, 1, 2),
    (2, 3, 1),
    (2, 3, 1, 3),
    (2, 2, 2),
    (2, 2, 2, 2),
    (1, 2, 2, 1, 5),
    (1, 2, 2, 2, 5),
    (1, 2, 1, 1, 7),
    (2, 1, 1, 1, 5),
]
HADAMARD = [
    (1, 1, 1),
    (1, 2, 2),
    (1, 3, 2, 1),
    (2, 1, 3),
    (2, 2, 2),
    (2, 3, 2),
    (2, 2, 3, 3),
    (3, 2, 2),
    (3, 4, 1, 1),
    (3, 4, 1, 2),
    (3, 3, 1, 4),
    (4, 2, 1, 3),
    (5, 2, 2, 2),  # more inputs than linear forms in the first layer
]
NETWORKS = [
    *(separation.random_attention(*size, seed=1) for size in ATTENTION),
    *(separation.random_hadamard(*size, seed=1) for size in HADAMARD),
    # Few weights: singular matrices, equal ones, zeros.
    *(separation.random_attention(2, 2, 2, seed=seed, bound=1) for seed in range(4)),
    *(separation.random_attention(2, 2, 1, 2, seed=seed, bound=1) for seed in range(4)),
    *(separation.random_hadamard(2, 3, 2, seed=seed, bound=1) for seed in range(6)),
]


@pytest.mark.parametrize("network", NETWORKS)
def test_the_rank_is_that_of_the_coefficient_matrix(network, by_definition):
    certificate = separation.certify_rank(network)
    certificate.verify()
    assert certificate.rank == coefficient_matrix(network, by_definition).rank()


@pytest.mark.parametrize("network", NETWORKS[8:16])
def test_the_blocks_add_up_to_the_rank_of_all_values(network):
    certificate = separation.certify_rank(network)
    count = certificate.rank + 2
    left, right = (
        networks.random_points(count, network.coordinates, PRIME, 9, side)
        for side in (networks.LEFT, networks.RIGHT)
    )
    values = separation.values_mod(network, left, right)
    assert separation.rank_mod(values) == certificate.rank
    small = separation.values_mod(network, left[: count // 2], right[: count // 2])
    assert separation.rank_mod(small) == min(count // 2, certificate.rank)


@pytest.mark.parametrize(
    "network",
    [
        separation.random_attention(2, 2, 2, seed=4),
        separation.random_attention(1, 2, 2, 2, 5, seed=4),
        separation.random_hadamard(2, 3, 2, seed=4),
    ],
)
def test_minors_are_nonzero_by_a_second_computation(network, by_definition):
    certificate = separation.certify_rank(network)
    for block in certificate.blocks:
        entries = [
            part_by_powers(
                network, block.grade, certificate.left[i], certificate.right[j], by_definition
            )
            for i in block.pivots.rows
            for j in block.pivots.columns
        ]
        minor = flint.nmod_mat(block.rank, block.rank, entries, PRIME)
        assert int(minor.det()) != 0


# width 2, two tokens a side, by depth
@pytest.mark.parametrize(("layers", "rank"), [(1, 3), (2, 18), (3, 232), (4, 4538)])
def test_figures_for_width_two(layers, rank):
    certificate = separation.attention_rank(layers, 2, 2)
    assert certificate.rank == rank
    assert len(certificate.blocks) == (3**layers - 1) // 2 + 1
    assert all(block.rank < block.templates for block in certificate.blocks)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("heads", "rank"), [(1, 110), (2, 107), (4, 85)])
def test_more_heads_lower_the_rank(heads, rank, seed):
    assert separation.attention_rank(2, 4, 2, heads, seed=seed).rank == rank


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("layers", "width"), [(1, 1), (1, 5), (2, 1), (2, 2), (2, 5), (3, 2), (3, 3), (4, 2), (5, 1)]
)
def test_two_tokens_reach_the_binomial(layers, width, seed):
    reach = (3**layers - 1) // 2
    assert separation.attention_rank(layers, width, 1, seed=seed).rank == comb(reach + width, width)


@pytest.mark.parametrize("tokens", [1, 2, 4])
@pytest.mark.parametrize("width", [1, 2, 3, 6])
def test_one_layer_has_rank_width_plus_one(width, tokens):
    assert separation.attention_rank(1, width, tokens).rank == width + 1


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("extra", [1, 2])
def test_two_layers_with_many_tokens(width, extra):
    n = width * (width + 1) // 2
    rank = (n + 1) * (n + 2 + 2 * width) // 2
    assert separation.attention_rank(2, width, width + extra).rank == rank


@pytest.mark.parametrize(("degree", "layers"), [(5, 1), (7, 1), (13, 1), (5, 2)])
def test_degree_matters_through_the_reach_alone(degree, layers):
    """Where the monomials bound the rank: N = 2, and width 2 with two tokens a side."""
    reach = (degree**layers - 1) // 2
    assert separation.attention_rank(layers, 3, 1, 1, degree).rank == comb(reach + 3, 3)
    certificate = separation.attention_rank(layers, 2, 2, 1, degree)
    bound = sum(min(comb(k + 2, 2), 2 * comb(reach - k + 2, 2)) for k in range(reach + 1))
    assert certificate.rank == bound


def hadamard_bound(inputs, reach):
    if reach % 2:
        return 2 * comb((reach - 1) // 2 + inputs, inputs)
    return 2 * comb(reach // 2 - 1 + inputs, inputs) + comb(reach // 2 + inputs - 1, inputs - 1)


@pytest.mark.parametrize(
    ("inputs", "degree", "depth", "rank"),
    [(2, 2, 6, 1089), (2, 3, 4, 1722), (2, 4, 3, 1089), (2, 6, 2, 361), (2, 3, 2, 30)],
)
def test_figures_for_products(inputs, degree, depth, rank):
    assert hadamard_bound(inputs, degree**depth) == rank
    assert separation.hadamard_rank(inputs, degree, depth).rank == rank


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize(
    ("inputs", "degree", "depth"), [(1, 3, 3), (3, 2, 3), (3, 3, 2), (4, 2, 2)]
)
def test_products_reach_their_bound(inputs, degree, depth, width, seed):
    certificate = separation.hadamard_rank(inputs, degree, depth, width, seed)
    assert certificate.rank == hadamard_bound(inputs, degree**depth)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("inputs", "degree", "depth", "width", "rank"),
    [
        (5, 2, 2, 2, 20),  # 27 without the width; the 4 linear forms give those of 4 inputs
        (9, 2, 2, 2, 20),
        (5, 2, 3, 2, 105),  # 182
        (7, 2, 2, 3, 35),  # 44
        (5, 3, 2, 2, 234),  # 252, though there are 6 linear forms
        (7, 3, 2, 3, 606),  # 660, though there are 9
    ],
)
def test_few_products_cap_the_rank_beyond_one_layer_too(inputs, degree, depth, width, rank, seed):
    found = separation.hadamard_rank(inputs, degree, depth, width, seed).rank
    assert found == rank < hadamard_bound(inputs, degree**depth)


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize(("inputs", "degree"), [(2, 4), (3, 4), (4, 5)])
def test_one_layer_of_products_is_capped_by_its_width(inputs, degree, width):
    bound = sum(
        min(
            comb(k + inputs - 1, k),
            comb(degree - k + inputs - 1, degree - k),
            width * comb(degree, k),
        )
        for k in range(degree + 1)
    )
    assert separation.hadamard_rank(inputs, degree, 1, width).rank == bound


@pytest.mark.parametrize(("prime", "seed"), [(1073741783, 0), (1073741741, 5), (65537, 1)])
def test_other_primes_and_points_agree(prime, seed):
    network = separation.random_attention(3, 2, 2, seed=11)
    certificate = separation.certify_rank(network, prime=prime, seed=seed)
    certificate.verify()
    assert certificate.rank == 232


def test_small_primes_lose_rank():
    network = separation.random_hadamard(2, 3, 2)
    points = tuple((i, j) for i in range(7) for j in range(7))
    ranks = [
        separation.rank_mod(separation.values_mod(network, points, points, p), p)
        for p in (2, 3, 5, PRIME)
    ]
    assert max(ranks[:3]) < ranks[3] == 30


def test_a_vanishing_network_has_rank_zero():
    zero = ((0, 0), (0, 0))
    network = separation.HadamardNetwork(1, ((zero, zero), (zero, zero)), (1, 1))
    certificate = separation.certify_rank(network)
    certificate.verify()
    assert certificate.rank == 0
    assert [block.pivots for block in certificate.blocks] == [separation.Pivots((), ())] * 5


def test_a_network_of_one_side_has_rank_one():
    left = ((1, 0), (2, 0))
    network = separation.HadamardNetwork(1, ((left, left),), (1, 1))
    certificate = separation.certify_rank(network)
    assert [block.rank for block in certificate.blocks] == [1, 0, 0]


def test_points_are_added_until_they_exceed_the_rank():
    """Blocks of rank 715: the first round's points do not suffice, and all are drawn again."""
    certificate = separation.hadamard_rank(10, 3, 2, 6)
    assert certificate.rank == hadamard_bound(10, 9) == 2002
    assert max(block.rank for block in certificate.blocks) == 715
    assert len(certificate.left) == len(certificate.right) == 716


def test_too_few_points_raise_and_enough_do_not():
    assert separation.attention_rank(2, 2, 2, limit=7).rank == 18
    with pytest.raises(NumericError, match=r"grades \[2, 3\] use up\. Raise limit, e\.g\. to 12"):
        separation.attention_rank(2, 2, 2, limit=6)
    with pytest.raises(NumericError, match="limit: expected more points"):
        separation.hadamard_rank(2, 3, 2, limit=3)
    with pytest.raises(NumericError, match="limit: expected a whole number"):
        separation.hadamard_rank(2, 3, 2, limit=0)


@pytest.mark.parametrize("prime", [4, 2**30 + 3, 1, 7.0])
def test_a_prime_that_does_not_fit_is_refused(prime):
    with pytest.raises(NumericError, match="prime"):
        separation.certify_rank(separation.random_hadamard(1, 2, 1), prime=prime)


def test_a_prime_below_the_number_of_grades_is_refused():
    with pytest.raises(NumericError, match="prime: expected at least 10"):
        separation.certify_rank(separation.random_hadamard(2, 3, 2), prime=7)


def test_certificates_are_functions_of_their_arguments():
    certificate = separation.attention_rank(2, 2, 2, seed=3)
    assert certificate == separation.attention_rank(2, 2, 2, seed=3)
    assert certificate.network == separation.random_attention(2, 2, 2, seed=3)
    assert certificate.left != separation.attention_rank(2, 2, 2, seed=4).left
    assert hash(certificate) == hash(separation.attention_rank(2, 2, 2, seed=3))
    with pytest.raises(dataclasses.FrozenInstanceError):
        certificate.prime = 7


def test_the_chance_of_failure_counts_minors_and_degrees():
    certificate = separation.attention_rank(2, 2, 2)
    assert certificate.failure == (18 + 5) * 9 * (Fraction(1, PRIME) + Fraction(1, 2**64))
    assert certificate.failure < Fraction(1, 10**6)


def with_block(certificate, grade, **changes):
    blocks = list(certificate.blocks)
    blocks[grade] = dataclasses.replace(blocks[grade], **changes)
    return dataclasses.replace(certificate, blocks=tuple(blocks))


def pivots(rows, columns=None):
    return separation.Pivots(tuple(rows), tuple(rows if columns is None else columns))


FORGERIES = [
    (lambda c: dataclasses.replace(c, prime=PRIME - 2), "prime"),
    (lambda c: dataclasses.replace(c, prime=3), "3 residues do not interpolate degree 4"),
    (lambda c: dataclasses.replace(c, prime=1073741783), "the points are not those of seed"),
    (lambda c: dataclasses.replace(c, seed=1), "the points are not those of seed 1"),
    (lambda c: dataclasses.replace(c, left=c.right), "the points are not those of seed"),
    (lambda c: dataclasses.replace(c, left=c.left[:-1]), "6 points on the left, 7 on the right"),
    (lambda c: dataclasses.replace(c, left=(), right=()), "0 points on the left"),
    (lambda c: dataclasses.replace(c, blocks=c.blocks[:-1]), "not one block for each grade"),
    (lambda c: dataclasses.replace(c, blocks=c.blocks * 2), "not one block for each grade"),
    (lambda c: dataclasses.replace(c, blocks=c.blocks[::-1]), "not one block for each grade"),
    (
        lambda c: dataclasses.replace(c, network=separation.random_attention(3, 2, 2)),
        "not one block for each grade 0..13",
    ),
    (
        lambda c: dataclasses.replace(c, network=separation.random_attention(2, 2, 3)),
        "the points are not those of seed",
    ),
    (lambda c: with_block(c, 1, pivots=pivots(range(2))), "block 1: the rank is 3, not 2"),
    (lambda c: with_block(c, 4, pivots=pivots(())), "block 4: the rank is 2, not 0"),
    (lambda c: with_block(c, 2, pivots=pivots(range(7))), "do not exceed the rank 7"),
    (
        lambda c: with_block(c, 4, templates=7, pivots=pivots(range(3))),
        "block 4: the minor is 0 modulo",
    ),
    (lambda c: with_block(c, 2, templates=8), "block 2: 8 points of 7"),
    (lambda c: with_block(c, 1, pivots=pivots((0, 1, 2), (0, 1))), "3 rows and 2 columns"),
    (lambda c: with_block(c, 1, pivots=pivots((0, 1, 1))), "not increasing"),
    (lambda c: with_block(c, 1, pivots=pivots((1, 0, 2))), "not increasing"),
    (lambda c: with_block(c, 1, pivots=pivots((-1, 0, 2))), "not increasing"),
    (lambda c: with_block(c, 1, pivots=pivots((0, 1, 4))), "not increasing indices below 4"),
]


@pytest.mark.parametrize(("forge", "word"), FORGERIES)
def test_a_forged_certificate_does_not_verify(forge, word):
    certificate = separation.attention_rank(2, 2, 2)
    certificate.verify()
    forged = forge(certificate)
    assert forged.flaw()
    with pytest.raises(NumericError, match=word):
        forged.verify()


def test_other_pivots_of_the_same_rank_verify():
    certificate = separation.attention_rank(2, 2, 2)
    other = with_block(certificate, 1, pivots=pivots((0, 1, 3), (1, 2, 3)))
    other.verify()
    assert other.rank == certificate.rank == 18
