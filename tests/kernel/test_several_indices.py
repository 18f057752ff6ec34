"""Sums and products over several indices, which SymPy merges into one with several limits."""

from fractions import Fraction
from itertools import product

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from sympy import (
    IndexedBase,
    Integer,
    Product,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    sqrt,
    symbols,
)

from lemmata.symbolic.statements import REALS, above, integers
from lemmata.verify.kernel.means import written_out
from lemmata.verify.kernel.reasoning import ANY, NONNEGATIVE, POSITIVE, ZERO, Context
from lemmata.verify.kernel.terms import (
    Rejected,
    enclose,
    indices,
    outermost,
    put,
    rational,
)

x, n, i, j, k = symbols("x n i j k")
a = IndexedBase("a")
TRIANGLE = Sum(i, (i, 1, j), (j, 1, 4))
SHADOWED = Sum(i, (i, 1, 3), (i, 1, 2))  # the inner i hides the outer one


def test_the_last_index_is_the_outermost():
    function, limits = outermost(Sum(a[i, j], (i, 1, j), (j, 1, n)))
    assert (function, tuple(limits)) == (Sum(a[i, j], (i, 1, j)), (j, 1, n))
    assert outermost(Product(i, (i, 1, n)))[0] == i
    assert outermost(Sum(Sum(i, (i, 1, j)) + 1, (j, 1, n)))[0] == Sum(i, (i, 1, j)) + 1
    assert indices(Sum(a[i, j], (i, 1, j), (j, 1, n)) + Product(k, (k, 1, n))) == {i, j, k}
    assert indices(x + a[i]) == set()


VALUES = [
    (TRIANGLE, 20),
    (Sum(i * j, (i, 1, 2), (j, 1, 3)), 18),
    (SHADOWED, 12),
    (Sum(j, (i, 1, 3), (j, 1, 2)), 9),
    (Sum(i, (i, j, 2), (j, 1, 4)), 5),  # empty where j > 2
    (Sum(1, (i, 3, 1), (j, 1, 4)), 0),
    (Product(i, (i, 1, j), (j, 1, 3)), 12),
    (Product(2, (i, 1, 2), (j, 1, 3)), 64),
    (Product(i, (i, 3, 1), (j, 1, 4)), 1),
    (Sum(Product(i, (i, 1, j)), (j, 1, 4)), 33),
    (Sum(i * j * k, (i, 1, j), (j, 1, k), (k, 1, 2)), 15),
]


@pytest.mark.parametrize(("expr", "value"), VALUES)
def test_exact_values(expr, value):
    assert rational(expr, {}) == value
    assert rational(expr, {i: Fraction(50), j: Fraction(60), k: Fraction(70)}) == value
    assert Context().signs(expr - value) == ZERO


@pytest.mark.parametrize(("expr", "value"), VALUES)
def test_definedness_and_writing_out(expr, value):
    Context.of(((x, REALS),)).require_defined(expr)
    if expr != SHADOWED:
        assert written_out(expr) == value


def test_a_hidden_index_is_not_written_out():
    with pytest.raises(Rejected, match="rename it"):
        written_out(SHADOWED)


