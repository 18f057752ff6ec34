"""Several selected tokens: attention with the head v.x - mu |x|^2 on orthonormal tokens.

Notation: g_it = v.x_it and s_i = softmax(X_i W z_i); the head at X_i^T s_i is
f_i = g_i.s_i - mu |s_i|^2 and the loss is the mean of l(f_i). On the simplex f_i is largest at one
point s*_i with a threshold theta_i: g_it - 2 mu s*_it is theta_i on the selected tokens and
theta_i - gap_it on the others.

Gradient flow has three parts, W = W^fin + C W^mm + W^res + o(1) with C = log t + C_0, t = eta k:
- W^fin lies in the span of the selected differences (x_it - x_it') z_i^T and gives each of them
  the margin log s*_it/s*_it';
- W^mm is the least W with margin 0 on the selected differences and at least 1 between a selected
  token and any other: W^mm = sum_j lambda_j B_j, where B_j = (x_i,selected - x_ij) z_i^T without
  its part in that span, j running over the unselected tokens;
- let w_j = |l'(f*_i)| gap_j/n, and kappa_j/e^C the attention to j at W^fin + C W^mm. The flow
  outside the span is sum_j w_j s_j B_j; it keeps the direction W^mm where w_j s_j is proportional
  to lambda_j, which makes <B_j, W^res> = log(w_j kappa_j/lambda_j) - C_0. This supposes that all
  lambda_j > 0; W^res vanishes only if the right sides agree.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sympy import (
    Add,
    Derivative,
    Expr,
    IndexedBase,
    Integer,
    Matrix,
    Rational,
    Sum,
    Symbol,
    cancel,
    exp,
    eye,
    factorrat,
    log,
    ones,
    oo,
    symbols,
    zeros,
)

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, Limit, Relation, above, integers, interval

Number = int | Fraction | Rational
Loss = Literal["linear", "logistic"]

# p, s: optimal and other attention to the K selected tokens; u: to the m others, with their gaps.
p, s, u, gap = (IndexedBase(name) for name in ("p", "s", "u", "gap"))
level, weight, a, time, K, m, i, j = symbols("theta mu a t K m i j")


@dataclass(frozen=True)
class OptimalMap:
    """The attention that maximises the head, its threshold, and which tokens it selects."""

    attention: tuple[Rational, ...]
    threshold: Rational
    selected: tuple[int, ...]


@dataclass(frozen=True)
class LimitComponents:
    """The three parts of the limit, exactly; `offset` is C_0 and W^res is orthogonal to W^mm."""

    finite: Matrix
    max_margin: Matrix
    residual: Matrix
    offset: Expr
    multipliers: tuple[Rational, ...]

    @property
    def residual_norm_squared(self) -> Expr:
        return (self.residual.T * self.residual).trace()

    def margin(self, difference: Sequence[Number], query: Sequence[Number]) -> Expr:
        """(x - x') . (W^fin + W^res) z, the limit of a margin that W^mm leaves at 0."""
        row, column = Matrix([list(difference)]), Matrix(list(query))
        return (row * (self.finite + self.residual) * column)[0].expand()


def optimal_map(scores: Sequence[Number], mu: Number) -> OptimalMap:
    """sparsemax(g/(2 mu)): the scores above the threshold, less it, over 2 mu."""
    g, square = [_exact("scores", score) for score in scores], _exact("mu", mu)
    if not g or square <= 0:
        raise ValueError(
            f"scores, mu: expected at least one score and mu > 0; got {len(g)} scores and "
            f"mu = {mu}. With mu <= 0 the head has no unique optimal map."
        )
    order = sorted(range(len(g)), key=lambda t: (-g[t], t))
    threshold = g[order[0]] - 2 * square
    for count in range(1, len(g) + 1):
        level = (sum((g[t] for t in order[:count]), Integer(0)) - 2 * square) / count
        if g[order[count - 1]] > level:
            threshold = level
    attention = tuple(max(score - threshold, Integer(0)) / (2 * square) for score in g)
    selected = tuple(t for t, share in enumerate(attention) if share > 0)
    return OptimalMap(attention, threshold, selected)


def limit_components(
    tokens: Sequence[Sequence[Sequence[Number]]],
    queries: Sequence[Sequence[Number]],
    scores: Sequence[Sequence[Number]],
    mu: Number,
    loss: Loss = "linear",
) -> LimitComponents:
    """W^fin, W^mm, W^res and C_0 of gradient flow from W = 0, for orthonormal tokens."""
    x, z = [_matrix("tokens", rows) for rows in tokens], _matrix("queries", queries)
    for i, rows in enumerate(x):
        if rows * rows.T != eye(rows.rows):
            raise ValueError(
                f"tokens: expected orthonormal tokens in sequence {i}; got the Gram matrix "
                f"{(rows * rows.T).tolist()}. Pass, e.g., rows of a rational rotation."
            )
    maps = [optimal_map(row, mu) for row in scores]
    equal, ratios, free, forces = _constraints(x, z, maps, scores, mu, loss)
    span = _stack(equal, z.cols**2)
    finite = _least(span, Matrix(ratios)) if equal else zeros(z.cols**2, 1)
    outside = _stack(free, z.cols**2)
    # log of w_j kappa_j: the force on j at W^fin, whose attention to j is kappa_j.
    targets = Matrix(forces) - outside * finite
    atoms = outside - (_projection(span) * outside.T).T if equal else outside
    gram = atoms * atoms.T
    if gram.det() == 0:
        raise ValueError(
            "tokens, queries: expected independent atoms of the unselected tokens; got dependent "
            "ones, for which W^res is not unique. Change a query."
        )
    multipliers = gram.LUsolve(ones(gram.rows, 1))
    if any(value <= 0 for value in multipliers):
        raise ValueError(
            "tokens, queries: expected every unselected token to support W^mm; got multipliers "
            f"{list(multipliers)}. W^res has no closed form then. Change a query."
        )
    targets = (targets - Matrix([_log(value) for value in multipliers])).expand()
    offset = (multipliers.T * targets)[0] / sum(multipliers)
    shifted = targets - offset * ones(gram.rows, 1)
    residual = (atoms.T * gram.LUsolve(shifted)).expand()
    parts = (finite, atoms.T * multipliers, residual)
    finite, best, rest = (part.reshape(z.cols, z.cols) for part in parts)
    return LimitComponents(finite, best, rest, offset.expand(), tuple(multipliers))


def span_rate(scores: Sequence[Number], mu: Number, strength: Number) -> tuple[Expr, ...]:
    """The limit of t (s_t/s*_t - 1) on the selected tokens of one sequence, less their mean.

    Differences of two entries are t times the error of log s_t/s_tau. With q unselected tokens out
    of T and strength a = |l'(f*)| |z|^2, the selected logits rise like q/(T t), which takes
    a s*_t (r_t - mean r) = q/(T t), r_t = g_t - 2 mu s_t; the others hold sum_j p_j/t.
    """
    best, force, square = optimal_map(scores, mu), _exact("strength", strength), _exact("mu", mu)
    length, count = len(best.attention), len(best.selected)
    gaps = [best.threshold - _exact("scores", g) for g in scores]
    others = [t for t in range(length) if t not in best.selected]
    held = sum((count / (force * length * gaps[t]) for t in others), Integer(0))
    rises = [len(others) / (force * length * best.attention[t]) for t in best.selected]
    shift = (2 * square * held - sum(rises)) / count
    changes = [
        -(shift + rise) / (2 * square * best.attention[t])
        for t, rise in zip(best.selected, rises, strict=True)
    ]
    middle = sum(changes, Integer(0)) / count
    return tuple(change - middle for change in changes)


def _constraints(
    x: list[Matrix],
    z: Matrix,
    maps: list[OptimalMap],
    scores: Sequence[Sequence[Number]],
    mu: Number,
    loss: Loss,
) -> tuple[list[Matrix], list[Expr], list[Matrix], list[Expr]]:
    """Selected differences with their log ratios; atoms of the others with the logs of w_j s*_ref,
    where ref is the first selected token of the sequence."""
    equal, ratios, free, forces = [], [], [], []
    for i, best in enumerate(maps):
        g = [_exact("scores", score) for score in scores[i]]
        first, query = best.selected[0], z[i, :]
        shares = zip(best.attention, g, strict=True)
        gain = sum(share * (score - _exact("mu", mu) * share) for share, score in shares)
        for t in range(len(g)):
            if t == first:
                continue
            atom = ((x[i][first, :] - x[i][t, :]).T * query).reshape(1, z.cols**2)
            if t in best.selected:
                equal.append(atom)
                ratios.append(_log(best.attention[first]) - _log(best.attention[t]))
                continue
            gap = best.threshold - g[t]
            if gap == 0:
                raise ValueError(
                    f"scores: expected no token on the edge of being selected; got token {t} of "
                    f"sequence {i}, whose score is the threshold {g[t]}. Change it or mu."
                )
            free.append(atom)
            forces.append(_log(gap / len(maps) * best.attention[first]) + _slope(gain, loss))
    return equal, ratios, free, forces


def _log(value: Rational) -> Expr:
    """In logarithms of primes, so that equal values look equal."""
    return Add(*(power * log(prime) for prime, power in factorrat(value).items()))


def _slope(value: Expr, loss: Loss) -> Expr:
    """log |l'(f)|."""
    return Integer(0) if loss == "linear" else -log(1 + exp(value))


def _stack(rows: list[Matrix], width: int) -> Matrix:
    return Matrix.vstack(*rows) if rows else zeros(0, width)


def _projection(rows: Matrix) -> Matrix:
    return rows.T * (rows * rows.T).inv() * rows


def _least(rows: Matrix, values: Matrix) -> Matrix:
    """The least solution of rows x = values."""
    gram = rows * rows.T
    if gram.det() == 0:
        raise ValueError(
            "tokens, queries: expected independent selected differences; got dependent ones, "
            "which need not have the margins log s*_t/s*_tau. Change a query."
        )
    return rows.T * gram.LUsolve(values)


def _matrix(name: str, rows: Sequence[Sequence[Number]]) -> Matrix:
    return Matrix([[_exact(name, value) for value in row] for row in rows])


def _exact(name: str, value: Number) -> Rational:
    if isinstance(value, bool) or not isinstance(value, int | Fraction | Rational):
        raise ValueError(
            f"{name}: expected exact numbers (int, Fraction or Rational); got {value!r} of type "
            f"{type(value).__name__}. Write 0.5 as Rational(1, 2)."
        )
    return Rational(value.numerator, value.denominator)


def derive_optimal_map() -> Derivation:
    """The head at (s, u) is the one at (p, 0), less mu |(s, u) - (p, 0)|^2 + sum_j gap_j u_j, plus
    theta times the change of the total, which is 0 on the simplex; for any number of tokens."""
    chosen: Domains = ((p, above(0)), (s, interval(0, oo, "[)")))
    others: Domains = ((u, interval(0, oo, "[)")), (gap, above(0)))
    heads: Domains = ((level, REALS), (weight, above(0)))
    proof = Proof()
    first = _by_induction(
        proof,
        lambda n: (
            Sum((level + 2 * weight * p[i]) * s[i], (i, 1, n))
            - weight * Sum(s[i] ** 2, (i, 1, n))
            - Sum((level + 2 * weight * p[i]) * p[i], (i, 1, n))
            + weight * Sum(p[i] ** 2, (i, 1, n))
            + weight * Sum((s[i] - p[i]) ** 2, (i, 1, n))
        ),
        lambda n: level * (Sum(s[i], (i, 1, n)) - Sum(p[i], (i, 1, n))),
        (*chosen, *heads),
        K,
    )
    second = _by_induction(
        proof,
        lambda n: Sum((level - gap[j]) * u[j], (j, 1, n)) + Sum(gap[j] * u[j], (j, 1, n)),
        lambda n: level * Sum(u[j], (j, 1, n)),
        (*others, *heads),
        m,
    )
    over = (*chosen, *others, *heads, (K, integers(1)), (m, integers(1)))
    head, bound = _heads()
    proof.relate(head, "=", bound, "linear", first, second, over=over)
    return proof.done()


def _heads() -> tuple[Expr, Expr]:
    """The head at (s, u), and what it equals."""
    chosen, others = (i, 1, K), (j, 1, m)
    head = (
        Sum((level + 2 * weight * p[i]) * s[i], chosen)
        + Sum((level - gap[j]) * u[j], others)
        - weight * (Sum(s[i] ** 2, chosen) + Sum(u[j] ** 2, others))
    )
    best = Sum((level + 2 * weight * p[i]) * p[i], chosen) - weight * Sum(p[i] ** 2, chosen)
    moved = Sum((s[i] - p[i]) ** 2, chosen) + Sum(u[j] ** 2, others)
    total = Sum(s[i], chosen) + Sum(u[j], others) - Sum(p[i], chosen)
    return head, best - weight * moved - Sum(gap[j] * u[j], others) + level * total


def _by_induction(
    proof: Proof,
    lhs: Callable[[Expr], Expr],
    rhs: Callable[[Expr], Expr],
    over: Domains,
    n: Symbol,
) -> int:
    """lhs = rhs for n = 1, 2, ..., where both add one term a step."""
    counted = (*over, (n, integers(1)))
    one = Integer(1)
    base = proof.relate(lhs(one), "=", rhs(one), "field", over=over)
    given = (Relation(lhs(n), "=", rhs(n)),)
    before = proof.relate(lhs(n), "=", rhs(n), "hypothesis", over=counted, given=given)
    step = proof.relate(lhs(n + 1), "=", rhs(n + 1), "linear", before, over=counted, given=given)
    return proof.relate(lhs(n), "=", rhs(n), "induction", base, step, over=counted)


def derive_gradient() -> Derivation:
    """The slope of the head in a logit: s_1 (r_1 - mean r), r_t = g_t - 2 mu s_t; three tokens."""
    logits, scores = symbols("l1:4"), symbols("g1:4")
    total = sum((exp(x) for x in logits), Integer(0))
    shares = [exp(x) / total for x in logits]
    slopes = [g - 2 * weight * share for g, share in zip(scores, shares, strict=True)]
    value = sum(share * (g - weight * share) for g, share in zip(scores, shares, strict=True))
    mean = sum(share * slope for share, slope in zip(shares, slopes, strict=True))
    proof = Proof(*((x, REALS) for x in (*logits, *scores)), (weight, above(0)))
    proof.relate(Derivative(value, logits[0]), "=", shares[0] * (slopes[0] - mean), "differentiate")
    return proof.done()


def derive_rates() -> Derivation:
    """Two unselected tokens with attention h_1/t and h_2/t that solve the flow near s*,
    d log s_j/dt = -a (gap_j s_j + (gap_1 s_1 + gap_2 s_2)/K): h_1 = K/((K + 2) a gap_1)."""
    h1, h2, gap1, gap2 = symbols("h1 h2 gap1 gap2")
    positive = ((x, above(0)) for x in (h1, h2, gap1, gap2, a))
    total = (gap1 * h1 + gap2 * h2) / K
    given = tuple(
        Relation(a * (force + total), "=", Integer(1)) for force in (gap1 * h1, gap2 * h2)
    )
    proof = Proof(*positive, (K, integers(1)), given=given)
    flows = [proof.relate(flow.lhs, "=", flow.rhs, "hypothesis") for flow in given]
    scale = 1 / (a * gap1 * (K + 2))
    proof.relate(h1, "=", K / ((K + 2) * a * gap1), "linear", *flows, c1=(K + 1) * scale, c2=-scale)
    return proof.done()


def force_ratio(gaps: Sequence[Number], factors: Sequence[Number]) -> Expr:
    """The forces on two unselected tokens, one over the other, where t = e^C and W is
    W^fin + C W^mm plus a part that multiplies their attention by `factors`.

    Here mu = 1/2, theta = 1/4 and s* = (3/4, 1/4) on the other two tokens. The attention is
    (3/4, 1/4, factor/t, factor/t) up to its sum; the ratio is given in lowest terms.
    """
    best = (Rational(3, 4), Rational(1, 4))
    parts = (*(part * time for part in best), *(Rational(factor) for factor in factors))
    total = sum(parts, Integer(0))
    scores = (*(Rational(1, 4) + part for part in best), *(Rational(1, 4) - gap for gap in gaps))
    slopes = [score * total - part for score, part in zip(scores, parts, strict=True)]
    mean = sum(part * slope for part, slope in zip(parts, slopes, strict=True))
    first, second = (total * slope - mean for slope in slopes[2:])
    return cancel(parts[2] * first / (parts[3] * second))


def derive_forces(gaps: Sequence[Number]) -> Derivation:
    """With W^res, which divides each attention by its gap, the forces agree in the limit."""
    ratio = force_ratio(gaps, [1 / Rational(gap) for gap in gaps])
    proof = Proof()
    proof.line(Limit(ratio, Integer(1), ((time, oo),), ((time, above(1)),)), "limit")
    return proof.done()
