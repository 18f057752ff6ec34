"""Where gradient descent goes for ever on LOC: exact map, invariant regions, explicit rates.

Only the first column w = (w1, w2) of W moves, since z = (1, 0). LOC has the tokens (-3, 1),
(1, 0), (0, 0) with the scores 1, 1/2, 0 (logistic loss). With b = exp(-w1), s = exp(-3 w1 + w2)
and N = 1 + b + b s the attention map is (b s, 1, b)/N, the output is f = (b s + 1/2)/N, and a
step of size h moves w by h/((1 + exp f) N^2) times

    (b (1/2 - 2 s - 3 b s), b s (1/2 + b)).

Two regions are invariant whatever the step size. Where b <= 3/8 and s <= 1/20 token 2 is selected
and a multiple of s bounds what w2 can still gain (escape); where b, s >= 1 token 1 is selected
and a multiple of 1/b bounds what the part of w orthogonal to W^mm can still lose (capture).

Source: seed 003, Optimisation; Tarzanagh et al., arXiv 2308.16898; Vasudeva et al., 2402.05738.
"""

from __future__ import annotations

from sympy import E, Expr, Integer, Rational, exp, expand, log, oo, symbols

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
    Values,
    combine,
    decay,
    decays,
    eta,
    k,
    number,
    rates,
    seen,
    tangent,
    w1,
    w2,
)

b, h, q, s = symbols("b h q s")
NORMALISER = 1 + b + b * s
OUTPUT = (b * s + HALF) / NORMALISER
PACE = h * q / NORMALISER**2
MOVE_1, MOVE_2 = PACE * b * (HALF - 2 * s - 3 * b * s), PACE * b * s * (HALF + b)
MARGIN, ACROSS = -3 * w1 + w2, w1 + 3 * w2
SMALL, SMALLER = Rational(3, 8), Rational(1, 20)
FAR: Domains = (
    *((h, above(0)), (q, RATES)),
    *((b, interval(0, SMALL, "(]")), (s, interval(0, SMALLER, "(]"))),
)
NEAR: Domains = (
    *((h, above(0)), (q, RATES)),
    *((b, interval(1, oo, "[)")), (s, interval(1, oo, "[)"))),
)


def loc_step(rate: Expr = eta, counted: bool = False) -> Steps:
    """A step of gradient descent on LOC in w1, w2, and in the number k of steps if `counted`."""
    values = dict(loc_values(rate))
    moved = ((w1, w1 + MOVE_1.xreplace(values)), (w2, w2 + MOVE_2.xreplace(values)))
    return (*moved, (k, k + 1)) if counted else moved


def derive_descent(goal: Relation) -> Derivation:
    """w - rate dL/dw = step, for the loss L that is written out there."""
    proof = Proof(*goal.over)
    proof.relate(goal.lhs, goal.op, goal.rhs, "field")
    return proof.done()


def loc_values(rate: Expr) -> Values:
    powers = {b: exp(-w1), s: exp(MARGIN)}
    return {**powers, h: rate, q: 1 / (1 + exp(OUTPUT.xreplace(powers)))}


def _paced(region: Region, bounds: tuple[int, int]) -> tuple[int, ...]:
    """1/(1 + e) <= 1/(1 + exp f) <= 1/2 along the orbit, since 0 <= f <= 1."""
    output, rest = region.at(OUTPUT), region.at((HALF + b) / NORMALISER)
    most = combine(region.proof, output, "<=", ONE, rest=rest)
    return tuple(region.use(line, most, x=output) for line in bounds)


