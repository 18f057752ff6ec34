"""Separation ranks: bounds from points, factors and degrees; approximation by fewer products."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate, permutations
from math import prod
from typing import Any

import sympy as sp
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat
from sympy import Expr, Integer, Symbol

from ...symbolic.statements import (
    REALS,
    Attention,
    Domain,
    Domains,
    EpsilonRank,
    Function,
    Hadamard,
    Relation,
    SeparationRank,
    Statement,
)
from .certificates import prime
from .evidence import Finding, NetworkCertificate, SeparationCertificate, Spectrum
from .networks import coefficient_rank, degrees, formed, grades, size_fields
from .reasoning import NONNEGATIVE, Context
from .rules import Args, Facts, Premises, Rule, decide_cases, same, scope, usable
from .terms import (
    CASES,
    OPERATOR_SIGNS,
    PRECISIONS,
    TERMS,
    Rejected,
    ball,
    expanded,
    expect,
    finite,
    monomials,
    put,
    rational,
    require,
    spend,
    terms,
)

LARGEST = 64  # matrix of a function at points
SYMBOLIC = 4  # with parameters
EARNED = {"<": ("<",), "<=": ("<", "<=", "=")}  # the relations of a premise that give a bound
FACTOR, DEGREE = Symbol("i"), Symbol("j")
OWN = {FACTOR, DEGREE}
Powers = tuple[int, ...]


def separation(statement: Statement, evidence: SeparationCertificate) -> Finding:
    """Values at points bound the rank of a function below, factors above."""
    goal = _goal(statement)
    function = expect(goal.function, Function, "points and factors are evidence about functions")
    context = Context.of((*goal.over, *function.left, *function.right), goal.given)
    context.require_defined(function.expression)
    low = _points(goal, function, evidence)
    if evidence.factors is None:
        return _judged("SeparationCertificate", goal, low, None)
    sides = [{v for v, _ in side} for side in (function.right, function.left)]
    total = sp.S.Zero
    for pair in evidence.factors:
        for factor, others in zip(pair, sides, strict=True):
            context.require_defined(factor)
            require(not factor.free_symbols & others, f"{factor} is no function of its side")
        total += pair[0] * pair[1]
    if not context.equal(function.expression, total):
        cases = (*goal.over, *function.left, *function.right)
        decide_cases(Relation(function.expression, "=", total, cases, goal.given))
    return _judged("SeparationCertificate", goal, low, len(evidence.factors))


def _goal(statement: Statement) -> SeparationRank:
    return expect(statement, SeparationRank, "this is evidence for a separation rank only")


def _points(goal: SeparationRank, function: Function, evidence: SeparationCertificate) -> int:
    """The number of points a side, at which the values have been seen to be independent."""
    size = len(evidence.left)
    require(size == len(evidence.right) <= LARGEST, "the matrix of values is not square, or large")
    if size == 0:
        return 0
    left = [_at(function.left, point) for point in evidence.left]
    right = [_at(function.right, point) for point in evidence.right]
    context = Context.of(goal.over, goal.given)
    table: list[list[Expr]] = []
    for a in left:
        table.append([])
        for b in right:
            context.at({**a, **b}).require_defined(function.expression)
            table[-1].append(entry := put(function.expression, {**a, **b}))
            numbers = entry.atoms(sp.Rational)
            spend(sum(n.p.bit_length() + n.q.bit_length() for n in numbers) // 10)
    if any(entry.free_symbols for row in table for entry in row):
        require(size <= SYMBOLIC, f"with parameters there are at most {SYMBOLIC} points")
        require(0 not in context.signs(_determinant(table)), "the determinant may vanish")
    else:
        require(_regular(table), "the determinant is not seen to differ from 0")
    return size


def _at(side: Domains, point: tuple[Fraction, ...]) -> dict[Expr, Expr]:
    """The variables of a side at a point of their domains."""
    values: dict[Expr, Expr] = {}
    for (variable, domain), value in zip(side, point, strict=True):
        number = sp.Rational(expect(value, Fraction, "a coordinate is not rational"))
        require(Context().contains(domain, number), f"{variable} = {value} is outside {domain}")
        values[variable] = number
    return values


def _determinant(table: list[list[Expr]]) -> Expr:
    order = range(len(table))
    signed = []
    for places in permutations(order):
        swaps = sum(places[i] > places[j] for i in order for j in order if i < j)
        signed.append(sp.Mul(*(table[i][places[i]] for i in order), (-1) ** swaps))
    return expanded(sp.Add(*signed))


def _regular(table: list[list[Expr]]) -> bool:
    """Is the determinant of numbers seen to differ from 0, exactly or by balls?"""
    found = [[rational(entry, {}) for entry in row] for row in table]
    values = [[value for value in row if value is not None] for row in found]
    if all(len(row) == len(table) for row in values):
        size = max(_bits(value) for row in values for value in row)
        spend(len(table) ** 3 * (1 + len(table) * size // 300))
        exact = [[fmpq(v.numerator, v.denominator) for v in row] for row in values]
        return fmpq_mat(exact).det() != 0
    for precision in PRECISIONS:
        spend(len(table) ** 3 // 10)
        with ctx.workprec(precision):
            balls = arb_mat([[finite(entry, {}) for entry in row] for row in table])
            if 0 not in balls.det():
                return True
    return False


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def network(statement: Statement, evidence: NetworkCertificate) -> Finding:
    """Invertible matrices of values bound the rank below; degrees, or coefficients, above."""
    goal = _goal(statement)
    net = goal.function
    if isinstance(net, Function) or goal.over or goal.given:
        raise Rejected("this is evidence about networks of given sizes")
    weights = net.weights or evidence.weights
    require(evidence.weights in ((), weights), "the network has other weights")
    formed(replace(net, weights=weights))
    plain = all(type(n) is int for side in (evidence.left, evidence.right)
                for point in side for n in point)  # fmt: skip
    require(plain, "the coordinates of a point are not whole numbers")
    low = _blocks(net, weights, evidence)
    facts: Facts = ()
    try:
        return _judged("NetworkCertificate", goal, low, None)
    except Rejected:
        high, facts = degrees(net)
        if low < high and net.weights and isinstance(net, Attention):
            high, facts = min((high, facts), (coefficient_rank(net), ()))
        return replace(_judged("NetworkCertificate", goal, low, high), facts=facts)


def _blocks(
    net: Attention | Hadamard, weights: tuple[int, ...], evidence: NetworkCertificate
) -> int:
    """The sum of the sizes of the matrices that are seen to be invertible.

    The parts are homogeneous in either side, of different degrees, so they share no monomials and
    their ranks add up.
    """
    from .values import parts  # loads numpy

    if not any(evidence.blocks):
        return 0
    p, blocks = prime(evidence.prime), evidence.blocks
    require(len(blocks) == grades(net) + 1, "there is not one block for each degree")
    points = len(evidence.left), len(evidence.right)
    fitting = min(blocks) >= 0 and max(blocks) <= min(points)
    require(fitting, "a block is larger than the number of points")
    found = parts(net, weights, evidence.left, evidence.right, p)
    for size, part in zip(blocks, found, strict=True):
        spend(size**2 // 10)
        regular = size == 0 or nmod_mat(part[:size, :size].tolist(), p).det() != 0
        require(regular, f"a block of size {size} is not invertible modulo {p}")
    return sum(blocks)


def _judged(kind: str, goal: SeparationRank, low: int, high: int | None) -> Finding:
    """The verdict on a rank between `low` and `high`."""
    require(high is None or low <= high, f"the bounds {low} and {high} contradict each other")
    stated = expect(rational(goal.value, {}), Fraction, "the value is no rational number")
    possible = {(low > stated) - (low < stated)}
    possible |= {1} if high is None else {(high > stated) - (high < stated)}
    if possible == {-1, 1} and stated.denominator == 1:
        possible.add(0)
    said = f"the rank is {low}" if low == high else (
        f"the rank is at least {low}" + ("" if high is None else f" and at most {high}")
    )  # fmt: skip
    if possible <= OPERATOR_SIGNS[goal.op]:
        return Finding(kind, "certified", said)
    refuted = possible.isdisjoint(OPERATOR_SIGNS[goal.op])
    require(refuted and not (goal.over or goal.given), f"it is only seen that {said}")
    return Finding(kind, "refuted", said)


def graded(conclusion: Statement, premises: Premises, args: Args) -> Facts:
    """|- sep <= v for a network of given sizes, if v is at least the bound by degrees.

    For all sizes: L, B |- sep <= v, where B bounds by v the number of monomials, on the side of the
    smaller degree, of all parts. Argument: half, the h below; q is the number of monomials.
        One token a side: L says 2h + 1 = degree^layers, B is sum over j <= h of q(j, width): as the
        right degree is even, the smaller one takes each value 0, ..., h once.
        Entrywise products: L says 2h + 1 = degree^depth, B is 2 sum over j <= h of q(j, inputs); or
        2h = degree^depth, 2 sum over j < h of q(j, inputs) + q(h, inputs).
    """
    goal = _goal(conclusion)
    net, context = goal.function, scope(goal)
    if isinstance(net, Function) or goal.op not in EARNED:
        raise Rejected("degrees bound the rank of networks above")
    context.require_defined(goal.value)
    if not any(size.free_symbols for size in size_fields(net)):
        bound, facts = degrees(net)
        reached = context.shows(Relation(Integer(bound), goal.op, goal.value))
        require(reached, f"the degrees bound the rank by {bound}")
        return facts
    half, (law, below) = args["half"], usable(premises, goal, context)
    require(not (net.weights or half.free_symbols & OWN), "i and j are taken, or weights given")
    for size, least in (*((size, 1) for size in size_fields(net)), (half, 0)):
        context.require_defined(size)
        whole = context.is_integer(size) and context.signs(size - least) <= NONNEGATIVE
        require(whole, f"{size} is not seen to be a whole number from {least} on")
        require(not size.free_symbols & OWN, f"i and j are taken; rename {size}")
    if isinstance(net, Attention):
        require(net.tokens == 1, "for all sizes there is one token a side")
        odd, power = 1, net.degree**net.layers
        bound = sp.Sum(_monomials(DEGREE, net.width), (DEGREE, 0, half))
    else:
        odd, power = int(context.equal(law.lhs, 2 * half + 1)), net.degree**net.depth
        bound = 2 * sp.Sum(_monomials(DEGREE, net.inputs), (DEGREE, 0, half + odd - 1))
        bound += 0 if odd else _monomials(half, net.inputs)
    same(law, Relation(2 * half + odd, "=", power), context)
    require(below.op in EARNED[goal.op], f"the premise does not give the relation {goal.op}")
    same(below, Relation(bound, below.op, goal.value), context)
    return ()


def _monomials(degree: Expr, variables: Expr) -> Expr:
    """How many there are: C(degree + variables - 1, variables - 1)."""
    return sp.Product((degree + FACTOR) / FACTOR, (FACTOR, 1, variables - 1))


def separation_at(
    goal: SeparationRank, point: Mapping[Expr, Expr], rest: Domains
) -> SeparationRank:
    """The statement with the parameters of `point` fixed, but for its hypotheses."""
    net = goal.function
    if isinstance(net, Function):
        own, names = (*net.left, *net.right), ["expression"]
    else:
        own, names = (), [field.name for field in fields(net) if field.name != "weights"]
    inner = {name: getattr(net, name) for name in names}
    Context.of((*rest, *own)).at(point).require_defined(*inner.values(), goal.value)
    fixed = replace(net, **{name: put(expr, point) for name, expr in inner.items()})
    if not isinstance(fixed, Function):
        formed(fixed)
    return replace(goal, function=fixed, value=put(goal.value, point), over=rest)


def spectrum(statement: Statement, evidence: Spectrum) -> Finding:
    """By Eckart and Young, from the eigenvalues of C G_B C^T G_A, where C are the coefficients and
    G_A, G_B the mean products of the monomials of a side."""
    goal = expect(statement, EpsilonRank, "a spectrum is evidence for an epsilon-rank only")
    epsilon, stated = (expect(rational(e, {}), Fraction, f"{e} is no rational number")
                       for e in (goal.epsilon, goal.value))  # fmt: skip
    require(epsilon >= 0, f"epsilon = {epsilon} is negative")
    require(0 < evidence.precision <= PRECISIONS[-1], "the precision is out of range")
    with ctx.workprec(evidence.precision):
        values = _eigenvalues(goal)
        enough = [_decided(tail, epsilon) for tail in accumulate(values)]
    found = len(values) - sum(enough)
    outcome = "certified" if found == stated else "refuted"
    return Finding("Spectrum", outcome, f"the epsilon-rank is {found}", ("Eckart-Young",))


def _decided(tail: arb | Fraction, epsilon: Fraction) -> bool:
    """Is the tail at most epsilon?"""
    if isinstance(tail, Fraction):
        return tail <= epsilon
    bound = ball(epsilon)
    require(bool(tail < bound or tail > bound), "epsilon is too near to a sum of singular values")
    return bool(tail < bound)


def _eigenvalues(goal: EpsilonRank) -> list[Any]:
    """From the smallest on; all of them exact fractions, or disjoint balls."""
    function = goal.function
    sides = [dict(side) for side in (function.left, function.right)]
    Context.of((*function.left, *function.right)).require_defined(function.expression)
    names = (*sides[0], *sides[1])
    small = monomials(function.expression, names) <= TERMS >= terms(function.expression)
    require(small, "the polynomial is too large")
    polynomial = sp.Poly(function.expression, *names, domain=sp.QQ)
    split = len(sides[0])
    values = {(powers[:split], powers[split:]): value for powers, value in polynomial.terms()}
    rows, columns = ([*dict.fromkeys(key[side] for key in values)] for side in (0, 1))
    require(max(len(rows), len(columns)) <= LARGEST, f"a side has more than {LARGEST} monomials")
    table = fmpq_mat([[_fraction(values.get((a, b), 0)) for b in columns] for a in rows])
    ours, theirs = (
        fmpq_mat([[_mean(one, two, side, goal.law) for two in chosen] for one in chosen])
        for chosen, side in ((rows, sides[0]), (columns, sides[1]))
    )
    (c, a), (g, b), (k, d) = map(_cleared, (table, theirs, ours))
    under = a * a * b * d
    matrix = c * g * c.transpose() * k
    spend(len(rows) ** 3 * _size(matrix) // 150)
    found: list[Any] = []
    _, factors = matrix.charpoly().factor()
    exact = all(factor.degree() == 1 for factor, _ in factors)
    for factor, times in factors:
        if exact:
            found += [Fraction(-int(factor[0]), int(factor[1] * under))] * times
        else:
            for root, _ in factor.complex_roots():
                found += [root.real / under] * times
    found.sort(key=cmp_to_key(_compared))
    return found


def _compared(one: Any, two: Any) -> int:
    """Balls that touch are of one root only if they are the same ball."""
    if one is two or (isinstance(one, Fraction) and one == two):
        return 0
    require(bool(one < two or two < one), "two singular values are not told apart")
    return -1 if one < two else 1


def _cleared(matrix: fmpq_mat) -> tuple[fmpz_mat, fmpz]:
    """Whole numbers and their common denominator."""
    spend(sum(_bits(Fraction(int(n.p), int(n.q))) for n in matrix.entries()) // 50)
    whole, under = matrix.numer_denom()
    spend(max(matrix.nrows(), matrix.ncols()) ** 3 * _size(whole) // 150)
    return whole, under


def _size(matrix: fmpz_mat) -> int:
    return max(int(n).bit_length() for n in matrix.entries())


def _fraction(value: Any) -> fmpq:
    return fmpq(int(value.p), int(value.q)) if value else fmpq(0)


def _mean(one: Powers, two: Powers, side: Mapping[Expr, Domain], law: str) -> fmpq:
    """The mean of the product of two monomials."""
    moments = (_moment(domain, law, a + b)
               for a, b, domain in zip(one, two, side.values(), strict=True))  # fmt: skip
    value = prod(moments, start=Fraction(1))
    return fmpq(value.numerator, value.denominator)


def _moment(domain: Domain, law: str, power: int) -> Fraction:
    if law == "normal":
        require(domain == REALS, "a normal variable has all reals as its domain")
        spend(power)
        return Fraction(0 if power % 2 else prod(range(1, power, 2)))
    require(law == "uniform", f"there is no law {law!r}")
    ends = (rational(end, {}) for end in (domain.low, domain.high))
    low, high = (expect(end, Fraction, f"{domain} has no uniform law") for end in ends)
    require(low < high or (domain.integer and low == high), f"{domain} has no uniform law")
    if domain.integer:
        require(high - low <= CASES, f"{domain} has more than {CASES} points")
        points = range(int(low), int(high) + 1)
        spend(len(points) * (1 + power * max(_bits(low), _bits(high)) // 256))
        return Fraction(sum(point**power for point in points), len(points))
    spend(1 + power * max(_bits(low), _bits(high)) // 64)
    return (high ** (power + 1) - low ** (power + 1)) / ((power + 1) * (high - low))


SEPARATION: Mapping[str, Rule] = {"graded": graded}
