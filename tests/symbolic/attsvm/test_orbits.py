"""The maps of gradient descent on LOC and EQ(m), and the derivations about their orbits."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from sympy import E, Expr, Integer, N, Rational, diff, exp, log, symbols

from lemmata.symbolic.attsvm import (
    derive_capture,
    derive_equal_capture,
    derive_equal_escape,
    derive_escape,
    equal_step,
    loc_step,
)
from lemmata.symbolic.attsvm.orbits_window import WINDOWS
from lemmata.symbolic.attsvm.regions import iterates
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import Orbit, Relation
from lemmata.verify.kernel import check
from lemmata.verify.kernel.orbits import iterates as balls

w1, w2, k, eta = symbols("w1 w2 k eta")
ZERO, HALF = Integer(0), Rational(1, 2)
LOC = (((-3, 1), (1, 0), (0, 0)), (1, HALF, 0))
FIRST, LAST = (((1, 0), (0, 0)), (1, 0)), (((-2, 1), (0, 0)), (1, 0))


def loss(*sequences: tuple) -> Expr:
    """The mean logistic loss, from the tokens and scores alone; the query is (1, 0)."""
    total = ZERO
    for tokens, scores in sequences:
        powers = [exp(x * w1 + y * w2) for x, y in tokens]
        output = sum(p * g for p, g in zip(powers, scores, strict=True)) / sum(powers)
        total += log(1 + exp(-output))
    return total / len(sequences)


def points(count: int) -> list[dict]:
    random = Random(0)
    return [{w: Rational(random.randint(-300, 300), 100) for w in (w1, w2)} for _ in range(count)]


@pytest.mark.parametrize("copies", [None, 1, 3, 4])
def test_the_map_is_a_step_against_the_gradient(copies: int | None) -> None:
    step = dict(loc_step() if copies is None else equal_step(copies, eta))
    stated = loss(LOC) if copies is None else loss(*[FIRST] * copies, LAST)
    for point in points(5):
        for w in (w1, w2):
            values = {**point, eta: Rational(7, 3)}
            expected = (w - eta * diff(stated, w)).xreplace(values)
            assert abs(N(step[w].xreplace(values) - expected, 40)) < 1e-30


def test_a_counter_of_steps_is_added() -> None:
    assert loc_step(HALF, counted=True) == (*loc_step(HALF), (k, k + 1))
    assert equal_step(2, HALF, counted=True) == (*equal_step(2, HALF), (k, k + 1))


def orbit(step: tuple, holds: Relation, start: tuple = (0, 0), eventually: bool = False) -> Orbit:
    begin = zip((w1, w2, k), (*map(Integer, start), ZERO), strict=True)
    return Orbit(step, tuple(begin)[: len(step)], holds, eventually)


def escape(start: tuple = (1, 0), rate: Expr = HALF) -> tuple[Orbit, Derivation]:
    goal = orbit(loc_step(rate), Relation(w2 - 3 * w1, "<=", ZERO), start)
    return goal, derive_escape(goal, rate)


def growth(rate: Expr = HALF) -> tuple[Orbit, Derivation]:
    goal = orbit(loc_step(rate, True), Relation(exp(w1), ">=", E + rate * k / 25), (1, 0))
    return goal, derive_escape(goal, rate)


def captured(start: tuple = (0, 0), rate: Expr = HALF) -> tuple[Orbit, Derivation]:
    goal = orbit(loc_step(rate), Relation(w2 - 3 * w1, ">=", ZERO), start)
    return goal, derive_capture(goal, rate)


def lost(copies: int = 4, rate: Expr = Integer(4)) -> tuple[Orbit, Derivation]:
    goal = orbit(equal_step(copies, rate), Relation(w2 - 2 * w1, "<=", ZERO), eventually=True)
    return goal, derive_equal_escape(goal, copies, rate)


def won(copies: int = 3, rate: Expr = Integer(4)) -> tuple[Orbit, Derivation]:
    goal = orbit(equal_step(copies, rate), Relation(w2 - 2 * w1, ">", ZERO), eventually=True)
    return goal, derive_equal_capture(goal, copies, rate)


DERIVED = (
    *((escape, start) for start in ((1, 0), (1, -9), (4, 9))),
    *((escape, (1, 0), rate) for rate in (Rational(1, 100), Integer(50))),
    *((captured, start) for start in ((0, 0), (-2, -6), (-5, 20))),
    *((growth,), (growth, Integer(10))),
    *((lost,), (lost, 9), (lost, 4, Rational(7, 2))),
    *((won, copies) for copies in WINDOWS),
)


@pytest.mark.parametrize(
    "case", DERIVED, ids=lambda case: " ".join((case[0].__name__, *map(str, case[1:])))
)
def test_derivations_are_accepted(case: tuple) -> None:
    make, *args = case
    goal, derivation = make(*args)
    verdict = check("orbit", goal, (derivation,))
    assert verdict.outcome == "proved", verdict.detail


@pytest.mark.parametrize("start", [(0, 0), (1, 1), (2, 4)])
def test_escape_is_rejected_outside_of_its_wedge(start: tuple) -> None:
    goal, derivation = escape(start)
    verdict = check("orbit", goal, (derivation,))
    assert verdict.outcome == "inconclusive"
    assert "at the start" in verdict.detail


@pytest.mark.parametrize("start", [(1, 3), (0, -1)])
def test_capture_is_rejected_outside_of_its_wedge(start: tuple) -> None:
    goal, derivation = captured(start)
    assert check("orbit", goal, (derivation,)).outcome == "inconclusive"


def test_a_derivation_serves_no_other_map() -> None:
    _, derivation = escape()
    for step in (loc_step(Integer(1)), equal_step(4, HALF)):
        goal = orbit(step, Relation(w2 - 3 * w1, "<=", ZERO), (1, 0))
        lines = (*derivation.lines[:-1], replace(derivation.lines[-1], statement=goal))
        assert check("orbit", goal, (Derivation(lines),)).outcome == "inconclusive"


@pytest.mark.parametrize("make", [escape, growth, captured, lost, won])
def test_lines_are_needed(make) -> None:
    """A rule that does not apply is noticed where it stands."""
    goal, derivation = make()
    for number in range(0, len(derivation.lines), 9):
        line = derivation.lines[number]
        broken = Line(line.statement, "limit", line.using, line.args)
        lines = (*derivation.lines[:number], broken, *derivation.lines[number + 1 :])
        verdict = check("orbit", goal, (Derivation(lines),))
        assert verdict.outcome == "inconclusive"
        assert f"line {number + 1}" in verdict.detail


def test_an_earlier_iterate_is_not_in_the_region() -> None:
    goal, derivation = won()
    last = derivation.lines[-1]
    early = replace(last, args=(("after", dict(last.args)["after"] // 2),))
    verdict = check("orbit", goal, (Derivation((*derivation.lines[:-1], early)),))
    assert verdict.outcome == "inconclusive"
    assert "is not in the region" in verdict.detail


@pytest.mark.parametrize("copies", WINDOWS)
def test_windows_leave_room(copies: int) -> None:
    """Bounds of f/g that let r be driven inwards at both ends while w1 grows."""
    window = WINDOWS[copies]
    lower, upper = window.ratios
    assert 7 * window.low * upper < 3 * copies < 7 * window.high * lower
    assert 2 * window.high * upper < copies
    assert window.low > 1 or window.high < 1


def test_floats_follow_the_balls() -> None:
    goal, _ = won()
    for here, exact in zip(islice(iterates(goal, {}), 61), balls(goal, 60, {}), strict=True):
        for value, ball in zip(here, exact.values(), strict=True):
            assert value == pytest.approx(float(ball.mid()), abs=1e-12)


def test_an_orbit_without_an_argument_is_named() -> None:
    other = Relation(w2, "<=", Integer(7))
    with pytest.raises(ValueError, match=r"goal: expected an orbit with one of .* got w2 <= 7"):
        derive_escape(orbit(loc_step(HALF), other), HALF)
    with pytest.raises(ValueError, match="copies: expected 1, 2 or 3"):
        won(4)
    with pytest.raises(ValueError, match="goal: expected an orbit that enters the region"):
        lost(3)
