"""Networks: their sizes, and what degrees and coefficients say about their separation rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import reduce
from itertools import product
from math import comb, prod
from operator import add, mul
from typing import Any

import sympy as sp
from flint import Ordering, fmpz_mat, fmpz_mpoly, fmpz_mpoly_ctx
from sympy import Expr

from ...symbolic.statements import Attention, Hadamard
from .terms import TERMS, expect, require, spend

Network = Attention | Hadamard
GRADES = 200
LAYERS = 8
WEYL = "fundamental theorems for the orthogonal group"


def size_fields(network: Network) -> tuple[Expr, ...]:
    """Of attention layers, width, tokens, heads, degree; of entrywise products inputs, width,
    degree, depth."""
    return tuple(getattr(network, field.name) for field in fields(network)[:-1])


def sizes(network: Network) -> tuple[int, ...]:
    """The same as numbers."""
    found = tuple(int(expect(size, sp.Integer, f"the size {size} is no number"))
                  for size in size_fields(network))  # fmt: skip
    require(all(0 < size <= GRADES for size in found), "a size is not positive, or very large")
    odd = not isinstance(network, Attention) or (found[4] % 2 == 1 and found[4] > 1)
    require(odd, "the degree of attention is odd, from 3 on; even ones map to no sequence")
    return found


def formed(network: Network) -> None:
    """Sizes that are numbers belong to a network; its weights, if any, are as many integers as they
    ask for."""
    weights = network.weights
    if not weights and any(size.free_symbols for size in size_fields(network)):
        return
    plain = all(type(weight) is int for weight in weights)
    count = _weights(network)
    fitting = plain and len(weights) in (0, count)
    require(fitting, f"the weights are not {count} whole numbers, but {len(weights)}")


def _weights(network: Network) -> int:
    if isinstance(network, Attention):
        layers, width, _, heads, degree = sizes(network)
        return layers * heads * (degree - 1) * 2 * width * (width // heads)
    inputs, width, degree, depth = sizes(network)
    return degree * width * (2 * inputs + width * (depth - 1)) + width


def grades(network: Network) -> int:
    """The largest degree in the right side; of attention, in its Gram matrix."""
    found = sizes(network)
    attention = isinstance(network, Attention)
    degree, depth = (found[4], found[0]) if attention else (found[2], found[3])
    require(degree == 1 or depth <= LAYERS, f"there are more than {LAYERS} layers")
    top = (degree**depth - 1) // 2 if attention else degree**depth
    require(top <= GRADES, f"the degree {top} is larger than {GRADES}")
    return top


def degrees(network: Network) -> tuple[int, tuple[str, ...]]:
    """A bound of the separation rank for all weights, and the facts it rests on.

    The output is a sum of parts, one a degree k in the right side. Each is a bilinear form in two
    spaces of functions, so its rank is at most the smaller of their dimensions.
    """
    top, found = grades(network), sizes(network)
    if isinstance(network, Attention):
        _, width, tokens, _, _ = found
        least = min(tokens, width)
        spaces = [_gram(k, width, least) for k in range(top + 1)]
        total = sum(min(spaces[top - k][0], spaces[k][1]) for k in range(top + 1))
        return total, (WEYL,) if least < width else ()
    inputs, width, degree, depth = found
    last = min(inputs, width * degree) - 1  # the first layer has width * degree linear forms
    total = 0
    for k in range(top + 1):
        block = min(comb(k + last, last), comb(top - k + last, last))
        total += min(block, width * comb(degree, k)) if depth == 1 else block
    return total, ()


def _gram(k: int, width: int, tokens: int) -> tuple[int, int]:
    """Dimensions spanned by products of k entries of a Gram matrix, with and without a coordinate
    of one of its vectors as another factor."""
    if tokens == width:
        entries = comb(comb(width + 1, 2) + k - 1, k)
        return width * entries, entries
    odd = (p for p in _partitions(2 * k + 1, tokens) if sum(part % 2 for part in p) == 1)
    even = (tuple(2 * part for part in p) for p in _partitions(k, tokens))
    left, right = (sum(_schur(p, width) for p in chosen) for chosen in (odd, even))
    return left, right


def _partitions(total: int, parts: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    spend(1)
    if total == 0:
        yield ()
    elif parts > 0:
        for first in range(min(total, largest or total), -(-total // parts) - 1, -1):
            for rest in _partitions(total - first, parts - 1, first):
                yield (first, *rest)


def _schur(partition: tuple[int, ...], width: int) -> int:
    """The dimension of S_lambda(C^width): the product over its cells of content by hook length."""
    spend(sum(partition))
    columns = [sum(part > j for part in partition) for j in range(max(partition, default=0))]
    cells = [(i, j) for i, part in enumerate(partition) for j in range(part)]
    hooks = prod(partition[i] - j + columns[j] - i - 1 for i, j in cells)
    return prod(width + j - i for i, j in cells) // hooks


def coefficient_rank(network: Attention) -> int:
    """A bound of the separation rank for its own weights: the rank over Q of the coefficients of
    the output, as a polynomial in its token and in the entries of two symmetric matrices G_A, G_B.

    The output is a polynomial in the token and G = G_A + G_B; its coefficient at x_i G^(a + b)
    comes with x_i G_A^a G_B^b as often as a can be chosen from a + b.
    """
    _, width, *_ = sizes(network)
    top, entries = grades(network), comb(width + 1, 2)
    count = comb(entries + top - 1, top) * width
    require(count <= TERMS, f"the output may have {count} terms")
    largest = max(map(abs, network.weights), default=0)
    spend(count * (20 + top * largest.bit_length() // 4))  # 4 weights a degree in each coefficient
    total = 0
    rows: list[dict[tuple[int, tuple[int, ...]], dict[tuple[int, ...], int]]]
    rows = [{} for _ in range(top + 1)]
    for i, polynomial in enumerate(_outputs(network)):
        for powers, value in polynomial.to_dict().items():
            for ours in product(*(range(power + 1) for power in powers)):
                spend(1)
                theirs = tuple(n - k for n, k in zip(powers, ours, strict=True))
                times = prod(comb(n, k) for n, k in zip(powers, ours, strict=True))
                row = rows[sum(theirs)].setdefault((i, ours), {})
                row[theirs] = int(value) * times
    for block in rows:
        columns = sorted({theirs for row in block.values() for theirs in row})
        table = [[row.get(column, 0) for column in columns] for row in block.values()]
        size = max((n.bit_length() for row in table for n in row), default=0)
        spend(len(table) * len(columns) * (1 + min(len(table), len(columns)) * size // 200))
        total += fmpz_mat(table).rank() if table else 0
    return total


def _outputs(network: Attention) -> list[fmpz_mpoly]:
    """The polynomials P_i(G) with which the output is the sum of x_i P_i(G), x its first token."""
    layers, width, _, heads, degree = sizes(network)
    inner, span = width // heads, range(width)
    names = [f"g{i}_{j}" for i in span for j in range(i, width)]
    space = fmpz_mpoly_ctx.get(names, Ordering.lex)
    entry = dict(zip(((i, j) for i in span for j in range(i, width)), space.gens(), strict=True))
    gram = [[entry[min(i, j), max(i, j)] for j in span] for i in span]
    weights = iter(network.weights)
    zero, one = space.constant(0), space.constant(1)
    whole = [[one if i == j else zero for j in span] for i in span]
    for layer in range(1, layers + 1):
        mixed = [[zero] * width for _ in span]
        for _ in range(heads):
            head = [[one if i == j else zero for j in span] for i in span]
            for place in range(degree - 1):
                if place % 2:
                    head = _product(head, gram)
                for rows, columns in ((width, inner), (inner, width)):
                    factor = [[next(weights) for _ in range(columns)] for _ in range(rows)]
                    head = _product(head, factor)
            mixed = [[a + b for a, b in zip(*both, strict=True)]
                     for both in zip(mixed, head, strict=True)]  # fmt: skip
        whole = _product(whole, mixed)
        if layer < layers:
            turned = [list(column) for column in zip(*mixed, strict=True)]
            gram = _product(turned, _product(gram, mixed))
    return [row[0] for row in whole]


def _product(one: list[list[Any]], two: list[list[Any]]) -> list[list[Any]]:
    columns = list(zip(*two, strict=True))
    return [[reduce(add, map(mul, row, column)) for column in columns] for row in one]
