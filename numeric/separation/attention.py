"""Linear attention of odd degree, evaluated modulo a prime.

A network maps tokens X, one a row, through layers of degree d = 2q + 1,

    X  ->  sum_h X (W_1 X^T)(X W_2) ... (W_{d-2} X^T)(X W_{d-1}),

where each W_k of head h is a product U V of matrices width x (width / heads) and back: for d = 3,
W_1 = W_Q^T W_K and W_2 = W_V^T W_O^T. Only odd degrees map sequences to sequences. The output y is
the first coordinate of the first token after the last layer. `tokens` tokens are on each side; the
first token is on the left, side A.

With G = X^T X a layer is X -> X M(G), M(G) = sum_h W_1 G (W_2 W_3) G ... W_{d-1}, and G becomes
M^T G M. So y depends on the right side through its Gram matrix alone, G = G_A + G_B, and has degree
D = (d^L - 1) / 2 in G.

Source: seed 002, sections 1.1 and 1.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from ..errors import NumericError
from .arguments import whole
from .modular import products, reduce, residues_of
from .networks import BOUND, Matrix, Sides, random_matrices, require_shape

Factors = tuple[Matrix, Matrix]
Head = tuple[Factors, ...]
Layer = tuple[Head, ...]


@dataclass(frozen=True)
class AttentionNetwork:
    """`weights[layer][head][k]` are the factors (U, V) of W_{k+1} = U V."""

    width: int
    tokens: int
    weights: tuple[Layer, ...]

    def __post_init__(self) -> None:
        whole("width", self.width, 1)
        whole("tokens", self.tokens, 1)
        whole("layers", len(self.weights), 1)
        check_heads(self.width, self.heads)
        check_degree(self.degree)
        inner = self.width // self.heads
        for number, layer in enumerate(self.weights):
            name = f"weights[{number}]"
            if len(layer) != self.heads or any(len(head) != self.degree - 1 for head in layer):
                raise NumericError(
                    f"{name}: expected {self.heads} heads of {self.degree - 1} weights each, as in "
                    f"the first layer; got {[len(head) for head in layer]}. Give all layers one "
                    "shape."
                )
            for head in layer:
                for left, right in head:
                    require_shape(name, left, self.width, inner)
                    require_shape(name, right, inner, self.width)

    @property
    def layers(self) -> int:
        return len(self.weights)

    @property
    def heads(self) -> int:
        return len(self.weights[0])

    @property
    def degree(self) -> int:
        """Of one layer in its tokens."""
        return len(self.weights[0][0]) + 1 if self.weights[0] else 1

    @property
    def grades(self) -> int:
        """D, the degree of y in the entries of G."""
        return (self.degree**self.layers - 1) // 2

    @property
    def total_degree(self) -> int:
        """The degree of y in all coordinates."""
        return self.degree**self.layers

    @property
    def coordinates(self) -> int:
        """Of a point of either side: its tokens one after the other."""
        return self.tokens * self.width

    def cap(self, grade: int) -> int:
        """At least the rank of the part of degree `grade` in G_B: the fewer monomials.

        Left they are those of x_1 times entries of G_A, right those of entries of G_B; or, if
        they are fewer, those of the coordinates.
        """
        entries, rest = comb(self.width + 1, 2), self.grades - grade
        left = self.width * comb(entries + rest - 1, rest)
        right = comb(entries + grade - 1, grade)
        last = self.coordinates - 1
        return min(left, right, comb(2 * rest + 1 + last, last), comb(2 * grade + last, last))

    def sides(self, left: np.ndarray, right: np.ndarray, prime: int) -> Sides:
        """(x_1, G_A) and (G_B,) of points, one a row; the last axes run over them."""
        first, second = (
            points.reshape(-1, self.tokens, self.width).transpose(2, 1, 0)
            for points in (left, right)
        )
        gram = (products(x, x.swapaxes(0, 1), prime) for x in (first, second))
        return (first[None, :, 0], next(gram)), (next(gram),)

    def values(self, sides: Sides, scales: np.ndarray, prime: int) -> np.ndarray:
        """y at G_A + t G_B for each scale t, left point and right point, in this order of axes."""
        (row, ours), (theirs,) = sides
        row = row[:, :, None, :, None]
        gram = reduce(
            ours[:, :, None, :, None] + scales[:, None, None] * theirs[:, :, None, None, :], prime
        )
        one = _constant(np.eye(self.width, dtype=np.uint64))
        layers = self._mixers(prime)
        for layer in layers[:-1]:
            mixed = _apply(one, layer, gram, prime)
            row = products(row, mixed, prime)
            gram = products(mixed.swapaxes(0, 1), products(gram, mixed, prime), prime)
        return _apply(row, layers[-1], gram, prime)[0, 0]

    def _mixers(self, prime: int) -> list[list[list[np.ndarray]]]:
        """Per layer and head the matrices W_1, W_2 W_3, ..., W_{d-1} between the factors G."""
        result = []
        for layer in self.weights:
            heads = []
            for head in layer:
                full = [
                    products(residues_of(left, prime), residues_of(right, prime), prime)
                    for left, right in head
                ]
                inner = [
                    products(a, b, prime) for a, b in zip(full[1:-1:2], full[2:-1:2], strict=True)
                ]
                heads.append([_constant(matrix) for matrix in (full[0], *inner, full[-1])])
            result.append(heads)
        return result


def random_attention(
    layers: int,
    width: int,
    tokens: int,
    heads: int = 1,
    degree: int = 3,
    *,
    seed: int = 0,
    bound: int = BOUND,
) -> AttentionNetwork:
    """A network with factors drawn from -bound..bound, a function of the arguments alone."""
    for name, value in (
        *(("layers", layers), ("width", width), ("tokens", tokens), ("heads", heads)),
        *(("degree", degree), ("bound", bound)),
    ):
        whole(name, value, 1)
    check_heads(width, heads)
    check_degree(degree)
    inner = width // heads
    shapes = [(width, inner), (inner, width)] * (layers * heads * (degree - 1))
    factors = iter(random_matrices(shapes, bound, seed))
    weights = tuple(
        tuple(
            tuple((next(factors), next(factors)) for _ in range(degree - 1)) for _ in range(heads)
        )
        for _ in range(layers)
    )
    return AttentionNetwork(width, tokens, weights)


def check_heads(width: int, heads: int) -> None:
    """Raise unless the heads share the width evenly."""
    if heads < 1 or width % heads:
        raise NumericError(
            f"heads: expected a divisor of width = {width}, so that all heads are equally wide; "
            f"got {heads}. Pass, e.g., heads=1."
        )


def check_degree(degree: int) -> None:
    """Raise unless a layer of this degree maps sequences to sequences."""
    if degree < 3 or degree % 2 == 0:
        raise NumericError(
            "degree: expected an odd number of at least 3: with an even number of factors X and "
            "X^T, attention takes tokens x width to tokens x tokens, and layers do not compose; "
            f"got {degree}. Pass, e.g., degree=3."
        )


def _constant(matrix: np.ndarray) -> np.ndarray:
    """The same matrix at every scale and pair of points."""
    return matrix[:, :, None, None, None]


def _apply(
    rows: np.ndarray, layer: list[list[np.ndarray]], gram: np.ndarray, prime: int
) -> np.ndarray:
    """rows M(G), from the left, so that a single row stays cheap."""
    total = np.zeros((), np.uint64)
    for first, *others in layer:
        part = products(rows, first, prime)
        for matrix in others:
            part = products(products(part, gram, prime), matrix, prime)
        total = total + part
    return reduce(total, prime)
