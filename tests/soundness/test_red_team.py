"""Attacks on the kernel: evidence that would make it support a false statement, refute a true
one, raise, or run without end. The kernel must answer each of them with a refusal.

A false statement here is also one whose expressions are not all defined on its domain, and one
that is not well formed. Each attack is minimal: nothing in it but what the hole needs.
"""

import os
import resource
from fractions import Fraction
from types import MappingProxyType

import pytest
import sympy as sp
from sympy import (
    Abs,
    Derivative,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Max,
    Product,
    Rational,
    Sum,
    Symbol,
    binomial,
    ceiling,
    exp,
    factorial,
    floor,
    gamma,
    log,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
)  # fmt: skip

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Domain,
    Every,
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    PolynomialDegree,
    Rank,
    Relation,
    Trend,
    above,
    integers,
    interval,
)  # fmt: skip
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    Instance,
    Multipliers,
    Part,
    RankCertificate,
    SampleBatch,
    SequentialTest,
    Trajectory,
)  # fmt: skip

F = Fraction
x, y, z, t, a, k, n, i, j = symbols("x y z t a k n i j")
d, e = IndexedBase("d"), IndexedBase("e")
ZERO, ONE, TWO, HALF = Integer(0), Integer(1), Integer(2), Rational(1, 2)
POINT = Domain(ZERO, ZERO, False, False)
NEGATIVE_ROOT = sp.Pow(-1, Rational(1, 4))  # no real number, though its fourth power is

SUPPORT = {"proved", "certified", "confirmed"}
ATTACKS = {}


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(sp.sympify(lhs), op, sp.sympify(rhs), over, given)


def line(statement, rule, *using, **args):
    return Line(statement, rule, using, tuple((key, sp.sympify(v) if isinstance(v, int) else v)
                                              for key, v in args.items()))  # fmt: skip


def proof(*lines):
    """The last line is the statement attacked."""
    return lines[-1].statement, Derivation(lines)


def single(statement, rule, **args):
    return proof(line(statement, rule, **args))


def attack(kind):
    def register(make):
        ATTACKS[make.__name__] = (kind, make)
        return make

    return register


false, true = attack("false"), attack("true")


def judged(made, lemmas=MappingProxyType({})):
    statement, *evidence = made
    return check("attack", statement, tuple(evidence), lemmas)


@pytest.mark.parametrize("name", ATTACKS)
def test_kernel_withstands(name):
    kind, make = ATTACKS[name]
    verdict = judged(make())
    wrong = SUPPORT if kind == "false" else {"refuted"}
    assert verdict.outcome not in wrong | {"conflict"}, verdict.detail


# --- hypotheses that have hypotheses or variables of their own ---------------------------------


@false
def conditional_hypothesis_used_unconditionally():
    """(1 < 0 => x > 0) does not give x > 0."""
    given = (rel(x, ">", 0, (), (rel(1, "<", 0),)),)
    return single(rel(x, ">", 0, ((x, REALS),), given), "sign")


@false
def conditional_hypothesis_restated():
    given = (rel(x, ">", 0, (), (rel(1, "<", 0),)),)
    return single(rel(x, ">", 0, ((x, REALS),), given), "hypothesis")


@true
def conditional_hypothesis_in_a_counterexample():
    """The hypothesis (x > 5 => x <= 5) says x <= 5; it fails at x = 6."""
    given = (rel(x, "<=", 5, (), (rel(x, ">", 5),)),)
    statement = rel(x, "<=", 5, ((x, REALS),), given)
    return statement, Counterexample(((x, Integer(6)),))


@false
def conditional_hypothesis_skips_cases():
    """The hypothesis (x > 7 => x > 5) always holds, so the statement says x > 5 for x = 0, 1."""
    given = (rel(x, ">", 5, (), (rel(x, ">", 7),)),)
    return rel(x, ">", 5, ((x, integers(0, 9)),), given), Enumeration(10)


@false
def general_hypothesis_met_by_a_single_case():
    """`usable`: "for all real x, x > 0" is not met because the conclusion's own x is positive."""
    general = rel(x, ">", 0, ((x, REALS),))
    return proof(
        line(rel(x, ">", 0, ((x, REALS),), (general,)), "hypothesis"),
        line(rel(-1, ">", 0, (), (general,)), "substitute", 1, x=-1),
        line(rel(-1, ">", 0, ((x, above(0)),)), "linear", 2),
        line(rel(-1, ">", 0), "substitute", 3, x=1),
    )


@false
def general_hypothesis_skips_cases():
    """ "for all k in [5, 5], k >= 5" holds at every outer k."""
    given = (rel(k, ">=", 5, ((k, interval(5, 5, "[]")),)),)
    return rel(k, ">=", 5, ((k, integers(0, 9)),), given), Enumeration(10)


@true
def general_hypothesis_on_a_path():
    """The hypothesis "for all real x, x > 0" is false, so the statement is true."""
    given = (rel(x, ">", 0, ((x, REALS),)),)
    statement = Limit(x, ZERO, ((x, oo),), ((x, REALS),), given)
    return statement, Counterexample(((x, k),), path=k, start=ONE)


def at_least_five(var):
    """ "for all k in [var, var], k >= 5": a way to say var >= 5 by the domain alone."""
    return rel(k, ">=", 5, ((k, Domain(var, var, False, False)),))


def from_five(var):
    given = (at_least_five(var),)
    over = ((var, REALS), (k, Domain(var, var, False, False)))
    return (
        line(rel(k, ">=", 5, over, given), "hypothesis"),
        line(rel(var, ">=", 5, ((var, REALS),), given), "substitute", 1, k=var),
    )


@false
def substitution_forgets_the_domain_in_a_hypothesis():
    goal = rel(0, ">=", 5, ((x, REALS),), (at_least_five(x),))
    return proof(*from_five(x), line(goal, "substitute", 2, x=0))


@false
def reparametrisation_forgets_the_domain_in_a_hypothesis():
    over, given = ((x, REALS),), (at_least_five(x),)
    return proof(
        *from_five(x),
        line(rel(x + 100, ">=", 105, over, given), "linear", 2),
        line(rel(x, ">=", 105, over, given), "reparametrise", 3, variable=x, image=x + 100),
    )


