"""Batches depend on (seed, index) alone: the same record to the bit, whoever runs them."""

import importlib
import multiprocessing
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch

from lemmata.numeric.acceptance import MeanTest, run_mean_test
from lemmata.numeric.errors import NumericError
from lemmata.numeric.sampling import (
    as_float64,
    batch_seed,
    batches,
    check_batch_size,
    generator,
    numpy_generator,
)

SEEDS = [16138565777781717182, 2891495332161253999, 1582908372031770072]

# A module of its own, as a user would write it: a spawned worker has to import it by name.
SAMPLERS = '''
import time

from lemmata.numeric.sampling import generator, numpy_generator


def squares(seed, index, count):
    return numpy_generator(seed, index).standard_normal(count) ** 2


def uneven(seed, index, count):
    """Later batches finish first."""
    time.sleep(0.02 * (5 - index % 6))
    return squares(seed, index, count)


def thread_sensitive(seed, index, count):
    """Adds the last bits of a sum long enough for torch to split it over its threads."""
    import torch  # here, so that a fresh worker meets torch in the middle of its first batch

    time.sleep(0.02 * (5 - index % 6))
    source = generator(seed, index)
    x = torch.randn(count, generator=source, dtype=torch.float64)
    long = torch.randn(200_000, generator=source, dtype=torch.float64)
    return x**2 + (long.sum() * 2**36) % 1 * 2**-10
'''


@pytest.fixture(scope="module")
def samplers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samplers")
    (folder / "samplers_of_a_user.py").write_text(SAMPLERS)
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("samplers_of_a_user")
    finally:
        sys.path.remove(str(folder))
        del sys.modules["samplers_of_a_user"]


class LastFirst(Executor):
    """Runs what was submitted only when it must, the last first."""

    def __init__(self):
        self.waiting = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting.append((future, partial(fn, *args, **kwargs)))
        if len(self.waiting) == 16:
            while self.waiting:
                earlier, call = self.waiting.pop()
                earlier.set_result(call())
        return future


@pytest.fixture(scope="module")
def spawn_pool(samplers):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def record_of(sampler, executor):
    test = MeanTest(1, Fraction(1, 4), 2, Fraction(1, 10**4))
    return run_mean_test(sampler, test, seed=2024, batch_size=64, max_batches=64, executor=executor)


def exactly(record):
    return [[value.hex() for value in batch.sums] for batch in record.batches]


@pytest.mark.parametrize("name", ["squares", "uneven", "thread_sensitive"])
def test_every_executor_gives_the_same_record(samplers, spawn_pool, name):
    sampler = getattr(samplers, name)
    here = record_of(sampler, None)
    assert here.outcome == "confirmed"
    assert 1 < len(here.batches) < 64
    with ThreadPoolExecutor(4) as threads:
        assert record_of(sampler, threads) == here
    spawned = record_of(sampler, spawn_pool)
    assert spawned == here
    assert exactly(spawned) == exactly(here)
    assert record_of(sampler, LastFirst()) == here


def test_the_number_of_torch_threads_does_not_matter(samplers):
    before = torch.get_num_threads()
    try:
        records = []
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            records.append(record_of(samplers.thread_sensitive, None))
            assert torch.get_num_threads() == threads
        assert records[0] == records[1] == records[2]
    finally:
        torch.set_num_threads(before)


def test_batches_come_in_the_order_asked_for(samplers):
    order = [5, 3, 8, 0]
    expected = [samplers.squares(1, index, 32) for index in order]
    with ThreadPoolExecutor(4) as threads:
        for executor in (None, threads):
            drawn = batches(samplers.uneven, seed=1, size=32, indices=order, executor=executor)
            for got, want in zip(drawn, expected, strict=True):
                assert (got == want).all()


def test_only_what_is_asked_for_is_drawn_without_an_executor():
    drawn = []

    def sampler(seed, index, count):
        drawn.append(index)
        return np.zeros(count)

    stream = batches(sampler, seed=0, size=16, indices=range(100))
    next(stream)
    next(stream)
    assert drawn == [0, 1]


def test_batches_not_asked_for_are_cancelled():
    drawn = []
    closed = threading.Event()

    def sampler(seed, index, count):
        drawn.append(index)
        if index > 0:
            closed.wait(60)
        return np.zeros(count)

    with ThreadPoolExecutor(1) as threads:
        stream = batches(sampler, seed=0, size=16, indices=range(50), executor=threads, ahead=40)
        next(stream)
        stream.close()
        closed.set()
    assert set(drawn) <= {0, 1}


def test_seeds_are_fixed_for_good():
    """Records are replayed from their seeds: these numbers must not change."""
    assert [batch_seed(0, 0), batch_seed(0, 1), batch_seed(2024, 7)] == SEEDS
    assert generator(0, 1).initial_seed() == SEEDS[1]


