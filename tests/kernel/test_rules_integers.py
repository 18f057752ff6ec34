"""Rules on points and integers, accepted and refused side by side: point, enumerate, ground,
induction."""

import re

import pytest
from sympy import (
    E,
    IndexedBase,
    Integer,
    LambertW,
    Rational,
    Sum,
    binomial,
    exp,
    factorial,
    log,
    oo,
    pi,
    sqrt,
    symbols,
)

from lemmata.symbolic.statements import REALS, Maximum, Relation, above, integers, interval
from lemmata.verify.kernel.rules import RULES, decide, decide_cases
from lemmata.verify.kernel.terms import Rejected

x, y, n, m, k, i, a = symbols("x y n m k i a")
s = IndexedBase("s")
ONE = Integer(1)
HALF = Rational(1, 2)
NOT_DEFINED = "not shown to be defined"
BY_A = ((a, above(0)),)


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(Integer(lhs) if isinstance(lhs, int) else lhs, op,
                    Integer(rhs) if isinstance(rhs, int) else rhs, over, given)  # fmt: skip


def case(rule, conclusion, *premises, **args):
    return rule, conclusion, premises, args


def on(domain, given=()):
    return rel(x**2, "<", 5, ((x, domain),), given)


POINT = [
    case("point", on(integers(2, 2)), rel(4, "<", 5)),
    case("point", on(interval(2, 2, "[]")), rel(4, "<", 5)),
    case("point", rel(x, ">", 0, (*BY_A, (x, interval(a, a, "[]")))), rel(a, ">", 0, BY_A)),
    case("point", on(integers(2, 2), (rel(x, ">", 1),)), rel(4, "<", 5, (), (rel(2, ">", 1),))),
    case("point", rel(x + k, ">", 0, ((k, above(0)), (x, interval(1, 1, "[]"))), (rel(k, ">", 2),)),
         rel(1 + k, ">", 0, ((k, above(0)),), (rel(k, ">", 2),))),
]  # fmt: skip
POINT_REFUSED = [
    ("not a single point", case("point", on(integers(2, 3)), rel(4, "<", 5))),
    ("not a single point", case("point", on(interval(2, 2)), rel(4, "<", 5))),
    ("not a single point", case("point", on(interval(2, 2, "[)")), rel(4, "<", 5))),
    ("not a single point", case("point", on(interval(2, 2, "(]")), rel(4, "<", 5))),
    ("expected", case("point", on(integers(2, 2)), rel(3, "<", 5))),
    ("expected the relation", case("point", on(integers(2, 2)), rel(4, "<=", 5))),
    ("contexts differ", case("point", on(integers(2, 2), (rel(x, ">", 1),)), rel(4, "<", 5))),
    ("contexts differ", case("point", on(integers(2, 2)), rel(4, "<", 5, (), (rel(2, ">", 1),)))),
    ("contexts differ", case("point", rel(x, ">", 0, (*BY_A, (x, interval(a, a, "[]")))),
                             rel(a, ">", 0, ((a, above(1)),)))),
    ("contexts differ", case("point", on(integers(2, 2)), rel(4, "<", 5, BY_A))),
    ("must be a relation", case("point", on(integers(2, 2)), Maximum(x, x, REALS, ONE))),
    ("index out of range", case("point", rel(4, "<", 5), rel(4, "<", 5))),
    ("no single cases",
         case("point", rel(s[1], ">", 0, ((s, integers(2, 2)),)), rel(s[1], ">", 0))),
]  # fmt: skip

