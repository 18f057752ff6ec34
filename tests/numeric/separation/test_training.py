"""The degree experiment: equal budgets, the gradient against autograd, batches against a loop."""

import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context

import numpy as np
import pytest
import torch

from lemmata.numeric import separation
from lemmata.numeric.errors import NumericError
from lemmata.numeric.separation.descent import (
    Moments,
    Shape,
    adam,
    descend,
    gradient,
    outputs,
    unpack,
)
from lemmata.numeric.separation.experiment import DegreeExperiment
from lemmata.numeric.separation.training import (
    Run,
    TrainingReport,
    domain,
    network_shape,
    parameter_count,
    start,
)
from lemmata.numeric.testing import assert_runs_on_cuda

DEGREES = (2, 3, 4, 6)
SMALL = {"bits": 2, "width": 3, "steps": 12, "seeds": (5, 6, 7), "rates": (0.01, 0.05)}
TINY = separation.Protocol(
    bits=1, width=2, steps=3, rates=(0.01, 0.1), tuning_seeds=(10, 11), evaluation_seeds=(0, 1, 2),
    degrees=(2, 3), decisive=2,
)  # fmt: skip


def naive(parameters, points, degree):
    """One network at one input after the other, straight from its definition."""
    embedding, matrices, readout = parameters
    found = []
    for x in points.T:
        z = embedding @ x
        for first in range(0, len(matrices), degree):
            product = torch.ones_like(z)
            for matrix in matrices[first : first + degree]:
                product = product * (matrix @ z)
            z = product / torch.sqrt((product**2).mean() + 1e-12)
        found.append(readout @ z)
    return torch.stack(found)


def parts(flat, bits, width):
    """E, the twelve matrices and r, from the flat parameters of one run."""
    inputs = 2 * bits + 1
    embedding, rest = flat[: width * inputs].reshape(width, inputs), flat[width * inputs :]
    matrices = rest[: 12 * width**2].reshape(12, width, width)
    return embedding, matrices, rest[12 * width**2 :]


def tensors(bits):
    return tuple(map(torch.tensor, domain(bits)))


def starts(degree, bits, width, seeds):
    shape = network_shape(degree, bits, width)
    return shape, torch.tensor(np.stack([start(shape, seed) for seed in seeds]))


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_the_target_is_the_sign_of_the_inner_product(bits):
    signs, target = domain(bits)
    assert signs.shape == (2 * bits + 1, 4**bits)
    assert len({tuple(column) for column in signs.T}) == 4**bits
    for column, value in zip(signs.T, target, strict=True):
        *ab, one = column
        both = sum(a == b == -1 for a, b in zip(ab[:bits], ab[bits:], strict=True))
        assert one == 1
        assert value == (-1) ** both
    matrix = target.reshape(2**bits, 2**bits)
    assert np.array_equal(matrix @ matrix.T, 2**bits * np.eye(2**bits))


@pytest.mark.parametrize("protocol", [separation.QUICK, separation.FULL])
def test_all_degrees_have_equally_many_parameters_and_one_start(protocol):
    bits, width = protocol.bits, protocol.width
    expected = width * (2 * bits + 1) + 12 * width**2 + width
    begin = start(network_shape(2, bits, width), 3)
    for degree in protocol.degrees:
        shape = network_shape(degree, bits, width)
        assert shape.degree * shape.depth == 12
        weights = unpack(torch.zeros(1, shape.parameters), shape)
        assert sum(tensor.numel() for tensor in weights) == expected
        assert weights.embedding.shape == (1, width, 2 * bits + 1)
        assert weights.layers.numel() == 12 * width**2
        assert np.array_equal(start(shape, 3), begin)
    assert parameter_count(protocol.degrees, bits, width) == expected


def test_unequal_budgets_are_refused():
    with pytest.raises(NumericError, match="equal numbers of parameters"):
        parameter_count((2, 5), 3, 4)


