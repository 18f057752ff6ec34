"""The instances of the claim about W = K Q^T."""

from __future__ import annotations

import numpy as np
import pytest

from lemmata.numeric.attsvm import Problem, solve
from lemmata.verify.claims.attsvm import factorised


def test_nuclear_instances_are_what_they_are_said_to_be():
    """Rank one, rank two with a unique solution, and one that leaves a constraint slack."""
    ranks = []
    for best, queries in factorised.FACTORED:
        problem = Problem([[x, (0, 0, 0)] for x in best], queries, [0] * 3, [[1, 0]] * 3)
        nuclear, frobenius = (solve(problem, norm=norm) for norm in ("nuclear", "frobenius"))
        sizes = np.linalg.svd(nuclear.matrix, compute_uv=False)
        ranks.append(int((sizes > 1e-4 * sizes[0]).sum()))
        atoms = np.array([np.outer(x, z) for x, z in zip(best, queries, strict=True)], dtype=float)
        dual = np.einsum("m,mde->de", nuclear.multipliers, atoms)
        assert np.linalg.norm(dual, 2) == pytest.approx(1, abs=1e-5)  # optimal: |dual|_2 <= 1
        assert nuclear.multipliers.sum() == pytest.approx(sizes.sum(), rel=1e-5)
        cosine = (nuclear.matrix * frobenius.matrix).sum() / np.linalg.norm(nuclear.matrix)
        assert cosine / np.linalg.norm(frobenius.matrix) < 0.93
    assert ranks == [1, 2, 2]
