"""Means with parameters: relabelled sums of signs, the fact itself, enumeration, instances."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import (
    IndexedBase,
    Integer,
    Mul,
    Product,
    Rational,
    Sum,
    binomial,
    factorial,
    floor,
    sqrt,
    symbols,
)

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import Mean, Relation, above, integers
from lemmata.verify.kernel import check
from lemmata.verify.kernel.derivations import ALL
from lemmata.verify.kernel.evidence import Enumeration, Instance, SampleBatch, SequentialTest
from lemmata.verify.kernel.facts import FACTS
from lemmata.verify.kernel.instances import enumeration, fixed
from lemmata.verify.kernel.means import over_signs
from lemmata.verify.kernel.terms import Rejected

x, z, n, m, k, c, i, j, b = symbols("x z n m k c i j b")
s, w, v = IndexedBase("s"), IndexedBase("w"), IndexedBase("v")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
HALF = Rational(1, 2)
BOTH = ((w, "sign"), (z, "sign"))
FROM_ONE = ((n, integers(1)),)
PLAIN = Sum(z * w[k], (k, 1, n))


def rel(lhs, op, rhs):
    left, right = (Integer(side) if isinstance(side, int) else side for side in (lhs, rhs))
    return Relation(left, op, right)


def known(count=n, below=ONE, over=FROM_ONE):
    """P(s_1 + ... + s_count < below), as the fact states it."""
    return replace(FACTS["sum of signs"].instance(count, below), over=over)


def goal(total=PLAIN, below=ONE, premise=None, laws=BOTH, over=FROM_ONE, op="<"):
    premise = premise or known(over=over)
    return Mean(rel(total, op, below), laws, premise.value, over=over)


def relabel(conclusion, premise=None, total=PLAIN, **args):
    return ALL["relabel"](conclusion, (premise or known(),), {"sum": total, **args})


SQUARE = Sum(w[k, c] * v[k] * v[c + n], (k, 1, n), (c, 1, n))
ACCEPTED = {
    "a common sign": (goal(), known(), PLAIN, {}),
    "a sign in each term": (
        goal(Sum(-z * w[k], (k, 1, n))), known(), Sum(-z * w[k], (k, 1, n)), {},
    ),
    "moved and scaled": (
        replace(goal(), quantity=rel(3 * PLAIN - 2, "<", 1)), known(), PLAIN, {"factor": THREE},
    ),
    "scaled by a parameter": (
        replace(goal(), quantity=rel(n * PLAIN, "<", n)), known(), PLAIN, {"factor": n},
    ),
    "scaled by what depends on chance": (
        replace(goal(), quantity=rel((z**2 + 1) * (PLAIN - 1), "<", 0)), known(), PLAIN,
        {"factor": z**2 + 1},
    ),
    "two indices": (
        goal(SQUARE, premise=known(n**2), laws=((w, "sign"), (v, "sign"))), known(n**2), SQUARE,
        {},
    ),
    "an entry before the range": (
        goal(Sum(w[0] * w[k], (k, 1, n)), laws=BOTH[:1]), known(), Sum(w[0] * w[k], (k, 1, n)), {},
    ),
    "an entry behind the range": (
        goal(Sum(w[n + 1] * w[k], (k, 1, n)), laws=BOTH[:1]), known(),
        Sum(w[n + 1] * w[k], (k, 1, n)), {},
    ),
    "another row": (
        goal(Sum(w[1, k] * w[2, k], (k, 1, n)), laws=BOTH[:1]), known(),
        Sum(w[1, k] * w[2, k], (k, 1, n)), {},
    ),
    "one term": (
        goal(w[1] * z, premise=known(ONE)), known(ONE), w[1] * z, {},
    ),
    "the value in another form": (
        replace(goal(premise=known(THREE, ZERO), total=Sum(z * w[k], (k, 1, 3)), below=ZERO),
                value=HALF), known(THREE, ZERO), Sum(z * w[k], (k, 1, 3)), {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_relabelled(name):
    conclusion, premise, total, args = ACCEPTED[name]
    assert relabel(conclusion, premise, total, **args) == ("fair signs",)


THRICE = Mean(rel(Sum(s[k], (i, 1, 3), (k, 1, 5)), "<", 2), ((s, "sign"),), HALF)
SHADOW = Mean(rel(Sum(s[i], (i, 1, 1), (i, 1, 3)), "<", 2), ((s, "sign"),), HALF)
FIVE = Sum(z * w[k], (k, 1, 5))
SAME = w[k]
REFUSED = {
    "no mean": ("must be a mean", rel(0, "<", 1), known(), PLAIN, {}),
    "no premise about a mean": ("must be a mean", goal(), rel(0, "<", 1), PLAIN, {}),
    "no event": ("must be probabilities", Mean(z, BOTH, ZERO, over=FROM_ONE), known(), PLAIN, {}),
    "a premise about no event": (
        "must be probabilities", goal(), Mean(z, BOTH, ZERO, over=FROM_ONE), PLAIN, {},
    ),
    "other parameters": ("the parameters differ", goal(), known(over=((n, integers(2)),)), PLAIN,
                         {}),
    "a premise about no sum": (
        "not about one sum", goal(), replace(known(), quantity=rel(s[1], "<", 1)), PLAIN, {},
    ),
    "a premise about two sequences": (
        "not about one sum", goal(), replace(known(), laws=((s, "sign"), (v, "sign"))), PLAIN, {},
    ),
    "a premise about normals": (
        "not about s_1", goal(), replace(known(), laws=((s, "normal"),)), PLAIN, {},
    ),
    "a premise from 0 on": (
        "not about s_1", goal(),
        replace(known(), quantity=rel(Sum(s[i], (i, 0, n)), "<", 1)), PLAIN, {},
    ),
    "a premise about squares": (
        "not about s_1", goal(),
        replace(known(), quantity=rel(Sum(s[i] ** 2, (i, 1, n)), "<", 1)), PLAIN, {},
    ),
    "a premise whose terms stand three times": (
        "not about s_1", goal(FIVE, TWO, THRICE, over=()), THRICE, FIVE, {},
    ),
    "a premise with an index twice": (
        "not about s_1", goal(Sum(z * w[k], (k, 1, 3)), TWO, SHADOW, over=()), SHADOW,
        Sum(z * w[k], (k, 1, 3)), {},
    ),
    "another count": (
        "there are n + 1 terms, not n", goal(Sum(z * w[k], (k, 0, n))), known(),
        Sum(z * w[k], (k, 0, n)), {},
    ),
    "a range that may be empty": (
        "may be empty", goal(Sum(z * w[k], (k, 1, n - 2))), known(),
        Sum(z * w[k], (k, 1, n - 2)), {},
    ),
    "a range that varies": (
        "a range varies", goal(Sum(w[k, c], (k, 1, c), (c, 1, n))), known(),
        Sum(w[k, c] * z, (k, 1, c), (c, 1, n)), {},
    ),
    "an index that is a parameter": (
        "two meanings", goal(Sum(z * w[n], (n, 1, 3))), known(), Sum(z * w[n], (n, 1, 3)), {},
    ),
    "an index twice": (
        "two meanings", goal(Sum(z * w[k], (k, 1, n), (k, 1, n))), known(n**2),
        Sum(z * w[k], (k, 1, n), (k, 1, n)), {},
    ),
    "a sum with a minus before it": (
        "the fact itself", goal(-PLAIN), known(), -PLAIN, {},
    ),
    "plain signs": (
        "the fact itself", goal(Sum(w[k], (k, 1, n))), known(), Sum(w[k], (k, 1, n)), {},
    ),
    "a parameter among the signs": (
        "n is no sign", goal(Sum(n * w[k], (k, 1, n))), known(), Sum(n * w[k], (k, 1, n)), {},
    ),
    "a number among the signs": (
        "2 is no sign", goal(Sum(2 * w[k], (k, 1, n))), known(), Sum(2 * w[k], (k, 1, n)), {},
    ),
    "a normal among the signs": (
        "z is no sign", goal(laws=((w, "sign"), (z, "normal"))), known(), PLAIN, {},
    ),
    "a square among the signs": (
        "is no sign", goal(Sum(z * w[k] ** 2, (k, 1, n))), known(),
        Sum(z * w[k] ** 2, (k, 1, n)), {},
    ),
    "a square that is not written as one": (
        "belong to its term alone", goal(Sum(Mul(SAME, SAME, evaluate=False), (k, 1, n))),
        known(), Sum(Mul(SAME, SAME, evaluate=False), (k, 1, n)), {},
    ),
    "no sign of its own": (
        "belong to its term alone", goal(Sum(z * x, (k, 1, n)), laws=(*BOTH, (x, "sign"))),
        known(), Sum(z * x, (k, 1, n)), {},
    ),
    "an index that its own sign misses": (
        "belong to its term alone", goal(Sum(z * w[k], (k, 1, n), (c, 1, n)), premise=known(n**2)),
        known(n**2), Sum(z * w[k], (k, 1, n), (c, 1, n)), {},
    ),
    "an index in two places": (
        "belong to its term alone", goal(Sum(z * w[k, k + c], (k, 1, n), (c, 1, n)),
                                         premise=known(n**2)),
        known(n**2), Sum(z * w[k, k + c], (k, 1, n), (c, 1, n)), {},
    ),
    "the neighbour's sign": (
        "belong to its term alone", goal(Sum(w[k] * w[k + 1], (k, 1, n)), laws=BOTH[:1]), known(),
        Sum(w[k] * w[k + 1], (k, 1, n)), {},
    ),
    "an entry of the range": (
        "belong to its term alone", goal(Sum(w[1] * w[k], (k, 1, n)), laws=BOTH[:1]), known(),
        Sum(w[1] * w[k], (k, 1, n)), {},
    ),
    "an entry that may be of the range": (
        "belong to its term alone", goal(Sum(w[m] * w[k], (k, 1, n)), laws=BOTH[:1],
                                         over=(*FROM_ONE, (m, integers(0)))),
        known(over=(*FROM_ONE, (m, integers(0)))), Sum(w[m] * w[k], (k, 1, n)), {},
    ),
    "the transposed entry": (
        "belong to its term alone",
        goal(Sum(w[k, c] * w[c, k], (k, 1, n), (c, 1, n)), premise=known(n**2), laws=BOTH[:1]),
        known(n**2), Sum(w[k, c] * w[c, k], (k, 1, n), (c, 1, n)), {},
    ),
    "at most": ("the event is not", goal(op="<="), known(), PLAIN, {}),
    "the other side": ("the event is not", goal(op=">"), known(), PLAIN, {}),
    "another bound": ("the event is not", goal(below=TWO), known(), PLAIN, {}),
    "another sum": ("the event is not", goal(Sum(z * w[k], (k, 0, n - 1))), known(), PLAIN, {}),
    "another factor": (
        "the event is not", replace(goal(), quantity=rel(3 * PLAIN, "<", 1)), known(), PLAIN,
        {"factor": THREE},
    ),
    "a negative factor": (
        "may not be positive", replace(goal(), quantity=rel(-PLAIN, "<", -1)), known(), PLAIN,
        {"factor": -ONE},
    ),
    "a factor that may vanish": (
        "may not be positive", replace(goal(), quantity=rel(z**2 * (PLAIN - 1), "<", 0)), known(),
        PLAIN, {"factor": z**2},
    ),
    "another value": ("the value changes", replace(goal(), value=HALF), known(), PLAIN, {}),
    "a value that depends on chance": (
        "not shown to be defined", replace(goal(), value=goal().value + z - z**3), known(), PLAIN,
        {},
    ),
    "a quotient that is not defined": (
        "not shown to be defined", replace(goal(), quantity=rel(PLAIN / (n - 2), "<", 1 / (n - 2))),
        known(), PLAIN, {"factor": 1 / (n - 2)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_not_relabelled(name):
    why, conclusion, premise, total, args = REFUSED[name]
    with pytest.raises(Exception, match=re.escape(why)):
        relabel(conclusion, premise, total, **args)


def test_a_sum_is_needed():
    with pytest.raises(KeyError, match="sum"):
        ALL["relabel"](goal(), (known(),), {})


def test_a_premise_of_a_wrong_size_proves_no_falsehood():
    """3(s_1 + ... + s_5) < 2 has probability 1/2; that s_1 + ... + s_5 < 2 has 13/16."""
    assert check("premise", THRICE, (Enumeration(32),)).outcome == "certified"
    false = Mean(rel(FIVE, "<", 2), BOTH, HALF)
    lines = (
        Line(THRICE, "claim", (), (("name", "premise"),)),
        Line(false, "relabel", (1,), (("sum", FIVE),)),
    )
    verdict = check("false", false, (Derivation(lines),), {"premise": (THRICE, "certified")})
    assert verdict.outcome == "inconclusive"
    assert check("false", false, (Enumeration(64),)).outcome == "refuted"


# The fact with parameters.
def fact(conclusion, count, below):
    args = {"name": "sum of signs", "count": count, "below": below}
    return ALL["fact"](conclusion, (), args)


@pytest.mark.parametrize(
    ("count", "below", "over"),
    [
        (n, ONE, FROM_ONE),
        (n, -n, FROM_ONE),
        (n - 1, m, ((n, integers(2)), (m, integers()))),
        (n**2, 1 - n, FROM_ONE),
        (THREE, floor(m / 2), ((m, integers()),)),
        (Integer(5), ZERO, ()),
        (Integer(5), Integer(-7), ()),
    ],
)
def test_the_fact_for_all_parameters(count, below, over):
    assert fact(known(count, below, over), count, below) == ("sum of signs",)


@pytest.mark.parametrize(
    ("why", "conclusion", "count", "below"),
    [
        ("the count must be positive", known(n, ONE, ((n, integers(0)),)), n, ONE),
        ("the count must be positive", known(n - 1), n - 1, ONE),
        ("must be integers", known(n, ONE, ((n, above(0)),)), n, ONE),
        ("must be integers", known(n, m, (*FROM_ONE, (m, above(0)))), n, m),
        ("must be integers", known(n / 2), n / 2, ONE),
        ("rename the parameters", known(i, ONE, ((i, integers(1)),)), i, ONE),
        ("rename the parameters", known(j, ONE, ((j, integers(1)),)), j, ONE),
        ("rename the parameters", known(n, ONE, (*FROM_ONE, (s, integers(1)))), n, ONE),
        ("defined", known(m), m, ONE),
        ("defined", known(n, factorial(n - 5)), n, factorial(n - 5)),
        ("the fact states", known(n), n, TWO),
        ("the fact states", known(n), n + 1, ONE),
        ("the fact states", replace(known(n), value=HALF), n, ONE),
        ("the fact states", replace(known(n), observable="coin"), n, ONE),
    ],
)
def test_no_instance_of_the_fact(why, conclusion, count, below):
    with pytest.raises(Exception, match=re.escape(why) + "|integers"):
        fact(conclusion, count, below)


def test_moments_have_no_parameters():
    moment = Mean(n * x**2, ((x, "normal"),), n, over=FROM_ONE)
    with pytest.raises(Exception, match="the moment has parameters"):
        ALL["isserlis"](moment, (), {})


# Enumeration of sequences of signs.
ENUMERATED = [
    ("certified", Mean(Sum(w[k], (k, 1, 3)) ** 2, BOTH[:1], THREE), 8),
    ("certified", Mean(Product(w[k], (k, 1, 3)), BOTH[:1], ZERO), 8),
    ("certified", Mean(w[1] * w[1, 1], BOTH[:1], ZERO), 4),
    ("certified", Mean(w[0] ** 2 + z, BOTH, ONE), 4),
    ("certified", Mean(Sum(w[k, c], (k, 1, c), (c, 1, 2)) ** 2, BOTH[:1], THREE), 8),
    ("certified", Mean(Sum(w[k], (k, 5, 2)), BOTH[:1], ZERO), 1),
    ("certified", Mean(rel(FIVE, "<", 2), BOTH, Rational(13, 16)), 64),
    ("certified", Mean(rel(sqrt(2) * z, "<", 1), BOTH[1:], HALF), 2),
    ("certified", Mean(rel(w[1], "<", 0), BOTH[:1], Sum(binomial(1, j), (j, 0, 0)) / 2), 2),
    ("certified", THRICE, 32),
    ("refuted", Mean(rel(FIVE, "<=", 1), BOTH, HALF), 64),
    ("refuted", Mean(Sum(w[k], (k, 1, 3)) ** 2, BOTH[:1], TWO), 8),
]
NOT_ENUMERATED = [
    ("parameters must be fixed", goal(), 4),
    ("cannot be enumerated", Mean(w[1] * x, (*BOTH[:1], (x, "normal")), ZERO), 4),
    ("are not integers", Mean(Sum(w[k], (k, 1, HALF)), BOTH[:1], ZERO), 1),
    ("not shown to be defined", Mean(w[z], BOTH, ZERO), 4),
    ("an entry has no number", Mean(w[floor(sqrt(2) * z)], BOTH, ZERO), 4),
    ("not shown to be defined", Mean(1 / w[1], BOTH[:1], ZERO), 2),
    ("not shown to be defined", Mean(w[1], BOTH[:1], w[1] - w[1] ** 3), 2),
    ("cannot be enumerated", Mean(Sum(w[k], (k, 1, 17)), BOTH[:1], ZERO), 2**17),
    ("there are 8 cases, not 4", Mean(Sum(w[k], (k, 1, 3)), BOTH[:1], ZERO), 4),
    ("not rational", Mean(sqrt(2) * w[1], BOTH[:1], ZERO), 2),
    ("rename it", Mean(Sum(w[k], (k, 1, 2), (k, 1, 2)), BOTH[:1], ZERO), 4),
]


@pytest.mark.parametrize(("outcome", "statement", "cases"), ENUMERATED)
def test_sequences_are_enumerated(outcome, statement, cases):
    assert enumeration(statement, Enumeration(cases)).outcome == outcome


@pytest.mark.parametrize(("why", "statement", "cases"), NOT_ENUMERATED)
def test_sequences_are_not_enumerated(why, statement, cases):
    with pytest.raises(Exception, match=re.escape(why) + "|defined"):
        enumeration(statement, Enumeration(cases))


# Instances.
def test_parameters_are_fixed():
    wide = goal(over=(*FROM_ONE, (m, integers(n))))
    assert fixed(goal(), {n: TWO}) == Mean(
        rel(Sum(z * w[k], (k, 1, 2)), "<", 1), BOTH,
        Sum(binomial(2, j), (j, 0, 1)) / 4,
    )  # fmt: skip
    assert fixed(wide, {n: TWO}).over == ((m, integers(2)),)
    assert fixed(wide, {}) == wide


@pytest.mark.parametrize(
    ("why", "statement", "point"),
    [
        ("outside its domain", goal(), {n: ZERO}),
        ("outside its domain", goal(), {n: HALF}),
        ("no variable", goal(), {z: ONE}),
        ("no variable", goal(), {w[1]: ONE}),
        ("no number", goal(), {n: m}),
        ("not shown to be defined", Mean(z / n, BOTH, ZERO, over=((n, integers(0)),)), {n: ONE}),
        ("is bound in", Mean(Sum(n, (n, 1, 2)) * z, BOTH, ZERO, over=FROM_ONE), {n: ONE}),
    ],
)
def test_parameters_are_not_fixed(why, statement, point):
    with pytest.raises(Exception, match=re.escape(why)):
        fixed(statement, point)


def test_instances_confirm_or_refute():
    some = tuple(Instance(((n, Integer(a)),), Enumeration(2 ** (a + 1))) for a in (1, 2, 3))
    assert check("mean", goal(), some).outcome == "confirmed"
    ties = goal(op="<=")
    assert check("mean", ties, some[::2]).outcome == "refuted"
    assert check("mean", goal(), (Enumeration(4),)).outcome == "inconclusive"


def test_a_simulation_has_the_parameters_of_its_instance():
    """A test of the mean at one n says nothing about the mean at another."""
    statement = Mean(
        x + n, ((x, "sign"),), n, "coin", (("n", n),), n, n / 2, over=((n, integers(1)),)
    )
    sums = tuple(map(Fraction, (8, 8, 0, 0)))
    at_one = SequentialTest(
        "coin", (("n", ONE),), Fraction(1), Fraction(0), Fraction(1, 100), Fraction(1, 2), 0, 32,
        (SampleBatch(0, 32, sums), SampleBatch(1, 32, sums)),
    )  # fmt: skip
    assert check("mean", statement, (Instance(((n, ONE),), at_one),)).outcome == "confirmed"
    assert check("mean", statement, (Instance(((n, TWO),), at_one),)).outcome == "inconclusive"
    unnamed = replace(at_one, parameters=(("n", n),))
    assert check("mean", statement, (Instance(((n, ONE),), unnamed),)).outcome == "inconclusive"
    assert check("mean", statement, (at_one,)).outcome == "inconclusive"


@pytest.mark.parametrize(
    ("law", "value"),
    [("1..6", Rational(7, 2)), ("0..0", ZERO), ("3..4", Rational(7, 2)), ("sign", ZERO)],
)
def test_integers_are_enumerated(law, value):
    cases, found = over_signs(Mean(x, ((x, law),), value))
    assert (cases, found) == ({"1..6": 6, "0..0": 1}.get(law, 2), value)


@pytest.mark.parametrize(
    "law", ["6..1", "+1..2", "１..2", "1...3", "1..", "..", "1..2..3", "-1..1", " 1..2", "1_0..20",
            "normal", "", "0..999999999", "0..65536"],
)  # fmt: skip
def test_other_laws_are_not_enumerated(law):
    with pytest.raises(Rejected, match="cannot be enumerated"):
        over_signs(Mean(x, ((x, law),), ZERO))
