"""Many networks of entrywise products trained at once, with the gradient as a formula.

A run has the parameters E (width x inputs), W_1, ..., W_M (width x width) and r (width). With
degree d >= 2 its p = M/d layers take d matrices each, in order:

    z_0 = E x,    P = (W_1 z) * ... * (W_d z),    z' = P / sqrt(mean P² + EPSILON),    y = <r, z_p>

The mean is over the entries of one input's P. The loss is the mean of (y - target)² over all
inputs. Tensors have the axes (run, entry, input); parameters are kept flat, one row a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate
from operator import mul
from typing import NamedTuple

import torch
from torch import Tensor

EPSILON = 1e-12
MEAN_DECAY, SQUARE_DECAY, ADAM_EPSILON = 0.9, 0.999, 1e-8


class Shape(NamedTuple):
    """The wiring of a network: what the flat parameters mean."""

    inputs: int
    width: int
    degree: int
    depth: int

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many numbers the embedding, the matrices of the layers and the readout have."""
        layers = self.depth * self.degree * self.width * self.width
        return self.width * self.inputs, layers, self.width

    @property
    def parameters(self) -> int:
        return sum(self.sizes)


class Weights(NamedTuple):
    """The parameters of a batch of runs, as views of the flat ones."""

    embedding: Tensor  # (B, width, inputs)
    layers: Tensor  # (B, depth, degree width, width)
    readout: Tensor  # (B, 1, width)


class Moments(NamedTuple):
    """Adam's running means of the gradient and of its square, (B, parameters)."""

    mean: Tensor
    square: Tensor


def unpack(flat: Tensor, shape: Shape) -> Weights:
    embedding, layers, readout = flat.split(shape.sizes, dim=1)
    w = shape.width
    return Weights(
        embedding.unflatten(1, (w, shape.inputs)),
        layers.unflatten(1, (shape.depth, shape.degree * w, w)),
        readout.unflatten(1, (1, w)),
    )


def outputs(flat: Tensor, shape: Shape, points: Tensor) -> Tensor:
    """(B, N): y of every run at the columns of `points` (inputs, N)."""
    weights = unpack(flat, shape)
    z = torch.matmul(weights.embedding, points)
    for layer in weights.layers.unbind(1):
        z, _, _ = _forward(layer, z, shape.degree)
    return torch.bmm(weights.readout, z).squeeze(1)


def gradient(flat: Tensor, shape: Shape, points: Tensor, target: Tensor) -> Tensor:
    """(B, parameters): the gradient of the mean of (y - target)², for each run its own."""
    weights = unpack(flat, shape)
    layers = weights.layers.unbind(1)
    states, kept = [torch.matmul(weights.embedding, points)], []
    for layer in layers:
        z, factors, scale = _forward(layer, states[-1], shape.degree)
        states.append(z)
        kept.append((factors, scale))
    y = torch.bmm(weights.readout, states[-1])
    pull = (y - target) * (2 / target.shape[-1])
    parts = [torch.bmm(pull, states[-1].mT)]
    back = weights.readout.mT * pull
    for n in reversed(range(shape.depth)):
        factors, scale = kept[n]
        z = states[n + 1]
        # z = P s with s = (mean P² + eps)^(-1/2), so dz = s (dP - z mean(z dP)).
        inner = (z * back).mean(1, keepdim=True)
        back = (back - z * inner).mul_(scale)
        each = _others(factors).mul_(back[:, None]).flatten(1, 2)
        parts.append(torch.bmm(each, states[n].mT))
        back = torch.bmm(layers[n].mT, each)
    parts.append(torch.matmul(back, points.mT))
    return torch.cat([part.flatten(1) for part in reversed(parts)], dim=1)


def adam(
    flat: Tensor, moments: Moments, slope: Tensor, sizes: Tensor, step: int
) -> tuple[Tensor, Moments]:
    """Step number `step` = 1, 2, ... of each run, with the step sizes (B, 1)."""
    mean = MEAN_DECAY * moments.mean + (1 - MEAN_DECAY) * slope
    square = SQUARE_DECAY * moments.square + (1 - SQUARE_DECAY) * slope.square()
    root = torch.sqrt(square) / math.sqrt(1 - SQUARE_DECAY**step)
    move = mean / ((root + ADAM_EPSILON) * (1 - MEAN_DECAY**step))
    return flat - sizes * move, Moments(mean, square)


def descend(
    flat: Tensor,
    shape: Shape,
    points: Tensor,
    target: Tensor,
    rates: Tensor,
    steps: int,
    after: Callable[[], None] = lambda: None,
) -> Tensor:
    """The parameters after `steps` steps of Adam; the sizes fall linearly from `rates` to 0."""
    moments = Moments(torch.zeros_like(flat), torch.zeros_like(flat))
    for step in range(1, steps + 1):
        slope = gradient(flat, shape, points, target)
        sizes = rates[:, None] * (1 - (step - 1) / steps)
        flat, moments = adam(flat, moments, slope, sizes, step)
        after()
    return flat


def _forward(layer: Tensor, z: Tensor, degree: int) -> tuple[Tensor, Tensor, Tensor]:
    """(normalised product, its factors (B, degree, width, N), the scale (B, 1, N))."""
    factors = torch.bmm(layer, z).unflatten(1, (degree, -1))
    product = math.prod(factors.unbind(1)[1:], start=factors[:, 0])
    scale = torch.rsqrt(product.square().mean(1, keepdim=True) + EPSILON)
    return product * scale, factors, scale


def _others(factors: Tensor) -> Tensor:
    """(B, degree, width, N): the product of all factors but one, without a division."""
    each = factors.unbind(1)
    # before[k] is the product of the factors up to k, after[k] that of the factors from k on.
    before = list(accumulate(each[:-1], mul))
    after = list(accumulate(each[:0:-1], mul))[::-1]
    inner = [first * last for first, last in zip(before[:-1], after[1:], strict=True)]
    return torch.stack([after[0], *inner, before[-1]], dim=1)
