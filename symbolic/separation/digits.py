"""Matricisation is transposing, then reshaping in C order: the index identity for all sizes.

After the axes of A = {a_1 < ... < a_p} and B = {b_1 < ... < b_q} are brought to the front in this
order, entry J[1], ..., J[p + q] (each from 0 to M - 1) has the place sum_t J[t] M^(p + q - t) in C
order. Reshaping to M^p rows puts it at the quotient and the remainder by M^q. These are row and
column of the seed's formula, because

    sum_t J[t] M^(p + q - t) = M^q sum_{t <= p} J[t] M^(p - t) + sum_{t <= q} J[p + t] M^(q - t)

and the last sum, the column, lies between 0 and M^q - 1.

Source: seed 002, section 5.1.3.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Sum, symbols

from ..derivation import Derivation, Proof
from ..statements import Domains, Every, Relation, integers

M, p, q, a, n, t = symbols("M p q a n t")
J = IndexedBase("J")
FIXED: Domains = ((M, integers(1)), (J, integers(0, M - 1)), (p, integers(0)))


def digits(entry: Expr, count: Expr, top: Expr) -> Expr:
    """sum over t <= count of entry M^(top - t); with top = count, a number by its digits."""
    return Sum(entry * M ** (top - t), (t, 1, count))


def derive_index() -> Derivation:
    """The identity above, and that the column lies between 0 and M^q - 1; by induction on q."""
    proof = Proof(*FIXED, (q, integers(0)))
    shifts = _shift(proof, J[t]), _shift(proof, J[p + t])
    column = digits(J[p + t], q, q)
    parts = (
        _split(proof, shifts),
        proof.relate(0, "<=", column, "sign"),
        _below(proof, shifts[1]),
    )
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _shift(proof: Proof, entry: Expr) -> int:
    """One power of M more under the sum is the factor M before it."""
    left, right = digits(entry, n, a + 1), M * digits(entry, n, a)
    outer = (*FIXED, (a, integers()))
    over = (*outer, (n, integers(0)))
    given = (Relation(left, "=", right),)
    base = proof.relate(left.subs(n, 0), "=", right.subs(n, 0), "field", over=outer)
    before = proof.relate(left, "=", right, "hypothesis", over=over, given=given)
    step = proof.relate(
        *(left.subs(n, n + 1), "=", right.subs(n, n + 1), "linear", before), over=over, given=given
    )
    return proof.relate(left, "=", right, "induction", base, step, over=over)


def _split(proof: Proof, shifts: tuple[int, int]) -> int:
    flat = digits(J[t], p + q, p + q)
    column = digits(J[p + t], q, q)
    split = M**q * digits(J[t], p, p) + column
    given = (Relation(flat, "=", split),)
    base = proof.relate(flat.subs(q, 0), "=", split.subs(q, 0), "field", over=FIXED)
    before = proof.relate(flat, "=", split, "hypothesis", given=given)
    whole = proof.relate(
        *(digits(J[t], p + q, p + q + 1), "=", M * flat, "substitute", shifts[0]),
        given=given, a=p + q, n=p + q,
    )  # fmt: skip
    last = proof.relate(
        *(digits(J[p + t], q, q + 1), "=", M * column, "substitute", shifts[1]),
        given=given, a=q, n=q,
    )  # fmt: skip
    step = proof.relate(
        *(flat.subs(q, q + 1), "=", split.subs(q, q + 1), "linear", before, whole, last),
        given=given, c1=M, c3=-1,
    )  # fmt: skip
    return proof.relate(flat, "=", split, "induction", base, step)


def _below(proof: Proof, shift: int) -> int:
    """M (M^q - 1) + (M - 1) = M^(q + 1) - 1."""
    column, most = digits(J[p + t], q, q), M**q - 1
    given = (Relation(column, "<=", most),)
    base = proof.relate(column.subs(q, 0), "<=", Integer(0), "linear", over=FIXED)
    before = proof.relate(column, "<=", most, "hypothesis", given=given)
    last = proof.relate(
        *(digits(J[p + t], q, q + 1), "=", M * column, "substitute", shift), given=given, a=q, n=q
    )
    digit = proof.relate(J[p + q + 1], "<=", M - 1, "sign", given=given)
    step = proof.relate(
        *(column.subs(q, q + 1), "<=", M ** (q + 1) - 1, "linear", before, last, digit),
        given=given, c1=M,
    )  # fmt: skip
    return proof.relate(column, "<=", most, "induction", base, step)
