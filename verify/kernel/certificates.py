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
from .evidence import DegreeCertificate, Multipliers, RankCertificate
from .findings import Finding, rationals
from .rules import require
from .terms import LARGE, Rejected, order, spend


def multipliers(statement: Statement, evidence: Multipliers) -> Finding:
    """KKT for a least-norm point, Farkas for an infeasible system, in exact rationals."""
    if not isinstance(statement, Minimiser | Infeasible):
        raise Rejected("multipliers are evidence for minimisers and infeasible systems only")
    rows, bounds = system(statement)
    weights = evidence.values
    require(len(weights) == len(rows), "each row needs a multiplier")
    require(all(w >= 0 for w in weights), "a multiplier is negative")
    combined = tuple(sum(w * a for w, a in zip(weights, column, strict=True))
                     for column in zip(*rows, strict=True))  # fmt: skip
    if isinstance(statement, Infeasible):
        require(not any(combined), "the rows do not cancel")
        require(sum(w * b for w, b in zip(weights, bounds, strict=True)) > 0, "no contradiction")
        return Finding("Multipliers", "certified", "0 >= 1 as a combination of the rows")
    point = rationals(statement.point)
    require(combined == point, "the point is not the combination of the rows")
    for row, bound, weight in zip(rows, bounds, weights, strict=True):
        slack = sum(a * x for a, x in zip(row, point, strict=True)) - bound
        require(slack >= 0 and weight * slack == 0, "a constraint or its complement fails")
    norm = sum(x * x for x in point)
    return Finding("Multipliers", "certified", f"squared norm {norm}", ("Karush-Kuhn-Tucker",))


def system(
    statement: Minimiser | Infeasible,
) -> tuple[list[tuple[Fraction, ...]], tuple[Fraction, ...]]:
    rows = [rationals(row) for row in statement.rows]
    bounds = rationals(statement.bounds)
    require(bool(rows) and len({len(row) for row in rows}) == 1, "the rows differ in length")
    require(len(bounds) == len(rows), "each row needs a bound")
    return rows, bounds


def rank(statement: Statement, evidence: RankCertificate) -> Finding:
    """A nonzero minor modulo a prime bounds the rank below, row combinations above."""
    if not isinstance(statement, Rank):
        raise Rejected("a rank certificate is evidence for a rank only")
    matrix = [rationals(row) for row in statement.matrix]
    require(bool(matrix) and len({len(row) for row in matrix}) == 1, "the rows differ in length")
    p, rows, columns = evidence.prime, evidence.rows, evidence.columns
    require(p < 2**63 and fmpz(p).is_prime(), f"{p} is not a prime of machine size")
    for chosen, size in ((rows, len(matrix)), (columns, len(matrix[0]))):
        require(all(a < b for a, b in pairwise(chosen)), "the indices must increase")
        require(all(0 <= k < size for k in chosen), "an index is out of range")
    require(
        all(entry.denominator % p for row in matrix for entry in row), "p divides a denominator"
    )
    minor = [[entry.numerator * pow(entry.denominator, -1, p) % p for entry in
              (matrix[i][j] for j in columns)] for i in rows]  # fmt: skip
    least = len(rows)
    require(len(columns) == least, "the minor is not square")
    require(least == 0 or nmod_mat(minor, p).det() != 0, "the minor vanishes")
    if least > statement.value:
        return Finding("RankCertificate", "refuted", f"the rank is at least {least}")
    require(len(evidence.combinations) == len(matrix), "each row needs its combination")
    for row, weights in zip(matrix, evidence.combinations, strict=True):
        require(len(weights) == least, "a combination has the wrong length")
        built = [
            sum(w * matrix[i][j] for w, i in zip(weights, rows, strict=True))
            for j in range(len(row))
        ]
        require(list(row) == built, "a row is not the stated combination")
    outcome = "certified" if least == statement.value else "refuted"
    return Finding("RankCertificate", outcome, f"the rank is {least}")


def polynomial_degree(statement: Statement, evidence: DegreeCertificate) -> Finding:
    """The degree along a line modulo a prime bounds the degree below; counting, above."""
    if not isinstance(statement, PolynomialDegree):
        raise Rejected("a degree certificate is evidence for a degree only")
    prime = evidence.prime < 2**63 and fmpz(evidence.prime).is_prime()
    require(bool(prime), f"{evidence.prime} is not a prime of machine size")
    line = {x: nmod_poly([b, d], evidence.prime) for x, b, d in
            zip(statement.variables, evidence.base, evidence.direction, strict=True)}  # fmt: skip
    most = order(statement.polynomial, statement.variables)
    require(most <= LARGE, f"the degree may be as large as {most}")
    least = _on_line(statement.polynomial, line, evidence.prime).degree()
    if least == most == statement.value:
        return Finding("DegreeCertificate", "certified", f"the degree is {least}")
    if least > statement.value or most < statement.value:
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
            return (
                sum(parts[1:], parts[0])
                if isinstance(expr, sp.Add)
                else prod(parts[1:], start=parts[0])
            )
        case sp.Pow() if isinstance(expr.exp, sp.Integer) and expr.exp >= 0:
            return _on_line(expr.base, line, p) ** int(expr.exp)
    raise Rejected(f"{expr} is no integer polynomial")
