"""Rules that rest on calculus, accepted and refused side by side."""

import re

import pytest
from sympy import (
    Abs,
    E,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Rational,
    Sum,
    cos,
    exp,
    floor,
    log,
    oo,
    sin,
    sqrt,
    symbols,
)

from lemmata.symbolic.statements import (
    REALS,
    Limit,
    Maximum,
    Relation,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel.calculus import CALCULUS

x, y, t, u, c, d, w, k = symbols("x y t u c d w k")
r = IndexedBase("r")
ZERO, ONE, TWO = map(Integer, range(3))
HALF = Rational(1, 2)
NOT_DEFINED = "not shown to be defined"
NOT_SMOOTH = "not built from smooth functions"
ON_T, ON_X = ((t, above(0)),), ((x, above(0)),)


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(Integer(lhs) if isinstance(lhs, int) else lhs, op,
                    Integer(rhs) if isinstance(rhs, int) else rhs, over, given)  # fmt: skip


def case(rule, conclusion, *premises, **args):
    return rule, conclusion, premises, args


def change(conclusion, *premises, image, variable=x):
    return case("reparametrise", conclusion, *premises, variable=variable, image=image)


SLOPE = (1 - log(x)) / x**2
PAIR = ((x, above(0)), (y, interval(0, x)))
REPARAMETRISE = [
    change(rel(SLOPE, "<", 0, ((x, above(E)),)), rel(-t * exp(-2 * t - 2), "<", 0, ON_T),
           image=exp(1 + t)),
    change(rel(SLOPE, ">", 0, ((x, interval(0, E)),)), rel(t * exp(2 * t - 2), ">", 0, ON_T),
           image=exp(1 - t)),
    change(rel(x, ">=", 0, ((x, interval(0, oo, "[)")),)),
           rel(t**2, ">=", 0, ((t, interval(0, oo, "[)")),)), image=t**2),
    change(rel(x + y, ">", 0, PAIR),
         rel(exp(t) + y, ">", 0, ((t, REALS), (y, interval(0, exp(t))))),
           image=exp(t)),
    change(rel(x + y, ">", 0, ((x, above(0)), (y, interval(0, (x + 1) ** 2)))),
           rel(exp(t) + y, ">", 0, ((t, REALS), (y, interval(0, exp(2 * t) + 2 * exp(t) + 1)))),
           image=exp(t)),
    change(rel(x + c, ">", 0, ((c, above(0)), (x, above(c)))),
           rel(t + 2 * c, ">", 0, ((c, above(0)), (t, above(0)))), image=t + c),
    change(rel(x, ">", 0, ((x, above(0)),), (rel(x, "<", 9),)),
           rel(exp(t), ">", 0, ((t, REALS),), (rel(exp(t), "<", 9),)), image=exp(t)),
    change(rel(1 / (x - 1), "!=", 0, ((x, above(2)),)), rel(1 / t, "!=", 0, ((t, above(1)),)),
           image=t + 1),
    change(rel(exp(LambertW(x / E)), ">", 0, ((x, above(-1)),)),
           rel(exp(w), ">", 0, ((w, above(-1)),)), image=w * exp(1 + w)),
    change(rel(x + r[1], ">", 0, ((r, above(0)), (x, above(0)))),
           rel(exp(t) + r[1], ">", 0, ((r, above(0)), (t, REALS))), image=exp(t)),
    change(rel(log(x - 1), ">=", log(x - 1), ((x, above(1)),)),
           rel(log(exp(t) - 1), ">=", log(exp(t) - 1), ON_T), rel(exp(t), ">", 1, ON_T),
           image=exp(t)),
    change(rel(x, ">", 0, ON_X), rel(x, ">", 0, ON_X), image=x),
]  # fmt: skip
REPARAMETRISE_REFUSED = [
    ("expected", change(rel(SLOPE, "<", 0, ((x, above(E)),)), rel(-t * exp(-t), "<", 0, ON_T),
                        image=exp(1 + t))),
    ("expected the relation", change(rel(x, ">", 0, ON_X), rel(exp(t), ">=", 0, ((t, REALS),)),
                                     image=exp(t))),
    ("not shown to reach all",
         change(rel(x, ">", 0, ON_X), rel(exp(t), ">", 0, ON_T), image=exp(t))),
    ("not shown to reach all", change(rel(x, ">", 0, ((x, above(-1)),)),
                                      rel(exp(t), ">", 0, ((t, REALS),)), image=exp(t))),
    ("not shown to reach all", change(rel(x, ">=", 0, ((x, interval(0, oo, "[)")),)),
                                      rel(exp(t), ">=", 0, ((t, REALS),)), image=exp(t))),
    ("needs real intervals",
         change(rel(x, ">", 0, ON_X), rel(t, ">", 0, ((t, integers(1)),)), image=t)),
    ("needs real intervals",
         change(rel(x, ">", 0, ((x, integers(1)),)), rel(t, ">", 0, ON_T), image=t)),
    (NOT_DEFINED, change(rel(x, ">", 0, ON_X), rel(1 / t, ">", 0, ((t, REALS),)), image=1 / t)),
    (NOT_SMOOTH, change(rel(x, ">=", 0, ((x, interval(0, oo, "[)")),)),
                        rel(Abs(t), ">=", 0, ((t, REALS),)), image=Abs(t))),
    (NOT_SMOOTH, change(rel(x, ">=", 1, ((x, above(0)),)), rel(floor(t) + 1, ">=", 1, ON_T),
                        image=floor(t) + 1)),
    ("before x differ", change(rel(x + c, ">", 0, ((c, above(0)), (x, above(c)))),
                               rel(t + 2 * c, ">", 0, ((c, above(1)), (t, above(0)))),
                               image=t + c)),
    ("after x differ", change(rel(x + y, ">", 0, PAIR),
                              rel(exp(t) + y, ">", 0, ((t, REALS), (y, interval(1, exp(t))))),
                              image=exp(t))),
    ("after x differ", change(rel(x + y, ">", 0, PAIR),
                              rel(exp(t) + y, ">", 0, ((t, REALS), (y, interval(0, exp(t), "(]")))),
                              image=exp(t))),
    ("after x differ",
         change(rel(x + y, ">", 0, PAIR), rel(exp(t) + y, ">", 0, ((t, REALS), (y, above(0)))),
                              image=exp(t))),
    ("after x differ", change(rel(x + y, ">", 0, ((x, above(0)), (y, above(0)))),
                              rel(exp(t) + y, ">", 0, ((t, REALS), (y, interval(0, 9)))),
                              image=exp(t))),
    ("after x differ",
         change(rel(x, ">", 0, PAIR), rel(exp(t), ">", 0, ((t, REALS),)), image=exp(t))),
    ("after x differ",
         change(rel(x, ">", 0, PAIR), rel(exp(t), ">", 0, ((t, REALS), (u, interval(0, exp(t))))),
                              image=exp(t))),
    ("after x differ", change(rel(x, ">", 0, PAIR),
                              rel(exp(t), ">", 0, ((t, REALS), (y, interval(0, exp(t), "[)")))),
                              image=exp(t))),
    ("two domains", change(rel(x + t, ">", 0, ((t, above(0)), (x, above(0)))),
                                  rel(2 * t, ">", 0, ((t, above(0)), (t, above(0)))), image=t)),
    ("two domains", change(rel(x + t, ">", 0, ((x, above(0)), (t, above(0)))),
                                  rel(2 * t, ">", 0, ((t, above(0)), (t, above(0)))), image=t)),
    ("the hypotheses differ",
         change(rel(x, ">", 0, ON_X), rel(t, ">", 0, ON_T, (rel(t, "<", 9),)), image=t)),
    ("the hypotheses differ", change(rel(x, ">", 0, ON_X, (rel(x, "<", 9),)),
                                     rel(exp(t), ">", 0, ((t, REALS),), (rel(t, "<", 9),)),
                                     image=exp(t))),
    (NOT_DEFINED, change(rel(1 / (x - 1) ** 2, ">=", 1 / (x - 1) ** 2, ON_X),
                         rel(t, ">=", t, ((t, REALS),)), image=exp(t))),
    ("no single variable",
         change(rel(r[1], ">", 0, ((r, above(0)),)), rel(t, ">", 0, ON_T), image=t,
                                  variable=r)),
    ("not in list", change(rel(x, ">", 0, ON_X), rel(t, ">", 0, ON_T), image=t, variable=y)),
    ("must be a relation", change(rel(x, ">", 0, ON_X), Maximum(x, x, REALS, ONE), image=t)),
    ("a premise needs", change(rel(x, ">", 0, ON_X), rel(exp(t), ">", 0, ((t, REALS),)),
                               rel(t, ">", 0, ON_T), image=exp(t))),
    ("image", case("reparametrise", rel(x, ">", 0, ON_X), rel(t, ">", 0, ON_T), variable=x)),
]  # fmt: skip


def slope(conclusion, premise, function, low, high, *more, variable=x):
    return case("monotone", conclusion, premise, *more, function=function, variable=variable,
                low=low, high=high)  # fmt: skip


RISES = rel(1 / x, ">", 0, ON_X)
FALLS = rel(-1 / x**2, "<", 0, ON_X)
FLAT = rel(exp(x) - 1, ">=", 0, ((x, above(0)),))
CUBE = rel(3 * x**2, ">=", 0, ((x, REALS),))
BY_C = rel(c * exp(c * x), ">", 0, ((c, above(0)), (x, REALS)))
HELD = rel(1 / x, ">", 0, ON_X, (rel(c, ">", 0),))
MONOTONE = [
    slope(rel(log(2), "<", log(3)), RISES, log(x), TWO, Integer(3)),
    slope(rel(log(3), ">", log(2)), RISES, log(x), TWO, Integer(3)),
    slope(rel(log(2), "<=", log(3)), RISES, log(x), TWO, Integer(3)),
    slope(rel(log(3), ">=", log(2)), RISES, log(x), TWO, Integer(3)),
    slope(rel(log(x), ">", 0, ((x, above(1)),)), RISES, log(x), ONE, x),
    slope(rel(1 / x, "<", 1, ((x, above(1)),)), FALLS, 1 / x, ONE, x),
    slope(rel(1, ">=", 1 / x, ((x, above(1)),)), FALLS, 1 / x, ONE, x),
    slope(rel(exp(x) - x, ">=", 1, ((x, above(0)),)), FLAT, exp(x) - x, ZERO, x),
    slope(rel(1, "<=", exp(x) - x, ((x, above(0)),)), FLAT, exp(x) - x, ZERO, x),
    slope(rel(exp(c), "<", exp(2 * c), ((c, above(0)),)), BY_C, exp(c * x), ONE, TWO),
    slope(rel(1, "<=", 8), CUBE, x**3, ONE, TWO),
    slope(rel(sqrt(d), ">", 0, ((d, above(0)),)), rel(1 / (2 * sqrt(x)), ">", 0, ON_X), sqrt(x),
         ZERO, d),
    slope(rel(log(2), "<", log(3), ((c, above(1)),)), HELD, log(x), TWO, Integer(3)),
    slope(rel(log(2), "<", log(y), ((y, REALS),), (rel(y, ">", 2),)), RISES, log(x), TWO, y,
          rel(y, ">", 0, ((y, REALS),), (rel(y, ">", 2),))),
]  # fmt: skip
MONOTONE_REFUSED = [
    ("expected", slope(rel(log(3), "<", log(2)), RISES, log(x), TWO, Integer(3))),
    ("expected", slope(rel(log(2), ">", log(3)), RISES, log(x), TWO, Integer(3))),
    ("expected", slope(rel(HALF, "<", Rational(1, 3)), FALLS, 1 / x, TWO, Integer(3))),
    ("expected", slope(rel(1, ">=", exp(x) - x, ((x, above(0)),)), FLAT, exp(x) - x, ZERO, x)),
    ("not <", slope(rel(1, "<", exp(x) - x, ((x, above(0)),)), FLAT, exp(x) - x, ZERO, x)),
    ("not >", slope(rel(8, ">", 1), CUBE, x**3, ONE, TWO)),
    ("not =", slope(rel(log(2), "=", log(3)), RISES, log(x), TWO, Integer(3))),
    ("not !=", slope(rel(log(2), "!=", log(3)), RISES, log(x), TWO, Integer(3))),
    ("2 < 2 is not seen", slope(rel(log(2), "<=", log(2)), RISES, log(x), TWO, TWO)),
    ("3 < 2 is not seen", slope(rel(log(3), "<", log(2)), RISES, log(x), Integer(3), TWO)),
    ("is not seen to lie in",
         slope(rel(1, "<=", 8), rel(3 * x**2, ">=", 0, ((x, above(2)),)), x**3, ONE, TWO)),
    ("is not seen to lie in",
         slope(rel(1, "<=", 8), rel(3 * x**2, ">=", 0, ((x, interval(0, HALF)),)),
                                    x**3, ZERO, TWO)),
    ("is not seen to lie in",
         slope(rel(-1, "<=", 0), rel(3 * x**2, ">=", 0, ((x, above(0)),)), x**3, -ONE, ZERO)),
    ("not about f'",
         slope(rel(log(2), "<", log(3)), rel(x, ">", 0, ON_X), log(x), TWO, Integer(3))),
    ("not about f'", slope(rel(-log(2), "<", -log(3)), RISES, -log(x), TWO, Integer(3))),
    ("a sign", slope(rel(log(2), "<", log(3)), rel(1 / x, ">", -1, ON_X), log(x), TWO, Integer(3))),
    ("a sign", slope(rel(log(2), "<", log(3)), rel(1 / x, "!=", 0, ON_X), log(x), TWO, Integer(3))),
    ("a sign", slope(rel(1, "<=", 1), rel(ZERO, "=", 0, ON_X), ONE, TWO, Integer(3))),
    ("a real variable",
         slope(rel(log(2), "<", log(3)), rel(1 / x, ">", 0, ((x, integers(1)),)), log(x), TWO,
              Integer(3))),
    ("a real variable",
         slope(rel(log(2), "<", log(3)), RISES, log(y), TWO, Integer(3), variable=y)),
    ("a hypothesis limits x",
         slope(rel(log(2), "<", log(3)), rel(1 / x, ">", 0, ON_X, (rel(x, "<", 1),)),
                                    log(x), TWO, Integer(3))),
    ("a hypothesis limits x",
         slope(rel(log(2), "<", log(3)), rel(1 / x, ">", 0, ON_X, (rel(1, ">", x),)),
                                    log(x), TWO, Integer(3))),
    ("a premise assumes", slope(rel(log(2), "<", log(3)), HELD, log(x), TWO, Integer(3))),
    ("a premise needs c",
         slope(rel(exp(c), "<", exp(2 * c), ((c, REALS),)), BY_C, exp(c * x), ONE, TWO)),
    (NOT_DEFINED, slope(rel(-1, "<", 1), rel(1 / x**2, ">", 0, ((x, above(0)),)), -1 / x, ZERO,
         ONE)),
    (NOT_DEFINED, slope(rel(log(x), "<", log(x + 1), ((x, REALS),)), RISES, log(x), x, x + 1)),
    (NOT_SMOOTH, slope(rel(floor(HALF) + HALF, "<", floor(Integer(2)) + 2),
         rel(1, ">", 0, ((x, REALS),)),
                       Sum(1, (k, 1, 2)) + x, HALF, TWO)),
    ("may not be continuous", slope(rel(1, "<=", 1), rel(((x - 1) ** x).diff(x), ">=", 0,
                                                        ((x, above(1)),)),
                                    (x - 1) ** x, ONE, TWO)),
    ("must be a relation", slope(Maximum(x, x, REALS, ONE), RISES, log(x), TWO, Integer(3))),
    ("must be a relation",
         slope(rel(log(2), "<", log(3)), Maximum(x, x, REALS, ONE), log(x), TWO, Integer(3))),
    ("a premise needs", slope(rel(log(2), "<", log(y), ((y, above(2)),)), RISES, log(x), TWO, y,
                              rel(y, ">", 3, ((y, above(3)),)))),
    ("function", case("monotone", rel(log(2), "<", log(3)), RISES, variable=x, low=ONE, high=TWO)),
]  # fmt: skip


def tends(expression, value, target, over=ON_X, variable=x):
    return case("limit", Limit(expression, Integer(value) if isinstance(value, int) else value,
                               ((variable, target),), over))  # fmt: skip


TO_A = ((c, above(0)), (x, above(0)))
LIMIT = [
    tends(1 / x, 0, oo),
    tends(x, oo, oo),
    tends((2 * x + 1) / (x + 3), 2, oo),
    tends(exp(-x), 0, oo),
    tends(log(x), -oo, ZERO),
    tends(x**2, 4, TWO),
    tends((x - 1) / (x**2 - 1), HALF, ONE, ((x, above(1)),)),
    tends((x**2 - 1) / (x - 1), 2, ONE, ((x, interval(0, 1)),)),
    tends(1 / x, -oo, ZERO, ((x, interval(-oo, 0)),)),
    tends(exp(x), 0, -oo, ((x, REALS),)),
    tends(x / (x + 1), 1, oo, ((x, integers(0)),)),
    tends(exp(1 + 1 / x), E, oo),
    tends(log(6) + 1 / x, log(2) + log(3), oo),
]  # fmt: skip
LIMIT_REFUSED = [
    ("must be a limit", case("limit", rel(1, "<", 2))),
    ("the limit is 0", tends(1 / x, 1, oo)),
    ("the limit is oo", tends(x, 1, oo)),
    ("the limit is oo", tends(x, -oo, oo)),
    ("the limit is 2", tends((2 * x + 1) / (x + 3), 3, oo)),
    ("the limit is 4", tends(x**2, 5, TWO)),
    ("move the other variables", tends((c * x + 1) / x, c, oo, TO_A)),
    ("the limit is -oo", tends(1 / x, oo, ZERO, ((x, interval(-oo, 0)),))),
    ("one variable must tend",
         case("limit", Limit(x + y, oo, ((x, oo), (y, oo)), ((x, above(0)), (y, above(0)))))),
    ("one variable must tend", case("limit", Limit(1 / x, ZERO, ((x**2, oo),), ON_X))),
    ("one variable must tend", case("limit", Limit(1 / x, ZERO, (), ON_X))),
    (NOT_DEFINED, tends(1 / x, 0, oo, ((x, REALS),))),
    (NOT_DEFINED, tends((x**2 - 1) / (x - 1), 2, ONE, ((x, REALS),))),
    ("no rule", tends(sin(x), 0, oo)),
    ("the limit is oo", tends(1 / (x**2 - 1), -oo, ONE, ((x, above(1)),))),
]  # fmt: skip


def area(integrand, low, high, value, F, over=()):
    return case("antiderivative", rel(Integral(integrand, (t, low, high)), "=", value, over), F=F)


ANTIDERIVATIVE = [
    area(t**2, 0, 3, 9, t**3 / 3),
    area(t**2, 0, 3, 9, t**3 / 3 + 7),
    area(t**2, 3, 0, -9, t**3 / 3),
    area(1 / t, 1, x, log(x), log(t), ((x, above(1)),)),
    area(1 / t, 1, x, log(x), log(t), ((x, interval(0, 1)),)),
    area(cos(t), 0, x, sin(x), sin(t), ((x, above(0)),)),
    area(t, 1, 1, 0, t**2 / 2),
]  # fmt: skip
ANTIDERIVATIVE_REFUSED = [
    ("F(b) - F(a) is 9", area(t**2, 0, 3, 8, t**3 / 3)),
    ("F(b) - F(a) is 9", area(t**2, 0, 3, -9, t**3 / 3)),
    ("F' is not the integrand", area(t**2, 0, 3, 27, t**3)),
    ("F' is not the integrand", area(1 / t, 1, 2, log(2), t)),
    (NOT_DEFINED, area(1 / t**2, -1, 1, -2, -1 / t)),
    (NOT_DEFINED, area(1, -1, 1, 2, t + 1 / t - 1 / t + log(t) - log(t) + 1 / t)),
    (NOT_DEFINED, area(1 / t, 1, x, log(x), log(t), ((x, REALS),))),
    (NOT_SMOOTH, area(1, 0, 2, 4, t + floor(t))),
    (NOT_SMOOTH, area(floor(t), 0, 2, 1, t * floor(t))),
    (NOT_DEFINED, case("antiderivative", rel(
        Integral(1, (t, 0, x)), "=", x + sqrt((x - 1) ** 2) / (x - 1) + 1,
        ((x, interval(0, oo, "[)")),), (rel(x, "!=", 1),),
    ), F=t + sqrt((t - 1) ** 2) / (t - 1))),
    ("no integral", case("antiderivative", rel(x, "=", x, ON_X), F=x)),
    ("no integral", case("antiderivative", rel(Integral(t, (t, 0, 2)), "<=", 2), F=t**2 / 2)),
    ("F", case("antiderivative", rel(Integral(t, (t, 0, 2)), "=", 2))),
]  # fmt: skip

FACTS = {
    "reparametrise": ("intermediate value theorem",),
    "monotone": ("mean value theorem",),
    "limit": (),
    "antiderivative": ("fundamental theorem of calculus",),
}


@pytest.mark.parametrize(
    ("rule", "conclusion", "premises", "args"),
    [*REPARAMETRISE, *MONOTONE, *LIMIT, *ANTIDERIVATIVE],
)
def test_accepted(rule, conclusion, premises, args):
    assert CALCULUS[rule](conclusion, premises, args) == FACTS[rule]


@pytest.mark.parametrize(
    ("why", "inference"),
    [*REPARAMETRISE_REFUSED, *MONOTONE_REFUSED, *LIMIT_REFUSED, *ANTIDERIVATIVE_REFUSED],
)
def test_refused(why, inference):
    rule, conclusion, premises, args = inference
    with pytest.raises(Exception, match=re.escape(why)):
        CALCULUS[rule](conclusion, premises, args)
