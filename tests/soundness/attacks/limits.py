"""Limits and integrals."""

import sympy as sp
from sympy import Integral, ceiling, floor, log, oo, sin

from attacks import HALF, ONE, TWO, ZERO, false, rel, single, t, x, y
from lemmata.symbolic.statements import REALS, Limit, above, interval


@false
def limit_of_a_step():
    return single(Limit(floor(x), ONE, ((x, ONE),), ((x, REALS),)), "limit")


@false
def limit_of_a_ceiling_from_above():
    return single(Limit(ceiling(x), ZERO, ((x, ZERO),), ((x, above(0)),)), "limit")


@false
def limit_of_a_power_of_zero():
    """0**x is 0 for x > 0, and 0**0 is 1."""
    return single(Limit(sp.Pow(0, x), ONE, ((x, ZERO),), ((x, above(0)),)), "limit")


@false
def limit_of_a_power_that_sympy_takes_for_one():
    """(2x)**(1/log(x)) tends to e; put x = 0, SymPy makes 0**(1/zoo) = 0**0 = 1 of it."""
    expression = (2 * x) ** (1 / log(x))
    return single(Limit(expression, ONE, ((x, ZERO),), ((x, interval(0, HALF)),)), "limit")


@false
def limit_with_a_free_parameter():
    """On the path x = 1/k, y = k the product stays 1."""
    statement = Limit(x * y, ZERO, ((x, ZERO),), ((x, above(0)), (y, above(0))))
    return single(statement, "limit")


@false
def limit_from_one_side():
    return single(Limit(1 / x, oo, ((x, ZERO),), ((x, REALS),)), "limit")


@false
def limit_of_an_oscillation():
    return single(Limit(sin(x), ONE, ((x, oo),), ((x, REALS),)), "limit")


@false
def limit_at_a_removable_singularity():
    statement = Limit((x**2 - 1) / (x - 1), TWO, ((x, ONE),), ((x, REALS),))
    return single(statement, "limit")


@false
def limit_with_a_vanishing_leading_coefficient():
    statement = Limit(y * x / (x + 1), ONE, ((x, oo),), ((x, above(0)), (y, REALS)))
    return single(statement, "limit")


@false
def antiderivative_across_a_pole():
    return single(rel(Integral(1 / t**2, (t, -1, 1)), "=", -2), "antiderivative", F=-1 / t)


@false
def antiderivative_with_a_jump():
    goal = rel(Integral(ZERO * t, (t, 0, 2)), "=", 2)
    return single(goal, "antiderivative", F=floor(t))


@false
def antiderivative_with_wrong_sign():
    return single(rel(Integral(t, (t, 1, 0)), "=", HALF), "antiderivative", F=t**2 / 2)