def derive_escape(goal: Orbit, rate: Expr = eta) -> Derivation:
    """From w1 >= 1, 3 w1 - w2 >= 3: token 2 for ever; with a counter of steps also the rates.

    With c = (1 + 9 rate/32) exp(-3), from (1, 0) and for every rate:
    exp(w1) >= e + rate k/25 and 0 <= w2 <= c.
    """
    size, least = 1 + 9 * rate / 32, E + rate * k / 25
    region = Region(
        *(goal, loc_values(rate)),
        (Relation(w1, ">=", ONE), Relation(-MARGIN, ">=", Integer(3))),
        (Relation(k, ">=", ZERO), Relation(exp(w1), ">=", least)),
        (
            Relation(w2, ">=", ZERO),
            Relation(w2 + size * exp(MARGIN), "<=", size * exp(Integer(-3))),
        ),
    )
    proof = region.proof
    bounds, line = rates(proof), tangent(proof)
    slower = decay(proof, line) if region.pays else 0
    proof.over = FAR
    up, apart = _escape_growth(proof), _escape_gap(proof)
    potential = _escape_potential(proof, apart, slower) if region.pays else 0
    region.enter()
    small = region.bound(-w1, "<=", Integer(-1), SMALL)
    smaller = region.bound(MARGIN, "<=", Integer(-3), SMALLER)
    region.known = (small, smaller, *_paced(region, bounds))
    grows, widens = region.use(up), region.use(apart)
    steps = (
        region.stepped(0, (grows, exp(-w1)), rest=exp(-w1) * rate / 25),
        region.stepped(1, (widens, ONE), rest=region.at(7 * PACE * b / 8)),
    )
    if region.timed:
        longer = region.use(line, x=region.at(MOVE_1))
        steps += (region.counts(), region.stepped(3, (longer, exp(w1)), (grows, ONE)))
    if region.pays:
        rises = proof.relate(dict(goal.step)[w2], ">=", 0, "sign")
        steps += (rises, region.stepped(5, (region.use(potential), ONE)))
    return region.done(_escape_conclusions(region, size, least), steps)


def _escape_conclusions(region: Region, size: Expr, least: Expr) -> Conclusions:
    proof, held = region.proof, region.held

    def stays(end: Expr) -> int:
        return combine(proof, MARGIN, "<=", end, (held[1], ONE), rest=end + 3)

    return {
        Relation(MARGIN, "<=", ZERO): lambda: stays(ZERO),
        Relation(MARGIN, "<=", Integer(-3)): lambda: stays(Integer(-3)),
        Relation(exp(w1), ">=", least): lambda: held[3],
        Relation((w2 * log(least)) ** 2, "<=", (size * exp(Integer(-3)) * w1) ** 2): lambda: (
            _escape_angle(region, size, least)
        ),
    }


def _escape_angle(region: Region, size: Expr, least: Expr) -> int:
    """w2 log(least) <= c w1 and its square, from 0 <= w2 <= c and w1 >= log(least)."""
    proof, held, ceiling = region.proof, region.held, size * exp(Integer(-3))
    below = combine(proof, w2, "<=", ceiling, (held[5], ONE), rest=size * exp(MARGIN))
    beyond = proof.relate(w1, ">=", log(least), "exponential", held[3])
    parts = (beyond, ceiling), (below, log(least))
    first = combine(proof, w2 * log(least), "<=", ceiling * w1, *parts)
    positive = combine(proof, w1, ">", ZERO, (held[0], ONE), rest=ONE)
    parts = (first, ceiling * w1 + w2 * log(least)), (positive, ZERO)
    return combine(proof, (w2 * log(least)) ** 2, "<=", (ceiling * w1) ** 2, *parts)


def _escape_growth(proof: Proof) -> int:
    """A step adds b h/25 or more to w1."""
    (slow,) = seen(proof, (q, ">=", SLOWEST))
    small, smaller = seen(proof, (b, "<=", SMALL), (s, "<=", SMALLER))
    gain, least, width = HALF - 2 * s - 3 * b * s, Rational(11, 32), Rational(223, 160)
    gains = combine(proof, gain, ">=", least, (small, 3 * s), (smaller, Rational(25, 8)))
    both = combine(proof, q * gain, ">=", least / (1 + E), (gains, q), (slow, least))
    narrow = combine(proof, NORMALISER, "<=", width, (small, 1 + s), (smaller, SMALL))
    square = combine(proof, NORMALISER**2, "<=", width**2, (narrow, NORMALISER + width))
    enough = number(proof, least / (1 + E), ">=", width**2 / 25)
    scale = h / NORMALISER**2
    parts = (both, scale), (enough, scale), (square, scale / 25)
    return combine(proof, MOVE_1 / b, ">=", h / 25, *parts)


