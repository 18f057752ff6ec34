"""Experiments: sequential tests of a mean and trajectories, from their recorded numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy as sp
from flint import ctx
from sympy import Expr

from ...symbolic.statements import Mean, Relation, Statement, Trend
from .evidence import Finding, SequentialTest, Trajectory
from .rules import decide
from .terms import ball, expect, put, rationals, require

# A recorded sum of n influences is off by at most n times this (docs/statistics.md).
ROUNDING = Fraction(1, 2**40)


def sequential(statement: Statement, evidence: SequentialTest) -> Finding:
    """The four log e-values, batch by batch, from the recorded sums in exact arithmetic."""
    goal = expect(statement, Mean, "a sequential test is evidence for a mean only")
    require(not goal.over, "the test needs fixed parameters")
    sampled = (evidence.observable, evidence.parameters) == (goal.observable, goal.parameters)
    require(bool(goal.observable) and sampled, "the test samples another quantity")
    require(0 < evidence.alpha <= Fraction(1, 100), "alpha must lie in (0, 1/100]")
    bounds = (goal.variance, goal.resolution)
    reason = "the statement gives no variance bound or no resolution"
    variance, resolution = rationals(expect(bound, Expr, reason) for bound in bounds)
    require(variance > 0 and resolution > 0, "variance and resolution must be positive")
    off = abs(evidence.scale * variance - resolution)
    require(off <= resolution / 2**50, "the scale is not resolution/variance")
    tested, slack = sp.Rational(evidence.value), sp.Rational(evidence.tolerance)
    near = decide(Relation(sp.Abs(goal.value - tested), "<=", slack), {})
    require(near and 4 * evidence.tolerance <= resolution, "another value was tested")
    drift = evidence.scale**2 * variance / 2 + ROUNDING
    with ctx.workprec(256):
        threshold = ball(2 / evidence.alpha).log()
    sums, samples, passed = [Fraction(0)] * 4, 0, [False] * 4
    for number, batch in enumerate(evidence.batches):
        whole = batch.index == number and batch.count == evidence.batch_size > 0
        require(whole, "a batch is missing")
        # psi is odd and grows no faster than its argument, which ties opposite sums together.
        room = 2 * batch.count * ROUNDING
        most = 2 * batch.count * evidence.scale * resolution
        require(batch.sums[0] + batch.sums[1] <= most + room, "the sums contradict each other")
        require(batch.sums[2] + batch.sums[3] <= room, "the sums contradict each other")
        samples += batch.count
        sums = [s + a - batch.count * drift for s, a in zip(sums, batch.sums, strict=True)]
        passed = [before or ball(s) >= threshold for before, s in zip(passed, sums, strict=True)]
        if any(passed[2:]) or all(passed[:2]):
            break
    said = f"{samples} samples, log e-values {', '.join(str(round(s)) for s in sums)}"
    facts = ("Catoni", "Ville")
    error = f"error probability at most {evidence.alpha}"
    if any(passed[2:]):
        return Finding("SequentialTest", "refuted", f"the mean differs: {said}; {error}", facts)
    if all(passed[:2]):
        return Finding("SequentialTest", "confirmed", f"{said}; {error}", facts)
    return Finding("SequentialTest", "inconclusive", f"{said}; more samples would decide", facts)


def trajectory(statement: Statement, evidence: Trajectory) -> Finding:
    """Every recorded value lies within the stated budget, which at least halves on the way."""
    goal = expect(statement, Trend, "a trajectory is evidence for a trend only")
    recorded = (evidence.observable, evidence.parameters) == (goal.observable, goal.parameters)
    require(recorded, "another quantity was recorded")
    indices = [index for index, _ in evidence.values]
    require(len(indices) >= 3 and all(a < b for a, b in pairwise(indices)), "three growing indices")
    require(evidence.rounding >= 0, "the rounding bound is negative")
    budgets = [put(goal.budget, {goal.index: sp.Integer(k)}) for k in indices]
    require(decide(Relation(2 * budgets[-1], "<=", budgets[0]), {}), "the budget does not shrink")
    slack = sp.Rational(evidence.rounding)
    for (index, value), budget in zip(evidence.values, budgets, strict=True):
        off = sp.Rational(value) - goal.value
        if decide(Relation(sp.Abs(off), ">", budget + slack), {}):
            return Finding("Trajectory", "refuted", f"outside the budget at {index}")
        require(decide(Relation(sp.Abs(off) + slack, "<=", budget), {}), f"undecided at {index}")
    return Finding("Trajectory", "confirmed", f"{len(indices)} values within the budget")
