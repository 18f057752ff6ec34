"""Rules that change domains, accepted and refused side by side: substitute, largest, cases."""

import re

import pytest
from sympy import IndexedBase, Integer, Rational, Sum, exp, log, oo, sqrt, symbols

from lemmata.symbolic.statements import REALS, Maximum, Relation, above, integers, interval
from lemmata.verify.kernel.rules import RULES

x, y, z, n, k, i, m, a = symbols("x y z n k i m a")
s = IndexedBase("s")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
HALF = Rational(1, 2)
REAL = ((x, REALS),)
POSITIVE = ((x, above(0)),)
NOT_DEFINED = "not shown to be defined"


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(Integer(lhs) if isinstance(lhs, int) else lhs, op,
                    Integer(rhs) if isinstance(rhs, int) else rhs, over, given)  # fmt: skip


def case(rule, conclusion, *premises, **args):
    return rule, conclusion, premises, args


SQUARE = rel(x**2, ">=", 0, REAL)
LOG = rel(log(x), "<", x, POSITIVE)
BELOW = rel(x, "<", y, ((x, REALS), (y, above(x))))
CHAIN = rel(s[k + 1], ">", s[k], ((s, REALS), (k, integers(0))))
UNDER = rel(x**2, "<", x, REAL, (rel(x, ">", 0), rel(x, "<", 1)))
GENERAL = rel(s[k], ">", 0, ((k, integers(0)),))
POSITIVE_SUM = rel(s[n] + s[n + 1], ">", 0, ((s, REALS), (n, integers(0))), (GENERAL,))

