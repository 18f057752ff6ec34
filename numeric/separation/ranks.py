"""Exact separation ranks of networks from their values modulo a prime.

For a polynomial y(a, b) the matrix y(a_i, b_j) over any points has at most the rank sep(y), and
over enough generic points that rank. The parts y_k of y, one a degree in b, are interpolated from
the values of y(a, t b): their ranks add up to sep(y), and one small matrix a part replaces a large
one. A nonzero minor modulo a prime bounds the rank of each from below for certain. That no more is
left is a matter of probability: see `RankCertificate.failure`.

Source: seed 002, sections 1.1, 4.3 and 6; Levine, Wies, Jannai, Navon, Hoshen, Shashua, arXiv
2110.04541.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..errors import NumericError
from .arguments import whole
from .attention import AttentionNetwork, random_attention
from .hadamard import HadamardNetwork, random_hadamard
from .modular import (
    PRIME,
    Pivots,
    check_prime,
    interpolation,
    matmul_mod,
    minor_mod,
    pivots_mod,
    rank_mod,
    residues_of,
)
from .networks import LEFT, RIGHT, Network, Points, Sides, random_points

LIMIT = 4096
_START = 512  # points a side to begin with, where the number of monomials does not ask for fewer
_CELLS = 2**13  # values at a time: few enough for the processor's cache


@dataclass(frozen=True)
class Block:
    """The part of degree `grade` in b: its first `templates` points a side and their pivots."""

    grade: int
    templates: int
    pivots: Pivots

    @property
    def rank(self) -> int:
        return self.pivots.rank


@dataclass(frozen=True)
class RankCertificate:
    """sep(y) >= rank, by one minor a block that is not 0 modulo `prime`.

    Points are flat tuples of residues, drawn from `seed`; each block uses the first of them, more
    than its rank. Weights are part of `network`.
    """

    network: AttentionNetwork | HadamardNetwork
    prime: int
    seed: int
    left: Points
    right: Points
    blocks: tuple[Block, ...]

    @property
    def rank(self) -> int:
        return sum(block.rank for block in self.blocks)

    @property
    def failure(self) -> Fraction:
        """At most this is the chance that random points show less than y's rank modulo `prime`.

        A part of rank above r has a minor of size r + 1 that is a nonzero polynomial of degree
        (r + 1) deg y in the coordinates; by Schwartz and Zippel it vanishes at random points with
        probability (r + 1) deg(y) max_x P(coordinate = x) at most.
        """
        likeliest = Fraction(1, self.prime) + Fraction(1, 2**64)
        minors = sum(block.rank + 1 for block in self.blocks)
        return min(Fraction(1), minors * self.network.total_degree * likeliest)

    def flaw(self) -> str:
        """What is wrong with it, everything computed again; nothing: ""."""
        try:
            check_prime(self.prime)
        except NumericError as error:
            return str(error)
        if self.prime <= self.network.grades:
            return f"{self.prime} residues do not interpolate degree {self.network.grades}"
        if [block.grade for block in self.blocks] != list(range(self.network.grades + 1)):
            return f"there is not one block for each grade 0..{self.network.grades}, in order"
        if len(self.left) != len(self.right) or not self.left:
            return f"there are {len(self.left)} points on the left, {len(self.right)} on the right"
        for block in self.blocks:
            if basic := _flaw_of_block(block, len(self.left)):
                return f"block {block.grade}: {basic}"
        if (self.left, self.right) != _points(self.network, len(self.left), self.prime, self.seed):
            return f"the points are not those of seed {self.seed}"
        sizes = {block.grade: block.templates for block in self.blocks}
        parts = _parts(self.network, self.left, self.right, sizes, self.prime)
        for block in self.blocks:
            part, pivots = parts[block.grade], block.pivots
            if not minor_mod(part, pivots.rows, pivots.columns, self.prime):
                return f"block {block.grade}: the minor is 0 modulo {self.prime}"
            rank = rank_mod(part, self.prime)
            if rank != block.rank:
                return f"block {block.grade}: the rank is {rank}, not {block.rank}"
        return ""

    def verify(self) -> None:
        """Raise unless points, minors and ranks are as stated."""
        flaw = self.flaw()
        if flaw:
            raise NumericError(
                "certificate: expected points, minors and ranks that recomputing confirms; got one "
                f"where {flaw}. Compute it again with certify_rank(network)."
            )


def attention_rank(
    layers: int,
    width: int,
    tokens: int,
    heads: int = 1,
    degree: int = 3,
    seed: int = 0,
    *,
    limit: int = LIMIT,
) -> RankCertificate:
    """The separation rank of random linear attention, `tokens` tokens a side.

    Weights and points are functions of the arguments; `limit` as in `certify_rank`.
    """
    network = random_attention(layers, width, tokens, heads, degree, seed=seed)
    return certify_rank(network, seed=seed, limit=limit)


def hadamard_rank(
    inputs: int, degree: int, depth: int, width: int = 2, seed: int = 0, *, limit: int = LIMIT
) -> RankCertificate:
    """The separation rank of a random network of entrywise products, `inputs` inputs a side.

    Weights and points are functions of the arguments; `limit` as in `certify_rank`.
    """
    network = random_hadamard(inputs, degree, depth, width, seed=seed)
    return certify_rank(network, seed=seed, limit=limit)


def certify_rank(
    network: AttentionNetwork | HadamardNetwork,
    *,
    seed: int = 0,
    prime: int = PRIME,
    limit: int = LIMIT,
) -> RankCertificate:
    """The separation rank of `network` over its two sides, at points drawn from `seed`.

    Points are added until each block has more of them than its rank. A block that needs more than
    `limit` a side raises: a rank as large as the number of points would say nothing.
    """
    check_prime(prime)
    whole("limit", limit, 1)
    found: dict[int, Block] = {}
    size = min(_START, limit)
    while True:
        sizes = {
            grade: min(network.cap(grade) + 1, size)
            for grade in range(network.grades + 1)
            if grade not in found
        }
        left, right = _points(network, max(sizes.values()), prime, seed)
        parts = _parts(network, left, right, sizes, prime)
        for grade, part in parts.items():
            pivots = pivots_mod(part, prime)
            if pivots.rank < sizes[grade]:
                found[grade] = Block(grade, sizes[grade], pivots)
        if len(found) == network.grades + 1:
            break
        if size == limit:
            short = [grade for grade in sizes if grade not in found]
            raise NumericError(
                f"limit: expected more points a side than the rank of every block; got {limit}, "
                f"which the blocks of grades {short} use up. Raise limit, e.g. to {2 * limit}, or "
                "take a smaller network."
            )
        size = min(2 * size, limit)
    most = max(block.templates for block in found.values())
    blocks = tuple(found[grade] for grade in range(network.grades + 1))
    return RankCertificate(network, prime, seed, left[:most], right[:most], blocks)


def values_mod(
    network: AttentionNetwork | HadamardNetwork, left: Points, right: Points, prime: int = PRIME
) -> np.ndarray:
    """The matrix y(a_i, b_j) modulo `prime` of points a_i on the left and b_j on the right.

    Its rank is at most sep(y), whatever the points.
    """
    check_prime(prime)
    sides = _sides(network, left, right, prime)
    one = np.ones(1, np.uint64)
    step = max(1, _CELLS // len(right))
    rows = [
        network.values(_cut(sides, start, start + step), one, prime)[0]
        for start in range(0, len(left), step)
    ]
    return np.concatenate(rows).astype(np.int64)


def _parts(
    network: Network, left: Points, right: Points, sizes: Mapping[int, int], prime: int
) -> dict[int, np.ndarray]:
    """For each grade k the matrix y_k(a_i, b_j) modulo `prime` of the first sizes[k] points."""
    count, scales = max(sizes.values()), np.arange(network.grades + 1, dtype=np.uint64)
    left, right = left[:count], right[:count]
    coefficients = interpolation(len(scales), prime)
    parts = {grade: np.empty((size, size), np.int64) for grade, size in sizes.items()}
    sides = _sides(network, left, right, prime)
    step = max(1, _CELLS // (count * len(scales)))
    for start in range(0, count, step):
        values = network.values(_cut(sides, start, start + step), scales, prime)
        wanted = [grade for grade, size in sizes.items() if size > start]
        flat = values.reshape(len(scales), -1)
        rows = matmul_mod(coefficients[wanted], flat, prime).reshape(len(wanted), -1, count)
        for grade, block in zip(wanted, rows, strict=True):
            part = parts[grade][start : start + step]
            part[:] = block[: len(part), : sizes[grade]]
    return parts


def _sides(network: Network, left: Points, right: Points, prime: int) -> Sides:
    for name, points in (("left", left), ("right", right)):
        if not points or any(len(point) != network.coordinates for point in points):
            raise NumericError(
                f"{name}: expected points of {network.coordinates} coordinates, one or more; got "
                f"{len(points)} of lengths {sorted({len(point) for point in points})}. A point "
                "holds all coordinates of its side."
            )
    return network.sides(residues_of(left, prime), residues_of(right, prime), prime)


def _cut(sides: Sides, start: int, stop: int) -> Sides:
    """The same with these left points alone."""
    left, right = sides
    return tuple(array[..., start:stop] for array in left), right


def _points(network: Network, count: int, prime: int, seed: int) -> tuple[Points, Points]:
    size = network.coordinates
    return (
        random_points(count, size, prime, seed, LEFT),
        random_points(count, size, prime, seed, RIGHT),
    )


def _flaw_of_block(block: Block, points: int) -> str:
    rows, columns = block.pivots.rows, block.pivots.columns
    if not block.rank < block.templates <= points:
        return f"{block.templates} points of {points} do not exceed the rank {block.rank}"
    if len(rows) != len(columns):
        return f"{len(rows)} rows and {len(columns)} columns make no minor"
    for indices in (rows, columns):
        if list(indices) != sorted(set(indices)) or any(
            not 0 <= index < block.templates for index in indices
        ):
            return f"{indices} are not increasing indices below {block.templates}"
    return ""