@given(st.integers(0, 4), st.integers(0, 4), st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_against_loops(first, last, coefficients):
    p, q, r = coefficients
    limits = (i, j, j + first), (j, 1, last)
    expected = sum(p * b + q * c + r for c in range(1, last + 1) for b in range(c, c + first + 1))
    expr = Sum(p * i + q * j + r + x, *limits)
    assert rational(expr, {x: Fraction(0)}) == expected
    assert rational(written_out(put(expr, {x: Integer(0)})), {}) == expected


def test_sequences_are_looked_up_by_all_indices():
    env = {a[b, c]: Fraction(10 * b + c) for b, c in product((1, 2), repeat=2)}
    assert rational(Sum(a[i, j], (i, 1, j), (j, 1, 2)), env) == 11 + 12 + 22
    assert rational(Sum(a[i, j], (i, 1, j), (j, 1, 3)), env) is None


def test_balls():
    square = Sum(sqrt(i * j), (i, 1, 2), (j, 1, 2))
    assert enclose(square, {}).overlaps(enclose(3 + 2 * sqrt(2), {}))
    assert enclose(Sum(x * i, (i, 1, 2), (j, 1, 2)), {x: arb(3)}) == 18
    assert enclose(Product(x, (i, 1, 2), (j, 1, 2)), {x: arb(3), i: arb(9)}) == 81


@pytest.mark.parametrize(
    ("expr", "values"),
    [
        (Sum(x * i, (i, 1, j), (j, 1, n)), {x: i}),
        (Sum(x * i, (i, 1, j), (j, 1, n)), {x: j}),
        (Sum(x * i, (i, 1, j), (j, 1, n)), {n: i}),
        (Sum(x * i, (i, 1, j), (j, 1, n)), {j: Integer(3)}),
        (Product(x * i, (i, 1, j), (j, 1, n)), {i: Integer(3)}),
    ],
)
def test_no_index_catches_a_variable(expr, values):
    with pytest.raises(Rejected, match="bound"):
        put(expr, values)


def test_put_reaches_all_bounds():
    assert put(Sum(x * i, (i, n, j), (j, 1, n)), {n: k, x: n}) == Sum(n * i, (i, k, j), (j, 1, k))


NATURAL = Context.of(((n, integers(1)), (x, above(0))))


@pytest.mark.parametrize(
    ("expr", "signs"),
    [
        (Sum(x * i, (i, 1, j), (j, 1, n)), NONNEGATIVE),
        (Sum(i - j, (i, j, n), (j, 1, n)), NONNEGATIVE),
        (Sum(i - j, (i, 1, j), (j, 1, n)), frozenset((-1, 0))),
        (Product(x + i, (i, 1, j), (j, 1, n)), POSITIVE),
        (Product(i - 1, (i, 1, j), (j, 1, n)), ANY),
        (Sum(x - i, (i, 1, j), (j, 1, n)), ANY),
        (Sum(i - 5, (i, 1, 2), (i, 6, 9)), frozenset((-1,))),  # a number: 4 (-4 - 3)
        (Sum(x * (i - 5), (i, 6, 9), (i, 1, 2)), NONNEGATIVE),
        (Sum(x * (i - 5), (i, 1, 2), (i, 6, 9)), frozenset((-1, 0))),
    ],
)
def test_signs(expr, signs):
    assert NATURAL.signs(expr) == signs


@pytest.mark.parametrize(
    "expr",
    [
        Sum(1 / i, (i, 1, j), (j, 1, n)),
        Sum(log(i + x), (i, j, n), (j, 0, n)),
        Sum(1 / (i - j), (i, j + 1, n), (j, 1, n)),
        Product(sqrt(i - j), (i, j, n), (j, 1, n)),
    ],
)
def test_defined(expr):
    NATURAL.require_defined(expr)


@pytest.mark.parametrize(
    "expr",
    [
        Sum(1 / (i - j), (i, j, n), (j, 1, n)),
        Sum(1 / i, (i, 0, j), (j, 1, n)),
        Sum(1, (i, 1, j / 2), (j, 1, n)),
        Sum(1, (i, 1, j), (j, 1, x)),
        Sum(1, (i, 1, k), (j, 1, n)),
        Sum(1, (j, 1, n), (i, 1, j)),  # j is free in the bound of i
        Sum(log(i - 5), (i, 1, 9), (i, 6, 9)),  # the inner i starts from 1
    ],
)
def test_not_defined(expr):
    with pytest.raises(Rejected, match="not shown to be defined"):
        NATURAL.require_defined(expr)


def equal(left, right):
    return NATURAL.equal(left, right)


def test_equality_splits_off_the_last_terms_of_the_outermost_sum():
    square = Sum(a[i, j], (i, 1, k), (j, 1, n))
    longer = Sum(a[i, j], (i, 1, k), (j, 1, n + 1))
    assert equal(longer, square + Sum(a[i, n + 1], (i, 1, k)))
    two = Sum(x * i, (i, 1, k)) + Sum(2 * x * i, (i, 1, k))
    assert equal(Sum(x * i * j, (i, 1, k), (j, 1, 2)), two)
    assert not equal(longer, square + Sum(a[i, n], (i, 1, k)))
    assert not equal(longer, square)
    assert not equal(Sum(a[i, j], (i, 1, n), (j, 1, n)), Sum(a[j, i], (i, 1, n), (j, 1, n)))


def test_equality_does_not_confuse_an_index_with_a_variable():
    inner = Context.of(((n, integers(1)), (j, integers(1)), (a, REALS)))
    triangle = Sum(a[i], (i, 1, j), (j, 1, n))
    assert not inner.equal(triangle, Sum(a[i], (i, 1, j)))
    assert not inner.equal(Sum(a[j], (i, 1, n), (j, 1, 1)), n * a[j])
    assert inner.signs(Sum(j - 1, (i, 1, n), (j, 0, 0))) != NONNEGATIVE


def test_exponents_of_merged_sums():
    assert rational(Sum(Rational(1, 2) ** i, (i, 1, 2), (j, 1, 4)), {}) == 3
    ball = enclose(Sum(exp(-i * j), (i, 0, 1), (j, 0, 1)), {})
    assert ball.overlaps(enclose(3 + exp(-1), {}))
    assert Symbol("i") in indices(Sum(i, (i, 1, 2), (j, 1, 2)))
