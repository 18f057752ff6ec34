"""Two limits of training: the regularisation path, and gradient flow in virtual time.

Regularisation path: W_R minimises L over |W|_F <= R. The minimiser of log(L - L*), which is the
same, is found by accelerated projected gradient steps and then Newton's on the sphere |W| = R. The
objective is not convex: each radius is tried from several starts and from the minimiser before.

Virtual time: gradient flow dW/dt = -grad L, followed in steps of bounded arc length. The clock is
theta = log(1 + t), in which dW/dtheta = -(1 + t) grad L: as |grad L| ends up like |W^mm|/t, the
steps then become exact, where dt = ds/|grad L| would keep a bias of half a step. As |W| grows
like log t, some thousand steps reach t = exp(500), which gradient descent with a small step eta
reaches after k = t/eta iterations.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from ..device import one_thread
from ..errors import NumericError
from ..sampling import generator
from .arguments import growing, positive, require_problem, whole
from .problem import Problem
from .train import (
    Flow,
    Problems,
    Trajectory,
    flow_of,
    log_excess,
    log_gradient,
    recorded,
)

LOOK = 16  # iterations between two looks at the outcome, each of which waits for the device


@one_thread()
def virtual_time(
    problems: Problems,
    horizon: float,
    *,
    times: Sequence[float] | None = None,
    step: float = 0.25,
    initial: ArrayLike | Tensor | None = None,
    reference: ArrayLike | Tensor | None = None,
    limit: int = 10**5,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
) -> Trajectory:
    """Gradient flow up to log t = `horizon`, recorded exactly at the log times `times`.

    `times` are horizon/2^j down to 1 unless given. No difference of two logits of a sequence
    changes by more than `step` in one of the steps, of which `limit` are allowed. Only a run whose
    margins grow gets far: one that comes to rest at a finite W takes a number of steps like t.
    """
    marks, most = _log_times(horizon, times), whole("limit", limit, 1)
    change = positive("step", step)
    single, flow = flow_of(problems, initial, device, dtype)
    u = torch.zeros_like(flow.rows[:, 0])
    longest = math.log(change) - torch.log(widest(flow))
    clock = torch.zeros_like(longest)
    kept, taken = [], 0
    for mark in marks:
        aim = float(np.logaddexp(0.0, mark))
        while bool((clock < aim).any()):
            if taken >= most:
                raise NumericError(
                    f"limit: expected to reach log t = {marks[-1]:g} in {most} steps; got to "
                    f"{float(clock.min()):g} in problem {int(clock.argmin())}. Raise limit or "
                    "step, or lower horizon; where the data are infeasible the run may rest at a "
                    "finite W, and no limit will do."
                )
            for _ in range(LOOK):
                u, clock = drift(flow, u, clock, aim, longest)
            taken += LOOK
        kept.append(u)
    return recorded(flow, marks, torch.stack(kept), reference, single)


def drift(
    flow: Flow, u: Tensor, clock: Tensor, aim: float, longest: Tensor
) -> tuple[Tensor, Tensor]:
    """One step of length exp(longest), or the shorter one that ends at theta = aim."""
    unit, log_norm = log_gradient(flow, u)
    speed = clock + log_norm
    whole = torch.exp(longest - speed)
    left = aim - clock
    length = torch.exp(speed + torch.log(torch.minimum(whole, left)))
    clock = torch.where(whole < left, clock + whole, torch.full_like(clock, aim))
    return u - length[:, None] * unit, clock


def widest(flow: Flow) -> Tensor:
    """(B,): the largest |(x_it - x_itau) z_i^T|, how fast a difference of logits can change."""
    rows = flow.rows.unflatten(1, flow.scores.shape[1:])
    return (rows[..., :, None, :] - rows[..., None, :, :]).norm(dim=-1).amax((1, 2, 3))


@one_thread()
def regularization_path(
    problem: Problem,
    radii: Sequence[float],
    *,
    starts: int = 8,
    explore: int = 320,
    seed: int = 0,
    tolerance: float | None = None,
    limit: int = 20_000,
    reference: ArrayLike | Tensor | None = None,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
) -> Trajectory:
    """The minimiser of L over |W|_F <= R for each of the growing radii R.

    `starts` random starts, one along the first gradient and the minimiser of the radius before
    take `explore` steps each; the one with the least loss goes on until W/|W| is within
    `tolerance` (1e-9, in float32 1e-5) of minus the unit gradient, after `limit` steps at most.
    That it is the global minimiser is as likely as that one of the starts finds it. It must lie on
    the sphere, as it does for feasible data: one inside the ball is an error.
    """
    marks, explored = _radii(radii), whole("explore", explore, 0)
    count, most = whole("starts", starts, 0), whole("limit", limit, 1)
    _, flow = flow_of(require_problem(problem, Problem), None, device, dtype)
    near = _resolution(flow) if tolerance is None else positive("tolerance", tolerance)
    if not bool(widest(flow) > 0):
        raise NumericError(
            "tokens: expected a sequence whose tokens differ; got none, so that the loss is the "
            "same for every W. Change the tokens."
        )
    drawn = torch.randn(
        (count, flow.rows.shape[-1]), generator=generator(seed, 0), dtype=torch.float64
    ).to(flow.rows)
    first = -log_gradient(flow, torch.zeros_like(flow.rows[:, 0]))[0]
    others, best, kept = torch.cat([first, drawn]), first, []
    many = _repeat(flow, len(others) + 1)
    for radius in marks:
        found = _descend(many, _scaled(torch.cat([best, others]), radius), radius, explored)
        least = int(torch.argmin(log_excess(many, found)))
        best = _finish(flow, found[least : least + 1], radius, near, most)
        kept.append(best)
    return recorded(flow, marks, torch.stack(kept), reference, True)


def _repeat(flow: Flow, count: int) -> Flow:
    return Flow(*(part.expand(count, *part.shape[1:]) for part in flow))


def _scaled(u: Tensor, radius: float) -> Tensor:
    return u * (radius / torch.linalg.vector_norm(u, dim=-1, keepdim=True))


def slope(flow: Flow, u: Tensor) -> Tensor:
    """The gradient of log(L - L*)."""
    unit, log_norm = log_gradient(flow, u)
    return torch.exp(log_norm - log_excess(flow, u))[:, None] * unit


def _off(u: Tensor, slopes: Tensor) -> float:
    """How far W/|W| is from minus the unit gradient, zero at a minimiser on the sphere."""
    return float((u / u.norm() + slopes / slopes.norm()).norm())


def _resolution(flow: Flow) -> float:
    """What the dtype of a run can be trusted to tell apart."""
    return 1e-9 if flow.rows.dtype == torch.float64 else 1e-5


def _finish(flow: Flow, u: Tensor, radius: float, tolerance: float, limit: int) -> Tensor:
    """One start to the end: Newton's steps, and more gradient steps where these fail."""
    taken, off = 0, math.inf
    while taken < limit:
        found, off = _newton(flow, _scaled(u, radius), radius, tolerance)
        before = log_excess(flow, u)
        lower = log_excess(flow, found) <= before + _resolution(flow) * before.abs().clamp_min(1)
        if off <= tolerance and bool(lower):
            return found
        u = _descend(flow, u, radius, 20 * LOOK)
        taken += 20 * LOOK
    raise NumericError(
        f"limit: expected a minimiser at radius {radius:g} to {tolerance:g} in {limit} steps; got "
        f"one to {off:.1e}. Raise limit or tolerance; an infeasible problem may have it inside "
        "the ball: leave out such radii."
    )


