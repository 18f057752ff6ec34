"""Statements decided box by box in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from math import prod
from operator import ge, gt, le, lt

import sympy as sp
from flint import ctx
from sympy import oo

from ...symbolic.statements import Domain, Maximum, MaximumValue, Relation, Statement
from .evidence import Enclosure, Finding
from .reasoning import INFINITE, Context
from .rules import decide, rival
from .terms import PRECISIONS, Rejected, ball, expect, finite, hull, put, require

Box = tuple[tuple[Fraction, Fraction], ...]


def enclosure(statement: Statement, evidence: Enclosure) -> Finding:
    """The statement on every box by ball arithmetic; on the whole domain if they cover it."""
    require(16 <= evidence.precision <= PRECISIONS[-1], "the precision is out of range")
    allowed = evidence.around is None or isinstance(statement, Maximum)
    require(allowed, "only a maximum has a box around")
    boxes = evidence.boxes
    with ctx.workprec(evidence.precision):
        match statement:
            case Relation():
                everywhere = statement
            case MaximumValue(function, x, domain, _, high):
                _attained(statement, evidence)
                everywhere = Relation(function, "<=", high, ((x, domain),))
            case Maximum(over=over, domain=domain):
                require(not over, "parameters need a derivation")
                everywhere = rival(statement, domain)
            case _:
                raise Rejected(f"{type(statement).__name__} is not decided box by box")
        _decide_boxes(everywhere, evidence)
        if isinstance(statement, Maximum):
            boxes = (*boxes, (_concave(statement, evidence),))
    over = everywhere.over
    low, high = _bounding(boxes)
    require(not any(domain.integer for _, domain in over), "boxes are for real variables")
    filled = [(domain, Domain(sp.Rational(a), sp.Rational(b), False, False))
              for (_, domain), a, b in zip(over, low, high, strict=True)]  # fmt: skip
    whole = all(_inside(domain, box) for domain, box in filled)
    require(whole or all(_inside(box, domain) for domain, box in filled), "boxes leave the domain")
    where = " x ".join(f"[{a}, {b}]" for a, b in zip(low, high, strict=True))
    said = f"{len(boxes)} boxes cover {where}"
    if whole:
        return Finding("Enclosure", "certified", said)
    require(not isinstance(statement, MaximumValue), f"{said}, not the domain")
    return Finding("Enclosure", "confirmed", f"{said}, a part of the domain")


def _inside(inner: Domain, outer: Domain) -> bool:
    """Is a bounded interval a part of the closure of another one?"""
    closure = Domain(outer.low, outer.high, outer.low == -oo, outer.high == oo)
    ends = (inner.low, inner.high)
    return not {*ends} & {*INFINITE} and all(Context().contains(closure, end) for end in ends)


def _decide_boxes(goal: Relation, evidence: Enclosure) -> None:
    """The relation by balls on each box, where both sides must be finite."""
    require(evidence.variables == tuple(v for v, _ in goal.over), "the boxes have other variables")
    require(not goal.given, "hypotheses need a derivation")
    tests = {"<": lt, "<=": le, ">": gt, ">=": ge}
    require(goal.op in tests, "boxes decide inequalities only")
    for box in evidence.boxes:
        env = {v: hull(*side) for v, side in zip(evidence.variables, box, strict=True)}
        finite(goal.lhs, env)
        finite(goal.rhs, env)
        seen = tests[goal.op](finite(goal.lhs - goal.rhs, env), 0)
        require(seen, f"undecided on {box}")


def _attained(goal: MaximumValue, evidence: Enclosure) -> None:
    """At the witness the function is as large as the lower bound."""
    witness = expect(evidence.witness, Fraction, "a maximum's value needs a witness")
    point = {goal.variable: sp.Rational(witness)}
    require(decide(Relation(goal.function, ">=", goal.low), point), "witness too low")
    require(Context().contains(goal.domain, point[goal.variable]), "witness outside")


def _concave(goal: Maximum, evidence: Enclosure) -> tuple[Fraction, Fraction]:
    """A box around the stated point, where the function is concave and its slope is zero."""
    x, at, around = goal.variable, goal.at, evidence.around
    require(Context().contains(goal.domain, at), "the maximum is outside the domain")
    if around is None:
        raise Rejected("the maximum needs a box around it")
    env, place = {x: hull(*around)}, finite(at, {})
    finite(goal.function, env)
    require(finite(goal.function.diff(x, 2), env) < 0, f"not concave on {around}")
    require(ball(around[0]) <= place and place <= ball(around[1]), "the maximum is outside")
    slope = put(goal.function.diff(x), {x: at})
    require(Context().equal(slope, sp.S.Zero), "the slope at the maximum is not zero")
    return around


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
