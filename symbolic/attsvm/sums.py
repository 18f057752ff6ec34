"""Sums in derivations: what holds term by term holds for sums, by induction."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from sympy import Expr, Integer, Sum, Symbol, symbols

from ..derivation import Proof
from ..statements import Relation, integers

k, q, u = symbols("k q u")
Term = Callable[[Expr], Expr]


def total(term: Term, count: Expr, index: Symbol) -> Expr:
    """term(1) + ... + term(count)."""
    return Sum(term(index), (index, 1, count))


class Sums(Proof):
    """A proof whose lines may be added up; the names k, q and u are its own."""

    def added(self, line: int, left: Term, right: Term) -> int:
        """x(t) op y(t) for t >= 1 |- left(k) op right(k) for k >= 0, which grow by x and y."""
        general = cast(Relation, self.statement(line))
        (*outer, (last, _)), given, op = general.over, general.given, general.op
        over, held = (*outer, (k, integers(0))), (*given, Relation(left(k), op, right(k)))
        none, new = (left(Integer(0)), right(Integer(0))), {last: k + 1}
        base = self.relate(none[0], op, none[1], "linear", over=tuple(outer), given=given)
        before = self.relate(left(k), op, right(k), "hypothesis", over=over, given=held)
        one = self.relate(
            *(general.lhs.xreplace(new), op, general.rhs.xreplace(new), "substitute", line),
            over=over, given=held, **{str(last): k + 1},
        )  # fmt: skip
        step = self.relate(
            *(left(k + 1), op, right(k + 1), "linear", before, one), over=over, given=held
        )
        return self.relate(left(k), op, right(k), "induction", base, step, over=over, given=given)

    def summed(self, line: int, left: Term, right: Term, count: Expr) -> int:
        """x(t) op y(t) for t >= 1 |- left(count) op right(count)."""
        every = self.added(line, left, right)
        general = cast(Relation, self.statement(every))
        return self.relate(
            *(left(count), general.op, right(count), "substitute", every),
            over=general.over[:-1], given=general.given, k=count,
        )  # fmt: skip

    def one_of(self, line: int, term: Term, index: Symbol, count: Expr) -> int:
        """x(t) >= 0 for t >= 1 |- x(t) <= x(1) + ... + x(count), for t from 1 to count.

        With t = u + 1 and count = t + q, by induction on q.
        """
        general = cast(Relation, self.statement(line))
        (*outer, (last, _)), given = general.over, general.given
        some = self.added(line, lambda count: total(term, count, index), lambda _: Integer(0))
        first, longer = term(u + 1), total(term, u + q + 1, index)
        over = (*outer, (u, integers(0)))
        empty = self.relate(
            *(total(term, u, index), ">=", 0, "substitute", some), over=over, given=given, k=u
        )
        base = self.relate(
            *(first, "<=", total(term, u + 1, index), "linear", empty), over=over, given=given
        )
        over, held = (*over, (q, integers(0))), (*given, Relation(first, "<=", longer))
        before = self.relate(first, "<=", longer, "hypothesis", over=over, given=held)
        one = self.relate(
            *(term(u + q + 2), ">=", 0, "substitute", line),
            over=over, given=held, **{str(last): u + q + 2},
        )  # fmt: skip
        step = self.relate(
            *(first, "<=", total(term, u + q + 2, index), "linear", before, one),
            over=over, given=held,
        )  # fmt: skip
        every = self.relate(first, "<=", longer, "induction", base, step, over=over, given=given)
        return self.relate(
            *(term(last), "<=", total(term, count, index), "substitute", every),
            over=(*outer, (last, integers(1, count))), given=given, u=last - 1, q=count - last,
        )  # fmt: skip
