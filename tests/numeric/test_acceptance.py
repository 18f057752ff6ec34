"""Tests of means and proportions: error rates, power, rounding, records, bad input."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from lemmata.numeric.acceptance import (
    LARGEST,
    PROCESSES,
    ROUNDING,
    Batch,
    MeanTest,
    increments,
    influence,
    judge,
    log_e_values,
    proportion_interval,
    run_mean_test,
    samples_needed,
    summarise,
)
from lemmata.numeric.errors import NumericError
from lemmata.numeric.sampling import numpy_generator

ALPHA = Fraction(1, 100)
RUNS = 4000
MOST_FALSE = float(ALPHA) + 4 * math.sqrt(float(ALPHA * (1 - ALPHA)) / RUNS)


def fourth_power(source, shape):
    return source.standard_normal(shape) ** 4


def two_point(source, shape):
    """64 with probability 1/64, else 0."""
    return 64.0 * (source.random(shape) < 1 / 64)


# Each with its mean and variance, and a resolution of 0.1 or 0.25 standard deviations.
SKEWED = [
    pytest.param(fourth_power, 3, 96, Fraction(1), id="fourth powers, fine"),
    pytest.param(fourth_power, 3, 96, Fraction(5, 2), id="fourth powers, coarse"),
    pytest.param(two_point, 1, 63, Fraction(4, 5), id="two points, fine"),
    pytest.param(two_point, 1, 63, Fraction(2), id="two points, coarse"),
]


def ever_rejected(test, draw, samples, seed):
    """Which of PROCESSES each of RUNS runs rejects at any one of its samples, without stopping."""
    source = np.random.default_rng(seed)
    drift, threshold = float(test.drift), float(test.threshold)
    total = np.zeros((len(PROCESSES), RUNS, 1))
    rejected = np.zeros((len(PROCESSES), RUNS), dtype=bool)
    for _ in range(0, samples, 128):
        steps = increments(test, draw(source, (RUNS, 128))) - drift
        path = total + np.cumsum(steps, axis=2)
        rejected |= path.max(axis=2) >= threshold
        total = path[:, :, -1:]
    return rejected


@pytest.mark.parametrize(("draw", "mean", "variance", "resolution"), SKEWED)
def test_a_true_value_is_refuted_no_more_often_than_stated(draw, mean, variance, resolution):
    test = MeanTest(mean, resolution, variance, ALPHA)
    rejected = ever_rejected(test, draw, 2 * samples_needed(test), seed=11)
    assert (rejected[2] | rejected[3]).mean() <= MOST_FALSE


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("draw", "mean", "variance", "resolution"), SKEWED)
def test_a_value_off_by_the_resolution_is_confirmed_no_more_often_than_stated(
    draw, mean, variance, resolution, side
):
    test = MeanTest(mean + side * resolution, resolution, variance, ALPHA)
    rejected = ever_rejected(test, draw, 2 * samples_needed(test), seed=12)
    assert (rejected[0] & rejected[1]).mean() <= MOST_FALSE


@pytest.mark.parametrize(
    ("shift", "expected"), [(0, "confirmed"), (2, "refuted"), (-2, "refuted"), (5, "refuted")]
)
@pytest.mark.parametrize(("draw", "mean", "variance", "resolution"), SKEWED)
def test_power(draw, mean, variance, resolution, shift, expected):
    """In 99 of 100 runs a false value takes no more samples than a true one takes on average,
    and a true one no more than three times as many."""
    test = MeanTest(mean + shift * resolution, resolution, variance, Fraction(1, 1000))
    budget = samples_needed(test) * (3 if expected == "confirmed" else 1)
    rejected = ever_rejected(test, draw, budget, seed=13)
    refuted = rejected[2] | rejected[3]
    decided = refuted if expected == "refuted" else rejected[0] & rejected[1] & ~refuted
    assert decided.mean() >= 0.99


def gaussian(seed, index, count):
    return numpy_generator(seed, index).standard_normal(count)


def far_out(seed, index, count):
    return np.full(count, 1e30)


def test_samples_needed_is_about_right():
    test = MeanTest(0, Fraction(1, 8), 1, ALPHA)
    used = [
        run_mean_test(gaussian, test, seed=seed, batch_size=16, max_batches=1000).samples
        for seed in range(200)
    ]
    assert np.mean(used) == pytest.approx(samples_needed(test), rel=0.15)


def test_influence_lies_between_catonis_bounds():
    u = np.concatenate([-np.geomspace(1e-9, 1e9, 500)[::-1], [0], np.geomspace(1e-9, 1e9, 500)])
    psi = influence(u)
    assert (psi <= np.log1p(u + u**2 / 2) * (1 + 1e-14) + 1e-15).all()
    assert (psi >= -np.log1p(-u + u**2 / 2) * (1 + 1e-14) - 1e-15).all()
    assert (np.diff(psi) >= 0).all()
    assert (psi == -influence(-u)).all()


@given(
    support=st.lists(st.floats(-50, 50), min_size=1, max_size=5),
    weights=st.lists(st.integers(1, 1000), min_size=5, max_size=5),
    gap=st.floats(0, 1000),
    lam=st.floats(1e-3, 10),
)
def test_one_step_of_the_e_process_has_mean_at_most_one(support, weights, gap, lam):
    """Also for a mean far below m, where the second moment about m is no bound by itself."""
    x = np.array(support)
    p = np.array(weights[: len(x)]) / sum(weights[: len(x)])
    mean = p @ x
    variance = p @ (x - mean) ** 2
    m = mean + gap
    # Divided out rather than multiplied, since exp(lam² v / 2) overflows for some of these.
    step = p @ np.exp(influence(lam * (x - m)) - lam**2 * variance / 2)
    assert step <= 1 + 1e-9


@pytest.mark.parametrize(
    ("samples", "test"),
    [
        (np.random.default_rng(1).standard_normal(1008), MeanTest(0, 0.1, 1, ALPHA)),
        (np.random.default_rng(2).standard_t(1, 1000) * 1e3, MeanTest(0.3, 2, 0.5, ALPHA)),
        (1e9 + np.random.default_rng(3).standard_normal(777), MeanTest(1e9, 0.1, 1, ALPHA)),
        (np.geomspace(1e-300, LARGEST / 2, 500), MeanTest(0, 1, 1, ALPHA)),
        (-np.geomspace(LARGEST / 4, LARGEST / 2, 5000), MeanTest(0, 1, 1, ALPHA)),
        (np.zeros(1), MeanTest(Fraction(1, 3), 1, Fraction(1, 3), ALPHA)),
    ],
    ids=["normal", "heavy", "far from zero", "all scales", "largest", "one sample"],
)
def test_recorded_sums_are_within_the_rounding_bound(samples, test):
    batch = summarise(test, 0, samples)
    with ctx.workprec(256):
        lam = arb(fmpq(test.lam.numerator, test.lam.denominator))
        for (side, m), recorded in zip(test.nulls, batch.sums, strict=True):
            exact = arb(0)
            for x in samples.tolist():
                u = lam * side * (arb(x) - arb(m))
                size = abs(u)
                psi = (1 + size + size**2 / 2).log()
                exact += psi if u > 0 else -psi
            # A quarter of the allowance is what the analysis gives.
            allowed = fmpq(batch.count * ROUNDING.numerator, 4 * ROUNDING.denominator)
            assert abs(exact - arb(recorded)) <= arb(allowed)


@given(value=st.fractions(-1000, 1000), tolerance=st.fractions(0, Fraction(1, 4)))
def test_every_null_is_rounded_to_the_side_that_is_harder_to_reject(value, tolerance):
    test = MeanTest(value, 1, 1, ALPHA, tolerance)
    stated = (value + 1 - tolerance, value - 1 + tolerance, value + tolerance, value - tolerance)
    for (side, m), bound in zip(test.nulls, stated, strict=True):
        assert side * (Fraction(m) - bound) >= 0
        assert abs(Fraction(m) - bound) <= abs(bound) / 2**52


@pytest.mark.parametrize("alpha", [Fraction(1, 100), Fraction(1, 10**12), 0.3])
def test_threshold_is_just_above_the_logarithm(alpha):
    test = MeanTest(0, 1, 1, alpha)
    with localcontext(prec=60):
        ratio = 2 / test.alpha
        log = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        gap = Decimal(test.threshold.numerator) / Decimal(test.threshold.denominator) - log
    assert 0 < gap < Decimal("1e-30")


def test_floats_are_read_exactly():
    test = MeanTest(0.1, 0.25, np.float64(2.5), 1e-3)
    assert test.value == Fraction(3602879701896397, 36028797018963968)
    assert test.lam == Fraction(float(Fraction(1, 10)))
    assert test.drift == test.lam**2 * Fraction(5, 2) / 2 + Fraction(1, 2**40)
    assert test == MeanTest(Fraction(0.1), Fraction(1, 4), Fraction(5, 2), Fraction(1e-3))
    assert hash(test) == hash(MeanTest(0.1, 0.25, 2.5, 1e-3))


def recomputed(record):
    """The outcome from the record's text alone, as an independent checker would find it."""
    test = record.parameters
    lam = Fraction(float(test.resolution / test.variance))
    limit = Fraction(math.nextafter(math.log(2 / test.alpha), math.inf))
    written = [(b.count, [s.hex() for s in b.sums]) for b in record.batches]
    outcomes, rejected = [], set()
    for end in range(1, len(written) + 1):
        n = sum(count for count, _ in written[:end])
        for j in range(4):
            total = sum(Fraction(float.fromhex(sums[j])) for _, sums in written[:end])
            if total - n * lam**2 * test.variance / 2 - n * Fraction(1, 2**40) >= limit:
                rejected.add(j)
        confirmed = "confirmed" if rejected >= {0, 1} else "inconclusive"
        outcomes.append("refuted" if rejected & {2, 3} else confirmed)
    return outcomes


