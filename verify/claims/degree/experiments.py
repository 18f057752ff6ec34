"""Evidence from the other side: `numeric.degree`, without the derivations' formulas.

Each experiment is given the claim's statement or a mutant's and reports what it finds about it.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import E, IndexedBase, Integer, Rational, Symbol, oo

from ....symbolic.degree import derive_gain
from ....symbolic.statements import Every, Maximum, PolynomialDegree, Relation, Statement
from ...claim import Settings
from ...kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    Evidence,
    Instance,
    Part,
)
from ...kernel.terms import rational
from .objective import NETWORKS, d, h

c = Symbol("c")


def _boxes(
    statement: Maximum, extra: Fraction, low: Fraction, high: Fraction
) -> tuple[Evidence, ...]:
    """Ball-arithmetic boxes about the optimum, and the grid's best point where it is better."""
    from ....numeric import degree as experiment

    found = experiment.optimum_boxes(extra, low=low, high=high)
    boxes = tuple((box,) for box in found.boxes)
    best = experiment.grid_maximum(extra, low=low, high=high, points=4096, device="cpu")
    rival = Counterexample(((statement.variable, Rational(best.numerator, best.denominator)),))
    stated = statement.at.evalf(30)
    if stated.is_real and found.around[0] <= Fraction(str(stated)) <= found.around[1]:
        return (Enclosure((statement.variable,), boxes, 128, found.around),)
    return (rival,)


def explore_optimum(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    return tuple(
        Part(index, item)
        for index, part in enumerate(statement.parts)
        if isinstance(part, Maximum) and part.function == h()
        for item in _boxes(part, Fraction(0), Fraction(9, 8), Fraction(64))
    )


def explore_counting(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The optimum at three costs, enclosed without Lambert's function."""
    peak = statement.parts[0]
    if not isinstance(peak, Maximum) or peak.function != h(c):
        return ()
    found = []
    for extra in (Fraction(-1, 2), Fraction(1), Fraction(3)):
        value = Rational(extra.numerator, extra.denominator)
        here = Maximum(h(value), d, peak.domain, peak.at.subs(c, value))
        for item in _boxes(here, extra, Fraction(9, 8), Fraction(64)):
            if isinstance(item, Counterexample):
                found.append(Part(0, Counterexample(((c, value), *item.point))))
            else:
                found.append(Part(0, Instance(((c, value),), item)))
    return tuple(found)


def explore_integers(statement: Statement, settings: Settings) -> tuple[Evidence, ...]:
    """Each maximum over the integers from 1 or 2 on, against the best of the first hundred."""
    from ....numeric import degree as experiment

    reach = 100 if settings.profile == "quick" else 1000
    if isinstance(statement, Every):
        return tuple(
            Part(index, item)
            for index, part in enumerate(statement.parts)
            for item in explore_integers(part, settings)
        )
    if not isinstance(statement, Maximum) or statement.over or not statement.domain.integer:
        return ()
    low = int(statement.domain.low)
    for extra in range(-1, 4):
        if statement.function == h(extra):
            best = experiment.best_integer(extra, low=low, high=low + reach - 1)
            if best != statement.at:
                return (Counterexample(((d, Integer(best)),)),)
    return (Enumeration(reach, reach),)


def explore_attention(statement: Maximum, settings: Settings) -> tuple[Evidence, ...]:
    """The best integer degree for each count of a layer's matrices."""
    from ....numeric import degree as experiment

    for extra in (1, -1, 0):
        best = experiment.best_integer(extra, low=2, high=100)
        if best != statement.at:
            return (Counterexample(((c, Integer(extra)), (d, Integer(best)))),)
    return ()


def explore_networks(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The degree of each network along a random line, by interpolation modulo a prime."""
    from ....numeric import degree as experiment

    networks = (network for _, network in NETWORKS)
    found = []
    for index, part in enumerate(statement.parts):
        if isinstance(part, PolynomialDegree):
            line = experiment.certify_degree(
                next(networks), seed=settings.seed, device=settings.device
            )
            certificate = DegreeCertificate(line.prime, tuple(line.base), tuple(line.direction))
            found.append(Part(index, certificate))
    return tuple(found)


def explore_mixtures(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The best mixture of each budget, found exhaustively, where it breaks the stated bound."""
    from ....numeric import degree as experiment

    bound = statement.parts[1]
    if not isinstance(bound, Relation):
        return ()
    (layers, _), (depth, _) = bound.over
    for budget in range(1, 25):
        best = experiment.mixed_optimum(budget)[1]
        values = {depth: len(best), **{layers[k]: degree for k, degree in enumerate(best, 1)}}
        exact = {key: Fraction(value) for key, value in values.items()}
        product, most = rational(bound.lhs, exact), rational(bound.rhs, exact)
        if product is not None and most is not None and product > most:
            point = tuple((key, Integer(value)) for key, value in values.items())
            return (Part(1, Counterexample(point)),)
    return explore_budgets(statement, settings)


def explore_budgets(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Exhaustive budgets: every finite part by enumeration, every open one as far as it goes."""
    return tuple(
        Part(index, Enumeration(*_cases(part)))
        for index, part in enumerate(statement.parts)
        if isinstance(part, Relation) and all(not isinstance(v, IndexedBase) for v, _ in part.over)
    )


def _cases(relation: Relation, reach: int = 24) -> tuple[int, int]:
    total, open_ended = 1, False
    for _, domain in relation.over:
        open_ended |= domain.high == oo
        total *= reach if domain.high == oo else int(domain.high - domain.low) + 1
    return total, reach if open_ended else 0


def certify_gain(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    bound = Part(2, derive_gain())
    return (Part(0, Enumeration(1)), Part(1, Enumeration(1)), bound)


def certify_slip(statement: Relation, settings: Settings) -> tuple[Evidence, ...]:
    """The two sides differ at d = 2; beyond e, at 3."""
    at = 2 if statement.over[0][1].high == E else 3
    return (Counterexample(((d, Integer(at)),)),)
