"""Att-SVM through cvxpy: the reference that the exact solutions are compared with.

The d x d primal, once with all rows in one constraint and once with a constraint a row, as it is
usually written, and the nuclear norm, which gradient descent on W = K Q^T is said to minimise.
All are numeric: the objective is within about 1e-8 of the least, so that the matrix, in which it
is quadratic, has about four correct digits.

Source: seed 003, Optimisation; Tarzanagh et al., arXiv 2308.16898, eq. (Att-SVM).
"""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass

import cvxpy as cp
import numpy as np

from ..errors import NumericError
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
    atoms, length = _atoms(problem)
    w = cp.Variable(problem.d**2)
    margins = atoms @ w >= 1
    program = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w)), [margins])
    _solve(program, solver)
    return _reference(program, w / length, [margins], problem, length**-2)


def primal_each(problem: Problem, solver: str = "CLARABEL") -> Reference:
    """min 1/2 |W|_F^2 with a constraint (x_i,opt - x_it) . W z_i >= 1 for each row."""
    tokens, queries = problem.tokens_float, problem.queries_float
    W = cp.Variable((problem.d, problem.d))
    margins = [
        (tokens[i, problem.optimal[i]] - tokens[i, t]) @ W @ queries[i] >= 1
        for i, t in problem.pairs
    ]
    program = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(W)), margins)
    _solve(program, solver)
    return _reference(program, W, margins, problem)


def nuclear(problem: Problem, solver: str = "CLARABEL") -> Reference:
    """min |W|_* with all m rows in one constraint: a semidefinite program."""
    atoms, length = _atoms(problem)
    W = cp.Variable((problem.d, problem.d))
    margins = atoms @ cp.vec(W, order="C") >= 1
    program = cp.Problem(cp.Minimize(cp.normNuc(W)), [margins])
    _solve(program, solver)
    return _reference(program, W / length, [margins], problem, 1 / length)


def _atoms(problem: Problem) -> tuple[np.ndarray, float]:
    """The rows over the length of the longest, and that length.

    The solution for such rows is longer by as much, and of a size that the solver's tolerances
    are made for.
    """
    x, z = problem.differences_float, problem.queries_float[problem.pairs[:, 0]]
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        atoms = (x[:, :, None] * z[:, None, :]).reshape(problem.m, -1)
        length = float(np.linalg.norm(atoms, axis=1).max())
    if not 1e-150 < length < 1e150:
        raise NumericError(
            "tokens, queries: expected rows (x_i,opt - x_it) z_i^T of a length between 1e-150 and "
            f"1e150, which cvxpy needs; got one of {length:g}. Use method='auto', or rescale."
        )
    return atoms / length, length


def _solve(program: cp.Problem, solver: str) -> None:
    """Leaves a status in any case; what cvxpy would warn of, the status says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with contextlib.suppress(cp.SolverError):
            program.solve(solver=solver)


def _reference(
    program: cp.Problem,
    variable: cp.Expression,
    constraints: list,
    problem: Problem,
    unit: float = 1.0,
) -> Reference:
    """`unit` is that of the multipliers, for rows that were rescaled."""
    if program.status != cp.OPTIMAL or variable.value is None:
        empty = np.full((problem.d, problem.d), np.nan)
        return Reference(str(program.status or cp.SOLVER_ERROR), empty, np.full(problem.m, np.nan))
    matrix = np.asarray(variable.value, dtype=np.float64).reshape(problem.d, problem.d)
    multipliers = np.concatenate([np.atleast_1d(c.dual_value).ravel() for c in constraints])
    return Reference(str(program.status), matrix, multipliers * unit)
