"""Derivations found automatically, for statements that follow by one or a few standard steps.

Nothing here is trusted: a tactic proposes, the kernel disposes. `prove` returns None where no
tactic applies; a proposal that the kernel rejects says at which line it fails.
"""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr, Integer, Symbol, exp, factor, oo, simplify

from .derivation import Derivation, Line, Proof
from .statements import (
    Domain,
    Every,
    Limit,
    Maximum,
    Mean,
    Operator,
    PolynomialDegree,
    Relation,
    Statement,
    above,
    integers,
    interval,
)

FARTHEST = 12
T, POSITIVE = Symbol("t"), Symbol("t", positive=True)


def prove(statement: Statement) -> Derivation | None:
    """A derivation of the statement by standard steps, or None where no tactic applies."""
    match statement:
        case Relation():
            return Derivation((Line(statement, _rule(statement)),))
        case Limit():
            return Derivation((Line(statement, "limit"),))
        case PolynomialDegree():
            return Derivation((Line(statement, "degree"),))
        case Mean(laws=laws) if laws and all(law == "normal" for _, law in laws):
            return Derivation((Line(statement, "isserlis"),))
        case Maximum(domain=domain, over=(), given=()):
            return integer_maximum(statement) if domain.integer else real_maximum(statement)
        case Every():
            return _every(statement)
    return None


def _rule(relation: Relation) -> str:
    if not relation.over and not relation.given:
        return "ground"
    if relation.over and all(_finite(domain) for _, domain in relation.over):
        return "enumerate"
    return "field" if relation.op == "=" else "sign"


def _finite(domain: Domain) -> bool:
    return domain.integer and domain.low != -oo and domain.high != oo


def _every(statement: Every) -> Derivation | None:
    lines: list[Line] = []
    ends = []
    for part in statement.parts:
        proof = prove(part)
        if proof is None:
            return None
        offset = len(lines)
        lines += (
            Line(line.statement, line.rule, tuple(k + offset for k in line.using), line.args)
            for line in proof.lines
        )
        ends.append(len(lines))
    return Derivation((*lines, Line(statement, "every", tuple(ends))))


def real_maximum(statement: Maximum) -> Derivation | None:
    """The slope is positive before the maximum and negative after it."""
    f, x, domain, at = statement.function, statement.variable, statement.domain, statement.at
    proof, top, ends = Proof(), statement.function.subs(x, at), []
    for before in (True, False):
        bound = domain.low if before else domain.high
        if bound == at:
            continue
        side = interval(bound, at) if before else interval(at, bound)
        slope = _slope(proof, f, x, side, ">" if before else "<", before, at)
        if slope is None:
            return None
        whole = (
            Domain(bound, at, domain.low_open, True)
            if before
            else Domain(at, bound, True, domain.high_open)
        )
        low, high = (x, at) if before else (at, x)
        ends.append(
            proof.relate(
                *(f, "<", top, "monotone", slope), over=((x, whole),),
                function=f, variable=x, low=low, high=high,
            )
        )  # fmt: skip
    proof.line(statement, "largest", *ends)
    return proof.done()


def integer_maximum(statement: Maximum) -> Derivation | None:
    """One by one up to where the function falls, by the slope beyond."""
    f, x, domain, at = statement.function, statement.variable, statement.domain, statement.at
    if not isinstance(at, Integer) or not isinstance(domain.low, Integer):
        return None
    top = f.subs(x, at)
    proof, ends = Proof(), []
    if domain.low < at:
        ends.append(
            proof.relate(f, "<", top, "enumerate", over=((x, integers(domain.low, at - 1)),))
        )
    if domain.high == at:
        pass
    elif domain.high != oo:
        ends.append(
            proof.relate(f, "<", top, "enumerate", over=((x, integers(at + 1, domain.high)),))
        )
    else:
        tail = _falling_tail(proof, f, x, int(at))
        if tail is None:
            return None
        ends.append(tail)
    proof.line(statement, "largest", *ends)
    return proof.done()


def _falling_tail(proof: Proof, f: Expr, x: Symbol, at: int) -> int | None:
    """f(n) < f(at) for all integers n > at: f falls from some `start` on."""
    top = f.subs(x, at)
    for start in range(max(at, 1), at + FARTHEST):
        if not f.diff(x).subs(x, start).is_negative:
            continue
        slope = _slope(proof, f, x, above(start), "<", False, Integer(start))
        if slope is not None:
            break
    else:
        return None
    far = ((x, integers(start + 1)),)
    tail = proof.relate(
        *(f, "<", f.subs(x, start), "monotone", slope),
        over=far,
        function=f,
        variable=x,
        low=start,
        high=x,
    )
    if start == at:
        return tail
    less = proof.relate(f.subs(x, start), "<", top, "ground")
    tail = proof.relate(f, "<", top, "linear", tail, less, over=far)
    near = proof.relate(f, "<", top, "enumerate", over=((x, integers(at + 1, start)),))
    return proof.relate(f, "<", top, "cases", near, tail, over=((x, integers(at + 1)),))


def _slope(
    proof: Proof, f: Expr, x: Symbol, side: Domain, op: Operator, before: bool, at: Expr
) -> int | None:
    """A line that gives f' its sign on `side`, after a change of variables that shows it."""
    for image, source in _images(side, before, at):
        seen = factor(simplify(f.diff(x).subs(x, image.subs(T, POSITIVE))))
        if (seen.is_positive if op == ">" else seen.is_negative) is True:
            shown = seen.subs(POSITIVE, T)
            step = proof.relate(shown, op, 0, "sign", over=((T, source),))
            return proof.relate(
                *(f.diff(x), op, 0, "reparametrise", step),
                over=((x, side),),
                variable=x,
                image=image,
            )
    return None


def _images(side: Domain, before: bool, at: Expr) -> Iterator[tuple[Expr, Domain]]:
    """Changes of variables t > 0 that start at the maximum and run through the whole side."""
    if at.is_positive and side.low in (0, at) and side.high in (oo, at):
        yield at * exp(-T if before else T), above(0)
    if before and side.low == -oo:
        yield at - T, above(0)
    if before and side.low != -oo:
        yield (at + side.low * T) / (1 + T), above(0)
    if not before and side.high == oo:
        yield at + T, above(0)
    if not before and side.high != oo:
        yield (at + side.high * T) / (1 + T), above(0)
