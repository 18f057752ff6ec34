"""Tests of a mean that may stop at any time, and intervals for a proportion.

A mean is tested by four one-sided e-processes. With Catoni's influence function
psi(u) = sign(u) log(1 + |u| + u²/2) and a bound v on the variance,

    if E X <= m and Var X <= v, then exp(sum psi(lam (X_i - m)) - n lam² v / 2)

is a supermartingale for every lam > 0, so that by Ville's inequality it ever reaches 2/alpha
with probability at most alpha/2 (docs/statistics.md has the proof). The mirror image tests
E X >= m. Here c is the stated value, delta the resolution, lam the float nearest to delta/v:

    at_least_upper: mean >= c + delta
    at_most_lower:  mean <= c - delta    both rejected: confirmed, |mean - c| < delta
    at_most_value:  mean <= c
    at_least_value: mean >= c            either rejected: refuted, mean != c

Everything is exact but the sums of psi. Each m is a float rounded to the side that is harder
to reject, lam is a float read as a rational, and ROUNDING bounds what rounding adds to a sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import ClassVar, Literal

import numpy as np
from flint import arb, ctx, fmpq

from .errors import NumericError
from .sampling import Sampler, as_float64, batches, check_batch_size, check_seed

Exact = int | float | Fraction
Outcome = Literal["confirmed", "refuted", "inconclusive"]
Sums = tuple[float, float, float, float]

PROCESSES = ("at_least_upper", "at_most_lower", "at_most_value", "at_least_value")

# A recorded sum of n influences with |u| <= LARGEST is within n * ROUNDING of the true one.
ROUNDING = Fraction(1, 2**40)
LARGEST = 2.0**32
_CHUNK = 16
_SCALE = Fraction(2) ** 500


@dataclass(frozen=True)
class MeanTest:
    """Is the mean of X the stated value? Floats are read as the rationals they are.

    resolution: half the gap to the nearest rival value. variance: an upper bound for Var X.
    alpha: bound on the probability of a wrong answer. tolerance: how far the stated value may
    lie from `value`, where it is irrational or the samples carry a rounding bias; it makes
    every answer harder to reach, never wrong.
    """

    value: Fraction
    resolution: Fraction
    variance: Fraction
    alpha: Fraction
    tolerance: Fraction = Fraction(0)

    def __init__(
        self,
        value: Exact,
        resolution: Exact,
        variance: Exact,
        alpha: Exact,
        tolerance: Exact = 0,
    ) -> None:
        given = (value, resolution, variance, alpha, tolerance)
        for field, number in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, _exact(field.name, number))
        _check_test(self)

    @property
    def lam(self) -> Fraction:
        """The float nearest to resolution / variance, as the rational it is."""
        return Fraction(float(self.resolution / self.variance))

    @property
    def drift(self) -> Fraction:
        """What each sample takes off every log e-value: lam² v / 2, and the rounding bound."""
        return self.lam**2 * self.variance / 2 + ROUNDING

    @property
    def threshold(self) -> Fraction:
        """A rational just above log(2/alpha): a log e-value this large rejects."""
        ratio = 2 / self.alpha
        with ctx.workprec(128):
            return _fraction(arb(fmpq(ratio.numerator, ratio.denominator)).log().upper())

    @property
    def nulls(self) -> tuple[tuple[int, float], ...]:
        """For each process its side, +1 for `mean <= m` and -1 for `mean >= m`, and m."""
        upper = self.value + self.resolution - self.tolerance
        lower = self.value - self.resolution + self.tolerance
        return (
            (-1, _float_at_most(upper)),
            (+1, -_float_at_most(-lower)),
            (+1, -_float_at_most(-self.value - self.tolerance)),
            (-1, _float_at_most(self.value - self.tolerance)),
        )


@dataclass(frozen=True)
class Batch:
    """`count` samples, as their four sums of influences in the order of PROCESSES."""

    index: int
    count: int
    sums: Sums


@dataclass(frozen=True)
class TestRecord:
    """All that a checker needs to recompute the outcome, which is advice and no more."""

    __test__: ClassVar[bool] = False  # not a test case, whatever pytest makes of the name

    parameters: MeanTest
    seed: int
    batch_size: int
    batches: tuple[Batch, ...]
    outcome: Outcome

    @property
    def samples(self) -> int:
        return sum(batch.count for batch in self.batches)


def run_mean_test(
    sampler: Sampler,
    test: MeanTest,
    *,
    seed: int,
    batch_size: int,
    max_batches: int,
    executor: Executor | None = None,
) -> TestRecord:
    """Draw batches 0, 1, ... until one decides, at most `max_batches`. See `sampling`."""
    check_seed(seed)
    check_batch_size(batch_size)
    if not isinstance(max_batches, int) or isinstance(max_batches, bool) or max_batches < 1:
        raise NumericError(
            f"max_batches: expected a whole number of at least 1; got {max_batches!r}. "
            f"This test needs about {samples_needed(test)} samples."
        )
    drawn = batches(
        sampler,
        seed=seed,
        size=batch_size,
        indices=range(max_batches),
        summary=partial(summarise, test),
        executor=executor,
    )
    taken: list[Batch] = []
    outcome = judge(test, _keeping(drawn, taken))
    return TestRecord(test, seed, batch_size, tuple(taken), outcome)


def influence(u: np.ndarray) -> np.ndarray:
    """Catoni's psi(u) = sign(u) log(1 + |u| + u²/2): nondecreasing, odd, close to u near 0."""
    size = np.abs(u)
    return np.copysign(np.log1p(size * (1 + size / 2)), u)


