"""Spectra and epsilon-ranks against float SVDs on quadrature grids and by hand; bad input."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from lemmata.numeric import separation
from lemmata.numeric.errors import NumericError
from lemmata.numeric.separation import grams, laws, spectra, tails

LAWS = [
    ("uniform", None),
    ("uniform", (0, 1)),
    ("uniform", (Fraction(-1, 2), Fraction(3, 2))),
    ("normal", None),
    ("bits", None),
    ("signs", None),
]
X_SQUARED_Y = {(2, 1): 1, (1, 2): 1}  # x^2 y + x y^2


def nodes_and_weights(law, bounds, count):
    if law == "normal":
        nodes, weights = np.polynomial.hermite_e.hermegauss(count)
    elif law == "uniform":
        nodes, weights = np.polynomial.legendre.leggauss(count)
        low, high = (-1, 1) if bounds is None else map(float, bounds)
        nodes = (low + high) / 2 + (high - low) / 2 * nodes
    else:
        nodes, weights = np.array([0.0 if law == "bits" else -1.0, 1.0]), np.ones(2)
    return nodes, weights / weights.sum()


def squares_by_svd(polynomial, left, right, law, bounds):
    """Squared singular values of sqrt(w_i) f(a_i, b_j) sqrt(w_j) over tensor grids."""
    degree = max(k for exponents in polynomial for k in exponents)
    nodes, weights = nodes_and_weights(law, bounds, degree + 1)

    def side(count):
        points = list(itertools.product(range(len(nodes)), repeat=count))
        return points, np.array([math.prod(weights[i] for i in point) for point in points])

    (ours, u), (theirs, v) = side(len(left)), side(len(right))
    matrix = np.zeros((len(ours), len(theirs)))
    for exponents, c in polynomial.items():
        a = [
            math.prod(nodes[i] ** exponents[k] for i, k in zip(p, left, strict=True)) for p in ours
        ]
        b = [
            math.prod(nodes[i] ** exponents[k] for i, k in zip(p, right, strict=True))
            for p in theirs
        ]
        matrix += float(c) * np.outer(a, b)
    return np.linalg.svd(np.sqrt(u)[:, None] * matrix * np.sqrt(v), compute_uv=False) ** 2


def random_polynomial(generator, variables, terms, degree):
    return {
        tuple(generator.randint(0, degree) for _ in range(variables)): Fraction(
            generator.randint(-9, 9), generator.randint(1, 4)
        )
        for _ in range(terms)
    }


def mean_square(polynomial, law, bounds):
    most = 2 * max(k for exponents in polynomial for k in exponents)
    mean = laws.moments(law, bounds, most)
    return sum(
        c * d * math.prod(mean[i + j] for i, j in zip(m, n, strict=True))
        for m, c in polynomial.items()
        for n, d in polynomial.items()
    )


@pytest.mark.parametrize(("law", "bounds"), LAWS)
@pytest.mark.parametrize("seed", range(4))
def test_spectra_are_those_of_float_svds(law, bounds, seed):
    generator = random.Random(seed)
    left, right = [((0,), (1,)), ((0, 1), (2,)), ((2,), (0, 1)), ((1, 3), (0, 2))][seed]
    polynomial = random_polynomial(generator, len(left) + len(right), 12, 4)
    found = separation.spectrum(polynomial, left, right, law=law, bounds=bounds)
    expected = squares_by_svd(polynomial, left, right, law, bounds)
    values = np.array([float(value) for value in found])
    assert (values[:-1] >= values[1:]).all()
    assert values[-1] > 0
    padded = np.zeros(max(len(values), len(expected)))
    padded[: len(values)] = values
    np.testing.assert_allclose(padded[: len(expected)], expected, atol=1e-12 * expected[0])
    assert (padded[len(expected) :] < 1e-12 * expected[0]).all()
    total = mean_square(polynomial, law, bounds)
    assert math.isclose(math.fsum(values), total, rel_tol=1e-14)
    assert len(found) == separation.epsilon_rank(polynomial, left, right, 0, law=law, bounds=bounds)
    for rank in range(len(found) + 1):
        tail = Fraction(math.fsum(values[rank:]))
        for epsilon in (tail * Fraction(1001, 1000), tail * Fraction(999, 1000)):
            tails_ = [math.fsum(values[r:]) for r in range(len(found) + 1)]
            least = next(r for r, t in enumerate(tails_) if t <= epsilon)
            assert least == separation.epsilon_rank(
                polynomial, left, right, epsilon, law=law, bounds=bounds
            )


@pytest.mark.parametrize(("law", "bounds"), LAWS)
def test_the_trace_is_the_mean_square_exactly(law, bounds):
    polynomial = random_polynomial(random.Random(7), 4, 15, 3)
    blocks = grams.gram_blocks(polynomial, (0, 3), (1, 2), law, bounds)
    trace = Fraction(0)
    for block in blocks:
        squares = block.squares()
        for i in range(squares.nrows()):
            trace += Fraction(int(squares[i, i].p), int(squares[i, i].q))
    assert trace == mean_square(polynomial, law, bounds)


def test_ties_of_rational_squares_are_decided_exactly():
    # E x^2 = 1/3 and E x^2 y^2 = 1/9: 3 + 2 x y has the squares 9 and 4/9.
    polynomial, tie = {(0, 0): 3, (1, 1): 2}, Fraction(4, 9)
    assert separation.spectrum(polynomial, (0,), (1,)) == (9, tie)
    tiny = Fraction(1, 10**60)
    ranks = [
        separation.epsilon_rank(polynomial, (0,), (1,), epsilon)
        for epsilon in (0, tie - tiny, tie, tie + tiny, 9 + tie - tiny, 9 + tie, 100)
    ]
    assert ranks == [2, 2, 1, 1, 1, 0, 0]


def test_all_conjugates_together_are_a_rational_tie():
    # x^2 y + x y^2 for normal variables: squares of a 2 x 2 matrix with irrational eigenvalues.
    found = separation.spectrum(X_SQUARED_Y, (0,), (1,), law="normal")
    total = mean_square(X_SQUARED_Y, "normal", None)
    generator = random.Random(5)
    mixed = {(i, j): generator.randint(1, 9) for i in range(2) for j in range(2)}
    both = separation.spectrum(mixed, (0,), (1,))
    assert all(isinstance(value, float) for value in both)
    for polynomial, law, exact in (
        (X_SQUARED_Y, "normal", total),
        (mixed, "uniform", mean_square(mixed, "uniform", None)),
    ):
        assert separation.epsilon_rank(polynomial, (0,), (1,), exact, law=law) == 0
        less = exact - Fraction(1, 10**80)
        assert separation.epsilon_rank(polynomial, (0,), (1,), less, law=law) == 1
    assert len(found) == 2


def test_close_calls_with_an_irrational_square_grow_the_precision():
    mixed = {(0, 0): 1, (0, 1): 2, (1, 0): 3, (1, 1): 5}
    # The 2 x 2 matrix has trace t and determinant d: its least square is (t - sqrt(t^2 - 4 d))/2.
    t = mean_square(mixed, "uniform", None)
    d = Fraction(1, 9)
    scale = 10**200
    root = Fraction(math.isqrt(int((t * t - 4 * d) * 81 * scale**2)), 9 * scale)
    low, high = (t - root) / 2 - Fraction(1, scale), (t - root) / 2 + Fraction(1, scale)
    assert separation.epsilon_rank(mixed, (0,), (1,), low) == 2
    assert separation.epsilon_rank(mixed, (0,), (1,), high) == 1


def test_domains_decide_ranks():
    assert separation.epsilon_rank(X_SQUARED_Y, (0,), (1,), 0) == 2
    assert separation.epsilon_rank(X_SQUARED_Y, (0,), (1,), 0, law="bits") == 1
    assert separation.spectrum(X_SQUARED_Y, (0,), (1,), law="bits") == (1,)
    assert separation.spectrum({}, (0,), (1,)) == ()
    assert separation.epsilon_rank({(0, 0): 0}, (0,), (1,), 0) == 0
    assert separation.epsilon_rank({}, (0,), (1,), Fraction(1, 2)) == 0
    assert separation.spectrum({(1, 2): 3}, (0, 1), ()) == (Fraction(3, 5),)


@pytest.mark.parametrize("bits", range(1, 7))
def test_the_hard_target_is_flat(bits):
    size, target = 2**bits, separation.hard_target(bits)
    left, right = tuple(range(bits)), tuple(range(bits, 2 * bits))
    signs = np.array([[(-1.0) ** (a & b).bit_count() for b in range(size)] for a in range(size)])
    for a, b in itertools.product(range(size), repeat=2):
        point = [n >> i & 1 for n in (a, b) for i in range(bits)]
        if (a + b) % 7 == 0:
            terms = (c * math.prod(map(pow, point, e)) for e, c in target.items())
            assert sum(terms) == signs[a, b]
    by_svd = np.linalg.svd(signs / size, compute_uv=False) ** 2
    found = separation.spectrum(target, left, right, law="bits")
    assert found == (Fraction(1, size),) * size
    np.testing.assert_allclose(by_svd, 1 / size, rtol=1e-12)
    for epsilon in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1)):
        rank = separation.epsilon_rank(target, left, right, epsilon, law="bits")
        assert rank == math.ceil(size * (1 - epsilon))


def test_large_matrices_are_decided_by_bounds_as_by_exact_roots():
    generator = random.Random(3)
    polynomial = {(i, j): generator.randint(-9, 9) for i in range(70) for j in range(70)}
    blocks = grams.gram_blocks(polynomial, (0,), (1,), "uniform", None)
    assert max(block.size for block in blocks) > spectra._SMALL
    narrow = {e: c for e, c in polynomial.items() if max(e) < 30}
    for law, bounds in LAWS:
        few = grams.gram_blocks(narrow, (0,), (1,), law, bounds)
        matrices, distances, scale = grams.orthonormal(few, law, bounds)
        bounded = tails.bounded_spectrum(matrices, distances)
        exact = spectra._Roots(few)
        for power in range(0, 15, 3):
            epsilon = Fraction(exact.values()[0]) / 10**power
            assert bounded.epsilon_rank(epsilon * scale) == exact.rank(epsilon)
    by_bounds = [
        separation.epsilon_rank(polynomial, (0,), (1,), Fraction(1, 10**k)) for k in (0, 4, 8)
    ]
    expected = squares_by_svd(polynomial, (0,), (1,), "uniform", None)
    ends = np.cumsum(expected[::-1])[::-1]
    assert by_bounds == [int((ends > 10.0**-k).sum()) for k in (0, 4, 8)]


def test_a_tie_in_a_large_matrix_falls_back_on_exact_roots_or_is_refused():
    # The spectrum is flat: every tail is a tie for some epsilon, and no rounding decides it.
    for bits, half in ((7, 64), (8, None)):
        target = separation.hard_target(bits)
        sides = tuple(range(bits)), tuple(range(bits, 2 * bits))
        if half is None:
            with pytest.raises(NumericError, match=r"epsilon: .* tail after 128 terms"):
                separation.epsilon_rank(target, *sides, Fraction(1, 2), law="bits")
        else:
            assert separation.epsilon_rank(target, *sides, Fraction(1, 2), law="bits") == half
        near = separation.epsilon_rank(target, *sides, Fraction(501, 1000), law="bits")
        assert near == math.ceil(2**bits * Fraction(499, 1000))


def test_what_rounding_leaves_open_is_refused():
    bounded = tails.BoundedSpectrum((4.0, 1.0, 0.25), 1e-9, 0.0)
    assert [bounded.epsilon_rank(Fraction(n, 8)) for n in (1, 3, 9, 11, 41, 43)] == [
        *(3, 2, 2, 1, 1, 0)
    ]
    with pytest.raises(NumericError, match="tail after 1 terms"):
        bounded.epsilon_rank(Fraction(5, 4))
    with pytest.raises(NumericError, match="tail after 3 terms"):
        bounded.epsilon_rank(Fraction(1, 10**30))


def test_bounds_enclose_the_tails_of_a_matrix_in_need_of_a_sketch():
    generator = np.random.default_rng(1)
    left = np.linalg.qr(generator.standard_normal((600, 450)))[0]
    right = np.linalg.qr(generator.standard_normal((450, 450)))[0]
    roots = 0.8 ** np.arange(450)
    bounded = tails.bounded_spectrum([(left * roots) @ right], [0.0])
    assert len(bounded.values) < 450
    assert bounded.slack < 1e-8
    assert bounded.stretch < 1e-9
    for rank in (0, 1, 10, 50):
        low, high = bounded.tail(rank)
        exact = 0.64**rank / 0.36
        assert low <= exact * (1 + 1e-9)
        assert high >= exact * (1 - 1e-9)
        # sqrt(tail) is known up to slack and stretch.
        assert high - low < 4e-8 * math.sqrt(exact) + 1e-8 * exact
    with pytest.raises(NumericError, match="overflow"):
        tails.bounded_spectrum([np.array([[np.inf]])], [0.0])


NETWORKS = [(1, 2, 2, 2), (1, 3, 2, 3), (2, 2, 1, 2), (2, 3, 1, 2), (2, 2, 2, 2), (1, 5, 1, 1)]


def expanded(network):
    """The network's polynomial, multiplied out."""
    count = 2 * network.inputs

    def times(p, q):
        product = {}
        for (m, c), (n, d) in itertools.product(p.items(), q.items()):
            key = tuple(i + j for i, j in zip(m, n, strict=True))
            product[key] = product.get(key, 0) + c * d
        return product

    def combined(row, z):
        total = {}
        for weight, p in zip(row, z, strict=True):
            for m, c in p.items():
                total[m] = total.get(m, 0) + weight * c
        return total

    z = [{tuple(int(i == j) for j in range(count)): 1} for i in range(count)]
    for layer in network.weights:
        rows = [[combined(row, z) for row in matrix] for matrix in layer]
        z = []
        for factors in zip(*rows, strict=True):
            product = factors[0]
            for factor in factors[1:]:
                product = times(product, factor)
            z.append(product)
    return combined(network.readout, z)


