"""Descent on key and query matrices: its step, its limits, good and bad inputs."""

import numpy as np
import pytest
import torch

from lemmata.numeric.attsvm import Problem, random_scored, solve
from lemmata.numeric.attsvm.factorised import descend_factors, train_factorised
from lemmata.numeric.attsvm.train import Flow, flow_of
from lemmata.numeric.errors import NumericError
from lemmata.numeric.testing import assert_runs_on_cuda

RANK_ONE = (((2, -1, 0), (3, -3, 2), (1, -2, 0)), ((-2, -1, -2), (1, -2, 1), (2, 2, -2)))


def pairs(best, queries):
    return Problem([[x, (0, 0, 0)] for x in best], queries, [0] * 3, [[1, 0]] * 3)


def loss(problem, weights):
    x, z, g = (
        torch.tensor(np.array(part))
        for part in (problem.tokens_float, problem.queries_float, problem.scores_float)
    )
    shares = torch.softmax(torch.einsum("ntd,de,ne->nt", x, weights, z), -1)
    return torch.log1p((-(shares * g).sum(-1)).exp()).mean()


@pytest.mark.parametrize("optimizer", ["gd", "ngd"])
def test_the_step_is_the_gradient_in_both_factors(optimizer):
    """Against autograd on the loss as it is defined."""
    problem = random_scored(3, 4, 5, 7)
    generator = torch.Generator().manual_seed(0)
    keys, queries = (
        torch.randn(1, 5, 2, dtype=torch.float64, generator=generator).requires_grad_()
        for _ in range(2)
    )
    loss(problem, (keys @ queries.mT)[0]).backward()
    _, flow = flow_of(problem, None, "cpu", "float64")
    after = descend_factors(flow, keys.detach(), queries.detach(), 1, 0.125, optimizer)
    size = 1.0 if optimizer == "gd" else 1 / float(torch.cat([keys.grad, queries.grad]).norm())
    for before, moved in zip((keys, queries), after, strict=True):
        assert torch.allclose(before.detach() - moved, 0.125 * size * before.grad, atol=1e-12)


def test_the_direction_tends_to_the_nuclear_solution_and_not_to_the_frobenius_one():
    problem = pairs(*RANK_ONE)
    run = train_factorised(problem, steps=1024, device="cpu")
    nuclear = run.misalignment(solve(problem, norm="nuclear").matrix)[:, 0].tolist()
    frobenius = run.misalignment(solve(problem).matrix)[:, 0].tolist()
    assert nuclear[-1] < 1e-4
    assert nuclear[-1] < nuclear[-3] / 2
    assert frobenius[-1] > 0.1


def test_where_both_norms_agree_so_do_their_limits():
    """One query: every W that matters is of rank one, and the two norms are equal."""
    problem = Problem([[[1, 1, 0], [1, 0, 0], [0, 1, 0]]], [[1, 2, 2]], [0], [[1, 0, 0]])
    run = train_factorised(problem, steps=1024, seed=3, device="cpu")
    aims = [solve(problem, norm=norm).matrix for norm in ("nuclear", "frobenius")]
    assert np.allclose(*aims, atol=1e-6)
    assert float(run.misalignment(aims[1])[-1, 0]) < 1e-3


def test_a_batch_is_its_problems_one_by_one():
    problems = [random_scored(3, 3, 4, seed) for seed in range(3)]
    together = train_factorised(problems, steps=40, scale=[0.1, 0.2, 0.3], device="cpu")
    for number, problem in enumerate(problems):
        alone = train_factorised(problem, steps=40, scale=0.1 * (number + 1), device="cpu")
        assert torch.allclose(together.matrices[:, number], alone.matrices[:, 0], atol=1e-12)


def test_rank_bounds_the_matrices():
    run = train_factorised(random_scored(3, 3, 4, 1), steps=30, rank=2, seed=5, device="cpu")
    assert run.keys.shape[-1] == 2
    assert int(torch.linalg.matrix_rank(run.matrices[-1, 0])) == 2


def test_seeds_are_deterministic():
    problem = random_scored(2, 3, 4, 1)
    one, two, other = (
        train_factorised(problem, steps=5, seed=seed, device="cpu").matrices for seed in (1, 1, 2)
    )
    assert torch.equal(one, two)
    assert not torch.equal(one, other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps: expected"),
        ({"steps": 1.5}, "steps: expected"),
        ({"step_size": 0}, "step_size: expected"),
        ({"scale": 0.0}, "scale: expected"),
        ({"scale": -1.0}, "scale: expected"),
        ({"scale": [0.1, 0.1]}, "scale: expected"),
        ({"rank": 0}, "rank: expected"),
        ({"rank": 4}, "rank: expected"),
        ({"rank": True}, "rank: expected"),
        ({"seed": -1}, "seed: expected"),
        ({"seed": 0.5}, "seed: expected"),
        ({"optimizer": "adam"}, "optimizer: expected"),
        ({"record": [2, 1]}, "record: expected"),
        ({"record": [9]}, "record: expected"),
        ({"device": "gpu"}, "device: expected"),
        ({"step_size": 1e300}, "step_size: expected steps that stay finite"),
    ],
)
def test_training_refuses(change, message):
    with pytest.raises(NumericError, match=message):
        train_factorised(pairs(*RANK_ONE), **{"steps": 8, "device": "cpu", **change})


def test_a_reference_of_another_shape_is_refused():
    run = train_factorised(pairs(*RANK_ONE), steps=2, device="cpu")
    with pytest.raises(NumericError, match="reference: expected"):
        run.misalignment(np.eye(2))


@pytest.mark.parametrize("optimizer", ["gd", "ngd"])
def test_every_tensor_stays_on_cuda(optimizer):
    _, flow = flow_of(pairs(*RANK_ONE), None, "cpu", "float64")
    factor = torch.eye(3, dtype=torch.float64)[None]
    assert_runs_on_cuda(
        lambda k, q, *parts: descend_factors(Flow(*parts), k, q, 2, 0.1, optimizer),
        factor,
        factor.clone(),
        *flow,
    )
