"""What a newcomer tries: odd forms of good input beside bad input, copies, and what is printed."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import torch

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm import MultiTokenProblem, Problem
from lemmata.numeric.errors import NumericError

P, BATCH = attsvm.loc(), [attsvm.loc(), attsvm.loc()]
SEVERAL = MultiTokenProblem(np.eye(3)[None], [[1, 0, 0]], [1, 0.9, 0], 0.5)
TWO = [[[1, 0], [0, 1]]]
HULL = Problem([[[0, 0], [1, 0], [-1, 0]]], [[1, 0]], [0], [[2, 1, 0]])
ALIKE = Problem([[[1, 0], [1, 0]]], [[1, 0]], [0], [[2, 1]])
HUGE, TINY = 1e308, 1e-160


def trained(problem=P, **options):
    return attsvm.train(problem, **{"steps": 4, "step_size": 0.5, "device": "cpu", **options})


def factorised(**options):
    return attsvm.train_factorised(P, **{"steps": 4, "device": "cpu", **options})


def several(problems=SEVERAL, **options):
    return attsvm.train_multitoken(problems, **{"steps": 4, "device": "cpu", **options})


GOOD = [
    lambda: trained(steps=np.int64(4)),
    lambda: trained(step_size=np.float32(0.5)),
    lambda: trained(step_size=Fraction(1, 2)),
    lambda: trained(record=np.array([1, 4])),
    lambda: trained(record=torch.tensor([2, 4])),
    lambda: trained(record=[4.0]),
    lambda: trained(problem for problem in BATCH).of(1),
    lambda: trained(initial=P.tokens_float[0, :2] * 0),  # read-only
    lambda: trained(initial=torch.zeros(2, 2, requires_grad=True)),
    lambda: trained(initial=[[Fraction(0), 0], [0, 0]]),
]


@pytest.mark.parametrize("call", GOOD)
def test_other_forms_of_the_same_arguments(call):
    torch.testing.assert_close(call().matrices[-1], trained().matrices[-1])
    assert not call().matrices.requires_grad


def test_one_problem_of_several_tokens_needs_no_list():
    assert torch.equal(several().weights, several([SEVERAL]).weights)
    start = torch.zeros(3, 3, requires_grad=True)
    assert torch.equal(several(initial=start).weights, several().weights)


def test_whole_numbers_among_floats_are_floats():
    mixed = Problem([[[0.5, 0], [0, 1]]], [[1, 0.25]], [0])
    assert mixed.tokens.dtype == mixed.queries.dtype == np.float64
    long = Problem([[[0.5, 2**53 + 1], [0, 1]]], [[1, 1]], [0])
    assert long.tokens[0, 0, 1] == 2**53 + 1


BAD = [
    ("tokens: .*dense", lambda: Problem(torch.tensor(TWO).to_sparse(), [[1, 0]], [0])),
    ("tokens: .*on meta", lambda: Problem(torch.zeros(1, 2, 2, device="meta"), [[1, 0]], [0])),
    ("tokens: .*'abc'", lambda: Problem("abc", [[1, 0]], [0])),
    ("tokens: .*None", lambda: Problem(None, [[1, 0]], [0])),
    ("optimal: .*\\(sequence\\).*: 0", lambda: Problem(TWO, [[1, 0]], 0)),
    ("1 coordinates in sequence 0, token 1", lambda: Problem([[[1, 0], [0]]], [[1, 0]], [0])),
    ("tokens: .*bool.*astype", lambda: Problem(np.ones((1, 2, 2), bool), [[1, 0]], [0])),
    ("rows: .*0 to 1; .*9", lambda: P.gram([9])),
    ("columns: .*-1", lambda: P.gram([0], [-1])),
    ("problem: .*None", lambda: attsvm.solve(None)),
    ("problem: .*Problem", lambda: attsvm.solve([P])),
    ("exact: .*'no'", lambda: attsvm.solve(P, exact="no")),
    ("norm: .*\\[\\]", lambda: attsvm.solve(P, norm=[])),
    ("problems: .*list of them; got None", lambda: trained(None)),
    ("problems: .*list of them; got 'abc'", lambda: trained("abc")),
    ("steps: .*'5'", lambda: trained(steps="5")),
    ("step_size: .*True", lambda: trained(step_size=True)),
    ("step_size: .*1000", lambda: trained(step_size=10**400)),
    ("step_size: .*a value of type int", lambda: trained(step_size=10**9999)),
    ("step_size: .*overflow with 1e\\+308", lambda: trained(step_size=1e308)),
    ("decay: .*'a'", lambda: trained(optimizer="ngd", decay="a")),
    ("record: .*5", lambda: trained(record=5)),
    ("record: .*'abc'", lambda: trained(record="abc")),
    ("record: .*1.5", lambda: trained(record=[1.5])),
    ("record: .*nan", lambda: trained(record=[math.nan])),
    ("record: .*None", lambda: trained(record=[None, 3])),
    ("initial: .*'eye'", lambda: trained(initial="eye")),
    ("initial: .*\\[0\\]", lambda: trained(initial=[[1, 0], [0]])),
    ("initial: .*1.j", lambda: trained(initial=np.eye(2) * 1j)),
    ("initial: .*length", lambda: trained(initial=np.eye(2) * 1e300)),
    ("initial: .*float32", lambda: trained(initial=np.eye(2) * 1e60, dtype="float32")),
    ("reference: .*direction", lambda: trained(reference=np.zeros((2, 2)))),
    ("reference: .*Solution", lambda: trained(reference=attsvm.solve(P))),
    ("number: .*single", lambda: trained().of(0)),
    ("number: .*0 to 1; got 2", lambda: trained(BATCH).of(2)),
    ("Polyak.*'ngd'", lambda: trained(HULL, optimizer="polyak", steps=90)),
    ("horizon: .*1000", lambda: attsvm.virtual_time(P, 10**400)),
    ("times: .*'ab'", lambda: attsvm.virtual_time(P, 5, times="ab")),
    ("times: .*None", lambda: attsvm.virtual_time(P, 5, times=[None])),
    ("limit: .*None", lambda: attsvm.virtual_time(P, 5, limit=None)),
    ("limit: .*infeasible", lambda: attsvm.virtual_time(HULL, 50, limit=400)),
    ("radii: .*3", lambda: attsvm.regularization_path(P, 3)),
    ("radii: .*'1'", lambda: attsvm.regularization_path(P, ["1"])),
    ("radii: .*-1", lambda: attsvm.regularization_path(P, [-1, 1])),
    ("problem: .*one Problem", lambda: attsvm.regularization_path(BATCH, [1])),
    ("starts: .*-1", lambda: attsvm.regularization_path(P, [1], starts=-1)),
    ("explore: .*'a'", lambda: attsvm.regularization_path(P, [1], explore="a")),
    ("tokens: .*the same for every W", lambda: attsvm.regularization_path(ALIKE, [1])),
    ("inside the ball", lambda: attsvm.regularization_path(HULL, [4.0], limit=9)),
    ("tokens: .*'abc'", lambda: MultiTokenProblem("abc", [[1, 0]], [1, 0], 0.5)),
    ("tokens: .*None", lambda: MultiTokenProblem(None, [[1, 0]], [1, 0], 0.5)),
    ("mu: .*'a'", lambda: MultiTokenProblem(np.eye(2)[None], [[1, 0]], [1, 0], "a")),
    ("mu: .*None", lambda: MultiTokenProblem(np.eye(2)[None], [[1, 0]], [1, 0], None)),
    ("problem: .*MultiTokenProblem", lambda: attsvm.decompose(P)),
    ("weights: .*nan", lambda: attsvm.decompose(SEVERAL).split(np.eye(3) * np.nan)),
    ("record: .*1.5", lambda: several(record=[1.5])),
    ("step_size: .*'a'", lambda: several(step_size="a")),
    ("step_size: .*overflow", lambda: several(step_size=1e308)),
    ("scale: .*None", lambda: factorised(scale=None)),
    ("record: .*'a'", lambda: factorised(record="a")),
    ("reference: .*direction", lambda: factorised().misalignment(np.zeros((2, 2)))),
    ("reference: .*'a'", lambda: factorised().misalignment("a")),
    ("values: .*\\(0,\\)", lambda: attsvm.sparsemax(torch.tensor([]))),
    ("values: .*None", lambda: attsvm.sparsemax(None)),
    ("n: .*'a'", lambda: attsvm.random_infeasible("a", 3, 2, 0)),
    ("bound: .*a tie", lambda: attsvm.random_scored(20, 20, 2, 0, whole=True, bound=1)),
]


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_says_what_was_expected_what_came_and_what_to_do(message, call):
    with pytest.raises(NumericError, match=message) as caught:
        call()
    text = str(caught.value)
    assert ": expected" in text
    assert "; got" in text
    assert text.endswith(".")
    assert text.count(". ") >= 1  # a remedy follows
    assert len(text) < 500


def test_rows_beyond_the_range_of_floats():
    long = attsvm.solve(Problem([[[HUGE, 0.0], [-HUGE, HUGE]]], [[1.0, 0.0]], [0]))
    assert long.norm_squared == 1 / (5 * Fraction(HUGE) ** 2)
    fractions = Problem([[[Fraction(HUGE), 0], [Fraction(-HUGE), 1]]], [[1, 0]], [0])
    assert attsvm.solve(fractions).certificate is not None
    short = Problem([[[TINY, 0.0], [0.0, TINY]]], [[TINY, 0.0]], [0])
    for options in ({}, {"exact": False}):
        with pytest.raises(NumericError, match=r"token 1 of sequence 0.*exceed 1\.8e308"):
            attsvm.solve(short, **options)
    for problem in (short, Problem([[[HUGE, 0.0], [-HUGE, HUGE]]], [[HUGE, 0.0]], [0])):
        with pytest.raises(NumericError, match="which cvxpy needs"):
            attsvm.solve(problem, method="cvxpy")


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("options", [{"method": "cvxpy"}, {"norm": "nuclear"}])
def test_the_reference_does_not_depend_on_the_unit(size, options):
    unit = Problem(np.array(TWO, dtype=float), [[1.0, 0.0]], [0])
    other = Problem(np.array(TWO) * size, [[size, 0.0]], [0])
    one, two = (attsvm.solve(problem, **options) for problem in (unit, other))
    np.testing.assert_allclose(two.matrix * size**2, one.matrix, rtol=1e-6, atol=1e-8)
    power = 2 if options.get("norm") == "nuclear" else 4
    np.testing.assert_allclose(two.multipliers * size**power, one.multipliers, rtol=1e-6)


def test_training_refuses_scores_that_its_dtype_cannot_tell_apart():
    close = Problem([[[1, 0], [0, 0], [0, 1]]], [[1, 0]], [0], [[1 + 1e-12, 0, 1]])
    assert trained(close).marks[-1] == 4
    with pytest.raises(NumericError, match="token 2 of sequence 0 in problem 0"):
        trained(close, dtype="float32")
    large = Problem([[[1e30, 0.0], [0.0, 0.0]]], [[1e30, 0.0]], [0], [[1, 0]])
    with pytest.raises(NumericError, match=r"float32 can hold.*problem 0"):
        trained(large, dtype="float32")


def test_sparsemax_of_large_values():
    shares = attsvm.sparsemax(torch.tensor([1e30, 1e30, 0.0]))
    assert shares.tolist() == [0.5, 0.5, 0.0]
    assert bool(attsvm.sparsemax(torch.tensor([math.inf, 1.0])).isnan().all())
    assert attsvm.sparsemax(np.array([1, 1])) == (Fraction(1, 2), Fraction(1, 2))


def test_the_path_in_float32():
    coarse = attsvm.regularization_path(P, [1.0, 2.0, 8.0], dtype="float32")
    fine = attsvm.regularization_path(P, [1.0, 2.0, 8.0])
    torch.testing.assert_close(coarse.matrices.double(), fine.matrices, rtol=1e-4, atol=1e-4)


def test_misalignment_takes_what_solve_returns():
    found = attsvm.solve(P).matrix
    assert float(attsvm.misalignment(found, found)) == 0
    assert attsvm.misalignment(trained().matrices, found).shape == (4,)


@pytest.mark.parametrize("problem", [P, SEVERAL])
@pytest.mark.parametrize("again", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_are_as_read_only_as_the_original(problem, again):
    other = again(problem)
    assert np.array_equal(other.tokens, problem.tokens)
    assert np.array_equal(other.scores, problem.scores)
    for name in ("tokens", "queries"):
        assert not getattr(other, name).flags.writeable


def test_solutions_and_certificates_cross_processes():
    found = attsvm.solve(attsvm.random_problem(4, 3, 4, 0))
    other = pickle.loads(pickle.dumps(found))
    assert other.certificate == found.certificate
    assert np.array_equal(other.matrix, found.matrix)


def test_what_is_printed_is_short():
    large = attsvm.random_problem(10, 5, 10, 0)
    found = attsvm.solve(large)
    assert repr(large) == "Problem(n=10, T=5, d=10, whole numbers, without scores)"
    assert repr(trained(BATCH)) == "Trajectory(2 problems, 4 marks from 1 to 4)"
    parts = attsvm.decompose(SEVERAL)
    with pytest.raises(attsvm.Infeasible) as caught:
        attsvm.solve(HULL)
    for value in (
        found,
        found.certificate,
        caught.value.farkas,
        factorised(),
        several(),
        SEVERAL,
        parts,
        parts.split(np.eye(3)),
    ):
        assert repr(value).startswith(type(value).__name__ + "(")
        assert len(repr(value)) < 120


def test_runs_do_not_depend_on_the_number_of_threads():
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            found.append((trained(BATCH * 20).matrices, several([SEVERAL] * 40).weights))
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(one, two) for one, two in zip(*found, strict=True))
