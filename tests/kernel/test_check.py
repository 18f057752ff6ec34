"""Verdicts: how findings combine, what derivations may cite, what is no statement at all."""

import re
from dataclasses import dataclass, replace

import pytest
from sympy import Float, Integer, Rational, Symbol, cosh, exp, log, oo, sinh, symbols

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Domain,
    Every,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    PolynomialDegree,
    Rank,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel import OUTCOMES, Finding, Verdict, check
from lemmata.verify.kernel.derivations import ALL as RULES
from lemmata.verify.kernel.derivations import derivation
from lemmata.verify.kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Enumeration,
    Instance,
    Part,
)
from lemmata.verify.kernel.facts import FACTS, Fact
from lemmata.verify.kernel.terms import Rejected

x, y, n, u = symbols("x y n u")
ZERO, ONE, TWO = map(Integer, range(3))
TRUE, FALSE = Relation(ZERO, "<", ONE), Relation(ONE, "<", ZERO)
WHOLE = Relation(2**n, ">", n, ((n, integers(0, 9)),))
ALL = Relation(2**n, ">", n, ((n, integers(0)),))
SOME = Enumeration(5, 5)
CASES = Enumeration(10)


def by(rule, statement, *using, **args):
    return Line(statement, rule, using, tuple(args.items()))


def proof(*lines):
    return Derivation(lines)


GROUND = proof(by("ground", TRUE))
AS_IT_STANDS = Counterexample(())
SHOWN = proof(by("enumerate", WHOLE))
MOMENT = Mean(u**4, ((u, "normal"),), Integer(3))
GAUSS = proof(by("isserlis", MOMENT))
DEGREE = PolynomialDegree(x**2, (x,), TWO)
LINE = DegreeCertificate(7, (0,), (1,))

VERDICTS = [
    ("proved", TRUE, (GROUND,)),
    ("refuted", FALSE, (AS_IT_STANDS,)),
    ("inconclusive", TRUE, ()),
    ("inconclusive", TRUE, (AS_IT_STANDS,)),
    ("inconclusive", FALSE, (proof(by("ground", FALSE)),)),
    ("proved", WHOLE, (SHOWN,)),
    ("certified", WHOLE, (CASES,)),
    ("proved", WHOLE, (CASES, SHOWN)),
    ("proved", WHOLE, (SHOWN, CASES)),
    ("confirmed", ALL, (SOME,)),
    ("proved", DEGREE, (LINE, proof(by("degree", DEGREE)))),
    ("refuted", replace(DEGREE, value=ONE), (LINE,)),
    ("proved", MOMENT, (GAUSS,)),
    ("inconclusive", WHOLE, (Enumeration(9),)),
    ("certified", WHOLE, (Enumeration(9), CASES)),
    ("proved", Every((TRUE, WHOLE)), (Part(0, GROUND), Part(1, SHOWN))),
    ("certified", Every((TRUE, WHOLE)), (Part(0, GROUND), Part(1, CASES))),
    ("confirmed", Every((WHOLE, ALL)), (Part(0, CASES), Part(1, SOME))),
    ("proved", Every((TRUE, WHOLE)), (Part(1, CASES), Part(0, GROUND), Part(1, SHOWN))),
    ("inconclusive", Every((TRUE, WHOLE)), (Part(0, GROUND),)),
    ("inconclusive", Every((TRUE, WHOLE)), (Part(1, SHOWN), Part(1, CASES))),
    ("refuted", Every((TRUE, FALSE)), (Part(1, AS_IT_STANDS),)),
    ("refuted", Every((TRUE, FALSE)), (Part(0, GROUND), Part(1, AS_IT_STANDS))),
    ("inconclusive", Every((TRUE, FALSE)), (Part(0, GROUND), Part(2, AS_IT_STANDS))),
    ("inconclusive", Every((TRUE, FALSE)), (Part(-1, AS_IT_STANDS),)),
    ("inconclusive", FALSE, (Part(0, AS_IT_STANDS),)),
    ("proved", Every((TRUE, TRUE)),
         (proof(by("ground", TRUE), by("every", Every((TRUE, TRUE)), 1)),)),
    ("confirmed", ALL,
         (Instance(((n, TWO),), proof(by("ground", Relation(Integer(4), ">", TWO)))),)),
    ("refuted", Relation(x, "<", n, ((n, integers(0)), (x, REALS))),
     (Instance(((n, TWO),), Counterexample(((x, TWO),))),)),
    ("inconclusive", ALL, (Instance(((n, -TWO),), AS_IT_STANDS),)),
    ("inconclusive", ALL, (Instance(((n, TWO),), AS_IT_STANDS),)),
    ("confirmed", Every((ALL,)), (Part(0, Instance(((n, ZERO),), Enumeration(1))),)),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "statement", "evidence"), VERDICTS)
