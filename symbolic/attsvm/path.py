"""The regularisation path points along the max-margin solution, with an explicit constant.

Theory: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak 2023 (arXiv 2308.16898). In
sequence i the best token, of score g[i], beats token j by the gap p[i, j], pmin <= p <= pmax;
a[i, j] are the margins of W, b[i, j] >= 1 those of the max-margin solution, which has norm N and
multipliers lam. The output's score misses the best one by the mean gap that softmax leaves,

    D_i = sum_j p[i, j] exp(-a[i, j]) / (1 + sum_j exp(-a[i, j])),

and a loss of slope between -lmax and -lmin makes of it an excess between lmin D_i and lmax D_i.
If W, of norm w <= R, is no worse than the max-margin solution scaled to norm R, then

    1 - sum_ij lam[i, j] a[i, j] / (N w) <= N log(2 n m kappa)/R,   kappa = lmax pmax/(lmin pmin),

for n sequences of m + 1 tokens, once R >= N log(2 n m kappa); for a smaller R the bound exceeds 1.
"""

from __future__ import annotations

from typing import cast

from sympy import Expr, IndexedBase, Sum, Symbol, exp, log, oo, symbols

from ..derivation import Derivation, Value
from ..statements import REALS, Domains, Every, Relation, above, integers, interval
from .path_margins import (
    ANY_TOKEN,
    SIZES,
    Loss,
    N,
    Path,
    R,
    Rows,
    i,
    j,
    left,
    m,
    n,
    p,
    pmax,
    pmin,
    rows,
    s,
    scaled_left,
    shortfall,
    t,
    w,
)
from .sums import Sums, total

x, y, v, delta, lmin, lmax, gmin, gmax = symbols("x y v delta lmin lmax gmin gmax")
e, f, g = map(IndexedBase, ("e", "f", "g"))


def path_constant(
    sequences: Expr | int, others: Expr | int, slopes: tuple[Expr, Expr], gaps: tuple[Expr, Expr]
) -> Expr:
    """log(2 n m kappa) for slopes of the loss and gaps of the scores between (low, high)."""
    return log(2 * sequences * others * slopes[1] * gaps[1] / (slopes[0] * gaps[0]))


def path_bound(norm: Expr, radius: Expr, constant: Expr) -> Expr:
    """What 1 - corr(W_R, W^mm) is at most, for every global minimiser W_R over |W| <= R."""
    return norm * constant / radius


def logistic_slopes(scores: tuple[Expr, Expr], widest: Expr) -> tuple[Expr, Expr]:
    """Bounds of |l'|, l(u) = log(1 + exp(-u)), where the best scores lie in `scores` and no token
    is further behind than `widest`."""
    return 1 / (1 + exp(scores[1])), 1 / (1 + exp(scores[0] - widest))


def derive_path() -> Derivation:
    """For any loss; the logistic loss's slopes; for the logistic loss; for two sequences."""
    proof = Sums()
    known = rows(proof)
    parts = [_any_loss(proof, known)]
    slopes = _rises(proof), _rises(proof, most=True)
    parts += [*slopes, _logistic(proof, known, slopes), _pair(proof)]
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _stated(proof: Sums, general: Relation, given: tuple[Relation, ...]) -> int:
    """A hypothesis about every sequence y, for the sequence s."""
    known = proof.relate(
        *(general.lhs, general.op, general.rhs, "hypothesis"),
        over=(*proof.over, *general.over), given=given,
    )  # fmt: skip
    sides = general.lhs.xreplace({y: s}), general.rhs.xreplace({y: s})
    return proof.relate(
        *(sides[0], general.op, sides[1], "substitute", known),
        over=(*proof.over, (s, integers(1))), given=given, y=s,
    )  # fmt: skip


BETTER = Relation(Sum(e[i], (i, 1, n)), "<=", Sum(f[i], (i, 1, n)))
EVERY: Domains = ((y, integers(1)),)


def _any_loss(proof: Sums, known: Rows) -> int:
    """For every loss whose excesses e, f lie between lmin D and lmax D."""
    constant = path_constant(n, m, (lmin, lmax), (pmin, pmax))
    loss = Loss((lmin, lmax), lambda index: e[index], lambda index: f[index], constant)
    bounds = (
        Relation(lmin * shortfall(y), "<=", e[y], EVERY),
        Relation(f[y], "<=", lmax * shortfall(y, scaled=True), EVERY),
    )
    proof.over = (*SIZES, (lmin, above(0)), (lmax, above(0)), (e, REALS), (f, REALS))
    proof.given = (*bounds, BETTER, *loss.given())
    low, high = (_stated(proof, bound, bounds) for bound in bounds)
    better = proof.relate(BETTER.lhs, "<=", BETTER.rhs, "hypothesis")
    return Path(proof, loss, known, bounds).conclusion(low, high, better)


