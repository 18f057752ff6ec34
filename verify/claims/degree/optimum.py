"""The optimum e, the integer optimum 3, what e gains over 3, and the integral of the slope."""

from __future__ import annotations

from functools import partial

from sympy import Derivative, E, Expr, Integer, Integral, Rational, Symbol, exp, log

from ....symbolic import degree as theory
from ....symbolic.statements import Domain, Every, Maximum, Relation, above, integers, interval
from ...claim import Claim, Mutant
from .experiments import certify_gain, certify_slip, explore_integers, explore_optimum
from .objective import SEED, d, h

s = Symbol("s")
SLOPE = Derivative(h(), d)
ZERO = Integer(0)


def optimum(at: Expr = E, before: Domain | None = None) -> Every:
    """The only maximum, and that h rises before it and falls after it."""
    return Every(
        (
            Maximum(h(), d, above(0), at),
            Relation(SLOPE, ">", ZERO, ((d, before or interval(0, at)),)),
            Relation(SLOPE, "<", ZERO, ((d, above(at)),)),
        )
    )


OPTIMUM = Claim(
    id="degree.optimum",
    title="ln d/d has its only maximum at e",
    statement=optimum,
    source=f"{SEED}, eq. (5)",
    hypotheses=("a layer of degree d costs d weight matrices", "real degrees d > 0 are allowed"),
    derivation=theory.derive_optimum,
    experiment=explore_optimum,
    mutants=(
        Mutant("at-3", partial(optimum, Integer(3)), "the integer optimum is not the real one"),
        Mutant("at-2", partial(optimum, Integer(2)), "another place"),
        Mutant(
            "falls-early",
            Every((*optimum().parts, Relation(SLOPE, "<", ZERO, ((d, interval(1, E)),)))),
            "h rises on (1, e), it does not fall",
        ),
        Mutant(
            "rises-to-3", partial(optimum, E, before=interval(0, 3)), "the rise ends at e, before 3"
        ),
    ),
)


def integer_optimum(at: int, low: int = 1, extra: int = 0) -> Maximum:
    return Maximum(h(extra), d, integers(low), Integer(at))


INTEGER_OPTIMUM = Claim(
    id="degree.integer-optimum",
    title="over the integers the maximum is at 3 only",
    statement=partial(integer_optimum, 3),
    source=f"{SEED}, section 1.2, after eq. (5)",
    hypotheses=("integer degrees d >= 1",),
    derivation=theory.derive_integer_optimum,
    experiment=explore_integers,
    uses=("degree.optimum",),
    mutants=(
        Mutant("at-2", partial(integer_optimum, 2), "would need 3^2 < 2^3"),
        Mutant("at-4", partial(integer_optimum, 4), "4 ties with 2 and loses to 3"),
        Mutant("from-4-at-5", partial(integer_optimum, 5, low=4), "the function falls from 4 to 5"),
        Mutant(
            "dearer-layers",
            partial(integer_optimum, 3, extra=1),
            "drops the hypothesis on the cost",
        ),
    ),
)


def gain(
    low: Rational = Rational(4574, 10**6), high: Rational = Rational(4575, 10**6), factor: int = 1
) -> Every:
    """The relative gain of e over 3 in the exponent, and that no degree gains more."""
    most = 3 / (E * log(3))
    return Every(
        (
            Relation(low, "<", factor * (most - 1)),
            Relation(factor * (most - 1), "<", high),
            Relation(3 * h() / log(3) - 1, "<=", most - 1, ((d, above(0)),)),
        )
    )


FRACTIONAL_GAIN = Claim(
    id="degree.fractional-gain",
    title="a fractional degree gains at most 0.45748...% over 3 in the exponent",
    statement=gain,
    source=f"{SEED}, Conclusion 1.1, fractional building blocks",
    expected="certified",
    hypotheses=("the gain is h(e)/h(3) - 1 = 3/(e ln 3) - 1",),
    certificate=certify_gain,
    uses=("degree.optimum",),
    mutants=(
        Mutant(
            "half-a-percent",
            partial(gain, Rational(5, 1000), Rational(6, 1000)),
            "another constant",
        ),
        Mutant(
            "a-tenth", partial(gain, Rational(457, 10**6), Rational(458, 10**6)), "a digit lost"
        ),
        Mutant("twice", partial(gain, factor=2), "another factor"),
    ),
)


def integral(low: Expr, high: Expr, sign: int = -1, domain: Domain | None = None) -> Relation:
    """h(d) = h(e) + sign * integral of h' from `low` to `high`."""
    area = Integral(Derivative(h(0, s), s), (s, low, high))
    return Relation(h(), "=", exp(-1) + sign * area, ((d, domain or interval(0, E)),))


INTEGRAL_SLIP = Claim(
    id="degree.integral-slip",
    title="h(d) = h(e) minus the integral of h' from e to d, for d < e",
    statement=partial(integral, E, d),
    source=f"{SEED}, section 1.2, the second integral",
    expected="refuted",
    certificate=certify_slip,
    corrected_by="degree.integral",
    mutants=(
        Mutant("twice", partial(integral, E, d, -2), "another factor"),
        Mutant("beyond-e", partial(integral, E, d, -1, above(E)), "the other side of e"),
        Mutant("plus", partial(integral, d, E, 1), "both the limits and the sign turned"),
    ),
)

INTEGRAL = Claim(
    id="degree.integral",
    title="h(d) = h(e) minus the integral of h' from d to e, for d < e",
    statement=partial(integral, d, E),
    source=f"{SEED}, section 1.2, the second integral with its limits in order",
    derivation=theory.derive_integral,
    corrects="degree.integral-slip",
    mutants=(
        Mutant("limits-turned", partial(integral, E, d), "the limits as the seed has them"),
        Mutant("twice", partial(integral, d, E, -2), "another factor"),
        Mutant("plus", partial(integral, d, E, 1), "another sign"),
    ),
)
