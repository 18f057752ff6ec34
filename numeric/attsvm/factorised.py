"""Training the key and query matrices, W = K Q^T, from a small start.

The loss is that of `train`, L(K Q^T), and both factors descend at once:

    K <- K - e G Q,    Q <- Q - e G^T K,    G = dL/dW,

with e = step_size ("gd") or step_size/|(G Q, G^T K)| ("ngd", which also gets far where the
gradient has all but vanished). A factorised W costs (|K|^2 + |Q|^2)/2 at least its nuclear norm,
so its direction is compared with the nuclear-norm Att-SVM, not with the Frobenius one.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal, get_args

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from ..device import one_thread
from ..errors import NumericError
from .arguments import iterations, listed, one_of, positive, whole
from .train import (
    Flow,
    Problems,
    flow_of,
    log_gradient,
    misalignment,
    reference_of,
    require_finite,
)

Optimizer = Literal["gd", "ngd"]


@dataclass(frozen=True, eq=False)
class FactorisedRun:
    """Keys and queries (R, B, d, rank) after each of R recorded iterations."""

    iterations: tuple[int, ...]
    keys: Tensor
    queries: Tensor

    @property
    def matrices(self) -> Tensor:
        """(R, B, d, d): W = K Q^T."""
        return self.keys @ self.queries.mT

    def misalignment(self, reference: ArrayLike | Tensor) -> Tensor:
        """(R, B): 1 - cos(W, reference), for a reference (d, d) or one a problem."""
        weights = self.matrices
        return misalignment(weights, reference_of(reference, weights[0]))

    def __repr__(self) -> str:
        _, runs, d, rank = self.keys.shape
        last = self.iterations[-1]
        return f"FactorisedRun(problems={runs}, d={d}, rank={rank}, up to iteration {last})"


@one_thread()
def train_factorised(
    problems: Problems,
    *,
    steps: int,
    step_size: float = 0.05,
    scale: float | Sequence[float] = 0.01,
    rank: int | None = None,
    seed: int | None = None,
    optimizer: Optimizer = "ngd",
    record: Sequence[int] | None = None,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
) -> FactorisedRun:
    """Train K and Q (d, rank) on one problem, or on several of equal shape at once.

    They start as `scale`, one for all or one a problem, times the identity or times standard
    normal numbers of `seed`; `rank` is d unless given. `record` lists the iterations to keep, two
    an octave unless given.
    """
    one_of("optimizer", optimizer, get_args(Optimizer))
    size = positive("step_size", step_size)
    marks = iterations("record", record, whole("steps", steps, 1))
    _, flow = flow_of(problems, None, device, dtype)
    keys, queries = _start(flow, scale, rank, seed)
    kept, done = [], 0
    for mark in marks:
        keys, queries = descend_factors(flow, keys, queries, mark - done, size, optimizer)
        done = mark
        require_finite(torch.cat([keys, queries], 1), mark, size)
        kept.append((keys, queries))
    found = (torch.stack(factors) for factors in zip(*kept, strict=True))
    return FactorisedRun(marks, *found)


def descend_factors(
    flow: Flow, keys: Tensor, queries: Tensor, steps: int, step_size: float, optimizer: Optimizer
) -> tuple[Tensor, Tensor]:
    """K and Q after some steps; the gradient in W comes as a unit vector and the log of its length,
    so that none is too small."""
    for _ in range(steps):
        weights = (keys @ queries.mT).flatten(1)
        u = torch.matmul(weights[:, None, :], flow.basis)[:, 0]
        unit, log_norm = log_gradient(flow, u)
        slope = torch.matmul(flow.basis, unit[:, :, None]).view_as(flow.initial)
        down = slope @ queries, slope.mT @ keys
        if optimizer == "gd":
            size = torch.exp(log_norm)[:, None, None]
        else:
            both = torch.cat([part.flatten(1) for part in down], 1)
            length = torch.linalg.vector_norm(both, dim=1)[:, None, None]
            size = 1 / length.clamp_min(torch.finfo(length.dtype).tiny)
        keys, queries = keys - step_size * size * down[0], queries - step_size * size * down[1]
    return keys, queries


def _start(
    flow: Flow, scale: float | Sequence[float], rank: int | None, seed: int | None
) -> tuple[Tensor, Tensor]:
    count, d = flow.initial.shape[:2]
    scales = [scale] * count if isinstance(scale, Real) else listed("scale", scale)
    if len(scales) != count:
        raise NumericError(
            f"scale: expected one number, or one for each of {count} problems; got {len(scales)}. "
            "Pass, e.g., scale=0.01."
        )
    scales = [positive("scale", each) for each in scales]
    width = d if rank is None else whole("rank", rank, 1, d)
    if seed is None:
        factors = np.broadcast_to(np.eye(d, width), (2, count, d, width))
    else:
        shape = (2, count, d, width)
        factors = np.random.default_rng(whole("seed", seed, 0)).standard_normal(shape)
    sized = factors * np.array(scales, dtype=np.float64)[:, None, None]
    start = torch.tensor(sized, dtype=flow.initial.dtype, device=flow.initial.device)
    return start[0], start[1]
