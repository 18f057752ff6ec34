"""Traps: false statements, or statements with undefined parts, that careless rules would accept.

Each line of such a derivation may look right on its own; what is wrong is said beside it.
"""

from fractions import Fraction

import pytest
from sympy import (
    Abs,
    Derivative,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Rational,
    Sum,
    exp,
    floor,
    log,
    oo,
    sqrt,
    symbols,
)

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Domain,
    Every,
    Limit,
    Maximum,
    Mean,
    PolynomialDegree,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, Enclosure, Enumeration, Instance, Part
from lemmata.verify.kernel.facts import FACTS

x, y, z, t, n, k, i, j, d = symbols("x y z t n k i j d")
g = IndexedBase("g")
ZERO, ONE, TWO = map(Integer, range(3))
HALF = Rational(1, 2)
REAL = ((x, REALS),)
COMPLEX = Integer(-1) ** Rational(1, 4)
TRUE, FALSE = Relation(ZERO, "<", ONE), Relation(ONE, "<", ZERO)


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(Integer(lhs) if isinstance(lhs, int) else lhs, op,
                    Integer(rhs) if isinstance(rhs, int) else rhs, over, given)  # fmt: skip


def by(rule, statement, *using, **args):
    return Line(statement, rule, using, tuple(args.items()))


def proof(*lines):
    return lines[-1].statement, Derivation(lines)


def single(rule, *statement, **args):
    return proof(by(rule, rel(*statement), **args))


HIDDEN_ZERO = sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)


UNDEFINED = {
    "a derivative is defined only where its parts are":
        single("field", Derivative(log(d), d) * d, "=", 1, ((d, REALS),)),
    "1/log(x) at 0, where SymPy puts 1/zoo = 0":
        single("enumerate", 1 / log(x), "<=", 0, ((x, integers(0, 0)),)),
    "1/(1 + 1/(x - 1)) at 1":
        single("enumerate", 1 / (1 + 1 / (x - 1)), "=", 0, ((x, integers(1, 1)),)),
    "the same by its only point":
        proof(by("ground", rel(0, "<=", 0)),
              by("point", rel(1 / (1 + 1 / (x - 1)), "<=", 0, ((x, integers(1, 1)),)), 1)),
    "an index that is not defined":
        single("sign", g[floor(1 / y)] ** 2, ">=", 0, ((g, REALS), (y, REALS))),
    "an integral without value, differentiated":
        single("field", Derivative(x * Integral(1 / t, (t, -1, 1)), x), "=", 0, REAL),
    "a value that is undefined at 5, equal to one that is not":
        proof(by("ground", rel(Rational(25, 26), ">=", 0)),
              by("sign", rel((n - 4) ** 2 / ((n - 4) ** 2 + 1), ">=", 0, ((n, integers(0)),),
                             (rel(1 / (1 + 1 / (n - 5) ** 2), ">=", 0),))),
              by("induction", rel(1 / (1 + 1 / (n - 5) ** 2), ">=", 0, ((n, integers(0)),)), 1, 2)),
    "a point that is no real number":
        proof(by("ground", rel(-1, "<", 0)),
              by("point", rel(x**4, "<", 0, ((x, interval(COMPLEX, COMPLEX, "[]")),)), 1)),
    "a mean of something divided by a hidden zero":
        proof(by("isserlis", Mean(x**2 / HIDDEN_ZERO, ((x, "normal"),), 1 / HIDDEN_ZERO))),
    "x = 1/y, which is no number at 0":
        proof(by("sign", rel(1 / (1 + x**2), ">", 0, REAL)),
              by("substitute", rel(y**2 / (1 + y**2), ">", 0, ((y, REALS),)), 1, x=1 / y)),
    "x = sqrt(z), which is no real below 0":
        proof(by("sign", rel(x**2, ">=", 0, REAL)),
              by("substitute", rel(z, ">=", 0, ((z, REALS),)), 1, x=sqrt(z))),
    "x = (-1)^(1/4)":
        proof(by("sign", rel(x**4, ">=", 0, REAL)),
             by("substitute", rel(-1, ">=", 0), 1, x=COMPLEX)),
    "an interval from (-1)^(1/4) on":
        proof(by("sign", rel(t**4, ">=", 0, ((t, interval(COMPLEX, oo)),))),
              by("reparametrise", rel(x, ">=", 0, ((x, above(-1)),)), 1, variable=x, image=t**4)),
}  # fmt: skip

