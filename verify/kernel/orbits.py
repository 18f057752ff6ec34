"""Orbits of an iteration: invariant regions, and the first iterates in ball arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy as sp
from flint import arb, ctx
from sympy import Expr

from ...symbolic.derivation import Derivation
from ...symbolic.statements import REALS, Operator, Orbit, Relation, Statement
from .evidence import Counterexample
from .reasoning import Context
from .rules import Args, Facts, Premises, Rule, defined, relation, replaced, same, scope
from .terms import Rejected, expect, finite, holds, put, require

OPPOSITE: dict[Operator, Operator] = {
    "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
}  # fmt: skip
PRECISION = 512
ITERATES = 10_000


def invariant(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """r(x) |- phi(x); r_1(x), ... |- r_i(step(x)) for each i; r(x_0)  |- always phi.

    The first premise has the region r as its hypotheses, the others are its conditions after a
    step, in that order. Argument: `after`, the number of iterates that ball arithmetic goes
    through first (0); if the statement is not about what happens eventually, phi must hold there.
    """
    goal = expect(conclusion, Orbit, "the conclusion must be an orbit")
    inside, *steps = (relation(premise, "a premise") for premise in premises)
    region, image = inside.given, dict(goal.step)
    over = (*goal.over, *((x, REALS) for x in image))
    for premise in (inside, *steps):
        require((premise.over, premise.given) == (over, region), "the premises differ in context")
    require(not any(condition.over for condition in region), "a condition of the region is general")
    same(inside, goal.holds, defined(goal.holds, scope(inside)))
    require(len(steps) == len(region), "each condition of the region needs a premise")
    for condition, premise in zip(region, steps, strict=True):
        defined(condition, scope(premise).at(image))
        same(premise, replaced(condition, image), scope(premise))
    scope(inside).require_defined(*image.values())
    after = args.get("after", sp.S.Zero)
    require(isinstance(after, sp.Integer) and after >= 0, f"{after} is no number of iterates")
    if after == 0:
        _begins(goal, region)
        return ()
    require(not goal.over, "the first iterates are computed without parameters")
    for number, here in enumerate(iterates(goal, int(after), {})):
        if not goal.eventually:
            require(decided(goal.holds, here), f"it fails at iterate {number}")
        if number == after:
            require(all(decided(r, here) for r in region), f"iterate {number} is not in the region")
    return ()


def _begins(goal: Orbit, region: tuple[Relation, ...]) -> None:
    """The start lies in the region, whatever the parameters."""
    context, start = Context.of(goal.over), dict(goal.start)
    context.require_defined(*start.values())
    for condition in region:
        context.at(start).require_defined(condition.lhs, condition.rhs)
        require(context.at(start).shows(condition), f"{condition} is not seen at the start")


def iterates(orbit: Orbit, last: int, values: Mapping[Expr, Expr]) -> Iterator[dict[Expr, arb]]:
    """Balls about the iterates 0, 1, ..., last, the parameters at these values."""
    require(last <= ITERATES, f"more than {ITERATES} iterates")
    slopes = any(value.has(sp.Derivative) for _, value in (*orbit.step, *orbit.start))
    require(not slopes, "ball arithmetic follows no derivatives")
    with ctx.workprec(PRECISION):
        here = {x: finite(put(value, values), {}) for x, value in orbit.start}
    images = {x: put(value, values) for x, value in orbit.step}
    yield here
    for _ in range(last):
        with ctx.workprec(PRECISION):
            here = {x: finite(image, here) for x, image in images.items()}
        yield here


def decided(condition: Relation, env: Mapping[Expr, arb]) -> bool:
    """Is the relation true at every point of the balls? Raises where that cannot be told."""
    with ctx.workprec(PRECISION):
        left, right = finite(condition.lhs, env), finite(condition.rhs, env)
    if not (left > right or left < right):
        raise Rejected(f"{condition} is not decided by ball arithmetic")
    return holds(1 if left > right else -1, condition.op)


def strays(orbit: Orbit, evidence: Counterexample) -> str:
    """An iterate at which the statement fails, by ball arithmetic."""
    require(not orbit.eventually, "a single iterate does not refute what happens eventually")
    values = dict(evidence.point)
    number = expect(evidence.start, sp.Integer, "the iterate needs a number")
    require(number >= 0, "the iterate needs a number")
    *_, here = iterates(orbit, int(number), values)
    require(not decided(replaced(orbit.holds, values), here), f"it holds at iterate {number}")
    return f"false at iterate {number}"


def opposed(orbit: Statement, evidence: Derivation) -> Orbit:
    """What the derivation of a trap must end at: an orbit that contradicts the statement."""
    last = evidence.lines[-1].statement if evidence.lines else None
    if type(orbit) is not Orbit or type(last) is not Orbit:
        raise Rejected("a trap is about an orbit")
    require(not orbit.over, "parameters must be fixed before a trap is shown")
    wanted = Relation(orbit.holds.lhs, OPPOSITE[orbit.holds.op], orbit.holds.rhs)
    require(last == Orbit(orbit.step, orbit.start, wanted, last.eventually),
            "the derivation does not end at the opposite")  # fmt: skip
    return last


ORBITS: Mapping[str, Rule] = {"invariant": invariant}
