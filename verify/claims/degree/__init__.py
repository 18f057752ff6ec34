"""Family `degree`: the budget-optimal degree of a layer (seed 002, sections 1 and 6.2).

Statements are written out here, derivations come from `symbolic.degree`, experiments from
`numeric.degree`; the kernel compares all three.
"""

from .counting import ATTENTION, ATTENTION_AS_STATED, COUNTING, COUNTING_TABLE
from .layers import INTEGER_DEPTH, MIXING_LAYERS, PROXY
from .optimum import FRACTIONAL_GAIN, INTEGER_OPTIMUM, INTEGRAL, INTEGRAL_SLIP, OPTIMUM

CLAIMS = (
    OPTIMUM,
    INTEGER_OPTIMUM,
    PROXY,
    COUNTING,
    COUNTING_TABLE,
    ATTENTION_AS_STATED,
    ATTENTION,
    MIXING_LAYERS,
    INTEGER_DEPTH,
    FRACTIONAL_GAIN,
    INTEGRAL_SLIP,
    INTEGRAL,
)
