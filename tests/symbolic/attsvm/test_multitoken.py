"""Closed forms for several selected tokens, and the derivations that the kernel accepts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Matrix, Rational, log, simplify

from lemmata.symbolic.attsvm import multitoken as theory
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.verify.kernel import check

HALF = Rational(1, 2)
HADAMARD = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
ROTATED = tuple(tuple(HALF * entry for entry in row) for row in HADAMARD)
PLAIN = tuple(tuple(int(i == j) for j in range(4)) for i in range(4))
FIRST = tuple(map(Rational, ("1", "1/2", "-1/2", "-3/2")))
SECOND = tuple(map(Rational, ("-1/2", "1/4", "3/4", "-1")))
GAPS = (Rational(3, 4), Rational(7, 4))
DERIVATIONS = (
    theory.derive_optimal_map(),
    theory.derive_gradient(),
    theory.derive_rates(),
    theory.derive_forces(GAPS),
)
EXACT = st.lists(st.fractions(-3, 3, max_denominator=12), min_size=1, max_size=6)


@given(EXACT, st.fractions(Fraction(1, 10), 3, max_denominator=10))
def test_optimal_map_satisfies_its_optimality_conditions(scores, mu):
    best = theory.optimal_map(scores, mu)
    assert sum(best.attention) == 1
    for t, (score, share) in enumerate(zip(scores, best.attention, strict=True)):
        slope = Rational(score.numerator, score.denominator) - 2 * Rational(mu) * share
        assert (t in best.selected) == (share > 0)
        assert slope == best.threshold if share > 0 else slope <= best.threshold


@settings(max_examples=30)
@given(EXACT, st.lists(st.fractions(0, 1, max_denominator=9), min_size=6, max_size=6))
def test_no_other_map_is_better(scores, other):
    total = sum(other[: len(scores)])
    if total == 0:
        return
    shares = [part / total for part in other[: len(scores)]]
    best = [Fraction(int(x.p), int(x.q)) for x in theory.optimal_map(scores, HALF).attention]

    def head(map_):
        return sum(g * x - x * x / 2 for g, x in zip(scores, map_, strict=True))

    apart = sum((x - y) ** 2 for x, y in zip(shares, best, strict=True))
    assert head(shares) <= head(best) - apart / 2


def one(query=(2, 0, 0, 0), scores=FIRST, loss="linear"):
    return theory.limit_components((ROTATED,), (query,), (scores,), HALF, loss)


def pair(loss="linear"):
    queries = ((2, 0, 0, 0), (-1, 2, 0, 0))
    return theory.limit_components((ROTATED, PLAIN), queries, (FIRST, SECOND), HALF, loss)


def test_one_sequence_by_hand():
    """x_1 to x_4 span everything: W = sum_t y_t x_t z^T/|z|^2 has the logits y."""
    parts = one()
    z = Matrix([[2, 0, 0, 0]])

    def with_logits(*values):
        return Matrix(ROTATED).T * Matrix(values) * z / 4

    assert simplify(parts.finite - with_logits(log(3) / 2, -log(3) / 2, 0, 0)).is_zero_matrix
    assert parts.max_margin == with_logits(HALF, HALF, -HALF, -HALF)
    middle = (log(7) - log(3)) / 2
    assert simplify(parts.residual - with_logits(0, 0, middle, -middle)).is_zero_matrix
    assert parts.multipliers == (Rational(1, 8),) * 2
    assert simplify(parts.offset - log(3) - log(7) / 2 + log(2)) == 0


@pytest.mark.parametrize("parts", [one(), pair(), pair("logistic")])
def test_parts_are_orthogonal(parts):
    for two in ((parts.finite, parts.max_margin), (parts.finite, parts.residual)):
        assert abs(sum(map(lambda x, y: x * y, *two)).evalf(30)) < 1e-25
    assert abs(sum(map(lambda x, y: x * y, parts.residual, parts.max_margin)).evalf(30)) < 1e-25
    assert simplify(parts.residual_norm_squared).evalf() > 0.01


def test_nothing_remains_where_the_gaps_agree():
    parts = one(scores=tuple(map(Rational, ("1", "1/2", "-1", "-1"))))
    assert parts.residual.is_zero_matrix
    assert parts.residual_norm_squared == 0


def test_the_loss_scales_the_time_of_one_sequence_alone():
    """One sequence: |l'| multiplies every force, which moves C_0 and nothing else."""
    assert simplify(one(loss="logistic").residual - one().residual).is_zero_matrix
    assert float(one(loss="logistic").offset) < float(one().offset)
    assert not simplify(pair("logistic").residual - pair().residual).is_zero_matrix


def test_margins_of_the_limit():
    parts = pair()
    difference = [x - y for x, y in zip(ROTATED[0], ROTATED[1], strict=True)]
    assert simplify(parts.margin(difference, (2, 0, 0, 0)) - log(3)) == 0
    assert float(parts.margin((1, 0, 0, -1), (-1, 2, 0, 0))) == pytest.approx(0.4700036292)


def test_span_rate_is_inverse_to_the_strength():
    assert theory.span_rate(FIRST, HALF, 1) == (Rational(152, 63), Rational(-152, 63))
    assert theory.span_rate(FIRST, HALF, 4) == (Rational(38, 63), Rational(-38, 63))


BAD = (
    ("mu > 0", lambda: theory.optimal_map((1, 2), 0)),
    ("mu > 0", lambda: theory.optimal_map((1, 2), -1)),
    ("at least one score", lambda: theory.optimal_map((), 1)),
    ("scores: expected exact", lambda: theory.optimal_map((0.5, 1), 1)),
    ("mu: expected exact", lambda: theory.optimal_map((1, 1), 0.5)),
    ("scores: expected exact", lambda: theory.optimal_map((True, 1), 1)),
    ("orthonormal tokens in sequence 0",
     lambda: theory.limit_components((HADAMARD,), ((1, 0, 0, 0),), (FIRST,), HALF)),
    ("token 2 of sequence 0",
     lambda: one(scores=tuple(map(Rational, ("1", "1/2", "1/4", "-3/2"))))),
    ("expected every unselected token to support",
     lambda: theory.limit_components(
         (ROTATED, ROTATED), ((1, 0, 0, 0), (1, 2, 0, 0)), (FIRST, SECOND), HALF)),
    ("independent atoms",
     lambda: theory.limit_components(
         (PLAIN, PLAIN), ((1, 0, 0, 0),) * 2, ((3, 0, 0, 0),) * 2, HALF)),
    ("independent selected differences",
     lambda: theory.limit_components((PLAIN, PLAIN), ((1, 0, 0, 0),) * 2, (FIRST,) * 2, HALF)),
)  # fmt: skip


@pytest.mark.parametrize(("message", "call"), BAD)
def test_bad_input_is_named(message, call):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("derivation", DERIVATIONS)
def test_derivation_is_accepted(derivation):
    verdict = check("tokens", derivation.lines[-1].statement, (derivation,))
    assert verdict.outcome == "proved", verdict.detail


@pytest.mark.parametrize("derivation", DERIVATIONS)
def test_every_line_of_a_derivation_is_needed(derivation):
    for number, line in enumerate(derivation.lines):
        broken = Line(line.statement, "ground", line.using, line.args)
        lines = (*derivation.lines[:number], broken, *derivation.lines[number + 1 :])
        verdict = check("tokens", derivation.lines[-1].statement, (Derivation(lines),))
        assert verdict.outcome == "inconclusive"
        assert f"line {number + 1}" in verdict.detail
