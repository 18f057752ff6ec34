"""Counterexamples, enumerated cases and statements with variables fixed."""

import re
from dataclasses import replace

import pytest
from sympy import E, IndexedBase, Integer, Rational, Sum, exp, log, oo, pi, sqrt, symbols

from lemmata.symbolic.statements import (
    REALS,
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Rank,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, Enumeration, Instance
from lemmata.verify.kernel.instances import counterexample, enumeration, fixed

x, y, a, n, m, k, i, j = symbols("x y a n m k i j")
s = IndexedBase("s")
p, q = symbols("p q")
ZERO, ONE, TWO = map(Integer, range(3))
HALF = Rational(1, 2)


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(Integer(lhs) if isinstance(lhs, int) else lhs, op,
                    Integer(rhs) if isinstance(rhs, int) else rhs, over, given)  # fmt: skip


def at(**values):
    """A point, its variables by name."""
    exact = {k: Integer(v) if isinstance(v, int) else v for k, v in values.items()}
    return Counterexample(tuple((symbols(name), value) for name, value in exact.items()))


def path(start=1, name=k, **values):
    point = tuple((symbols(v), Integer(e) if isinstance(e, int) else e) for v, e in values.items())
    return Counterexample(point, name, None if start is None else Integer(start))


SQUARE = rel(x**2, ">", x, ((x, above(0)),))
HELD = rel(x**2, ">", x, ((x, above(0)),), (rel(x, "<", y),))
GROWTH = rel(Sum(s[i], (i, 1, 3)), "<", 9, ((s, above(0)),))
ENTRY = ((s[1], ONE), (s[2], Integer(5)), (s[3], Integer(4)))
PEAK = Maximum(-((x - 1) ** 2), x, interval(0, 5, "[]"), TWO)
MOVING = Maximum(-((x - a) ** 2), x, REALS, a + 1, ((a, above(0)),))
VALUE = MaximumValue(x * (1 - x), x, interval(0, 1, "[]"), ZERO, Rational(1, 5))
SATURATION = Limit(
    1 / (1 + exp(y - x)), ONE, ((x, oo),), ((x, REALS), (y, REALS)), (rel(x, ">", y),)
)
RATIO = Limit(x / y, ONE, ((x, oo), (y, oo)), ((x, above(0)), (y, above(0))))
BOUNDED = Limit(x, ZERO, ((y, ZERO),), ((y, above(0)), (x, interval(0, y + 1))))
LEAST = Minimiser(((ONE, ZERO), (ZERO, ONE)), (ONE, ONE), (TWO, ONE))
TOO_SHORT = Minimiser(((ONE, ZERO),), (ONE,), (HALF, ZERO))
NO_SOLUTION = Infeasible(((ONE, ZERO), (ZERO, -ONE)), (ONE, -ONE))
TILTED = NoSpuriousMinimum(3 * p**4 - 4 * p**3 - 12 * p**2 + q**2, (p, q))
LOCAL = ((p, -ONE), (q, ZERO))
LOWER = ((p, TWO), (q, ZERO))

REFUTED = [
    (SQUARE, at(x=HALF)),
    (SQUARE, at(x=1)),
    (rel(log(x), "<", 1, ((x, above(0)),)), at(x=E)),
    (rel(2, "<", 1), at()),
    (rel(x, "<", y, ((x, REALS), (y, above(x - 1)))), at(x=1, y=HALF)),
    (rel(x, ">", y, ((x, REALS), (y, REALS)), (rel(x, ">", 0),)), at(x=1, y=2)),
    (rel(n, "<", 3, ((n, integers(0)),)), at(n=3)),
    (GROWTH, Counterexample(ENTRY)),
    (rel(Sum(s[i], (i, 1, n)), "<", 9, ((s, above(0)), (n, integers(1)))),
     Counterexample((*ENTRY, (n, Integer(3))))),
    (PEAK, at(x=1)),
    (Maximum(x**0, x, REALS, ONE), at(x=3)),
    (MOVING, at(a=3, x=3)),
    (MOVING, at(a=3, x=2)),
    (replace(PEAK, domain=interval(0, 1, "[]")), at(x=0)),
    (replace(PEAK, domain=above(3)), at(x=5)),
    (replace(PEAK, domain=interval(-oo, 1)), at(x=-5)),
    (VALUE, at(x=HALF)),
    (SATURATION, path(x=k + 1, y=k)),
    (RATIO, path(x=2 * k, y=k)),
    (RATIO, path(x=k**2, y=k)),
    (BOUNDED, path(y=1 / k, x=1)),
    (Limit(x, ONE, ((x, oo),), ((x, above(0)),)), path(x=k)),
    (Limit(1 / x, oo, ((x, oo),), ((x, above(0)),)), path(x=k)),
    (Limit(x, ZERO, ((y, log(6)),), ((y, above(0)), (x, above(0)))),
         path(y=log(2) + log(3) + 1 / k, x=1)),
    (LEAST, at(x=1, y=1)),
    (Minimiser(((ONE, ZERO),), (ONE,), (ONE, ONE)), at(x=1, y=-1)),
    (TOO_SHORT, at(x=HALF, y=0)),
    (NO_SOLUTION, at(x=1, y=1)),
    (NO_SOLUTION, at(x=3, y=-7)),
    (TILTED, Counterexample(LOCAL, other=LOWER)),
]  # fmt: skip
KEPT = [
    ("the statement holds", SQUARE, at(x=2)),
    ("outside its domain", SQUARE, at(x=0)),
    ("outside its domain", rel(x, "<", y, ((x, REALS), (y, above(x - 1)))), at(x=1, y=0)),
    ("outside its domain", rel(n, "<", 3, ((n, integers(0)),)), at(n=Rational(7, 2))),
    ("outside its domain", GROWTH, Counterexample(((s[1], -ONE), *ENTRY[1:]))),
    ("no value is given", SQUARE, at()),
    ("no value is given", rel(x, ">", y, ((x, REALS), (y, REALS))), at(x=1)),
    ("no variable of the statement", SQUARE, at(x=HALF, y=1)),
    ("no variable of the statement", SQUARE, Counterexample(((x, HALF), (s[1], ONE)))),
    ("is no number", SQUARE, at(x=a)),
    ("is not in the language", SQUARE, at(x=oo)),
    ("fails there", rel(x, ">", y, ((x, REALS), (y, REALS)), (rel(x, ">", 0),)), at(x=0, y=2)),
    ("fails there", rel(x, ">", 2, ((x, REALS),), (rel(k, ">", 0, ((k, integers(0)),)),)), at(x=1)),
    ("defined", rel(1 / x, ">", 2, ((x, REALS),)), at(x=0)),
    ("the statement holds", GROWTH, Counterexample(((s[1], ONE), (s[2], ONE), (s[3], ONE)))),
    ("the statement holds", rel(Sum(s[i], (i, 1, 3)), ">", 9, ((s, above(0)),)),
         Counterexample(ENTRY)),
    ("no number", rel(s[n], ">", 2, ((s, REALS), (n, integers(0)))),
     Counterexample(((n, ONE), (s[n], ONE)))),
    ("the statement holds", rel(Sum(s[i], (i, 1, 3)), "<=", 10, ((s, above(0)),)),
         Counterexample(ENTRY)),
    ("the statement holds", rel(Sum(s[i], (i, 1, 3)), ">=", 10, ((s, above(0)),)),
         Counterexample(ENTRY)),
    ("the limit on the path is",
         Limit(log(6) + 1 / x, log(2) + log(3), ((x, oo),), ((x, above(0)),)),
         path(x=k)),
    ("must be rational", GROWTH, Counterexample(((s[1], sqrt(2)), *ENTRY[1:]))),
    ("not rational", GROWTH, Counterexample(ENTRY[:2])),
    ("not rational", rel(9, ">", Sum(s[i], (i, 1, 3)), ((s, above(0)),)),
         Counterexample(ENTRY[:2])),
    ("smaller there", replace(PEAK, domain=interval(2, 9)), at(x=5)),
    ("smaller there", replace(PEAK, domain=interval(-5, 2)), at(x=-3)),
    ("defined", replace(PEAK, at=sqrt(a)), at(x=5)),
    ("smaller there", PEAK, at(x=5)),
    ("the stated maximum", PEAK, at(x=2)),
    ("outside its domain", PEAK, at(x=6)),
    ("no value is given", MOVING, at(x=3)),
    ("the stated maximum", MOVING, at(a=3, x=4)),
    ("smaller there", MOVING, at(a=3, x=5)),
    ("fails there", Maximum(x, x, REALS, ONE, ((a, REALS),), (rel(a, ">", 0),)), at(a=0, x=5)),
    ("not above the stated maximum", VALUE, at(x=0)),
    ("not above", MaximumValue(x * (1 - x), x, interval(0, 1, "[]"), ZERO, Rational(1, 4)),
         at(x=HALF)),
    ("outside its domain", VALUE, at(x=3)),
    ("the limit on the path is 1", SATURATION, path(x=2 * k, y=k)),
    ("the limit on the path is 1", RATIO, path(x=k, y=k)),
    ("is not seen on the path", SATURATION, path(x=k, y=k)),
    ("tends to", SATURATION, path(x=-k, y=-2 * k)),
    ("tends to", RATIO, path(x=2, y=k)),
    ("tends to", Limit(x, ZERO, ((y, ONE),), ((y, above(0)), (x, above(0)))), path(y=1 / k, x=1)),
    ("misses a variable", SATURATION, path(x=k + 1)),
    ("misses a variable", SATURATION, path(x=k + 1, y=k, a=k)),
    ("leaves its domain", RATIO, path(x=-2 * k, y=k)),
    ("leaves its domain", BOUNDED, path(y=1 / k, x=3)),
    ("defined", RATIO, path(0, x=2 * k, y=sqrt(k - 1))),
    ("a number to start from", SATURATION, path(None, x=k + 1, y=k)),
    ("a number to start from", SATURATION, Counterexample(((x, k + 1), (y, k)), k, k)),
    ("a number to start from", SATURATION, Counterexample(((x, k + 1), (y, k)), None, ONE)),
    ("variable of the statement", SATURATION, path(name=y, x=y + 1, y=y)),
    ("is not seen on the path",
         Limit(x, ZERO, ((x, oo),), ((x, above(0)),), (rel(x, ">", i, ((i, REALS),)),)),
     path(name=i, x=i + 1)),
    ("defined", Limit(1 / (x - 5), ONE, ((x, oo),), ((x, above(0)),)), path(x=k)),
    ("defined", Limit(x, ONE, ((1 / (x - 5), ZERO),), ((x, above(0)),)), path(x=k)),
    ("longer", LEAST, at(x=3, y=1)),
    ("not feasible", LEAST, at(x=HALF, y=1)),
    ("the stated point is feasible", LEAST, at(x=2, y=1)),
    ("not feasible", NO_SOLUTION, at(x=1, y=2)),
    ("not feasible", NO_SOLUTION, at(x=0, y=0)),
    ("not rational", NO_SOLUTION, at(x=pi, y=0)),
    ("", NO_SOLUTION, at(x=1)),
    ("gradient", TILTED, Counterexample(((p, ONE), (q, ZERO)), other=LOWER)),
    ("gradient", TILTED, Counterexample(((p, -ONE), (q, ONE)), other=LOWER)),
    ("positive definite", TILTED, Counterexample(((p, ZERO), (q, ZERO)), other=LOWER)),
    ("positive definite", NoSpuriousMinimum(p**2 - q**2, (p, q)), Counterexample(
        ((p, ZERO), (q, ZERO)), other=((p, ZERO), (q, ONE)))),
    ("positive definite", NoSpuriousMinimum(p**2 + q**3, (p, q)), Counterexample(
        ((p, ZERO), (q, ZERO)), other=((p, ZERO), (q, -ONE)))),
    ("not lower", TILTED, Counterexample(LOCAL, other=LOCAL)),
    ("not lower", TILTED, Counterexample(LOWER, other=LOCAL)),
    ("not lower", NoSpuriousMinimum(p**2, (p,)), Counterexample(((p, ZERO),), other=((p, pi),))),
    ("miss a variable", TILTED, Counterexample(LOCAL[:1], other=LOWER)),
    ("miss a variable", TILTED, Counterexample(LOCAL, other=LOWER[:1])),
    ("no counterexamples of this form", Rank(((ONE,),), 1), at()),
    ("no counterexamples of this form", Mean(x, ((x, "sign"),), ZERO), at(x=1)),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "evidence"), REFUTED)
