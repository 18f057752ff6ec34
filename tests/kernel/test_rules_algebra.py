"""Rules on single relations, accepted and refused side by side: field, differentiate, sign,
hypothesis, linear, exponential, and the conditions under which any rule may use a line."""

import re

import pytest
from sympy import Derivative, IndexedBase, Integer, cos, exp, log, sin, sqrt, symbols

from lemmata.symbolic.statements import REALS, Maximum, Relation, above, integers, interval
from lemmata.verify.kernel.rules import RULES

x, y, z, n, k = symbols("x y z n k")
s = IndexedBase("s")
ZERO, ONE, TWO = map(Integer, range(3))
REAL = ((x, REALS),)
POSITIVE = ((x, above(0)),)
BOTH = ((x, above(0)), (y, above(0)))
ENTRIES = ((s, above(0)), (n, integers(1)))
UP = (Relation(x, ">", ONE),)
GENERAL = Relation(s[k], ">", ONE, ((k, integers(0)),))


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(Integer(lhs) if isinstance(lhs, int) else lhs, op,
                    Integer(rhs) if isinstance(rhs, int) else rhs, over, given)  # fmt: skip


def case(rule, conclusion, *premises, **args):
    return rule, conclusion, premises, args


ACCEPTED = [
    case("field", rel((x + 1) ** 2, "=", x**2 + 2 * x + 1, REAL)),
    case("field", rel(x / (x + 1), "=", 1 - 1 / (x + 1), POSITIVE)),
    case("field", rel((x**2 - 1) / (x - 1), "=", x + 1, ((x, above(1)),))),
    case("field", rel(x / x**2 * (x - 1), "=", (x - 1) / x, POSITIVE)),
    case("field", rel((x - 1) / (x - 1) ** 2, "=", 1 / (x - 1), POSITIVE, UP)),
    case("field", rel(1 / (x - 1), "=", (x + 1) / (x**2 - 1), BOTH),
         rel(x - 1, ">", 0, ((x, above(0)),)), rel(x**2 - 1, ">", 0, ((x, above(0)),))),
    case("differentiate", rel(Derivative(log(x) / x, x), "=", (1 - log(x)) / x**2, POSITIVE)),
    case("differentiate", rel(Derivative(x**3, x), "=", 3 * x**2, REAL)),
    case("sign", rel(x * exp(-x), ">", 0, POSITIVE)),
    case("sign", rel(x**2, ">=", 0, REAL)),
    case("sign", rel(-x, "<", 0, POSITIVE)),
    case("sign", rel(x, "!=", 0, POSITIVE)),
    case("sign", rel(x + 1, "=", 1, ((x, interval(0, 0, "[]")),))),
    case("sign", rel(x, ">", 1, REAL, UP)),
    case("sign", rel(x * (x - 1), ">", 0, POSITIVE), rel(x - 1, ">", 0, ((x, above(0)),))),
    case("hypothesis", rel(x, ">", 1, REAL, UP)),
    case("hypothesis", rel(s[k], ">", 1, ((s, REALS), (k, integers(0))), (GENERAL,))),
    case("hypothesis", rel(x, ">", 1, REAL, (*UP, rel(x, "<", 5)))),
    case("hypothesis", rel(x, "<", 5, REAL, (*UP, rel(x, "<", 5)))),
    case("linear", rel(x, "<", 3, REAL), rel(x, "<", 2, REAL), rest=ONE),
    case("linear", rel(x, "<=", 2, REAL), rel(x, "<=", 2, REAL)),
    case("linear", rel(x, "<", 2, REAL), rel(x, "<=", 1, REAL), rest=ONE),
    case("linear", rel(x, ">", 1, REAL), rel(x, ">", 1, REAL)),
    case("linear", rel(x, ">=", 1, REAL), rel(x, ">", 1, REAL)),
    case("linear", rel(x, ">=", 1, REAL), rel(1, "<=", x, REAL)),
    case("linear", rel(2 * x, ">", 2, REAL), rel(1, "<", x, REAL), c1=TWO),
    case("linear", rel(x, "=", z, ((x, REALS), (y, REALS), (z, REALS))),
         rel(x, "=", y, ((x, REALS), (y, REALS))), rel(y, "=", z, ((y, REALS), (z, REALS)))),
    case("linear", rel(-x, "=", -1, REAL), rel(x, "=", 1, REAL), c1=-ONE),
    case("linear", rel(x - y, "<", 2, BOTH), rel(x, "<", 2, BOTH), rel(y, "=", 0, BOTH),
         c2=-ONE),
    case("linear", rel(x * y, ">", 0, BOTH), rel(x, ">", 0, BOTH), c1=y),
    case("linear", rel(x, "<=", x + y, BOTH), rest=y),
    case("linear", rel(0, "<=", x**2, REAL), rest=x**2),
    case("linear", rel(x**3, "<=", 2 * x**2, REAL), rel(x, "<=", 2, REAL), c1=x**2),
    case("linear", rel(x, "<", x + y, BOTH), rest=y),
    case("linear", rel(x, "<", 2, REAL), rel(x, "<", 2, REAL), rel(x, "<", 5, REAL), c2=ZERO),
    case("exponential", rel(3 * log(2), "<", 2 * log(3)), rel(8, "<", 9)),
    case("exponential", rel(exp(x), ">", 1, POSITIVE), rel(x, ">", 0, POSITIVE)),
    case("exponential", rel(exp(x), "=", exp(y), BOTH), rel(x, "=", y, BOTH)),
    case("exponential", rel(log(x), "<=", log(y), BOTH), rel(x, "<=", y, BOTH)),
    # Lines may be used in a narrower context than their own.
    case("linear", rel(x, ">", 0, ((x, interval(1, 2)),)), rel(x, ">", 0, POSITIVE)),
    case("linear", rel(x, ">", 0, BOTH), rel(x, ">", 0, POSITIVE)),
    case("linear", rel(s[n], ">", 0, ENTRIES), rel(s[n], ">", 0, ENTRIES)),
    case("linear", rel(x, ">", 0, REAL, UP), rel(x, ">", 0, REAL, UP)),
    case("linear", rel(x, ">", 0, REAL, UP), rel(x, ">", 0, REAL, (rel(x, ">", 1),))),
    case("linear", rel(x, ">", 0, POSITIVE), rel(x, ">", 0, REAL, (rel(x, ">", 0),))),
]  # fmt: skip

