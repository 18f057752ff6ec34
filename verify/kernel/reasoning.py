"""What follows about expressions from the domains of their variables.

Signs are sets of possible signs, so that every step is a plain set computation. Equality is
decided in a field Q(g1, g2, ...) whose generators stand for the transcendental parts: to treat
these as independent can only miss identities, never invent one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product

import sympy as sp
from sympy import Expr, Indexed, oo
from sympy import field as fraction_field

from ...symbolic.statements import Domain, Domains, Relation
from .terms import (
    BINDERS,
    CONSTANTS,
    FRACTIONS,
    OPERATOR_SIGNS,
    POWER,
    STEPS,
    TERMS,
    Rejected,
    evaluated,
    expanded,
    fractional,
    ground_sign,
    indices,
    outermost,
    put,
    replaced_in,
    spend,
    terms,
)

Signs = frozenset[int]
POSITIVE, NEGATIVE, ZERO = (OPERATOR_SIGNS[op] for op in (">", "<", "="))
NONNEGATIVE, ANY = POSITIVE | ZERO, POSITIVE | NEGATIVE | ZERO
INFINITE = (oo, -oo)
TOTAL = (
    *(sp.Add, sp.Mul, sp.Rational, sp.Derivative, *CONSTANTS),
    *(sp.exp, sp.erf, sp.erfc, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, *STEPS[:5]),
)


@dataclass(frozen=True)
class Context:
    """Domains of the variables, and relations known to hold there.

    `values` are put for variables before anything is asked about an expression, node by node,
    so that no simplification can hide a part that is not defined.
    """

    over: Mapping[Expr, Domain] = field(default_factory=dict)
    known: tuple[Relation, ...] = ()
    values: Mapping[Expr, Expr] = field(default_factory=dict)
    memory: dict[Expr, Signs] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(over: Domains, known: tuple[Relation, ...] = ()) -> Context:
        """A domain's bounds are defined by the variables before it; those of integers, integers."""
        seen: dict[Expr, Domain] = {}
        names: set[str] = set()
        for variable, domain in over:
            if str(variable) in names:
                raise Rejected(f"variable {variable} has two domains")
            names.add(str(variable))
            before = Context(seen)
            for bound in {domain.low, domain.high} - {*INFINITE}:
                before.require_defined(bound)
                if domain.integer and not before.is_integer(bound):
                    raise Rejected(f"{variable} runs over integers but {bound} is none")
            seen[variable] = domain
        return Context(seen, known)

    def domain(self, expr: Expr) -> Domain | None:
        return self.over.get(expr.base if isinstance(expr, Indexed) else expr)

    def at(self, values: Mapping[Expr, Expr]) -> Context:
        return replace(self, values=values, memory={})

    def extended(self, variable: Expr, domain: Domain) -> Context:
        return replace(self, over={**self.over, variable: domain}, memory={})

    def knowing(self, relations: tuple[Relation, ...]) -> Context:
        return replace(self, known=(*self.known, *relations), memory={})

    def signs(self, expr: Expr) -> Signs:
        """The signs that `expr` may have."""
        if self.values:
            return self.at({}).signs(put(expr, self.values))
        if expr not in self.memory:
            spend(20)
            self.memory[expr] = self._signs(evaluated(expr))
        return self.memory[expr]

    def _signs(self, expr: Expr) -> Signs:
        possible = self._structural(expr)
        for relation in self.known:
            if len(possible) == 1:
                break
            difference = relation.lhs - relation.rhs
            if not relation.over and expr.free_symbols == difference.free_symbols:
                known = OPERATOR_SIGNS[relation.op]
                if expanded(expr - difference) == 0:
                    possible &= known
                elif expanded(expr + difference) == 0:
                    possible &= _product([NEGATIVE, known])
        return possible

    def _structural(self, expr: Expr) -> Signs:
        if not expr.free_symbols:
            sign = ground_sign(expr)
            if sign is not None:
                return frozenset((sign,))
            return ZERO if Field(self).is_zero(expr) else ANY
        match expr:
            case sp.Symbol() | Indexed():
                return self._variable(expr)
            case sp.Add():
                signs = self._terms(expr)
                return signs if signs != ANY else self._shifted(expr)
            case sp.Mul():
                return _product([self.signs(arg) for arg in expr.args])
            case sp.exp() | sp.cosh():
                return POSITIVE
            case sp.Pow():
                return self._power(expr)
            case sp.log() if self.signs(expr.args[0]) == POSITIVE:
                return self.signs(expr.args[0] - 1)
            case sp.erf() | sp.sinh() | sp.tanh() | sp.LambertW():
                return self.signs(expr.args[0])
            case sp.Abs():
                return frozenset(s * s for s in self.signs(expr.args[0]))
            case sp.Sum() | sp.Product():
                inner, function = self._inside(expr)
                terms = inner.signs(function)
                if isinstance(expr, sp.Product):
                    return POSITIVE if terms == POSITIVE else ANY
                return terms | ZERO if len(terms | ZERO) == 2 else ANY
        return ANY

    def _inside(self, expr: Expr) -> tuple[Context, Expr]:
        """The context inside a sum, product or integral, its index under a name of its own."""
        function, (index, low, high) = outermost(expr)
        whole, fresh = not isinstance(expr, sp.Integral), sp.Dummy()
        if not whole and self.signs(high - low) <= NEGATIVE | ZERO:
            low, high = high, low
        ends = put(low, self.values), put(high, self.values)
        inner = self.extended(fresh, Domain(*ends, False, False, whole))
        return inner, function.xreplace({index: fresh})

    def _terms(self, expr: Expr) -> Signs:
        """Of a sum, term by term; the terms that are numbers count as one."""
        terms = [term for term in sp.Add.make_args(expr) if term.free_symbols]
        number = sp.Add(*(term for term in sp.Add.make_args(expr) if not term.free_symbols))
        return _sum([self.signs(term) for term in (*terms, *([number] if number != 0 else []))])

    def _variable(self, variable: Expr) -> Signs:
        domain, possible = self.domain(variable), ANY
        if domain is None:
            return ANY
        low, high = (domain.low, domain.low_open), (-domain.high, domain.high_open)
        for (bound, is_open), side in ((low, POSITIVE), (high, NEGATIVE)):
            signs = ANY if bound in INFINITE else self.signs(bound)
            if signs <= NONNEGATIVE:
                possible &= side if is_open or signs == POSITIVE else side | ZERO
        return possible

    def _power(self, expr: sp.Pow) -> Signs:
        base, exponent = expr.args
        signs = self.signs(base)
        if isinstance(exponent, sp.Integer):
            if exponent < 0 and 0 in signs:
                return ANY
            return frozenset(s ** abs(int(exponent)) for s in signs)
        if signs == POSITIVE:
            return POSITIVE
        positive = self.signs(exponent) == POSITIVE
        return NONNEGATIVE if signs <= NONNEGATIVE and positive else ANY

    def _shifted(self, expr: Expr) -> Signs:
        """Write each variable as its lower (or else upper) bound plus (minus) some t > 0."""
        for upward in (True, False):
            moved, inner = expr, self
            for variable, domain in reversed(tuple(self.over.items())):
                bound = domain.low if upward else domain.high
                is_open = domain.low_open if upward else domain.high_open
                if bound in (*INFINITE, sp.S.Zero):
                    continue
                entries = {node for node in moved.atoms(Indexed) if node.base == variable}
                for place in entries or {variable}:
                    step = sp.Dummy()
                    if {place, *bound.free_symbols} & indices(expr):
                        return ANY
                    moved = moved.xreplace({place: bound + step if upward else bound - step})
                    inner = inner.extended(step, Domain(sp.S.Zero, oo, is_open, True))
            moved = expanded(moved)
            if moved != expanded(expr):
                signs = replace(inner, known=(), memory={})._terms(moved)
                if signs != ANY:
                    return signs
        return ANY

    def is_integer(self, expr: Expr) -> bool:
        if self.values:
            return self.at({}).is_integer(put(expr, self.values))
        if isinstance(expr, sp.Symbol | Indexed):
            domain = self.domain(expr)
            return domain is not None and domain.integer
        if isinstance(expr, sp.Add | sp.Mul):
            return all(self.is_integer(arg) for arg in expr.args)
        if isinstance(expr, sp.Pow):
            return all(map(self.is_integer, expr.args)) and self.signs(expr.exp) <= NONNEGATIVE
        return isinstance(expr, sp.Integer | sp.floor | sp.ceiling | sp.factorial | sp.binomial)

    def contains(self, domain: Domain, expr: Expr) -> bool:
        """Does `expr` lie in `domain`, whatever the variables?"""
        above = POSITIVE if domain.low_open else NONNEGATIVE
        below = POSITIVE if domain.high_open else NONNEGATIVE
        return (
            (not domain.integer or self.is_integer(expr))
            and (domain.low == -oo or self.signs(expr - domain.low) <= above)
            and (domain.high == oo or self.signs(domain.high - expr) <= below)
        )

    def shows(self, relation: Relation) -> bool:
        """Does the relation hold by its signs, whatever the variables? Not if it is general."""
        signs = ANY if relation.over else self.signs(relation.lhs - relation.rhs)
        return signs <= OPERATOR_SIGNS[relation.op]

    def require_defined(self, *exprs: Expr) -> None:
        """Raise unless every part of each is a finite real number throughout the domain."""
        for expr in exprs:
            parts = expr.indices if isinstance(expr, Indexed) else expr.args
            if not self._defined(expr):
                raise Rejected(f"{expr} is not shown to be defined on the whole domain")
            if isinstance(expr, sp.Derivative):
                self.require_smooth(expr.expr)
                parts = (expr.expr, evaluated(expr))
            elif isinstance(expr, BINDERS):
                inner, function = self._inside(expr)
                inner.require_defined(function)
                parts = outermost(expr)[1][1:]
            self.require_defined(*parts)

    def _defined(self, expr: Expr) -> bool:
        match expr:
            case sp.Symbol():
                return expr in self.values or self.domain(expr) is not None
            case Indexed():
                return self.domain(expr) is not None and all(map(self.is_integer, expr.indices))
            case sp.Pow():
                base, exponent = self.signs(expr.base), expr.exp
                rising = self.signs(exponent)
                if self.is_integer(exponent):
                    return rising <= NONNEGATIVE or 0 not in base
                return base == POSITIVE or (rising == POSITIVE and base <= NONNEGATIVE)
            case sp.log() | sp.gamma():
                return self.signs(expr.args[0]) == POSITIVE
            case sp.LambertW():
                if _inverse(put(expr.args[0], self.values)):
                    return True
                return self.signs(expr.args[0] + sp.exp(-1)) <= NONNEGATIVE
            case sp.factorial() | sp.binomial():
                return all(self.is_integer(a) and self.signs(a) <= NONNEGATIVE for a in expr.args)
            case sp.Integral():
                s, low, high = expr.limits[0]
                way = self.signs(high - low)
                known = way <= NONNEGATIVE or way <= NEGATIVE | ZERO
                return known and s not in low.free_symbols | high.free_symbols
            case sp.Sum() | sp.Product():
                return all(map(self.is_integer, outermost(expr)[1][1:]))
        return isinstance(expr, TOTAL)

    def require_continuous(self, *exprs: Expr) -> None:
        self.require_defined(*exprs)
        for expr in exprs:
            self.require_smooth(expr)

    def require_smooth(self, expr: Expr) -> None:
        """Continuous where defined: all nodes are, but for those that step or have corners, and
        powers with a varying exponent at the base 0."""
        if expr.has(*STEPS, *BINDERS):
            raise Rejected(f"{expr} is not built from smooth functions only")
        for node in expr.atoms(sp.Pow):
            if not isinstance(node.exp, sp.Rational) and self.signs(node.base) != POSITIVE:
                raise Rejected(f"{node} may not be continuous where its base vanishes")

    def equal(self, lhs: Expr, rhs: Expr) -> bool:
        finite = lhs not in INFINITE and rhs not in INFINITE
        return lhs == rhs or (finite and Field(self).is_zero(lhs - rhs))


