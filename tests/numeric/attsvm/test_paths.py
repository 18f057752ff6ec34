"""Virtual time against gradient descent, its clock, the path against its own optimality."""

import math

import numpy as np
import pytest
import torch

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm.paths import accelerate, drift, slope, widest
from lemmata.numeric.attsvm.train import assemble, flow_of, log_excess, log_gradient
from lemmata.numeric.errors import NumericError
from lemmata.numeric.testing import assert_runs_on_cuda

BATCH = [attsvm.random_scored(3, 4, 6, seed) for seed in range(5)]
# Token 1 of the second sequence is no support: its margin is 3 and its multiplier 0.
IDLE = attsvm.Problem(
    [[[1, 0], [0, 0], [2, -1]], [[0, 1], [-3, -2], [0, 0]]],
    [[1, 0], [0, 1]],
    [0, 0],
    [[2, 1, 0], [3, 1, 2]],
)


def test_virtual_time_is_gradient_descent_with_small_steps():
    """At log t = 6 and 8: t = eta k with eta = 1/20."""
    problem, eta, times = BATCH[0], 1 / 20, (4.0, 6.0)
    marks = [round(math.exp(time) / eta) for time in times]
    slow = attsvm.train(problem, steps=marks[-1], step_size=eta, record=marks)
    fast = attsvm.virtual_time(problem, times[-1], times=times, step=0.01)
    torch.testing.assert_close(fast.matrices, slow.matrices, rtol=2e-2, atol=2e-2)
    assert torch.equal(fast.selected, slow.selected)


def test_virtual_time_reaches_log_k_of_several_hundred():
    run = attsvm.virtual_time(BATCH, 544, step=0.5)
    assert run.marks[-1] == 544
    # 1 - s is of the order 1/t, which no float could hold.
    assert bool((run.log_unattended[-1].amax(-1) + 544 < 20).all())
    growth = run.norm[-1] - run.norm[-2]
    for number, problem in enumerate(BATCH):
        tokens = run.selected[-1, number].tolist()
        aim = math.sqrt(attsvm.solve(problem.selecting(tokens)).norm_squared)
        assert float(growth[number]) / 272 == pytest.approx(aim, rel=1e-3)


def test_the_step_does_not_matter_in_the_end():
    coarse, fine = (attsvm.virtual_time(BATCH, 256, step=step) for step in (0.5, 0.2))
    torch.testing.assert_close(coarse.log_unattended[-1], fine.log_unattended[-1])
    torch.testing.assert_close(coarse.norm[-1], fine.norm[-1], rtol=1e-4, atol=0)


def test_a_batch_in_virtual_time_is_its_single_runs():
    together = attsvm.virtual_time(BATCH, 16)
    for number, problem in enumerate(BATCH):
        torch.testing.assert_close(
            together.of(number).matrices, attsvm.virtual_time(problem, 16).matrices
        )


def test_log_times_halve_down_to_one():
    assert attsvm.virtual_time(attsvm.loc(), 12).marks == (1.5, 3, 6, 12)
    assert attsvm.virtual_time(attsvm.loc(), 0.5).marks == (0.5,)


def test_a_constraint_that_is_no_support_leaves_a_part_that_the_law_does_not_know():
    """W - log(t) W^mm has the margins log(w/lambda) on the support, and a part across its span.

    The other atom was pulled along for a finite time, so (1 - corr) |W|^2 tends to more than
    the constant of the support alone.
    """
    solution = attsvm.solve(IDLE)
    assert solution.support == (0, 1, 3)
    run = attsvm.virtual_time(IDLE, 128, reference=solution.matrix)
    best = IDLE.scores_float.max(1)[:, None]
    w = (best - IDLE.scores_float) / (2 * (1 + np.exp(best)))
    kept = list(solution.support)
    levels = np.log(w[tuple(IDLE.pairs[kept].T)] / solution.multipliers[kept])
    atoms = np.array(IDLE.atoms(), dtype=float)[kept]
    rest = (run.matrices[-1].numpy() - 128 * solution.matrix).ravel()
    assert (atoms @ rest).tolist() == pytest.approx(levels.tolist(), rel=1e-9)

    inside = np.linalg.pinv(atoms) @ levels
    extra = rest - inside
    assert np.linalg.norm(extra) > 0.1
    unit = solution.matrix.ravel() / np.linalg.norm(solution.matrix)
    alone = (inside @ inside - (inside @ unit) ** 2) / 2
    measured = float(run.misalignment[-1] * run.norm[-1] ** 2)
    assert measured == pytest.approx(alone + extra @ extra / 2, rel=1e-4)
    assert measured > 2 * alone

    # What is left of the other tokens' attention has its constant all the same: lambda = 0 there.
    left = torch.exp(run.log_unattended[-1] + 128).tolist()
    shares = np.zeros(IDLE.n)
    np.add.at(shares, IDLE.pairs[:, 0], solution.multipliers / w[tuple(IDLE.pairs.T)])
    assert left == pytest.approx(shares.tolist(), rel=1e-9)


