"""Exact arrays: whole numbers in int64 where they provably fit, in Python's integers elsewhere.

Arrays of int64, of float64 (dyadic rationals) and of `Fraction` objects all hold exact values.
Products go through the floating-point unit while every partial sum stays below 2^53, where it
makes no error, then through int64, then through FLINT.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import flint
import numpy as np

FLOAT_BITS, INT_BITS = 53, 62


def narrow(array: np.ndarray) -> np.ndarray:
    """The same whole numbers as int64 if they fit, else as Python's integers."""
    if array.dtype == np.int64:
        return array
    if largest(array) < 1 << INT_BITS:
        return array.astype(np.int64)
    return array.astype(object)


def largest(array: np.ndarray) -> int:
    """max |entry|, as a Python integer."""
    return max(abs(int(array.max())), abs(int(array.min()))) if array.size else 0


def scaled(array: np.ndarray) -> tuple[np.ndarray, int]:
    """(whole numbers N, denominator D > 0) with array = N / D."""
    if array.dtype == np.int64:
        return array, 1
    if array.dtype == np.float64:
        return _scaled_floats(array)
    denominator = math.lcm(*(value.denominator for value in array.flat))
    values = [value.numerator * (denominator // value.denominator) for value in array.flat]
    return narrow(objects(values, array.shape)), denominator


def _scaled_floats(array: np.ndarray) -> tuple[np.ndarray, int]:
    """mantissa 2^e with 53-bit mantissas; the denominator is one power of two."""
    fraction, exponent = np.frexp(array)
    mantissa = np.ldexp(fraction, FLOAT_BITS).astype(np.int64)
    # Trailing zeros of the mantissas would only make everything longer.
    low = mantissa & -mantissa
    shift = np.where(mantissa == 0, 0, np.frexp(low.astype(np.float64))[1] - 1)
    mantissa >>= shift
    power = np.where(mantissa == 0, 0, exponent - FLOAT_BITS + shift)
    bottom = min(int(power.min(initial=0)), 0)
    top = int(np.frexp(np.abs(array).max(initial=0.0))[1])
    if top - bottom < INT_BITS:
        return mantissa << (power - bottom), 1 << -bottom
    values = [
        int(value) << int(up - bottom) for value, up in zip(mantissa.flat, power.flat, strict=True)
    ]
    return objects(values, array.shape), 1 << -bottom


def objects(values: Iterable[Any], shape: tuple[int, ...]) -> np.ndarray:
    """An object array, filled without numpy guessing at types."""
    array = np.empty(math.prod(shape), dtype=object)
    array[:] = list(values)
    return array.reshape(shape)


def fractions(numerators: np.ndarray, denominator: int) -> np.ndarray:
    """N / D as an object array of fractions."""
    values = (Fraction(int(value), denominator) for value in numerators.flat)
    return objects(values, numerators.shape)


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left @ right for matrices of whole numbers, exactly."""
    bound = _reach(left, right) * max(left.shape[1], 1)
    if bound < 1 << FLOAT_BITS:
        exact = left.astype(np.float64) @ right.astype(np.float64)
        return exact.astype(np.int64)
    if bound < 1 << INT_BITS:
        return left.astype(np.int64) @ right.astype(np.int64)
    result = to_flint(left) * to_flint(right)
    return narrow(from_flint(result))


def times(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left * right entry by entry, exactly."""
    if _reach(left, right) < 1 << INT_BITS:
        return left.astype(np.int64) * right.astype(np.int64)
    return narrow(left.astype(object) * right.astype(object))


def difference(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left - right, exactly."""
    if largest(left) + largest(right) < 1 << INT_BITS:
        return left.astype(np.int64) - right.astype(np.int64)
    return narrow(left.astype(object) - right.astype(object))


def _reach(left: np.ndarray, right: np.ndarray) -> int:
    """A bound on both arrays and on products of their entries."""
    return max(largest(left), 1) * max(largest(right), 1)


def to_flint(matrix: np.ndarray) -> flint.fmpz_mat:
    """A matrix of whole numbers as FLINT's."""
    rows, columns = matrix.shape
    return flint.fmpz_mat(rows, columns, matrix.ravel().tolist())


def from_flint(matrix: flint.fmpz_mat) -> np.ndarray:
    """FLINT's matrix as Python's integers."""
    return objects(map(int, matrix.entries()), (matrix.nrows(), matrix.ncols()))
