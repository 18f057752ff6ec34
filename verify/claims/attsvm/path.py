"""The regularisation path: how close its direction is to the max-margin solution.

The theorem is stated for any number of sequences and tokens, for a general loss and for the
logistic one, and once more for two sequences of two tokens, where every quantity has a name of its
own and a false variant shows at one exact point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from sympy import Expr, IndexedBase, Integer, Rational, Sum, exp, log, oo, sqrt, symbols

from ....symbolic.attsvm import path as theory
from ....symbolic.statements import (
    REALS,
    Domains,
    Every,
    Relation,
    Trend,
    above,
    integers,
    interval,
)
from ...claim import Claim, Mutant, Settings
from .points import tried

if TYPE_CHECKING:
    from ...kernel.evidence import Evidence

SEED = "seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak 2023 (arXiv 2308.16898)"
n, m, i, j, s, t, y, v, delta = symbols("n m i j s t y v delta")
N, R, w, pmin, pmax, lmin, lmax, gmin, gmax = symbols("N R w pmin pmax lmin lmax gmin gmax")
a, b, p, lam, e, f, g = map(IndexedBase, ("a", "b", "p", "lam", "e", "f", "g"))

FROM_ONE, NONNEGATIVE, GAPS = interval(1, oo, "[)"), interval(0, oo, "[)"), (pmin, pmax)
SCALES: Domains = (
    *((N, above(0)), (R, above(0)), (w, interval(0, R, "(]"))),
    *((pmin, above(0)), (pmax, interval(pmin, oo, "[)"))),
)
SLOPES: Domains = ((lmin, above(0)), (lmax, above(0)))
TABLES: Domains = (*((a, REALS), (b, FROM_ONE), (p, interval(*GAPS, "[]")), (lam, NONNEGATIVE)),)
SIZES: Domains = ((n, integers(1)), (m, integers(1)), *SCALES, *TABLES)
SCORES: Domains = ((gmin, REALS), (gmax, interval(gmin, oo, "[)")))
LOGISTIC = 1 / (1 + exp(gmax)), 1 / (1 + exp(gmin - pmax))


@dataclass(frozen=True)
class Variant:
    """The theorem, or one of the false ones next to it."""

    factor: int = 2
    counts_sequences: bool = True
    inverted: bool = False
    radius_power: int = 1
    norm_power: int = 2
    no_worse: bool = True
    large_radius: bool = True

    def constant(self, sequences: Expr | int, others: Expr | int, slopes: tuple) -> Expr:
        """log(2 n m kappa)."""
        kappa = slopes[1] * pmax / (slopes[0] * pmin)
        count = sequences if self.counts_sequences else 1
        return log(self.factor * count * others * (1 / kappa if self.inverted else kappa))

    def bound(self, constant: Expr) -> Expr:
        return N * constant / R**self.radius_power


TRUE = Variant()


def shortfall(sequence: Expr, margins: IndexedBase, scale: Expr | int = 1) -> Expr:
    """sum_j s_ij p_ij with the softmax s_ij = exp(-a_ij)/(1 + sum_j exp(-a_ij))."""
    left = exp(-scale * margins[sequence, j])
    return Sum(p[sequence, j] * left, (j, 1, m)) / (1 + Sum(left, (j, 1, m)))


def general(
    variant: Variant, over: Domains, losses: tuple[Relation, ...], slopes: tuple
) -> Relation:
    """n sequences of m + 1 tokens."""
    constant = variant.constant(n, m, slopes)
    worse = Relation(Sum(e[i], (i, 1, n)), "<=", Sum(f[i], (i, 1, n)))
    weights = Sum(Sum(lam[i, j], (j, 1, m)) / N**variant.norm_power, (i, 1, n))
    enough = Relation(R, ">=", N * constant)
    given = (
        *losses,
        *((worse,) if variant.no_worse else ()),
        Relation(weights, "=", Integer(1)),
        *((enough,) if variant.large_radius else ()),
        Relation(lam[s, t], "=", Integer(0), ((s, integers(1)), (t, integers(m + 1)))),
        Relation(lam[s, t], "=", Integer(0), ((t, integers(1)), (s, integers(n + 1)))),
    )
    corr = Sum(Sum(lam[i, j] * a[i, j], (j, 1, m)) / (N * w), (i, 1, n))
    return Relation(1 - corr, "<=", variant.bound(constant), over, given)


def pair(variant: Variant) -> Relation:
    """Two sequences of two tokens."""
    constant = variant.constant(2, 1, (lmin, lmax))
    over, bounds, names = [*SCALES, *SLOPES], [], []
    for k in (1, 2):
        a, b, p, lam, e, f = symbols(f"a{k} b{k} p{k} lam{k} e{k} f{k}")
        over += [(a, REALS), (b, FROM_ONE), (p, interval(*GAPS, "[]")), (lam, NONNEGATIVE)]
        over += [(e, REALS), (f, REALS)]
        mine, scaled = exp(-a), exp(-R * b / N)
        bounds.append(Relation(lmin * p * mine / (1 + mine), "<=", e))
        bounds.append(Relation(f, "<=", lmax * p * scaled / (1 + scaled)))
        names.append((a, lam, e, f))
    (a1, lam1, e1, f1), (a2, lam2, e2, f2) = names
    given = (
        *bounds,
        *((Relation(e1 + e2, "<=", f1 + f2),) if variant.no_worse else ()),
        Relation(lam1 + lam2, "=", N**variant.norm_power),
        *((Relation(R, ">=", N * constant),) if variant.large_radius else ()),
    )
    corr = (lam1 * a1 + lam2 * a2) / (N * w)
    return Relation(1 - corr, "<=", variant.bound(constant), tuple(over), given)


def path(variant: Variant = TRUE, slopes: tuple[Expr, Expr] = LOGISTIC) -> Every:
    """For any loss; the slopes of the logistic loss; for the logistic loss; for two sequences."""
    each: Domains = ((y, integers(1)),)
    mine, scaled = shortfall(y, a), shortfall(y, b, R / N)
    excesses = Relation(lmin * mine, "<=", e[y], each), Relation(f[y], "<=", lmax * scaled, each)
    losses = (
        Relation(e[y], "=", log(1 + exp(mine - g[y])), each),
        Relation(f[y], "=", log(1 + exp(scaled - g[y])), each),
    )
    unknown: Domains = ((e, REALS), (f, REALS))
    best = (v, interval(gmin, gmax, "[]"))
    change = log(1 + exp(delta - v)) - log(1 + exp(-v))
    rise: Domains = (*SCORES, best, (pmax, above(0)), (delta, interval(0, pmax, "[]")))
    scored = (*SIZES, *SCORES, (g, interval(gmin, gmax, "[]")), *unknown)
    return Every(
        (
            general(variant, (*SIZES, *SLOPES, *unknown), excesses, (lmin, lmax)),
            Relation(slopes[0] * delta, "<=", change, rise),
            Relation(change, "<=", slopes[1] * delta, rise),
            general(variant, scored, losses, slopes),
            pair(variant),
        )
    )


# N, kappa and R/N of the pairs that are tried.
SIZED = ((1, 1, 0.8), (1, 1, 4), (1, 100, 0.8), (1, 100, 10), (2, 1, 4), (2, 100, 10))


def candidates() -> Iterator[dict[str, Expr]]:
    """Pairs in which the first sequence takes up nearly all the excess that the scaled solution
    allows, or W is nearly that solution, or W is bad."""
    for norm, kappa, radius in SIZED:
        allowed = kappa / (1 + math.exp(radius)) * 0.999
        share = min(1.99 * allowed, 0.999)
        worst = math.ceil(100 * math.log((1 - share) / share)) / 100
        cases = (worst, share), (radius + 0.01, min(allowed, 1.0)), (-5.0, 1.0)
        for (margin, excess), weight in product(cases, {norm**2, norm}):
            yield {
                **_exact(lmin=1, lmax=kappa, pmin=1, pmax=1, N=norm, R=radius * norm),
                **_exact(w=radius * norm, a1=margin, e1=excess, a2=40, e2=1e-6),
                **_exact(f1=allowed, f2=allowed, b1=1, b2=1, p1=1, p2=1, lam1=weight, lam2=0),
            }


def _exact(**values: Any) -> dict[str, Expr]:
    return {
        name: Rational(Fraction(float(value)).limit_denominator(10**7))
        for name, value in values.items()
    }


def explore_pairs(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The first of the worst pairs that refutes the part about two sequences, if one does."""
    *_, two = statement.parts
    names = [name for name, _ in two.over] if isinstance(two, Relation) else []
    points = ({name: values[str(name)] for name in names} for values in candidates())
    return tried(statement, len(statement.parts) - 1, points)


