"""Statements decided box by box in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from math import prod

import sympy as sp
from flint import arb, ctx
from sympy import Expr, oo

from ...symbolic.statements import Domain, Maximum, MaximumValue, Relation, Statement
from .evidence import Enclosure
from .findings import Finding
from .reasoning import NONNEGATIVE, Context
from .rules import decide, require
from .terms import PRECISIONS, Rejected, ball, enclose, hull, put

Box = tuple[tuple[Fraction, Fraction], ...]


def enclosure(statement: Statement, evidence: Enclosure) -> Finding:
    """The statement on every box by ball arithmetic; on the whole domain if they cover it."""
    if not isinstance(statement, Relation | Maximum | MaximumValue):
        raise Rejected(f"{type(statement).__name__} is not decided box by box")
    require(16 <= evidence.precision <= PRECISIONS[-1], "the precision is out of range")
    over = (
        statement.over
        if isinstance(statement, Relation)
        else ((statement.variable, statement.domain),)
    )
    require(evidence.variables == tuple(v for v, _ in over), "the boxes have other variables")
    require(
        isinstance(statement, MaximumValue) or not statement.given, "hypotheses need a derivation"
    )
    require(
        isinstance(statement, Maximum) or evidence.around is None, "only a maximum has a box around"
    )
    boxes = (*evidence.boxes, *(((evidence.around,),) if evidence.around else ()))
    with ctx.workprec(evidence.precision):
        facts = _decide_boxes(statement, evidence)
    low, high = _bounding(boxes)
    require(not any(domain.integer for _, domain in over), "boxes are for real variables")
    filled = [(domain, Domain(sp.Rational(a), sp.Rational(b), False, False))
              for (_, domain), a, b in zip(over, low, high, strict=True)]  # fmt: skip
    whole = all(_inside(domain, box) for domain, box in filled)
    require(whole or all(_inside(box, domain) for domain, box in filled), "boxes leave the domain")
    where = " x ".join(f"[{a}, {b}]" for a, b in zip(low, high, strict=True))
    said = f"{len(boxes)} boxes cover {where}"
    if whole:
        return Finding("Enclosure", "certified", said, facts)
    require(not isinstance(statement, MaximumValue), f"{said}, not the domain")
    return Finding("Enclosure", "confirmed", f"{said}, a part of the domain", facts)


def _inside(inner: Domain, outer: Domain) -> bool:
    """Is one interval a part of the closure of another?"""
    ends = (
        (inner.low, outer.low, outer.low == -oo),
        (outer.high, inner.high, outer.high == oo),
    )
    return all(
        unbounded or (not {x, y} & {oo, -oo} and Context().signs(x - y) <= NONNEGATIVE)
        for x, y, unbounded in ends
    )


def _decide_boxes(
    statement: Relation | Maximum | MaximumValue, evidence: Enclosure
) -> tuple[str, ...]:
    def value(expr: Expr, box: Box = ()) -> arb:
        env = {v: hull(*side) for v, side in zip(evidence.variables, box, strict=bool(box))}
        found = enclose(expr, env)
        require(found.is_finite(), f"{expr} is not seen to be finite on {box}")
        return found

    match statement:
        case Relation():
            tests = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
            require(statement.op in tests, "boxes decide inequalities only")
            for box in evidence.boxes:
                for expr in (statement.lhs, statement.rhs, statement.lhs - statement.rhs):
                    found = value(expr, box)
                require(getattr(found, tests[statement.op])(0), f"undecided on {box}")
            return ()
        case MaximumValue():
            witness = evidence.witness
            if witness is None:
                raise Rejected("a maximum's value needs a witness")
            point = {statement.variable: sp.Rational(witness.numerator, witness.denominator)}
            require(
                decide(Relation(statement.function, ">=", statement.low), point), "witness too low"
            )
            require(
                Context().contains(statement.domain, point[statement.variable]), "witness outside"
            )
            for box in evidence.boxes:
                require(
                    value(statement.function, box) <= value(statement.high), f"undecided on {box}"
                )
            return ()
    x, at, around = statement.variable, statement.at, evidence.around
    require(not statement.over, "parameters need a derivation")
    require(Context().contains(statement.domain, at), "the maximum is outside the domain")
    best = value(put(statement.function, {x: at}))
    for box in evidence.boxes:
        require(value(statement.function, box) < best, f"undecided on {box}")
    if around is None:
        raise Rejected("the maximum needs a box around it")
    require(value(statement.function.diff(x, 2), (around,)) < 0, f"not concave on {around}")
    require(ball(around[0]) <= value(at) and value(at) <= ball(around[1]), "the maximum is outside")
    slope = put(statement.function.diff(x), {x: at})
    require(Context().equal(slope, sp.S.Zero), "the slope at the maximum is not zero")
    return ()


def _bounding(boxes: tuple[Box, ...]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The box that the boxes fill without gap: they are disjoint and their volumes add up."""
    require(0 < len(boxes) <= 3000, "between 1 and 3000 boxes are needed")
    require(all(a < b for box in boxes for a, b in box), "a box is empty or flat")
    low = tuple(min(side[0] for side in sides) for sides in zip(*boxes, strict=True))
    high = tuple(max(side[1] for side in sides) for sides in zip(*boxes, strict=True))
    ordered = sorted(boxes)
    for number, one in enumerate(ordered):
        for two in takewhile(lambda box, one=one: box[0][0] < one[0][1], ordered[number + 1 :]):
            apart = any(a[1] <= b[0] or b[1] <= a[0] for a, b in zip(one, two, strict=True))
            require(apart, "two boxes overlap")
    volume = sum(prod(b - a for a, b in box) for box in boxes)
    require(volume == prod(b - a for a, b in zip(low, high, strict=True)), "the boxes leave a gap")
    return low, high
