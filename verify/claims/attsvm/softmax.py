"""Softmax: its identities, and when the share of a token tends to 1."""

from __future__ import annotations

from functools import partial

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, exp, log, oo, symbols

from ....symbolic import attsvm as theory
from ....symbolic.statements import (
    REALS,
    Domain,
    Domains,
    Every,
    Limit,
    Operator,
    Relation,
    integers,
    interval,
)
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence
from .points import Point, probed

SEED = "seed 003, Optimisation"
PAPER = "arXiv 2308.16898, section 2"
TOKENS = "l0 is the logit of the token, l[1], ..., l[m] those of the others, m = T - 1 >= 1"

l0, x1, x2, m, i, j, a, eps = symbols("l0 x1 x2 m i j a eps")
L = IndexedBase("l")
OTHERS = Sum(exp(L[i]), (i, 1, m))
PAIR = exp(x1) + exp(x2)
ONE = Integer(1)
SHARE, SHARE_OF_THREE = (exp(l0) / (exp(l0) + others) for others in (OTHERS, PAIR))


def observed(points: list[Point], device: str) -> list[dict[Expr, float]]:
    """The share of the first of three tokens, and the sum of all, by torch's own softmax."""
    import torch

    from ....numeric.device import resolve

    place, dtype = resolve(device)
    rows = [[float(point[name]) for name in (l0, x1, x2)] for point in points]
    shares = torch.softmax(torch.tensor(rows, dtype=dtype, device=place), -1)
    whole = sum((exp(x) / (exp(l0) + PAIR) for x in (x1, x2)), SHARE_OF_THREE)
    return [
        {SHARE_OF_THREE: first, whole: total}
        for first, total in zip(shares[:, 0].tolist(), shares.sum(-1).tolist(), strict=True)
    ]


