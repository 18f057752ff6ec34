"""Networks of product layers, and their exact degrees from values modulo a prime.

A layer of degree d is P_d(x) = (W_1 x) * ... * (W_d x), the product taken entry by entry, with
square integer matrices W_k. A network T composes L of them; T[0] is its first output. T is
homogeneous: each output has degree d^L or vanishes, which counts as degree -1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import flint
import numpy as np
import torch

from ..device import resolve
from ..errors import NumericError
from ..sampling import check_seed
from .arguments import integer, whole

Matrix = tuple[tuple[int, ...], ...]
Layer = tuple[Matrix, ...]
Network = tuple[Layer, ...]

# Bit budget: residues are below 2**30, products of two at most 2**60 - 2**32 + 4; eight of them
# and one more residue stay below 2**63, and only then is a reduction due.
PRIME_LIMIT = 2**30
PRIME = 1073741789  # the largest prime below the limit
_TERMS = 8
# Numbers in a tensor on the way through the layers. Up to 2**15 torch stays on one CPU thread:
# waking others for operations this short made it a hundred times slower on two busy cores.
_CPU_CELLS, _GPU_CELLS = 2**15, 2**24
_SPARE = 2  # values beyond those that fix the interpolant, to check it
_LINES = 3


@dataclass(frozen=True)
class LineDegree:
    """t -> T(base + t*direction)[0] has this degree modulo `prime`; -1 if it vanishes."""

    prime: int
    base: tuple[int, ...]
    direction: tuple[int, ...]
    degree: int


def random_network(degree: int, depth: int, width: int, *, seed: int, bound: int = 9) -> Network:
    """A network with entries drawn from -bound..bound, a function of the arguments alone."""
    whole("degree", degree, 1)
    whole("depth", depth, 0)
    whole("width", width, 1)
    whole("bound", bound, 1)
    entries = iter(_draw(seed, depth * degree * width * width, bound))
    return tuple(
        tuple(
            tuple(tuple(next(entries) for _ in range(width)) for _ in range(width))
            for _ in range(degree)
        )
        for _ in range(depth)
    )


def evaluate_mod(
    network: Network,
    points: torch.Tensor | Sequence[Sequence[int]],
    prime: int,
    *,
    device: str | torch.device = "cpu",
) -> torch.Tensor:
    """T at each of the integer `points` (one a row) modulo `prime`, as int64 on `device`.

    Exact: see `PRIME_LIMIT` for the bit budget. A `torch.device` is used as it is.
    """
    _check_prime(prime)
    place = device if isinstance(device, torch.device) else resolve(device)[0]
    x = _residues(points, prime, place)
    _check_network(network, x.shape[1])
    weights = [
        torch.tensor(
            [[[entry % prime for entry in row] for row in matrix] for matrix in layer],
            dtype=torch.int64,
            device=place,
        )
        for layer in network
    ]
    cells = _CPU_CELLS if place.type == "cpu" else _GPU_CELLS
    block = max(1, cells // max((layer[:, 0].numel() for layer in weights), default=cells))
    return torch.cat([_through(weights, part, prime) for part in x.split(block)])


def line_degree(
    network: Network,
    *,
    prime: int,
    base: Sequence[int],
    direction: Sequence[int],
    device: str = "auto",
) -> int:
    """The degree of t -> T(base + t*direction)[0] modulo `prime`; -1 if it vanishes there.

    It never exceeds the degree of T[0] over the integers, which is at most the product of the
    layers' degrees; so where it reaches that product, it is the degree of T[0].
    """
    _check_prime(prime)
    if len(base) != len(direction) or not base:
        raise NumericError(
            "base, direction: expected two points with as many coordinates as the network is "
            f"wide; got {len(base)} and {len(direction)} coordinates. Pass, e.g., base=(0, 0), "
            "direction=(1, 2) for width 2."
        )
    bound = prod(len(layer) for layer in network)
    count = bound + 1 + _SPARE
    if prime <= count:
        raise NumericError(
            f"prime: expected more than {count}, the number of points needed for degree {bound}; "
            f"got {prime}. Take {PRIME}, or fewer layers if that is too small."
        )
    values = _line_values(network, prime, base, direction, count, resolve(device)[0])
    degree = _newton_degree(values, prime)
    if degree > bound:
        raise ArithmeticError(
            f"network: expected values modulo {prime} on the line through {tuple(base)} along "
            f"{tuple(direction)} that lie on a polynomial of degree {bound}; got degree {degree}. "
            "The evaluation is at fault: compare it on another device."
        )
    return degree


def certify_degree(network: Network, *, seed: int = 0, device: str = "auto") -> LineDegree:
    """The best of up to three random lines, the first that reaches the product of degrees.

    A line misses that degree D, though T[0] has it, with probability below D / 2**29
    (Schwartz-Zippel) unless its coefficients all vanish modulo `PRIME`.
    """
    bound = prod(len(layer) for layer in network)
    width = len(network[0][0]) if network and network[0] else 1
    found: list[LineDegree] = []
    for attempt in range(_LINES):
        numbers = _draw(seed, 2 * width, PRIME // 2, attempt)
        base, direction = numbers[:width], numbers[width:]
        degree = line_degree(network, prime=PRIME, base=base, direction=direction, device=device)
        found.append(LineDegree(PRIME, base, direction, degree))
        if degree == bound:
            break
    return max(found, key=lambda line: line.degree)


def _draw(seed: int, count: int, bound: int, *key: int) -> tuple[int, ...]:
    """Integers in -bound..bound, straight from the seed sequence: no generator's stream."""
    check_seed(seed)
    sequence = np.random.SeedSequence(seed, spawn_key=key)
    return tuple(
        int(word) % (2 * bound + 1) - bound for word in sequence.generate_state(count, np.uint64)
    )


