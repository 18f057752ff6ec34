"""What one piece of evidence earns, and the helpers that all checkers share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr

from .rules import require
from .terms import rational


@dataclass(frozen=True)
class Finding:
    """What one piece of evidence earns."""

    evidence: str
    outcome: str
    detail: str
    facts: tuple[str, ...] = ()


def rationals(values: Iterable[Expr]) -> tuple[Fraction, ...]:
    found = tuple(rational(value, {}) for value in values)
    require(None not in found, "an entry is not rational")
    return found  # type: ignore[return-value]
