"""Softmax attention and its saturation (seed 003, Optimisation; arXiv 2308.16898, section 2).

Notation: l0 is the logit of the token in question, l[1], ..., l[m] are those of the m = T - 1
others; S = exp(l0)/(exp(l0) + Sum exp(l[i])) is its share and l0 - l[i] are its gaps. A sequence
whose domain ends at l0 - a has all gaps at least a. The same steps run for any number of tokens,
where the sum is bounded by induction, and for three tokens written out.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, IndexedBase, Integer, Sum, exp, log, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domain, Domains, Every, Limit, Relation, above, integers, interval

l0, x1, x2, m, i, j, k, a, q, eps = symbols("l0 x1 x2 m i j k a q eps")
L = IndexedBase("l")
OTHERS = Sum(exp(L[i]), (i, 1, m))
PAIR = exp(x1) + exp(x2)
OWN: Domains = ((l0, REALS),)
ANY: Domains = (*OWN, (L, REALS))
ALL: Domains = (*ANY, (m, integers(1)))
TOKEN: Domains = (*ANY, (j, integers(1)), (m, integers(j)))
THREE: Domains = (*OWN, (x1, REALS), (x2, REALS))
SHARES = ((eps, interval(0, 1)),)


def share(others: Expr) -> Expr:
    """exp(l0) as a part of the whole; `others` is the sum of the other exponentials."""
    return exp(l0) / (exp(l0) + others)


def at_most(bound: Expr) -> Domain:
    return interval(-oo, bound, "(]")


@dataclass(frozen=True)
class Tokens:
    """The other tokens: the sum of their exponentials, that sum divided by exp(l0), the sum of
    their shares, and their number; `over` are the variables."""

    others: Expr
    ratios: Expr
    shares: Expr
    count: Expr
    over: Domains


GENERAL = Tokens(
    OTHERS,
    Sum(exp(-(l0 - L[i])), (i, 1, m)),
    Sum(exp(L[j]) / (exp(l0) + OTHERS), (j, 1, m)),
    m,
    ALL,
)
EXPLICIT = Tokens(
    PAIR,
    exp(-(l0 - x1)) + exp(-(l0 - x2)),
    exp(x1) / (exp(l0) + PAIR) + exp(x2) / (exp(l0) + PAIR),
    Integer(2),
    THREE,
)


def derive_identity() -> Derivation:
    """S = 1/(1 + Sum exp(-gap)); all shares add up to 1; each lies strictly between 0 and 1."""
    proof = Proof()
    parts = [
        *_shares(proof, GENERAL, _scaled(proof), _total(proof), _positive(proof)),
        *_shares(
            proof,
            EXPLICIT,
            proof.relate(exp(l0) * EXPLICIT.ratios, "=", PAIR, "field", over=THREE),
            proof.relate(EXPLICIT.shares, "=", PAIR / (exp(l0) + PAIR), "field", over=THREE),
            proof.relate(PAIR, ">", 0, "sign", over=THREE),
        ),
    ]
    return finished(proof, parts)


def finished(proof: Proof, parts: list[int]) -> Derivation:
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _shares(
    proof: Proof, tokens: Tokens, scaled: int, total: int, positive: int
) -> tuple[int, ...]:
    own, whole, over = share(tokens.others), exp(l0) + tokens.others, tokens.over
    return (
        proof.relate(
            *(own, "=", 1 / (1 + tokens.ratios), "linear", scaled),
            over=over,
            c1=1 / (whole * (1 + tokens.ratios)),
        ),
        proof.relate(own + tokens.shares, "=", 1, "linear", total, over=over),
        proof.relate(own, ">", 0, "sign", over=over),
        proof.relate(own, "<", 1, "linear", positive, over=over, c1=1 / whole),
    )


def by_induction(proof: Proof, goal: Relation, base: int, *using: int, **args: Expr | int) -> int:
    """The goal by induction on its last variable n; the step adds term n + 1, which a premise
    bounds (if any) and the hypothesis precedes."""
    held = (*goal.given, Relation(goal.lhs, goal.op, goal.rhs))
    n = goal.over[-1][0]
    before = proof.relate(*(goal.lhs, goal.op, goal.rhs, "hypothesis"), over=goal.over, given=held)
    step = proof.relate(
        *(goal.lhs.subs(n, n + 1), goal.op, goal.rhs.subs(n, n + 1), "linear", before, *using),
        over=goal.over, given=held, **args,
    )  # fmt: skip
    return proof.line(goal, "induction", base, step)


def _scaled(proof: Proof) -> int:
    """exp(l0) Sum exp(l[i] - l0) = Sum exp(l[i])."""
    goal = Relation(exp(l0) * GENERAL.ratios, "=", OTHERS, ALL)
    base = proof.relate(exp(l0) * exp(L[1] - l0), "=", exp(L[1]), "field", over=ANY)
    return by_induction(proof, goal, base)


def _positive(proof: Proof) -> int:
    base = proof.relate(exp(L[1]), ">", 0, "sign", over=ANY)
    return by_induction(proof, Relation(OTHERS, ">", Integer(0), ALL), base, rest=exp(L[m + 1]))


def _total(proof: Proof) -> int:
    """Sum exp(l[j])/Z = (Sum exp(l[i]))/Z, first for a number q in the place of Z."""
    whole = exp(l0) + OTHERS
    before = (*OWN, (q, above(0)), (L, REALS))
    goal = Relation(Sum(exp(L[j]) / q, (j, 1, m)), "=", OTHERS / q, (*before, (m, integers(1))))
    base = proof.relate(exp(L[1]) / q, "=", exp(L[1]) / q, "field", over=before)
    divided = by_induction(proof, goal, base)
    return proof.relate(
        *(GENERAL.shares, "=", OTHERS / whole, "substitute", divided),
        over=ALL, q=whole,
    )  # fmt: skip


def derive_saturation() -> Derivation:
    """Two-sided bounds of the share by a gap, their moduli in both directions, and limits."""
    proof = Proof()
    bounded, contains = _all_gaps(proof), _some_gap(proof)
    lower = _lower(proof, GENERAL, _with_bound(GENERAL), bounded)
    parts = [lower, _upper(proof, TOKEN, OTHERS, L[j], contains)]
    parts += [_sufficient(proof, lower, GENERAL), _necessary(proof, TOKEN, OTHERS, L[j], contains)]
    parts += _three(proof)
    for count in (1, 2, 9):
        limit = Limit(1 / (1 + count * exp(-a)), Integer(1), ((a, oo),), ((a, REALS),))
        parts.append(proof.line(limit, "limit"))
    return finished(proof, parts)


def _with_bound(tokens: Tokens, gap: Expr = a) -> Domains:
    """The tokens' variables, each other logit at most l0 - gap."""
    if tokens is GENERAL:
        return (*OWN, (a, REALS), (L, at_most(l0 - gap)), (m, integers(1)))
    return (*OWN, (a, REALS), (x1, at_most(l0 - gap)), (x2, at_most(l0 - gap)))


