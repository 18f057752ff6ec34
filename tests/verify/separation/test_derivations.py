"""The kernel on the derivations of family `separation`, and on false variants of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest
from sympy import Integer, Rational

from lemmata.symbolic import separation
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.separation.counterexamples import POLYNOMIAL, TRIANGLE, TRIANGLE_FAILS, x, y
from lemmata.symbolic.separation.rates import rising
from lemmata.symbolic.statements import Every, Limit, Rank, Relation
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, RankCertificate

DERIVATIONS = {
    "ratio limits": (separation.derive_ratio_limits, ()),
    "no uniform constant": (separation.derive_no_uniform_constant, ("mean value theorem",)),
    "squared distance": (separation.derive_squared_distance, ()),
    "index": (separation.derive_index, ()),
    "norms": (separation.derive_norms, ("fundamental theorem of calculus",)),
    "finite domain": (separation.derive_finite_domain, ()),
}
MADE = {name: derive() for name, (derive, _) in DERIVATIONS.items()}


@pytest.mark.parametrize("name", DERIVATIONS)
def test_derivation_is_accepted(name: str) -> None:
    derivation = MADE[name]
    verdict = check(name, derivation.lines[-1].statement, (derivation,))
    assert verdict.outcome == "proved", verdict.detail
    assert verdict.facts == DERIVATIONS[name][1]


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name, made in MADE.items() for number in range(len(made.lines))],
)
def test_every_line_is_checked(name: str, number: int) -> None:
    lines = list(MADE[name].lines)
    lines[number] = replace(lines[number], rule="degree")
    verdict = check(name, lines[-1].statement, (Derivation(tuple(lines)),))
    assert verdict.outcome == "inconclusive"
    assert f"line {number + 1}" in verdict.detail


@pytest.mark.parametrize("name", DERIVATIONS)
def test_every_line_is_used(name: str) -> None:
    lines = MADE[name].lines
    used = {number for line in lines for number in line.using} | {len(lines)}
    assert used == set(range(1, len(lines) + 1))


def strengthened(statement):
    """A stronger statement of the same form, which does not follow."""
    if isinstance(statement, Limit):
        return replace(statement, value=statement.value + Rational(1, 1000))
    return replace(statement, rhs=statement.rhs + (10 if statement.op == ">" else -1))


@pytest.mark.parametrize("name", DERIVATIONS)
def test_a_changed_conclusion_is_rejected(name: str) -> None:
    """Each part of the conclusion, changed there and wherever the derivation states it."""
    last = MADE[name].lines[-1].statement
    for part in last.parts if isinstance(last, Every) else (last,):
        if isinstance(part, Relation) and part.op == "!=":
            continue
        new = strengthened(part)
        lines = []
        for line in MADE[name].lines:
            found = line.statement
            if found == part:
                found = new
            elif isinstance(found, Every):
                found = Every(tuple(new if one == part else one for one in found.parts))
            lines.append(replace(line, statement=found))
        verdict = check(name, lines[-1].statement, (Derivation(tuple(lines)),))
        assert verdict.outcome == "inconclusive", part


def test_explicit_forms_are_binomials() -> None:
    for size in range(6):
        for top in range(8):
            assert rising(Integer(top), size) == comb(top + size, size)


def test_the_triangle_inequality_of_the_squared_distance_is_refuted() -> None:
    verdict = check("d2 is a metric", TRIANGLE, (Counterexample(TRIANGLE_FAILS),))
    assert verdict.outcome == "refuted", verdict.detail
    relaxed = replace(TRIANGLE, rhs=2 * TRIANGLE.rhs)
    assert check("relaxed", relaxed, (Counterexample(TRIANGLE_FAILS),)).outcome == "inconclusive"


def rows(matrix) -> tuple:
    return tuple(tuple(Integer(entry) for entry in row) for row in matrix)


def test_the_rank_over_the_reals_is_certified_as_two() -> None:
    found = separation.coefficient_matrix(POLYNOMIAL, (x,), (y,))
    identity = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    certificate = RankCertificate(7, (0, 1), (0, 1), identity)
    assert separation.separation_rank(POLYNOMIAL, (x,), (y,)) == 2
    assert check("rank", Rank(found.rows, 2), (certificate,)).outcome == "certified"
    assert check("rank", Rank(found.rows, 1), (certificate,)).outcome == "refuted"


def test_the_rank_on_bits_is_certified_as_one() -> None:
    values = separation.matricise(
        lambda a, b: POLYNOMIAL.subs({x: a, y: b}), (0,), (1,), (Integer(0), Integer(1))
    )
    assert values == rows(((0, 0), (0, 2)))
    certificate = RankCertificate(7, (1,), (1,), ((Fraction(0),), (Fraction(1),)))
    assert check("rank", Rank(values, 1), (certificate,)).outcome == "certified"
    assert check("rank", Rank(values, 2), (certificate,)).outcome == "refuted"
    finer = separation.matricise(
        lambda a, b: POLYNOMIAL.subs({x: a, y: b}), (0,), (1,), (Integer(1), Integer(2))
    )
    assert finer == rows(((2, 6), (6, 16)))


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6])
def test_ratios_approach_their_limits(width: int) -> None:
    """The exact ranks over 3^(L d) lie above the limit and come down to it."""
    ratios = [
        Rational(separation.two_token_rank(layers, width), 3 ** (layers * width))
        for layers in range(1, 12)
    ]
    limit = separation.ratio_limit(width)
    assert all(a > b > limit for a, b in pairwise(ratios))
    assert ratios[-1] / limit - 1 < Rational(width**2, 10**4)


@pytest.mark.parametrize("width", range(1, 8))
def test_ranks_at_equal_depth_and_width_fall_below_every_constant(width: int) -> None:
    ratio = Rational(separation.two_token_rank(width, width), 3 ** (width * width))
    assert ratio < Rational(2719, 1000) / 2**width
