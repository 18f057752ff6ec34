"""Upper bounds: Hilbert functions by brute force, and small networks that attain them."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise, product
from math import comb, prod
from random import Random

import pytest
from flint import Ordering, fmpz_mat, fmpz_mpoly_ctx
from sympy import Rational, Symbol, binomial

from lemmata.symbolic.separation import (
    SeparationError,
    attention_bound,
    hadamard_bound,
    hilbert_left,
    hilbert_right,
    schur_dimension,
    separation_rank,
    two_token_rank,
)
from lemmata.symbolic.separation.bounds import partitions


def variables(count: int):
    return fmpz_mpoly_ctx.get([f"v{i}" for i in range(count)], Ordering.lex).gens()


def dimension(polynomials) -> int:
    """Of the span over Q: the rank of all their coefficients."""
    found = [p.to_dict() for p in polynomials]
    columns = {key: j for j, key in enumerate({key for p in found for key in p})}
    entries = [[0] * len(columns) for _ in found]
    for row, terms in zip(entries, found, strict=True):
        for key, value in terms.items():
            row[columns[key]] = int(value)
    return fmpz_mat(entries).rank()


def gram_products(power: int, width: int, tokens: int, with_token: bool):
    """Products of entries of the Gram matrix of the tokens, as polynomials in the tokens."""
    names = variables(width * tokens)
    rows = [names[t * width : (t + 1) * width] for t in range(tokens)]
    pairs = combinations_with_replacement(range(width), 2)
    gram = [sum((row[i] * row[j] for row in rows), 0 * names[0]) for i, j in pairs]
    for chosen in combinations_with_replacement(gram, power):
        for first in rows[0] if with_token else (1,):
            yield prod(chosen, start=0 * names[0] + 1) * first


SIZES = [
    (power, width, tokens)
    for power, width, tokens in product(range(4), (1, 2, 3), (1, 2, 3, 4))
    if (power, width, tokens) not in {(3, 3, 4)}
] + [(4, 2, 1), (4, 2, 2), (2, 4, 2), (2, 4, 3), (5, 1, 2), (3, 4, 1)]


@pytest.mark.parametrize(("power", "width", "tokens"), SIZES)
def test_hilbert_functions_count_dimensions(power: int, width: int, tokens: int) -> None:
    right = dimension(gram_products(power, width, tokens, False))
    left = dimension(gram_products(power, width, tokens, True))
    assert hilbert_right(power, width, tokens) == right
    assert hilbert_left(power, width, tokens) == left


def by_partitions(power: int, width: int, tokens: int) -> tuple[int, int]:
    rank = min(tokens, width)
    even = (tuple(2 * part for part in parts) for parts in partitions(power, rank))
    odd = (p for p in partitions(2 * power + 1, rank) if sum(part % 2 for part in p) == 1)
    return tuple(sum(schur_dimension(p, width) for p in chosen) for chosen in (odd, even))


@pytest.mark.parametrize("width", range(1, 6))
@pytest.mark.parametrize("tokens", range(1, 7))
def test_free_closed_form_is_the_sum_over_partitions(width: int, tokens: int) -> None:
    for power in range(7):
        found = hilbert_left(power, width, tokens), hilbert_right(power, width, tokens)
        assert found == by_partitions(power, width, tokens)


@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_partitions_are_all_of_them(parts: int) -> None:
    for total in range(9):
        every = {
            tuple(sorted((p for p in choice if p), reverse=True))
            for choice in combinations_with_replacement(range(total + 1), parts)
            if sum(choice) == total
        }
        found = list(partitions(total, parts))
        assert set(found) == every
        assert len(found) == len(every)


def hook_content(partition: tuple[int, ...], width: int) -> Rational:
    columns = [sum(part > j for part in partition) for j in range(max(partition, default=0))]
    result = Rational(1)
    for i, part in enumerate(partition):
        for j in range(part):
            result *= Rational(width + j - i, part - j + columns[j] - i - 1)
    return result


@pytest.mark.parametrize("width", range(1, 6))
def test_schur_dimension_is_the_hook_content_formula(width: int) -> None:
    for total in range(9):
        for partition in partitions(total, 7):
            assert schur_dimension(partition, width) == hook_content(partition, width)
    assert schur_dimension((2, 1, *(0,) * 9), width) == hook_content((2, 1), width)


def matrix(random: Random, rows: int, columns: int) -> list[list[int]]:
    return [
        [random.choice((-1, 1)) * random.randint(1, 9) for _ in range(columns)] for _ in range(rows)
    ]


def times(rows, vector):
    return [sum((a * v for a, v in zip(row, vector, strict=True)), 0 * vector[0]) for row in rows]


def attention(layers: int, width: int, tokens: int, degree: int = 3):
    """One coordinate of linear attention with one head and whole weights; tokens on each side."""
    random = Random(17)
    names = variables(2 * tokens * width)
    rows = [list(names[t * width : (t + 1) * width]) for t in range(2 * tokens)]
    for _ in range(layers):
        weights = [matrix(random, width, width) for _ in range((degree + 1) // 2)]
        gram = [
            [sum((row[i] * row[j] for row in rows), 0 * names[0]) for j in range(width)]
            for i in range(width)
        ]
        following = []
        for row in rows:
            value = times(weights[0], row)
            for weight in weights[1:]:
                value = times(weight, times(gram, value))
            following.append(value)
        rows = following
    half = tokens * width
    return rows[0][0].to_dict(), tuple(range(half)), tuple(range(half, 2 * half))


ATTENTION = [
    *((1, width, tokens, 3) for width in (1, 2, 3) for tokens in (1, 2, 3)),
    *((2, 1, 1, 3), (2, 1, 2, 3), (2, 2, 1, 3), (2, 3, 1, 3), (3, 1, 1, 3)),
    *((1, 2, 1, 5), (1, 2, 2, 5), (1, 1, 2, 7), (1, 2, 1, 7)),
]


@pytest.mark.parametrize(("layers", "width", "tokens", "degree"), ATTENTION)
def test_small_networks_attain_the_bound(layers, width, tokens, degree) -> None:
    rank = separation_rank(*attention(layers, width, tokens, degree))
    assert rank == attention_bound(layers, width, tokens, degree)


def test_a_polynomial_in_eight_variables_attains_the_bound() -> None:
    assert separation_rank(*attention(2, 2, 2)) == attention_bound(2, 2, 2) == 18


def test_figures_of_the_theory() -> None:
    assert [attention_bound(layers, 2, 2) for layers in (2, 3, 4)] == [18, 232, 4538]
    assert attention_bound(2, 4, 2) == 110


@pytest.mark.parametrize("width", range(1, 7))
def test_one_and_two_layers_in_closed_form(width: int) -> None:
    n = width * (width + 1) // 2
    for tokens in range(1, 8):
        assert attention_bound(1, width, tokens) == width + 1
        free = (n + 1) * (n + 2 + 2 * width) // 2
        if tokens >= min(2, width):
            assert attention_bound(2, width, tokens) == free
        else:
            assert attention_bound(2, width, tokens) == comb(width + 4, 4) < free


@pytest.mark.parametrize("degree", [3, 5, 7])
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_two_tokens_in_closed_form(layers: int, width: int, degree: int) -> None:
    most = (degree**layers - 1) // 2
    rank = two_token_rank(layers, width, degree)
    assert isinstance(rank, int)
    assert rank == comb(most + width, width) == attention_bound(layers, width, 1, degree)


def test_the_bound_grows_with_the_tokens_until_they_span() -> None:
    for layers, width in ((2, 2), (3, 2), (3, 3), (3, 4)):
        bounds = [attention_bound(layers, width, tokens) for tokens in range(1, width + 3)]
        assert bounds == sorted(bounds)
        assert len(set(bounds[width - 1 :])) == 1


def hadamard(inputs: int, degree: int, depth: int, width: int):
    """Hadamard layers with whole weights, the outputs of the last one added up."""
    random = Random(5)
    values = list(variables(2 * inputs))
    for _ in range(depth):
        factors = [times(matrix(random, width, len(values)), values) for _ in range(degree)]
        values = [prod(column[1:], start=column[0]) for column in zip(*factors, strict=True)]
    total = sum(values[1:], values[0])
    return total.to_dict(), tuple(range(inputs)), tuple(range(inputs, 2 * inputs))


@pytest.mark.parametrize(
    ("inputs", "degree", "depth"),
    [*product((1, 2, 3), (2, 3), (2,)), (1, 4, 2), (2, 4, 2), (1, 2, 4), (2, 2, 3), (1, 3, 3)],
)
def test_hadamard_networks_of_width_two_attain_the_bound(inputs, degree, depth) -> None:
    rank = separation_rank(*hadamard(inputs, degree, depth, 2))
    assert rank == hadamard_bound(inputs, degree, depth)


@pytest.mark.parametrize("inputs", [1, 2, 3])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_one_hadamard_layer_attains_the_sharper_bound(inputs, degree, width) -> None:
    rank = separation_rank(*hadamard(inputs, degree, 1, width))
    assert rank == hadamard_bound(inputs, degree, 1, width) <= hadamard_bound(inputs, degree, 1)


@pytest.mark.parametrize("inputs", [1, 2, 3, 5])
def test_hadamard_bound_is_a_sum_of_minima_and_grows(inputs: int) -> None:
    bounds = [hadamard_bound(inputs, total, 1) for total in range(1, 30)]
    for total, bound in enumerate(bounds, 1):
        sizes = [comb(k + inputs - 1, inputs - 1) for k in range(total + 1)]
        assert bound == sum(map(min, sizes, sizes[::-1]))
    assert all(a < b for a, b in pairwise(bounds))


def test_symbols_give_expressions() -> None:
    L, d, n, p = (Symbol(name) for name in "Ldnp")
    assert two_token_rank(L, d) == binomial((3**L - 1) / 2 + d, d)
    for layers, width in product((1, 2, 3), (1, 2, 3)):
        values = {L: layers, d: width}
        assert two_token_rank(L, d).subs(values) == two_token_rank(layers, width)
        assert two_token_rank(L, width).subs(values) == two_token_rank(layers, width)
    for inputs, degree, depth in product((1, 2, 3), (2, 3, 4), (1, 2)):
        values = {n: inputs, p: depth}
        bound = hadamard_bound(inputs, degree, depth)
        assert hadamard_bound(n, degree, p).subs(values) == bound
        assert hadamard_bound(n, degree, depth).subs(values) == bound


BAD = [
    (attention_bound, (0, 2, 2), "layers: expected an integer of at least 1; got 0"),
    (attention_bound, (2, 0, 2), "width: expected"),
    (attention_bound, (2, 2, 0), "tokens: expected"),
    (attention_bound, (2, 2.0, 2), "width: expected"),
    (attention_bound, (True, 2, 2), "layers: expected"),
    (attention_bound, (Symbol("L"), 2, 2), "layers: expected"),
    (attention_bound, (2, 2, 2, 4), "degree: expected an odd degree; got 4"),
    (attention_bound, (2, 2, 2, 1), "degree: expected an integer of at least 3"),
    (two_token_rank, (2, 2, 4), "degree: expected an odd degree"),
    (two_token_rank, (0, 2), "layers: expected"),
    (two_token_rank, (2, Rational(1, 2)), "width: expected"),
    (hadamard_bound, (0, 2, 2), "inputs: expected"),
    (hadamard_bound, (2, 0, 2), "degree: expected"),
    (hadamard_bound, (2, Symbol("d"), 2), "degree: expected"),
    (hadamard_bound, (2, 2, -1), "depth: expected"),
    (hadamard_bound, (2, 2, 2, 2), "width: expected only with depth 1"),
    (hadamard_bound, (Symbol("n"), 2, 1, 2), "width: expected only with depth 1 and numbers"),
    (hadamard_bound, (2, 2, 1, 0), "width: expected"),
    (hilbert_left, (-1, 2, 2), "power: expected an integer of at least 0"),
    (hilbert_right, (1, 2, "2"), "tokens: expected"),
    (schur_dimension, ((1, 2), 3), "partition: expected"),
    (schur_dimension, ((1, -1), 3), "partition: expected"),
    (schur_dimension, ((2, 1), 0), "width: expected"),
]


@pytest.mark.parametrize(("function", "arguments", "said"), BAD)
def test_bad_input_is_named(function, arguments, said: str) -> None:
    with pytest.raises(SeparationError, match=said):
        function(*arguments)