@false
def monotone_where_a_domain_in_a_hypothesis_limits_x():
    over, given = ((x, REALS),), (at_least_five(x),)
    return proof(
        *from_five(x),
        line(rel(2 * x, ">=", 0, over, given), "linear", 2, c1=2, rest=10),
        line(
            rel(25, "<=", 1, over, given), "monotone", 3, function=x**2, variable=x, low=-5, high=1
        ),
    )


# --- values that are not real or not defined ---------------------------------------------------


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


# --- names ------------------------------------------------------------------------------------


@false
def index_of_a_sum_takes_the_hypothesis_of_an_outer_variable():
    over = ((k, REALS), (n, integers(0)))
    given = (rel(k, ">", 3),)
    return single(rel(Sum(k - 3, (k, 0, n)), ">=", 0, over, given), "sign")


@false
def index_of_a_product_takes_the_hypothesis_of_an_outer_variable():
    over = ((k, REALS), (n, integers(0)))
    given = (rel(k, ">", 3),)
    return single(rel(Product(k - 3, (k, 0, n)), ">", 0, over, given), "sign")


@false
def pole_hidden_by_a_hypothesis_about_an_outer_variable():
    over = ((t, REALS),)
    goal = rel(Integral(1 / t**2, (t, -1, 1)), "=", -2, over, (rel(t, ">", 0),))
    return single(goal, "antiderivative", F=-1 / t)


@false
def inverse_of_w_under_a_shadowed_index():
    over = ((k, above(0)), (n, integers(0)))
    goal = rel(Sum(LambertW(k * exp(k)), (k, -5, n)), "=", Sum(k, (k, -5, n)), over)
    return single(goal, "field")


@false
def bound_index_shadows_in_a_premise_only():
    """The premise is true and knows no k; in the conclusion k > 0, but the index is not."""
    left, right = Sum(LambertW(k * exp(k)), (k, -5, n)), Sum(k, (k, -5, n))
    over = ((n, integers(0)),)
    wide = (*over, (k, above(0)))
    return proof(
        line(rel(0, "=", 0, over), "field"),
        line(rel(left - right, "=", 0, wide), "linear", 1),
    )


@false
def symbol_and_sequence_of_one_name():
    """To put e for the number d must not turn the sequence d into the sequence e."""
    sym, other = Symbol("d"), Symbol("e")
    over = ((d, interval(0, oo, "[)")), (sym, REALS))
    wide = ((d, interval(0, oo, "[)")), (e, REALS), (other, REALS))
    return proof(
        line(rel(d[1], ">=", 0, over), "sign"),
        line(rel(e[1], ">=", 0, wide), "substitute", 1, d=other),
    )


@false
def sequence_keeps_a_domain_that_was_substituted():
    premise = ((n, integers(1)), (d, Domain(ZERO, n, False, False)))
    return proof(
        line(rel(d[1], "<=", n, premise), "sign"),
        line(rel(d[1], "<=", 1, premise), "substitute", 1, n=1),
    )


@true
def path_named_like_a_variable():
    """x exp(-y) tends to 0, as y > x; on the forged path y > x is read as y > k."""
    over = ((x, above(1)), (y, above(x)))
    statement = Limit(x * exp(-y), ZERO, ((x, oo),), over)
    return statement, Counterexample(((x, exp(x)), (y, x + 1)), path=x, start=ONE)


@true
def entry_of_a_sequence_under_two_names():
    statement = rel(d[i], "=", d[1], ((d, REALS), (i, integers(1, 1))))
    point = ((d[i], ZERO), (d[1], Integer(5)), (i, ONE))
    return statement, Counterexample(point)


@false
def number_as_a_variable():
    statement = rel(pi, ">", Rational(7, 2), ((pi, interval(4, 5, "[]")),))
    return statement, Enclosure((pi,), (((F(4), F(5)),),))


@false
def variable_not_declared_in_a_maximum():
    """The hypothesis limits the variable over which the maximum is taken."""
    given = (rel(x, "<", 0),)
    statement = Maximum(x, x, interval(0, 1, "[]"), ZERO, (), given)
    side = Domain(ZERO, ONE, True, False)
    return proof(
        line(rel(x, "<", 0, ((x, side),), given), "hypothesis"), line(statement, "largest", 1)
    )


@false
def shift_into_the_scope_of_an_index():
    """y >= k for the outer k; to write y as k + t inside the sum would catch it."""
    over = ((k, interval(0, 1, "[]")), (y, Domain(k, oo, False, True)), (n, integers(0)))
    return single(rel(Sum(y - k, (k, 0, n)) + 1, ">", 0, over), "sign")


@false
def inverse_of_w_under_a_shadowed_variable_of_integration():
    """W0(t exp(t)) is not t for t < -1, whatever the outer t."""
    left, right = Integral(LambertW(t * exp(t)), (t, -5, 0)), Integral(t, (t, -5, 0))
    return single(rel(left, "=", right, ((t, above(0)),)), "field")


@false
def substitution_under_a_derivative_left_standing():
    """The derivative by x at x = y is not the derivative by y."""
    u = Symbol("u")
    inner = Derivative(x * y - 5 * y**3, x)
    over = ((x, above(0)), (y, above(0)), (u, REALS))
    return proof(
        line(rel(2 * Derivative(u * inner, u), ">", 0, over), "sign"),
        line(rel(4 * y - 30 * y**2, ">", 0, ((y, above(0)), (u, REALS))), "substitute", 1, x=y),
    )


@false
def reparametrisation_named_like_its_variable():
    """With image -x the argument of W0 must be -x, not -(-x)."""
    w = LambertW(x)
    lhs = (w + 1) ** 2 - w**2 - 2 * w
    return proof(
        line(rel(1, "=", 1, ((x, above(0)),)), "field"),
        line(rel(lhs, "=", 1, ((x, interval(-5, 0)),)), "reparametrise", 1, variable=x, image=-x),
    )


@false
def reparametrisation_of_a_sequence():
    return proof(
        line(rel(d[1], ">=", 5, ((d, interval(5, 6, "[]")),)), "sign"),
        line(rel(d[1], ">=", 5, ((d, POINT),)), "reparametrise", 1, variable=d, image=ZERO),
    )


@true
def path_along_a_number():
    """pi/x tends to 0; pi does not grow."""
    statement = Limit(pi / x, ZERO, ((x, oo),), ((x, above(0)),))
    return statement, Counterexample(((x, pi),), path=pi, start=ONE)


