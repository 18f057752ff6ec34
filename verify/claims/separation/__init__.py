"""Family `separation`: how much functions and networks mix two sides (seed 002).

Statements are built here, with values from the closed forms of `symbolic.separation`, which also
has the derivations; ranks, spectra and training runs come from `numeric.separation`. The kernel
counts dimensions and computes ranks by code of its own.
"""

from . import (
    attention,
    families,
    functions,
    hadamard,
    heads,
    measures,
    metrics,
    sizes,
    spectra,
    training,
)

CLAIMS = (
    *functions.CLAIMS,
    *families.CLAIMS,
    *measures.CLAIMS,
    *attention.CLAIMS,
    *heads.CLAIMS,
    *sizes.CLAIMS,
    *hadamard.CLAIMS,
    *spectra.CLAIMS,
    *metrics.CLAIMS,
    *training.CLAIMS,
)
