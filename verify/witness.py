"""A search for counterexamples, for any statement that one exact point can refute.

Not trusted and not complete: candidates come from a coarse grid of rationals and small
integers, a quick look by ball arithmetic keeps the promising ones, the kernel decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

import sympy as sp
from sympy import Expr, IndexedBase, Integer, Rational, Symbol, oo

from ..symbolic.statements import (
    Domain,
    Domains,
    Every,
    Limit,
    Maximum,
    MaximumValue,
    Relation,
    Statement,
)
from .kernel import check
from .kernel.evidence import Counterexample, Evidence, Part
from .kernel.terms import Rejected, ground_sign, holds, put

Point = dict[Expr, Expr]

STEPS = tuple(
    map(Rational, ("1/100", "1/10", "1/2", "1", "3/2", "17/10", "2", "3", "5", "10", "100"))
)
ENDS = tuple(map(Rational, ("1/100", "1/40", "39/40", "99/100")))
WHOLE = (*range(13), 20, 27, 50, 100)
CANDIDATES = 600
LEAST, SHARED = 60, 2400  # for each part of a conjunction, and for all of them together
PATIENCE = 20  # candidates at which nothing can be told, before a statement is left
SEQUENCES = 4


def search(statement: Statement, most: int = CANDIDATES) -> tuple[Evidence, ...]:
    """The first counterexample found that the kernel accepts, if any; of an `Every`, one a part.

    At most `most` points are tried; the parts of an `Every` share them.
    """
    if isinstance(statement, Every):
        each = min(most, max(LEAST, SHARED // len(statement.parts)))
        return tuple(
            Part(k, found) for k, part in enumerate(statement.parts) for found in search(part, each)
        )
    for candidate in _candidates(statement, most):
        if check("search", statement, (candidate,)).outcome == "refuted":
            return (candidate,)
    return ()


def _candidates(statement: Statement, most: int) -> Iterator[Counterexample]:
    match statement:
        case Relation():
            yield from _failing(statement, statement.over, most)
        case Maximum(f, x, domain, at, over, given):
            best = f.xreplace({x: at})
            rival = Relation(f, "<", best, (*over, (x, domain)), given)
            yield from _failing(rival, _around(f, x, domain, at, over), most)
            yield from _failing(rival, rival.over, most)
        case MaximumValue(f, x, domain, _, high):
            yield from _failing(Relation(f, "<=", high, ((x, domain),)), ((x, domain),), most)
        case Limit(tends=((x, target),), over=over) if isinstance(x, Symbol):
            k = Symbol("k_path")
            rest = tuple((v, domain) for v, domain in over if v != x)
            sides = (
                (k,)
                if target == oo
                else (-k,)
                if target == -oo
                else (target + 1 / k, target - 1 / k)
            )
            for path, point in product(sides, islice(_points(rest, {}), 20)):
                everything = {v: point.get(v, path) for v, _ in over}
                yield Counterexample(tuple(everything.items()), k, Integer(100))


def _around(f: Expr, x: Symbol, domain: Domain, at: Expr, over: Domains) -> Domains:
    """The part of the domain close to the stated maximum, where a wrong one shows first."""
    if domain.integer or over:
        return (*over, (x, domain))
    low, high, middle = (_near(bound, {}) for bound in (domain.low, domain.high, at))
    reach = max(abs(middle or Integer(0)), Integer(1)) / 4
    near = (middle - reach, middle + reach) if middle is not None else (Integer(0), Integer(1))
    ends = (
        near[0] if low is None else max(low, near[0]),
        near[1] if high is None else min(high, near[1]),
    )
    return ((x, Domain(*ends)),)


def _failing(relation: Relation, over: Domains, most: int) -> Iterator[Counterexample]:
    """Points of the domain at which the relation seems to fail."""
    told = False
    for number, point in enumerate(islice(_points(over, {}), most)):
        truths = [_truth(part, point) for part in (relation, *relation.given)]
        told = told or None not in truths
        if not told and number > PATIENCE:
            return
        if truths[0] is False and False not in truths[1:]:
            yield Counterexample(tuple(point.items()))


def _truth(relation: Relation, point: Mapping[Expr, Expr]) -> bool | None:
    """Does the relation hold at the point? None where a quick look cannot tell."""
    values = {
        key: Fraction(int(v.p), int(v.q)) for key, v in point.items() if isinstance(v, Rational)
    }
    try:
        exact = {key: v for key, v in point.items() if key not in values}
        difference = put(relation.lhs, exact) - put(relation.rhs, exact)
        sign = ground_sign(difference, values, precisions=(64,))
    except (Rejected, ArithmeticError, ValueError):
        return None
    return relation.op in ("=", "<=", ">=") if sign is None else holds(sign, relation.op)


def _points(over: Domains, point: Point) -> Iterator[Point]:
    """Values for all variables, those of later ones chosen in view of the earlier ones."""
    sequences = [(v, domain) for v, domain in over if isinstance(v, IndexedBase)]
    single = tuple((v, domain) for v, domain in over if isinstance(v, Symbol))
    for values in _single(single, point):
        yield from _entries(sequences, values)


def _entries(sequences: list, values: Point) -> Iterator[Point]:
    if not sequences:
        yield values
        return
    (base, domain), *others = sequences
    choices = list(islice(_values(domain, values), 4))
    for entries in product(choices, repeat=SEQUENCES):
        chosen = {base[Integer(k + 1)]: entry for k, entry in enumerate(entries)}
        yield from _entries(others, {**values, **chosen})


def _single(over: Domains, point: Point) -> Iterator[Point]:
    if not over:
        yield point
        return
    (variable, domain), later = over[0], over[1:]
    for value in _values(domain, point):
        yield from _single(later, {**point, variable: value})


def _values(domain: Domain, point: Point) -> Iterator[Expr]:
    low, high = (_near(bound, point) for bound in (domain.low, domain.high))
    if domain.integer:
        first = Integer(sp.ceiling(low)) if low is not None else Integer(-5)
        yield from (first + k for k in WHOLE if high is None or first + k <= high)
        return
    if not domain.low_open:
        yield put(domain.low, point)
    if not domain.high_open:
        yield put(domain.high, point)
    if low is not None and high is not None:
        shares = (*(Rational(k, 16) for k in range(1, 16)), *ENDS)
        yield from (_simple(low + (high - low) * share, low, high) for share in shares)
    elif low is not None:
        yield from (low + step for step in STEPS)
    elif high is not None:
        yield from (high - step for step in STEPS)
    else:
        yield from (Integer(0), *(sign * step for step in STEPS for sign in (1, -1)))


def _simple(value: Rational, low: Rational, high: Rational) -> Rational:
    """A simple fraction close to the value and strictly between the bounds."""
    for size in (10, 100, 10**4):
        near = value.limit_denominator(size)
        if low < near < high and 20 * abs(near - value) < high - low:
            return near
    return value


def _near(bound: Expr, point: Point) -> Rational | None:
    """A rational close to the bound; None for an infinite one."""
    if bound in (oo, -oo):
        return None
    value = put(bound, point)
    return (
        value
        if isinstance(value, Rational)
        else Rational(str(sp.N(value, 20))).limit_denominator(10**6)
    )