@false
def event_with_a_hypothesis():
    """Read as (x = 1 => x = 1) its probability is 1."""
    event = rel(x, "=", 1, (), (rel(x, "=", 1),))
    return Mean(event, ((x, "sign"),), HALF), Enumeration(2)


@false
def mean_with_an_unbound_parameter():
    return single(Mean(log(a) * x**2, ((x, "normal"),), log(a)), "isserlis")


@false
def index_of_a_trend_is_a_number():
    trend = Trend("loss", (), ZERO, 1 / pi, pi)
    return trend, Trajectory("loss", (), F(0), ((1, F(1)), (2, F(1, 2)), (3, F(1, 3))))


@false
def capture_in_a_nested_sum():
    over = ((n, integers(1)), (i, integers(1)))
    inner = Sum(i * j, (j, 1, n))
    return proof(
        line(rel(inner, "=", inner, over), "field"),
        line(
            rel(Sum(j * j, (j, 1, n)), "=", inner, ((n, integers(1)), (i, integers(1)))),
            "substitute",
            1,
            i=j,
        ),
    )


# --- binders and functions of more arguments ---------------------------------------------------


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


# --- rules about one variable ------------------------------------------------------------------


@false
def reparametrisation_by_an_empty_interval():
    """Nothing lies in (1, 0), so everything holds there; but its ends are the ends of (0, 1)."""
    empty = ((t, interval(1, 0)),)
    return proof(
        line(rel(t, "<", 0, empty), "sign"),
        line(rel(-1, ">=", 0, empty), "linear", 1, c1=1 / t),
        line(rel(-1, ">=", 0, ((x, interval(0, 1)),)), "reparametrise", 2, variable=x, image=t),
        line(rel(-1, ">=", 0), "substitute", 3, x=HALF),
    )


@false
def reparametrisation_that_does_not_cover():
    return proof(
        line(rel(t**2, ">=", 0, ((t, REALS),)), "sign"),
        line(rel(x, ">=", 0, ((x, REALS),)), "reparametrise", 1, variable=x, image=t**2),
    )


@false
def reparametrisation_across_a_pole():
    over = ((t, interval(-1, 1)),)
    return proof(
        line(rel(t**2, ">=", 0, over), "sign"),
        line(rel(1 / x**2, ">=", 0, ((x, above(1)),)), "reparametrise", 1, variable=x, image=1 / t),
        line(rel(x, "=", x + 1, ((x, REALS),)), "field"),
    )


@false
def reparametrisation_of_an_integer():
    return proof(
        line(rel(t, "<", 5, ((t, interval(0, 5)),)), "sign"),
        line(rel(x, "<", 5, ((x, integers(0, 9)),)), "reparametrise", 1, variable=x, image=t),
    )


@false
def reparametrisation_with_a_later_domain():
    """y < x must become y < g(t), not y < t."""
    early = ((t, above(1)), (y, interval(0, t)))
    return proof(
        line(rel(y, "<", t, early), "sign"),
        line(
            rel(y, "<", x / 2, ((x, above(2)), (y, interval(0, x)))),
            "reparametrise",
            1,
            variable=x,
            image=2 * t,
        ),
    )


@false
def induction_from_a_fraction():
    over = ((n, integers(HALF)),)
    phi = rel(ceiling(n) - n, "=", HALF)
    return proof(
        line(rel(HALF, "=", HALF), "ground"),
        line(rel(ceiling(n) - n, "=", HALF, over, (phi,)), "hypothesis"),
        line(rel(ceiling(n) - n, "=", HALF, over), "induction", 1, 2),
    )


@false
def induction_from_an_open_end():
    over = ((n, Domain(ZERO, oo, True, True, True)),)
    phi = rel(n, "<=", 0)
    return proof(
        line(rel(0, "<=", 0), "ground"),
        line(rel(n, "<=", 0, over, (phi,)), "hypothesis"),
        line(rel(n + 1, "<=", 0, over, (phi,)), "linear", 2, 2, c2=1 / n),
        line(rel(n, "<=", 0, over), "induction", 1, 3),
    )


@false
def induction_with_a_hypothesis_about_n():
    over, small = ((n, integers(0)),), rel(n, "<=", 1)
    return proof(
        line(rel(0, "<=", 1, (), (small,)), "ground"),
        line(rel(n + 1, "<=", 1, over, (small, small)), "sign"),
        line(rel(n, "<=", 1, over, (small,)), "induction", 1, 2),
    )


@false
def induction_on_a_real_variable():
    over = ((n, above(0)),)
    phi = rel(sin(n), "=", 0)
    return proof(
        line(rel(0, "=", 0), "ground"),
        line(rel(sin(n), "=", 0, over, (phi,)), "hypothesis"),
        line(rel(sin(n), "=", 0, over), "induction", 1, 2),
    )


def two_cases(one, two, whole, goal):
    pieces = [Relation(goal.lhs, goal.op, goal.rhs, ((k, p),)) for p in (one, two)]
    final = Relation(goal.lhs, goal.op, goal.rhs, ((k, whole),))
    return proof(line(pieces[0], "enumerate"), line(pieces[1], "enumerate"),
                 line(final, "cases", 1, 2))  # fmt: skip


@false
def integer_cases_with_an_open_end():
    one = Domain(ZERO, Integer(3), False, True, True)
    goal = rel((k - 3) ** 2 * k, "!=", 0)
    pieces = [rel(goal.lhs, "!=", 0, ((k, p),)) for p in (one, integers(4, 6))]
    final = rel(goal.lhs, "!=", 0, ((k, integers(0, 6)),))
    return proof(line(pieces[0], "sign"), line(pieces[1], "enumerate"), line(final, "cases", 1, 2))


@false
def integer_cases_open_at_the_gap():
    one, two = Domain(ONE, TWO, False, True, True), integers(3, 4)
    lines = [rel(k, "!=", 2, ((k, p),)) for p in (one, two)]
    return proof(line(rel(k, "<", 2, ((k, one),)), "sign"), line(lines[0], "sign"),
                 line(lines[1], "enumerate"),
                 line(rel(k, "!=", 2, ((k, integers(1, 4)),)), "cases", 2, 3))  # fmt: skip


@false
def integer_cases_with_fractional_ends():
    one, two = integers(0, HALF), integers(Rational(3, 2), 2)
    return two_cases(one, two, integers(0, 2), rel(k, "!=", 1))


@false
def integer_cases_for_a_real_domain():
    return two_cases(integers(0, 1), integers(1, 2), interval(0, 2, "[]"), rel(k, "!=", HALF))