def test_refuted(statement, evidence):
    finding = counterexample(statement, evidence)
    assert finding.outcome == "refuted"
    spurious = isinstance(statement, NoSpuriousMinimum)
    assert finding.facts == (("second-order condition",) if spurious else ())


@pytest.mark.parametrize(("why", "statement", "evidence"), KEPT)
def test_not_refuted(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why) if why else "zip"):
        counterexample(statement, evidence)


def test_what_is_said():
    assert counterexample(SQUARE, at(x=HALF)).detail == "false at x = 1/2: 1/4 against 1/2"
    assert "as it stands" in counterexample(rel(2, "<", 1), at()).detail
    far = counterexample(replace(PEAK, domain=interval(0, 1, "[]")), at(x=0))
    assert "the stated maximum 2 lies outside [0, 1]" in far.detail
    assert "0 against -1" in counterexample(PEAK, at(x=1)).detail
    assert "violates a constraint" in counterexample(TOO_SHORT, at(x=HALF, y=0)).detail
    assert "feasible" in counterexample(NO_SOLUTION, at(x=1, y=1)).detail


BINARY = ((x, "sign"), (y, "sign"))
UNBOUNDED = rel(2**n, ">", n, ((n, integers(0)),))
ENUMERATED = [
    ("certified", rel(2**n, ">", n, ((n, integers(0, 9)),)), Enumeration(10)),
    ("confirmed", UNBOUNDED, Enumeration(10, 10)),
    ("confirmed", rel(n + m, ">", 0, ((n, integers(1)), (m, integers(0, 1)))), Enumeration(10, 5)),
    ("certified", rel(2, ">", 1), Enumeration(1)),
    ("certified", Maximum(n * (7 - n), n, integers(0, 3), Integer(3)), Enumeration(4)),
    ("confirmed", Maximum(n / 2**n, n, integers(2), TWO), Enumeration(9, 9)),
    ("certified", Maximum(-((n - m) ** 2), n, integers(0, 3), m, ((m, integers(1, 2)),)),
         Enumeration(8)),
    ("certified", Mean(x * y + 1, BINARY, ONE), Enumeration(4)),
    ("certified", Mean((x + y) ** 2, BINARY, TWO), Enumeration(4)),
    ("certified", Mean(rel(x + y, "<", 0), BINARY, Rational(1, 4)), Enumeration(4)),
    ("refuted", Mean((x + y) ** 2, BINARY, ONE), Enumeration(4)),
    ("refuted", Mean(rel(x + y, "<=", 0), BINARY, Rational(1, 4)), Enumeration(4)),
]  # fmt: skip
NOT_ENUMERATED = [
    ("there are 10 cases, not 9", rel(2**n, ">", n, ((n, integers(0, 9)),)), Enumeration(9)),
    ("there are 10 cases, not 11", UNBOUNDED, Enumeration(11, 10)),
    ("it fails", rel(n, "<", 9, ((n, integers(0, 9)),)), Enumeration(10)),
    ("has no cases", UNBOUNDED, Enumeration(0)),
    ("it fails", Maximum(n * (7 - n), n, integers(0, 4), Integer(3)), Enumeration(5)),
    ("it fails", Maximum(n * (7 - n), n, integers(0, 3), TWO), Enumeration(4)),
    ("is outside", Maximum(-n, n, integers(1, 3), ZERO), Enumeration(3)),
    ("defined", Maximum(1 / (n - 3), n, integers(3, 3), Integer(3)), Enumeration(1)),
    ("there are 4 cases, not 3", Mean(x * y, BINARY, ZERO), Enumeration(3)),
    ("cannot be enumerated", Mean(x * y, ((x, "sign"), (y, "normal")), ZERO), Enumeration(4)),
    ("cannot be enumerated", Mean(ZERO, tuple((symbols(f"x{k}"), "sign") for k in range(17)), ZERO),
     Enumeration(2**17)),
    ("not rational", Mean(x * pi, BINARY, ZERO), Enumeration(4)),
    ("not shown to be defined", Mean(1 / (1 + 1 / (x + 1)), BINARY, Rational(1, 3)),
     Enumeration(4)),
    ("is not finite", Rank(((ONE,),), 1), Enumeration(1)),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "statement", "evidence"), ENUMERATED)
