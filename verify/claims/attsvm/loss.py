"""The logistic loss of attention: when it tends to its infimum, and for which data it can."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, exp, log, oo, symbols

from ....symbolic import attsvm as theory
from ....symbolic.statements import (
    REALS,
    Domain,
    Domains,
    Every,
    Limit,
    Operator,
    Relation,
    above,
    integers,
    interval,
)
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence
from .points import Point, probed
from .softmax import PAPER, SEED

lo, hi, top, A, c, eps, gap, y = symbols("lo hi top A c eps gap y")
a1, a2, g1, g2 = symbols("a1 a2 g1 g2")
i, j, k, m, n, r, N = symbols("i j k m n r N")
MARGINS, GAPS, BEST, UNIT, FARKAS, ATOM, WEIGHT = map(
    IndexedBase, ("a", "p", "g", "b", "lam", "x", "w")
)
ZERO, ONE, POSITIVE = Integer(0), Integer(1), above(0)
SIZES: Domains = ((m, integers(1)), (n, integers(1)))
ONE_OF: Domains = ((r, integers(1)), (j, integers(1)), (m, integers(j)), (n, integers(r)))
SCORES: Domains = (
    (lo, above(0)), (hi, interval(lo, oo, "[)")), (GAPS, interval(lo, hi, "[]")),
)  # fmt: skip


def excess(score: Expr, drop: Expr) -> Expr:
    """What log(1 + exp(-score)) gains when the score falls by `drop`."""
    return log(1 + exp(-(score - drop))) - log(1 + exp(-score))


def drop_of(row: Expr, margin: Callable[[Expr, Expr], Expr]) -> Expr:
    """Sum of s p over the other tokens of a sequence, s being their shares."""
    weighted = Sum(GAPS[row, i] * exp(-margin(row, i)), (i, 1, m))
    return weighted / (1 + Sum(exp(-margin(row, i)), (i, 1, m)))


def mean_excess(margin: Callable[[Expr, Expr], Expr]) -> Expr:
    """L - L*"""
    return Sum(excess(BEST[k], drop_of(k, margin)), (k, 1, n)) / n


def _margin(row: Expr, token: Expr) -> Expr:
    return MARGINS[row, token]


def _scaled(row: Expr, token: Expr) -> Expr:
    return c * UNIT[row, token]


def loss_limit(
    value: Expr | None = None,
    entries: slice = slice(None),
    margin: Rational = Rational(0),
    best: int = 1,
) -> Limit:
    """L -> L* whenever the norm of W (or of some of its entries) grows and the margin exceeds
    `margin`; one sequence with tokens (1, 0) and 0, scores `best` and 0, and query (1, 0)."""
    weights = symbols("w11 w12 w21 w22")
    logit = weights[0]
    score = best / (1 + exp(-logit))
    norm = sum((w**2 for w in weights[entries]), ZERO)
    return Limit(
        log(1 + exp(-score)), log(1 + exp(Integer(-best))) if value is None else value,
        ((norm, oo),), tuple((w, REALS) for w in weights), (Relation(logit, ">", margin),),
    )  # fmt: skip


def certify_loss(statement: Limit, settings: Settings) -> tuple[Evidence, ...]:
    """W_k = [[1, k], [k, k]]: the norm grows, the margin stays 1."""
    path = Symbol("k")
    names = [name for name, _ in statement.over]
    values = (ONE, path, path, path)
    return (Counterexample(tuple(zip(names, values, strict=True)), path, ONE),)


OPTIMAL_LOSS_AS_STATED = Claim(
    id="attsvm.optimal-loss-as-stated",
    title="the loss tends to its infimum whenever the norm of W grows and the tokens are separated",
    statement=loss_limit,
    source=f"{SEED}: the conditions for the optimal loss, read as sufficient",
    expected="refuted",
    hypotheses=("one sequence: tokens (1, 0) and 0 with scores 1 and 0, query (1, 0)",),
    certificate=certify_loss,
    corrected_by="attsvm.optimal-loss",
    mutants=(
        Mutant(
            "larger-margin", partial(loss_limit, margin=Rational(1, 2)), "a margin of 1/2 is kept"
        ),
        Mutant(
            "other-entries",
            partial(loss_limit, entries=slice(1, 4)),
            "entries that meet no query grow",
        ),
        Mutant("other-scores", partial(loss_limit, best=3), "nor with scores 3 and 0"),
        Mutant("log-2", partial(loss_limit, value=log(2)), "another limit"),
    ),
)


def optimal_loss(
    count: int | None = None,
    upper: Rational = Rational(1),
    lower: Rational = Rational(1),
    sequences: int | None = None,
    reach: Rational = Rational(1, 2),
    positive: Operator = ">",
    gaps: Domain = POSITIVE,
) -> Every:
    """L - L* and the margins bound each other; a ray of feasible W reaches L*, infeasible data
    stay away from it. `count` stands for the tokens, `sequences` for n in the bounds; `gaps` is
    where the score gap of three tokens lies in the part that L > L*."""
    return Every(
        (
            *_bounds(m if count is None else count, upper, lower, sequences, positive),
            *_reachable(m if count is None else count, upper, sequences, reach),
            Relation(three_tokens(), positive, ZERO,
                     ((gap, gaps), (g1, REALS), (a1, REALS), (a2, REALS))),
            *_three_tokens(count or 2, upper, lower, reach),
            *_two_sequences(upper, lower, sequences or 2, reach),
        )
    )  # fmt: skip


def _bounds(
    count: Expr | int, upper: Rational, lower: Rational, sequences: int | None, positive: Operator
) -> tuple[Relation, ...]:
    number = n if sequences is None else sequences
    scores: Domains = (*SCORES, (BEST, REALS))
    drop, mean = drop_of(r, _margin), mean_excess(_margin)
    mixed = Sum((BEST[r] - GAPS[r, i]) * exp(-MARGINS[r, i]), (i, 1, m))
    others = Sum(exp(-MARGINS[r, i]), (i, 1, m))
    least = log(count * hi / eps)
    large: Domains = (*scores, (A, REALS), (MARGINS, interval(A, oo, "[)")), *SIZES)
    far: Domains = (
        (eps, above(0)), (m, integers(1)), *scores, (MARGINS, interval(least, oo, "[)")),
        (n, integers(1)),
    )  # fmt: skip
    free: Domains = (*scores, (MARGINS, REALS))
    tilt = lower * lo / number / (1 + exp(BEST[r]))
    return (
        Relation((BEST[r] + mixed) / (1 + others), "=", BEST[r] - drop,
                 (*free, (r, integers(1)), (m, integers(1)))),
        Relation(mean, positive, ZERO, large),
        Relation(mean, "<=", upper * hi * count * exp(-A), large),
        Relation(mean, "<=", upper * eps, far),
        Relation(mean, ">", tilt / (1 + exp(A)), (*free, (A, REALS), *ONE_OF),
                 (Relation(MARGINS[r, j], "<=", A),)),
        Relation(exp(MARGINS[r, j]), ">", tilt / eps - 1, (*free, (eps, above(0)), *ONE_OF),
                 (Relation(mean, "<=", eps),)),
    )  # fmt: skip


def _reachable(
    count: Expr | int, upper: Rational, sequences: int | None, reach: Rational
) -> tuple[Relation, ...]:
    number = n if sequences is None else sequences
    ray: Domains = (
        *SCORES, (BEST, REALS), (c, above(0)), (UNIT, interval(1, oo, "[)")), *SIZES,
    )  # fmt: skip
    line: Domains = (
        (c, REALS), (FARKAS, interval(0, oo, "[)")), (MARGINS, interval(c, oo, "[)")),
        (N, integers(1)),
    )  # fmt: skip
    capped: Domains = (
        *SCORES, (top, REALS), (BEST, interval(-oo, top, "(]")), (MARGINS, REALS),
        (FARKAS, interval(0, 1, "[]")), *SIZES,
    )  # fmt: skip

    def double(entry: Expr) -> Expr:
        return Sum(Sum(entry, (i, 1, m)), (k, 1, n))

    return (
        Relation(Sum(ATOM[i] * (c * WEIGHT[i]), (i, 1, N)), "=",
                 c * Sum(ATOM[i] * WEIGHT[i], (i, 1, N)),
                 ((c, REALS), (ATOM, REALS), (WEIGHT, REALS), (N, integers(1)))),
        Relation(mean_excess(_scaled), "<=", upper * hi * count * exp(-c), ray),
        Relation(c, "<=", ZERO, line,
                 (Relation(Sum(FARKAS[i], (i, 1, N)), "=", ONE),
                  Relation(Sum(FARKAS[i] * MARGINS[i], (i, 1, N)), "=", ZERO))),
        Relation(mean_excess(_margin), ">=", reach * lo / number / (1 + exp(top)), capped,
                 (Relation(double(FARKAS[k, i]), "=", ONE),
                  Relation(double(FARKAS[k, i] * MARGINS[k, i]), "=", ZERO))),
    )  # fmt: skip


def three_tokens(first: Expr = a1, second: Expr = a2) -> Expr:
    """The excess of one sequence with these two margins."""
    others = exp(-first) + exp(-second)
    return excess(g1, gap * others / (1 + others))


def two_sequences(
    margins: tuple[Expr, Expr] = (a1, a2), scores: tuple[Expr, Expr] = (g1, g2)
) -> Expr:
    """The mean excess of two sequences with one margin each."""
    terms = (
        excess(score, gap * exp(-margin) / (1 + exp(-margin)))
        for score, margin in zip(scores, margins, strict=True)
    )
    return sum(terms, ZERO) / 2


def _three_tokens(
    count: int, upper: Rational, lower: Rational, reach: Rational
) -> tuple[Relation, ...]:
    known: Domains = ((gap, above(0)), (g1, REALS))
    gain, tilt = three_tokens(), lower * gap / (1 + exp(g1))
    free: Domains = ((a1, REALS), (a2, REALS))
    large, far = (
        ((a1, interval(least, oo, "[)")), (a2, interval(least, oo, "[)")))
        for least in (A, log(count * gap / eps))
    )
    return (
        Relation(gain, "<=", upper * count * gap * exp(-A), (*known, (A, REALS), *large)),
        Relation(gain, "<=", upper * eps, ((eps, above(0)), *known, *far)),
        Relation(gain, ">", tilt / (1 + exp(A)), (*known, (A, REALS), *free),
                 (Relation(a1, "<=", A),)),
        Relation(exp(a1), ">", tilt / eps - 1, (*known, (eps, above(0)), *free),
                 (Relation(gain, "<=", eps),)),
        Relation(three_tokens(y, -y), ">=", reach * gap / (1 + exp(g1)), (*known, (y, REALS))),
    )  # fmt: skip


def _two_sequences(
    upper: Rational, lower: Rational, sequences: int, reach: Rational
) -> tuple[Relation, ...]:
    known: Domains = ((gap, above(0)), (g1, REALS), (g2, REALS))
    mean, tilt = two_sequences(), lower * gap / sequences / (1 + exp(g1))
    free: Domains = ((a1, REALS), (a2, REALS))
    large: Domains = ((a1, interval(A, oo, "[)")), (a2, interval(A, oo, "[)")))
    opposed = two_sequences((y, -y), (g1, g1))
    return (
        Relation(mean, "<=", upper * gap * exp(-A), (*known, (A, REALS), *large)),
        Relation(mean, ">", tilt / (1 + exp(A)), (*known, (A, REALS), *free),
                 (Relation(a1, "<=", A),)),
        Relation(exp(a1), ">", tilt / eps - 1, (*known, (eps, above(0)), *free),
                 (Relation(mean, "<=", eps),)),
        Relation(opposed, ">=", reach * gap / sequences / (1 + exp(g1)),
                 (*known[:2], (y, REALS))),
    )  # fmt: skip


def observed(points: list[Point], device: str) -> list[dict[Expr, float]]:
    """The excess of three tokens, and the mean of two sequences, as an attention layer has it:
    margins become logits 0 and -a, score gaps become scores g and g - gap."""
    found: list[dict[Expr, float]] = [{} for _ in points]
    plain, opposed = (a1, a2), (y, -y)
    for margins in (plain, opposed):
        values = [tuple(e.xreplace(point) for e in margins) for point in points]
        if any(value.free_symbols for pair in values for value in pair):
            continue
        scores = (g1, g2) if all(g2 in point for point in points) else (g1, g1)
        levels = [tuple(float(s.xreplace(point)) for s in scores) for point in points]
        gaps = [float(point[gap]) for point in points]
        numbers = [tuple(map(float, pair)) for pair in values]
        single = _excess([((*pair,),) for pair in numbers], [(s[0],) for s in levels], gaps, device)
        double = _excess([tuple((a,) for a in pair) for pair in numbers], levels, gaps, device)
        for seen, one, two in zip(found, single, double, strict=True):
            seen |= {three_tokens(*margins): one, two_sequences(margins, scores): two}
    return found


def _excess(margins: list, scores: list, gaps: list[float], device: str) -> list[float]:
    """L - L* for margins (B, n, m), scores (B, n) and one score gap a problem."""
    import torch
    from torch.nn.functional import softplus

    from ....numeric.device import resolve

    place, dtype = resolve(device)

    def tensor(rows: list) -> torch.Tensor:
        return torch.tensor(rows, dtype=dtype, device=place)

    others, best, drop = tensor(margins), tensor(scores)[..., None], tensor(gaps)[:, None, None]
    attended = torch.softmax(torch.cat((torch.zeros_like(others[..., :1]), -others), -1), -1)
    lowered = torch.cat((best, (best - drop).expand_as(others)), -1)
    mean = (attended * lowered).sum(-1)
    return (softplus(-mean) - softplus(-best[..., 0])).mean(-1).tolist()


def explore_loss(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The parts about three tokens and about two sequences, at random margins and scores."""
    return probed(statement, settings, observed, count=64)


