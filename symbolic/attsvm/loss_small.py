"""The bounds of `loss` and `loss_reach` written out for one sequence of three tokens and for two
sequences of two: `gap` is the score gap of all other tokens, a1 and a2 are the margins."""

from __future__ import annotations

from sympy import Expr, Integer, Rational, exp, log, oo, symbols

from ..derivation import Proof
from ..statements import REALS, Domain, Domains, Relation, above, interval
from .loss import A, Three, eps, excess

gap, a1, a2, g1, g2, y = symbols("gap a1 a2 g1 g2 y")
GAP: Domains = ((gap, above(0)),)


def _margins(domain: Domain) -> Domains:
    return ((a1, domain), (a2, domain))


def _substituted(
    proof: Proof, slopes: Three, score: Expr, drop: Expr, over: Domains
) -> tuple[int, int, int]:
    """The three inequalities of the loss at this score and drop, which is seen to be positive."""
    gain = excess(score, drop)
    rights = (Integer(0), drop, drop / (1 + exp(score)))
    one, two, three = (
        proof.relate(gain, op, right, "substitute", slope, over=over, u=score, D=drop)
        for op, right, slope in zip((">", "<", ">"), rights, slopes, strict=True)
    )
    return one, two, three


def _small(proof: Proof, margin: Expr, over: Domains) -> int:
    """exp(-margin) <= exp(-A), where the domain says margin >= A."""
    far = proof.relate(-margin, "<=", -A, "sign", over=over)
    return proof.relate(exp(-margin), "<=", exp(-A), "exponential", far, over=over)


def _near(proof: Proof, over: Domains, given: tuple[Relation, ...]) -> int:
    """exp(-A) <= exp(-a1), where a1 <= A is given."""
    near = proof.relate(-A, "<=", -a1, "sign", over=over, given=given)
    return proof.relate(exp(-A), "<=", exp(-a1), "exponential", near, over=over, given=given)


def three_tokens(proof: Proof, slopes: Three) -> list[int]:
    """One sequence, two other tokens."""
    others = exp(-a1) + exp(-a2)
    drop = gap * others / (1 + others)
    gain, tilt = excess(g1, drop), 1 / (1 + exp(g1))
    free = (*GAP, (g1, REALS), *_margins(REALS))
    positive, below, above_drop = _substituted(proof, slopes, g1, drop, free)
    over = (*GAP, (g1, REALS), (A, REALS), *_margins(interval(A, oo, "[)")))
    each = [_small(proof, margin, over) for margin in (a1, a2)]
    upper = proof.relate(
        *(gain, "<=", 2 * gap * exp(-A), "linear", below, *each), over=over,
        c2=gap, c3=gap, rest=gap * others**2 / (1 + others),
    )  # fmt: skip
    least = log(2 * gap / eps)
    far = ((eps, above(0)), *GAP, (g1, REALS), *_margins(interval(least, oo, "[)")))
    near = (*GAP, (g1, REALS), (A, REALS), *_margins(REALS))
    given = (Relation(a1, "<=", A),)
    scale = gap * tilt / ((1 + others) * (1 + exp(-A)))
    lower = proof.relate(
        *(gain, ">", gap / (1 + exp(A)) * tilt, "linear", above_drop, _near(proof, near, given)),
        over=near, given=given, c2=scale, rest=scale * exp(-a2),
    )  # fmt: skip
    return [
        positive,
        upper,
        proof.relate(gain, "<=", eps, "substitute", upper, over=far, A=least),
        lower,
        _forced(proof, lower, gain, tilt, (g1,), 1),
        _opposed_tokens(proof, slopes),
    ]


