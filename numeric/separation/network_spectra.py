"""Singular values of networks of entrywise products under a product law, with bounded errors.

y(a, b) has degree D in each coordinate at most, so that a Gauss rule of D + 1 nodes a coordinate
gives E f(a) y(a, b) and E y^2 exactly, and the singular values of y are those of the matrix
sqrt(w_i) y(a_i, b_j) sqrt(w_j) over the tensor grids. Values are computed in float64 together with
a bound on the rounding error of each; nodes and weights are enclosed by balls. Under an even law
the parts of y that are even and odd in a are orthogonal on both sides, and y has the parity of D:
half of the grid suffices, with two matrices.

Source: seed 002, sections 3.2.4, 4.1 and 4.5.
"""

from __future__ import annotations

from fractions import Fraction
from math import hypot

import numpy as np

from ..errors import NumericError
from .arguments import whole
from .hadamard import HadamardNetwork
from .laws import Bounds, Rule, is_even, rule
from .networks import Matrix
from .spectra import exact_epsilon
from .tails import GROWN, UNIT, BoundedSpectrum, bounded_spectrum, frobenius

_CELLS = 2**20  # values at a time
_TINY = 2.0**-1022  # covers underflow of a product
Bounded = tuple[np.ndarray, np.ndarray]  # values and bounds on their errors


def network_epsilon_rank(
    network: HadamardNetwork,
    epsilon: int | Fraction | float,
    *,
    law: str = "uniform",
    bounds: Bounds | None = None,
    limit: int = 8192,
) -> int:
    """The least R such that some sum of R products is within epsilon E y^2 of y in mean square.

    Raises where rounding errors leave it open; arguments as in `network_spectrum`.
    """
    wanted = exact_epsilon(epsilon)
    spectrum = network_spectrum(network, law=law, bounds=bounds, limit=limit)
    return spectrum.epsilon_rank(wanted, relative=True)


def network_spectrum(
    network: HadamardNetwork,
    *,
    law: str = "uniform",
    bounds: Bounds | None = None,
    limit: int = 8192,
) -> BoundedSpectrum:
    """The squared singular values of y up to one common factor, and how far they can be trusted.

    Coordinates are independent, with the law of `epsilon_rank`. At most `limit` points a side are
    used: there are (D + 1)^inputs, half as many for an even law.
    """
    whole("limit", limit, 1)
    even = is_even(law, bounds)
    one = rule(law, bounds, network.total_degree)
    count = len(one.nodes) ** network.inputs
    if (count + 1) // 2 > limit or (not even and count > limit):
        raise NumericError(
            f"limit: expected a grid of at most {limit} points a side; got {count} for "
            f"{network.inputs} inputs a side and degree {network.total_degree}. Take a smaller "
            "network, or raise limit."
        )
    points, radii, roots = _grid(one, network.inputs, even)
    whole_grid, wrong = _matrix(network, points, radii, roots, 1.0)
    blocks, distances = [whole_grid], [wrong]
    if even:
        mirrored, also = _matrix(network, points, radii, roots, -1.0)
        blocks = [(whole_grid + mirrored) / 2, (whole_grid - mirrored) / 2]
        distances = [(wrong + also) / 2] * 2
    # Of M_ij = s_i y_ij s_j and of the halved sums: relative to their sizes.
    relative = 2 * network.inputs * (one.root_error + 2 * UNIT) + 8 * UNIT
    norm = hypot(*(frobenius(block) for block in blocks))
    return bounded_spectrum(blocks, [GROWN * (d + relative * norm) for d in distances])


def _grid(one: Rule, inputs: int, even: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points, one a column, their errors and the roots of their weights; half of an even grid."""

    def tensor(line: np.ndarray) -> np.ndarray:
        return np.stack([axis.ravel() for axis in np.meshgrid(*[line] * inputs, indexing="ij")])

    points, radii = tensor(one.nodes), tensor(one.node_error)
    roots = tensor(one.roots).prod(axis=0)
    if even:  # the grid in reverse order is its mirror image; its centre, if any, is the origin
        half, odd = divmod(len(roots), 2)
        points, radii, roots = points[:, : half + odd], radii[:, : half + odd], roots[: half + odd]
        roots = roots * np.where(np.arange(half + odd) < half, 2**0.5, 1.0)
    return points, radii, roots


def _matrix(
    network: HadamardNetwork, points: np.ndarray, radii: np.ndarray, roots: np.ndarray, sign: float
) -> tuple[np.ndarray, float]:
    """s_i y(sign a_i, b_j) s_j and the Frobenius norm of what rounding can have done to y."""
    layers = [[_scaled(matrix) for matrix in layer] for layer in network.weights]
    readout = _scaled((network.readout,))
    ours = [_linear(w[:, : network.inputs], (sign * points, radii)) for w in layers[0]]
    theirs = [_linear(w[:, network.inputs :], (points, radii)) for w in layers[0]]
    count = len(roots)
    values, wrong = np.empty((count, count)), 0.0
    step = max(1, _CELLS // (count * network.width))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for start in range(0, count, step):
            rows = slice(start, start + step)
            z = _product(
                [_sum(ours[k], theirs[k], rows) for k in range(network.degree)],
            )
            for layer in layers[1:]:
                z = _product([_linear(matrix, z) for matrix in layer])
            value, error = _linear(readout, z)
            weights = roots[rows, None] * roots[None, :]
            values[rows] = weights * value[0]
            wrong = hypot(wrong, frobenius(weights * error[0]))
    return values, GROWN * wrong


def _scaled(matrix: Matrix) -> np.ndarray:
    """The matrix divided by its largest entry, each entry rounded once."""
    top = max((abs(entry) for row in matrix for entry in row), default=0) or 1
    return np.array([[entry / top for entry in row] for row in matrix])


def _linear(matrix: np.ndarray, z: Bounded) -> Bounded:
    """W z along the first axis: sums of products, of factors that carry errors already."""
    value, error = z
    size = np.abs(value)
    spread = error + (matrix.shape[1] + 3) * UNIT * size
    return np.tensordot(matrix, value, 1), np.tensordot(np.abs(matrix), spread, 1) + _TINY


def _sum(ours: Bounded, theirs: Bounded, rows: slice) -> Bounded:
    """One side's part of a linear form plus the other's: for each row a left point."""
    value = ours[0][:, rows, None] + theirs[0][:, None, :]
    error = ours[1][:, rows, None] + theirs[1][:, None, :]
    return value, error + UNIT * np.abs(value)


def _product(factors: list[Bounded]) -> Bounded:
    value, error = factors[0]
    for other, slip in factors[1:]:
        size, factor = np.abs(value), np.abs(other)
        error = size * slip + factor * error + error * slip + 2 * UNIT * size * factor + _TINY
        value = value * other
    return value, error
