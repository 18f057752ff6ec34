"""Degenerate problems: equal tokens, dependent atoms, margins of 1 with multiplier 0."""

from fractions import Fraction

import numpy as np
import pytest

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm import Problem, exact

E1 = [1, 0]


def point(problem, **keywords):
    solution = attsvm.solve(problem, **keywords)
    assert solution.certificate is not None
    solution.certificate.verify(problem)
    return solution.certificate.point, solution


def test_equal_tokens_are_counted_once():
    problem = Problem([[[1, 1], [0, 0], [0, 0], [0, 0]]], [E1], [0])
    found, solution = point(problem)
    assert found == (Fraction(1, 2), 0, Fraction(1, 2), 0)
    assert solution.support == (0,)
    assert solution.multipliers.tolist() == [0.5, 0, 0]
    assert "token 2 equals token 1 in sequence 0" in solution.notes[0]
    quick = attsvm.solve(problem, exact=False)
    assert quick.notes == solution.notes[:1]
    np.testing.assert_allclose(quick.matrix, solution.matrix, atol=1e-15)


def test_equal_tokens_in_floats():
    """-0.0 and 0.0 are one number."""
    problem = Problem([[[1.5, 1.0], [0.0, 0.0], [-0.0, 0.0]]], [[1.0, 0.0]], [0])
    assert "equal tokens" in attsvm.solve(problem, exact=False).notes[0]


def test_repeated_sequences_are_counted_once():
    found, solution = point(attsvm.equal_scores(6))
    assert found == (1, 0, 3, 0)
    assert "repeats token 1 of sequence 0" in solution.notes[0]
    assert "multipliers may not be" in solution.notes[1]


@pytest.mark.parametrize("factor", [2, 3, Fraction(7, 5)])
def test_proportional_rows(factor):
    """x and factor * x against the same query: only the shorter wish binds."""
    tokens = [[[1, 1], [0, 0]], [[factor, factor], [0, 0]]]
    found, solution = point(Problem(tokens, [E1, E1], [0, 0]))
    assert found == (Fraction(1, 2), 0, Fraction(1, 2), 0)
    assert solution.support == (0,)


def test_scaled_into_the_same_row():
    """2 x against z and x against 2 z are one atom, though their tokens differ."""
    problem = Problem([[[2, 4], [0, 0]], [[1, 2], [0, 0]]], [[1, 1], [2, 2]], [0, 0])
    found, solution = point(problem)
    assert sum(x * a for x, a in zip(found, problem.atoms()[0], strict=True)) == 1
    assert len(solution.support) == 1
    assert "multiplier 0" in solution.notes[0]


@pytest.mark.parametrize("middle", [1, 2, 3])
def test_dependent_atoms_on_one_face(middle):
    """Differences (1, k), k = 0 .. 4, all have margin 1 at (1, 0): one row supports it alone."""
    others = [[-1, -k] for k in range(-2, 3)]
    problem = Problem([[[0, 0], *others]], [E1], [0])
    found, solution = point(problem)
    assert found == (1, 0, 0, 0)
    assert solution.certificate is not None
    assert solution.certificate.active == (0, 1, 2, 3, 4)
    assert "dependent" in solution.notes[0]
    assert exact.certify(problem, [middle - 1, middle + 1]).point == found


def test_margin_one_with_multiplier_zero():
    """The point (1, 0) of row (1, 0) meets row (1, 1) exactly; the rows are independent."""
    problem = Problem([[[1, 0], [0, 0], [0, -1]]], [E1], [0])
    found, solution = point(problem)
    assert found == (1, 0, 0, 0)
    assert solution.support == (0,)
    assert solution.notes == ("margin 1 with multiplier 0: token 2 of sequence 0",)


@pytest.mark.parametrize("sides", [3, 4, 6, 12])
def test_more_rows_than_dimensions_all_active(sides):
    """Rows (u, 1) with u on a symmetric set: the point is (0, 1) and all rows are active."""
    vectors = [[k, 1, 0] for k in range(-sides, sides + 1)] + [
        [0, 1, k] for k in range(-sides, sides + 1)
    ]
    tokens = [[[0, 0, 0], *([-a for a in v] for v in vectors)]]
    problem = Problem(tokens, [[1, 0, 0]], [0])
    found, solution = point(problem)
    assert found == (0, 0, 0, 1, 0, 0, 0, 0, 0)
    assert solution.certificate is not None
    assert len(solution.certificate.active) == problem.m
    quick = attsvm.solve(problem, exact=False)
    np.testing.assert_allclose(quick.matrix, solution.matrix, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_crowded_lattices(seed):
    """Many rows with entries -1, 0, 1 in few dimensions: ties and dependence everywhere."""
    problem = attsvm.random_problem(6, 4, 2, seed, bound=2)
    found, solution = point(problem)
    quick = attsvm.solve(problem, exact=False)
    np.testing.assert_allclose(
        quick.matrix, solution.matrix, atol=1e-10 * abs(solution.matrix).max()
    )
    generator = np.random.default_rng(seed)
    for _ in range(5):
        guess = generator.permutation(problem.m)[: 1 + seed % 9]
        assert exact.certify(problem, guess).point == found


def test_nearly_dependent_floats():
    """Rows that differ in the last bit: float64 may not decide, the answer is exact."""
    nudge = np.nextafter(1.0, 2.0)
    tokens = [[[1.0, 1.0], [0.0, 0.0]], [[nudge, 1.0], [0.0, 0.0]], [[1.0, nudge], [0.0, 0.0]]]
    problem = Problem(tokens, [[1.0, 0.0]] * 3, [0, 0, 0])
    found, solution = point(problem)
    assert found == (Fraction(1, 2), 0, Fraction(1, 2), 0)
    assert solution.support == (0,)


def test_one_dimension():
    problem = Problem([[[5], [3], [-1]], [[-2], [0], [1]]], [[1], [-3]], [0, 0])
    found, solution = point(problem)
    assert found == (Fraction(1, 2),)
    assert solution.norm_squared == Fraction(1, 4)


@pytest.mark.parametrize("apart", [1e-1, 1e-3, 1e-5, 1e-7, 1e-9])
def test_nearly_opposed_rows(apart):
    """The closer to cancelling, the longer W; float64 hands over before it loses its digits."""
    tokens = [[[1.0, 0.3], [0.0, 0.0]], [[-1.0, -0.3 + apart], [0.0, 0.0]]]
    problem = Problem(tokens, [[1.0, 0.0]] * 2, [0, 0])
    _, solution = point(problem)
    quick = attsvm.solve(problem, exact=False)
    largest = abs(solution.matrix).max()
    np.testing.assert_allclose(quick.matrix, solution.matrix, atol=1e-8 * largest, rtol=0)
    assert bool(quick.notes) == (apart < 1e-4)