PATH = Claim(
    id="attsvm.path",
    title="1 - corr(W_R, W^mm) <= |W^mm| log(2n(T-1) kappa)/R on the regularisation path",
    statement=path,
    source=SEED,
    hypotheses=(
        "n sequences of m + 1 = T tokens; a are the margins of W, b >= 1 those of W^mm, p the gaps "
        "to the best scores g, all counted over the tokens that are not the best one",
        "W^mm = sum lam A has norm N, and N^2 = sum lam, so <W, W^mm> = sum lam a; w = |W| <= R",
        "W has no larger loss than R W^mm/N, as every global minimiser over the ball has; e and f "
        "are the excess losses (or, for the logistic loss, the losses) of the two",
        "R >= N log(2 n m kappa), which the proof needs; for a smaller R the bound exceeds 1",
        "tables go on beyond the n sequences and m tokens: lam by 0, the others in any way that "
        "keeps the hypotheses",
        "|l'| lies between lmin and lmax over the scores from the worst token to the best; "
        "kappa = lmax pmax/(lmin pmin)",
    ),
    derivation=theory.derive_path,
    experiment=explore_pairs,
    mutants=(
        Mutant(
            "factor-1", partial(path, Variant(factor=1)), "log(2 n m kappa), not log(n m kappa)"
        ),
        Mutant(
            "one-sequence",
            partial(path, Variant(counts_sequences=False)),
            "one sequence may take up the excess that n are allowed",
        ),
        Mutant("kappa-inverted", partial(path, Variant(inverted=True)), "kappa, not 1/kappa"),
        Mutant("radius-squared", partial(path, Variant(radius_power=2)), "1/R, not 1/R^2"),
        Mutant("norm-not-squared", partial(path, Variant(norm_power=1)), "sum lam = N^2, not N"),
        Mutant("any-w", partial(path, Variant(no_worse=False)), "a bad W has any margins"),
        Mutant(
            "any-radius", partial(path, Variant(large_radius=False)), "no bound for small radii"
        ),
        Mutant(
            "slopes-swapped", partial(path, slopes=LOGISTIC[::-1]), "lmin is the slope at the best"
        ),
    ),
)