WIDENING = Rational(3, 2) - 13 * s / 2 - 10 * b * s
APART = 3 * MOVE_1 - MOVE_2


def _escape_gap(proof: Proof) -> int:
    """A step adds 7/8 PACE b or more to 3 w1 - w2."""
    small, smaller = seen(proof, (b, "<=", SMALL), (s, "<=", SMALLER))
    least, parts = Rational(7, 8), ((small, 10 * s), (smaller, Rational(41, 4)))
    gap = combine(proof, WIDENING, ">=", least, *parts, rest=Rational(9, 80))
    return combine(proof, APART, ">=", least * PACE * b, (gap, PACE * b))


def _escape_potential(proof: Proof, widens: int, slower: int) -> int:
    """w2 + (1 + 9h/32) exp(-3 w1 + w2) does not grow: what w2 gains is paid for."""
    small, fast = seen(proof, (b, "<=", SMALL), (q, "<=", HALF))
    positive = combine(proof, APART, ">", ZERO, (widens, ONE), rest=7 * PACE * b / 8)
    top = 9 * h / 32
    rest = PACE * b * expand(3 * NORMALISER**2 / 2 - WIDENING)
    parts = (small, 3 * h * q / 2), (fast, 9 * h / 16)
    capped = combine(proof, APART, "<=", top, *parts, rest=rest)
    fades = decays(proof, slower, APART, top, positive, capped)
    size = 1 + top
    parts = (fades, size * s), (widens, s), (small, PACE * b * s)
    return combine(proof, MOVE_2 + size * s * exp(-APART), "<=", size * s, *parts)


def derive_capture(goal: Orbit, rate: Expr = eta) -> Derivation:
    """From w1 <= 0, -3 w1 + w2 >= 0: token 1 for ever; with a counter of steps also the rates.

    With c = (8 + 5 rate)/48, from (0, 0) and for every rate:
    exp(-3 w1 + w2) >= 1 + rate k/4 and -c <= w1 + 3 w2 <= 0.
    """
    size, least = (8 + 5 * rate) / 48, 1 + rate * k / 4
    region = Region(
        *(goal, loc_values(rate)),
        (Relation(w1, "<=", ZERO), Relation(MARGIN, ">=", ZERO)),
        (Relation(k, ">=", ZERO), Relation(exp(MARGIN), ">=", least)),
        (Relation(ACROSS, "<=", ZERO), Relation(ACROSS - size * exp(w1), ">=", -size)),
    )
    proof = region.proof
    bounds, line = rates(proof), tangent(proof)
    slower = decay(proof, line) if region.pays else 0
    proof.over = NEAR
    down, up = _capture_moves(proof)
    faster = _capture_growth(proof) if region.timed else 0
    paid = (_capture_turn(proof), _capture_potential(proof, down, slower)) if region.pays else ()
    region.enter()
    large = tuple(region.bound(exponent, ">=", ZERO) for exponent in (-w1, MARGIN))
    region.known = (*large, *_paced(region, bounds))
    steps = (
        region.stepped(0, (region.use(down), ONE)),
        region.stepped(1, (region.use(up), ONE)),
    )
    if region.timed:
        longer = (region.use(line, x=region.at(-APART)), exp(MARGIN))
        steps += (region.counts(), region.stepped(3, longer, (region.use(faster), ONE)))
    if region.pays:
        steps += tuple(
            region.stepped(place, (region.use(lemma), ONE)) for place, lemma in enumerate(paid, 4)
        )
    conclusions: Conclusions = {
        Relation(MARGIN, ">=", ZERO): lambda: region.held[1],
        Relation(exp(MARGIN), ">=", least): lambda: region.held[3],
        Relation((ACROSS * log(least)) ** 2, "<=", (size * MARGIN) ** 2): lambda: _capture_angle(
            region, size, least
        ),
    }
    return region.done(conclusions, steps)


