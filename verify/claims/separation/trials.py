"""Exact points at which the parts of a statement may fail: the one nearest to 0, then random ones.

Sums have sizes of at most four, sequences small whole numbers as entries. Parts with hypotheses
about sequences are left out. The kernel decides what a point shows.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from sympy import Expr, Indexed, IndexedBase, Rational, Symbol, oo

from ....symbolic.statements import Domain, Every, Relation
from ...claim import Settings
from ...kernel.evidence import Counterexample, Evidence, Part
from ...kernel.terms import holds, rational

Values = dict[Expr, Fraction]
TRIALS = 40
REACH = 3  # of numbers, from the least on
LONGEST = 6  # entries of a sequence with one index


def failing(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """For each part that fails at one of its points, this point."""
    found: list[Evidence] = []
    for number, part in enumerate(statement.parts):
        if isinstance(part, Relation) and not any(map(_about_sequences, part.given)):
            source = Random(f"{settings.seed} {number}")
            found += (Part(number, item) for item in _failure(part, source))
    return tuple(found)


def _about_sequences(given: Relation) -> bool:
    return bool(given.over or given.lhs.has(Indexed) or given.rhs.has(Indexed))


def _failure(part: Relation, source: Random) -> tuple[Counterexample, ...]:
    for number in range(TRIALS):
        point = _point(part, source if number else None)
        if all(_true(given, point) for given in part.given) and _true(part, point) is False:
            return (Counterexample(tuple((key, Rational(v)) for key, v in point.items())),)
    return ()


def _true(relation: Relation, point: Values) -> bool | None:
    """None where the sides are no rational numbers."""
    left, right = rational(relation.lhs, point), rational(relation.rhs, point)
    if left is None or right is None:
        return None
    return holds((left > right) - (left < right), relation.op)


def _point(part: Relation, source: Random | None) -> Values:
    entries = part.lhs.atoms(Indexed) | part.rhs.atoms(Indexed)
    single = [pair for pair in part.over if isinstance(pair[0], Symbol)]
    point: Values = {}
    for variable, domain in single:
        point[variable] = _draw(domain, point, source)
    for base, domain in part.over:
        if isinstance(base, IndexedBase):
            count = max((len(entry.indices) for entry in entries if entry.base == base), default=1)
            reach = LONGEST if count == 1 else REACH + 1
            for places in product(range(1, reach + 1), repeat=count):
                point[base[places]] = _draw(domain, point, source)
    return point


def _draw(domain: Domain, point: Values, source: Random | None) -> Fraction:
    """A whole number of the domain, near its lower end if it has one; without a source the one
    nearest to 0."""
    low, high = (
        None if end in (oo, -oo) else rational(end, point) for end in (domain.low, domain.high)
    )
    first = -REACH if low is None else int(low)
    last = first + (REACH if low is not None else 2 * REACH)
    last = last if high is None else min(last, int(high))
    if source is None:
        return Fraction(min(max(first, 0), last))
    return Fraction(source.randint(first, last))
