"""Infeasible data: exact multipliers that cancel the rows, and an error that says where."""

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm import Infeasible, reference
from lemmata.numeric.attsvm.instances import OBSTACLES
from lemmata.numeric.errors import NumericError


def hopeless(seed):
    length = 3 if seed % 6 == 0 else 2 + seed % 4  # one sequence alone needs three tokens
    return attsvm.random_infeasible(1 + seed % 6, length, 1 + seed % 5, seed)


def reason(problem, **keywords):
    with pytest.raises(Infeasible) as caught:
        attsvm.solve(problem, **keywords)
    return caught.value


def check_by_definition(problem, multipliers):
    assert len(multipliers) == problem.m
    assert all(type(value) is Fraction and value >= 0 for value in multipliers)
    assert any(multipliers)
    for column in zip(*problem.atoms(), strict=True):
        assert sum(w * a for w, a in zip(multipliers, column, strict=True)) == 0


@pytest.mark.parametrize("start", range(0, 50, 10))
def test_fifty_infeasible_problems(start):
    for seed in range(start, start + 10):
        problem = hopeless(seed)
        for is_exact in (True, False):
            error = reason(problem, exact=is_exact)
            error.farkas.verify(problem)
            check_by_definition(problem, error.multipliers)
        assert reference.primal(problem).status == "infeasible"


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_every_obstacle(obstacle):
    for seed in range(5):
        problem = attsvm.random_infeasible(4, 3, 4, seed, obstacle=obstacle)
        check_by_definition(problem, reason(problem).multipliers)


@pytest.mark.parametrize("keywords", [{"method": "cvxpy"}, {"norm": "nuclear"}])
def test_cvxpy_reports_them_with_proof(keywords):
    problem = hopeless(7)
    check_by_definition(problem, reason(problem, **keywords).multipliers)


def test_infeasible_real_data():
    """More rows than Wendel's bound leaves hope for: 200 random rows in 9 dimensions."""
    generator = np.random.default_rng(0)
    tokens, queries = generator.standard_normal((40, 6, 3)), generator.standard_normal((40, 3))
    problem = attsvm.Problem(tokens, queries, [0] * 40)
    error = reason(problem)
    check_by_definition(problem, error.multipliers)
    assert len(error.farkas.support) <= 10


def test_many_rows():
    generator = np.random.default_rng(1)
    tokens, queries = generator.integers(-4, 5, (60, 12, 3)), generator.integers(-4, 5, (60, 3))
    queries[~queries.any(axis=1)] = 1
    problem = attsvm.Problem(tokens, queries, [0] * 60)
    check_by_definition(problem, reason(problem).multipliers)


def test_barely_infeasible():
    """Rows that cancel up to 2^-60 have a solution; those that cancel have none."""
    tiny = Fraction(1, 2**60)
    for shift, feasible in ((tiny, True), (0, False)):
        tokens = [[[1, 0], [0, 0]], [[-1, shift], [0, 0]]]
        problem = attsvm.Problem(tokens, [[1, 0], [1, 0]], [0, 0])
        if feasible:
            solution = attsvm.solve(problem)
            assert solution.certificate is not None
            assert solution.certificate.point == (1, 0, 2 * 2**60, 0)
        else:
            assert reason(problem).multipliers == (Fraction(1, 2), Fraction(1, 2))


def test_a_token_equal_to_the_optimal_one():
    tokens = [[[1, 2], [0, 1], [3, 3]], [[4, 4], [5, 5], [4, 4]]]
    problem = attsvm.Problem(tokens, [[1, 0], [0, 1]], [0, 2])
    error = reason(problem)
    assert "token 0 of sequence 1 equals its optimal token 2" in str(error)
    assert error.multipliers == (0, 0, 1, 0)


def test_the_error_names_the_sequences():
    problem = attsvm.Problem([[[1], [0]], [[0], [1]], [[0], [1]]], [[1], [1], [2]], [0, 0, 1])
    error = reason(problem)
    assert isinstance(error, NumericError)
    assert isinstance(error, ValueError)
    assert "token 1 of sequence 0, token 1 of sequence 1" in str(error)


def test_it_crosses_process_boundaries():
    error = reason(hopeless(9))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.multipliers) == (str(error), error.multipliers)


def test_forged_multipliers_are_seen():
    problem = hopeless(10)
    good = reason(problem).farkas
    first, *rest = good.multipliers
    outside = next(row for row in range(problem.m) if row not in good.support)
    for forged in (
        replace(good, multipliers=(first + 1, *rest)),
        replace(good, multipliers=(-first, *(-w for w in rest))),
        replace(good, multipliers=tuple(rest)),
        replace(good, support=(outside, *good.support[1:])),
        replace(good, support=(), multipliers=()),
    ):
        assert forged.flaw(problem)
        with pytest.raises(NumericError, match="flaw"):
            forged.verify(problem)
