"""The claims about the loss: the measured excess."""

from __future__ import annotations

import pytest
from sympy import N, Rational

from lemmata.verify.claims.attsvm import loss

POINTS = [(1, 0, 2, 3, -1), (Rational(1, 4), -3, 5, 12, 12), (3, 2, -2, -4, Rational(1, 2))]


@pytest.mark.parametrize("values", POINTS)
def test_the_stated_excess_is_what_attention_measures(values: tuple) -> None:
    """Softmax, mean score and softplus of torch against the formula of the statement."""
    names = (loss.gap, loss.g1, loss.g2, loss.a1, loss.a2)
    point = {name: Rational(value) for name, value in zip(names, values, strict=True)}
    (seen,) = loss.observed([point], "cpu")
    assert set(seen) == {loss.three_tokens(), loss.two_sequences()}
    for formula, measured in seen.items():
        exact = float(N(formula.xreplace(point), 40))
        assert measured == pytest.approx(exact, abs=1e-14)


def test_opposed_margins_are_measured_too() -> None:
    point = {loss.gap: Rational(2), loss.g1: Rational(1), loss.y: Rational(3, 2)}
    (seen,) = loss.observed([point], "cpu")
    assert loss.three_tokens(loss.y, -loss.y) in seen
    assert loss.two_sequences((loss.y, -loss.y), (loss.g1, loss.g1)) in seen
