"""Sequential tests and trajectories, recomputed from what was recorded."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Rational, Symbol, exp, log, symbols

from lemmata.symbolic.statements import REALS, Mean, Relation, Trend
from lemmata.verify.kernel.evidence import SampleBatch, SequentialTest, Trajectory
from lemmata.verify.kernel.experiments import ROUNDING, sequential, trajectory

g, k = symbols("g k")
PLACE = (("d", Integer(3)),)
STATED = Mean(g**2, ((g, "normal"),), Integer(1), "squares", PLACE, Integer(2), Rational(1, 2))
OTHER = Relation(Integer(0), "<", Integer(1))
SCALE = Fraction(1, 4)
DRIFT = SCALE**2 + ROUNDING  # a sample's share: scale^2 * variance / 2, and rounding
HIGH = Fraction(20)  # above log(2 / alpha) = 16.8...
LOW = Fraction(16)


def batches(*rows, size=512):
    """Batches that raise the log e-values against mean >= upper, against mean <= lower, and
    against mean <= value (or >=, where negative) by exactly these amounts."""
    return tuple(
        SampleBatch(
            number, size, (upper + size * DRIFT, lower + size * DRIFT, *opposite(value, size))
        )
        for number, (upper, lower, value) in enumerate(rows)
    )


def sums(*values):
    return (SampleBatch(0, 512, tuple(map(Fraction, values))),)


def opposite(value, size):
    """psi is odd, and so are the sums for and against the same value."""
    total = Fraction(value) and Fraction(value) + (1 if value > 0 else -1) * size * DRIFT
    return Fraction(total), -Fraction(total)


def test_of(*rows, **changes):
    sample = SequentialTest(
        "squares",
        PLACE,
        Fraction(1),
        Fraction(0),
        Fraction(1, 10**7),
        SCALE,
        1,
        512,
        batches(*rows),
    )
    return replace(sample, **changes)


test_of.__test__ = False  # a maker of evidence, not a test


@pytest.mark.parametrize(
    ("outcome", "evidence"),
    [
        ("confirmed", test_of((HIGH, HIGH, 0))),
        ("confirmed", test_of((LOW, LOW, 0), (1, 1, 0))),
        ("confirmed", test_of((HIGH, 0, 0), (-HIGH, HIGH, 0))),
        ("confirmed", test_of((0, HIGH, 0), (HIGH, -HIGH, 0))),
        ("confirmed", test_of((HIGH, HIGH, 0), (0, 0, 3 * HIGH))),
        ("refuted", test_of((0, 0, HIGH))),
        ("refuted", test_of((0, 0, -HIGH))),
        ("refuted", test_of((HIGH, HIGH, HIGH))),
        ("refuted", test_of((LOW, LOW, LOW), (0, 0, 1))),
        ("refuted", test_of((0, 0, HIGH), (HIGH, HIGH, -HIGH))),
        ("inconclusive", test_of()),
        ("inconclusive", test_of((HIGH, 0, 0))),
        ("inconclusive", test_of((0, HIGH, 0))),
        ("inconclusive", test_of((LOW, LOW, LOW))),
        ("inconclusive", test_of((HIGH, LOW, -LOW))),
        ("refuted", test_of((0, 0, Fraction(6)), alpha=Fraction(1, 100))),
        ("inconclusive", test_of((0, 0, Fraction(5)), alpha=Fraction(1, 100))),
        ("confirmed", test_of((HIGH, HIGH, 0), scale=SCALE + Fraction(1, 2**55))),
        ("confirmed", test_of((HIGH, HIGH, 0), scale=SCALE + Fraction(1, 2**52))),
        ("confirmed", test_of((HIGH, HIGH, 0), scale=SCALE - Fraction(1, 2**53))),
        ("confirmed", test_of((HIGH, HIGH, 0), tolerance=Fraction(1, 8))),
        ("confirmed", test_of((HIGH, HIGH, 0), value=Fraction(9, 8), tolerance=Fraction(1, 8))),
        ("confirmed", test_of((HIGH, HIGH, 0), value=Fraction(7, 8), tolerance=Fraction(1, 8))),
        ("confirmed", test_of((Fraction(32), Fraction(32), 0))),
        ("inconclusive", test_of(batches=sums(0, 0, 512 * ROUNDING, 512 * ROUNDING))),
    ],
)
def test_sequential(outcome, evidence):
    finding = sequential(STATED, evidence)
    assert (finding.outcome, finding.facts) == (outcome, ("Catoni", "Ville"))


def test_an_irrational_value_is_tested_near_by():
    stated = replace(STATED, value=log(3))
    near = test_of((HIGH, HIGH, 0), value=Fraction(11, 10), tolerance=Fraction(1, 100))
    assert sequential(stated, near).outcome == "confirmed"
    with pytest.raises(Exception, match="another value"):
        sequential(stated, replace(near, tolerance=Fraction(1, 1000)))


@pytest.mark.parametrize(
    ("why", "statement", "evidence"),
    [
        ("a mean only", OTHER, test_of()),
        ("another quantity", STATED, test_of(observable="cubes")),
        ("another quantity", STATED, test_of(parameters=(("d", Integer(4)),))),
        ("another quantity", STATED, test_of(parameters=())),
        ("another quantity", replace(STATED, observable=""), test_of(observable="")),
        ("fixed parameters", replace(STATED, over=((Symbol("n"), REALS),)), test_of()),
        ("alpha", STATED, test_of(alpha=Fraction(1, 99))),
        ("alpha", STATED, test_of(alpha=Fraction(0))),
        ("no variance bound", replace(STATED, variance=None), test_of()),
        ("no variance bound", replace(STATED, resolution=None), test_of()),
        ("must be positive", replace(STATED, variance=Integer(0)), test_of()),
        ("must be positive", replace(STATED, resolution=Integer(0)), test_of(scale=Fraction(0))),
        ("must be positive", replace(STATED, variance=Integer(-2), resolution=Rational(-1, 2)),
         test_of()),
        ("not rational", replace(STATED, variance=log(2)), test_of()),
        ("not rational", replace(STATED, resolution=log(2)), test_of()),
        ("scale", STATED, test_of(scale=SCALE * 2)),
        ("scale", STATED, test_of(scale=SCALE + Fraction(1, 2**51))),
        ("scale", STATED, test_of(scale=SCALE - Fraction(1, 2**51))),
        ("scale", replace(STATED, resolution=Integer(1)), test_of()),
        ("a batch is missing", STATED, test_of(batches=batches((0, 0, 0), (HIGH, HIGH, 0))[1:])),
        ("a batch is missing", STATED, test_of(batches=batches((0, 0, 0)) * 2)),
        ("a batch is missing", STATED, test_of(batches=batches((HIGH, HIGH, 0), size=1024))),
        ("a batch is missing", STATED,
             test_of(batches=batches((HIGH, HIGH, 0), size=0), batch_size=0)),
        ("another value was tested", STATED, test_of((HIGH, HIGH, 0), value=Fraction(2))),
        ("another value was tested", STATED,
         test_of((HIGH, HIGH, 0), value=Fraction(9, 8) + Fraction(1, 99),
              tolerance=Fraction(1, 8))),
        ("another value was tested", STATED, test_of((HIGH, HIGH, 0), tolerance=Fraction(1, 7))),
        ("contradict each other", STATED, test_of((Fraction(33), Fraction(32), 0))),
        ("contradict each other", STATED, test_of(batches=sums(0, 0, 40, 40))),
        ("contradict each other", STATED, test_of(batches=sums(0, 0, 1024 * ROUNDING, ROUNDING))),
        ("zip()", STATED, test_of(batches=tuple(
            replace(b, sums=(*b.sums, Fraction(0))) for b in batches((0, 0, 0))))),
    ],
)  # fmt: skip
def test_not_sequential(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        sequential(statement, evidence)


def test_each_sample_costs_its_drift():
    """Sums that just pass without the drift do not pass with it."""
    rows = (SampleBatch(0, 512, (Fraction(17), Fraction(17), Fraction(0), Fraction(0))),)
    assert sequential(STATED, test_of(batches=rows)).outcome == "inconclusive"
    assert "512 samples" in sequential(STATED, test_of((HIGH, HIGH, 0))).detail


TREND = Trend("residual", PLACE, log(2), 8 / k**2, k)
NEAR = Fraction(6931471805599453, 10**16)


def run(*values, **changes):
    return replace(Trajectory("residual", PLACE, Fraction(1, 10**9), values), **changes)


INSIDE = ((2, NEAR + 1), (4, NEAR - Fraction(1, 4)), (10, NEAR))


@pytest.mark.parametrize(
    ("outcome", "statement", "evidence"),
    [
        ("confirmed", TREND, run(*INSIDE)),
        ("confirmed", replace(TREND, value=Integer(0)), run((1, Fraction(8)), (2, Fraction(-2)),
                                                           (4, Fraction(0)), rounding=Fraction(0))),
        ("confirmed", replace(TREND, budget=exp(-k)), run((0, NEAR), (5, NEAR), (6, NEAR))),
        ("confirmed", replace(TREND, budget=4 - k), run((0, NEAR), (1, NEAR), (2, NEAR))),
        ("refuted", TREND, run(*INSIDE[:2], (10, NEAR + Fraction(1, 10)))),
        ("refuted", TREND, run(*INSIDE[:2], (10, NEAR - Fraction(1, 10)))),
        ("refuted", TREND, run((2, NEAR + 3), *INSIDE[1:])),
    ],
)  # fmt: skip
def test_trajectory(outcome, statement, evidence):
    assert trajectory(statement, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("why", "statement", "evidence"),
    [
        ("a trend only", OTHER, run(*INSIDE)),
        ("another quantity", TREND, run(*INSIDE, observable="loss")),
        ("another quantity", TREND, run(*INSIDE, parameters=())),
        ("three growing indices", TREND, run(*INSIDE[:2])),
        ("three growing indices", TREND, run(*INSIDE[::-1])),
        ("three growing indices", TREND, run(*INSIDE[:2], INSIDE[1])),
        ("rounding bound is negative", TREND, run(*INSIDE, rounding=Fraction(-1))),
        ("does not shrink", replace(TREND, budget=Integer(1)), run(*INSIDE)),
        ("does not shrink", replace(TREND, budget=1 + 1 / k), run(*INSIDE)),
        ("does not shrink", replace(TREND, budget=k), run(*INSIDE)),
        ("undecided at 2", TREND, run((2, NEAR + 2), *INSIDE[1:])),
        ("undecided at 4", TREND, run(INSIDE[0], (4, NEAR), INSIDE[2], rounding=Fraction(1))),
        ("defined", replace(TREND, budget=1 / k), run((0, NEAR), *INSIDE)),
        ("defined", replace(TREND, budget=Symbol("c") / k), run(*INSIDE)),
    ],
)
def test_not_trajectory(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        trajectory(statement, evidence)