def _each(proof: Proof, logit: Expr, over: Domains, given: tuple[Relation, ...] = ()) -> int:
    """exp(logit) <= exp(l0 - a), where the domain says logit <= l0 - a."""
    below = proof.relate(logit, "<=", l0 - a, "sign", over=over, given=given)
    return proof.relate(exp(logit), "<=", exp(l0 - a), "exponential", below, over=over, given=given)


def _all_gaps(proof: Proof) -> int:
    """All gaps >= a: Sum exp(l[i]) <= m exp(l0 - a)."""
    over = _with_bound(GENERAL)
    goal = Relation(OTHERS, "<=", m * exp(l0 - a), over)
    base = _each(proof, L[1], over[:-1])
    held = (Relation(goal.lhs, goal.op, goal.rhs),)
    return by_induction(proof, goal, base, _each(proof, L[m + 1], over, held))


def _some_gap(proof: Proof) -> int:
    """Sum exp(l[i]) >= exp(l[j]) for 1 <= j <= m, by induction on m from j = k + 1 on."""
    from_k = (*ANY, (k, integers(0)), (m, integers(k + 1)))
    base = proof.relate(
        Sum(exp(L[i]), (i, 1, k + 1)), ">=", exp(L[k + 1]), "linear",
        over=from_k[:-1], rest=Sum(exp(L[i]), (i, 1, k)),
    )  # fmt: skip
    goal = Relation(OTHERS, ">=", exp(L[k + 1]), from_k)
    shown = by_induction(proof, goal, base, rest=exp(L[m + 1]))
    return proof.relate(OTHERS, ">=", exp(L[j]), "substitute", shown, over=TOKEN, k=j - 1)


