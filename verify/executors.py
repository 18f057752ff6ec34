"""Where claims are checked: here, in a pool of processes, or on a Dask cluster.

All three are `concurrent.futures.Executor`s, and none of them changes what is recorded.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process
from typing import Any

from .errors import VerifyError

PATIENCE = 10  # seconds to wait for a cluster's scheduler


class ExecutorError(VerifyError):
    """No workers to be had, or workers lost."""


class SerialExecutor(Executor):
    """Runs each call at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # an interrupt belongs to the caller, now
            future.set_exception(error)
        return future


@contextmanager
def open_executor(jobs: int = 1, cluster: str | None = None) -> Iterator[Executor]:
    """`jobs` processes of this machine, or the workers of the Dask scheduler at `cluster`.

    Left by an exception, it does not wait for what is under way.
    """
    if cluster is not None:
        with _dask(cluster) as executor:
            yield executor
        return
    if type(jobs) is not int or jobs < 1:
        raise ExecutorError(f"jobs: expected a whole number of at least 1; got {jobs!r}.")
    if jobs == 1:
        yield SerialExecutor()
        return
    with _pool(jobs) as executor:
        yield executor


@contextmanager
def _pool(jobs: int) -> Iterator[Executor]:
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin_worker)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(wait=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent does, even killed. The processes are
    what runs in parallel, so that numeric libraries get one thread in each."""
    for library in ("OMP", "MKL", "OPENBLAS"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError(
            "cluster: expected dask.distributed to be installed; it is not. "
            "Install it with: pip install 'lemmata[cluster]'"
        ) from None
    # The object is kept, to be closed here should connecting fail: left to the garbage collector
    # it may close itself while another client starts, and lock up both.
    client = Client.__new__(Client)
    try:
        client.__init__(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        with suppress(AttributeError):
            client.close()
        raise ExecutorError(
            f"cluster: expected a Dask scheduler at {address!r}; got no answer within {PATIENCE} s "
            f"({type(error).__name__}). Start one with `dask scheduler` and give its address, "
            "e.g. tcp://127.0.0.1:8786."
        ) from None
    with client:
        # pure=False: equal calls are separate calls, not one shared result.
        executor = client.get_executor(pure=False)
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False)
            raise
        executor.shutdown(wait=True)
