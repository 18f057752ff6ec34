"""The degree experiment as claims: what the trends say, verdicts, mutants and forged records."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, product

import pytest
from sympy import Integer

from lemmata.numeric.separation import FULL, QUICK
from lemmata.symbolic.statements import Trend
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import training
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Part, Trajectory
from lemmata.verify.worker import judge

CLAIMS = training.CLAIMS
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]
NAMES = [f"{claim.id}:{mutant.name}" for claim, mutant in MUTANTS]
PAIRS = [(a, b) for a, b in product(training.DEGREES, repeat=2) if a != b]


def evidence(claim, statement, seed: int = 0):
    return claim.experiment(statement, Settings(seed=seed, device="cpu"))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict_is_the_expected_one_as_recorded(claim) -> None:
    verdict = judge(claim.id, claim.statement, evidence(claim, claim.statement))
    assert verdict.outcome == claim.expected, verdict.detail
    assert len(claim.mutants) >= 3
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=NAMES)
def test_mutants_are_refuted(claim, mutant, seed: int) -> None:
    found = evidence(claim, mutant.statement, seed)
    assert check(mutant.name, mutant.statement, found).outcome == "refuted"


def test_the_quick_profile_records_the_small_networks_only() -> None:
    found = {item.index for item in evidence(training.TRAINING, training.TRAINING.statement)}
    small = {
        index
        for index, part in enumerate(training.TRAINING.statement.parts)
        if dict(part.parameters)["bits"] == QUICK.bits
    }
    assert found == small
    assert 2 * len(small) == len(training.TRAINING.statement.parts)


def test_sizes_and_seeds_are_those_of_the_protocol() -> None:
    for size, protocol in ((training.SMALL, QUICK), (training.LARGE, FULL)):
        assert size == (protocol.bits, protocol.width, protocol.steps)
        assert len(protocol.evaluation_seeds) == training.SEEDS
        assert protocol.degrees == training.DEGREES
        assert protocol.decisive == training.DECISIVE


def test_wins_are_those_of_the_experiment() -> None:
    found = training.trained(training.SMALL, "cpu")
    counts = {pair: sum(training.seeds_won(training.SMALL, *pair, "cpu")) for pair in PAIRS}
    for rival in (2, 4, 6):
        assert counts[3, rival] == found.wins(rival)
        assert counts[rival, 3] == found.losses(rival)
    assert all(counts[a, b] + counts[b, a] <= training.SEEDS for a, b in PAIRS)
    assert found.outcome == "inconclusive"


@pytest.mark.parametrize("least", [1, 6, 9, 10])
def test_the_trend_says_at_least_so_many_wins(least: int) -> None:
    """By the kernel, for each number of wins, the wins first and the wins last."""
    stated = training.trend(training.NOT_WON, training.SMALL, (3, 2), training.SEEDS - least)
    for wins in range(11):
        for order in ([True] * wins + [False] * (10 - wins), [False] * (10 - wins) + [True] * wins):
            outcome = check("wins", stated, (trajectory(stated, order, False),)).outcome
            assert outcome == ("confirmed" if wins >= least else "refuted")


def test_the_trend_says_at_most_so_many_wins() -> None:
    stated = training.trend(training.WON, training.SMALL, (3, 2), 8)
    for wins in range(11):
        for order in ([True] * wins + [False] * (10 - wins), [False] * (10 - wins) + [True] * wins):
            outcome = check("wins", stated, (trajectory(stated, order, True),)).outcome
            assert outcome == ("confirmed" if wins <= 8 else "refuted")


def trajectory(stated: Trend, won: list[bool], counted: bool) -> Trajectory:
    counts = accumulate(one is counted for one in won)
    values = tuple((seen, Fraction(count, seen)) for seen, count in enumerate(counts, 1))
    return Trajectory(stated.observable, stated.parameters, Fraction(0), values)


def test_forged_records_decide_nothing() -> None:
    """Runs of another pair or another size, and records too short to show a shrinking budget."""
    claim = training.OUTCOME
    items = evidence(claim, claim.statement)
    first, second, *_ = items
    others = tuple((k, v + Integer(1) if k == "width" else v) for k, v in first.evidence.parameters)
    for forged in (
        replace(first, evidence=second.evidence),
        replace(first, evidence=replace(first.evidence, parameters=others)),
        replace(first, evidence=replace(first.evidence, values=first.evidence.values[:2])),
        replace(first, evidence=replace(first.evidence, observable=training.NOT_WON)),
        replace(first, evidence=replace(first.evidence, rounding=Fraction(-1))),
    ):
        assert check(claim.id, claim.statement, (forged, *items[1:])).outcome == "inconclusive"
    assert check(claim.id, claim.statement, items[1:]).outcome == "inconclusive"


@pytest.mark.parametrize(("wins", "outcome"), [(8, "refuted"), (9, "inconclusive")])
def test_large_networks_alone_can_refute_but_not_confirm(wins: int, outcome: str) -> None:
    statement = training.TRAINING.statement
    won = [True] * wins + [False] * (training.SEEDS - wins)
    items = tuple(
        Part(index, trajectory(part, won, False))
        for index, part in enumerate(statement.parts)
        if dict(part.parameters)["bits"] == FULL.bits
    )
    assert len(items) == 3
    assert check("training", statement, items).outcome == outcome
