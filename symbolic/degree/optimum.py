"""The optimum e, the integer optimum 3, the gain of e over 3, the integral of the slope."""

from __future__ import annotations

from sympy import Derivative, E, Integer, Integral, Rational, exp, log, symbols

from ..derivation import Derivation, Proof
from ..statements import Every, Maximum, Relation, above, integers, interval
from .closed_forms import objective

d, t, s = symbols("d t s")
H = objective()
SLOPE = Derivative(H, d)
RISES = Relation(SLOPE, ">", Integer(0), ((d, interval(0, E)),))
FALLS = Relation(SLOPE, "<", Integer(0), ((d, above(E)),))
PEAK = Maximum(H, d, above(0), E)
OPTIMUM = Every((PEAK, RISES, FALLS))


def derive_optimum() -> Derivation:
    """By the sign of the slope, with d = exp(1 - t) below e and d = exp(1 + t) above it."""
    proof = Proof((t, above(0)))
    proof.relate(SLOPE, "=", (1 - log(d)) / d**2, "differentiate", over=((d, above(0)),))
    up = proof.relate(t * exp(2 * t - 2), ">", 0, "sign")
    left = proof.line(RISES, "reparametrise", up, variable=d, image=exp(1 - t))
    down = proof.relate(-t * exp(-2 * t - 2), "<", 0, "sign")
    right = proof.line(FALLS, "reparametrise", down, variable=d, image=exp(1 + t))
    below = proof.relate(
        *(H, "<", exp(-1), "monotone", left), over=RISES.over, function=H, variable=d, low=d, high=E
    )
    beyond = proof.relate(
        *(H, "<", exp(-1), "monotone", right),
        over=FALLS.over,
        function=H,
        variable=d,
        low=E,
        high=d,
    )
    peak = proof.line(PEAK, "largest", below, beyond)
    proof.line(OPTIMUM, "every", peak, left, right)
    return proof.done()


def derive_integer_optimum() -> Derivation:
    """Beyond e the function falls; 2 loses to 3 because 2^3 < 3^2; 1 has the value 0."""
    best = log(3) / 3
    proof = Proof()
    peak = proof.line(OPTIMUM, "claim", name="degree.optimum")
    down = proof.line(FALLS, "part", peak)
    beyond = proof.relate(
        *(H, "<", best, "monotone", down), over=((d, integers(4)),),
        function=H, variable=d, low=3, high=d,
    )  # fmt: skip
    powers = proof.relate(8, "<", 9, "ground")
    logs = proof.relate(3 * log(2), "<", 2 * log(3), "exponential", powers)
    two = proof.relate(log(2) / 2, "<", best, "linear", logs, c1=Rational(1, 6))
    one = proof.relate(0, "<", best, "ground")
    at_one = proof.relate(H, "<", best, "point", one, over=((d, integers(1, 1)),))
    at_two = proof.relate(H, "<", best, "point", two, over=((d, integers(2, 2)),))
    below = proof.relate(H, "<", best, "cases", at_one, at_two, over=((d, integers(1, 2)),))
    proof.line(Maximum(H, d, integers(1), Integer(3)), "largest", below, beyond)
    return proof.done()


def derive_gain() -> Derivation:
    """No real degree beats 3 by more than the factor 3/(e ln 3) in the exponent."""
    proof = Proof((d, above(0)))
    peak = proof.line(OPTIMUM, "claim", name="degree.optimum")
    left = proof.line(RISES, "part", peak)
    right = proof.line(FALLS, "part", peak)
    below = proof.relate(
        *(H, "<=", exp(-1), "monotone", left),
        over=RISES.over,
        function=H,
        variable=d,
        low=d,
        high=E,
    )
    beyond = proof.relate(
        *(H, "<=", exp(-1), "monotone", right),
        over=FALLS.over,
        function=H,
        variable=d,
        low=E,
        high=d,
    )
    at = proof.relate(exp(-1), "<=", exp(-1), "ground", over=())
    single = interval(E, E, "[]")
    middle = proof.relate(H, "<=", exp(-1), "point", at, over=((d, single),))
    most = proof.relate(H, "<=", exp(-1), "cases", below, middle, beyond)
    gain, bound = 3 * H / log(3) - 1, 3 / (E * log(3)) - 1
    proof.relate(gain, "<=", bound, "linear", most, c1=3 / log(3))
    return proof.done()


def derive_integral() -> Derivation:
    """The slope integrates back to h, with the limits of integration in the right order."""
    slope = Derivative(log(s) / s, s)
    proof = Proof((d, interval(0, E)))
    area = proof.relate(
        Integral(slope, (s, d, E)), "=", exp(-1) - H, "antiderivative", F=log(s) / s
    )
    proof.relate(H, "=", exp(-1) - Integral(slope, (s, d, E)), "linear", area)
    return proof.done()
