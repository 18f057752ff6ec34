"""The claims that come with lemmata, one module a theory family."""

from . import attsvm, degree, separation

CLAIMS = (*degree.CLAIMS, *attsvm.CLAIMS, *separation.CLAIMS)
