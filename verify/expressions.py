"""The text of expressions: what records and users may write, read without running any of it.

The language is Python's arithmetic over integers, E, pi, symbols and array entries d[i, j], a
closed table of functions, and Sum, Product, Integral, Derivative. `parse` gives the tree that
SymPy builds, except that a rational multiple of a sum, 2*(x + 1), and a function of symbols,
erf(-x), stay as written.

SymPy evaluates what it builds: it multiplies out powers, factors radicands, compares irrational
numbers numerically. So every node is measured, unevaluated, before SymPy may touch it.
"""

from __future__ import annotations

import ast
import keyword
import re
from fractions import Fraction
from functools import lru_cache
from math import lcm, prod
from typing import Any, NamedTuple

import sympy as sp
from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational, Symbol, oo

from .errors import VerifyError

MAX_LENGTH = 100_000  # characters of text
MAX_DEPTH = 32  # brackets, powers and signs inside one another
MAX_TERMS = 1_000  # operators + - * / of a sum and its product, with those around them
MAX_NODES = 20_000  # of the tree
MAX_DIGITS = 4_000  # of an integer, read or computed; CPython prints at most 4,300
MAX_BITS = 1 << 17  # of all numbers that evaluating a node may write out
MAX_RADICAND = 2_048  # bits of all rationals under fractional powers, which SymPy factors
MAX_HEIGHT = 4  # functions inside one another in an irrational number; hyperbolic ones anywhere
MAX_ARGUMENTS = 16  # of Max and Min
MAX_ORDER = 100  # of a derivative
MAX_EXPONENT = 1_100  # of a hexadecimal float

_FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        *(sp.exp, sp.log, sp.LambertW, sp.erf, sp.erfc, sp.gamma, sp.factorial, sp.binomial),
        *(sp.floor, sp.ceiling, sp.Abs, sp.Max, sp.Min),
        *(sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh),
    )
}
_ARITY = {"binomial": (2,), **dict.fromkeys(("Max", "Min"), range(2, MAX_ARGUMENTS + 1))}
_BINDERS = {"Sum": sp.Sum, "Product": sp.Product, "Integral": sp.Integral}
_CONSTANTS = {"E": sp.E, "pi": sp.pi}
_CALLS = sorted({*_FUNCTIONS, *_BINDERS, "Derivative", "sqrt"})
_RESERVED = {*_CALLS, *_CONSTANTS, "oo", "I", "nan", "zoo"}
_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)
_STEEP = (sp.exp, sp.erf, sp.erfc, *_HYPERBOLIC)  # may be so small that floor needs all digits
_TAME = (sp.log, sp.LambertW, sp.Abs, sp.Max, sp.Min)  # cheap at any irrational number
_HUGE = 1 << 4_096  # bounds beyond are not told apart
_NAME = re.compile(r"[A-Za-z](_?[A-Za-z0-9]){0,99}_?")
_TOKEN = re.compile(
    r"(?P<digits>[0-9]\w*)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\*\*|[-+*/])|(?P<open>[(\[])"
    r"|(?P<close>[)\]])|(?P<comma>,)|(?P<space> +)|(?P<other>.)",
    re.ASCII | re.DOTALL,
)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_HEX = re.compile(r"(-?)0x([01])\.([0-9a-f]{1,13})p([+-][0-9]{1,4})")

LANGUAGE: frozenset[type] = frozenset(
    {Integer, Rational, Symbol, Add, Mul, Pow, sp.Tuple, sp.Indexed, sp.IndexedBase}
    | {type(c) for c in (*map(Integer, (-1, 0, 1)), Rational(1, 2), sp.E, sp.pi, oo, -oo)}
    | {sp.Derivative, *_BINDERS.values(), *_FUNCTIONS.values()}
)


