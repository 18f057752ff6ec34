"""Expressions: which are admitted, their exact rational values, their enclosures by balls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import partial
from math import comb, factorial, prod
from operator import add, mul
from typing import Any, TypeVar

import sympy as sp
from flint import acb, arb, ctx, fmpq
from sympy import Expr, Indexed, IndexedBase

Env = Mapping[Expr, arb | acb]
Kind = TypeVar("Kind")

ENCLOSED = {  # functions, and the methods of balls that enclose them
    sp.exp: "exp", sp.log: "log", sp.LambertW: "lambertw", sp.erf: "erf", sp.erfc: "erfc",
    sp.gamma: "gamma", sp.sin: "sin", sp.cos: "cos", sp.sinh: "sinh", sp.cosh: "cosh",
    sp.tanh: "tanh", sp.Abs: "__abs__",
}  # fmt: skip
STEPS = (sp.floor, sp.ceiling, sp.Abs, sp.Max, sp.Min, sp.factorial, sp.binomial)
BINDERS = (sp.Sum, sp.Product, sp.Integral)
CONSTANTS = (sp.core.numbers.Exp1, sp.core.numbers.Pi)
NODES = (
    *(sp.Add, sp.Mul, sp.Pow, sp.Symbol, Indexed, IndexedBase, sp.Derivative, sp.Tuple),
    *(sp.Rational, sp.Integer, *map(type, (sp.S.NegativeOne, sp.S.Zero, sp.S.One, sp.S.Half))),
    *(*CONSTANTS, *ENCLOSED, *STEPS, *BINDERS),
)
ANALYTIC = (
    *(sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.sin, sp.cos, sp.erf),
    *(sp.Symbol, sp.Rational, *CONSTANTS),
)
OPERATOR_SIGNS = {  # of lhs - rhs, where lhs op rhs
    "=": frozenset((0,)), "!=": frozenset((-1, 1)), "<": frozenset((-1,)),
    "<=": frozenset((-1, 0)), ">": frozenset((1,)), ">=": frozenset((0, 1)),
}  # fmt: skip
BITS = 1 << 20
CASES = 100_000
LARGE = 10**6  # in exponents
POWER = 100  # of sums, when they are multiplied out
TERMS = 3_000  # of a sum that is multiplied out
INDICES = 8  # of one sum
FRACTIONS = 50_000  # terms over one common denominator
ORDER = 6  # of derivatives
FUEL = 1_000_000  # steps of one check, so that none runs for long
_left: ContextVar[list[int]] = ContextVar("fuel of the check under way")
PRECISIONS = (64, 256, 1024, 4096)


class Rejected(Exception):
    """The evidence does not show what it should; the message names the part and the reason."""


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise Rejected(reason)


def expect(value: object, kind: type[Kind], reason: str) -> Kind:
    """`value`, which must be of this kind."""
    if not isinstance(value, kind):
        raise Rejected(reason)
    return value


@contextmanager
def fuelled() -> Iterator[None]:
    """Gives the check under way its steps."""
    token = _left.set([FUEL])
    try:
        yield
    finally:
        _left.reset(token)


def spend(steps: int) -> None:
    """Count steps of the check under way; outside of one there is no limit."""
    left = _left.get([FUEL])
    left[0] -= steps
    if left[0] < 0:
        raise Rejected(f"the check takes more than {FUEL} steps")


def admit(expr: Expr) -> None:
    """Only the language's own nodes, and symbols that carry no hidden assumption."""
    for node in sp.preorder_traversal(expr):
        if type(node) not in NODES:
            raise Rejected(f"{type(node).__name__} ({node}) is not in the language of statements")
        if isinstance(node, BINDERS):
            most = 1 if isinstance(node, sp.Integral) else INDICES
            once = 1 <= len(node.limits) <= most
            plain = all(len(limits) == 3 and type(limits[0]) is sp.Symbol for limits in node.limits)
            if not (once and plain):
                raise Rejected(f"{node} must run over plain indices with two bounds each")
        if isinstance(node, sp.Derivative) and sum(n for _, n in node.variable_count) > ORDER:
            raise Rejected(f"{node} is of more than order {ORDER}")
        _moderate(node, node.args)
        if isinstance(node, sp.LambertW) and len(node.args) != 1:
            raise Rejected(f"{node} is not the principal branch W0")
        if isinstance(node, sp.Symbol) and node.assumptions0 != {"commutative": True}:
            raise Rejected(f"symbol {node} carries assumptions; state them as a domain instead")


