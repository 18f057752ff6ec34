"""Exact solutions: certificates hold, cvxpy agrees, other ways lead to the same point."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm import dual, exact, reference
from lemmata.numeric.errors import NumericError

# Clarabel's default tolerance on the gap, absolute and relative, and on the constraints.
CLARABEL = 1e-8


def small(seed):
    """Feasible whole problems of all small shapes; many have repeated or dependent rows."""
    return attsvm.random_problem(1 + seed % 6, 2 + seed % 4, 1 + seed % 5, seed)


def check_by_definition(problem, certificate):
    """KKT straight from the atoms, in fractions."""
    atoms, point = problem.atoms(), certificate.point
    multipliers = certificate.all_multipliers(problem.m)
    assert all(value >= 0 for value in multipliers)
    for column, entry in zip(zip(*atoms, strict=True), point, strict=True):
        assert sum(w * a for w, a in zip(multipliers, column, strict=True)) == entry
    margins = [sum(a * x for a, x in zip(row, point, strict=True)) for row in atoms]
    assert min(margins) == 1
    assert all(w == 0 or margin == 1 for w, margin in zip(multipliers, margins, strict=True))
    assert certificate.active == tuple(row for row, margin in enumerate(margins) if margin == 1)
    assert certificate.norm_squared == sum(x * x for x in point) == sum(multipliers)


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_two_hundred_whole_problems(start):
    for seed in range(start, start + 20):
        problem = small(seed)
        solution = attsvm.solve(problem)
        assert solution.certificate is not None
        solution.certificate.verify(problem)
        check_by_definition(problem, solution.certificate)
        assert solution.norm_squared == solution.certificate.norm_squared
        assert solution.support == solution.certificate.support
        entries = [float(entry) for entry in solution.certificate.point]
        assert solution.matrix.ravel().tolist() == entries
        every = solution.certificate.all_multipliers(problem.m)
        assert solution.multipliers.tolist() == [float(value) for value in every]


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_cvxpy_agrees_to_its_tolerance(start):
    """|W - W*|^2 <= |W|^2 - |W*|^2 + 2 e |W*|^2 if W's margins are >= 1 - e."""
    for seed in range(start, start + 20):
        problem = small(seed)
        best = attsvm.solve(problem)
        found = attsvm.solve(problem, method="cvxpy")
        size = float(best.norm_squared)
        assert found.certificate is None
        assert isinstance(found.norm_squared, float)
        atoms = np.array(problem.atoms(), dtype=float)
        short = max(0.0, float(np.max(1 - atoms @ found.matrix.ravel())))
        gap = (found.norm_squared - size) / 2
        assert short <= CLARABEL * (1 + np.abs(atoms).max() * np.abs(found.matrix).max())
        assert abs(gap) <= 2 * CLARABEL * (1 + size / 2)
        distance = float(((found.matrix - best.matrix) ** 2).sum())
        assert distance <= 2 * abs(gap) + 2 * short * size + 1e-14 * size


def test_one_constraint_or_many():
    for seed in (3, 4, 11):
        problem = small(seed)
        one, many = reference.primal(problem), reference.primal_each(problem)
        assert one.optimal
        assert many.optimal
        scale = np.abs(one.matrix).max()
        np.testing.assert_allclose(many.matrix, one.matrix, atol=1e-4 * scale)


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_float64_finds_the_same_point(start):
    for seed in range(start, start + 50):
        problem = small(seed)
        best, quick = attsvm.solve(problem), attsvm.solve(problem, exact=False)
        assert quick.certificate is None
        scale = np.abs(best.matrix).max()
        np.testing.assert_allclose(quick.matrix, best.matrix, atol=1e-11 * scale, rtol=0)
        assert quick.norm_squared == pytest.approx(float(best.norm_squared), rel=1e-11)


