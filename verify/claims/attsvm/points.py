"""Statements at single points, random or chosen.

At random points of its domain each part whose variables are single numbers is compared with what
`numeric` observes there: where it fails there is a counterexample, where it clearly holds an
instance. Chosen points serve where hypotheses leave random ones no chance. The kernel decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import ceil, floor

from sympy import Expr, IndexedBase, N, Rational, oo

from ....symbolic.statements import Domain, Every, Relation
from ...claim import Settings
from ...kernel.evidence import Counterexample, Enumeration, Evidence, Instance, Part

Point = dict[Expr, Rational]
Observe = Callable[[list[Point], str], list[dict[Expr, float]]]

# Well above what float64 leaves uncertain in quantities of order one.
CLEAR = 1e-9
STEP = Fraction(1, 16)
GRID = Fraction(1, 256)
REACH = 96  # steps


def probed(
    statement: Every, settings: Settings, observe: Observe, count: int = 64
) -> tuple[Evidence, ...]:
    """Of each part an instance, or a counterexample where the measured values break it; `count`
    points a part, eight times as many in the full profile."""
    count *= 1 if settings.profile == "quick" else 8
    found: list[Evidence] = []
    for index, part in enumerate(statement.parts):
        if not isinstance(part, Relation) or not part.over:
            continue
        if any(isinstance(name, IndexedBase) for name, _ in part.over):
            continue
        points = list(islice(_points(part, settings.seed + index), count))
        found += (Part(index, item) for item in _judged(part, points, settings, observe))
    return tuple(found)


def tried(statement: Every, index: int, points: Iterable[Mapping[Expr, Expr]]) -> tuple[Part, ...]:
    """The first of the points that refutes this part, if one does."""
    from ...kernel import check

    for point in points:
        candidate = Counterexample(tuple(point.items()))
        if check("point", statement.parts[index], (candidate,)).outcome == "refuted":
            return (Part(index, candidate),)
    return ()


def _judged(
    part: Relation, points: list[Point], settings: Settings, observe: Observe
) -> Iterator[Evidence]:
    values = observe(points, settings.device)
    held = [
        (point, seen)
        for point, seen in zip(points, values, strict=True)
        if all(_gap(given, point, seen) > CLEAR for given in part.given)
    ]
    gaps = [_gap(part, point, seen) for point, seen in held]
    worst = min(gaps, default=0.0)
    if worst < -CLEAR:
        yield Counterexample(tuple(held[gaps.index(worst)][0].items()))
        return
    if not any(side in seen for _, seen in held for side in (part.lhs, part.rhs)):
        return
    # One point where an inequality holds says little; it is brought only if all of them do, with
    # room to spare, and no hypothesis narrows where they lie.
    if part.op == "=" or (not part.given and worst > CLEAR):
        yield Instance(tuple(held[0][0].items()), Enumeration(1))


def _gap(relation: Relation, point: Point, seen: dict[Expr, float]) -> float:
    """Positive where the relation holds, negative where it fails."""
    left, right = (
        seen[side] if side in seen else float(N(side.xreplace(point), 20))
        for side in (relation.lhs, relation.rhs)
    )
    if relation.op in ("=", "!="):
        return abs(left - right) if relation.op == "!=" else -abs(left - right)
    return right - left if relation.op in ("<", "<=") else left - right


def _points(part: Relation, seed: int) -> Iterator[Point]:
    """Random points of the domain: whole numbers for an equation, which the kernel decides
    exactly, else sixteenths."""
    from ....numeric.sampling import numpy_generator

    source = numpy_generator(seed, 0)
    step = Fraction(1) if part.op == "=" else STEP
    while True:
        point: Point = {}
        for name, domain in part.over:
            value = _draw(domain, point, step, *map(int, source.integers(0, REACH, 3)))
            point[name] = Rational(value.numerator, value.denominator)
        yield point


def _draw(domain: Domain, point: Point, step: Fraction, *drawn: int) -> Fraction:
    """A number of the domain: at a closed end every second time, else some steps off an end."""
    low, high = (
        None if end in (oo, -oo) else Fraction(str(N(end.xreplace(point), 20)))
        for end in (domain.low, domain.high)
    )
    size, other, edge = drawn
    away = (size + 1) * step
    if low is not None and high is not None:
        return low + (high - low) * Fraction(size + 1, REACH + 1)
    if low is not None:
        start = Fraction(ceil(low / GRID)) * GRID
        return start if edge % 2 and not domain.low_open else start + away
    if high is not None:
        start = Fraction(floor(high / GRID)) * GRID
        return start if edge % 2 and not domain.high_open else start - away
    return (size - other) * step