def _forced(
    proof: Proof, lower: int, mean: Expr, tilt: Expr, scores: tuple[Expr, ...], count: int
) -> int:
    """Mean excess <= eps: exp(a1) > gap/(count eps (1 + exp(g1))) - 1."""
    over = (*GAP, *((score, REALS) for score in scores), (eps, above(0)), *_margins(REALS))
    given = (Relation(mean, "<=", eps),)
    bound = gap / count / (1 + exp(a1)) * tilt
    here = proof.relate(mean, ">", bound, "substitute", lower, over=over, given=given, A=a1)
    close = proof.relate(mean, "<=", eps, "hypothesis", over=over, given=given)
    scale = (1 + exp(a1)) / eps
    return proof.relate(
        *(exp(a1), ">", gap / count / eps * tilt - 1, "linear", here, close),
        over=over, given=given, c1=scale, c2=scale,
    )  # fmt: skip


def _opposed_tokens(proof: Proof, slopes: Three) -> int:
    """Margins y and -y are those of infeasible data: the excess exceeds gap/(2 (1 + exp(g)))."""
    over = (*GAP, (g1, REALS), (y, REALS))
    others = exp(-y) + exp(y)
    drop = gap * others / (1 + others)
    _, _, above_drop = _substituted(proof, slopes, g1, drop, over)
    tilt = 1 / (1 + exp(g1))
    # E - 1 = (e^(y/2) - e^(-y/2))^2 + 1, written without roots: (e^y - 1)^2 e^(-y) + 1.
    rest = gap * tilt * ((exp(y) - 1) ** 2 * exp(-y) + 1) / (2 * (1 + others))
    return proof.relate(
        excess(g1, drop), ">=", gap / 2 * tilt, "linear", above_drop, over=over, rest=rest
    )


def two_sequences(proof: Proof, slopes: Three) -> list[int]:
    """Two sequences, one other token each."""
    drops = tuple(gap * exp(-margin) / (1 + exp(-margin)) for margin in (a1, a2))
    mean = (excess(g1, drops[0]) + excess(g2, drops[1])) / 2
    scores = ((g1, REALS), (g2, REALS))
    first, second = (
        _substituted(proof, slopes, score, drop, (*GAP, (score, REALS), (margin, REALS)))
        for score, drop, margin in zip((g1, g2), drops, (a1, a2), strict=True)
    )
    over = (*GAP, *scores, (A, REALS), *_margins(interval(A, oo, "[)")))
    each = [_small(proof, margin, over) for margin in (a1, a2)]
    half = Rational(1, 2)
    upper = proof.relate(
        *(mean, "<=", gap * exp(-A), "linear", first[1], second[1], *each), over=over,
        c1=half, c2=half, c3=gap / 2, c4=gap / 2,
        rest=(drops[0] * exp(-a1) + drops[1] * exp(-a2)) / 2,
    )  # fmt: skip
    near = (*GAP, *scores, (A, REALS), *_margins(REALS))
    given = (Relation(a1, "<=", A),)
    tilt = 1 / (1 + exp(g1))
    lower = proof.relate(
        *(mean, ">", gap / 2 / (1 + exp(A)) * tilt, "linear", first[2], second[0]),
        *(_near(proof, near, given),), over=near, given=given,
        c1=half, c2=half, c3=gap * tilt / (2 * (1 + exp(-a1)) * (1 + exp(-A))),
    )  # fmt: skip
    return [upper, lower, _forced(proof, lower, mean, tilt, (g1, g2), 2), _opposed(proof, slopes)]


def _opposed(proof: Proof, slopes: Three) -> int:
    """Sequences with margins y and -y: the mean excess exceeds gap/(2 n (1 + exp(g))), n = 2."""
    over = (*GAP, (g1, REALS), (y, REALS))
    drops = tuple(gap * exp(-margin) / (1 + exp(-margin)) for margin in (y, -y))
    tilt = 1 / (1 + exp(g1))
    lines = [_substituted(proof, slopes, g1, drop, over)[2] for drop in drops]
    mean = (excess(g1, drops[0]) + excess(g1, drops[1])) / 2
    half = Rational(1, 2)
    return proof.relate(
        *(mean, ">=", gap / 4 * tilt, "linear", *lines), over=over,
        c1=half, c2=half, rest=gap / 4 * tilt,
    )  # fmt: skip
