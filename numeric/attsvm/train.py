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
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Literal, NamedTuple, get_args

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor
from torch.nn.functional import logsigmoid

from ..device import one_thread, resolve
from ..errors import NumericError
from .arguments import batch_of, iterations, numbers, one_of, positive, shown, whole
from .problem import Problem

Optimizer = Literal["gd", "ngd", "polyak"]
Problems = Problem | Sequence[Problem]
# Below this delta, log1p(c expm1(delta)) is c delta to the last bit.
SMALL = -40.0
UNREACHED = "Where a run cannot reach L*, Polyak's step has no bound: use 'gd' or 'ngd' there. "


@dataclass(frozen=True)
class Trajectory:
    """What a run was at its R recorded `marks`: iterations, log times or radii.

    A batch of B problems adds an axis after the first; a single problem has none. `selected` is
    the token with the largest logit, `log_excess` is log(L - L*), `log_unattended` is
    log(1 - s_opt) of each sequence, `misalignment` is 1 - corr(W, reference): None without one,
    NaN where W is 0.
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
        if self.norm.ndim == 1:
            raise NumericError(
                f"number: expected it for the run of a batch alone; got {shown(number)} for that "
                "of a single problem. Use the run itself."
            )
        place = whole("number", number, 0, self.norm.shape[1] - 1)
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        tensors = {name: value for name, value in named.items() if isinstance(value, Tensor)}
        return replace(self, **{name: value[:, place] for name, value in tensors.items()})

    def __repr__(self) -> str:
        runs = "one problem" if self.norm.ndim == 1 else f"{self.norm.shape[1]} problems"
        first, last = self.marks[0], self.marks[-1]
        return f"Trajectory({runs}, {len(self.marks)} marks from {first:g} to {last:g})"


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
    one_of("optimizer", optimizer, get_args(Optimizer))
    power, size = _decay(optimizer, decay), positive("step_size", step_size)
    marks = iterations("record", record, whole("steps", steps, 1))
    single, flow = flow_of(problems, initial, device, dtype)
    u = torch.zeros_like(flow.rows[:, 0])
    kept, done = [], 0
    for mark in marks:
        for k in range(done + 1, mark + 1):
            u = advance(flow, u, optimizer, size * k**-power)
        done = mark
        require_finite(u, mark, size, UNREACHED if optimizer == "polyak" else "")
        kept.append(u)
    return recorded(flow, marks, torch.stack(kept), reference, single)


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


def misalignment(weights: ArrayLike | Tensor, reference: ArrayLike | Tensor) -> Tensor:
    """1 - corr of the last two axes, as half the squared distance of the unit matrices.

    It is NaN where one of them is 0.
    """
    first = weights if isinstance(weights, Tensor) else torch.tensor(numbers("weights", weights))
    second = as_tensor("reference", reference, first)
    one, two = (
        m / torch.linalg.vector_norm(m, dim=(-2, -1), keepdim=True) for m in (first, second)
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
    aim = None if reference is None else reference_of(reference, flow.initial)
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
    batch = batch_of(problems, Problem)
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
        start = matrix_of("initial", initial, start).expand(count, d, d).contiguous()
    flow = assemble(tokens, queries, scores, optimal, start)
    _check_flow(flow)
    return single, flow


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


def as_tensor(name: str, value: ArrayLike | Tensor, like: Tensor) -> Tensor:
    """Finite numbers as a tensor beside `like`."""
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.detach().to(like)
    return torch.tensor(numbers(name, value), dtype=like.dtype, device=like.device)


def matrix_of(name: str, value: ArrayLike | Tensor, like: Tensor) -> Tensor:
    """(d, d), or one a problem, as a tensor beside `like` (B, d, d)."""
    given = torch.tensor(numbers(name, value), dtype=like.dtype, device=like.device)
    if given.shape not in (like.shape, like.shape[1:]):
        raise NumericError(
            f"{name}: expected a matrix of shape {tuple(like.shape[1:])} or one for each problem, "
            f"{tuple(like.shape)}; got {tuple(given.shape)}. Pass, e.g., torch.zeros"
            f"({tuple(like.shape[1:])})."
        )
    if not bool(torch.linalg.vector_norm(given).isfinite()):
        raise NumericError(
            f"{name}: expected a matrix whose length {like.dtype} can hold; got {shown(value)}. "
            "Scale it down."
        )
    return given


def reference_of(value: ArrayLike | Tensor, like: Tensor) -> Tensor:
    """A matrix that has a direction, or one a problem."""
    given = matrix_of("reference", value, like)
    if not bool((given != 0).any(-1).any(-1).all()):
        raise NumericError(
            "reference: expected a matrix that has a direction; got 0. Pass, e.g., "
            "solve(problem).matrix, or leave it out."
        )
    return given


def _decay(optimizer: Optimizer, decay: float | None) -> float:
    """The power of k by which the steps shrink."""
    if decay is None:
        return 0.5 if optimizer == "ngd" else 0.0
    if optimizer != "ngd":
        raise NumericError(
            f"decay: expected it with optimizer='ngd' alone; got {shown(decay)} with "
            f"{optimizer!r}. Leave it out."
        )
    if not isinstance(decay, Real) or not 0 <= decay < 1:
        raise NumericError(
            "decay: expected 0 <= decay < 1, so that the steps add up to infinity; got "
            f"{shown(decay)}. Pass, e.g., decay=0.5."
        )
    return float(decay)


def _check_flow(flow: Flow) -> None:
    """Raise if the data lost their meaning in the dtype of the run."""
    kind = flow.scores.dtype
    finite = flow.rows.isfinite().all(-1).all(-1) & flow.scores.isfinite().all(-1).all(-1)
    for number in torch.nonzero(~finite).flatten().tolist():
        raise NumericError(
            f"problems: expected scores and products x_it z_i^T that {kind} can hold; got larger "
            f"ones in problem {number}. Rescale tokens or queries, or use float64."
        )
    tied = (flow.best == 0) & (flow.log_gaps == -math.inf)
    for number, i, t in torch.nonzero(tied).tolist():
        raise NumericError(
            f"scores: expected scores that {kind} can tell apart; got token {t} of sequence {i} "
            f"in problem {number}, which rounds to the score of the optimal token. Change the "
            "decoder, or use float64."
        )


def require_finite(values: Tensor, mark: int, size: float, hint: str = "") -> None:
    """Raise if a run (B, ...) has grown beyond its dtype by iteration `mark`."""
    lengths = torch.linalg.vector_norm(values.flatten(1), dim=-1)
    bad = torch.nonzero(~lengths.isfinite()).flatten().tolist()
    if bad:
        raise NumericError(
            f"step_size: expected steps that stay finite; got an overflow with {size:g} in problem "
            f"{bad[0]} by iteration {mark} ({len(bad)} in all). {hint}Lower it."
        )
