"""Linear algebra modulo a prime: ranks, pivots, products, interpolation.

A minor that does not vanish modulo p does not vanish over the integers, so the rank modulo p never
exceeds the rank over Q, and pivots found modulo p certify it from below. Ranks are taken by FLINT;
products of residues below 2^30 in 64-bit words or, summed many at a time, in float64 by halves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index

import flint
import numpy as np

from ..errors import NumericError
from .arguments import whole

# Bit budget: residues are below 2^30, so that 16 products of two and one more residue stay below
# 16 (2^30 - 2)^2 + 2^30 < 2^64, and only then is a reduction due.
PRIME_LIMIT = 2**30
PRIME = 1073741789  # the largest prime below the limit
TERMS = 16
# Halves of residues are below 2^15: 2^22 products of two, taken twice, stay within the 2^53 up to
# which float64 holds every integer, whatever the order of summation.
_HALF = 15
_FLOAT_TERMS = 2**22

IntegerMatrix = np.ndarray | Sequence[Sequence[int]]


@dataclass(frozen=True)
class Pivots:
    """Rows and columns, increasing, of a largest minor that does not vanish modulo a prime."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def rank(self) -> int:
        return len(self.rows)


def rank_mod(matrix: IntegerMatrix, prime: int = PRIME) -> int:
    """The rank of an integer matrix modulo `prime`, at most its rank over Q.

    Less than that only if `prime` divides all minors of the full size: for a small prime that
    happens often.
    """
    return _flint(_residues(matrix, prime), prime).rank()


def pivots_mod(matrix: IntegerMatrix, prime: int = PRIME) -> Pivots:
    """The first rows and columns that span all others modulo `prime`.

    The minor is checked again, by its determinant: `minor_mod` of the result is not 0.
    """
    residues = _residues(matrix, prime)
    columns = _pivot_columns(residues, prime)
    rows = _pivot_columns(residues[:, columns].T, prime)
    if not _minor(residues, rows, columns, prime):
        raise ArithmeticError(
            f"matrix: expected a minor of size {len(rows)} that is not 0 modulo {prime} in rows "
            f"{rows} and columns {columns}; its determinant is 0. FLINT contradicts itself: "
            "compare another version."
        )
    return Pivots(tuple(rows), tuple(columns))


def minor_mod(
    matrix: IntegerMatrix, rows: Sequence[int], columns: Sequence[int], prime: int = PRIME
) -> int:
    """The determinant of those rows and columns modulo `prime`; 1 for none of them."""
    residues = _residues(matrix, prime)
    for name, indices, size in zip(
        ("rows", "columns"), (rows, columns), residues.shape, strict=True
    ):
        if any(not 0 <= place < size for place in indices):
            raise NumericError(
                f"{name}: expected indices from 0 to {size - 1}; got {tuple(indices)}. "
                "Count from 0."
            )
    if len(rows) != len(columns):
        raise NumericError(
            f"rows, columns: expected as many of one as of the other; got {len(rows)} and "
            f"{len(columns)}. A minor is square."
        )
    return _minor(residues, rows, columns, prime)


def check_prime(prime: int, limit: int = PRIME_LIMIT) -> None:
    """Raise unless `prime` is one, below `limit`."""
    whole("prime", prime, 2)
    if prime >= limit or not flint.fmpz(prime).is_prime():
        raise NumericError(
            f"prime: expected a prime below 2**{limit.bit_length() - 1}, so that sums fit 64 bits; "
            f"got {prime}. Use, e.g., {PRIME}."
        )


def reduce(values: np.ndarray, prime: int) -> np.ndarray:
    """`values` (uint64) modulo `prime`, in place; three times as fast as the operator %."""
    quotients = values // np.uint64(prime)
    quotients *= np.uint64(prime)
    values -= quotients
    return values


def residues_of(numbers: object, prime: int) -> np.ndarray:
    """Nested integers of any size as residues in uint64."""
    return np.asarray(np.asarray(numbers, dtype=object) % prime, dtype=np.uint64)


def products(a: np.ndarray, b: np.ndarray, prime: int) -> np.ndarray:
    """Matrix products a[:, :, ...] b[:, :, ...] of residues, for each of the trailing indices.

    Trailing axes are broadcast against each other: a constant matrix has axes of length 1 there.
    """
    total = a[:, 0, None] * b[None, 0]
    for k in range(1, a.shape[1]):
        if k % TERMS == 0:
            reduce(total, prime)
        total += a[:, k, None] * b[None, k]
    return reduce(total, prime)


