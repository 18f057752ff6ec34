"""Experiments."""

from sympy import Rational

from attacks import ONE, ZERO, F, false, n, x
from lemmata.symbolic.statements import Mean, Trend
from lemmata.verify.kernel.evidence import SampleBatch, SequentialTest, Trajectory

MEAN = Mean(x, ((x, "normal"),), ONE, "thing", (), ONE, Rational(1, 10))


def sampled(**changes):
    huge = SampleBatch(0, 10, (F(10**6), F(10**6), F(0), F(0)))
    fields = {"observable": "thing", "parameters": (), "value": F(1), "tolerance": F(0),
              "alpha": F(1, 100), "scale": F(1, 10), "seed": 0, "batch_size": 10,
              "batches": (huge,)} | changes  # fmt: skip
    return MEAN, SequentialTest(**fields)


@false
def samples_of_another_observable():
    return sampled(observable="other")


@false
def samples_with_a_large_alpha():
    return sampled(alpha=F(1, 2))


@false
def samples_with_alpha_true():
    return sampled(alpha=True)


@false
def samples_with_another_scale():
    return sampled(scale=F(1, 5))


@false
def samples_with_negative_counts():
    return sampled(batch_size=-10, batches=(SampleBatch(0, -10, (F(1), F(1), F(0), F(0))),))


@false
def samples_with_more_sums():
    return sampled(batches=(SampleBatch(0, 10, (F(10**6),) * 2),))


@false
def samples_with_the_first_batch_left_out():
    return sampled(batches=(SampleBatch(1, 10, (F(10**6), F(10**6), F(0), F(0))),))


TREND = Trend("loss", (), ZERO, 1 / n, n)


@false
def trajectory_with_repeated_indices():
    return TREND, Trajectory("loss", (), F(0), ((4, F(0)), (4, F(0)), (4, F(0))))


@false
def trajectory_with_negative_rounding():
    return TREND, Trajectory("loss", (), F(-5), ((1, F(2)), (2, F(2)), (4, F(2))))


@false
def trajectory_of_a_constant_budget():
    trend = Trend("loss", (), ZERO, ONE, n)
    return trend, Trajectory("loss", (), F(0), ((1, F(0)), (2, F(0)), (3, F(0))))


@false
def trajectory_at_fractional_indices():
    """sp.Integer(1.9) is 1: the budget of a better index."""
    values = ((1.9, F(1)), (2.9, F(1, 2)), (3.9, F(1, 3)), (4.9, F(1, 4)))
    return TREND, Trajectory("loss", (), F(0), values)
