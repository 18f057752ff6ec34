"""Sparsemax, training with a nonlinear head and its parts: good and bad inputs side by side."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from lemmata.numeric.attsvm import loc, multitoken
from lemmata.numeric.attsvm.multitoken import (
    Batch,
    MultiTokenProblem,
    decompose,
    descend,
    logits,
    sparsemax,
    train_multitoken,
)
from lemmata.numeric.errors import NumericError
from lemmata.numeric.testing import assert_runs_on_cuda

HADAMARD = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2
SCORES = np.array([[1, 0.5, -0.5, -1.5], [-0.5, 0.25, 0.75, -1]])
QUERIES = np.array([[2.0, 0, 0, 0], [-1, 2, 0, 0]])
TOKENS = np.stack([HADAMARD, np.eye(4)])


def problem(mu=0.5, scores=SCORES, queries=QUERIES, tokens=TOKENS):
    return MultiTokenProblem(tokens, queries, np.einsum("ntd,nt->nd", tokens, scores), mu)


def random_problem(seed, n=2, length=4, d=6, mu=0.4):
    generator = np.random.default_rng(seed)
    tokens = np.stack([np.linalg.qr(generator.standard_normal((d, length)))[0].T for _ in range(n)])
    return MultiTokenProblem(
        tokens, generator.standard_normal((n, d)), generator.standard_normal((n, d)), mu
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0], [1]),
        ([5, 5], [Fraction(1, 2)] * 2),
        ([3, 0, 0], [1, 0, 0]),
        ([1, 0], [1, 0]),
        ([Fraction(1, 2), 0], [Fraction(3, 4), Fraction(1, 4)]),
        ([Fraction(k, 2) for k in (2, 1, -1, -3)], [Fraction(3, 4), Fraction(1, 4), 0, 0]),
        ([10**30, 10**30 - 1], [1, 0]),
    ],
)
def test_sparsemax_exactly(values, expected):
    assert sparsemax(values) == tuple(expected)


@given(st.lists(st.fractions(-3, 3, max_denominator=20), min_size=1, max_size=7))
def test_sparsemax_satisfies_its_optimality_conditions(values):
    found = sparsemax(values)
    assert sum(found) == 1
    assert min(found) >= 0
    levels = {value - share for value, share in zip(values, found, strict=True) if share > 0}
    assert len(levels) == 1
    assert all(
        value <= max(levels) for value, share in zip(values, found, strict=True) if not share
    )


@given(st.lists(st.fractions(-3, 3, max_denominator=20), min_size=1, max_size=7))
def test_sparsemax_of_tensors_agrees_with_the_exact_one(values):
    floats = torch.tensor([[float(value) for value in values]] * 2, dtype=torch.float64)
    exact = torch.tensor([float(share) for share in sparsemax(values)], dtype=torch.float64)
    assert torch.allclose(sparsemax(floats), exact.expand(2, -1), atol=1e-14)


@pytest.mark.parametrize("values", [[], [0.5], [True], ["1"], [None]])
def test_sparsemax_refuses(values):
    with pytest.raises(NumericError, match="values: expected"):
        sparsemax(values)


def test_the_step_is_the_gradient_of_the_head_at_the_attended_token():
    """Against autograd on the definition: v . x - mu |x|^2 at x = X^T s."""
    given = random_problem(3)
    batch = multitoken._batch([given], torch.device("cpu"), torch.float64)
    x, z, v = (
        torch.tensor(np.array(part)) for part in (given.tokens, given.queries, given.decoder)
    )
    outer = {"linear": lambda f: -f, "logistic": lambda f: torch.log1p(f.neg().exp())}
    generator = torch.Generator().manual_seed(0)
    for loss in ("linear", "logistic"):
        weights = torch.randn(1, 6, 6, dtype=torch.float64, generator=generator).requires_grad_()
        shares = torch.softmax(torch.einsum("ntd,de,ne->nt", x, weights[0], z), -1)
        seen = torch.einsum("ntd,nt->nd", x, shares)
        head = (v * seen).sum(-1) - given.mu * seen.square().sum(-1)
        outer[loss](head).mean().backward()
        moved = descend(weights.detach(), batch, 1, 0.25, loss)
        assert torch.allclose(weights.detach() - moved, 0.25 * weights.grad, atol=1e-13)


def test_a_batch_is_its_problems_one_by_one():
    problems = [random_problem(seed) for seed in range(3)]
    together = train_multitoken(problems, steps=50, loss="logistic", device="cpu")
    for number, each in enumerate(problems):
        alone = train_multitoken([each], steps=50, loss="logistic", device="cpu")
        assert torch.allclose(together.weights[:, number], alone.weights[:, 0], atol=1e-13)
    assert together.iterations == (1, 2, 4, 8, 16, 32, 50)
    assert together.attention.shape == (7, 3, 2, 4)


def test_runs_are_deterministic_and_start_where_they_are_told():
    start = np.full((1, 4, 4), 0.1)
    one, two = (
        train_multitoken([problem()], steps=20, initial=start, record=[20], device="cpu")
        for _ in range(2)
    )
    plain = train_multitoken([problem()], steps=20, record=[20], device="cpu")
    assert torch.equal(one.weights, two.weights)
    assert not torch.allclose(one.weights, plain.weights)


@pytest.mark.parametrize("seed", range(4))
def test_attention_tends_to_the_optimal_map(seed):
    given = random_problem(seed)
    run = train_multitoken([given], steps=4000, step_size=1.0, device="cpu")
    errors = [float(np.abs(maps[0].numpy() - given.optimal_map).max()) for maps in run.attention]
    assert errors[-1] < 0.02
    assert errors[-1] < errors[-3] / 1.5


def test_float32_goes_the_same_way():
    single = train_multitoken([problem()], steps=200, dtype="float32", device="cpu")
    double = train_multitoken([problem()], steps=200, device="cpu")
    assert single.weights.dtype == torch.float32
    assert torch.allclose(single.weights.double(), double.weights, atol=1e-3)


def test_parts_have_the_margins_that_define_them():
    given = problem()
    parts = decompose(given)
    for i, (x, z, best) in enumerate(zip(TOKENS, QUERIES, given.optimal_map, strict=True)):
        finite, margin = x @ parts.finite @ z, x @ parts.max_margin @ z
        chosen = np.flatnonzero(best)
        others = np.flatnonzero(best == 0)
        ratios = np.log(best[chosen])
        assert np.allclose(finite[chosen] - finite[chosen[0]], ratios - ratios[0], atol=1e-13), i
        assert np.allclose(margin[chosen], margin[chosen[0]], atol=1e-13)
        assert (margin[chosen[0]] - margin[others] >= 1 - 1e-12).all()
    assert (parts.multipliers >= 0).all()
    assert np.isclose(parts.multipliers.sum(), (parts.max_margin**2).sum())


@pytest.mark.parametrize("seed", range(3))
def test_the_max_margin_part_is_the_least(seed):
    """Against a general solver of the same quadratic program."""
    given = random_problem(seed, n=1, length=5)
    equal, _, free = multitoken._constraints(given)
    found = minimize(
        lambda w: w @ w,
        decompose(given).max_margin.ravel() * 2,
        jac=lambda w: 2 * w,
        constraints=[
            {"type": "ineq", "fun": lambda w: free @ w - 1, "jac": lambda w: free},
            {"type": "eq", "fun": lambda w: equal @ w, "jac": lambda w: equal},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert np.allclose(found.x, decompose(given).max_margin.ravel(), atol=1e-5)


def test_split_puts_a_matrix_together_again():
    parts = decompose(problem())
    weights = np.random.default_rng(0).standard_normal((4, 4))
    split = parts.split(torch.tensor(weights))
    whole = parts.finite + split.coefficient * parts.max_margin + split.remainder
    assert np.allclose(whole, weights)
    assert np.isclose((split.remainder * parts.max_margin).sum(), 0)
    exact = parts.split(parts.finite + 3 * parts.max_margin)
    assert exact.span_error < 1e-14
    assert np.isclose(exact.coefficient, 3)
    assert np.allclose(exact.remainder, 0)


def test_a_problem_says_what_is_wrong_with_it():
    skew = TOKENS.copy()
    skew[1, 2, 0] = 0.25
    bad = {
        "tokens: expected orthonormal .* tokens 0 and 2 of sequence 1": {"tokens": skew},
        "mu: expected a finite number above 0; got 0": {"mu": 0},
        "mu: expected a finite number above 0; got -1": {"mu": -1.0},
        "mu: expected": {"mu": float("nan")},
        "queries: expected z_i != 0; got z = 0 for sequence 1": {"queries": QUERIES * [[1], [0]]},
        "queries: expected shape": {"queries": QUERIES[:1]},
        "queries: expected finite numbers; got nan": {"queries": QUERIES * np.nan},
        "tokens: expected T >= 2": {"tokens": TOKENS[:, :1], "scores": SCORES[:, :1]},
    }
    for message, change in bad.items():
        with pytest.raises(NumericError, match=message):
            problem(**change)
    with pytest.raises(NumericError, match="decoder: expected shape"):
        MultiTokenProblem(TOKENS, QUERIES, np.ones(3), 0.5)
    with pytest.raises(NumericError, match="tokens: expected 3 axes"):
        MultiTokenProblem(HADAMARD, QUERIES, np.ones(4), 0.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps: expected"),
        ({"steps": True}, "steps: expected"),
        ({"step_size": 0.0}, "step_size: expected"),
        ({"step_size": float("inf")}, "step_size: expected"),
        ({"loss": "hinge"}, "loss: expected"),
        ({"initial": np.zeros((3, 3))}, "initial: expected"),
        ({"initial": np.full((1, 4, 4), np.nan)}, "initial: expected"),
        ({"record": [3, 2]}, "record: expected"),
        ({"record": [11]}, "record: expected"),
        ({"record": []}, "record: expected"),
        ({"device": "gpu"}, "device: expected"),
        ({"dtype": "float16"}, "dtype: expected"),
    ],
)
def test_training_refuses(change, message):
    with pytest.raises(NumericError, match=message):
        train_multitoken([problem()], **{"steps": 10, "device": "cpu", **change})


def test_training_refuses_no_problem_and_mixed_shapes():
    for problems, message in (
        ([], "at least one problem"),
        ([problem(), random_problem(0)], "of one shape in a batch"),
        (None, "a list of them; got None"),
        ([1], "MultiTokenProblem; got 1 at 0"),
        ([loc()], "type MultiTokenProblem; got Problem"),
    ):
        with pytest.raises(NumericError, match=f"problems: .*{message}"):
            train_multitoken(problems, steps=1, device="cpu")


def test_parts_refuse_what_has_none():
    edge = SCORES.copy()
    edge[0, 2] = 0.25  # the threshold of sequence 0
    with pytest.raises(NumericError, match="token 2 of sequence 0"):
        decompose(problem(scores=edge))
    with pytest.raises(NumericError, match="selects all"):
        decompose(problem(mu=50.0))
    twice = np.stack([np.eye(4)] * 2)
    same = np.array([[1.0, 0, 0, 0]] * 2)
    opposed = np.array([[3.0, 0, 0, 0], [0, 3, 0, 0]])
    ratios = np.array([[0.5, 0, -2, -2], [0.25, 0, -2, -2]])
    with pytest.raises(NumericError, match="separates selected tokens"):
        decompose(problem(scores=opposed, queries=same, tokens=twice))
    with pytest.raises(NumericError, match="contradict each other"):
        decompose(problem(scores=ratios, queries=same, tokens=twice))
    with pytest.raises(NumericError, match="weights: expected shape"):
        decompose(problem()).split(np.zeros((2, 2)))


@pytest.mark.parametrize("loss", ["linear", "logistic"])
def test_every_tensor_stays_on_cuda(loss):
    batch = multitoken._batch([problem()], torch.device("cpu"), torch.float64)
    weights = torch.zeros(1, 4, 4, dtype=torch.float64)
    assert_runs_on_cuda(lambda w, *b: descend(w, Batch(*b), 2, 1.0, loss), weights, *batch)
    assert_runs_on_cuda(lambda w, *b: logits(w, Batch(*b)), weights, *batch)
    assert_runs_on_cuda(sparsemax, batch.scores)
