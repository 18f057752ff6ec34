"""Degrees against expanded polynomials, values against Python's integers; good and bad inputs."""

import math

import flint
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from lemmata.numeric import degree
from lemmata.numeric.degree import networks
from lemmata.numeric.errors import NumericError
from lemmata.numeric.testing import assert_runs_on_cuda

PRIME = degree.PRIME


def evaluate(network, x):
    """T(x) for a list of anything that adds and multiplies, straight from the definition."""
    for layer in network:
        rows = [[sum(w * v for w, v in zip(row, x, strict=True)) for row in m] for m in layer]
        x = [math.prod(column[1:], start=column[0]) for column in zip(*rows, strict=True)]
    return x


def expanded_degree(network, width):
    """The degree of T[0] by multiplying it out over the integers; -1 for the zero polynomial."""
    names = tuple(f"x{i}" for i in range(width))
    ring = flint.fmpz_mpoly_ctx.get(names, flint.Ordering.lex)
    polynomial = evaluate(network, list(ring.gens()))[0]
    return polynomial.total_degree() if polynomial != 0 else -1


def of_degrees(degrees, width, seed=1):
    """A network whose layers have these degrees."""
    return tuple(
        degree.random_network(d, 1, width, seed=seed + place)[0] for place, d in enumerate(degrees)
    )


# Degrees of the layers, and width.
SIZES = [
    ((), 2),
    ((1,), 1),
    ((1, 1, 1), 3),
    ((2,), 3),
    ((2, 2, 2), 2),
    ((3, 3), 3),
    ((3, 3, 3), 2),
    ((4, 4), 2),
    ((5,), 4),
    ((2, 3, 4), 2),
]


@pytest.mark.parametrize(("degrees", "width"), SIZES)
def test_the_degree_is_the_product_of_degrees_and_that_of_the_expanded_polynomial(degrees, width):
    network = of_degrees(degrees, width)
    found = degree.certify_degree(network)
    assert found.degree == math.prod(degrees) == expanded_degree(network, width)


@pytest.mark.parametrize(("d", "depth"), [(2, 10), (3, 7), (4, 5), (7, 3)])
def test_deep_networks_reach_the_power_of_their_degree(d, depth):
    assert degree.certify_degree(degree.random_network(d, depth, 2, seed=5)).degree == d**depth


ZERO = ((0, 0), (0, 0))
ONE = ((1, 0), (0, 1))
DIFFERENCE = ((1, -1), (0, 1))
BOTH = ((1, 1), (1, 1))
SKEW = ((1, 0), (-1, 0))


@pytest.mark.parametrize(
    "network",
    [
        ((ONE, ZERO),),
        ((ONE, ONE), (ZERO, ZERO)),
        ((BOTH, BOTH), (DIFFERENCE, ONE)),  # equal outputs, whose difference is taken
        ((ONE, SKEW, SKEW), (ONE, BOTH), (ZERO, ONE, ONE)),
    ],
)
def test_a_network_that_vanishes_has_degree_minus_one(network):
    assert expanded_degree(network, 2) == -1
    assert degree.certify_degree(network).degree == -1


def test_a_vanishing_row_elsewhere_does_not_matter():
    network = ((((1, 2), (0, 0)), ONE),)
    assert degree.certify_degree(network).degree == 2 == expanded_degree(network, 2)


@pytest.mark.parametrize(
    ("base", "direction", "expected"),
    [
        ((1, 0), (1, 1), 1),  # x0 - x1 is constant along the line, x0 is not
        ((1, 0), (0, 0), 0),
        ((1, 1), (1, 1), -1),
        ((3, 4), (1, 0), 2),
        ((3, 4), (PRIME + 1, PRIME), 2),
        ((10**40, -(10**40)), (10**50, 1), 2),
    ],
)
def test_along_a_special_line_the_degree_is_lower(base, direction, expected):
    network = ((DIFFERENCE, ONE),)
    assert degree.line_degree(network, prime=PRIME, base=base, direction=direction) == expected


def test_the_degree_is_taken_modulo_the_prime():
    network = ((((7, 0), (0, 1)), ONE),)
    line = {"base": (0, 1), "direction": (1, 1)}
    assert degree.line_degree(network, prime=7, **line) == -1
    assert degree.line_degree(network, prime=11, **line) == 2


@given(st.data())
def test_newton_coefficients_find_the_degree_of_any_polynomial(data):
    prime = data.draw(st.sampled_from([31, 101, PRIME]))
    count = data.draw(st.integers(1, 30))
    coefficients = data.draw(st.lists(st.integers(-5, 5), max_size=count))
    polynomial = flint.nmod_poly(coefficients, prime)
    values = [int(polynomial(t)) for t in range(count)]
    assert networks._newton_degree(values, prime) == polynomial.degree()