SUBSTITUTE = [
    case("substitute", rel((y + 1) ** 2, ">=", 0, ((y, REALS),)), SQUARE, x=y + 1),
    case("substitute", rel(4, ">=", 0), SQUARE, x=TWO),
    case("substitute", rel(log(1 + y**2), "<", 1 + y**2, ((y, REALS),)), LOG, x=1 + y**2),
    case("substitute", SQUARE, SQUARE),
    case("substitute", rel(1, "<", 3), BELOW, x=ONE, y=THREE),
    case("substitute", rel(z, "<", z + 1, ((z, REALS),)), BELOW, x=z, y=z + 1),
    case("substitute", rel(s[n + 3], ">", s[n + 2], ((s, REALS), (n, integers(0)))), CHAIN,
         k=n + 2),
    case("substitute", rel(Rational(1, 4), "<", HALF), UNDER, x=HALF),
    case("substitute", rel(z**2, "<", z, ((z, REALS),), (rel(z, ">", 0), rel(z, "<", 1))), UNDER,
         x=z),
    case("substitute", rel(z**2, "<", z, ((z, interval(0, 1)),)), UNDER, x=z),
    case("substitute", rel(s[3] + s[4], ">", 0, ((s, REALS),), (GENERAL,)), POSITIVE_SUM, n=THREE),
    case("substitute", rel(s[3], ">", 0, ((s, REALS),), (GENERAL,)),
         rel(s[k], ">", 0, ((s, REALS), (k, integers(0))), (GENERAL,)), k=THREE),
    case("substitute", rel(log(z), "<", z, ((z, above(-1)),), (rel(z, ">", 0),)), LOG, x=z),
    case("substitute", rel(log(z - y), "<", z - y, ((y, REALS), (z, REALS)), (rel(y, "<", z),)),
         LOG, x=z - y),
    case("substitute", rel(log(z - y), "<", z - y, ((y, above(1)), (z, interval(1, 2)))), LOG,
         rel(z, ">", y, ((y, above(1)), (z, interval(1, 2)))), x=z - y),
]  # fmt: skip
SUBSTITUTE_REFUSED = [
    ("expected", case("substitute", rel(y**2, ">=", 0, ((y, REALS),)), SQUARE, x=y + 1)),
    ("expected the relation", case("substitute", rel(4, ">", 0), SQUARE, x=TWO)),
    ("is not seen to lie in",
     case("substitute", rel(log(y**2 + 1) / 2, "<", 2, ((y, REALS),)), LOG, x=y**2)),
    ("is not seen to lie in", case("substitute", rel(3, "<", 1), BELOW, x=THREE, y=ONE)),
    ("is not seen to lie in", case("substitute", rel(1, "<", 1), BELOW, x=ONE, y=ONE)),
    ("is not seen to lie in",
         case("substitute", rel(s[0], ">", s[-1], ((s, REALS),)), CHAIN, k=-ONE)),
    ("is not seen to lie in", case("substitute", rel(1, ">", 0, ((s, REALS),)), CHAIN, k=HALF)),
    ("s changes its domain",
         case("substitute", rel(s[1], ">", s[0], ((s, above(0)),)), CHAIN, k=ZERO)),
    ("s changes its domain", case("substitute", rel(1, ">", 0), CHAIN, k=ZERO)),
    ("s changes its domain",
     case("substitute", rel(s[1], ">", 1, ((x, REALS), (s, above(x)))),
          rel(s[1], ">", x, ((x, REALS), (s, above(x)))), x=ONE)),
    ("is not met", case("substitute", rel(4, "<", 2), UNDER, x=TWO)),
    ("is not met",
         case("substitute", rel(z**2, "<", z, ((z, REALS),), (rel(z, ">", 0),)), UNDER, x=z)),
    ("is not met",
         case("substitute", rel(s[3] + s[4], ">", 0, ((s, REALS),)), POSITIVE_SUM, n=THREE)),
    ("is not met", case("substitute", rel(s[3] + s[4], ">", 0, ((s, REALS), (k, integers(0))),
                                         (rel(s[k], ">", 0),)), POSITIVE_SUM, n=THREE)),
    ("caught", case("substitute", rel(s[k] + s[k + 1], ">", 0, ((s, REALS), (k, integers(0))),
                                      (rel(s[m], ">", 0, ((m, integers(0)),)),)),
                    rel(s[n] + s[n + 1], ">", 0, ((s, REALS), (n, integers(0))),
                        (rel(s[k] + n, ">", 0, ((k, integers(0)),)),)), n=k)),
    ("is bound in", case("substitute", rel(Sum(i, (i, 1, 3)), ">=", 0, ((i, REALS),)),
                         rel(Sum(x, (i, 1, 3)), ">=", 0, POSITIVE), x=i**2 + 1)),
    (NOT_DEFINED, case("substitute", rel(log(y), "<", y, ((y, REALS),)), LOG, x=y)),
    ("must be a relation", case("substitute", SQUARE, Maximum(x, x, REALS, ONE))),
    ("must be a relation", case("substitute", Maximum(x, x, REALS, ONE), SQUARE)),
    ("index out of range", case("substitute", SQUARE)),
    ("a premise needs", case("substitute", rel(log(z - y), "<", z - y,
                                               ((y, REALS), (z, REALS)), (rel(y, "<", z),)),
                             LOG, rel(z, ">", y, ((y, above(0)), (z, REALS))), x=z - y)),
]  # fmt: skip

