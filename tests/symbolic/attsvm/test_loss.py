"""The loss and its infimum: the derivation, line by line, and its sums in numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from sympy import Integer

from lemmata.symbolic import attsvm
from lemmata.symbolic.attsvm.loss import BEST, FREE, GAPS, MARGINS, m, n
from lemmata.symbolic.derivation import Derivation
from lemmata.verify.kernel import check


@pytest.fixture(scope="module")
def derivation() -> Derivation:
    return attsvm.derive_optimal_loss()


def test_derivation_is_accepted(derivation: Derivation) -> None:
    verdict = check("loss", derivation.lines[-1].statement, (derivation,))
    assert verdict.outcome == "proved", verdict.detail
    assert verdict.facts == ("mean value theorem",)


@pytest.mark.parametrize("share", range(10))
def test_lines_are_checked(derivation: Derivation, share: int) -> None:
    """One line of each tenth of the proof, by a rule that does not apply there."""
    number = share * len(derivation.lines) // 10
    lines = list(derivation.lines)
    lines[number] = replace(lines[number], rule="limit")
    verdict = check("loss", lines[-1].statement, (Derivation(tuple(lines)),))
    assert verdict.outcome == "inconclusive"
    assert f"line {number + 1}" in verdict.detail


def test_total_excess_in_numbers() -> None:
    """Two sequences of three tokens, against the loss of the mean score under softmax."""
    margins, gaps = ((0.5, 2.0), (-1.0, 3.0)), ((1.0, 0.5), (2.0, 1.5))
    best = (1.25, -0.5)
    point = {BEST[k + 1]: best[k] for k in range(2)}
    for k in range(2):
        for i in range(2):
            point[MARGINS[k + 1, i + 1]] = margins[k][i]
            point[GAPS[k + 1, i + 1]] = gaps[k][i]
    total = FREE.total.subs({n: Integer(2), m: Integer(2)}).doit().xreplace(point)
    assert float(total) == pytest.approx(
        sum(measured_excess(best[k], margins[k], gaps[k]) for k in range(2)), rel=1e-12
    )


def measured_excess(best: float, margins: tuple[float, ...], gaps: tuple[float, ...]) -> float:
    logits = (0.0, *(-margin for margin in margins))
    scores = (best, *(best - gap for gap in gaps))
    weights = [math.exp(logit) for logit in logits]
    score = sum(w * g for w, g in zip(weights, scores, strict=True)) / sum(weights)
    return math.log1p(math.exp(-score)) - math.log1p(math.exp(-best))