def test_values_off_the_interpolant_are_noticed(monkeypatch):
    correct = networks.evaluate_mod

    def with_an_error(network, points, prime, **options):
        values = correct(network, points, prime, **options)
        values[-1] += 1
        return values

    monkeypatch.setattr(networks, "evaluate_mod", with_an_error)
    with pytest.raises(ArithmeticError, match=r"polynomial of degree 9; got degree 11"):
        degree.certify_degree(degree.random_network(3, 2, 2, seed=0))


@pytest.mark.parametrize("prime", [2, 3, 101, 2**29 - 3, PRIME])
@pytest.mark.parametrize(("degrees", "width"), SIZES)
def test_values_modulo_a_prime_are_those_over_the_integers(degrees, width, prime):
    network = of_degrees(degrees, width)
    points = np.random.default_rng(1).integers(-(10**9), 10**9, (20, width)).tolist()
    expected = [[v % prime for v in evaluate(network, point)] for point in points]
    assert degree.evaluate_mod(network, points, prime).tolist() == expected
    as_tensor = degree.evaluate_mod(network, torch.tensor(points), prime)
    assert as_tensor.tolist() == expected
    assert as_tensor.dtype == torch.int64


@pytest.mark.parametrize("width", [1, 7, 8, 9, 15, 16, 17, 40])
def test_the_largest_residues_do_not_overflow(width):
    matrix = ((-1,) * width,) * width
    network = ((matrix,) * 3,) * 2
    value = evaluate(network, [-1] * width)[0] % PRIME
    assert degree.evaluate_mod(network, [(-1,) * width], PRIME).tolist() == [[value] * width]


def test_integers_of_any_size_are_reduced_before_they_become_tensors():
    network = ((((10**30, -(10**25)), (1, 10**40)),),)
    point = (10**33, 7)
    expected = [v % PRIME for v in evaluate(network, point)]
    assert degree.evaluate_mod(network, [point], PRIME).tolist() == [expected]


def test_no_points_give_no_values():
    network = degree.random_network(2, 2, 3, seed=0)
    empty = torch.empty((0, 3), dtype=torch.int64)
    assert degree.evaluate_mod(network, empty, PRIME).shape == (0, 3)


def test_the_points_are_left_as_they_were():
    points = torch.tensor([[PRIME, -1]])
    degree.evaluate_mod((), points, PRIME).add_(1)
    degree.evaluate_mod(degree.random_network(3, 2, 2, seed=0), points, PRIME)
    assert points.tolist() == [[PRIME, -1]]


@pytest.mark.parametrize("width", [1, 3, 17])
def test_the_kernels_run_on_cuda(width):
    network = degree.random_network(3, 2, width, seed=0)
    points = torch.zeros((5, width), dtype=torch.int64)
    cuda = torch.device("cuda", 0)
    assert_runs_on_cuda(degree.evaluate_mod, network, points, PRIME, device=cuda)
    assert_runs_on_cuda(degree.log_ratio, torch.ones(5, dtype=torch.float64), 0.5)


