"""The budget-optimal degree (seed 002, sections 1 and 6.2): closed forms and derivations.

A layer of degree d costs d matrices, or d + c with c = `extra` further ones; L layers have
degree d^L. With the budget L(d + c) fixed, the best d maximises h(d) = ln d / (d + c).
"""

from .closed_forms import (
    DegreeError,
    best_integer_degree,
    objective,
    optimal_degree,
    switch_point,
)
from .counting import derive_counting, derive_counting_table, derive_odd
from .layers import (
    derive_integer_depth,
    derive_mixing_layers,
    derive_proxy,
    mixed_bound,
    network_polynomial,
)
from .optimum import derive_gain, derive_integer_optimum, derive_integral, derive_optimum

__all__ = [
    "DegreeError",
    "best_integer_degree",
    "derive_counting",
    "derive_counting_table",
    "derive_gain",
    "derive_integer_depth",
    "derive_integer_optimum",
    "derive_integral",
    "derive_mixing_layers",
    "derive_odd",
    "derive_optimum",
    "derive_proxy",
    "mixed_bound",
    "network_polynomial",
    "objective",
    "optimal_degree",
    "switch_point",
]