def _rises(proof: Sums, most: bool = False) -> int:
    """lmin delta <= l(v - delta) - l(v), or <= lmax delta, for the logistic loss l.

    The difference grows with x when delta becomes x delta, 0 <= x <= 1.
    """
    scope: Domains = (
        *((gmin, REALS), (gmax, interval(gmin, oo, "[)")), (v, interval(gmin, gmax, "[]"))),
        *((pmax, above(0)), (delta, interval(0, pmax, "[]"))),
    )
    inside: Domains = (*scope, (x, interval(0, 1)))

    def relate(lhs: Expr | int, rhs: Expr | int, rule: str, *using: int, **args: Value) -> int:
        return proof.relate(lhs, "<=", rhs, rule, *using, over=inside, given=(), **args)

    slope = logistic_slopes((gmin, gmax), pmax)[most]
    moved, loss = exp(x * delta - v), log(1 + exp(x * delta - v))
    change = log(1 + exp(delta - v)) - log(1 + exp(-v))
    if most:
        lines = relate(gmin, v, "sign"), relate(delta, pmax, "sign")
        exponent, growing = x * delta - v + gmin - pmax, slope * x * delta - loss
        near = relate(exponent, 0, "linear", *lines, rest=(1 - x) * delta)
        ratio = relate(exp(exponent), 1, "exponential", near)
    else:
        exponent, growing = x * delta - v + gmax, loss - slope * x * delta
        far = relate(0, exponent, "linear", relate(v, gmax, "sign"), rest=x * delta)
        ratio = relate(1, exp(exponent), "exponential", far)
    rising = proof.relate(
        *(growing.diff(x), ">=", 0, "linear", ratio), over=inside, given=(),
        c1=delta * slope / (1 + moved),
    )  # fmt: skip
    ends = proof.relate(
        *(growing.subs(x, 0), "<=", growing.subs(x, 1), "monotone", rising), over=scope, given=(),
        function=growing, variable=x, low=0, high=1,
    )  # fmt: skip
    sides = (change, slope * delta) if most else (slope * delta, change)
    return proof.relate(sides[0], "<=", sides[1], "linear", ends, over=scope, given=())


def _logistic(proof: Sums, known: Rows, slopes: tuple[int, int]) -> int:
    """For the logistic loss, which is e[s] at W and f[s] at the scaled solution."""

    def best(index: Expr) -> Expr:
        return log(1 + exp(-g[index]))

    bounds = logistic_slopes((gmin, gmax), pmax)
    loss = Loss(
        bounds,
        lambda index: e[index] - best(index),
        lambda index: f[index] - best(index),
        path_constant(n, m, bounds, (pmin, pmax)),
    )
    losses = (
        Relation(e[y], "=", log(1 + exp(shortfall(y) - g[y])), EVERY),
        Relation(f[y], "=", log(1 + exp(shortfall(y, scaled=True) - g[y])), EVERY),
    )
    proof.over = (
        *SIZES, (gmin, REALS), (gmax, interval(gmin, oo, "[)")), (g, interval(gmin, gmax, "[]")),
        (e, REALS), (f, REALS),
    )  # fmt: skip
    proof.given = (*losses, BETTER, *loss.given())
    low, high = (_bounded(proof, slopes, losses, scaled) for scaled in (False, True))
    sums = [proof.relate(BETTER.lhs, "<=", BETTER.rhs, "hypothesis")]
    for excess, base in ((loss.mine, e), (loss.scaled, f)):
        over = (*proof.over, (s, integers(1)))
        split = proof.relate(excess(s), "=", base[s] - best(s), "field", over=over, given=())
        sums.append(
            proof.summed(
                split,
                lambda count, excess=excess: total(excess, count, i),
                lambda count, base=base: Sum(base[i], (i, 1, count)) - total(best, count, i),
                n,
            )
        )
    better = proof.relate(
        *(total(loss.mine, n, i), "<=", total(loss.scaled, n, i), "linear", *sums), c3=-1
    )
    return Path(proof, loss, known, losses).conclusion(low, high, better)


def _bounded(
    proof: Sums, slopes: tuple[int, int], losses: tuple[Relation, ...], scaled: bool
) -> int:
    """The slope's bound at v = g[s], delta = D; then by the name of the loss, e or f."""
    over, short = (*proof.over, (s, integers(1))), shortfall(s, scaled)
    known = cast(Relation, proof.statement(slopes[scaled]))
    sides = [side.xreplace({delta: short, v: g[s]}) for side in (known.lhs, known.rhs)]
    bound = proof.relate(
        *(sides[0], "<=", sides[1], "substitute", slopes[scaled], _within(proof, scaled)),
        over=over, given=(), delta=short, v=g[s],
    )  # fmt: skip
    sides[not scaled] = (f if scaled else e)[s] - log(1 + exp(-g[s]))
    return proof.relate(
        *(sides[0], "<=", sides[1], "linear", bound, _stated(proof, losses[scaled], losses)),
        over=over, given=losses, c2=1 if scaled else -1,
    )  # fmt: skip