NOT_DEFINED = "not shown to be defined"
REFUSED = [
    ("must be a relation", case("field", Maximum(x, x, REALS, ONE))),
    (NOT_DEFINED, case("field", rel((x**2 - 1) / (x - 1), "=", x + 1, REAL))),
    (NOT_DEFINED, case("field", rel(x + 1, "=", (x**2 - 1) / (x - 1), REAL))),
    (NOT_DEFINED, case("field", rel(log(x), "=", log(x), REAL))),
    (NOT_DEFINED, case("field", rel(x + y, "=", y + x, REAL))),
    ("equations only", case("field", rel(x, "<=", x, REAL))),
    ("equations only", case("field", rel(x, "!=", x + 1, REAL))),
    ("not seen to be equal", case("field", rel(x**2, "=", x, REAL))),
    ("not seen to be equal", case("field", rel(sqrt(x**2), "=", x, REAL))),
    ("not seen to be equal", case("field", rel(exp(x + y), "=", exp(x) + exp(y), BOTH))),
    ("not seen to be equal", case("field", rel(log(x + y), "=", log(x) + log(y), BOTH))),
    ("no derivative", case("differentiate", rel(x, "=", x, REAL))),
    ("not seen", case("differentiate", rel(Derivative(log(x) / x, x), "=", 1 / x**2, POSITIVE))),
    ("not seen", case("differentiate", rel(Derivative(sin(x), x), "=", -cos(x), REAL))),
    ("equations only", case("differentiate", rel(Derivative(x, x), "<=", 1, REAL))),
    ("is not seen", case("sign", rel(x, ">", 0, ((x, interval(0, 1, "[]")),)))),
    ("is not seen", case("sign", rel(x, ">", 0, REAL))),
    ("is not seen", case("sign", rel(x - 1, ">=", 0, POSITIVE))),
    ("is not seen", case("sign", rel(x, "<", 0, POSITIVE))),
    ("is not seen", case("sign", rel(x, "=", 0, POSITIVE))),
    ("is not seen", case("sign", rel(x, "!=", 0, REAL))),
    ("is not seen", case("sign", rel(x, "<=", 1, REAL, UP))),
    (NOT_DEFINED, case("sign", rel(1 / x**2, ">=", 0, REAL))),
    (NOT_DEFINED, case("sign", rel(0, "<=", 1 / x**2, REAL))),
    ("not one of the hypotheses", case("hypothesis", rel(x, ">", 0, REAL, UP))),
    ("not one of the hypotheses", case("hypothesis", rel(x, ">=", 1, REAL, UP))),
    ("not one of the hypotheses", case("hypothesis", rel(x, ">", 1, REAL))),
    ("not one of the hypotheses",
     case("hypothesis", rel(s[k], ">", 1, ((s, REALS), (k, integers(-1))), (GENERAL,)))),
    ("not one of the hypotheses", case("hypothesis", rel(s[k], ">", 1, ((s, REALS),), (GENERAL,)))),
    (NOT_DEFINED, case("hypothesis", rel(log(x), ">", 1, REAL, (rel(log(x), ">", 1),)))),
    ("do not give the relation <", case("linear", rel(x, "<", 2, REAL), rel(x, "<=", 2, REAL))),
    ("do not give the relation >", case("linear", rel(x, ">", 2, REAL), rel(x, ">=", 2, REAL))),
    ("do not give the relation <",
     case("linear", rel(x, "<", x, ((x, interval(1, 2)),)),
          rel(x, "<", 2, ((x, interval(1, 2)),)), c1=ZERO)),
    ("do not give the relation <", case("linear", rel(x, "<", x, REAL))),
    ("do not give the relation <", case("linear", rel(0, "<", x**2, REAL), rest=x**2)),
    ("do not give the relation <",
         case("linear", rel(x**3, "<", 2 * x**2, REAL), rel(x, "<", 2, REAL),
                                        c1=x**2)),
    ("do not give the relation =", case("linear", rel(x, "=", 2, REAL), rel(x, "<=", 2, REAL))),
    ("do not give the relation =", case("linear", rel(x, "=", x + 1, REAL), rest=ONE)),
    ("do not give the relation !=", case("linear", rel(x, "!=", 2, REAL), rel(x, "<", 2, REAL))),
    ("add up to", case("linear", rel(x, "<", 1, REAL), rel(x, "<", 2, REAL))),
    ("add up to", case("linear", rel(x, ">", 2, REAL), rel(x, "<", 2, REAL))),
    ("add up to", case("linear", rel(x, "<", 2, REAL), rel(x, ">", 2, REAL))),
    ("add up to", case("linear", rel(x, ">=", 2, REAL), rel(x, "<=", 2, REAL))),
    ("add up to", case("linear", rel(x, "<=", 2, REAL), rel(x, ">=", 2, REAL))),
    ("add up to", case("linear", rel(x, "=", 1, REAL), rel(x, "=", 2, REAL))),
    ("may be negative", case("linear", rel(x, "<", 2, REAL), rel(x, ">", 2, REAL), c1=-ONE)),
    ("may be negative", case("linear", rel(x**2, ">", 2 * x, REAL), rel(x, ">", 2, REAL), c1=x)),
    ("may be negative", case("linear", rel(x, "<=", 2, REAL), rel(x, "!=", 2, REAL))),
    ("the rest -1 may be negative", case("linear", rel(x, "<=", 1, REAL), rel(x, "<=", 2, REAL),
                                         rest=-ONE)),
    ("the rest x may be negative", case("linear", rel(0, "<=", x, REAL), rest=x)),
    (NOT_DEFINED, case("linear", rel(x, "<=", 1 / x**2, REAL), rest=1 / x**2 - x)),
    (NOT_DEFINED, case("linear", rel(0, "<=", x**2 + 1, REAL), rest=(x**3 + x) / x)),
    (NOT_DEFINED, case("linear", rel(0, "<", x, POSITIVE), rel(0, "<", x * (x - 1), POSITIVE),
                       c1=1 / (x - 1))),
    ("a premise must be a relation", case("linear", rel(x, "<", 2, REAL), Maximum(x, x, REALS, x))),
    ("expected", case("exponential", rel(2 * log(2), "<", 2 * log(3)), rel(8, "<", 9))),
    ("expected the relation", case("exponential", rel(exp(x), ">=", 1, POSITIVE),
                                   rel(x, ">", 0, POSITIVE))),
    ("expected", case("exponential", rel(exp(x), ">", 0, POSITIVE), rel(x, ">", 0, POSITIVE))),
    ("expected", case("exponential", rel(exp(-x), ">", 1, POSITIVE), rel(x, ">", 0, POSITIVE))),
    ("expected", case("exponential", rel(1, ">", exp(x), POSITIVE), rel(x, ">", 0, POSITIVE))),
    (NOT_DEFINED, case("exponential", rel(log(x), "<", log(y), ((x, REALS), (y, REALS))),
                       rel(x, "<", y, ((x, REALS), (y, REALS))))),
    ("unpack", case("exponential", rel(exp(x), ">", 1, POSITIVE))),
    # A line may not be used where its own context does not hold.
    ("a premise needs x", case("linear", rel(x, ">", 0, REAL), rel(x, ">", 0, POSITIVE))),
    ("a premise needs x", case("linear", rel(x, ">", 0, ((x, interval(0, 2, "[]")),)),
                               rel(x, ">", 0, ((x, interval(0, 2)),)))),
    ("a premise needs y", case("linear", rel(2, ">", 0, POSITIVE), rel(2, ">", 0, BOTH))),
    ("a premise needs n", case("sign", rel(n, ">=", 1, ((n, above(0)),)),
                               rel(n, ">=", 1, ((n, integers(1)),)))),
    ("a premise needs s", case("linear", rel(s[1], ">", 0, ((s, REALS),)),
                               rel(s[1], ">", 0, ((s, above(0)),)))),
    ("a premise needs s", case("linear", rel(s[1], ">", 0, ((s, above(1)),)),
                               rel(s[1], ">", 0, ((s, above(0)),)))),
    ("a premise assumes", case("linear", rel(x, ">", 1, REAL), rel(x, ">", 1, REAL, UP))),
    ("a premise assumes", case("linear", rel(x, ">", 1, POSITIVE), rel(x, ">", 1, POSITIVE, UP))),
    ("a premise needs x", case("field", rel(x, "=", x, REAL), rel(x, ">", 0, POSITIVE))),
    ("a premise needs x", case("sign", rel(x, ">", 0, REAL), rel(x, ">", 0, POSITIVE))),
    ("a premise needs x", case("exponential", rel(exp(x), ">", 1, REAL), rel(x, ">", 0, POSITIVE))),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "conclusion", "premises", "args"), ACCEPTED)
def test_accepted(rule, conclusion, premises, args):
    assert RULES[rule](conclusion, premises, args) == ()


@pytest.mark.parametrize(("why", "inference"), REFUSED)
def test_refused(why, inference):
    rule, conclusion, premises, args = inference
    with pytest.raises(Exception, match=re.escape(why)):
        RULES[rule](conclusion, premises, args)
