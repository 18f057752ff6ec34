"""Softmax and its saturation: the derivations, line by line, and what they say in numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from sympy import Integer

from lemmata.symbolic import attsvm
from lemmata.symbolic.attsvm.softmax import OTHERS, PAIR, L, l0, m, share, x1, x2
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.statements import Limit
from lemmata.verify.kernel import check

DERIVATIONS = (attsvm.derive_identity, attsvm.derive_saturation)


@pytest.mark.parametrize("derive", DERIVATIONS)
def test_derivation_is_accepted(derive) -> None:
    derivation = derive()
    verdict = check("softmax", derivation.lines[-1].statement, (derivation,))
    assert verdict.outcome == "proved", verdict.detail
    assert verdict.facts == ()


@pytest.mark.parametrize("derive", DERIVATIONS)
def test_every_line_is_checked(derive) -> None:
    derivation = derive()
    for number, line in enumerate(derivation.lines):
        wrong = "isserlis" if isinstance(line.statement, Limit) else "limit"
        lines = list(derivation.lines)
        lines[number] = replace(line, rule=wrong)
        verdict = check("softmax", lines[-1].statement, (Derivation(tuple(lines)),))
        assert verdict.outcome == "inconclusive"
        assert f"line {number + 1}" in verdict.detail


def test_the_general_share_is_that_of_three_tokens() -> None:
    entries = {L[1]: x1, L[2]: x2}
    written_out = share(OTHERS).subs(m, Integer(2)).doit().xreplace(entries)
    assert written_out == share(PAIR)


@pytest.mark.parametrize("logits", [(0.0, 0.0, 0.0), (1.5, -2.0, 0.25), (-3.0, 4.0, 1.0)])
def test_share_in_numbers(logits: tuple[float, ...]) -> None:
    point = dict(zip((l0, x1, x2), logits, strict=True))
    expected = math.exp(logits[0]) / sum(map(math.exp, logits))
    assert float(share(PAIR).subs(point)) == pytest.approx(expected, rel=1e-12)
