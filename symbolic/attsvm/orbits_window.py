"""EQ(m) for m <= 3: gradient descent ends up where both margins grow for ever, towards W^mm.

In the notation of `orbits_equal`, with g = F(b) and f = F(r b), a step moves w1 by
h b (m g - 2 r f) and multiplies r = exp(3 w1 - w2) by exp(h b (3 m g - 7 r f)). Where b is small
f/g is close to 1, so r is driven to 3m/7 < m/2 from both sides, and w1 grows.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import E, Expr, Integer, Rational, exp, log, symbols

from ..derivation import Derivation, Proof
from ..statements import Operator, Orbit, Relation, above, interval
from .orbits_equal import ACROSS, EIGHTH, MARGIN, share, shares, slope
from .regions import (
    HALF,
    ONE,
    SLOWEST,
    ZERO,
    Conclusions,
    Region,
    combine,
    k,
    number,
    rates,
    seen,
    tangent,
    w1,
)

b, f, g, h, r, t, y, z = symbols("b f g h r t y z")


@dataclass(frozen=True)
class Window:
    """b <= `small` and `low` <= r <= `high`; then exp(w1) gains h/`pace` or more a step."""

    small: Rational
    low: Rational
    high: Rational
    pace: int

    @property
    def rising(self) -> bool:
        """Is r b > b throughout? Otherwise it is smaller throughout."""
        return self.low > 1

    @property
    def edge(self) -> Rational:
        return self.high if self.rising else self.low

    @property
    def root(self) -> Rational:
        """(1 + b)/(1 + r b) at the corner where it is farthest from 1."""
        return (1 + self.small) / (1 + self.edge * self.small)

    @property
    def ratios(self) -> tuple[Rational, Rational]:
        """Bounds of f/g."""
        return (self.root**2, ONE) if self.rising else (ONE, self.root**2)

    @property
    def least(self) -> Expr:
        """A lower bound of g."""
        return SLOWEST / (1 + self.small) ** 2


WINDOWS = {
    1: Window(Rational(1, 12), Rational(19, 50), Rational(11, 25), 150),
    2: Window(EIGHTH, Rational(4, 5), Rational(9, 10), 50),
    3: Window(EIGHTH, Rational(21, 20), Rational(29, 20), 50),
}


def derive_equal_capture(goal: Orbit, copies: int, rate: Expr) -> Derivation:
    """For m <= 3, once in the window: both margins are positive for ever, and with a counter of
    steps exp(w1) >= 1 + h k/pace and -1 <= 3 w1 - w2 <= 1."""
    if copies not in WINDOWS:
        raise ValueError(f"copies: expected 1, 2 or 3, which converge to W^mm; got {copies}")
    window, size = WINDOWS[copies], rate / (copies + 1)
    least = 1 + size * k / window.pace
    values = {b: exp(-w1), r: exp(ACROSS), h: size}
    wedge = (
        Relation(w1, ">=", -log(window.small)),
        Relation(exp(ACROSS), ">=", window.low),
        Relation(exp(ACROSS), "<=", window.high),
    )
    region = Region(
        *(goal, {**values, g: slope(exp(-w1)), f: slope(exp(-MARGIN))}, wedge),
        (Relation(k, ">=", ZERO), Relation(exp(w1), ">=", least)),
    )
    proof = region.proof
    line, bounds = tangent(proof), rates(proof)
    compared = _compared(proof, window)
    lemmas = _Stepping(proof, copies, size, window, line)
    up, low, high = lemmas.grows(), lemmas.above_low(), lemmas.below_high()
    region.enter()
    region.known = (region.bound(-w1, "<=", log(window.small)), *region.held[1:3])
    ratios = tuple(region.use(lemma) for lemma in compared)
    region.known = (*region.known, *ratios, *_slopes(region, bounds, window))
    grows = region.use(up)
    after = exp(ACROSS.xreplace(dict(goal.step)))
    steps = (
        region.stepped(0, (grows, exp(-w1)), rest=exp(-w1) * size / window.pace),
        combine(proof, after, ">=", window.low, (region.use(low), ONE)),
        combine(proof, after, "<=", window.high, (region.use(high), ONE)),
    )
    if region.timed:
        longer = region.use(line, x=region.at(h * b * (copies * g - 2 * r * f)))
        steps += (region.counts(), region.stepped(4, (longer, exp(w1)), (grows, ONE)))
    return region.done(_conclusions(region, window, least), steps)


def _conclusions(region: Region, window: Window, least: Expr) -> Conclusions:
    proof, held = region.proof, region.held

    def within() -> tuple[int, int]:
        """-1 <= 3 w1 - w2 <= 1."""
        high = number(proof, window.high, "<=", E)
        top = combine(proof, exp(ACROSS), "<=", E, (held[2], ONE), (high, ONE))
        low = number(proof, window.low, ">=", 1 / E)
        bottom = combine(proof, exp(ACROSS), ">=", 1 / E, (held[1], ONE), (low, ONE))
        return (
            proof.relate(ACROSS, ">=", -1, "exponential", bottom),
            proof.relate(ACROSS, "<=", 1, "exponential", top),
        )

    def positive() -> int:
        """w2 - 2 w1 = w1 - (3 w1 - w2) > 0."""
        parts = (held[0], ONE), (within()[1], ONE)
        return combine(proof, MARGIN, ">", ZERO, *parts, rest=-log(window.small) - 1)

    def angle() -> int:
        """From (3 w1 - w2)^2 <= 1 and w1 >= log(least)."""
        low, high = within()
        inner = combine(proof, 1 + ACROSS, ">=", ZERO, (low, ONE))
        square = combine(proof, ACROSS**2, "<=", ONE, (high, 1 + ACROSS), (inner, ZERO))
        beyond = proof.relate(w1, ">=", log(least), "exponential", held[4])
        parts = (beyond, Integer(2)), (square, log(least))
        return combine(proof, (1 + ACROSS**2) * log(least), "<=", 2 * w1, *parts)

    return {
        Relation(MARGIN, ">", ZERO): positive,
        Relation((1 + ACROSS**2) * log(least), "<=", 2 * w1): angle,
    }


def _slopes(region: Region, bounds: tuple[int, int], window: Window) -> tuple[int, int]:
    """window.least <= F(b) <= 1/2 along the orbit."""
    ratio, proof, wide, small = exp(-w1), region.proof, 1 + window.small, region.known[0]
    low, high = shares(region, bounds, ratio)
    square = combine(proof, (1 + ratio) ** 2, "<=", wide**2, (small, 1 + ratio + wide))
    scale, least = 1 / (1 + ratio) ** 2, window.least
    rest = (2 * ratio + ratio**2) * scale / 2
    return (
        combine(proof, slope(ratio), ">=", least, (low, scale), (square, least * scale)),
        combine(proof, slope(ratio), "<=", HALF, (high, scale), rest=rest),
    )


def _compared(proof: Proof, window: Window) -> tuple[int, int]:
    """Bounds of F(r b) by multiples of F(b): F falls, and share grows."""
    falls, grows = _monotone(proof)
    up, root, c = window.rising, window.root, b * r
    way: Operator = ">=" if up else "<="
    end: Operator = "<=" if up else ">="
    proof.over = (
        (b, interval(0, window.small, "(]")),
        (r, interval(window.low, window.high, "[]")),
    )
    small, edge = seen(proof, (b, "<=", window.small), (r, end, window.edge))
    parts = (edge, root * b), (small, abs(root * window.edge - 1))
    linear = combine(proof, 1 + b, way, root * (1 + c), *parts)
    scale = 1 + b + root * (1 + c)
    square = combine(proof, (1 + b) ** 2, way, root**2 * (1 + c) ** 2, (linear, scale))
    one, two = (b, c) if up else (c, b)
    less = combine(proof, one, "<", two, rest=b * (r - 1 if up else 1 - r))
    falling = proof.relate(slope(two), "<", slope(one), "substitute", falls, less, y=one, z=two)
    growing = proof.relate(share(two), ">", share(one), "substitute", grows, less, y=one, z=two)
    scale = 1 / (1 + c) ** 2
    parts = (growing, scale), (square, share(b) * scale / (1 + b) ** 2)
    far = combine(proof, slope(c), way, root**2 * slope(b), *parts)
    near = combine(proof, slope(c), end, slope(b), (falling, ONE))
    return (far, near) if up else (near, far)


def _monotone(proof: Proof) -> tuple[int, int]:
    """F(z) < F(y) and share(z) > share(y) for 0 < y < z."""
    inverse = (1 + t) ** 2 * (1 + exp(1 / (1 + t)))
    rise = 2 * (1 + t) + (1 + 2 * t) * exp(1 / (1 + t))
    rising = proof.relate(rise, ">", 0, "sign", over=((t, above(0)),))
    proof.over = ((y, above(0)), (z, above(y)))
    (less,) = seen(proof, (y, "<", z))
    larger = proof.relate(
        *(inverse.xreplace({t: y}), "<", inverse.xreplace({t: z}), "monotone", rising, less),
        function=inverse, variable=t, low=y, high=z,
    )  # fmt: skip
    outputs = combine(proof, 1 / (1 + z), "<", 1 / (1 + y), (less, 1 / ((1 + y) * (1 + z))))
    powers = proof.relate(exp(1 / (1 + z)), "<", exp(1 / (1 + y)), "exponential", outputs)
    return (
        combine(proof, slope(z), "<", slope(y), (larger, slope(y) * slope(z))),
        combine(proof, share(z), ">", share(y), (powers, share(y) * share(z))),
    )


class _Stepping:
    """What a step of size h <= `most` does in the window, given the bounds of f/g."""

    def __init__(self, proof: Proof, copies: int, most: Expr, window: Window, line: int) -> None:
        self.proof, self.copies, self.most, self.window = proof, copies, most, window
        self.line, self.change = line, h * b * (3 * copies * g - 7 * r * f)
        proof.over = (
            *((h, interval(0, most, "(]")), (g, interval(window.least, HALF, "[]"))),
            *((f, above(0)), (b, interval(0, window.small, "(]"))),
            (r, interval(window.low, window.high, "[]")),
        )
        lower, upper = window.ratios
        proof.given = Relation(f, ">=", lower * g), Relation(f, "<=", upper * g)
        self.over_f, self.under_f = (
            proof.relate(c.lhs, c.op, c.rhs, "hypothesis") for c in proof.given
        )
        self.over_r, self.under_r = seen(proof, (r, ">=", window.low), (r, "<=", window.high))

    def grows(self) -> int:
        """A step adds h b/pace or more to w1."""
        proof, window, (_, upper) = self.proof, self.window, self.window.ratios
        (slow,) = seen(proof, (g, ">=", window.least))
        spare, pace = self.copies - 2 * window.high * upper, window.pace
        enough = number(proof, window.least * spare, ">=", Rational(1, pace))
        parts = (self.under_f, 2 * h * r), (self.under_r, 2 * h * upper * g)
        parts = (*parts, (slow, h * spare), (enough, h))
        return combine(proof, h * (self.copies * g - 2 * r * f), ">=", h / pace, *parts)

    def gentle(self, factor: Expr) -> int:
        """factor h b g <= 1: a step does not leap over the window."""
        most, small = self.most, self.window.small
        ends = seen(self.proof, (h, "<=", most), (b, "<=", small), (g, "<=", HALF))
        factors = (factor * b * g, factor * most * g, factor * most * small)
        parts = zip(ends, factors, strict=True)
        rest = 1 - factor * most * small / 2
        return combine(self.proof, factor * h * b * g, "<=", ONE, *parts, rest=rest)

    def above_low(self) -> int:
        """low <= r exp(change), since exp(change) >= 1 + change."""
        proof, low, (_, upper) = self.proof, self.window.low, self.window.ratios
        change, pull = self.change, h * b * g
        line = proof.relate(1 + change, "<=", exp(change), "substitute", self.line, x=change)
        strong = 7 * upper * (self.window.high + low) - 3 * self.copies
        factor = 1 - pull * (7 * upper * (r + low) - 3 * self.copies)
        parts = (self.gentle(strong), ONE), (self.under_r, 7 * upper * pull)
        mild = combine(proof, factor, ">=", ZERO, *parts)
        parts = (line, r), (self.under_f, 7 * h * b * r**2), (self.over_r, factor), (mild, ZERO)
        rest = low * pull * (3 * self.copies - 7 * upper * low)
        return combine(proof, r * exp(change), ">=", low, *parts, rest=rest)

    def below_high(self) -> int:
        """r exp(change) <= high, since exp(-change) >= 1 - change."""
        proof, high, (lower, _) = self.proof, self.window.high, self.window.ratios
        change, pull, strong = self.change, h * b * g, 7 * lower * high
        line = proof.relate(1 - change, "<=", exp(-change), "substitute", self.line, x=-change)
        mild = self.gentle(strong)
        parts = (self.over_f, 7 * high * h * b * r), (self.under_r, 1 - strong * pull)
        rest = high * pull * (strong - 3 * self.copies)
        left = high * (1 - change) - r
        under = combine(proof, left, ">=", ZERO, *parts, (mild, ZERO), rest=rest)
        parts = (line, high * exp(change)), (under, exp(change))
        return combine(proof, r * exp(change), "<=", high, *parts)
