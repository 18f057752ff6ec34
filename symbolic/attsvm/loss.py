"""The logistic loss of attention and its infimum (seed 003, Optimisation; arXiv 2308.16898).

Notation: n sequences of one optimal token and m = T - 1 others. a[k, i] is the margin of token i
of sequence k, p[k, i] in [lo, hi] its score gap, g[k] the optimal score. Attention lowers the
score of sequence k to g[k] - delta_k with delta_k = Sum p exp(-a)/(1 + Sum exp(-a)); the loss of
a score is log(1 + exp(-u)), and L - L* is the mean of the excesses
log(1 + exp(-(g - delta))) - log(1 + exp(-g)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, IndexedBase, Integer, Sum, exp, log, oo, symbols

from ..derivation import Proof
from ..statements import REALS, Domains, Relation, above, integers, interval
from .softmax import by_induction

lo, hi, A, c, eps = symbols("lo hi A c eps")
i, j, k, m, n, q, r, t, u, D = symbols("i j k m n q r t u D")
MARGINS, GAPS, BEST, UNIT = map(IndexedBase, "apgb")
SCORES: Domains = (
    (lo, above(0)), (hi, interval(lo, oo, "[)")), (GAPS, interval(lo, hi, "[]")), (BEST, REALS),
)  # fmt: skip
SCALAR: Domains = ((u, REALS), (D, above(0)))
ONE = Integer(1)
Three = tuple[int, int, int]


def loss(score: Expr) -> Expr:
    return log(1 + exp(-score))


def excess(score: Expr, drop: Expr) -> Expr:
    """What the loss gains when the score falls by `drop`."""
    return loss(score - drop) - loss(score)


@dataclass(frozen=True)
class Data:
    """Margins as a function of sequence and token, and the variables they are made of."""

    margin: Callable[[Expr, Expr], Expr]
    over: Domains

    def others(self, row: Expr) -> Expr:
        return Sum(exp(-self.margin(row, i)), (i, 1, m))

    def weighted(self, row: Expr) -> Expr:
        return Sum(GAPS[row, i] * exp(-self.margin(row, i)), (i, 1, m))

    def drop(self, row: Expr) -> Expr:
        return self.weighted(row) / (1 + self.others(row))

    def excess(self, row: Expr) -> Expr:
        return excess(BEST[row], self.drop(row))

    @property
    def total(self) -> Expr:
        return Sum(self.excess(k), (k, 1, n))

    @property
    def row(self) -> Domains:
        return (*self.over, (r, integers(1)), (m, integers(1)))

    @property
    def all(self) -> Domains:
        return (*self.over, (m, integers(1)), (n, integers(1)))


def _margin(row: Expr, token: Expr) -> Expr:
    return MARGINS[row, token]


def _scaled(row: Expr, token: Expr) -> Expr:
    return c * UNIT[row, token]


FREE = Data(_margin, (*SCORES, (MARGINS, REALS)))
LARGE = Data(_margin, (*SCORES, (A, REALS), (MARGINS, interval(A, oo, "[)"))))
RAY = Data(_scaled, (*SCORES, (c, above(0)), (UNIT, interval(1, oo, "[)"))))


def loss_slopes(proof: Proof) -> Three:
    """0 < l(u - D) - l(u), it is below D, and above D/(1 + exp(u)), by the slope of l."""
    real = ((t, REALS),)
    ends = {"variable": t, "low": u - D, "high": u}
    falls = proof.relate(-exp(-t) / (1 + exp(-t)), "<", 0, "sign", over=real)
    rises = proof.relate(1 / (1 + exp(-t)), ">", 0, "sign", over=real)
    before = ((u, REALS), (t, interval(-oo, u)))
    smaller = proof.relate(t, "<", u, "sign", over=before)
    power = proof.relate(exp(t), "<", exp(u), "exponential", smaller, over=before)
    steep = proof.relate(
        *(1 / (1 + exp(u)) - 1 / (1 + exp(t)), "<", 0, "linear", power),
        over=before, c1=1 / ((1 + exp(t)) * (1 + exp(u))),
    )  # fmt: skip
    down = proof.relate(
        loss(u), "<", loss(u - D), "monotone", falls, over=SCALAR, function=loss(t), **ends
    )
    up = proof.relate(
        *(loss(u - D) + u - D, "<", loss(u) + u, "monotone", rises),
        over=SCALAR, function=loss(t) + t, **ends,
    )  # fmt: skip
    tilt = 1 / (1 + exp(u))
    tilted = proof.relate(
        *(loss(u) + u * tilt, "<", loss(u - D) + (u - D) * tilt, "monotone", steep),
        over=SCALAR, function=loss(t) + t * tilt, **ends,
    )  # fmt: skip
    gain = excess(u, D)
    return (
        proof.relate(gain, ">", 0, "linear", down, over=SCALAR),
        proof.relate(gain, "<", D, "linear", up, over=SCALAR),
        proof.relate(gain, ">", D * tilt, "linear", tilted, over=SCALAR),
    )


def score(proof: Proof) -> int:
    """The mean score under attention is g - delta."""
    mixed = Sum((BEST[r] - GAPS[r, i]) * exp(-MARGINS[r, i]), (i, 1, m))
    others, weighted, over = FREE.others(r), FREE.weighted(r), FREE.row
    goal = Relation(mixed, "=", BEST[r] * others - weighted, over)
    first = exp(-MARGINS[r, 1])
    base = proof.relate(
        *((BEST[r] - GAPS[r, 1]) * first, "=", BEST[r] * first - GAPS[r, 1] * first, "field"),
        over=over[:-1],
    )
    split = by_induction(proof, goal, base)
    return proof.relate(
        *((BEST[r] + mixed) / (1 + others), "=", BEST[r] - FREE.drop(r), "linear", split),
        over=over, c1=1 / (1 + others),
    )  # fmt: skip


def _drop_positive(proof: Proof, data: Data) -> int:
    over = data.row
    first, last = (GAPS[r, e] * exp(-data.margin(r, e)) for e in (ONE, m + 1))
    base = proof.relate(first, ">", 0, "sign", over=over[:-1])
    goal = Relation(data.weighted(r), ">", Integer(0), over)
    positive = by_induction(proof, goal, base, rest=last)
    return proof.relate(
        data.drop(r), ">", 0, "linear", positive, over=over, c1=1 / (1 + data.others(r))
    )


def excesses(proof: Proof, data: Data, slopes: Three) -> Three:
    """The three inequalities of the loss for sequence r."""
    over, drop = data.row, data.drop(r)
    positive = _drop_positive(proof, data)
    rights = (Integer(0), drop, drop / (1 + exp(BEST[r])))
    one, two, three = (
        proof.relate(
            *(data.excess(r), op, right, "substitute", slope, positive),
            over=over, u=BEST[r], D=drop,
        )
        for op, right, slope in zip((">", "<", ">"), rights, slopes, strict=True)
    )  # fmt: skip
    return one, two, three


def _sum_positive(proof: Proof, data: Data, row: int) -> int:
    """Sum of the excesses > 0."""
    over = data.all
    held = (Relation(data.total, ">", Integer(0)),)
    base = proof.relate(data.excess(ONE), ">", 0, "substitute", row, over=over[:-1], r=1)
    last = proof.relate(
        data.excess(n + 1), ">", 0, "substitute", row, over=over, given=held, r=n + 1
    )
    return by_induction(proof, Relation(data.total, ">", Integer(0), over), base, last)


def _drop_bounded(proof: Proof, data: Data, least: Expr, each: Callable[..., int]) -> int:
    """delta_r <= Sum p exp(-a) <= hi m exp(-least), where `each` shows the margins >= least."""
    over = data.row
    goal = Relation(data.weighted(r), "<=", hi * m * exp(-least), over)

    def term(token: Expr, scope: Domains, given: tuple[Relation, ...] = ()) -> int:
        margin, gap = data.margin(r, token), GAPS[r, token]
        far = each(proof, margin, scope, given)
        small = proof.relate(
            exp(-margin), "<=", exp(-least), "exponential", far, over=scope, given=given
        )
        most = proof.relate(gap, "<=", hi, "sign", over=scope, given=given)
        return proof.relate(
            *(gap * exp(-margin), "<=", hi * exp(-least), "linear", small, most),
            over=scope, given=given, c1=gap, c2=exp(-least),
        )  # fmt: skip

    base = term(ONE, over[:-1])
    held = (Relation(goal.lhs, goal.op, goal.rhs),)
    bounded = by_induction(proof, goal, base, term(m + 1, over, held))
    shrunk = data.weighted(r) * data.others(r) / (1 + data.others(r))
    return proof.relate(data.drop(r), "<=", goal.rhs, "linear", bounded, over=over, rest=shrunk)


def _mean_bounded(proof: Proof, data: Data, least: Expr, row: int, bounded: int) -> int:
    """The mean excess is at most hi m exp(-least)."""
    over, most = data.all, hi * m * exp(-least)
    each = proof.relate(data.excess(r), "<=", most, "linear", row, bounded, over=data.row)
    held = (Relation(data.total, "<=", n * most),)
    base = proof.relate(data.excess(ONE), "<=", most, "substitute", each, over=over[:-1], r=1)
    last = proof.relate(
        data.excess(n + 1), "<=", most, "substitute", each, over=over, given=held, r=n + 1
    )
    goal = Relation(data.total, "<=", n * most, over)
    total = by_induction(proof, goal, base, last)
    return proof.relate(data.total / n, "<=", most, "linear", total, over=over, c1=1 / n)


def upper(proof: Proof, slopes: Three) -> list[int]:
    """All margins >= A: 0 < L - L* <= hi m exp(-A); at most eps once A = log(hi m/eps)."""
    positive, below, _ = excesses(proof, LARGE, slopes)

    def each(proof: Proof, margin: Expr, over: Domains, given: tuple[Relation, ...]) -> int:
        return proof.relate(-margin, "<=", -A, "sign", over=over, given=given)

    bounded = _drop_bounded(proof, LARGE, A, each)
    mean = _mean_bounded(proof, LARGE, A, below, bounded)
    whole = _sum_positive(proof, LARGE, positive)
    over = LARGE.all
    least = log(hi * m / eps)
    far = (
        (eps, above(0)), (m, integers(1)), *SCORES, (MARGINS, interval(least, oo, "[)")),
        (n, integers(1)),
    )  # fmt: skip
    return [
        proof.relate(LARGE.total / n, ">", 0, "linear", whole, over=over, c1=1 / n),
        mean,
        proof.relate(LARGE.total / n, "<=", eps, "substitute", mean, over=far, A=least),
    ]


def ray(proof: Proof, slopes: Three) -> int:
    """Margins c b with b >= 1, as c W has for feasible W: L - L* <= hi m exp(-c)."""
    _, below, _ = excesses(proof, RAY, slopes)

    def each(proof: Proof, margin: Expr, over: Domains, given: tuple[Relation, ...]) -> int:
        unit = margin / c
        one = proof.relate(unit, ">=", 1, "sign", over=over, given=given)
        return proof.relate(-margin, "<=", -c, "linear", one, over=over, given=given, c1=c)

    return _mean_bounded(proof, RAY, c, below, _drop_bounded(proof, RAY, c, each))


def heavy(proof: Proof, data: Data) -> int:
    """Sum p exp(-a) >= lo Sum exp(-a)."""
    over = data.row
    goal = Relation(data.weighted(r), ">=", lo * data.others(r), over)
    first, last = (exp(-MARGINS[r, e]) for e in (ONE, m + 1))
    base = proof.relate(
        GAPS[r, 1] * first, ">=", lo * first, "linear",
        over=over[:-1], rest=(GAPS[r, 1] - lo) * first,
    )  # fmt: skip
    return by_induction(proof, goal, base, rest=(GAPS[r, m + 1] - lo) * last)


def lower(proof: Proof, slopes: Three) -> list[int]:
    """Some margin <= A: L - L* > lo/(n (1 + exp(A)) (1 + exp(g))); and what L - L* <= eps says."""
    positive, _, above_drop = excesses(proof, FREE, slopes)
    weights, contains = heavy(proof, FREE), _one_of_tokens(proof)
    among = _one_of_sequences(proof, positive)
    over = (*FREE.over, (A, REALS), (r, integers(1)), (j, integers(1)), (m, integers(j)),
            (n, integers(r)))  # fmt: skip
    given = (Relation(MARGINS[r, j], "<=", A),)
    near = proof.relate(-A, "<=", -MARGINS[r, j], "sign", over=over, given=given)
    large = proof.relate(
        exp(-A), "<=", exp(-MARGINS[r, j]), "exponential", near, over=over, given=given
    )
    small, others = exp(-A), FREE.others(r)
    scale = lo / ((1 + others) * (1 + small))
    drop = proof.relate(
        *(FREE.drop(r), ">=", lo / (1 + exp(A)), "linear", weights, contains, large),
        over=over, given=given, c1=1 / (1 + others), c2=scale, c3=scale,
    )  # fmt: skip
    tilt = 1 / (1 + exp(BEST[r]))
    bound = proof.relate(
        *(FREE.total / n, ">", lo / (n * (1 + exp(A))) * tilt, "linear", among, above_drop, drop),
        over=over, given=given, c1=1 / n, c2=1 / n, c3=tilt / n,
    )  # fmt: skip
    return [bound, _margin_forced(proof, bound, tilt)]


def _margin_forced(proof: Proof, bound: int, tilt: Expr) -> int:
    """L - L* <= eps: exp(a) > lo/(n eps (1 + exp(g))) - 1 for every margin a."""
    over = (
        *FREE.over, (eps, above(0)), (r, integers(1)), (j, integers(1)), (m, integers(j)),
        (n, integers(r)),
    )  # fmt: skip
    given = (Relation(FREE.total / n, "<=", eps),)
    margin = MARGINS[r, j]
    here = proof.relate(
        *(FREE.total / n, ">", lo / (n * (1 + exp(margin))) * tilt, "substitute", bound),
        over=over, given=given, A=margin,
    )  # fmt: skip
    close = proof.relate(FREE.total / n, "<=", eps, "hypothesis", over=over, given=given)
    scale = (1 + exp(margin)) / eps
    return proof.relate(
        *(exp(margin), ">", lo / (n * eps) * tilt - 1, "linear", here, close),
        over=over, given=given, c1=scale, c2=scale,
    )  # fmt: skip


def _one_of_tokens(proof: Proof) -> int:
    """Sum exp(-a[r, i]) >= exp(-a[r, j]) for 1 <= j <= m."""
    before = (*FREE.over, (r, integers(1)))
    over = (*before, (q, integers(0)), (m, integers(q + 1)))
    others = FREE.others(r)
    base = proof.relate(
        *(others.subs(m, q + 1), ">=", exp(-MARGINS[r, q + 1]), "linear"),
        over=over[:-1], rest=others.subs(m, q),
    )  # fmt: skip
    goal = Relation(others, ">=", exp(-MARGINS[r, q + 1]), over)
    shown = by_induction(proof, goal, base, rest=exp(-MARGINS[r, m + 1]))
    over = (*before, (j, integers(1)), (m, integers(j)))
    return proof.relate(others, ">=", exp(-MARGINS[r, j]), "substitute", shown, over=over, q=j - 1)


def _one_of_sequences(proof: Proof, positive: int) -> int:
    """Sum of the excesses >= the excess of sequence r for 1 <= r <= n."""
    before = (*FREE.over, (m, integers(1)))
    any_n = (*before, (n, integers(0)))
    zero = Integer(0)
    held = (Relation(FREE.total, ">=", zero),)
    base = proof.relate(0, ">=", 0, "sign", over=before)
    last = proof.relate(
        FREE.excess(n + 1), ">", 0, "substitute", positive, over=any_n, given=held, r=n + 1
    )
    sums = by_induction(proof, Relation(FREE.total, ">=", zero, any_n), base, last)
    over = (*before, (q, integers(0)), (n, integers(q + 1)))
    goal = Relation(FREE.total, ">=", FREE.excess(q + 1), over)
    start = proof.relate(FREE.total.subs(n, q), ">=", 0, "substitute", sums, over=over[:-1], n=q)
    first = proof.relate(
        *(FREE.total.subs(n, q + 1), ">=", FREE.excess(q + 1), "linear", start), over=over[:-1]
    )
    held = (Relation(goal.lhs, goal.op, goal.rhs),)
    added = proof.relate(
        FREE.excess(n + 1), ">", 0, "substitute", positive, over=over, given=held, r=n + 1
    )
    shown = by_induction(proof, goal, first, added)
    over = (*before, (r, integers(1)), (n, integers(r)))
    return proof.relate(FREE.total, ">=", FREE.excess(r), "substitute", shown, over=over, q=r - 1)
