"""Whole numbers, checked alike by all functions of this family and refused in the same words."""

from __future__ import annotations

from ..errors import NumericError


def whole(name: str, value: int, least: int) -> None:
    """Raise unless `value` is an int of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise NumericError(
            f"{name}: expected a whole number of at least {least}; got {value!r}. "
            f"Pass, e.g., {name}={least}."
        )


def integer(name: str, value: int) -> None:
    """Raise unless `value` is an int."""
    if not isinstance(value, int):
        raise NumericError(
            f"{name}: expected integers; got {value!r} of type {type(value).__name__}. "
            "Multiply by the common denominator first."
        )
