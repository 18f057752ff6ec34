"""When the infimum of the loss is approached: for feasible data along a ray, for no other.

Farkas multipliers lam >= 0 of infeasible data have Sum lam = 1 and Sum lam a = 0 for the margins
of every W. As exp(-a) >= 1 - a, the sum of all exp(-a) is then at least 1, so that some weight
stays off the optimal tokens, whatever W (seed 003, Optimisation). Notation as in `loss`.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Sum, exp, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domain, Domains, Operator, Relation, above, integers, interval
from .loss import (
    BEST,
    FREE,
    MARGINS,
    ONE,
    SCORES,
    Data,
    Three,
    c,
    excesses,
    heavy,
    i,
    k,
    lo,
    loss_slopes,
    lower,
    m,
    n,
    r,
    ray,
    score,
    upper,
)  # fmt: skip
from .loss_small import three_tokens, two_sequences
from .softmax import by_induction, finished

top, y, N = symbols("top y N")
FARKAS, ATOM, WEIGHT, MARGIN = (IndexedBase(name) for name in ("lam", "x", "w", "a"))
ZERO = Integer(0)
CAPPED = Data(
    FREE.margin,
    (*SCORES[:3], (top, REALS), (BEST, interval(-oo, top, "(]")), (MARGINS, REALS)),
)
MULTIPLIERS = (FARKAS, interval(0, 1, "[]"))


def derive_optimal_loss() -> Derivation:
    """L - L* between explicit bounds by the margins, in both directions, and what follows for
    feasible and infeasible data."""
    proof = Proof()
    slopes = loss_slopes(proof)
    parts = [score(proof), *upper(proof, slopes), *lower(proof, slopes)]
    parts += [_linear_margins(proof), ray(proof, slopes), _farkas(proof)]
    parts.append(_out_of_reach(proof, slopes))
    parts += [*three_tokens(proof, slopes), *two_sequences(proof, slopes)]
    return finished(proof, parts)


def _linear_margins(proof: Proof) -> int:
    """<x, c w> = c <x, w>, entry by entry."""
    before: Domains = ((c, REALS), (ATOM, REALS), (WEIGHT, REALS))
    goal = Relation(
        Sum(ATOM[i] * (c * WEIGHT[i]), (i, 1, N)), "=", c * Sum(ATOM[i] * WEIGHT[i], (i, 1, N)),
        (*before, (N, integers(1))),
    )  # fmt: skip
    first = ATOM[1] * WEIGHT[1]
    return by_induction(proof, goal, proof.relate(c * first, "=", c * first, "field", over=before))


def _farkas(proof: Proof) -> int:
    """lam >= 0, Sum lam = 1, Sum lam a = 0 and all a >= c: then c <= 0."""
    before: Domains = ((c, REALS), (FARKAS, interval(0, oo, "[)")), (MARGIN, interval(c, oo, "[)")))
    over = (*before, (N, integers(1)))
    weights = Sum(FARKAS[i], (i, 1, N))
    mixed = Sum(FARKAS[i] * MARGIN[i], (i, 1, N))
    goal = Relation(mixed, ">=", c * weights, over)

    def term(index: Expr) -> Expr:
        return FARKAS[index] * (MARGIN[index] - c)

    base = proof.relate(
        FARKAS[1] * MARGIN[1], ">=", c * FARKAS[1], "linear", over=before, rest=term(ONE)
    )
    above_c = by_induction(proof, goal, base, rest=term(N + 1))
    given = (Relation(weights, "=", ONE), Relation(mixed, "=", ZERO))
    known = [proof.relate(h.lhs, "=", h.rhs, "hypothesis", over=over, given=given) for h in given]
    return proof.relate(c, "<=", 0, "linear", above_c, *known, over=over, given=given, c2=-c, c3=1)


def _tangent(proof: Proof) -> int:
    """exp(-y) >= 1 - y, with equality at 0 only."""
    function = exp(-y) + y
    sides: tuple[tuple[Domain, Operator, Operator, Expr, Expr], ...] = (
        (interval(-oo, 0), "<", ">", y, ZERO),
        (above(0), ">", "<", ZERO, y),
    )
    pieces = []
    for domain, op, turned, low, high in sides:
        over = ((y, domain),)
        side = proof.relate(y, op, 0, "sign", over=over)
        other = proof.relate(-y, turned, 0, "linear", side, over=over)
        power = proof.relate(exp(-y), turned, 1, "exponential", other, over=over)
        slope = proof.relate(1 - exp(-y), op, 0, "linear", power, over=over)
        strict = proof.relate(
            *(function, ">", 1, "monotone", slope),
            over=over, function=function, variable=y, low=low, high=high,
        )  # fmt: skip
        pieces.append(proof.relate(exp(-y), ">=", 1 - y, "linear", strict, over=over))
    zero = proof.relate(1, ">=", 1, "ground")
    only = ((y, interval(0, 0, "[]")),)
    middle = proof.relate(exp(-y), ">=", 1 - y, "point", zero, over=only)
    return proof.relate(
        *(exp(-y), ">=", 1 - y, "cases", pieces[0], middle, pieces[1]), over=((y, REALS),)
    )


def _double(function: Expr) -> Expr:
    return Sum(Sum(function, (i, 1, m)), (k, 1, n))


def _spread(proof: Proof) -> int:
    """Sum exp(-a) >= Sum lam - Sum lam a over all tokens of all sequences, as 0 <= lam <= 1."""
    tangent = _tangent(proof)
    over = (*CAPPED.over, MULTIPLIERS, (r, integers(1)), (m, integers(1)))
    weights = Sum(FARKAS[r, i], (i, 1, m))
    mixed = Sum(FARKAS[r, i] * MARGINS[r, i], (i, 1, m))
    goal = Relation(CAPPED.others(r), ">=", weights - mixed, over)

    def term(index: Expr, scope: Domains, given: tuple[Relation, ...] = ()) -> int:
        margin, weight = MARGINS[r, index], FARKAS[r, index]
        line = proof.relate(
            exp(-margin), ">=", 1 - margin, "substitute", tangent, over=scope, given=given, y=margin
        )
        return proof.relate(
            *(exp(-margin), ">=", weight - weight * margin, "linear", line),
            over=scope, given=given, c1=weight, rest=(1 - weight) * exp(-margin),
        )  # fmt: skip

    base = term(ONE, over[:-1])
    held = (Relation(goal.lhs, goal.op, goal.rhs),)
    row = by_induction(proof, goal, base, term(m + 1, over, held))
    return _summed(proof, row, goal)


def _summed(proof: Proof, row: int, goal: Relation) -> int:
    """The same inequality added over the sequences."""
    before = (*CAPPED.over, MULTIPLIERS, (m, integers(1)))
    over = (*before, (n, integers(1)))
    lhs = Sum(goal.lhs.subs(r, k), (k, 1, n))
    rhs = _double(FARKAS[k, i]) - _double(FARKAS[k, i] * MARGINS[k, i])
    first = tuple(side.subs(r, 1) for side in (goal.lhs, goal.rhs))
    last = tuple(side.subs(r, n + 1) for side in (goal.lhs, goal.rhs))
    base = proof.relate(first[0], ">=", first[1], "substitute", row, over=before, r=1)
    held = (Relation(lhs, ">=", rhs),)
    added = proof.relate(last[0], ">=", last[1], "substitute", row, over=over, given=held, r=n + 1)
    return by_induction(proof, Relation(lhs, ">=", rhs, over), base, added)


def _shares_add(proof: Proof) -> int:
    """Sum E/(1 + E) >= T/(1 + T) with T = Sum E, E the sum of exp(-a) of one sequence."""
    before = (*CAPPED.over, (m, integers(1)))
    over = (*before, (n, integers(1)))
    row, whole = CAPPED.others(k), Sum(CAPPED.others(k), (k, 1, n))
    goal = Relation(Sum(row / (1 + row), (k, 1, n)), ">=", whole / (1 + whole), over)
    one, more = CAPPED.others(ONE), CAPPED.others(n + 1)
    base = proof.relate(one / (1 + one), ">=", one / (1 + one), "sign", over=before)
    both = whole + more
    slack = whole * more / ((1 + whole) * (1 + both)) + more * whole / ((1 + more) * (1 + both))
    return by_induction(proof, goal, base, rest=slack)


def _out_of_reach(proof: Proof, slopes: Three) -> int:
    """Infeasible data: L - L* >= lo/(2 n (1 + exp(max g))) for every W."""
    _, _, above_drop = excesses(proof, CAPPED, slopes)
    each = _row_share(proof, above_drop, heavy(proof, CAPPED))
    before = (*CAPPED.over, (m, integers(1)))
    over = (*before, (n, integers(1)))
    row = CAPPED.others(k)
    tilt = lo / (1 + exp(top))
    shares = Sum(row / (1 + row), (k, 1, n))
    share = CAPPED.others(r) / (1 + CAPPED.others(r)) * tilt
    goal = Relation(CAPPED.total, ">=", tilt * shares, over)
    base = proof.relate(
        CAPPED.excess(ONE), ">=", share.subs(r, 1), "substitute", each, over=before, r=1
    )
    held = (Relation(goal.lhs, goal.op, goal.rhs),)
    added = proof.relate(
        *(CAPPED.excess(n + 1), ">=", share.subs(r, n + 1), "substitute", each),
        over=over, given=held, r=n + 1,
    )  # fmt: skip
    total = by_induction(proof, goal, base, added)
    joined, spread = _shares_add(proof), _spread(proof)
    over = (*CAPPED.over, MULTIPLIERS, (m, integers(1)), (n, integers(1)))
    given = (
        Relation(_double(FARKAS[k, i]), "=", ONE),
        Relation(_double(FARKAS[k, i] * MARGINS[k, i]), "=", ZERO),
    )
    known = [proof.relate(h.lhs, "=", h.rhs, "hypothesis", over=over, given=given) for h in given]
    whole = Sum(row, (k, 1, n))
    part = tilt / (2 * n * (1 + whole))
    return proof.relate(
        *(CAPPED.total / n, ">=", tilt / (2 * n), "linear", total, joined, spread, *known),
        over=over, given=given,
        c1=1 / n, c2=tilt / n, c3=part, c4=-part, c5=part,
    )  # fmt: skip


def _row_share(proof: Proof, above_drop: int, heavy_row: int) -> int:
    """The excess of sequence r is at least lo/(1 + exp(max g)) times its share E/(1 + E)."""
    over = CAPPED.row
    others = CAPPED.others(r)
    score_below = proof.relate(BEST[r], "<=", top, "sign", over=over)
    power = proof.relate(exp(BEST[r]), "<=", exp(top), "exponential", score_below, over=over)
    here, there = 1 / (1 + exp(BEST[r])), 1 / (1 + exp(top))
    return proof.relate(
        *(CAPPED.excess(r), ">=", others / (1 + others) * lo * there, "linear"),
        *(above_drop, heavy_row, power), over=over,
        c2=here / (1 + others), c3=lo * others / (1 + others) * here * there,
    )  # fmt: skip
