"""The best degree: where f(d) = ln d / (d + extra) is largest, over the reals and the integers.

With `extra` matrices a layer beyond its degree, a budget B buys degree d^(B / (d + extra)), so
f decides. f'(d) has the sign of extra - d (ln d - 1). No closed form of the optimum is used:
ball arithmetic (python-flint's arb) encloses it, torch looks for it on a grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import flint
import torch

from ..device import resolve
from ..errors import NumericError
from .arguments import Exact, check_integer_range, check_range, whole

Interval = tuple[Fraction, Fraction]

_DOUBLINGS = 10  # of the precision, from 64 to 32768 bits, before a comparison counts as a tie


@dataclass(frozen=True)
class OptimumBoxes:
    """Where f stays below its optimum, by ball arithmetic.

    `optimum` encloses the root of f'; on `around`, which contains it, f'' < 0; on each of
    `boxes`, which fill the rest of the range, f is less than at the optimum.
    """

    boxes: tuple[Interval, ...]
    around: Interval
    optimum: Interval


def optimum_boxes(extra: Exact, *, low: Exact, high: Exact, precision: int = 128) -> OptimumBoxes:
    """Enclose the optimum of f on [low, high] and show by boxes that it is the only one.

    All ends but `low` and `high` are dyadic. The boxes run from left to right and touch
    `around`; they are few where f is evaluated as written, term by term.
    """
    check_range(extra, low, high)
    whole("precision", precision, 32)
    if extra == -1:
        raise NumericError(
            "extra: expected a rational greater than -1, for which f has an optimum in its "
            "domain; got -1, where f decreases from its limit 1 at d = 1. Pass, e.g., extra=0."
        )
    c, first, last = Fraction(extra), Fraction(low), Fraction(high)
    for name, end, rising in (("low", first, True), ("high", last, False)):
        if (_slope_sign(c, end, precision) > 0) != rising:
            side, remedy = ("less", "Lower") if rising else ("greater", "Raise")
            raise NumericError(
                f"{name}: expected an interval about the optimum for extra = {_shown(extra)}; got "
                f"{name} = {_shown(end)}, and the optimum is {side}. {remedy} it."
            )
    optimum = _bisect(c, first, last, precision)
    with flint.ctx.workprec(precision):
        best = _ratio(c, _ball(*optimum))
        around = _concave_about(c, optimum, first, last)
        parts = ((first, around[0]), (around[1], last))
        boxes = [box for part in parts for box in _cover(c, part, best)]
    return OptimumBoxes(tuple(boxes), around, optimum)


def grid_maximum(
    extra: Exact,
    *,
    low: Exact,
    high: Exact,
    points: int,
    device: str = "auto",
    dtype: str = "float64",
) -> Fraction:
    """The point of an equidistant grid on [low, high] at which f, in floating point, is largest.

    A witness, not a proof: the point is an exact rational, so that others can judge it.
    """
    check_range(extra, low, high)
    whole("points", points, 2)
    if max(high, extra) >= 2**120:
        raise NumericError(
            "high, extra: expected less than 2**120, within the range of float32; got "
            f"{_shown(high)} and {_shown(extra)}. Use optimum_boxes, which has no such limit."
        )
    place, kind = resolve(device, dtype)
    nodes = torch.linspace(float(low), float(high), points, dtype=kind, device=place)
    values = log_ratio(nodes, float(extra))
    # 0/0 where low, rounded, lies at the pole: argmax would take nan for the largest.
    best = int(torch.argmax(values.nan_to_num(nan=-torch.inf, posinf=-torch.inf)))
    return Fraction(low) + (Fraction(high) - Fraction(low)) * best / (points - 1)


def log_ratio(degrees: torch.Tensor, extra: float) -> torch.Tensor:
    """f(d) = ln d / (d + extra) at each of `degrees`, where they are."""
    return torch.log(degrees) / (degrees + extra)


def best_integer(extra: Exact, *, low: int, high: int) -> int:
    """The integer in low..high with the largest ln k / (k + extra), compared by ball arithmetic."""
    check_integer_range(extra, low, high)
    best = low
    for k in range(low + 1, high + 1):
        if _is_better(k, best, Fraction(extra)):
            best = k
    return best


def best_integer_exact_powers(extra: Exact, low: int, high: int) -> int:
    """As `best_integer`, but in integers: k**(m + extra) against m**(k + extra).

    A rational `extra` = p/q is cleared by the q-th power. The smaller of two equals wins.
    """
    check_integer_range(extra, low, high)
    p, q = Fraction(extra).as_integer_ratio()
    best = low
    for k in range(low + 1, high + 1):
        if k ** (q * best + p) > best ** (q * k + p):
            best = k
    return best


def _ball(low: Exact, high: Exact | None = None) -> flint.arb:
    """A ball that contains [low, high], or just `low`, at the precision in force."""
    ball = flint.arb(flint.fmpq(*Fraction(low).as_integer_ratio()))
    return ball if high is None else ball.union(_ball(high))


def _ratio(c: Fraction, d: flint.arb) -> flint.arb:
    """f(d)."""
    return d.log() / (d + _ball(c))


def _curvature(c: Fraction, d: flint.arb) -> flint.arb:
    """f''(d) = 2 ln d / (d+c)^3 - 2 / (d (d+c)^2) - 1 / (d^2 (d+c))."""
    v = d + _ball(c)
    return 2 * d.log() / v**3 - 2 / (d * v**2) - 1 / (d**2 * v)


def _is_better(k: int, m: int, c: Fraction) -> bool:
    """f(k) > f(m), which is (m + c) ln k > (k + c) ln m."""

    def gap() -> flint.arb:
        return _ball(m + c) * _ball(k).log() - _ball(k + c) * _ball(m).log()

    return _sign(gap, f"extra: degrees {m} and {k} at extra = {_shown(c)}") > 0


def _slope_sign(c: Fraction, d: Fraction, precision: int) -> int:
    """The sign of f'(d), which is that of c - d (ln d - 1): never 0 for rational d and c > -1."""
    return _sign(
        lambda: _ball(c) - _ball(d) * (_ball(d).log() - 1),
        f"extra: the slope at {_shown(d)} for extra = {_shown(c)}",
        precision,
    )


