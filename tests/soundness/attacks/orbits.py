"""Orbits: regions, first iterates, traps; values that are not defined on the way."""

from sympy import Derivative, Integer, Integral, Rational, Sum, exp, log, sqrt

from attacks import HALF, ONE, TWO, ZERO, false, k, line, n, proof, rel, t, true, x, y
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.statements import REALS, Orbit, above, interval
from lemmata.verify.kernel.evidence import Counterexample, Enclosure, Trap

REAL = ((x, REALS),)
UP = (rel(x, ">", 0),)
HALVING = Orbit(((x, x / 2),), ((x, ONE),), UP[0])
SHOWN = proof(
    line(rel(x, ">", 0, REAL, UP), "hypothesis"),
    line(rel(x / 2, ">", 0, REAL, UP), "sign"),
    line(HALVING, "invariant", 1, 2),
)[1]


def orbit(step, start, holds, eventually=False, over=()):
    return Orbit(((x, step),), ((x, start),), holds, eventually, over)


@false
def conclusion_that_is_not_defined():
    """(x^2 - 1)/(x - 1) is x + 1 but for x = 1, where the orbit rests."""
    return proof(
        line(rel(x + 1, ">", 0, REAL, UP), "sign"),
        line(rel(x, ">", 0, REAL, UP), "hypothesis"),
        line(orbit(x, ONE, rel((x**2 - 1) / (x - 1), ">", 0)), "invariant", 1, 2),
    )


@false
def step_that_is_not_defined_before_the_region():
    """d/dx log x is asked for at -1."""
    return proof(
        line(rel(x, ">", -2, REAL, UP), "sign"),
        line(rel(1 / x + 2, ">", 0, REAL, UP), "sign"),
        line(orbit(Derivative(log(x), x) + 2, -ONE, rel(x, ">", -2)), "invariant", 1, 2, after=1),
    )


@false
def start_that_is_not_defined():
    area, down = Integral(Derivative(log(t), t), (t, -2, -1)), (rel(x, "<", 0),)
    return proof(
        line(rel(x, "<", 0, REAL, down), "hypothesis"),
        line(orbit(x, area, rel(x, "<", 0)), "invariant", 1, 1, after=1),
    )


@false
def slope_of_a_logarithm_of_the_negative():
    area = Integral(Derivative(log(t), t), (t, -2, -1))
    return rel(area, "<", 0), Enclosure((), ((),))


@false
def condition_that_is_never_defined_again():
    """Equal in the field of fractions, but only x != 1 meets the condition."""
    given = (rel((x**2 - 1) / (x - 1), "=", x + 1),)
    return proof(
        line(rel(x + 1, "=", x + 1, REAL, given), "field"),
        line(rel(2, "=", 2, REAL, given), "field"),
        line(orbit(ONE, TWO, rel((x**2 - 1) / (x - 1), "=", x + 1)), "invariant", 1, 2),
    )


@false
def pole_on_the_way():
    """2, 1, and then 1/0."""
    down = (rel(x, "<", 0),)
    return proof(
        line(rel(x, "<", 9, REAL, down), "sign"),
        line(rel(1 / (x - 1), "<", 0, REAL, down), "sign"),
        line(orbit(1 / (x - 1), TWO, rel(x, "<", 9), True), "invariant", 1, 2, after=2),
    )


@false
def root_of_a_negative_iterate():
    return proof(
        line(rel(x, ">=", 0, REAL, UP), "sign"),
        line(rel(sqrt(x) + 1, ">", 0, REAL, UP), "sign"),
        line(orbit(sqrt(x) + 1, -ONE, rel(x, ">", -2)), "invariant", 1, 2, after=1),
    )


@false
def region_that_the_start_never_sees():
    """Every point of the region stays in it; the start is outside."""
    return proof(
        line(rel(x, ">", 0, REAL, UP), "hypothesis"),
        line(rel(2 * x, ">", 0, REAL, UP), "sign"),
        line(orbit(2 * x, -ONE, rel(x, ">", 0)), "invariant", 1, 2),
    )


@false
def region_of_nothing():
    """No x is positive and negative, so all follows; no orbit starts there."""
    none = (rel(x, ">", 0), rel(x, "<", 0))
    return proof(
        line(rel(x, ">", 0, REAL, none), "hypothesis"),
        line(rel(x, "<", 0, REAL, none), "hypothesis"),
        line(orbit(x, ONE, rel(x, "<", 0)), "invariant", 2, 1, 2),
    )


@false
def parameter_that_hides_the_state():
    over = ((x, above(0)),)
    return proof(
        line(rel(x, ">", 0, over), "sign"),
        line(Orbit(((x, -x),), ((x, ONE),), rel(x, ">", 0), False, over), "invariant", 1),
    )


@false
def start_in_a_parameter_that_may_be_negative():
    over, given = ((n, REALS), (x, REALS)), UP
    return proof(
        line(rel(x, ">", 0, over, given), "hypothesis"),
        line(rel(x / 2, ">", 0, over, given), "sign"),
        line(orbit(x / 2, n, rel(x, ">", 0), False, ((n, REALS),)), "invariant", 1, 2),
    )


@false
def steps_one_after_the_other():
    """(x, y) -> (y, x): from (1, -1) not always y = -1, as x := y; y := x would have it."""
    over, given = ((x, REALS), (y, REALS)), (rel(y, "<", 0),)
    swapped = Orbit(((x, y), (y, x)), ((x, ONE), (y, -ONE)), rel(y, "<", 0))
    return proof(
        line(rel(y, "<", 0, over, given), "hypothesis"),
        line(swapped, "invariant", 1, 1),
    )