@pytest.mark.parametrize("size", NETWORKS)
@pytest.mark.parametrize(("law", "bounds"), LAWS)
def test_epsilon_ranks_of_networks_are_those_of_their_polynomials(size, law, bounds):
    network = separation.random_hadamard(*size, seed=2)
    polynomial, n = expanded(network), network.inputs
    left, right = tuple(range(n)), tuple(range(n, 2 * n))
    total = mean_square(polynomial, law, bounds)
    measured = separation.network_spectrum(network, law=law, bounds=bounds)
    exact = separation.spectrum(polynomial, left, right, law=law, bounds=bounds)
    tail = Fraction(0)
    for rank in range(len(exact), 0, -1):
        low, high = measured.relative_tail(rank)
        assert low * (1 - 1e-12) <= tail / total <= high * (1 + 1e-12)
        tail += Fraction(exact[rank - 1])
    for epsilon in (Fraction(1, 10**k) for k in (1, 3, 6)):
        assert separation.network_epsilon_rank(
            network, epsilon, law=law, bounds=bounds
        ) == separation.epsilon_rank(
            polynomial, left, right, epsilon * total, law=law, bounds=bounds
        )


@pytest.mark.parametrize(("degree", "depth", "rank"), [(4, 3, 1089), (6, 2, 361)])
def test_high_rank_is_not_high_epsilon_rank(degree, depth, rank):
    network = separation.random_hadamard(2, degree, depth, 2, seed=0)
    assert separation.certify_rank(network).rank == rank
    spectrum = separation.network_spectrum(network)
    found = spectrum.epsilon_rank(Fraction(1, 10**6), relative=True)
    assert found < rank / 10
    assert spectrum.relative_tail(found)[1] <= 1e-6 < spectrum.relative_tail(found - 1)[0]
    assert spectrum.slack < 1e-8 * math.sqrt(math.fsum(spectrum.values))