ENUMERATE = [
    case("enumerate", rel(2**n, ">", n, ((n, integers(0, 20)),))),
    case("enumerate", rel(2**n, "!=", 3, ((n, integers(0, 20)),))),
    case("enumerate", rel(n * m, "<=", 12, ((n, integers(1, 3)), (m, integers(1, 4))))),
    case("enumerate", rel(Sum(k, (k, 1, n)), "=", n * (n + 1) / 2, ((n, integers(0, 30)),))),
    case("enumerate", rel(binomial(4, n), "<=", 6, ((n, integers(0, 4)),))),
    case("enumerate", rel(log(n), "<", n, ((n, integers(1, 9)),))),
    case("enumerate", rel(n, "<", 3, ((n, integers(0, 9)),), (rel(n**2, "<", 9),))),
    case("enumerate", rel(sqrt(8), "=", 2 * sqrt(2))),
]  # fmt: skip
ENUMERATE_REFUSED = [
    ("it fails at {n: 5}", case("enumerate", rel(n, "<", 5, ((n, integers(0, 5)),)))),
    ("it fails at {n: 0}", case("enumerate", rel(n, ">", 0, ((n, integers(0, 5)),)))),
    ("it fails", case("enumerate",
         rel(n * m, "<", 12, ((n, integers(1, 3)), (m, integers(1, 4)))))),
    ("it fails at {n: 2}",
         case("enumerate", rel(n, "!=", 2, ((n, integers(0, 9)),), (rel(n, ">", 1),)))),
    ("it fails at {n: 1}", case("enumerate", rel(log(n), ">", 0, ((n, integers(1, 9)),)))),
    ("does not run over integers",
         case("enumerate", rel(x**2, ">=", 0, ((x, interval(0, 5, "[]")),)))),
    ("does not run over integers", case("enumerate", rel(n**2, ">=", 0, ((n, integers(-oo, 5)),)))),
    ("does not run over integers",
         case("enumerate", rel(n, ">=", k, ((k, integers(0, 1)), (n, integers(k, 5)))))),
    ("does not run over integers", case("enumerate", rel(s[1], ">=", 0, ((s, integers(0, 5)),)))),
    ("1/2 is none", case("enumerate", rel(n, ">", 0, ((n, integers(HALF, 3)),)))),
    ("7/2 is none", case("enumerate", rel(n, "<=", 3, ((n, integers(0, Rational(7, 2))),)))),
    ("has no cases", case("enumerate", rel(n, ">=", 0, ((n, integers(0)),)))),
    ("has no cases", case("enumerate", rel(n, ">=", 0, ((n, integers(3, 2)),)))),
    ("has no cases",
         case("enumerate", rel(n, ">=", 0, ((k, integers(0, 1)), (n, integers(0, k)))))),
    ("more than",
         case("enumerate", rel(n, "!=", m, ((n, integers(1, 1000)), (m, integers(2000, 2200)))))),
    (NOT_DEFINED, case("enumerate", rel(1 / n, ">=", 0, ((n, integers(0, 5)),)))),
    (NOT_DEFINED, case("enumerate",
         rel(n, ">=", 0, ((n, integers(0, 5)),), (rel(1 / n, ">", 0),)))),
    (NOT_DEFINED, case("enumerate", rel(n + y, ">=", y, ((n, integers(0, 5)),)))),
    ("a hypothesis is general", case("enumerate", rel(n, ">=", 0, ((n, integers(0, 5)),),
                                               (rel(m, ">", 0, ((m, integers(0)),)),)))),
    ("must be a relation", case("enumerate", Maximum(x, x, integers(0, 1), ONE))),
]  # fmt: skip

GROUND = [
    case("ground", rel(8, "<", 9)),
    case("ground", rel(3 * log(2), "<", 2 * log(3))),
    case("ground", rel(exp(pi * sqrt(163)), "!=", 262537412640768744)),
    case("ground", rel(exp(1), "=", E)),
    case("ground", rel(log(8), "=", 3 * log(2))),
    case("ground", rel(sqrt(2) * sqrt(3), "=", sqrt(6))),
    case("ground", rel(sqrt(2) * sqrt(3), ">=", sqrt(6))),
    case("ground", rel(LambertW(1) * exp(LambertW(1)), "=", 1)),
    case("ground", rel(factorial(5), "=", 120)),
]  # fmt: skip
GROUND_REFUSED = [
    ("is false", case("ground", rel(9, "<", 8))),
    ("is false", case("ground", rel(9, "<", 9))),
    ("is false", case("ground", rel(9, "!=", 9))),
    ("is false", case("ground", rel(log(8), "!=", 3 * log(2)))),
    ("is false", case("ground", rel(E, "=", Rational(2718281828459045235, 10**18)))),
    ("is false", case("ground", rel(exp(-1000), "<=", 0))),
    ("is not decided", case("ground", rel(sqrt(5 + 2 * sqrt(6)), "=", sqrt(2) + sqrt(3)))),
    ("without variables", case("ground", rel(8, "<", 9, ((x, REALS),)))),
    ("without variables", case("ground", rel(8, "<", 9, (), (rel(1, "<", 0),)))),
    (NOT_DEFINED, case("ground", rel(x, "=", x))),
    (NOT_DEFINED, case("ground", rel(Sum(k, (k, HALF, 2)), ">", 0))),
    ("must be a relation", case("ground", Maximum(x, x, REALS, ONE))),
]  # fmt: skip

TOTAL = Sum(s[k], (k, 1, n))
FROM = ((n, integers(3)),)


def induction(goal, base, step, assumed=None, given=None):
    """An induction whose step assumes the goal, unless something else is given."""
    held = Relation(goal.lhs, goal.op, goal.rhs) if assumed is None else assumed
    wanted = (*goal.given, held) if given is None else given
    return case("induction", goal, base, Relation(*step, goal.over, wanted))


