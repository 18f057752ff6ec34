"""One token on each side: the separation rank of linear attention for all depths and widths.

With 3^L = 2D + 1 the smaller of the degrees in the two sides takes each value j = 0, ..., D once,
and there are C(j + d - 1, d - 1) = prod over i < d of (j + i)/i monomials of degree j. Their sum is
C(D + d, d) = prod over i <= d of (D + i)/i, the hockey-stick identity. The same holds for layers of
any odd degree in place of 3. Against 3^(L d) no constant holds for all L and d: at L = d the bound
is below c 3^(d d) as soon as c d >= e.

Source: seed 002, equations (1) and (3).
"""

from __future__ import annotations

from sympy import E, Expr, IndexedBase, Integer, Product, Sum, symbols

from ..derivation import Derivation, Proof
from ..statements import (
    REALS,
    Attention,
    Domains,
    Every,
    Relation,
    SeparationRank,
    above,
    integers,
)
from .rates import prove_no_uniform_constant, prove_ratio_limits, ratio_product

L, d, D, H, n, t, c, i, j, k, q, e, N = symbols("L d D H n t c i j k q e N")
s = IndexedBase("s")
DEGREE = Integer(3)
COLUMNS = (
    Relation(s[1], "=", d),
    Relation(s[k + 1], "=", N + d - s[k], ((k, integers(1)),)),
)


def binomial_product(top: Expr, size: Expr) -> Expr:
    """C(top + size, size): the product of (top + i)/i over i <= size."""
    return Product((top + i) / i, (i, 1, size))


def monomial_sum(reach: Expr, size: Expr) -> Expr:
    """How many monomials in `size` variables have degrees 0, ..., reach: the sum over j."""
    return Sum(binomial_product(j, size - 1), (j, 0, reach))


def derive_two_tokens(degree: Expr = DEGREE) -> Derivation:
    """sep <= C(D + d, d) where 2D + 1 = degree^L, for all depths, widths, heads and weights; the
    degree may be the symbol e, for all odd degrees."""
    proof = Proof()
    over: Domains = ((L, integers(1)), (d, integers(1)), (H, integers(1)), (D, integers(0)))
    over = (*over, (e, integers(1))) if degree == e else over
    law = Relation(2 * D + 1, "=", degree**L)
    held = proof.relate(law.lhs, "=", law.rhs, "hypothesis", over=over, given=(law,))
    stick = _stick(proof)
    rank = binomial_product(D, d)
    bound = proof.relate(monomial_sum(D, d), "<=", rank, "linear", stick, over=over, given=(law,))
    network = Attention(L, d, Integer(1), H, degree)
    proof.line(SeparationRank(network, "<=", rank, over, (law,)), "graded", held, bound, half=D)
    return proof.done()


def derive_theta() -> Derivation:
    """For every c > 0, every whole d >= e/c and any heads, at depth L = d: sep < c 3^(L d); and the
    limits of C(D + d, d)/3^(L d) at d = 1 to 4."""
    proof = Proof()
    small = prove_no_uniform_constant(proof)
    over: Domains = ((c, above(0)), (d, integers(1)), (H, integers(1)), (D, integers(0)))
    law, enough = Relation(2 * D + 1, "=", DEGREE**d), Relation(c * d, ">=", E)
    given = (law, enough)
    held = proof.relate(law.lhs, "=", law.rhs, "hypothesis", over=over, given=given)
    stick, scaled = _stick(proof), _scaled(proof)
    ratio, power = ratio_product(DEGREE**d, d), DEGREE ** (d * d)
    here = proof.relate(
        *(binomial_product(D, d), "=", ratio * power, "substitute", scaled), over=over, given=given,
        t=DEGREE**d, n=d,
    )  # fmt: skip
    bound = proof.relate(
        *(monomial_sum(D, d), "<", c * power, "linear", stick, here, small), over=over, given=given,
        c3=power,
    )  # fmt: skip
    network = Attention(d, d, Integer(1), H, DEGREE)
    rank = SeparationRank(network, "<", c * power, over, given)
    parts = [proof.line(rank, "graded", held, bound, half=D), *prove_ratio_limits(proof)]
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def derive_columns() -> Derivation:
    """X X^T X ... with an odd number of factors has as many columns as X: a factor more turns d
    columns into N and N into d."""
    proof = Proof(given=COLUMNS)
    fixed: Domains = ((s, REALS), (N, integers(1)), (d, integers(1)))
    over: Domains = (*fixed, (q, integers(0)))
    first, other = COLUMNS
    base = proof.relate(first.lhs, "=", first.rhs, "hypothesis", over=fixed)
    assumed = (*COLUMNS, Relation(s[2 * q + 1], "=", d))
    turn = proof.relate(other.lhs, "=", other.rhs, "hypothesis", over=(*fixed, *other.over))
    before = proof.relate(s[2 * q + 1], "=", d, "hypothesis", over=over, given=assumed)
    once, twice = (
        proof.relate(
            s[at + 1], "=", N + d - s[at], "substitute", turn, over=over, given=assumed, k=at
        )
        for at in (2 * q + 1, 2 * q + 2)
    )
    step = proof.relate(
        *(s[2 * q + 3], "=", d, "linear", before, once, twice), over=over, given=assumed, c2=-1
    )
    proof.relate(s[2 * q + 1], "=", d, "induction", base, step, over=over)
    return proof.done()


