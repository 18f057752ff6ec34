"""From statements to networks and back, and from certificates to evidence."""

from __future__ import annotations

import pytest
from sympy import Integer, Symbol

from lemmata.numeric.separation import certify_rank, random_attention, random_hadamard
from lemmata.symbolic.statements import (
    REALS,
    Attention,
    Every,
    Function,
    Hadamard,
    Rank,
    SeparationRank,
    integers,
)
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import networks
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Part

x, y, L = Symbol("x"), Symbol("y"), Symbol("L")
PRODUCT = Function(x * y, ((x, REALS),), ((y, REALS),))


def attention(*sizes: int, weights: tuple[int, ...] = ()) -> Attention:
    return Attention(*map(Integer, sizes), weights)


def hadamard(*sizes: int, weights: tuple[int, ...] = ()) -> Hadamard:
    return Hadamard(*map(Integer, sizes), weights)


@pytest.mark.parametrize(
    "size", [(1, 1, 1, 1, 3), (2, 3, 2, 1, 3), (2, 4, 1, 2, 3), (1, 2, 2, 2, 5)]
)
def test_weights_of_attention_come_back(size) -> None:
    layers, width, tokens, heads, degree = size
    drawn = random_attention(layers, width, tokens, heads, degree, seed=3)
    weights = networks.flat_weights(drawn)
    assert networks.numeric_network(attention(*size, weights=weights)) == drawn
    assert networks.numeric_network(attention(*size), 3) == drawn


@pytest.mark.parametrize("size", [(1, 1, 1, 1), (2, 3, 2, 2), (3, 2, 4, 1)])
def test_weights_of_products_come_back(size) -> None:
    inputs, width, degree, depth = size
    drawn = random_hadamard(inputs, degree, depth, width, seed=3)
    weights = networks.flat_weights(drawn)
    assert networks.numeric_network(hadamard(*size, weights=weights)) == drawn
    assert networks.numeric_network(hadamard(*size), 3) == drawn


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "network", [attention(2, 2, 2, 1, 3), attention(2, 4, 2, 4, 3), hadamard(2, 2, 3, 2)]
)
def test_certificates_hold_and_state_the_rank(network, seed: int) -> None:
    found = networks.certificate(network, seed)
    rank = certify_rank(networks.numeric_network(network, seed)).rank
    assert sum(found.blocks) == rank
    assert len(found.left) == len(found.right) == max(found.blocks)
    statement = SeparationRank(network, ">=", Integer(rank))
    assert check("rank", statement, (found,)).outcome == "certified"
    too_much = SeparationRank(network, "<", Integer(rank))
    assert check("rank", too_much, (found,)).outcome == "refuted"


def test_own_weights_are_not_repeated() -> None:
    weights = networks.flat_weights(random_attention(1, 2, 1, bound=2))
    assert networks.certificate(attention(1, 2, 1, 1, 3, weights=weights)).weights == ()
    assert networks.certificate(attention(1, 2, 1, 1, 3)).weights != ()


def test_a_network_of_zeros_has_rank_zero() -> None:
    zero = attention(1, 2, 1, 1, 3, weights=(0,) * 16)
    found = networks.certificate(zero)
    assert (found.left, found.right, found.blocks) == ((), (), (0, 0))
    statement = SeparationRank(zero, "=", Integer(0))
    assert check("zero", statement, (found,)).outcome == "certified"


def test_only_networks_of_given_sizes_are_certified() -> None:
    settings = Settings()
    function = SeparationRank(PRODUCT, "=", Integer(1))
    deep = SeparationRank(Attention(L, *map(Integer, (1, 1, 1, 3))), "<=", L, ((L, integers(1)),))
    given = SeparationRank(attention(1, 2, 1, 1, 3), "=", Integer(3))
    assert networks.certify(function, settings) == networks.certify(deep, settings) == ()
    assert len(networks.certify(given, settings)) == 1
    numbers = Rank(((Integer(1),),), 1)
    parts = networks.certify_every(Every((function, given, numbers, given)), settings)
    assert [type(part) for part in parts] == [Part, Part]
    assert [part.index for part in parts if isinstance(part, Part)] == [1, 3]


def test_a_function_is_no_network() -> None:
    with pytest.raises(TypeError, match="function: expected a network"):
        networks.network_at(PRODUCT, {})


def test_seeds_without_leading_minors_are_named(monkeypatch) -> None:
    monkeypatch.setattr(networks, "ATTEMPTS", 0)
    with pytest.raises(ValueError, match=r"seed: expected points .* Pass another seed"):
        networks.certificate.__wrapped__(attention(1, 1, 1, 1, 3))
