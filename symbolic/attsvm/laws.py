"""What training does to W in the long run: the residual law and the sparsity law.

Notation: atoms A_j = (x_i,opt - x_it) z_i^T, one for each sub-optimal token, j = (i, t); their Gram
matrix G; the multipliers lambda of W^mm = sum lambda_j A_j; w_j = |l'(g_i,opt)| gap_j/n with the
logistic l, so |l'(g)| = 1/(1 + exp(g)). To leading order gradient flow is

    dW/dt = sum_j w_j exp(-<A_j, W>) A_j,

and where all constraints are support, G lambda = 1 with lambda > 0, it is solved by

    W(t) = log(t) W^mm + rho,   rho = sum_j mu_j A_j,   G mu = log(w/lambda).

Residual law: (1 - corr(W, W^mm)) |W|^2 tends to half the squared part of rho across W^mm.
Sparsity law: t (1 - s_i,opt) tends to sum_t lambda_it/w_it, and |W| grows like |W^mm| log t.
An atom that is no support would add a bounded part of its own to W, which no formula gives.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898; Vasudeva,
Deora, Thrampoulidis, arXiv 2402.05738.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sympy import (
    Derivative,
    Expr,
    IndexedBase,
    Integer,
    Matrix,
    Rational,
    Sum,
    exp,
    log,
    ones,
    sqrt,
    symbols,
)

from ..derivation import Derivation, Proof
from ..statements import REALS, Domain, Relation, above, integers

t, w, v, r, c, P, N = symbols("t w v r c P N")
k, m = symbols("k m")
b, lam, mu = IndexedBase("b"), IndexedBase("lam"), IndexedBase("mu")

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class SupportInstance:
    """Whole tokens (n, T, d), queries (n, d) and scores (n, T) where all constraints are support.

    The optimal token of each sequence is the one that scores highest.
    """

    tokens: tuple[Rows, ...]
    queries: Rows
    scores: Rows

    def __post_init__(self) -> None:
        for i, scores in enumerate(self.scores):
            if sorted(scores)[-1:] == sorted(scores)[-2:-1]:
                raise ValueError(
                    f"scores: expected one highest score a sequence; got a tie in sequence {i}."
                )
        if self.gram.det() == 0:
            raise ValueError(
                "tokens: expected independent atoms; got a singular Gram matrix, for which the "
                "law has no unique rho. Remove repeated or dependent tokens."
            )
        for (i, token), value in zip(self.pairs, self.multipliers, strict=True):
            if value <= 0:
                raise ValueError(
                    f"tokens: expected all constraints to be support, with multipliers above 0; "
                    f"got {value} for token {token} of sequence {i}. The laws do not apply."
                )

    @cached_property
    def optimal(self) -> tuple[int, ...]:
        return tuple(scores.index(max(scores)) for scores in self.scores)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(sequence, token) of each atom, in the order of sequences, then of tokens."""
        return tuple(
            (i, token)
            for i, best in enumerate(self.optimal)
            for token in range(len(self.scores[i]))
            if token != best
        )

    @cached_property
    def gram(self) -> Matrix:
        """G_jk = <dx_j, dx_k><z_j, z_k>."""
        moves = [
            [a - x for a, x in zip(self.tokens[i][self.optimal[i]], self.tokens[i][s], strict=True)]
            for i, s in self.pairs
        ]
        asked = [self.queries[i] for i, _ in self.pairs]
        size = len(self.pairs)
        return Matrix(size, size, lambda j, h: _dot(moves[j], moves[h]) * _dot(asked[j], asked[h]))

    @cached_property
    def multipliers(self) -> tuple[Rational, ...]:
        """lambda = G^-1 1."""
        return tuple(self.gram.LUsolve(ones(len(self.pairs), 1)))

    @cached_property
    def weights(self) -> tuple[Expr, ...]:
        """w_j = gap_j/(n (1 + exp(g_i,opt)))."""
        return tuple(share / (1 + exp(best)) for share, best in self._shares)

    @cached_property
    def levels(self) -> Matrix:
        """log(w/lambda), the margins that rho has, with the exponential in a term of its own."""
        return Matrix(
            [
                log(share / value) - log(1 + exp(best))
                for (share, best), value in zip(self._shares, self.multipliers, strict=True)
            ]
        )

    @cached_property
    def _shares(self) -> tuple[tuple[Rational, Integer], ...]:
        """(gap_j/n, g_i,opt) of each atom."""
        best = [max(scores) for scores in self.scores]
        return tuple(
            (Rational(best[i] - self.scores[i][s], len(best)), Integer(best[i]))
            for i, s in self.pairs
        )

    @property
    def norm_squared(self) -> Rational:
        """|W^mm|^2 = sum lambda."""
        return sum(self.multipliers, Integer(0))

    @property
    def residual_squared(self) -> Expr:
        """|rho|^2 = mu . G mu."""
        return self._along_and_squared(self.levels)[1]

    @property
    def residual_constant(self) -> Expr:
        """The limit of (1 - corr) |W|^2: half the squared part of rho across W^mm."""
        return self.across(self.levels) / 2

    def across(self, levels: Matrix) -> Expr:
        """The squared part across W^mm of the rho whose margins are `levels`."""
        along, squared = self._along_and_squared(levels)
        return squared - along**2 / self.norm_squared

    def _along_and_squared(self, levels: Matrix) -> tuple[Expr, Expr]:
        """<rho, W^mm> = lambda . G mu and |rho|^2 = (G mu) . G^-1 (G mu)."""
        along = (Matrix([self.multipliers]) * levels)[0, 0]
        return along, (levels.T * self.gram.inv() * levels)[0, 0]

    @property
    def rate_constant(self) -> Expr:
        """The limit of (1 - corr) log(t)^2."""
        return self.residual_constant / self.norm_squared

    def unattended(self, sequence: int) -> tuple[Expr, ...]:
        """lambda_it/w_it of each other token: their sum is the limit of t (1 - s_opt)."""
        terms = zip(self.pairs, self.multipliers, self.weights, strict=True)
        return tuple(a / e for (i, _), a, e in terms if i == sequence)

    @property
    def norm_deviation(self) -> Expr:
        """|rho|, the most by which |W| differs from |W^mm| log t in the end."""
        return sqrt(self.residual_squared)