BOUND = {
    "the index of a sum is another variable than the one that is known":
        single("sign", Sum(y * (x - 2), (x, 0, 3)), ">=", 0, ((x, REALS), (y, above(0))),
               (rel(x, ">", 2),)),
    "an index that a domain speaks of":
        single("sign", Sum(y, (x, 1, 3)), ">=", 0, ((x, REALS), (y, above(x)))),
    "a sum over two indices":
        single("ground", Sum(1, (i, 1, 2), (j, 1, 3)), "=", 2),
    "a branch of W that is not W0":
        single("ground", LambertW(Rational(-1, 4), -1), ">", -1),
    "an integrand that is not analytic":
        single("ground", Integral(Abs(z), (z, -1, 1)), ">", Rational(11, 10)),
    "an antiderivative under what is known of another variable of its name":
        single("antiderivative", Integral(1, (t, -1, 1)), "=", 4, ((t, REALS),), (rel(t, "!=", 0),),
               F=t + sqrt(t**2) / t),
    "a free variable that the change of variables catches":
        proof(by("field", rel(0, "=", 0, ((t, above(0)),))),
              by("reparametrise", rel(t - x, "=", 0, ((x, above(0)),)), 1, variable=x, image=t),
              by("substitute", rel(t - 1, "=", 0, ((t, REALS),)), 2, x=ONE)),
}  # fmt: skip

EVERYWHERE = rel(g[k], ">", 0, ((k, integers(0)),))
PREMISE = rel(g[k], ">", 0, ((g, REALS), (k, integers(0))), (EVERYWHERE,))
SOMETIMES = rel(g[k], ">", 0, ((k, integers(0)),), (rel(k, ">", 5),))
UP_TO = rel(g[k], "=", 0, ((k, integers(0, x)),))
GIVEN_UP_TO = ((g, REALS), (x, integers(0)))
FROM_N = rel(g[k], "=", 1, ((k, integers(n)),))
TOTAL = Sum(g[i], (i, 1, n))
COUNTED = ((g, REALS), (n, integers(0)))
HELD = (FROM_N, rel(TOTAL, "=", n))
HYPOTHESES = {
    "for all k is more than for this k":
        proof(by("hypothesis", PREMISE),
              by("substitute", rel(g[5], ">", 0, ((g, REALS),), (EVERYWHERE,)), 1, k=Integer(5)),
              by("linear", rel(g[5], ">", 0, PREMISE.over, (rel(g[k], ">", 0),)), 2)),
    "a hypothesis with a condition":
        proof(by("hypothesis", rel(g[k], ">", 0, PREMISE.over, (SOMETIMES,))),
              by("substitute", rel(g[0], ">", 0, ((g, REALS),), (SOMETIMES,)), 1, k=ZERO)),
    "the same by its sign":
        single("sign", x, ">", 0, ((x, REALS), (y, REALS)),
             (rel(x, ">", 0, (), (rel(y, ">", 0),)),)),
    "the same by cases":
        single("enumerate", x, "!=", 3, ((x, integers(1, 5)),),
               (rel(x, "<", 3, (), (rel(x, ">", 10),)),)),
    "a hypothesis whose domain speaks of x":
        proof(by("hypothesis", rel(g[k], "=", 0, (*GIVEN_UP_TO, (k, integers(0, x))), (UP_TO,))),
              by("substitute", rel(g[x], "=", 0, GIVEN_UP_TO, (UP_TO,)), 1, k=x),
              by("substitute", rel(g[x + 5], "=", 0, GIVEN_UP_TO, (UP_TO,)), 2, x=x + 5)),
    "an induction under a hypothesis whose domain speaks of n":
        proof(by("field", rel(Sum(g[i], (i, 1, 0)), "=", 0, ((g, REALS),), (FROM_N,))),
              by("hypothesis", rel(g[k], "=", 1, (*COUNTED, (k, integers(n))), HELD)),
              by("substitute", rel(g[n + 1], "=", 1, COUNTED, HELD), 2, k=n + 1),
              by("hypothesis", rel(TOTAL, "=", n, COUNTED, HELD)),
              by("linear", rel(TOTAL.subs(n, n + 1), "=", n + 1, COUNTED, HELD), 3, 4),
              by("induction", rel(TOTAL, "=", n, COUNTED, (FROM_N,)), 1, 5)),
}  # fmt: skip

FRACTION = ((n, integers(HALF)),)
OPEN = ((n, Domain(ZERO, oo, True, True, True)),)
ENDS = {
    "a change of variables from an empty interval":
        proof(by("sign", rel(t, "<", 0, ((t, interval(1, 0)),))),
              by("reparametrise", rel(x, "<", 0, ((x, interval(0, 1)),)), 1, variable=x, image=t)),
    "integers up to 5/2 and from 7/2 on miss 3":
        proof(by("enumerate", rel(x, "!=", 3, ((x, integers(1, Rational(5, 2))),))),
              by("enumerate", rel(x, "!=", 3, ((x, integers(Rational(7, 2), 10)),))),
              by("cases", rel(x, "!=", 3, ((x, integers(1, 10)),)), 1, 2)),
    "integers below 5 and from 6 on miss 5":
        proof(by("sign", rel(x, "!=", 5, ((x, Domain(ZERO, Integer(5), False, True, True)),))),
              by("enumerate", rel(x, "!=", 5, ((x, integers(6, 10)),))),
              by("cases", rel(x, "!=", 5, ((x, integers(0, 10)),)), 1, 2)),
    "an induction that starts at 1/2 never meets an integer":
        proof(by("ground", rel(0, "<", HALF)),
              by("hypothesis", rel(floor(n), "<", n, FRACTION, (rel(floor(n), "<", n),))),
              by("linear", rel(floor(n + 1), "<", n + 1, FRACTION, (rel(floor(n), "<", n),)), 2),
              by("induction", rel(floor(n), "<", n, FRACTION), 1, 3)),
    "an induction whose first step is left out":
        proof(by("ground", rel(0, "=", 0)),
              by("hypothesis", rel(n, "=", 0, OPEN, (rel(n, "=", 0),))),
              by("linear", rel(n + 1, "=", 0, OPEN, (rel(n, "=", 0),)), 2, c1=(n + 1) / n),
              by("induction", rel(n, "=", 0, OPEN), 1, 3)),
}  # fmt: skip


