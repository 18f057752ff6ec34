"""The claims about softmax: what an experiment may and may not report."""

from __future__ import annotations

from sympy import Integer, Rational, exp

from lemmata.symbolic.statements import REALS, Every, Relation, interval
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import softmax
from lemmata.verify.claims.attsvm.points import probed, tried
from lemmata.verify.kernel.evidence import Counterexample, Instance, Part


def part(rhs, op="<=", **domains) -> Every:
    over = tuple(
        (name, domains.get(str(name), REALS)) for name in (softmax.l0, softmax.x1, softmax.x2)
    )
    return Every((Relation(softmax.SHARE_OF_THREE, op, rhs, over),))


def test_a_bound_that_holds_gives_an_instance() -> None:
    (item,) = probed(part(Integer(1)), Settings(device="cpu"), softmax.observed)
    assert isinstance(item, Part)
    assert isinstance(item.evidence, Instance)


def test_a_bound_that_fails_gives_a_counterexample() -> None:
    (item,) = probed(part(Rational(1, 2)), Settings(device="cpu"), softmax.observed)
    assert isinstance(item, Part)
    assert isinstance(item.evidence, Counterexample)


def test_chosen_points_refute_or_say_nothing() -> None:
    even, ahead = ({softmax.l0: Integer(lead), softmax.x1: Integer(0), softmax.x2: Integer(0)}
                   for lead in (0, 5))  # fmt: skip
    half = part(Rational(1, 2))
    assert tried(half, 0, (even,)) == ()
    (item,) = tried(half, 0, (even, ahead))
    assert item == Part(0, Counterexample(tuple(ahead.items())))


def test_points_respect_the_domain() -> None:
    """Below the bound exp(x1) <= exp(-3) the share of x1 stays small; outside it would not."""
    low = interval(-10, -3, "[]")
    statement = part(exp(softmax.l0) / exp(softmax.l0), x1=low, x2=low)
    (item,) = probed(statement, Settings(device="cpu"), softmax.observed)
    point = dict(item.evidence.point)
    assert all(-10 <= point[name] <= -3 for name in (softmax.x1, softmax.x2))
