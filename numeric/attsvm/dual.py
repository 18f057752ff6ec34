"""The Gram dual of Att-SVM in float64: block pivoting, which ends at the true support.

With unit atoms A_j / |A_j| and bounds b_j = 1 / |A_j| the dual is

    minimise  1/2 mu^T H mu - b^T mu   over   mu >= 0,      H_jk = <A_j, A_k> / (|A_j| |A_k|),

and lambda_j = mu_j b_j, W = sum lambda_j A_j. H is the entrywise product of the Gram matrices of
tokens and of queries, so that the d x d primal is never formed. Rows are exchanged in blocks until
all multipliers are positive and all margins hold to rounding error. Where dependent rows stop
that, an interior point or an active-set method proposes where to begin; its own support is not
trusted (at an interior point rows with multipliers of 1e-8 belong to it or not). Many rows: only
some are worked with, and at most four a sequence, the most violated, join in each round.

Source: seed 003, Optimisation; Judice and Pires, Computers & Operations Research 21 (1994).
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
import piqp
from scipy.linalg import get_lapack_funcs

# At most this many rows are handed over at once; more are worked through a few at a time.
ALL_AT_ONCE = 200
JOIN = 4
ROUNDING = 1e-12
PIVOTS, ROUNDS = 60, 200

# Straight to LAPACK: for tens of rows scipy's checks cost more than the work.
_factor, _backsolve, _pivoted_cholesky = get_lapack_funcs(
    ("potrf", "potrs", "pstrf"), dtype=np.float64
)


@dataclass(frozen=True)
class Rows:
    """Atoms in factors: unit differences x, unit queries z[sequence], bounds 1 / |A_j|."""

    x: np.ndarray
    z: np.ndarray
    sequence: np.ndarray
    bounds: np.ndarray

    @classmethod
    def of(cls, differences: np.ndarray, queries: np.ndarray, sequence: np.ndarray) -> Rows | None:
        """None if float64 cannot scale them: a row is 0, or lengths leave its range."""
        with np.errstate(all="ignore"):
            x, long_x = _units(differences)
            z, long_z = _units(queries)
            lengths = long_x * long_z[sequence]
            bounds = 1.0 / lengths
        if not (np.isfinite(bounds).all() and np.isfinite(x).all() and np.isfinite(z).all()):
            return None
        return cls(x, z, sequence, bounds) if bounds.min() > 0 else None

    def gram(self, chosen: np.ndarray) -> np.ndarray:
        """H on the chosen rows."""
        x = self.x[chosen]
        sequence = self.sequence[chosen]
        return (x @ x.T) * (self.z @ self.z.T)[sequence[:, None], sequence]

    def matrix(self, chosen: np.ndarray, mu: np.ndarray) -> np.ndarray:
        """W = sum mu_j A_j / |A_j|."""
        return (self.x[chosen] * mu[:, None]).T @ self.z[self.sequence[chosen]]

    def shortfall(self, matrix: np.ndarray) -> np.ndarray:
        """b_j - <A_j, W> / |A_j|: positive where the margin is below 1."""
        images = self.z @ matrix.T
        return self.bounds - np.einsum("jp,jp->j", self.x, images[self.sequence])


@dataclass(frozen=True)
class Found:
    """Optimal to rounding error: the rows with positive mu, and mu on them."""

    support: np.ndarray
    mu: np.ndarray


@dataclass(frozen=True)
class Undecided:
    """float64 found no optimum on the rows `working`: perhaps they have no feasible point.

    `likely` are the rows that would then cancel, as float64 sees them.
    """

    working: np.ndarray
    likely: np.ndarray


def solve_rows(rows: Rows) -> Found | Undecided:
    """The dual of all rows, through a growing set of rows that are worked with."""
    total = len(rows.bounds)
    working = np.arange(total) if total <= ALL_AT_ONCE else _first(rows)
    support = np.empty(0, dtype=np.int64)
    for _ in range(ROUNDS):
        H, b = rows.gram(working), rows.bounds[working]
        found = solve_dual(H, b, np.searchsorted(working, support))
        if found is None:
            return Undecided(working, working[_cancelling(H, b)])
        held, mu = found
        support = working[held]
        matrix = rows.matrix(support, mu)
        short = rows.shortfall(matrix)
        allowed = ROUNDING * (np.linalg.norm(matrix) + rows.bounds)
        if (short <= allowed).all():
            return Found(support, mu)
        short[working] = -np.inf
        join = _most(np.where(short > allowed, short, -np.inf), rows.sequence)
        if not len(join):  # only rows already worked with fall short: H is too ill-conditioned
            break
        working = np.sort(np.concatenate([working, join]))
    return Undecided(np.arange(total), support)


def solve_dual(
    H: np.ndarray, b: np.ndarray, start: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray] | None:
    """(places with mu > 0, mu there) for the dual with unit rows, or None if no way led there."""
    everything = np.arange(len(b))
    found = _pivot(H, b, everything if start is None or not len(start) else start)
    if found is not None:
        return found
    for guess in (_interior, _active_set):
        places = guess(H, b)
        found = None if places is None else _pivot(H, b, places)
        if found is not None:
            return found
    return None


def _cancelling(H: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The support of the nearest point to (0, 1) in the cone of the rows (A_j / |A_j|, b_j).

    This problem always has a solution; the rows cancel if the point is (0, 1) itself.
    """
    c = b / b.max()
    found = solve_dual(H + np.outer(c, c), c)
    return np.empty(0, dtype=np.int64) if found is None else found[0]


