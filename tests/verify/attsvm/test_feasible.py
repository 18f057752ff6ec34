"""The claims about width: solvers on both sides."""

from __future__ import annotations

import pytest
from sympy import Integer

from lemmata.symbolic.statements import Infeasible
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import feasible
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Multipliers


def test_margins_of_a_linear_solver_are_one() -> None:
    wide = feasible.Wide(2, 3, 2)
    values = iter((2, -1, 3, 1, 1, 4, -2, 3, 5, 1, 2, -3))
    names = [*wide.queries, *(x for k in range(2) for x in wide.differences(k))]
    point = {name: Integer(next(values)) for name in names}
    (seen,) = feasible.observed([point], "cpu")
    assert len(seen) == 4
    assert list(seen.values()) == pytest.approx([1.0] * 4, abs=1e-12)


def test_data_of_determinant_zero_are_infeasible() -> None:
    """Where genericity fails the solver's Farkas multipliers certify the opposite."""
    opposed = feasible.infeasible((((1, 0), ((1, 2), (-1, -2))),))
    assert isinstance(opposed, Infeasible)
    (found,) = feasible.certify_width(opposed, Settings())
    assert isinstance(found, Multipliers)
    assert check("opposed", opposed, (found,)).outcome == "certified"
