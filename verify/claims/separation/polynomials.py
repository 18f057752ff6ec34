"""Certificates of separation ranks of polynomials: factors above, points below.

On a finite domain powers are first reduced, after which the monomials are independent there. With
parameters as coefficients the factors come from a smallest set of rows and columns that covers
the matrix; points are tried until the determinant has a sign that the kernel can see. Where a
statement with parameters fails at some of their values, the evidence is such an instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod
from random import Random
from typing import Any

from flint import fmpq, fmpq_mat
from sympy import Add, Expr, Integer, Matrix, Mul, Poly, Rational, Symbol, cancel, expand, oo, rem

from ....symbolic.statements import Domains, Every, Function, Relation, SeparationRank
from ...claim import Settings
from ...kernel.evidence import Evidence, Instance, Part, SeparationCertificate
from ...kernel.terms import holds, rational

Powers = tuple[int, ...]
Terms = dict[tuple[Powers, Powers], Expr]
Side = tuple[tuple[Fraction, ...], ...]
Factors = tuple[tuple[Expr, Expr], ...]
COORDINATES = tuple(map(Fraction, ("1/2", "1", "2", "3", "-1", "-2")))
TRIALS = 2000
ANY, UNIT = "any", "unit"


def certify(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """A certificate, or an instance that fails, for each part about the rank of a polynomial."""
    found: list[Evidence] = []
    for number, part in enumerate(statement.parts):
        if isinstance(part, SeparationRank) and isinstance(part.function, Function):
            source = Random(f"{settings.seed} {number}")
            made = _instance(part, source) if part.over else None
            item = made or certificate(part, source)
            found.append(Part(number, item))
    return tuple(found)


def certificate(part: SeparationRank, source: Random) -> SeparationCertificate:
    function = part.function
    if not isinstance(function, Function):
        raise TypeError(f"function: expected a Function; got {type(function).__name__}")
    terms = _terms(function)
    rows, columns = (sorted({key[side] for key in terms}) for side in (0, 1))
    names = [tuple(name for name, _ in side) for side in (function.left, function.right)]
    pairs = _generic(terms, rows, columns) if part.over else _reduced(terms, rows, columns)
    factors = tuple((_polynomial(g, names[0]), _polynomial(h, names[1])) for g, h in pairs)
    left, right = _points(part, function, terms, (rows, columns), len(factors), source)
    return SeparationCertificate(left, right, factors)


def rank(function: Function) -> int:
    """Of a polynomial with rational coefficients."""
    terms = _terms(function)
    rows, columns = (sorted({key[side] for key in terms}) for side in (0, 1))
    return len(_reduced(terms, rows, columns))


def _terms(function: Function) -> Terms:
    """The coefficients by A-part and B-part."""
    expression = function.expression
    names = [name for name, _ in (*function.left, *function.right)]
    for name, domain in (*function.left, *function.right):
        if domain.integer and oo not in (domain.high, -domain.low):
            values = range(int(domain.low), int(domain.high) + 1)
            expression = rem(expression, Mul(*(name - value for value in values)), name)
    split = len(function.left)
    found = Poly(expression, *names).terms()
    return {(tuple(e[:split]), tuple(e[split:])): value for e, value in found if value != 0}


def _polynomial(coefficients: dict[Powers, Expr], names: tuple[Any, ...]) -> Expr:
    return Add(
        *(
            value * Mul(*(name**power for name, power in zip(names, powers, strict=True)))
            for powers, value in coefficients.items()
        )
    )


def _matrix(terms: Terms, rows: list[Powers], columns: list[Powers]) -> fmpq_mat:
    zero = Integer(0)
    entries = [[terms.get((row, column), zero) for column in columns] for row in rows]
    return fmpq_mat([[fmpq(int(e.p), int(e.q)) for e in row] for row in entries])


def _reduced(
    terms: Terms, rows: list[Powers], columns: list[Powers]
) -> list[tuple[dict[Powers, Expr], dict[Powers, Expr]]]:
    """C = P Q, P the pivot columns of C and Q the rows of its reduced form."""
    if not terms:
        return []
    reduced, count = _matrix(terms, rows, columns).rref()
    found = []
    for number in range(count):
        values = [reduced[number, place] for place in range(len(columns))]
        pivot = next(place for place, value in enumerate(values) if value != 0)
        g = {row: terms[row, columns[pivot]] for row in rows if (row, columns[pivot]) in terms}
        h = {
            column: Rational(int(value.p), int(value.q))
            for column, value in zip(columns, values, strict=True)
            if value != 0
        }
        found.append((g, h))
    return found


def _generic(
    terms: Terms, rows: list[Powers], columns: list[Powers]
) -> list[tuple[dict[Powers, Expr], dict[Powers, Expr]]]:
    """By a cover where each coefficient is a parameter of its own; else the same C = P Q over the
    rational functions of the parameters."""
    if len(set(terms.values())) == len(terms) and all(v.is_Symbol for v in terms.values()):
        return _covered(terms)
    table = _table(terms, rows, columns)
    reduced, pivots = table.rref(simplify=cancel)
    return [
        (
            {row: table[place, pivot] for place, row in enumerate(rows)},
            {column: reduced[number, place] for place, column in enumerate(columns)},
        )
        for number, pivot in enumerate(pivots)
    ]


def _covered(terms: Terms) -> list[tuple[dict[Powers, Expr], dict[Powers, Expr]]]:
    """One product for each row and column of a smallest cover, which by Koenig has as many as the
    largest matching of A-parts and B-parts."""
    lines = [*dict.fromkeys((side, key[side]) for key in terms for side in (0, 1))]
    for size in range(len(lines) + 1):
        for chosen in combinations(lines, size):
            if all((0, key[0]) in chosen or (1, key[1]) in chosen for key in terms):
                return [_product(terms, line, chosen) for line in chosen]
    return []


def _product(
    terms: Terms, line: tuple[int, Powers], chosen: tuple[tuple[int, Powers], ...]
) -> tuple[dict[Powers, Expr], dict[Powers, Expr]]:
    """A row with all its terms, or a column with those of no chosen row."""
    side, powers = line
    if side == 0:
        return {powers: Integer(1)}, {b: value for (a, b), value in terms.items() if a == powers}
    free = {a: v for (a, b), v in terms.items() if b == powers and (0, a) not in chosen}
    return free, {powers: Integer(1)}


def _points(
    part: SeparationRank,
    function: Function,
    terms: Terms,
    monomials: tuple[list[Powers], list[Powers]],
    count: int,
    source: Random,
) -> tuple[Side, Side]:
    """Points a side, as many as there are factors, with an invertible matrix of values; none
    where the bound above is all that is stated, or no such points are found."""
    if count == 0 or (part.over and part.op in ("<", "<=")):
        return (), ()
    wanted = _scales(part, _table(terms, *monomials)) if part.over else None
    if part.over and not wanted:
        return (), ()
    table = None if part.over else _matrix(terms, *monomials)
    for _ in range(TRIALS):
        sides = tuple(
            tuple(_point(domains, source) for _ in range(count))
            for domains in (function.left, function.right)
        )
        left, right = (
            fmpq_mat([[_value(powers, point) for powers in chosen] for point in side])
            for chosen, side in zip(monomials, sides, strict=True)
        )
        if table is None:
            scale = left.det() * right.det()
            seen = scale != 0 and (wanted is ANY or abs(scale) == 1)
        else:
            seen = (left * table * right.transpose()).det() != 0
        if seen:
            return sides[0], sides[1]
    return (), ()


def _scales(part: SeparationRank, table: Matrix) -> str:
    """With a square matrix of coefficients the determinant of the values is a multiple of its own.
    Any one will do if that is a monomial in the parameters; 1 or -1 if a hypothesis says that it
    is not 0."""
    if table.rows != table.cols:
        return ""
    found = expand(table.det(method="berkowitz"))
    known = [expand(given.lhs - given.rhs) for given in part.given]
    if found != 0 and not isinstance(found, Add):
        return ANY
    return UNIT if found in known or -found in known else ""


def _table(terms: Terms, rows: list[Powers], columns: list[Powers]) -> Matrix:
    return Matrix([[terms.get((row, column), Integer(0)) for column in columns] for row in rows])


def _value(powers: Powers, point: tuple[Fraction, ...]) -> fmpq:
    pairs = zip(point, powers, strict=True)
    value = prod((coordinate**power for coordinate, power in pairs), start=Fraction(1))
    return fmpq(value.numerator, value.denominator)


def _point(domains: Domains, source: Random) -> tuple[Fraction, ...]:
    found = []
    for _, domain in domains:
        if oo in (domain.high, -domain.low):
            found.append(source.choice(COORDINATES))
        else:
            found.append(Fraction(source.randint(int(domain.low), int(domain.high))))
    return tuple(found)


def _instance(part: SeparationRank, source: Random) -> Instance | None:
    """The statement at the first values of the parameters at which it is seen to fail."""
    names = [name for name, _ in part.over if isinstance(name, Symbol)]
    for values in _choices(len(names), source):
        point = dict(zip(names, map(Integer, values), strict=True))
        if not all(_holds(given, point) for given in part.given):
            continue
        fixed = _fixed(part, point)
        found = rank(fixed.function) if isinstance(fixed.function, Function) else 0
        stated = int(fixed.value)
        if not holds((found > stated) - (found < stated), part.op):
            return Instance(tuple(point.items()), certificate(fixed, source))
    return None


def _choices(count: int, source: Random) -> Iterator[tuple[int, ...]]:
    """Ones, then one of them replaced by 0, then small numbers."""
    ones = (1,) * count
    yield ones
    for place in range(count):
        yield (*ones[:place], 0, *ones[place + 1 :])
    for _ in range(8):
        yield tuple(source.randint(-3, 3) for _ in range(count))


def _holds(given: Relation, point: dict[Symbol, Integer]) -> bool:
    value = rational((given.lhs - given.rhs).xreplace(point), {})
    return value is not None and holds((value > 0) - (value < 0), given.op)


def _fixed(part: SeparationRank, point: dict[Symbol, Integer]) -> SeparationRank:
    function = part.function
    if isinstance(function, Function):
        function = replace(function, expression=function.expression.xreplace(point))
    return replace(part, function=function, value=part.value.xreplace(point), over=(), given=())
