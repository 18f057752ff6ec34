"""Attention ranks from coefficients in the entries of the Gram matrices, at larger sizes.

y = x_1 P(G_A + G_B) e_1. With tokens >= width the functions x_1i G_A^alpha of the left side are
linearly independent, and the G_B^beta of the right side too: the only relation between x_1 and G_A
is det(G_A - x_1 x_1^T) = 0, if tokens = width, and none of its multiples is linear in x_1. So the
separation rank is the rank of the matrix with entries binom(alpha + beta, alpha) [G^(alpha+beta)]
of P, one block a degree of beta.
"""

from math import comb, prod

import flint
import pytest

from lemmata.numeric import separation

PRIME = separation.PRIME


def times(a, b):
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(r, c, strict=True)) for c in columns] for r in a]


def plus(a, b):
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def mixing(head, gram):
    """W_1 G (W_2 W_3) G ... W_{d-1}."""
    result = None
    for k, (left, right) in enumerate(head):
        weight = times(left, right)
        result = weight if result is None else times(result, weight)
        if k % 2 == 0:
            result = times(result, gram)
    return result


def first_output(network, row, gram):
    for layer in network.weights:
        total = mixing(layer[0], gram)
        for head in layer[1:]:
            total = plus(total, mixing(head, gram))
        row = times(row, total)
        gram = times(list(zip(*total, strict=True)), times(gram, total))
    return row[0][0]


def exponents(count, degree):
    """All exponents of `count` variables with this sum."""
    if count == 1:
        return [(degree,)]
    return [(k, *rest) for k in range(degree + 1) for rest in exponents(count - 1, degree - k)]


def block_ranks(network):
    width = network.width
    places = {(i, j): j * (j + 1) // 2 + i for j in range(width) for i in range(j + 1)}
    count = len(places)
    names = [f"g{k}" for k in range(count)] + [f"x{i}" for i in range(width)]
    ring = flint.nmod_mpoly_ctx.get(names, modulus=PRIME, ordering=flint.Ordering.lex)
    g, x = ring.gens()[:count], ring.gens()[count:]
    gram = [[g[places[min(i, j), max(i, j)]] for j in range(width)] for i in range(width)]
    terms = {
        (e[:count], e[count:].index(1)): int(c)
        for e, c in first_output(network, [list(x)], gram).to_dict().items()
    }

    def coefficient(alpha, i, beta):
        both = tuple(a + b for a, b in zip(alpha, beta, strict=True))
        ways = prod(comb(a + b, a) for a, b in zip(alpha, beta, strict=True))
        return ways * terms.get((both, i), 0) % PRIME

    for grade in range(network.grades + 1):
        right = exponents(count, grade)
        matrix = [
            [coefficient(alpha, i, beta) for beta in right]
            for alpha in exponents(count, network.grades - grade)
            for i in range(width)
        ]
        yield separation.rank_mod(matrix)


@pytest.mark.parametrize(
    "size",
    [
        *((1, 1, 1), (2, 1, 1), (4, 1, 2), (1, 2, 2), (2, 2, 2), (2, 2, 2, 2), (3, 2, 2)),
        *((3, 2, 2, 2), (3, 2, 3), (2, 3, 3), (2, 3, 4, 3), (2, 4, 4), (2, 4, 4, 2), (2, 4, 5, 4)),
        *((2, 2, 2, 1, 5), (2, 2, 2, 2, 5), (1, 3, 3, 1, 7), (1, 4, 4, 2, 7), (2, 2, 2, 1, 7)),
        (4, 2, 2),
    ],
)
def test_every_block_has_the_rank_of_its_coefficients(size):
    certificate = separation.attention_rank(*size, seed=7)
    assert [block.rank for block in certificate.blocks] == list(block_ranks(certificate.network))


@pytest.mark.parametrize("seed", range(6))
def test_special_weights_too(seed):
    network = separation.random_attention(2, 2, 2, 1, 5, seed=seed, bound=2)
    certificate = separation.certify_rank(network)
    assert [block.rank for block in certificate.blocks] == list(block_ranks(network))


def test_a_singular_weight_lowers_the_rank():
    network = separation.random_attention(2, 2, 2, 1, 5, seed=0, bound=9)
    assert separation.certify_rank(network).rank == sum(block_ranks(network)) == 174
    assert separation.attention_rank(2, 2, 2, 1, 5).rank == 190
