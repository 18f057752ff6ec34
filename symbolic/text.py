"""Statements in words and in LaTeX, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields

from sympy import Expr, IndexedBase, StrPrinter, latex, oo

from .statements import (
    Attention,
    Domain,
    Domains,
    EpsilonRank,
    Every,
    Function,
    Hadamard,
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Orbit,
    PolynomialDegree,
    Rank,
    Relation,
    SeparationRank,
    Statement,
    Trend,
    Variable,
)

SYMBOLS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
COMMANDS = {"=": "=", "!=": r"\neq", "<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq"}
LONGEST = 200

Show = Callable[[Expr], str]


def formula(expr: Expr) -> str:
    """An expression as LaTeX."""
    return latex(expr, ln_notation=True)


class _Plain(StrPrinter):
    """SymPy's text with the signs that mathematicians use."""

    def _print_Exp1(self, expr: Expr) -> str:  # noqa: N802
        return "e"

    def _print_Infinity(self, expr: Expr) -> str:  # noqa: N802
        return "∞"

    def _print_NegativeInfinity(self, expr: Expr) -> str:  # noqa: N802
        return "-∞"

    def _print_log(self, expr: Expr) -> str:
        return f"ln({self._print(expr.args[0])})"

    def _print_Derivative(self, expr: Expr) -> str:  # noqa: N802
        return f"d/d{self._print(expr.variables[0])}[{self._print(expr.expr)}]"

    def _print_Integral(self, expr: Expr) -> str:  # noqa: N802
        name, low, high = map(self._print, expr.limits[0])
        return f"(∫[{name} = {low} … {high}] {self._print(expr.function)})"

    def _print_Sum(self, expr: Expr) -> str:  # noqa: N802
        return self._iterated("Σ", expr)

    def _print_Product(self, expr: Expr) -> str:  # noqa: N802
        return self._iterated("Π", expr)

    def _iterated(self, sign: str, expr: Expr) -> str:
        text = self._print(expr.function)
        for name, low, high in (map(self._print, limits) for limits in expr.limits):
            text = f"({sign}[{name} = {low} … {high}] {text})"
        return text

    def _print_LambertW(self, expr: Expr) -> str:  # noqa: N802
        return f"W0({self._print(expr.args[0])})"


def plain(expr: Expr) -> str:
    """An expression as text, shortened where it would fill the screen."""
    text = _Plain().doprint(expr).replace("**", "^")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]} … ({len(text)} characters)"


def describe(statement: Statement) -> str:
    """The statement as one line of plain text."""
    return _render(statement, plain, SYMBOLS, "∈", "for all")


def latex_of(statement: Statement) -> str:
    """The statement as LaTeX, without dollar signs."""
    return _render(statement, formula, COMMANDS, r"\in", r"\text{for all }")


def domain_text(domain: Domain, show: Show = plain) -> str:
    low, high = show(domain.low), show(domain.high)
    if domain.integer:
        return _integers(domain, show)
    return f"{'(' if domain.low_open else '['}{low}, {high}{')' if domain.high_open else ']'}"


def _integers(domain: Domain, show: Show) -> str:
    """{1}, {1, 2}, {1, …, 9}, {1, 2, …}, or all integers."""
    dots, braces = ("…", "{}") if show is plain else (r"\ldots", (r"\{", r"\}"))
    if domain.low == -oo and domain.high == oo:
        return "Z" if show is plain else r"\mathbb{Z}"
    low, high = show(domain.low), show(domain.high)
    gap = domain.high - domain.low
    inner = [low, show(domain.low + 1), dots] if domain.high == oo else [low, dots, high]
    if domain.low == -oo:
        inner = [dots, show(domain.high - 1), high]
    if gap in (0, 1):
        inner = [low, high][: int(gap) + 1]
    return f"{braces[0]}{', '.join(inner)}{braces[1]}"


def _variable(variable: Variable, show: Show) -> str:
    """The name of a variable; a sequence with the place of its index."""
    if not isinstance(variable, IndexedBase):
        return show(variable)
    return f"{variable.label}[·]" if show is plain else f"{latex(variable.label)}_{{\\cdot}}"


def _quantifier(
    over: Domains,
    given: tuple[Relation, ...],
    show: Show,
    signs: Mapping[str, str],
    member: str,
    forall: str,
) -> str:
    named = [f"{_variable(v, show)} {member} {domain_text(domain, show)}" for v, domain in over]
    held = [_render(relation, show, signs, member, forall) for relation in given]
    words = f"  {forall} {', '.join(named)}" if named else ""
    if not held:
        return words
    return f"{words}, given {'; '.join(held)}" if show is plain else (
        words + r",\ \text{given } " + r";\ ".join(held)
    )  # fmt: skip


