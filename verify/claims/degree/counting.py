"""Other counts of a layer's matrices: d + c instead of d."""

from __future__ import annotations

from functools import partial

from sympy import E, Expr, Integer, LambertW, Rational, exp, log, oo, symbols

from ....symbolic import degree as theory
from ....symbolic.statements import Every, Maximum, Relation, above, integers, interval
from ...claim import Claim, Mutant
from .experiments import explore_attention, explore_counting, explore_integers
from .objective import SEED, d, h
from .optimum import integer_optimum

c, k = symbols("c k")
STAR = exp(1 + LambertW(c / E))


def counting(at: Expr = STAR, ratio: Expr = c / LambertW(c / E)) -> Every:
    """The best real degree with c further matrices a layer, and its two limits at c = -1."""
    edge = ((d, above(1)),)
    return Every(
        (
            Maximum(h(c), d, interval(1, oo, "[)"), at, ((c, above(-1)),)),
            Relation(STAR, "=", ratio, ((c, interval(-1, 0)),)),
            Relation(STAR, "=", ratio, ((c, above(0)),)),
            Relation(h(-1), "<", Integer(1), edge),
            Relation(h(-1), ">", 1 / d, edge),
        )
    )


COUNTING = Claim(
    id="degree.counting",
    title="with c further matrices a layer the best degree is exp(1 + W0(c/e))",
    statement=counting,
    source=f"{SEED}, eq. (2) against eq. (4): the count of matrices",
    hypotheses=(
        "a layer of degree d costs d + c matrices, c > -1, and d >= 1",
        "at c = -1 the supremum 1 is approached as d falls to 1 = d*(-1)",
    ),
    derivation=theory.derive_counting,
    experiment=explore_counting,
    mutants=(
        Mutant(
            "times", partial(counting, at=c * LambertW(c / E)), "c W0(c/e) instead of c/W0(c/e)"
        ),
        Mutant(
            "ratio-times",
            partial(counting, ratio=c * LambertW(c / E)),
            "the second form multiplied",
        ),
        Mutant("without-e", partial(counting, at=exp(1 + LambertW(c))), "another argument of W0"),
        Mutant("without-1", partial(counting, at=exp(LambertW(c / E))), "another exponent"),
        Mutant("always-e", partial(counting, at=E), "the cost does not matter"),
    ),
)


def tie(degree: int) -> Expr:
    """The c at which `degree` and `degree` + 1 are equally good: linear in c."""
    low, high = Integer(degree), Integer(degree) + 1
    return (high * log(low) - low * log(high)) / (log(high) - log(low))


def table(
    best: tuple[int, ...] = (2, 3, 4, 4, 5), low: Expr | None = None, high: Expr | None = None
) -> Every:
    """The best integers for c = -1, ..., 3, and the interval of c on which 3 is best."""
    rows = (
        integer_optimum(at, 2 if extra == -1 else 1, extra) for extra, at in enumerate(best, -1)
    )
    first, last = tie(2) if low is None else low, tie(3) if high is None else high
    return Every(
        (
            *rows,
            Maximum(h(c), d, integers(1), Integer(3), ((c, interval(first, last)),)),
            Relation(h(c, 2), ">=", h(c, 3), ((c, interval(-1, first, "(]")),)),
            Relation(h(c, 4), ">=", h(c, 3), ((c, interval(last, oo, "[)")),)),
        )
    )


COUNTING_TABLE = Claim(
    id="degree.counting-table",
    title="best integer degrees 2, 3, 4, 4, 5 for c = -1, ..., 3; 3 only for -0.2904 < c < 0.8188",
    statement=table,
    source=f"{SEED}, Conclusion 1.1 with the matrices counted",
    hypotheses=("a layer of degree d costs d + c matrices; for c = -1 degrees start at 2",),
    derivation=theory.derive_counting_table,
    experiment=explore_integers,
    mutants=(
        Mutant("3-at-1", partial(table, (2, 3, 3, 4, 5)), "ln 4/5 > ln 3/4"),
        Mutant("3-at-minus-1", partial(table, (3, 3, 4, 4, 5)), "ln 2/1 > ln 3/2"),
        Mutant("5-at-2", partial(table, (2, 3, 4, 5, 5)), "4 is still best at c = 2"),
        Mutant(
            "to-1", partial(table, high=Integer(1)), "3 stops being best at 0.8188..., before 1"
        ),
        Mutant(
            "from-minus-1/3",
            partial(table, low=Rational(-1, 3)),
            "3 starts at -0.2904..., not before",
        ),
    ),
)


def building_block(at: int) -> Maximum:
    """Degree `at` is the best integer degree of at least 2, however the matrices are counted."""
    return Maximum(h(c), d, integers(2), Integer(at), ((c, integers(-1, 1)),))


ATTENTION_AS_STATED = Claim(
    id="degree.attention-as-stated",
    title="attention, of degree 3, is the optimal building block",
    statement=partial(building_block, 3),
    source=f"{SEED}, title and Conclusion 1.1",
    expected="refuted",
    hypotheses=(
        "c = -1: eq. (2) has d - 1 matrices; c = 0: eq. (4) counts d; c = 1: attention has four "
        "matrices Q, K, V, O at degree 3",
    ),
    experiment=explore_attention,
    corrected_by="degree.attention",
    mutants=(
        Mutant("degree-2", partial(building_block, 2), "nor is degree 2"),
        Mutant("degree-4", partial(building_block, 4), "nor is degree 4"),
        Mutant("degree-5", partial(building_block, 5), "nor is degree 5"),
    ),
)


def odd_block(best: int = 1, extras: tuple[int, ...] = (-1, 0, 1)) -> Every:
    """Among the odd degrees 2k + 1 >= 3 the best is 2 best + 1, for each count of matrices."""
    return Every(
        tuple(Maximum(h(extra, 2 * k + 1), k, integers(1), Integer(best)) for extra in extras)
    )


ATTENTION = Claim(
    id="degree.attention",
    title="among odd degrees 3 is best, whether a layer has d - 1, d or d + 1 matrices",
    statement=odd_block,
    source=f"{SEED}, Conclusion 1.1, corrected",
    hypotheses=(
        "only odd degrees 2k + 1 >= 3 are allowed, as attention maps sequences to sequences",
    ),
    derivation=theory.derive_odd,
    experiment=explore_integers,
    corrects="degree.attention-as-stated",
    mutants=(
        Mutant("degree-5", partial(odd_block, 2), "5 loses to 3"),
        Mutant("degree-7", partial(odd_block, 3), "7 loses to 3"),
        Mutant(
            "three-more", partial(odd_block, 1, (-1, 0, 3)), "with three matrices more 5 beats 3"
        ),
    ),
)
