"""Sums of few monomials: how often their rank is full, by going through all of them."""

from __future__ import annotations

from itertools import product

import pytest
from sympy import Integer, Product, Rational, Symbol

from lemmata.symbolic.separation import SeparationError, family_f_probability, separation_rank


def full_rank_share(k: int, exponents: int, left: int, right: int) -> Rational:
    """The share of all choices of exponents that give rank k, with coefficients 1, 2, ..., k."""
    sides = tuple(range(left)), tuple(range(left, left + right))
    monomials = list(product(range(1, exponents + 1), repeat=left + right))
    full = 0
    for chosen in product(monomials, repeat=k):
        polynomial: dict[tuple[int, ...], int] = {}
        for coefficient, monomial in enumerate(chosen, 1):
            polynomial[monomial] = polynomial.get(monomial, 0) + coefficient
        rank = separation_rank(polynomial, *sides)
        distinct = all(len({tuple(m[i] for i in side) for m in chosen}) == k for side in sides)
        assert rank <= k
        assert (rank == k) == distinct
        full += rank == k
    return Rational(full, len(monomials) ** k)


SIZES = [(1, 2, 1, 1), (2, 2, 1, 1), (3, 2, 1, 1), (2, 3, 1, 1), (3, 3, 1, 1), (2, 2, 1, 2),
         (3, 2, 2, 1), (2, 2, 2, 2), (2, 3, 2, 1), (4, 2, 1, 1)]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_probability_is_the_share_of_all_cases(size: tuple[int, int, int, int]) -> None:
    assert family_f_probability(*size) == full_rank_share(*size)


def test_probability_of_symbols() -> None:
    k, K = Symbol("k"), Symbol("K")
    general = family_f_probability(k, K, 2, 1)
    assert isinstance(general, Product)
    for count, most in product((1, 2, 3), (2, 3)):
        exact = family_f_probability(count, most, 2, 1)
        assert isinstance(exact, Rational)
        assert general.subs({k: count, K: most}).doit() == exact
        assert family_f_probability(count, K, 2, 1).subs(K, most) == exact


def test_the_index_of_the_product_is_a_new_name() -> None:
    found = family_f_probability(Symbol("i"), Symbol("j"), 1, 1)
    values = {Symbol("i"): 2, Symbol("j"): 3}
    assert found.subs(values).doit() == Rational(4, 9)


def test_too_many_monomials_never_have_full_rank() -> None:
    assert family_f_probability(5, 2, 2, 3) == Integer(0)
    assert family_f_probability(4, 2, 2, 3) > 0


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((0, 2, 1, 1), "k"), ((2, 0, 1, 1), "exponents"), ((2, 2, 0, 1), "left"),
     ((2, 2, 1, 0.5), "right"), ((2, Rational(1, 2), 1, 1), "exponents"),
     ((True, 2, 1, 1), "k"), ((2, 2, "1", 1), "left")],
)  # fmt: skip
def test_bad_input_is_named(arguments, name: str) -> None:
    with pytest.raises(SeparationError, match=f"{name}: expected"):
        family_f_probability(*arguments)