@pytest.mark.parametrize(
    ("value", "max_batches", "outcome"),
    [(0, 200, "confirmed"), (Fraction(1, 4), 200, "refuted"), (0, 3, "inconclusive")],
)
def test_a_record_can_be_recomputed(value, max_batches, outcome):
    test = MeanTest(value, Fraction(1, 8), 1, Fraction(1, 10**8))
    record = run_mean_test(gaussian, test, seed=5, batch_size=64, max_batches=max_batches)
    assert record.outcome == outcome
    *before, last = recomputed(record)
    assert last == outcome
    assert set(before) == {"inconclusive"}
    assert [b.index for b in record.batches] == list(range(len(record.batches)))
    assert {b.count for b in record.batches} == {64}
    assert record.samples == 64 * len(record.batches)
    assert judge(test, record.batches) == outcome


def test_increments_and_batches_agree():
    test = MeanTest(0.1, 0.5, 2, ALPHA)
    samples = gaussian(3, 0, 4096)
    assert summarise(test, 0, samples).sums == pytest.approx(
        tuple(increments(test, samples).sum(axis=1)), abs=1e-10
    )
    assert list(log_e_values(test, [])) == []


@pytest.mark.parametrize(
    ("sums", "outcome"),
    [
        ([(9, 9, 0, 0)], "confirmed"),
        ([(9, 0, 0, 0), (0, 9, 0, 0)], "confirmed"),
        ([(9, 0, 0, 0), (-9, 9, 0, 0)], "confirmed"),
        ([(9, 9, 9, 0)], "refuted"),
        ([(9, 9, 0, 9)], "refuted"),
        ([(9, 9, 0, 0), (0, 0, 99, 0)], "confirmed"),
        ([(0, 0, 9, 0), (99, 99, 0, 0)], "refuted"),
        ([(9, 0, 0, 0), (9, 0, 0, 0)], "inconclusive"),
        ([(0, 9, 0, 0)], "inconclusive"),
        ([(3, 3, 3, 3), (2, 2, 2, 2)], "inconclusive"),
        ([(4, 4, 0, 0), (4, 4, 0, 0)], "confirmed"),
        ([], "inconclusive"),
    ],
)
def test_the_first_batch_that_decides_decides(sums, outcome):
    """log(200) = 5.3, and each batch of one sample takes off 0.005."""
    test = MeanTest(0, Fraction(1, 10), 1, ALPHA)
    assert judge(test, [Batch(k, 1, s) for k, s in enumerate(sums)]) == outcome


