"""The fake CUDA device: kernels that stay on it pass, all others fail."""

import re

import numpy as np
import pytest
import torch

from lemmata.numeric.testing import _select, assert_runs_on_cuda

MATRIX = torch.ones(3, 4, dtype=torch.float64)
INDEX = torch.tensor([0, 2])
ELSEWHERE = torch.ones(4, dtype=torch.float64)
SCALAR = torch.tensor(2.0)


def attention(x, i):
    return torch.softmax(x @ x.T / 2.0, dim=-1) @ x


def constants(x, i):
    scale = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=x.dtype, device=x.device)
    return x * scale + torch.as_tensor(np.ones(4), device=x.device) + x.new_zeros(4)


def indexing(x, i):
    parts = x[0] + x[..., 1:].sum() + x[None, :, 0].sum() + x[i, 1].sum() + x[[0, 1]].sum()
    return parts * x[i[:, None], i].sum() + x[-1, ::2].sum()


def assignment(x, i):
    y = x.clone()
    y[0] = 1.0
    y[:, 1:] = x[:, :3]
    y[i] = 2.0
    y[1].copy_(x[0])
    return y


def structure(x, i):
    return {"rows": [row.sum() for row in x], "count": len(i)}


def solve(x, i):
    gram = x @ x.T + torch.eye(3, dtype=x.dtype, device=x.device)
    return torch.linalg.solve(gram, x), torch.linalg.svdvals(x)


def without_gradient(x, i):
    with torch.no_grad():
        return torch.where(x > 0, x, 0.0).logsumexp(0)


@pytest.mark.parametrize(
    "kernel",
    [attention, constants, indexing, assignment, structure, solve, without_gradient],
)
def test_good_kernels(kernel):
    kernel(MATRIX, INDEX)
    assert_runs_on_cuda(kernel, MATRIX, INDEX)


def test_arguments_of_all_kinds():
    def kernel(pair, *, scale, names):
        assert pair[0].device.type == pair[1]["x"].device.type == "cuda"
        assert pair[0].dtype == torch.float32
        assert names == ["a"]
        return pair[0] * scale

    assert_runs_on_cuda(kernel, (torch.ones(2), {"x": MATRIX}), scale=2.0, names=["a"])


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda x, i: x + torch.ones(4), r"aten.ones.default makes a CPU tensor of shape \(4,\)"),
        (lambda x, i: x * ELSEWHERE, "mul.Tensor uses a CPU tensor"),
        (lambda x, i: x * SCALAR, r"mul.Tensor uses a CPU tensor of shape \(\)"),
        (lambda x, i: x * torch.tensor(2.0), r"mul.Tensor uses a CPU tensor of shape \(\)"),
        (lambda x, i: x * torch.zeros(()), r"zeros.default makes a CPU tensor of shape \(\)"),
        (lambda x, i: x[torch.arange(2)], "arange.* makes a CPU tensor"),
        (lambda x, i: torch.zeros(3), "makes a CPU tensor"),
        (lambda x, i: ELSEWHERE, "expected its result on cuda; got a tensor .* on cpu"),
        (lambda x, i: {"a": [x, torch.tensor([1.0])]}, "expected its result on cuda"),
        (lambda x, i: x.cpu(), "_to_copy.default makes a CPU tensor"),
        (lambda x, i: x.sum().item(), "reads them back"),
        (lambda x, i: x if x.sum() > 0 else -x, "reads them back"),
        (lambda x, i: torch.randn(3, generator=torch.Generator(), device=x.device), "generator"),
    ],
)
def test_bad_kernels(kernel, message):
    kernel(MATRIX, INDEX)  # nothing is wrong with it on the CPU
    with pytest.raises(AssertionError, match=message):
        assert_runs_on_cuda(kernel, MATRIX, INDEX)


def by_autograd(x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad((x**2).sum(), x)[0]


def by_enabling(x):
    with torch.enable_grad():
        return by_autograd(x)


def by_transform(x):
    return torch.func.grad(lambda z: (z**2).sum())(x)


@pytest.mark.skipif(torch.version.cuda is not None, reason="this PyTorch is built with CUDA")
@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (by_autograd, "gradients: expected a PyTorch built with CUDA"),
        (by_enabling, "gradients: expected a PyTorch built with CUDA"),
        (by_transform, "gradients: expected a PyTorch built with CUDA"),
        (lambda x: x * float(x.sum()), r"such as float\(x\)"),
        (lambda x: x[x > 0], "a mask as an index"),
    ],
)
def test_what_a_build_without_cuda_cannot_trace(kernel, message):
    """Without the refusal, the first three end the process."""
    kernel(MATRIX)
    with pytest.raises(AssertionError, match=message):
        assert_runs_on_cuda(kernel, MATRIX)


def test_errors_of_the_kernel_itself_come_through():
    with pytest.raises(RuntimeError, match="same reduction dim"):
        assert_runs_on_cuda(lambda x: x @ x, MATRIX)


def test_a_call_without_tensors_tries_nothing_and_fails():
    with pytest.raises(AssertionError, match=re.escape("expected at least one tensor argument")):
        assert_runs_on_cuda(lambda x: x, 1.0)


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        slice(1, None),
        slice(None, None, 2),
        (slice(None), 1),
        (..., 0),
        (0, ...),
        (None, 1, ..., None),
        (1, 2, 3),
        torch.tensor([0, 1]),
        [1, 0],
        (slice(None), torch.tensor([2, 0, 1])),
        (..., torch.tensor([[0, 1], [2, 3]])),
        (torch.tensor([0, 1]), slice(None), torch.tensor([1, 2])),
        (0, torch.tensor([0, 2]), slice(1, 3)),
        (None, torch.tensor([1]), ..., 2),
        torch.tensor([True, False]),
        (torch.ones(2, 3, dtype=torch.bool), slice(0, 2)),
        (slice(None), torch.tensor([True, False, True]), torch.tensor([0, 1])),
    ],
    ids=str,
)
def test_indexing_without_a_device_guard_is_indexing(key):
    x = torch.arange(24.0).reshape(2, 3, 4)
    view, indices = _select(x, key)
    got = torch.ops.aten.index.Tensor(view, indices) if indices else view
    assert torch.equal(got, x[key])