def _interior(H: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """The likely support by PIQP; None if it does not report a solution."""
    size = len(b)
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = 1e-10 * float(b.max())
    solver.settings.eps_rel = 1e-10
    solver.setup(np.asfortranarray(H), -b, x_l=np.zeros(size), x_u=np.full(size, np.inf))
    if solver.solve() != piqp.PIQP_SOLVED:
        return None
    mu = solver.result.x
    return np.flatnonzero(mu > 1e-6 * mu.max())


def _active_set(H: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """The support by DAQP on min |u| subject to L u >= b, H = L L^T, which may be singular."""
    factor, pivots, rank, _ = _pivoted_cholesky(H, lower=1, tol=1e-11)
    L = np.empty((len(b), rank))
    L[pivots - 1] = np.tril(factor)[:, :rank]
    sense = np.zeros(len(b), dtype=np.int32)
    free = np.full(len(b), 1e30)
    scale = float(b.max())
    _, _, flag, info = daqp.solve(np.eye(rank), np.zeros(rank), L, free, b / scale, sense)
    if flag != 1:
        return None
    mu = np.abs(info["lam"])
    return np.flatnonzero(mu > 1e-12 * mu.max())


def _pivot(
    H: np.ndarray, b: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Exchange rows until mu > 0 on the support and no row off it falls short.

    Rows with mu <= 0 leave and rows that fall short join, all at once while their number drops,
    else only the last of them, which cannot cycle.
    """
    held = np.zeros(len(b), dtype=bool)
    held[places] = True
    fewest, patience = len(b) + 1, 3
    for _ in range(PIVOTS):
        support = np.flatnonzero(held)
        mu = _solve(H.take(support, 0).take(support, 1), b[support])
        if mu is None:
            return None
        spread = np.zeros(len(b))
        spread[support] = mu
        short = b - H @ spread
        wrong = short > ROUNDING * (b + np.sqrt(abs(spread @ b)))
        wrong[support] = mu <= ROUNDING * mu.max(initial=0.0)
        count = np.count_nonzero(wrong)
        if count == 0:
            return support, mu
        if count < fewest:
            fewest, patience = count, 3
        elif patience > 0:
            patience -= 1
        else:
            wrong[: np.flatnonzero(wrong)[-1]] = False
        held ^= wrong
    return None


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """Cholesky with one refinement; None if more than half of the digits would be lost."""
    if not len(right):
        return np.empty(0)
    # The symmetric matrix is its own transpose, which LAPACK's column order asks for.
    factor, failed = _factor(matrix.T, lower=True, clean=False)
    # Unit rows: each pivot is the distance of a row to the span of those before it.
    if failed or np.diagonal(factor).min() < 1e-4:
        return None
    solution, _ = _backsolve(factor, right, lower=True)
    return solution + _backsolve(factor, right - matrix @ solution, lower=True)[0]


def _units(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.linalg.norm(rows, axis=1)
    return rows / lengths[:, None], lengths


def _first(rows: Rows) -> np.ndarray:
    """The shortest atoms of each sequence: nothing is known yet, and they need the most."""
    return np.sort(_most(rows.bounds, rows.sequence))


def _most(values: np.ndarray, sequence: np.ndarray) -> np.ndarray:
    """The places of the `JOIN` largest values of each sequence, without those at -inf."""
    order = np.lexsort((-values, sequence))
    ordered = sequence[order]
    starts = np.searchsorted(ordered, ordered)
    chosen = order[np.arange(len(order)) - starts < JOIN]
    return chosen[values[chosen] > -np.inf]