GOOD = {"value": 0, "resolution": 1, "variance": 1, "alpha": 0.01, "tolerance": 0}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"value": Fraction(1, 3)},
        {"value": -1e11},
        {"variance": 1e-9},
        {"alpha": Fraction(1, 10**30)},
        {"tolerance": 0.25},
        {"resolution": np.int64(2)},
    ],
)
def test_good_parameters(change):
    given = GOOD | change
    test = MeanTest(**given)
    assert all(isinstance(getattr(test, name), Fraction) for name in given)
    assert samples_needed(test) >= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "1/3"}, r"value: expected an int, a Fraction or a finite float; got '1/3'"),
        ({"value": math.nan}, "value: .*got nan"),
        ({"value": math.inf}, "value: .*got inf"),
        ({"value": True}, "value: .*got True"),
        ({"value": 1j}, "value: .*got 1j"),
        ({"value": 2**50}, "resolution: expected at least"),
        ({"value": 10**400, "resolution": 10**399}, "Rescale the samples"),
        ({"resolution": 0}, "resolution: .*got 0.*half the gap"),
        ({"resolution": -1}, "resolution: .*got -1"),
        ({"resolution": Fraction(1, 10**400)}, "Rescale the samples"),
        ({"variance": 0}, "variance: .*got 0.*exact certificate"),
        ({"variance": -2}, "variance: .*got -2"),
        ({"variance": Fraction(1, 10**400)}, "Rescale the samples"),
        ({"alpha": 0}, "alpha: .*got 0"),
        ({"alpha": 1}, "alpha: .*got 1"),
        ({"alpha": None}, "alpha: .*got None"),
        ({"tolerance": -1}, "tolerance: .*got -1"),
        ({"tolerance": 0.3}, "tolerance: .*got 0.3"),
    ],
)
def test_bad_parameters(change, message):
    with pytest.raises(NumericError, match=message):
        MeanTest(**(GOOD | change))