CUBES = rel(n**3, "<=", 3**n, FROM)
CUBE_STEP = ((n + 1) ** 3, "<=", 3 ** (n + 1))
POSITIVE_SUM = rel(TOTAL, ">=", 0, ((s, above(0)), (n, integers(0))))
HELD = rel(x + n, ">", 1, ((x, above(1)), (n, integers(0))), (rel(x, ">", 2),))
INDUCTION = [
    induction(CUBES, rel(27, "<=", 27), CUBE_STEP),
    induction(CUBES, rel(3**3, "<=", 3**3), (n**3 + 3 * n**2 + 3 * n + 1, "<=", 3 * 3**n)),
    induction(POSITIVE_SUM, rel(0, ">=", 0, ((s, above(0)),)),
         (TOTAL + s[n + 1], ">=", Integer(0))),
    induction(HELD, rel(x, ">", 1, ((x, above(1)),), HELD.given), (x + n + 1, ">", ONE)),
]  # fmt: skip
INDUCTION_REFUSED = [
    ("expected", induction(CUBES, rel(27, "<=", 28), CUBE_STEP)),
    ("expected the relation", induction(CUBES, rel(27, "<", 27), CUBE_STEP)),
    ("expected", induction(CUBES, rel(27, "<=", 27), (n**3, "<=", 3**n))),
    ("expected the relation",
         induction(CUBES, rel(27, "<=", 27), ((n + 1) ** 3, ">=", 3 ** (n + 1)))),
    ("the base has another context", induction(CUBES, rel(27, "<=", 27, BY_A), CUBE_STEP)),
    ("the base has another context",
     induction(HELD, rel(x, ">", 1, ((x, above(1)),)), (x + n + 1, ">", ONE))),
    ("must assume the statement", induction(CUBES, rel(27, "<=", 27), CUBE_STEP, rel(1, "<", 0))),
    ("must assume the statement",
     induction(CUBES, rel(27, "<=", 27), CUBE_STEP, given=(rel(n**3, "<=", 3**n), rel(n, ">", 9)))),
    ("must assume the statement", induction(CUBES, rel(27, "<=", 27), CUBE_STEP, given=())),
    ("must assume the statement",
     case("induction", CUBES, rel(27, "<=", 27),
          Relation(*CUBE_STEP, ((n, integers(4)),), (rel(n**3, "<=", 3**n),)))),
    ("a hypothesis speaks of n",
     induction(rel(n, "<", 9, FROM, (rel(n, "<", 9),)), rel(3, "<", 9, (), (rel(n, "<", 9),)),
               (n + 1, "<", Integer(9)))),
    ("a hypothesis speaks of n",
     induction(rel(n, "<", 9, FROM, (rel(8, ">=", n),)), rel(3, "<", 9, (), (rel(8, ">=", n),)),
               (n + 1, "<", Integer(9)))),
    ("n must be an integer", induction(rel(n**3, "<=", 3**n, ((n, interval(3, oo, "[)")),)),
                                       rel(27, "<=", 27), CUBE_STEP)),
    ("n must be an integer", induction(rel(n**3, "<=", 3**n, ((n, integers(3, 9)),)),
                                       rel(27, "<=", 27), CUBE_STEP)),
    ("n must be an integer", induction(rel(n**3, "<=", 3**n, ((n, integers(-oo)),)),
                                       rel(27, "<=", 27), CUBE_STEP)),
    ("no single cases", case("induction", rel(s[1], ">", 0, ((s, integers(0)),)), rel(1, "<", 2),
                             rel(1, "<", 2))),
    ("unpack", case("induction", CUBES, rel(27, "<=", 27))),
    ("must be a relation", case("induction", CUBES, Maximum(x, x, REALS, ONE), rel(1, "<", 2))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "conclusion", "premises", "args"), [*POINT, *ENUMERATE, *GROUND, *INDUCTION]
)
def test_accepted(rule, conclusion, premises, args):
    assert RULES[rule](conclusion, premises, args) == ()


@pytest.mark.parametrize(
    ("why", "inference"),
    [*POINT_REFUSED, *ENUMERATE_REFUSED, *GROUND_REFUSED, *INDUCTION_REFUSED],
)
def test_refused(why, inference):
    rule, conclusion, premises, args = inference
    with pytest.raises(Exception, match=re.escape(why)):
        RULES[rule](conclusion, premises, args)


@pytest.mark.parametrize(
    ("goal", "reach", "count"),
    [
        (rel(n, ">=", 0, ((n, integers(0)),)), 7, 7),
        (rel(n, ">=", 0, ((n, integers(0)),)), 1, 1),
        (rel(n, "<", 10, ((n, integers(3)),)), 7, 7),
        (rel(n, "<", 10, ((n, integers(3, 5)),)), 100, 3),
        (rel(n, "<=", m, ((n, integers(0, 2)), (m, integers(2)))), 4, 12),
    ],
)
def test_the_first_cases_of_an_unbounded_range_are_counted(goal, reach, count):
    assert decide_cases(goal, reach) == count


def test_a_range_may_have_as_many_cases_as_the_limit(monkeypatch):
    monkeypatch.setattr("lemmata.verify.kernel.rules.CASES", 4)
    assert decide_cases(rel(n, ">=", 0, ((n, integers(0, 3)),))) == 4
    with pytest.raises(Rejected, match="more than 4 cases"):
        decide_cases(rel(n, ">=", 0, ((n, integers(0, 4)),)))


@pytest.mark.parametrize(
    ("op", "below", "equal", "beyond"),
    [
        ("<", True, False, False),
        ("<=", True, True, False),
        ("=", False, True, False),
        ("!=", True, False, True),
        (">=", False, True, True),
        (">", False, False, True),
    ],
)
def test_decide_knows_every_relation(op, below, equal, beyond):
    goal = rel(x, op, 1)
    assert [decide(goal, {x: Integer(v)}) for v in range(3)] == [below, equal, beyond]
