"""Experiments on the budget-optimal degree: networks, enclosures of the optimum, budgets.

Nothing here uses a closed form of the result: degrees come from values modulo a prime, the
optimum from bisection in ball arithmetic, the best budget from going through all.

Source: Navon, "Attention is optimal building block", sections 1, 3.1 and 6.2.
"""

from .budgets import compositions, homogeneous, mixed_optimum
from .networks import (
    PRIME,
    LineDegree,
    Network,
    certify_degree,
    evaluate_mod,
    line_degree,
    random_network,
)
from .optimum import (
    OptimumBoxes,
    best_integer,
    best_integer_exact_powers,
    grid_maximum,
    log_ratio,
    optimum_boxes,
)

__all__ = [
    "PRIME",
    "LineDegree",
    "Network",
    "OptimumBoxes",
    "best_integer",
    "best_integer_exact_powers",
    "certify_degree",
    "compositions",
    "evaluate_mod",
    "grid_maximum",
    "homogeneous",
    "line_degree",
    "log_ratio",
    "mixed_optimum",
    "optimum_boxes",
    "random_network",
]