@dataclass(frozen=True)
class Instance:
    """Sequences with the label 1, and the radii of the path."""

    tokens: tuple
    queries: tuple
    decoder: tuple
    radii: tuple[int, ...]


HALF = Fraction(1, 2)
ROUNDING = Fraction(1, 2**20)  # of 1 - corr; the minimisers are stationary to 1e-9
INSTANCES = (
    Instance((((0, 0), (-1, 0)), ((0, 0), (0, -1))), ((HALF, 0), (HALF, 0)), (1, 1000),
             (26, 32, 64, 128, 256)),
    Instance((((0, 0, 0), (-1, 0, 0), (0, -1, -1)), ((0, 0, 0), (0, -1, 0), (-1, 0, -1)),
              ((0, 0, 0), (0, 0, -1), (-1, -1, 0))), ((1, 0, 0), (0, 1, 0), (1, 1, 0)),
             (1, 10, 100), (16, 32, 64, 128, 256)),
    Instance((((-3, 1), (1, 0), (0, 0)),), ((1, 0),), (HALF, 5 * HALF), (2, 4, 8, 16)),
)  # fmt: skip


def run(
    number: int,
    norm_squared: Expr,
    gaps: tuple[Any, Any],
    best: tuple[int, int] = (0, 0),
    *,
    rank: int = 0,
    decay: Expr = 1 / R,
) -> Trend:
    """1 - corr on the path of an instance, whose facts the experiment computes for itself.

    The path is compared with W^mm of the tokens of this `rank` of scores, 0 being the best."""
    instance = INSTANCES[number]
    sizes = len(instance.tokens), len(instance.tokens[0]) - 1
    facts = _facts(number, rank, norm_squared, best, gaps)
    values = {symbols(name): value for name, value in facts}
    constant = TRUE.constant(*sizes, LOGISTIC).xreplace(values)
    return Trend("attsvm.path", facts, Integer(0), sqrt(norm_squared) * constant * decay, R)