PARABOLA = -((x - 1) ** 2)
LOW = rel(PARABOLA, "<", 0, ((x, interval(-oo, 1)),))
HIGH = rel(PARABOLA, "<", 0, ((x, above(1)),))
TENT = rel(PARABOLA, "<", 0, ((x, interval(0, 1, "[)")),))
SIDES = (rel(PARABOLA, "<", 0, ((x, integers(0, 0)),)), rel(PARABOLA, "<", 0, ((x, integers(2)),)))
SHIFT = -((x - a) ** 2)
BY_A = ((a, above(0)),)
SHIFTED = (
    rel(SHIFT, "<", 0, (*BY_A, (x, interval(-oo, a)))),
    rel(SHIFT, "<", 0, (*BY_A, (x, above(a)))),
)
ONLY = (rel(x, "<", 5),)
LARGEST = [
    case("largest", Maximum(PARABOLA, x, REALS, ONE), LOW, HIGH),
    case("largest", Maximum(PARABOLA, x, REALS, ONE), HIGH, LOW),
    case("largest", Maximum(PARABOLA, x, interval(1, oo, "[)"), ONE), HIGH),
    case("largest", Maximum(PARABOLA, x, interval(0, 1, "[]"), ONE), TENT),
    case("largest", Maximum(PARABOLA, x, interval(1, 1, "[]"), ONE)),
    case("largest", Maximum(PARABOLA, x, integers(0), ONE), *SIDES),
    case("largest", Maximum(PARABOLA, x, integers(1), ONE), SIDES[1]),
    case("largest", Maximum(PARABOLA, x, integers(0, 1), ONE), SIDES[0]),
    case("largest", Maximum(SHIFT, x, REALS, a, BY_A), *SHIFTED),
    case("largest", Maximum(SHIFT, x, interval(-oo, a, "(]"), a, BY_A), SHIFTED[0]),
    case("largest", Maximum(SHIFT, x, above(0), a, ((a, REALS),), (rel(a, ">", 0),)),
         rel(SHIFT, "<", 0, ((a, REALS), (x, interval(0, a))), (rel(a, ">", 0),)),
         rel(SHIFT, "<", 0, ((a, REALS), (x, above(a))), (rel(a, ">", 0),))),
    case("largest", Maximum(SHIFT, x, above(1), exp(a), BY_A),
         rel(SHIFT, "<", -((exp(a) - a) ** 2), (*BY_A, (x, interval(1, exp(a))))),
         rel(SHIFT, "<", -((exp(a) - a) ** 2), (*BY_A, (x, above(exp(a))))),
         rel(exp(a), ">", 1, BY_A)),
]  # fmt: skip
LARGEST_REFUSED = [
    ("must be a maximum", case("largest", SQUARE, LOW, HIGH)),
    ("not shown that the function is smaller",
         case("largest", Maximum(PARABOLA, x, REALS, ONE), LOW)),
    ("not shown that the function is smaller",
         case("largest", Maximum(PARABOLA, x, REALS, ONE), HIGH)),
    ("not shown that the function is smaller",
     case("largest", Maximum(PARABOLA, x, interval(0, 1, "[]"), ONE),
          rel(PARABOLA, "<", 0, ((x, interval(0, 1)),)))),
    ("not shown that the function is smaller",
     case("largest", Maximum(PARABOLA, x, REALS, ONE), LOW,
          rel(PARABOLA, "<=", 0, ((x, above(1)),)))),
    ("not shown that the function is smaller",
     case("largest", Maximum(PARABOLA, x, REALS, ONE), LOW,
          rel(PARABOLA, "<", 0, ((x, above(2)),)))),
    ("not shown that the function is smaller",
     case("largest", Maximum(PARABOLA, x, REALS, ONE, (), ONLY), LOW, HIGH)),
    ("not shown that the function is smaller",
     case("largest", Maximum(PARABOLA, x, integers(0), ONE), SIDES[0])),
    ("not shown that the function is smaller",
     case("largest", Maximum(PARABOLA, x, integers(0), ONE), SIDES[1])),
    ("not shown that the function is smaller",
         case("largest", Maximum(PARABOLA, x, integers(-oo, 1), ONE))),
    ("not shown that the function is smaller",
         case("largest", Maximum(PARABOLA, x, integers(1), ONE))),
    ("not seen to lie in the domain", case("largest", Maximum(PARABOLA, x, above(1), ONE), HIGH)),
    ("not seen to lie in the domain",
     case("largest", Maximum(SHIFT, x, above(0), a, ((a, REALS),)), *SHIFTED)),
    ("not seen to lie in the domain",
     case("largest", Maximum(SHIFT, x, above(1), exp(a), BY_A),
          rel(SHIFT, "<", -((exp(a) - a) ** 2), (*BY_A, (x, interval(1, exp(a))))),
          rel(SHIFT, "<", -((exp(a) - a) ** 2), (*BY_A, (x, above(exp(a))))))),
    ("not seen to lie in the domain",
         case("largest", Maximum(PARABOLA, x, integers(0), HALF), *SIDES)),
    (NOT_DEFINED, case("largest", Maximum(sqrt(x - 3), x, interval(0, 1, "[]"), ONE), TENT)),
    ("a premise assumes",
     case("largest", Maximum(SHIFT, x, REALS, a, BY_A), *SHIFTED,
          rel(a, ">", 3, BY_A, (rel(a, ">", 3),)))),
]  # fmt: skip


def above_zero(domain, function=x, op=">", rhs=0, given=(), variable=x):
    return rel(function, op, rhs, ((variable, domain),), given)


