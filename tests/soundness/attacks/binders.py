"""Binders and functions of more arguments."""

from sympy import Abs, Derivative, Integral, LambertW, Rational, Sum, exp, log, sqrt

from attacks import HALF, false, i, j, k, rel, single, t, x, y, z
from lemmata.symbolic.statements import REALS, interval
from lemmata.verify.kernel.evidence import Counterexample, Enclosure


@false
def sum_over_two_indices():
    return single(rel(Sum(i, (i, 1, 2), (j, 1, 3)), "=", 3), "ground")


@false
def integral_over_two_variables():
    return single(rel(Integral(x, (x, 0, 1), (y, 0, 5)), "<", 1), "ground")


@false
def lower_branch_of_w():
    return single(rel(LambertW(Rational(-1, 10), -1), ">", -1), "ground")


@false
def lower_branch_of_w_as_an_inverse():
    over = ((x, interval(-1, 0, "[)")),)
    return single(rel(LambertW(x * exp(x), -1), "=", x, over), "field")


@false
def modulus_in_an_integrand():
    """The integral of |t - 1/3| over [0, 1] is 5/18; |z| is not analytic."""
    value = Integral(Abs(t - Rational(1, 3)), (t, 0, 1))
    return single(rel(value, "<", Rational(27, 100)), "ground")


@false
def modulus_of_a_power_in_an_integrand():
    value = Integral(Abs(t) ** 3 + Abs(t - HALF), (t, -1, 1))
    return rel(value, "!=", Rational(7, 4)), Counterexample(())  # never support


@false
def integral_inside_an_integral_above():
    """Its real part alone is not analytic; the integral is less than 1 + exp(6)/6."""
    inner = Integral(exp(6 * t * z), (z, 0, 1))
    return single(rel(Integral(1 + inner, (t, 0, 1)), ">", 100), "ground")


@false
def root_inside_a_sum_inside_an_integral():
    """The integral of sqrt(t) over [0, 1] is 2/3."""
    value = Integral(Sum(sqrt(t), (k, 1, 1)), (t, 0, 1))
    return rel(value, ">", Rational(667, 1000)), Enclosure((), ((),))


@false
def complex_sum_of_logarithms_in_an_integral():
    value = Integral(Sum(log(t), (k, 1, 1)), (t, -2, -1))
    return rel(value, "<", 10), Enclosure((), ((),))


@false
def oversized_range_of_a_sum_below_its_start():
    """SymPy counts a sum from 5 to 2 as -(3 + 4); here it is empty."""
    return single(rel(Derivative(Sum(x * k, (k, 5, 2)), x), "=", -7, ((x, REALS),)), "field")


@false
def fractional_bounds_of_a_sum():
    return single(rel(Sum(k, (k, HALF, Rational(5, 2))), ">", 0), "ground")
