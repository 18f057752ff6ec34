"""Derivations that an orbit stays in a region for ever, and the bounds of exp that they use.

A derivation first states lemmas in variables of their own, such as b = exp(-w1), in which a step
is rational; then it puts their values along the orbit and adds the lines up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sympy import E, Expr, Integer, Rational, Symbol, exp, lambdify, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domain, Domains, Operator, Orbit, Relation, above, interval

w1, w2, k, eta = symbols("w1 w2 k eta")
t, x, y = symbols("t x y")
HALF, ZERO, ONE = Rational(1, 2), Integer(0), Integer(1)
SLOWEST = 1 / (1 + E)
RATES = interval(SLOWEST, HALF, "[]")  # of 1/(1 + exp f) where 0 <= f <= 1
FARTHEST = 5_000
Steps = tuple[tuple[Symbol, Expr], ...]
Term = tuple[int, Expr]
Values = Mapping[Expr, Expr]
Conclusions = dict[Relation, Callable[[], int]]


def combine(
    proof: Proof,
    lhs: Expr,
    op: Operator,
    rhs: Expr,
    *terms: Term,
    rest: Expr = ZERO,
    over: Domains | None = None,
) -> int:
    """`linear`: the lines, each times its factor, and a rest that is not negative."""
    factors = {f"c{place}": factor for place, (_, factor) in enumerate(terms, 1)}
    lines = (line for line, _ in terms)
    return proof.relate(lhs, op, rhs, "linear", *lines, over=over, rest=rest, **factors)


def seen(proof: Proof, *relations: tuple[Expr, Operator, Expr]) -> tuple[int, ...]:
    """Relations that hold by the signs of their terms, such as the ends of domains."""
    return tuple(proof.relate(lhs, op, rhs, "sign") for lhs, op, rhs in relations)


def number(proof: Proof, lhs: Expr, op: Operator, rhs: Expr) -> int:
    """A relation of two numbers."""
    return proof.relate(lhs, op, rhs, "ground", over=(), given=())


def tangent(proof: Proof) -> int:
    """1 + x <= exp(x) for all real x."""
    below = _tangent_side(proof, interval(-oo, 0), "<", x, ZERO)
    over = _tangent_side(proof, above(0), ">", ZERO, x)
    zero = number(proof, ONE, "<=", exp(ZERO))
    single = ((x, Domain(ZERO, ZERO, False, False)),)
    middle = proof.relate(1 + x, "<=", exp(x), "point", zero, over=single)
    return proof.relate(1 + x, "<=", exp(x), "cases", below, middle, over, over=((x, REALS),))


def _tangent_side(proof: Proof, side: Domain, op: Operator, low: Expr, high: Expr) -> int:
    here, there = ((t, side),), ((x, side),)
    beyond = proof.relate(t, op, 0, "sign", over=here)
    power = proof.relate(exp(t), op, 1, "exponential", beyond, over=here)
    slope = proof.relate(exp(t) - 1, op, 0, "linear", power, over=here)
    rises = proof.relate(
        *(1, "<=", exp(x) - x, "monotone", slope), over=there,
        function=exp(t) - t, variable=t, low=low, high=high,
    )  # fmt: skip
    return proof.relate(1 + x, "<=", exp(x), "linear", rises, over=there)


def decay(proof: Proof, line: int) -> int:
    """exp(-x) <= 1 - x/(1 + y) for 0 < x <= y, from the tangent."""
    over = ((y, above(0)), (x, interval(0, y, "(]")))
    least = combine(proof, exp(-x), "<=", 1 / (1 + x), (line, exp(-x) / (1 + x)), over=over)
    most = proof.relate(x, "<=", y, "sign", over=over)
    scale = x / ((1 + x) * (1 + y))
    return combine(proof, exp(-x), "<=", 1 - x / (1 + y), (least, ONE), (most, scale), over=over)


def decays(proof: Proof, line: int, change: Expr, top: Expr, *bounds: int) -> int:
    """exp(-change) <= 1 - change/(1 + top), from the decay and 0 < change <= top."""
    return proof.relate(
        *(exp(-change), "<=", 1 - change / (1 + top), "substitute", line, *bounds), x=change, y=top
    )


def rates(proof: Proof) -> tuple[int, int]:
    """1/(1 + e) <= 1/(1 + exp(x)) <= 1/2 for 0 <= x <= 1."""
    return _rate(proof, "<=", ONE, ">="), _rate(proof, ">=", ZERO, "<=")


def _rate(proof: Proof, op: Operator, end: Expr, way: Operator) -> int:
    over = ((x, interval(0, 1, "[]")),)
    beyond = proof.relate(x, op, end, "sign", over=over)
    power = proof.relate(exp(x), op, exp(end), "exponential", beyond, over=over)
    sides = 1 / (1 + exp(x)), 1 / (1 + exp(end))
    return combine(proof, sides[0], way, sides[1], (power, sides[0] * sides[1]), over=over)


class Region:
    """A derivation about an orbit: lemmas first, then lines about the orbit in a region.

    The region is the `wedge`; for an orbit that counts its steps k also what is `rated`, and
    unless it states just the last of that also what is `paid` for.
    """

    def __init__(
        self,
        goal: Orbit,
        values: Values,
        wedge: tuple[Relation, ...],
        rated: tuple[Relation, ...],
        paid: tuple[Relation, ...] = (),
    ) -> None:
        self.goal, self.values = goal, dict(values)
        self.timed = any(variable == k for variable, _ in goal.step)
        self.pays = self.timed and goal.holds != rated[-1]
        levels = (wedge, rated if self.timed else (), paid if self.pays else ())
        self.conditions = tuple(condition for level in levels for condition in level)
        self.proof = Proof()
        self.known: tuple[int, ...] = ()
        self.held: tuple[int, ...] = ()

    def enter(self) -> None:
        """From here on lines speak of the orbit; the conditions of the region come first."""
        states = tuple((variable, REALS) for variable, _ in self.goal.step)
        self.proof.over, self.proof.given = (*self.goal.over, *states), self.conditions
        self.held = tuple(
            self.proof.relate(c.lhs, c.op, c.rhs, "hypothesis") for c in self.conditions
        )

    def at(self, expr: Expr) -> Expr:
        return expr.xreplace(self.values)

    def use(self, lemma: int, *known: int, **more: Expr) -> int:
        """A lemma at the values of its variables along the orbit."""
        stated = self.proof.statement(lemma)
        if not isinstance(stated, Relation):
            raise TypeError(f"lemma: expected a line that is a relation; got line {lemma}")
        place = {v: more.get(str(v), self.values.get(v, v)) for v, _ in stated.over}
        left, right = (side.xreplace(place) for side in (stated.lhs, stated.rhs))
        named = {str(variable): value for variable, value in place.items()}
        return self.proof.relate(
            *(left, stated.op, right, "substitute", lemma, *self.known, *known), **named
        )

    def bound(self, exponent: Expr, op: Operator, end: Expr, by: Expr | None = None) -> int:
        """exp(exponent) op exp(end), or op the number `by` beyond that."""
        known = self.proof.relate(exponent, op, end, "sign")
        power = self.proof.relate(exp(exponent), op, exp(end), "exponential", known)
        if by is None:
            return power
        beyond = number(self.proof, exp(end), op, by)
        return combine(self.proof, exp(exponent), op, by, (power, ONE), (beyond, ONE))

    def stepped(self, place: int, *terms: Term, rest: Expr = ZERO) -> int:
        """Condition `place` after a step: itself, and these lines."""
        condition, image = self.conditions[place], dict(self.goal.step)
        left, right = (side.xreplace(image) for side in (condition.lhs, condition.rhs))
        before = (self.held[place], ONE)
        return combine(self.proof, left, condition.op, right, before, *terms, rest=rest)

    def counts(self) -> int:
        """k + 1 >= 0, the condition k >= 0 after a step."""
        return self.proof.relate(k + 1, ">=", 0, "sign")

    def done(self, conclusions: Conclusions, steps: tuple[int, ...]) -> Derivation:
        """The orbit, if it is one of those concluded, from the first iterate in the region on."""
        if self.goal.holds not in conclusions:
            known = "; ".join(map(str, conclusions))
            raise ValueError(f"goal: expected an orbit with one of {known}; got {self.goal.holds}")
        after = self._entry() if self.goal.eventually and not self.goal.over else 0
        inside = conclusions[self.goal.holds]()
        args = {"after": after} if after else {}
        self.proof.line(self.goal, "invariant", inside, *steps, **args)
        return self.proof.done()

    def _entry(self) -> int:
        names = [variable for variable, _ in self.goal.step]
        tests = [
            (condition.op, lambdify(names, condition.lhs - condition.rhs, "math"))
            for condition in self.conditions
        ]
        for place, here in enumerate(iterates(self.goal, {})):
            gaps = ((op, test(*here)) for op, test in tests)
            if all(gap >= 0 if op == ">=" else gap <= 0 for op, gap in gaps):
                # One later, since rounding may deceive; at the start nothing is rounded.
                return place + 1 if place else 0
        raise ValueError(
            f"goal: expected an orbit that enters the region within {FARTHEST} iterates; got the "
            f"one from {self.goal.start}"
        )


def iterates(orbit: Orbit, values: Values) -> Iterator[tuple[float, ...]]:
    """The first iterates in floating point, the parameters at these values."""
    fixed = dict(values)
    names = [variable for variable, _ in orbit.step]
    images = [lambdify(names, image.xreplace(fixed), "math") for _, image in orbit.step]
    here = tuple(float(value.xreplace(fixed)) for _, value in orbit.start)
    for _ in range(FARTHEST):
        yield here
        here = tuple(image(*here) for image in images)
