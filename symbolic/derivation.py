"""Derivations: proofs written line by line, each line a statement and the rule that gives it.

A derivation is data. Nothing here decides whether it is right: the kernel re-checks each line.
`Proof` writes one: each method appends a line and returns its number, so that later lines can
say which ones they use.

    proof = Proof((d, above(0)))
    slope = proof.equation(Derivative(h, d), (1 - log(d)) / d**2, "differentiate")
    ...
    return proof.done()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sympy import Expr, Integer

from .statements import Domain, Domains, Operator, Relation, Statement, Variable
from .text import describe, latex_of, plain

Value = Expr | str


@dataclass(frozen=True)
class Line:
    """A statement, the rule that yields it, the earlier lines it uses, the rule's arguments."""

    statement: Statement
    rule: str
    using: tuple[int, ...] = ()
    args: tuple[tuple[str, Value], ...] = ()

    def reason(self) -> str:
        """The rule with the lines and arguments it takes, as text."""
        lines = f" of {', '.join(map(str, self.using))}" if self.using else ""
        shown = ((k, plain(v) if isinstance(v, Expr) else v) for k, v in self.args)
        args = ", ".join(f"{key} = {value}" for key, value in shown)
        return f"{self.rule}{lines}" + (f" [{args}]" if args else "")


@dataclass(frozen=True)
class Derivation:
    """Lines in order, numbered from 1; the last one is what has been derived."""

    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return "\n".join(
            f"{number:>3}  {describe(line.statement)}    [{line.reason()}]"
            for number, line in enumerate(self.lines, 1)
        )

    def _repr_latex_(self) -> str:
        rows = (
            rf"{number} & {latex_of(line.statement)} & \text{{{_escaped(line.reason())}}}"
            for number, line in enumerate(self.lines, 1)
        )
        return r"$\displaystyle \begin{array}{rll} " + r" \\ ".join(rows) + r" \end{array}$"


def _escaped(text: str) -> str:
    for character, command in (("\\", r"\backslash "), ("_", r"\_"), ("^", r"\^{}"), ("&", r"\&")):
        text = text.replace(character, command)
    return text


class Proof:
    """A derivation being written, in one context that single lines may override."""

    def __init__(self, *over: tuple[Variable, Domain], given: tuple[Relation, ...] = ()) -> None:
        self.over: Domains = over
        self.given = given
        self._lines: list[Line] = []

    def line(self, statement: Statement, rule: str, *using: int, **args: Value | int) -> int:
        """Append any statement."""
        exact = tuple((k, Integer(v) if isinstance(v, int) else v) for k, v in args.items())
        self._lines.append(Line(statement, rule, using, exact))
        return len(self._lines)

    def relate(
        self,
        lhs: Expr | int,
        op: Operator,
        rhs: Expr | int,
        rule: str,
        *using: int,
        over: Domains | None = None,
        given: tuple[Relation, ...] | None = None,
        **args: Value | int,
    ) -> int:
        """Append `lhs op rhs` in the proof's context, or in the one given."""
        left, right = (Integer(side) if isinstance(side, int) else side for side in (lhs, rhs))
        scope = self.over if over is None else over
        held = self.given if given is None else given
        return self.line(Relation(left, op, right, scope, held), rule, *using, **args)

    def chain(
        self, start: Expr, *steps: tuple[Operator, Expr, str], over: Domains | None = None
    ) -> int:
        """start op1 e1 op2 e2 ...: each step by its rule, then the two ends by `linear`."""
        scope = self.over if over is None else over
        numbers, left = [], start
        for op, right, rule in steps:
            numbers.append(self.relate(left, op, right, rule, over=scope))
            left = right
        if len(steps) == 1:
            return numbers[0]
        ops = [op for op, _, _ in steps]
        total = next((op for op in ("<", ">", "<=", ">=") if op in ops), "=")
        return self.relate(start, cast(Operator, total), left, "linear", *numbers, over=scope)

    def statement(self, number: int) -> Statement:
        return self._lines[number - 1].statement

    def done(self) -> Derivation:
        if not self._lines:
            raise ValueError("a derivation needs at least one line; add one with Proof.line")
        return Derivation(tuple(self._lines))
