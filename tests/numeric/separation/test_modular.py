"""Ranks and pivots modulo a prime against rational ones; the bit budgets at their edges."""

import random
from fractions import Fraction

import flint
import numpy as np
import pytest

from lemmata.numeric import separation
from lemmata.numeric.errors import NumericError
from lemmata.numeric.separation import modular

PRIME = separation.PRIME


def of_rank(rank, rows, columns, generator, bound=9):
    """A random integer matrix of at most that rank."""
    left = generator.integers(-bound, bound + 1, (rows, rank))
    return left @ generator.integers(-bound, bound + 1, (rank, columns))


@pytest.mark.parametrize("seed", range(40))
def test_rank_and_pivots_are_those_over_the_rationals(seed):
    generator = np.random.default_rng(seed)
    rows, columns = (int(n) for n in generator.integers(1, 14, 2))
    matrix = of_rank(int(generator.integers(0, 8)), rows, columns, generator, bound=2)
    matrix[:, generator.integers(columns)] = 0
    matrix[generator.integers(rows)] = matrix[generator.integers(rows)]
    exact = flint.fmpz_mat(matrix.tolist()).rank()
    assert separation.rank_mod(matrix) == exact
    pivots = separation.pivots_mod(matrix)
    assert pivots.rank == len(pivots.columns) == exact
    minor = flint.fmpz_mat([[int(matrix[i, j]) for j in pivots.columns] for i in pivots.rows])
    found = separation.minor_mod(matrix, pivots.rows, pivots.columns)
    assert found != 0
    assert found == int(minor.det()) % PRIME if pivots.rank else found == 1


def test_pivots_are_the_first_rows_and_columns_that_span_the_others():
    matrix = [[0, 0, 0, 0], [0, 2, 4, 1], [0, 1, 2, 3], [0, 3, 6, 4]]
    pivots = separation.pivots_mod(matrix)
    assert pivots == separation.Pivots((1, 2), (1, 3))


def test_small_primes_lose_rank_and_none_gains_any():
    matrix = np.diag([2, 3, 5, 7, 30, 1])
    ranks = {prime: separation.rank_mod(matrix, prime) for prime in (2, 3, 5, 7, 11, PRIME)}
    assert ranks == {2: 4, 3: 4, 5: 4, 7: 5, 11: 6, PRIME: 6}


@pytest.mark.parametrize(
    ("matrix", "rank"),
    [
        (np.zeros((0, 3), np.int64), 0),
        (np.zeros((3, 0), np.int64), 0),
        ([[]], 0),
        ([[0]], 0),
        ([[PRIME]], 0),
        ([[-1]], 1),
        ([[10**40, 1], [2 * 10**40, 2]], 1),
        ([[2**63, -1]], 1),
        ([[2**63 + 1, 2**64 - 1], [1, 1]], 2),
        (np.array([[2**64 - 1, 1]], np.uint64), 1),
        (np.array([[True, False], [True, True]]), 2),
        (np.array([[127, -128], [1, 1]], np.int8), 2),
        ([[flint.fmpz(2), 4], [1, 2]], 1),
        (((1, 2), (3, 4)), 2),
    ],
)
def test_every_kind_of_integer_matrix_is_taken(matrix, rank):
    assert separation.rank_mod(matrix) == rank
    assert separation.pivots_mod(matrix).rank == rank


@pytest.mark.parametrize(
    "matrix",
    [
        [],
        [1, 2],
        [[1, 2], [3]],
        [[0.5]],
        [[1.0, 2.0]],
        [[Fraction(1, 2)]],
        [["1"]],
        [[None]],
        np.ones((2, 2)),
        np.ones((2, 2, 2), np.int64),
        7,
    ],
)
def test_what_is_no_integer_matrix_is_refused(matrix):
    with pytest.raises(NumericError, match="matrix: expected integers"):
        separation.rank_mod(matrix)


@pytest.mark.parametrize("prime", [-7, 0, 1, 4, 2**61, 2**64 - 59, 2.0, True])
def test_what_is_no_prime_of_a_word_is_refused(prime):
    with pytest.raises(NumericError, match="prime: expected"):
        separation.rank_mod([[1]], prime)


def test_primes_up_to_63_bits_serve_for_ranks():
    large = 2**63 - 25
    assert separation.rank_mod([[1, 1], [1, 1 + large]], large) == 1
    assert separation.rank_mod([[1, 1], [1, 2**62]], large) == 2


@pytest.mark.parametrize(
    ("rows", "columns", "word"),
    [((0,), (0, 1), "A minor is square"), ((2,), (0,), "rows"), ((0,), (-1,), "columns")],
)
def test_a_minor_needs_as_many_rows_as_columns_of_the_matrix(rows, columns, word):
    with pytest.raises(NumericError, match=word):
        separation.minor_mod([[1, 2], [3, 4]], rows, columns)


@pytest.mark.parametrize("inner", [1, 15, 16, 17, 32, 33, 100])
def test_products_of_the_largest_residues_do_not_overflow(inner):
    """All entries p - 1, that is -1: every sum of products is the number of its terms."""
    a = np.full((2, inner, 1), PRIME - 1, np.uint64)
    b = np.full((inner, 3, 4), PRIME - 1, np.uint64)
    assert (modular.products(a, b, PRIME) == inner).all()
    assert (modular.matmul_mod(a[..., 0], b[..., 0], PRIME) == inner).all()


def test_the_budgets_are_those_of_the_largest_prime():
    assert modular.TERMS * (PRIME - 1) ** 2 + PRIME < 2**64
    assert 2 * modular._FLOAT_TERMS * (2**15 - 1) ** 2 <= 2**53
    assert PRIME < modular.PRIME_LIMIT == 2**30


def test_products_in_float64_are_exact():
    numbers = random.Random(1)
    a = [[numbers.randrange(PRIME) for _ in range(50)] for _ in range(3)]
    b = [[numbers.randrange(PRIME) for _ in range(4)] for _ in range(50)]
    exact = [
        [sum(x * y for x, y in zip(r, c, strict=True)) % PRIME for c in zip(*b, strict=True)]
        for r in a
    ]
    residues = [np.array(part, np.uint64) for part in (a, b)]
    assert modular.matmul_mod(*residues, PRIME).tolist() == exact
    assert modular.products(*residues, PRIME).tolist() == exact


def test_a_product_too_long_for_float64_is_refused():
    thin = np.broadcast_to(np.zeros((), np.uint64), (1, 2**22 + 1))
    with pytest.raises(NumericError, match="Split the product"):
        modular.matmul_mod(thin, thin.T, PRIME)


@pytest.mark.parametrize("count", [1, 2, 7, 41])
def test_interpolation_returns_the_coefficients(count):
    numbers = random.Random(count)
    coefficients = [numbers.randrange(PRIME) for _ in range(count)]
    values = [sum(c * t**k for k, c in enumerate(coefficients)) % PRIME for t in range(count)]
    found = modular.matmul_mod(
        modular.interpolation(count, PRIME), np.array(values, np.uint64)[:, None], PRIME
    )
    assert found[:, 0].tolist() == coefficients


def test_interpolation_needs_as_many_residues_as_points():
    assert modular.interpolation(5, 5).shape == (5, 5)
    with pytest.raises(NumericError, match="number of points to interpolate"):
        modular.interpolation(6, 5)
