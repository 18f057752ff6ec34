"""Recorded runs of `numeric.attsvm.multitoken`; no formula for where training leads is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Derivative, Expr, Integer, Rational

from ....symbolic.attsvm import multitoken as theory
from ....symbolic.statements import Every, Relation
from ...claim import Settings
from ...kernel.evidence import Evidence
from .points import tried
from .records import Place, Recorder, Values, exact, recorded

if TYPE_CHECKING:
    from ....numeric.attsvm.multitoken import (
        Decomposition,
        MultiTokenProblem,
        MultiTokenRun,
        Split,
    )

# Covers float64 sums of a few terms of size 1, times at most 2^16.
ROUNDING = Fraction(1, 10**7)
HALF = Rational(1, 2)


@dataclass(frozen=True)
class Selection:
    """Orthonormal tokens, queries and scores; mu = 1/2, and the step size of the run."""

    tokens: tuple[tuple[tuple[Rational, ...], ...], ...]
    queries: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[Rational, ...], ...]
    step_size: int


HADAMARD = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
ROTATED = tuple(tuple(HALF * entry for entry in row) for row in HADAMARD)
PLAIN = tuple(tuple(Rational(int(i == j)) for j in range(4)) for i in range(4))
FIRST = tuple(map(Rational, ("1", "1/2", "-1/2", "-3/2")))  # s* = (3/4, 1/4, 0, 0)
SECOND = tuple(map(Rational, ("-1/2", "1/4", "3/4", "-1")))  # s* = (0, 1/4, 3/4, 0)
ONE, PAIR = 0, 1
# In both every unselected token supports W^mm; the queries of the pair have the cosine -1/sqrt(5).
SELECTIONS = (
    Selection((ROTATED,), ((2, 0, 0, 0),), (FIRST,), 1),
    Selection((ROTATED, PLAIN), ((2, 0, 0, 0), (-1, 2, 0, 0)), (FIRST, SECOND), 2),
)


def record(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Every trend of the statement with what was recorded for it; points for its relations."""
    found = [*recorded(statement.parts, settings, RECORDERS, ROUNDING)]
    for index, part in enumerate(statement.parts):
        if isinstance(part, Relation):
            found += tried(statement, index, exact_points(part))
    return tuple(found)


def exact_points(relation: Relation) -> Iterator[dict[Expr, Expr]]:
    """A few exact points at which a false variant fails."""
    if relation.given:
        return attention_flow(relation)
    return slopes(relation) if relation.lhs.has(Derivative) else other_maps()


def attention_flow(relation: Relation) -> Iterator[dict[Expr, Expr]]:
    """Two equations for the attention to two unselected tokens, solved by Cramer's rule."""
    first, second, count = Fraction(3, 4), Fraction(7, 4), Fraction(2)
    rows = ((first * (1 + 1 / count), second / count), (first / count, second * (1 + 1 / count)))
    determinant = rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    attention = (
        (rows[1][1] - rows[0][1]) / determinant,
        (rows[0][0] - rows[1][0]) / determinant,
    )
    values = (*attention, first, second, Fraction(1), count)
    yield {
        variable: Rational(value.numerator, value.denominator)
        for (variable, _), value in zip(relation.over, values, strict=True)
    }


def slopes(relation: Relation) -> Iterator[dict[Expr, Expr]]:
    """Logits, scores and mu all different."""
    yield {variable: Integer(n) for n, (variable, _) in enumerate(relation.over, 1)}


def other_maps() -> Iterator[dict[Expr, Expr]]:
    """The exact optimal map of one sequence, and others of the same sum."""
    from ....numeric.attsvm.multitoken import sparsemax

    scores = [Fraction(int(g.p), int(g.q)) for g in FIRST]
    best = sparsemax(scores)
    level = scores[0] - best[0]
    for other in ((1, 1, 1, 1), (3, 1, 0, 0), (1, 3, 0, 0), (0, 1, 2, 1)):
        values = {theory.K: 2, theory.m: 2, theory.level: level, theory.weight: Fraction(1, 2)}
        for t in range(2):
            values[theory.p[t + 1]] = best[t]
            values[theory.s[t + 1]] = Fraction(other[t], sum(other))
            values[theory.u[t + 1]] = Fraction(other[t + 2], sum(other))
            values[theory.gap[t + 1]] = level - scores[t + 2]
        yield {key: Rational(v.numerator, v.denominator) for key, v in values.items()}


