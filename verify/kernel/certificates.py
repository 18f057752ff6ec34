"""Exact certificates: multipliers, ranks and degrees, in rationals or modulo a prime."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import prod

import sympy as sp
from flint import fmpz, nmod_mat, nmod_poly
from sympy import Expr

from ...symbolic.statements import Infeasible, Minimiser, PolynomialDegree, Rank, Statement
from .evidence import DegreeCertificate, Finding, Multipliers, RankCertificate
from .terms import LARGE, Rejected, expect, order, rationals, require, spend

Row = tuple[Fraction, ...]


def dot(one: Row, two: Row) -> Fraction:
    return sum((a * b for a, b in zip(one, two, strict=True)), Fraction(0))


def matrix(rows: tuple[tuple[Expr, ...], ...]) -> list[Row]:
    found = [rationals(row) for row in rows]
    require(bool(found) and len({len(row) for row in found}) == 1, "the rows differ in length")
    return found


def multipliers(statement: Statement, evidence: Multipliers) -> Finding:
    """KKT for a least-norm point, Farkas for an infeasible system, in exact rationals."""
    if not isinstance(statement, Minimiser | Infeasible):
        raise Rejected("multipliers are evidence for minimisers and infeasible systems only")
    rows, bounds = system(statement)
    weights = evidence.values
    require(len(weights) == len(rows), "each row needs a multiplier")
    require(all(w >= 0 for w in weights), "a multiplier is negative")
    combined = tuple(dot(weights, column) for column in zip(*rows, strict=True))
    if isinstance(statement, Infeasible):
        require(not any(combined), "the rows do not cancel")
        require(dot(weights, bounds) > 0, "no contradiction")
        return Finding("Multipliers", "certified", "0 >= 1 as a combination of the rows")
    point = rationals(statement.point)
    require(combined == point, "the point is not the combination of the rows")
    for row, bound, weight in zip(rows, bounds, weights, strict=True):
        slack = dot(row, point) - bound
        require(slack >= 0 and weight * slack == 0, "a constraint or its complement fails")
    said = f"squared norm {dot(point, point)}"
    return Finding("Multipliers", "certified", said, ("Karush-Kuhn-Tucker",))


def system(statement: Minimiser | Infeasible) -> tuple[list[Row], Row]:
    rows, bounds = matrix(statement.rows), rationals(statement.bounds)
    require(len(bounds) == len(rows), "each row needs a bound")
    return rows, bounds


def prime(p: int) -> int:
    require(p < 2**63 and bool(fmpz(p).is_prime()), f"{p} is not a prime of machine size")
    return p


def rank(statement: Statement, evidence: RankCertificate) -> Finding:
    """A nonzero minor modulo a prime bounds the rank below, row combinations above."""
    stated = expect(statement, Rank, "a rank certificate is evidence for a rank only")
    entries, p = matrix(stated.matrix), prime(evidence.prime)
    rows, columns = evidence.rows, evidence.columns
    for chosen, size in ((rows, len(entries)), (columns, len(entries[0]))):
        require(all(a < b for a, b in pairwise(chosen)), "the indices must increase")
        require(all(0 <= k < size for k in chosen), "an index is out of range")
    whole = all(entry.denominator % p for row in entries for entry in row)
    require(whole, "p divides a denominator")
    minor = [[entries[i][j].numerator * pow(entries[i][j].denominator, -1, p) % p for j in columns]
             for i in rows]  # fmt: skip
    least = len(rows)
    require(len(columns) == least, "the minor is not square")
    require(least == 0 or nmod_mat(minor, p).det() != 0, "the minor vanishes")
    if least > stated.value:
        return Finding("RankCertificate", "refuted", f"the rank is at least {least}")
    require(len(evidence.combinations) == len(entries), "each row needs its combination")
    chosen = list(zip(*(entries[i] for i in rows), strict=True)) or [()] * len(entries[0])
    for row, weights in zip(entries, evidence.combinations, strict=True):
        require(len(weights) == least, "a combination has the wrong length")
        built = tuple(dot(weights, column) for column in chosen)
        require(row == built, "a row is not the stated combination")
    outcome = "certified" if least == stated.value else "refuted"
    return Finding("RankCertificate", outcome, f"the rank is {least}")


def polynomial_degree(statement: Statement, evidence: DegreeCertificate) -> Finding:
    """The degree along a line modulo a prime bounds the degree below; counting, above."""
    goal = expect(statement, PolynomialDegree, "a degree certificate is evidence for a degree only")
    p, stated = prime(evidence.prime), goal.value
    line = {x: nmod_poly([b, d], p) for x, b, d in
            zip(goal.variables, evidence.base, evidence.direction, strict=True)}  # fmt: skip
    most = order(goal.polynomial, goal.variables)
    require(most <= LARGE, f"the degree may be as large as {most}")
    least = _on_line(goal.polynomial, line, p).degree()
    if least == most == stated:
        return Finding("DegreeCertificate", "certified", f"the degree is {least}")
    if least > stated or most < stated:
        return Finding("DegreeCertificate", "refuted", f"the degree lies in [{least}, {most}]")
    raise Rejected(f"the degree is only seen to lie in [{least}, {most}]")


def _on_line(expr: Expr, line: Mapping[Expr, nmod_poly], p: int) -> nmod_poly:
    spend(order(expr, tuple(line)) + 1)
    match expr:
        case sp.Symbol() if expr in line:
            return line[expr]
        case sp.Integer():
            return nmod_poly([int(expr) % p], p)
        case sp.Add() | sp.Mul():
            parts = [_on_line(arg, line, p) for arg in expr.args]
            return sum(parts) if isinstance(expr, sp.Add) else prod(parts)
        case sp.Pow() if isinstance(expr.exp, sp.Integer) and expr.exp >= 0:
            return _on_line(expr.base, line, p) ** int(expr.exp)
    raise Rejected(f"{expr} is no integer polynomial")