def _render(
    statement: Statement, show: Show, signs: Mapping[str, str], member: str, forall: str
) -> str:
    def word(text: str) -> str:
        return text if show is plain else rf"\text{{{text}}}"

    def scope(over: Domains, given: tuple[Relation, ...] = ()) -> str:
        return _quantifier(over, given, show, signs, member, forall)

    arrow = "→" if show is plain else r"\to"
    match statement:
        case Relation(lhs, op, rhs, over, given):
            return f"{show(lhs)} {signs[op]} {show(rhs)}{scope(over, given)}"
        case Maximum(function, x, domain, at, over, given):
            where = f"{show(x)} {member} {domain_text(domain, show)}"
            return (
                f"{word('the only maximum of ')}{show(function)}{word(' over ')}{where}"
                f"{word(' is at ')}{show(x)} = {show(at)}{scope(over, given)}"
            )
        case MaximumValue(function, x, domain, low, high):
            where = f"{show(x)} {member} {domain_text(domain, show)}"
            bounds = f"{show(low)} {signs['<=']} sup {signs['<=']} {show(high)}"
            return f"{bounds}{word(' for ')}{show(function)}{word(' over ')}{where}"
        case Limit(expression, value, tends, over, given):
            paths = ", ".join(f"{show(e)} {arrow} {show(target)}" for e, target in tends)
            return (
                f"{show(expression)} {arrow} {show(value)}{word(' as ')}{paths}{scope(over, given)}"
            )
        case Every(parts):
            if show is plain:
                return ";  ".join(f"({k}) {describe(part)}" for k, part in enumerate(parts, 1))
            return r"\begin{gathered}" + r"\\ ".join(map(latex_of, parts)) + r"\end{gathered}"
        case PolynomialDegree(polynomial, variables, value):
            names = ", ".join(map(show, variables))
            return f"{word('deg in ')}{names}{word(' of ')}{show(polynomial)} = {show(value)}"
        case Mean(quantity, laws, value, over=over):
            event = isinstance(quantity, Relation)
            inner = _render(quantity, show, signs, member, forall) if event else show(quantity)
            named = ", ".join(f"{_variable(v, show)}{word(' ' + law)}" for v, law in laws)
            mean = f"{'P' if event else 'E'}[{inner}] = {show(value)}"
            return f"{mean}  {word('with ')}{named}{scope(over)}"
        case Orbit(step, start, holds, eventually, over):
            moves = ", ".join(f"{show(x)} {arrow} {show(image)}" for x, image in step)
            origin = ", ".join(f"{show(x)} = {show(value)}" for x, value in start)
            when = word("eventually " if eventually else "always ")
            inner = _render(holds, show, signs, member, forall)
            where = f"{word(' along ')}{moves}{word(' from ')}{origin}"
            return f"{when}{inner}{where}{scope(over)}"
        case SeparationRank(function, op, value, over, given):
            inner = _split(function, show, member, word)
            return f"{word('sep of ')}{inner} {signs[op]} {show(value)}{scope(over, given)}"
        case EpsilonRank(function, law, epsilon, value):
            inner = _split(function, show, member, word)
            near = f"{word(', mean squared distance ')}{signs['<=']} {show(epsilon)}"
            return f"{word('sep of ')}{inner}{word(f', {law}')}{near}: {show(value)}"
    return word(_other(statement))


def _split(
    function: Function | Attention | Hadamard, show: Show, member: str, word: Callable[[str], str]
) -> str:
    """A function with its two sides, or a network with its sizes; its weights are only counted."""
    if isinstance(function, Function):
        left, right = (
            ", ".join(f"{show(v)} {member} {domain_text(domain, show)}" for v, domain in side)
            for side in (function.left, function.right)
        )
        return f"{show(function.expression)}{word(' between ')}{left}{word(' and ')}{right}"
    kind = "attention" if isinstance(function, Attention) else "entrywise products"
    named = ((field.name, getattr(function, field.name)) for field in fields(function)[:-1])
    sizes = ", ".join(f"{word(name)} {show(size)}" for name, size in named)
    count = len(function.weights)
    return f"{word(kind)} ({sizes}){word(f' with the {count} weights given') if count else ''}"


def _other(statement: Statement) -> str:
    match statement:
        case Rank(matrix, value):
            return f"the {len(matrix)} x {len(matrix[0])} matrix given has rank {value}"
        case Minimiser(rows, _, point):
            return (
                f"({', '.join(map(plain, point))}) is the shortest x under {len(rows)} constraints"
            )
        case Infeasible(rows):
            return f"the {len(rows)} constraints given have no solution"
        case Trend(observable, _, value, budget, index):
            return f"{observable} stays within {plain(budget)} of {plain(value)} as {index} grows"
        case NoSpuriousMinimum(loss, _):
            return f"every local minimum of {plain(loss)} is global"
    raise TypeError(f"{type(statement).__name__} is not a kind of statement")
