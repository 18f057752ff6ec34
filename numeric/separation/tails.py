"""Tails of singular values in floating point, with bounds that nobody has to believe.

tail(R) = sum_{r > R} sigma_r^2 is the squared Frobenius distance of a matrix from the matrices of
rank R (Eckart and Young), so that sqrt(tail(R)) moves by at most the Frobenius norm of whatever is
added to the matrix. Given M and any factors with M = U S V^T + N, the columns of U and V nearly
orthonormal, the tails of S bound those of M: it is of no importance how the factors were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, hypot, inf, sqrt

import numpy as np

from ..errors import NumericError

UNIT = 2.0**-53  # of rounding
GROWN = 1 + 1e-6  # covers the rounding of a bound itself
_FULL = 400  # up to this size all singular values are computed
_FIRST = 96  # columns of the first sketch of a larger matrix
_ACCURACY = 1e-9  # of a sketch, relative to the Frobenius norm


@dataclass(frozen=True)
class BoundedSpectrum:
    """Squared singular values of a matrix in decreasing order, as far as they were computed.

    The matrix lies within Frobenius distance `slack` of one whose singular values are
    sqrt(values[r]) (1 + t_r), |t_r| <= `stretch`, and 0 beyond.
    """

    values: tuple[float, ...]
    slack: float
    stretch: float

    def tail(self, rank: int) -> tuple[float, float]:
        """Bounds from below and above on sum_{r > rank} sigma_r^2."""
        root = sqrt(fsum(self.values[rank:]))
        low = max(0.0, root * (1 - self.stretch) - self.slack)
        high = root * (1 + self.stretch) + self.slack
        return low * low * (1 - 1e-12), high * high * (1 + 1e-12)

    def relative_tail(self, rank: int) -> tuple[float, float]:
        """The same, divided by the sum of all sigma_r^2."""
        low, high = self.tail(rank)
        least, most = self.tail(0)
        return (low / most if most else 0.0), (high / least if least else inf)

    def epsilon_rank(self, epsilon: Fraction, *, relative: bool = False) -> int:
        """The least R with tail(R) <= epsilon, or with tail(R) <= epsilon tail(0)."""
        tail = self.relative_tail if relative else self.tail
        below, above = 0, len(self.values)  # bisect for the least R whose upper bound will do
        if tail(above)[1] > epsilon:
            raise self._undecided(epsilon, tail(above), above)
        while below < above:
            middle = (below + above) // 2
            below, above = (below, middle) if tail(middle)[1] <= epsilon else (middle + 1, above)
        if above and not tail(above - 1)[0] > epsilon:
            raise self._undecided(epsilon, tail(above - 1), above - 1)
        return above

    @staticmethod
    def _undecided(epsilon: Fraction, bounds: tuple[float, float], rank: int) -> NumericError:
        return NumericError(
            f"epsilon: expected a number that rounding errors tell from the tail after {rank} "
            f"terms, which lies in [{bounds[0]:.17g}, {bounds[1]:.17g}]; got {float(epsilon):.17g}."
            " Pass an epsilon outside this interval."
        )


def bounded_spectrum(matrices: Sequence[np.ndarray], distances: Sequence[float]) -> BoundedSpectrum:
    """Of the block diagonal of all `matrices`, block n known up to Frobenius norm distances[n]."""
    values, slack, stretch = [], 0.0, 0.0
    for matrix, distance in zip(matrices, distances, strict=True):
        if not (np.isfinite(matrix).all() and np.isfinite(distance)):
            raise NumericError(
                "matrices: expected values within the range of float64; got some that overflow. "
                "Take a polynomial of lower degree, or a law with smaller values."
            )
        left, roots, right = _factors(matrix)
        # Rounding of the products below: of |U| S |V^T|, and of U^T U and V^T V.
        lost = (len(roots) + 3) * UNIT * fsum(roots) * 2
        residual = frobenius(matrix - (left * roots) @ right)
        slack = hypot(slack, GROWN * (residual + lost) + distance)
        stretch = max(stretch, GROWN * (_skew(left.T) + _skew(right)))
        values += (roots * roots).tolist()
    if not stretch < 0.1:
        raise NumericError(
            f"matrices: expected singular vectors that are orthonormal up to 0.1; got {stretch}. "
            "Scale the polynomial to values near 1."
        )
    return BoundedSpectrum(tuple(sorted(values, reverse=True)), slack, stretch)


def frobenius(matrix: np.ndarray) -> float:
    """The Frobenius norm; neither overflows nor underflows where the norm does not."""
    top = float(np.abs(matrix).max(initial=0.0))
    return top * float(np.linalg.norm(matrix / top)) if top else 0.0


def _skew(rows: np.ndarray) -> float:
    """At least |Q Q^T - 1| for the matrix Q of these rows."""
    count, length = rows.shape
    return frobenius(rows @ rows.T - np.eye(count)) + 4 * (length + 2) * UNIT * count


def _factors(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = min(matrix.shape)
    if size <= _FULL:
        return np.linalg.svd(matrix, full_matrices=False)
    aim, columns = _ACCURACY * frobenius(matrix), _FIRST
    generator = np.random.default_rng(0)  # any start will do: the residual is computed
    while True:
        sketch = matrix @ generator.standard_normal((matrix.shape[1], columns))
        basis = np.linalg.qr(sketch)[0]
        basis = np.linalg.qr(matrix @ np.linalg.qr(matrix.T @ basis)[0])[0]
        left, roots, right = np.linalg.svd(basis.T @ matrix, full_matrices=False)
        left = basis @ left
        if frobenius(matrix - (left * roots) @ right) <= aim:
            return left, roots, right
        columns *= 2
        if columns >= size:
            return np.linalg.svd(matrix, full_matrices=False)
