"""Closed forms of family `degree` and the derivations that the kernel accepts."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from sympy import E, Integer, N, Rational, Symbol, nan, oo

from lemmata.symbolic import degree
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.verify.claims.degree import CLAIMS
from lemmata.verify.claims.degree.objective import NETWORKS
from lemmata.verify.kernel import check

DERIVED = tuple(claim for claim in CLAIMS if claim.derivation)
LEMMAS = {claim.id: (claim.statement, claim.expected) for claim in CLAIMS}


BEST = (
    *((-1, 2), (0, 3), (1, 4), (2, 4), (3, 5), (100, 38)),
    *((Fraction(-3, 10), 2), (Fraction(-29, 100), 3), (Rational(8, 10), 3), (Rational(82, 100), 4)),
)


@pytest.mark.parametrize(("extra", "best"), BEST)
def test_best_integer_degree(extra: object, best: int) -> None:
    assert degree.best_integer_degree(extra) == best


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_best_odd_degree_is_that_of_attention(extra: int) -> None:
    assert degree.best_integer_degree(extra, odd=True) == 3


def test_best_odd_degree_changes_with_the_cost() -> None:
    assert degree.best_integer_degree(3, odd=True) == 5


@pytest.mark.parametrize("extra", [Fraction(-1, 2), 0, 1, 3, Rational(7, 3), 50])
def test_optimal_degree_is_stationary(extra: object) -> None:
    best = float(N(degree.optimal_degree(extra), 30))
    assert best * (math.log(best) - 1) == pytest.approx(float(extra), abs=1e-12)  # type: ignore[arg-type]


def test_optimal_degree_in_closed_form() -> None:
    assert degree.optimal_degree() == E
    assert degree.optimal_degree(-1) == 1


@pytest.mark.parametrize(("k", "value"), [(2, -0.29049), (3, 0.81884), (4, 2.21257)])
def test_switch_point(k: int, value: float) -> None:
    c = float(N(degree.switch_point(k), 20))
    assert c == pytest.approx(value, abs=1e-5)
    assert math.log(k) / (k + c) == pytest.approx(math.log(k + 1) / (k + 1 + c), rel=1e-14)


@pytest.mark.parametrize(
    "extra", [-2, Fraction(-11, 10), 0.5, float("nan"), nan, oo, "1", None, True, Symbol("c"), 1j]
)
@pytest.mark.parametrize("function", [degree.optimal_degree, degree.best_integer_degree])
def test_bad_extra_is_named(function: object, extra: object) -> None:
    with pytest.raises(ValueError, match="extra: expected"):
        function(extra)  # type: ignore[operator]


@pytest.mark.parametrize("k", [0, -1, 2.0, "2", None, True, Rational(1, 2)])
def test_bad_degree_is_named(k: object) -> None:
    with pytest.raises(ValueError, match="degree: expected"):
        degree.switch_point(k)  # type: ignore[arg-type]


@pytest.mark.parametrize("claim", DERIVED, ids=lambda claim: claim.id)
def test_derivation_is_accepted(claim) -> None:
    derivation = claim.derivation()
    verdict = check(claim.id, claim.statement, (derivation,), LEMMAS)
    assert verdict.outcome == "proved", verdict.detail


@pytest.mark.parametrize("claim", DERIVED, ids=lambda claim: claim.id)
def test_every_line_of_a_derivation_is_needed(claim) -> None:
    """Lines are re-checked: a rule that does not apply there is noticed at each of them."""
    derivation = claim.derivation()
    for number, line in enumerate(derivation.lines):
        broken = Line(line.statement, "limit", line.using, line.args)
        lines = (*derivation.lines[:number], broken, *derivation.lines[number + 1 :])
        verdict = check(claim.id, claim.statement, (Derivation(lines),), LEMMAS)
        assert verdict.outcome == "inconclusive"
        assert f"line {number + 1}" in verdict.detail


def test_network_polynomial_is_homogeneous() -> None:
    x, y, t = Symbol("x"), Symbol("y"), Symbol("t")
    for order, network in NETWORKS:
        polynomial = degree.network_polynomial(network, (x, y))
        scaled = polynomial.subs({x: 2 * x, y: 2 * y}, simultaneous=True)
        total = Integer(order) ** len(network)
        point = {x: Integer(3), y: Integer(-5), t: Integer(1)}
        assert scaled.subs(point) == 2**total * polynomial.subs(point)
        assert polynomial.subs(point) != 0
