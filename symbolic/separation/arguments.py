"""What the functions of this family accept: whole numbers, partitions, polynomials over Q."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Rational, Symbol

Exponents = tuple[int, ...]
Terms = dict[tuple[Exponents, Exponents], Any]  # A-part, B-part -> rational coefficient
LARGEST = 10**6


class SeparationError(ValueError):
    """An argument outside the theory: which one, what was expected, what to pass instead."""


def whole(name: str, value: Any, least: int = 1) -> int:
    """`value` as an int of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | Integer) or value < least:
        raise SeparationError(f"{name}: expected an integer of at least {least}; got {value!r}.")
    return int(value)


def whole_or_symbolic(name: str, value: Any, least: int = 1) -> Expr:
    """`value` as an exact expression: a number must be whole, anything else stands for one."""
    if isinstance(value, Expr) and value.free_symbols:
        return value
    return Integer(whole(name, value, least))


def partition(left: Iterable, right: Iterable) -> tuple[tuple, tuple]:
    """Both sides as tuples; no variable may appear twice."""
    sides = []
    for name, side in (("left", left), ("right", right)):
        if isinstance(side, str | Mapping) or not isinstance(side, Iterable):
            raise SeparationError(
                f"{name}: expected a sequence of variables; got {side!r}. "
                "Pass a tuple, such as (x, y)."
            )
        entries = tuple(side)
        for entry in entries:
            if not isinstance(entry, Hashable) or entries.count(entry) > 1:
                raise SeparationError(
                    f"{name}: expected different variables; got {entry!r} twice or unhashable."
                )
        sides.append(entries)
    shared = [entry for entry in sides[0] if entry in sides[1]]
    if shared:
        raise SeparationError(
            f"left, right: expected two sides without common variables; got {shared} on both. "
            "Remove them from one side."
        )
    return sides[0], sides[1]


def places(left: Iterable, right: Iterable, count: int | None) -> tuple[Exponents, Exponents]:
    """Both sides as positions 0, 1, ..., which together must be all of them, `count` if known."""
    sides = partition(left, right)
    for name, side in zip(("left", "right"), sides, strict=True):
        for place in side:
            if isinstance(place, bool) or not isinstance(place, int):
                raise SeparationError(f"{name}: expected positions, counted from 0; got {place!r}.")
    found, total = {*sides[0], *sides[1]}, count
    if total is None:
        total = len(found)
    if found != set(range(total)):
        raise SeparationError(
            f"left, right: expected the positions 0 to {total - 1}, each on one side; got "
            f"{list(sides[0])} and {list(sides[1])}. Give every position to one side."
        )
    return sides


def rational(name: str, value: Any) -> Any:
    """`value` as an `fmpq`."""
    exact = int | Fraction | Rational | fmpz | fmpq
    if isinstance(value, bool) or not isinstance(value, exact):
        raise SeparationError(
            f"{name}: expected rational coefficients (int, Fraction, sympy Rational); got "
            f"{value!r}. A float is not exact input: write Fraction(1, 2) for 0.5."
        )
    if isinstance(value, fmpz | fmpq):
        return fmpq(value)
    return fmpq(int(value.numerator), int(value.denominator))


def terms(polynomial: Any, left: Iterable, right: Iterable) -> Terms:
    """The nonzero terms of a polynomial by their A-part and B-part."""
    if isinstance(polynomial, Mapping):
        powers, sides = _from_mapping(polynomial, left, right)
    else:
        powers, sides = _from_expression(polynomial, left, right)
    one, two = sides
    return {
        (tuple(e[i] for i in one), tuple(e[i] for i in two)): c for e, c in powers.items() if c != 0
    }


def _from_mapping(
    polynomial: Mapping, left: Iterable, right: Iterable
) -> tuple[dict[Exponents, Any], tuple[Exponents, Exponents]]:
    powers = {}
    for exponents, coefficient in polynomial.items():
        if not isinstance(exponents, tuple) or not all(map(_is_exponent, exponents)):
            raise SeparationError(
                f"polynomial: expected tuples of exponents 0, 1, ... as keys; got {exponents!r}."
            )
        powers[tuple(map(int, exponents))] = rational("polynomial", coefficient)
    lengths = {len(exponents) for exponents in powers}
    if len(lengths) > 1:
        raise SeparationError(
            f"polynomial: expected as many exponents in every key; got {sorted(lengths)}. "
            "Write 0 for a variable that a monomial lacks."
        )
    return powers, places(left, right, lengths.pop() if lengths else None)


def _is_exponent(value: Any) -> bool:
    return isinstance(value, int | Integer | fmpz) and not isinstance(value, bool) and value >= 0


def _from_expression(
    polynomial: Any, left: Iterable, right: Iterable
) -> tuple[dict[Exponents, Any], tuple[Exponents, Exponents]]:
    sides = partition(left, right)
    for name, side in zip(("left", "right"), sides, strict=True):
        for variable in side:
            if not isinstance(variable, Symbol | Indexed):
                raise SeparationError(
                    f"{name}: expected the symbols of the polynomial; got {variable!r}. "
                    "Positions go with a dictionary of coefficients."
                )
    if isinstance(polynomial, int | Fraction) and not isinstance(polynomial, bool):
        polynomial = Rational(polynomial.numerator, polynomial.denominator)
    if not isinstance(polynomial, Expr):
        raise SeparationError(
            f"polynomial: expected a SymPy expression or a dictionary from exponents to "
            f"coefficients; got {polynomial!r}."
        )
    variables = (*sides[0], *sides[1])
    ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(variables))], Ordering.lex)
    known = dict(zip(variables, ring.gens(), strict=True))
    found = _expanded(polynomial, known, ring).to_dict()
    split = len(sides[0])
    return found, (tuple(range(split)), tuple(range(split, len(variables))))


def _expanded(expr: Expr, known: Mapping[Expr, Any], ring: Any) -> Any:
    """`expr` multiplied out in the polynomial ring."""
    if expr in known:
        return known[expr]
    if isinstance(expr, Rational):
        return ring.constant(rational("polynomial", expr))
    if isinstance(expr, Add):
        return _total([_expanded(arg, known, ring) for arg in expr.args])
    if isinstance(expr, Mul):
        product = ring.constant(1)
        for arg in expr.args:
            product *= _expanded(arg, known, ring)
        return product
    if isinstance(expr, Pow) and isinstance(expr.exp, Integer):
        return _power(expr, _expanded(expr.base, known, ring), ring)
    if isinstance(expr, Symbol | Indexed):
        raise SeparationError(
            f"left, right: expected every variable of the polynomial on one side; got none for "
            f"{expr}. Add it to left or right."
        )
    raise SeparationError(
        f"polynomial: expected a polynomial with rational coefficients; got the part {expr}. "
        "Functions, roots, quotients, floats and irrational numbers are not allowed."
    )


def _power(expr: Expr, base: Any, ring: Any) -> Any:
    exponent = int(expr.exp)
    if exponent < 0:
        if not base.is_constant() or base == 0:
            raise SeparationError(
                f"polynomial: expected a polynomial; got the quotient {expr}. Cancel it first."
            )
        return ring.constant(1 / base.leading_coefficient()) ** -exponent
    count = len(base)
    if count > 1 and comb(count + exponent - 1, exponent) > LARGEST:
        raise SeparationError(
            f"polynomial: expected powers of at most {LARGEST} terms; got {expr}."
        )
    return base**exponent


def _total(parts: Sequence[Any]) -> Any:
    """The sum, by halves: each term is copied only log n times."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return _total(parts[:middle]) + _total(parts[middle:])
