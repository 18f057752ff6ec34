"""Statements for all sizes: instances that do not count, and the rates by a second computation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, e, factorial

import pytest
from sympy import Integer, Rational

from lemmata.symbolic import separation as theory
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.separation.two_tokens import binomial_product, monomial_sum
from lemmata.symbolic.statements import Relation
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import networks, sizes
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Instance, NetworkCertificate

DERIVATIONS = {
    "two tokens": theory.derive_two_tokens(),
    "odd degrees": theory.derive_two_tokens(sizes.e),
    "theta": theory.derive_theta(),
    "columns": theory.derive_columns(),
    "bounds": theory.derive_attention_bounds([(2, 2, 1, 1, 3), (1, 3, 2, 3, 5)]),
}
BY_DEGREES = NetworkCertificate(2, (), (), (), ())


def at(**values):
    """Values of the symbols with these names."""
    return tuple((getattr(sizes, name), Integer(value)) for name, value in values.items())


@pytest.mark.parametrize("name", DERIVATIONS)
def test_every_line_is_used(name: str) -> None:
    lines = DERIVATIONS[name].lines
    assert check(name, lines[-1].statement, (DERIVATIONS[name],)).outcome == "proved"
    used = {number for line in lines for number in line.using} | {len(lines)}
    assert used == set(range(1, len(lines) + 1))


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name, made in DERIVATIONS.items() for number in range(len(made.lines))],
)
def test_every_line_is_checked(name: str, number: int) -> None:
    lines = list(DERIVATIONS[name].lines)
    lines[number] = replace(lines[number], rule="degree")
    verdict = check(name, lines[-1].statement, (Derivation(tuple(lines)),))
    assert verdict.outcome == "inconclusive"
    assert f"line {number + 1}" in verdict.detail


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("reach", [0, 1, 4, 13])
def test_products_and_sums_are_binomials(reach: int, width: int) -> None:
    top, size = Integer(reach), Integer(width)
    assert binomial_product(top, size).doit() == comb(reach + width, width)
    assert monomial_sum(top, size).doit() == comb(reach + width, width)


@pytest.mark.parametrize("constant", [Fraction(3), Fraction(1), Fraction(1, 2), Fraction(1, 20)])
def test_no_constant_in_whole_numbers(constant: Fraction) -> None:
    for width in range(ceil(e / constant), ceil(e / constant) + 4):
        found = comb((3**width - 1) // 2 + width, width)
        assert found == theory.two_token_rank(width, width) < constant * 3 ** (width * width)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_the_ratio_falls_to_its_limit(width: int) -> None:
    limit = Fraction(1, 2**width * factorial(width))
    ratios = [
        Fraction(theory.two_token_rank(depth, width), 3 ** (depth * width))
        for depth in range(1, 12)
    ]
    assert all(one > two > limit for one, two in pairwise(ratios))
    assert ratios[-1] < limit * Fraction(1001, 1000)


def test_the_stated_rate_fails_at_the_point_found() -> None:
    claim = sizes.THETA_AS_STATED
    (found,) = sizes.refute_rate(claim.statement, Settings())
    depth, width = (int(value) for _, value in found.point)
    assert 3**depth > width
    assert 100 * comb((3**depth - 1) // 2 + width, width) < 3 ** (depth * width)


@pytest.mark.parametrize(
    "point",
    [
        at(L=1, d=4),  # the rank 5 is below 81/5, but 3^L > d fails
        at(L=1, d=2),  # the bound 3 is above 9/5
        at(L=0, d=9),
        at(L=3),
        at(L=6, d=6),  # too large for the kernel to count
    ],
)
def test_other_points_do_not_refute_the_rate(point) -> None:
    verdict = check("rate", sizes.stated_rate(Rational(1, 5)), (Instance(point, BY_DEGREES),))
    assert verdict.outcome == "inconclusive"


def test_a_bound_by_degrees_supports_no_lower_bound() -> None:
    small = sizes.stated_rate(Rational(1, 10**6))
    point = at(L=2, d=2)
    assert check("rate", small, (Instance(point, BY_DEGREES),)).outcome == "inconclusive"


def test_the_search_finds_nothing_where_the_rate_holds() -> None:
    tiny = sizes.stated_rate(Rational(1, 10**40))
    assert sizes.refute_rate(tiny, Settings()) == ()


def test_a_wrong_reach_is_no_instance() -> None:
    """With D one larger 2D + 1 = 3^L fails; without that law the upper bound would be false."""
    claim = sizes.TWO_TOKENS
    part = sizes.first(claim.statement)
    good = networks.certify_at(part, sizes.points(), Settings())
    assert {check("part", part, (item,)).outcome for item in good} == {"confirmed"}
    wrong = [{**point, sizes.D: point[sizes.D] + 1} for point in sizes.points()]
    bad = networks.certify_at(part, wrong, Settings())
    assert {check("part", part, (item,)).outcome for item in bad} == {"inconclusive"}
    lawless = replace(part, given=())
    less = [{**point, sizes.D: point[sizes.D] - 1} for point in sizes.points()]
    refuting = networks.certify_at(lawless, less, Settings())
    assert {check("part", lawless, (item,)).outcome for item in refuting} == {"refuted"}


@pytest.mark.parametrize("derive", [theory.derive_two_tokens, theory.derive_theta])
def test_a_derivation_without_its_law_is_inconclusive(derive) -> None:
    """The hypothesis 2D + 1 = 3^L replaced by 2D + 1 = 2^L in the statement alone."""
    made = derive()
    statement = made.lines[-1].statement
    part = statement if hasattr(statement, "given") else statement.parts[0]
    other = replace(part.given[0], rhs=part.given[0].rhs.subs(3, 2))
    assert isinstance(other, Relation)
    forged = replace(part, given=(other, *part.given[1:]))
    target = forged if part is statement else replace(statement, parts=(forged,))
    assert check("forged", target, (made,)).outcome == "inconclusive"


@pytest.mark.parametrize("tokens", range(1, 5))
@pytest.mark.parametrize("width", range(1, 5))
@pytest.mark.parametrize("factors", range(1, 7))
def test_columns_of_products(factors: int, width: int, tokens: int) -> None:
    shape = (tokens, width)
    for number in range(1, factors):
        shape = (tokens, tokens if number % 2 else width)
    stated = sizes.columns(Integer(factors)).subs({sizes.N: tokens, sizes.d: width})
    assert stated == shape[1]
