"""Budgets against the closed pattern and against brute force; good and bad inputs."""

import math

import pytest

from lemmata.numeric import degree
from lemmata.numeric.errors import NumericError


def test_budget_eight_prefers_two_or_four_to_three():
    assert degree.homogeneous(8) == {1: 1, 2: 16, 3: 9, 4: 16, 5: 5, 6: 6, 7: 7, 8: 8}


@pytest.mark.parametrize("budget", range(2, 61))
def test_the_mixed_optimum_is_made_of_threes(budget):
    q, rest = divmod(budget, 3)
    expected = (3**q, 4 * 3 ** (q - 1) if q else 1, 2 * 3**q)[rest]
    product, parts = degree.mixed_optimum(budget)
    assert product == expected == math.prod(parts)
    assert sum(parts) <= budget
    assert all(type(part) is int and part >= 1 for part in parts)
    assert product >= max(degree.homogeneous(budget).values())


@pytest.mark.parametrize("budget", range(1, 15))
def test_the_mixed_optimum_is_that_of_all_compositions(budget):
    every = list(degree.compositions(budget))
    assert len(every) == len(set(every)) == 2**budget
    assert all(sum(parts) <= budget and min(parts, default=1) >= 1 for parts in every)
    assert degree.mixed_optimum(budget)[0] == max(map(math.prod, every))


BAD = [
    ("budget: .*0", lambda: degree.homogeneous(0)),
    ("budget: .*0", lambda: degree.mixed_optimum(0)),
    ("budget: .*-1", lambda: list(degree.compositions(-1))),
]


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_is_named_with_what_was_expected_and_what_came(message, call):
    with pytest.raises(NumericError, match=message) as caught:
        call()
    text = str(caught.value)
    assert "expected" in text
    assert "got" in text
    assert text.endswith(".")
