"""The two sides of the path theorem agree where they speak of the same thing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import torch
from sympy import Integer

from lemmata.numeric.attsvm import Problem, solve
from lemmata.numeric.attsvm.paths import regularization_path
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import path as claims
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Part, Trajectory


@pytest.fixture(scope="module")
def runs() -> tuple[Part, ...]:
    return claims.explore_runs(claims.PATH_RUN.statement, Settings())


@pytest.mark.parametrize("mutant", claims.PATH.mutants[:-1], ids=lambda mutant: mutant.name)
def test_worst_pairs_refute_the_mutants(mutant) -> None:
    found = claims.explore_pairs(mutant.statement, Settings())
    assert check(mutant.name, mutant.statement, found).outcome == "refuted"


def test_worst_pairs_do_not_refute_the_theorem() -> None:
    assert claims.explore_pairs(claims.PATH.statement, Settings()) == ()


def test_the_theorem_is_what_was_derived() -> None:
    derived = claims.PATH.derivation()
    assert derived.lines[-1].statement == claims.PATH.statement


def test_paths_stay_within_the_bound(runs: tuple[Part, ...]) -> None:
    verdict = check("run", claims.PATH_RUN.statement, runs)
    assert verdict.outcome == "confirmed"
    assert len(verdict.findings) == len(claims.INSTANCES)


def test_other_facts_about_an_instance_are_rejected(runs: tuple[Part, ...]) -> None:
    """The bound rests on the norm that the exact solver finds, not on the one that is stated."""
    stated = claims.run(0, Integer(9), (1, 1000))
    assert check("run", stated, (runs[0].evidence,)).outcome == "inconclusive"


def _problem(instance: claims.Instance) -> Problem:
    labels = [1] * len(instance.tokens)
    return Problem.from_scores(instance.tokens, instance.queries, instance.decoder, labels)


def _log_excess(problem: Problem, weights: torch.Tensor) -> float:
    """log of sum_i [l(f_i) - l(g_opt)] from the definition, in float64."""
    tokens = torch.tensor(problem.tokens_float)
    logits = torch.einsum("ntd,de,ne->nt", tokens, weights, torch.tensor(problem.queries_float))
    scores = torch.tensor(problem.scores_float)
    best = scores.max(-1).values
    short = (torch.softmax(logits, -1) * (best[:, None] - scores)).sum(-1)
    excess = torch.log1p(torch.sigmoid(-best) * torch.expm1(short))
    return float(excess.sum().log())


@pytest.mark.parametrize("number", range(len(claims.INSTANCES)))
def test_the_minimisers_meet_the_hypotheses(number: int) -> None:
    """They are in the ball and no worse than the scaled max-margin solution."""
    instance = claims.INSTANCES[number]
    problem = _problem(instance)
    best = torch.tensor(solve(problem).matrix)
    run = regularization_path(problem, instance.radii[:2], starts=1)
    for radius, weights in zip(instance.radii, run.matrices, strict=False):
        scaled = best * (radius / torch.linalg.norm(best))
        assert float(torch.linalg.norm(weights)) <= radius * (1 + 1e-12)
        assert _log_excess(problem, weights) <= _log_excess(problem, scaled) + 1e-9


def test_the_rounding_covers_a_coarser_tolerance(runs: tuple[Part, ...]) -> None:
    for instance, part in zip(claims.INSTANCES[:2], runs, strict=False):
        problem = _problem(instance)
        coarser = regularization_path(
            problem,
            instance.radii[:1],
            starts=1,
            tolerance=1e-7,
            reference=solve(problem).matrix,
        )
        assert isinstance(part.evidence, Trajectory)
        assert coarser.misalignment is not None
        fine = part.evidence.values[0][1]
        assert abs(Fraction(float(coarser.misalignment[0])) - fine) < claims.ROUNDING


def test_a_value_outside_the_budget_refutes(runs: tuple[Part, ...]) -> None:
    evidence = runs[0].evidence
    assert isinstance(evidence, Trajectory)
    forged = replace(evidence, values=(*evidence.values[:-1], (256, Fraction(1, 2))))
    assert check("run", claims.PATH_RUN.statement.parts[0], (forged,)).outcome == "refuted"
