"""The best degree in closed form, and the best integer degree by certified comparison."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq
from sympy import E, Expr, Integer, LambertW, Rational, Symbol, exp, log

Exact = int | Fraction | Rational


class DegreeError(ValueError):
    """An argument outside the theory: which one, what was expected, what to pass instead."""


def objective(extra: Expr | int = 0) -> Expr:
    """ln d / (d + extra): the logarithm of the degree that a unit of budget buys."""
    d = Symbol("d")
    return log(d) / (d + extra)


def optimal_degree(extra: Exact = 0) -> Expr:
    """The best real degree with `extra` further matrices a layer: exp(1 + W0(extra/e))."""
    return exp(1 + LambertW(_exact(extra) / E))


def switch_point(degree: int) -> Expr:
    """The `extra` at which `degree` and `degree` + 1 tie; the tie is linear in `extra`."""
    if isinstance(degree, bool) or not isinstance(degree, int | Integer) or degree < 1:
        raise DegreeError(f"degree: expected an integer of at least 1; got {degree!r}.")
    low, high = Integer(degree), Integer(degree) + 1
    return (high * log(low) - low * log(high)) / (log(high) - log(low))


def best_integer_degree(extra: Exact = 0, odd: bool = False) -> int:
    """The best integer degree of at least 2, or the best odd one of at least 3.

    ln d/(d + extra) rises up to the real optimum and falls after it, so the first degree that
    beats its successor is the best. Degree 1 never wins: it buys nothing.
    """
    value, step = _exact(extra), 2 if odd else 1
    degree = 3 if odd else 2
    while _better(degree + step, degree, value):
        degree += step
    return degree


def _exact(extra: Exact) -> Rational:
    if isinstance(extra, bool) or not isinstance(extra, int | Fraction | Rational):
        raise DegreeError(
            f"extra: expected an int, a Fraction or a sympy Rational; got {extra!r}. "
            "A float is not exact input: write Fraction(1, 2) for 0.5."
        )
    value = Rational(extra.numerator, extra.denominator)
    if value < -1:
        raise DegreeError(
            f"extra: expected at least -1, as a layer of degree d has d - 1 matrices or more; "
            f"got {value}."
        )
    return value


def _better(one: int, two: int, extra: Rational) -> bool:
    """Is ln(one)/(one + extra) > ln(two)/(two + extra)? A tie at rational `extra` would make
    one**(two + extra) = two**(one + extra); 2 and 4 at extra 0 do, so equality is possible."""
    left, right = _powers(one, two, extra)
    if left is not None and right is not None:
        return left > right
    offset = fmpq(int(extra.p), int(extra.q))
    for precision in (64, 256, 1024, 4096, 16384):
        with ctx.workprec(precision):
            gap = arb(one).log() * (arb(two) + offset) - arb(two).log() * (arb(one) + offset)
            if gap > 0 or gap < 0:
                return bool(gap > 0)
    raise DegreeError(f"extra: {extra} lies too near a tie of {one} and {two} to be decided.")


def _powers(one: int, two: int, extra: Rational) -> tuple[int | None, int | None]:
    """one**(q(two + extra)) and two**(q(one + extra)) in integers, where these stay small."""
    high, low = int(extra.q) * (two + extra), int(extra.q) * (one + extra)
    if max(high, low) * max(one, two).bit_length() > 100_000:
        return None, None
    return one ** int(high), two ** int(low)