RADII = (0.5, 2.0, 8.0, 32.0)
PROBLEMS = [attsvm.loc(), attsvm.equal_scores(4), *BATCH[:3]]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_path_is_stationary_on_its_spheres_and_below_every_rival(problem):
    path = attsvm.regularization_path(problem, RADII)
    assert path.norm.tolist() == pytest.approx(RADII, rel=1e-12)
    _, flow = flow_of(problem, None, "cpu", "float64")
    rivals = torch.randn(
        200, flow.rows.shape[-1], dtype=torch.float64, generator=torch.Generator().manual_seed(1)
    )
    rivals[0] = flow.basis[0].mT @ torch.as_tensor(attsvm.solve(problem).matrix).flatten()
    for row, radius in enumerate(RADII):
        u = (flow.basis[0].mT @ path.matrices[row].flatten())[None]
        unit, _ = log_gradient(flow, u)
        torch.testing.assert_close(unit, -u / radius, rtol=0, atol=1e-8)
        rivals = rivals * (radius / rivals.norm(dim=-1, keepdim=True))
        values = torch.stack([log_excess(flow, rival[None])[0] for rival in rivals])
        assert bool((values >= path.log_excess[row] - 1e-9).all())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_path_turns_to_the_max_margin_direction(problem):
    solution = attsvm.solve(problem)
    length = math.sqrt(solution.norm_squared)
    path = attsvm.regularization_path(
        problem, [length * factor for factor in (4, 16, 64, 256)], reference=solution.matrix
    )
    gap = path.misalignment
    assert bool((gap[1:] < gap[:-1]).all())
    assert float(gap[-1]) < 1e-4


def test_the_path_finds_the_global_minimiser_where_descent_does_not():
    """EQ with m = 4: gradient descent goes to (1, 0), the path to (1, 3)."""
    problem = attsvm.equal_scores(4)
    aim = attsvm.solve(problem).matrix
    path = attsvm.regularization_path(problem, [40.0, 400.0], reference=aim)
    run = attsvm.train(problem, steps=20_000, step_size=1.0, reference=aim)
    assert float(path.misalignment[-1]) < 1e-4
    assert float(run.misalignment[-1]) > 0.1


def flow_kernels(tokens, queries, scores, optimal, initial):
    flow = assemble(tokens, queries, scores, optimal, initial)
    u = torch.ones_like(flow.rows[:, 0])
    size = widest(flow)
    u, clock = drift(flow, u, torch.zeros_like(size), 3.0, size)
    state = accelerate(flow, u, u, log_excess(flow, u), size, torch.ones_like(size), 2.0)
    return clock, slope(flow, u), state


def test_kernels_stay_on_cuda(batch):
    assert_runs_on_cuda(flow_kernels, *batch)


P = attsvm.loc()
BAD = [
    ("horizon: .*0", lambda: attsvm.virtual_time(P, 0)),
    ("horizon: .*inf", lambda: attsvm.virtual_time(P, math.inf)),
    ("step: .*-1", lambda: attsvm.virtual_time(P, 3, step=-1)),
    ("times: .*at most 3", lambda: attsvm.virtual_time(P, 3, times=(1, 4))),
    ("times: ", lambda: attsvm.virtual_time(P, 3, times=())),
    ("times: ", lambda: attsvm.virtual_time(P, 3, times=(2, 1))),
    ("times: .*nan", lambda: attsvm.virtual_time(P, 3, times=(math.nan, 2))),
    ("limit: .*log t = 50 in 100", lambda: attsvm.virtual_time(P, 50, limit=100)),
    ("radii: ", lambda: attsvm.regularization_path(P, [])),
    ("radii: .*0", lambda: attsvm.regularization_path(P, [0.0, 1.0])),
    ("radii: ", lambda: attsvm.regularization_path(P, [2.0, 1.0])),
    ("tolerance: ", lambda: attsvm.regularization_path(P, [2.0], tolerance=0.0)),
    ("limit: .*radius 2", lambda: attsvm.regularization_path(P, [2.0], tolerance=1e-30, limit=9)),
]


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_is_named_with_what_was_expected_and_what_came(message, call):
    with pytest.raises(NumericError, match=message) as caught:
        call()
    assert "expected" in str(caught.value)
    assert "got" in str(caught.value)
