"""What the functions of this family accept, checked alike and refused in the same words."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from ..errors import NumericError

Exact = int | Fraction


def whole(name: str, value: int, least: int) -> None:
    """Raise unless `value` is an int of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise NumericError(
            f"{name}: expected a whole number of at least {least}; got {value!r}. "
            f"Pass, e.g., {name}={max(least, 1)}."
        )


def integer(name: str, value: int) -> int:
    """`value`, or an error unless it is an int."""
    if not isinstance(value, int):
        raise NumericError(
            f"{name}: expected integers; got {value!r} of type {type(value).__name__}. "
            "Multiply by the common denominator first."
        )
    return value


def check_range(extra: Exact, low: Exact, high: Exact) -> None:
    """Raise unless ln d / (d + extra) is defined on all of [low, high], all three exact."""
    for name, value in (("extra", extra), ("low", low), ("high", high)):
        if not isinstance(value, int | Fraction) or isinstance(value, bool):
            raise NumericError(
                f"{name}: expected an exact number, int or Fraction; got {value!r} of type "
                f"{type(value).__name__}. Write 0.5 as Fraction(1, 2)."
            )
    if extra < -1:
        raise NumericError(
            f"extra: expected at least -1, a layer of degree d having d - 1 matrices or more; "
            f"got {extra}. Pass, e.g., extra=0."
        )
    if low <= 0 or low + extra <= 0:
        raise NumericError(
            f"low: expected more than max(0, -extra) = {max(0, -extra)}, where f is defined; "
            f"got {low}. Pass, e.g., low={max(1, floor(-extra) + 1)}."
        )
    if low >= high:
        raise NumericError(
            f"low, high: expected low < high; got {low} and {high}. Swap or widen them."
        )


def check_integer_range(extra: Exact, low: int, high: int) -> None:
    """The same for the integers low..high, of which there may be one alone."""
    whole("low", low, 1)
    whole("high", high, low)
    check_range(extra, low, high + 1)
