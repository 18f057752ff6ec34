"""Certificates of separation ranks of networks: from `numeric.separation` to the kernel.

A statement about a network of given sizes is certified by random weights and points, or by its own
weights; a statement for all sizes can be tried at one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Expr

from ....symbolic.statements import Attention, Every, Function, Hadamard, SeparationRank
from ...claim import Settings
from ...kernel.evidence import Evidence, Instance, NetworkCertificate, Part

if TYPE_CHECKING:
    from ....numeric.separation import AttentionNetwork, HadamardNetwork, RankCertificate

Network = Attention | Hadamard
ATTEMPTS = 8  # seeds that are tried for points whose leading minors do not vanish


def certify(statement: SeparationRank, settings: Settings) -> tuple[Evidence, ...]:
    """The rank of the network of a statement without variables; of others, nothing."""
    network = statement.function
    if isinstance(network, Function) or statement.over or statement.given:
        return ()
    return (certificate(network, settings.seed),)


def certify_every(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The same for each part about a network of given sizes."""
    return tuple(
        Part(place, found)
        for place, part in enumerate(statement.parts)
        if isinstance(part, SeparationRank)
        for found in certify(part, settings)
    )


def certify_at(
    statement: SeparationRank, points: Iterable[Mapping[Expr, Expr]], settings: Settings
) -> tuple[Evidence, ...]:
    """Instances of a statement for all sizes, each with the rank of its network."""
    return tuple(
        Instance(
            tuple(point.items()),
            certificate(network_at(statement.function, point), settings.seed),
        )
        for point in points
    )


def network_at(function: Function | Network, point: Mapping[Expr, Expr]) -> Network:
    """The network of these sizes."""
    if isinstance(function, Function):
        raise TypeError(f"function: expected a network; got {function!r}.")
    sizes = {
        field.name: getattr(function, field.name).xreplace(dict(point))
        for field in fields(function)
        if field.name != "weights"
    }
    return replace(function, **sizes)


@lru_cache(maxsize=256)
def certificate(network: Network, seed: int = 0) -> NetworkCertificate:
    """Minors that are not 0 modulo a prime, one a degree, at the first points of a side."""
    from ....numeric.separation import certify_rank

    for attempt in range(seed, seed + ATTEMPTS):
        found = certify_rank(numeric_network(network, attempt), seed=attempt)
        if _leads(found):
            break
    else:
        raise ValueError(
            f"seed: expected points whose leading minors differ from 0; got none from {seed} to "
            f"{seed + ATTEMPTS - 1} for {network}. Pass another seed."
        )
    most = max(block.rank for block in found.blocks)
    return NetworkCertificate(
        found.prime,
        () if network.weights else flat_weights(found.network),
        found.left[:most],
        found.right[:most],
        tuple(block.rank for block in found.blocks),
    )


def _leads(found: RankCertificate) -> bool:
    """Are the pivots of every block its first rows and columns?"""
    return all(
        block.pivots.rows == block.pivots.columns == tuple(range(block.rank))
        for block in found.blocks
    )


def numeric_network(network: Network, seed: int = 0) -> AttentionNetwork | HadamardNetwork:
    """The network with its own weights, or with random ones."""
    from ....numeric import separation

    entries = iter(network.weights)
    if isinstance(network, Attention):
        layers, width, tokens, heads, degree = (
            int(size)
            for size in (network.layers, network.width, network.tokens, network.heads,
                         network.degree)
        )  # fmt: skip
        if not network.weights:
            return separation.random_attention(layers, width, tokens, heads, degree, seed=seed)
        inner = width // heads
        weights = tuple(
            tuple(
                tuple(
                    (_matrix(entries, width, inner), _matrix(entries, inner, width))
                    for _ in range(degree - 1)
                )
                for _ in range(heads)
            )
            for _ in range(layers)
        )
        return separation.AttentionNetwork(width, tokens, weights)
    inputs, width, degree, depth = map(
        int, (network.inputs, network.width, network.degree, network.depth)
    )
    if not network.weights:
        return separation.random_hadamard(inputs, degree, depth, width, seed=seed)
    weights = tuple(
        tuple(_matrix(entries, width, width if layer else 2 * inputs) for _ in range(degree))
        for layer in range(depth)
    )
    return separation.HadamardNetwork(inputs, weights, tuple(entries))


def _matrix(entries: Iterator[int], rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(next(entries) for _ in range(columns)) for _ in range(rows))


def flat_weights(network: AttentionNetwork | HadamardNetwork) -> tuple[int, ...]:
    """The weights in the order of a statement."""
    from ....numeric.separation import HadamardNetwork

    if isinstance(network, HadamardNetwork):
        matrices = (matrix for layer in network.weights for matrix in layer)
        return (*(entry for matrix in matrices for row in matrix for entry in row),
                *network.readout)  # fmt: skip
    matrices = (
        matrix for layer in network.weights for head in layer for pair in head for matrix in pair
    )
    return tuple(entry for matrix in matrices for row in matrix for entry in row)