def _facts(number: int, rank: int, norm_squared: Any, best: Any, gaps: Any) -> tuple:
    names = ("instance", "rank", "norm_squared", "gmin", "gmax", "pmin", "pmax")
    values = (number, rank, norm_squared, *best, *gaps)
    return tuple((name, Rational(value)) for name, value in zip(names, values, strict=True))


def runs(rank: int = 0, decay: Expr = 1 / R) -> Every:
    """On three instances: unequal gaps; multipliers that vanish; a second local solution."""
    last = Rational(1, 1 if rank else 10)
    return Every(
        (
            run(0, Integer(8), (1, 1000), decay=decay),
            run(1, Integer(3), (1, 110), decay=decay),
            run(2, last, (HALF, 1), (1, 1), rank=rank, decay=decay),
        )
    )


def explore_runs(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The path of each instance, with what the bound needs to know about it, computed exactly."""
    from ....numeric.attsvm import Problem, solve
    from ....numeric.attsvm.paths import regularization_path
    from ...kernel.evidence import Part, Trajectory

    found = []
    for index, part in enumerate(statement.parts):
        if not isinstance(part, Trend):
            continue
        told = dict(part.parameters)
        number, rank = int(told["instance"]), int(told["rank"])
        instance = INSTANCES[number]
        labels = [1] * len(instance.tokens)
        problem = Problem.from_scores(instance.tokens, instance.queries, instance.decoder, labels)
        ranked = [sorted(map(Fraction, row), reverse=True) for row in problem.scores.tolist()]
        chosen = [(-row).argsort()[rank] for row in problem.scores]
        solution = solve(problem.selecting(chosen) if rank else problem)
        best = [row[0] for row in ranked]
        gaps = [row[0] - score for row in ranked for score in row[1:]]
        run = regularization_path(
            problem,
            instance.radii,
            starts=2 if settings.profile == "quick" else 8,
            seed=settings.seed,
            reference=solution.matrix,
            device=settings.device,
        )
        off = zip(instance.radii, run.misalignment.tolist(), strict=True)  # type: ignore[union-attr]
        facts = _facts(
            *(number, rank, solution.norm_squared, (min(best), max(best)), (min(gaps), max(gaps)))
        )
        values = tuple((radius, Fraction(value)) for radius, value in off)
        found.append(Part(index, Trajectory(part.observable, facts, ROUNDING, values)))
    return tuple(found)


PATH_RUN = Claim(
    id="attsvm.path-run",
    title="the minimisers over growing balls keep within the path bound",
    statement=runs,
    source=SEED,
    expected="confirmed",
    hypotheses=(
        "each W_R is the best of several starts, stationary to 1e-9 in direction",
        "norm_squared = |W^mm|^2, gmin and gmax bound the best scores, pmin and pmax the gaps; "
        "the experiment computes them from the instance",
    ),
    experiment=explore_runs,
    uses=("attsvm.path",),
    mutants=(
        Mutant("radius-squared", partial(runs, decay=R**-2), "1/R, not 1/R^2, with this constant"),
        Mutant(
            "exponential", partial(runs, decay=exp(-R / 4)), "the distance falls like a power of R"
        ),
        Mutant(
            "twentieth", partial(runs, decay=1 / (20 * R)), "unequal gaps use up 1/17 of the bound"
        ),
        Mutant(
            "second-best-tokens", partial(runs, rank=1), "the path ignores other local solutions"
        ),
    ),
)
