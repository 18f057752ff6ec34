"""Attention as a support vector machine (seed 003, Optimisation): closed forms and derivations."""

from .feasible import Wide, derive_feasible
from .laws import (
    SupportInstance,
    derive_least,
    derive_most,
    derive_pull,
    derive_pull_of_two,
    derive_spared,
    derive_speed,
)
from .loss_reach import derive_optimal_loss
from .multitoken import (
    LimitComponents,
    OptimalMap,
    derive_forces,
    derive_gradient,
    derive_optimal_map,
    derive_rates,
    force_ratio,
    limit_components,
    optimal_map,
    span_rate,
)
from .orbits import derive_capture, derive_descent, derive_escape, loc_step
from .orbits_equal import derive_equal_escape, equal_step
from .orbits_window import derive_equal_capture
from .path import derive_path, logistic_slopes, path_bound, path_constant
from .softmax import derive_identity, derive_saturation

__all__ = [
    "LimitComponents",
    "OptimalMap",
    "SupportInstance",
    "Wide",
    "derive_capture",
    "derive_descent",
    "derive_equal_capture",
    "derive_equal_escape",
    "derive_escape",
    "derive_feasible",
    "derive_forces",
    "derive_gradient",
    "derive_identity",
    "derive_least",
    "derive_most",
    "derive_optimal_loss",
    "derive_optimal_map",
    "derive_path",
    "derive_pull",
    "derive_pull_of_two",
    "derive_rates",
    "derive_saturation",
    "derive_spared",
    "derive_speed",
    "equal_step",
    "force_ratio",
    "limit_components",
    "loc_step",
    "logistic_slopes",
    "optimal_map",
    "path_bound",
    "path_constant",
    "span_rate",
]