def _dot(one: list[int] | tuple[int, ...], two: list[int] | tuple[int, ...]) -> int:
    return sum(a * e for a, e in zip(one, two, strict=True))


def margin(coefficients: Expr) -> Expr:
    """One row of G times the coefficients of W in the atoms."""
    return Sum(b[k] * coefficients, (k, 1, m))


SEQUENCES = ((b, REALS), (lam, REALS), (mu, REALS))
CURVE = log(t) * lam[k] + mu[k]
SUPPORT = (
    Relation(margin(lam[k]), "=", Integer(1)),
    Relation(margin(mu[k]), "=", log(w / v)),
)
FLOW_OVER = (*SEQUENCES, (t, above(0)), (w, above(0)), (v, above(0)), (m, integers(1)))


def pull() -> Relation:
    """w exp(-a) = lambda/t for the margin a of the curve: how hard its own flow pulls."""
    return Relation(w * exp(-margin(CURVE)), "=", v / t, FLOW_OVER, SUPPORT)


def speed() -> Relation:
    """d/dt (lambda log t + mu) = lambda/t: how fast the curve's coefficient moves."""
    over = ((r, REALS), (v, above(0)), (t, above(0)))
    return Relation(Derivative(v * log(t) + r, t), "=", v / t, over)


def derive_pull() -> Derivation:
    """The margin is log t + log(w/lambda), by linearity of the sum; then exponentiate."""
    proof = Proof(*FLOW_OVER, given=SUPPORT)
    split = _linearity(proof)
    one = proof.relate(margin(lam[k]), "=", 1, "hypothesis")
    level = proof.relate(margin(mu[k]), "=", log(w / v), "hypothesis")
    minus = proof.relate(
        *(-margin(CURVE), "=", -log(t) - log(w / v), "linear", split, one, level),
        c1=-1, c2=-log(t), c3=-1,
    )  # fmt: skip
    decay = proof.relate(exp(-margin(CURVE)), "=", v / (t * w), "exponential", minus)
    goal = pull()
    proof.relate(goal.lhs, "=", goal.rhs, "linear", decay, c1=w)
    return proof.done()


def _linearity(proof: Proof) -> int:
    """sum b (log(t) lambda + mu) = log(t) sum b lambda + sum b mu, by induction on m."""
    over = (*SEQUENCES, (t, above(0)), (m, integers(1)))
    left, right = margin(CURVE), log(t) * margin(lam[k]) + margin(mu[k])
    first = b[1] * (log(t) * lam[1] + mu[1])
    base = proof.relate(
        *(first, "=", log(t) * b[1] * lam[1] + b[1] * mu[1], "field"), over=over[:-1], given=()
    )
    assumed = (Relation(left, "=", right),)
    before = proof.relate(left, "=", right, "hypothesis", over=over, given=assumed)
    step = proof.relate(
        *(left.subs(m, m + 1), "=", right.subs(m, m + 1), "linear", before),
        over=over, given=assumed,
    )  # fmt: skip
    return proof.relate(left, "=", right, "induction", base, step, over=over, given=())


