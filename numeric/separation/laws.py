"""Laws of one coordinate: exact moments and quadrature rules with enclosed errors.

All coordinates are independent and share one law: "uniform" on an interval, "normal" (standard),
"bits" (0 or 1, evenly) or "signs" (-1 or 1, evenly).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

import flint
import numpy as np

from ..errors import NumericError

Exact = int | Fraction
Bounds = tuple[Exact, Exact]
LAWS = ("uniform", "normal", "bits", "signs")


@dataclass(frozen=True)
class Rule:
    """Nodes and square roots of weights, each within its error of the exact number.

    `node_error` is absolute and one a node; `root_error` is relative and one for all.
    """

    nodes: np.ndarray
    node_error: np.ndarray
    roots: np.ndarray
    root_error: float


def check_law(law: str, bounds: Bounds | None) -> tuple[Fraction, Fraction]:
    """The interval of a uniform law, (-1, 1) unless given; (0, 0) for other laws."""
    if law not in LAWS:
        raise NumericError(f"law: expected one of {', '.join(LAWS)}; got {law!r}.")
    if law != "uniform":
        if bounds is not None:
            raise NumericError(
                f"bounds: expected none for the law {law!r}, whose values are fixed; got "
                f"{bounds!r}. Leave it out, or pass law='uniform'."
            )
        return Fraction(0), Fraction(0)
    ends = (-1, 1) if bounds is None else bounds
    if (
        not isinstance(ends, tuple)
        or len(ends) != 2
        or any(not isinstance(end, int | Fraction) or isinstance(end, bool) for end in ends)
        or not ends[0] < ends[1]
    ):
        raise NumericError(
            f"bounds: expected two ints or Fractions, the first the less; got {bounds!r}. "
            "Pass, e.g., (0, 1)."
        )
    return Fraction(ends[0]), Fraction(ends[1])


def is_even(law: str, bounds: Bounds | None) -> bool:
    """Whether x and -x have the same law."""
    low, high = check_law(law, bounds)
    return law != "bits" and low == -high


def moments(law: str, bounds: Bounds | None, most: int) -> list[Fraction]:
    """E x^k for k = 0..most."""
    low, high = check_law(law, bounds)
    match law:
        case "uniform":
            return [
                (high ** (k + 1) - low ** (k + 1)) / ((k + 1) * (high - low))
                for k in range(most + 1)
            ]
        case "normal":  # (k - 1)!!
            return [
                Fraction(0 if k % 2 else factorial(k) // (2 ** (k // 2) * factorial(k // 2)))
                for k in range(most + 1)
            ]
        case "bits":
            return [Fraction(1), *[Fraction(1, 2)] * most]
        case _:
            return [Fraction(1 - k % 2) for k in range(most + 1)]


def recurrence(law: str, bounds: Bounds | None, most: int) -> tuple[Fraction, list[Fraction]]:
    """c and s_0..s_(most+1) with x p_k = sqrt(s_(k+1)) p_(k+1) + c p_k + sqrt(s_k) p_(k-1).

    p_k are the orthonormal polynomials; s_2 = 0 ends them for laws on two points.
    """
    low, high = check_law(law, bounds)
    degrees = range(most + 2)
    match law:
        case "uniform":
            half = (high - low) / 2
            return (low + high) / 2, [half**2 * k**2 / Fraction(4 * k * k - 1) for k in degrees]
        case "normal":
            return Fraction(0), [Fraction(k) for k in degrees]
        case "bits":
            return Fraction(1, 2), [Fraction(k == 1, 4) for k in degrees]
        case _:
            return Fraction(0), [Fraction(k == 1) for k in degrees]


def rule(law: str, bounds: Bounds | None, degree: int) -> Rule:
    """A rule that is exact for products of two polynomials of this degree."""
    low, high = check_law(law, bounds)
    if law in ("bits", "signs"):
        nodes = np.array([0.0, 1.0] if law == "bits" else [-1.0, 1.0])
        return Rule(nodes, np.zeros(2), np.full(2, 0.5**0.5), 2.0**-52)
    with flint.ctx.workprec(128):
        pairs = list(_legendre(degree + 1, low, high) if law == "uniform" else _hermite(degree + 1))
        nodes = [float(node.mid()) for node, _ in pairs]
        roots = [float(weight.sqrt().mid()) for _, weight in pairs]
        node_error = [
            float(abs(node - float_).upper())
            for (node, _), float_ in zip(pairs, nodes, strict=True)
        ]
        root_error = max(
            float(abs(weight.sqrt() / float_ - 1).upper())
            for (_, weight), float_ in zip(pairs, roots, strict=True)
        )
    return Rule(np.array(nodes), np.array(node_error) * (1 + 1e-9), np.array(roots), root_error)


def _legendre(count: int, low: Fraction, high: Fraction) -> Iterator[tuple[flint.arb, flint.arb]]:
    middle, half = ((high + low) / 2, (high - low) / 2)
    for k in range(count):
        node, weight = flint.arb.legendre_p_root(count, k, weight=True)
        yield ball_of(middle) + ball_of(half) * node, weight / 2


def _hermite(count: int) -> Iterator[tuple[flint.arb, flint.arb]]:
    """Roots x of He_n, weights n! / (n He_{n-1}(x))^2."""
    before, last, x = flint.fmpz_poly([0]), flint.fmpz_poly([1]), flint.fmpz_poly([0, 1])
    for k in range(count):
        before, last = last, x * last - k * before
    for root, _ in sorted(last.complex_roots(), key=lambda pair: float(pair[0].real)):
        node = root.real
        value = flint.arb_poly(before)(node)
        yield node, flint.arb(factorial(count)) / (count * value) ** 2


def ball_of(value: Fraction) -> flint.arb:
    """Rounded once, at the precision of the moment."""
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def number_of(ball: flint.arb) -> Fraction:
    """The number that a ball without radius is."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
