"""Names."""

from sympy import (
    Derivative,
    Integer,
    Integral,
    LambertW,
    Product,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
    pi,
)

from attacks import (
    HALF,
    ONE,
    POINT,
    ZERO,
    F,
    a,
    d,
    e,
    false,
    i,
    j,
    k,
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
    Domain,
    Limit,
    Maximum,
    Mean,
    Trend,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel.evidence import Counterexample, Enclosure, Enumeration, Trajectory


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
