"""Names of devices and dtypes."""

import pytest
import torch

from lemmata.numeric.device import resolve
from lemmata.numeric.errors import NumericError


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("cpu",), (torch.device("cpu"), torch.float64)),
        (("cpu", "float32"), (torch.device("cpu"), torch.float32)),
        ((torch.device("cpu"), torch.float32), (torch.device("cpu"), torch.float32)),
        (("cpu:0", "float64"), (torch.device("cpu"), torch.float64)),
    ],
)
def test_good_names(arguments, expected):
    assert resolve(*arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gpu",), r"device: expected one of auto, cpu, cuda, mps; got 'gpu'. Did you mean 'cpu'"),
        (("CUDA",), "got 'CUDA'. Did you mean 'cuda'"),
        (("quantum",), "got 'quantum'. Leave it out for 'auto'"),
        (("",), "device: .*got ''"),
        ((None,), "device: .*got 'None'"),
        (("cuda:x",), "cuda:N with N = 0, 1, .*got 'cuda:x'"),
        (("cuda:",), "got 'cuda:'"),
        (("cuda:-1",), "got 'cuda:-1'"),
        (("cuda:²",), "got 'cuda:²'"),
        (("cpu:1",), "got 'cpu:1'"),
        (("auto:0",), "got 'auto:0'"),
        (("cpu", "float16"), "dtype: expected one of float64, float32; got 'float16'. Did you"),
        (("cpu", torch.complex64), "dtype: .*got 'complex64'"),
        (("cpu", "double"), "dtype: .*got 'double'"),
        (("mps",), "float64; got 'mps', which has none. Use device='cpu', or pass dtype='float32'"),
    ],
)
def test_bad_names(arguments, message):
    with pytest.raises(NumericError, match=message):
        resolve(*arguments)


@pytest.mark.skipif(torch.cuda.is_available(), reason="CUDA is present")
def test_without_cuda():
    assert resolve() == (torch.device("cpu"), torch.float64)
    for name in ("cuda", "cuda:1"):
        with pytest.raises(NumericError, match=r"got 'cuda', but it sees none.*device='auto'"):
            resolve(name)


@pytest.mark.skipif(torch.backends.mps.is_available(), reason="MPS is present")
def test_without_mps():
    with pytest.raises(NumericError, match="got 'mps', but it sees none"):
        resolve("mps", "float32")


def test_with_cuda(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert resolve() == (torch.device("cuda"), torch.float64)
    assert resolve("cuda:1", "float32") == (torch.device("cuda:1"), torch.float32)
    with pytest.raises(NumericError, match=r"N below 2, .*got 'cuda:2'. Use device='cuda:1'"):
        resolve("cuda:2")
