"""The path theorem for n sequences of m + 1 tokens: from excesses to margins to the correlation.

Notation as in `path`. Sums run over i and j, s and t stand for a sequence and a token.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, IndexedBase, Integer, Sum, exp, oo, symbols

from ..statements import REALS, Domains, Operator, Relation, above, integers, interval
from .sums import Sums, Term, total

n, m, i, j, s, t = symbols("n m i j s t")
N, R, w, pmin, pmax = symbols("N R w pmin pmax")
a, b, p, lam = map(IndexedBase, ("a", "b", "p", "lam"))

SIZES: Domains = (
    *((n, integers(1)), (m, integers(1)), (N, above(0)), (R, above(0)), (w, interval(0, R, "(]"))),
    *((pmin, above(0)), (pmax, interval(pmin, oo, "[)"))),
    *((a, REALS), (b, interval(1, oo, "[)")), (p, interval(pmin, pmax, "[]"))),
    (lam, interval(0, oo, "[)")),
)
ANY_TOKEN: Domains = (*SIZES, (s, integers(1)), (t, integers(1)))


def left(sequence: Expr, token: Expr) -> Expr:
    """How much attention W leaves to a token, against 1 for the best one."""
    return exp(-a[sequence, token])


def scaled_left(sequence: Expr, token: Expr) -> Expr:
    """The same for the max-margin solution scaled to norm R."""
    return exp(-R * b[sequence, token] / N)


def shortfall(sequence: Expr, scaled: bool = False) -> Expr:
    """D of a sequence, at W or at the scaled solution."""
    rest = (scaled_left if scaled else left)(sequence, j)
    return Sum(p[sequence, j] * rest, (j, 1, m)) / (1 + Sum(rest, (j, 1, m)))


@dataclass(frozen=True)
class Loss:
    """Bounds of a loss's slope, the excess of a sequence at W and at the scaled solution, and
    the path constant log(2 n m kappa)."""

    slopes: tuple[Expr, Expr]
    mine: Term
    scaled: Term
    constant: Expr

    def given(self) -> tuple[Relation, ...]:
        """Multipliers live on the n m constraints and add up to N^2; R is not too small."""
        rows = Sum(Sum(lam[i, j], (j, 1, m)) / N**2, (i, 1, n))
        return (
            Relation(rows, "=", Integer(1)),
            Relation(R, ">=", N * self.constant),
            Relation(lam[s, t], "=", Integer(0), ((s, integers(1)), (t, integers(m + 1)))),
            Relation(lam[s, t], "=", Integer(0), ((t, integers(1)), (s, integers(n + 1)))),
        )


@dataclass(frozen=True)
class Rows:
    """Lines about the sums over one sequence, which no loss enters."""

    scaled: int
    mine: int
    own: int


def rows(proof: Sums) -> Rows:
    """sum p exp(-R b/N) <= m pmax exp(-R/N);  pmin sum exp(-a) <= sum p exp(-a);
    exp(-a) <= sum exp(-a)."""

    def relate(
        lhs: Expr, op: Operator, rhs: Expr | int, rule: str, *using: int, **args: Expr
    ) -> int:
        return proof.relate(lhs, op, rhs, rule, *using, over=ANY_TOKEN, given=(), **args)

    top, here = pmax * exp(-R / N), scaled_left(s, t)
    less = relate(-R * b[s, t] / N, "<=", -R / N, "sign")
    near = relate(here, "<=", exp(-R / N), "exponential", less)
    gap = relate(p[s, t], "<=", pmax, "sign")
    term = relate(p[s, t] * here, "<=", top, "linear", gap, near, c1=here, c2=pmax)
    scaled = proof.summed(
        term,
        lambda count: Sum(p[s, j] * scaled_left(s, j), (j, 1, count)),
        lambda count: count * top,
        m,
    )
    gap = relate(pmin, "<=", p[s, t], "sign")
    term = relate(pmin * left(s, t), "<=", p[s, t] * left(s, t), "linear", gap, c1=left(s, t))
    mine = proof.summed(
        term,
        lambda count: pmin * Sum(left(s, j), (j, 1, count)),
        lambda count: Sum(p[s, j] * left(s, j), (j, 1, count)),
        m,
    )
    positive = relate(left(s, t), ">=", 0, "sign")
    return Rows(scaled, mine, proof.one_of(positive, lambda token: left(s, token), j, m))


@dataclass
class Path:
    """The proof for one loss, in the scope of `proof`; its excesses need only `given`."""

    proof: Sums
    loss: Loss
    rows: Rows
    given: tuple[Relation, ...]

    def __post_init__(self) -> None:
        self.low, self.high = self.loss.slopes
        self.any_s = (*self.proof.over, (s, integers(1)))
        self.one_s = (*self.proof.over, (s, integers(1, n)))
        self.one_t = (*self.one_s, (t, integers(1, m)))
        self.worst = n * m * self.high * pmax * exp(-R / N)
        self.all_left = Sum(left(s, j), (j, 1, m))

    def ceiling(self, high: int) -> int:
        """scaled <= lmax D |- the scaled excesses add up to at most n m lmax pmax exp(-R/N)."""
        most = self.high * m * pmax * exp(-R / N)
        rest = Sum(scaled_left(s, j), (j, 1, m))
        slack = self.high * shortfall(s, scaled=True) * rest
        one = self.proof.relate(
            *(self.loss.scaled(s), "<=", most, "linear", high, self.rows.scaled),
            over=self.any_s, given=self.given, c2=self.high, rest=slack,
        )  # fmt: skip
        return self.proof.summed(
            one, lambda count: total(self.loss.scaled, count, i), lambda count: count * most, n
        )

    def floor(self, low: int) -> tuple[int, int]:
        """mine >= lmin D |- mine >= lmin pmin r/(1 + r), r = sum_j exp(-a); so too their sum."""
        least = self.low * pmin * self.all_left / (1 + self.all_left)
        one = self.proof.relate(
            *(least, "<=", self.loss.mine(s), "linear", low, self.rows.mine),
            over=self.any_s, given=self.given, c2=self.low / (1 + self.all_left),
        )  # fmt: skip
        positive = self.proof.relate(
            *(self.loss.mine(s), ">=", 0, "linear", one),
            over=self.any_s, given=self.given, rest=least,
        )  # fmt: skip
        return one, self.proof.one_of(positive, self.loss.mine, i, n)

    def margins(self, low: int, high: int, better: int, enough: int) -> int:
        """a >= R/N - log(2 n m kappa), every margin, since every excess is small."""
        relate, constant, small = self.proof.relate, self.loss.constant, self.low * pmin
        floor, ceiling = self.floor(low), self.ceiling(high)
        excess = relate(
            *(small * self.all_left / (1 + self.all_left), "<=", self.worst, "linear"),
            *(*floor, better, ceiling), over=self.one_s,
        )  # fmt: skip
        exponent = relate(-R / N, "<=", -constant, "linear", enough, c1=1 / N)
        far = relate(exp(-R / N), "<=", exp(-constant), "exponential", exponent)
        half = relate(
            *(2 * self.worst, "<=", small, "linear", far), c1=2 * n * m * self.high * pmax
        )
        together = relate(
            *(small * self.all_left, "<=", 2 * self.worst, "linear", excess, half),
            over=self.one_s, c1=2 * (1 + self.all_left), c2=self.all_left,
        )  # fmt: skip
        bound = relate(
            *(left(s, t), "<=", exp(constant - R / N), "linear", self.rows.own, together),
            over=self.one_t, c2=1 / small,
        )  # fmt: skip
        return relate(-a[s, t], "<=", constant - R / N, "exponential", bound, over=self.one_t)

    def weighted(self, margins: int, level: Expr) -> int:
        """lam a >= lam level for all s and t, since lam is 0 where there is no margin."""
        any_t = (*self.proof.over, (t, integers(1)))

        def holds(rule: str, *using: int, over: Domains, **args: Expr) -> int:
            sides = lam[s, t] * a[s, t], lam[s, t] * level
            return self.proof.relate(sides[0], ">=", sides[1], rule, *using, over=over, **args)

        def beyond(over: Domains, within: Domains) -> int:
            none = self.proof.relate(lam[s, t], "=", 0, "hypothesis", over=over)
            return holds("linear", none, over=within, c1=level - a[s, t])

        inside = holds("linear", margins, over=self.one_t, c1=lam[s, t])
        far = (t, integers(m + 1))
        outside = beyond((*self.any_s, far), (*self.one_s, far))
        some = holds("cases", inside, outside, over=(*self.one_s, (t, integers(1))))
        first = holds("linear", some, over=(*any_t, (s, integers(1, n))))
        far = (s, integers(n + 1))
        last = beyond((*any_t, far), (*any_t, far))
        whole = holds("cases", first, last, over=(*any_t, (s, integers(1))))
        return holds("linear", whole, over=(*self.any_s, (t, integers(1))))

    def conclusion(self, low: int, high: int, better: int) -> int:
        """Weighted by the multipliers the margins add up to the correlation."""
        relate, constant, unit = self.proof.relate, self.loss.constant, self.loss.given()[0]
        enough = relate(R, ">=", N * constant, "hypothesis")
        level = R / N - constant

        def inner(sequence: Expr) -> Expr:
            return Sum(lam[sequence, j] * a[sequence, j], (j, 1, m)) / (N * w)

        def weight(sequence: Expr) -> Expr:
            return Sum(lam[sequence, j], (j, 1, m)) / N**2

        row = self.proof.summed(
            self.weighted(self.margins(low, high, better, enough), level),
            lambda count: Sum(lam[s, j] * a[s, j], (j, 1, count)),
            lambda count: level * Sum(lam[s, j], (j, 1, count)),
            m,
        )
        one = relate(
            *(inner(s), ">=", level * N / w * weight(s), "linear", row),
            over=self.any_s, c1=1 / (N * w),
        )  # fmt: skip
        every = self.proof.summed(
            one,
            lambda count: total(inner, count, i),
            lambda count: level * N / w * total(weight, count, i),
            n,
        )
        norm = relate(unit.lhs, "=", unit.rhs, "hypothesis")
        return relate(
            *(1 - total(inner, n, i), "<=", N * constant / R, "linear", every, norm, enough),
            c2=-level * N / w, c3=(R - w) / (w * R),
        )  # fmt: skip
