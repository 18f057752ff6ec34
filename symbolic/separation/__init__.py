"""Separation rank and matricisation (seed 002, sections 1, 4 to 6): exact ranks of polynomials,
upper bounds of attention and Hadamard networks, derivations.

The separation rank of f(a, b) is the least R with f(a, b) = sum over r <= R of g_r(a) g'_r(b).
"""

from .arguments import SeparationError
from .attention import derive_attention_bounds
from .bounds import (
    attention_bound,
    hadamard_bound,
    hilbert_left,
    hilbert_right,
    schur_dimension,
    two_layer_rank,
    two_token_rank,
)
from .coefficients import derive_coefficient_rank
from .counterexamples import derive_finite_domain, derive_norms, derive_squared_distance
from .digits import derive_index
from .families import family_f_probability
from .layout import derive_matricisation_index
from .matricisation import matricisation_index, matricise
from .minors import derive_matricisation_bound, derive_modular_certificate
from .ranks import CoefficientMatrix, coefficient_matrix, matching_bound, separation_rank
from .rates import derive_no_uniform_constant, derive_ratio_limits, ratio_limit, two_token_ratio
from .two_tokens import derive_columns, derive_theta, derive_two_tokens

__all__ = [
    "CoefficientMatrix",
    "SeparationError",
    "attention_bound",
    "coefficient_matrix",
    "derive_attention_bounds",
    "derive_coefficient_rank",
    "derive_columns",
    "derive_finite_domain",
    "derive_index",
    "derive_matricisation_bound",
    "derive_matricisation_index",
    "derive_modular_certificate",
    "derive_no_uniform_constant",
    "derive_norms",
    "derive_ratio_limits",
    "derive_squared_distance",
    "derive_theta",
    "derive_two_tokens",
    "family_f_probability",
    "hadamard_bound",
    "hilbert_left",
    "hilbert_right",
    "matching_bound",
    "matricisation_index",
    "matricise",
    "ratio_limit",
    "schur_dimension",
    "separation_rank",
    "two_layer_rank",
    "two_token_rank",
    "two_token_ratio",
]
