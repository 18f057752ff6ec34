"""Both sides of the laws and rates of training: runs against exact constants, mutants refuted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sympy import N

from lemmata.numeric import attsvm as experiment
from lemmata.symbolic.attsvm import SupportInstance
from lemmata.symbolic.statements import Trend
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import laws, rates, runs
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Part, Trajectory
from lemmata.verify.witness import search

CLAIMS = (
    rates.GD_SELECTED,
    rates.FAST_RATES,
    rates.GD_RATE,
    laws.RESIDUAL_LAW,
    laws.SPARSITY_LAW,
)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


def evidence(claim, statement):
    producers = (claim.certificate, claim.experiment)
    return tuple(item for f in producers if f is not None for item in f(statement, Settings()))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict_is_the_expected_one(claim) -> None:
    verdict = check(claim.id, claim.statement, evidence(claim, claim.statement))
    assert verdict.outcome == claim.expected == "confirmed", verdict.detail
    assert len(claim.mutants) >= 3


@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda item: getattr(item, "name", ""))
def test_mutants_are_refuted(claim, mutant) -> None:
    found = (*evidence(claim, mutant.statement), *search(mutant.statement))
    assert check(mutant.name, mutant.statement, found).outcome == "refuted"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_trend_is_recorded(claim) -> None:
    trends = {k for k, part in enumerate(claim.statement.parts) if isinstance(part, Trend)}
    found = claim.experiment(claim.statement, Settings())
    assert {item.index for item in found} == trends


@pytest.mark.parametrize("claim", [laws.RESIDUAL_LAW, laws.SPARSITY_LAW], ids=lambda c: c.id)
def test_sharp_constants_agree_to_a_percent(claim) -> None:
    """At the last index; the budget there is no larger. |W| has its own, slower approach."""
    for item in claim.experiment(claim.statement, Settings()):
        trend = claim.statement.parts[item.index]
        if trend.observable == "norm-growth":
            continue
        index, value = item.evidence.values[-1]
        assert abs(float(value) / float(N(trend.value, 20)) - 1) < 0.01
        assert N(trend.budget.subs(trend.index, index) / trend.value, 20) <= 0.01


def test_the_rate_constant_is_that_of_the_numeric_solution() -> None:
    """|W^mm|^2 and the multipliers, by two ways that share no code."""
    for given in runs.INSTANCES:
        problem = experiment.Problem(given.tokens, given.queries, given.optimal, given.scores)
        solution = experiment.solve(problem)
        assert len(solution.support) == problem.m
        exact = [Fraction(int(value.p), int(value.q)) for value in given.multipliers]
        assert tuple(exact) == tuple(solution.certificate.multipliers)
        assert solution.norm_squared == sum(exact)


def test_a_small_eigenvalue_makes_the_sparsity_law_late() -> None:
    """The claim says so: 11.5 % off after 10000 steps where q = 0.196."""
    given = SupportInstance(
        tokens=(((1, 1), (-1, 2)), ((2, -1), (1, -1))),
        queries=((2, 2), (-1, 2)),
        scores=((3, 2), (1, -1)),
    )
    gram = np.array(given.gram.tolist(), dtype=float)
    modes = np.linalg.eigvals(gram * np.array(given.multipliers, dtype=float)).real
    assert modes.min() == pytest.approx(0.196, abs=5e-4)
    problem = experiment.Problem(given.tokens, given.queries, given.optimal, given.scores)
    run = experiment.train(problem, steps=10_000, step_size=1.0, record=(10_000,), device="cpu")
    found = 10_000 * float(run.log_unattended[-1, 0].exp())
    limit = float(N(sum(given.unattended(0)), 20))
    assert found / limit - 1 == pytest.approx(0.115, abs=1e-3)


def test_some_runs_select_other_tokens_than_the_optimal_ones() -> None:
    """Otherwise the claim about selected tokens would say no more than the refuted one."""
    run, problems = runs._selected("cpu")
    others = sum(
        run.selected[-1, number].tolist() != problem.optimal.tolist()
        for number, problem in enumerate(problems)
    )
    assert others == 5


def test_a_changed_record_is_noticed() -> None:
    claim = laws.RESIDUAL_LAW
    found = list(evidence(claim, claim.statement))
    item = found[-1]
    (index, value), *rest = reversed(item.evidence.values)
    values = (*reversed(rest), (index, value * Fraction(102, 100)))
    parameters = item.evidence.parameters
    found[-1] = Part(item.index, Trajectory("residual", parameters, Fraction(0), values))
    assert check(claim.id, claim.statement, tuple(found)).outcome == "refuted"


def test_the_full_profile_goes_further() -> None:
    trend = next(part for part in rates.GD_RATE.statement.parts if isinstance(part, Trend))
    at = {name: int(value) for name, value in trend.parameters}
    values = runs.gap_exponent(at, Settings(profile="full"))
    assert [index for index, _ in values] == [32, 64, 128, 256, 512]
    assert float(values[-1][1]) == pytest.approx(2, abs=4 / 512)
