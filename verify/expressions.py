"""The text of expressions: what records and users may write, read without running any of it.

The language is Python's arithmetic over integers, E, pi, plain symbols and entries `d[i, j]` of
arrays, a closed table of functions, and Sum, Product, Integral, Derivative. `parse` gives the
tree that SymPy builds, except that a rational multiple of a sum, 2*(x + 1), and a function of
symbols, erf(-x), stay as written.

SymPy evaluates what it builds: it expands powers, factors radicands and compares irrational
numbers numerically. So every node is measured, unevaluated, before SymPy may touch it.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from typing import NamedTuple

import sympy as sp
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, oo

from .errors import VerifyError

MAX_LENGTH = 100_000  # characters of text
MAX_DEPTH = 32  # brackets, powers and signs inside one another
MAX_TERMS = 1_000  # signs + - * / of a sum and its longest product, with those around it
MAX_NODES = 20_000  # of the tree
MAX_DIGITS = 4_000  # of an integer, read or computed; CPython prints at most 4,300
MAX_BITS = 1 << 16  # of all numbers that evaluating a node may write out
MAX_RADICAND = 2_048  # bits of all rationals under fractional powers: SymPy factors them
MAX_HEIGHT = 12  # operations inside one another in an irrational number; a hyperbolic one is 3
MAX_SMALL = 30  # nodes of a number that SymPy may evaluate as a function's value
MAX_ARGUMENTS = 100  # of Max and Min
MAX_ORDER = 100  # of a derivative
MAX_EXPONENT = 1_100  # of a hexadecimal float

_FUNCTIONS = {
    name: getattr(sp, name)
    for name in (
        *("exp", "log", "LambertW", "erf", "erfc", "factorial", "binomial", "gamma", "floor"),
        *("ceiling", "Abs", "Max", "Min", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    )
}
_ARITY = {"binomial": (2, 2), "Max": (2, MAX_ARGUMENTS), "Min": (2, MAX_ARGUMENTS)}
_BINDERS = {"Sum": sp.Sum, "Product": sp.Product, "Integral": sp.Integral}
_CONSTANTS = {"E": sp.E, "pi": sp.pi}
_RESERVED = {*_FUNCTIONS, *_BINDERS, *_CONSTANTS, "sqrt", "Derivative", "oo", "I", "nan", "zoo"}
_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TOKEN = re.compile(rf"[0-9]+|{_NAME.pattern}|\*\*|[-+*/,()\[\]]| +")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_HEX = re.compile(r"(-?)0x([01])\.([0-9a-f]{1,13})p([+-][0-9]{1,4})")

LANGUAGE: frozenset[type] = frozenset(
    {Integer, Rational, Symbol, Add, Mul, Pow, sp.Tuple, sp.Indexed, sp.IndexedBase}
    | {type(c) for c in (*map(Integer, (-1, 0, 1)), Rational(1, 2), sp.E, sp.pi, oo, -oo)}
    | {sp.Derivative, *_FUNCTIONS.values(), *_BINDERS.values()}
)


class ParseError(VerifyError):
    """Text or an expression outside the language; `column`, from 1, where text is to blame."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message if column is None else f"column {column}: {message}")
        self.message, self.column = message, column


class _Measure(NamedTuple):
    """What a node may cost SymPy. Symbols count as numbers of size 1."""

    nodes: int = 1
    bits: int = 0  # of numbers it may turn into
    bound: int = 1  # of the rational multiples, or of the number, it may turn into
    height: int = 0
    radicand: int = 0
    number: bool = False
    closed: bool = False  # holds a sum or an integral that is a number: never let SymPy try


def parse(text: str, allow_infinite: bool = False) -> Expr:
    """The expression that `text` writes; oo and -oo stand alone, if allowed, or as bounds."""
    _scan(text)
    indent = len(text) - len(text.lstrip(" "))
    try:
        tree = ast.parse(text.lstrip(" "), mode="eval")
        result = _bound(tree.body) if allow_infinite else _expr(tree.body)
        _measure(result)
    except ParseError as error:
        column = None if error.column is None else error.column + indent
        raise ParseError(error.message, column) from None
    except SyntaxError as error:
        column = indent + (error.offset or 1)
        raise ParseError(f"expected an expression; got {error.msg}.", column) from None
    except Exception as error:  # hostile text may find any gap in SymPy
        kind = type(error).__name__
        raise ParseError(f"SymPy cannot build {_short(text)} ({kind}). Split it.") from error
    return result


def unparse(expr: Expr) -> str:
    """The text from which `parse` makes `expr` again, node for node."""
    if not isinstance(expr, Expr):
        raise ParseError(f"expected an expression; got {type(expr).__name__} {_short(expr)}.")
    try:
        _measure(expr)
        text = sp.sstr(expr, order="none")
    except RecursionError:
        raise ParseError("the expression is nested too deeply. Name a part of it.") from None
    if (found := parse(text, allow_infinite=True)) != expr:
        raise ParseError(
            f"{_short(expr)} does not survive writing: read again it is {_short(found)}. Rebuild "
            "unevaluated nodes, for example by e.func(*e.args)."
        )
    return text


def parse_number(text: str) -> Fraction:
    """An exact rational written 'a', '-a' or 'a/b' in decimal digits."""
    found = _NUMBER.fullmatch(text) if len(text) <= 2 * MAX_DIGITS + 2 else None
    if found is None or max(map(len, found.groups(""))) > MAX_DIGITS:
        raise ParseError(
            f"expected a, -a or a/b of at most {MAX_DIGITS} digits each; got {_short(text)}."
        )
    return Fraction(text)


def parse_hex(text: str) -> Fraction:
    """The exact value of a hexadecimal float as `float.hex` writes it, '-0x1.8p+1'."""
    found = _HEX.fullmatch(text) if len(text) <= 40 else None
    if found is None or abs(int(found[4])) > MAX_EXPONENT:
        raise ParseError(
            f"expected a finite float such as 0x1.8p+1, exponent up to {MAX_EXPONENT}; "
            f"got {_short(text)}. Write it by float.hex()."
        )
    value = Fraction(int(found[2] + found[3], 16), 16 ** len(found[3]))
    return (-value if found[1] else value) * Fraction(2) ** int(found[4])


def _scan(text: str) -> None:
    """Characters, names, digits and nesting, before Python's parser sees the text."""
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        size = f"{len(text)} characters" if isinstance(text, str) else type(text).__name__
        raise ParseError(f"expected text of at most {MAX_LENGTH} characters; got {size}.")
    levels = [[0, 0, 0]]  # for each open bracket: terms, factors, powers and signs
    at, last, glued = 0, "(", ""
    used: tuple[set[str], set[str]] = (set(), set())  # names as symbols, as arrays
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ParseError(
                f"expected a name, digits, + - * / ** ( ) [ ] or a comma; got {text[at]!a}. "
                "Use ASCII, and fractions for decimals: 1/2, not 0.5.",
                at + 1,
            )
        token, column, at = found[0], at + 1, found.end()
        if _NAME.fullmatch(last):
            used[token == "["].add(last) if token != " " * len(token) else None
        try:
            _check_token(token, glued, levels, last)
        except ParseError as error:
            raise ParseError(error.message, column) from None
        glued = token
        last = last if token.startswith(" ") else token
