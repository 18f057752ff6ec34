"""Solve Att-SVM: numerically by its Gram dual, then exactly over the rationals.

The numeric solution proposes a support; the exact one decides: rational multipliers, every sign
and every margin checked, or rational Farkas multipliers if there is no solution. What float64
cannot decide is decided exactly from scratch.

Source: seed 003, Optimisation; Tarzanagh et al., arXiv 2308.16898.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from ..errors import NumericError
from . import integers
from .arguments import one_of, require_problem, shown
from .dual import Found, Rows, Undecided, solve_rows
from .exact import Certificate, certify, require_feasible
from .problem import Problem

Norm = Literal["frobenius", "nuclear"]
Method = Literal["auto", "cvxpy"]


@dataclass(frozen=True, eq=False)
class Solution:
    """The shortest W with all margins >= 1.

    `matrix` (d, d) and `multipliers` (m,), one a row of the problem, are float64. `support` are
    the rows with positive multipliers. `norm_squared` is the square of the norm that was
    minimised, a `Fraction` if there is a `certificate`, which holds the exact values. `notes`
    says what was special about the problem.
    """

    matrix: np.ndarray
    multipliers: np.ndarray
    support: tuple[int, ...]
    norm_squared: Fraction | float
    certificate: Certificate | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        proof = "without certificate" if self.certificate is None else "certified"
        support = f"support {len(self.support)} of {len(self.multipliers)} rows"
        notes = f", notes: {len(self.notes)}" if self.notes else ""
        return f"Solution(|W| = {float(self.norm_squared) ** 0.5:.6g}, {support}, {proof}{notes})"


def solve(
    problem: Problem, *, norm: Norm = "frobenius", exact: bool = True, method: Method = "auto"
) -> Solution:
    """The solution of Att-SVM; raises `Infeasible`, with exact Farkas multipliers, if none.

    `exact` adds a certificate over the rationals. Without it the answer is that of float64: good
    to about 1e-12, at worst 1e-8, and problems that are harder are solved exactly all the same.
    The nuclear norm and method `cvxpy` (the d x d primal) have no certificate; cvxpy's objective
    is within 1e-8 of the least, which leaves about four digits of the matrix.
    """
    require_problem(problem, Problem)
    one_of("norm", norm, get_args(Norm))
    one_of("method", method, get_args(Method))
    if not isinstance(exact, bool):
        raise NumericError(
            f"exact: expected True or False; got {shown(exact)}. Leave it out for True."
        )
    if norm == "nuclear" or method == "cvxpy":
        return _by_cvxpy(problem, norm)
    rows, notes = _distinct(problem)
    found = _numeric(problem, rows)
    if isinstance(found, Undecided):
        if not exact:
            notes = (*notes, "float64 could not decide this problem; it was solved exactly")
        # If the rows that gave trouble have no solution, nothing has.
        likely = found.likely.tolist()
        if len(found.working) < len(rows):
            likely = require_feasible(problem, found.working, likely)
        return _certified(certify(problem, likely, rows), problem, notes)
    if not exact:
        return _rounded(problem, found, notes)
    return _certified(certify(problem, found.support.tolist(), rows), problem, notes)


def _numeric(problem: Problem, rows: np.ndarray) -> Found | Undecided:
    """The Gram dual of these rows in float64, in terms of the problem's rows."""
    scaled = Rows.of(problem.differences_float[rows], problem.queries_float, problem.pairs[rows, 0])
    if scaled is None:
        return Undecided(rows, rows[:0])
    found = solve_rows(scaled)
    if isinstance(found, Found):
        return Found(rows[found.support], found.mu)
    return Undecided(rows[found.working], rows[found.likely])


def _rounded(problem: Problem, found: Found, notes: tuple[str, ...]) -> Solution:
    x = problem.differences_float[found.support]
    z = problem.queries_float[problem.pairs[found.support, 0]]
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(z, axis=1)
    weights = found.mu / lengths
    multipliers = np.zeros(problem.m)
    multipliers[found.support] = weights
    matrix = (x * weights[:, None]).T @ z
    support = tuple(found.support.tolist())
    return Solution(matrix, multipliers, support, float(weights.sum()), None, notes)