class ParseError(VerifyError):
    """Text or an expression outside the language; `column`, from 1, if text is to blame."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message if column is None else f"column {column}: {message}")
        self.message, self.column = message, column


class _Text(sp.StrPrinter):
    """SymPy's text, but a sum over several indices as sums of sums."""

    def _print_Sum(self, expr: Expr) -> str:  # noqa: N802
        text = self._print(expr.function)
        for limits in expr.limits:
            text = f"{type(expr).__name__}({text}, {self._print(limits)})"
        return text

    _print_Product = _print_Sum  # noqa: N815


def parse(text: str, allow_infinite: bool = False) -> Expr:
    """The expression that `text` writes. oo and -oo may be bounds; alone only if allowed."""
    _scan(text)
    try:
        # In brackets, for leading spaces; and so `col_offset` counts the columns from 1.
        tree = ast.parse(f"({text})", mode="eval").body
        return _end(tree) if allow_infinite else _expr(tree)
    except ParseError:
        raise
    except SyntaxError as error:
        column = max(1, (error.offset or 1) - 1)
        raise ParseError(f"expected an expression; got {error.msg}.", column) from None
    except Exception as error:  # whatever gap in SymPy a text may find
        raise ParseError(f"SymPy cannot build {_short(text)}: {_short(error)}.") from error


def unparse(expr: Expr) -> str:
    """The text from which `parse` makes `expr` again, node for node."""
    if not isinstance(expr, Expr):
        raise ParseError(f"expected an expression; got {type(expr).__name__} {_short(expr)}.")
    try:
        _measure(expr)
        text = _Text({"order": "none"}).doprint(expr)
    except RecursionError:
        raise ParseError("the expression is nested too deeply. Name a part of it.") from None
    if (found := parse(text, allow_infinite=True)) != expr:
        raise ParseError(
            f"{_short(expr)} does not survive writing: read again it is {_short(found)}. "
            "Rebuild its unevaluated nodes by node.func(*node.args)."
        )
    return text


def parse_number(text: str) -> Fraction:
    """An exact rational, 'a', '-a' or 'a/b' in decimal digits."""
    found = _NUMBER.fullmatch(text) if len(text) <= 2 * MAX_DIGITS + 2 else None
    if found is None or max(map(len, found.groups(""))) > MAX_DIGITS:
        raise ParseError(f"expected -3 or 3/7 in at most {MAX_DIGITS} digits; got {_short(text)}.")
    return Fraction(text)


def parse_hex(text: str) -> Fraction:
    """The exact value of a float as `float.hex` writes it, such as '-0x1.8p+1'."""
    found = _HEX.fullmatch(text)
    if found is None or abs(int(found[4])) > MAX_EXPONENT:
        wanted = f"a finite float from float.hex, exponent up to {MAX_EXPONENT}, as 0x1.8p+1"
        raise ParseError(f"expected {wanted}; got {_short(text)}.")
    value = Fraction(int(found[2] + found[3], 16), 16 ** len(found[3]))
    return (-value if found[1] else value) * Fraction(2) ** int(found[4])


