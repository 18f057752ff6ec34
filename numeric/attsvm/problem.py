"""One instance of Att-SVM: exact tokens, queries and the optimal token of each sequence.

n sequences of T tokens x_it in R^d, a query z_i, and opt_i, the token that each sequence should
attend to. The rows of the problem are the atoms A_it = (x_i,opt - x_it) z_i^T, t != opt_i, and

    W^mm = argmin |W|_F   subject to   <A_it, W> = (x_i,opt - x_it) . W z_i >= 1.

All values are rational: whole numbers, fractions, or floats, which are the dyadic rationals that
they are. Rows are kept as whole numbers over one common denominator.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898; Vasudeva,
Deora, Thrampoulidis, arXiv 2402.05738.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import NumericError
from . import integers
from .reading import exact_array


@dataclass(frozen=True, eq=False)
class Problem:
    """Tokens (n, T, d), queries (n, d), the optimal token of each sequence (n,).

    `scores` (n, T), wanted by training alone, is g_it; `from_scores` computes it. Each array may
    be a nested list, a numpy array or a torch tensor of whole numbers, fractions or floats. It is
    kept as a read-only array of int64, of float64 or of fractions, without rounding.
    """

    tokens: Any
    queries: Any
    optimal: Any
    scores: Any = None

    def __post_init__(self) -> None:
        tokens = exact_array("tokens", self.tokens, ("sequence", "token", "coordinate"))
        queries = exact_array("queries", self.queries, ("sequence", "coordinate"))
        _check_shapes(tokens, queries)
        optimal = _indices(self.optimal, *tokens.shape[:2])
        _check_queries(queries)
        scores = self.scores
        if scores is not None:
            scores = exact_array("scores", scores, ("sequence", "token"))
            _require_shape("scores", scores, tokens.shape[:2], "one score a token")
            _check_best(scores, optimal)
        for name, value in zip(
            ("tokens", "queries", "optimal", "scores"),
            (tokens, queries, optimal, scores),
            strict=True,
        ):
            if value is not None:
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    @classmethod
    def from_scores(
        cls, tokens: object, queries: object, decoder: object, labels: object
    ) -> Problem:
        """The problem in which token t of sequence i scores g_it = y_i v . x_it, exactly.

        The optimal token is the one with the highest score; a tie for it is an error.
        """
        exact = exact_array("tokens", tokens, ("sequence", "token", "coordinate"))
        v = exact_array("decoder", decoder, ("coordinate",))
        y = exact_array("labels", labels, ("sequence",))
        _require_shape("decoder", v, exact.shape[2:], "one weight a coordinate of the tokens")
        _require_shape("labels", y, exact.shape[:1], "one label a sequence")
        for i, label in enumerate(y):
            if label not in (1, -1):
                raise NumericError(
                    f"labels: expected 1 or -1 for each sequence; got {label} for sequence {i}. "
                    "Write -1 for the other class."
                )
        scores = _scores(exact, v, y)
        return cls(exact, queries, _argmax(scores), scores)

    def __reduce__(self) -> tuple:
        # Through the checks again, which make the arrays of a copy read-only too.
        return type(self), (self.tokens, self.queries, self.optimal, self.scores)

    def __repr__(self) -> str:
        kinds = {np.dtype(np.int64): "whole numbers", np.dtype(np.float64): "floats"}
        kind = kinds.get(self.tokens.dtype, "fractions")
        scored = "without scores" if self.scores is None else "with scores"
        return f"Problem(n={self.n}, T={self.length}, d={self.d}, {kind}, {scored})"

    def selecting(self, optimal: object) -> Problem:
        """The same sequences with other tokens to attend to, for instance those a run selected.

        It has no scores: the new tokens need not be the ones that score highest.
        """
        return Problem(self.tokens, self.queries, optimal)

    @property
    def n(self) -> int:
        """How many sequences."""
        return self.tokens.shape[0]

    @property
    def length(self) -> int:
        """T, how many tokens a sequence has."""
        return self.tokens.shape[1]

    @property
    def d(self) -> int:
        """How many coordinates a token has."""
        return self.tokens.shape[2]

    @property
    def m(self) -> int:
        """How many rows: n (T - 1)."""
        return self.n * (self.length - 1)

    @cached_property
    def pairs(self) -> np.ndarray:
        """(m, 2): sequence and token of each row, in the order of sequences, then of tokens."""
        sequence, token = np.meshgrid(np.arange(self.n), np.arange(self.length), indexing="ij")
        other = token != self.optimal[:, None]
        return np.stack([sequence[other], token[other]], axis=1)

    @cached_property
    def tokens_float(self) -> np.ndarray:
        """The tokens in float64, each rounded once."""
        return _floats(self.tokens)

    @cached_property
    def queries_float(self) -> np.ndarray:
        """The queries in float64, each rounded once."""
        return _floats(self.queries)

    @cached_property
    def scores_float(self) -> np.ndarray:
        """The scores in float64, each rounded once."""
        if self.scores is None:
            raise NumericError(
                "scores: expected a problem that has them; got one without. Build it by "
                "Problem.from_scores, or pass scores=."
            )
        return _floats(self.scores)

    @cached_property
    def differences_float(self) -> np.ndarray:
        """(m, d): x_i,opt - x_it in float64, in the order of `pairs`; rounded once, or inf."""
        if self.tokens.dtype != np.float64:
            numerators, denominator = self._differences
            plain = denominator == 1 and numerators.dtype == np.int64
            return _floats(numerators if plain else integers.fractions(numerators, denominator))
        sequence, token = self.pairs.T
        with np.errstate(over="ignore"):
            return self.tokens[sequence, self.optimal[sequence]] - self.tokens[sequence, token]

    def named(self, rows: Sequence[int]) -> str:
        """Token and sequence of the first few of these rows, in words."""
        names = [f"token {t} of sequence {i}" for i, t in self.pairs[list(rows[:3])].tolist()]
        more = f", and {len(rows) - 3} more" if len(rows) > 3 else ""
        return ", ".join(names) + more

    @property
    def differences(self) -> np.ndarray:
        """(m, d) whole numbers: x_i,opt - x_it times one denominator (see `scale`)."""
        return self._differences[0]

    @property
    def query_numerators(self) -> np.ndarray:
        """(n, d) whole numbers: z_i times one denominator (see `scale`)."""
        return self._queries[0]

    @property
    def scale(self) -> int:
        """The number that makes whole rows: scale * A_it = differences queries^T."""
        return self._differences[1] * self._queries[1]

    @cached_property
    def _differences(self) -> tuple[np.ndarray, int]:
        tokens, denominator = integers.scaled(self.tokens)
        sequence, token = self.pairs.T
        best = tokens[sequence, self.optimal[sequence]]
        return integers.difference(best, tokens[sequence, token]), denominator

    @cached_property
    def _queries(self) -> tuple[np.ndarray, int]:
        return integers.scaled(self.queries)

    def atoms(self) -> tuple[tuple[Fraction, ...], ...]:
        """The m exact rows, each of the d * d entries of A_it in the order of W's rows."""
        rows = []
        for (sequence, _), x in zip(self.pairs, self.differences.tolist(), strict=True):
            z = self.query_numerators[sequence].tolist()
            rows.append(tuple(Fraction(int(a) * int(b), self.scale) for a in x for b in z))
        return tuple(rows)

    def gram(self, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> np.ndarray:
        """scale^2 <A_j, A_k>, whole numbers: int64 where it provably fits, else Python's.

        `rows` and `columns` pick some of the m atoms, by default all of them, and as many
        columns as rows. The d * d entries of an atom are never formed.
        """
        j = np.arange(self.m) if rows is None else self._rows("rows", rows)
        k = j if columns is None else self._rows("columns", columns)
        (left, at_left), (right, at_right) = (
            np.unique(self.pairs[chosen, 0], return_inverse=True) for chosen in (j, k)
        )
        z = self.query_numerators
        queries = integers.product(z[left], z[right].T)[at_left][:, at_right]
        tokens = integers.product(self.differences[j], self.differences[k].T)
        return integers.times(tokens, queries)

    def _rows(self, name: str, given: np.ndarray) -> np.ndarray:
        chosen = np.asarray(given, dtype=np.int64)
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self.m:
            raise NumericError(
                f"{name}: expected rows from 0 to {self.m - 1}; got one from {chosen.min()} to "
                f"{chosen.max()}. See pairs for the sequence and the token of each row."
            )
        return chosen


def _require_shape(name: str, array: np.ndarray, shape: tuple[int, ...], meaning: str) -> None:
    if array.shape != tuple(shape):
        raise NumericError(
            f"{name}: expected shape {tuple(shape)}, {meaning}; got {array.shape}. Make it fit the "
            "tokens."
        )


def _check_shapes(tokens: np.ndarray, queries: np.ndarray) -> None:
    n, length, d = tokens.shape
    if length < 2:
        raise NumericError(
            f"tokens: expected T >= 2 tokens a sequence, so that there is one to prefer; got "
            f"T = {length} in all {n} sequences (the first is sequence 0, whose only token is "
            "token 0). Add another token."
        )
    _require_shape("queries", queries, (n, d), "one query a sequence, as long as a token")


def _check_queries(queries: np.ndarray) -> None:
    zero = np.flatnonzero(~(queries != 0).any(axis=1))
    if zero.size:
        raise NumericError(
            f"queries: expected z_i != 0, since W z_i cannot prefer any token otherwise; got "
            f"z = 0 for sequence {zero[0]}. Leave that sequence out."
        )


def _indices(optimal: object, n: int, length: int) -> np.ndarray:
    array = exact_array("optimal", optimal, ("sequence",))
    _require_shape("optimal", array, (n,), "the index of one token a sequence")
    for i, index in enumerate(array):
        if index != int(index) or not 0 <= index < length:
            raise NumericError(
                f"optimal: expected a whole index from 0 to {length - 1} for each sequence; got "
                f"token {index} for sequence {i}. Count tokens from 0."
            )
    return array.astype(np.int64)


def _scores(tokens: np.ndarray, decoder: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """g_it = y_i v . x_it over one denominator, cleared where it is 1."""
    x, below_x = integers.scaled(tokens)
    v, below_v = integers.scaled(decoder)
    n, length, d = tokens.shape
    plain = integers.product(x.reshape(n * length, d), v.reshape(d, 1)).reshape(n, length)
    signs = np.array([[int(label)] for label in labels], dtype=np.int64)
    scores = integers.times(plain, np.broadcast_to(signs, plain.shape))
    denominator = below_x * below_v
    if denominator == 1 and scores.dtype == np.int64:
        return scores
    return integers.fractions(scores, denominator)


def _argmax(scores: np.ndarray) -> np.ndarray:
    """The index of the highest score of each sequence; ties are left to the problem's check."""
    return np.array([max(range(len(row)), key=row.__getitem__) for row in scores.tolist()])


def _check_best(scores: np.ndarray, optimal: np.ndarray) -> None:
    for i, (row, best) in enumerate(zip(scores.tolist(), optimal.tolist(), strict=True)):
        for t, score in enumerate(row):
            if t != best and score >= row[best]:
                problem = "a tie" if score == row[best] else "a higher one"
                raise NumericError(
                    f"scores: expected token {best} of sequence {i}, its optimal token, to score "
                    f"higher than all others; got {problem}: token {t} scores {score} against "
                    f"{row[best]}. Change the decoder or the tokens."
                )


def _floats(array: np.ndarray) -> np.ndarray:
    if array.dtype == object:
        result = np.array([_float(value) for value in array.flat]).reshape(array.shape)
    else:
        result = array.astype(np.float64)
    result.setflags(write=False)
    return result


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:  # the difference of two numbers that fit
        return math.inf if value > 0 else -math.inf
