"""Rules about one variable."""

from sympy import Integer, Rational, ceiling, exp, floor, log, oo, sin

from attacks import HALF, ONE, TWO, ZERO, d, false, k, line, n, proof, rel, single, t, x, y
from lemmata.symbolic.statements import REALS, Domain, Maximum, Relation, above, integers, interval


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