def _short(value: object) -> str:
    try:  # ordered printing would evaluate numbers
        shown = sp.sstr(value, order="none") if isinstance(value, Basic) else ascii(value)
    except (ValueError, RecursionError):  # an integer too long, a tree too deep to print
        shown = "something too large to show"
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def _is_plain(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and not keyword.iskeyword(name)


def _scan(text: str) -> None:
    """Characters, names, digits and nesting, before Python's parser sees the text."""
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise ParseError(f"expected text of at most {MAX_LENGTH} characters; got {_short(text)}.")
    levels, operand = [(0, 0, 0)], False  # for each open bracket: terms, factors, powers and signs
    for found in _TOKEN.finditer(text):
        token, kind, fault = found[0], found.lastgroup, ""
        terms, factors, inner = levels[-1]
        match kind:
            case "other":
                fault = f"names, digits or + - * / ** ( ) [ ] , in ASCII; got {token!a}."
                fault += " Write 0.5 as 1/2." if token == "." else ""
            case "digits" if not token.isdigit() or str(int(token[:2])) != token[:2]:
                fault = f"decimal digits; got {_short(token)}. Write 2*x for 2x, 10**5 for 1e5."
            case "digits" if len(token) > MAX_DIGITS:
                fault = f"at most {MAX_DIGITS} digits; got {len(token)}. Use a symbol."
            case "name" if not _is_plain(token):
                fault = f"a short plain name; got {_short(token)}. Rename it: lam for lambda."
            case "sign" if token == "**" or not operand:
                levels[-1] = (terms, factors, inner + 1)
            case "sign":
                levels[-1] = (terms, factors + 1, 0) if token in "*/" else (terms + 1, 0, 0)
            case "comma":
                levels[-1] = (0, 0, 0)
            case "open":
                levels.append((0, 0, 0))
            case "close" if len(levels) == 1:
                fault = f"an open bracket before; got {token}. Remove it."
            case "close":
                levels.pop()
        if len(levels) - 1 + sum(level[2] for level in levels) > MAX_DEPTH:
            fault = f"at most {MAX_DEPTH} levels of nesting; got more. Name a part of it."
        if sum(level[0] + level[1] for level in levels) > MAX_TERMS:
            fault = f"at most {MAX_TERMS} terms and factors; got more. Bracket some of them."
        if fault:
            raise ParseError(f"expected {fault}", found.start() + 1)
        operand = kind in ("digits", "name", "close") or (kind == "space" and operand)


def _expr(node: ast.expr) -> Expr:
    try:
        _measure(result := _node(node))
        return result
    except ParseError as error:
        raise ParseError(error.message, error.column or max(1, node.col_offset)) from None


def _node(node: ast.expr) -> Expr:
    match node:
        case ast.Constant(value=value) if type(value) is int:
            return Integer(value)
        case ast.Name(id=name):
            return _CONSTANTS.get(name) or Symbol(name)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return _sum(node)
        case ast.BinOp(op=ast.Mult() | ast.Div()) | ast.UnaryOp(op=ast.UAdd() | ast.USub()):
            return _product(_factors(node))
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return _make(Pow, _expr(base), _expr(exponent))
        case ast.Call(func=ast.Name(id="sqrt"), args=[radicand], keywords=[]):
            return _make(Pow, _expr(radicand), Rational(1, 2))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            if len(args) in _ARITY.get(name, (1,)):
                return _make(_FUNCTIONS[name], *map(_expr, args))
        case ast.Call(func=ast.Name(id="Derivative"), args=[body, ast.Name() as x], keywords=[]):
            return sp.Derivative(_expr(body), _expr(x))
        case ast.Call(func=ast.Name(id=name), args=[body, ast.Tuple(elts=elts)], keywords=[]):
            return _bind(name, body, elts)
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            indices = index.elts if isinstance(index, ast.Tuple) else [index]
            return sp.IndexedBase(name)[tuple(map(_expr, indices))]
    got = getattr(getattr(node, "func", None), "id", type(node).__name__)
    wanted = f"+ - * / **, an entry d[i], or one of {', '.join(_CALLS)} with its arguments"
    raise ParseError(f"expected {wanted}; got {_short(got)}.")


def _bind(name: str, body: ast.expr, elts: list[ast.expr]) -> Expr:
    match elts:
        case [ast.Name() as x, ast.Constant(value=int(n))] if name == "Derivative" and n > 0:
            return sp.Derivative(_expr(body), (_expr(x), n))
        case [ast.Name() as x, low, high] if name in _BINDERS:
            index, ends = _expr(x), (_end(low), _end(high))
            if isinstance(index, Symbol) and not any(index in end.free_symbols for end in ends):
                bound = _BINDERS[name](_expr(body), (index, *ends))
                names = [limits[0] for limits in bound.limits]
                if len(set(names)) < len(names):
                    raise ParseError(f"expected one meaning for each index; got {index} twice.")
                return bound
    raise ParseError(
        "expected Sum(f, (i, low, high)), so too Product and Integral, or Derivative(f, (x, n)); "
        f"got {name} of other arguments, or ends that contain the index."
    )


def _end(node: ast.expr) -> Expr:
    match node:
        case ast.Name(id="oo"):
            return oo
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="oo")):
            return -oo
    return _expr(node)


