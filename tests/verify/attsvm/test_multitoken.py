"""The two sides of the claims about several selected tokens and K Q^T agree; mutants fail."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sympy import Rational

from lemmata.numeric.attsvm.multitoken import (
    MultiTokenProblem,
    decompose,
    sparsemax,
    train_multitoken,
)
from lemmata.symbolic.attsvm import multitoken as theory
from lemmata.symbolic.statements import Every
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import factorised, multitoken, multitoken_runs
from lemmata.verify.kernel import check

CLAIMS = (
    multitoken.MULTI_TOKEN,
    multitoken.TWO_COMPONENTS,
    multitoken.THREE_COMPONENTS,
    factorised.NUCLEAR_NORM,
)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]
QUICK = Settings(device="cpu")


def evidence(claim, statement):
    found = claim.experiment(statement, QUICK)
    return found + (claim.certificate(statement, QUICK) if claim.certificate else ())


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict(claim):
    verdict = check(claim.id, claim.statement, evidence(claim, claim.statement))
    assert verdict.outcome == claim.expected, verdict.detail
    assert len(claim.mutants) >= 3


@pytest.mark.parametrize(
    ("claim", "mutant"), MUTANTS, ids=[f"{claim.id}:{mutant.name}" for claim, mutant in MUTANTS]
)
def test_what_a_mutant_changes_is_refuted(claim, mutant):
    """By the part that it changes, whatever the others say."""
    found = evidence(claim, mutant.statement)
    changed = [
        index
        for index, part in enumerate(mutant.statement.parts)
        if part not in claim.statement.parts
    ]
    outcomes = []
    for index in changed:
        own = tuple(item.evidence for item in found if item.index == index)
        outcomes.append(check(claim.id, mutant.statement.parts[index], own).outcome)
    assert changed
    if mutant.name != "without-residual":  # a limit, whose path the search finds
        assert "refuted" in outcomes
    assert "conflict" not in outcomes


@pytest.mark.parametrize("number", [multitoken_runs.ONE, multitoken_runs.PAIR])
def test_both_sides_find_the_same_parts(number):
    """W^fin and W^mm from floats and least distances, and exactly from the Gram matrix."""
    given = multitoken_runs.SELECTIONS[number]
    exact = theory.limit_components(given.tokens, given.queries, given.scores, multitoken_runs.HALF)
    x, z, g = (np.array(part, dtype=float) for part in (given.tokens, given.queries, given.scores))
    found = decompose(MultiTokenProblem(x, z, np.einsum("ntd,nt->nd", x, g), 0.5))
    for one, two in (
        (found.finite, exact.finite),
        (found.max_margin, exact.max_margin),
        (found.multipliers, exact.multipliers),
    ):
        assert np.allclose(one, np.array(two, dtype=float).reshape(one.shape), atol=1e-14)


@pytest.mark.parametrize("scores", [multitoken_runs.FIRST, multitoken_runs.SECOND])
def test_both_sides_find_the_same_map(scores):
    exact = theory.optimal_map(scores, multitoken_runs.HALF).attention
    assert sparsemax([Fraction(int(g.p), int(g.q)) for g in scores]) == tuple(
        Fraction(int(s.p), int(s.q)) for s in exact
    )


def test_stated_values_are_those_of_the_closed_forms():
    given = multitoken_runs.SELECTIONS[multitoken_runs.ONE]
    parts = theory.limit_components(given.tokens, given.queries, given.scores, multitoken_runs.HALF)
    rate = theory.span_rate(given.scores[0], multitoken_runs.HALF, 4)
    multi, three = (
        multitoken.MULTI_TOKEN.statement.parts,
        multitoken.THREE_COMPONENTS.statement.parts,
    )
    rows = given.tokens[0]
    ratio = parts.margin([a - b for a, b in zip(rows[2], rows[3], strict=True)], given.queries[0])
    pairs = (
        (multi[5].value, rate[0] - rate[1]),
        (multi[6].value, parts.offset),
        (three[2].value, ratio),
        (three[3].value, parts.residual_norm_squared),
    )
    for stated, derived in pairs:
        assert float((stated - derived).evalf(30)) == pytest.approx(0, abs=1e-25)


@pytest.mark.parametrize(
    ("number", "power"), [(multitoken_runs.ONE, 0.5), (multitoken_runs.PAIR, 0.4)]
)
def test_the_budget_of_the_residual_has_the_rate_of_the_linearised_flow(number, power):
    given = multitoken_runs.SELECTIONS[number]
    x, z, g = (np.array(part, dtype=float) for part in (given.tokens, given.queries, given.scores))
    problem = MultiTokenProblem(x, z, np.einsum("ntd,nt->nd", x, g), 0.5)
    least = relaxation(problem, decompose(problem))
    assert power - 1e-12 <= least < power + 0.05


def relaxation(problem, parts):
    """The least eigenvalue of the Gram matrix of the atoms of W^mm times diag(lambda)."""
    rows = []
    for i, best in enumerate(problem.optimal_map):
        first = int(best.argmax())
        for t in np.flatnonzero(best == 0):
            difference = problem.tokens[i, first] - problem.tokens[i, t]
            atom = np.outer(difference, problem.queries[i]).ravel()
            rows.append(atom - parts.basis @ (parts.basis.T @ atom))
    gram = np.array(rows) @ np.array(rows).T
    return np.linalg.eigvals(gram * parts.multipliers).real.min()


ROTATED, PLAIN = multitoken_runs.ROTATED, multitoken_runs.PLAIN
OTHERS = (
    ((ROTATED,), ((1, -2, 0, 1),), ((1, Rational(3, 4), 0, -1),), Rational(3, 8), "logistic"),
    ((PLAIN,), ((1, 1, 0, 0),), ((2, 0, -1, Rational(1, 2)),), Rational(1, 2), "linear"),
    (
        (PLAIN, ROTATED),
        ((2, 1, 0, 0), (1, -3, 0, 0)),
        (multitoken_runs.SECOND, multitoken_runs.FIRST),
        Rational(2, 5),
        "logistic",
    ),
)


@pytest.mark.parametrize(("rows", "queries", "scores", "mu", "loss"), OTHERS)
def test_other_data_and_the_logistic_loss_have_the_predicted_limit(rows, queries, scores, mu, loss):
    """C_0 and W^res, approached as fast as the slowest mode of the linearised flow, or faster while
    other modes still dominate."""
    exact = theory.limit_components(rows, queries, scores, mu, loss)
    x, z, g = (np.array(part, dtype=float) for part in (rows, queries, scores))
    problem = MultiTokenProblem(x, z, np.einsum("ntd,nt->nd", x, g), float(mu))
    run = train_multitoken(
        [problem], steps=8192, step_size=0.5, loss=loss, record=[2048, 8192], device="cpu"
    )
    parts = decompose(problem)
    early, late = (parts.split(weights[0]) for weights in run.weights)
    residual = np.array(exact.residual.evalf(), dtype=float)
    far, near = (np.linalg.norm(split.remainder - residual) for split in (early, late))
    least = relaxation(problem, parts)
    assert late.coefficient - np.log(0.5 * 8192) == pytest.approx(float(exact.offset), abs=0.02)
    assert near < np.linalg.norm(residual) / 5
    assert np.log(far / near) / np.log(4) > least - 0.02


def test_statements_are_conjunctions_of_what_is_recorded():
    for claim in CLAIMS:
        assert isinstance(claim.statement, Every)
        indices = {item.index for item in evidence(claim, claim.statement)}
        assert indices == set(range(len(claim.statement.parts)))