@pytest.mark.parametrize("degree", [*DEGREES, 12])
def test_outputs_and_gradient_are_those_of_a_naive_loop(degree):
    bits, width = 2, 3
    points, target = tensors(bits)
    shape, flat = starts(degree, bits, width, (1, 2))
    y, slope = outputs(flat, shape, points), gradient(flat, shape, points, target)
    for n, row in enumerate(flat):
        leaf = row.clone().requires_grad_()
        expected = naive(parts(leaf, bits, width), points, degree)
        (wanted,) = torch.autograd.grad(((expected - target) ** 2).mean(), leaf)
        torch.testing.assert_close(y[n], expected.detach(), rtol=1e-10, atol=1e-12)
        torch.testing.assert_close(slope[n], wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("degree", DEGREES)
def test_a_training_is_that_of_single_runs_with_torchs_own_adam(degree):
    report = separation.train_networks([degree], **SMALL, device="cpu")
    points, target = tensors(SMALL["bits"])
    shape = network_shape(degree, SMALL["bits"], SMALL["width"])
    asked = [(rate, seed) for rate in SMALL["rates"] for seed in SMALL["seeds"]]
    assert [(run.rate, run.seed) for run in report.runs] == asked
    for run in report.runs:
        leaf = torch.tensor(start(shape, run.seed)).requires_grad_()
        optimizer = torch.optim.Adam([leaf], lr=run.rate)
        for step in range(SMALL["steps"]):
            optimizer.param_groups[0]["lr"] = run.rate * (1 - step / SMALL["steps"])
            optimizer.zero_grad()
            y = naive(parts(leaf, SMALL["bits"], SMALL["width"]), points, degree)
            ((y - target) ** 2).mean().backward()
            optimizer.step()
        y = naive(parts(leaf.detach(), SMALL["bits"], SMALL["width"]), points, degree)
        assert run.error == pytest.approx(float(((y - target) ** 2).mean()), rel=1e-6)
        assert run.wrong == float((y * target <= 0).double().mean())


def test_normalisation_leaves_the_sign_of_the_polynomial():
    bits, width = 3, 4
    points, _ = tensors(bits)
    for degree in DEGREES:
        shape, flat = starts(degree, bits, width, (8,))
        embedding, matrices, readout = parts(flat[0], bits, width)
        z = embedding @ points
        for first in range(0, 12, degree):
            z = torch.stack([m @ z for m in matrices[first : first + degree]]).prod(0)
        expected = readout @ z / z.square().mean(0).sqrt()
        torch.testing.assert_close(outputs(flat, shape, points)[0], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("protocol", [separation.QUICK, separation.FULL])
def test_every_degree_can_represent_the_target(degree, protocol):
    """1 - 2 a b = -(s - phi)(s - psi) with s = a + b; later layers multiply."""
    bits, width = protocol.bits, protocol.width
    embedding = torch.zeros(width, 2 * bits + 1, dtype=torch.float64)
    for i in range(bits):  # s = 1 - (A + B)/2 in signs
        embedding[i, [i, bits + i]] = -0.5
        embedding[i, -1] = 1.0
    embedding[bits:, -1] = 1.0
    matrices = torch.zeros(12, width, width, dtype=torch.float64)
    matrices[:, :, bits] = 1.0  # by default a factor is the constant 1
    for i in range(bits):
        for k, sign in enumerate((1, -1)):
            matrices[k, i] = 0.0
            matrices[k, i, i] = -sign
            matrices[k, i, bits] = sign * (1 + sign * math.sqrt(5)) / 2
    heads = list(range(bits))  # entries whose product is the target
    for first in range(degree, 12, degree):
        groups = [heads[j : j + degree] for j in range(0, len(heads), degree)]
        for row, group in enumerate(groups):
            for k, entry in enumerate(group):
                matrices[first + k, row] = torch.eye(width, dtype=torch.float64)[entry]
        heads = list(range(len(groups)))
    assert heads == [0]
    readout = torch.eye(width, dtype=torch.float64)[0]
    flat = torch.cat([embedding.flatten(), matrices.flatten(), readout])[None]
    points, target = tensors(bits)
    y = outputs(flat, network_shape(degree, bits, width), points)[0]
    torch.testing.assert_close(y, target, rtol=1e-9, atol=0.0)


def test_runs_repeat_and_depend_on_nothing_but_degree_rate_and_seed():
    both = separation.train_networks((2, 3), **SMALL)
    assert separation.train_networks((2, 3), **SMALL) == both
    other = separation.train_networks((3,), **{**SMALL, "seeds": (7,), "rates": {3: 0.05}})
    (alone,) = other.runs
    (mine,) = [run for run in both.of(3) if (run.seed, run.rate) == (7, 0.05)]
    assert mine.error == pytest.approx(alone.error, rel=1e-6)
    assert len({run.error for run in both.runs}) == len(both.runs) == 12


def test_a_process_pool_gives_the_same_report():
    seen = []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = separation.train_networks(
            (2, 3), **SMALL, executor=pool, progress=lambda *both: seen.append(both)
        )
    assert found == separation.train_networks((2, 3), **SMALL)
    assert seen == [(72, 144), (144, 144)]


def test_training_lowers_the_error_and_float32_runs_too():
    options = {**SMALL, "steps": 200, "rates": (0.03,)}
    begun = separation.train_networks(DEGREES, **{**options, "steps": 1, "rates": (1e-9,)})
    ended = separation.train_networks(DEGREES, **options, dtype="float32")
    for before, after in zip(begun.runs, ended.runs, strict=True):
        assert after.error < 0.9 * before.error


def test_a_run_that_leaves_its_dtype_has_error_inf():
    options = {**SMALL, "seeds": (1,), "rates": (1e30,)}
    (run,) = separation.train_networks((6,), **options, dtype="float32").runs
    assert run.error == math.inf


def test_progress_rises_to_the_total():
    seen = []
    separation.degree_experiment(TINY, progress=lambda *both: seen.append(both))
    total = 3 * 2 * (2 * 2 + 3)
    assert seen[-1] == (total, total)
    assert {each for _, each in seen} == {total}
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_an_experiment_evaluates_other_seeds_with_the_tuned_rates():
    found = separation.degree_experiment(TINY)
    for degree in (2, 3):
        means = {
            rate: np.mean([run.error for run in found.tuning.of(degree) if run.rate == rate])
            for rate in TINY.rates
        }
        assert found.rates[degree] == min(means, key=means.__getitem__)
        runs = found.evaluation.of(degree)
        assert {run.rate for run in runs} == {found.rates[degree]}
        assert tuple(run.seed for run in runs) == TINY.evaluation_seeds
        assert found.errors(degree) == tuple(run.error for run in runs)


def experiment(errors):
    """An experiment with the given final errors of each degree on ten seeds."""
    protocol = replace(separation.QUICK, degrees=tuple(errors))
    runs = [
        Run(degree, 0.01, seed, error, 0.0)
        for degree, each in errors.items()
        for seed, error in enumerate(each)
    ]
    report = TrainingReport(3, 4, 1, 224, tuple(runs))
    return DegreeExperiment(protocol, report, report)


OUTCOMES = [
    ("confirmed", [0.5] * 9 + [0.7], 9, 1),
    ("inconclusive", [0.5] * 8 + [0.7] * 2, 8, 2),
    ("inconclusive", [0.6] * 10, 0, 0),
    ("inconclusive", [0.7] * 8 + [0.5] * 2, 2, 8),
    ("refuted", [0.7] * 9 + [0.5], 1, 9),
    ("refuted", [math.inf] * 10, 0, 10),
]


@pytest.mark.parametrize(("outcome", "ours", "wins", "losses"), OUTCOMES)
def test_the_test_of_the_protocol(outcome, ours, wins, losses):
    found = experiment({2: [0.6] * 10, 3: ours, 4: [0.9] * 10})
    assert (found.wins(2), found.losses(2), found.outcome) == (wins, losses, outcome)


def test_solved_tasks_tie():
    found = experiment({2: [0.009] * 10, 3: [1e-9] * 10, 4: [0.02] * 10})
    assert (found.wins(2), found.losses(2), found.wins(4)) == (0, 0, 10)
    assert found.outcome == "inconclusive"


def test_levels_are_the_binomial_ones():
    for protocol in (separation.QUICK, separation.FULL):
        assert protocol.level == Fraction(11, 1024)
        assert len(protocol.evaluation_seeds) == 10
        assert protocol.rivals == (2, 4, 6)
        assert not set(protocol.evaluation_seeds) & set(protocol.tuning_seeds)


@pytest.mark.parametrize("degree", DEGREES)
def test_training_stays_on_its_device(degree):
    shape = Shape(5, 3, degree, 12 // degree)
    flat, points, target = torch.zeros(2, shape.parameters), torch.zeros(5, 16), torch.zeros(16)
    rates = torch.zeros(2)
    assert_runs_on_cuda(lambda f, x: outputs(f, shape, x), flat, points)
    assert_runs_on_cuda(lambda f, x, t: gradient(f, shape, x, t), flat, points, target)
    moments = (torch.zeros_like(flat), torch.zeros_like(flat))
    assert_runs_on_cuda(
        lambda f, m, r: adam(f, Moments(*m), f, r[:, None], 2), flat, moments, rates
    )
    assert_runs_on_cuda(
        lambda f, x, t, r: descend(f, shape, x, t, r, 2), flat, points, target, rates
    )


BAD = [
    ({"degrees": (5,)}, r"degrees: expected divisors of 12.*got 5"),
    ({"degrees": (1,)}, r"degrees: expected a whole number of at least 2; got 1"),
    ({"degrees": ()}, r"degrees: expected at least one.*got none"),
    ({"degrees": 3}, r"degrees: expected a list; got 3"),
    ({"degrees": (3, 3)}, r"degrees: .*got 3 more than once"),
    ({"bits": 0}, r"bits: .*got 0"),
    ({"bits": 9}, r"bits: expected at most 8.*got 9"),
    ({"width": 2.0}, r"width: .*got 2\.0"),
    ({"steps": True}, r"steps: .*got True"),
    ({"seeds": (-1,)}, r"seed: .*got -1"),
    ({"seeds": (4, 4)}, r"seeds: .*got 4 more than once"),
    ({"rates": (0.0,)}, r"rates: expected finite numbers above 0; got 0\.0"),
    ({"rates": ("fast",)}, r"rates: .*got 'fast'"),
    ({"rates": (math.nan,)}, r"rates: .*got nan"),
    ({"rates": {2: 0.1, 4: 0.1}}, r"rates: expected one for each degree.*\[2, 4\]"),
    ({"rates": 0.1}, r"rates: expected a list; got 0\.1"),
    ({"dtype": "float16"}, r"dtype: .*float16"),
    ({"device": "gpu"}, r"device: .*gpu"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_of_train_networks(change, message):
    options = {"degrees": (2, 3), **SMALL, **change}
    with pytest.raises(NumericError, match=message):
        separation.train_networks(options.pop("degrees"), **options)


BAD_PROTOCOLS = [
    ({"tuning_seeds": (9, 100)}, r"evaluation_seeds: expected none of the tuning seeds; got \[9\]"),
    ({"tuning_seeds": ()}, r"tuning_seeds: expected at least one"),
    ({"degrees": (2, 4)}, r"degrees: expected 3 and at least one other"),
    ({"degrees": (3,)}, r"degrees: expected 3 and at least one other"),
    ({"decisive": 5}, r"decisive: expected a whole number of at least 6; got 5"),
    ({"decisive": 11}, r"decisive: expected at most 10"),
    ({"rates": ()}, r"rates: expected at least one"),
]


@pytest.mark.parametrize(("change", "message"), BAD_PROTOCOLS)
def test_bad_protocols(change, message):
    with pytest.raises(NumericError, match=message):
        replace(separation.QUICK, **change)


def test_a_degree_that_was_not_trained_is_named():
    report = separation.train_networks((2,), **SMALL)
    with pytest.raises(NumericError, match=r"expected one that was trained, of \[2\]; got 3"):
        report.of(3)