def derive_pull_of_two() -> Derivation:
    """The same for two atoms, each number with a name of its own."""
    b1, b2, l1, l2, r1, r2 = names = symbols("b1 b2 lam1 lam2 mu1 mu2")
    given = (
        Relation(b1 * l1 + b2 * l2, "=", Integer(1)),
        Relation(b1 * r1 + b2 * r2, "=", log(w / v)),
    )
    over = (*((name, REALS) for name in names), *((name, above(0)) for name in (t, w, v)))
    proof = Proof(*over, given=given)
    held = [proof.relate(one.lhs, "=", one.rhs, "hypothesis") for one in given]
    curve = b1 * (log(t) * l1 + r1) + b2 * (log(t) * l2 + r2)
    minus = proof.relate(
        *(-curve, "=", -log(t) - log(w / v), "linear", *held), c1=-log(t), c2=Integer(-1)
    )
    decay = proof.relate(exp(-curve), "=", v / (t * w), "exponential", minus)
    proof.relate(w * exp(-curve), "=", v / t, "linear", decay, c1=w)
    return proof.done()


def derive_speed() -> Derivation:
    goal = speed()
    proof = Proof(*goal.over)
    proof.relate(goal.lhs, "=", goal.rhs, "differentiate")
    return proof.done()


# N = |W|, P > 0 its part along W^mm: 1 - corr = 1 - P/N, and N^2 - P^2 is the part across, squared.
NORMS = ((P, above(0)), (N, Domain(P, low_open=False)))
SCALED = (1 - P / N) * N**2


def least(share: Expr = Rational(1, 2)) -> Relation:
    """(1 - corr) |W|^2 is at least half the squared part across W^mm."""
    return Relation(share * (N**2 - P**2), "<=", SCALED, NORMS)


def most() -> Relation:
    """... and exceeds it by at most Q^4/(8 P^2), Q the part across, P the one along."""
    across = N**2 - P**2
    return Relation(SCALED, "<=", across / 2 + across**2 / (8 * P**2), NORMS)


def derive_least() -> Derivation:
    """The difference is (N - P)^2/2."""
    goal = least()
    proof = Proof(*goal.over)
    proof.relate(goal.lhs, goal.op, goal.rhs, "linear", rest=(N - P) ** 2 / 2)
    return proof.done()


def derive_most() -> Derivation:
    """(N - P)^2/2 = Q^4/(2 (N + P)^2) <= Q^4/(8 P^2): the rest is (N - P)^3 (N + 3P)/(8 P^2)."""
    goal = most()
    proof = Proof(*goal.over)
    rest = (N - P) ** 3 * (N + 3 * P) / (8 * P**2)
    proof.relate(goal.lhs, goal.op, goal.rhs, "linear", rest=rest)
    return proof.done()


def spared() -> Relation:
    """t exp(-a) = lambda/w for the curve: one token's share of 1 - s_opt, times t."""
    return Relation(t * exp(-margin(CURVE)), "=", v / w, FLOW_OVER, SUPPORT)


def derive_spared() -> Derivation:
    proof = Proof(*FLOW_OVER, given=SUPPORT)
    lines = derive_pull().lines
    for line in lines:
        proof.line(line.statement, line.rule, *line.using, **dict(line.args))
    goal = spared()
    proof.relate(goal.lhs, "=", goal.rhs, "linear", len(lines), c1=t / w)
    return proof.done()


# With t S = c, S = sum of exp(-a) over the other tokens, 1 - s_opt is S/(1 + S) = c/(t + c).
TIMES = ((c, above(0)), (t, above(0)))


def unattended_bounds() -> tuple[Relation, Relation]:
    """c - c^2/t <= t (1 - s_opt) <= c."""
    share = t * (c / t) / (1 + c / t)
    return (
        Relation(c - c**2 / t, "<=", share, TIMES),
        Relation(share, "<=", c, TIMES),
    )


def derive_unattended_bounds() -> tuple[Derivation, Derivation]:
    derivations = []
    for goal, rest in zip(unattended_bounds(), (c**3 / (t * (t + c)), c**2 / (t + c)), strict=True):
        proof = Proof(*TIMES)
        proof.relate(goal.lhs, goal.op, goal.rhs, "linear", rest=rest)
        derivations.append(proof.done())
    return derivations[0], derivations[1]