def test_enumerated(outcome, statement, evidence):
    assert enumeration(statement, evidence).outcome == outcome


@pytest.mark.parametrize(("why", "statement", "evidence"), NOT_ENUMERATED)
def test_not_enumerated(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        enumeration(statement, evidence)


OVER = ((a, above(0)), (x, above(a)), (n, integers(0)))


@pytest.mark.parametrize(
    ("statement", "point", "instance"),
    [
        (rel(x + a, ">", n, OVER), {a: ONE}, rel(x + 1, ">", n, ((x, above(1)), OVER[2]))),
        (rel(x + a, ">", n, OVER), {a: ONE, x: TWO, n: ZERO}, rel(3, ">", 0)),
        (rel(x + a, ">", n, OVER), {n: TWO}, rel(x + a, ">", 2, OVER[:2])),
        (rel(x, ">", 0, OVER, (rel(a, ">", 2),)), {n: TWO},
             rel(x, ">", 0, OVER[:2], (rel(a, ">", 2),))),
        (rel(x, ">", 0, OVER, (rel(a, ">", 2),)), {a: Integer(3)},
             rel(x, ">", 0, ((x, above(3)), OVER[2]))),
        (rel(x, ">", 0, OVER, (rel(a + x, ">", 2),)), {a: ONE},
         rel(x, ">", 0, ((x, above(1)), OVER[2]), (rel(1 + x, ">", 2),))),
        (Maximum(-((y - a) ** 2), y, above(-a), a, OVER[:1]), {a: TWO},
         Maximum(-((y - 2) ** 2), y, above(-2), TWO)),
    ],
)  # fmt: skip
def test_fixed(statement, point, instance):
    assert fixed(statement, point) == instance


@pytest.mark.parametrize(
    ("why", "statement", "point"),
    [
        ("outside its domain", rel(x + a, ">", n, OVER), {a: ZERO}),
        ("outside its domain", rel(x + a, ">", n, OVER), {a: ONE, x: ONE}),
        ("outside its domain", rel(x + a, ">", n, OVER), {n: HALF}),
        ("outside its domain", rel(x + a, ">", n, OVER), {x: ONE}),
        ("no variable", rel(x + a, ">", n, OVER), {y: ONE}),
        ("no number", rel(x + a, ">", n, OVER), {a: y}),
        ("fails at the instance", rel(x, ">", 0, OVER, (rel(a, ">", 2),)), {a: TWO}),
        ("no variable", Maximum(-((y - a) ** 2), y, above(-a), a, OVER[:1]), {y: TWO}),
        ("zoo", rel(1 / (1 + 1 / a), ">=", 0, ((a, REALS),)), {a: ZERO}),
        ("zoo", rel(0, "<=", 1 / (1 + 1 / a), ((a, REALS),)), {a: ZERO}),
        ("zoo", Maximum(y / (1 + 1 / a), y, REALS, a, ((a, REALS),)), {a: ZERO}),
        ("has no instances", Rank(((ONE,),), 1), {}),
    ],
)
def test_not_fixed(why, statement, point):
    with pytest.raises(Exception, match=re.escape(why)):
        fixed(statement, point)


def test_a_hypothesis_is_defined_before_a_variable_is_fixed():
    """x log y >= 0 says that y > 0; at x = 0 it would read 0 >= 0 and say nothing."""
    given = (Relation(x * log(y), ">=", ZERO),)
    statement = Relation(y, ">", ZERO, ((x, REALS), (y, REALS)), given)
    for point, rest in ((((x, ZERO),), ((y, -ONE),)), (((x, ZERO), (y, -ONE)), ())):
        evidence = Instance(point, Counterexample(rest))
        assert check("instance", statement, (evidence,)).outcome == "inconclusive"
    general = (Relation(y + n, ">", ZERO, ((n, integers(0)),)),)
    instance = fixed(Relation(x + y, ">", ZERO, ((x, above(0)), (y, REALS)), general), {x: ONE})
    assert instance.given == general
