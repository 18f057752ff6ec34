"""Exact separation ranks, against ranks known by construction and a second engine."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest
from flint import fmpz
from sympy import (
    QQ,
    Add,
    Float,
    IndexedBase,
    Integer,
    Matrix,
    Mul,
    Pow,
    Rational,
    Symbol,
    exp,
    pi,
    sin,
    sqrt,
    symbols,
)
from sympy.polys.matrices import DomainMatrix

from lemmata.symbolic.separation import (
    SeparationError,
    coefficient_matrix,
    matching_bound,
    separation_rank,
)

x, y, z, w = symbols("x y z w")
CASES, SHARES = 4_000, 8


def full_rank(random: Random, count: int, rank: int) -> list[list[Fraction]]:
    """`count` rows of length `rank`, which hold a unit triangular matrix in some order."""
    rows = []
    for i in range(count):
        entries = [Fraction(random.randint(-3, 3), random.randint(1, 3)) for _ in range(rank)]
        if i < rank:
            entries = [*entries[:i], Fraction(1), *[Fraction(0)] * (rank - i - 1)]
        rows.append(entries)
    random.shuffle(rows)
    return rows


def parts(random: Random, variables: int, count: int) -> list[tuple[int, ...]]:
    """Different tuples of exponents."""
    found: dict[tuple[int, ...], None] = {}
    while len(found) < count:
        found[tuple(random.randint(0, 7) for _ in range(variables))] = None
    return list(found)


def case(number: int) -> tuple[dict, tuple[int, ...], tuple[int, ...], int]:
    """A polynomial, a partition and the rank, which the factors U V^T of the matrix show."""
    random = Random(number)
    sizes = random.randint(1, 3), random.randint(1, 3)
    counts = random.randint(1, 6), random.randint(1, 6)
    rank = random.randint(0, min(counts))
    factors = [full_rank(random, count, rank) for count in counts]
    sides = [parts(random, size, count) for size, count in zip(sizes, counts, strict=True)]
    order = random.sample(range(sum(sizes)), sum(sizes))
    left, right = tuple(order[: sizes[0]]), tuple(order[sizes[0] :])
    polynomial = {}
    for alpha, u in zip(sides[0], factors[0], strict=True):
        for beta, v in zip(sides[1], factors[1], strict=True):
            exponents = dict(zip((*left, *right), (*alpha, *beta), strict=True))
            key = tuple(exponents[place] for place in range(len(order)))
            polynomial[key] = sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))
    return polynomial, left, right, rank


def as_expression(polynomial: dict, names: tuple[Symbol, ...]):
    monomials = (
        Mul(Rational(c.numerator, c.denominator), *(n**e for n, e in zip(names, key, strict=True)))
        for key, c in polynomial.items()
    )
    return Add(*monomials)


@pytest.mark.parametrize("share", range(SHARES))
def test_random_polynomials_of_known_rank(share: int) -> None:
    below = 0
    for number in range(share, CASES, SHARES):
        polynomial, left, right, rank = case(number)
        assert separation_rank(polynomial, left, right) == rank, number
        bound = matching_bound(polynomial, left, right)
        assert rank <= bound, number
        below += rank < bound
    assert below > CASES / SHARES / 4


@pytest.mark.parametrize("number", range(200))
def test_expression_and_dictionary_agree(number: int) -> None:
    polynomial, left, right, rank = case(CASES + number)
    names = symbols(f"v:{len(left) + len(right)}")
    sides = tuple(names[i] for i in left), tuple(names[i] for i in right)
    expression = as_expression(polynomial, names)
    assert separation_rank(expression, *sides) == rank
    assert separation_rank(expression, *sides[::-1]) == rank
    assert matching_bound(expression, *sides) == matching_bound(polynomial, left, right)


@pytest.mark.parametrize("number", range(100))
def test_the_matrix_of_coefficients_has_this_rank_in_a_second_engine(number: int) -> None:
    random = Random(number)
    polynomial = {
        tuple(random.randint(0, 2) for _ in range(4)): random.choice((-2, -1, 1, 1, 2))
        for _ in range(random.randint(1, 25))
    }
    found = coefficient_matrix(polynomial, (0, 3), (1, 2))
    exact = DomainMatrix.from_Matrix(Matrix(found.rows)).convert_to(QQ)
    assert separation_rank(polynomial, (0, 3), (1, 2)) == exact.rank()


def test_coefficient_matrix() -> None:
    found = coefficient_matrix(x**2 * y + 3 * x * y**2 / 2, (x,), (y,))
    assert found.left_parts == found.right_parts == ((1,), (2,))
    assert found.rows == ((0, Rational(3, 2)), (1, 0))


KNOWN = [
    (Integer(0), (x,), (y,), 0),
    (x - x, (), (), 0),
    (0, (x, y), (), 0),
    (Integer(7), (), (), 1),
    (Fraction(1, 3), (x,), (y,), 1),
    (x * y + z, (x, y, z), (), 1),
    (x * y + z, (), (x, y, z), 1),
    ((x + x**2) * y, (x,), (y,), 1),
    (x**2 * y + x * y**2, (x,), (y,), 2),
    ((x + y) ** 9, (x,), (y,), 10),
    ((x + y) ** 2 - (x - y) ** 2, (x,), (y,), 1),
    ((x + y + z + w) ** 3, (x, w), (y, z), 4),
    ((x + y + z + w) ** 3, (x,), (w, y, z), 4),
    ((x - y) * (z - w), (x, z), (y, w), 4),
    ((x - y) * (z - w), (x, y), (z, w), 1),
    (x ** (10**20) * y + x, (x,), (y,), 2),
    (x * Pow(2, -1, evaluate=False) + y, (x,), (y,), 2),
    (x, (x,), (y, z), 1),
]


@pytest.mark.parametrize(("polynomial", "left", "right", "rank"), KNOWN)
def test_known_rank(polynomial, left, right, rank: int) -> None:
    assert separation_rank(polynomial, left, right) == rank
    assert matching_bound(polynomial, left, right) >= rank


@pytest.mark.parametrize(
    ("polynomial", "rank"),
    [({}, 0), ({(1, 1): 0}, 0), ({(0, 0): fmpz(3)}, 1), ({(1, 2): 1, (2, 1): Rational(1, 2)}, 2)],
)
def test_known_rank_of_a_dictionary(polynomial, rank: int) -> None:
    assert separation_rank(polynomial, (0,), (1,)) == rank


def test_indexed_variables() -> None:
    v = IndexedBase("v")
    assert separation_rank(v[0] * v[1] + v[2], (v[0], v[2]), (v[1],)) == 2


def test_cancelling_terms_lower_the_rank() -> None:
    """Over Q; modulo 2, 3 or 5 these ranks would be others."""
    matrix = ((30, 1, 0), (0, 30, 1), (0, 0, 30))
    polynomial = {(i, j): matrix[i][j] for i in range(3) for j in range(3)}
    assert separation_rank(polynomial, (0,), (1,)) == 3
    assert separation_rank((x + 1) * (y + 1), (x,), (y,)) == 1
    assert matching_bound((x + 1) * (y + 1), (x,), (y,)) == 2


def largest_matching(edges: list[tuple[int, int]]) -> int:
    """By trying all sets of edges, the largest first."""
    for size in range(len(edges), 0, -1):
        for chosen in combinations(edges, size):
            if all(len({edge[side] for edge in chosen}) == size for side in (0, 1)):
                return size
    return 0


@pytest.mark.parametrize("number", range(300))
def test_matching_bound_is_the_largest_matching(number: int) -> None:
    random = Random(number)
    edges = random.sample([(i, j) for i in range(5) for j in range(5)], random.randint(0, 9))
    polynomial = dict.fromkeys(edges, 1)
    assert matching_bound(polynomial, (0,), (1,)) == largest_matching(edges)


@pytest.mark.parametrize("number", range(200))
def test_random_large_coefficients_attain_the_matching_bound(number: int) -> None:
    random = Random(number)
    polynomial = {
        (random.randint(0, 9), random.randint(0, 9)): random.randint(1, 10**12) for _ in range(30)
    }
    rank = separation_rank(polynomial, (0,), (1,))
    assert rank == matching_bound(polynomial, (0,), (1,))


def test_a_long_augmenting_path() -> None:
    """Each new A-part pushes all earlier ones on; a path of 3,000 steps must not recurse."""
    size = 3_000
    edges = [(i, j) for i in range(size) for j in (i, i + 1)]
    polynomial = dict.fromkeys(edges, 1) | {(size, 0): 1}
    assert matching_bound(polynomial, (0,), (1,)) == size + 1


def test_the_rank_does_not_depend_on_the_order_of_variables() -> None:
    polynomial = (x + 2 * y * z - w) ** 3 + x * w
    ranks = {
        separation_rank(polynomial, order[:2], order[2:])
        for order in permutations((x, w, y, z))
        if set(order[:2]) == {x, w}
    }
    assert len(ranks) == 1


BAD = [
    (x * y, (x, y), (y,), "without common variables"),
    (x * y, (x,), (), "every variable of the polynomial on one side"),
    (x * y, (x, x), (y,), "different variables"),
    (x * y, x, (y,), "left: expected a sequence"),
    (x * y, (x,), "y", "right: expected a sequence"),
    (x * y, ("x",), (y,), "left: expected the symbols"),
    (x * y, (0,), (1,), "Positions go with a dictionary"),
    (x * y, ([],), (y,), "left: expected different variables"),
    (sin(x) * y, (x,), (y,), "expected a polynomial"),
    (exp(x) * y, (x,), (y,), "expected a polynomial"),
    (sqrt(x) * y, (x,), (y,), "expected a polynomial"),
    (x**z * y, (x, z), (y,), "expected a polynomial"),
    (x / y, (x,), (y,), "Cancel it first"),
    ((x**2 - 1) / (x - 1) * y, (x,), (y,), "Cancel it first"),
    (pi * x * y, (x,), (y,), "expected a polynomial"),
    (Float(0.5) * x * y, (x,), (y,), "floats"),
    ((x + y) ** (10**9), (x,), (y,), "terms"),
    ("x*y", (x,), (y,), "expected a SymPy expression"),
    (0.5, (x,), (y,), "expected a SymPy expression"),
    (None, (x,), (y,), "expected a SymPy expression"),
    (True, (x,), (y,), "expected a SymPy expression"),
    ({(1, 1): 0.5}, (0,), (1,), "rational coefficients"),
    ({(1, 1): True}, (0,), (1,), "rational coefficients"),
    ({(1, 1): x}, (0,), (1,), "rational coefficients"),
    ({(1, -1): 1}, (0,), (1,), "exponents"),
    ({(1, 0.5): 1}, (0,), (1,), "exponents"),
    ({1: 1}, (0,), (1,), "exponents"),
    ({(1, 1): 1, (1,): 1}, (0,), (1,), "as many exponents"),
    ({(1, 1): 1}, (0,), (0,), "without common variables"),
    ({(1, 1): 1}, (0,), (), "positions 0 to 1"),
    ({(1, 1): 1}, (0, 2), (1,), "positions 0 to 1"),
    ({(1, 1): 1}, (0,), (True,), "counted from 0"),
    ({(1, 1): 1}, (x,), (y,), "counted from 0"),
    ({}, (0,), (2,), "positions 0 to 1"),
]


@pytest.mark.parametrize(("polynomial", "left", "right", "said"), BAD)
@pytest.mark.parametrize("function", [separation_rank, matching_bound, coefficient_matrix])
def test_bad_input_is_named(function, polynomial, left, right, said: str) -> None:
    with pytest.raises(SeparationError, match=said):
        function(polynomial, left, right)