def test_batches_of_one_run_never_share_a_torch_stream():
    """torch's CPU generator keeps the low 32 bits of its seed."""
    low = {batch_seed(3, index) % 2**32 for index in range(20_000)}
    assert len(low) == 20_000
    assert len({batch_seed(seed, 0) for seed in range(1000)}) == 1000


def test_generators_depend_on_seed_and_index_alone():
    def torch_draw(seed, index):
        return tuple(torch.randn(16, generator=generator(seed, index)).tolist())

    def numpy_draw(seed, index):
        return tuple(numpy_generator(seed, index).standard_normal(16).tolist())

    for draw in (torch_draw, numpy_draw):
        keys = [(0, 0), (0, 1), (1, 0), (1, 1), (2**70, 0)]
        assert len({draw(*key) for key in keys}) == len(keys)
        assert draw(1, 1) == draw(1, 1)


def test_torch_draws_can_be_cut_at_multiples_of_16_only():
    """Why batch sizes are what they are."""

    def cut(first):
        source = generator(0, 0)
        parts = [torch.randn(n, generator=source) for n in (first, 64 - first)]
        return torch.cat(parts)

    whole = cut(64)
    assert torch.equal(cut(16), whole)
    assert torch.equal(cut(48), whole)
    assert not torch.equal(cut(8), whole)


@pytest.mark.parametrize("size", [16, 1024, 48, np.int64(32)])
def test_good_batch_sizes(size):
    check_batch_size(size)


@pytest.mark.parametrize(
    ("size", "remedy"),
    [(0, 16), (-16, 16), (8, 16), (100, 96), (1000, 992), (16.0, 1024), (True, 1024)],
)
def test_bad_batch_sizes(size, remedy):
    with pytest.raises(NumericError, match=f"positive multiple of 16.*Use, e.g., {remedy}"):
        check_batch_size(size)


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        (np.array([1, 2], dtype=np.int32), [1.0, 2.0]),
        (np.array([True, False]), [1.0, 0.0]),
        (np.array([0.1], dtype=np.float32), [float(np.float32(0.1))]),
        (torch.tensor([0.5], dtype=torch.float32), [0.5]),
        (torch.tensor([0.5], dtype=torch.float64, requires_grad=True), [0.5]),
    ],
)
def test_arrays_of_all_kinds_become_float64(samples, expected):
    array = as_float64(samples)
    assert array.dtype == np.float64
    assert array.tolist() == expected


@pytest.mark.parametrize("samples", [np.array([1j]), np.array(["1"]), np.array([None]), "text"])
def test_other_things_do_not(samples):
    with pytest.raises(NumericError, match="samples: expected real numbers; got an array of dtype"):
        as_float64(samples)


def returning(value):
    return lambda seed, index, count: value


@pytest.mark.parametrize(
    ("sampler", "change", "message"),
    [
        (returning(np.zeros(15)), {}, r"batch 4: expected 16 samples.*got an array of shape \(15,"),
        (returning(np.zeros((16, 1))), {}, r"shape \(16, 1\)"),
        (returning(1.0), {}, r"shape \(\)"),
        (returning(np.full(16, np.nan)), {}, r"finite.*got nan at place 0.*sampler\(0, 4, 16\)"),
        (returning(np.zeros(16)), {"seed": 1.5}, "seed: .*got 1.5"),
        (returning(np.zeros(16)), {"size": 17}, "multiple of 16"),
        (returning(np.zeros(16)), {"ahead": 0}, "ahead: .*got 0"),
    ],
)
def test_bad_samplers_and_arguments(sampler, change, message):
    arguments = {"seed": 0, "size": 16, "indices": [4]} | change
    with pytest.raises(NumericError, match=message):
        list(batches(sampler, **arguments))


@pytest.mark.parametrize("key", [(-1, 0), (0, -1), (0, 2**32), (0.5, 0), (0, True), ("0", 0)])
def test_bad_seeds_and_indices(key):
    for make in (batch_seed, generator, numpy_generator):
        with pytest.raises(NumericError, match=r"(seed|batch index): expected a whole number"):
            make(*key)


def test_a_sampler_that_does_not_pickle_is_refused_at_once(spawn_pool):
    with pytest.raises(NumericError, match=r"one that pickles.*top level of a module"):
        batches(returning(0), seed=0, size=16, indices=[0], executor=spawn_pool)


def test_importing_sampling_does_not_load_torch():
    modules = "lemmata.numeric.sampling, lemmata.numeric.acceptance, lemmata.numeric.device"
    code = f"import sys, {modules}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
