"""Orbits of LOC and EQ(m): the SymPy maps against torch, the claims against the kernel."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
import torch
from sympy import Derivative, Integer, Rational, lambdify, symbols

from lemmata.numeric import attsvm as experiment
from lemmata.symbolic.attsvm import equal_step, loc_step
from lemmata.symbolic.attsvm.regions import iterates
from lemmata.symbolic.statements import Every, Orbit, Relation
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm.orbits import (
    EQUAL_SCORES_TRAP,
    GD_AS_STATED,
    GD_EQUAL_SCORES,
    INIT_DEPENDENCE,
    equal_descends,
    follow,
    gd_as_stated,
    init_dependence,
    loc_descends,
    on_equal,
    on_loc,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, Part, Trap

w1, w2, k = symbols("w1 w2 k")
CLAIMS = (GD_AS_STATED, INIT_DEPENDENCE, GD_EQUAL_SCORES, EQUAL_SCORES_TRAP)
RATE = Rational(3, 4)
PROBLEMS = [
    (experiment.loc(), loc_step(RATE)),
    *((experiment.equal_scores(m), equal_step(m, RATE)) for m in (1, 2, 3, 4, 7)),
]


def descend(problem: experiment.Problem, matrix: torch.Tensor) -> torch.Tensor:
    """One step against the gradient that autograd finds of the mean logistic loss."""
    tokens = torch.tensor(problem.tokens_float)
    queries = torch.tensor(problem.queries_float)
    scores = torch.tensor(problem.scores_float)
    weights = matrix.clone().requires_grad_()
    logits = torch.einsum("ntd,de,ne->nt", tokens, weights, queries)
    output = (torch.softmax(logits, 1) * scores).sum(1)
    torch.nn.functional.softplus(-output).mean().backward()
    assert weights.grad is not None
    return matrix - float(RATE) * weights.grad


@pytest.mark.parametrize(("problem", "step"), PROBLEMS)
def test_maps_agree_with_autograd(problem: experiment.Problem, step: tuple) -> None:
    generator = torch.Generator().manual_seed(0)
    images = [lambdify((w1, w2), image, "math") for _, image in step]
    for _ in range(20):
        matrix = 2 * torch.randn(2, 2, dtype=torch.float64, generator=generator)
        after = descend(problem, matrix)
        column = matrix[:, 0].tolist()
        found = [image(*column) for image in images]
        assert found == pytest.approx(after[:, 0].tolist(), rel=1e-12, abs=1e-12)
        assert torch.equal(after[:, 1], matrix[:, 1])


@pytest.mark.parametrize(
    ("problem", "orbit"),
    [
        (experiment.loc(), on_loc(w1, ">", 0, (1, 0), (), RATE)),
        (experiment.equal_scores(4), on_equal(4, RATE, w1, ">", 0)),
        (experiment.equal_scores(3), on_equal(3, RATE, w1, ">", 0)),
    ],
)
def test_orbits_agree_with_training(problem: experiment.Problem, orbit: Orbit) -> None:
    initial = torch.zeros(2, 2, dtype=torch.float64)
    initial[:, 0] = torch.tensor([float(value) for _, value in orbit.start])
    marks = (1, 10, 100, 400)
    run = experiment.train(
        problem, steps=400, step_size=float(RATE), initial=initial, record=marks, device="cpu"
    )
    kept = list(islice(iterates(orbit, {}), 401))
    for mark, matrix in zip(marks, run.matrices, strict=True):
        assert kept[mark] == pytest.approx(matrix[:, 0].tolist(), rel=1e-10)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_part_gets_its_verdict(claim) -> None:
    evidence = claim.certificate(claim.statement, Settings())
    verdict = check(claim.id, claim.statement, evidence)
    assert verdict.outcome == claim.expected
    assert [item.index for item in evidence] == list(range(len(claim.statement.parts)))
    for finding, part in zip(verdict.findings, claim.statement.parts, strict=True):
        earned = "refuted" if claim.expected == "refuted" else "proved"
        derived = isinstance(part, Orbit | Relation)
        assert finding.outcome == (earned if derived else "certified")


@pytest.mark.parametrize("claim", [GD_AS_STATED, GD_EQUAL_SCORES], ids=lambda claim: claim.id)
def test_refuted_by_a_trap_alone(claim) -> None:
    kinds = [type(item.evidence) for item in follow(claim.statement, Settings())]
    assert kinds[1:] == [Trap]
    orbit = claim.statement.parts[1]
    once = Counterexample((), start=Integer(3))
    assert check("once", orbit, (once,)).outcome == "inconclusive"


def test_the_stated_loss_is_the_one_that_is_trained() -> None:
    """Its value, by torch's softmax from tokens and decoder."""
    for problem, relation in (
        (experiment.loc(), loc_descends()[0]),
        (experiment.equal_scores(3), equal_descends(3)[0]),
    ):
        (derivative,) = relation.lhs.atoms(Derivative)
        stated = lambdify((w1, w2), derivative.expr, "math")
        tokens, scores = torch.tensor(problem.tokens_float), torch.tensor(problem.scores_float)
        for column in ((0.3, -1.2), (2.0, 0.7)):
            logits = tokens @ torch.tensor(column, dtype=torch.float64)
            output = (torch.softmax(logits, 1) * scores).sum(1)
            assert stated(*column) == pytest.approx(
                float(torch.nn.functional.softplus(-output).mean()), rel=1e-13
            )


def test_a_trap_serves_neither_another_start_nor_another_map() -> None:
    (trap,) = (item.evidence for item in follow(GD_AS_STATED.statement, Settings())[1:])
    other = gd_as_stated(start=(0, 0)).parts[1], gd_as_stated(rate=Integer(1)).parts[1]
    for orbit in other:
        assert check("other", orbit, (trap,)).outcome == "inconclusive"


def test_the_start_at_0_is_not_trapped() -> None:
    """There the statement as made is true of the margin, and nothing is found against it."""
    assert follow(gd_as_stated(start=(0, 0)), Settings())[1:] == ()
    near = on_loc(w2 - 3 * w1, ">=", 0, (0, 0), (), Rational(1, 2))
    (found,) = follow(near, Settings())
    assert check("near", near, (found,)).outcome == "proved"


@pytest.mark.parametrize("place", [2, 3, 4, 5, 6, 7])
def test_each_bound_is_refuted_where_it_is_turned(place: int) -> None:
    """The opposite of what is shown to hold for ever fails at an iterate."""
    part = init_dependence().parts[place]
    assert isinstance(part, Orbit)
    op = {"<=": ">", ">=": "<"}[part.holds.op]
    turned = replace(part, holds=Relation(part.holds.lhs, op, part.holds.rhs))
    found = follow(Every((turned,)), Settings())
    assert [type(item) for item in found] == [Part]
    assert check("turned", Every((turned,)), found).outcome == "refuted"
