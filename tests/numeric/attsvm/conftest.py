"""Tensors that the training kernels are traced with."""

from __future__ import annotations

import pytest
import torch


@pytest.fixture
def batch() -> tuple[torch.Tensor, ...]:
    """Tokens, queries, scores, optimal tokens and initial weights of two problems."""
    n, length, d = 3, 4, 5
    return (
        torch.zeros(2, n, length, d),
        torch.zeros(2, n, d),
        torch.zeros(2, n, length),
        torch.zeros(2, n, dtype=torch.long),
        torch.zeros(2, d, d),
    )