@false
def cases_with_a_gap_at_a_point():
    pieces = (interval(0, 1), interval(1, 2))
    lines = [rel(x, "!=", 1, ((x, p),)) for p in pieces]
    return proof(*(line(s, "sign") for s in lines),
                 line(rel(x, "!=", 1, ((x, interval(0, 2)),)), "cases", 1, 2))  # fmt: skip


@false
def cases_of_a_sequence():
    """All entries in [0, 1], or all in [1, 2], is not: each entry in [0, 2]."""
    product, wide = (d[1] - 1) * (d[2] - 1), interval(0, 2, "[]")
    lines = [rel(product, ">=", 0, ((d, interval(b, b + 1, "[]")),)) for b in (0, 1)]
    return proof(*(line(s, "sign") for s in lines),
                 line(rel(product, ">=", 0, ((d, wide),)), "cases", 1, 2))  # fmt: skip


@false
def monotone_across_a_pole():
    over = ((x, REALS),)
    return proof(
        line(rel(exp(x), ">", 0, over), "sign"),
        line(rel(1, "<", -1), "monotone", 1, function=-1 / x, variable=x, low=-1, high=1),
    )


@false
def monotone_slope_on_both_sides_of_a_pole():
    over = ((x, interval(-1, 0)),)
    return proof(
        line(rel(x**-2, ">", 0, over), "sign"),
        line(rel(1, "<", -1), "monotone", 1, function=-1 / x, variable=x, low=-1, high=1),
    )


@false
def monotone_steps():
    over = ((x, REALS),)
    function = x - 2 * floor(x)
    return proof(
        line(rel(1, ">", 0, over), "sign"),
        line(rel(0, "<", -1), "monotone", 1, function=function, variable=x, low=0, high=1),
    )


@false
def monotone_with_ends_in_wrong_order():
    over = ((x, REALS),)
    return proof(
        line(rel(1, ">", 0, over), "sign"),
        line(rel(1, "<", 0), "monotone", 1, function=x, variable=x, low=1, high=0),
    )


@false
def largest_without_one_side():
    over, side = (), Domain(-oo, ZERO, True, True)
    return proof(
        line(rel(x, "<", 0, ((x, side),)), "sign"),
        line(Maximum(x, x, REALS, ZERO, over), "largest", 1),
    )


@false
def largest_outside_its_domain():
    side = Domain(ZERO, Integer(5), False, True)
    return proof(
        line(rel(x, "<", 5, ((x, side),)), "sign"),
        line(Maximum(x, x, interval(0, 1, "[]"), Integer(5)), "largest", 1),
    )


@false
def largest_at_an_open_end():
    side = interval(0, 1)
    return proof(
        line(rel(x, "<", 1, ((x, side),)), "sign"),
        line(Maximum(x, x, interval(0, 1), ONE), "largest", 1),
    )


@false
def largest_of_integers_at_a_fraction():
    high = integers(Rational(3, 2), 3)
    f = -((x - HALF) ** 2)
    return proof(
        line(rel(f, "<", 0, ((x, high),)), "sign"),
        line(Maximum(f, x, integers(0, 3), HALF), "largest", 1),
    )


@false
def linear_with_unequal_premise():
    over = ((x, REALS), (y, REALS))
    given = (rel(x, "!=", y),)
    return proof(
        line(rel(x, "!=", y, over, given), "hypothesis"),
        line(rel(x, "<", y, over, given), "linear", 1),
    )


@false
def linear_scaled_by_a_sign_changing_factor():
    over, given = ((x, REALS), (y, REALS)), (rel(x, "<=", 1),)
    return proof(
        line(rel(x, "<=", 1, over, given), "hypothesis"),
        line(rel(x * y, "<=", y, over, given), "linear", 1, c1=y),
    )


@false
def linear_scaled_by_an_undefined_factor():
    over, given = ((x, REALS),), (rel(x, "=", 0),)
    return proof(
        line(rel(x, "=", 0, over, given), "hypothesis"),
        line(rel(1, "=", 0, over, given), "linear", 1, c1=1 / x),
    )


@false
def strict_from_not_strict():
    over, given = ((x, REALS),), (rel(x, "<=", 0),)
    return proof(
        line(rel(x, "<=", 0, over, given), "hypothesis"),
        line(rel(x, "<", 0, over, given), "linear", 1),
    )


@false
def premise_from_a_narrower_domain():
    return proof(
        line(rel(x, ">", 0, ((x, above(0)),)), "sign"),
        line(rel(x, ">", 0, ((x, REALS),)), "linear", 1),
    )


@false
def premise_from_an_empty_domain():
    return proof(
        line(rel(x, "<", 0, ((x, interval(1, 0)),)), "sign"),
        line(rel(1, "<", 0), "linear", 1),
    )


@false
def exponential_of_undefined_logarithms():
    over = ((x, REALS), (y, REALS))
    given = (rel(x, "<", y),)
    return proof(
        line(rel(x, "<", y, over, given), "hypothesis"),
        line(rel(log(x), "<", log(y), over, given), "exponential", 1),
    )


@false
def substitute_outside_the_domain():
    return proof(
        line(rel(x, ">", 0, ((x, above(0)),)), "sign"),
        line(rel(-1, ">", 0), "substitute", 1, x=-1),
    )


@false
def substitute_a_fraction_for_an_integer():
    return proof(
        line(rel((k - 1) * k, "=", 0, ((k, integers(0, 1)),)), "enumerate"),
        line(rel(-Rational(1, 4), "=", 0), "substitute", 1, k=HALF),
    )


@false
def substitute_without_a_hypothesis():
    over = ((x, REALS),)
    return proof(
        line(rel(x, ">", 5, over, (rel(x, ">", 5),)), "hypothesis"),
        line(rel(1, ">", 5), "substitute", 1, x=1),
    )


@false
def domain_that_mentions_itself():
    return single(rel(x, ">", x - 1, ((x, Domain(x, oo)),)), "sign")


@false
def variable_with_two_domains():
    over = ((x, above(0)), (x, REALS))
    return single(rel(x, ">", 0, over), "sign")


# --- limits and integrals ----------------------------------------------------------------------


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


# --- moments, degrees, facts -------------------------------------------------------------------


@false
def moment_with_a_variable_twice():
    return single(Mean(x**2, ((x, "normal"), (x, "normal")), ONE), "isserlis")


