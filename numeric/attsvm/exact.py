"""Att-SVM over the rationals: the least-norm point or the proof that there is none.

With whole rows a_j (the atoms times one number) and b_j = (a_j, 1), minimise

    |sum_j lambda_j b_j - (0, 1)|^2   over   lambda >= 0.

This least-squares problem always has a solution, and one Gram matrix K = G + 1 1^T is all it
needs. If s = sum lambda < 1 then lambda / (1 - s) are the multipliers of the least-norm point;
if s = 1 then sum lambda_j a_j = 0: Farkas multipliers. The active-set method of Lawson and Hanson
ends after finitely many steps in exact arithmetic, and the rows that it holds are linearly
independent at every step, so that repeated and dependent atoms do no harm. A good guess of the
support makes it a single step.

Source: seed 003, Optimisation; Lawson and Hanson, Solving Least Squares Problems, chapter 23.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np

from ..errors import NumericError
from . import integers
from .arguments import shown
from .problem import Problem

Rows = Sequence[int] | np.ndarray


class Infeasible(NumericError):
    """No W has all margins >= 1; `farkas` proves it."""

    def __init__(self, message: str, farkas: Farkas, rows: int) -> None:
        super().__init__(message)
        self.farkas = farkas
        self.rows = rows

    @property
    def multipliers(self) -> tuple[Fraction, ...]:
        """One nonnegative rational a row, not all 0, with sum lambda_j A_j = 0."""
        return spread(self.farkas.support, self.farkas.multipliers, self.rows)

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.farkas, self.rows)


@dataclass(frozen=True)
class Farkas:
    """Positive multipliers of the rows in `support`, which cancel: 0 >= sum lambda > 0."""

    support: tuple[int, ...]
    multipliers: tuple[Fraction, ...]

    def __repr__(self) -> str:
        return f"Farkas(rows {shown(self.support)} cancel)"

    def flaw(self, problem: Problem) -> str:
        """What is wrong with it as a proof that `problem` is infeasible; nothing: ""."""
        basic = _flaw_of_weights(self.support, self.multipliers, problem.m)
        if basic or not self.support:
            return basic or "it names no row"
        weights, _ = _whole(self.multipliers)
        combined = _combine(problem, self.support, weights)
        return "" if combined.is_zero() else "the rows do not cancel"

    def verify(self, problem: Problem) -> None:
        """Raise unless it proves, in exact arithmetic, that `problem` is infeasible."""
        _require_sound(self.flaw(problem))


@dataclass(frozen=True)
class Certificate:
    """W = sum lambda_j A_j with lambda > 0 on `support`, margin 1 there and >= 1 elsewhere.

    Numbers may be long, so they are kept over two common denominators: `weights` over
    `weight_denominator` are the multipliers on the support, `entries` over `denominator` the
    d * d entries of W, row by row. `active` are all rows with margin 1; those outside the support
    have multiplier 0.
    """

    support: tuple[int, ...]
    weights: tuple[int, ...]
    weight_denominator: int
    entries: tuple[int, ...]
    denominator: int
    active: tuple[int, ...]

    def __repr__(self) -> str:
        norm, active = shown(self.norm_squared), len(self.active)
        return f"Certificate(support of {len(self.support)}, {active} active, |W|^2 = {norm})"

    @property
    def multipliers(self) -> tuple[Fraction, ...]:
        """lambda_j for the rows of the support."""
        return tuple(Fraction(weight, self.weight_denominator) for weight in self.weights)

    @property
    def point(self) -> tuple[Fraction, ...]:
        """The d * d entries of W, row by row."""
        return tuple(Fraction(entry, self.denominator) for entry in self.entries)

    @property
    def norm_squared(self) -> Fraction:
        """|W|_F^2 = sum lambda."""
        return Fraction(sum(self.weights), self.weight_denominator)

    def all_multipliers(self, rows: int) -> tuple[Fraction, ...]:
        """One multiplier for each of the problem's `rows` rows, 0 off the support."""
        return spread(self.support, self.multipliers, rows)

    def margins(self, problem: Problem) -> tuple[list[flint.fmpz], int]:
        """Whole numbers and one positive denominator: <A_j, W> for every row j."""
        w = flint.fmpz_mat(problem.d, problem.d, list(self.entries))
        return _margins(problem, w), self.denominator * problem.scale

    def flaw(self, problem: Problem) -> str:
        """What is wrong with it as the solution of `problem`; nothing: ""."""
        basic = _flaw_of_weights(self.support, self.weights, problem.m)
        if basic or self.weight_denominator <= 0:
            return basic or "the denominator of the multipliers is not positive"
        if len(self.entries) != problem.d**2 or self.denominator <= 0:
            return f"the point has {len(self.entries)} entries for {problem.d} dimensions"
        combined = _combine(problem, self.support, self.weights)
        stated = flint.fmpz_mat(problem.d, problem.d, list(self.entries))
        if combined * self.denominator != stated * (self.weight_denominator * problem.scale):
            return "the point is not the combination of the rows"
        margins, one = self.margins(problem)
        for row, margin in enumerate(margins):
            if margin < one:
                return f"{_name(problem, row)} is {_ratio(margin, one)}, less than 1"
        active = tuple(row for row, margin in enumerate(margins) if margin == one)
        if self.active != active:
            return f"the rows with margin 1 are {active}, not {self.active}"
        for row in self.support:
            if margins[row] != one:
                return f"{_name(problem, row)} is {_ratio(margins[row], one)}, not 1"
        return ""

    def verify(self, problem: Problem) -> None:
        """Raise unless it is, in exact arithmetic, the solution of `problem`."""
        _require_sound(self.flaw(problem))


