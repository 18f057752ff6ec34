"""Functions of u + v that no sum of few products equals: powers |u + v|^e and ReLU(u + v).

The matrix f(u_i + v_j) of n points a side has at most the rank sep(f). A determinant that a ball
separates from 0, or an exact rank, therefore bounds sep(f) from below by n.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import flint

from ..errors import NumericError
from .arguments import whole
from .grams import rational_matrix
from .laws import ball_of, number_of

Exact = int | Fraction
Grid = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
_MOST = 2**14  # bits


def kernel_grid(size: int, shift: Exact = 0) -> Grid:
    """u_i = i + shift and v_j = -j for i, j = 0..size-1: u_i + v_j = i - j + shift.

    With shift = 1 the matrix of ReLU(u_i + v_j) is triangular with ones on its diagonal.
    """
    whole("size", size, 1)
    start = _exact("shift", shift)
    return (
        tuple(start + i for i in range(size)),
        tuple(Fraction(-j) for j in range(size)),
    )


def fractional_determinant(
    exponent: Exact | Literal["e"], size: int = 16, grid: Grid | None = None
) -> tuple[Fraction, Fraction]:
    """Bounds, both of one sign, on the determinant of |u_i + v_j|^exponent.

    `exponent` is a positive rational or "e", Euler's number; `grid` is kernel_grid(size) unless
    given. Raises where the determinant is 0, or is not told from 0 within many bits.
    """
    left, right = kernel_grid(size) if grid is None else _square("grid", grid)
    power = None if exponent == "e" else _exact("exponent", exponent)
    if power is not None and power <= 0:
        raise NumericError(
            f"exponent: expected a positive rational or 'e'; got {exponent!r}. "
            "Pass, e.g., Fraction(5, 2)."
        )
    sums = [[abs(u + v) for v in right] for u in left]
    if power is not None and power.denominator == 1:
        exact = rational_matrix([[s**power.numerator for s in row] for row in sums]).det()
        if exact != 0:
            value = Fraction(int(exact.p), int(exact.q))
            return value, value
        raise NumericError(
            f"exponent: expected a power whose determinant is not 0; got {exponent}, and |u + v| "
            f"to it has rank below {len(left)} on this grid. Even powers are polynomials."
        )
    bits = 64
    while bits <= _MOST:
        with flint.ctx.workprec(bits):
            number = flint.arb.const_e() if power is None else ball_of(power)
            rows = [[flint.arb(0) if s == 0 else ball_of(s) ** number for s in row] for row in sums]
            ball = flint.arb_mat(rows).det()
            if ball > 0 or ball < 0:
                return number_of(ball.lower()), number_of(ball.upper())
        bits *= 2
    raise NumericError(
        f"grid: expected points at which the determinant shows within {_MOST} bits; got one that "
        "may be 0. Take pairwise different points on each side."
    )


def relu_rank(size: int, grid: Grid | None = None) -> int:
    """The rank of the matrix ReLU(u_i + v_j), exactly; `grid` is kernel_grid(size, 1) unless
    given."""
    left, right = kernel_grid(size, 1) if grid is None else _square("grid", grid)
    return int(rational_matrix([[max(u + v, Fraction(0)) for v in right] for u in left]).rank())


def _square(name: str, grid: Grid) -> Grid:
    left, right = (tuple(_exact(name, point) for point in side) for side in grid)
    if not left or len(left) != len(right):
        raise NumericError(
            f"{name}: expected equally many points a side, one or more; got {len(left)} and "
            f"{len(right)}. Build it, e.g., with kernel_grid(16)."
        )
    return left, right


def _exact(name: str, value: Exact) -> Fraction:
    if not isinstance(value, int | Fraction) or isinstance(value, bool):
        raise NumericError(
            f"{name}: expected an int or a Fraction; got {value!r} of type "
            f"{type(value).__name__}. Pass, e.g., Fraction(1, 2)."
        )
    return Fraction(value)
