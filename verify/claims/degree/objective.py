"""What the family's claims share: the source, the variable and the objective."""

from __future__ import annotations

from sympy import Expr, Symbol, log

SEED = "seed 002 (Navon, Attention is optimal building block)"
d = Symbol("d")


def h(extra: Expr | int = 0, degree: Expr | int = d) -> Expr:
    """ln(degree)/(degree + extra)."""
    return log(degree) / (degree + extra)


# (degree, network): a network is a tuple of layers, a layer a tuple of integer matrices.
_QUADRATIC = (((1, 2), (3, -1)), ((2, 1), (1, 1)))
_QUADRATIC_TOO = (((1, 1), (0, 1)), ((1, -1), (2, 1)))
_CUBIC = (((1, -2), (2, 1)), ((1, 1), (1, -1)), ((2, 3), (1, 0)))
_CUBIC_TOO = (((1, 1), (1, 2)), ((1, -1), (0, 1)), ((2, 1), (1, 1)))
_QUINTIC = tuple(((1, k), (k, 1)) for k in (2, 3, 4, 5, 7))
NETWORKS = (
    (2, (_QUADRATIC, _QUADRATIC_TOO)),
    (3, (_CUBIC, _CUBIC_TOO)),
    (2, (_QUADRATIC_TOO, _QUADRATIC, _QUADRATIC)),
    (5, (_QUINTIC,)),
)