@false
def moment_of_a_sequence_as_a_constant():
    g = IndexedBase("g")
    return single(Mean(g[1], ((g, "normal"),), g[1]), "isserlis")


@false
def moment_of_a_modulus():
    return single(Mean(Abs(x), ((x, "normal"),), ZERO), "isserlis")


@false
def degree_with_fractions():
    return single(PolynomialDegree(x / 2, (x,), TWO), "degree")


@false
def degree_with_a_parameter():
    return single(PolynomialDegree(x * y, (x,), TWO), "degree")


@false
def sum_of_a_negative_number_of_signs():
    from lemmata.verify.kernel.facts import FACTS

    stated = FACTS["sum of signs"].instance(Integer(-3), ONE)
    return proof(line(stated, "fact", name="sum of signs", count=-3, below=1))


@false
def number_of_signs_caught_by_the_index():
    from lemmata.verify.kernel.facts import FACTS

    stated = FACTS["sum of signs"].instance(j, ONE)
    return proof(line(stated, "fact", name="sum of signs", count=j, below=1))


@false
def fact_without_instances():
    return single(rel(0, "=", 1), "fact", name="mean value theorem")


# --- boxes -------------------------------------------------------------------------------------


@false
def degenerate_boxes_leave_a_gap():
    """In a domain without volume the volumes of any boxes add up."""
    over = ((x, POINT), (y, interval(0, 1, "[]")))
    corners = (((F(0), F(0)), (F(0), F(0))), ((F(0), F(0)), (F(1), F(1))))
    return rel((y - HALF) ** 2, ">", x, over), Enclosure((x, y), corners)


@false
def boxes_outside_the_domain():
    statement = rel(x, ">", 4, ((x, interval(0, 1)),))
    return statement, Enclosure((x,), (((F(5), F(6)),),))


@false
def boxes_with_a_gap():
    boxes = (((F(0), F(1, 4)),), ((F(3, 4), F(1)),))
    statement = rel((x - HALF) ** 2, ">", 0, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), boxes)


@false
def overlapping_boxes_make_up_for_a_gap():
    boxes = (((F(0), F(1, 2)),), ((F(0), F(1, 2)),))
    statement = rel(x, "<", 1, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), boxes)


@false
def boxes_turned_round():
    statement = rel(x, "<", HALF, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), (((F(1), F(0)),),))


@false
def strict_at_the_boundary_of_a_box():
    statement = rel(x, ">", 0, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), (((F(0), F(1)),),))


@false
def box_of_a_maximum_outside_the_domain():
    """The maximum is in the boxes, but not in the domain."""
    statement = Maximum(-((x - 5) ** 2), x, interval(0, 1, "[]"), Integer(5))
    return statement, Enclosure((x,), (), around=(F(0), F(6)))


@false
def two_equal_maxima():
    f = -((x**2 - 1) ** 2)
    statement = Maximum(f, x, interval(-2, 2, "[]"), ONE)
    return statement, Enclosure((x,), (((F(-2), F(1, 2)),),), around=(F(1, 2), F(2)))


@false
def supremum_without_the_whole_domain():
    statement = MaximumValue(x, x, REALS, ZERO, ONE)
    return statement, Enclosure((x,), (((F(0), F(1)),),), witness=F(1))


@false
def supremum_by_a_witness_outside():
    statement = MaximumValue(x, x, interval(0, 1, "[]"), Integer(2), Integer(3))
    return statement, Enclosure((x,), (((F(0), F(2)),),), witness=F(2))


@false
def kink_at_a_maximum():
    statement = Maximum(-Abs(x - 1), x, interval(0, 2, "[]"), HALF)
    return statement, Enclosure((x,), (), around=(F(0), F(2)))


# --- certificates ------------------------------------------------------------------------------

THIRD = F(1 / 3)  # the float next to 1/3


@false
def rank_by_rounding():
    """3*THIRD is not 1, but its float is."""
    matrix = ((ONE, Integer(3)), (Rational(THIRD.numerator, THIRD.denominator), ONE))
    return Rank(matrix, 1), RankCertificate(101, (0,), (0,), ((1.0,), (1 / 3,)))


@false
def minimiser_by_rounding():
    statement = Minimiser(((Integer(3), ZERO), (ZERO, ONE)), (ONE, ZERO), (ONE, ZERO))
    return statement, Multipliers((1 / 3, 0.0))


@false
def infeasible_by_rounding():
    rows = ((ONE,), (Rational(-1, 3),))
    return Infeasible(rows, (ZERO, ONE)), Multipliers((1 / 3, 1.0))


@false
def rank_of_ragged_rows():
    return Rank(((ONE, TWO), (ONE,)), 1), RankCertificate(7, (0,), (0,), ((F(1),), (F(1),)))


@false
def rank_by_a_composite():
    matrix = ((Integer(3),),)
    return Rank(matrix, 2), RankCertificate(15, (0,), (0,), ((F(1),),))


@false
def rank_by_a_repeated_row():
    matrix = ((ONE, ZERO), (ZERO, ZERO))
    return Rank(matrix, 2), RankCertificate(7, (0, 0), (0, 1), ((F(1), F(0)), (F(0), F(0))))


@false
def rank_by_a_negative_index():
    matrix = ((ONE, ZERO), (ZERO, ZERO))
    return Rank(matrix, 2), RankCertificate(7, (-1, 0), (0, 1), ((F(0), F(1)), (F(0), F(0))))


@true
def rank_with_p_in_a_denominator():
    matrix = ((Rational(1, 7),),)
    return Rank(matrix, 1), RankCertificate(7, (0,), (0,), ((F(1),),))


@false
def rank_of_no_rows():
    return Rank((), 1), RankCertificate(7, (), (), ())


@false
def degree_by_a_short_line():
    return PolynomialDegree(x * y, (x, y), ONE), DegreeCertificate(7, (0,), (1,))


@false
def degree_by_a_composite():
    return PolynomialDegree(2 * x, (x,), ZERO), DegreeCertificate(4, (0,), (2,))


@false
def degree_of_a_pole():
    return PolynomialDegree(1 / x, (x,), Integer(-1)), DegreeCertificate(7, (1,), (1,))


@false
def degree_of_what_cancels():
    statement = PolynomialDegree((x + 1) ** 2 - x**2, (x,), TWO)
    return statement, DegreeCertificate(7, (0,), (1,))