def test_outcomes(outcome, statement, evidence):
    verdict = check("family.name", statement, evidence)
    assert verdict.outcome == outcome
    assert verdict.claim == "family.name"
    assert len(verdict.findings) == len(evidence)
    assert outcome in OUTCOMES


# No single statement can be proved and refuted by a sound kernel: a broken rule stands in.
@pytest.fixture
def credulous(monkeypatch):
    monkeypatch.setitem(RULES, "believe", lambda conclusion, premises, args: ())


def test_support_and_refutation_make_a_conflict(credulous):
    believed = proof(by("believe", FALSE))
    assert check("c", FALSE, (believed, AS_IT_STANDS)).outcome == "conflict"
    assert check("c", FALSE, (AS_IT_STANDS, believed)).outcome == "conflict"
    both = Every((TRUE, FALSE))
    parts = (Part(0, GROUND), Part(1, believed), Part(1, AS_IT_STANDS))
    assert check("c", both, parts).outcome == "conflict"
    assert check("c", both, parts[1:]).outcome == "conflict"
    whole = proof(by("believe", both))
    assert check("c", both, (whole, Part(1, AS_IT_STANDS))).outcome == "conflict"
    assert check("c", both, (whole,)).outcome == "proved"


def test_agreement_in_part_does_not_contradict_a_failure(credulous):
    """x < 3 holds at 1 and 2; that it fails at 5 refutes it all the same."""
    small = Relation(x, "<", Integer(3), ((x, integers(1)),))
    fails = Counterexample(((x, Integer(5)),))
    agrees = (Instance(((x, Integer(1)),), Enumeration(1)), Enumeration(2, 2))
    for evidence in agrees:
        assert check("c", small, (evidence,)).outcome == "confirmed"
        assert check("c", small, (evidence, fails)).outcome == "refuted"
        parts = (Part(0, evidence), Part(0, fails))
        assert check("c", Every((small,)), parts).outcome == "refuted"
    believed = proof(by("believe", small))
    assert check("c", small, (believed, *agrees, fails)).outcome == "conflict"


def test_a_verdict_is_no_truth_value():
    verdict = check("c", TRUE, (GROUND,))
    with pytest.raises(TypeError, match=r"compare verdict\.outcome"):
        bool(verdict)
    with pytest.raises(TypeError):
        assert verdict
    with pytest.raises(AttributeError):
        verdict.outcome = "refuted"


def test_what_a_verdict_says():
    verdict = check("c", MOMENT, (GAUSS, GAUSS, AS_IT_STANDS))
    assert verdict.facts == ("Isserlis",)
    assert verdict.uses == ()
    assert [f.outcome for f in verdict.findings] == ["proved", "proved", "rejected"]
    assert verdict.detail == "Derivation: 1 lines re-checked; Derivation: 1 lines re-checked"
    assert check("c", TRUE, ()).detail == "no evidence was brought"
    assert "the statement holds" in check("c", TRUE, (AS_IT_STANDS,)).detail
    assert check("c", TRUE, [GROUND]).outcome == "inconclusive"
    wrong = replace(MOMENT, value=TWO)
    rejected = check("c", wrong, (proof(by("isserlis", MOMENT), by("isserlis", wrong)),))
    assert rejected.facts == ()
    assert "line 2 (isserlis): the moment differs" in rejected.detail


@pytest.mark.parametrize(
    ("statement", "index"), [(Every((TRUE, FALSE)), 2), (Every((TRUE, FALSE)), -1), (FALSE, 0)]
)
def test_parts_that_do_not_exist(statement, index):
    (finding,) = check("c", statement, (Part(index, AS_IT_STANDS),)).findings
    assert (finding.evidence, finding.detail) == ("Part", "the statement has no such part")


def test_labels_tell_parts_and_instances():
    verdict = check("c", Every((TRUE, MOMENT)), (Part(1, GAUSS), Part(0, GROUND)))
    assert [f.evidence for f in verdict.findings] == ["Part 2 Derivation", "Part 1 Derivation"]
    assert verdict.facts == ("Isserlis",)
    instance = Instance(((n, TWO),), proof(by("ground", Relation(Integer(4), ">", TWO))))
    (finding,) = check("c", ALL, (instance,)).findings
    assert finding.evidence == "Instance Derivation"
    assert finding.detail.startswith("at n = 2: ")


