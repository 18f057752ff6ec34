"""Gradient descent on one attention layer, batched and in the log domain.

W is trained on L(W) = mean_i l(f_i), l(u) = log(1 + exp(-u)), where f_i = sum_t s_it g_it, s_i is
the softmax of the logits x_it . W z_i and g_it the score of token t. As training goes on 1 - s and
the gradient fall below every float, so all of it is kept in logarithms:

    dL/dlogit_t = l'(f) s_t sum_tau s_tau (g_t - g_tau) / n,    scaled by the second largest s_t
    l(f) - l(g_opt) = log1p(sigmoid(-g_opt) expm1(delta)),      delta = sum_t s_t (g_opt - g_t)

W moves only in the span of the n T matrices x_it z_i^T, so a run takes place in an orthonormal
basis of it: at most n T coordinates in place of d^2.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898; Vasudeva,
Deora, Thrampoulidis, arXiv 2402.05738.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor
from torch.nn.functional import logsigmoid

from ..device import one_thread, resolve
from ..errors import NumericError
from .problem import Problem

Optimizer = Literal["gd", "ngd", "polyak"]
Problems = Problem | Sequence[Problem]
# Below this delta, log1p(c expm1(delta)) is c delta to the last bit.
SMALL = -40.0


@dataclass(frozen=True)
class Trajectory:
    """What a run was at its R recorded `marks`: iterations, log times or radii.

    A batch of B problems adds an axis after the first; a single problem has none. `selected` is
    the token with the largest logit, `log_excess` is log(L - L*), `log_unattended` is
    log(1 - s_opt) of each sequence, `misalignment` is 1 - corr(W, reference) (None without one).
    """

    marks: tuple[float, ...]
    matrices: Tensor
    norm: Tensor
    log_excess: Tensor
    log_unattended: Tensor
    selected: Tensor
    misalignment: Tensor | None

    def of(self, number: int) -> Trajectory:
        """The run of one problem of the batch."""
        return _map(self, lambda tensor: tensor[:, number])


class Flow(NamedTuple):
    """A batch of B training problems as tensors, in coordinates u of W = initial + basis u."""

    rows: Tensor  # (B, nT, r): logits = offset + rows u
    offset: Tensor  # (B, n, T)
    basis: Tensor  # (B, d d, r), orthonormal columns
    initial: Tensor  # (B, d, d)
    scores: Tensor  # (B, n, T)
    ahead: Tensor  # (B, n, T, T): g_t - g_tau
    log_gaps: Tensor  # (B, n, T): log(g_opt - g_t), -inf at opt
    best: Tensor  # (B, n, T): 1 at opt


@one_thread()
def train(
    problems: Problems,
    *,
    optimizer: Optimizer = "gd",
    steps: int,
    step_size: float,
    initial: ArrayLike | Tensor | None = None,
    decay: float | None = None,
    record: Sequence[int] | None = None,
    reference: ArrayLike | Tensor | None = None,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
) -> Trajectory:
    """Train W on one problem, or on several of equal shape at once.

    The step k = 1, 2, ... is, with g the gradient,

        gd       step_size g
        ngd      step_size k^-decay g/|g|; decay 1/2 unless given, 0 for constant steps
        polyak   step_size (L - L*) g/|g|^2

    `initial` is W_0, (d, d) or one a problem, zero unless given. `record` lists the iterations to
    keep, two an octave unless given. `reference` is the matrix, or one a problem, whose direction
    the run is compared with, for instance `solve(problem).matrix`.
    """
    _check_rule(optimizer, steps, step_size, decay)
    marks = geometric(steps) if record is None else _marks("record", record, 1, steps)
    single, flow = flow_of(problems, initial, device, dtype)
    u = torch.zeros_like(flow.rows[:, 0])
    power = (0.5 if decay is None else decay) if optimizer == "ngd" else 0.0
    kept, done = [], 0
    for mark in marks:
        for k in range(done + 1, int(mark) + 1):
            u = advance(flow, u, optimizer, step_size * k**-power)
        done = int(mark)
        _require_finite(u, mark)
        kept.append(u)
    return recorded(flow, marks, torch.stack(kept), reference, single)


def geometric(last: int, octave: int = 2) -> tuple[int, ...]:
    """1 to `last`, `octave` numbers for each doubling, without repetition."""
    count = int(octave * math.log2(last)) + 1
    return tuple(sorted({round(2 ** (j / octave)) for j in range(count)} | {last}))


def advance(flow: Flow, u: Tensor, optimizer: Optimizer, size: float) -> Tensor:
    """One step of each run: its length is found in logs, so that no gradient is too small."""
    unit, log_norm = log_gradient(flow, u)
    if optimizer == "ngd":
        return u - size * unit
    if optimizer == "gd":
        length = log_norm
    else:
        length = log_excess(flow, u) - log_norm
    return u - size * torch.exp(length)[:, None] * unit


def log_probabilities(flow: Flow, u: Tensor) -> Tensor:
    """(B, n, T): log softmax of the logits."""
    moved = torch.matmul(flow.rows, u[:, :, None])[:, :, 0]
    return torch.log_softmax(flow.offset + moved.view_as(flow.offset), -1)


def log_gradient(flow: Flow, u: Tensor) -> tuple[Tensor, Tensor]:
    """The gradient as (unit vector (B, r), log of its length (B,))."""
    logs, g = log_probabilities(flow, u), flow.scores
    s = logs.exp()
    lead = torch.matmul(flow.ahead, s[..., None])[..., 0]
    # The entries of one sequence add up to zero: that of the largest s_t is found from the others,
    # which keeps the digits that 1 - s_t would lose, and their scale is the common one.
    top = logs.argmax(-1, keepdim=True)
    others = logs.scatter(-1, top, -math.inf)
    scale = others.amax((1, 2))
    pull = torch.exp(others - scale[:, None, None]) * lead
    pull = pull.scatter(-1, top, -pull.sum(-1, keepdim=True))
    pull = pull * (-torch.sigmoid(-(s * g).sum(-1)) / g.shape[1])[..., None]
    v = torch.matmul(pull.flatten(1)[:, None, :], flow.rows)[:, 0]
    norm = torch.linalg.vector_norm(v, dim=-1)
    unit = v / norm.clamp_min(torch.finfo(v.dtype).tiny)[:, None]
    return unit, scale + torch.log(norm)


def log_excess(flow: Flow, u: Tensor) -> Tensor:
    """log(L - L*) of each run, to full relative precision."""
    delta = torch.logsumexp(log_probabilities(flow, u) + flow.log_gaps, -1)
    best = (flow.scores * flow.best).sum(-1)
    rise = torch.log(torch.expm1(torch.exp(delta.clamp_min(SMALL))))
    grown = torch.where(delta > SMALL, rise, delta)
    small = logsigmoid(-best) + grown
    each = torch.where(small > SMALL, torch.log(torch.log1p(torch.exp(small))), small)
    return torch.logsumexp(each, -1) - math.log(flow.scores.shape[1])


def log_unattended(flow: Flow, u: Tensor) -> Tensor:
    """(B, n): log(1 - s_i,opt), from the other tokens, so that it never rounds to -inf."""
    others = log_probabilities(flow, u).masked_fill(flow.best > 0, -math.inf)
    return torch.logsumexp(others, -1)


def matrices(flow: Flow, u: Tensor) -> Tensor:
    """(B, d, d): the weights W at coordinates u."""
    return flow.initial + torch.matmul(flow.basis, u[:, :, None]).view_as(flow.initial)


def misalignment(weights: Tensor, reference: Tensor) -> Tensor:
    """1 - corr of the last two axes, as half the squared distance of the unit matrices."""
    one, two = (
        m / torch.linalg.vector_norm(m, dim=(-2, -1), keepdim=True) for m in (weights, reference)
    )
    return (one - two).square().sum((-2, -1)) / 2


def recorded(
    flow: Flow,
    marks: Sequence[float],
    kept: Tensor,
    reference: ArrayLike | Tensor | None,
    single: bool,
) -> Trajectory:
    """The trajectory through the coordinates `kept` (R, B, r)."""
    weights = torch.stack([matrices(flow, u) for u in kept])
    logs = torch.stack([log_probabilities(flow, u) for u in kept])
    aim = None if reference is None else _matrix("reference", reference, flow.initial)
    run = Trajectory(
        tuple(float(mark) for mark in marks),
        weights,
        torch.linalg.vector_norm(weights, dim=(-2, -1)),
        torch.stack([log_excess(flow, u) for u in kept]),
        torch.stack([log_unattended(flow, u) for u in kept]),
        logs.argmax(-1),
        None if aim is None else misalignment(weights, aim),
    )
    return run.of(0) if single else run


def flow_of(
    problems: Problems,
    initial: ArrayLike | Tensor | None,
    device: str | torch.device,
    dtype: str | torch.dtype,
) -> tuple[bool, Flow]:
    """(was it a single problem, the batch as tensors)."""
    single = isinstance(problems, Problem)
    batch = (problems,) if isinstance(problems, Problem) else tuple(problems)
    _check_batch(batch)
    place, kind = resolve(device, dtype)

    def stack(arrays: list[np.ndarray]) -> Tensor:
        return torch.as_tensor(np.stack(arrays), dtype=kind, device=place)

    tokens, queries, scores = (
        stack([getattr(problem, name) for problem in batch])
        for name in ("tokens_float", "queries_float", "scores_float")
    )
    optimal = torch.as_tensor(np.stack([p.optimal for p in batch]), device=place).long()
    count, d = len(batch), tokens.shape[-1]
    start = torch.zeros((count, d, d), dtype=kind, device=place)
    if initial is not None:
        start = _matrix("initial", initial, start).expand(count, d, d).contiguous()
    return single, assemble(tokens, queries, scores, optimal, start)


def assemble(
    tokens: Tensor, queries: Tensor, scores: Tensor, optimal: Tensor, initial: Tensor
) -> Flow:
    """The training problems (B, n, T, d), (B, n, d), (B, n, T), (B, n) in their own basis."""
    atoms = tokens[..., :, None] * queries[:, :, None, None, :]
    vectors = atoms.flatten(3).flatten(1, 2)
    basis, upper = torch.linalg.qr(vectors.mT)
    offset = (atoms * initial[:, None, None]).sum((-2, -1))
    places = torch.arange(scores.shape[-1], device=scores.device)
    best = (places == optimal[..., None]).to(scores.dtype)
    top = (scores * best).sum(-1, keepdim=True)
    ahead = scores[..., :, None] - scores[..., None, :]
    return Flow(upper.mT, offset, basis, initial, scores, ahead, torch.log(top - scores), best)


def _map(run: Trajectory, change: Callable[[Tensor], Tensor]) -> Trajectory:
    named = {field.name: getattr(run, field.name) for field in fields(run)}
    return replace(run, **{k: change(v) for k, v in named.items() if isinstance(v, Tensor)})


def _matrix(name: str, value: ArrayLike | Tensor, like: Tensor) -> Tensor:
    """(d, d), or one a problem, as a tensor beside `like` (B, d, d)."""
    given = torch.as_tensor(value, dtype=like.dtype, device=like.device)
    if given.shape not in (like.shape, like.shape[1:]):
        raise NumericError(
            f"{name}: expected a matrix of shape {tuple(like.shape[1:])} or one for each problem, "
            f"{tuple(like.shape)}; got {tuple(given.shape)}."
        )
    if not bool(given.isfinite().all()):
        raise NumericError(f"{name}: expected finite numbers; got a NaN or an infinite one.")
    return given


def _check_batch(batch: Sequence[Problem]) -> None:
    if not batch:
        raise NumericError("problems: expected at least one Problem; got none.")
    for number, problem in enumerate(batch):
        if not isinstance(problem, Problem):
            raise NumericError(
                f"problems: expected Problem values; got {type(problem).__name__} at {number}."
            )
        if problem.tokens.shape != batch[0].tokens.shape:
            raise NumericError(
                "problems: expected tokens of one shape in a batch, "
                f"{batch[0].tokens.shape} as at 0; got {problem.tokens.shape} at {number}. Train "
                "problems of different shapes apart."
            )


def _check_rule(optimizer: str, steps: int, step_size: float, decay: float | None) -> None:
    if optimizer not in get_args(Optimizer):
        raise NumericError(
            f"optimizer: expected one of {', '.join(get_args(Optimizer))}; got {optimizer!r}."
        )
    if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
        raise NumericError(
            f"steps: expected a whole number of at least 1; got {steps!r}. Pass, e.g., steps=1000."
        )
    positive("step_size", step_size)
    if decay is None:
        return
    if optimizer != "ngd":
        raise NumericError(
            f"decay: expected it with optimizer='ngd' alone; got {decay!r} with {optimizer!r}. "
            "Leave it out."
        )
    if not 0 <= decay < 1:
        raise NumericError(
            f"decay: expected 0 <= decay < 1, so that the steps add up to infinity; got {decay!r}. "
            "Pass, e.g., decay=0.5."
        )


def positive(name: str, value: float) -> None:
    """Raise unless `value` is a finite number above zero."""
    if not isinstance(value, int | float) or not 0 < value < math.inf:
        raise NumericError(
            f"{name}: expected a finite number above 0; got {value!r}. Pass, e.g., {name}=0.5."
        )


def _marks(name: str, given: Sequence[int], low: int, high: int) -> tuple[int, ...]:
    marks = tuple(given)
    rising = all(a < b for a, b in pairwise(marks))
    if not marks or not rising or marks[0] < low or marks[-1] > high:
        raise NumericError(
            f"{name}: expected growing numbers from {low} to {high}; got {marks[:8]}. "
            "Leave it out for two an octave."
        )
    return marks


def _require_finite(u: Tensor, mark: float) -> None:
    bad = torch.nonzero(~u.isfinite().all(-1)).flatten().tolist()
    if bad:
        raise NumericError(
            f"step_size: expected steps that stay finite; got an overflow in problem {bad[0]} by "
            f"iteration {mark:g} ({len(bad)} in all). Lower it; Polyak's step overflows where the "
            "run cannot reach L*."
        )
