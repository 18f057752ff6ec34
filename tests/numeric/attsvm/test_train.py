"""The closed-form step against autograd, batches against single runs, and against collapse."""

import math

import numpy as np
import pytest
import torch

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm.arguments import geometric
from lemmata.numeric.attsvm.train import (
    advance,
    assemble,
    flow_of,
    log_excess,
    log_gradient,
    log_unattended,
    matrices,
)
from lemmata.numeric.errors import NumericError
from lemmata.numeric.testing import assert_runs_on_cuda

KINDS = [
    attsvm.loc(),
    attsvm.equal_scores(3),
    attsvm.random_scored(3, 4, 4, 1),
    attsvm.random_scored(2, 3, 6, 2, whole=True, bound=2),
    attsvm.random_scored(4, 3, 12, 3, equal=True),
]
BATCH = [attsvm.random_scored(3, 4, 5, seed) for seed in range(6)]


def loss(problem, weights):
    """L(W) straight from its definition, for autograd."""
    x, z, g = (
        torch.tensor(getattr(problem, name))
        for name in ("tokens_float", "queries_float", "scores_float")
    )
    attention = torch.softmax(torch.einsum("itd,de,ie->it", x, weights, z), -1)
    return torch.nn.functional.softplus(-(attention * g).sum(-1)).mean()


def autograd(problem, weights):
    weights = weights.clone().requires_grad_()
    value = loss(problem, weights)
    (gradient,) = torch.autograd.grad(value, weights)
    return value.detach(), gradient


def plain_loop(problem, steps, size, reference, record):
    """Normalised gradient descent as public code writes it."""
    weights, seen = torch.zeros(problem.d, problem.d, dtype=torch.float64), []
    for k in range(1, steps + 1):
        _, gradient = autograd(problem, weights)
        weights = weights - size / math.sqrt(k) * gradient / gradient.norm()
        if k in record:
            seen.append(float(attsvm.misalignment(weights, torch.as_tensor(reference))))
    return seen


@pytest.mark.parametrize("scale", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("problem", KINDS)
def test_gradient_and_loss_are_those_of_autograd(problem, scale):
    weights = scale * torch.randn(
        problem.d, problem.d, dtype=torch.float64, generator=torch.Generator().manual_seed(7)
    )
    value, expected = autograd(problem, weights)
    _, flow = flow_of(problem, weights, "cpu", "float64")
    u = torch.zeros_like(flow.rows[:, 0])
    unit, log_norm = log_gradient(flow, u)
    found = matrices(flow, torch.exp(log_norm)[:, None] * unit)[0] - weights
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-13)
    best = torch.tensor(problem.scores_float).amax(-1)
    least = torch.nn.functional.softplus(-best).mean()
    torch.testing.assert_close(torch.exp(log_excess(flow, u))[0], value - least)


@pytest.mark.parametrize("optimizer", ["gd", "ngd", "polyak"])
@pytest.mark.parametrize("problem", KINDS)
def test_some_steps_are_those_of_a_plain_loop(problem, optimizer):
    weights = torch.zeros(problem.d, problem.d, dtype=torch.float64)
    best = torch.tensor(problem.scores_float).amax(-1)
    least = torch.nn.functional.softplus(-best).mean()
    for k in range(1, 8):
        value, gradient = autograd(problem, weights)
        length = {
            "gd": 1.0,
            "ngd": 1 / (math.sqrt(k) * gradient.norm()),
            "polyak": (value - least) / gradient.norm() ** 2,
        }[optimizer]
        weights = weights - 0.05 * length * gradient
    run = attsvm.train(problem, optimizer=optimizer, steps=7, step_size=0.05)
    torch.testing.assert_close(run.matrices[-1], weights, rtol=1e-9, atol=1e-12)
    assert run.matrices.shape == (len(run.marks), problem.d, problem.d)


@pytest.mark.parametrize("optimizer", ["gd", "ngd"])
def test_a_batch_is_its_single_runs(optimizer):
    aims = np.stack([attsvm.solve(problem).matrix for problem in BATCH])
    starts = np.random.default_rng(0).standard_normal(aims.shape) / 10
    options = {"optimizer": optimizer, "steps": 60, "step_size": 0.2}
    together = attsvm.train(BATCH, initial=starts, reference=aims, **options)
    for number, problem in enumerate(BATCH):
        alone = attsvm.train(problem, initial=starts[number], reference=aims[number], **options)
        mine = together.of(number)
        assert mine.marks == alone.marks
        for name in ("matrices", "norm", "log_excess", "log_unattended", "misalignment"):
            torch.testing.assert_close(getattr(mine, name), getattr(alone, name))
        assert torch.equal(mine.selected, alone.selected)


def test_the_log_domain_goes_on_where_a_plain_loop_collapses():
    """The same steps; from about k = 800 on float64's softmax has lost the gradient."""
    problem, record = attsvm.random_scored(4, 3, 30, 0, equal=True), (50, 200, 800, 3200)
    aim, size = attsvm.solve(problem).matrix, 1 / problem.d
    ours = attsvm.train(
        problem, optimizer="ngd", steps=3200, step_size=size, record=record, reference=aim
    ).misalignment.tolist()
    theirs = plain_loop(problem, 3200, size, aim, record)
    assert theirs[:2] == pytest.approx(ours[:2], rel=1e-3)
    assert theirs[3] > 10 * theirs[2]
    assert all(ours[j + 1] < ours[j] / 1.7 for j in range(3))


def test_no_excess_is_too_small_for_the_log_domain():
    problem = attsvm.random_scored(3, 4, 6, 0)
    run = attsvm.train(problem, optimizer="ngd", steps=4000, step_size=1.0, decay=0.0)
    assert run.log_excess[-1] < -800
    assert run.log_unattended[-1].max() < -800
    assert bool(run.log_excess.isfinite().all())
    assert bool((run.log_excess.diff() < 0)[4:].all())