OPTIMAL_LOSS = Claim(
    id="attsvm.optimal-loss",
    title="the loss tends to its infimum exactly when all margins grow, which needs feasible data",
    statement=optimal_loss,
    source=f"{SEED}, the conditions for the optimal loss, corrected; {PAPER}",
    hypotheses=(
        "logistic loss; n sequences with m = T - 1 other tokens each, a[k, i] their margins, "
        "p[k, i] in [lo, hi] their score gaps, lo > 0, and g[k] the optimal scores",
        "all margins >= A: 0 < L - L* <= hi m exp(-A); some a[r, j] <= A: L - L* exceeds "
        "lo/(n (1 + exp(A)) (1 + exp(g[r])))",
        "feasible W has margins b >= 1, so c W has margins c b and L - L* <= hi m exp(-c)",
        "infeasible data have lam >= 0 with sum 1 and sum of lam a = 0 for every W (Farkas' lemma, "
        "which is taken from there on); then L - L* is at least lo/(2 n (1 + exp(max g)))",
    ),
    derivation=theory.derive_optimal_loss,
    experiment=explore_loss,
    corrects="attsvm.optimal-loss-as-stated",
    mutants=(
        Mutant("without-m", partial(optimal_loss, count=1), "m tokens leak m exp(-A)"),
        Mutant("upper-third", partial(optimal_loss, upper=Rational(1, 3)), "another constant"),
        Mutant("lower-tenfold", partial(optimal_loss, lower=Rational(10)), "another constant"),
        Mutant(
            "without-n", partial(optimal_loss, sequences=1), "one sequence moves the mean by 1/n"
        ),
        Mutant("infeasible-tenfold", partial(optimal_loss, reach=Rational(5)), "another constant"),
        Mutant("any-gap", partial(optimal_loss, gaps=REALS), "no other token may score as high"),
        Mutant("negative", partial(optimal_loss, positive="<"), "attention elsewhere never helps"),
    ),
)