CASES = [
    case("cases", above_zero(interval(1, 3, "[]")), above_zero(interval(1, 2, "[)")),
         above_zero(interval(2, 3, "[]"))),
    case("cases", above_zero(above(0)), above_zero(interval(0, 1)),
         above_zero(interval(1, 1, "[]")),
         above_zero(above(1))),
    case("cases", above_zero(above(0)), above_zero(interval(0, 1, "(]")), above_zero(above(1))),
    case("cases", above_zero(above(0)), above_zero(above(0))),
    case("cases", above_zero(integers(1)), above_zero(integers(1, 4)), above_zero(integers(5))),
    case("cases", above_zero(integers(1)), above_zero(integers(1, 4)), above_zero(integers(4))),
    case("cases", above_zero(integers(1)), above_zero(interval(1, 4, "[]")),
         above_zero(interval(4, oo))),
    case("cases", rel(x, ">", 0, (*BY_A, (x, interval(a, 3)))),
         rel(x, ">", 0, (*BY_A, (x, interval(a, 2, "(]")))),
         rel(x, ">", 0, (*BY_A, (x, interval(2, 3))))),
]  # fmt: skip
CASES_REFUSED = [
    ("gap", case("cases", above_zero(above(0)), above_zero(interval(0, 1)), above_zero(above(1)))),
    ("gap", case("cases", above_zero(above(0)), above_zero(interval(0, 1, "(]")),
         above_zero(above(2)))),
    ("gap", case("cases", above_zero(integers(1)), above_zero(integers(1, 4)),
         above_zero(integers(6)))),
    ("gap", case("cases", above_zero(integers(1)), above_zero(interval(1, 4, "[]")),
         above_zero(interval(5, oo, "[)")))),
    ("gap", case("cases", above_zero(above(0)), above_zero(interval(0, a, "(]")),
         above_zero(above(1)))),
    ("low end", case("cases", above_zero(interval(0, 2, "[]")), above_zero(interval(0, 1, "(]")),
                     above_zero(interval(1, 2, "[]")))),
    ("low end", case("cases", above_zero(above(0)), above_zero(above(1)))),
    ("high end", case("cases", above_zero(interval(0, 2, "(]")), above_zero(interval(0, 1, "(]")),
                      above_zero(interval(1, 2, "[)")))),
    ("high end", case("cases", above_zero(above(0)), above_zero(interval(0, 3)))),
    ("integer cases", case("cases", above_zero(interval(1, oo, "[)")), above_zero(integers(1, 4)),
                           above_zero(integers(5)))),
    ("different things",
         case("cases", above_zero(above(0)), above_zero(interval(0, 1, "(]"), x + 1),
                              above_zero(above(1)))),
    ("different things",
         case("cases", above_zero(above(0)), above_zero(interval(0, 1, "(]"), op=">="),
                              above_zero(above(1)))),
    ("different things",
         case("cases", above_zero(above(0)), above_zero(interval(0, 1, "(]"), rhs=-1),
                              above_zero(above(1)))),
    ("different things",
         case("cases", above_zero(above(0)), above_zero(interval(0, 1, "(]"), given=ONLY),
                              above_zero(above(1)))),
    ("different things", case("cases", rel(x, ">", 0, (*BY_A, (x, above(0)))),
                              rel(x, ">", 0, ((a, above(1)), (x, above(0)))))),
    ("different variables",
         case("cases", rel(1, ">", 0, ((x, above(0)),)), rel(1, ">", 0, ((y, above(0)),)))),
    ("no single cases", case("cases", rel(s[1], ">", 0, ((s, above(0)),)),
                             rel(s[1], ">", 0, ((s, above(0)),)))),
    ("must be a relation", case("cases", above_zero(above(0)), Maximum(x, x, REALS, ONE))),
    ("index out of range", case("cases", rel(1, ">", 0), rel(1, ">", 0))),
    ("index out of range", case("cases", above_zero(above(0)))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "conclusion", "premises", "args"), [*SUBSTITUTE, *LARGEST, *CASES]
)
def test_accepted(rule, conclusion, premises, args):
    assert RULES[rule](conclusion, premises, args) == ()


@pytest.mark.parametrize(
    ("why", "inference"), [*SUBSTITUTE_REFUSED, *LARGEST_REFUSED, *CASES_REFUSED]
)
def test_refused(why, inference):
    rule, conclusion, premises, args = inference
    with pytest.raises(Exception, match=re.escape(why)):
        RULES[rule](conclusion, premises, args)
