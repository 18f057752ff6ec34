"""Training with the head v.x - mu |x|^2, whose optimal attention selects several tokens.

n sequences of orthonormal tokens x_it, queries z_i, scores g_it = v_i . x_it (the label is part of
v_i). The attention s_i = softmax(X_i W z_i) is worth f_i = g_i . s_i - mu |s_i|^2, the head at
X_i^T s_i, and W descends L = mean_i l(f_i), l(u) = -u ("linear") or log(1 + e^-u) ("logistic"):

    -dL/dlogit_t = |l'(f)| s_t sum_tau s_tau (r_t - r_tau) / n,    r_t = g_t - 2 mu s_t

Best is s*_i = sparsemax(g_i/(2 mu)), which leaves tokens out. `decompose` finds
W^fin, which orders the selected tokens, and W^mm, which suppresses the others; both come from
linear algebra and a least-distance problem, without any formula for where training leads.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Literal, NamedTuple, get_args, overload

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy.optimize import nnls
from torch import Tensor

from ..device import one_thread, resolve
from ..errors import NumericError
from .arguments import (
    batch_of,
    iterations,
    listed,
    numbers,
    one_of,
    positive,
    require_problem,
    shown,
    whole,
)
from .train import matrix_of, require_finite

Loss = Literal["linear", "logistic"]
ORTHONORMAL = 1e-12  # largest deviation of X X^T from the identity
EDGE = 1e-9  # a token whose score is this close to the threshold may or may not be selected


@overload
def sparsemax(values: Tensor) -> Tensor: ...
@overload
def sparsemax(values: Sequence[int | Fraction]) -> tuple[Fraction, ...]: ...
def sparsemax(values: Tensor | Sequence[int | Fraction]) -> Tensor | tuple[Fraction, ...]:
    """The point of the simplex nearest to `values`: of a tensor along its last axis (NaN where one
    of them is not finite), of whole numbers or fractions exactly."""
    if isinstance(values, Tensor):
        if not values.ndim or not values.shape[-1]:
            raise NumericError(
                f"values: expected a last axis that is not empty; got shape {tuple(values.shape)}. "
                "Pass, e.g., torch.tensor([1.0, 0.5])."
            )
        return _sparsemax(values)
    exact = listed("values", values)
    for place, value in enumerate(exact):
        if isinstance(value, bool) or not isinstance(value, Rational):
            raise NumericError(
                f"values: expected whole numbers, fractions or one tensor; got {shown(value)} at "
                f"place {place}. Pass torch.tensor(values) for floats."
            )
    if not exact:
        raise NumericError("values: expected at least one number; got none. Pass, e.g., [1, 0].")
    total, level = Fraction(0), Fraction(0)
    for count, value in enumerate(sorted(map(Fraction, exact), reverse=True), 1):
        total += value
        if count * value > total - 1:
            level = (total - 1) / count
    return tuple(max(Fraction(value) - level, Fraction(0)) for value in exact)


def _sparsemax(values: Tensor) -> Tensor:
    # A common shift changes nothing, and without one large values would swallow the 1.
    values = values - values.amax(-1, keepdim=True)
    ordered = values.sort(dim=-1, descending=True).values
    counts = torch.arange(1, values.shape[-1] + 1, dtype=values.dtype, device=values.device)
    levels = (ordered.cumsum(-1) - 1) / counts
    # The last count at which the value still exceeds the level has the highest level.
    inside = torch.where(ordered > levels, levels, torch.full_like(levels, -torch.inf))
    return (values - inside.amax(-1, keepdim=True)).clamp_min(0)


@dataclass(frozen=True, eq=False)
class MultiTokenProblem:
    """Tokens (n, T, d), orthonormal within a sequence; queries (n, d); decoder (d,) or, one a
    sequence with its label, (n, d); the weight mu > 0 of the head's square, without which no map
    is uniquely optimal (`train` treats mu = 0)."""

    tokens: np.ndarray
    queries: np.ndarray
    decoder: np.ndarray
    mu: float

    def __post_init__(self) -> None:
        tokens = numbers("tokens", self.tokens, ("sequence", "token", "coordinate"))
        if tokens.ndim != 3 or 0 in tokens.shape:
            raise NumericError(
                "tokens: expected 3 axes (sequence, token, coordinate), none of them empty; got "
                f"shape {tokens.shape}. Pass, e.g., np.eye(3)[None] for one sequence."
            )
        n, length, d = tokens.shape
        queries = numbers("queries", self.queries, ("sequence", "coordinate"))
        decoder = numbers("decoder", self.decoder)
        for name, array, shapes in (
            ("queries", queries, ((n, d),)),
            ("decoder", decoder, ((d,), (n, d))),
        ):
            if array.shape not in shapes:
                raise NumericError(
                    f"{name}: expected shape {' or '.join(map(str, shapes))} for tokens of shape "
                    f"{tokens.shape}; got {array.shape}. Make it fit the tokens."
                )
        if length < 2:
            raise NumericError(
                f"tokens: expected T >= 2 tokens a sequence; got T = {length}. Add another token."
            )
        object.__setattr__(self, "mu", positive("mu", self.mu))
        _check_orthonormal(tokens)
        for i in np.flatnonzero(~queries.any(axis=1)):
            raise NumericError(
                f"queries: expected z_i != 0; got z = 0 for sequence {i}. Leave it out."
            )
        for name, array in (("tokens", tokens), ("queries", queries), ("decoder", decoder)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __reduce__(self) -> tuple:
        # Through the checks again, which make the arrays of a copy read-only too.
        return type(self), (self.tokens, self.queries, self.decoder, self.mu)

    def __repr__(self) -> str:
        n, length, d = self.tokens.shape
        return f"MultiTokenProblem(n={n}, T={length}, d={d}, mu={self.mu:g})"

    @cached_property
    def scores(self) -> np.ndarray:
        """(n, T): g_it = v_i . x_it."""
        return np.einsum("ntd,nd->nt", self.tokens, np.broadcast_to(self.decoder, self._wide))

    @cached_property
    def optimal_map(self) -> np.ndarray:
        """(n, T): s*_i = sparsemax(g_i/(2 mu))."""
        return _sparsemax(torch.from_numpy(self.scores / (2 * self.mu))).numpy()

    @property
    def _wide(self) -> tuple[int, int]:
        return self.tokens.shape[0], self.tokens.shape[2]


class Batch(NamedTuple):
    """B problems of one shape as tensors."""

    tokens: Tensor  # (B, n, T, d)
    queries: Tensor  # (B, n, d)
    scores: Tensor  # (B, n, T)
    mu: Tensor  # (B, 1, 1)


@dataclass(frozen=True, eq=False)
class MultiTokenRun:
    """W (R, B, d, d) and the attention (R, B, n, T) after each of R recorded iterations."""

    iterations: tuple[int, ...]
    weights: Tensor
    attention: Tensor
    step_size: float

    def __repr__(self) -> str:
        _, runs, n, length = self.attention.shape
        last = self.iterations[-1]
        return f"MultiTokenRun(problems={runs}, n={n}, T={length}, up to iteration {last})"


@one_thread()
def train_multitoken(
    problems: MultiTokenProblem | Sequence[MultiTokenProblem],
    *,
    steps: int,
    step_size: float = 1.0,
    loss: Loss = "linear",
    initial: ArrayLike | Tensor | None = None,
    record: Sequence[int] | None = None,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
) -> MultiTokenRun:
    """Gradient descent on one problem, or on several of one shape side by side, from `initial`,
    (d, d) or one a problem, or from 0.

    `record` lists the iterations to keep, by default the powers of two and the last.
    """
    place, kind = resolve(device, dtype)
    one_of("loss", loss, get_args(Loss))
    size = positive("step_size", step_size)
    marks = iterations("record", record, whole("steps", steps, 1), octave=1)
    batch = _batch(batch_of(problems, MultiTokenProblem), place, kind)
    count, d = batch.tokens.shape[0], batch.tokens.shape[-1]
    weights = torch.zeros((count, d, d), dtype=kind, device=place)
    if initial is not None:
        weights = matrix_of("initial", initial, weights).expand(count, d, d)
    found, before = [], 0
    for mark in marks:
        weights = descend(weights, batch, mark - before, size, loss)
        require_finite(weights, mark, size)
        found.append(weights)
        before = mark
    kept = torch.stack(found)
    return MultiTokenRun(marks, kept, attend(kept, batch), size)


def logits(weights: Tensor, batch: Batch) -> Tensor:
    """x_it . W z_i, for weights (..., B, d, d)."""
    keys = batch.queries @ weights.mT
    return (batch.tokens @ keys.unsqueeze(-1)).squeeze(-1)


def attend(weights: Tensor, batch: Batch) -> Tensor:
    """The softmax of the logits. torch.softmax shares even a few rows out among threads, which
    takes longer than all the rest."""
    heights = logits(weights, batch)
    parts = (heights - heights.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)


def descend(weights: Tensor, batch: Batch, steps: int, step_size: float, loss: Loss) -> Tensor:
    """W after `steps` steps of gradient descent."""
    scale = step_size / batch.tokens.shape[1]
    for _ in range(steps):
        attention = attend(weights, batch)
        slopes = batch.scores - 2 * batch.mu * attention
        pull = attention * (slopes - (attention * slopes).sum(-1, keepdim=True))
        if loss == "logistic":
            worth = attention * (batch.scores - batch.mu * attention)
            pull = pull * torch.sigmoid(-worth.sum(-1, keepdim=True))
        moved = (pull.unsqueeze(-2) @ batch.tokens).squeeze(-2)
        weights = weights + scale * (moved.mT @ batch.queries)
    return weights


@dataclass(frozen=True, eq=False)
class Split:
    """W = W^fin + coefficient W^mm + remainder; `span_error` is the distance from W^fin within the
    span of selected differences."""

    span_error: float
    coefficient: float
    remainder: np.ndarray

    def __repr__(self) -> str:
        rest = float(np.linalg.norm(self.remainder))
        return (
            f"Split(span_error={self.span_error:.3g}, coefficient={self.coefficient:.6g}, "
            f"remainder of length {rest:.3g})"
        )


@dataclass(frozen=True, eq=False)
class Decomposition:
    """W^fin, W^mm with the multipliers of its rows, and an orthonormal basis (d d, r) of the span
    of selected differences."""

    finite: np.ndarray
    max_margin: np.ndarray
    multipliers: np.ndarray
    basis: np.ndarray

    def __repr__(self) -> str:
        d, span = len(self.finite), self.basis.shape[1]
        return f"Decomposition(d={d}, span of {span}, {len(self.multipliers)} rows of W^mm)"

    def split(self, weights: ArrayLike | Tensor) -> Split:
        """A trained W in terms of W^fin and W^mm."""
        array = numbers("weights", weights)
        if array.shape != self.finite.shape:
            raise NumericError(
                f"weights: expected shape {self.finite.shape}; got {array.shape}. Pass one W."
            )
        excess = array - self.finite
        error = float(np.linalg.norm(self.basis.T @ excess.ravel()))
        best = self.max_margin
        coefficient = float((excess * best).sum() / (best * best).sum())
        return Split(error, coefficient, excess - coefficient * best)


def decompose(problem: MultiTokenProblem) -> Decomposition:
    """W^fin and W^mm of a problem, or an error where there are none."""
    require_problem(problem, MultiTokenProblem)
    equal, ratios, free = _constraints(problem)
    d = problem.tokens.shape[2]
    left, sizes, right = np.linalg.svd(equal, full_matrices=False)
    rank = int((sizes > 1e-10 * sizes.max(initial=0)).sum())
    basis = right[:rank].T
    finite = basis @ ((left[:, :rank].T @ ratios) / sizes[:rank])
    if not np.allclose(equal @ finite, ratios, atol=1e-9):
        raise NumericError(
            "tokens, queries: expected a W with the margins log s*_t/s*_tau between selected "
            "tokens; got dependent ones that contradict each other. Change a query."
        )
    atoms = free - (free @ basis) @ basis.T
    if not atoms.size:
        raise NumericError(
            "mu: expected a token that s* leaves out; got a map that selects all, so that W^mm is "
            f"0. Lower mu = {problem.mu}."
        )
    # Least distance (Lawson and Hanson): min |W| with atoms W >= 1 from nonnegative least squares.
    system = np.vstack([atoms.T, np.ones(len(atoms))])
    target = np.append(np.zeros(len(atoms.T)), 1.0)
    dual, distance = nnls(system, target)
    if distance < 1e-8:
        raise NumericError(
            "tokens, queries: expected a W that separates selected tokens from the others; got "
            "data without one. Use more coordinates, or other queries."
        )
    multipliers = dual / distance**2
    best = atoms.T @ multipliers
    return Decomposition(finite.reshape(d, d), best.reshape(d, d), multipliers, basis)


def _constraints(problem: MultiTokenProblem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Selected differences with log s*_first/s*_t, and atoms of the others, as flat rows."""
    equal, ratios, free = [], [], []
    for i, best in enumerate(problem.optimal_map):
        x, z, g = problem.tokens[i], problem.queries[i], problem.scores[i]
        first = int(best.argmax())
        threshold = g[first] - 2 * problem.mu * best[first]
        for t in range(len(g)):
            if abs(threshold - g[t]) < EDGE * max(1.0, abs(threshold)):
                raise NumericError(
                    f"decoder, mu: expected no token on the edge of being selected; got token {t} "
                    f"of sequence {i}, whose score {g[t]} is the threshold. Change mu a little."
                )
            row = np.outer(x[first] - x[t], z).ravel()
            if best[t] > 0 and t != first:
                equal.append(row)
                ratios.append(np.log(best[first]) - np.log(best[t]))
            elif best[t] == 0:
                free.append(row)
    width = problem.tokens.shape[2] ** 2
    rows = (np.array(part).reshape(-1, width) for part in (equal, free))
    return next(rows), np.array(ratios), next(rows)


def _batch(problems: Sequence[MultiTokenProblem], place: torch.device, kind: torch.dtype) -> Batch:
    columns = zip(*((p.tokens, p.queries, p.scores, np.full((1, 1), p.mu)) for p in problems),
                  strict=True)  # fmt: skip
    return Batch(*(torch.tensor(np.stack(c), dtype=kind, device=place) for c in columns))


def _check_orthonormal(tokens: np.ndarray) -> None:
    gram = tokens @ tokens.transpose(0, 2, 1)
    off = np.abs(gram - np.eye(tokens.shape[1]))
    if off.max() <= ORTHONORMAL:
        return
    i, t, tau = map(int, np.argwhere(off > ORTHONORMAL)[0])
    raise NumericError(
        f"tokens: expected orthonormal tokens within a sequence, for which |X^T s|^2 = |s|^2; got "
        f"<x_{t}, x_{tau}> = {gram[i, t, tau]} for tokens {t} and {tau} of sequence {i}. Pass, "
        "e.g., rows of an orthogonal matrix."
    )
