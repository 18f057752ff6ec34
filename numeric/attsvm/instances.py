"""Instances of Att-SVM: the two counterexamples, and random ones whose feasibility is known.

All are exact and depend on their arguments and the seed alone.

Source: seed 003, Optimisation; Tarzanagh et al., arXiv 2308.16898.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np

from ..errors import NumericError
from .arguments import whole as whole_number
from .problem import Problem

Obstacle = Literal["hull", "opposed", "combined"]
OBSTACLES: tuple[Obstacle, ...] = ("hull", "opposed", "combined")
DRAWS = 1000  # after so many without success a generator gives up


def loc() -> Problem:
    """One sequence in the plane where gradient descent has two limits, by its start.

    W^mm = (-3/10, 1/10) z^T selects token 0, but (1, 0) z^T is locally optimal for token 1.
    """
    return Problem.from_scores(
        [[[-3, 1], [1, 0], [0, 0]]], [[1, 0]], [Fraction(1, 2), Fraction(5, 2)], [1]
    )


def equal_scores(copies: int) -> Problem:
    """`copies` sequences {opt (1, 0), other 0} and one {opt (-2, 1), other 0}; all gaps are 1.

    W^mm = (1, 3) z^T whatever the number of copies.
    """
    count = whole_number("copies", copies, 1) + 1
    tokens = [[[1, 0], [0, 0]]] * (count - 1) + [[[-2, 1], [0, 0]]]
    return Problem.from_scores(tokens, [[1, 0]] * count, [1, 3], [1] * count)


def random_problem(n: int, length: int, d: int, seed: int, *, bound: int = 5) -> Problem:
    """Whole numbers from -bound to bound; feasible, since a hidden whole matrix M is.

    The optimal token is the one that maximises x . M z. Sequences in which two tokens tie for it
    are drawn again, so that every margin of M is a whole number >= 1.
    """
    generator = _generator(n, length, d, seed, bound)
    hidden = generator.integers(-3, 4, (d, d)) + 4 * np.eye(d, dtype=np.int64)
    tokens, queries, optimal = [], [], []
    for _ in range(DRAWS * n):
        x = generator.integers(-bound, bound + 1, (length, d))
        z = generator.integers(-bound, bound + 1, d)
        logits = x @ hidden @ z
        if np.count_nonzero(logits == logits.max()) > 1:
            continue
        tokens.append(x)
        queries.append(z)
        optimal.append(int(np.argmax(logits)))
        if len(tokens) == n:
            return Problem(np.array(tokens), np.array(queries), optimal)
    raise NumericError(
        f"bound: expected enough whole numbers for sequences of {length} tokens without ties in "
        f"{d} dimensions; got {bound}. Choose a larger bound or shorter sequences."
    )


def random_infeasible(
    n: int,
    length: int,
    d: int,
    seed: int,
    *,
    bound: int = 5,
    obstacle: Obstacle | None = None,
) -> Problem:
    """A feasible random problem with one obstacle put in; by default the seed picks which.

    `hull`: an optimal token is the mean of two others (T >= 3). `opposed`: two sequences with
    parallel queries want opposite things (n >= 2). `combined`: the last of several sequences has
    the sum of their queries and the opposite wish (n >= 3); no two of them conflict.
    """
    _generator(n, length, d, seed, bound)
    possible = [
        kind
        for kind, fits in zip(OBSTACLES, (length >= 3, n >= 2, n >= 3), strict=True)
        if fits and obstacle in (None, kind)
    ]
    if not possible:
        raise NumericError(
            f"obstacle: expected one that fits n = {n}, T = {length} ('hull' needs T >= 3, "
            f"'opposed' n >= 2, 'combined' n >= 3); got {obstacle!r}. Leave it out, or change n, T."
        )
    problem = random_problem(n, length, d, seed, bound=bound)
    generator = np.random.default_rng([seed, 1])
    kind = possible[int(generator.integers(len(possible)))]
    tokens, queries, optimal = problem.tokens.copy(), problem.queries.copy(), problem.optimal
    best = tokens[np.arange(n), optimal]
    other = (optimal + 1) % length
    last = n - 1
    if kind == "hull":
        wish = tokens[last, other[last]] - best[last]
        tokens[last, (optimal[last] + 2) % length] = best[last] - wish
    elif kind == "opposed":
        queries[last] = 2 * queries[0]
        tokens[last, other[last]] = best[last] + 3 * (best[0] - tokens[0, other[0]])
    else:
        count = int(generator.integers(2, n))
        shared = best[0] - tokens[0, other[0]]
        weights = generator.integers(1, 4, count)
        for i in range(count):
            tokens[i, other[i]] = best[i] - shared
        queries[last] = weights @ queries[:count]
        tokens[last, other[last]] = best[last] + shared
        if not queries[last].any():  # their sum vanished: the wishes alone already conflict
            queries[last] = queries[0]
    return Problem(tokens, queries, optimal)


def random_scored(
    n: int,
    length: int,
    d: int,
    seed: int,
    *,
    equal: bool = False,
    whole: bool = False,
    bound: int = 5,
) -> Problem:
    """Tokens with a decoder and labels, for training; standard normal, or whole numbers.

    With `equal` all sub-optimal scores are 0 and the optimal ones 1: the decoder reads the first
    coordinate, which holds the label at the optimal token. Generic data are feasible when
    d >= max(n, T - 1), or one more with `equal`; nothing is planted.
    """
    generator = _generator(n, length, d, seed, bound)
    labels = generator.choice([-1, 1], n)
    for _ in range(DRAWS):
        if whole:
            tokens = generator.integers(-bound, bound + 1, (n, length, d))
            queries = generator.integers(-bound, bound + 1, (n, d))
            decoder = generator.integers(-bound, bound + 1, d)
        else:
            tokens = generator.standard_normal((n, length, d))
            queries = generator.standard_normal((n, d))
            decoder = generator.standard_normal(d)
        if equal:
            best = generator.integers(0, length, n)
            tokens[:, :, 0] = np.where(np.arange(length) == best[:, None], labels[:, None], 0)
            decoder = np.eye(1, d, dtype=decoder.dtype)[0]
        ordered = np.sort(labels[:, None] * (tokens @ decoder), axis=1)
        if queries.any(axis=1).all() and (ordered[:, -1] > ordered[:, -2]).all():
            return Problem.from_scores(tokens, queries, decoder, labels)
    raise NumericError(
        f"bound: expected enough whole numbers for {n} sequences of {length} tokens without a tie "
        f"of scores or a query 0 in {d} dimensions; got {bound}. Choose a larger bound, more "
        "dimensions or fewer tokens."
    )


def _generator(n: int, length: int, d: int, seed: int, bound: int) -> np.random.Generator:
    for name, value in (("n", n), ("d", d), ("bound", bound)):
        whole_number(name, value, 1)
    whole_number("length", length, 2)
    return np.random.default_rng(whole_number("seed", seed, 0))
