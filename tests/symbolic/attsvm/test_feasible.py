"""Wide data: the derivation, and W by Cramer's rule against exact linear algebra."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Integer, Matrix, Symbol

from lemmata.symbolic import attsvm
from lemmata.symbolic.attsvm.feasible import SIZES
from lemmata.symbolic.derivation import Derivation
from lemmata.verify.kernel import check


@pytest.fixture(scope="module")
def derivation() -> Derivation:
    return attsvm.derive_feasible()


def test_derivation_is_accepted(derivation: Derivation) -> None:
    verdict = check("feasible", derivation.lines[-1].statement, (derivation,))
    assert verdict.outcome == "proved", verdict.detail
    assert verdict.facts == ()


@pytest.mark.parametrize("share", range(10))
def test_lines_are_checked(derivation: Derivation, share: int) -> None:
    number = share * len(derivation.lines) // 10
    lines = list(derivation.lines)
    lines[number] = replace(lines[number], rule="limit")
    verdict = check("feasible", lines[-1].statement, (Derivation(tuple(lines)),))
    assert verdict.outcome == "inconclusive"
    assert f"line {number + 1}" in verdict.detail


def numbers(wide: attsvm.Wide) -> dict[Symbol, Integer]:
    """Whole data without a vanishing minor."""
    entries = [*wide.queries, *(x for k in range(wide.n) for x in wide.differences(k))]
    return {name: Integer((7 * e * e + 3 * e + 5) % 11 - 4) for e, name in enumerate(entries)}


@pytest.mark.parametrize("size", [*SIZES, (1, 2, 3), (3, 4, 3)])
def test_margins_are_one(size: tuple[int, int, int]) -> None:
    wide = attsvm.Wide(*size)
    point = numbers(wide)
    generic = (wide.query_determinant, *(wide.determinant(k) for k in range(wide.n)))
    assert all(minor.xreplace(point) != 0 for minor in generic)
    weights = wide.weights([wide.target(k) for k in range(wide.n)]).xreplace(point)
    for k in range(wide.n):
        margins = wide.differences(k).xreplace(point) * weights * wide.queries[:, k].xreplace(point)
        assert margins == Matrix([1] * (wide.tokens - 1))
