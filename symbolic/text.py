"""Statements in words and in LaTeX, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sympy import Expr, latex, oo, sstr

from .statements import (
    Domain,
    Domains,
    Every,
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    PolynomialDegree,
    Rank,
    Relation,
    Statement,
    Trend,
)

SYMBOLS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
COMMANDS = {"=": "=", "!=": r"\neq", "<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq"}
LONGEST = 200

Show = Callable[[Expr], str]


def plain(expr: Expr) -> str:
    """An expression as text, shortened where it would fill the screen."""
    text = sstr(expr).replace("**", "^").replace("oo", "∞")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]} … ({len(text)} characters)"


def describe(statement: Statement) -> str:
    """The statement as one line of plain text."""
    return _render(statement, plain, SYMBOLS, "∈", "for all")


def latex_of(statement: Statement) -> str:
    """The statement as LaTeX, without dollar signs."""
    return _render(statement, latex, COMMANDS, r"\in", r"\text{for all }")


def domain_text(domain: Domain, show: Show = plain) -> str:
    low, high = show(domain.low), show(domain.high)
    if domain.integer:
        dots = "…" if show is plain else r"\ldots"
        if domain.low == -oo:
            return "Z" if show is plain else r"\mathbb{Z}"
        tail = f"{dots}" if domain.high == oo else f"{dots}, {high}"
        braces = "{}" if show is plain else (r"\{", r"\}")
        return f"{braces[0]}{low}, {tail}{braces[1]}"
    return f"{'(' if domain.low_open else '['}{low}, {high}{')' if domain.high_open else ']'}"


def _quantifier(
    over: Domains,
    given: tuple[Relation, ...],
    show: Show,
    signs: Mapping[str, str],
    member: str,
    forall: str,
) -> str:
    named = [f"{show(v)} {member} {domain_text(domain, show)}" for v, domain in over]
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
            arrow = "→" if show is plain else r"\to"
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
        case Mean(quantity, laws, value):
            inner = describe(quantity) if isinstance(quantity, Relation) else show(quantity)
            kind = "P" if isinstance(quantity, Relation) else "E"
            named = ", ".join(f"{show(v)} {law}" for v, law in laws)
            return f"{kind}[{inner}] = {show(value)}  {word('with ')}{word(named)}"
    return word(_other(statement))


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