def _certified(certificate: Certificate, problem: Problem, notes: tuple[str, ...]) -> Solution:
    below, multipliers = certificate.weight_denominator, np.zeros(problem.m)
    try:
        # Python rounds a quotient of whole numbers correctly, however long they are.
        entries = [entry / certificate.denominator for entry in certificate.entries]
        multipliers[list(certificate.support)] = [weight / below for weight in certificate.weights]
        float(certificate.norm_squared)
    except OverflowError:
        raise NumericError(
            "tokens, queries: expected data whose W^mm float64 can hold; got rows so short "
            f"({problem.named(certificate.support)}) that W, its multipliers or its norm exceed "
            "1.8e308. Multiply tokens or queries by a large number, which divides W by it."
        ) from None
    return Solution(
        np.array(entries).reshape(problem.d, problem.d),
        multipliers,
        certificate.support,
        certificate.norm_squared,
        certificate,
        (*notes, *_degenerate(certificate, problem)),
    )


def _degenerate(certificate: Certificate, problem: Problem) -> tuple[str, ...]:
    """Rows with margin 1 and multiplier 0, other than repetitions of the support."""
    idle = sorted(set(certificate.active) - set(certificate.support))
    if not idle:
        return ()
    note = f"margin 1 with multiplier 0: {problem.named(idle)}"
    gram = problem.gram(np.array(certificate.active))
    if integers.to_flint(gram).rank() < len(gram):
        note += "; the atoms with margin 1 are dependent, so W is unique but multipliers may not be"
    return (note,)


def _by_cvxpy(problem: Problem, norm: Norm) -> Solution:
    from . import reference

    found = reference.nuclear(problem) if norm == "nuclear" else reference.primal(problem)
    if not found.optimal:
        solve(problem)  # raises Infeasible, with proof, if that is the reason
        other = "U" if norm == "nuclear" else "Use method='auto', or u"
        raise NumericError(
            f"problem: expected one that cvxpy can solve; got status {found.status!r}, although it "
            f"is feasible: W is too long for its tolerances. {other}se tokens that differ more."
        )
    multipliers = np.maximum(found.multipliers, 0.0)
    support = tuple(np.flatnonzero(multipliers > 1e-6 * multipliers.max()).tolist())
    order = "nuc" if norm == "nuclear" else "fro"
    size = float(np.linalg.norm(found.matrix, order)) ** 2
    notes = ("numeric, by cvxpy; the support is where multipliers exceed 1e-6 of the largest",)
    return Solution(found.matrix, multipliers, support, size, None, notes)


def _distinct(problem: Problem) -> tuple[np.ndarray, tuple[str, ...]]:
    """The first of each set of rows from equal tokens and queries, and what was left out."""
    first: dict[object, int] = {}
    inside, elsewhere = [], []
    for row, key in enumerate(_keys(problem)):
        original = first.setdefault(key, row)
        if original == row:
            continue
        (i, t), (k, s) = problem.pairs[row], problem.pairs[original]
        if i == k:
            inside.append(f"token {t} equals token {s} in sequence {i}")
        else:
            elsewhere.append(f"token {t} of sequence {i} repeats token {s} of sequence {k}")
    notes = []
    if inside:
        notes.append(f"equal tokens, counted once: {_listed(inside)}")
    if elsewhere:
        notes.append(f"rows repeated by other sequences, counted once: {_listed(elsewhere)}")
    return np.fromiter(first.values(), dtype=np.int64), tuple(notes)


def _keys(problem: Problem) -> Iterator[object]:
    """Optimal token, other token and query of each row, equal if and only if they are."""
    tokens = _hashable(problem.tokens.reshape(-1, problem.d))
    queries = _hashable(problem.queries)
    length = problem.length
    for i, t in problem.pairs.tolist():
        yield tokens[i * length + problem.optimal[i]], tokens[i * length + t], queries[i]


def _hashable(rows: np.ndarray) -> list[object]:
    if rows.dtype == object:
        return [tuple(row) for row in rows.tolist()]
    return [row.tobytes() for row in rows + rows.dtype.type(0)]  # -0.0 becomes 0.0


def _listed(items: Sequence[str]) -> str:
    more = f", and {len(items) - 3} more" if len(items) > 3 else ""
    return ", ".join(items[:3]) + more
