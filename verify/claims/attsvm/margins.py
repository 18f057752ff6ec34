"""The max-margin solution with its exact certificate, and data that have none.

The instances are written out: the two counterexamples of the family, random whole data of several
shapes, and degenerate ones (equal tokens, margins of 1 with multiplier 0). The stated points are
part of the statements; a certificate must hold for them in rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from operator import mul

from sympy import Expr, Integer, Rational, Symbol

from ....symbolic.statements import Every, Infeasible, Minimiser, Statement
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence, Multipliers, Part
from ...kernel.terms import rational

SOURCE = "seed 003, Optimisation; Tarzanagh et al., arXiv 2308.16898, (Att-SVM)"
Vector = tuple[int, ...]
ONE = Integer(1)


@dataclass(frozen=True)
class Data:
    """Tokens of each sequence, its query and its optimal token."""

    tokens: tuple[tuple[Vector, ...], ...]
    queries: tuple[Vector, ...]
    optimal: Vector

    def rows(self) -> tuple[tuple[Expr, ...], ...]:
        """A_it = (x_i,opt - x_it) z_i^T for t != opt_i, entry by entry."""
        return tuple(
            tuple(Integer((a - b) * c) for a, b in zip(x[best], other, strict=True) for c in z)
            for x, z, best in zip(self.tokens, self.queries, self.optimal, strict=True)
            for t, other in enumerate(x)
            if t != best
        )


def shortest(data: Data, below: int, *above: int) -> Minimiser:
    """W = above / below, row by row, is the shortest matrix with all margins >= 1."""
    rows = data.rows()
    point = tuple(Rational(entry, below) for entry in above)
    return Minimiser(rows, (ONE,) * len(rows), point)


def hopeless(data: Data, without: tuple[int, ...] = ()) -> Infeasible:
    """No matrix has all margins >= 1; `without` leaves rows out."""
    rows = tuple(row for place, row in enumerate(data.rows()) if place not in without)
    return Infeasible(rows, (ONE,) * len(rows))


def certify_systems(statement: Statement, settings: Settings) -> tuple[Evidence, ...]:
    """Solve each system exactly and report what that says about the statement."""
    if isinstance(statement, Every):
        return tuple(
            Part(index, item)
            for index, part in enumerate(statement.parts)
            for item in certify_systems(part, settings)
        )
    if not isinstance(statement, Minimiser | Infeasible):
        return ()
    from ....numeric import attsvm as experiment

    rows = [_fractions(row) for row in statement.rows]
    stated = _fractions(statement.point) if isinstance(statement, Minimiser) else None
    if stated and any(sum(map(mul, row, stated)) < 1 for row in rows):
        return (_counterexample(stated),)
    # Row a as a sequence {opt a, other 0} with query e_1: the point is the first column of W.
    size, count = len(rows[0]), len(rows)
    unit = [1] + [0] * (size - 1)
    problem = experiment.Problem([[row, [0] * size] for row in rows], [unit] * count, [0] * count)
    try:
        certificate = experiment.solve(problem).certificate
    except experiment.Infeasible as reason:
        return (Multipliers(reason.multipliers),)
    found = list(certificate.point[::size]) if certificate else []
    if certificate and found == stated:
        return (Multipliers(certificate.all_multipliers(count)),)
    return (_counterexample(found),)


def _fractions(entries: Sequence[Expr]) -> list[Fraction]:
    values = [rational(entry, {}) for entry in entries]
    return [value for value in values if value is not None]


def _counterexample(point: Sequence[Fraction]) -> Counterexample:
    values = enumerate(Rational(x.numerator, x.denominator) for x in point)
    return Counterexample(tuple((Symbol(f"w{k}"), value) for k, value in values))


LOC = Data((((-3, 1), (1, 0), (0, 0)),), ((1, 0),), (0,))
EQUAL = Data((((1, 0), (0, 0)),) * 4 + (((-2, 1), (0, 0)),), ((1, 0),) * 5, (0,) * 5)
PLANE = Data(
    (
        ((-2, -3), (1, -3), (-3, 1)),
        ((0, -2), (-2, -2), (-3, 2)),
        ((1, -1), (2, -1), (0, -3)),
    ),
    ((1, 2), (2, 0), (-2, 0)),
    (2, 0, 0),
)
WIDE = Data(
    (
        ((-2, -1), (1, 2), (1, 3)),
        ((3, -2), (2, -2), (-2, -2)),
        ((3, 2), (2, -1), (-3, -2)),
        ((0, 1), (-1, 1), (-3, 3)),
        ((2, -1), (3, -2), (3, -3)),
    ),
    ((-3, -1), (-1, -2), (0, 1), (0, -2), (0, -2)),
    (0, 2, 0, 0, 2),
)
FULL = Data(
    (
        ((-1, -1, -3), (-3, -3, 1), (3, 3, 1), (3, 0, 0)),
        ((1, -1, 0), (-3, -2, -3), (1, 2, 3), (2, 3, -3)),
    ),
    ((1, -1, -2), (2, -1, 1)),
    (3, 0),
)
SPACE = Data(
    (
        ((1, 0, -2), (-1, 2, -2), (2, 2, -2)),
        ((-2, 2, 1), (0, -2, -1), (1, -1, 2)),
        ((1, -2, -2), (2, -1, 1), (-1, -2, 2)),
        ((0, 0, 0), (1, -2, 2), (-1, -1, 1)),
    ),
    ((-2, 2, -2), (0, 2, -1), (2, -1, 2), (2, 0, 2)),
    (1, 0, 1, 1),
)
IDLE = Data(  # a row with margin 1 and multiplier 0
    (
        ((1, 0, -1, 2), (-1, 1, -2, 2), (-2, 0, 0, 2), (2, -2, 2, 2)),
        ((-1, 0, 1, 2), (2, -1, -1, 2), (-2, 0, 0, 2), (0, 1, 2, 1)),
        ((0, -1, -2, 2), (-2, -1, -2, 1), (1, -2, -1, -1), (1, -1, 1, -2)),
    ),
    ((-1, -1, 0, -1), (1, -1, 2, 0), (-2, -1, -2, -1)),
    (2, 3, 1),
)
TWINS = Data(  # tokens 0 and 2 are equal, so that the Gram matrix is singular
    (((-3, 2, 3), (1, 1, 2), (-3, 2, 3), (-3, 3, 2)),), ((-1, 0, 2),), (3,)
)

_IDLE_POINT = (151, 81, 70, 116, 55, -15, 70, 20, -37, -107, 70, -72, -35, 35, -70, 0)


def max_margin(*changed: Statement, at: int = 0) -> Every:
    """All instances with their solutions; `changed` stands in from place `at` on."""
    parts = (
        shortest(LOC, 10, -3, 0, 1, 0),
        shortest(EQUAL, 1, 1, 0, 3, 0),
        shortest(PLANE, 8, 4, -2, -4, 3),
        shortest(WIDE, 4, 5, -2, 0, 4),
        shortest(FULL, 21, 3, -2, -1, -3, 2, 1, 0, 0, 0),
        shortest(SPACE, 58, 5, -4, 6, 0, 3, -2, 4, 1, 3),
        shortest(IDLE, 840, *_IDLE_POINT),
        shortest(TWINS, 10, 0, 0, 0, -1, 0, 2, 1, 0, -2),
    )
    return Every((*parts[:at], *changed, *parts[at + len(changed) :]))


MAX_MARGIN = Claim(
    id="attsvm.max-margin",
    title="the max-margin matrix of eight instances, exactly",
    statement=max_margin,
    source=SOURCE,
    expected="certified",
    hypotheses=(
        "W^mm minimises |W|_F subject to (x_i,opt - x_it) . W z_i >= 1 for all t != opt_i",
    ),
    certificate=certify_systems,
    mutants=(
        Mutant(
            "longer",
            partial(max_margin, shortest(LOC, 3, -1, 0, 0, 0)),
            "feasible, but not shortest",
        ),
        Mutant(
            "local-limit",
            partial(max_margin, shortest(LOC, 1, 1, 0, 0, 0)),
            "where gradient descent goes from another start: it violates the margins",
        ),
        Mutant(
            "equal-scores-limit",
            partial(max_margin, shortest(EQUAL, 1, 1, 0, 0, 0), at=1),
            "the direction that four copies lead to violates the last margin",
        ),
        Mutant(
            "another-token",
            partial(max_margin, shortest(replace(PLANE, optimal=(2, 0, 1)), 8, 4, -2, -4, 3), at=2),
            "the point selects token 0 of the last sequence, not token 1",
        ),
        Mutant(
            "rounded",
            partial(max_margin, shortest(FULL, 1000, 143, -95, -48, -143, 95, 48, 0, 0, 0), at=4),
            "three digits of the solution are not the solution",
        ),
        Mutant(
            "transposed",
            partial(max_margin, shortest(SPACE, 58, 5, 0, 4, -4, 3, 1, 6, -2, 3), at=5),
            "queries and tokens exchanged",
        ),
    ),
)

HULL = Data((((1, 1), (0, 1), (2, 1), (3, -1)),), ((1, 2),), (0,))
OPPOSED = Data((((2, 0), (1, 1)), ((0, 1), (3, -2))), ((1, -1), (2, -2)), (0, 0))
COMBINED = Data(
    (((2, 1), (1, 0)), ((0, 0), (-1, -1)), ((1, 1), (2, 2))), ((1, 0), (0, 1), (3, 2)), (0, 0, 0)
)
CROWDED = Data(  # five of its rows cancel, in four dimensions; no four of them do
    (
        ((0, 0), (-1, 0), (2, 2)),
        ((0, -1), (2, 2), (-2, -2)),
        ((1, 2), (1, 1), (-1, -2)),
    ),
    ((1, 0), (-1, 1), (0, 1)),
    (0, 0, 0),
)


def infeasible(*changed: Statement, at: int = 0) -> Every:
    """All infeasible instances; `changed` stands in from place `at` on."""
    parts = tuple(hopeless(data) for data in (HULL, OPPOSED, COMBINED, CROWDED))
    return Every((*parts[:at], *changed, *parts[at + len(changed) :]))


INFEASIBLE = Claim(
    id="attsvm.infeasible",
    title="four instances that no matrix separates, with multipliers that cancel their rows",
    statement=infeasible,
    source=SOURCE,
    expected="certified",
    hypotheses=(
        "Farkas: lambda >= 0, not all 0, with sum lambda_it A_it = 0, exists if and only if no W "
        "has all margins >= 1",
    ),
    certificate=certify_systems,
    mutants=(
        Mutant(
            "corner",
            partial(infeasible, hopeless(replace(HULL, optimal=(1,)))),
            "token 1 is a corner of the convex hull of its sequence",
        ),
        Mutant(
            "agreed",
            partial(infeasible, hopeless(replace(OPPOSED, optimal=(0, 1))), at=1),
            "with the other token the two sequences want the same",
        ),
        Mutant(
            "another-query",
            partial(
                infeasible, hopeless(replace(COMBINED, queries=((1, 0), (0, 1), (3, -2)))), at=2
            ),
            "the last query is no positive combination of the others",
        ),
        Mutant(
            "a-row-less",
            partial(infeasible, hopeless(CROWDED, without=(0,)), at=3),
            "without one of the five rows that cancel some matrix separates the rest",
        ),
    ),
)
