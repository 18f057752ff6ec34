"""The bound G(n, D) rises with the degree D, whatever the parities: so does the proxy degree.

G(n, 2h + 1) = 2 C(h + n, n) and G(n, 2h) = 2 C(h - 1 + n, n) + C(h + n - 1, n - 1), with the
binomials written as products over i of (h + i)/i. A step from 2h to 2h + 1 adds C(h + n - 1, n - 1)
and one from 2h + 1 to 2h + 2 adds C(h + n, n - 1).

Source: seed 002, section 6.2.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, symbols

from ..derivation import Derivation, Proof
from ..statements import Domains, Every, Relation, integers
from .entrywise import choices, derive_shift

n, h, e, m, t = symbols("n h e m t")
Bound = Callable[[Expr], Expr]


def odd(half: Expr, inputs: Expr = n) -> Expr:
    """G(inputs, 2 half + 1)."""
    return 2 * choices(half, inputs)


def even(half: Expr, inputs: Expr = n) -> Expr:
    """G(inputs, 2 half)."""
    return 2 * choices(half - 1, inputs) + choices(half, inputs - 1)


def derive_proxy() -> Derivation:
    """G(n, D) < G(n, D') for D < D', one part for each pair of parities."""
    proof = Proof()
    first, second = _odd_step(proof), _even_step(proof)
    odds, evens = _both(proof, second, first, odd), _both(proof, first, second, even)
    low, base = ((n, integers(1)), (h, integers(0))), ((n, integers(1)), (h, integers(1)))
    parts = (
        _far(proof, first, odds, base, even(h), odd, 0),
        _far(proof, second, evens, low, odd(h), even, 1),
        _far(proof, odds, odds, low, odd(h), odd, 1),
        _far(proof, evens, evens, base, even(h), even, 1),
    )
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _odd_step(proof: Proof) -> int:
    """G(n, 2t) < G(n, 2t + 1) from t = 1 on: the shift from t - 1 to t, first for m = n - 1."""
    shift = derive_shift(proof)
    over: Domains = ((m, integers(0)), (t, integers(1)))
    moved = proof.relate(
        *(t * choices(t, m), "=", (t + m) * choices(t - 1, m), "substitute", shift),
        over=over, h=t - 1,
    )  # fmt: skip
    found = proof.relate(
        *(even(t, m + 1), "<", odd(t, m + 1), "linear", moved),
        over=over, c1=-2 / (m + 1), rest=choices(t, m),
    )  # fmt: skip
    return proof.relate(
        *(even(t), "<", odd(t), "substitute", found),
        over=((n, integers(1)), (t, integers(1))), m=n - 1,
    )  # fmt: skip


def _even_step(proof: Proof) -> int:
    """G(n, 2t + 1) < G(n, 2t + 2)."""
    return proof.relate(
        *(odd(t), "<", even(t + 1), "linear"),
        over=((n, integers(1)), (t, integers(0))), rest=choices(t + 1, n - 1),
    )  # fmt: skip


def _both(proof: Proof, one: int, two: int, bound: Bound) -> int:
    """G(n, D) < G(n, D + 2), from the two steps in their order."""
    least = 0 if bound is odd else 1
    over: Domains = ((n, integers(1)), (t, integers(least)))
    ends = (bound(t), even(t + 1) if bound is odd else odd(t), bound(t + 1))
    places = (t, t + 1) if bound is odd else (t, t)
    steps = [
        proof.relate(low, "<", high, "substitute", step, over=over, t=place)
        for low, high, step, place in zip(ends, ends[1:], (one, two), places, strict=False)
    ]
    return proof.relate(ends[0], "<", ends[2], "linear", *steps, over=over)


def _far(
    proof: Proof, near: int, step: int, fixed: Domains, start: Expr, bound: Bound, shift: int
) -> int:
    """start < G at h + shift + e for all e >= 0, by induction on e."""
    place = h + shift + e
    over, goal = (*fixed, (e, integers(0))), Relation(start, "<", bound(place))
    base = proof.relate(start, "<", bound(h + shift), "substitute", near, over=fixed, t=h)
    before = proof.relate(start, "<", goal.rhs, "hypothesis", over=over, given=(goal,))
    rises = proof.relate(
        *(goal.rhs, "<", bound(place + 1), "substitute", step), over=over, given=(goal,), t=place
    )
    after = proof.relate(
        start, "<", bound(place + 1), "linear", before, rises, over=over, given=(goal,)
    )
    return proof.relate(start, "<", goal.rhs, "induction", base, after, over=over)