def _newton(flow: Flow, u: Tensor, radius: float, tolerance: float) -> tuple[Tensor, float]:
    """Newton's method for slope + nu u = 0 on |u| = radius; (point, how far it is off)."""
    here, size = slope(flow, u), u.shape[-1]
    off = _off(u, here)
    reach = 1e-4 / widest(flow)
    many, shifts = _repeat(flow, size), reach * torch.eye(size, dtype=u.dtype, device=u.device)
    for _ in range(20):
        if off <= tolerance:
            break
        bend = (slope(many, u + shifts) - slope(many, u - shifts)) / (2 * reach)
        nu = -(here * u).sum() / radius**2
        curved = (bend + bend.mT) / 2 + nu * torch.eye(size, dtype=u.dtype, device=u.device)
        system = torch.cat(
            [torch.cat([curved, u.mT], 1), torch.cat([u, torch.zeros_like(u[:, :1])], 1)]
        )
        right = torch.cat([-(here + nu * u), torch.zeros_like(u[:, :1])], 1)
        move, failed = torch.linalg.solve_ex(system, right[0])
        trial = _scaled(u + move[None, :size], radius)
        there = slope(flow, trial)
        if bool(failed) or not _off(trial, there) < off:
            break
        u, here, off = trial, there, _off(trial, there)
    return u, off


def _descend(flow: Flow, u: Tensor, radius: float, steps: int) -> Tensor:
    """Accelerated projected gradient steps on log(L - L*)."""
    # It is about a log-sum-exp of the margins, whose slope changes at most so fast.
    state = (u, u, log_excess(flow, u), 1 / widest(flow).square(), torch.ones_like(u[:, 0]))
    for _ in range(steps):
        state = accelerate(flow, *state, radius)
    return state[0]


def accelerate(
    flow: Flow,
    u: Tensor,
    ahead: Tensor,
    value: Tensor,
    step: Tensor,
    pace: Tensor,
    radius: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """One step from `ahead`; where it does not lower the loss, start again from u."""
    point = ahead - step[:, None] * slope(flow, ahead)
    size = torch.linalg.vector_norm(point, dim=-1, keepdim=True)
    point = point * torch.clamp(radius / size, max=1.0)
    reached = log_excess(flow, point)
    lower = reached <= value
    fine = lower | (ahead != u).any(-1)
    faster = (1 + torch.sqrt(1 + 4 * pace**2)) / 2
    onward = point + ((pace - 1) / faster)[:, None] * (point - u)
    return (
        torch.where(lower[:, None], point, u),
        torch.where(lower[:, None], onward, u),
        torch.where(lower, reached, value),
        torch.where(fine, step, step / 2),
        torch.where(lower, faster, torch.ones_like(pace)),
    )


def _log_times(horizon: float, times: Sequence[float] | None) -> tuple[float, ...]:
    end = positive("horizon", horizon)
    if times is not None:
        return growing("times", times, end)
    count = max(int(math.log2(end)), 0) + 1
    return tuple(end / 2**j for j in reversed(range(count)))


def _radii(radii: Sequence[float]) -> tuple[float, ...]:
    marks = growing("radii", radii)
    if marks[0] <= 0:
        raise NumericError(
            f"radii: expected numbers above 0; got {marks[0]:g}. Leave out 0, where W is 0, and "
            "what is below."
        )
    return marks
