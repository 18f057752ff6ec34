"""What every function of the family asks of its arguments, said in one way."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from ..errors import NumericError

Kind = TypeVar("Kind")


def shown(value: object) -> str:
    """The value, or its beginning."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to write out whole numbers of thousands of digits
        return f"a value of type {type(value).__name__}"


def one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Raise unless `value` is one of the known words."""
    if not isinstance(value, str) or value not in known:
        raise NumericError(
            f"{name}: expected one of {', '.join(known)}; got {shown(value)}. Write, e.g., "
            f"{name}={known[0]!r}."
        )


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """`value` as an int; an error unless it is a whole number from `least` to `most`."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if least <= number and (most is None or number <= most):
            return number
    span = f">= {least}" if most is None else f"from {least} to {most}"
    raise NumericError(
        f"{name}: expected a whole number {span}; got {shown(value)}. Pass, e.g., {name}={least}."
    )


def positive(name: str, value: object) -> float:
    """`value` as a float; an error unless it is a finite number above 0."""
    number = _real(value)
    if not 0 < number < math.inf:
        raise NumericError(
            f"{name}: expected a finite number above 0; got {shown(value)}. Pass, e.g., {name}=0.5."
        )
    return number


def growing(name: str, given: object, most: float = math.inf) -> tuple[float, ...]:
    """`given` as floats; an error unless they are finite, grow and end at `most` or before."""
    marks = tuple(_real(mark) for mark in listed(name, given))
    rising = all(a < b for a, b in pairwise(marks))
    if not marks or not rising or not all(map(math.isfinite, marks)) or marks[-1] > most:
        bound = "" if most == math.inf else f" of at most {most:g}"
        raise NumericError(
            f"{name}: expected growing finite numbers{bound}; got {shown(given)}. Sort them and "
            f"leave out repetitions, e.g. {name}=[1, 2]."
        )
    return marks


def iterations(name: str, given: object, steps: int, octave: int = 2) -> tuple[int, ...]:
    """The iterations to record: those given, or `octave` for each doubling."""
    if given is None:
        return geometric(steps, octave)
    marks = tuple(_real(mark) for mark in listed(name, given))
    rising = all(a < b for a, b in pairwise((0.0, *marks, steps + 1.0)))
    if not marks or not rising or any(mark != int(mark) for mark in marks):
        raise NumericError(
            f"{name}: expected growing whole numbers from 1 to {steps}; got {shown(given)}. Leave "
            "it out for a few in each octave."
        )
    return tuple(int(mark) for mark in marks)


def geometric(last: int, octave: int = 2) -> tuple[int, ...]:
    """1 to `last`, `octave` numbers for each doubling, without repetition."""
    count = int(octave * math.log2(last)) + 1
    return tuple(sorted({round(2 ** (j / octave)) for j in range(count)} | {last}))


def batch_of(given: object, kind: type[Kind]) -> tuple[Kind, ...]:
    """One problem, or several of one shape, as a tuple."""
    what = f"one {kind.__name__} or a list of them"
    batch = (given,) if isinstance(given, kind) else tuple(listed("problems", given, what))
    if not batch:
        raise NumericError("problems: expected at least one problem; got none. Pass one.")
    first: Any = batch[0]
    for number, problem in enumerate(batch):
        if not isinstance(problem, kind):
            raise NumericError(
                f"problems: expected values of type {kind.__name__}; got {shown(problem)} at "
                f"{number}. Build them by {kind.__name__}(tokens, queries, ...)."
            )
        each: Any = problem
        if each.tokens.shape != first.tokens.shape:
            raise NumericError(
                f"problems: expected tokens of one shape in a batch, {first.tokens.shape} as at 0; "
                f"got {each.tokens.shape} at {number}. Train problems of different shapes apart."
            )
    return batch


def require_problem(value: object, kind: type[Kind]) -> Kind:
    """Raise unless `value` is one problem of this kind."""
    if not isinstance(value, kind):
        raise NumericError(
            f"problem: expected one {kind.__name__}; got {shown(value)}. Build it by "
            f"{kind.__name__}(tokens, queries, ...)."
        )
    return value


def listed(name: str, given: object, what: str = "a list or an array") -> list[Any]:
    """The items of a list, a tuple, a one-dimensional array or any other row of values."""
    items = plain(name, given)
    if isinstance(items, np.ndarray):
        items = items.tolist()
    if not isinstance(items, Iterable) or isinstance(items, str | bytes):
        raise NumericError(
            f"{name}: expected {what}; got {shown(given)}. Put it in brackets: {name}=[...]."
        )
    return list(items)


def numbers(name: str, value: object, axes: Sequence[str] = ()) -> np.ndarray:
    """`value` as a fresh float64 array; an error unless all are finite real numbers."""
    try:
        array = np.asarray(plain(name, value))
        objects = array.dtype == object and all(isinstance(entry, Real) for entry in array.flat)
        if array.dtype.kind not in "iuf" and not objects:
            raise TypeError
        array = np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise NumericError(
            f"{name}: expected an array of real numbers, all rows of one length; got "
            f"{shown(value)}. Pass nested lists, an array or a tensor of floats."
        ) from None
    if not np.isfinite(array).all():
        place = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        at = place if len(axes) != len(place) else where(place, axes)
        raise NumericError(
            f"{name}: expected finite numbers; got {array[place]:g} at {at}. Replace NaN and "
            "infinite entries."
        )
    return array


def where(place: Sequence[int], axes: Sequence[str]) -> str:
    """An index in words: `sequence 0, token 2`."""
    return ", ".join(f"{axis} {index}" for axis, index in zip(axes, place, strict=False))


def plain(name: str, value: object) -> object:
    """A torch tensor as NumPy's array, anything else as it is."""
    if not hasattr(value, "detach"):
        return value
    tensor: Any = value
    try:
        tensor = tensor.detach().cpu()
        return (tensor.double() if tensor.is_floating_point() else tensor).numpy()
    except (TypeError, RuntimeError):
        raise NumericError(
            f"{name}: expected a dense tensor that holds values; got one of layout "
            f"{tensor.layout} on {tensor.device}. Pass its to_dense(), or a copy on the CPU."
        ) from None


def _real(value: object) -> float:
    """NaN for what is no real number, inf beyond float64."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf
