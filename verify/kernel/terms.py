"""Expressions: which are admitted, their exact rational values, their enclosures by balls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from math import comb, factorial, prod

import sympy as sp
from flint import acb, arb, ctx, fmpq
from sympy import Expr, Indexed, IndexedBase

Env = Mapping[Expr, arb | acb]

FUNCTIONS = {
    sp.log: "log", sp.LambertW: "lambertw", sp.erf: "erf", sp.erfc: "erfc", sp.gamma: "gamma",
    sp.sin: "sin", sp.cos: "cos", sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh",
}  # fmt: skip
STEPS = (sp.floor, sp.ceiling, sp.Abs, sp.Max, sp.Min, sp.factorial, sp.binomial)
BINDERS = (sp.Sum, sp.Product, sp.Integral)
NUMBERS = ((-1, 1), (0, 1), (1, 1), (1, 2))  # for which SymPy has classes of their own
NODES = (
    *(sp.Add, sp.Mul, sp.Pow, sp.exp, sp.Symbol, Indexed, IndexedBase, sp.Derivative),
    *(sp.Rational, sp.Integer, *(type(sp.Rational(*ratio)) for ratio in NUMBERS)),
    *(sp.core.numbers.Exp1, sp.core.numbers.Pi, sp.Tuple),
    *(*FUNCTIONS, *STEPS, *BINDERS),
)
ANALYTIC = (
    *(sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.sin, sp.cos, sp.erf, sp.Symbol),
    *(sp.Rational, sp.core.numbers.Exp1, sp.core.numbers.Pi),
)
BITS = 1 << 20
CASES = 100_000
LARGE = 10**6  # in exponents
POWER = 100  # of sums, when they are multiplied out
TERMS = 3_000  # of a sum that is multiplied out
ORDER = 6  # of derivatives
FUEL = 1_000_000  # steps of one check, so that none runs for long
_left: ContextVar[list[int]] = ContextVar("fuel of the check under way")
PRECISIONS = (64, 256, 1024, 4096)


class Rejected(Exception):
    """The evidence does not show what it should; the message names the part and the reason."""


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
        if isinstance(node, BINDERS) and [len(limits) for limits in node.limits] != [3]:
            raise Rejected(f"{node} must run over one index with two bounds")
        if isinstance(node, sp.Derivative) and len(node.variables) > ORDER:
            raise Rejected(f"{node} is of more than order {ORDER}")
        _moderate(node, node.args)
        if isinstance(node, sp.LambertW) and len(node.args) != 1:
            raise Rejected(f"{node} is not the principal branch W0")
        if isinstance(node, sp.Symbol) and node.assumptions0 != {"commutative": True}:
            raise Rejected(f"symbol {node} carries assumptions; state them as a domain instead")


def evaluated(expr: Expr) -> Expr:
    """`expr` with its derivatives carried out, the inner ones first."""
    nodes = expr.atoms(sp.Derivative)
    return expr.xreplace({node: evaluated(node.expr).diff(*node.variables) for node in nodes})


def put(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """`expr` at these values of its variables; no variable may be caught by a bound one."""
    expr = evaluated(expr)
    if expr.has(sp.Derivative):
        raise Rejected(f"{expr} has no derivative")
    bound = {node.limits[0][0] for node in expr.atoms(*BINDERS)}
    caught = bound & set(values).union(*(value.free_symbols for value in values.values()))
    if caught:
        raise Rejected(f"{caught} is bound in {expr}; rename it")
    return _rebuilt(expr, values) if values else expr


def _rebuilt(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """Node by node, since SymPy computes powers of numbers at once, however large."""
    if expr in values:
        return values[expr]
    if isinstance(expr, Indexed):
        return expr.base[tuple(_rebuilt(index, values) for index in expr.indices)]
    spend(1)
    args = [_rebuilt(arg, values) for arg in expr.args]
    _moderate(expr, args)
    return expr.func(*args) if args else expr


def _moderate(node: Expr, args: Sequence[Expr]) -> None:
    """Refuse what SymPy or FLINT would compute at once and at any size."""
    if isinstance(node, sp.Pow | sp.exp):
        numbers = args[-1].atoms(sp.Rational)
        large = any(abs(number.p) > LARGE for number in numbers) and not args[0].free_symbols
        base, exponent = args[0], args[-1]
        rational_power = isinstance(base, sp.Rational) and isinstance(exponent, sp.Rational)
        if isinstance(node, sp.Pow) and rational_power:
            size = max(abs(base.p), base.q).bit_length() if hasattr(base.p, "bit_length") else 1
            large = large or size * abs(exponent.p) > BITS
    elif isinstance(node, sp.gamma | sp.factorial | sp.binomial):
        large = any(abs(number.p) > BITS // 64 for arg in args for number in arg.atoms(sp.Rational))
    else:
        return
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
    return 1


def expanded(expr: Expr) -> Expr:
    """Multiplied out, unless that would fill the memory."""
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
    spend(1)
    if expr in env:
        return env[expr]
    if isinstance(expr, sp.Rational):
        return Fraction(int(expr.p), int(expr.q))
    if isinstance(expr, sp.Sum | sp.Product):
        index = expr.limits[0]
        terms = [rational(expr.function, {**env, index[0]: Fraction(k)}) for k in cases(index, env)]
        known = [term for term in terms if term is not None]
        if len(known) < len(terms):
            return None
        return (
            sum(known, Fraction(0)) if isinstance(expr, sp.Sum) else prod(known, start=Fraction(1))
        )
    if isinstance(expr, Indexed):
        indices = [rational(index, env) for index in expr.indices]
        if None in indices:
            return None
        return env.get(expr.base[tuple(sp.Integer(int(index)) for index in indices)])  # type: ignore[arg-type]
    if not isinstance(expr, (sp.Add, sp.Mul, sp.Pow, *STEPS)):
        return None
    args = [rational(arg, env) for arg in expr.args]
    return None if None in args else _arithmetic(expr, args)  # type: ignore[arg-type]


def _arithmetic(expr: Expr, args: list[Fraction]) -> Fraction | None:
    first = args[0]
    match expr:
        case sp.Add():
            return sum(args, Fraction(0))
        case sp.Mul():
            return prod(args, start=Fraction(1))
        case sp.Pow():
            return _power(first, args[1])
        case sp.Abs():
            return abs(first)
        case sp.floor():
            return Fraction(first.__floor__())
        case sp.ceiling():
            return Fraction(first.__ceil__())
        case sp.Max():
            return max(args)
        case sp.Min():
            return min(args)
    if any(arg.denominator != 1 or not 0 <= arg <= BITS // 64 for arg in args):
        return None
    whole = [int(arg) for arg in args]
    return Fraction(factorial(*whole) if isinstance(expr, sp.factorial) else comb(*whole))


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1:
        return None
    if base == 0 and exponent < 0:
        raise Rejected("division by zero")
    size = max(abs(base.numerator), base.denominator).bit_length()
    if base in (-1, 0, 1) or size * abs(exponent) <= BITS:
        return base ** int(exponent)
    raise Rejected(f"a power of more than {BITS} bits")


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
            if not enclose(expr.expr, env).is_finite():
                raise Rejected(f"{expr.expr} is not defined there")
            return enclose(evaluated(expr), env, analytic)
        case sp.Integral():
            return _integral(expr, env)
        case sp.Sum() | sp.Product():
            index, start = expr.limits[0], arb(0 if isinstance(expr, sp.Sum) else 1)
            terms = (enclose(expr.function, {**env, index[0]: arb(k)}) for k in cases(index, {}))
            return sum(terms, start) if isinstance(expr, sp.Sum) else prod(terms, start=start)
    args = [enclose(arg, env, analytic) for arg in expr.args]
    match expr:
        case sp.Add():
            return sum(args[1:], args[0])
        case sp.Mul():
            return prod(args[1:], start=args[0])
        case sp.exp():
            return args[0].exp()
        case sp.Pow():
            return _ball_power(expr, args, analytic)
        case sp.Abs():
            return abs(args[0])
    name = FUNCTIONS.get(type(expr))
    if name is None:
        raise Rejected(f"no enclosure for {expr}")
    return _logarithm(args[0], analytic) if name == "log" else getattr(args[0], name)()


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
    if not enclose(integrand, {**env, name: ends[0].union(ends[1])}).is_finite():
        raise Rejected(f"{integrand} is not seen to be finite between {low} and {high}")
    result = acb.integral(
        lambda z, analytic: enclose(integrand, {**env, name: z}, analytic) + acb(0),
        *map(acb, ends),
    )
    return result.real


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
    return {
        "=": sign == 0, "!=": sign != 0, "<": sign < 0,
        "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0,
    }[op]  # fmt: skip
