"""The bound G(n, D) of networks of entrywise products, for all numbers of inputs and all depths.

A part of degree k in one side has at most as many products as that side has monomials of degree k:
C(k + n - 1, n - 1), written as the product over i < n of (k + i)/i. Summed over the degrees up to
h this is C(h + n, n), the product over i <= n of (h + i)/i: by induction on h, from
(h + 1) C(h + 1 + n, n) = (h + 1 + n) C(h + n, n).

Source: seed 002, sections 3.1 and 6.
"""

from __future__ import annotations

from sympy import Expr, Product, Sum, symbols

from ..derivation import Derivation, Proof
from ..statements import Domains, Hadamard, Relation, SeparationRank, integers

n, w, d, p, h, i, j, m = symbols("n w d p h i j m")
SIZES: Domains = ((n, integers(1)), (w, integers(1)), (d, integers(1)), (p, integers(1)))


def choices(top: Expr, size: Expr) -> Expr:
    """C(top + size, size) as a product."""
    return Product((top + i) / i, (i, 1, size))


def odd_bound() -> SeparationRank:
    """sep <= G(n, 2h + 1), whatever the width, for degree d and depth p with d^p = 2h + 1."""
    over, given = (*SIZES, (h, integers(0))), (Relation(2 * h + 1, "=", d**p),)
    return SeparationRank(Hadamard(n, w, d, p), "<=", 2 * choices(h, n), over, given)


def even_bound() -> SeparationRank:
    """sep <= G(n, 2h), where d^p = 2h."""
    over, given = (*SIZES, (h, integers(1))), (Relation(2 * h, "=", d**p),)
    value = 2 * choices(h - 1, n) + choices(h, n - 1)
    return SeparationRank(Hadamard(n, w, d, p), "<=", value, over, given)


def derive_odd_bound() -> Derivation:
    """Of the degrees k and 2h + 1 - k of the two sides the smaller takes each of 0..h twice."""
    proof = Proof()
    stick = _stick(proof)
    goal = odd_bound()
    total = 2 * Sum(choices(j, n - 1), (j, 0, h))
    return _graded(proof, goal, total, _here(proof, stick, goal, h))


def derive_even_bound() -> Derivation:
    """The smaller of the degrees k and 2h - k takes each of 0..h - 1 twice and h once."""
    proof = Proof()
    stick = _stick(proof)
    goal = even_bound()
    total = 2 * Sum(choices(j, n - 1), (j, 0, h - 1)) + choices(h, n - 1)
    return _graded(proof, goal, total, _here(proof, stick, goal, h - 1))


def _here(proof: Proof, stick: int, goal: SeparationRank, top: Expr) -> int:
    """The sum of the monomials of n variables of degree at most `top`."""
    return proof.relate(
        *(Sum(choices(j, n - 1), (j, 0, top)), "=", choices(top, n), "substitute", stick),
        over=goal.over, given=goal.given, m=n - 1, h=top,
    )  # fmt: skip


def _graded(proof: Proof, goal: SeparationRank, total: Expr, stick: int) -> Derivation:
    (given,) = goal.given
    law = proof.relate(*(given.lhs, "=", given.rhs, "hypothesis"), over=goal.over, given=goal.given)
    below = proof.relate(
        *(total, "=", goal.value, "linear", stick), over=goal.over, given=goal.given, c1=2
    )
    proof.line(goal, "graded", law, below, half=h)
    return proof.done()


def _stick(proof: Proof) -> int:
    """sum of C(j + m, m) over j <= h is C(h + m + 1, m + 1), by induction on h."""
    fixed: Domains = ((m, integers(0)),)
    over = (*fixed, (h, integers(0)))
    shift = derive_shift(proof)
    total, closed = Sum(choices(j, m), (j, 0, h)), choices(h, m + 1)
    base = proof.relate(total.subs(h, 0), "=", closed.subs(h, 0), "field", over=fixed)
    given = (Relation(total, "=", closed),)
    before = proof.relate(total, "=", closed, "hypothesis", over=over, given=given)
    moved = proof.relate(
        *((h + 1) * choices(h + 1, m), "=", (h + 1 + m) * choices(h, m), "substitute", shift),
        over=over, given=given,
    )  # fmt: skip
    step = proof.relate(
        *(total.subs(h, h + 1), "=", closed.subs(h, h + 1), "linear", before, moved),
        over=over, given=given, c2=-1 / (m + 1),
    )  # fmt: skip
    return proof.relate(total, "=", closed, "induction", base, step, over=over)


def derive_shift(proof: Proof) -> int:
    """(h + 1) C(h + 1 + m, m) = (h + 1 + m) C(h + m, m), by induction on m."""
    fixed: Domains = ((h, integers(0)),)
    over = (*fixed, (m, integers(0)))
    left, right = (h + 1) * choices(h + 1, m), (h + 1 + m) * choices(h, m)
    base = proof.relate(left.subs(m, 0), "=", right.subs(m, 0), "field", over=fixed)
    given = (Relation(left, "=", right),)
    before = proof.relate(left, "=", right, "hypothesis", over=over, given=given)
    step = proof.relate(
        *(left.subs(m, m + 1), "=", right.subs(m, m + 1), "linear", before),
        over=over, given=given, c1=(h + m + 2) / (m + 1),
    )  # fmt: skip
    return proof.relate(left, "=", right, "induction", base, step, over=over)