def explore_shares(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The parts about three tokens, at random logits."""
    return probed(statement, settings, observed)


def identity(way: int = -1, first: int = 1, total: int = 1, most: Expr = ONE) -> Every:
    """S = 1/(1 + Sum exp(-gap)), all shares add up to 1, 0 < S < 1; for all T, and for T = 3."""
    general: Domains = ((l0, REALS), (L, REALS), (m, integers(1)))
    three: Domains = ((l0, REALS), (x1, REALS), (x2, REALS))
    ratios = (
        Sum(exp(way * (l0 - L[i])), (i, 1, m)),
        exp(way * (l0 - x1)) + exp(way * (l0 - x2)),
    )
    shares = (
        Sum(exp(L[j]) / (exp(l0) + OTHERS), (j, 1, m)),
        exp(x1) / (exp(l0) + PAIR) + exp(x2) / (exp(l0) + PAIR),
    )
    parts: list[Relation] = []
    for share, ratio, others, over in zip(
        (SHARE, SHARE_OF_THREE), ratios, shares, (general, three), strict=True
    ):
        parts += [
            Relation(share, "=", 1 / (first + ratio), over),
            Relation(share + others, "=", Integer(total), over),
            Relation(share, ">", Integer(0), over),
            Relation(share, "<", most, over),
        ]
    return Every(tuple(parts))


SOFTMAX_IDENTITY = Claim(
    id="attsvm.softmax-identity",
    title="the share of a token is 1/(1 + sum of exp(-gap)); all shares add up to 1",
    statement=identity,
    source=f"{SEED}; {PAPER}",
    hypotheses=(TOKENS,),
    derivation=theory.derive_identity,
    experiment=explore_shares,
    mutants=(
        Mutant("gap-turned", partial(identity, way=1), "exp(gap) in place of exp(-gap)"),
        Mutant("without-1", partial(identity, first=0), "the token itself is left out of the sum"),
        Mutant("adds-up-to-2", partial(identity, total=2), "another total"),
        Mutant("below-half", partial(identity, most=Rational(1, 2)), "a share may exceed 1/2"),
    ),
)  # fmt: skip


def saturation_limit(
    value: Expr = ONE,
    tends: Expr | None = None,
    gap: Rational = Rational(0),
    tokens: int = 2,
) -> Limit:
    """S_1 -> value whenever `tends` (the squared norm of the logits) grows and l1 leads."""
    logits = symbols(f"l1:{tokens + 1}")
    lead, others = logits[0], logits[1:]
    share = 1 / (1 + sum((exp(-(lead - other)) for other in others), Integer(0)))
    norm = sum((logit**2 for logit in logits), Integer(0))
    return Limit(
        share, value, ((norm if tends is None else tends, oo),),
        tuple((logit, REALS) for logit in logits),
        tuple(Relation(lead - other, ">", gap) for other in others),
    )  # fmt: skip


def certify_saturation(statement: Limit, settings: Settings) -> tuple[Evidence, ...]:
    """All logits grow together; the gap stays 1."""
    k = Symbol("k")
    (lead, _), *others = statement.over
    path = ((lead, k + 1), *((other, k) for other, _ in others))
    return (Counterexample(path, k, ONE),)


SATURATION_AS_STATED = Claim(
    id="attsvm.saturation-as-stated",
    title="the share of the leading token tends to 1 whenever the norm of the logits grows",
    statement=saturation_limit,
    source=f"{SEED}: the two conditions for saturation, read as sufficient",
    expected="refuted",
    hypotheses=("two tokens with logits l1 > l2",),
    certificate=certify_saturation,
    corrected_by="attsvm.saturation",
    mutants=(
        Mutant(
            "fixed-lead", partial(saturation_limit, gap=Rational(1, 2)), "a lead of 1/2 is kept"
        ),
        Mutant(
            "own-logit", partial(saturation_limit, tends=Symbol("l1")), "l1 grows, and l2 with it"
        ),
        Mutant("three-tokens", partial(saturation_limit, tokens=3), "nor with three tokens"),
        Mutant("to-0", partial(saturation_limit, value=Integer(0)), "another limit"),
    ),
)


def at_most(bound: Expr) -> Domain:
    return interval(-oo, bound, "(]")


def saturation(
    fewer: int = 0,
    upper: int = 1,
    sufficient: int | None = None,
    necessary: int = 1,
    limit: Expr = ONE,
    op: Operator = ">=",
) -> Every:
    """The share between bounds by a gap, the moduli in both directions, the bounds' limits."""
    parts: list[Relation | Limit] = []
    for share, count, names in ((SHARE, m, (L,)), (SHARE_OF_THREE, Integer(2), (x1, x2))):
        some = L[j] if names == (L,) else x1
        size: Domains = ((m, integers(1)),) if names == (L,) else ()
        token: Domains = ((j, integers(1)), (m, integers(j))) if names == (L,) else ()
        free = tuple((name, REALS) for name in names)
        gap = log((count if sufficient is None else sufficient) * (1 - eps) / eps)
        parts += [
            Relation(
                share, op, 1 / (1 + (count - fewer) * exp(-a)),
                ((l0, REALS), (a, REALS), *((name, at_most(l0 - a)) for name in names), *size),
            ),
            Relation(
                share, "<=", 1 / (1 + upper * exp(-a)),
                ((l0, REALS), (a, REALS), *free, *token), (Relation(l0 - some, "<=", a),),
            ),
            Relation(
                share, ">=", 1 - eps,
                ((eps, interval(0, 1)), (l0, REALS), *size,
                 *((name, at_most(l0 - gap)) for name in names)),
            ),
            Relation(
                l0 - some, ">=", log(necessary * (1 - eps) / eps),
                ((eps, interval(0, 1)), (l0, REALS), *free, *token),
                (Relation(share, ">=", 1 - eps),),
            ),
        ]  # fmt: skip
    bounds = (1 / (1 + count * exp(-a)) for count in (1, 2, 9))
    limits = (Limit(bound, limit, ((a, oo),), ((a, REALS),)) for bound in bounds)
    return Every((*parts, *limits))


SATURATION = Claim(
    id="attsvm.saturation",
    title="the share of a token tends to 1 exactly when its smallest gap tends to infinity",
    statement=saturation,
    source=f"{SEED}, the conditions for saturation, corrected; {PAPER}",
    hypotheses=(
        TOKENS,
        "all gaps >= a: 1/(1 + m exp(-a)) <= S; some gap <= a: S <= 1/(1 + exp(-a))",
        "all gaps >= log(m (1 - eps)/eps) give S >= 1 - eps, which in turn makes every gap at "
        "least log((1 - eps)/eps); 0 < eps < 1",
        "that the bounds tend to 1 is written out for m = 1, 2, 9",
    ),
    derivation=theory.derive_saturation,
    experiment=explore_shares,
    corrects="attsvm.saturation-as-stated",
    mutants=(
        Mutant(
            "a-token-fewer",
            partial(saturation, fewer=1),
            "m others weigh m exp(-a), not (m-1) exp(-a)",
        ),
        Mutant("strict", partial(saturation, op=">"), "equality holds when all gaps are a"),
        Mutant(
            "upper-half", partial(saturation, upper=2), "one small gap alone leaves 1/(1 + exp(-a))"
        ),
        Mutant("gap-without-m", partial(saturation, sufficient=1), "the modulus grows like log m"),
        Mutant("gap-with-m", partial(saturation, necessary=2), "no gap needs to be that large"),
        Mutant("limit-half", partial(saturation, limit=Rational(1, 2)), "another limit"),
    ),
)
