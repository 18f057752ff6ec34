"""Singular values of polynomials under product laws, exactly, and the epsilon-ranks they decide.

Let f(a, b) have the coefficient matrix C (monomials of a times monomials of b), and let G_A, G_B
be the Gram matrices E m m' of the monomials. Among all sums of R products g_r(a) h_r(b) the
nearest to f has mean squared distance sum_{r > R} sigma_r^2 (Eckart and Young), sigma_r^2 the
eigenvalues of C G_B C^T G_A. All matrices are rational: the characteristic polynomial is exact, its
rational roots are found by factoring, the others are enclosed by balls.

Source: seed 002, sections 4.1 and 4.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isfinite

import flint

from ..errors import NumericError
from .arguments import whole
from .grams import Block, Exponents, Polynomial, gram_blocks, orthonormal
from .laws import Bounds, ball_of, number_of
from .tails import bounded_spectrum

EXACT = 200  # largest block whose characteristic polynomial is computed
_SMALL = 60  # up to this size nothing else is tried first
_PRECISIONS = tuple(64 << n for n in range(8))  # bits


def epsilon_rank(
    polynomial: Polynomial,
    left: Sequence[int],
    right: Sequence[int],
    epsilon: int | Fraction | float,
    *,
    law: str = "uniform",
    bounds: Bounds | None = None,
) -> int:
    """The least R such that some sum of R products g_r(a) h_r(b) is within epsilon of f.

    The distance is E (f - g)^2. `polynomial` maps exponents to coefficients; `left` and `right`
    are the indices of the variables in a and in b. All variables are independent with one law:
    "uniform" on `bounds`, (-1, 1) unless given, "normal", "bits" (0, 1) or "signs" (-1, 1).
    epsilon = 0 gives the separation rank, that on the finite domain for "bits" and "signs".

    The result is exact. A float stands for the binary fraction that it is. Raises where it cannot
    tell epsilon from a sum of irrational squares, or where the matrices are too large for that.
    """
    wanted = exact_epsilon(epsilon)
    blocks = gram_blocks(polynomial, left, right, law, bounds)
    if wanted == 0:
        return sum(block.rank() for block in blocks)
    largest = max((block.size for block in blocks), default=0)
    if largest > _SMALL:
        matrices, distances, scale = orthonormal(blocks, law, bounds)
        try:
            return bounded_spectrum(matrices, distances).epsilon_rank(wanted * scale)
        except NumericError:
            if largest > EXACT:
                raise
    return _Roots(blocks).rank(wanted)


def spectrum(
    polynomial: Polynomial,
    left: Sequence[int],
    right: Sequence[int],
    *,
    law: str = "uniform",
    bounds: Bounds | None = None,
) -> tuple[Fraction | float, ...]:
    """sigma_r^2 > 0 in decreasing order, each as often as it occurs; as in `epsilon_rank`.

    Rational ones are exact. Floats are within one unit of the last place of irrational ones.
    """
    blocks = gram_blocks(polynomial, left, right, law, bounds)
    largest = max((block.size for block in blocks), default=0)
    if largest > EXACT:
        raise NumericError(
            f"polynomial: expected at most {EXACT} monomials a side in a block; got {largest}. "
            "Ask epsilon_rank, or take a polynomial with fewer monomials."
        )
    return _Roots(blocks).values()


def hard_target(bits: int) -> dict[Exponents, int]:
    """(-1)^<a, b> for `bits` bits a side, as the polynomial prod_i (1 - 2 a_i b_i).

    Variables are a_1..a_k, b_1..b_k; its values are these for bits 0 and 1 alone.
    """
    whole("bits", bits, 1)
    sides = (tuple(int(n >> i & 1) for i in range(bits)) for n in range(2**bits))
    return {(*side, *side): (-2) ** sum(side) for side in sides}


def exact_epsilon(epsilon: int | Fraction | float) -> Fraction:
    """The rational that `epsilon` is, if there is one and it is not negative."""
    known = isinstance(epsilon, int | Fraction | float) and not isinstance(epsilon, bool)
    if not known or not isfinite(epsilon) or epsilon < 0:
        raise NumericError(
            f"epsilon: expected a finite number of at least 0; got {epsilon!r}. It is a mean "
            "squared distance: pass, e.g., Fraction(1, 100)."
        )
    return Fraction(epsilon)


@dataclass(frozen=True)
class _Root:
    """One of the roots of factor number `factor`, of which there are `copies` equal ones."""

    factor: int
    copies: int
    value: Fraction | None
    ball: flint.arb


class _Roots:
    """The positive roots of characteristic polynomials, told apart by exact factors."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        found: Counter[tuple[int, ...]] = Counter()
        for block in blocks:
            for factor, times in block.squares().charpoly().numer().factor()[1]:
                found[tuple(int(c) for c in factor.coeffs())] += int(times)
        del found[(0, 1)]  # the root 0
        self.factors = [(flint.fmpz_poly(list(factor)), times) for factor, times in found.items()]

    def values(self) -> tuple[Fraction | float, ...]:
        """In decreasing order, each as often as it occurs."""
        for bits in _PRECISIONS:
            with flint.ctx.workprec(bits):
                roots = self._sorted()
                if bool(roots) == bool(self.factors) and all(
                    r.value is not None or r.ball.rel_accuracy_bits() > 60 for r in roots
                ):
                    return tuple(
                        float(root.ball.mid()) if root.value is None else root.value
                        for root in reversed(roots)
                        for _ in range(root.copies)
                    )
        raise NumericError(
            f"polynomial: expected squared singular values that show within {_PRECISIONS[-1]} "
            "bits; got some that do not. Ask epsilon_rank, or take smaller coefficients."
        )

    def rank(self, epsilon: Fraction) -> int:
        """The number of roots less those, the least, that add up to at most epsilon."""
        count = sum(factor.degree() * copies for factor, copies in self.factors)
        for bits in _PRECISIONS:
            with flint.ctx.workprec(bits):
                left_out = self._left_out(epsilon)
            if left_out is not None:
                return count - left_out
        raise NumericError(
            f"epsilon: expected a number that {_PRECISIONS[-1]} bits tell from every sum of least "
            f"squared singular values; got {epsilon}. Some of these are irrational, and a tie as "
            "far as can be seen: pass an epsilon a little greater or less."
        )

    def _left_out(self, epsilon: Fraction) -> int | None:
        """How many of the least roots fit into epsilon; None where more bits must tell."""
        roots = self._sorted()
        every = [root for root in roots for _ in range(root.copies)]
        for count in range(1, len(every) + 1):
            fits = self._at_most(every[:count], epsilon)
            if not fits:
                return None if fits is None else count - 1
        return None if self.factors and not roots else len(every)

    def _sorted(self) -> list[_Root]:
        """All roots in increasing order; none at all while balls overlap."""
        roots = sorted(self._enclosed(), key=lambda root: number_of(root.ball.mid()))
        return roots if all(low.ball < high.ball for low, high in pairwise(roots)) else []

    def _enclosed(self) -> Iterator[_Root]:
        for number, (factor, copies) in enumerate(self.factors):
            if factor.degree() == 1:
                value = Fraction(-int(factor[0]), int(factor[1]))
                yield _Root(number, copies, value, ball_of(value))
            else:
                for root, _ in factor.complex_roots():
                    yield _Root(number, copies, None, flint.arb(root.real))

    def _at_most(self, roots: Sequence[_Root], epsilon: Fraction) -> bool | None:
        """Whether these add up to at most epsilon; all conjugates together make a rational."""
        exact, open_ = Fraction(0), flint.arb(0)
        counts = Counter(root.factor for root in roots)
        for number, count in counts.items():
            factor, copies = self.factors[number]
            degree = factor.degree()
            if count == degree * copies or degree == 1:
                mean = Fraction(-int(factor[degree - 1]), int(factor[degree]) * degree)
                exact += mean * count
            else:
                open_ += sum((r.ball for r in roots if r.factor == number), flint.arb(0))
        if open_.is_zero():
            return exact <= epsilon
        gap = ball_of(epsilon - exact) - open_
        return True if gap > 0 else False if gap < 0 else None
