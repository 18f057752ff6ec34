"""From recorded runs to evidence about trends.

A trend names what was recorded (`observable`) and on which data (`parameters`). Numbers are the
exact rationals that the float64 results are; `rounding` bounds what rounding did to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from sympy import Expr, Integer

from ....symbolic.statements import Statement, Trend
from ...claim import Settings
from ...kernel.evidence import Part, Trajectory

Place = Mapping[str, int]
Values = tuple[tuple[int, Fraction], ...]
Recorder = Callable[[Place, Settings], Values]


def place(**numbers: int) -> tuple[tuple[str, Expr], ...]:
    """The parameters of a trend."""
    return tuple((name, Integer(number)) for name, number in numbers.items())


def exact(marks: Sequence[int], numbers: Sequence[float]) -> Values:
    return tuple((mark, Fraction(number)) for mark, number in zip(marks, numbers, strict=True))


def recorded(
    parts: Sequence[Statement],
    settings: Settings,
    recorders: Mapping[str, Recorder],
    rounding: Fraction,
) -> tuple[Part, ...]:
    """Every trend among the parts with what was recorded for it."""
    found = []
    for index, part in enumerate(parts):
        if isinstance(part, Trend) and part.observable in recorders:
            numbers = {name: int(value) for name, value in part.parameters}
            values = recorders[part.observable](numbers, settings)
            run = Trajectory(part.observable, part.parameters, rounding, values)
            found.append(Part(index, run))
    return tuple(found)
