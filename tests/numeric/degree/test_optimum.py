"""Boxes against a second interval arithmetic, integers against powers; good and bad inputs."""

import math
from fractions import Fraction
from itertools import pairwise

import flint
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.numeric import degree
from lemmata.numeric.errors import NumericError

RANGES = [
    (0, Fraction(9, 8), 64),
    (0, Fraction(1, 16), 64),
    (0, Fraction(1, 3), Fraction(22, 7)),
    (0, 2, 3),
    (Fraction(-1, 2), Fraction(9, 8), 64),
    (Fraction(-9, 10), 1, 64),
    (1, Fraction(9, 8), 64),
    (2, Fraction(9, 8), 64),
    (3, Fraction(9, 8), 64),
    (Fraction(22, 7), 1, 100),
    (1000, 1, 10**6),
]


def closed_form(extra):
    """exp(1 + W(extra/e)), by the means that the module does without."""
    c = mpmath.mpf(Fraction(extra).numerator) / Fraction(extra).denominator
    return mpmath.exp(1 + mpmath.lambertw(c / mpmath.e))


def as_interval(low, high):
    low, high = (
        mpmath.iv.mpf(end.numerator) / end.denominator for end in (Fraction(low), Fraction(high))
    )
    return mpmath.iv.mpf([low.a, high.b])


@pytest.fixture
def digits():
    """More digits than the module works with."""
    with mpmath.workdps(80):
        before, mpmath.iv.dps = mpmath.iv.dps, 80
        yield
        mpmath.iv.dps = before


@pytest.mark.parametrize(("extra", "low", "high"), RANGES)
@pytest.mark.usefixtures("digits")
def test_boxes_hold_in_a_second_interval_arithmetic(extra, low, high):
    found = degree.optimum_boxes(extra, low=low, high=high)
    c, log = as_interval(extra, extra), mpmath.iv.log

    left, right = (mpmath.mpf(end.numerator) / end.denominator for end in found.optimum)
    assert left < closed_form(extra) < right
    assert right - left <= mpmath.mpf(2) ** -64

    optimum = as_interval(*found.optimum)
    best = log(optimum) / (optimum + c)
    for box in found.boxes:
        d = as_interval(*box)
        assert (log(d) / (d + c)).b < best.a

    d = as_interval(*found.around)
    curvature = (2 * log(d) / (d + c) ** 2 - 2 / (d * (d + c)) - 1 / d**2) / (d + c)
    assert curvature.b < 0
    assert found.around[0] < found.optimum[0] < found.optimum[1] < found.around[1]


@pytest.mark.parametrize(("extra", "low", "high"), RANGES)
def test_boxes_and_the_middle_cover_the_range_with_dyadic_ends(extra, low, high):
    found = degree.optimum_boxes(extra, low=low, high=high)
    pieces = sorted([*found.boxes, found.around])
    assert (pieces[0][0], pieces[-1][1]) == (low, high)
    assert all(first[1] == second[0] for first, second in pairwise(pieces))
    assert all(first < last for first, last in pieces)
    assert list(found.boxes) == sorted(found.boxes)
    for end in {end for piece in pieces for end in piece} - {low, high}:
        assert end.denominator.bit_count() == 1
        assert end.denominator <= 2**16


@pytest.mark.parametrize(("extra", "low", "high"), [row for row in RANGES if row[0] >= 0])
def test_boxes_are_few(extra, low, high):
    assert len(degree.optimum_boxes(extra, low=low, high=high).boxes) < 150


def test_more_precision_narrows_the_optimum():
    coarse, fine = (
        degree.optimum_boxes(0, low=2, high=3, precision=bits).optimum for bits in (32, 4096)
    )
    assert coarse[1] - coarse[0] == Fraction(1, 2**16)
    assert fine[1] - fine[0] == Fraction(1, 2**2048)
    assert coarse[0] <= fine[0] < fine[1] <= coarse[1]


def test_the_precision_in_force_outside_is_kept():
    with flint.ctx.workprec(77):
        degree.optimum_boxes(0, low=2, high=3)
        degree.best_integer(0, low=1, high=5)
        assert flint.ctx.prec == 77


def test_fractional_degrees_gain_less_than_half_a_percent_over_three():
    low, high = (float(end) for end in degree.optimum_boxes(0, low=2, high=4).optimum)
    for d in (low, high):
        assert 100 * ((math.log(d) / d) / (math.log(3) / 3) - 1) == pytest.approx(0.4575, abs=5e-5)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("extra", "low", "high"), RANGES[:-1])
def test_the_grid_maximum_is_next_to_the_optimum(extra, low, high, dtype):
    found = degree.grid_maximum(extra, low=low, high=high, points=4001, dtype=dtype)
    step = (Fraction(high) - Fraction(low)) / 4000
    assert ((found - low) / step).denominator == 1
    # Rounding hides differences of about eps, which f reaches sqrt(eps) away from its optimum.
    blur = 0.02 if dtype == "float32" else 1e-6
    assert abs(float(found) - closed_form(extra)) <= float(step) + blur


def test_the_grid_passes_over_a_node_that_rounds_to_the_pole():
    low = 1 + Fraction(1, 2**80)
    assert degree.grid_maximum(-1, low=low, high=9, points=9) == low + (9 - low) / 8


