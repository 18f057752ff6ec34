"""Seeded batches: batch k depends on (seed, k) alone, so that any executor gives one record.

A sampler is a function `sampler(seed, index, count)` that returns `count` independent samples
as a one-dimensional NumPy array or torch tensor (any device). It takes its randomness from
`generator(seed, index)` or `numpy_generator(seed, index)` and from nothing else; then a single
call replays any batch. To cross a process it must pickle: a module-level function, or a
`functools.partial` of one.

Draw on the CPU and move the draw to the device, then compute: the numbers are then the same on
every device, and the part that computes can be tried on a fake one (`testing`). A generator on
the device itself is faster but its numbers belong to that kind of device.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from operator import index as whole
from typing import TYPE_CHECKING, Any

import numpy as np

from .device import one_thread
from .errors import NumericError

if TYPE_CHECKING:
    import torch

Sampler = Callable[[int, int, int], Any]
Summary = Callable[[int, np.ndarray], Any]

# torch fills normal variates 16 at a time: other sizes make draws depend on how they are cut.
GRAIN = 16
_WORD = 2**32
_GOLDEN = 0x9E3779B1


def batch_seed(seed: int, index: int) -> int:
    """A 64-bit seed for batch `index`; batches of one run differ in the low 32 bits.

    torch's CPU generator keeps only those 32 bits, and hashed ones would collide: among 10,000
    batches with probability 1.2 %. So they step through all residues (an odd multiple of the
    index), from a hashed start; the high bits, which CUDA uses too, are hashed.
    """
    start = int(_sequence(seed).generate_state(1)[0])
    high = int(_sequence(seed, index).generate_state(1)[0])
    return high * _WORD + (start + _GOLDEN * index) % _WORD


def generator(seed: int, index: int, device: str | torch.device = "cpu") -> torch.Generator:
    """The torch generator of batch `index`. Keep it on the CPU and move what it drew."""
    import torch

    source = torch.Generator(device=device)
    source.manual_seed(batch_seed(seed, index))
    return source


def numpy_generator(seed: int, index: int) -> np.random.Generator:
    """The NumPy generator of batch `index`."""
    return np.random.Generator(np.random.PCG64(_sequence(seed, index)))


def batches(
    sampler: Sampler,
    *,
    seed: int,
    size: int,
    indices: Iterable[int],
    summary: Summary | None = None,
    executor: Executor | None = None,
    ahead: int = 16,
) -> Iterator[Any]:
    """Batches in the order of `indices`, as float64 arrays or as `summary(index, array)`.

    Without an executor they are drawn here, one by one as they are asked for. With one, up to
    `ahead` are under way at a time; in whichever order they finish, they come in order, and
    those that are not asked for are cancelled. `summary` runs beside the sampler, so that only
    its result travels.
    """
    check_seed(seed)
    check_batch_size(size)
    if not _is_whole(ahead) or ahead < 1:
        raise NumericError(f"ahead: expected a whole number of at least 1; got {ahead!r}.")
    draw = partial(_draw, sampler, seed, size, summary)
    if isinstance(executor, ProcessPoolExecutor):
        _require_pickle(draw, sampler)
    return _in_order(draw, indices, executor, ahead)


def check_batch_size(size: int) -> None:
    """Raise unless `size` is a positive multiple of 16."""
    if not _is_whole(size) or size < GRAIN or size % GRAIN:
        near = max(GRAIN, round(size / GRAIN) * GRAIN) if _is_whole(size) else 1024
        raise NumericError(
            f"batch size: expected a positive multiple of {GRAIN}, below which torch's generator "
            f"depends on how a draw is cut; got {size!r}. Use, e.g., {near}."
        )


def check_seed(seed: int) -> None:
    """Raise unless `seed` is a whole number of at least 0."""
    if not _is_whole(seed) or seed < 0:
        raise NumericError(
            f"seed: expected a whole number of at least 0; got {seed!r}. Pass, e.g., seed=0."
        )


def as_float64(samples: Any) -> np.ndarray:
    """A NumPy or torch array of reals on any device, as float64 in memory."""
    if hasattr(samples, "detach"):
        # The CPU comes first: some devices have no float64.
        samples = samples.detach().cpu().numpy()
    array = np.asarray(samples)
    if array.dtype.kind not in "fiub":
        raise NumericError(
            f"samples: expected real numbers; got an array of dtype {array.dtype}. "
            "Return a float64 array or tensor."
        )
    return array.astype(np.float64, copy=False)


def _sequence(seed: int, *key: int) -> np.random.SeedSequence:
    check_seed(seed)
    for index in key:
        if not _is_whole(index) or not 0 <= index < _WORD:
            raise NumericError(
                f"batch index: expected a whole number from 0 to 2**32 - 1; got {index!r}."
            )
    return np.random.SeedSequence(whole(seed), spawn_key=tuple(map(whole, key)))


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _draw(sampler: Sampler, seed: int, size: int, summary: Summary | None, index: int) -> Any:
    samples = as_float64(_single_threaded(sampler, seed, index, size))
    if samples.shape != (size,):
        raise NumericError(
            f"sampler, batch {index}: expected {size} samples in one dimension; got an array of "
            f"shape {samples.shape}. Return one number for each of the `count` asked for."
        )
    if not np.isfinite(samples).all():
        place = int(np.flatnonzero(~np.isfinite(samples))[0])
        raise NumericError(
            f"sampler, batch {index}: expected finite samples; got {samples[place]} at place "
            f"{place}. Replay it with sampler({seed}, {index}, {size})."
        )
    return samples if summary is None else summary(index, samples)


def _single_threaded(sampler: Sampler, *args: int) -> Any:
    """A sum split over torch's threads rounds differently: batches are what runs in parallel."""
    knew_torch = "torch" in sys.modules
    with one_thread():
        samples = sampler(*args)
    if knew_torch or "torch" not in sys.modules:
        return samples
    # The sampler itself was the first to import torch, and so ran with all threads.
    with one_thread():
        return sampler(*args)


def _in_order(
    draw: Callable[[int], Any], indices: Iterable[int], executor: Executor | None, ahead: int
) -> Iterator[Any]:
    if executor is None:
        yield from map(draw, indices)
        return
    pending: deque[Future[Any]] = deque()
    try:
        for index in indices:
            pending.append(executor.submit(draw, index))
            if len(pending) >= ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


def _require_pickle(draw: Callable[[int], Any], sampler: Sampler) -> None:
    try:
        pickle.dumps(draw)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise NumericError(
            f"sampler: expected one that pickles, for a process pool; got {sampler!r} ({error}). "
            "Define it at the top level of a module, with parameters bound by functools.partial."
        ) from error
