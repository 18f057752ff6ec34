"""Where gradient descent goes for ever on EQ(m): m copies of one sequence against another.

EQ(m) has m copies of the sequence {optimal (1, 0), other 0} and one {optimal (-2, 1), other 0};
all scores are 1 and 0, the query is (1, 0) and W^mm = (1, 3) z^T for every m. A step of size eta
on the mean of the logistic losses, h = eta/(m + 1), moves w by

    h (m phi(w1) (1, 0) + phi(w2 - 2 w1) (-2, 1)),   phi(u) = y F(y) with y = exp(-u),
    F(y) = 1/((1 + y)^2 (1 + exp(1/(1 + y)))).

With b = exp(-w1) and c = exp(2 w1 - w2): for m >= 4, where b <= 1/8 and s = 1/(b c) <= 1/4, the
last sequence is given up (escape, here); for m <= 3, where b is small and r = c/b lies between
bounds about 3m/7, both margins grow for ever and stay close to each other (`orbits_window`).

Source: seed 003, Optimisation; Vasudeva et al., arXiv 2402.05738 (near-orthogonality is needed).
"""

from __future__ import annotations

from sympy import E, Expr, Integer, Rational, exp, log, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import Domains, Orbit, Relation, above, interval
from .regions import (
    HALF,
    ONE,
    RATES,
    SLOWEST,
    ZERO,
    Conclusions,
    Region,
    Steps,
    combine,
    decay,
    decays,
    k,
    number,
    rates,
    seen,
    tangent,
    w1,
    w2,
)

b, h, m, p, q, s = symbols("b h m p q s")
MARGIN, ACROSS = -2 * w1 + w2, 3 * w1 - w2
EIGHTH, QUARTER = Rational(1, 8), Rational(1, 4)
FIRST, LAST = q * b / (1 + b) ** 2, p / (b * s * (1 + 1 / (b * s)) ** 2)
RISE, APART = h * (m * FIRST - 2 * LAST), h * (m * FIRST - 3 * LAST)
FAR: Domains = (
    *((h, above(0)), (m, interval(4, oo, "[)")), (q, RATES), (p, RATES)),
    *((b, interval(0, EIGHTH, "(]")), (s, interval(0, QUARTER, "(]"))),
)


def share(ratio: Expr) -> Expr:
    """1/(1 + exp f), where the output is f = 1/(1 + ratio)."""
    return 1 / (1 + exp(1 / (1 + ratio)))


def slope(ratio: Expr) -> Expr:
    """F: phi(u) = ratio F(ratio) at ratio = exp(-u)."""
    return share(ratio) / (1 + ratio) ** 2


def equal_step(copies: int, rate: Expr, counted: bool = False) -> Steps:
    """A step of gradient descent on EQ(copies) in w1, w2, and in their number k if `counted`."""
    size = rate / (copies + 1)
    first, last = (ratio * slope(ratio) for ratio in (exp(-w1), exp(-MARGIN)))
    moved = ((w1, w1 + size * (copies * first - 2 * last)), (w2, w2 + size * last))
    return (*moved, (k, k + 1)) if counted else moved


def shares(region: Region, bounds: tuple[int, int], ratio: Expr) -> tuple[int, ...]:
    """1/(1 + e) <= share(ratio) <= 1/2 along the orbit."""
    output = 1 / (1 + ratio)
    most = combine(region.proof, output, "<=", ONE, rest=ratio / (1 + ratio))
    return tuple(region.use(line, most, x=output) for line in bounds)


def derive_equal_escape(goal: Orbit, copies: int, rate: Expr) -> Derivation:
    """For m >= 4, once w1 >= log 8 and w1 - w2 >= log 4: w2 - 2 w1 < 0 for ever, and with a
    counter of steps exp(w1) >= 1 + h k/4 and 0 <= w2 <= 2."""
    size = rate / (copies + 1)
    height, least = 5 * (1 + size * copies / 16) / 4, 1 + size * k / 4
    values = {b: exp(-w1), s: exp(w2 - w1), h: size, m: Integer(copies)}
    region = Region(
        *(goal, {**values, q: share(exp(-w1)), p: share(exp(-MARGIN))}),
        (Relation(w1, ">=", log(8)), Relation(w1 - w2, ">=", log(4))),
        (Relation(k, ">=", ZERO), Relation(exp(w1), ">=", least)),
        (Relation(w2, ">=", ZERO), Relation(w2 + height * exp(w2 - w1), "<=", Integer(2))),
    )
    proof = region.proof
    bounds, line = rates(proof), tangent(proof)
    slower = decay(proof, line) if region.pays else 0
    proof.over = FAR
    firsts, last = _pulls(proof)
    up, apart = _growth(proof, firsts, last), _gap(proof, firsts, last)
    potential = _potential(proof, apart, last, slower) if region.pays else 0
    region.enter()
    region.known = (
        *(region.bound(-w1, "<=", -log(8)), region.bound(w2 - w1, "<=", -log(4))),
        *(line for ratio in (exp(-w1), exp(-MARGIN)) for line in shares(region, bounds, ratio)),
    )
    grows, widens = region.use(up), region.use(apart)
    steps = (
        region.stepped(0, (grows, exp(-w1)), rest=size * exp(-w1) / 2),
        region.stepped(1, (widens, ONE), rest=2 * size * exp(-w1) / 5),
    )
    if region.timed:
        longer = (region.use(line, x=region.at(RISE)), exp(w1))
        steps += (region.counts(), region.stepped(3, longer, (grows, ONE), rest=size / 4))
    if region.pays:
        rises = proof.relate(dict(goal.step)[w2], ">=", 0, "sign")
        steps += (rises, region.stepped(5, (region.use(potential), ONE)))
    return region.done(_conclusions(region, height, least), steps)


