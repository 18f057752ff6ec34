"""Claims about entrywise products: derivations, forged certificates, stated numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Integer

from lemmata.symbolic.separation import hadamard_bound
from lemmata.symbolic.separation.entrywise import derive_even_bound, derive_odd_bound
from lemmata.symbolic.separation.growth import derive_proxy
from lemmata.verify.claims.separation import hadamard
from lemmata.verify.claims.separation.networks import certificate
from lemmata.verify.kernel import check


@pytest.mark.parametrize(("size", "value"), [*hadamard.ATTAINED, *hadamard.BUDGET])
def test_attained_ranks_are_the_closed_form(size, value) -> None:
    inputs, degree, depth, _ = size
    assert hadamard_bound(inputs, degree, depth) == value


@pytest.mark.parametrize(("size", "value"), hadamard.ONE_LAYER)
def test_ranks_of_one_layer_are_the_sharper_bound(size, value) -> None:
    inputs, degree, depth, width = size
    assert hadamard_bound(inputs, degree, depth, width=width) == value


@pytest.mark.parametrize(("size", "value"), hadamard.FEW_FORMS)
def test_few_linear_forms_count_as_so_many_inputs(size, value) -> None:
    inputs, degree, depth, width = size
    assert width * degree < inputs
    assert hadamard_bound(width * degree, degree, depth) == value


def test_forged_certificates_are_inconclusive() -> None:
    stated = hadamard.rank_of((2, 3, 2, 2), 30)
    found = certificate(stated.function)
    assert check("true", stated, (found,)).outcome == "certified"
    forged = (
        replace(found, weights=(0,) * len(found.weights)),
        replace(found, blocks=(found.blocks[0] + 1, *found.blocks[1:])),
        replace(found, left=(found.left[0],) * len(found.left)),
        replace(found, prime=found.prime + 1),
    )
    for item in forged:
        assert check("forged", stated, (item,)).outcome == "inconclusive"


@pytest.mark.parametrize("derive", [derive_odd_bound, derive_even_bound])
def test_a_smaller_bound_does_not_follow(derive) -> None:
    found = derive()
    goal = found.lines[-1].statement
    assert check("bound", goal, (found,)).outcome == "proved"
    smaller = replace(goal, value=goal.value - Integer(1))
    lines = (*found.lines[:-1], replace(found.lines[-1], statement=smaller))
    assert check("less", smaller, (replace(found, lines=lines),)).outcome == "inconclusive"


@pytest.mark.parametrize("derive", [derive_odd_bound, derive_even_bound, derive_proxy])
def test_every_line_is_used(derive) -> None:
    lines = derive().lines
    used = {number for line in lines for number in line.using} | {len(lines)}
    assert used == set(range(1, len(lines) + 1))
