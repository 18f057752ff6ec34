"""The index formula of the seed against transposing and reshaping, exhaustively when small."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import numpy as np
import pytest
from sympy import (
    QQ,
    Array,
    Float,
    Integer,
    Matrix,
    MutableDenseNDimArray,
    Rational,
    sqrt,
    symbols,
)
from sympy.polys.matrices import DomainMatrix

from lemmata.symbolic.separation import (
    SeparationError,
    matricisation_index,
    matricise,
    separation_rank,
)

SIZES = [(order, size) for order in range(1, 6) for size in range(1, 4)] + [(2, 7), (4, 4)]


def splits(order: int):
    for count in range(order + 1):
        for left in combinations(range(order), count):
            yield left, tuple(place for place in range(order) if place not in left)


@pytest.mark.parametrize(("order", "size"), SIZES)
def test_index_formula_is_transpose_then_reshape(order: int, size: int) -> None:
    tensor = np.arange(size**order).reshape((size,) * order)
    for left, right in splits(order):
        wanted = tensor.transpose((*left, *right)).reshape(size ** len(left), size ** len(right))
        assert matricise(tensor.tolist(), left, right) == tuple(map(tuple, wanted.tolist()))
        for position in product(range(size), repeat=order):
            row, column = matricisation_index(position, left, right, size)
            assert wanted[row, column] == tensor[position]


@pytest.mark.parametrize(("order", "size"), [(2, 3), (4, 2), (4, 3)])
def test_the_formula_of_the_seed_counts_from_one(order: int, size: int) -> None:
    half = order // 2
    for left in combinations(range(1, order + 1), half):
        right = tuple(place for place in range(1, order + 1) if place not in left)
        sides = [tuple(place - 1 for place in side) for side in (left, right)]
        for j in product(range(1, size + 1), repeat=order):
            stated = tuple(
                1 + sum((j[a - 1] - 1) * size ** (half - t) for t, a in enumerate(side, 1))
                for side in (left, right)
            )
            found = matricisation_index(tuple(index - 1 for index in j), *sides, size)
            assert stated == tuple(place + 1 for place in found)


def test_the_order_in_which_a_side_is_given_does_not_matter() -> None:
    tensor = np.arange(81).reshape((3,) * 4).tolist()
    wanted = matricise(tensor, (0, 2), (1, 3))
    for left, right in product(permutations((0, 2)), permutations((1, 3))):
        assert matricise(tensor, left, right) == wanted


def test_function_and_tensor_agree() -> None:
    def value(a, b, c):
        return a * b - c**2

    templates = (Fraction(1, 2), 3, -1)
    tensor = [[[value(a, b, c) for c in templates] for b in templates] for a in templates]
    for left, right in splits(3):
        assert matricise(value, left, right, templates) == matricise(tensor, left, right)
        assert matricise(Array(tensor), left, right) == matricise(tensor, left, right)
        mutable = MutableDenseNDimArray(tensor)
        assert matricise(mutable, left, right) == matricise(tensor, left, right)


def test_templates_may_be_vectors() -> None:
    templates = ((1, 2), (3, -1), (0, 5))
    found = matricise(lambda a, b: a[0] * b[0] + a[1] * b[1], (0,), (1,), templates)
    assert found == ((5, 1, 10), (1, 10, -5), (10, -5, 25))
    assert Matrix(found).rank() == 2


def test_entries_may_be_symbolic() -> None:
    x, y = symbols("x y")
    found = matricise(lambda a, b: sqrt(a) * b, (0,), (1,), (x, y))
    assert found == ((sqrt(x) * x, sqrt(x) * y), (sqrt(y) * x, sqrt(y) * y))


@pytest.mark.parametrize("number", range(100))
def test_rank_is_at_most_the_separation_rank(number: int) -> None:
    """And equal on a grid that is finer than the degree."""
    random = Random(number)
    names = symbols("v:3")
    polynomial = sum(
        random.randint(-3, 3) * names[0] ** a * names[1] ** b * names[2] ** c
        for a, b, c in product(range(3), repeat=3)
    )
    polynomial = Integer(0) + polynomial
    for left, right in splits(3):
        sides = [tuple(names[i] for i in side) for side in (left, right)]
        rank = separation_rank(polynomial, *sides)

        def value(*point):
            return polynomial.xreplace(dict(zip(names, point, strict=True)))

        for size in (1, 2, 3):
            grid = [Rational(random.randint(-9, 9), 2) for _ in range(size)]
            if size == 3:
                grid = [Integer(k) for k in (-1, 0, 2)]
            rows = matricise(value, left, right, grid)
            found = DomainMatrix.from_Matrix(Matrix(rows)).convert_to(QQ).rank()
            assert found <= rank
            if size == 3:
                assert found == rank


SQUARE = [[1, 2], [3, 4]]
BAD = [
    (SQUARE, (0,), (0,), None, "without common variables"),
    (SQUARE, (0,), (), None, "positions 0 to 1"),
    (SQUARE, (0, 1), (2,), None, "positions 0 to 1"),
    (SQUARE, (0,), (1.0,), None, "counted from 0"),
    (SQUARE, (0,), (1,), (1, 2), "templates: expected none beside a tensor"),
    ([[1, 2, 3], [4, 5, 6]], (0,), (1,), None, "equal sides; got the shape"),
    ([[1, 2], [3]], (0,), (1,), None, "nested sequences of one shape"),
    ([[1, 2], 3], (0,), (1,), None, "nested sequences of one shape"),
    ([[1, [2]], [3, 4]], (0,), (1,), None, "nested sequences of one shape"),
    ([], (0,), (), None, "equal sides"),
    (7, (), (), None, "expected a function, or nested sequences"),
    ("ab", (0,), (), None, "expected a function, or nested sequences"),
    (np.eye(2), (0,), (1,), None, "Call tolist"),
    ([[0.5, 1], [1, 1]], (0,), (1,), None, "exact entries"),
    ([["x", 1], [1, 1]], (0,), (1,), None, "exact entries"),
    ([[None, 1], [1, 1]], (0,), (1,), None, "exact entries"),
    ([[True, 1], [1, 1]], (0,), (1,), None, "exact entries"),
    ([[Float(2) * sqrt(2), 1], [1, 1]], (0,), (1,), None, "exact entries"),
    (max, (0,), (1,), None, "templates: expected"),
    (max, (0,), (1,), (), "templates: expected"),
    (max, (0,), (1,), "ab", "templates: expected"),
    (max, (0,), (1,), 3, "templates: expected"),
    (max, (0,), (2,), (1, 2), "positions 0 to 1"),
    (max, tuple(range(12)), tuple(range(12, 24)), (1, 2), "at most 10000000 entries"),
]


@pytest.mark.parametrize(("tensor", "left", "right", "templates", "said"), BAD)
def test_bad_input_is_named(tensor, left, right, templates, said: str) -> None:
    with pytest.raises(SeparationError, match=said):
        matricise(tensor, left, right, templates)


@pytest.mark.parametrize(
    ("position", "size", "said"),
    [((0, 2), 2, "indices from 0 to 1"), ((0, -1), 2, "indices from 0 to 1"),
     ((0, True), 2, "indices from 0 to 1"), ((0, 0), 0, "size: expected"),
     ((0, 0, 0), 2, "positions 0 to 2")],
)  # fmt: skip
def test_bad_index_is_named(position, size, said: str) -> None:
    with pytest.raises(SeparationError, match=said):
        matricisation_index(position, (0,), (1,), size)
