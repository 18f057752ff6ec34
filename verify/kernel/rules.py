"""The rules of derivation. Each checks one inference and returns the facts it rests on.

A rule is called with the line's statement, the statements of the lines it uses and its
arguments; it raises `Rejected` unless the statement follows. In the inferences below, G is the
context (domains and hypotheses) of the conclusion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

import sympy as sp
from sympy import Expr, oo

from ...symbolic.statements import (
    Domain,
    Every,
    Limit,
    Maximum,
    Mean,
    PolynomialDegree,
    Relation,
    SeparationRank,
    Statement,
)
from .facts import FACTS
from .reasoning import NONNEGATIVE, POSITIVE, Context
from .terms import (
    CASES,
    TERMS,
    Rejected,
    admit,
    expect,
    ground_sign,
    holds,
    monomials,
    put,
    rational,
    require,
)

Scoped = Relation | Maximum | Limit | SeparationRank
Premises = tuple[Statement, ...]
Args = Mapping[str, Any]
Facts = tuple[str, ...]
Rule = Callable[[Statement, Premises, Args], Facts]


def relation(statement: Statement, what: str = "the conclusion") -> Relation:
    return expect(statement, Relation, f"{what} must be a relation, not {type(statement).__name__}")


def scope(statement: Scoped, premises: Premises = ()) -> Context:
    """The context G of a statement: its domains, its hypotheses, and premises that hold there."""
    context = Context.of(statement.over, statement.given)
    return context.knowing(usable(premises, statement, context)) if premises else context


def usable(premises: Premises, conclusion: Scoped, context: Context) -> tuple[Relation, ...]:
    """The premises, each checked to hold in the conclusion's context or a wider one."""
    found = tuple(relation(premise, "a premise") for premise in premises)
    domains = dict(conclusion.over)
    for premise in found:
        for v, domain in premise.over:
            single = isinstance(v, sp.Symbol) and v in domains
            inside = domains.get(v) == domain or (single and context.contains(domain, v))
            require(inside, f"a premise needs {v} in {domain}, which the conclusion does not give")
        for given in premise.given:
            known = given in conclusion.given or context.shows(given)
            require(known, f"a premise assumes {given}, which the conclusion does not")
    return tuple(Relation(premise.lhs, premise.op, premise.rhs) for premise in found)


def defined(statement: Relation, context: Context | None = None) -> Context:
    context = context or scope(statement)
    context.require_defined(statement.lhs, statement.rhs)
    return context


def same(found: Relation, wanted: Relation, context: Context) -> None:
    """The two relations say the same in `context`, side by side."""
    require(found.op == wanted.op, f"expected the relation {wanted.op}, got {found.op}")
    for left, right in ((found.lhs, wanted.lhs), (found.rhs, wanted.rhs)):
        require(context.equal(left, right), f"expected {right}, got {left}")


def replaced(statement: Relation, values: Mapping[Expr, Expr]) -> Relation:
    return Relation(put(statement.lhs, values), statement.op, put(statement.rhs, values))


def rebound(given: Relation, values: Mapping[Expr, Expr]) -> Relation:
    """A hypothesis at these values; its own variables stay bound."""
    own = {variable for variable, _ in given.over}
    free = {key: value for key, value in values.items() if key not in own and key != value}
    caught = own & set().union(*(value.free_symbols for value in free.values()))
    require(not caught, f"a variable of the hypothesis {given} is caught")
    over = tuple((variable, moved(domain, free)) for variable, domain in given.over)
    return replace(replaced(given, free), over=over)


def moved(domain: Domain, values: Mapping[Expr, Expr]) -> Domain:
    return replace(domain, low=put(domain.low, values), high=put(domain.high, values))


def mentions(given: Relation, variable: Expr) -> bool:
    """Does a hypothesis speak of this variable, in its sides or in its domains?"""
    bounds = [bound for _, domain in given.over for bound in (domain.low, domain.high)]
    return any(variable in expr.free_symbols for expr in (given.lhs, given.rhs, *bounds))


def rival(goal: Maximum, domain: Domain) -> Relation:
    """f(x) < f(m) for x in `domain`."""
    best = put(goal.function, {goal.variable: goal.at})
    return Relation(goal.function, "<", best, (*goal.over, (goal.variable, domain)), goal.given)