SLOPES = [("ngd", 0.5, 1 / 60, -1.02), ("ngd", 0.0, 1 / 60, -2.0), ("polyak", None, 1.0, -2.0)]


@pytest.mark.parametrize(("optimizer", "decay", "size", "expected"), SLOPES)
def test_slopes_on_near_orthogonal_data(optimizer, decay, size, expected):
    """k from 300 to 3000, n = 4, T = 3, d = 60: the figures of the theory."""
    problems = [attsvm.random_scored(4, 3, 60, seed, equal=True) for seed in range(20)]
    aims = np.stack([attsvm.solve(problem, exact=False).matrix for problem in problems])
    run = attsvm.train(
        problems,
        optimizer=optimizer,
        steps=3000,
        step_size=size,
        decay=decay,
        record=(300, 3000),
        reference=aims,
    )
    slope = torch.log10(run.misalignment[1] / run.misalignment[0])
    assert float(slope.mean()) == pytest.approx(expected, abs=0.01)
    assert float(slope.std()) < 0.02


def test_gradient_descent_selects_by_its_start():
    found = []
    for start in ([[0, 0], [0, 0]], [[1, 0], [0, 0]]):
        run = attsvm.train(attsvm.loc(), steps=2000, step_size=0.5, initial=start)
        found.append(run.selected[-1].tolist())
    assert found == [[0], [1]]


def test_float32_follows_float64():
    problem = attsvm.random_scored(3, 4, 5, 4)
    fine, coarse = (
        attsvm.train(problem, optimizer="ngd", steps=200, step_size=0.2, dtype=dtype)
        for dtype in ("float64", "float32")
    )
    assert coarse.matrices.dtype == torch.float32
    torch.testing.assert_close(coarse.matrices.double(), fine.matrices, rtol=1e-2, atol=1e-2)


def test_misalignment_keeps_its_digits():
    one = torch.eye(3, dtype=torch.float64)
    other = one.clone()
    other[0, 1] = 1e-9
    # 1 - corr, computed so, would be 0: corr rounds to 1.
    assert float(attsvm.misalignment(other, one)) == pytest.approx(1e-18 / 6, rel=1e-6)


def test_marks_are_geometric():
    assert geometric(1) == (1,)
    assert geometric(10) == (1, 2, 3, 4, 6, 8, 10)
    assert geometric(1000)[-1] == 1000


def kernels(tokens, queries, scores, optimal, initial):
    flow = assemble(tokens, queries, scores, optimal, initial)
    u = torch.zeros_like(flow.rows[:, 0])
    for optimizer in ("gd", "ngd", "polyak"):
        u = advance(flow, u, optimizer, 0.5)
    return u, log_excess(flow, u), log_unattended(flow, u), matrices(flow, u)


def test_kernels_stay_on_cuda(batch):
    assert_runs_on_cuda(kernels, *batch)


P = attsvm.loc()
NO_SCORES = attsvm.Problem(P.tokens, P.queries, P.optimal)
BAD = [
    ("optimizer: .*adam", lambda: attsvm.train(P, optimizer="adam", steps=3, step_size=1.0)),
    ("steps: .*0", lambda: attsvm.train(P, steps=0, step_size=1.0)),
    ("steps: .*2.5", lambda: attsvm.train(P, steps=2.5, step_size=1.0)),
    ("step_size: .*nan", lambda: attsvm.train(P, steps=3, step_size=math.nan)),
    ("step_size: .*-1", lambda: attsvm.train(P, steps=3, step_size=-1)),
    ("decay: .*'gd'", lambda: attsvm.train(P, steps=3, step_size=1.0, decay=0.5)),
    (
        "decay: .*1.5",
        lambda: attsvm.train(P, optimizer="ngd", steps=3, step_size=1.0, decay=1.5),
    ),
    ("record: .*from 1 to 3", lambda: attsvm.train(P, steps=3, step_size=1.0, record=(1, 9))),
    ("record: ", lambda: attsvm.train(P, steps=3, step_size=1.0, record=())),
    ("record: ", lambda: attsvm.train(P, steps=3, step_size=1.0, record=(2, 2))),
    ("initial: .*(3, 3)", lambda: attsvm.train(P, steps=3, step_size=1.0, initial=np.eye(3))),
    (
        "initial: .*NaN",
        lambda: attsvm.train(P, steps=3, step_size=1.0, initial=np.full((2, 2), np.nan)),
    ),
    ("reference: .*(2,)", lambda: attsvm.train(P, steps=3, step_size=1.0, reference=[1, 2])),
    ("problems: .*none", lambda: attsvm.train([], steps=3, step_size=1.0)),
    ("problems: .*'x' at 0", lambda: attsvm.train(["x"], steps=3, step_size=1.0)),
    ("problems: .* at 1", lambda: attsvm.train([P, BATCH[0]], steps=3, step_size=1.0)),
    ("scores: ", lambda: attsvm.train(NO_SCORES, steps=3, step_size=1.0)),
    ("dtype: ", lambda: attsvm.train(P, steps=3, step_size=1.0, dtype="float16")),
    (
        "step_size: .*problem 0",
        lambda: attsvm.train(
            P, optimizer="polyak", steps=400, step_size=1.0, initial=[[9.0, 0], [0, 0]]
        ),
    ),
]


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_is_named_with_what_was_expected_and_what_came(message, call):
    with pytest.raises(NumericError, match=message) as caught:
        call()
    assert "expected" in str(caught.value)
    assert "got" in str(caught.value)