def _sum(parts: list[Signs]) -> Signs:
    for side in (POSITIVE, NEGATIVE):
        if all(part <= side | ZERO for part in parts):
            return side if side in parts else ZERO if set(parts) == {ZERO} else side | ZERO
    return ANY


def _product(parts: list[Signs]) -> Signs:
    signs = POSITIVE
    for part in parts:
        signs = frozenset(a * b for a, b in product(signs, part))
    return signs


def _inverse(expr: Expr) -> list[Expr]:
    """The v with expr = v*exp(v), which is never below -1/e; W0 gives it back if v >= -1."""
    factors = sp.Mul.make_args(expr)
    exponent = sp.Add(*(f.args[0] for f in factors if isinstance(f, sp.exp)))
    v = sp.Mul(*(f for f in factors if not isinstance(f, sp.exp)))
    return [v] if expanded(exponent - v) == 0 else []


class Field:
    """Q(generators), with the relations that roots satisfy."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.generators: dict[Expr, sp.Symbol] = {}
        self.roots: list[tuple[sp.Symbol, int, Expr]] = []

    def is_zero(self, expr: Expr) -> bool:
        """Is `expr` identically zero? True is always right; False may mean: not seen."""
        if terms(expr) > TERMS:
            raise Rejected(f"{expr} has too many terms when multiplied out")
        flat = self.rational(self._unrolled(evaluated(expr)))
        if fractional(flat) > FRACTIONS:
            raise Rejected(f"{expr} has too many terms over one denominator")
        names = [g for g, _, _ in self.roots] + list(self.generators.values())
        space = fraction_field(list(dict.fromkeys(names)), sp.QQ, sp.lex)[0]
        numerator = space.from_expr(flat).numer
        relations = [space.from_expr(g**q - base) for g, q, base in self.roots]
        ideal = [relation.numer for relation in relations if relation.denom == 1]
        return numerator == 0 or (bool(ideal) and numerator.rem(ideal) == 0)

    def generator(self, expr: Expr) -> Expr:
        return self.generators.setdefault(expr, sp.Symbol(f"g{len(self.generators)}"))

    def rational(self, expr: Expr) -> Expr:
        """`expr` as a rational function of generators."""
        match expr:
            case sp.Rational():
                return expr
            case sp.Add() | sp.Mul():
                return expr.func(*map(self.rational, expr.args))
            case sp.Pow() if isinstance(expr.exp, sp.Integer) and abs(expr.exp) <= POWER:
                return self.rational(expr.base) ** expr.exp
            case sp.exp():
                return self._exponential(expr.args[0])
            case sp.Pow() if self.context.signs(expr.base) == POSITIVE:
                return self._exponential(expr.exp * self.logarithm(expr.base))
            case sp.log() if self.context.signs(expr.args[0]) == POSITIVE:
                logarithm = self.logarithm(expr.args[0])
                return self.generator(expr) if logarithm == expr else self.rational(logarithm)
        return self.generator(expr)

    def logarithm(self, expr: Expr) -> Expr:
        """log of a positive expression, split over products, powers and prime factors."""
        signs = self.context.signs
        match expr:
            case sp.Rational() if max(expr.p, expr.q) < 10**12:
                parts = sp.factorint(expr.p), sp.factorint(expr.q)
                logs = [{p: n * sp.log(p) for p, n in part.items()} for part in parts]
                return sp.Add(*logs[0].values()) - sp.Add(*logs[1].values())
            case sp.exp():
                return expr.args[0]
            case sp.Mul() if all(signs(arg) == POSITIVE for arg in expr.args):
                return sp.Add(*map(self.logarithm, expr.args))
            case sp.Pow() if signs(expr.base) == POSITIVE:
                return expr.exp * self.logarithm(expr.base)
        return sp.log(expr)

    def _exponential(self, exponent: Expr) -> Expr:
        """exp of a sum is a product; exp(c*log(u)) = u**c; exp(W0(u)) = u/W0(u) as u is not 0;
        the other exponents count as a Q-basis."""
        factors = []
        for term in sp.Add.make_args(expanded(exponent)):
            power, rest = term.as_coeff_Mul()
            top, size = int(power.p), int(power.q)
            if isinstance(rest, sp.LambertW) and 0 not in self.context.signs(rest.args[0]):
                base, key = self.rational(rest.args[0]) / self.generator(rest), sp.exp(rest)
            elif isinstance(rest, sp.log):
                base, key = self.rational(rest.args[0]), rest.args[0]
            else:
                key = sp.exp(rest)
                base = self.generator(key)
            root = base
            if size != 1:
                root = self.generator(sp.Pow(key, sp.Rational(1, size), evaluate=False))
                self.roots.append((root, size, base))
            factors.append(root**top if abs(top) <= POWER else self.generator(sp.exp(term)))
        return sp.Mul(*factors)

    def _unrolled(self, expr: Expr) -> Expr:
        """Sums and products with their last terms written out; W0(v exp(v)) as v."""
        bound = indices(expr)
        sums = (node for node in expr.atoms(sp.Sum, sp.Product) if not node.free_symbols & bound)
        values = {node: self._peeled(node) for node in sums}
        for node in expr.atoms(sp.LambertW):
            for v in [] if node.free_symbols & bound else _inverse(node.args[0]):
                if self.context.signs(v + 1) <= NONNEGATIVE:
                    values[node] = v
        return replaced_in(expr, values)

    def _peeled(self, expr: sp.Sum | sp.Product) -> Expr:
        function, (index, low, high) = outermost(expr)
        join = sp.Add if isinstance(expr, sp.Sum) else sp.Mul
        count = high - low + 1
        if isinstance(count, sp.Integer) and 0 <= count < 100:
            return join(*(put(function, {index: low + k}) for k in range(int(count))))
        extra, rest = high.as_coeff_Add()
        more = isinstance(extra, sp.Integer) and 0 < extra < 100
        if not more or not self.context.signs(rest + 1 - low) <= NONNEGATIVE:
            return expr
        tail = (put(function, {index: rest + k}) for k in range(1, int(extra) + 1))
        return join(expr.func(function, (index, low, rest)), *tail)
