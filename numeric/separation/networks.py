"""What the two kinds of networks share: their interface, their random numbers, their checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from ..errors import NumericError
from ..sampling import check_seed
from .arguments import integer
from .modular import PRIME

Matrix = tuple[tuple[int, ...], ...]
Points = tuple[tuple[int, ...], ...]
# What the left and the right points contribute, one array or more a side; the last axis of each
# runs over the points.
Sides = tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]

WEIGHTS, LEFT, RIGHT = range(3)  # streams of random numbers
# Weights of random networks: all residues modulo the prime. Of those from -9..9 one matrix in
# forty, if 2 x 2, is singular and lowers the rank.
BOUND = PRIME // 2


class Network(Protocol):
    """A polynomial y(a, b) = sum_k y_k(a, b), its parts told apart by their degree in b.

    y_k is homogeneous in a and in b, so that parts of different grade k share no monomials on
    either side and their separation ranks add up.
    """

    @property
    def grades(self) -> int:
        """The largest grade."""
        ...

    @property
    def total_degree(self) -> int:
        """The degree of y in all coordinates."""
        ...

    @property
    def coordinates(self) -> int:
        """Of a point of either side."""
        ...

    def cap(self, grade: int) -> int:
        """A bound from above on the separation rank of y_k, k = grade."""
        ...

    def sides(self, left: np.ndarray, right: np.ndarray, prime: int) -> Sides:
        """What points, one a row, contribute."""
        ...

    def values(self, sides: Sides, scales: np.ndarray, prime: int) -> np.ndarray:
        """sum_k t^k y_k modulo `prime`, indexed by scale t, left point, right point."""
        ...


def draw(count: int, below: int, seed: int, stream: int) -> np.ndarray:
    """`count` numbers from 0..below-1, straight from the seed sequence: no generator's stream.

    Fewer numbers of one seed and stream are the first of more.
    """
    check_seed(seed)
    words = np.random.SeedSequence(seed, spawn_key=(stream,)).generate_state(count, np.uint64)
    return words % np.uint64(below)


def random_matrices(shapes: Iterable[tuple[int, int]], bound: int, seed: int) -> tuple[Matrix, ...]:
    """Matrices of these shapes with entries from -bound..bound."""
    sizes = tuple(shapes)
    numbers = draw(sum(rows * columns for rows, columns in sizes), 2 * bound + 1, seed, WEIGHTS)
    entries = iter(numbers.tolist())
    return tuple(
        tuple(tuple(next(entries) - bound for _ in range(columns)) for _ in range(rows))
        for rows, columns in sizes
    )


def random_points(count: int, coordinates: int, prime: int, seed: int, stream: int) -> Points:
    """Points with coordinates drawn from all residues modulo `prime`."""
    numbers = draw(count * coordinates, prime, seed, stream).reshape(count, coordinates)
    return tuple(map(tuple, numbers.tolist()))


def require_shape(name: str, matrix: Sequence[Sequence[int]], rows: int, columns: int) -> None:
    """Raise unless `matrix` has that shape and integer entries."""
    if len(matrix) != rows or any(len(row) != columns for row in matrix):
        raise NumericError(
            f"{name}: expected a {rows} x {columns} matrix; got {len(matrix)} rows of lengths "
            f"{sorted({len(row) for row in matrix})}. Fit the weights to the network's width."
        )
    for row in matrix:
        for entry in row:
            integer(name, entry)