def test_counterexamples():
    loc = attsvm.solve(attsvm.loc())
    assert loc.certificate is not None
    assert loc.certificate.point == (Fraction(-3, 10), 0, Fraction(1, 10), 0)
    assert loc.norm_squared == Fraction(1, 10)
    for copies in (1, 3, 4, 9):
        eq = attsvm.solve(attsvm.equal_scores(copies))
        assert eq.certificate is not None
        assert eq.certificate.point == (1, 0, 3, 0)


@pytest.mark.parametrize(("n", "length", "d"), [(4, 3, 6), (6, 5, 5), (3, 8, 8)])
def test_real_data_are_solved_exactly(n, length, d):
    problem = attsvm.random_scored(n, length, d, seed=n)
    solution = attsvm.solve(problem)
    assert solution.certificate is not None
    check_by_definition(problem, solution.certificate)


@pytest.mark.parametrize("seed", range(4))
def test_the_guess_decides_nothing(seed):
    """Any rows may be guessed: the exact method ends at the same point."""
    problem = attsvm.random_problem(4, 4, 3, seed)
    best = exact.certify(problem)
    generator = np.random.default_rng(seed)
    for size in range(1, problem.m + 1, 2):
        guess = generator.permutation(problem.m)[:size].tolist()
        assert exact.certify(problem, guess).point == best.point


def test_many_rows_are_worked_through_a_few_at_a_time(monkeypatch):
    problem = attsvm.random_scored(30, 20, 40, seed=1)
    few = attsvm.solve(problem, exact=False)
    assert problem.m > dual.ALL_AT_ONCE
    monkeypatch.setattr(dual, "ALL_AT_ONCE", problem.m)
    whole = attsvm.solve(problem, exact=False)
    assert few.support == whole.support
    np.testing.assert_allclose(few.matrix, whole.matrix, atol=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_both_float_solvers_lead_to_the_same_support(seed):
    """The interior point and the active set only guess; pivoting ends where it must."""
    problem = attsvm.random_scored(8, 5, 10, seed)
    rows = dual.Rows.of(problem.differences_float, problem.queries_float, problem.pairs[:, 0])
    assert rows is not None
    H, b = rows.gram(np.arange(problem.m)), rows.bounds
    for places in (dual._interior(H, b), dual._active_set(H, b), np.arange(problem.m)):
        assert places is not None
        found = dual._pivot(H, b, places)
        assert found is not None
        assert tuple(found[0]) == attsvm.solve(problem, exact=False).support


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 4),
    st.integers(2, 4),
    st.integers(1, 3),
    st.integers(0, 10**6),
    st.integers(1, 3),
)
def test_solved_or_proved_infeasible(n, length, d, seed, bound):
    """Arbitrary small whole data: a certificate that holds, or multipliers that cancel."""
    generator = np.random.default_rng(seed)
    tokens = generator.integers(-bound, bound + 1, (n, length, d))
    queries = generator.integers(-bound, bound + 1, (n, d))
    queries[~queries.any(axis=1)] = 1
    problem = attsvm.Problem(tokens, queries, generator.integers(0, length, n))
    for is_exact in (True, False):
        try:
            solution = attsvm.solve(problem, exact=is_exact)
        except attsvm.Infeasible as reason:
            weights = reason.multipliers
            assert min(weights) >= 0 < max(weights)
            columns = zip(*problem.atoms(), strict=True)
            assert all(
                sum(w * a for w, a in zip(weights, column, strict=True)) == 0 for column in columns
            )
            continue
        if solution.certificate is not None:
            check_by_definition(problem, solution.certificate)


def test_scaling_the_tokens_scales_the_point():
    problem = small(11)
    point = exact.certify(problem).point
    third = attsvm.Problem(
        [[[Fraction(int(a), 3) for a in x] for x in seq] for seq in problem.tokens],
        problem.queries,
        problem.optimal,
    )
    assert exact.certify(third).point == tuple(3 * entry for entry in point)