def matmul_mod(a: np.ndarray, b: np.ndarray, prime: int) -> np.ndarray:
    """The product of two matrices of residues, as residues: four products in float64.

    With a = 2^15 a1 + a0 and b = 2^15 b1 + b0, ab = 2^30 a1 b1 + 2^15 (a1 b0 + a0 b1) + a0 b0.
    """
    if a.shape[1] > _FLOAT_TERMS:
        raise NumericError(
            f"a: expected at most 2**22 columns, so that sums fit float64; got {a.shape[1]}. "
            "Split the product."
        )
    low, shift = np.uint64(2**_HALF - 1), np.uint64(_HALF)
    a1, a0 = (part.astype(np.float64) for part in (a >> shift, a & low))
    b1, b0 = (part.astype(np.float64) for part in (b >> shift, b & low))
    total = reduce((a1 @ b1).astype(np.uint64), prime)
    for part in (a1 @ b0 + a0 @ b1, a0 @ b0):
        total <<= shift
        total += part.astype(np.uint64)
        reduce(total, prime)
    return total


def interpolation(count: int, prime: int) -> np.ndarray:
    """Row k of this matrix takes values at 0..count-1 to the coefficient of t^k."""
    if prime < count:
        raise NumericError(
            f"prime: expected at least {count}, the number of points to interpolate; got {prime}. "
            f"Use, e.g., {PRIME}."
        )
    powers = [pow(t, k, prime) for t in range(count) for k in range(count)]
    inverse = flint.nmod_mat(count, count, powers, prime).inv()
    return np.array([int(entry) for entry in inverse.entries()], np.uint64).reshape(count, count)


def _residues(matrix: IntegerMatrix, prime: int) -> np.ndarray:
    """An integer matrix as residues, int64 or uint64."""
    check_prime(prime, 2**63)
    try:
        array = np.asarray(matrix)
        if array.dtype.kind not in "biuO" and not isinstance(matrix, np.ndarray):
            array = np.asarray(matrix, dtype=object)  # beyond 64 bits, or not integers at all
    except ValueError:
        array = np.asarray(None)
    if array.ndim == 2 and array.size == 0:
        return np.zeros(array.shape, np.int64)
    if array.ndim != 2 or array.dtype.kind not in "biuO":
        got = f"dtype {array.dtype}, shape {array.shape}" if array.ndim else repr(matrix)
        raise NumericError(
            f"matrix: expected integers in rows of equal length; got {got}. "
            "Pass, e.g., [[1, 2], [3, 4]]; multiply by the common denominator first."
        )
    if array.dtype.kind == "O":
        entries = [_integer(entry) % prime for entry in array.flat]
        return np.array(entries, np.int64).reshape(array.shape)
    wide = array.astype(np.uint64 if array.dtype.kind == "u" else np.int64)
    return wide % wide.dtype.type(prime)


def _integer(entry: object) -> int:
    try:
        return index(entry)  # pyright: ignore[reportArgumentType]
    except TypeError:
        raise NumericError(
            f"matrix: expected integers; got {entry!r} of type {type(entry).__name__}. "
            "Multiply by the common denominator first."
        ) from None


def _flint(residues: np.ndarray, prime: int) -> flint.nmod_mat:
    if not residues.size:
        return flint.nmod_mat(*residues.shape, prime)
    # By way of integers it takes half the time of building from residues.
    return flint.nmod_mat(flint.fmpz_mat(residues.tolist()), prime)


def _pivot_columns(residues: np.ndarray, prime: int) -> list[int]:
    """Where the rows of the reduced echelon form begin."""
    reduced, rank = _flint(residues, prime).rref(inplace=True)
    columns: list[int] = []
    column = 0
    for row in range(rank):
        while not int(reduced[row, column]):
            column += 1
        columns.append(column)
        column += 1
    return columns


def _minor(residues: np.ndarray, rows: Sequence[int], columns: Sequence[int], prime: int) -> int:
    if not len(rows):
        return 1
    return int(_flint(residues[np.ix_(rows, columns)], prime).det())
