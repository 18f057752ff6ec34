"""Binomial sums and growth: the hockey-stick identity, and G(n, D) strictly increasing in D.

For explicit n a binomial C(D + n, n) is the polynomial (D + 1)...(D + n)/n!. For all n at once it
is b[D + n, n] with any b that obeys Pascal's rule, which the binomials do.
"""

from __future__ import annotations

from math import factorial

from sympy import Expr, IndexedBase, Integer, Mul, Rational, Sum, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, Every, Relation, integers
from .arguments import whole

n, D, k, j, m, e, q = symbols("n D k j m e q")
b, g = IndexedBase("b"), IndexedBase("g")
EXPLICIT = (1, 2, 3, 4)
WIDTHS = (1, 2, 3)


def rising(top: Expr, size: int) -> Expr:
    """C(top + size, size) as a polynomial in `top`: (top + 1)...(top + size)/size!."""
    factors = (top + i for i in range(1, whole("size", size, 0) + 1))
    return Mul(Rational(1, factorial(size)), *factors)


PASCAL = (
    Relation(b[m, m], "=", Integer(1), ((m, integers(0)),)),
    Relation(*(b[m + 1, j + 1], "=", b[m, j] + b[m, j + 1]), ((m, integers(0)), (j, integers(0)))),
)
COUNTS = Relation(b[m, j], ">=", Integer(1), ((m, integers(0)), (j, integers(0, m))))


def derive_hockey_stick() -> Derivation:
    """sum of C(k + n - 1, n - 1) over k <= D is C(D + n, n): for n = 1 to 4 as polynomials, and
    for all n from Pascal's rule, by induction on D."""
    proof = Proof()
    parts = [_explicit_stick(proof, size) for size in EXPLICIT]
    parts.append(_general_stick(proof))
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _explicit_stick(proof: Proof, size: int) -> int:
    """The step adds C(D + n, n - 1), and C(D + n, n) + C(D + n, n - 1) = C(D + n + 1, n)."""
    term = rising(k, size - 1)
    total, closed = Sum(term, (k, 0, D)), rising(D, size)
    over = ((D, integers(0)),)
    base = proof.relate(Sum(term, (k, 0, 0)), "=", closed.subs(D, 0), "field", over=())
    given = (Relation(total, "=", closed),)
    before = proof.relate(total, "=", closed, "hypothesis", over=over, given=given)
    step = proof.relate(
        *(total.subs(D, D + 1), "=", closed.subs(D, D + 1), "linear", before),
        over=over, given=given,
    )  # fmt: skip
    return proof.relate(total, "=", closed, "induction", base, step, over=over)


def _general_stick(proof: Proof) -> int:
    total, closed = Sum(b[k + n - 1, n - 1], (k, 0, D)), b[D + n, n]
    fixed: Domains = ((b, REALS), (n, integers(1)))
    over = (*fixed, (D, integers(0)))
    one, rule = (
        proof.relate(
            *(law.lhs, law.op, law.rhs, "hypothesis"), over=(*fixed, *law.over), given=PASCAL
        )
        for law in PASCAL
    )
    small = proof.relate(
        b[n - 1, n - 1], "=", 1, "substitute", one, over=fixed, given=PASCAL, m=n - 1
    )
    large = proof.relate(b[n, n], "=", 1, "substitute", one, over=fixed, given=PASCAL, m=n)
    base = proof.relate(
        *(total.subs(D, 0), "=", closed.subs(D, 0), "linear", small, large),
        over=fixed, given=PASCAL, c2=-1,
    )  # fmt: skip
    assumed = (*PASCAL, Relation(total, "=", closed))
    before = proof.relate(total, "=", closed, "hypothesis", over=over, given=assumed)
    pascal = proof.relate(
        *(b[D + n + 1, n], "=", b[D + n, n - 1] + b[D + n, n], "substitute", rule),
        over=over, given=assumed, m=D + n, j=n - 1,
    )  # fmt: skip
    step = proof.relate(
        *(total.subs(D, D + 1), "=", closed.subs(D, D + 1), "linear", before, pascal),
        over=over, given=assumed, c2=-1,
    )  # fmt: skip
    return proof.relate(total, "=", closed, "induction", base, step, over=over, given=PASCAL)