def certify(problem: Problem, guess: Rows = (), among: Rows = ()) -> Certificate:
    """The solution with its certificate; raises `Infeasible` with Farkas multipliers.

    `guess` is the support as a numeric solver sees it: it saves time and decides nothing. Rows
    outside `among` (default: all rows) must repeat rows inside.
    """
    _require_differences(problem)
    if len(guess):
        certificate = _from_support(problem, np.sort(np.asarray(guess, dtype=np.int64)))
        if certificate is not None:
            return certificate
    rows = np.asarray(among if len(among) else range(problem.m), dtype=np.int64)
    held, weights = _nearest(problem, rows, guess)
    share = problem.scale**2 / (1 - sum(weights, Fraction(0)))
    whole, below = _whole([weight * share for weight in weights])
    certificate = _certificate(problem, held, whole, below)
    if certificate is None:
        raise ArithmeticError("the active-set method ended at a point that is not optimal")
    return certificate


def require_feasible(problem: Problem, rows: Rows, guess: Rows) -> list[int]:
    """Raise `Infeasible` if these rows alone have no solution; else their support."""
    _require_differences(problem)
    return _nearest(problem, np.asarray(rows, dtype=np.int64), guess)[0]


def _require_differences(problem: Problem) -> None:
    zero = np.flatnonzero(~(problem.differences != 0).any(axis=1))
    if zero.size:
        raise _infeasible(problem, Farkas((int(zero[0]),), (Fraction(1),)))


def _nearest(problem: Problem, rows: np.ndarray, guess: Rows) -> tuple[list[int], list[Fraction]]:
    """The least squares of these rows; raises `Infeasible` if they cancel."""
    held, weights = _least_squares(problem, rows, list(guess))
    if sum(weights, Fraction(0)) == 1:
        raise _infeasible(problem, Farkas(tuple(held), tuple(weights)))
    return held, weights


def spread(support: Sequence[int], values: Sequence[Fraction], rows: int) -> tuple[Fraction, ...]:
    """The values at their rows, 0 elsewhere."""
    known = dict(zip(support, values, strict=True))
    return tuple(known.get(row, Fraction(0)) for row in range(rows))


