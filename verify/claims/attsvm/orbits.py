"""Where gradient descent goes for ever on LOC and EQ(m), as statements about orbits.

Only the first column w = (w1, w2) of W moves, as all queries are (1, 0). That the maps are
gradient descent is part of the statements, with the loss written out from tokens and decoder.
What holds eventually is refuted by a trap, a region that the run enters and never leaves; what
holds always, by an iterate that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sympy import Derivative, E, Expr, Integer, Rational, Symbol, exp, log, oo, symbols

from ....symbolic.attsvm import orbits as loc
from ....symbolic.attsvm import orbits_equal as equal
from ....symbolic.statements import (
    REALS,
    Domains,
    Every,
    Minimiser,
    Operator,
    Orbit,
    Relation,
    above,
    interval,
)
from ...claim import Claim, Mutant
from .margins import EQUAL, LOC, Data, shortest
from .orbit_runs import SLOWEST, follow

SEED = "seed 003, Optimisation"
SUPPORT = "arXiv 2308.16898 (Tarzanagh, Li, Thrampoulidis, Oymak)"
RATES = "arXiv 2402.05738 (Vasudeva, Deora, Thrampoulidis)"

w1, w2, k, eta = symbols("w1 w2 k eta")
u, v = symbols("u v")
ZERO, ONE = Integer(0), Integer(1)
ANY_RATE: Domains = ((eta, above(0)),)
ANY_START: Domains = (
    *ANY_RATE,
    *((u, interval(0, oo, "[)")), (v, interval(0, oo, "[)"))),
)
LOC_MARGIN, LOC_ACROSS = -3 * w1 + w2, w1 + 3 * w2
EQUAL_MARGIN, EQUAL_ACROSS = -2 * w1 + w2, 3 * w1 - w2

LOC_DECODER: tuple[Expr, ...] = (Rational(1, 2), Rational(5, 2))
EQUAL_DECODER: tuple[Expr, ...] = (ONE, Integer(3))

Start = tuple[Expr | int, Expr | int]


def on_loc(
    lhs: Expr,
    op: Operator,
    rhs: Expr | int,
    start: Start,
    over: Domains = ANY_RATE,
    rate: Expr = eta,
    eventually: bool = False,
) -> Orbit:
    """A relation along gradient descent on LOC; steps are counted if it speaks of k."""
    holds = Relation(lhs, op, Integer(rhs) if isinstance(rhs, int) else rhs)
    return _orbit(partial(loc.loc_step, rate), holds, start, over, eventually)


def on_equal(
    copies: int, rate: Expr | int, lhs: Expr, op: Operator, rhs: Expr | int, start: Start = (0, 0)
) -> Orbit:
    """A relation that holds eventually along gradient descent on EQ(copies)."""
    holds = Relation(lhs, op, Integer(rhs) if isinstance(rhs, int) else rhs)
    exact = Integer(rate) if isinstance(rate, int) else rate
    return _orbit(partial(equal.equal_step, copies, exact), holds, start, (), True)


def _orbit(
    step: Callable[[bool], tuple[tuple[Symbol, Expr], ...]],
    holds: Relation,
    start: Start,
    over: Domains,
    eventually: bool,
) -> Orbit:
    counted = k in holds.lhs.free_symbols | holds.rhs.free_symbols
    first, second = (Integer(value) if isinstance(value, int) else value for value in start)
    begin = ((w1, first), (w2, second))
    return Orbit(step(counted), (*begin, (k, ZERO)) if counted else begin, holds, eventually, over)


def descends(
    data: Data,
    decoder: tuple[Expr, ...],
    step: tuple[tuple[Symbol, Expr], ...],
    rate: Expr,
    shown: int,
) -> tuple[Relation, ...]:
    """w - rate dL/dw is the map, L being the mean logistic loss of attention on the data.

    Softmax is taken of the logits less that of token `shown`, which is the same map."""
    total: Expr = ZERO
    for tokens in data.tokens:
        logits = [x * w1 + y * w2 for x, y in tokens]
        powers = [exp(logit - logits[shown]) for logit in logits]
        scores = (x * decoder[0] + y * decoder[1] for x, y in tokens)
        output = sum((p * g for p, g in zip(powers, scores, strict=True)), ZERO) / sum(powers, ZERO)
        total += log(1 + exp(-output))
    loss = total / len(data.tokens)
    free: Domains = ((w1, REALS), (w2, REALS))
    over = (*free, (rate, above(0))) if isinstance(rate, Symbol) else free
    return tuple(
        Relation(w - rate * Derivative(loss, w), "=", moved, over) for w, moved in step if w != k
    )


def loc_descends(decoder: tuple[Expr, ...] = LOC_DECODER) -> tuple[Relation, ...]:
    return descends(LOC, decoder, loc.loc_step(eta), eta, shown=1)


def equal_descends(copies: int, steps: int | None = None) -> tuple[Relation, ...]:
    """EQ(copies); `steps` are those of another number of copies."""
    rate, skipped = Integer(4), len(EQUAL.tokens) - 1 - copies
    data = replace(EQUAL, tokens=EQUAL.tokens[skipped:])
    return descends(data, EQUAL_DECODER, equal.equal_step(steps or copies, rate), rate, shown=0)


def gd_as_stated(
    start: Start = (1, 0), rate: Expr = Rational(1, 2), above_it: int = 0, *changed: Minimiser
) -> Every:
    """W^mm, and that its margin is eventually positive along a run."""
    best = changed or (shortest(LOC, 10, -3, 0, 1, 0),)
    run = on_loc(LOC_MARGIN, ">", above_it, start, (), rate, eventually=True)
    return Every((*best, run))


GD_AS_STATED = Claim(
    id="attsvm.gd-as-stated",
    title="gradient descent converges in direction to W^mm, whatever its start",
    statement=gd_as_stated,
    source=f"{SEED}, the limit of gradient descent; {SUPPORT}, stated without its hypotheses",
    expected="refuted",
    hypotheses=(
        "LOC: tokens (-3, 1), (1, 0), (0, 0), query (1, 0), decoder (1/2, 5/2), label 1; logistic "
        "loss, step size 1/2, W_0 = [[1, 0], [0, 0]]",
        "tested is a consequence: with the direction of W^mm = (-3/10, 1/10) z^T, <W, W^mm> > 0 "
        "from some iterate on; it stays below 0 for ever",
        "that the map is gradient descent is part of attsvm.init-dependence",
    ),
    certificate=follow,
    corrected_by="attsvm.gd-selected",
    mutants=(
        Mutant("another-start", partial(gd_as_stated, start=(2, -1)), "deeper in the wrong basin"),
        Mutant(
            "smaller-steps",
            partial(gd_as_stated, rate=SLOWEST),
            "the trap holds for every step size",
        ),
        Mutant(
            "larger-steps",
            partial(gd_as_stated, rate=Integer(4)),
            "the trap holds for every step size",
        ),
        Mutant(
            "weaker", partial(gd_as_stated, above_it=-3), "the margin does not even rise above -3"
        ),
    ),
)


def init_dependence(
    first: Start = (1, 0),
    slope: int = 25,
    width: Expr = ONE,
    selected: int = 1,
    second: tuple[Expr, Expr] = (-u, v - 3 * u),
    last: Start = (0, 0),
    decay: int = 4,
    decoder: tuple[Expr, ...] = LOC_DECODER,
) -> Every:
    """Two tokens, two basins, two limits, each with its rate."""
    far, near = E + eta * k / slope, 1 + eta * k / decay
    ceiling, floor = (1 + 9 * eta / 32) * exp(Integer(-3)) * width, (8 + 5 * eta) / 48
    return Every(
        (
            shortest(LOC, 10, -3, 0, 1, 0),
            shortest(replace(LOC, optimal=(selected,)), 1, 1, 0, 0, 0),
            on_loc(LOC_MARGIN, "<=", -3, (1 + u, 3 * u - v), ANY_START),
            on_loc(LOC_MARGIN, ">=", 0, second, ANY_START),
            on_loc(exp(w1), ">=", far, first),
            on_loc((w2 * log(far)) ** 2, "<=", (ceiling * w1) ** 2, first),
            on_loc(exp(LOC_MARGIN), ">=", near, last),
            on_loc((LOC_ACROSS * log(near)) ** 2, "<=", (floor * LOC_MARGIN) ** 2, last),
            *loc_descends(decoder),
        )
    )


INIT_DEPENDENCE = Claim(
    id="attsvm.init-dependence",
    title="the start decides which local solution gradient descent reaches",
    statement=init_dependence,
    source=f"{SEED}, initialisation; {SUPPORT}, local convergence",
    expected="certified",
    hypotheses=(
        "LOC: tokens (-3, 1), (1, 0), (0, 0), query (1, 0), decoder (1/2, 5/2), label 1; logistic "
        "loss; for every step size eta > 0",
        "(1) W^mm = (-3/10, 1/10) z^T for token 1, (2) its counterpart (1, 0) z^T for token 2",
        "(3) from every start with w1 >= 1, 3 w1 - w2 >= 3 the margin of token 1 stays <= -3, "
        "(4) from every start with w1 <= 0, -3 w1 + w2 >= 0 it stays >= 0",
        "from (1, 0): (5) |w| grows like log k or faster, (6) the tangent of its angle to (1, 0) "
        "is at most c/log(e + eta k/25), c = (1 + 9 eta/32) exp(-3)",
        "from (0, 0): (7) the margin grows like log k or faster, (8) the tangent of the angle of "
        "w to W^mm is at most c/log(1 + eta k/4), c = (8 + 5 eta)/48",
        "(9, 10) the map of (3) to (8) is w - eta dL/dw, in both coordinates",
    ),
    certificate=follow,
    mutants=(
        Mutant(
            "start-at-0",
            partial(init_dependence, first=(0, 0)),
            "from 0 the run goes the other way",
        ),
        Mutant(
            "to-one-limit", partial(init_dependence, last=(1, 0)), "from (1, 0) W^mm is not reached"
        ),
        Mutant("faster", partial(init_dependence, slope=4), "a growth that the run does not have"),
        Mutant("narrower", partial(init_dependence, width=Rational(1, 4)), "w2 grows beyond that"),
        Mutant(
            "other-token",
            partial(init_dependence, selected=2),
            "(1, 0) z^T does not select token 3",
        ),
        Mutant(
            "one-basin",
            partial(init_dependence, second=(1 + u, v - 3 * u)),
            "the wrong side of w1 = 0",
        ),
        Mutant(
            "other-decoder", partial(init_dependence, decoder=(ONE, Integer(4))), "another gradient"
        ),
        Mutant("at-once", partial(init_dependence, decay=1), "the margin does not grow that fast"),
    ),
)


def gd_equal_scores(copies: int = 4, rate: Expr = ONE, start: Start = (0, 0)) -> Every:
    """W^mm, and that the margin of the last sequence is eventually positive along a run."""
    run = on_equal(copies, rate, EQUAL_MARGIN, ">", 0, start)
    return Every((shortest(EQUAL, 1, 1, 0, 3, 0), run))


GD_EQUAL_SCORES = Claim(
    id="attsvm.gd-equal-scores",
    title="equal scores, feasible data and W_0 = 0 suffice for the global W^mm",
    statement=gd_equal_scores,
    source=f"{SEED}, global convergence; {RATES}, without near-orthogonality",
    expected="refuted",
    hypotheses=(
        "EQ(4): four sequences {optimal (1, 0), other 0}, one {optimal (-2, 1), other 0}, query "
        "(1, 0), decoder (1, 3), all gaps 1; mean logistic loss, step size 1, W_0 = 0",
        "tested is a consequence: the margin w2 - 2 w1 of the last sequence, 1 at W^mm = (1, 3) "
        "z^T, is positive from some iterate on; it ends up below 0 for ever",
        "that the map is gradient descent is part of attsvm.equal-scores-trap, for step size 4",
    ),
    certificate=follow,
    corrected_by="attsvm.equal-scores-trap",
    mutants=(
        Mutant("five-copies", partial(gd_equal_scores, copies=5), "more copies pull harder"),
        Mutant(
            "smaller-steps",
            partial(gd_equal_scores, rate=Rational(1, 2)),
            "not a matter of step size",
        ),
        Mutant(
            "larger-steps", partial(gd_equal_scores, rate=Integer(4)), "not a matter of step size"
        ),
        Mutant("from-1", partial(gd_equal_scores, start=(1, 0)), "a start closer to where it goes"),
    ),
)


def equal_scores_trap(
    lost: int = 4, won: int = 3, limit: tuple[int, int] = (1, 3), steps: int | None = None
) -> Every:
    """Four copies lead to (1, 0), up to three to W^mm; the step size is 4."""
    return Every(
        (
            shortest(EQUAL, 1, limit[0], 0, limit[1], 0),
            on_equal(lost, 4, EQUAL_MARGIN, "<=", 0),
            on_equal(4, 4, (1 + w2**2) * log(1 + k / 5), "<=", 5 * w1),
            on_equal(won, 4, EQUAL_MARGIN, ">", 0),
            *(
                on_equal(copies, 4, (1 + EQUAL_ACROSS**2) * log(1 + k / pace), "<=", 2 * w1)
                for copies, pace in ((3, 50), (2, Rational(75, 2)), (1, 75))
            ),
            *equal_descends(4, steps),
            *(part for copies in (3, 2, 1) for part in equal_descends(copies)),
        )
    )


EQUAL_SCORES_TRAP = Claim(
    id="attsvm.equal-scores-trap",
    title="up to three copies converge to W^mm from 0, four copies are trapped and go to (1, 0)",
    statement=equal_scores_trap,
    source=f"{SEED}, global convergence; {RATES}: why near-orthogonality is assumed",
    expected="certified",
    hypotheses=(
        "EQ(m): m sequences {optimal (1, 0), other 0}, one {optimal (-2, 1), other 0}, query "
        "(1, 0), decoder (1, 3); mean logistic loss, step size 4, W_0 = 0",
        "(1) W^mm = (1, 3) z^T; from some iterate on for ever: m = 4: (2) the last margin is "
        "at most 0, (3) w1 grows like log k or faster and w2^2/w1 <= 5/log(1 + k/5); "
        "(4) m = 3: the last margin is positive, (5, 6, 7) m = 3, 2, 1: w1 grows like log k or "
        "faster and (w2 - 3 w1)^2/w1 is at most 2/log(1 + k/50), 2/log(1 + 2k/75), "
        "2/log(1 + k/75)",
        "(8) to (15) the maps for m = 4, 3, 2, 1 are w - 4 dL/dw, in both coordinates",
    ),
    certificate=follow,
    corrects="attsvm.gd-equal-scores",
    mutants=(
        Mutant("four-converge", partial(equal_scores_trap, won=4), "four copies are too many"),
        Mutant("three-trapped", partial(equal_scores_trap, lost=3), "three copies are too few"),
        Mutant("two-trapped", partial(equal_scores_trap, lost=2), "two copies are too few"),
        Mutant("five-converge", partial(equal_scores_trap, won=5), "five copies are too many"),
        Mutant(
            "other-gradient",
            partial(equal_scores_trap, steps=3),
            "EQ(3) has another gradient than EQ(4)",
        ),
        Mutant(
            "shorter", partial(equal_scores_trap, limit=(1, 0)), "(1, 0) violates the last margin"
        ),
    ),
)
