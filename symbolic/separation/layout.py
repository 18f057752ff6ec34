"""The seed's row and column of a matricisation, case by case for small sizes.

Entry (j_1, ..., j_N) of a tensor with sides M = {1, ..., M} goes to

    row = 1 + sum_t (j_(a_t) - 1) M^(|A| - t),    column = 1 + sum_t (j_(b_t) - 1) M^(|B| - t).

To transpose the axes to A, B and reshape in C order to M^|A| rows puts the entry of place f,
counted from 0, at row 1 + floor(f/M^|B|) and the column of the remainder. For all sizes this is the
identity of `digits`; here each case of some partitions is gone through.

Source: seed 002, section 5.1.3.
"""

from __future__ import annotations

from sympy import Add, Expr, Integer, Symbol, floor

from ..derivation import Derivation, Proof
from ..statements import Domains, integers
from .digits import derive_index
from .exchange import conjunction

Places = tuple[int, ...]
# Places of A, of B, and the number of templates M.
LAYOUTS: tuple[tuple[Places, Places, int], ...] = (
    ((1,), (2,), 5),
    ((2,), (1, 3), 4),
    ((1, 3), (2, 4), 2),
    ((1, 3), (2, 4), 3),
    ((2, 4), (1, 3), 3),
    ((1, 2, 4), (3,), 2),
)


def index(places: Places, size: int) -> Expr:
    """sum_t (j_t - 1) size^(count - t) over the places in their order."""
    top = len(places)
    digits = ((Symbol(f"j{place}") - 1) * size ** (top - t) for t, place in enumerate(places, 1))
    return Add(*digits)


def index_names(left: Places, right: Places, size: int) -> Domains:
    return tuple((Symbol(f"j{place}"), integers(1, size)) for place in sorted((*left, *right)))


def reshaped(left: Places, right: Places, size: int) -> tuple[Expr, Expr]:
    """Row and column after transposing and reshaping."""
    flat, columns = index((*left, *right), size), Integer(size) ** len(right)
    row = floor(flat / columns)
    return 1 + row, 1 + flat - columns * row


def derive_matricisation_index() -> Derivation:
    """The identity for all sizes, and the cases of the small layouts one by one."""
    general, proof = derive_index(), Proof()
    for line in general.lines[:-1]:
        proof.line(line.statement, line.rule, *line.using, **dict(line.args))
    parts = list(general.lines[-1].using)
    for left, right, size in LAYOUTS:
        over = index_names(left, right, size)
        for place, places in zip(reshaped(left, right, size), (left, right), strict=True):
            stated = 1 + index(places, size)
            parts.append(proof.relate(place, "=", stated, "enumerate", over=over))
    return conjunction(proof, parts)