def _lower(proof: Proof, tokens: Tokens, over: Domains, bounded: int) -> int:
    """S >= 1/(1 + m exp(-a)) from Sum exp(l[i]) <= m exp(l0 - a)."""
    least = 1 / (1 + tokens.count * exp(-a))
    return proof.relate(
        *(share(tokens.others), ">=", least, "linear", bounded),
        over=over, c1=least / (exp(l0) + tokens.others),
    )  # fmt: skip


def _upper(proof: Proof, over: Domains, others: Expr, logit: Expr, contains: int) -> int:
    """S <= 1/(1 + exp(-a)) if the gap of one token is at most a."""
    over = (*over[:1], (a, REALS), *over[1:])
    given = (Relation(l0 - logit, "<=", a),)
    near = proof.relate(l0 - a, "<=", logit, "sign", over=over, given=given)
    large = proof.relate(exp(l0 - a), "<=", exp(logit), "exponential", near, over=over, given=given)
    most = 1 / (1 + exp(-a))
    scale = most / (exp(l0) + others)
    return proof.relate(
        *(share(others), "<=", most, "linear", contains, large),
        over=over, given=given, c1=scale, c2=scale,
    )  # fmt: skip


def _sufficient(proof: Proof, lower: int, tokens: Tokens) -> int:
    """All gaps >= log(m (1 - eps)/eps): S >= 1 - eps."""
    gap = log(tokens.count * (1 - eps) / eps)
    bound = _with_bound(tokens, gap)
    logits = tuple(entry for entry in bound if entry[0] not in (a, l0, m))
    count = ((m, integers(1)),) if tokens is GENERAL else ()
    return proof.relate(
        *(share(tokens.others), ">=", 1 - eps, "substitute", lower),
        over=(*SHARES, *OWN, *count, *logits), a=gap,
    )  # fmt: skip


def _necessary(proof: Proof, over: Domains, others: Expr, logit: Expr, contains: int) -> int:
    """S >= 1 - eps: the gap of every token is at least log((1 - eps)/eps)."""
    over = (*SHARES, *over)
    given = (Relation(share(others), ">=", 1 - eps),)
    near = proof.relate(share(others), ">=", 1 - eps, "hypothesis", over=over, given=given)
    scale = 1 / (eps * exp(logit))
    ratio = proof.relate(
        *(exp(l0 - logit), ">=", (1 - eps) / eps, "linear", near, contains), over=over, given=given,
        c1=scale * (exp(l0) + others), c2=scale * (1 - eps),
    )  # fmt: skip
    return proof.relate(
        *(l0 - logit, ">=", log((1 - eps) / eps), "exponential", ratio), over=over, given=given
    )


def _three(proof: Proof) -> list[int]:
    """The same four parts for three tokens."""
    over = _with_bound(EXPLICIT)
    each = [_each(proof, logit, over) for logit in (x1, x2)]
    bounded = proof.relate(PAIR, "<=", 2 * exp(l0 - a), "linear", *each, over=over)
    lower = _lower(proof, EXPLICIT, over, bounded)
    contains = proof.relate(PAIR, ">=", exp(x1), "sign", over=THREE)
    return [
        lower,
        _upper(proof, THREE, PAIR, x1, contains),
        _sufficient(proof, lower, EXPLICIT),
        _necessary(proof, THREE, PAIR, x1, contains),
    ]
