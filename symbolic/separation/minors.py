"""Minors: those of R products vanish from size R + 1 on; those of a matrix modulo p tell of it.

A matricisation of f = sum over r <= R of g_r(a) h_r(b) has the entries sum_r g[i, r] h[r, j], where
g[i, r] and h[r, j] are the values at the templates; so for any functions and any templates its
rank is at most R. An integer matrix A = S + p Q has det A = det S + p K with an integer K, so that
a minor that is not 0 modulo p is not 0.

Source: seed 002, equation (10).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from sympy import Add, Expr, Integer, Mul, Poly, Sum, Symbol, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domain, Domains, Relation, integers
from .exchange import ONE, PRODUCTS, SIZES, R, conjunction, doubled, exchange, left, r, right, t

p, c, s = symbols("p c s")
PRODUCT_COUNTS = (1, 2, 3)
MINORS = (1, 2, 3, 4)
Table = list[list[Expr]]


def table(name: str, rows: int, columns: int) -> Table:
    """Symbols for the entries of a matrix."""
    return [[Symbol(f"{name}{i}{j}") for j in range(1, columns + 1)] for i in range(1, rows + 1)]


def named(tables: Iterable[Table], domain: Domain) -> Domains:
    return tuple((entry, domain) for found in tables for row in found for entry in row)


def determinant(entries: Table, signed: bool = True) -> Expr:
    """By permutations; without signs the permanent."""
    places = range(len(entries))
    terms = []
    for order in permutations(places):
        swaps = sum(order[i] > order[j] for j in places for i in range(j)) if signed else 0
        terms.append(Mul(Integer(-1) ** swaps, *(entries[i][order[i]] for i in places)))
    return Add(*terms)


def values(products: int, size: int) -> Table:
    """The entries sum_r g[i, r] h[r, j] of a minor."""
    g, h = table("g", size, products), table("h", products, size)
    return [
        [Add(*(g[i][q] * h[q][j] for q in range(products))) for j in range(size)]
        for i in range(size)
    ]


def value_names(products: int, size: int) -> Domains:
    return named((table("g", size, products), table("h", products, size)), REALS)


def derive_matricisation_bound() -> Derivation:
    """Minors of size R + 1 vanish, R = 1, 2, 3; and for all sizes a combination of rows that
    vanishes for every g_r vanishes for the matricisation."""
    proof = Proof()
    parts = [
        proof.relate(
            determinant(values(count, count + 1)), "=", 0, "field",
            over=value_names(count, count + 1),
        )
        for count in PRODUCT_COUNTS
    ]  # fmt: skip
    return conjunction(proof, [*parts, _kernel(proof)])


ANNIHILATED = Relation(left(t), "=", Integer(0), ((t, integers(1)),))


def _kernel(proof: Proof) -> int:
    """sum_i a[k, i] u[i, r] = 0 for every r: each term of sum_r g_r h_r is 0, by induction on R."""
    whole = exchange(proof)
    given = (ANNIHILATED,)
    outer = tuple(pair for pair in SIZES if pair != PRODUCTS)
    over = (*outer, PRODUCTS)
    total = Sum(left(r) * right(r), (r, 1, R))
    held = (*given, Relation(total, "=", Integer(0)))
    general = proof.relate(
        *(left(t), "=", 0, "hypothesis"), over=(*outer, *ANNIHILATED.over), given=given
    )
    first = proof.relate(left(ONE), "=", 0, "substitute", general, over=outer, given=given, t=1)
    base = proof.relate(
        *(total.subs(R, 1), "=", 0, "linear", first), over=outer, given=given, c1=right(ONE)
    )
    before = proof.relate(total, "=", 0, "hypothesis", over=over, given=held)
    added = proof.relate(
        *(left(R + 1), "=", 0, "substitute", general), over=over, given=held, t=R + 1
    )
    step = proof.relate(
        *(total.subs(R, R + 1), "=", 0, "linear", before, added),
        over=over, given=held, c2=right(R + 1),
    )  # fmt: skip
    zero = proof.line(Relation(total, "=", Integer(0), over, given), "induction", base, step)
    return proof.relate(doubled(), "=", 0, "linear", whole, zero, over=SIZES, given=given)


def lifted(size: int) -> Table:
    """The entries s[i, j] + p q[i, j]."""
    low, high = table("s", size, size), table("q", size, size)
    return [[low[i][j] + p * high[i][j] for j in range(size)] for i in range(size)]


def carried(size: int) -> Expr:
    """K with det(S + p Q) = det S + p K: an integer polynomial in the entries and p."""
    change = determinant(lifted(size)) - determinant(table("s", size, size))
    return (Poly(change, p).quo(Poly(p, p))).as_expr()


def entry_names(size: int) -> Domains:
    tables = (table("s", size, size), table("q", size, size))
    return ((p, integers(2)), *named(tables, integers()))


REMAINDER: Domains = ((p, integers(2)), (s, integers(1, p - 1)))


def derive_modular_certificate() -> Derivation:
    """det(S + p Q) = det S + p K; p c + s is not 0 for 0 < s < p; so det(S + p Q) is not 0 if det S
    has a remainder other than 0."""
    proof = Proof()
    parts = [_lift(proof, size) for size in MINORS]
    nonzero = _remainder(proof)
    parts.append(nonzero)
    parts += [_minor(proof, size, nonzero) for size in MINORS[:3]]
    return conjunction(proof, parts)


def _lift(proof: Proof, size: int) -> int:
    low = determinant(table("s", size, size))
    return proof.relate(
        *(determinant(lifted(size)), "=", low + p * carried(size), "field"), over=entry_names(size)
    )


def _remainder(proof: Proof) -> int:
    """p c + s lies above 0 for c >= 0 and below for c <= -1."""
    halves = [
        proof.relate(p * c + s, "!=", 0, "sign", over=(*REMAINDER, (c, part)))
        for part in (integers(high=-1), integers(0))
    ]
    return proof.relate(p * c + s, "!=", 0, "cases", *halves, over=(*REMAINDER, (c, integers())))


def minor_remains(size: int) -> tuple[Relation, ...]:
    """The remainder of det S, which is det S - p c, lies between 1 and p - 1."""
    rest = determinant(table("s", size, size)) - p * c
    return (Relation(rest, ">=", ONE), Relation(rest, "<=", p - 1))


def _minor(proof: Proof, size: int, nonzero: int) -> int:
    rest = determinant(table("s", size, size)) - p * c
    return proof.relate(
        *(determinant(lifted(size)), "!=", 0, "substitute", nonzero),
        over=(*entry_names(size), (c, integers())), given=minor_remains(size),
        s=rest, c=c + carried(size),
    )  # fmt: skip
