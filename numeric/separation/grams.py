"""Coefficient matrices of polynomials and Gram matrices of their monomials, in blocks.

Monomials of a side that no coefficient and no Gram entry links, however indirectly, are orthogonal
and share no singular vectors: under even laws the parities of exponents fall apart, and with them
the matrices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod

import flint
import numpy as np

from ..errors import NumericError
from .laws import Bounds, ball_of, moments, recurrence
from .tails import GROWN, UNIT, frobenius

Polynomial = Mapping[tuple[int, ...], int | Fraction]
Exponents = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """Monomials of a (`rows`) and of b (`columns`); `entries` holds the coefficient matrix C and
    `mean` the moments E x^k of a coordinate."""

    rows: tuple[Exponents, ...]
    columns: tuple[Exponents, ...]
    entries: tuple[tuple[Fraction, ...], ...]
    mean: tuple[Fraction, ...]

    @property
    def size(self) -> int:
        return min(len(self.rows), len(self.columns))

    def coefficients(self) -> flint.fmpq_mat:
        return rational_matrix(self.entries)

    def left(self) -> flint.fmpq_mat:
        """G_A."""
        return rational_matrix(_gram(self.rows, self.mean))

    def right(self) -> flint.fmpq_mat:
        """G_B."""
        return rational_matrix(_gram(self.columns, self.mean))

    def squares(self) -> flint.fmpq_mat:
        """A matrix whose eigenvalues are sigma_r^2, and perhaps zeros: the smaller of two."""
        c, ours, theirs = self.coefficients(), self.left(), self.right()
        if len(self.rows) <= len(self.columns):
            return (c * theirs) * (c.transpose() * ours)
        return (c.transpose() * ours) * (c * theirs)

    def rank(self) -> int:
        """The number of sigma_r other than 0."""
        return int((self.left() * self.coefficients() * self.right()).rank())


def gram_blocks(
    polynomial: Polynomial,
    left: Sequence[int],
    right: Sequence[int],
    law: str,
    bounds: Bounds | None,
) -> list[Block]:
    """The blocks of a polynomial, its arguments checked."""
    terms, ours, theirs = _checked(polynomial, left, right)
    mean = tuple(moments(law, bounds, 2 * max((k for e in terms for k in e), default=0)))
    entries = {
        (tuple(e[i] for i in ours), tuple(e[i] for i in theirs)): c for e, c in terms.items()
    }
    rows = sorted({row for row, _ in entries})
    columns = sorted({column for _, column in entries})
    name = _components(rows, columns, entries, mean)
    blocks = []
    for label in dict.fromkeys(name["row", row] for row in rows):
        mine = tuple(row for row in rows if name["row", row] == label)
        other = tuple(column for column in columns if name["column", column] == label)
        chosen = tuple(tuple(entries.get((m, n), Fraction(0)) for n in other) for m in mine)
        blocks.append(Block(mine, other, chosen, mean))
    return blocks


def orthonormal(
    blocks: Sequence[Block], law: str, bounds: Bounds | None
) -> tuple[list[np.ndarray], list[float], Fraction]:
    """Matrices of f in orthonormal polynomials, one a block, their errors, and a scale.

    Their squared singular values are those of f times the scale, a power of four.
    """
    degree = max((k for b in blocks for m in (*b.rows, *b.columns) for k in m), default=0)
    with flint.ctx.workprec(192 + degree):
        factor = _triangular(law, bounds, degree)
        balls = []
        for block in blocks:
            c = flint.arb_mat([[ball_of(entry) for entry in row] for row in block.entries])
            ours, theirs = _expansion(block.rows, factor), _expansion(block.columns, factor)
            balls.append(ours.transpose() * c * theirs)
        total = flint.arb(0)
        for ball in balls:
            total += sum((entry * entry for entry in ball.entries()), flint.arb(0))
        shift = -round(float((total.log() / flint.arb(4).log()).mid())) if total > 0 else 0
        unit = flint.arb(2) ** shift
        matrices, distances = [], []
        for ball in balls:
            shape = (ball.nrows(), ball.ncols())
            scaled = [entry * unit for entry in ball.entries()]
            matrix = np.array([float(entry.mid()) for entry in scaled]).reshape(shape)
            radii = np.array([float(entry.rad()) for entry in scaled])
            # Entries below 2^-1022 are rounded by at most that much.
            rounding = UNIT * frobenius(matrix) + 2.0**-1022 * len(scaled)
            matrices.append(matrix)
            distances.append(GROWN * (frobenius(radii) + 2 * rounding))
    return matrices, distances, Fraction(4) ** shift


def rational_matrix(rows: Sequence[Sequence[Fraction]]) -> flint.fmpq_mat:
    return flint.fmpq_mat(
        [[flint.fmpq(entry.numerator, entry.denominator) for entry in row] for row in rows]
    )


def _gram(monomials: Sequence[Exponents], mean: Sequence[Fraction]) -> list[list[Fraction]]:
    return [[_moment(m, n, mean) for n in monomials] for m in monomials]


def _moment(m: Exponents, n: Exponents, mean: Sequence[Fraction]) -> Fraction:
    return prod((mean[i + j] for i, j in zip(m, n, strict=True)), start=Fraction(1))


def _components(
    rows: Sequence[Exponents],
    columns: Sequence[Exponents],
    entries: Mapping[tuple[Exponents, Exponents], Fraction],
    mean: Sequence[Fraction],
) -> dict[tuple[str, Exponents], tuple[str, Exponents]]:
    """For each monomial the one that stands for its block."""
    above = {("row", row): ("row", row) for row in rows}
    above |= {("column", column): ("column", column) for column in columns}

    def top(node: tuple[str, Exponents]) -> tuple[str, Exponents]:
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for row, column in entries:
        above[top(("row", row))] = top(("column", column))
    zero = {k for k, value in enumerate(mean) if not value}
    for kind, side in (("row", rows), ("column", columns)):
        for m, n in combinations(side, 2):
            if all(i + j not in zero for i, j in zip(m, n, strict=True)):
                above[top((kind, m))] = top((kind, n))
    return {node: top(node) for node in above}


def _triangular(law: str, bounds: Bounds | None, degree: int) -> list[list[flint.arb]]:
    """T with x^i = sum_k T_ik p_k for the orthonormal polynomials p_k: x times row i is row i + 1.

    x p_k = sqrt(s_(k+1)) p_(k+1) + c p_k + sqrt(s_k) p_(k-1)
    """
    centre, squares = recurrence(law, bounds, degree)
    middle, roots = ball_of(centre), [ball_of(square).sqrt() for square in squares]
    row = [flint.arb(1)] + [flint.arb(0)] * (degree + 1)
    factor = [row]
    for _ in range(degree):
        row = [
            middle * row[k] + roots[k + 1] * row[k + 1] + (roots[k] * row[k - 1] if k else 0)
            for k in range(degree + 1)
        ] + [flint.arb(0)]
        factor.append(row)
    return factor


def _expansion(monomials: Sequence[Exponents], factor: list[list[flint.arb]]) -> flint.arb_mat:
    """Coefficients of the monomials, one a row, in products of orthonormal polynomials."""
    seen: dict[Exponents, int] = {}
    sparse = []
    for exponents in monomials:
        choices = [[k for k in range(e + 1) if factor[e][k] != 0] for e in exponents]
        line = {}
        for degrees in product(*choices):
            value = flint.arb(1)
            for e, k in zip(exponents, degrees, strict=True):
                value *= factor[e][k]
            line[seen.setdefault(degrees, len(seen))] = value
        sparse.append(line)
    zero = flint.arb(0)
    return flint.arb_mat([[line.get(k, zero) for k in range(len(seen))] for line in sparse])


def _checked(
    polynomial: Polynomial, left: Sequence[int], right: Sequence[int]
) -> tuple[dict[Exponents, Fraction], tuple[int, ...], tuple[int, ...]]:
    ours, theirs = tuple(left), tuple(right)
    if sorted((*ours, *theirs)) != list(range(len(ours) + len(theirs))) or any(
        isinstance(index, bool) for index in (*ours, *theirs)
    ):
        raise NumericError(
            f"left, right: expected each of the indices 0, 1, ... once; got {left!r} and {right!r}."
            " Name every variable on one side, e.g. left=(0, 1), right=(2, 3)."
        )
    if not isinstance(polynomial, Mapping):
        raise NumericError(
            f"polynomial: expected a mapping of exponents to coefficients; got {polynomial!r}. "
            "Write x^2 y as {(2, 1): 1}."
        )
    count = len(ours) + len(theirs)
    for exponents, coefficient in polynomial.items():
        if (
            not isinstance(exponents, tuple)
            or len(exponents) != count
            or any(not isinstance(k, int) or isinstance(k, bool) or k < 0 for k in exponents)
        ):
            raise NumericError(
                f"polynomial: expected exponents as tuples of {count} whole numbers, one for each "
                f"index in left and right; got {exponents!r}."
            )
        if not isinstance(coefficient, int | Fraction) or isinstance(coefficient, bool):
            raise NumericError(
                f"polynomial: expected coefficients that are ints or Fractions; got "
                f"{coefficient!r} of type {type(coefficient).__name__}."
            )
    return {e: Fraction(c) for e, c in polynomial.items() if c}, ours, theirs
