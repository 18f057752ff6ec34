"""Where tensors live: names of devices and dtypes to torch's own, checked before any work.

float64 is the default because predicted constants are compared to far below float32's 6e-8.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import NumericError

if TYPE_CHECKING:
    import torch

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("float64", "float32")


def resolve(
    device: str | torch.device = "auto", dtype: str | torch.dtype = "float64"
) -> tuple[torch.device, torch.dtype]:
    """The torch device and dtype meant by the names, or an error that says what to do.

    `auto` is CUDA where present, else the CPU; `cuda:1` names the second CUDA device.
    """
    import torch

    name, ordinal = _device_name(device)
    kind = _dtype_name(dtype)
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda":
        _require_cuda(ordinal)
    if name == "mps":
        _require_mps(kind)
    place = torch.device(name) if ordinal is None else torch.device(name, ordinal)
    return place, getattr(torch, kind)


def _device_name(device: object) -> tuple[str, int | None]:
    """`cuda:1` -> ("cuda", 1). Only CUDA devices are numbered."""
    text = str(device)
    name, colon, number = text.partition(":")
    if name not in DEVICES:
        raise NumericError(_unknown("device", text, name, DEVICES))
    if not colon:
        return name, None
    if name in ("cpu", "mps") and number == "0":  # torch's own spelling of its only one
        return name, None
    if name != "cuda" or not (number.isascii() and number.isdigit()):
        raise NumericError(
            f"device: expected one of {', '.join(DEVICES)}, or cuda:N with N = 0, 1, ...; "
            f"got {text!r}. Write, e.g., device='cuda:1'."
        )
    return name, int(number)


def _dtype_name(dtype: object) -> str:
    text = str(dtype).removeprefix("torch.")
    if text not in DTYPES:
        raise NumericError(_unknown("dtype", text, text, DTYPES))
    return text


def _unknown(argument: str, text: str, name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.4)
    hint = f"Did you mean {near[0]!r}?" if near else f"Leave it out for {known[0]!r}."
    return f"{argument}: expected one of {', '.join(known)}; got {text!r}. {hint}"


def _require_cuda(ordinal: int | None) -> None:
    import torch

    if not torch.cuda.is_available():
        build = torch.version.cuda or "none, this is a CPU build"
        raise NumericError(
            "device: expected a CUDA device that PyTorch can use; got 'cuda', but it sees none "
            f"(CUDA of this PyTorch: {build}). Use device='auto' or 'cpu', or install a PyTorch "
            "built for CUDA and check the driver with nvidia-smi."
        )
    present = torch.cuda.device_count()
    if ordinal is not None and ordinal >= present:
        raise NumericError(
            f"device: expected cuda:N with N below {present}, the number of CUDA devices; "
            f"got 'cuda:{ordinal}'. Use device='cuda:{present - 1}' or 'cuda'."
        )


def _require_mps(dtype: str) -> None:
    import torch

    if dtype == "float64":
        raise NumericError(
            "device: expected one that has float64; got 'mps', which has none. Use device='cpu', "
            "or pass dtype='float32' where the experiment permits it."
        )
    if not torch.backends.mps.is_available():
        raise NumericError(
            "device: expected an MPS device that PyTorch can use; got 'mps', but it sees none "
            "(it needs macOS on Apple silicon). Use device='auto' or 'cpu'."
        )


@contextmanager
def one_thread() -> Iterator[None]:
    """Keeps torch, if it is loaded, to one thread, as a block or around a function.

    A sum that is split over threads rounds differently, and small tensors wait longer for a
    second thread than they compute.
    """
    torch = sys.modules.get("torch")
    if torch is None or torch.get_num_threads() == 1:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
