"""The path theorem: closed forms, and a derivation that the kernel accepts only as it stands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import pytest
from sympy import IndexedBase, Integer, Rational, Sum, log, symbols

from lemmata.symbolic import attsvm
from lemmata.symbolic.attsvm.sums import Sums, total
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.statements import REALS, Every, Relation, integers
from lemmata.verify.kernel import check
from lemmata.verify.kernel.rules import RULES
from lemmata.verify.kernel.terms import Rejected

i, t, m = symbols("i t m")
x = IndexedBase("x")


@pytest.fixture(scope="module")
def derivation() -> Derivation:
    return attsvm.derive_path()


def test_path_bound_in_numbers() -> None:
    constant = attsvm.path_constant(2, 1, (Rational(1, 2), Integer(1)), (Integer(1), Integer(1000)))
    assert constant == log(8000)
    assert attsvm.path_bound(Integer(3), Integer(10), constant) == 3 * log(8000) / 10


@pytest.mark.parametrize("scores", [(-2, 3), (0, 0), (1, 4)])
@pytest.mark.parametrize("widest", [1, 7])
def test_logistic_slopes_hold_on_the_whole_range(scores: tuple[int, int], widest: int) -> None:
    low, high = (
        float(bound)
        for bound in attsvm.logistic_slopes(
            (Integer(scores[0]), Integer(scores[1])), Integer(widest)
        )
    )
    for k in range(101):
        for best in scores:
            slope = 1 / (1 + math.exp(best - widest * k / 100))
            assert low * (1 - 1e-15) <= slope <= high * (1 + 1e-15)


def test_the_kernel_accepts_the_derivation(derivation: Derivation) -> None:
    verdict = check("path", derivation.lines[-1].statement, (derivation,))
    assert verdict.outcome == "proved"
    assert verdict.facts == ("mean value theorem",)


@pytest.mark.parametrize("part", [0, 3, 4])
def test_the_conclusion_needs_its_hypotheses(derivation: Derivation, part: int) -> None:
    """The last step is rejected when one of them is left out of the theorem."""
    whole = cast(Every, derivation.lines[-1].statement)
    theorem = cast(Relation, whole.parts[part])
    line = next(line for line in derivation.lines if line.statement == theorem)
    premises = tuple(derivation.lines[k - 1].statement for k in line.using)
    rule = RULES[line.rule]
    rule(theorem, premises, dict(line.args))
    for hypothesis in theorem.given:
        given = tuple(other for other in theorem.given if other != hypothesis)
        with pytest.raises(Rejected, match="a premise assumes"):
            rule(replace(theorem, given=given), premises, dict(line.args))


def test_sums_add_up_term_by_term() -> None:
    proof = Sums((m, integers(1)), (x, integers(1)))
    one = proof.relate(x[t], ">=", 1, "sign", over=(*proof.over, (t, integers(1))))
    proof.summed(one, lambda count: total(lambda k: x[k], count, i), lambda count: count, m)
    derived = proof.done()
    assert derived.lines[-1].statement == Relation(Sum(x[i], (i, 1, m)), ">=", m, proof.over)
    assert check("sum", derived.lines[-1].statement, (derived,)).outcome == "proved"


@pytest.mark.parametrize(("domain", "outcome"), [(integers(0), "proved"), (REALS, "inconclusive")])
def test_a_term_is_at_most_the_sum_of_terms_that_are_not_negative(domain, outcome: str) -> None:
    proof = Sums((m, integers(1)), (x, domain))
    one = proof.relate(x[t], ">=", 0, "sign", over=(*proof.over, (t, integers(1))))
    proof.one_of(one, lambda k: x[k], i, m)
    derived = proof.done()
    assert check("term", derived.lines[-1].statement, (derived,)).outcome == outcome


def test_a_wrong_sum_is_rejected() -> None:
    proof = Sums((m, integers(1)), (x, integers(1)))
    one = proof.relate(x[t], ">=", 1, "sign", over=(*proof.over, (t, integers(1))))
    proof.summed(one, lambda count: total(lambda k: x[k], count, i), lambda count: 2 * count, m)
    derived = proof.done()
    assert check("sum", derived.lines[-1].statement, (derived,)).outcome == "inconclusive"