@false
def too_few_multipliers():
    return Infeasible(((ONE,), (-ONE,)), (ZERO, ZERO)), Multipliers((F(1),))


@false
def negative_multipliers():
    return Infeasible(((ONE,), (ONE,)), (ZERO, -ONE)), Multipliers((F(1), F(-1)))


@true
def feasible_point_of_wrong_length():
    statement = Minimiser(((ONE, ZERO),), (ONE,), (ONE, ZERO))
    return statement, Counterexample(((x, ONE),))


# --- conjunctions, instances, claims -----------------------------------------------------------

TRUTH, LIE = rel(0, "=", 0), rel(0, "=", 1)
TRUTH_SHOWN = Derivation((Line(TRUTH, "ground"),))


@false
def part_of_a_part():
    statement = Every((Every((TRUTH, LIE)),))
    return statement, Part(0, Part(0, TRUTH_SHOWN))


@false
def conjunction_of_nothing():
    return (Every(()),)


@false
def nested_conjunction_of_nothing():
    return Every((Every(()), LIE)), Part(0, TRUTH_SHOWN)


@false
def one_part_of_two():
    return Every((TRUTH, LIE)), Part(0, TRUTH_SHOWN)


@false
def negative_part():
    return Every((LIE, TRUTH)), Part(-1, TRUTH_SHOWN), Part(1, TRUTH_SHOWN)


@false
def instance_outside_the_domain():
    statement = rel(x, ">", 0, ((x, REALS),), (rel(x, "<", 0),))
    return statement, Instance(((x, ONE),), single(rel(1, ">", 0), "ground")[1])


@false
def derivation_that_uses_itself():
    return proof(line(LIE, "linear", 1))


@false
def derivation_of_another_statement():
    return LIE, TRUTH_SHOWN


@false
def unknown_claim():
    return proof(line(LIE, "claim", name="lie"))


# --- types -------------------------------------------------------------------------------------


class Yes:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class YesText(Yes, str):
    __slots__ = ()
    __hash__ = str.__hash__


class YesFraction(F):
    """Wide to the sum of volumes, narrow to the ball."""

    def __eq__(self, other):
        return True

    __hash__ = F.__hash__


class YesSymbol(sp.Symbol):
    def __eq__(self, other):
        return True

    __hash__ = sp.Symbol.__hash__


class YesInteger(sp.Integer):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = sp.Integer.__hash__


def yes_integer(value):
    made = sp.Expr.__new__(YesInteger)
    made.p, made.q = value, 1
    return made


@false
def number_equal_to_everything():
    return Relation(ZERO, "=", yes_integer(1)), Derivation((Line(rel(0, "=", 0), "ground"),))


@false
def proved_number_equal_to_everything():
    return LIE, Derivation((Line(Relation(ZERO, "=", yes_integer(0)), "ground"),))


@false
def variable_equal_to_everything():
    mine = YesSymbol("x")
    shown = Relation(mine, "=", mine, ((mine, REALS),))
    return rel(x, "=", 1, ((x, REALS),)), Derivation((Line(shown, "field"),))


@false
def operator_equal_to_everything():
    return Relation(ZERO, YesText("<"), ZERO), TRUTH_SHOWN


@false
def multiplier_equal_to_everything():
    rows = ((ONE,), (ONE,))
    statement = Minimiser(rows, (ZERO, ZERO), (Integer(7),))
    return statement, Multipliers((YesFraction(7), YesFraction(0)))


@false
def derivation_by_a_subclass():
    class Mine(Derivation):
        def __eq__(self, other):
            return True

        __hash__ = Derivation.__hash__

    return LIE, Mine(TRUTH_SHOWN.lines)


@false
def floats_in_a_box():
    statement = rel(x, "<", HALF, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), (((0.0, 0.4),), ((0.4, 1.0),)))


@false
def float_in_a_statement():
    return Relation(sp.Float(0.1) * 3, "=", sp.Float(0.3)), TRUTH_SHOWN


# --- experiments -------------------------------------------------------------------------------

MEAN = Mean(x, ((x, "normal"),), ONE, "thing", (), ONE, Rational(1, 10))


def sampled(**changes):
    huge = SampleBatch(0, 10, (F(10**6), F(10**6), F(0), F(0)))
    fields = {"observable": "thing", "parameters": (), "value": F(1), "tolerance": F(0), "alpha": F(1, 100), "scale": F(1, 10),
              "seed": 0, "batch_size": 10, "batches": (huge,)} | changes  # fmt: skip
    return MEAN, SequentialTest(**fields)


@false
def samples_of_another_observable():
    return sampled(observable="other")


@false
def samples_with_a_large_alpha():
    return sampled(alpha=F(1, 2))


@false
def samples_with_alpha_true():
    return sampled(alpha=True)


@false
def samples_with_another_scale():
    return sampled(scale=F(1, 5))


@false
def samples_with_negative_counts():
    return sampled(batch_size=-10, batches=(SampleBatch(0, -10, (F(1), F(1), F(0), F(0))),))


@false
def samples_with_more_sums():
    return sampled(batches=(SampleBatch(0, 10, (F(10**6),) * 2),))


@false
def samples_with_the_first_batch_left_out():
    return sampled(batches=(SampleBatch(1, 10, (F(10**6), F(10**6), F(0), F(0))),))


TREND = Trend("loss", (), ZERO, 1 / n, n)


@false
def trajectory_with_repeated_indices():
    return TREND, Trajectory("loss", (), F(0), ((4, F(0)), (4, F(0)), (4, F(0))))


@false
def trajectory_with_negative_rounding():
    return TREND, Trajectory("loss", (), F(-5), ((1, F(2)), (2, F(2)), (4, F(2))))


@false
def trajectory_of_a_constant_budget():
    trend = Trend("loss", (), ZERO, ONE, n)
    return trend, Trajectory("loss", (), F(0), ((1, F(0)), (2, F(0)), (3, F(0))))


@false
def trajectory_at_fractional_indices():
    """sp.Integer(1.9) is 1: the budget of a better index."""
    values = ((1.9, F(1)), (2.9, F(1, 2)), (3.9, F(1, 3)), (4.9, F(1, 4)))
    return TREND, Trajectory("loss", (), F(0), values)


# --- nothing raises ----------------------------------------------------------------------------


def nested(depth):
    expr = x
    for _ in range(depth):
        expr = sin(expr, evaluate=False) + 1
    return expr