def limit(expression, value, target, *over):
    statement = Limit(expression, Integer(value), ((x, Integer(target)),), over)
    return proof(by("limit", statement))


LIMITS = {
    "a step": limit(floor(x), 1, 1, (x, REALS)),
    "0^0": limit((x + x**2) ** (1 / log(x)), 1, 0, (x, interval(0, HALF))),
    "the other variable may move too": limit(x * y, 0, 0, (x, above(0)), (y, above(0))),
}
SIGNS = FACTS["sum of signs"].instance(Integer(5), ONE)
HALF_SIGN = FACTS["sum of signs"].instance(HALF, ONE)
WRAPPED = {
    "a fact in a conjunction of one":
        proof(by("fact", SIGNS, name="sum of signs", count=Integer(5), below=ONE),
              by("every", Every((SIGNS,)), 1)),
    "half a coin":
        proof(by("fact", HALF_SIGN, name="sum of signs", count=HALF, below=ONE),
              by("ground", TRUE), by("every", Every((HALF_SIGN, TRUE)), 1, 2)),
    "no part at all": proof(by("every", Every(()))),
    "a part of a part":
        (Every((Every((FALSE, TRUE)),)), Part(0, Part(1, Derivation((by("ground", TRUE),))))),
}  # fmt: skip


NOTHING = (x + y) ** 2 - x**2 - 2 * x * y - y**2
CERTIFICATES = {
    "the zero polynomial has no degree":
        proof(by("degree", PolynomialDegree(NOTHING, (x, y), ZERO))),
    "a maximum outside the domain":
        (Maximum(-((x - 3) ** 2), x, interval(0, 1), Integer(3)),
         Enclosure((x,), (), around=(Fraction(-5), Fraction(5)))),
    "a maximum that is not defined":
        (Maximum(1 / (x - 3), x, integers(3, 3), Integer(3)), Enumeration(1)),
}  # fmt: skip

TRAPS = {**UNDEFINED, **BOUND, **HYPOTHESES, **ENDS, **LIMITS, **WRAPPED, **CERTIFICATES}


@pytest.mark.parametrize("name", TRAPS)
def test_not_believed(name):
    statement, evidence = TRAPS[name]
    assert check("trap", statement, (evidence,)).outcome == "inconclusive"


FLOOR = Limit(x, ZERO, ((y, ZERO),), ((y, above(0)), (x, interval(0, y))))
NEVER = Limit(1 / x, ONE, ((x, oo),), ((x, above(0)),), (rel(x, ">=", j, ((j, REALS),)),))
TRUTHS = {
    "a complex point": (rel(x**4, ">=", 0, REAL), Counterexample(((x, COMPLEX),))),
    "a complex instance":
        (rel(x**4, ">=", 0, REAL), Instance(((x, COMPLEX),), Counterexample(()))),
    "a path that leaves a moving domain": (FLOOR, Counterexample(((y, 1 / y), (x, ONE)), y, TWO)),
    "a path under a hypothesis that never holds":
        (NEVER, Counterexample(((x, j + 1),), j, ZERO)),
    "a variable with two domains":
        (rel(x, ">", 0, ((x, above(0)), (x, REALS))), Counterexample(((x, -ONE),))),
    "a path that starts nowhere":
        (Limit(exp(-x), ZERO, ((x, oo),), ((x, above(0)),)), Counterexample(((x, k),), k, k)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUTHS)
def test_not_refuted(name):
    statement, evidence = TRUTHS[name]
    assert check("trap", statement, (evidence,)).outcome == "inconclusive"


@pytest.mark.parametrize(
    "statement",
    [
        PolynomialDegree(x / 2, (x,), ONE),
        PolynomialDegree(x, (x, x), ONE),
        PolynomialDegree(Integer(3), (), ZERO),
        Mean(Integer(3), (), Integer(3)),
        Mean(g[1] ** 2, ((g, "normal"),), g[1] ** 2),
    ],
)
def test_what_sympy_cannot_expand_is_rejected_not_raised(statement):
    rule = "degree" if isinstance(statement, PolynomialDegree) else "isserlis"
    assert check("trap", statement, (Derivation((by(rule, statement),)),)).outcome == "inconclusive"


def test_an_expression_too_deep_to_walk_is_rejected_not_raised():
    deep = x
    for _ in range(3000):
        deep = exp(deep)
    statement = rel(deep, ">", 0, REAL)
    assert (
        check("trap", statement, (Derivation((by("sign", statement),)),)).outcome == "inconclusive"
    )