LEMMAS = {
    "f.proved": (TRUE, "proved"), "f.certified": (WHOLE, "certified"),
    "f.confirmed": (ALL, "confirmed"), "f.refuted": (FALSE, "refuted"),
    "f.open": (MOMENT, "inconclusive"), "f.odd": (FALSE, "conflict"),
}  # fmt: skip


def citing(name, statement):
    """A conjunction that rests on a claim."""
    whole = Every((statement, TRUE))
    return whole, proof(
        by("claim", statement, name=name), by("ground", TRUE), by("every", whole, 1, 2)
    )


@pytest.mark.parametrize(
    ("outcome", "name", "statement"),
    [
        ("proved", "f.proved", TRUE),
        ("certified", "f.certified", WHOLE),
        ("inconclusive", "f.confirmed", ALL),
        ("inconclusive", "f.refuted", FALSE),
        ("inconclusive", "f.open", MOMENT),
        ("inconclusive", "f.odd", FALSE),
        ("inconclusive", "f.unknown", TRUE),
        ("inconclusive", "f.proved", WHOLE),
        ("inconclusive", "f.proved", FALSE),
    ],
)
def test_claims_that_are_cited(outcome, name, statement):
    whole, derivation = citing(name, statement)
    verdict = check("c", whole, (derivation,), LEMMAS)
    assert verdict.outcome == outcome
    assert verdict.uses == ((name,) if outcome != "inconclusive" else ())
    assert check("c", whole, (derivation,)).outcome == "inconclusive"


def test_a_certified_claim_weakens_all_that_rests_on_it():
    whole = Every((TRUE, WHOLE))
    first, second = by("claim", TRUE, name="f.proved"), by("claim", WHOLE, name="f.certified")
    for lines in ((first, second), (second, first)):
        verdict = check("c", whole, (proof(*lines, by("every", whole, 1, 2)),), LEMMAS)
        assert verdict.outcome == "certified"
        assert set(verdict.uses) == {"f.proved", "f.certified"}
    (own,) = check("c", Every((whole.parts[1],)), (Part(0, proof(second)),), LEMMAS).uses
    assert own == "f.certified"
    nested = check("c", Every((ALL,)), (Part(0, Instance(((n, ONE),), proof(
        by("claim", Relation(TWO, ">", ONE), name="f.two")))),),
             {"f.two": (Relation(TWO, ">", ONE), "proved")})  # fmt: skip
    assert (nested.outcome, nested.uses) == ("confirmed", ("f.two",))


SIGN = Relation(exp(x), ">", ZERO, ((x, REALS),))
DERIVATIONS = [
    ("line 1 (claim)", TRUE, proof(by("claim", TRUE))),
    ("is empty", TRUE, proof()),
    ("ends at another statement", TRUE, proof(by("ground", Relation(ZERO, "<", TWO)))),
    ("ends at another statement", TRUE, proof(by("ground", TRUE), by("sign", SIGN))),
    ("ends at another statement", SIGN, proof(by("sign", replace(SIGN, over=((x, above(0)),))))),
    ("line 1 (guess): there is no such rule", TRUE, proof(by("guess", TRUE))),
    ("line 1 (every): it uses a line that is not above it", Every((TRUE,)),
         proof(by("every", Every((TRUE,)), 1))),
    ("line 1 (every): it uses a line that is not above it", Every((TRUE,)),
         proof(by("every", Every((TRUE,)), 2))),
    ("line 2 (every): it uses a line that is not above it", Every((TRUE,)),
     proof(by("ground", TRUE), by("every", Every((TRUE,)), 0))),
    ("line 2 (every): it uses a line that is not above it", Every((TRUE,)),
     proof(by("ground", TRUE), by("every", Every((TRUE,)), -1))),
    ("line 1 (ground): 1 < 0 is false", TRUE, proof(by("ground", FALSE), by("ground", TRUE))),
    ("is not in the language", TRUE,
         proof(by("ground", TRUE), by("linear", TRUE, 1, rest=Float(0.5)))),
    ("carries assumptions", TRUE, proof(by("linear", TRUE, rest=Symbol("p", positive=True)))),
]  # fmt: skip


@pytest.mark.parametrize(("why", "statement", "evidence"), DERIVATIONS)
def test_derivations_that_are_refused(why, statement, evidence):
    with pytest.raises(Rejected, match=re.escape(why)):
        derivation(statement, evidence, {})
    assert check("c", statement, (evidence,)).outcome == "inconclusive"