def increments(test: MeanTest, samples: np.ndarray) -> np.ndarray:
    """psi of each sample for the four processes, stacked in the order of PROCESSES."""
    lam = float(test.lam)
    u = np.stack([lam * (side * (samples - m)) for side, m in test.nulls])
    largest = np.abs(u).max(initial=0.0)
    if not largest <= LARGEST:  # also when it is NaN
        raise NumericError(
            f"samples: expected |x - value| * resolution / variance up to 2**32; got {largest:g}. "
            "Samples so far out contradict the variance bound: check the bound and the sampler."
        )
    return influence(u)


def summarise(test: MeanTest, index: int, samples: np.ndarray) -> Batch:
    """The batch of these samples. Chunks of 16 are added in floats, their sums exactly."""
    values = increments(test, as_float64(samples).ravel())
    count = values.shape[1]
    if count == 0:
        raise NumericError(f"batch {index}: expected at least one sample; got none.")
    chunks = np.add.reduceat(values, np.arange(0, count, _CHUNK), axis=1)
    upper, lower, high, low = (math.fsum(row) for row in chunks.tolist())
    return Batch(index, count, (upper, lower, high, low))


def log_e_values(test: MeanTest, batches: Iterable[Batch]) -> Iterator[tuple[Fraction, ...]]:
    """After each batch, an exact lower bound for the four log e-values."""
    drift = test.drift
    values = (Fraction(0),) * len(PROCESSES)
    for batch in batches:
        values = tuple(
            value + Fraction(added) - batch.count * drift
            for value, added in zip(values, batch.sums, strict=True)
        )
        yield values


def judge(test: MeanTest, batches: Iterable[Batch]) -> Outcome:
    """The outcome at the first batch that decides. What was rejected once stays rejected."""
    threshold = test.threshold
    rejected = (False,) * len(PROCESSES)
    for values in log_e_values(test, batches):
        rejected = tuple(
            before or value >= threshold for before, value in zip(rejected, values, strict=True)
        )
        at_least_upper, at_most_lower, at_most_value, at_least_value = rejected
        if at_most_value or at_least_value:
            return "refuted"
        if at_least_upper and at_most_lower:
            return "confirmed"
    return "inconclusive"


def samples_needed(test: MeanTest) -> int:
    """About how many samples confirm a true value, when delta² is small against the variance.

    With s = n delta²/(2v) the two log e-values are near s - W and s + W, W normal of variance
    2s; the later one passes the threshold L near s - E|W| = L, where E|W| = 2 sqrt(s/pi).
    """
    slack = 1 / math.sqrt(math.pi)
    root = slack + math.sqrt(slack**2 + float(test.threshold))
    return math.ceil(2 * float(test.variance / test.resolution**2) * root**2)