class Recorder(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.add(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def test_no_integer_matrix_product_is_used_since_cuda_has_none():
    """A fake tensor would not notice: it knows shapes, not which kernels exist."""
    network = degree.random_network(3, 2, 9, seed=0)
    with Recorder() as seen:
        degree.evaluate_mod(network, torch.ones((4, 9), dtype=torch.int64), PRIME)
    assert "addcmul_" in seen.names
    assert not seen.names & {"mm", "bmm", "addmm", "baddbmm", "matmul", "dot", "mv", "einsum"}


def test_a_network_has_the_shape_and_bound_asked_for():
    network = degree.random_network(3, 2, 4, seed=9, bound=2)
    assert np.shape(network) == (2, 3, 4, 4)
    assert set(np.ravel(network).tolist()) == {-2, -1, 0, 1, 2}


def test_networks_and_lines_depend_on_the_seed_alone():
    make = degree.random_network
    assert make(2, 2, 2, seed=3) == make(2, 2, 2, seed=3) != make(2, 2, 2, seed=4)
    # Frozen: the stream of a seed must not change between versions.
    assert make(2, 1, 2, seed=0) == ((((0, 2), (6, 5)), ((5, -7), (-7, 7))),)
    network = make(2, 2, 2, seed=3)
    lines = [degree.certify_degree(network, seed=seed) for seed in (0, 0, 1)]
    assert lines[0] == lines[1]
    assert lines[0].direction != lines[2].direction


def test_a_certificate_says_where_to_look():
    network = degree.random_network(3, 3, 2, seed=3)
    found = degree.certify_degree(network, seed=2)
    line = {"base": found.base, "direction": found.direction}
    assert degree.line_degree(network, prime=found.prime, **line) == found.degree == 27
    assert flint.fmpz(found.prime).is_prime()
    assert not any(flint.fmpz(n).is_prime() for n in range(PRIME + 1, 2**30))


NET = degree.random_network(2, 1, 2, seed=0)
LINE = {"prime": PRIME, "base": (0, 0), "direction": (1, 2)}
BAD = [
    ("degree: .*0", lambda: degree.random_network(0, 1, 2, seed=0)),
    ("degree: .*2.0", lambda: degree.random_network(2.0, 1, 2, seed=0)),
    ("degree: .*True", lambda: degree.random_network(True, 1, 2, seed=0)),
    ("depth: .*-1", lambda: degree.random_network(2, -1, 2, seed=0)),
    ("width: .*0", lambda: degree.random_network(2, 1, 0, seed=0)),
    ("bound: .*0", lambda: degree.random_network(2, 1, 2, seed=0, bound=0)),
    ("seed: .*-1", lambda: degree.random_network(2, 1, 2, seed=-1)),
    ("prime: .*at least 2; got 1", lambda: degree.evaluate_mod(NET, [(1, 2)], 1)),
    ("prime: .*91", lambda: degree.evaluate_mod(NET, [(1, 2)], 91)),
    ("prime: .*below 2", lambda: degree.evaluate_mod(NET, [(1, 2)], 2**31 - 1)),
    ("prime: .*7.0", lambda: degree.evaluate_mod(NET, [(1, 2)], 7.0)),
    ("points: .*at least one", lambda: degree.evaluate_mod(NET, [], 7)),
    ("points: .*as many", lambda: degree.evaluate_mod(NET, [(1, 2), (1,)], 7)),
    ("points: .*one or more", lambda: degree.evaluate_mod((), [()], 7)),
    ("points: .*shape", lambda: degree.evaluate_mod((), torch.ones((2, 0)).long(), 7)),
    ("points: .*integers; got 0.5", lambda: degree.evaluate_mod(NET, [(1, 0.5)], 7)),
    ("points: .*float32", lambda: degree.evaluate_mod(NET, torch.ones((2, 2)), 7)),
    ("points: .*shape", lambda: degree.evaluate_mod(NET, torch.ones(2).long(), 7)),
    ("network: .*3 x 3", lambda: degree.evaluate_mod(NET, [(1, 2, 3)], 7)),
    ("network: .*layer 1", lambda: degree.evaluate_mod((*NET, ()), [(1, 2)], 7)),
    (
        r"network: .*\[1, 2\] in layer 0",
        lambda: degree.evaluate_mod(((((1, 2), (1,)),),), [(1, 2)], 7),
    ),
    ("network, layer 0: .*0.5", lambda: degree.evaluate_mod(((((0.5,),),),), [(1,)], 7)),
    ("device: .*'gpu'", lambda: degree.evaluate_mod(NET, [(1, 2)], 7, device="gpu")),
    ("device: .*'gpu'", lambda: degree.certify_degree(NET, device="gpu")),
    ("prime: .*more than 5", lambda: degree.line_degree(NET, **LINE | {"prime": 5})),
    ("prime: .*below 2", lambda: degree.line_degree(NET, **LINE | {"prime": 2**31 - 1})),
    (
        "base, direction: .*2 and 3",
        lambda: degree.line_degree(NET, **LINE | {"direction": (1,) * 3}),
    ),
    ("base, direction: .*0 and 0", lambda: degree.line_degree((), prime=7, base=(), direction=())),
    (
        "network: .*3 x 3",
        lambda: degree.line_degree(NET, prime=PRIME, base=(1,) * 3, direction=(1,) * 3),
    ),
    (
        "prime: .*fewer layers",
        lambda: degree.certify_degree(degree.random_network(2, 30, 1, seed=0)),
    ),
    ("seed: .*0.5", lambda: degree.certify_degree(NET, seed=0.5)),
]


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_is_named_with_what_was_expected_and_what_came(message, call):
    with pytest.raises(NumericError, match=message) as caught:
        call()
    text = str(caught.value)
    assert "expected" in text
    assert "got" in text
    assert text.endswith((".", "?"))
