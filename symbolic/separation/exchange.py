"""Products of matrices of all sizes can be bracketed in two ways: what is separated stays so.

Notation: a[k, i], i <= n, then u[i, r] and v[r, j], r <= R, and b[j, l], j <= m, are any numbers.

    sum_i a[k, i] sum_j (sum_r u[i, r] v[r, j]) b[j, l] = sum_r g_r h_r,
    g_r = sum_i a[k, i] u[i, r],    h_r = sum_j v[r, j] b[j, l].

Read a[k, i] as monomial i at point k, b in the same way, and u v as the coefficients of a
polynomial: a matrix of rank R gives R products. Read u v as the values of R products at points,
and a and b as functionals that return coefficients: R products give a matrix of rank R at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, IndexedBase, Integer, Sum, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domain, Domains, Every, Relation, Variable, integers

i, j, r, t, w, e, k, l, n, m, R = symbols("i j r t w e k l n m R")  # noqa: E741
u, v, a, b = map(IndexedBase, "uvab")
ONE, ZERO = Integer(1), Integer(0)
DATA: Domains = ((u, REALS), (v, REALS), (a, REALS), (b, REALS))
PLACES: Domains = ((k, integers(1)), (l, integers(1)))
ROW, PRODUCTS = (t, integers(1)), (R, integers(1))
LEFT_SIZE, RIGHT_SIZE = (n, integers(1)), (m, integers(1))
SIZES: Domains = (*DATA, *PLACES, RIGHT_SIZE, PRODUCTS, LEFT_SIZE)
Size = tuple[Variable, Domain]


def right(row: Expr, size: Expr = m) -> Expr:
    """h_row"""
    return Sum(v[row, j] * b[j, l], (j, 1, size))


def left(row: Expr, size: Expr = n) -> Expr:
    """g_row"""
    return Sum(a[k, i] * u[i, row], (i, 1, size))


def mixed(row: Expr, size: Expr = m) -> Expr:
    """sum_j (sum_r u[row, r] v[r, j]) b[j, l]"""
    return Sum(Sum(u[row, r] * v[r, j], (r, 1, R)) * b[j, l], (j, 1, size))


def doubled(size: Expr = n) -> Expr:
    """The left side of the identity above."""
    return Sum(a[k, i] * mixed(i), (i, 1, size))


def separated(size: Expr = n) -> Expr:
    """Its right side."""
    return Sum(left(r, size) * right(r), (r, 1, R))


def conjunction(proof: Proof, parts: list[int]) -> Derivation:
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


@dataclass(frozen=True)
class Nested:
    """sum_r weight(r) inner(r, size), where inner ends with the term entry(r, size) factor(size);
    `fixed` are further variables."""

    fixed: Domains
    weight: Callable[[Expr], Expr]
    inner: Callable[[Expr, Expr], Expr]
    entry: Callable[[Expr, Expr], Expr]
    factor: Callable[[Expr], Expr]

    def added(self, last: Expr) -> Expr:
        """What the last term of inner contributes."""
        return self.factor(last) * Sum(self.weight(r) * self.entry(r, last), (r, 1, R))


ROWS = Nested(
    (*PLACES, ROW),
    weight=lambda row: u[t, row],
    inner=right,
    entry=lambda row, last: v[row, last],
    factor=lambda last: b[last, l],
)
COLUMNS = Nested(
    (*PLACES, RIGHT_SIZE),
    weight=right,
    inner=left,
    entry=lambda row, last: u[last, row],
    factor=lambda last: a[k, last],
)


def exchange_row(proof: Proof) -> int:
    """sum_j (sum_r u[t, r] v[r, j]) b[j, l] = sum_r u[t, r] h_r, by induction on m."""
    over = (*DATA, *ROWS.fixed, PRODUCTS, RIGHT_SIZE)
    goal = Relation(mixed(t), "=", Sum(u[t, r] * right(r), (r, 1, R)), over)
    return _exchanged(proof, goal, ROWS)


def exchange(proof: Proof) -> int:
    """The identity of the module, by induction on n."""
    rows = exchange_row(proof)
    return _exchanged(proof, Relation(doubled(), "=", separated(), SIZES), COLUMNS, rows)


def _exchanged(proof: Proof, goal: Relation, sums: Nested, rows: int | None = None) -> int:
    """The right side grows by `added` with the size, the left one by the same, seen from `rows`."""
    before, (size, _) = goal.over[:-1], goal.over[-1]
    held = (Relation(goal.lhs, "=", goal.rhs),)
    sides = goal.lhs.subs(size, 1), goal.rhs.subs(size, 1)
    first = last_term(proof, sums, None)
    one = proof.relate(sides[1], "=", sums.added(ONE), "substitute", first, over=before, e=1)
    used = [one, *_row(proof, rows, ONE, before, ())]
    factors = (Integer(-1), sums.factor(ONE))[: len(used)]
    base = proof.relate(
        *(sides[0], "=", sides[1], "linear", *used), over=before, **_numbered(1, factors)
    )
    later = last_term(proof, sums, (size, integers(1)))
    grown = proof.relate(
        *(goal.rhs.subs(size, size + 1), "=", goal.rhs + sums.added(size + 1), "substitute"),
        later, over=goal.over, given=held, e=size + 1,
    )  # fmt: skip
    hypothesis = proof.relate(goal.lhs, "=", goal.rhs, "hypothesis", over=goal.over, given=held)
    used = [hypothesis, grown, *_row(proof, rows, size + 1, goal.over, held)]
    factors = (Integer(-1), sums.factor(size + 1))[: len(used) - 1]
    step = proof.relate(
        *(goal.lhs.subs(size, size + 1), "=", goal.rhs.subs(size, size + 1), "linear", *used),
        over=goal.over, given=held, **_numbered(2, factors),
    )  # fmt: skip
    return proof.line(goal, "induction", base, step)


def _numbered(first: int, factors: tuple[Expr, ...]) -> dict[str, Expr]:
    return {f"c{number}": factor for number, factor in enumerate(factors, first)}


def _row(
    proof: Proof, rows: int | None, at: Expr, over: Domains, given: tuple[Relation, ...]
) -> list[int]:
    """The exchange within row `at`."""
    if rows is None:
        return []
    sums = Sum(u[at, r] * right(r), (r, 1, R))
    return [proof.relate(mixed(at), "=", sums, "substitute", rows, over=over, given=given, t=at)]


def last_term(proof: Proof, sums: Nested, size: Size | None) -> int:
    """The nested sum at the bound e = size + 1, or 1, with the last term of inner written out.

    By induction on R. The bound has the name e, as one inside a sum is not taken apart.
    """
    sizes: Domains = () if size is None else (size,)
    shorter: Expr = ZERO if size is None else size[0]
    last = shorter + 1
    only = (e, integers(last, last))
    one_row = (*DATA, *sums.fixed, (w, integers(1)), *sizes)

    def apart(row: Expr) -> Expr:
        rest = ZERO if size is None else sums.inner(row, shorter)
        return rest + sums.entry(row, last) * sums.factor(last)

    at_last = proof.relate(sums.inner(w, last), "=", apart(w), "field", over=one_row)
    named = proof.relate(sums.inner(w, e), "=", apart(w), "point", at_last, over=(*one_row, only))
    equal = proof.relate(last, "<=", last, "sign", over=sizes)
    most = proof.relate(e, "<=", last, "point", equal, over=(*sizes, only))
    over = (*DATA, *sums.fixed, *sizes, only, PRODUCTS)
    rest = ZERO if size is None else Sum(sums.weight(r) * sums.inner(r, shorter), (r, 1, R))
    whole = Sum(sums.weight(r) * sums.inner(r, e), (r, 1, R))
    goal = Relation(whole, "=", rest + sums.added(last), over)
    first = proof.relate(
        *(sums.inner(ONE, e), "=", apart(ONE), "substitute", named, most), over=over[:-1], w=1
    )
    base = proof.relate(
        *(goal.lhs.subs(R, 1), "=", goal.rhs.subs(R, 1), "linear", first),
        over=over[:-1], c1=sums.weight(ONE),
    )  # fmt: skip
    held = (Relation(goal.lhs, "=", goal.rhs),)
    before = proof.relate(goal.lhs, "=", goal.rhs, "hypothesis", over=over, given=held)
    added = proof.relate(
        *(sums.inner(R + 1, e), "=", apart(R + 1), "substitute", named, most),
        over=over, given=held, w=R + 1,
    )  # fmt: skip
    step = proof.relate(
        *(goal.lhs.subs(R, R + 1), "=", goal.rhs.subs(R, R + 1), "linear", before, added),
        over=over, given=held, c2=sums.weight(R + 1),
    )  # fmt: skip
    return proof.line(goal, "induction", base, step)
