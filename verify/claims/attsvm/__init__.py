"""Family `attsvm`: attention as a support vector machine (seed 003, Optimisation).

Statements are written out here, derivations come from `symbolic.attsvm`, experiments from
`numeric.attsvm`; the kernel compares all three.
"""

from .factorised import NUCLEAR_NORM
from .feasible import FEASIBLE_WHEN_WIDE, WIDTH_AS_NECESSARY
from .laws import RESIDUAL_LAW, SPARSITY_LAW
from .loss import OPTIMAL_LOSS, OPTIMAL_LOSS_AS_STATED
from .margins import INFEASIBLE, MAX_MARGIN
from .multitoken import MULTI_TOKEN, THREE_COMPONENTS, TWO_COMPONENTS
from .orbits import EQUAL_SCORES_TRAP, GD_AS_STATED, GD_EQUAL_SCORES, INIT_DEPENDENCE
from .path import PATH, PATH_RUN
from .rates import FAST_RATES, GD_RATE, GD_SELECTED
from .softmax import SATURATION, SATURATION_AS_STATED, SOFTMAX_IDENTITY

CLAIMS = (
    SOFTMAX_IDENTITY,
    SATURATION_AS_STATED,
    SATURATION,
    OPTIMAL_LOSS_AS_STATED,
    OPTIMAL_LOSS,
    WIDTH_AS_NECESSARY,
    FEASIBLE_WHEN_WIDE,
    MAX_MARGIN,
    INFEASIBLE,
    PATH,
    PATH_RUN,
    GD_AS_STATED,
    GD_SELECTED,
    INIT_DEPENDENCE,
    GD_EQUAL_SCORES,
    EQUAL_SCORES_TRAP,
    FAST_RATES,
    GD_RATE,
    RESIDUAL_LAW,
    SPARSITY_LAW,
    MULTI_TOKEN,
    TWO_COMPONENTS,
    THREE_COMPONENTS,
    NUCLEAR_NORM,
)