def derive_growth() -> Derivation:
    """G(n, D) < G(n, D + 1) from even and from odd D: for n = 1 to 3 as polynomials, and for all n
    from Pascal's rule; and a sequence whose every step rises is increasing."""
    proof = Proof()
    parts = [part for size in WIDTHS for part in _explicit_growth(proof, size)]
    parts += [*_general_growth(proof), _increasing(proof)]
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def hadamard_form(inputs: int, odd: bool) -> Expr:
    """G(inputs, 2q + 1) or G(inputs, 2q) as a polynomial in q."""
    size = whole("inputs", inputs)
    return 2 * rising(q, size) if odd else 2 * rising(q - 1, size) + rising(q, size - 1)


def _explicit_growth(proof: Proof, size: int) -> tuple[int, int]:
    even, odd = hadamard_form(size, False), hadamard_form(size, True)
    following, over = even.subs(q, q + 1), ((q, integers(0)),)
    return (
        proof.relate(even, "<", odd, "linear", over=over, rest=rising(q, size - 1)),
        proof.relate(odd, "<", following, "linear", over=over, rest=rising(q + 1, size - 1)),
    )


def _general_growth(proof: Proof) -> tuple[int, int]:
    """The steps are C(q + n - 1, n - 1) and C(q + n, n - 1), which count something."""
    given = (*PASCAL, COUNTS)
    fixed: Domains = ((b, REALS), (n, integers(1)), (q, integers(0)))
    rule, counts = (
        proof.relate(
            *(law.lhs, law.op, law.rhs, "hypothesis"), over=(*fixed, *law.over), given=given
        )
        for law in (PASCAL[1], COUNTS)
    )
    top = q + n
    pascal = proof.relate(
        *(b[top, n], "=", b[top - 1, n - 1] + b[top - 1, n], "substitute", rule),
        over=fixed, given=given, m=top - 1, j=n - 1,
    )  # fmt: skip
    low, high = (
        proof.relate(
            *(b[row, n - 1], ">=", 1, "substitute", counts), over=fixed, given=given, m=row, j=n - 1
        )
        for row in (top - 1, top)
    )
    even = 2 * b[top - 1, n] + b[top - 1, n - 1]
    odd = 2 * b[top, n]
    return (
        proof.relate(
            *(even, "<", odd, "linear", pascal, low), over=fixed, given=given, c1=-2, rest=1
        ),
        proof.relate(
            *(odd, "<", odd + b[top, n - 1], "linear", high), over=fixed, given=given, rest=1
        ),
    )


def _increasing(proof: Proof) -> int:
    rises = Relation(g[k], "<", g[k + 1], ((k, integers(0)),))
    fixed: Domains = ((g, REALS), (m, integers(0)))
    over, given = (*fixed, (e, integers(0))), (rises,)
    near = proof.relate(g[k], "<", g[k + 1], "hypothesis", over=(*fixed, *rises.over), given=given)
    base = proof.relate(g[m], "<", g[m + 1], "substitute", near, over=fixed, given=given, k=m)
    assumed = (rises, Relation(g[m], "<", g[m + e + 1]))
    before = proof.relate(g[m], "<", g[m + e + 1], "hypothesis", over=over, given=assumed)
    last = proof.relate(
        *(g[m + e + 1], "<", g[m + e + 2], "substitute", near),
        over=over, given=assumed, k=m + e + 1,
    )  # fmt: skip
    step = proof.relate(g[m], "<", g[m + e + 2], "linear", before, last, over=over, given=assumed)
    return proof.relate(g[m], "<", g[m + e + 1], "induction", base, step, over=over, given=given)
