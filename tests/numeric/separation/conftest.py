"""The networks straight from their definitions, for anything that adds and multiplies."""

import math

import pytest

from lemmata.numeric import separation


def times(a, b):
    return [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)] for r in a
    ]


def transposed(a):
    return [list(row) for row in zip(*a, strict=True)]


def attention(network, tokens):
    """The first output of sum_h X (W_1 X^T)(X W_2)..., with tokens of anything that multiplies."""
    x = [list(token) for token in tokens]
    for layer in network.weights:
        total = None
        for head in layer:
            part = x
            for k, (left, right) in enumerate(head):
                weight = times(left, right)
                factor = times(x, weight) if k % 2 else times(weight, transposed(x))
                part = times(part, factor)
            total = (
                part
                if total is None
                else [
                    [u + v for u, v in zip(*rows, strict=True)]
                    for rows in zip(total, part, strict=True)
                ]
            )
        x = total
    return x[0][0]


def hadamard(network, z):
    """<readout, T_d(z)>, for anything that multiplies."""
    for layer in network.weights:
        rows = [[sum(w * v for w, v in zip(row, z, strict=True)) for row in m] for m in layer]
        z = [math.prod(column[1:], start=column[0]) for column in zip(*rows, strict=True)]
    return sum(w * v for w, v in zip(network.readout, z, strict=True))


def by_definition(network, left, right):
    """y at one left and one right point, flat as in certificates."""
    if isinstance(network, separation.HadamardNetwork):
        return hadamard(network, (*left, *right))
    flat, width = (*left, *right), network.width
    return attention(network, [flat[i : i + width] for i in range(0, len(flat), width)])


@pytest.fixture(name="by_definition", scope="session")
def the_definition():
    return by_definition
