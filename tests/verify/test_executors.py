"""The three executors: what they return, how they are left, and what they say when they cannot."""

import operator
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from functools import partial

import pytest

from lemmata.verify import executors
from lemmata.verify.executors import ExecutorError, SerialExecutor, open_executor


def interrupt():
    raise KeyboardInterrupt


def gone(pid):
    """Whether the process ends, within reason."""
    for _ in range(600):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_one_job_is_done_here():
    with open_executor() as executor:
        assert isinstance(executor, SerialExecutor)
        assert executor.submit(os.getpid).result() == os.getpid()
        assert list(executor.map(operator.add, [1, 2], [3, 4])) == [4, 6]


def test_failures_wait_in_the_future_but_interrupts_do_not():
    with open_executor() as executor:
        future = executor.submit(operator.truediv, 1, 0)
        assert isinstance(future.exception(), ZeroDivisionError)
        with pytest.raises(KeyboardInterrupt):
            executor.submit(interrupt)


def test_a_pool_works_elsewhere_and_ends():
    with open_executor(jobs=2) as executor:
        pid = executor.submit(os.getpid).result()
        assert pid != os.getpid()
        assert isinstance(executor.submit(operator.truediv, 1, 0).exception(), ZeroDivisionError)
        # Ctrl-C reaches the whole process group; it is for the parent to act on.
        executor.submit(os.kill, pid, signal.SIGINT).result()
        assert executor.submit(operator.add, 1, 2).result() == 3
    assert gone(pid)


def leave_by_interrupt(pids, seconds=3600, **where):
    with open_executor(**where) as executor:
        pids.append(executor.submit(os.getpid).result())
        executor.submit(time.sleep, seconds)
        executor.submit(time.sleep, seconds)
        raise KeyboardInterrupt


def test_a_pool_left_by_an_interrupt_does_not_wait():
    pids = []
    with pytest.raises(KeyboardInterrupt):
        leave_by_interrupt(pids, jobs=2)
    assert gone(pids[0])


def lose_a_worker():
    with open_executor(jobs=2) as executor:
        executor.submit(os._exit, 1).result()


def test_a_lost_worker_is_told():
    with pytest.raises(BrokenExecutor):
        lose_a_worker()


POOL = """
import os, time
from lemmata.verify.executors import open_executor
if __name__ == "__main__":
    with open_executor(jobs=2) as executor:
        print(executor.submit(os.getpid).result(), flush=True)
        executor.submit(time.sleep, 3600).result()
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        assert gone(pid)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "2", True, None])
def test_jobs_that_are_no_number(jobs):
    with pytest.raises(ExecutorError, match="jobs: expected a whole number"):
        open_executor(jobs=jobs).__enter__()


def test_equal_calls_to_a_cluster_are_separate(cluster):
    with open_executor(cluster=cluster) as executor:
        nap = partial(executor.submit, time.monotonic_ns)
        assert nap().result() != nap().result()
        assert isinstance(executor.submit(operator.truediv, 1, 0).exception(), ZeroDivisionError)
        assert executor.submit(os.getpid).result() != os.getpid()


def test_a_cluster_left_by_an_interrupt_does_not_wait(cluster):
    with pytest.raises(KeyboardInterrupt):
        leave_by_interrupt([], cluster=cluster, seconds=3)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "", "not an address"])
def test_a_cluster_that_is_not_there(monkeypatch, address):
    monkeypatch.setattr(executors, "PATIENCE", 1)
    with pytest.raises(ExecutorError, match="expected a Dask scheduler at"):
        open_executor(cluster=address).__enter__()


def test_without_dask_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r"pip install 'lemmata\[cluster\]'"):
        open_executor(cluster="tcp://127.0.0.1:8786").__enter__()
