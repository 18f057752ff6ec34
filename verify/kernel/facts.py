"""Facts: general named theorems taken as given. A closed list; each use shows in the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp
from sympy import Expr

from ...symbolic.statements import Mean, Relation, Statement


@dataclass(frozen=True)
class Fact:
    """A theorem with its reference; `instance` states it for given arguments, where it has any."""

    name: str
    reference: str
    theorem: str
    instance: Callable[..., Statement] | None = None


def _sign_sum(count: Expr, below: Expr) -> Mean:
    s, i, j = sp.IndexedBase("s"), sp.Symbol("i"), sp.Symbol("j")
    last = sp.ceiling((count + below) / 2) - 1
    mass = sp.Sum(sp.binomial(count, j), (j, 0, last)) / 2**count
    event = Relation(sp.Sum(s[i], (i, 1, count)), "<", below)
    return Mean(event, ((s, "sign"),), mass)


FACTS = {
    fact.name: fact
    for fact in (
        Fact("mean value theorem", "Lagrange 1797",
             "a differentiable function with positive derivative increases"),
        Fact("intermediate value theorem", "Bolzano 1817",
             "a continuous function on an interval takes all values between any two of its values"),
        Fact("fundamental theorem of calculus", "Newton, Leibniz",
             "the integral of F' from a to b is F(b) - F(a)"),
        Fact("Isserlis", "Isserlis 1918",
             "a moment of Gaussian variables is the sum over pairings of products of covariances"),
        Fact("sum of signs", "de Moivre 1718",
             "a sum of k independent fair signs is 2*Bin(k, 1/2) - k", _sign_sum),
        Fact("fair signs", "elementary",
             "independent fair signs, each times a sign independent of them all, are again such"),
        Fact("Ville", "Ville 1939",
             "a nonnegative supermartingale from 1 ever reaches 1/a with probability at most a"),
        Fact("Catoni", "Catoni 2012",
             "-log(1-u+u^2/2) <= psi(u) <= log(1+u+u^2/2) bounds the mean by the variance"),
        Fact("Karush-Kuhn-Tucker", "Kuhn, Tucker 1951",
             "a feasible stationary point with complementary multipliers solves a convex program"),
        Fact("fundamental theorems for the orthogonal group", "Weyl 1939",
             "the products of k entries of the Gram matrix of m vectors of length d span the sum "
             "of the S_(2 lambda)(C^d), lambda a partition of k with at most min(m, d) parts; "
             "with a coordinate of one vector, of the S_lambda(C^d), lambda a partition of 2k + 1 "
             "into at most min(m, d) parts, exactly one of them odd"),
        Fact("Eckart-Young", "Schmidt 1907; Eckart, Young 1936",
             "the least squared error of an approximation of rank R is the sum of the squared "
             "singular values but for the R largest"),
        Fact("second-order condition", "Fermat; Hesse",
             "a critical point with positive definite Hessian is a strict local minimum"),
    )
}  # fmt: skip
