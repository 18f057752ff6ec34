"""Exact constants of the laws of training, and the derivations that the kernel accepts."""

from __future__ import annotations

import math

import pytest
from sympy import Integer, Matrix, N, Rational, Symbol, exp, log, ones

from lemmata.symbolic.attsvm import laws
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import Relation
from lemmata.verify.kernel import check

# One direction for each sequence, orthogonal queries: everything by hand.
PLAIN = laws.SupportInstance(
    tokens=(((1, 0), (0, 0)), ((0, 2), (0, 0))),
    queries=((1, 0), (0, 1)),
    scores=((1, 0), (2, -1)),
)
JOINED = laws.SupportInstance(
    tokens=(((1, -1), (-1, 1)), ((-1, -2), (1, 1))),
    queries=((1, 0), (1, -1)),
    scores=((3, 2), (1, -1)),
)
PROVED = {
    "pull": (laws.pull(), laws.derive_pull),
    "pull-of-two": (laws.derive_pull_of_two().lines[-1].statement, laws.derive_pull_of_two),
    "speed": (laws.speed(), laws.derive_speed),
    "least": (laws.least(), laws.derive_least),
    "most": (laws.most(), laws.derive_most),
    "spared": (laws.spared(), laws.derive_spared),
    "unattended-low": (
        laws.unattended_bounds()[0],
        lambda: laws.derive_unattended_bounds()[0],
    ),
    "unattended-high": (
        laws.unattended_bounds()[1],
        lambda: laws.derive_unattended_bounds()[1],
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_derivation_is_accepted(name: str) -> None:
    statement, derive = PROVED[name]
    verdict = check(name, statement, (derive(),))
    assert verdict.outcome == "proved", verdict.detail


@pytest.mark.parametrize("name", PROVED)
def test_every_line_of_a_derivation_is_needed(name: str) -> None:
    statement, derive = PROVED[name]
    lines = derive().lines
    for number, line in enumerate(lines):
        broken = Line(line.statement, "limit", line.using, line.args)
        forged = Derivation((*lines[:number], broken, *lines[number + 1 :]))
        assert check(name, statement, (forged,)).outcome == "inconclusive"


def test_no_derivation_proves_a_neighbour() -> None:
    """Other constants and exponents in the conclusion, the same lines before it."""
    for name, factor in (("pull", 2), ("spared", 2), ("least", Rational(11, 10)), ("speed", 2)):
        statement, derive = PROVED[name]
        wrong = Relation(
            statement.lhs * factor, statement.op, statement.rhs, statement.over, statement.given
        )
        last = derive().lines[-1]
        lines = (*derive().lines[:-1], Line(wrong, last.rule, last.using, last.args))
        assert check(name, wrong, (Derivation(lines),)).outcome == "inconclusive"


def test_orthogonal_sequences_by_hand() -> None:
    assert PLAIN.gram == Matrix([[1, 0], [0, 4]])
    assert PLAIN.multipliers == (1, Rational(1, 4))
    assert PLAIN.norm_squared == Rational(5, 4)
    assert PLAIN.weights == (Rational(1, 2) / (1 + exp(1)), Rational(3, 2) / (1 + exp(2)))
    assert PLAIN.unattended(0) == (2 * (1 + exp(1)),)
    first, second = (math.log(0.5 / (1 + math.e)), math.log(6 / (1 + math.e**2)))
    # rho = (first, second/2) in the unit atoms, W^mm = (1, 1/2).
    across = (first / 2 - second / 2) ** 2 / 1.25
    assert float(N(PLAIN.residual_constant, 20)) == pytest.approx(across / 2, rel=1e-14)
    assert float(N(PLAIN.residual_squared, 20)) == pytest.approx(first**2 + second**2 / 4)


@pytest.mark.parametrize("instance", [PLAIN, JOINED])
def test_the_constants_solve_their_equations(instance: laws.SupportInstance) -> None:
    size = len(instance.pairs)
    assert instance.gram * Matrix(instance.multipliers) == ones(size, 1)
    levels = [log(a / e) for a, e in zip(instance.weights, instance.multipliers, strict=True)]
    assert all(abs(N(x - y, 30)) < 1e-25 for x, y in zip(levels, instance.levels, strict=True))
    assert N(instance.residual_constant) > 0
    # Levels that are all alike make rho parallel to W^mm: nothing remains across it.
    assert instance.across(3 * ones(size, 1)) == 0
    shifted = instance.levels + ones(size, 1)
    assert abs(N(instance.across(shifted) - instance.across(instance.levels), 30)) < 1e-25
    ratio = instance.rate_constant * instance.norm_squared / instance.residual_constant
    assert ratio == 1
    assert instance.norm_deviation**2 == instance.residual_squared


def test_the_curve_solves_the_leading_order_flow_in_numbers() -> None:
    """d/dt of the margins of W(t) is G times the pulls w exp(-margin)."""
    t = Symbol("t")
    margins = [log(t) + level for level in JOINED.levels]
    pulls = Matrix([a * exp(-b) for a, b in zip(JOINED.weights, margins, strict=True)])
    moved = JOINED.gram * pulls
    for margin, speed in zip(margins, moved, strict=True):
        assert abs(N((margin.diff(t) - speed).subs(t, Integer(17)), 30)) < 1e-25


BAD = [
    ("scores: .*tie in sequence 1", PLAIN.tokens, PLAIN.queries, ((1, 0), (2, 2))),
    ("tokens: .*singular", (((1, 0), (0, 0), (0, 0)),), ((1, 0),), ((2, 1, 0),)),
    (
        "tokens: .*token 1 of sequence 0",
        (((1, 0), (-1, 1), (0, 0)),),
        ((1, 0),),
        ((2, 1, 0),),
    ),
]


@pytest.mark.parametrize(("message", "tokens", "queries", "scores"), BAD)
def test_where_the_laws_do_not_apply_they_say_so(message, tokens, queries, scores) -> None:
    with pytest.raises(ValueError, match=message):
        laws.SupportInstance(tokens, queries, scores)