def _within(proof: Sums, scaled: bool) -> int:
    """D <= pmax: it is less than a mean of gaps."""
    rest = scaled_left if scaled else left
    gap = proof.relate(p[s, t], "<=", pmax, "sign", over=ANY_TOKEN, given=())
    term = proof.relate(
        *(p[s, t] * rest(s, t), "<=", pmax * rest(s, t), "linear", gap),
        over=ANY_TOKEN, given=(), c1=rest(s, t),
    )  # fmt: skip
    row = proof.summed(
        term,
        lambda count: Sum(p[s, j] * rest(s, j), (j, 1, count)),
        lambda count: pmax * Sum(rest(s, j), (j, 1, count)),
        m,
    )
    whole = 1 + Sum(rest(s, j), (j, 1, m))
    return proof.relate(
        *(shortfall(s, scaled), "<=", pmax, "linear", row),
        over=ANY_TOKEN[:-1], given=(), c1=1 / whole, rest=pmax / whole,
    )  # fmt: skip


def _pair(proof: Sums) -> int:
    """Two sequences of two tokens, where every quantity has a name."""
    names = [symbols(f"a{k} b{k} p{k} lam{k} e{k} f{k}") for k in (1, 2)]
    sequences: list[Domains] = [
        (
            *((a, REALS), (b, interval(1, oo, "[)")), (p, interval(pmin, pmax, "[]"))),
            *((lam, interval(0, oo, "[)")), (e, REALS), (f, REALS)),
        )
        for a, b, p, lam, e, f in names
    ]
    (a1, _, _, lam1, e1, f1), (a2, _, _, lam2, e2, f2) = names
    constant = path_constant(2, 1, (lmin, lmax), (pmin, pmax))
    bounds = [bound for sequence in names for bound in _pair_bounds(*sequence)]
    shared = (
        Relation(e1 + e2, "<=", f1 + f2),
        Relation(lam1 + lam2, "=", N**2),
        Relation(R, ">=", N * constant),
    )
    proof.over = (*SIZES[2:7], (lmin, above(0)), (lmax, above(0)), *sequences[0], *sequences[1])
    proof.given = (*bounds, *shared)
    relate = proof.relate
    lines = [relate(h.lhs, h.op, h.rhs, "hypothesis") for h in proof.given]
    better, norm, enough = lines[4:]
    known = [_pair_excess(proof, *names[k], *lines[2 * k : 2 * k + 2]) for k in (0, 1)]
    exponent = relate(-R / N, "<=", -constant, "linear", enough, c1=1 / N)
    far = relate(exp(-R / N), "<=", exp(-constant), "exponential", exponent)
    small, worst = lmin * pmin, 2 * lmax * pmax * exp(-R / N)
    half = relate(2 * worst, "<=", small, "linear", far, c1=4 * lmax * pmax)
    margins = []
    for a, (_, least, _), (most, _, _), (other, _, positive) in zip(
        (a1, a2), known, known, reversed(known), strict=True
    ):
        rest = exp(-a)
        excess = relate(
            *(small * rest / (1 + rest), "<=", worst, "linear"),
            *(least, positive, better, most, other),
        )
        bound = relate(
            *(rest, "<=", exp(constant - R / N), "linear", excess, half),
            c1=2 * (1 + rest) / small, c2=rest / small,
        )  # fmt: skip
        margins.append(relate(-a, "<=", constant - R / N, "exponential", bound))
    inner = (lam1 * a1 + lam2 * a2) / (N * w)
    return relate(
        *(1 - inner, "<=", path_bound(N, R, constant), "linear", *margins, norm, enough),
        c1=lam1 / (N * w), c2=lam2 / (N * w), c3=-(R / N - constant) / (N * w),
        c4=(R - w) / (w * R),
    )  # fmt: skip


def _pair_bounds(
    a: Symbol, b: Symbol, p: Symbol, _: Symbol, e: Symbol, f: Symbol
) -> tuple[Relation, Relation]:
    """The excesses of a sequence, e at W and f at the scaled solution."""
    mine, scaled = exp(-a), exp(-R * b / N)
    return (
        Relation(lmin * p * mine / (1 + mine), "<=", e),
        Relation(f, "<=", lmax * p * scaled / (1 + scaled)),
    )


def _pair_excess(
    proof: Sums, a: Symbol, b: Symbol, p: Symbol, _: Symbol, e: Symbol, f: Symbol, *bounds: int
) -> tuple[int, int, int]:
    """f <= lmax pmax exp(-R/N);  lmin pmin r/(1 + r) <= e with r = exp(-a);  e >= 0."""
    relate, low, high = proof.relate, *bounds
    mine, scaled = exp(-a), exp(-R * b / N)
    less = relate(-R * b / N, "<=", -R / N, "sign", given=())
    near = relate(scaled, "<=", exp(-R / N), "exponential", less, given=())
    gap = relate(p, "<=", pmax, "sign", given=())
    most = relate(
        *(f, "<=", lmax * pmax * exp(-R / N), "linear", high, gap, near),
        c2=lmax * scaled / (1 + scaled), c3=lmax * pmax,
        rest=lmax * pmax * scaled**2 / (1 + scaled),
    )  # fmt: skip
    gap = relate(pmin, "<=", p, "sign", given=())
    least = relate(
        *(lmin * pmin * mine / (1 + mine), "<=", e, "linear", low, gap), c2=lmin * mine / (1 + mine)
    )
    positive = relate(e, ">=", 0, "linear", low, rest=lmin * p * mine / (1 + mine))
    return most, least, positive
