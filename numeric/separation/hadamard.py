"""Networks of entrywise products, evaluated modulo a prime.

T_d composes `depth` layers z -> (W_1 z) * ... * (W_d z), the products taken entry by entry, and
y = <readout, z>. Its inputs are z = (a, b), `inputs` of them a side; the matrices of the first
layer are width x 2 inputs, those of the others width x width. y is homogeneous of degree
D = d^depth.

Source: seed 002, section 3.1, comment 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from ..errors import NumericError
from .arguments import whole
from .modular import products, reduce, residues_of
from .networks import BOUND, Matrix, Sides, random_matrices, require_shape


@dataclass(frozen=True)
class HadamardNetwork:
    """`weights[layer][k]` is the matrix W_{k+1} of that layer."""

    inputs: int
    weights: tuple[tuple[Matrix, ...], ...]
    readout: tuple[int, ...]

    def __post_init__(self) -> None:
        whole("inputs", self.inputs, 1)
        whole("depth", len(self.weights), 1)
        whole("width", len(self.readout), 1)
        whole("degree", len(self.weights[0]), 1)
        require_shape("readout", (self.readout,), 1, self.width)
        columns = 2 * self.inputs
        for number, layer in enumerate(self.weights):
            if len(layer) != self.degree:
                raise NumericError(
                    f"weights[{number}]: expected {self.degree} matrices, as in the first layer; "
                    f"got {len(layer)}. Give all layers one degree."
                )
            for matrix in layer:
                require_shape(f"weights[{number}]", matrix, self.width, columns)
            columns = self.width

    @property
    def width(self) -> int:
        return len(self.readout)

    @property
    def degree(self) -> int:
        """Of one layer in its inputs."""
        return len(self.weights[0])

    @property
    def depth(self) -> int:
        return len(self.weights)

    @property
    def grades(self) -> int:
        """D, the largest degree in b."""
        return self.degree**self.depth

    @property
    def total_degree(self) -> int:
        return self.degree**self.depth

    @property
    def coordinates(self) -> int:
        return self.inputs

    def cap(self, grade: int) -> int:
        """At least the rank of the part of degree `grade` in b: the fewer monomials.

        They are those of the inputs of a side, or of the linear forms of the first layer in them.
        """
        last = min(self.inputs, self.width * self.degree) - 1
        return min(comb(grade + last, last), comb(self.grades - grade + last, last))

    def sides(self, left: np.ndarray, right: np.ndarray, prime: int) -> Sides:
        """W_k (a, 0) and W_k (0, b) of the first layer, indexed [k, row of W_k, point]."""
        first = residues_of(self.weights[0], prime).reshape(-1, 2 * self.inputs)
        ours, theirs = first[:, : self.inputs], first[:, self.inputs :]
        shape = (self.degree, self.width, -1)
        return (
            (products(ours, left.T, prime).reshape(shape),),
            (products(theirs, right.T, prime).reshape(shape),),
        )

    def values(self, sides: Sides, scales: np.ndarray, prime: int) -> np.ndarray:
        """y(a, t b) for each scale t, left point and right point, in this order of axes."""
        (ours,), (theirs,) = sides
        z = ours[0, :, None, :, None]
        for k in range(self.degree):
            factor = reduce(
                ours[k, :, None, :, None] + scales[:, None, None] * theirs[k, :, None, None, :],
                prime,
            )
            z = factor if k == 0 else reduce(z * factor, prime)
        for layer in self.weights[1:]:
            factors = [self._times(matrix, z, prime) for matrix in layer]
            z = factors[0]
            for factor in factors[1:]:
                z = reduce(z * factor, prime)
        return self._times((self.readout,), z, prime)[0]

    @staticmethod
    def _times(matrix: Matrix, z: np.ndarray, prime: int) -> np.ndarray:
        constant = residues_of(matrix, prime)[:, :, None, None, None]
        return products(constant, z[:, None], prime)[:, 0]


def random_hadamard(
    inputs: int, degree: int, depth: int, width: int = 2, *, seed: int = 0, bound: int = BOUND
) -> HadamardNetwork:
    """A network with weights drawn from -bound..bound, a function of the arguments alone."""
    for name, value in (
        *(("inputs", inputs), ("degree", degree), ("depth", depth), ("width", width)),
        ("bound", bound),
    ):
        whole(name, value, 1)
    shapes = [(width, 2 * inputs)] * degree + [(width, width)] * (degree * (depth - 1))
    *drawn, (readout,) = random_matrices([*shapes, (1, width)], bound, seed)
    weights = tuple(tuple(drawn[degree * n : degree * (n + 1)]) for n in range(depth))
    return HadamardNetwork(inputs, weights, readout)