def outermost(expr: Expr) -> tuple[Expr, sp.Tuple]:
    """A sum, product or integral as one over a single index: what it runs over, and the index
    with its bounds. SymPy writes a sum of sums as one with several indices, the inner ones first.
    """
    *inner, last = expr.limits
    return (expr.func(expr.function, *inner) if inner else expr.function), last


def indices(expr: Expr) -> set[Expr]:
    """The indices that are bound somewhere in `expr`."""
    return {limits[0] for node in expr.atoms(*BINDERS) for limits in node.limits}


def evaluated(expr: Expr) -> Expr:
    """`expr` with its derivatives carried out, the inner ones first."""
    nodes = expr.atoms(sp.Derivative)
    return replaced_in(expr, {node: evaluated(node.expr).diff(*node.variables) for node in nodes})


def put(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """`expr` at these values of its variables; no variable may be caught by a bound one."""
    expr = evaluated(expr)
    if expr.has(sp.Derivative):
        raise Rejected(f"{expr} has no derivative")
    caught = indices(expr) & set(values).union(*(value.free_symbols for value in values.values()))
    if caught:
        raise Rejected(f"{caught} is bound in {expr}; rename it")
    return replaced_in(expr, values)


def replaced_in(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """`expr` with these nodes of it replaced."""
    if not values or expr in values:
        return values.get(expr, expr)
    if isinstance(expr, Indexed):
        return expr.base[tuple(replaced_in(index, values) for index in expr.indices)]
    spend(1)
    return rebuilt(expr, [replaced_in(arg, values) for arg in expr.args])


def rebuilt(expr: Expr, args: Sequence[Expr]) -> Expr:
    """Node by node, since SymPy computes powers of numbers at once, however large."""
    _moderate(expr, args)
    return expr.func(*args) if args else expr


def _moderate(node: Expr, args: Sequence[Expr]) -> None:
    """Refuse what SymPy or FLINT would compute at once and at any size."""
    large = False
    if isinstance(node, sp.Pow | sp.exp):
        base, exponent = args[0], args[-1]
        numbers = exponent.atoms(sp.Rational)
        large = not base.free_symbols and any(abs(number.p) > LARGE for number in numbers)
        powers = isinstance(node, sp.Pow) and isinstance(base, sp.Rational)
        if powers and isinstance(exponent, sp.Rational):
            large = large or max(abs(base.p), base.q).bit_length() * abs(exponent.p) > BITS
    elif isinstance(node, sp.gamma | sp.factorial | sp.binomial):
        large = any(abs(number.p) > BITS // 64 for arg in args for number in arg.atoms(sp.Rational))
    if large:
        raise Rejected(f"{type(node).__name__} of a number that is too large")


def terms(expr: Expr) -> int:
    """A bound for the number of terms of a sum that is multiplied out."""
    match expr:
        case sp.Add():
            return sum(map(terms, expr.args))
        case sp.Mul():
            return prod(map(terms, expr.args))
        case sp.Pow() if isinstance(expr.exp, sp.Integer):
            count, power = terms(expr.base), abs(int(expr.exp))
            return 1 if count == 1 else comb(count + power - 1, power) if power <= POWER else LARGE
    return 1 if all(terms(arg) <= TERMS for arg in expr.args) else LARGE


def fractional(expr: Expr) -> int:
    """A bound for the number of terms over one common denominator."""
    powers = [p for p in expr.atoms(sp.Pow) if isinstance(p.exp, sp.Integer) and p.exp < 0]
    return terms(expr) * prod(terms(1 / p) for p in powers)


def expanded(expr: Expr) -> Expr:
    """Multiplied out, unless that would fill the memory."""
    for node in expr.atoms(sp.Pow):  # SymPy writes 9**(x + k) as 9**x * 9**k
        if isinstance(node.base, sp.Rational):
            _moderate(node, (node.base, expanded(node.exp).as_coeff_Add()[0]))
    return sp.expand(expr) if terms(expr) <= TERMS else expr


def order(expr: Expr, variables: tuple[Expr, ...]) -> int:
    """A bound for the degree of a polynomial, by counting factors."""
    match expr:
        case sp.Add():
            return max(order(arg, variables) for arg in expr.args)
        case sp.Mul():
            return sum(order(arg, variables) for arg in expr.args)
        case sp.Pow() if isinstance(expr.exp, sp.Integer) and expr.exp >= 0:
            return int(expr.exp) * order(expr.base, variables)
    if expr not in variables and expr.free_symbols & set(variables):
        raise Rejected(f"{expr} is no polynomial")
    return int(expr in variables)


def monomials(expr: Expr, variables: tuple[Expr, ...]) -> int:
    """How many monomials a polynomial in these variables can have."""
    return comb(order(expr, variables) + len(variables), len(variables))


def cases(limits: sp.Tuple, env: Mapping[Expr, Fraction]) -> range:
    low, high = rational(limits[1], env), rational(limits[2], env)
    if low is None or high is None or low.denominator * high.denominator != 1:
        raise Rejected(f"the bounds of {limits} are not integers here")
    if high - low > CASES:
        raise Rejected(f"{limits} has more than {CASES} cases")
    return range(int(low), int(high) + 1)


def rational(expr: Expr, env: Mapping[Expr, Fraction]) -> Fraction | None:
    """The exact value of `expr`, or None where it is not rational by plain arithmetic."""
    spend(2)
    if expr in env:
        return env[expr]
    match expr:
        case sp.Rational():
            return Fraction(int(expr.p), int(expr.q))
        case sp.Sum() | sp.Product():
            function, index = outermost(expr)
            args = [rational(function, {**env, index[0]: Fraction(k)}) for k in cases(index, env)]
        case Indexed():
            args = [rational(index, env) for index in expr.indices]
            entry = expr.base[tuple(map(sp.Rational, args))] if None not in args else None
            return env.get(entry)
        case _ if type(expr) in EXACT:
            args = [rational(arg, env) for arg in expr.args]
        case _:
            return None
    return EXACT[type(expr)](*args) if None not in args else None


def rationals(values: Iterable[Expr]) -> tuple[Fraction, ...]:
    found = (rational(value, {}) for value in values)
    return tuple(expect(value, Fraction, "an entry is not rational") for value in found)


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1:
        return None
    if base == 0 and exponent < 0:
        raise Rejected("division by zero")
    size = max(abs(base.numerator), base.denominator).bit_length()
    if base in (-1, 0, 1) or size * abs(exponent) <= BITS:
        return base ** int(exponent)
    raise Rejected(f"a power of more than {BITS} bits")


def _joined(join: Callable[..., Fraction], start: int, *args: Fraction) -> Fraction:
    """A sum or product, one by one, so that none grows too large."""
    value = Fraction(start)
    for arg in args:
        value = join(value, arg)
        size = max(abs(value.numerator), value.denominator).bit_length()
        spend(size >> 10)
        if size > BITS:
            raise Rejected(f"a number of more than {BITS} bits")
    return value


def _counting(function: Callable[..., int], *args: Fraction) -> Fraction | None:
    """Of natural numbers that are not too large."""
    if any(arg.denominator != 1 or not 0 <= arg <= BITS // 64 for arg in args):
        return None
    value = function(*map(int, args))
    spend(value.bit_length() >> 8)
    return Fraction(value)


EXACT: Mapping[Any, Callable[..., Any]] = {
    **dict.fromkeys((sp.Add, sp.Sum), partial(_joined, add, 0)),
    **dict.fromkeys((sp.Mul, sp.Product), partial(_joined, mul, 1)),
    sp.Pow: _power, sp.Abs: abs, sp.Max: max, sp.Min: min,
    sp.floor: lambda x: Fraction(x.__floor__()), sp.ceiling: lambda x: Fraction(x.__ceil__()),
    sp.factorial: partial(_counting, factorial), sp.binomial: partial(_counting, comb),
}  # fmt: skip


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def hull(low: Fraction, high: Fraction) -> arb:
    return ball(low).union(ball(high))


def enclose(expr: Expr, env: Env, analytic: bool | None = None) -> arb | acb:
    """A ball that contains the value of `expr` for all values in the balls of `env`."""
    spend(1)
    if expr in env:
        return env[expr]
    match expr:
        case sp.Rational():
            return arb(fmpq(int(expr.p), int(expr.q)))
        case sp.core.numbers.Exp1():
            return arb.const_e()
        case sp.core.numbers.Pi():
            return arb.pi()
        case sp.Derivative():
            finite(expr.expr, env)
            return enclose(evaluated(expr), env, analytic)
        case sp.Integral():
            return _integral(expr, env)
        case sp.Sum() | sp.Product():
            function, index = outermost(expr)
            args = [enclose(function, {**env, index[0]: arb(k)}) for k in cases(index, {})]
        case _:
            args = [enclose(arg, env, analytic) for arg in expr.args]
    match expr:
        case sp.Add() | sp.Sum():
            return sum(args, arb(0))
        case sp.Mul() | sp.Product():
            return prod(args, start=arb(1))
        case sp.Pow():
            return _ball_power(expr, args, analytic)
        case sp.log():
            return _logarithm(args[0], analytic)
        case _ if type(expr) in ENCLOSED:
            return getattr(args[0], ENCLOSED[type(expr)])()
    raise Rejected(f"no enclosure for {expr}")


def finite(expr: Expr, env: Env) -> arb:
    """A ball as above, which shows that `expr` is a finite real number."""
    found = enclose(expr, env)
    if not (isinstance(found, arb) and found.is_finite()):
        raise Rejected(f"{expr} is not seen to be finite, perhaps not defined there")
    return found


def _logarithm(value: arb | acb, analytic: bool | None) -> arb | acb:
    """Within an integral not finite across the cut, where it is not analytic."""
    return value.log() if analytic is None else acb(value).log(analytic=analytic)


def _ball_power(expr: sp.Pow, args: list[arb | acb], analytic: bool | None) -> arb | acb:
    if isinstance(expr.exp, sp.Integer):
        return _whole_power(args[0], int(expr.exp))
    logarithm = _logarithm(args[0], analytic)
    if analytic is None and isinstance(expr.exp, sp.Rational) and args[0] == 0 and args[1] > 0:
        return arb(0)
    return (args[1] * logarithm).exp()


def _whole_power(base: arb | acb, exponent: int) -> arb | acb:
    """By squaring: unlike the library's `**`, this also serves balls that contain zero."""
    if exponent < 0:
        return 1 / _whole_power(base, -exponent)
    if exponent >= BITS**4:
        raise Rejected("a power that is too large")
    result = base * 0 + 1
    for bit in bin(exponent)[2:]:
        result = result * result * (base if bit == "1" else 1)
    return result


def _integral(expr: sp.Integral, env: Env) -> arb:
    """Rigorous integration; where the integrand is not analytic the ball is not finite."""
    name, low, high = expr.limits[0]
    integrand = evaluated(expr.function)
    if not all(isinstance(node, ANALYTIC) for node in sp.preorder_traversal(integrand)):
        raise Rejected(f"{integrand} is not known to be analytic")
    ends = enclose(low, env), enclose(high, env)
    finite(expr.function, {**env, name: ends[0].union(ends[1])})
    return acb.integral(
        lambda z, analytic: enclose(integrand, {**env, name: z}, analytic) + acb(0),
        *map(acb, ends),
    ).real


def ground_sign(
    expr: Expr,
    env: Mapping[Expr, Fraction] | None = None,
    precisions: tuple[int, ...] = PRECISIONS,
) -> int | None:
    """The sign of an expression whose variables have rational values; None if undecided.

    Zero is only ever answered by exact arithmetic.
    """
    values = env or {}
    exact = rational(expr, values)
    if exact is not None:
        return (exact > 0) - (exact < 0)
    for precision in precisions:
        with ctx.workprec(precision):
            enclosed = enclose(expr, {key: ball(value) for key, value in values.items()})
        if enclosed > 0:
            return 1
        if enclosed < 0:
            return -1
    return None


def decimal(expr: Expr) -> str:
    """A number as a reader wants to see it; decides nothing."""
    exact = rational(expr, {})
    if exact is not None and len(str(exact)) < 12:
        return str(exact)
    with ctx.workprec(64):
        return enclose(expr, {}).str(5, radius=False)


def holds(sign: int, op: str) -> bool:
    """Does `lhs op rhs` hold when lhs - rhs has this sign?"""
    return sign in OPERATOR_SIGNS[op]
