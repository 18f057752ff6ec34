"""The two sides of family `degree` agree where they speak of the same thing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import Integer, N, Rational, Symbol

from lemmata.numeric import degree as experiment
from lemmata.symbolic import degree as theory
from lemmata.symbolic.statements import PolynomialDegree
from lemmata.verify.claim import Settings
from lemmata.verify.claims.degree import CLAIMS
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import DegreeCertificate


@pytest.mark.parametrize("extra", [Fraction(k, 7) for k in range(-6, 40, 5)])
def test_best_integers_agree(extra: Fraction) -> None:
    assert theory.best_integer_degree(extra) == experiment.best_integer(extra, low=2, high=60)


@pytest.mark.parametrize(
    "extra", [Fraction(-1, 2), Fraction(0), Fraction(1), Fraction(3), Fraction(22, 7)]
)
def test_closed_form_lies_in_the_enclosure(extra: Fraction) -> None:
    found = experiment.optimum_boxes(extra, low=Fraction(9, 8), high=Fraction(64))
    value = Fraction(str(N(theory.optimal_degree(extra), 40)))
    slack = Fraction(1, 2**60)
    assert found.optimum[0] - slack <= value <= found.optimum[1] + slack


def test_mixed_bound_is_the_exhaustive_optimum() -> None:
    """From budget 2 on; at budget 1 the formula gives the bound 4/3, which nothing reaches."""
    assert theory.mixed_bound(Integer(1)) == Rational(4, 3)
    for budget in range(2, 61):
        assert theory.mixed_bound(Integer(budget)) == experiment.mixed_optimum(budget)[0]


@pytest.mark.parametrize(("order", "depth"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)])
def test_random_networks_have_the_predicted_degree(order: int, depth: int) -> None:
    """The certificate of the torch side passes the kernel on SymPy's polynomial."""
    network = experiment.random_network(order, depth, 2, seed=order + 10 * depth)
    x, y = Symbol("x"), Symbol("y")
    line = experiment.certify_degree(network, seed=1)
    polynomial = theory.network_polynomial(network, (x, y))
    certificate = DegreeCertificate(line.prime, tuple(line.base), tuple(line.direction))
    statement = PolynomialDegree(polynomial, (x, y), Integer(order) ** depth)
    assert check("network", statement, (certificate,)).outcome == "certified"
    wrong = PolynomialDegree(polynomial, (x, y), Integer(order) ** depth + 1)
    assert check("network", wrong, (certificate,)).outcome == "refuted"


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.experiment], ids=lambda claim: claim.id)
def test_experiments_alone_never_contradict_the_verdict(claim) -> None:
    evidence = claim.experiment(claim.statement, Settings())
    outcome = check(claim.id, claim.statement, evidence).outcome
    assert evidence
    assert outcome == "refuted" if claim.expected == "refuted" else outcome != "refuted"
    assert outcome != "conflict"
