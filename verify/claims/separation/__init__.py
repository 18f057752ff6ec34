"""Family `separation`: how much functions and networks mix two sides (seed 002).

Statements are written out here, derivations come from `symbolic.separation`, ranks, spectra and
training runs from `numeric.separation`; the kernel compares all three.
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