def _stick(proof: Proof) -> int:
    """The sum of C(j + d - 1, d - 1) over j <= D is C(D + d, d): by induction on D, for d = n + 1
    at first."""
    shift = _shift(proof)
    fixed: Domains = ((n, integers(0)),)
    over: Domains = (*fixed, (D, integers(0)))
    total, closed = monomial_sum(D, n + 1), binomial_product(D, n + 1)
    base = proof.relate(total.subs(D, 0), "=", closed.subs(D, 0), "field", over=fixed)
    given = (Relation(total, "=", closed),)
    before = proof.relate(total, "=", closed, "hypothesis", over=over, given=given)
    shifted = proof.relate(
        *(binomial_product(D + 1, n + 1), "=", closed * (D + n + 2) / (D + 1), "substitute", shift),
        over=over, given=given, n=n + 1,
    )  # fmt: skip
    step = proof.relate(
        *(total.subs(D, D + 1), "=", closed.subs(D, D + 1), "linear", before, shifted),
        over=over, given=given, c2=-(D + 1) / (D + n + 2),
    )  # fmt: skip
    found = proof.relate(total, "=", closed, "induction", base, step, over=over)
    wanted: Domains = ((d, integers(1)), (D, integers(0)))
    return proof.relate(
        *(monomial_sum(D, d), "=", binomial_product(D, d), "substitute", found), over=wanted,
        n=d - 1,
    )  # fmt: skip


def _shift(proof: Proof) -> int:
    """C(D + 1 + n, n) = C(D + n, n) (D + n + 1)/(D + 1), by induction on n."""
    fixed: Domains = ((D, integers(0)),)
    over: Domains = (*fixed, (n, integers(0)))
    left, right = binomial_product(D + 1, n), binomial_product(D, n) * (D + n + 1) / (D + 1)
    base = proof.relate(left.subs(n, 0), "=", right.subs(n, 0), "field", over=fixed)
    given = (Relation(left, "=", right),)
    before = proof.relate(left, "=", right, "hypothesis", over=over, given=given)
    step = proof.relate(
        *(left.subs(n, n + 1), "=", right.subs(n, n + 1), "linear", before), over=over,
        given=given, c1=(D + n + 2) / (n + 1),
    )  # fmt: skip
    return proof.relate(left, "=", right, "induction", base, step, over=over)


def _scaled(proof: Proof) -> int:
    """C(D + n, n) is t^n times the product of (D + i)/(i t), given 2D + 1 = t, by induction."""
    fixed: Domains = ((t, above(0)), (D, integers(0)))
    over: Domains = (*fixed, (n, integers(0)))
    law = Relation(2 * D + 1, "=", t)
    left, ratio = binomial_product(D, n), ratio_product(t, n)
    right = ratio * t**n
    base = proof.relate(left.subs(n, 0), "=", right.subs(n, 0), "field", over=fixed, given=(law,))
    given = (law, Relation(left, "=", right))
    held = proof.relate(law.lhs, "=", law.rhs, "hypothesis", over=over, given=given)
    before = proof.relate(left, "=", right, "hypothesis", over=over, given=given)
    step = proof.relate(
        *(left.subs(n, n + 1), "=", right.subs(n, n + 1), "linear", before, held), over=over,
        given=given, c1=(D + n + 1) / (n + 1), c2=right / (2 * (n + 1)),
    )  # fmt: skip
    return proof.relate(left, "=", right, "induction", base, step, over=over, given=(law,))
