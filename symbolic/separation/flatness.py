"""The hard target (-1)^<a, b> on k bits a side: all its singular values are equal.

Its matrix of values is the k-th tensor power of [[1, 1], [1, -1]], whose entry at s, t is
1 - 2 s t. If the rows of H are orthogonal with squared length N, those of its tensor product with
that matrix are orthogonal with squared length 2N. So all 2^k squared singular values are 2^-k, and
the tail after R of them is (2^k - R)/2^k. An error of at most epsilon everywhere has a mean square
of at most epsilon^2.

Source: seed 002, sections 3.4 and 4.3.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Sum, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, Every, Relation, integers, interval

a, b, c, r, s, t, x, k, N, R, epsilon = symbols("a b c r s t x k N R epsilon")
H, error = IndexedBase("H"), IndexedBase("e")
BIT = integers(0, 1)
ROWS: Domains = ((H, REALS), (N, integers(1)), (a, integers(1)))


def inner(row: Expr, other: Expr) -> Expr:
    """The inner product of two rows of H."""
    return Sum(H[row, b] * H[other, b], (b, 1, N))


def doubled(sign: Expr, row: Expr, other_sign: Expr, other: Expr) -> Expr:
    """The inner product of the rows (sign, row) and (other sign, other) of the tensor product."""
    entry = (1 - 2 * sign * t) * H[row, b] * (1 - 2 * other_sign * t) * H[other, b]
    return Sum(Sum(entry, (b, 1, N)), (t, 0, 1))


def derive_flat_spectrum() -> Derivation:
    """The step from k to k + 1 bits; the tail is at most epsilon if and only if
    R >= 2^k (1 - epsilon); with an error of at most epsilon everywhere R >= 2^k (1 - epsilon^2)."""
    proof = Proof()
    general = _tensor(proof)
    parts = (
        _different(proof, general),
        _opposite(proof, general),
        _same(proof, general),
        *_tails(proof),
        *_uniform(proof),
    )
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _tensor(proof: Proof) -> int:
    """(1 + (1 - 2s)(1 - 2r)) times the inner product of the rows of H."""
    over: Domains = (*ROWS, (c, integers(1)), (s, BIT), (r, BIT))
    signs = (1 - 2 * s) * (1 - 2 * r)
    scaled = Sum(signs * H[a, b] * H[c, b], (b, 1, N))
    out = proof.relate(
        *(scaled, "=", signs * inner(a, c), "substitute", _scale(proof)), over=over, x=signs
    )
    return proof.relate(
        *(doubled(s, a, r, c), "=", (1 + signs) * inner(a, c), "linear", out), over=over
    )


def _scale(proof: Proof) -> int:
    """A factor moves out of the sum, by induction on N."""
    fixed: Domains = ((H, REALS), (a, integers(1)), (c, integers(1)), (x, REALS))
    over = (*fixed, (N, integers(1)))
    left, right = Sum(x * H[a, b] * H[c, b], (b, 1, N)), x * inner(a, c)
    base = proof.relate(left.subs(N, 1), "=", right.subs(N, 1), "field", over=fixed)
    given = (Relation(left, "=", right),)
    before = proof.relate(left, "=", right, "hypothesis", over=over, given=given)
    step = proof.relate(
        left.subs(N, N + 1), "=", right.subs(N, N + 1), "linear", before, over=over, given=given
    )
    return proof.relate(left, "=", right, "induction", base, step, over=over)


def _different(proof: Proof, general: int) -> int:
    given = (Relation(inner(a, c), "=", Integer(0)),)
    over: Domains = (*ROWS, (c, integers(1)), (s, BIT), (r, BIT))
    found = 1 + (1 - 2 * s) * (1 - 2 * r)
    here = proof.relate(
        *(doubled(s, a, r, c), "=", found * inner(a, c), "substitute", general),
        over=over, given=given,
    )  # fmt: skip
    zero = proof.relate(inner(a, c), "=", 0, "hypothesis", over=over, given=given)
    return proof.relate(
        *(doubled(s, a, r, c), "=", 0, "linear", here, zero), over=over, given=given, c2=found
    )


def _opposite(proof: Proof, general: int) -> int:
    over: Domains = (*ROWS, (s, BIT))
    found = 1 + (1 - 2 * s) * (1 - 2 * (1 - s))
    here = proof.relate(
        *(doubled(s, a, 1 - s, a), "=", found * inner(a, a), "substitute", general),
        over=over, c=a, r=1 - s,
    )  # fmt: skip
    none = proof.relate(found, "=", 0, "enumerate", over=((s, BIT),))
    return proof.relate(
        *(doubled(s, a, 1 - s, a), "=", 0, "linear", here, none), over=over, c2=inner(a, a)
    )


def _same(proof: Proof, general: int) -> int:
    over: Domains = (*ROWS, (s, BIT))
    given = (Relation(inner(a, a), "=", N),)
    found = 1 + (1 - 2 * s) ** 2
    here = proof.relate(
        *(doubled(s, a, s, a), "=", found * inner(a, a), "substitute", general),
        over=over, given=given, c=a, r=s,
    )  # fmt: skip
    two = proof.relate(found, "=", 2, "enumerate", over=((s, BIT),))
    length = proof.relate(inner(a, a), "=", N, "hypothesis", over=over, given=given)
    return proof.relate(
        *(doubled(s, a, s, a), "=", 2 * N, "linear", here, two, length),
        over=over, given=given, c2=inner(a, a), c3=2,
    )  # fmt: skip


def _tails(proof: Proof) -> tuple[int, int]:
    over: Domains = ((k, integers(0)), (R, REALS), (epsilon, REALS))
    size = 2**k
    tail, least = (size - R) / size, size * (1 - epsilon)
    small, large = Relation(tail, "<=", epsilon), Relation(R, ">=", least)
    first = proof.relate(tail, "<=", epsilon, "hypothesis", over=over, given=(small,))
    second = proof.relate(R, ">=", least, "hypothesis", over=over, given=(large,))
    return (
        proof.relate(R, ">=", least, "linear", first, over=over, given=(small,), c1=size),
        proof.relate(tail, "<=", epsilon, "linear", second, over=over, given=(large,), c1=1 / size),
    )


def _uniform(proof: Proof) -> tuple[int, int]:
    """The mean of squares of at most epsilon^2 each, and what that says about R."""
    mean, size = Sum(error[b] ** 2, (b, 1, N)) / N, 2**k
    fixed: Domains = (*_errors(), (N, integers(1)))
    bound = proof.relate(mean, "<=", epsilon**2, "linear", _squares(proof), over=fixed, c1=1 / N)
    over: Domains = (*fixed, (k, integers(0)), (R, REALS))
    given = (Relation((size - R) / size, "<=", mean),)
    tail = proof.relate((size - R) / size, "<=", mean, "hypothesis", over=over, given=given)
    return bound, proof.relate(
        *(R, ">=", size * (1 - epsilon**2), "linear", tail, bound),
        over=over, given=given, c1=size, c2=size,
    )  # fmt: skip


def _errors() -> Domains:
    return ((epsilon, interval(0, oo, "[)")), (error, interval(-epsilon, epsilon, "[]")))


def _squares(proof: Proof) -> int:
    """Numbers between -epsilon and epsilon: the sum of N squares is at most N epsilon^2."""
    fixed = _errors()
    over = (*fixed, (N, integers(1)))
    left, right = Sum(error[b] ** 2, (b, 1, N)), N * epsilon**2
    slack = (epsilon - error[1]) * (epsilon + error[1])
    base = proof.relate(left.subs(N, 1), "<=", right.subs(N, 1), "linear", over=fixed, rest=slack)
    given = (Relation(left, "<=", right),)
    before = proof.relate(left, "<=", right, "hypothesis", over=over, given=given)
    more = (epsilon - error[N + 1]) * (epsilon + error[N + 1])
    step = proof.relate(
        *(left.subs(N, N + 1), "<=", right.subs(N, N + 1), "linear", before),
        over=over, given=given, rest=more,
    )  # fmt: skip
    return proof.relate(left, "<=", right, "induction", base, step, over=over)