@pytest.mark.parametrize(
    ("sampler", "change", "message"),
    [
        (gaussian, {"seed": -1}, "seed: .*got -1"),
        (gaussian, {"batch_size": 100}, "multiple of 16.*got 100. Use, e.g., 96"),
        (gaussian, {"max_batches": 0}, r"max_batches: .*got 0.*needs about \d+ samples"),
        (gaussian, {"max_batches": True}, "max_batches: .*got True"),
        (far_out, {}, "contradict the variance bound"),
    ],
)
def test_bad_runs(sampler, change, message):
    arguments = {"seed": 0, "batch_size": 16, "max_batches": 2} | change
    with pytest.raises(NumericError, match=message):
        run_mean_test(sampler, MeanTest(0, 1, 1, ALPHA), **arguments)


def test_an_empty_batch_and_nan_are_refused():
    test = MeanTest(0, 1, 1, ALPHA)
    with pytest.raises(NumericError, match="batch 7: expected at least one sample"):
        summarise(test, 7, np.zeros(0))
    with pytest.raises(NumericError, match="got nan"):
        summarise(test, 0, np.array([0.0, math.nan]))


def binomial_tail(trials, p, least):
    return sum(
        math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(least, trials + 1)
    )


@pytest.mark.parametrize(("successes", "trials"), [(1, 1), (3, 10), (10, 10), (1, 40), (20, 40)])
@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 10**8)])
def test_interval_ends_are_certified_and_tight(successes, trials, alpha):
    low, _ = proportion_interval(successes, trials, alpha)
    assert binomial_tail(trials, low, successes) <= alpha / 2
    assert binomial_tail(trials, low + Fraction(1, 2**48), successes) > alpha / 2
    # The other end is the mirror image.
    assert proportion_interval(trials - successes, trials, alpha)[1] == 1 - low


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 5), (5, 5), (2, 7), (450, 1000), (3, 10**6), (10**4, 10**6)]
)
def test_interval_agrees_with_scipy_and_lies_outside(successes, trials):
    low, high = proportion_interval(successes, trials, 0.01)
    assert 0 <= low <= Fraction(successes, trials) <= high <= 1
    if successes:
        expected = beta.ppf(0.005, successes, trials - successes + 1)
        assert float(low) == pytest.approx(expected, rel=1e-9, abs=1e-14)
    if successes < trials:
        expected = beta.ppf(0.995, successes + 1, trials - successes)
        assert float(high) == pytest.approx(expected, rel=1e-9, abs=1e-14)


def test_interval_covers_every_proportion():
    trials, alpha = 12, Fraction(1, 10)
    intervals = [proportion_interval(k, trials, alpha) for k in range(trials + 1)]
    for p in (Fraction(i, 50) for i in range(51)):
        missed = sum(
            math.comb(trials, k) * p**k * (1 - p) ** (trials - k)
            for k, (low, high) in enumerate(intervals)
            if not low <= p <= high
        )
        assert missed <= alpha


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 2, 0.1), "successes, trials: .*got 3 of 2"),
        ((-1, 2, 0.1), "got -1 of 2"),
        ((0, 0, 0.1), "got 0 of 0"),
        ((1.0, 2, 0.1), "successes: expected a whole number; got 1.0"),
        ((1, True, 0.1), "trials: expected a whole number; got True"),
        ((1, 2, 0), "alpha: .*got 0"),
        ((1, 2, 1.5), "alpha: .*got 1.5"),
        ((1, 2, "5%"), "alpha: .*got '5%'"),
    ],
)
def test_bad_proportions(arguments, message):
    with pytest.raises(NumericError, match=message):
        proportion_interval(*arguments)