@pytest.fixture
def squares(monkeypatch):
    """A fact with relations as instances; so far none of the listed ones has."""
    fact = Fact("squares", "Euclid", "b^2 >= 0", lambda b: Relation(b**2, ">=", ZERO))
    equal = Fact("hyperbola", "Lambert", "cosh^2 = 1 + sinh^2",
                 lambda b: Relation(cosh(b) ** 2, "=", 1 + sinh(b) ** 2))  # fmt: skip
    monkeypatch.setitem(FACTS, "squares", fact)
    monkeypatch.setitem(FACTS, "hyperbola", equal)


ON_X = ((x, REALS),)
KNOWN = by("fact", Relation(x**2, ">=", ZERO, ON_X), name="squares", b=x)
HYPERBOLA = by("fact", Relation(cosh(x) ** 2, "=", 1 + sinh(x) ** 2, ON_X), name="hyperbola", b=x)
TRIPLE = Relation(3 * cosh(x) ** 2, "=", 3 + 3 * sinh(x) ** 2, ON_X)
SCALED = Relation(x * cosh(x) ** 2, "=", x + x * sinh(x) ** 2, ON_X)
SIGNS = FACTS["sum of signs"].instance(Integer(5), ONE)
COINS = by("fact", SIGNS, name="sum of signs", count=Integer(5), below=ONE)


@pytest.mark.parametrize(
    ("fact", "claim", "rule"),
    [
        (KNOWN, Relation(x**2, ">=", ZERO, ON_X), None),
        (KNOWN, Relation(x**2 + 1, ">=", ONE, ON_X),
             by("linear", Relation(x**2 + 1, ">=", ONE, ON_X), 1)),
        (KNOWN, Relation(-(x**2), "<=", ZERO, ON_X),
             by("linear", Relation(-(x**2), "<=", ZERO, ON_X), 1)),
        (HYPERBOLA, HYPERBOLA.statement, None),
        (HYPERBOLA, TRIPLE, by("linear", TRIPLE, 1, c1=Integer(3))),
        (COINS, SIGNS, None),
        (KNOWN, Every((Relation(x**2, ">=", ZERO, ON_X),)),
             by("every", Every((Relation(x**2, ">=", ZERO, ON_X),)), 1)),
    ],
)  # fmt: skip
def test_a_fact_may_not_be_the_claim_in_other_words(squares, fact, claim, rule):
    lines = (fact,) if rule is None else (fact, rule)
    verdict = check("c", claim, (proof(*lines),))
    assert verdict.outcome == "inconclusive"
    assert "a fact may not be the claim itself" in verdict.detail


def test_a_fact_may_be_a_step(squares):
    claim = Relation(x**2 + exp(x), ">", ZERO, ON_X)
    verdict = check("c", claim, (proof(KNOWN, by("linear", claim, 1, rest=exp(x))),))
    assert (verdict.outcome, verdict.facts) == ("proved", ("squares",))
    verdict = check("c", SCALED, (proof(HYPERBOLA, by("linear", SCALED, 1, c1=x)),))
    assert (verdict.outcome, verdict.facts) == ("proved", ("hyperbola",))
    verdict = check("c", TRUE, (proof(COINS, by("ground", TRUE)),))
    assert (verdict.outcome, verdict.facts) == ("proved", ("sum of signs",))


@dataclass(frozen=True)
class Forged(Relation):
    """Looks like a relation."""


