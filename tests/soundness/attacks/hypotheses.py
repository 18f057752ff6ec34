"""Hypotheses that have hypotheses or variables of their own."""

from sympy import Integer, oo

from attacks import ONE, ZERO, false, k, line, proof, rel, single, true, x
from lemmata.symbolic.statements import REALS, Domain, Limit, above, integers, interval
from lemmata.verify.kernel.evidence import Counterexample, Enumeration


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