@false
def eventually_taken_for_always():
    stays = orbit(x + 1, -TWO, rel(x, ">", 0))
    return proof(
        line(rel(x, ">", 0, REAL, UP), "hypothesis"),
        line(rel(x + 1, ">", 0, REAL, UP), "sign"),
        line(stays, "invariant", 1, 2, after=3),
    )


@false
def eventually_from_the_middle_of_always():
    """A claim about what happens in the end is no line about what always happens."""
    late = orbit(x + 1, -TWO, rel(x, ">", 0), True)
    return orbit(x + 1, -TWO, rel(x, ">", 0)), proof(
        line(rel(x, ">", 0, REAL, UP), "hypothesis"),
        line(rel(x + 1, ">", 0, REAL, UP), "sign"),
        line(late, "invariant", 1, 2, after=3),
    )[1]


@false
def after_as_text():
    return proof(
        line(rel(x, ">", 0, REAL, UP), "hypothesis"),
        line(rel(x + 1, ">", 0, REAL, UP), "sign"),
        line(orbit(x + 1, -TWO, rel(x, ">", 0)), "invariant", 1, 2, after="0"),
    )


@false
def negative_iterate():
    return proof(
        line(rel(x, ">", 0, REAL, UP), "hypothesis"),
        line(rel(x + 1, ">", 0, REAL, UP), "sign"),
        line(orbit(x + 1, -TWO, rel(x, ">", 0)), "invariant", 1, 2, after=-1),
    )


@true
def iterate_where_it_nearly_fails():
    """x_n = 2^-n is positive, however small."""
    return HALVING, Counterexample((), start=Integer(10_000))


@true
def iterate_that_balls_do_not_decide():
    """4x(1 - x) stays in [0, 1]; its balls do not."""
    chaos = orbit(4 * x * (1 - x), Rational(1, 3), rel(x, "<=", 1))
    return chaos, Counterexample((), start=Integer(600)), Counterexample((), start=Integer(9000))


@true
def iterate_on_the_border():
    return orbit(x + 1, ZERO, rel(x, "!=", HALF)), Counterexample((), start=ZERO)


@true
def iterate_of_what_happens_eventually():
    late = orbit(x + 1, -TWO, rel(x, ">", 0), True)
    return late, Counterexample((), start=ZERO)


@true
def iterate_at_a_parameter_outside():
    grows = orbit(x + n, ZERO, rel(x, ">=", 0), False, ((n, above(0)),))
    return grows, Counterexample(((n, -ONE),), start=ONE)


@true
def iterate_at_a_value_of_the_state():
    return HALVING, Counterexample(((x, -ONE),), start=ONE)


@true
def trap_of_the_statement_itself():
    return HALVING, Trap(SHOWN)


@true
def trap_of_a_neighbour():
    """x > 0 is no contradiction to x != 0."""
    return orbit(x / 2, ONE, rel(x, "!=", 0)), Trap(SHOWN)


@true
def trap_from_another_start():
    return orbit(x / 2, -ONE, rel(x, "<=", 0)), Trap(SHOWN)


@true
def trap_with_parameters():
    """x -> x/2 from n is never positive if n < 0; the derivation is about n > 0."""
    general = orbit(x / 2, n, rel(x, ">", 0), over=((n, above(0)),))
    over = (*general.over, (x, REALS))
    shown = proof(
        line(rel(x, ">", 0, over, UP), "hypothesis"),
        line(rel(x / 2, ">", 0, over, UP), "sign"),
        line(general, "invariant", 1, 2),
    )[1]
    return orbit(x / 2, n, rel(x, "<=", 0), over=((n, interval(-1, 0)),)), Trap(shown)


@true
def trap_that_ends_before_its_end():
    """The last line counts, not one before it."""
    lines = (*SHOWN.lines, line(rel(0, "=", 0), "ground"))
    return orbit(x / 2, -ONE, rel(x, "<=", 0)), Trap(Derivation(lines))


@false
def index_of_a_sum_that_is_the_state():
    """The x of the sum is its own: the step is 3, whatever x is."""
    down = (rel(x, "<", 0),)
    return proof(
        line(rel(x, "<", 0, REAL, down), "hypothesis"),
        line(rel(Sum(x, (x, 1, 2)), "<", 0, REAL, down), "sign"),
        line(orbit(Sum(x, (x, 1, 2)), -ONE, rel(x, "<", 0)), "invariant", 1, 2),
    )


@false
def index_that_catches_the_step():
    """x -> k with k a parameter, put into a sum over k."""
    over = ((k, REALS), (x, REALS))
    given = (rel(Sum(x * k, (k, 1, 2)), ">", 0),)
    return proof(
        line(rel(Sum(x * k, (k, 1, 2)), ">", 0, over, given), "hypothesis"),
        line(rel(Sum(k**2, (k, 1, 2)), ">", 0, over, given), "sign"),
        line(
            orbit(k, ONE, rel(Sum(x * k, (k, 1, 2)), ">", 0), False, ((k, REALS),)),
            "invariant", 1, 2,
        ),
    )  # fmt: skip


@false
def limit_taken_for_an_iterate():
    """exp(-x) comes near its fixed point, but is never there."""
    fixed = (rel(x, "=", exp(-x)),)
    return proof(
        line(rel(x, "=", exp(-x), REAL, fixed), "hypothesis"),
        line(rel(exp(-x), "=", exp(-exp(-x)), REAL, fixed), "field"),
        line(orbit(exp(-x), ONE, rel(x, "=", exp(-x)), True), "invariant", 1, 2, after=2000),
    )