def marks(settings: Settings) -> tuple[int, ...]:
    """64, 128, ... to 4096, in the full profile to 65536."""
    return tuple(64 << j for j in range(7 if settings.profile == "quick" else 11))


@dataclass(frozen=True)
class Trained:
    """A run on one selection, with what it is measured against."""

    problem: MultiTokenProblem
    parts: Decomposition
    run: MultiTokenRun

    def splits(self) -> list[Split]:
        return [self.parts.split(weights[0]) for weights in self.run.weights]


@lru_cache(maxsize=8)
def trained(number: int, iterations: tuple[int, ...], device: str) -> Trained:
    """Gradient descent from W = 0."""
    import numpy as np

    from ....numeric.attsvm import multitoken as experiment

    given = SELECTIONS[number]
    tokens, queries, scores = (
        np.array(values, dtype=np.float64) for values in (given.tokens, given.queries, given.scores)
    )
    decoder = np.einsum("ntd,nt->nd", tokens, scores)
    problem = experiment.MultiTokenProblem(tokens, queries, decoder, 0.5)
    run = experiment.train_multitoken(
        [problem],
        steps=iterations[-1],
        step_size=given.step_size,
        record=iterations,
        device=device,
    )
    return Trained(problem, experiment.decompose(problem), run)


def span_error(at: Place, settings: Settings) -> Values:
    """The distance of W from W^fin within the span of selected differences."""
    found = trained(at["instance"], marks(settings), settings.device)
    return exact(found.run.iterations, [split.span_error for split in found.splits()])


def attention_error(at: Place, settings: Settings) -> Values:
    """The largest |s_it - s*_it|."""
    found = trained(at["instance"], marks(settings), settings.device)
    off = [abs(maps[0].cpu().numpy() - found.problem.optimal_map) for maps in found.run.attention]
    return exact(found.run.iterations, [float(each.max()) for each in off])


def scaled_ratio_error(at: Place, settings: Settings) -> Values:
    """eta k times the error of log s_t/s_tau between the first two selected tokens."""
    from math import log

    found = trained(at["instance"], marks(settings), settings.device)
    best = found.problem.optimal_map[0]
    one, two = (int(t) for t in best.nonzero()[0][:2])
    wanted = log(best[one]) - log(best[two])
    logs = found.run.attention[:, 0, 0].log().tolist()
    times = (found.run.step_size * k for k in found.run.iterations)
    errors = (row[one] - row[two] - wanted for row in logs)
    return exact(found.run.iterations, [t * e for t, e in zip(times, errors, strict=True)])


def offset(at: Place, settings: Settings) -> Values:
    """C_k - rate log(eta k), C_k the coefficient of W^mm."""
    from math import log

    found = trained(at["instance"], marks(settings), settings.device)
    logs = (at["rate"] * log(found.run.step_size * k) for k in found.run.iterations)
    return exact(
        found.run.iterations,
        [part.coefficient - rise for part, rise in zip(found.splits(), logs, strict=True)],
    )


def remainder(at: Place, settings: Settings) -> Values:
    """|W - W^fin - C_k W^mm| to the given power."""
    found = trained(at["instance"], marks(settings), settings.device)
    sizes = (float((part.remainder**2).sum()) ** (at["power"] / 2) for part in found.splits())
    return exact(found.run.iterations, list(sizes))


def unselected_ratio(at: Place, settings: Settings) -> Values:
    """log of the attention to one unselected token over that to another."""
    found = trained(at["instance"], marks(settings), settings.device)
    logs = found.run.attention[:, 0, at["sequence"]].log().tolist()
    return exact(found.run.iterations, [row[at["first"]] - row[at["second"]] for row in logs])


RECORDERS: Mapping[str, Recorder] = {
    "span-error": span_error,
    "attention-error": attention_error,
    "scaled-ratio-error": scaled_ratio_error,
    "offset": offset,
    "remainder": remainder,
    "unselected-ratio": unselected_ratio,
}