def field(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """G |- a = b, if a - b is zero in the field of fractions and both are defined on G."""
    goal = relation(conclusion)
    context = defined(goal, scope(goal, premises))
    require(goal.op == "=", "field proves equations only")
    seen = context.equal(goal.lhs, goal.rhs)
    require(seen, f"{goal.lhs} and {goal.rhs} are not seen to be equal")
    return ()


def differentiate(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """G |- df/dx = g, by the rules of differentiation."""
    require(isinstance(relation(conclusion).lhs, sp.Derivative), "the left side is no derivative")
    return field(conclusion, premises, args)


def sign(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """G |- a op b, from the signs of the terms and factors of a - b (and of the premises)."""
    goal = relation(conclusion)
    seen = defined(goal, scope(goal, premises)).shows(replace(goal, over=()))
    require(seen, f"the sign of {goal.lhs} - ({goal.rhs}) is not seen")
    return ()


def hypothesis(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """G, phi |- phi; a hypothesis that is itself general may be stated with its own variables."""
    goal = relation(conclusion)
    outer = [goal.over[: len(goal.over) - len(h.over)] for h in goal.given]
    stated = [replace(h, over=(*over, *h.over), given=goal.given)
              for h, over in zip(goal.given, outer, strict=True)]  # fmt: skip
    require(goal in stated, "this is not one of the hypotheses")
    defined(goal)
    return ()


def linear(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """a_i <= b_i, c_i >= 0, r >= 0 |- A <= B, if B - A = sum c_i (b_i - a_i) + r; also <, =, >.

    Arguments: c1, c2, ... (1 where left out) and rest (0).
    """
    goal = relation(conclusion)
    used = usable(premises, goal, scope(goal))
    context = defined(goal, scope(goal).knowing(used))
    rest = args.get("rest", sp.S.Zero)
    context.require_defined(rest)
    total, strict = rest, context.signs(rest) == POSITIVE
    require(context.signs(rest) <= NONNEGATIVE, f"the rest {rest} may be negative")
    for number, premise in enumerate(used, 1):
        factor = args.get(f"c{number}", sp.S.One)
        context.require_defined(factor)
        way = -1 if premise.op in (">", ">=") else 1
        total += factor * way * (premise.rhs - premise.lhs)
        if premise.op != "=":
            signs = context.signs(factor)
            require(signs <= NONNEGATIVE and premise.op != "!=", f"factor {factor} may be negative")
            strict = strict or (premise.op in ("<", ">") and signs == POSITIVE)
    equations = rest == 0 and all(premise.op == "=" for premise in used)
    earned = {"=": equations, "<": strict, ">": strict, "<=": True, ">=": True, "!=": False}
    require(earned[goal.op], f"the premises do not give the relation {goal.op}")
    way = -1 if goal.op in (">", ">=") else 1
    require(context.equal(way * (goal.rhs - goal.lhs), total), f"the premises add up to {total}")
    return ()


def exponential(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """a op b |- exp(a) op exp(b), and back: exp increases strictly."""
    goal = relation(conclusion)
    context = defined(goal)
    (premise,) = usable(premises, goal, context)
    try:
        same(Relation(sp.exp(goal.lhs), goal.op, sp.exp(goal.rhs)), premise, context)
    except Rejected:
        same(Relation(sp.exp(premise.lhs), premise.op, sp.exp(premise.rhs)), goal, context)
    return ()


def substitute(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi(x) for all x in D |- phi(e), e in D. Arguments: the name of each x, and its e."""
    goal, premise = relation(conclusion), relation(premises[0], "the premise")
    context, values = defined(goal, scope(goal, premises[1:])), {}
    for variable, domain in premise.over:
        if isinstance(variable, sp.IndexedBase):
            kept = dict(goal.over).get(variable) == moved(domain, values)
            require(kept, f"{variable} changes its domain")
            continue
        value = values[variable] = args.get(str(variable), variable)
        context.require_defined(value)
        here = moved(domain, values)
        require(context.contains(here, value), f"{value} is not seen to lie in {here}")
    for given in premise.given:
        wanted = rebound(given, values)
        met = wanted in goal.given or context.shows(wanted)
        require(met, f"the hypothesis {wanted} is not met")
    same(replaced(premise, values), goal, context)
    return ()


def largest(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """f(x) < f(m) for x in D below m, and for x in D above m |- the only maximum on D is at m.

    Further premises about the parameters may help to see that m lies in D.
    """
    goal = expect(conclusion, Maximum, "the conclusion must be a maximum")
    domain, whole = goal.domain, goal.domain.integer
    Context.of((*goal.over, (goal.variable, domain)))
    known = tuple(p for p in premises if type(p) is Relation and p.over == goal.over)
    context = scope(goal, known)
    require(context.contains(domain, goal.at), f"{goal.at} is not seen to lie in the domain")
    context.at({goal.variable: goal.at}).require_defined(goal.function)
    for side in (
        Domain(domain.low, goal.at - int(whole), domain.low_open, not whole, whole),
        Domain(goal.at + int(whole), domain.high, not whole, domain.high_open, whole),
    ):
        empty = side.low == side.high and not whole
        finite = side.low != -oo and side.high != oo
        if empty or (finite and context.signs(side.low - side.high) == POSITIVE):
            continue
        below = rival(goal, side)
        require(below in premises, f"it is not shown that the function is smaller on {side}")
    return ()


def cases(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi on D1, phi on D2, ... |- phi on D, if D1, D2, ... follow each other and make up D."""
    goal = relation(conclusion)
    variable, domain = goal.over[-1]
    require(isinstance(variable, sp.Symbol), "a sequence has no single cases")
    pieces = [relation(premise, "a premise") for premise in premises]
    for piece in pieces:
        alike = replace(piece, over=goal.over) == goal and piece.over[:-1] == goal.over[:-1]
        require(alike, "the cases state different things")
        require(piece.over[-1][0] == variable, "the cases are about different variables")
    parts = [piece.over[-1][1] for piece in pieces]
    whole = any(part.integer for part in parts)
    require(domain.integer or not whole, "integer cases, real domain")
    first, last = parts[0], parts[-1]
    require((first.low, first.low_open) == (domain.low, domain.low_open), "the low end is missing")
    reached = (last.high, last.high_open) == (domain.high, domain.high_open)
    require(reached, "the high end is missing")
    for one, two in pairwise(parts):
        gap = two.low - one.high
        whole = one.integer and two.integer and gap == 1
        whole = whole and all(map(scope(goal).is_integer, (one.high, two.low)))
        require(whole or (gap == 0 and not (one.high_open and two.low_open)), "there is a gap")
    return ()


def point(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi(a) |- phi(x) for x in {a}."""
    goal, premise = relation(conclusion), relation(premises[0], "the premise")
    variable, domain = goal.over[-1]
    require(isinstance(variable, sp.Symbol), "a sequence has no single cases")
    single = domain.low == domain.high and not (domain.low_open or domain.high_open)
    require(single, "the domain is not a single point")
    hypotheses = tuple(rebound(given, {variable: domain.low}) for given in goal.given)
    require((premise.over, premise.given) == (goal.over[:-1], hypotheses), "the contexts differ")
    defined(goal, scope(premise).at({variable: domain.low}))
    same(replaced(goal, {variable: domain.low}), premise, scope(premise))
    return ()


def enumerate_cases(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi(k) for each k of a finite set of integers, one by one |- phi."""
    decide_cases(relation(conclusion))
    return ()


def decide_cases(goal: Relation, reach: int = 0) -> int:
    """Go through the cases of `goal` and count them; raise at one that fails.

    An integer variable without upper bound runs over its first `reach` values.
    """
    ranges = []
    scope(goal)
    require(not any(given.over for given in goal.given), "a hypothesis is general")
    for v, domain in goal.over:
        low = rational(domain.low, {}) if domain.low != -oo else None
        whole = domain.integer and isinstance(v, sp.Symbol)
        wanted = f"{v} does not run over integers from some first one on"
        first = expect(low if whole else None, Fraction, wanted).__ceil__()
        high = rational(domain.high, {}) if domain.high != oo else Fraction(first + reach - 1)
        last = expect(high, Fraction, f"{v} has no cases").__floor__()
        require(last >= first, f"{v} has no cases")
        ranges.append(range(first, last + 1))
    count = prod(map(len, ranges))
    require(count <= CASES, f"more than {CASES} cases")
    for values in product(*ranges):
        point = {v: sp.Integer(k) for (v, _), k in zip(goal.over, values, strict=True)}
        if all(decide(given, point) for given in goal.given):
            require(decide(goal, point), f"it fails at {point}")
    return count


def decide(goal: Relation, point: Mapping[Expr, Expr]) -> bool:
    """Is the relation true at a point? Raises where that cannot be told."""
    defined(goal, Context(values=dict(point)))
    found = replaced(goal, point)
    difference = found.lhs - found.rhs
    sign = ground_sign(difference)
    if sign is None and Context().equal(found.lhs, found.rhs):
        sign = 0
    if sign is None:
        raise Rejected(f"the sign of {difference} is not decided")
    return holds(sign, goal.op)


def ground(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """|- a op b for numbers a, b, by exact or ball arithmetic."""
    goal = relation(conclusion)
    require(not (goal.over or goal.given), "ground is for statements without variables")
    require(decide(goal, {}), f"{goal.lhs} {goal.op} {goal.rhs} is false")
    return ()


def induction(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi(a); phi(n) |- phi(n+1) for n >= a  |- phi(n) for all integers n >= a."""
    goal = relation(conclusion)
    n, domain = goal.over[-1]
    require(isinstance(n, sp.Symbol), "a sequence has no single cases")
    whole = domain.integer and domain.high == oo and domain.low != -oo
    require(whole, "n must be an integer from a on")
    base, step = (relation(premise, "a premise") for premise in premises)
    require(not any(mentions(given, n) for given in goal.given), "a hypothesis speaks of n")
    defined(goal)
    require((base.over, base.given) == (goal.over[:-1], goal.given), "the base has another context")
    same(base, replaced(goal, {n: domain.low}), scope(base))
    assumed = Relation(goal.lhs, goal.op, goal.rhs)
    require(step.over == goal.over and step.given == (*goal.given, assumed),
            "the step must assume the statement for n, and no more")  # fmt: skip
    same(step, replaced(goal, {n: n + 1}), scope(step))
    return ()


def degree(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """|- the total degree of p is k, by expanding p."""
    goal = expect(conclusion, PolynomialDegree, "the conclusion must be a degree")
    require(monomials(goal.polynomial, goal.variables) <= TERMS, "too large; use a certificate")
    polynomial = sp.Poly(goal.polynomial, *goal.variables, domain=sp.ZZ)
    require(not polynomial.is_zero, "the zero polynomial has no degree")
    found = polynomial.total_degree()
    require(goal.value == found, f"the degree is {found}")
    return ()


def fact(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """|- an instance of a named general theorem. Arguments: name, and those of the instance."""
    known = FACTS.get(str(args.get("name")))
    if known is None or known.instance is None:
        raise Rejected(f"no fact named {args.get('name')!r} has instances")
    values = [value for key, value in args.items() if key != "name"]
    for value in values:
        admit(sp.Pow(2, expect(value, Expr, "an argument is no number"), evaluate=False))
    stated = known.instance(*values)
    if type(stated) is Mean and type(conclusion) is Mean:
        context = Context.of(conclusion.over)
        for value in values:
            context.require_defined(value)
            require(context.is_integer(value), "the arguments must be integers")
        require(context.signs(values[0]) == POSITIVE, "the count must be positive")
        clash = {"s", "i", "j"} & {str(variable) for variable, _ in conclusion.over}
        require(not clash, f"the fact has its own {clash}; rename the parameters")
        require(replace(stated, over=conclusion.over) == conclusion, f"the fact states {stated}")
        return (known.name,)
    goal, stated = relation(conclusion), relation(stated)
    context = defined(goal)
    for given in stated.given:
        require(context.shows(given), f"the fact needs {given}")
    same(stated, goal, context)
    return (known.name,)


def part(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi and psi and ... |- phi"""
    reason = "this is no part of the premise"
    require(conclusion in expect(premises[0], Every, reason).parts, reason)
    return ()


def every(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """phi, psi, ... |- phi and psi and ..."""
    parts = expect(conclusion, Every, "the conclusion must be a conjunction").parts
    require(bool(parts) and all(part in premises for part in parts), "a part is not shown")
    return ()


RULES: Mapping[str, Rule] = {
    "field": field, "differentiate": differentiate, "sign": sign, "hypothesis": hypothesis,
    "linear": linear, "exponential": exponential, "substitute": substitute,
    "largest": largest, "cases": cases,
    "enumerate": enumerate_cases, "ground": ground, "induction": induction,
    "degree": degree, "fact": fact,
    "every": every, "part": part, "point": point,
}  # fmt: skip