CRASHES = {
    "derivative that stays": lambda: (
        Maximum(-Abs(x), x, interval(-1, 1, "[]"), ZERO),
        Enclosure((x,), (), around=(F(-1), F(1))),
    ),
    "derivative of a floor": lambda: single(
        rel(Derivative(floor(x), x), ">", 0, ((x, REALS),)), "sign"
    ),
    "derivative of a floor in a box": lambda: (
        rel(Derivative(floor(x), x), ">", 0, ((x, interval(0, 1, "[]")),)),
        Enclosure((x,), (((F(0), F(1)),),)),
    ),
    "sum up to its own index": lambda: single(
        rel(Sum(k, (k, 1, k)), ">=", 0, ((k, integers(1)),)), "sign"
    ),
    "duplicated generators": lambda: moment_with_a_variable_twice(),
    "coefficients that are no integers": lambda: degree_with_fractions(),
    "conjunction of nothing": lambda: (Every(()),),
    "deep statement": lambda: single(rel(nested(400), ">", -5, ((x, REALS),)), "sign"),
    "deep conjunction": lambda: (deep_every(2000),),
    "indefinite integral": lambda: single(rel(Integral(x, x), ">", 0, ((x, REALS),)), "sign"),
    "claim without a name": lambda: proof(Line(TRUTH, "claim")),
    "no statement": lambda: (None, TRUTH_SHOWN),
    "text as statement": lambda: ("0 = 1", TRUTH_SHOWN),
    "statement class": lambda: (Relation, TRUTH_SHOWN),
    "evidence None": lambda: (TRUTH, None),
    "lines None": lambda: (TRUTH, Derivation(None)),
    "line of nothing": lambda: (TRUTH, Derivation((None,))),
    "line with bad args": lambda: (TRUTH, Derivation((Line(TRUTH, "ground", (), (1, 2)),))),
    "line with a text number": lambda: (TRUTH, Derivation((Line(TRUTH, "linear", ("1",)),))),
    "rule is a list": lambda: (TRUTH, Derivation((Line(TRUTH, []),))),
    "python numbers": lambda: (Relation(0, "=", 0), TRUTH_SHOWN),
    "python bounds": lambda: single(Relation(x, ">", ZERO, ((x, Domain(1, 2)),)), "sign"),
    "unknown operator": lambda: single(rel(0, "==", 0), "ground"),
    "infinite number": lambda: single(rel(oo, ">", 0), "ground"),
    "infinite bound of a domain": lambda: single(rel(x, ">", 0, ((x, above(oo)),)), "sign"),
    "part text": lambda: (Every((TRUTH,)), Part("0", TRUTH_SHOWN)),
    "instance of nothing": lambda: (TRUTH, Instance(None, TRUTH_SHOWN)),
    "boxes of nothing": lambda: (TRUTH, Enclosure((), None)),
    "pole of gamma": lambda: single(rel(gamma(x), ">", 0, ((x, integers(-1, 1)),)), "enumerate"),
    "binomial below zero": lambda: single(
        rel(binomial(x, -1), "=", 0, ((x, integers(-1, 1)),)), "enumerate"
    ),
    "factorial below zero": lambda: single(
        rel(factorial(x), ">", 0, ((x, integers(-1, 1)),)), "enumerate"
    ),
    "max of a symbol": lambda: single(rel(Max(x, 0), ">=", 0, ((x, REALS),)), "sign"),
    "sequence put by a number": lambda: (
        rel(d[1], ">", 0, ((d, REALS),)), Counterexample(((d, ONE),)),
    ),
    "text in a point": lambda: (rel(x, ">", 0, ((x, REALS),)), Counterexample((("x", ONE),))),
    "matrix of text": lambda: (Rank((("a",),), 1), RankCertificate(7, (0,), (0,), ((F(1),),))),
    "prime text": lambda: (Rank(((ONE,),), 1), RankCertificate("7", (0,), (0,), ((F(1),),))),
    "prime zero": lambda: (Rank(((ONE,),), 1), RankCertificate(0, (0,), (0,), ((F(1),),))),
    "batches None": lambda: sampled(batches=None),
    "limit of everything": lambda: single(Limit(x, x, (), ()), "limit"),
}  # fmt: skip


def deep_every(depth):
    statement = TRUTH
    for _ in range(depth):
        statement = Every((statement,))
    return statement


@pytest.mark.parametrize("name", CRASHES)
def test_kernel_never_raises(name):
    verdict = judged(CRASHES[name]())
    assert verdict.outcome in ("inconclusive", "refuted", "proved")


def test_lemma_named_none_does_not_crash():
    statement, evidence = proof(Line(TRUTH, "claim"))
    check("attack", statement, (evidence,), {"None": (TRUTH, "proved")})


def test_evidence_that_is_no_tuple_does_not_crash():
    assert check("attack", TRUTH, None).outcome == "inconclusive"


# --- a false claim by way of a malformed one ---------------------------------------------------


def test_claim_over_a_number_is_of_no_use():
    """ "for all pi in [4, 5]: pi > 7/2" must not give pi > 7/2."""
    premise, _ = number_as_a_variable()
    statement, evidence = proof(
        line(premise, "claim", name="odd"),
        line(rel(pi, ">", Rational(7, 2)), "substitute", 1, pi=Rational(9, 2)),
    )
    outcome = check("attack", statement, (evidence,), {"odd": (premise, "certified")}).outcome
    assert outcome == "inconclusive"


def test_only_judged_claims_count():
    statement, evidence = proof(line(LIE, "claim", name="lie"))
    for outcome in ("confirmed", "refuted", "inconclusive", "conflict", ""):
        lemmas = {"lie": (LIE, outcome)}
        assert check("attack", statement, (evidence,), lemmas).outcome == "inconclusive"


# --- nothing runs for long ---------------------------------------------------------------------