@pytest.mark.parametrize(
    "scale", [1e-150, 1e-3, 1e100, 1e154], ids=["tiny", "small", "large", "huge"]
)
def test_the_size_of_the_data_does_not_matter(scale):
    """1e154: the squared length of a row leaves float64's range; the exact method steps in."""
    base = attsvm.random_scored(3, 3, 4, seed=2)
    problem = attsvm.Problem(base.tokens * scale, base.queries, base.optimal)
    solution = attsvm.solve(problem)
    assert solution.certificate is not None
    solution.certificate.verify(problem)
    quick = attsvm.solve(problem, exact=False)
    np.testing.assert_allclose(quick.matrix, solution.matrix, rtol=1e-9, atol=0)


def test_forged_certificates_are_seen():
    problem = attsvm.random_problem(4, 4, 3, seed=1)
    good = exact.certify(problem)
    first, *rest = good.weights
    outside = next(row for row in range(problem.m) if row not in good.active)
    shifted = (outside, *good.support[1:])
    entry, *entries = good.entries
    for forged in (
        replace(good, weights=(first + 1, *rest)),
        replace(good, weights=(-first, *rest)),
        replace(good, weights=tuple(rest)),
        replace(good, weight_denominator=good.weight_denominator + 1),
        replace(good, weight_denominator=-good.weight_denominator),
        replace(good, support=shifted),
        replace(good, support=(problem.m, *good.support[1:])),
        replace(good, support=(good.support[1], *good.support[1:])),
        replace(good, entries=(entry + 1, *entries)),
        replace(good, entries=tuple(entries)),
        replace(good, denominator=good.denominator + 1),
        replace(good, denominator=0),
        replace(good, active=good.active[1:]),
    ):
        assert forged.flaw(problem)
        with pytest.raises(NumericError, match="flaw"):
            forged.verify(problem)
    assert good.flaw(attsvm.random_problem(4, 4, 3, seed=2))


def test_a_longer_point_is_no_solution():
    """Twice the solution is feasible; as a certificate it fails complementarity."""
    problem = attsvm.loc()
    good = exact.certify(problem)
    twice = replace(
        good,
        weights=tuple(2 * w for w in good.weights),
        entries=tuple(2 * e for e in good.entries),
        active=(),
    )
    assert "not 1" in twice.flaw(problem)


def test_nuclear_norm():
    """On orthonormal tokens and queries the rows are unit matrices, and |W|_* is their number."""
    n = 3
    tokens = np.zeros((n, 2, n))
    tokens[np.arange(n), 0, np.arange(n)] = 1
    problem = attsvm.Problem(tokens, np.eye(n), [0] * n)
    solution = attsvm.solve(problem, norm="nuclear")
    np.testing.assert_allclose(solution.matrix, np.eye(n), atol=1e-5)
    assert solution.norm_squared == pytest.approx(n**2, rel=1e-6)
    assert solution.certificate is None
    assert "cvxpy" in solution.notes[0]


def test_nuclear_norm_is_not_the_frobenius_norm():
    problem = attsvm.random_problem(5, 3, 4, seed=7)
    nuclear = attsvm.solve(problem, norm="nuclear").matrix
    frobenius = attsvm.solve(problem).matrix
    atoms = np.array(problem.atoms(), dtype=float)
    assert (atoms @ nuclear.ravel()).min() >= 1 - 1e-6
    assert np.linalg.norm(nuclear, "nuc") < np.linalg.norm(frobenius, "nuc") - 1e-3
    assert np.linalg.norm(frobenius) < np.linalg.norm(nuclear) - 1e-3


@pytest.mark.parametrize(
    ("keywords", "message"),
    [({"norm": "spectral"}, "norm: expected one of"), ({"method": "magic"}, "method: expected")],
)
def test_bad_arguments(keywords, message):
    with pytest.raises(NumericError, match=message):
        attsvm.solve(attsvm.loc(), **keywords)
