"""Why templates say nothing about functions that are near in the mean.

A finite set of templates has measure zero. A function y of at most B in absolute value may be set
to 0 on an interval of length w about each of M templates: all values of the new function at
templates are 0, at a cost of M w B^2 in mean square and of M w B in the mean, which is epsilon for
a suitable w > 0. Smooth functions do the same: 1 - exp(-c x) vanishes at 0, and its mean squared
distance from 1 on [0, 1] is less than 1/(2c); 1 - (1 - 2x)^(2m) vanishes at 0 and 1, and its
distance is 1/(4m + 1).

Source: seed 002, section 4.3, equation (12).
"""

from __future__ import annotations

from sympy import Expr, Integral, Rational, exp, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, above, integers, interval

B, M, c, s, z, epsilon = symbols("B M c s z epsilon")


def derive_interval_cost(power: int = 2) -> Derivation:
    """M integrals of B^power over intervals of length epsilon/(M B^power) add up to epsilon."""
    over: Domains = ((epsilon, above(0)), (B, above(0)), (M, integers(1)), (z, REALS))
    proof = Proof(*over)
    width = epsilon / (M * B**power)
    piece = Integral(B**power, (s, z - width / 2, z + width / 2))
    each = proof.relate(piece, "=", epsilon / M, "antiderivative", F=B**power * s)
    proof.relate(M * piece, "<=", epsilon, "linear", each, c1=M)
    return proof.done()


def derive_exponential_cost() -> Derivation:
    """The integral of exp(-c s)^2 from 0 to 1 is (1 - exp(-2c))/(2c), less than 1/(2c)."""
    over: Domains = ((epsilon, above(0)), (c, interval(1 / (2 * epsilon), oo, "[)")))
    proof = Proof(*over)
    square = Integral(exp(-2 * c * s), (s, 0, 1))
    value = (1 - exp(-2 * c)) / (2 * c)
    found = proof.relate(square, "=", value, "antiderivative", F=-exp(-2 * c * s) / (2 * c))
    large = proof.relate(c, ">=", 1 / (2 * epsilon), "sign")
    proof.relate(
        *(square, "<", epsilon, "linear", found, large),
        c2=epsilon / c, rest=exp(-2 * c) / (2 * c),
    )  # fmt: skip
    return proof.done()


def derive_power_cost(power: int, most: Expr) -> Derivation:
    """The integral of (1 - 2s)^power from 0 to 1 is 1/(power + 1), here at most `most`."""
    proof = Proof()
    cost = Integral((1 - 2 * s) ** power, (s, 0, 1))
    value = Rational(1, power + 1)
    found = proof.relate(
        cost, "=", value, "antiderivative", F=-((1 - 2 * s) ** (power + 1)) / (2 * (power + 1))
    )
    proof.relate(cost, "<=", most, "linear", found, rest=most - value)
    return proof.done()