u = Symbol("u")
BOMBS = {
    "expand a high power": lambda: single(
        rel((x + 1) ** 10**6, ">", x, ((x, above(1)),)), "sign"
    ),
    "field of a high power": lambda: single(
        rel((x + 1) ** 10**6, "=", x, ((x, above(1)),)), "field"
    ),
    "many factors": lambda: single(
        rel(sp.Mul(*((x + c) ** 40 for c in range(1, 30))), "=", y, ((x, above(0)), (y, REALS))),
        "field",
    ),
    "tower in a case": lambda: (rel(2 ** (2**x), ">", 0, ((x, integers(44, 44)),)), Enumeration(1)),
    "tower at a counterexample": lambda: (
        rel(2 ** (2**x), "<", 0, ((x, REALS),)), Counterexample(((x, Integer(44)),)),
    ),
    "factorial at a counterexample": lambda: (
        rel(factorial(x), "<", 0, ((x, integers(0)),)), Counterexample(((x, Integer(10**8)),)),
    ),
    "sum of sums": lambda: single(
        rel(Sum(i + Sum(i * j, (j, 1, 10**5)), (i, 1, 10**5)), ">", 0), "ground"
    ),
    "sum in every case": lambda: (
        rel(Sum(i, (i, 0, x)), ">=", 0, ((x, integers(0, 199_999)),)), Enumeration(200_000),
    ),
    "sum in every box": lambda: (
        rel(Sum(x / i, (i, 1, 10**5)), ">", -1, ((x, interval(0, 300, "[]")),)),
        Enclosure((x,), tuple(((F(b), F(b + 1)),) for b in range(300))),
    ),
    "signs of many factors": lambda: single(
        rel(sp.Mul(*symbols("q:40")), ">", 0, tuple((q, REALS) for q in symbols("q:40"))), "sign"
    ),
    "signs of nested sums": lambda: single(
        rel(nested_sums(40), ">", 0, ((x, above(1)),)), "sign"
    ),
    "expand in many variables": lambda: single(
        rel(sum(symbols("q:8")) ** 60, ">", 1, tuple((q, above(1)) for q in symbols("q:8"))), "sign"
    ),
    "field in many variables": lambda: single(
        rel(sum(symbols("q:8")) ** 60, "=", 1, tuple((q, above(1)) for q in symbols("q:8"))),
        "field",
    ),
    "powers of powers": lambda: single(
        rel((((x + 1) ** 100 + 1) ** 100 + 1) ** 100, ">", 1, ((x, above(1)),)), "sign"
    ),
    "power of a large base": lambda: (
        rel(x**10**6, "<", 0, ((x, REALS),)), Counterexample(((x, Integer(10**2000)),)),
    ),
    "tower within the exponents": lambda: (
        rel((x**x) ** x, "<", 0, ((x, REALS),)), Counterexample(((x, Integer(10**5)),)),
    ),
    "factorial held back": lambda: single(
        rel(x * (x - 3) + factorial(10**8, evaluate=False), ">", 0, ((x, above(1)),)), "sign"
    ),
    "factorial of a million": lambda: (
        rel(factorial(x), "<", 0, ((x, integers(0)),)), Counterexample(((x, Integer(10**6)),)),
    ),
    "many terms on a line": lambda: (
        PolynomialDegree(sum((x + c) ** 10**6 for c in range(300)), (x,), Integer(10**6)),
        DegreeCertificate(1009, (0,), (1,)),
    ),
    "moment in many variables": lambda: single(
        Mean(sum(symbols("q:8")) ** 60, tuple((q, "normal") for q in symbols("q:8")), ONE),
        "isserlis",
    ),
    "order of a derivative": lambda: single(
        rel(Derivative(exp(x**2), (x, 10**6)), ">", 0, ((x, above(1)),)), "sign"
    ),
    "long sum of logarithms": lambda: single(
        rel(Sum(log(i), (i, 1, 2 * 10**5)), "=", 0), "ground"
    ),
    "sum to 10**9": lambda: single(rel(Sum(i, (i, 1, 10**9)), ">", 0), "ground"),
    "degree of a high power": lambda: single(
        PolynomialDegree(x ** (10**9), (x,), Integer(10**9)), "degree"
    ),
    "degree by expansion": lambda: single(
        PolynomialDegree((x + y + z + t) ** 200, (x, y, z, t), Integer(200)), "degree"
    ),
    "degree of a high power on a line": lambda: (
        PolynomialDegree((x + 1) ** 10**9, (x,), Integer(10**9)), DegreeCertificate(7, (0,), (1,)),
    ),
    "moment of a high power": lambda: single(
        Mean((x + y + z + 1) ** 200, ((x, "normal"), (y, "normal"), (z, "normal")), ONE), "isserlis"
    ),
    "huge prime": lambda: (
        Rank(((ONE,),), 1), RankCertificate(2**9689 - 1, (0,), (0,), ((F(1),),)),
    ),
    "huge prime of a degree": lambda: (
        PolynomialDegree(x, (x,), ONE), DegreeCertificate(2**9689 - 1, (0,), (1,)),
    ),
    "integral by sympy": lambda: single(
        rel(Derivative(Integral(exp(sin(t) * x) / (t**5 + log(t + 2) + 3), (t, 0, x)), x), ">", 0,
            ((x, above(0)),)), "sign",
    ),
    "many boxes": lambda: (
        rel(x, ">", -1, ((x, interval(0, 3000, "[]")),)),
        Enclosure((x,), tuple(((F(b), F(b + 1)),) for b in range(3000))),
    ),
    "many slow cases": lambda: (
        rel(exp(x) - exp(x - Rational(1, 10**9)), ">", 0, ((x, integers(1, 2 * 10**5)),)),
        Enumeration(2 * 10**5),
    ),
    "high derivative": lambda: single(
        rel(Derivative(exp(sin(x**2)) / (1 + x**2), (x, 60)), "=", 0, ((x, REALS),)), "field"
    ),
    "reach of 10**30": lambda: (rel(x, ">=", 0, ((x, integers(0)),)), Enumeration(1, 10**30)),
    "many signs": lambda: (
        Mean(sp.Mul(*symbols("q:12")), tuple((q, "sign") for q in symbols("q:12")), ZERO),
        Enumeration(2**12),
    ),
    "large exponent in a ball": lambda: (
        rel(x ** 10**9, ">", -1, ((x, interval(1, 2, "[]")),)), Enclosure((x,), (((F(1), F(2)),),)),
    ),
}  # fmt: skip


def nested_sums(depth):
    expr = x
    for c in range(depth):
        expr = (expr - 2) * (x - c - 2) - 1
    return expr


def finishes(make, seconds, memory=4 << 30):
    """Run the check in a child with bounded time and memory; did it end by itself, in order?"""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            judged(make())
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize("name", BOMBS)
def test_kernel_ends_soon(name):
    assert finishes(BOMBS[name], seconds=3)
