"""The kernel withstands every attack: it neither believes, nor refutes, nor raises."""

import pytest
from attacks import (  # noqa: F401  registers the attacks
    ATTACKS,
    ONE,
    SUPPORT,
    ZERO,
    F,
    binders,
    boxes,
    certificates,
    conjunctions,
    d,
    experiments,
    hypotheses,
    judged,
    k,
    limits,
    line,
    moments,
    names,
    orbits,
    proof,
    refactored,
    rel,
    separation,
    signs,
    single,
    steps,
    types,
    values,
    x,
)
from attacks.conjunctions import LIE, TRUTH, TRUTH_SHOWN
from attacks.experiments import sampled
from attacks.moments import degree_with_fractions, moment_with_a_variable_twice
from attacks.names import number_as_a_variable
from sympy import (
    Abs,
    Derivative,
    Integral,
    Max,
    Rational,
    Sum,
    binomial,
    factorial,
    floor,
    gamma,
    oo,
    pi,
    sin,
)

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Domain,
    Every,
    Limit,
    Maximum,
    Rank,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import (
    Counterexample,
    Enclosure,
    Instance,
    Part,
    RankCertificate,
)


@pytest.mark.parametrize("name", ATTACKS)
def test_kernel_withstands(name):
    kind, make = ATTACKS[name]
    verdict = judged(make())
    wrong = SUPPORT if kind == "false" else {"refuted"}
    assert verdict.outcome not in wrong | {"conflict"}, verdict.detail


def nested(depth):
    expr = x
    for _ in range(depth):
        expr = sin(expr, evaluate=False) + 1
    return expr


CRASHES = {
    "derivative that stays": lambda: (
        Maximum(-Abs(x), x, interval(-1, 1, "[]"), ZERO),
        Enclosure((x,), (), around=(F(-1), F(1))),
    ),
    "derivative of a floor": lambda: single(
        rel(Derivative(floor(x), x), ">", 0, ((x, REALS),)), "sign"
    ),
    "derivative of a floor in a box": lambda: (
        rel(Derivative(floor(x), x), ">", 0, ((x, interval(0, 1, "[]")),)),
        Enclosure((x,), (((F(0), F(1)),),)),
    ),
    "sum up to its own index": lambda: single(
        rel(Sum(k, (k, 1, k)), ">=", 0, ((k, integers(1)),)), "sign"
    ),
    "duplicated generators": lambda: moment_with_a_variable_twice(),
    "coefficients that are no integers": lambda: degree_with_fractions(),
    "conjunction of nothing": lambda: (Every(()),),
    "deep statement": lambda: single(rel(nested(400), ">", -5, ((x, REALS),)), "sign"),
    "deep conjunction": lambda: (deep_every(2000),),
    "indefinite integral": lambda: single(rel(Integral(x, x), ">", 0, ((x, REALS),)), "sign"),
    "claim without a name": lambda: proof(Line(TRUTH, "claim")),
    "no statement": lambda: (None, TRUTH_SHOWN),
    "text as statement": lambda: ("0 = 1", TRUTH_SHOWN),
    "statement class": lambda: (Relation, TRUTH_SHOWN),
    "evidence None": lambda: (TRUTH, None),
    "lines None": lambda: (TRUTH, Derivation(None)),
    "line of nothing": lambda: (TRUTH, Derivation((None,))),
    "line with bad args": lambda: (TRUTH, Derivation((Line(TRUTH, "ground", (), (1, 2)),))),
    "line with a text number": lambda: (TRUTH, Derivation((Line(TRUTH, "linear", ("1",)),))),
    "rule is a list": lambda: (TRUTH, Derivation((Line(TRUTH, []),))),
    "python numbers": lambda: (Relation(0, "=", 0), TRUTH_SHOWN),
    "python bounds": lambda: single(Relation(x, ">", ZERO, ((x, Domain(1, 2)),)), "sign"),
    "unknown operator": lambda: single(rel(0, "==", 0), "ground"),
    "infinite number": lambda: single(rel(oo, ">", 0), "ground"),
    "infinite bound of a domain": lambda: single(rel(x, ">", 0, ((x, above(oo)),)), "sign"),
    "part text": lambda: (Every((TRUTH,)), Part("0", TRUTH_SHOWN)),
    "instance of nothing": lambda: (TRUTH, Instance(None, TRUTH_SHOWN)),
    "boxes of nothing": lambda: (TRUTH, Enclosure((), None)),
    "pole of gamma": lambda: single(rel(gamma(x), ">", 0, ((x, integers(-1, 1)),)), "enumerate"),
    "binomial below zero": lambda: single(
        rel(binomial(x, -1), "=", 0, ((x, integers(-1, 1)),)), "enumerate"
    ),
    "factorial below zero": lambda: single(
        rel(factorial(x), ">", 0, ((x, integers(-1, 1)),)), "enumerate"
    ),
    "max of a symbol": lambda: single(rel(Max(x, 0), ">=", 0, ((x, REALS),)), "sign"),
    "sequence put by a number": lambda: (
        rel(d[1], ">", 0, ((d, REALS),)), Counterexample(((d, ONE),)),
    ),
    "text in a point": lambda: (rel(x, ">", 0, ((x, REALS),)), Counterexample((("x", ONE),))),
    "matrix of text": lambda: (Rank((("a",),), 1), RankCertificate(7, (0,), (0,), ((F(1),),))),
    "prime text": lambda: (Rank(((ONE,),), 1), RankCertificate("7", (0,), (0,), ((F(1),),))),
    "prime zero": lambda: (Rank(((ONE,),), 1), RankCertificate(0, (0,), (0,), ((F(1),),))),
    "batches None": lambda: sampled(batches=None),
    "limit of everything": lambda: single(Limit(x, x, (), ()), "limit"),
}  # fmt: skip


def deep_every(depth):
    statement = TRUTH
    for _ in range(depth):
        statement = Every((statement,))
    return statement


@pytest.mark.parametrize("name", CRASHES)
def test_kernel_never_raises(name):
    verdict = judged(CRASHES[name]())
    assert verdict.outcome in ("inconclusive", "refuted", "proved")


def test_lemma_named_none_does_not_crash():
    statement, evidence = proof(Line(TRUTH, "claim"))
    check("attack", statement, (evidence,), {"None": (TRUTH, "proved")})


def test_evidence_that_is_no_tuple_does_not_crash():
    assert check("attack", TRUTH, None).outcome == "inconclusive"


def test_claim_over_a_number_is_of_no_use():
    """ "for all pi in [4, 5]: pi > 7/2" must not give pi > 7/2."""
    premise, _ = number_as_a_variable()
    statement, evidence = proof(
        line(premise, "claim", name="odd"),
        line(rel(pi, ">", Rational(7, 2)), "substitute", 1, pi=Rational(9, 2)),
    )
    outcome = check("attack", statement, (evidence,), {"odd": (premise, "certified")}).outcome
    assert outcome == "inconclusive"


def test_only_judged_claims_count():
    statement, evidence = proof(line(LIE, "claim", name="lie"))
    for outcome in ("confirmed", "refuted", "inconclusive", "conflict", ""):
        lemmas = {"lie": (LIE, outcome)}
        assert check("attack", statement, (evidence,), lemmas).outcome == "inconclusive"
