"""Values of networks modulo a prime, all points at once: numpy's int64 with a bit budget.

Numbers lie below a prime below 2^30. They are multiplied and at most `INNER` products added before
they are reduced, which stays below 2^63; no other arithmetic is used, so that nothing is rounded.
This is the only module of the kernel that loads numpy, and only a check of a network loads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice

import numpy as np
from flint import nmod_mat

from ...symbolic.statements import Attention, Hadamard
from .networks import Network, grades, sizes
from .terms import require, spend

Points = tuple[tuple[int, ...], ...]
INNER = 8
CELLS = 2**23  # values that are kept at a time


def parts(
    network: Network, weights: Sequence[int], left: Points, right: Points, p: int
) -> Iterator[np.ndarray]:
    """For k = 0, 1, ... the values modulo p, left point by right point, of the part of degree k in
    the right side: interpolated from the values where that side is scaled by 0, 1, 2, ..."""
    top = grades(network)
    require(top < p < 2**30, f"{p} residues are too few, or too large to add up exactly")
    scales = np.arange(top + 1, dtype=np.int64)
    cells = len(scales) * len(left) * len(right)
    require(cells <= CELLS, "there are too many points")
    spend(cells * (_cost(network) + len(scales)) // 1500)
    ours, theirs = (np.array([[x % p for x in row] for row in side], np.int64)
                    for side in (left, right))  # fmt: skip
    step = max(1, 2**14 // (len(scales) * len(right)))
    values = np.concatenate(
        [_values(network, weights, ours[start : start + step], theirs, scales, p)
         for start in range(0, len(left), step)], axis=1,
    )  # fmt: skip
    powers = nmod_mat([[pow(t, k, p) for k in range(top + 1)] for t in range(top + 1)], p)
    for row in powers.inv().table():
        factors = np.array([int(entry) for entry in row], np.int64)[:, None, None]
        yield _residues(_residues(factors * values, p).sum(0), p)


def _values(
    network: Network, weights: Sequence[int], left: np.ndarray, right: np.ndarray,
    scales: np.ndarray, p: int,
) -> np.ndarray:  # fmt: skip
    """The output, for each scale of the right side, left and right point."""
    if isinstance(network, Attention):
        return _attention(network, weights, left, right, scales, p)
    return _hadamard(network, weights, left, right, scales, p)


def _cost(network: Network) -> int:
    """Multiplications for one value."""
    if isinstance(network, Attention):
        layers, width, _, heads, degree = sizes(network)
        return layers * (heads * degree + 3) * width**3
    inputs, width, degree, depth = sizes(network)
    return depth * degree * width * (width + 1) + inputs


def _matrices(
    weights: Sequence[int], shapes: list[tuple[int, int]], p: int
) -> Iterator[np.ndarray]:
    count = sum(rows * columns for rows, columns in shapes)
    require(len(weights) == count, f"there are {len(weights)} weights, not {count}")
    entries = iter(weights)
    for rows, columns in shapes:
        yield np.array([[next(entries) % p for _ in range(columns)] for _ in range(rows)], np.int64)


def _times(one: np.ndarray, two: np.ndarray, p: int) -> np.ndarray:
    """The product of matrices, the last axes of which run over scales and points."""
    terms = (one[:, k, None] * two[None, k] for k in range(len(two)))
    return _residues(reduce(np.add, terms), p)


def _residues(numbers: np.ndarray, p: int) -> np.ndarray:
    """Numbers that are not negative modulo p; numpy divides faster than it takes remainders."""
    return numbers - numbers // p * p


def _attention(
    network: Attention, weights: Sequence[int], left: np.ndarray, right: np.ndarray,
    scales: np.ndarray, p: int,
) -> np.ndarray:  # fmt: skip
    """A layer maps X to X M(G) and G to M^T G M."""
    layers, width, tokens, heads, degree = sizes(network)
    inner = width // heads
    require(
        inner > 0 and max(tokens, width) <= INNER, "no width, or too many tokens or coordinates"
    )
    for points in (left, right):
        require(points.shape[1] == tokens * width, "a point has the wrong length")
    shapes = [(width, inner), (inner, width)] * ((degree - 1) * heads * layers)
    factors = _matrices(weights, shapes, p)
    ours, theirs = (x.reshape(-1, tokens, width).transpose(2, 1, 0) for x in (left, right))
    grams = [np.einsum("atn,btn->abn", x, x) % p for x in (ours, theirs)]
    gram = (grams[0][:, :, None, :, None]
            + scales[:, None, None] * grams[1][:, :, None, None, :]) % p  # fmt: skip
    row = ours[None, :, 0, None, :, None]
    for _ in range(layers):
        mixed = np.zeros((1, 1, 1, 1, 1), np.int64)
        for _ in range(heads):
            chain = [_times(next(factors), next(factors), p)[:, :, None, None, None]
                     for _ in range(degree - 1)]  # fmt: skip
            head = chain[0]
            for place, matrix in enumerate(chain[1:]):
                head = _times(_times(head, gram, p) if place % 2 == 0 else head, matrix, p)
            mixed = (mixed + head) % p
        row = _times(row, mixed, p)
        gram = _times(mixed.swapaxes(0, 1), _times(gram, mixed, p), p)
    return row[0, 0]


def _hadamard(
    network: Hadamard, weights: Sequence[int], left: np.ndarray, right: np.ndarray,
    scales: np.ndarray, p: int,
) -> np.ndarray:  # fmt: skip
    inputs, width, degree, depth = sizes(network)
    require(max(inputs, width) <= INNER, f"there are more than {INNER} inputs a side or outputs")
    for points in (left, right):
        require(points.shape[1] == inputs, "a point has the wrong length")
    shapes = [(width, 2 * inputs)] * degree + [(width, width)] * (degree * (depth - 1))
    matrices = _matrices(weights, [*shapes, (1, width)], p)
    images = []
    for matrix in islice(matrices, degree):
        a, b = _times(matrix[:, :inputs], left.T, p), _times(matrix[:, inputs:], right.T, p)
        images.append((a[:, None, :, None] + scales[:, None, None] * b[:, None, None]) % p)
    for _ in range(depth - 1):
        z = _entrywise(images, p)
        images = [_onto(matrix, z, p) for matrix in islice(matrices, degree)]
    return _onto(next(matrices), _entrywise(images, p), p)[0]


def _entrywise(images: list[np.ndarray], p: int) -> np.ndarray:
    return reduce(lambda one, two: one * two % p, images)


def _onto(matrix: np.ndarray, z: np.ndarray, p: int) -> np.ndarray:
    return np.einsum("ij,j...->i...", matrix, z) % p