def _sign(value: Callable[[], flint.arb], what: str, precision: int = 64) -> int:
    """The sign of a number other than zero, at as many bits as it takes."""
    for bits in (precision << doubling for doubling in range(_DOUBLINGS)):
        with flint.ctx.workprec(bits):
            ball = value()
        if ball > 0 or ball < 0:
            return 1 if ball > 0 else -1
    raise NumericError(
        f"{what}: expected a difference that shows within {precision << (_DOUBLINGS - 1)} bits; "
        "got none, a tie as far as can be seen. Pass an `extra` further from the tie."
    )


def _bisect(c: Fraction, low: Fraction, high: Fraction, precision: int) -> Interval:
    """Neighbours n/2^k, (n+1)/2^k with f' > 0 at the one and f' < 0 at the other."""
    scale = 2 ** (precision // 2)
    first, last = floor(low * scale), -floor(-high * scale)
    while last - first > 1:
        middle = (first + last) // 2
        if _slope_sign(c, Fraction(middle, scale), precision) > 0:
            first = middle
        else:
            last = middle
    return Fraction(first, scale), Fraction(last, scale)


def _concave_about(c: Fraction, optimum: Interval, low: Fraction, high: Fraction) -> Interval:
    """A wide dyadic interval about the optimum, cut to [low, high], on which f'' < 0."""
    radius = Fraction(2 ** ceil(optimum[1]).bit_length())
    while radius > optimum[1] - optimum[0]:
        centre = round(optimum[0] / radius * 4) * radius / 4
        left, right = max(low, centre - radius), min(high, centre + radius)
        # Ball arithmetic says nothing ("nan < 0" is false) where a ball reaches a pole.
        if left < optimum[0] and optimum[1] < right and _curvature(c, _ball(left, right)) < 0:
            return left, right
        radius /= 2
    raise NumericError(
        f"low, high: expected the optimum, {_shown(optimum[0])}, well inside; got "
        f"[{_shown(low)}, {_shown(high)}]. Widen the interval, or raise `precision`."
    )


def _cover(c: Fraction, part: Interval, best: flint.arb) -> Iterator[Interval]:
    """Cut `part`, from left to right, into boxes on which f < best."""
    pending = [part] if part[0] < part[1] else []
    while pending:
        left, right = pending.pop()
        if _ratio(c, _ball(left, right)) < best:
            yield left, right
            continue
        unit = _power_of_two((right - left) / 4)
        if unit < Fraction(1, 2**flint.ctx.prec):
            raise NumericError(
                f"precision: expected enough bits to tell f near {_shown(left)} from its optimum; "
                f"got {flint.ctx.prec}. Pass precision={2 * flint.ctx.prec}."
            )
        middle = round((left + right) / 2 / unit) * unit
        pending += [(middle, right), (left, middle)]


def _power_of_two(value: Fraction) -> Fraction:
    """The largest power of two that is at most `value`."""
    p, q = value.as_integer_ratio()
    power = Fraction(2) ** (p.bit_length() - q.bit_length())
    return power if power <= value else power / 2


def _shown(value: Exact) -> str:
    """A rational for a message: as it is, or in decimals where it is long."""
    p, q = Fraction(value).as_integer_ratio()
    return (
        str(value)
        if max(abs(p), q) < 10**12
        else f"about {flint.arb(flint.fmpq(p, q)).str(17, radius=False)}"
    )
