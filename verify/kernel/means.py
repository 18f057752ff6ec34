"""Means and probabilities: moments of normals, sums of fair signs, their enumeration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod

import sympy as sp
from sympy import Expr, Indexed, IndexedBase

from ...symbolic.statements import REALS, Domain, Domains, Mean, Relation, Statement
from .reasoning import NEGATIVE, NONNEGATIVE, POSITIVE, Context
from .rules import Args, Facts, Premises, Rule, decide, replaced
from .terms import (
    TERMS,
    Rejected,
    expect,
    monomials,
    outermost,
    put,
    rationals,
    rebuilt,
    require,
    spend,
)
from .terms import cases as values_of

Ranges = Mapping[Expr, tuple[Expr, Expr]]
LARGEST = 16  # number of signs that are enumerated


def mean(statement: Statement, what: str = "the conclusion") -> Mean:
    return expect(statement, Mean, f"{what} must be a mean, not {type(statement).__name__}")


def defined(goal: Mean) -> Context:
    """The parameters and the random variables of a mean, all whose parts are defined there."""
    context = Context.of((*goal.over, *((variable, REALS) for variable, _ in goal.laws)))
    context.require_defined(*_sides(goal))
    Context.of(goal.over).require_defined(goal.value)
    return context


def _sides(goal: Mean) -> tuple[Expr, ...]:
    quantity = goal.quantity
    return (quantity.lhs, quantity.rhs) if isinstance(quantity, Relation) else (quantity,)


def isserlis(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """|- E[p(g)] = v for a polynomial p of independent standard normals: E[g^2k] = (2k-1)!!."""
    goal = mean(conclusion)
    require(all(law == "normal" for _, law in goal.laws), "a variable is not standard normal")
    require(not goal.over, "the moment has parameters")
    variables = [variable for variable, _ in goal.laws]
    if isinstance(goal.quantity, Relation) or not goal.quantity.is_polynomial(*variables):
        raise Rejected("the quantity is no polynomial")
    defined(goal)
    require(monomials(goal.quantity, tuple(variables)) <= TERMS, "the polynomial is too large")
    moments = (
        coefficient * prod(sp.factorial2(k - 1) if k % 2 == 0 else 0 for k in powers)
        for powers, coefficient in sp.Poly(goal.quantity, *variables).terms()
    )
    require(Context().equal(reduce(sp.Add, moments, sp.S.Zero), goal.value), "the moment differs")
    return ("Isserlis",)


def relabel(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """P(s_1 + ... + s_k < b) = v |- P(E) = v, if E says S < b and S is a sum of k fair signs.

    Arguments: sum S, whose terms are products of signs; factor c > 0 (1), with which E reads
    c (S - b) < 0. Each term needs a sign of its own: given all other signs, these are fair and
    independent, and so are the terms.
    """
    goal, known = mean(conclusion), mean(premises[0], "the premise")
    reason = "both means must be probabilities"
    new, old = (expect(m.quantity, Relation, reason) for m in (goal, known))
    context = defined(goal)
    require(known.over == goal.over, "the parameters differ")
    summed = isinstance(old.lhs, sp.Sum) and len(known.laws) == 1
    require(summed, "the premise is not about one sum of signs")
    (sequence, law), (function, (index, low, size)) = known.laws[0], outermost(old.lhs)
    plain = isinstance(sequence, IndexedBase) and function == sequence[index]
    require(plain and law == "sign" and low == 1, "the premise is not about s_1 + ... + s_k")
    for fixed in (old.rhs, size):
        Context.of(goal.over).require_defined(fixed)
    total, factor = args["sum"], args.get("factor", sp.S.One)
    context.require_defined(total, factor)
    count = _independent(total, goal)
    require(context.equal(count, size), f"there are {count} terms, not {size}")
    require(context.signs(factor) == POSITIVE, f"{factor} may not be positive")
    alike = context.equal(new.lhs - new.rhs, factor * (total - old.rhs))
    require(new.op == old.op and alike, f"the event is not {total} {old.op} {old.rhs}")
    require(context.equal(goal.value, known.value), "the value changes")
    return ("fair signs",)


def _independent(total: Expr, goal: Mean) -> Expr:
    """The number of terms of a sum whose terms are seen to be independent fair signs.

    Which signs these are is up to the parameters, not to chance.
    """
    ranges: dict[Expr, tuple[Expr, Expr]] = {}
    inner, taken = Context.of(goal.over), {str(v) for v, _ in (*goal.over, *goal.laws)}
    while isinstance(total, sp.Sum):
        function, (index, low, high) = outermost(total)
        require(str(index) not in taken, f"{index} has two meanings")
        require(not (low.free_symbols | high.free_symbols) & set(ranges), "a range varies")
        inner.require_defined(low, high)
        require(inner.signs(high - low + 1) <= NONNEGATIVE, f"the range of {index} may be empty")
        inner = inner.extended(index, Domain(low, high, False, False, integer=True))
        ranges[index], total = (low, high), function
        taken.add(str(index))
    factors = [f for f in sp.Mul.make_args(total) if f not in (1, -1)]
    require(len(factors) > 1, "a sum of plain signs is the fact itself")
    laws = dict(goal.laws)
    for factor in factors:
        variable = factor.base if isinstance(factor, Indexed) else factor
        require(laws.get(variable) == "sign", f"{factor} is no sign")
        inner.require_defined(*(factor.indices if isinstance(factor, Indexed) else ()))
    for place, own in enumerate(factors):
        others = factors[:place] + factors[place + 1 :]
        if _names_its_term(own, ranges) and all(_apart(own, o, ranges, inner) for o in others):
            return sp.Mul(*(high - low + 1 for low, high in ranges.values()))
    raise Rejected(f"no factor of {total} is seen to belong to its term alone")


def _names_its_term(own: Expr, ranges: Ranges) -> bool:
    """Is it an entry with each index of the sum as one of its places, and nowhere else?"""
    if not isinstance(own, Indexed):
        return False
    places = [place for place in own.indices if place in ranges]
    rest = sp.Tuple(*(place for place in own.indices if place not in ranges))
    once = sorted(places, key=str) == sorted(ranges, key=str)
    return once and not rest.free_symbols & set(ranges)


def _apart(own: Expr, other: Expr, ranges: Ranges, context: Context) -> bool:
    """Is `other` none of the entries that `own` runs through?"""
    if not isinstance(other, Indexed) or other.base != own.base:
        return True
    for place, there in zip(own.indices, other.indices, strict=True):
        low, high = ranges.get(place, (place, place))
        if NEGATIVE in (context.signs(there - low), context.signs(high - there)):
            return True
    return False


def over_signs(goal: Mean) -> tuple[int, Fraction]:
    """The number of ways to choose all signs and integers, and the mean over them."""
    require(not goal.over, "the parameters must be fixed first")
    choices = {variable: _choices(law) for variable, law in goal.laws}
    defined(goal)
    sides = [written_out(side) for side in _sides(goal)]
    entries = sorted(set().union(*(side.atoms(Indexed) for side in sides)), key=str)
    require(all(isinstance(k, sp.Integer) for entry in entries for k in entry.indices),
            "an entry has no number")  # fmt: skip
    names = {entry: sp.Dummy() for entry in entries}
    single = [variable for variable, _ in goal.laws if isinstance(variable, sp.Symbol)]
    names.update((variable, variable) for variable in single)
    ranges = [choices[n.base if isinstance(n, Indexed) else n] for n in names]
    ways = prod(map(len, ranges))
    require(ways <= 2**LARGEST, f"more than {2**LARGEST} cases cannot be enumerated")
    sides = [side.xreplace(names) for side in sides]
    total = Fraction(0)
    for values in product(*ranges):
        spend(80)
        point = dict(zip(names.values(), map(sp.Integer, values), strict=True))
        if isinstance(goal.quantity, Relation):
            total += decide(Relation(sides[0], goal.quantity.op, sides[1]), point)
        else:
            Context(values=point).require_defined(sides[0])
            total += rationals([put(sides[0], point)])[0]
    return ways, total / ways


def _choices(law: str) -> Sequence[int]:
    """The values, equally likely, of a law: "sign", or "1..6" for integers."""
    if law == "sign":
        return (-1, 1)
    ends = law.split("..")
    plain = len(ends) == 2 and all(e.isdecimal() and e.isascii() and len(e) < 9 for e in ends)
    require(plain and int(ends[0]) <= int(ends[1]), f"the law {law!r} cannot be enumerated")
    return range(int(ends[0]), int(ends[1]) + 1)


def written_out(expr: Expr) -> Expr:
    """Sums and products over known ranges, term by term."""
    spend(40)
    if isinstance(expr, sp.Sum | sp.Product):
        function, index = outermost(expr)
        values = map(sp.Integer, values_of(index, {}))
        terms = [written_out(put(function, {index[0]: value})) for value in values]
        return (sp.Add if isinstance(expr, sp.Sum) else sp.Mul)(*terms)
    if isinstance(expr, Indexed) or not expr.args:
        return expr
    return rebuilt(expr, [written_out(arg) for arg in expr.args])


def mean_at(goal: Mean, point: Mapping[Expr, Expr], rest: Domains) -> Mean:
    """The mean with the parameters of `point` fixed."""
    defined(goal)
    quantity = goal.quantity
    fixed = replaced(quantity, point) if isinstance(quantity, Relation) else put(quantity, point)
    parameters = tuple((name, put(value, point)) for name, value in goal.parameters)
    variance, resolution = (expr and put(expr, point) for expr in (goal.variance, goal.resolution))
    value = put(goal.value, point)
    return Mean(fixed, goal.laws, value, goal.observable, parameters, variance, resolution, rest)


MEANS: Mapping[str, Rule] = {"isserlis": isserlis, "relabel": relabel}
