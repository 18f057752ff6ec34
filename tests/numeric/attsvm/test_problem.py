"""Problems: exact whatever the data come as; bad data are named by sequence and token."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm import Problem, integers
from lemmata.numeric.errors import NumericError

TOKENS = [[[1, 2], [0, 0], [3, -1]], [[1, 0], [2, 5], [0, 1]]]
QUERIES = [[1, 0], [1, -2]]
OPTIMAL = [0, 2]


def plain_atoms(tokens, queries, optimal):
    """A_it straight from the definition, in fractions."""
    rows = []
    for x, z, best in zip(tokens, queries, optimal, strict=True):
        for t, other in enumerate(x):
            if t != best:
                pairs = zip(x[best], other, strict=True)
                difference = [Fraction(a) - Fraction(b) for a, b in pairs]
                rows.append(tuple(a * Fraction(b) for a in difference for b in z))
    return tuple(rows)


def exact_gram(problem):
    below = problem.scale**2
    return [[Fraction(int(value), below) for value in row] for row in problem.gram()]


@pytest.mark.parametrize(
    "convert",
    [
        list,
        np.array,
        torch.tensor,
        lambda x: np.array(x, dtype=np.int8),
        lambda x: np.array(x, dtype=object),
        lambda x: torch.tensor(x, dtype=torch.float32),
        lambda x: torch.tensor(x, dtype=torch.bfloat16),
        lambda x: np.array(x, dtype=np.float64),
        lambda x: integers.objects(map(Fraction, np.array(x).flat), np.array(x).shape),
    ],
)
def test_every_form_of_the_same_data_is_the_same_problem(convert):
    problem = Problem(convert(TOKENS), convert(QUERIES), OPTIMAL)
    assert problem.atoms() == plain_atoms(TOKENS, QUERIES, OPTIMAL)
    assert (problem.n, problem.length, problem.d, problem.m) == (2, 3, 2, 4)
    assert problem.pairs.tolist() == [[0, 1], [0, 2], [1, 0], [1, 1]]
    assert problem.tokens_float.tolist() == np.array(TOKENS, dtype=float).tolist()


@st.composite
def data(draw):
    n, length, d = (draw(st.integers(low, 3)) for low in (1, 2, 1))
    kind = draw(st.sampled_from(["whole", "huge", "fraction", "float", "mixed"]))
    whole = st.integers(-9, 9)
    number = {
        "whole": whole,
        "huge": st.integers(-(2**80), 2**80),
        "fraction": st.fractions(-9, 9, max_denominator=50),
        "float": st.floats(-1e9, 1e9),
        "mixed": whole | st.floats(-2, 2) | st.fractions(-2, 2),
    }[kind]
    tokens = draw(st.lists(number, min_size=n * length * d, max_size=n * length * d))
    queries = [[draw(number.filter(bool)) for _ in range(d)] for _ in range(n)]
    optimal = draw(st.lists(st.integers(0, length - 1), min_size=n, max_size=n))
    nested = [
        [tokens[(i * length + t) * d : (i * length + t + 1) * d] for t in range(length)]
        for i in range(n)
    ]
    return nested, queries, optimal


@settings(max_examples=80, deadline=None)
@given(data())
def test_atoms_and_gram_are_exact(case):
    problem = Problem(*case)
    atoms = plain_atoms(*case)
    assert problem.atoms() == atoms
    gram = [
        [sum(a * b for a, b in zip(row, other, strict=True)) for other in atoms] for row in atoms
    ]
    assert exact_gram(problem) == gram


def test_part_of_the_gram_matrix():
    problem = attsvm.random_problem(4, 4, 3, seed=5)
    rows, columns = np.array([7, 0, 3]), np.array([2, 11])
    whole = problem.gram()
    assert (problem.gram(rows, columns) == whole[np.ix_(rows, columns)]).all()
    assert (problem.gram(rows) == whole[np.ix_(rows, rows)]).all()


@pytest.mark.parametrize(
    ("size", "dtype"), [(2**20, np.int64), (2**25, np.int64), (2**31, object), (2**70, object)]
)
def test_the_gram_matrix_leaves_int64_before_it_overflows(size, dtype):
    rows = [[size, -size, size - 1], [1, 2, 3]]
    matrix = integers.narrow(integers.objects([*rows[0], *rows[1]], (2, 3)))
    assert matrix.dtype == (np.int64 if size < 2**62 else object)
    found = integers.product(matrix, matrix.T)
    assert found.dtype == dtype
    assert found.tolist() == [
        [sum(a * b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows
    ]


def test_floats_are_the_dyadic_rationals_that_they_are():
    problem = Problem([[[0.1], [5e-324]]], [[-1e300]], [0])
    difference = Fraction(0.1) - Fraction(5e-324)
    assert problem.atoms() == ((difference * Fraction(-1e300),),)


def test_scores_are_exact():
    tenth = Fraction(1, 10)
    problem = Problem.from_scores([[[0.1], [tenth]]], [[1]], [3], [-1])
    assert problem.scores.tolist() == [[-3 * Fraction(0.1), -3 * tenth]]
    assert problem.optimal.tolist() == [1]  # 0.1 is a little more than 1/10
    assert problem.scores_float.tolist() == [[float(-3 * Fraction(0.1)), -0.3]]


def test_other_tokens_to_attend_to():
    problem = attsvm.loc()
    other = problem.selecting([1])
    assert other.scores is None
    assert other.optimal.tolist() == [1]
    assert other.atoms() != problem.atoms()


def test_a_problem_cannot_be_changed():
    data = np.array(TOKENS)
    problem = Problem(data, QUERIES, OPTIMAL)
    data[0, 0, 0] = 100
    assert problem.tokens[0, 0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        problem.tokens[0, 0, 0] = 7


NAN = float("nan")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[[1]]], [[1]], [0]), "T >= 2"),
        (([[[1], [2]]], [[0]], [0]), "z = 0 for sequence 0"),
        (([[[1], [2]], [[1], [2]]], [[1], [0.0]], [0, 0]), "z = 0 for sequence 1"),
        (([[[1, 2], [NAN, 4]]], [[1, 1]], [0]), "nan at sequence 0, token 1, coordinate 0"),
        ((np.array([[[1, 2], [3, np.inf]]]), [[1, 1]], [0]), "sequence 0, token 1, coordinate 1"),
        (([[[1], [2]]], [[NAN]], [0]), "queries.*nan at sequence 0, coordinate 0"),
        (([[[1], ["2"]]], [[1]], [0]), "'2' at sequence 0, token 1"),
        (([[[1], [True]]], [[1]], [0]), "True at sequence 0, token 1"),
        ((np.array([[[True], [False]]]), [[1]], [0]), "array of bool"),
        ((np.array([[[1j], [2]]]), [[1]], [0]), "array of complex128"),
        (([[[1], [2]]], [[1, 2]], [0]), "queries: expected shape"),
        (([[[1], [2]]], [[1]], [0, 1]), "optimal: expected shape"),
        (([[1], [2]], [[1]], [0]), "tokens: expected numbers along the axes"),
        (([[[1], [2]], [[1]]], [[1], [1]], [0, 0]), "1 tokens in sequence 1 but 2 in sequence 0"),
        (([], [[1]], [0]), "none of them empty"),
        (([[[1], [2]]], [[1]], [2]), "token 2 for sequence 0"),
        (([[[1], [2]], [[1], [2]]], [[1], [1]], [0, -1]), "token -1 for sequence 1"),
        (([[[1], [2]]], [[1]], [0.5]), "token 0.5 for sequence 0"),
        (([[[Fraction(10) ** 400], [2]]], [[1]], [0]), "sequence 0, token 0.*Rescale"),
        (([[[1], [2]]], [[1]], [0], [[1, 1]]), "tie: token 1 scores 1 against 1"),
        (([[[1], [2]]], [[1]], [0], [[1, 2]]), "higher one: token 1 scores 2"),
        (([[[1], [2]]], [[1]], [0], [[2, 1, 0]]), "scores: expected shape"),
    ],
)
def test_bad_problems(arguments, message):
    with pytest.raises(NumericError, match=message):
        Problem(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[[1, 0], [0, 1]]], [[1, 1]], [1, 1], [1]), "token 0 of sequence 0.*token 1"),
        (([[[1, 0], [0, 1]]], [[1, 1]], [1, 2], [2]), "got 2 for sequence 0"),
        (([[[1, 0], [0, 1]]], [[1, 1]], [1], [1]), "decoder: expected shape"),
        (([[[1, 0], [0, 1]]], [[1, 1]], [1, 2], [1, 1]), "labels: expected shape"),
        (([[[1, 0], [0, 1]]], [[1, 1]], [1, NAN], [1]), "decoder.*nan at coordinate 1"),
    ],
)
def test_bad_scores(arguments, message):
    with pytest.raises(NumericError, match=message):
        Problem.from_scores(*arguments)


def test_training_needs_scores():
    with pytest.raises(NumericError, match="from_scores"):
        _ = Problem(TOKENS, QUERIES, OPTIMAL).scores_float


def test_loc():
    problem = attsvm.loc()
    assert problem.scores.tolist() == [[1, Fraction(1, 2), 0]]
    assert problem.atoms() == ((-4, 0, 1, 0), (-3, 0, 1, 0))


def test_equal_scores():
    problem = attsvm.equal_scores(3)
    assert problem.scores.tolist() == [[1, 0]] * 4
    assert problem.atoms() == ((1, 0, 0, 0),) * 3 + ((-2, 0, 1, 0),)


@pytest.mark.parametrize(
    "make", [attsvm.random_problem, attsvm.random_infeasible, attsvm.random_scored]
)
def test_random_problems_depend_on_the_seed_alone(make):
    one, same, other = (make(3, 4, 5, seed=seed) for seed in (1, 1, 2))
    assert one.atoms() == same.atoms()
    assert one.atoms() != other.atoms()


def test_equal_random_scores():
    problem = attsvm.random_scored(5, 4, 6, seed=3, equal=True)
    assert sorted(problem.scores.ravel().tolist()) == [0] * 15 + [1] * 5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attsvm.random_problem(0, 2, 2, seed=0), "n: expected a whole number >= 1"),
        (lambda: attsvm.random_problem(1, 1, 2, seed=0), "length: expected a whole number >= 2"),
        (lambda: attsvm.random_problem(1, 2, 2, seed=-1), "seed: expected"),
        (lambda: attsvm.random_problem(1, 60, 1, seed=0, bound=1), "larger bound"),
        (lambda: attsvm.random_infeasible(1, 2, 2, seed=0), "obstacle: expected one that fits"),
        (lambda: attsvm.equal_scores(0), "copies"),
    ],
)
def test_bad_instances(call, message):
    with pytest.raises(NumericError, match=message):
        call()
