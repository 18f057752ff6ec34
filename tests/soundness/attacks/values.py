"""Values that are not real or not defined."""

import sympy as sp
from sympy import Abs, Derivative, Integral, Rational, exp, factorial, floor, log, oo, sqrt

from attacks import (
    NEGATIVE_ROOT,
    ONE,
    POINT,
    ZERO,
    F,
    d,
    false,
    line,
    n,
    proof,
    rel,
    single,
    t,
    true,
    x,
    y,
)
from lemmata.symbolic.statements import (
    REALS,
    Maximum,
    MaximumValue,
    Mean,
    NoSpuriousMinimum,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel.evidence import Counterexample, Enclosure, Enumeration, Instance


@false
def substitute_a_number_that_is_not_real():
    over = ((x, REALS),)
    return proof(
        line(rel(x**4, ">=", 0, over), "sign"),
        line(rel(-1, ">=", 0), "substitute", 1, x=NEGATIVE_ROOT),
    )


@true
def counterexample_that_is_not_real():
    return rel(x**4, ">=", 0, ((x, REALS),)), Counterexample(((x, NEGATIVE_ROOT),))


@true
def instance_that_is_not_real():
    inner = Counterexample(())
    return rel(x**4, ">=", 0, ((x, REALS),)), Instance(((x, NEGATIVE_ROOT),), inner)


@true
def maximum_beaten_at_a_number_that_is_not_real():
    statement = Maximum(-(x**4), x, REALS, ZERO)
    return statement, Counterexample(((x, NEGATIVE_ROOT),))


@true
def spurious_minimum_by_an_imaginary_point():
    return NoSpuriousMinimum(x**2, (x,)), Counterexample(((x, ZERO),), other=((x, sp.I),))


@true
def spurious_minimum_by_a_root_of_minus_one():
    statement = NoSpuriousMinimum(x**4 + x**2, (x,))
    return statement, Counterexample(((x, ZERO),), other=((x, NEGATIVE_ROOT**2),))


@false
def maximum_at_infinity():
    statement = Maximum(-exp(-x), x, REALS, oo)
    return proof(
        line(rel(-exp(-x), "<", 0, ((x, REALS),)), "sign"),
        line(statement, "largest", 1),
    )


@false
def undefined_factor_vanishes_in_a_case():
    """0*log(-1) is 0 to SymPy."""
    over = ((x, integers(0, 0)), (y, integers(-1, -1)))
    return rel(x * log(y), "=", 0, over), Enumeration(1)


@false
def undefined_terms_cancel_in_a_case():
    over = ((x, integers(-1, -1)), (y, integers(-1, -1)))
    return rel(log(x) - log(y), "=", 0, over), Enumeration(1)


@false
def imaginary_roots_multiply_in_a_case():
    over = ((x, integers(-1, -1)), (y, integers(-1, -1)))
    return single(rel(sqrt(x) * sqrt(y), "=", -1, over), "enumerate")


@false
def modulus_of_an_undefined_logarithm():
    return rel(Abs(log(x)), ">", 3, ((x, integers(-1, -1)),)), Enumeration(1)


@false
def mean_of_an_undefined_quantity():
    laws = ((x, "sign"), (y, "sign"))
    return Mean((x**2 - 1) * log(y), laws, ZERO), Enumeration(4)


@false
def instance_hides_an_undefined_factor():
    statement = rel(x * log(y), "=", 0, ((x, REALS), (y, REALS)))
    inner = single(rel(0, "=", 0, ((y, REALS),)), "field")[1]
    return statement, Instance(((x, ZERO),), inner)


@false
def point_hides_an_undefined_factor():
    over = ((y, REALS),)
    return proof(
        line(rel(0, "=", 0, over), "field"),
        line(rel(x * log(y), "=", 0, (*over, (x, POINT))), "point", 1),
    )


@false
def reparametrisation_hides_an_undefined_factor():
    over = ((y, REALS),)
    return proof(
        line(rel(0, "=", 0, (*over, (t, interval(0, 1, "[]")))), "field"),
        line(
            rel(x * log(y), "=", 0, (*over, (x, POINT))), "reparametrise", 1, variable=x, image=ZERO
        ),
    )


@false
def induction_hides_an_undefined_base():
    """n sqrt(n - 1) is not defined at n = 0."""
    over = ((n, integers(0)),)
    phi = rel(n * sqrt(n - 1), ">=", 0)
    return proof(
        line(rel(0, ">=", 0), "ground"),
        line(rel((n + 1) * sqrt(n), ">=", 0, over, (phi,)), "sign"),
        line(rel(phi.lhs, ">=", 0, over), "induction", 1, 2),
    )


@false
def derivative_of_a_logarithm_where_it_is_not_defined():
    return single(rel(x * Derivative(log(x), x), "=", 1, ((x, REALS),)), "field")


@false
def derivative_of_a_logarithm_of_negative_numbers():
    return single(rel(Derivative(log(x), x), "<", 0, ((x, interval(-2, -1)),)), "sign")


@false
def derivative_at_a_pole():
    over = ((x, REALS),)
    return single(rel(Derivative(-1 / x, x), "=", Derivative(-1 / x, x), over), "field")


@false
def undefined_index_of_a_sequence():
    over = ((d, above(0)), (x, REALS))
    return single(rel(d[floor(1 / x)], ">", 0, over), "sign")


@false
def undefined_terms_cancel_between_the_sides_of_a_box():
    statement = rel(1 / x + 1, ">", 1 / x, ((x, interval(-1, 1, "[]")),))
    return statement, Enclosure((x,), (((F(-1), F(1)),),))


@false
def derivative_of_an_undefined_logarithm_in_a_box():
    statement = rel(Derivative(log(x), x), "<", 0, ((x, interval(-2, -1, "[]")),))
    return statement, Enclosure((x,), (((F(-2), F(-1)),),))


@false
def factorial_of_fractions_in_a_box():
    statement = rel(factorial(x), ">", 0, ((x, interval(1, 2, "[]")),))
    return statement, Enclosure((x,), (((F(1), F(2)),),))


@false
def supremum_of_an_imaginary_integral():
    f = Integral(log(t), (t, -2, -1)) - x**2
    statement = MaximumValue(f, x, interval(-1, 1, "[]"), ZERO, ONE)
    return statement, Enclosure((x,), (((F(-1), F(1)),),), witness=F(0))


@false
def integral_of_a_logarithm_of_negative_numbers():
    statement = rel(Integral(log(t), (t, -2, -1)), "<", 10)
    return statement, Enclosure((), ((),))


@false
def integral_of_an_imaginary_root():
    statement = rel(Integral(sqrt(t), (t, -1, x)), ">", 0, ((x, interval(1, 2, "[]")),))
    return statement, Enclosure((x,), (((F(1), F(2)),),))


@false
def maximum_at_a_pole_of_another_term():
    statement = Maximum(-(x**2) + 0 * x, x, interval(-1, 1, "[]"), Rational(5))
    return statement, Enclosure((x,), (), around=(F(-1), F(6)))