def _residues(
    points: torch.Tensor | Sequence[Sequence[int]], prime: int, place: torch.device
) -> torch.Tensor:
    if isinstance(points, torch.Tensor):
        inexact = points.is_floating_point() or points.is_complex()
        if inexact or points.ndim != 2 or points.shape[1] == 0:
            raise NumericError(
                "points: expected an integer tensor with one point a row; got dtype "
                f"{points.dtype}, shape {tuple(points.shape)}. Use points.reshape(-1, width)."
            )
        return points.to(place, torch.int64).remainder(prime)
    if not points or not points[0] or len({len(point) for point in points}) != 1:
        raise NumericError(
            "points: expected at least one point, all with as many coordinates, one or more; got "
            f"{points!r}. Pass, e.g., [(1, 2), (3, 4)] for width 2."
        )
    rows = [[integer("points", x) % prime for x in point] for point in points]
    return torch.tensor(rows, dtype=torch.int64, device=place)


def _through(weights: list[torch.Tensor], x: torch.Tensor, prime: int) -> torch.Tensor:
    """Residues `x`, one point a row, through the layers, each a tensor [k, i, j]."""
    for layer in weights:
        # All matrices of a layer at once, one column after the other: integer matrix products
        # do not exist on CUDA.
        sums = x.new_zeros((x.shape[0], *layer.shape[:2]))
        for j in range(x.shape[1]):
            sums.addcmul_(x[:, j, None, None], layer[None, :, :, j])
            if j % _TERMS == _TERMS - 1:
                sums.remainder_(prime)
        first, *others = sums.remainder_(prime).unbind(1)
        x = first
        for factor in others:
            x = (x * factor).remainder_(prime)
    return x


def _line_values(
    network: Network,
    prime: int,
    base: Sequence[int],
    direction: Sequence[int],
    count: int,
    place: torch.device,
) -> list[int]:
    """T(base + t*direction)[0] modulo `prime` for t = 0..count-1."""
    start, step = _residues((base, direction), prime, place)
    t = torch.arange(count, dtype=torch.int64, device=place)
    points = start + t[:, None] * step
    return evaluate_mod(network, points, prime, device=place)[:, 0].tolist()


def _newton_degree(values: list[int], prime: int) -> int:
    """The degree of the interpolant through (t, values[t]), t = 0, 1, ..., modulo `prime`.

    In the basis of binomials C(t, k) its coefficients are the differences
    sum_j (-1)^(k-j) C(k, j) v_j = k! sum_j [v_j / j!] [(-1)^(k-j) / (k-j)!], a single product
    of two power series; dividing by k! changes no degree, since k < prime.
    """
    count = len(values)
    factorial = 1
    for k in range(1, count):
        factorial = factorial * k % prime
    inverse = [pow(factorial, -1, prime)]
    for k in range(count - 1, 0, -1):
        inverse.append(inverse[-1] * k % prime)
    inverse.reverse()  # 1 / k! for k = 0..count-1
    scaled = flint.nmod_poly([v * r % prime for v, r in zip(values, inverse, strict=True)], prime)
    signs = flint.nmod_poly([-r if k % 2 else r for k, r in enumerate(inverse)], prime)
    return scaled.mul_low(signs, count).degree()


def _check_network(network: Network, width: int) -> None:
    for number, layer in enumerate(network):
        if not layer:
            raise NumericError(
                f"network: expected at least one matrix a layer; got none in layer {number}. "
                "A layer of degree d holds d matrices."
            )
        for matrix in layer:
            if len(matrix) != width or any(len(row) != width for row in matrix):
                raise NumericError(
                    f"network: expected {width} x {width} matrices, to fit points with {width} "
                    f"coordinates; got {len(matrix)} rows of lengths "
                    f"{sorted({len(row) for row in matrix})} in layer {number}. "
                    "Pass points as wide as the network, and square matrices."
                )
            for row in matrix:
                for entry in row:
                    integer(f"network, layer {number}", entry)


def _check_prime(prime: int) -> None:
    whole("prime", prime, 2)
    if prime >= PRIME_LIMIT or not flint.fmpz(prime).is_prime():
        raise NumericError(
            f"prime: expected a prime below 2**30, so that sums of products fit 64 bits; got "
            f"{prime}. Use, e.g., {PRIME}."
        )
