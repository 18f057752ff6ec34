"""Chance that chooses what is summed, flags that are no truth values, hypotheses without value."""

from sympy import Integer, Sum, exp, floor, log, oo

from attacks import HALF, ONE, ZERO, a, d, e, false, i, k, line, n, proof, rel, t, true, x, y
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.statements import REALS, Domain, Every, Limit, Maximum, Mean, Orbit, interval
from lemmata.verify.kernel.evidence import Counterexample, Enumeration, Instance, Part, Trap
from lemmata.verify.kernel.facts import FACTS

CLOSED = Domain(ZERO, ONE, False, False)
FEW = Domain(ZERO, ONE, False, False, -1)  # type: ignore[arg-type]


def second_if_up(sign):
    """1 for the sign -1, 2 for the sign 1."""
    return floor((sign + 3) / 2)


def two_signs(total, *laws):
    """P(S < 0) of two fair signs is 1/4, which is carried over to `total`."""
    instance = FACTS["sum of signs"].instance
    assert instance
    stated = instance(Integer(2), ZERO)
    goal = Mean(rel(total, "<", 0), tuple((law, "sign") for law in laws), stated.value)
    return proof(
        line(stated, "fact", name="sum of signs", count=2, below=0),
        line(goal, "relabel", 1, sum=total),
    )


@false
def signs_choose_the_range_of_their_sum():
    """d_1 and d_2 if they agree, else d_2 and d_3: P(S < 0) is 3/8."""
    low = second_if_up(-d[1] * d[2])
    return two_signs(Sum(d[i] * t, (i, low, low + 1)), d, t)


@false
def sign_chooses_its_partner():
    """Each d_i = 1 meets the same e_2, each d_i = -1 the same e_1: P(S < 0) is 3/8."""
    return two_signs(Sum(d[i] * e[second_if_up(d[i])], (i, 1, 2)), d, e)


@false
def signs_choose_their_own_column():
    """The first column if its two signs agree, else the second: P(S < 0) is 3/8."""
    column = second_if_up(-d[1, 1] * d[2, 1])
    return two_signs(Sum(d[i, column] * t, (i, 1, 2)), d, t)


@false
def integers_by_a_flag_below_false():
    """-1 is true and yet less than False: two integers would make up the interval."""
    return proof(
        line(rel(x * (x - 1), "=", 0, ((x, FEW),)), "enumerate"),
        line(rel(x * (x - 1), "=", 0, ((x, CLOSED),)), "cases", 1),
    )


@false
def number_for_a_flag_in_a_statement():
    return rel(x * (x - 1), "=", 0, ((x, FEW),)), Enumeration(2)


@true
def path_where_a_hypothesis_is_not_defined():
    """log x > log x - 1 says that x > 0, and then exp(-x) tends to 0."""
    given = (rel(log(x), ">", log(x) - 1),)
    statement = Limit(exp(-x), ZERO, ((x**2, oo),), ((x, REALS),), given)
    return statement, Counterexample(((x, -k),), path=k, start=ONE)


GIVEN = (rel(x * log(y), ">=", 0),)
ABOVE = rel(y, ">", 0, ((x, REALS), (y, REALS)), GIVEN)


@true
def instance_that_removes_what_is_not_defined():
    """x log y >= 0 says that y > 0; to put x = 0 must not lose that."""
    return ABOVE, Instance(((x, ZERO),), Counterexample(((y, -ONE),)))


@true
def instance_where_a_hypothesis_is_not_defined():
    return ABOVE, Instance(((x, ZERO), (y, -ONE)), Counterexample(()))


@true
def instance_of_a_maximum_where_a_hypothesis_is_not_defined():
    given = (rel(n * log(a), ">=", 0),)
    over = ((n, REALS), (a, REALS))
    statement = Maximum(-((x - a) ** 2), x, interval(0, oo, "[)"), a, over, given)
    return statement, Instance(((n, ZERO), (a, -ONE)), Counterexample(((x, ONE),)))


UP = (rel(x, ">", 0),)
HALVING = Orbit(((x, x / 2),), ((x, ONE),), UP[0])
SHOWN = Derivation((
    line(rel(x, ">", 0, ((x, REALS),), UP), "hypothesis"),
    line(rel(x / 2, ">", 0, ((x, REALS),), UP), "sign"),
    line(HALVING, "invariant", 1, 2),
))  # fmt: skip


@true
def trap_of_the_other_part():
    other = Orbit(((x, x / 2),), ((x, -ONE),), rel(x, "<=", 0))
    return Every((HALVING, other)), Part(1, Trap(SHOWN)), Part(0, Trap(SHOWN))


@true
def mean_of_an_instance_outside():
    """P(d_1 + d_2 < n) is 1 for every n > 2, but not for n = 0."""
    event = rel(Sum(d[i], (i, 1, 2)), "<", n)
    statement = Mean(event, ((d, "sign"),), ONE, over=((n, interval(2, oo)),))
    return statement, Instance(((n, ZERO),), Enumeration(4))


@false
def cases_that_go_back_over_a_hole():
    """[0, 1), [1, 1/2] and (1/2, 1) leave out 1."""
    parts = (
        Domain(ZERO, ONE, False, True),
        Domain(ONE, HALF, False, False),
        Domain(HALF, ONE, True, True),
    )
    lines = [line(rel(x, "<", 1, ((x, part),)), "sign") for part in parts]
    return proof(*lines, line(rel(x, "<", 1, ((x, CLOSED),)), "cases", 1, 2, 3))
