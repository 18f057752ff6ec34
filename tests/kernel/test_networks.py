"""Networks: values from the definition, bounds by degrees and coefficients by brute force."""

import random
from dataclasses import replace
from itertools import combinations_with_replacement
from math import prod

import numpy as np
import pytest
from flint import nmod_mat
from sympy import Integer

from lemmata.symbolic.statements import Attention, Hadamard, SeparationRank
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import NetworkCertificate
from lemmata.verify.kernel.networks import WEYL, _gram, coefficient_rank, degrees, grades
from lemmata.verify.kernel.values import parts

P = 2**29 - 3


def attention(*sizes, weights=()):
    return Attention(*map(Integer, sizes), weights)


def hadamard(*sizes, weights=()):
    return Hadamard(*map(Integer, sizes), weights)


def drawn(network, rng, bound=9):
    """The same network with random weights, and a number of coordinates a side."""
    if isinstance(network, Attention):
        layers, width, tokens, heads, degree = (int(n) for n in vars(network).values() if n != ())
        count, size = 2 * layers * heads * (degree - 1) * width * (width // heads), tokens * width
    else:
        size, width, degree, depth = (int(n) for n in vars(network).values() if n != ())
        count = degree * width * (2 * size + width * (depth - 1)) + width
    return replace(network, weights=tuple(rng.randint(-bound, bound) for _ in range(count))), size


def matrices(entries, *shapes):
    return [np.array([next(entries) for _ in range(a * b)], object).reshape(a, b)
            for a, b in shapes]  # fmt: skip


def attended(network, left, right):
    """The output in Python's integers, token by token."""
    layers, width, tokens, heads, degree = map(int, list(vars(network).values())[:-1])
    entries, inner = iter(network.weights), width // heads
    rows = np.array([*left, *right], object).reshape(2 * tokens, width)
    for _ in range(layers):
        gram, mapped = rows.T.dot(rows), 0
        for _ in range(heads):
            image = rows
            for place in range(1, degree):
                u, v = matrices(entries, (width, inner), (inner, width))
                image = (image.dot(gram) if place % 2 == 0 else image).dot(u).dot(v)
            mapped = mapped + image
        rows = mapped
    return rows[0, 0]


def multiplied(network, left, right):
    inputs, width, degree, depth = map(int, list(vars(network).values())[:-1])
    entries, z = iter(network.weights), np.array([*left, *right], object)
    for layer in range(depth):
        columns = 2 * inputs if layer == 0 else width
        z = prod(m.dot(z) for m in matrices(entries, *[(width, columns)] * degree))
    return matrices(entries, (1, width))[0].dot(z)[0]


NETWORKS = [
    attention(1, 2, 1, 1, 3), attention(2, 2, 2, 1, 3), attention(2, 3, 1, 2, 3),
    attention(1, 2, 2, 2, 5), attention(1, 4, 2, 2, 5), attention(2, 4, 3, 4, 3),
    hadamard(2, 2, 2, 2), hadamard(3, 1, 3, 1), hadamard(1, 2, 2, 3), hadamard(2, 3, 1, 2),
]  # fmt: skip


@pytest.mark.parametrize("network", NETWORKS)
def test_parts_add_up_to_the_definition(network):
    """At scales 0, 1, 2 of the right side, squared in the Gram matrix of attention."""
    rng = random.Random(1)
    own, size = drawn(network, rng)
    sides = [[tuple(rng.randint(-9, 9) for _ in range(size)) for _ in range(3)] for _ in range(2)]
    found = [*parts(own, own.weights, *sides, P)]
    assert len(found) == grades(own) + 1
    squared = isinstance(own, Attention)
    value = attended if squared else multiplied
    for a, left in enumerate(sides[0]):
        for b, right in enumerate(sides[1]):
            for scale in (0, 1, 2):
                wanted = value(own, left, [scale * n for n in right]) % P
                powers = (scale ** (2 * k if squared else k) for k in range(len(found)))
                total = sum(int(part[a, b]) * power
                            for part, power in zip(found, powers, strict=True))  # fmt: skip
                assert total % P == wanted


def certificate(network, points=40, seed=2):
    """The certificate with blocks as large as the ranks at so many points."""
    rng = random.Random(seed)
    own, size = drawn(network, rng) if not network.weights else (network, None)
    size = size or drawn(replace(network, weights=()), rng)[1]
    sides = [tuple(tuple(rng.randrange(P) for _ in range(size)) for _ in range(points))
             for _ in range(2)]  # fmt: skip
    found = parts(own, own.weights, *sides, P)
    blocks = tuple(nmod_mat(part.tolist(), P).rank() for part in found)
    return NetworkCertificate(P, own.weights, *sides, blocks), own


@pytest.mark.parametrize("network", NETWORKS)
def test_ranks_never_exceed_the_degrees(network):
    evidence, own = certificate(network)
    bound, facts = degrees(network)
    assert sum(evidence.blocks) <= bound
    if isinstance(own, Attention) and own.width <= 3:
        assert sum(evidence.blocks) <= coefficient_rank(own)
    if isinstance(own, Attention):
        assert facts == ((WEYL,) if own.tokens < own.width else ())


@pytest.mark.parametrize(("k", "width", "tokens"), [
    (0, 2, 1), (1, 2, 1), (3, 2, 1), (2, 3, 1), (2, 3, 2), (3, 3, 2), (2, 2, 2), (2, 4, 2),
])  # fmt: skip
def test_dimensions_are_those_of_the_spans(k, width, tokens):
    rng = random.Random(3)
    entries = [(a, b) for a in range(width) for b in range(a, width)]
    chosen = [*combinations_with_replacement(entries, k)]
    rows, marked = [], []
    for _ in range(width * len(chosen) + 5):
        x = [[rng.randrange(P) for _ in range(width)] for _ in range(tokens)]
        gram = {(a, b): sum(t[a] * t[b] for t in x) for a, b in entries}
        products = [prod(gram[e] for e in factors) % P for factors in chosen]
        rows.append(products)
        marked.append([x[0][a] * value % P for a in range(width) for value in products])
    assert _gram(k, width, tokens) == (nmod_mat(marked, P).rank(), nmod_mat(rows, P).rank())


SMALL = attention(1, 2, 1, 1, 3)
GOOD, OWN = certificate(SMALL, points=2)


def outcome(statement, evidence):
    return check("test", statement, (evidence,)).outcome


@pytest.mark.parametrize(
    ("op", "value", "wanted"),
    [("=", 3, "certified"), (">=", 3, "certified"), ("<=", 3, "certified"), ("=", 4, "refuted"),
     ("<", 3, "refuted"), (">", 3, "refuted"), ("=", 2, "refuted")],
)  # fmt: skip
def test_network_certificates(op, value, wanted):
    assert sum(GOOD.blocks) == 3
    assert outcome(SeparationRank(SMALL, op, Integer(value)), GOOD) == wanted
    assert outcome(SeparationRank(OWN, op, Integer(value)), GOOD) == wanted
    assert outcome(SeparationRank(OWN, op, Integer(value)), replace(GOOD, weights=())) == wanted


@pytest.mark.parametrize(
    "change",
    [
        {"prime": 2**29 - 1}, {"prime": 2}, {"prime": 2**31 - 1}, {"prime": -7}, {"prime": True},
        {"weights": GOOD.weights[:-1]}, {"weights": (*GOOD.weights, 1)}, {"weights": ()},
        {"weights": (0,) * 16}, {"weights": (True, *GOOD.weights[1:])},
        {"blocks": GOOD.blocks[:-1]}, {"blocks": (*GOOD.blocks, 0)}, {"blocks": (2, 2)},
        {"blocks": (1, 3)}, {"blocks": (4, -1)}, {"blocks": (0, 2)},
        {"left": GOOD.left[:1]}, {"left": GOOD.left[:1] * 2}, {"left": ((1,), (2,))},
        {"right": ((1, 2, 3),) * 2}, {"left": (("1", "2"),) * 2},
    ],
)  # fmt: skip
def test_damaged_network_certificates(change):
    statement = SeparationRank(SMALL, ">=", Integer(3))
    assert outcome(statement, GOOD) == "certified"
    assert outcome(statement, replace(GOOD, **change)) == "inconclusive"


def test_weights_of_its_own():
    zero = replace(OWN, weights=(0,) * 16)
    nothing = NetworkCertificate(P, (), (), (), ())
    assert outcome(SeparationRank(zero, "=", Integer(0)), nothing) == "certified"
    assert outcome(SeparationRank(zero, "=", Integer(1)), nothing) == "refuted"
    assert outcome(SeparationRank(zero, "=", Integer(3)), GOOD) == "inconclusive"
    assert outcome(SeparationRank(SMALL, "=", Integer(0)), nothing) == "inconclusive"
    assert coefficient_rank(zero) == 0