def _sum(node: ast.expr) -> Expr:
    terms: list[Expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        term = _expr(node.right)
        terms.append(_product([Integer(-1), term]) if isinstance(node.op, ast.Sub) else term)
        node = node.left
    return _make(Add, _expr(node), *reversed(terms))


def _factors(node: ast.expr) -> list[Expr]:
    """A sign is a factor of its own: -(x + 1)*y is a product of three."""
    factors: list[Expr] = []
    while True:
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                factors.append(_expr(right))
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                factors.append(_make(Pow, _expr(right), Integer(-1)))
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=left):
                factors.append(Integer(-1 if isinstance(sign, ast.USub) else 1))
            case _:
                return [_expr(node), *reversed(factors)]
        node = left


def _product(factors: list[Expr]) -> Expr:
    _measure(Mul(*factors, evaluate=False))
    if 0 in factors:
        return Integer(0)
    number, rest = Mul(*(f for f in factors if not isinstance(f, Rational))).as_coeff_Mul()
    number = Mul(number, *(f for f in factors if isinstance(f, Rational)))
    return Mul(number, rest, evaluate=1 in (number, rest) or isinstance(rest, Mul))


def _make(cls: Any, *args: Expr) -> Expr:
    """What SymPy makes of the node, once its measure is within the limits."""
    measure = _measure(held := cls(*args, evaluate=False))
    simple = measure.number and measure.height <= 2
    if cls is sp.binomial:  # of irrational numbers SymPy would multiply it out
        simple = all(isinstance(arg, Rational) for arg in args)
    made = cls(*args) if simple or isinstance(held, Add | Pow | sp.exp) else held
    # SymPy leaves products of radicals half done: 3**(3/4)*(3*sqrt(5))/9.
    return _product(list(made.args)) if isinstance(made, Mul) else made


class _Measure(NamedTuple):
    """What a node may cost SymPy, where symbols count as numbers of size 1."""

    nodes: int = 1
    bits: int = 0  # of the numbers that it may turn into
    height: int = 0  # as MAX_HEIGHT counts
    radicand: int = 0  # as MAX_RADICAND counts
    bound: int = 1  # of its value, or of the number that it may leave as a factor
    root: int = 1  # common denominator of the fractional powers among its factors
    number: bool = False


_LIMITS = (
    (MAX_NODES, "nodes"),
    (MAX_BITS, "bits in its numbers"),
    (MAX_HEIGHT, "functions inside one another in a number, a closed sum counting as all"),
    (MAX_RADICAND, "bits under fractional powers"),
)


