"""What a test of a mean costs: samples and time over 20 seeds, with ratios taken in one run.

1. Rao-Blackwell. E (q·k)² = d for independent standard Gaussian q, k in d dimensions. Sampled as
   it stands, (q·k)² has variance 2d² + 6d; given k its mean is |k|², which has variance 2d.
2. Batches against a loop: the four sums of influences for one batch of samples.
3. Batch size: the same test in batches of 64 and of 4096.
"""

import math
import time
from fractions import Fraction

import numpy as np

from lemmata.numeric.acceptance import MeanTest, run_mean_test, samples_needed, summarise
from lemmata.numeric.sampling import numpy_generator

DIMENSION = 16
ALPHA = Fraction(1, 10**8)
SEEDS = 20


def raw(seed, index, count):
    source = numpy_generator(seed, index)
    q, k = source.standard_normal((2, count, DIMENSION))
    return np.einsum("ij,ij->i", q, k) ** 2


def conditioned(seed, index, count):
    k = numpy_generator(seed, index).standard_normal((count, DIMENSION))
    return np.einsum("ij,ij->i", k, k)


def loop(test, samples):
    """The same four sums, one sample at a time."""
    lam, nulls = float(test.lam), test.nulls
    sums = [0.0] * 4
    for x in samples.tolist():
        for j, (side, m) in enumerate(nulls):
            u = lam * (side * (x - m))
            sums[j] += math.copysign(math.log1p(abs(u) * (1 + abs(u) / 2)), u)
    return sums


def timed(function, *args, repeat=3):
    """The result and the least of `repeat` times."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        result = function(*args)
        times.append(time.perf_counter() - start)
    return result, min(times)


def mean_cost(sampler, test, batch_size):
    """Mean samples and seconds of SEEDS tests, each of which must confirm."""
    start = time.perf_counter()
    records = [
        run_mean_test(sampler, test, seed=seed, batch_size=batch_size, max_batches=10**5)
        for seed in range(SEEDS)
    ]
    seconds = time.perf_counter() - start
    if any(record.outcome != "confirmed" for record in records):
        raise SystemExit(f"{sampler.__name__}: a true value was not confirmed")
    return sum(record.samples for record in records) / SEEDS, seconds / SEEDS


def rao_blackwell():
    d = DIMENSION
    results = []
    for sampler, variance in ((raw, 2 * d**2 + 6 * d), (conditioned, 2 * d)):
        test = MeanTest(d, 1, variance, ALPHA)
        samples, seconds = mean_cost(sampler, test, 64)
        print(
            f"  {sampler.__name__:12s} {samples:6.0f} samples "
            f"(about {samples_needed(test)} expected), {seconds * 1e3:5.1f} ms"
        )
        results.append((samples, seconds))
    (n0, t0), (n1, t1) = results
    print(f"  ratio        {n0 / n1:.1f} in samples, {t0 / t1:.1f} in time")


def batch_against_loop():
    test = MeanTest(0, Fraction(1, 10), 1, ALPHA)
    samples = np.random.default_rng(0).standard_normal(2**16)
    batch, fast = timed(summarise, test, 0, samples)
    sums, slow = timed(loop, test, samples)
    if not np.allclose(sums, batch.sums, rtol=0, atol=1e-8):
        raise SystemExit(f"the loop and the batch disagree: {sums} against {batch.sums}")
    per = 1e9 / len(samples)
    print(
        f"  loop {slow * per:6.0f} ns a sample, batch {fast * per:4.0f} ns: {slow / fast:.1f} times"
    )


def batch_sizes():
    """Per sample, since larger batches also overshoot the deciding sample by more."""
    test = MeanTest(DIMENSION, Fraction(1, 8), 2 * DIMENSION, ALPHA)
    times = []
    for size in (64, 4096):
        samples, seconds = mean_cost(conditioned, test, size)
        times.append(seconds / samples)
        print(f"  of {size:4d}: {samples:6.0f} samples, {times[-1] * 1e9:4.0f} ns a sample")
    print(f"  ratio {times[0] / times[1]:.1f} in time a sample")


if __name__ == "__main__":
    print(f"Rao-Blackwell, d = {DIMENSION}, means over {SEEDS} seeds")
    rao_blackwell()
    print("Influence sums of 65536 samples")
    batch_against_loop()
    print("Batches, means over the same seeds")
    batch_sizes()