def proportion_interval(successes: int, trials: int, alpha: Exact) -> tuple[Fraction, Fraction]:
    """Clopper-Pearson: holds the true proportion with probability at least 1 - alpha.

    `trials` is fixed beforehand. Both ends are multiples of 2**-48, rounded outwards and
    certified in ball arithmetic.
    """
    for name, number in (("successes", successes), ("trials", trials)):
        if not isinstance(number, int) or isinstance(number, bool):
            raise NumericError(f"{name}: expected a whole number; got {number!r}.")
    if trials < 1 or not 0 <= successes <= trials:
        raise NumericError(
            f"successes, trials: expected 0 <= successes <= trials and trials >= 1; "
            f"got {successes} of {trials}."
        )
    level = _exact("alpha", alpha)
    _check_alpha(level)
    low = _least_proportion(successes, trials, level / 2)
    return low, 1 - _least_proportion(trials - successes, trials, level / 2)


def _least_proportion(successes: int, trials: int, level: Fraction) -> Fraction:
    """A p with P(Binomial(trials, p) >= successes) <= level, near the largest there is."""
    if successes == 0:
        return Fraction(0)
    low, high, grid = 0, 2**48, 2**48
    with ctx.workprec(64 + 2 * trials.bit_length()):
        bound = arb(fmpq(level.numerator, level.denominator))
        while high - low > 1:
            middle = (low + high) // 2
            # P(Binomial(n, p) >= k) is the regularised incomplete beta function I_p(k, n-k+1).
            p = arb(fmpq(middle, grid))
            tail = p.beta_lower(successes, trials - successes + 1, regularized=True)
            if tail <= bound:  # of balls: holds for all their points
                low = middle
            else:
                high = middle
    return Fraction(low, grid)


def _keeping(drawn: Iterable[Batch], taken: list[Batch]) -> Iterator[Batch]:
    for batch in drawn:
        taken.append(batch)
        yield batch


def _exact(name: str, number: object) -> Fraction:
    if isinstance(number, np.integer | np.floating):
        number = number.item()
    if isinstance(number, float) and math.isfinite(number):
        return Fraction(number)
    if isinstance(number, Rational) and not isinstance(number, bool):
        return Fraction(number)
    raise NumericError(
        f"{name}: expected an int, a Fraction or a finite float; got {number!r}. "
        "Write an exact ratio as Fraction(1, 3)."
    )


def _check_alpha(alpha: Fraction) -> None:
    if not 0 < alpha < 1:
        raise NumericError(
            f"alpha: expected a probability strictly between 0 and 1; got {_show(alpha)}. "
            "Pass the share of the run's error, e.g. Fraction(1, 10**8)."
        )


def _check_test(test: MeanTest) -> None:
    _check_alpha(test.alpha)
    if test.variance <= 0:
        raise NumericError(
            f"variance: expected a positive upper bound for Var X; got {_show(test.variance)}. "
            "A constant needs no test: give an exact certificate."
        )
    if test.resolution <= 0:
        raise NumericError(
            f"resolution: expected a positive number; got {_show(test.resolution)}. "
            "Pass half the gap between the value and its nearest rival."
        )
    if not 0 <= test.tolerance <= test.resolution / 4:
        raise NumericError(
            f"tolerance: expected 0 up to a quarter of the resolution {_show(test.resolution)}; "
            f"got {_show(test.tolerance)}. Give the value to more digits."
        )
    if test.resolution * 2**40 < abs(test.value):
        raise NumericError(
            f"resolution: expected at least 2**-40 of the value {_show(test.value)}, or float64 "
            f"samples cannot tell; got {_show(test.resolution)}. Subtract the value in the sampler."
        )
    ratio = test.resolution / test.variance
    if not 1 / _SCALE <= ratio <= _SCALE or max(abs(test.value), test.resolution) > _SCALE:
        raise NumericError(
            "value, resolution, variance: expected magnitudes that float64 can hold, with "
            f"resolution / variance within 2**-500 to 2**500; got {test!r}. Rescale the samples."
        )


def _show(number: Fraction) -> str:
    try:
        return f"{float(number):g}"
    except OverflowError:
        return f"about 2**{number.numerator.bit_length() - number.denominator.bit_length()}"


def _float_at_most(number: Fraction) -> float:
    near = float(number)
    return near if Fraction(near) <= number else math.nextafter(near, -math.inf)


def _fraction(point: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in point.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