@pytest.mark.parametrize("exponent", ["e", Fraction(1, 2), Fraction(5, 2), Fraction(27, 10), 1, 3])
def test_powers_have_full_rank_on_a_grid(exponent):
    low, high = separation.fractional_determinant(exponent)
    assert low <= high
    assert low > 0 or high < 0
    power = math.e if exponent == "e" else float(exponent)
    left, right = separation.kernel_grid(16)
    matrix = np.array([[abs(float(u + v)) ** power for v in right] for u in left])
    assert math.isclose(np.linalg.det(matrix), low, rel_tol=1e-6)


def test_even_powers_and_repeated_points_are_refused():
    with pytest.raises(NumericError, match="exponent: expected a power whose determinant"):
        separation.fractional_determinant(2)
    assert separation.fractional_determinant(2, 3) == (8, 8)
    with pytest.raises(NumericError, match="grid: expected points at which"):
        separation.fractional_determinant(Fraction(1, 2), grid=((0, 0), (1, 2)))


def test_relu_has_full_rank_on_a_grid():
    assert [separation.relu_rank(n) for n in (1, 2, 16, 40)] == [1, 2, 16, 40]
    assert separation.relu_rank(3, ((1, 2, 3), (4, 5, 6))) == 2  # u + v where it is positive


BAD = [
    ({"epsilon": -1}, "epsilon: expected a finite number of at least 0; got -1"),
    ({"epsilon": math.nan}, "epsilon: .* got nan"),
    ({"epsilon": math.inf}, "epsilon: .* got inf"),
    ({"epsilon": "1"}, "epsilon: .* got '1'"),
    ({"left": (0, 1)}, "left, right: expected each of the indices"),
    ({"right": (2,)}, "left, right: expected each of the indices"),
    ({"left": (True,), "right": (0,)}, "left, right: expected each of the indices"),
    ({"polynomial": [1]}, "polynomial: expected a mapping"),
    ({"polynomial": {(1,): 1}}, "tuples of 2 whole numbers"),
    ({"polynomial": {(1, -1): 1}}, "tuples of 2 whole numbers"),
    ({"polynomial": {(1, 1): 0.5}}, "coefficients that are ints or Fractions; got 0.5"),
    ({"law": "cauchy"}, "law: expected one of uniform, normal, bits, signs; got 'cauchy'"),
    ({"bounds": (1, 1)}, "bounds: expected two ints or Fractions"),
    ({"bounds": (0.0, 1.0)}, "bounds: expected two ints or Fractions"),
    ({"law": "bits", "bounds": (0, 1)}, "bounds: expected none for the law 'bits'"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD)
def test_bad_arguments_are_named(wrong, message):
    good = {"polynomial": X_SQUARED_Y, "left": (0,), "right": (1,), "epsilon": 1}
    assert separation.epsilon_rank(**good) == 0
    with pytest.raises(NumericError, match=message):
        separation.epsilon_rank(**good | wrong)
    if "epsilon" not in wrong:
        rest = {name: value for name, value in good.items() if name != "epsilon"}
        with pytest.raises(NumericError, match=message):
            separation.spectrum(**rest | wrong)


def test_bad_networks_grids_and_exponents_are_named():
    network = separation.random_hadamard(2, 2, 2)
    with pytest.raises(NumericError, match="epsilon: expected"):
        separation.network_epsilon_rank(network, -1)
    with pytest.raises(NumericError, match="limit: expected a grid of at most 3 points"):
        separation.network_spectrum(network, limit=3)
    with pytest.raises(NumericError, match="exponent: expected a positive rational"):
        separation.fractional_determinant(-1)
    with pytest.raises(NumericError, match="exponent: expected an int or a Fraction"):
        separation.fractional_determinant(0.5)
    with pytest.raises(NumericError, match="grid: expected equally many points"):
        separation.relu_rank(2, ((1,), (1, 2)))
    with pytest.raises(NumericError, match="size: expected a whole number"):
        separation.kernel_grid(0)
    with pytest.raises(NumericError, match="bits: expected a whole number"):
        separation.hard_target(0)
    many = {(i, j): 1 + (i * j) % 5 for i in range(402) for j in range(402)}
    with pytest.raises(NumericError, match="monomials a side in a block"):
        separation.spectrum(many, (0,), (1,))
