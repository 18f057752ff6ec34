"""The exact certificates of `numeric.attsvm` pass the kernel, and nothing else does."""

from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Rational

from lemmata.numeric import attsvm
from lemmata.symbolic.statements import Infeasible, Minimiser
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import margins
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Multipliers


def system(problem):
    rows = tuple(tuple(exact(a) for a in row) for row in problem.atoms())
    return rows, (Integer(1),) * len(rows)


def exact(value):
    return Rational(value.numerator, value.denominator)


def outcome(statement, values):
    return check("margins", statement, (Multipliers(tuple(values)),)).outcome


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_two_hundred_certificates_pass_the_kernel(start):
    for seed in range(start, start + 20):
        problem = attsvm.random_problem(1 + seed % 6, 2 + seed % 4, 1 + seed % 5, seed)
        certificate = attsvm.solve(problem).certificate
        assert certificate is not None
        statement = Minimiser(*system(problem), tuple(map(exact, certificate.point)))
        values = certificate.all_multipliers(problem.m)
        assert outcome(statement, values) == "certified"
        # Another multiplier, another point or another token: the kernel sees it.
        place = seed % problem.m
        changed = [*values[:place], values[place] + Fraction(1, 7), *values[place + 1 :]]
        assert outcome(statement, changed) == "inconclusive"
        twice = tuple(2 * entry for entry in statement.point)
        assert outcome(replace(statement, point=twice), values) == "inconclusive"
        row = certificate.support[0]
        rows = [*statement.rows]
        rows[row] = tuple(entry + 1 for entry in rows[row])
        assert outcome(replace(statement, rows=tuple(rows)), values) == "inconclusive"


@pytest.mark.parametrize("start", range(0, 50, 10))
def test_fifty_infeasible_problems_pass_the_kernel(start):
    for seed in range(start, start + 10):
        length = 3 if seed % 6 == 0 else 2 + seed % 4
        problem = attsvm.random_infeasible(1 + seed % 6, length, 1 + seed % 5, seed)
        with pytest.raises(attsvm.Infeasible) as caught:
            attsvm.solve(problem)
        values = caught.value.multipliers
        statement = Infeasible(*system(problem))
        assert outcome(statement, values) == "certified"
        place = caught.value.farkas.support[0]
        changed = [*values[:place], values[place] + 1, *values[place + 1 :]]
        assert outcome(statement, changed) == "inconclusive"


def test_the_instances_are_those_of_the_solver():
    """The rows of the claims are written without `numeric`; both sides mean the same."""
    for data, problem in (
        (margins.LOC, attsvm.loc()),
        (margins.EQUAL, attsvm.equal_scores(4)),
    ):
        assert margins.shortest(data, 1).rows == system(problem)[0]
    for data in (margins.PLANE, margins.WIDE, margins.FULL, margins.SPACE, margins.IDLE):
        problem = attsvm.Problem(data.tokens, data.queries, data.optimal)
        assert data.rows() == system(problem)[0]


def test_the_degenerate_instances_are_degenerate():
    idle = attsvm.Problem(margins.IDLE.tokens, margins.IDLE.queries, margins.IDLE.optimal)
    certificate = attsvm.solve(idle).certificate
    assert certificate is not None
    assert set(certificate.support) < set(certificate.active)
    twins = attsvm.Problem(margins.TWINS.tokens, margins.TWINS.queries, margins.TWINS.optimal)
    assert "token 2 equals token 0" in attsvm.solve(twins).notes[0]


@pytest.mark.parametrize("claim", [margins.MAX_MARGIN, margins.INFEASIBLE], ids=lambda c: c.id)
def test_certified_and_every_mutant_refuted(claim):
    evidence = claim.certificate(claim.statement, Settings())
    assert check(claim.id, claim.statement, evidence).outcome == claim.expected == "certified"
    for mutant in claim.mutants:
        evidence = claim.certificate(mutant.statement, Settings())
        assert check(claim.id, mutant.statement, evidence).outcome == "refuted", mutant.name