EVENT = Mean(Relation(x, "<", ONE), ((x, "sign"),), Rational(1, 2))
NO_STATEMENTS = [
    ("not a kind of statement", Forged(ZERO, "<", ONE)),
    ("not a kind of statement", "0 < 1"),
    ("not a kind of statement", Domain()),
    ("does not belong", Every(([TRUE],))),
    ("does not belong", Relation(ZERO, "<", 1.5)),
    ("does not belong", Every((Forged(ZERO, "<", ONE),))),
    ("not in the language", Relation(Float(0.5), "<", ONE)),
    ("carries assumptions",
         Relation(Symbol("x", real=True), "<", ONE, ((Symbol("x", real=True), REALS),))),
    ("x has no domain", Relation(x, "=", x)),
    ("y has no domain", Relation(x, "<", x + y, ON_X)),
    ("y has no domain", Relation(x, "<", TWO, ON_X, (Relation(y, "<", ONE),))),
    ("y has no domain", Maximum(x * y, x, REALS, ONE)),
    ("y has no domain", Every((TRUE, Relation(x, "<", y, ON_X)))),
    ("y has no domain", Limit(x * y, ZERO, ((x, ZERO),), ON_X)),
    ("two domains", Relation(x, "<", TWO, ((x, above(0)), (x, REALS)))),
    ("two domains", Maximum(x, x, REALS, ONE, ON_X)),
    ("not shown to be defined", Relation(x, "<", TWO, ((x, above(log(y))),))),
    ("not a plain symbol", Maximum(x + ONE, x + ONE, REALS, ONE)),
    ("neither a symbol nor a sequence", Relation(x, "<", TWO, ((exp(x), REALS),))),
    ("limits the variable", Maximum(x, x, REALS, ONE, (), (Relation(x, "<", ONE),))),
    ("an event has no variables", replace(EVENT, quantity=Relation(x, "<", ONE, ON_X))),
    ("an event has no variables", replace(EVENT, quantity=Relation(x, "<", ONE, (), (TRUE,)))),
    ("y has no domain", replace(EVENT, quantity=Relation(x, "<", y))),
    ("y has no domain", replace(EVENT, quantity=x * y)),
    ("y has no domain", replace(EVENT, value=y)),
    ("y has no domain", Limit(x, ZERO, ((x * y, ZERO),), ON_X)),
    ("y has no domain", Limit(x, y, ((x, ZERO),), ON_X)),
    ("not in the language", Relation(x, "<", oo, ON_X)),
    ("rhs is no Expr", Relation(ZERO, "<", 1)),
    ("value is no Expr", Limit(x, 0, ((x, oo),), ON_X)),
    ("quantity is no Expr | Relation", replace(EVENT, quantity=Every((TRUE,)))),
    ("a relation without", Relation(x, "<", TWO, ON_X, (Maximum(x, x, REALS, ONE),))),
    ("y has no domain", Relation(x, "<", TWO, ON_X, (Relation(n, "<", ONE, ((n, above(y)),)),))),
    ("y has no domain", MaximumValue(x * y, x, REALS, ZERO, ONE)),
    ("y has no domain", PolynomialDegree(x * y, (x,), TWO)),
    ("two domains", PolynomialDegree(x, (x, x), ONE)),
    ("hypotheses of its own", Relation(x, "<", TWO, ON_X, (Relation(x, "<", ONE, (), (TRUE,)),))),
    ("at least one", Every(())),
    ("at least one", Every((Every((TRUE,)), TRUE))),
    ("infinite ends are open", Relation(x, "<", TWO, ((x, Domain(-oo, ONE, False, False)),))),
    ("infinite ends are open", Relation(x, "<", TWO, ((x, Domain(ONE, oo, False, False)),))),
    ("ends of integers closed",
         Relation(n, "<", TWO, ((n, Domain(ZERO, ONE, True, False, True)),))),
    ("ends of integers closed",
         Relation(n, "<", TWO, ((n, Domain(ZERO, ONE, False, True, True)),))),
]  # fmt: skip


@pytest.mark.parametrize(("why", "statement"), NO_STATEMENTS)
def test_what_is_no_statement(why, statement):
    verdict = check("c", statement, (proof(Line(statement, "ground")), AS_IT_STANDS))
    assert verdict.outcome == "inconclusive"
    (finding,) = verdict.findings
    assert (finding.evidence, finding.outcome) == ("Statement", "rejected")
    assert why in finding.detail


@pytest.mark.parametrize(
    ("why", "evidence"),
    [
        ("is not a kind of evidence", TRUE),
        ("is not a kind of evidence", "trust me"),
        ("does not belong", Verdict("c", "proved", (), (), (), "")),
        ("does not belong", Finding("Derivation", "proved", "")),
        ("is not a kind of evidence", None),
        ("does not belong", Enumeration(1.0)),
        ("there are 10 cases", Enumeration("10")),
        ("no domain", proof(by("ground", Relation(x, "=", x)), by("enumerate", WHOLE))),
        ("malformed", Counterexample(((n,),))),
    ],
)
def test_what_is_no_evidence(why, evidence):
    verdict = check("c", WHOLE, (evidence, CASES))
    assert verdict.outcome == "certified"
    assert verdict.findings[0].outcome == "rejected"
    assert why in verdict.findings[0].detail


@pytest.mark.parametrize(
    "statement",
    [
        Relation(n, ">=", ZERO, ((n, integers(0)),)),
        Relation(x, "<", TWO, ((x, interval(0, 1, "[]")),), (Relation(x, ">", ZERO),)),
        Maximum(-(x**2), x, REALS, ZERO),
        Limit(1 / x, ZERO, ((x, oo),), ((x, above(0)),)),
        Rank(((Rational(1, 2),),), 1),
        Every((TRUE, MOMENT)),
    ],
)
def test_statements_without_evidence_are_open(statement):
    verdict = check("c", statement, ())
    assert (verdict.outcome, verdict.findings) == ("inconclusive", ())
