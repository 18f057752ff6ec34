"""Upper bounds of separation ranks of networks.

Linear attention, L layers of degree d = 3 (any odd d), width d_x, m tokens on each side. The Gram
matrix of the tokens is the sum S_A + S_B of those of the two sides, and an output of a token of A
is a polynomial of degree D = (d^L - 1)/2 in its entries, times a coordinate of that token. Its part
of degree k in S_A is a bilinear form in

    left:  products of k entries of S_A and a coordinate of the token   (dimension h_A(k)),
    right: products of D - k entries of S_B                             (dimension h_B(D - k)),

so sep <= U = sum over k of min(h_A(k), h_B(D - k)), for any weights and any number of heads. By
the first and second fundamental theorems for the orthogonal group O(m) (Weyl 1939) and Cauchy's
identity, with S_lambda the Schur functor and r = min(m, d_x),

    h_B(k) = sum of dim S_{2 lambda}(C^d_x), lambda a partition of k with at most r parts,
    h_A(k) = sum of dim S_lambda(C^d_x), lambda a partition of 2k + 1 with at most r parts of
             which exactly one is odd.

For r = d_x these are C(n + k - 1, k) with n = d_x (d_x + 1)/2, and d_x times that (Pieri's rule).

Hadamard layers z -> prod_k (W_k z), p of them, have degree D = d^p; with n inputs on each side
sep <= G(n, D) = sum over k of min(h(k), h(D - k)), where h(k) = C(k + n - 1, n - 1).

Source: seed 002, sections 1 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import comb

from sympy import Expr, Integer, binomial

from .arguments import SeparationError, whole, whole_or_symbolic

Whole = int | Expr


def partitions(total: int, parts: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The partitions of `total` into at most `parts` parts, none larger than `largest`."""
    most = total if largest is None else min(total, largest)
    if total == 0:
        yield ()
    elif parts > 0:
        for first in range(most, -(-total // parts) - 1, -1):
            for rest in partitions(total - first, parts - 1, first):
                yield (first, *rest)


def schur_dimension(partition: tuple[int, ...], width: int) -> int:
    """dim S_lambda(C^width): the hook content formula, in Weyl's form of it."""
    size = whole("width", width)
    rows = (*partition, *(0,) * (size - len(partition)))
    if any(a < b for a, b in pairwise((*rows, 0))):
        raise SeparationError(
            f"partition: expected parts from the largest down, none negative; got {partition!r}."
        )
    if len(rows) > size:
        return 0 if rows[size] else schur_dimension(rows[:size], size)
    over = under = 1
    for j in range(size):
        for i in range(j):
            over *= rows[i] - rows[j] + j - i
            under *= j - i
    return over // under


def hilbert_right(power: int, width: int, tokens: int) -> int:
    """h_B: the dimension of the space of products of `power` entries of the Gram matrix of
    `tokens` vectors of length `width`, as polynomials in the vectors."""
    k, size, rank = _sizes(power, width, tokens)
    if rank == size:
        return comb(size * (size + 1) // 2 + k - 1, k)
    doubled = (tuple(2 * part for part in parts) for parts in partitions(k, rank))
    return sum(schur_dimension(parts, size) for parts in doubled)


def hilbert_left(power: int, width: int, tokens: int) -> int:
    """h_A: as `hilbert_right`, each product with a coordinate of one of the vectors."""
    k, size, rank = _sizes(power, width, tokens)
    if rank == size:
        return size * hilbert_right(k, size, rank)
    odd = (parts for parts in partitions(2 * k + 1, rank) if sum(part % 2 for part in parts) == 1)
    return sum(schur_dimension(parts, size) for parts in odd)


def _sizes(power: int, width: int, tokens: int) -> tuple[int, int, int]:
    size = whole("width", width)
    return whole("power", power, 0), size, min(whole("tokens", tokens), size)


def attention_bound(layers: int, width: int, tokens: int, degree: int = 3) -> int:
    """U, the upper bound of the separation rank of linear attention with `tokens` tokens on each
    side; the output is one coordinate of one of them."""
    most = (_odd(degree) ** whole("layers", layers) - 1) // 2
    return sum(
        min(hilbert_left(k, width, tokens), hilbert_right(most - k, width, tokens))
        for k in range(most + 1)
    )


def _odd(degree: int) -> int:
    found = whole("degree", degree, 3)
    if found % 2 == 0:
        raise SeparationError(
            f"degree: expected an odd degree; got {found}. A layer X prod (W X^T) of even degree "
            "does not map sequences to sequences, so such layers do not compose."
        )
    return found


def two_layer_rank(width: int, heads: int = 1) -> int:
    """The largest separation rank of two layers of `heads` heads, two or more tokens a side.

    With r = width/heads the first layer depends on the Gram matrix S through the r x r entries of
    each head: f = min(n, width r) linear forms s of its n entries. An output is of the form
    sum s s s S x, so that its parts of degree 0 to 4 in S_B have at most the ranks

        1, n, C(f + 1, 2) + f (n - f), min(width n, C(f + 2, 3) + width f), width:

    two factors of S_B are two s, or s and an entry of S; one factor of S_A is the S, beside one of
    the C(f + 2, 3) products of s on the other side, or one of the f forms s, with a coordinate.
    """
    size, count = whole("width", width), whole("heads", heads)
    if size % count:
        raise SeparationError(
            f"heads: expected a divisor of width = {size}; got {count}. Pass, e.g., heads=1."
        )
    n = comb(size + 1, 2)
    forms = min(n, size * (size // count))
    second = comb(forms + 1, 2) + forms * (n - forms)
    return 1 + n + second + min(size * n, comb(forms + 2, 3) + size * forms) + size


def two_token_rank(layers: Whole, width: Whole, degree: int = 3) -> Whole:
    """C(D + width, width) with D = (degree^layers - 1)/2: the separation rank for one token on
    each side, an int for numbers and an expression for symbols."""
    depth, size = whole_or_symbolic("layers", layers), whole_or_symbolic("width", width)
    most = (Integer(_odd(degree)) ** depth - 1) / 2
    if depth.free_symbols or size.free_symbols:
        return binomial(most + size, size)
    return comb(int(most + size), int(size))


def hadamard_bound(inputs: Whole, degree: int, depth: Whole, width: int | None = None) -> Whole:
    """G(inputs, degree^depth): the upper bound of the separation rank of `depth` Hadamard layers
    with `inputs` inputs on each side, an int for numbers and an expression for symbols.

    One layer alone is a sum of few products: give `width`, the number of its outputs that are
    added up, for the sharper bound, whose block of degree k is at most width * C(degree, k).
    """
    n, p = whole_or_symbolic("inputs", inputs), whole_or_symbolic("depth", depth)
    order, symbolic = whole("degree", degree), bool(n.free_symbols | p.free_symbols)
    if width is not None:
        if symbolic or p != 1:
            raise SeparationError(
                f"width: expected only with depth 1 and numbers; got depth {depth} and inputs "
                f"{inputs}. Leave it out."
            )
        return _one_layer(int(n), order, whole("width", width))
    total = Integer(order) ** p
    half = (total - 1) / 2 if order % 2 else total / 2
    count = binomial if symbolic else comb
    if not symbolic:
        half, n = int(half), int(n)
    if order % 2:
        return 2 * count(half + n, n)
    return 2 * count(half - 1 + n, n) + count(half + n - 1, n - 1)


def _one_layer(inputs: int, order: int, width: int) -> int:
    sizes = [comb(k + inputs - 1, inputs - 1) for k in range(order + 1)]
    return sum(min(sizes[k], sizes[order - k], width * comb(order, k)) for k in range(order + 1))
