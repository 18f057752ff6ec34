"""Try a tensor kernel on CUDA without having it: shapes, dtypes and devices, no numbers.

PyTorch's FakeTensorMode traces a function on tensors that have a device but no storage. It
refuses to mix devices, with one exception that PyTorch makes on purpose: a CPU tensor without
dimensions may meet a CUDA tensor. So every operation is watched as well.

A PyTorch built without CUDA has no device guard for it, which indexing and copying need, and
without which building an autograd graph ends the process. There these two are expressed in
operations that need no guard, and gradients are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
)
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

aten = torch.ops.aten


def assert_runs_on_cuda(kernel: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Fail unless `kernel`, given its tensor arguments on CUDA, keeps every tensor there.

    Tensor arguments, also inside lists, tuples and dicts, say shape and dtype only; the rest is
    passed as it is. Constants such as `torch.tensor([1.0], device=x.device)` are fine. Numbers
    drawn at random are an argument of the kernel: draw first, move, then compute.
    """
    if not any(isinstance(leaf, torch.Tensor) for leaf in tree_leaves((args, kwargs))):
        raise AssertionError(
            f"{_name(kernel)}: expected at least one tensor argument; got none, so that nothing "
            "would be tried. Pass example tensors; their shapes and dtypes are what counts."
        )
    with ExitStack() as modes:
        modes.enter_context(FakeTensorMode())
        args, kwargs = tree_map(_on_cuda, (args, kwargs))
        if not _has_guard():
            modes.enter_context(torch.no_grad())
            modes.enter_context(_WithoutGuard())
        modes.enter_context(_Watch(kernel))
        try:
            result = kernel(*args, **kwargs)
        except (DataDependentOutputException, DynamicOutputShapeException) as error:
            raise AssertionError(
                f"{_name(kernel)}: expected an outcome whose shape and control flow are free of "
                f"the numbers; {error} reads them back. Use torch.where, and leave .item(), `if` "
                "and masks as indices to the caller."
            ) from error
        except RuntimeError as error:
            if "not linked with support for cuda" not in str(error):
                raise
            raise AssertionError(
                f"{_name(kernel)}: expected operations that a PyTorch without CUDA can trace; "
                "got one that it cannot, such as float(x), x.nonzero() or a mask as an index. "
                "Use torch.where, or leave it to the caller."
            ) from error
    for leaf in tree_leaves(result):
        if isinstance(leaf, torch.Tensor) and leaf.device.type != "cuda":
            raise AssertionError(
                f"{_name(kernel)}: expected its result on cuda; got a tensor of shape "
                f"{tuple(leaf.shape)} on {leaf.device}. Pass device=x.device where it is made."
            )


class _Watch(TorchDispatchMode):
    """Fails on the first operation that makes or uses a tensor on the CPU."""

    # `torch.tensor(data, device=...)` makes a CPU tensor (lift) and copies it.
    _lifts = (aten.lift_fresh.default, aten.lift_fresh_copy.default, aten.lift.default)

    def __init__(self, kernel: Callable[..., Any]) -> None:
        super().__init__()
        self.kernel = kernel

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if func in self._lifts or func is torch.ops.prim.device.default:
            return func(*args, **kwargs)
        leaves = tree_leaves((args, kwargs))
        if any(isinstance(leaf, torch.Generator) for leaf in leaves):
            self._fail(func, "draws from a generator", "Draw outside and pass the tensor.")
        if func is not aten._to_copy.default:
            self._check(func, "uses", leaves)
        result = func(*args, **kwargs)
        self._check(func, "makes", tree_leaves(result))
        return result

    def _check(self, func: Any, verb: str, leaves: Sequence[Any]) -> None:
        for leaf in leaves:
            if isinstance(leaf, torch.Tensor) and leaf.device.type == "cpu":
                what = f"{verb} a CPU tensor of shape {tuple(leaf.shape)}"
                self._fail(func, what, "Pass device=x.device where it is made.")

    def _fail(self, func: Any, what: str, remedy: str) -> None:
        raise AssertionError(
            f"{_name(self.kernel)}: expected every tensor on cuda; {func} {what}. {remedy}"
        )


class _WithoutGuard(TorchFunctionMode):
    """Indexing and copying in operations that need no device guard; no gradients."""

    _gradients = (torch.Tensor.requires_grad_, torch.Tensor.backward, torch.autograd.grad)

    def __torch_function__(
        self,
        func: Any,
        types: Any,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func is torch.Tensor.__getitem__:
            view, indices = _select(*args)
            return aten.index.Tensor(view, indices) if indices else view
        if func is torch.Tensor.__setitem__:
            tensor, key, value = args
            view, indices = _select(tensor, key)
            if not isinstance(value, torch.Tensor):
                value = torch.full((), value, dtype=view.dtype, device=view.device)
            if indices:
                aten.index_put_.default(view, indices, value)
            else:
                _overwrite(view, value)
            return None
        if func is torch.Tensor.copy_:
            return _overwrite(*args)
        if func in self._gradients or (func is torch._C._set_grad_enabled and args[0]):
            raise AssertionError(
                "gradients: expected a PyTorch built with CUDA to trace them for cuda; got one "
                "without. Give the gradient as a formula, or try the kernel without it."
            )
        return func(*args, **(kwargs or {}))


def _select(tensor: torch.Tensor, key: Any) -> tuple[torch.Tensor, list[torch.Tensor | None]]:
    """`tensor[key]` as a view and what remains for aten.index: tensors, and None for `:`."""
    keys = list(key) if isinstance(key, tuple) else [key]
    taken = sum(_width(part) for part in keys)
    whole = [slice(None)] * (tensor.ndim - taken)
    for place, part in enumerate(keys):
        if part is Ellipsis:
            keys[place : place + 1] = whole
            break
    view, dim, indices = tensor, 0, []
    for part in keys:
        if isinstance(part, int) and not isinstance(part, bool):
            view = aten.select.int(view, dim, part)
            continue
        if part is None:
            view = aten.unsqueeze.default(view, dim)
        elif isinstance(part, slice):
            step = 1 if part.step is None else part.step
            view = aten.slice.Tensor(view, dim, part.start, part.stop, step)
        else:
            if not isinstance(part, torch.Tensor):
                part = torch.tensor(part, device=view.device)
            indices.append(part)
            dim += _width(part)
            continue
        indices.append(None)
        dim += 1
    return view, indices if any(part is not None for part in indices) else []


def _overwrite(view: torch.Tensor, value: torch.Tensor, *_: Any) -> torch.Tensor:
    """`view.copy_(value)` as far as shapes and devices go."""
    value.expand_as(view)
    return view.zero_()


def _width(part: Any) -> int:
    """How many dimensions of a tensor one part of an index takes."""
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, torch.Tensor) and part.dtype in (torch.bool, torch.uint8):
        return part.ndim
    return 1


def _on_cuda(leaf: Any) -> Any:
    if not isinstance(leaf, torch.Tensor):
        return leaf
    return torch.empty_strided(leaf.shape, leaf.stride(), dtype=leaf.dtype, device="cuda")


def _has_guard() -> bool:
    try:
        torch.empty(1, device="cuda")[0]
    except RuntimeError:
        return False
    return True


def _name(kernel: Callable[..., Any]) -> str:
    return getattr(kernel, "__qualname__", repr(kernel))
