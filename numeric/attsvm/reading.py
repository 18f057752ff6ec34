"""Tokens, queries and scores as they come, read without rounding.

Nested lists, arrays and tensors of whole numbers, fractions or floats become arrays of int64, of
float64 or of `Fraction`; all else is refused by its place, in the words of the theory.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral, Rational

import numpy as np

from ..errors import NumericError
from . import integers
from .arguments import plain, shown, where


def exact_array(name: str, value: object, axes: tuple[str, ...]) -> np.ndarray:
    """A fresh array of int64, float64 or fractions with the very values of `value`."""
    given = plain(name, value)
    try:
        array = given if isinstance(given, np.ndarray) else np.array(given, dtype=object)
    except ValueError:
        array = np.empty(0)  # ragged arrays: no shape to speak of
    if array.ndim != len(axes) or 0 in array.shape:
        raise NumericError(
            f"{name}: expected numbers along the axes ({', '.join(axes)}), none of them empty; "
            f"got {_uneven(array, axes) or f'shape {array.shape}'}: {shown(given)}. Nest lists in "
            "that order, all of the same length."
        )
    if array.dtype == object:
        return _exact_objects(name, array, axes)
    if np.issubdtype(array.dtype, np.integer):
        if array.dtype == np.uint64:
            return integers.narrow(integers.objects(array.ravel().tolist(), array.shape))
        return array.astype(np.int64)
    if not np.issubdtype(array.dtype, np.floating) or array.dtype.itemsize > 8:
        raise NumericError(
            f"{name}: expected whole numbers, fractions or floats of at most 64 bits; "
            f"got an array of {array.dtype}. Convert it, e.g. by astype(np.float64)."
        )
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(array))[0])
        raise NumericError(_not_a_number(name, float(array[place]), place, axes))
    return array


def _exact_objects(name: str, array: np.ndarray, axes: tuple[str, ...]) -> np.ndarray:
    values, kinds = [], set()
    for place, value in np.ndenumerate(array):
        if isinstance(value, bool | np.bool_):
            raise NumericError(_not_a_number(name, value, place, axes))
        if isinstance(value, Integral):
            values.append(int(value))
            kinds.add(int)
        elif isinstance(value, Rational):
            values.append(Fraction(value))
            kinds.add(Fraction)
        elif isinstance(value, float | np.floating) and math.isfinite(value):
            values.append(float(value))
            kinds.add(float)
        else:
            raise NumericError(_not_a_number(name, value, place, axes))
    if kinds == {float} or (kinds == {int, float} and _float_sized(values)):
        return np.array(values, dtype=np.float64).reshape(array.shape)
    if kinds == {int} and max(map(abs, values)) < 1 << integers.INT_BITS:
        return np.array(values, dtype=np.int64).reshape(array.shape)
    exact = integers.objects(map(Fraction, values), array.shape)
    _check_range(name, exact, axes)
    return exact


def _float_sized(values: list) -> bool:
    return all(abs(value) <= 1 << integers.FLOAT_BITS for value in values if isinstance(value, int))


def _uneven(array: np.ndarray, axes: tuple[str, ...]) -> str:
    """Which row of nested lists has another length than the first; "" if none has."""
    depth = array.ndim
    if not 0 < depth < len(axes) or not all(isinstance(row, list | tuple) for row in array.flat):
        return ""
    start = (0,) * depth
    for place, row in np.ndenumerate(array):
        if len(row) != len(array[start]):
            counted = f"{len(row)} {axes[depth]}s in {where(place, axes)}"
            return f"{counted} but {len(array[start])} in {where(start, axes)}"
    return ""


def _check_range(name: str, exact: np.ndarray, axes: tuple[str, ...]) -> None:
    for place, value in np.ndenumerate(exact):
        try:
            float(value)
        except OverflowError:
            raise NumericError(
                f"{name}: expected numbers below 1.8e308, which float64 can hold; got a larger "
                f"one at {where(place, axes)}. Rescale the data."
            ) from None


def _not_a_number(name: str, value: object, place: tuple, axes: tuple[str, ...]) -> str:
    return (
        f"{name}: expected finite numbers (whole, Fraction or float); got {shown(value)} "
        f"at {where(place, axes)}. Replace it by one."
    )
