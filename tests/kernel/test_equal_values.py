"""Values that are equal without looking equal, and integrals near a branch cut."""

from __future__ import annotations

import pytest
from flint import arb, ctx
from sympy import Integer, Integral, Rational, Symbol, log, oo, sqrt

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import Limit, above
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample
from lemmata.verify.kernel.terms import enclose

x, k, t = Symbol("x"), Symbol("k"), Symbol("t")
TENDS = Limit((sqrt(2) - 1) * x / (x + 1), 1 / (1 + sqrt(2)), ((x, oo),), ((x, above(0)),))


def test_a_limit_is_recognised_in_another_form():
    assert check("limit", TENDS, (Derivation((Line(TENDS, "limit"),)),)).outcome == "proved"


def test_a_limit_in_another_form_is_not_refuted():
    path = Counterexample(((x, k),), k, Integer(1))
    assert check("limit", TENDS, (path,)).outcome == "inconclusive"


@pytest.mark.parametrize("low", [Rational(1, 100), Rational(1, 10), Integer(1)])
def test_logarithms_are_integrated_beside_their_cut(low):
    with ctx.workprec(128):
        found = enclose(Integral(log(t), (t, low, 4)), {})
        a, b = arb(int(low.p)) / int(low.q), arb(4)
        exact = b * b.log() - b - (a * a.log() - a)
    assert found.overlaps(exact)
    assert found.rad() < arb("1e-9")


def test_constants_inside_an_integral_are_no_obstacle():
    with ctx.workprec(128):
        found = enclose(Integral(2**t * log(2), (t, 0, 1)), {})
    assert found.contains(1)
    assert found.rad() < arb("1e-9")


@pytest.mark.parametrize("low", [Rational(1, 100), Integer(1)])
def test_roots_are_integrated_beside_their_cut(low):
    with ctx.workprec(128):
        found = enclose(Integral(sqrt(t), (t, low, 4)), {})
        a = arb(int(low.p)) / int(low.q)
        exact = (arb(8) - a * a.sqrt()) * 2 / 3
    assert found.overlaps(exact)
    assert found.rad() < arb("1e-9")
