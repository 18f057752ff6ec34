"""Separation ranks of polynomials, exactly, and what the monomials alone say about them.

sep(f) is the least R with f(a, b) = sum over r <= R of g_r(a) g'_r(b); sep(0) = 0. Write a
polynomial as sum C[alpha, beta] a^alpha b^beta. On an infinite domain sep(f) = rank C: a
factorisation of C gives the g_r, and the values of f on a grid are V_A C V_B^T with Vandermonde
matrices of full column rank.

Source: seed 002, sections 4.1 and 5.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import Any

from flint import fmpz_mat
from sympy import Expr, Rational, S

from .arguments import Exponents, Terms, terms


@dataclass(frozen=True)
class CoefficientMatrix:
    """`rows[i][j]` is the coefficient of the monomial with A-part `left_parts[i]` and B-part
    `right_parts[j]`; only parts that appear are listed, in ascending order."""

    left_parts: tuple[Exponents, ...]
    right_parts: tuple[Exponents, ...]
    rows: tuple[tuple[Expr, ...], ...]


def coefficient_matrix(polynomial: object, left: Iterable, right: Iterable) -> CoefficientMatrix:
    """The coefficients of `polynomial`, A-monomials by B-monomials."""
    found = terms(polynomial, left, right)
    one, two = (tuple(sorted({key[side] for key in found})) for side in (0, 1))
    rows = tuple(tuple(_exact(found.get((alpha, beta))) for beta in two) for alpha in one)
    return CoefficientMatrix(one, two, rows)


def _exact(value: Any) -> Expr:
    return S.Zero if value is None else Rational(int(value.p), int(value.q))


def separation_rank(polynomial: object, left: Iterable, right: Iterable) -> int:
    """The separation rank of a polynomial over Q on an infinite domain.

    `polynomial` is a SymPy expression and `left`, `right` its symbols; or a dictionary from
    tuples of exponents to coefficients, and `left`, `right` the positions in these tuples. Both
    sides together hold every variable once; one may be larger than the other, or empty.
    """
    return sum(_rank(block) for block in _blocks(terms(polynomial, left, right)))


def matching_bound(polynomial: object, left: Iterable, right: Iterable) -> int:
    """The largest number of monomials of which no two share their A-part or their B-part.

    An upper bound of the separation rank, by the monomials alone; attained for almost all
    coefficients. Arguments as in `separation_rank`.
    """
    return sum(_matching(_neighbours(block)) for block in _blocks(terms(polynomial, left, right)))


def _neighbours(block: Terms) -> dict[Exponents, list[Exponents]]:
    edges: dict[Exponents, list[Exponents]] = {}
    for alpha, beta in block:
        edges.setdefault(alpha, []).append(beta)
    return edges


def _blocks(found: Terms) -> Iterator[Terms]:
    """The terms in groups that share no A-part and no B-part: the blocks of the matrix."""
    sides: tuple[dict, dict] = {}, {}
    for key in found:
        for side in (0, 1):
            sides[side].setdefault(key[side], []).append(key)
    unseen = dict.fromkeys(found)
    while unseen:
        block = [next(iter(unseen))]
        del unseen[block[0]]
        for key in block:  # grows while it is gone through
            for side in (0, 1):
                for other in sides[side].pop(key[side], ()):
                    if other in unseen:
                        del unseen[other]
                        block.append(other)
        yield {key: found[key] for key in block}


def _rank(block: Terms) -> int:
    """Over Q; each row is first multiplied by its denominators."""
    edges = _neighbours(block)
    columns = {beta: j for j, beta in enumerate(dict.fromkeys(beta for _, beta in block))}
    if min(len(edges), len(columns)) == 1:
        return 1
    entries = []
    for alpha, near in edges.items():
        scale = lcm(*(int(block[alpha, beta].q) for beta in near))
        row = [0] * len(columns)
        for beta in near:
            row[columns[beta]] = int((block[alpha, beta] * scale).p)
        entries.extend(row)
    return fmpz_mat(len(edges), len(columns), entries).rank()


def _matching(edges: dict[Exponents, list[Exponents]]) -> int:
    """The size of a maximum matching, by augmenting paths found breadth first."""
    partner: dict[Exponents, Exponents] = {}  # of each B-part
    return sum(_augment(start, edges, partner) for start in edges)


def _augment(start: Exponents, edges: dict, partner: dict) -> bool:
    reached: dict[Exponents, Exponents] = {}  # B-part -> A-part it was reached from
    held: dict[Exponents, Exponents] = {}  # A-part -> its partner before
    queue = deque((start,))
    while queue:
        alpha = queue.popleft()
        for beta in edges[alpha]:
            if beta in reached:
                continue
            reached[beta] = alpha
            if beta in partner:
                held[partner[beta]] = beta
                queue.append(partner[beta])
                continue
            while True:
                alpha = reached[beta]
                partner[beta] = alpha
                if alpha == start:
                    return True
                beta = held[alpha]
    return False