def _conclusions(region: Region, height: Expr, least: Expr) -> Conclusions:
    proof, held = region.proof, region.held

    def lost() -> int:
        parts = (held[0], ONE), (held[1], ONE)
        return combine(proof, MARGIN, "<=", ZERO, *parts, rest=log(8) + log(4))

    def angle() -> int:
        """From 0 <= w2 <= 2 and w1 >= log(least)."""
        two = Integer(2)
        below = combine(proof, w2, "<=", two, (held[5], ONE), rest=height * exp(w2 - w1))
        square = combine(proof, w2**2, "<=", Integer(4), (below, 2 + w2), (held[4], ZERO))
        beyond = proof.relate(w1, ">=", log(least), "exponential", held[3])
        parts = (beyond, Integer(5)), (square, log(least))
        return combine(proof, (1 + w2**2) * log(least), "<=", 5 * w1, *parts)

    return {
        Relation(MARGIN, "<=", ZERO): lost,
        Relation((1 + w2**2) * log(least), "<=", 5 * w1): angle,
    }


def _pulls(proof: Proof) -> tuple[int, int]:
    """m phi(w1) >= 5 b/6 and phi(w2 - 2 w1) <= b s/2."""
    many, small = seen(proof, (m, ">=", Integer(4)), (b, "<=", EIGHTH))
    slow, faster = seen(proof, (q, ">=", SLOWEST), (p, "<=", HALF))
    wide, part, ratio = Rational(81, 64), Rational(5, 6), b * s
    square = combine(proof, (1 + b) ** 2, "<=", wide, (small, b + Rational(17, 8)))
    scale, low = b / (1 + b) ** 2, 1 / (wide * (1 + E))
    first = combine(proof, FIRST, ">=", low * b, (slow, scale), (square, low * scale))
    enough = number(proof, 4 * low, ">=", part)
    parts = (many, FIRST), (first, Integer(4)), (enough, b)
    rest = ratio * (2 * ratio + ratio**2) / (2 * (1 + ratio) ** 2)
    return (
        combine(proof, m * FIRST, ">=", part * b, *parts),
        combine(proof, LAST, "<=", ratio / 2, (faster, ratio / (1 + ratio) ** 2), rest=rest),
    )


def _growth(proof: Proof, firsts: int, last: int) -> int:
    """A step adds b h/2 or more to w1."""
    (smaller,) = seen(proof, (s, "<=", QUARTER))
    parts = (firsts, h / b), (last, 2 * h / b), (smaller, h)
    return combine(proof, RISE / b, ">=", h / 2, *parts, rest=h / 12)


def _gap(proof: Proof, firsts: int, last: int) -> int:
    """A step adds 2 b h/5 or more to w1 - w2."""
    (smaller,) = seen(proof, (s, "<=", QUARTER))
    parts = (firsts, h), (last, 3 * h), (smaller, 3 * h * b / 2)
    return combine(proof, APART, ">=", 2 * h * b / 5, *parts, rest=7 * h * b / 120)


def _potential(proof: Proof, widens: int, last: int, slower: int) -> int:
    """w2 + 5/4 (1 + h m/16) exp(w2 - w1) does not grow: what w2 gains is paid for."""
    small, fast = seen(proof, (b, "<=", EIGHTH), (q, "<=", HALF))
    positive = combine(proof, APART, ">", ZERO, (widens, ONE), rest=2 * h * b / 5)
    top = h * m / 16
    parts = (fast, h * m * b / (1 + b) ** 2), (small, h * m / 2)
    rest = h * m * b * (2 * b + b**2) / (2 * (1 + b) ** 2) + 3 * h * LAST
    capped = combine(proof, APART, "<=", top, *parts, rest=rest)
    fades = decays(proof, slower, APART, top, positive, capped)
    height = 5 * (1 + top) / 4
    parts = (fades, height * s), (widens, 5 * s / 4), (last, h)
    return combine(proof, h * LAST + height * s * exp(-APART), "<=", height * s, *parts)
