"""Att-SVM through cvxpy: the reference that the exact solutions are compared with.

The d x d primal, once with all rows in one constraint and once with a constraint a row, as it is
usually written, and the nuclear norm, which gradient descent on W = K Q^T is said to minimise.
All are numeric: the objective is within about 1e-8 of the least, so that the matrix, in which it
is quadratic, has about four correct digits.

Source: seed 003, Optimisation; Tarzanagh et al., arXiv 2308.16898, eq. (Att-SVM).
"""

from __future__ import annotations

from dataclasses import dataclass

import cvxpy as cp
import numpy as np

from .problem import Problem


@dataclass(frozen=True, eq=False)
class Reference:
    """What cvxpy returned; `matrix` and `multipliers` hold for the status `optimal` only."""

    status: str
    matrix: np.ndarray
    multipliers: np.ndarray

    @property
    def optimal(self) -> bool:
        """Whether the solver reports a solution."""
        return self.status == cp.OPTIMAL


def primal(problem: Problem, solver: str = "CLARABEL") -> Reference:
    """min 1/2 |W|_F^2 with all m rows in one constraint."""
    d = problem.d
    w = cp.Variable(d * d)
    margins = _atoms(problem) @ w >= 1
    program = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w)), [margins])
    program.solve(solver=solver)
    return _reference(program, w, [margins], problem)


def primal_each(problem: Problem, solver: str = "CLARABEL") -> Reference:
    """min 1/2 |W|_F^2 with a constraint (x_i,opt - x_it) . W z_i >= 1 for each row."""
    tokens, queries = problem.tokens_float, problem.queries_float
    W = cp.Variable((problem.d, problem.d))
    margins = [
        (tokens[i, problem.optimal[i]] - tokens[i, t]) @ W @ queries[i] >= 1
        for i, t in problem.pairs
    ]
    program = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(W)), margins)
    program.solve(solver=solver)
    return _reference(program, W, margins, problem)


def nuclear(problem: Problem, solver: str = "CLARABEL") -> Reference:
    """min |W|_* with all m rows in one constraint: a semidefinite program."""
    d = problem.d
    W = cp.Variable((d, d))
    margins = _atoms(problem) @ cp.vec(W, order="C") >= 1
    program = cp.Problem(cp.Minimize(cp.normNuc(W)), [margins])
    program.solve(solver=solver)
    return _reference(program, W, [margins], problem)


def _atoms(problem: Problem) -> np.ndarray:
    x, z = problem.differences_float, problem.queries_float[problem.pairs[:, 0]]
    return (x[:, :, None] * z[:, None, :]).reshape(problem.m, -1)


def _reference(
    program: cp.Problem, variable: cp.Variable, constraints: list, problem: Problem
) -> Reference:
    if program.status != cp.OPTIMAL or variable.value is None:
        empty = np.full((problem.d, problem.d), np.nan)
        return Reference(str(program.status), empty, np.full(problem.m, np.nan))
    matrix = np.asarray(variable.value, dtype=np.float64).reshape(problem.d, problem.d)
    multipliers = np.concatenate([np.atleast_1d(c.dual_value).ravel() for c in constraints])
    return Reference(str(program.status), matrix, multipliers)
