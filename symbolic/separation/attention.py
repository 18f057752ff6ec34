"""Linear attention of given sizes: sep <= U, one size after the other (see `bounds`)."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Integer

from ..derivation import Derivation, Proof
from ..statements import Attention, Every, SeparationRank
from .bounds import attention_bound

Size = tuple[int, int, int, int, int]  # layers, width, tokens a side, heads, degree


def derive_attention_bounds(sizes: Iterable[Size]) -> Derivation:
    """sep <= U at each of the sizes (layers, width, tokens a side, heads, degree)."""
    proof = Proof()
    parts = []
    for layers, width, tokens, heads, degree in sizes:
        network = Attention(*map(Integer, (layers, width, tokens, heads, degree)))
        bound = Integer(attention_bound(layers, width, tokens, degree))
        parts.append(proof.line(SeparationRank(network, "<=", bound), "graded"))
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()