def _capture_angle(region: Region, size: Expr, least: Expr) -> int:
    """-ACROSS log(least) <= c MARGIN and its square, from 0 <= -ACROSS <= c."""
    proof, held = region.proof, region.held
    below = combine(proof, ACROSS, ">=", -size, (held[5], ONE), rest=size * exp(w1))
    beyond = proof.relate(MARGIN, ">=", log(least), "exponential", held[3])
    parts = (beyond, size), (below, log(least))
    first = combine(proof, -ACROSS * log(least), "<=", size * MARGIN, *parts)
    other = size * MARGIN - ACROSS * log(least)
    positive = combine(proof, other, ">=", ZERO, (held[1], size), (held[4], log(least)))
    parts = (first, other), (positive, ZERO)
    return combine(proof, (ACROSS * log(least)) ** 2, "<=", (size * MARGIN) ** 2, *parts)


LOSS = 2 * s + 3 * b * s - HALF


def _capture_moves(proof: Proof) -> tuple[int, int]:
    """A step lowers w1 and raises -3 w1 + w2."""
    falling, rising = seen(proof, (LOSS, ">", ZERO), (-WIDENING, ">", ZERO))
    return (
        combine(proof, -MOVE_1, ">", ZERO, (falling, PACE * b)),
        combine(proof, -APART, ">", ZERO, (rising, PACE * b)),
    )


def _capture_turn(proof: Proof) -> int:
    """A step does not raise w1 + 3 w2."""
    (least,) = seen(proof, (s, ">=", ONE))
    return combine(proof, MOVE_1 + 3 * MOVE_2, "<=", ZERO, (least, PACE * b / 2))


def _capture_potential(proof: Proof, drops: int, slower: int) -> int:
    """w1 + 3 w2 - (8 + 5h)/48 exp(w1) does not fall: what w1 + 3 w2 loses is paid for."""
    fast, spare = seen(proof, (q, "<=", HALF), (2 * s - HALF, ">=", ZERO))
    top = 5 * h / 8
    # 5 N^2/4 - b LOSS, as terms that are not negative
    slack = Rational(5, 4) + 3 * b + b * s / 2 + 5 * (b - b * s) ** 2 / 4 + 2 * b**2 * s
    rest = h * slack / (2 * NORMALISER**2)
    capped = combine(proof, -MOVE_1, "<=", top, (fast, h * b * LOSS / NORMALISER**2), rest=rest)
    fades = decays(proof, slower, -MOVE_1, top, drops, capped)
    size = (1 + top) / 6
    moved = MOVE_1 + 3 * MOVE_2 - size * exp(MOVE_1) / b
    parts = (fades, size / b), (spare, PACE / 6)
    return combine(proof, moved, ">=", -size / b, *parts, rest=PACE * b / 2)


def _capture_growth(proof: Proof) -> int:
    """A step adds h/4 or more to exp(-3 w1 + w2)."""
    (slow,) = seen(proof, (q, ">=", SLOWEST))
    third, rest = seen(
        proof, (2 * b * s - 1 - b, ">=", ZERO), (13 * s / 2 - Rational(3, 2), ">", ZERO)
    )
    scale = (3 * b * s + NORMALISER) / (9 * NORMALISER**2)
    share = combine(proof, (b * s) ** 2 / NORMALISER**2, ">=", Rational(1, 9), (third, scale))
    enough = number(proof, 10 / (9 * (1 + E)), ">=", Rational(1, 4))
    parts = (share, 10 * h * q), (slow, 10 * h / 9), (enough, h), (rest, PACE * b * s)
    return combine(proof, -s * APART, ">=", h / 4, *parts)