def independent(matrix: np.ndarray) -> list[int]:
    """The first rows that span the others, of a Gram matrix of whole numbers."""
    reduced, _, rank = integers.to_flint(matrix).rref()
    pivots, column = [], 0
    for row in range(rank):
        while reduced[row, column] == 0:
            column += 1
        pivots.append(column)
    return pivots


def _from_support(problem: Problem, support: np.ndarray) -> Certificate | None:
    """The point with margin 1 on exactly these rows; None if it is not the solution."""
    solved = _solve_ones(problem.gram(support))
    if solved is None:
        return None
    weights, below = solved
    return _certificate(problem, support.tolist(), [w * problem.scale**2 for w in weights], below)


def _certificate(
    problem: Problem, support: list[int], weights: list[int], below: int
) -> Certificate | None:
    """W = sum lambda_j A_j with its certificate; None if a sign or a margin fails."""
    if min(weights) <= 0:
        return None
    combined = _combine(problem, support, weights)
    one = flint.fmpz(below) * problem.scale**2
    margins = _margins(problem, combined)
    if min(margins) < one or any(margins[row] != one for row in support):
        return None
    active = tuple(row for row, margin in enumerate(margins) if margin == one)
    denominator = flint.fmpz(below) * problem.scale
    content = denominator
    for entry in combined.entries():
        content = content.gcd(entry)
    entries = tuple(int(entry // content) for entry in combined.entries())
    return Certificate(
        tuple(support), tuple(weights), below, entries, int(denominator // content), active
    )


def _least_squares(
    problem: Problem, rows: np.ndarray, guess: list[int]
) -> tuple[list[int], list[Fraction]]:
    """Lawson and Hanson: the rows held and their positive weights, over whole atoms."""
    held = np.sort(np.asarray(guess, dtype=np.int64))
    if len(held):
        held = held[independent(_lifted(problem, held, held))]
    weights: list[Fraction] = [Fraction(0)] * len(held)
    while True:
        held, weights = _descend(problem, held, weights)
        slope = _slopes(problem, rows, held, weights)
        steepest = max(range(len(rows)), key=slope.__getitem__)
        if slope[steepest] <= 0:
            order = np.argsort(held)
            return held[order].tolist(), [weights[place] for place in order]
        held = np.append(held, rows[steepest])
        weights.append(Fraction(0))


def _descend(
    problem: Problem, held: np.ndarray, weights: list[Fraction]
) -> tuple[np.ndarray, list[Fraction]]:
    """To the minimum on the held rows; a weight that would pass 0 stops there, its row leaves."""
    while len(held):
        solved = _solve_ones(_lifted(problem, held, held))
        if solved is None:
            raise ArithmeticError("rows held by the active-set method are dependent")
        target = [Fraction(value, solved[1]) for value in solved[0]]
        if min(target) > 0:
            return held, target
        step = min(
            w / (w - t) if w else Fraction(0)
            for w, t in zip(weights, target, strict=True)
            if t <= 0
        )
        weights = [w + step * (t - w) for w, t in zip(weights, target, strict=True)]
        stay = [t > 0 or w > 0 for w, t in zip(weights, target, strict=True)]
        held = held[np.array(stay)]
        weights = [w for w, keep in zip(weights, stay, strict=True) if keep]
    return held, weights


def _slopes(
    problem: Problem, rows: np.ndarray, held: np.ndarray, weights: list[Fraction]
) -> list[int]:
    """1 - (K lambda)_j for each row, times one positive number."""
    if not len(held):
        return [1] * len(rows)
    whole, below = _whole(weights)
    column = integers.objects(whole, (len(whole), 1))
    values = integers.product(_lifted(problem, rows, held), integers.narrow(column))
    return [below - int(value) for value in values[:, 0]]


def _lifted(problem: Problem, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """K = G + 1 1^T for whole atoms."""
    gram = problem.gram(rows, columns)
    return integers.difference(gram, np.full(gram.shape, -1, dtype=np.int64))


def _solve_ones(matrix: np.ndarray) -> tuple[list[int], int] | None:
    """matrix^-1 (1, ..., 1) as whole numbers over one positive number; None if singular."""
    size = len(matrix)
    try:
        solved = integers.to_flint(matrix).solve(flint.fmpz_mat(size, 1, [1] * size))
    except ZeroDivisionError:
        return None
    numerators, denominator = solved.numer_denom()
    return [int(value) for value in numerators.entries()], int(denominator)


def _combine(problem: Problem, support: Sequence[int], weights: Sequence[int]) -> flint.fmpz_mat:
    """sum_j w_j (scale A_j) = sum_i (sum_t w_it dx_it) z_i^T, a d x d matrix of whole numbers."""
    chosen = np.asarray(support, dtype=np.int64)
    sequences, place = np.unique(problem.pairs[chosen, 0], return_inverse=True)
    # Rows of the same sequence first: long numbers then meet each query once.
    spread = flint.fmpz_mat(len(sequences), len(chosen))
    for column, (row, weight) in enumerate(zip(place.tolist(), weights, strict=True)):
        spread[row, column] = weight
    wishes = spread * integers.to_flint(problem.differences[chosen])
    return wishes.transpose() * integers.to_flint(problem.query_numerators[sequences])


def _margins(problem: Problem, matrix: flint.fmpz_mat) -> list[flint.fmpz]:
    """(scale A_j) . matrix for every row: the images W z_i first, then the tokens."""
    images = integers.to_flint(problem.query_numerators) * matrix.transpose()
    margins: list[flint.fmpz] = []
    for sequence, image in enumerate(images.tolist()):
        others = problem.length - 1
        chosen = problem.differences[sequence * others : (sequence + 1) * others]
        column = flint.fmpz_mat(problem.d, 1, image)
        margins += (integers.to_flint(chosen) * column).entries()
    return margins


def _whole(weights: Sequence[Fraction]) -> tuple[list[int], int]:
    below = math.lcm(*(weight.denominator for weight in weights))
    return [weight.numerator * (below // weight.denominator) for weight in weights], below


def _flaw_of_weights(
    support: Sequence[int], weights: Sequence[Fraction] | Sequence[int], rows: int
) -> str:
    if len(support) != len(weights):
        return f"{len(weights)} multipliers for {len(support)} rows"
    if len(set(support)) != len(support) or not all(0 <= row < rows for row in support):
        return f"the support must name distinct rows from 0 to {rows - 1}"
    return "" if all(weight > 0 for weight in weights) else "a multiplier is not positive"


def _require_sound(flaw: str) -> None:
    if flaw:
        raise NumericError(
            f"certificate: expected one that holds in exact arithmetic; got a flaw: {flaw}. "
            "Check that it belongs to this problem."
        )


def _infeasible(problem: Problem, farkas: Farkas) -> Infeasible:
    farkas.verify(problem)
    return Infeasible(_why(problem, farkas), farkas, problem.m)


def _ratio(above: flint.fmpz, below: int) -> Fraction:
    return Fraction(int(above), below)


def _name(problem: Problem, row: int) -> str:
    return f"the margin over {problem.named([row])}"


def _why(problem: Problem, farkas: Farkas) -> str:
    i, t = problem.pairs[farkas.support[0]]
    if len(farkas.support) == 1:
        return (
            f"tokens: expected tokens that differ from the optimal one; token {t} of sequence {i} "
            f"equals its optimal token {problem.optimal[i]}, so that its margin is 0 for every W. "
            "Leave that token out."
        )
    return (
        f"problem: expected data that some W separates; got {len(farkas.support)} rows that cancel "
        f"with positive multipliers ({problem.named(farkas.support)}), so that their margins "
        "cannot all be positive. Choose other optimal tokens, or more dimensions "
        "(d >= max(n, T - 1))."
    )