BEST = [
    (-1, 2),
    (Fraction(-2905, 10000), 2),
    (Fraction(-2904, 10000), 3),
    (0, 3),
    (Fraction(8188, 10000), 3),
    (Fraction(8189, 10000), 4),
    (1, 4),
    (2, 4),
    (3, 5),
]


@pytest.mark.parametrize(("extra", "expected"), BEST)
def test_the_best_integer_changes_at_the_tie_points(extra, expected):
    assert degree.best_integer(extra, low=2, high=60) == expected
    if Fraction(extra).denominator == 1:
        assert degree.best_integer_exact_powers(extra, 2, 60) == expected


@given(st.fractions(-1, 6, max_denominator=12), st.integers(2, 6), st.integers(0, 10))
def test_both_ways_agree_on_the_best_integer(extra, low, more):
    ball = degree.best_integer(extra, low=low, high=low + more)
    assert ball == degree.best_integer_exact_powers(extra, low, low + more)


@given(st.fractions(-1, 20, max_denominator=50))
def test_the_best_integer_is_next_to_the_real_optimum(extra):
    best = degree.best_integer(extra, low=2, high=40)
    assert abs(best - closed_form(extra)) < 1 or (best == 2 and extra < 0)


def test_far_apart_equals_do_not_stop_the_search():
    # ln 2 / 2 = ln 4 / 4 exactly, but 3 beats both.
    assert degree.best_integer(0, low=2, high=4) == 3


def nearly_tied(k, bits):
    """The rational next to the `extra` at which k and k + 1 tie, to this many bits."""
    with flint.ctx.workprec(bits + 64):
        small, large = flint.arb(k).log(), flint.arb(k + 1).log()
        tie = ((k + 1) * small - k * large) / (large - small)
        return Fraction(int((tie * 2**bits).mid().floor().unique_fmpz()), 2**bits)


def test_a_close_call_is_decided_with_more_bits():
    for bits in (60, 600, 6000):
        below = nearly_tied(3, bits)
        assert degree.best_integer(below, low=1, high=9) == 3
        assert degree.best_integer(below + Fraction(1, 2**bits), low=1, high=9) == 4


def test_a_tie_that_no_precision_decides_is_reported_not_guessed():
    with pytest.raises(NumericError, match=r"degrees 3 and 4 at extra = about 0.8188.* a tie"):
        degree.best_integer(nearly_tied(3, 40000), low=1, high=9)


NEXT_TO_E = Fraction(271828182845904523536028747135266249775724709, 10**44)

BAD = [
    ("extra: .*0.5.*float", lambda: degree.optimum_boxes(0.5, low=1, high=9)),
    ("extra: .*nan", lambda: degree.optimum_boxes(math.nan, low=1, high=9)),
    ("extra: .*'1'", lambda: degree.best_integer("1", low=1, high=9)),
    ("low: .*1.5", lambda: degree.optimum_boxes(0, low=1.5, high=9)),
    ("high: .*inf", lambda: degree.optimum_boxes(0, low=1, high=math.inf)),
    ("extra: .*got -1, where", lambda: degree.optimum_boxes(-1, low=2, high=9)),
    ("extra: .*-3/2", lambda: degree.optimum_boxes(Fraction(-3, 2), low=2, high=9)),
    ("low: .*got 0", lambda: degree.optimum_boxes(0, low=0, high=9)),
    (
        "low: .*1/2.*got 1/2",
        lambda: degree.optimum_boxes(Fraction(-1, 2), low=Fraction(1, 2), high=9),
    ),
    ("low, high: .*3 and 3", lambda: degree.optimum_boxes(0, low=3, high=3)),
    ("low: .*optimum is less", lambda: degree.optimum_boxes(0, low=3, high=9)),
    ("high: .*optimum is greater", lambda: degree.optimum_boxes(0, low=1, high=2)),
    ("precision: .*8", lambda: degree.optimum_boxes(0, low=1, high=9, precision=8)),
    ("low, high: .*well inside", lambda: degree.optimum_boxes(0, low=NEXT_TO_E, high=9)),
    ("points: .*1", lambda: degree.grid_maximum(0, low=1, high=9, points=1)),
    ("low, high: ", lambda: degree.grid_maximum(0, low=9, high=1, points=9)),
    ("high, extra: .*optimum_boxes", lambda: degree.grid_maximum(0, low=1, high=10**400, points=9)),
    ("dtype: .*float46", lambda: degree.grid_maximum(0, low=1, high=9, points=9, dtype="float46")),
    ("extra: .*-2", lambda: degree.best_integer(-2, low=3, high=9)),
    ("low: .*max.*1.*Pass, e.g., low=2", lambda: degree.best_integer(-1, low=1, high=9)),
    ("low: .*0", lambda: degree.best_integer(0, low=0, high=9)),
    ("high: .*at least 5", lambda: degree.best_integer(0, low=5, high=4)),
    ("extra: .*0.0", lambda: degree.best_integer_exact_powers(0.0, 1, 4)),
]


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_is_named_with_what_was_expected_and_what_came(message, call):
    with pytest.raises(NumericError, match=message) as caught:
        call()
    text = str(caught.value)
    assert "expected" in text
    assert "got" in text
    assert text.endswith((".", "?"))