@lru_cache(maxsize=10_000)
def _measure(e: Basic) -> _Measure:
    if type(e) not in LANGUAGE or (isinstance(e, Symbol) and e != Symbol(e.name)):
        raise ParseError(
            f"expected an exact real expression in symbols without assumptions; got "
            f"{type(e).__name__} {_short(e)}. Check logarithms, roots and quotients, and state "
            "what is known of a symbol as its domain."
        )
    if isinstance(e, Symbol):
        if e.name in _RESERVED or not _is_plain(e.name):
            raise ParseError(f"expected an unreserved name; got {_short(e.name)}. Rename it.")
        return _Measure()
    if isinstance(e, Rational):
        p, q = abs(int(e.p)), int(e.q)
        if max(p, q) >= 10**MAX_DIGITS:
            raise ParseError(f"expected at most {MAX_DIGITS} digits; got more. Use a symbol.")
        bound = min(max(1, -(-p // q)), _HUGE)
        return _Measure(bits=p.bit_length() + q.bit_length() - 1, bound=bound, number=True)
    if not e.args:
        return _Measure(bits=2, bound=4, number=True)
    measure = _compose(e, [_measure(arg) for arg in e.args])
    for got, (limit, what) in zip(measure, _LIMITS, strict=False):
        if got > limit:
            message = f"expected at most {limit} {what}; got more in {type(e).__name__}."
            raise ParseError(f"{message} Use a symbol for a part of it.")
    return measure._replace(bound=min(measure.bound, _HUGE))


def _compose(e: Basic, parts: list[_Measure]) -> _Measure:
    number = all(part.number for part in parts) and not isinstance(e, sp.Indexed)
    bits, radicand = sum(part.bits for part in parts), sum(part.radicand for part in parts)
    height = max(part.height for part in parts)
    bound = root = 1
    match e:
        case Add():
            bound = sum(part.bound for part in parts)
        case Mul():
            root = lcm(*(part.root for part in parts))
            bits *= root
            bound = prod(part.bound for part in parts)
        case sp.Tuple() | sp.Indexed() | sp.IndexedBase():
            pass
        case sp.Derivative() | sp.Sum() | sp.Product() | sp.Integral():
            order = e.args[-1][1] if isinstance(e, sp.Derivative) else 1
            several = len(e.args) > 2 and not isinstance(e, sp.Sum | sp.Product)
            if several or order not in range(1, MAX_ORDER + 1):
                wanted = f"one variable, in a derivative of order up to {MAX_ORDER}"
                raise ParseError(f"expected {wanted}; got {_short(e)}.")
            number = not e.free_symbols
            height = MAX_HEIGHT if number else height
        case Pow():
            bits, bound, root = _power(*e.args, *parts)
            radicand += parts[0].bits if root > 1 else 0
            height += (number or height == MAX_HEIGHT) and not isinstance(e.exp, Integer)
        case _:
            height += number or height == MAX_HEIGHT or isinstance(e, _HYPERBOLIC)
            bits += _growth(e, number, parts)
            size = 2 * parts[0].bound if isinstance(e, (sp.exp, *_HYPERBOLIC)) else bits
            if number:
                bound = 64 * bits if isinstance(e, sp.log) else 1 << min(size, 4_096)
    nodes = 1 + sum(part.nodes for part in parts)
    return _Measure(nodes, bits, height, radicand, bound, root, number)


def _growth(e: Basic, number: bool, parts: list[_Measure]) -> int:
    """Bits of the value of a function beyond those of its arguments."""
    bound = parts[-1].bound
    match e:
        case sp.exp() | sp.sinh() | sp.cosh() | sp.tanh():
            return bound // 64  # exp(a) stays as it is, but exp(a*log(2)) becomes 2**a
        case sp.factorial() | sp.gamma() if number:
            return bound * bound.bit_length()
        case sp.binomial(args=(Integer() as n, Integer() as k)):
            return min(bound, abs(int(n - k))) * (parts[0].bits + parts[1].bits)
        case sp.binomial() if number:
            return (parts[0].bound + bound) * (parts[0].bits + parts[1].bits)
        case sp.floor() | sp.ceiling() if number and e.has(*_STEEP):
            return MAX_BITS + 1
    if not number or isinstance(e, _TAME) or isinstance(e.args[0], Rational):
        return 0
    return bound.bit_length() if bound < _HUGE else MAX_BITS + 1


def _power(base: Expr, exponent: Expr, b: _Measure, x: _Measure) -> tuple[int, int, int]:
    """Bits and bound of a power, and its root, for which SymPy factors the base."""
    reach, root = x.bound, 1
    if isinstance(exponent, Rational) and not isinstance(exponent, Integer):
        if isinstance(base, Rational) and base < 0:
            raise ParseError(f"expected a root of a positive number; got one of {_short(base)}.")
        reach, root = abs(int(exponent.p)) + int(exponent.q), int(exponent.q)
    bits = b.bits * reach + x.bits
    if not (b.number and x.number) or bits > MAX_BITS:
        return bits, 1, root
    growing = isinstance(exponent, Rational) and exponent > 0
    return bits, b.bound**x.bound if growing else 1 << min(bits, 4_096), root
