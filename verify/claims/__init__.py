"""The claims that come with lemmata, one module a theory family."""

from . import degree

CLAIMS = (*degree.CLAIMS,)
