"""Separation ranks of functions, and bounds by degrees: accepted beside rejected inferences."""

from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Product, Sum, exp, log, sqrt, symbols

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Attention,
    Function,
    Hadamard,
    Relation,
    SeparationRank,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Instance, SeparationCertificate

x, y, a, b, i, j, h, layers, width, heads = symbols("x y a b i j h layers width heads")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
POLY = Function(x**2 * y + x * y**2, ((x, REALS),), ((y, REALS),))
BITS = Function(POLY.expression, ((x, integers(0, 1)),), ((y, integers(0, 1)),))
EXP = Function(exp(x * y), ((x, REALS),), ((y, REALS),))
FORM = Function(a * x * y + b * x**2 * y**2, ((x, REALS),), ((y, REALS),))
PARAMETERS = ((a, REALS), (b, REALS))
NONZERO = (Relation(a, "!=", ZERO), Relation(b, "!=", ZERO))
FACTORS = ((x**2, y), (x, y**2))


def points(*values):
    return tuple((Fraction(value),) for value in values)


def cert(left=(), right=None, factors=None):
    right = left if right is None else right
    return SeparationCertificate(points(*left), points(*right), factors)


def outcome(statement, evidence):
    return check("test", statement, (evidence,)).outcome


FULL = cert((1, 2), (1, 2), FACTORS)


@pytest.mark.parametrize(
    ("op", "value", "wanted"),
    [
        ("=", 2, "certified"), ("=", 3, "refuted"), ("=", 1, "refuted"), ("!=", 2, "refuted"),
        ("!=", 3, "certified"), ("<", 3, "certified"), ("<", 2, "refuted"), ("<=", 2, "certified"),
        ("<=", 1, "refuted"), (">", 1, "certified"), (">", 2, "refuted"), (">=", 2, "certified"),
        (">=", 3, "refuted"), ("=", Integer(3) / 2, "refuted"), ("=", sqrt(4), "certified"),
        ("=", sqrt(2), "inconclusive"), ("==", 2, "inconclusive"),
    ],
)  # fmt: skip
def test_rank_is_compared_with_the_value(op, value, wanted):
    assert outcome(SeparationRank(POLY, op, value + ZERO), FULL) == wanted


@pytest.mark.parametrize(
    ("evidence", "op", "value", "wanted"),
    [
        (cert((1, 2)), ">=", 2, "certified"),
        (cert((1, 2)), "=", 2, "inconclusive"),
        (cert((1, 2)), "<=", 1, "refuted"),
        (cert((1, 2)), "!=", 1, "certified"),
        (cert(), ">=", 0, "certified"),
        (cert(), ">=", 1, "inconclusive"),
        (cert(factors=FACTORS), "<=", 2, "certified"),
        (cert(factors=FACTORS), "=", 2, "inconclusive"),
        (cert(factors=FACTORS), ">=", 3, "refuted"),
        (cert(factors=FACTORS), "=", Integer(3) / 2, "refuted"),
        (cert((0, 1)), ">=", 2, "inconclusive"),  # singular
        (cert((1, 1)), ">=", 2, "inconclusive"),
        (cert((1, 2), (1,)), ">=", 2, "inconclusive"),  # not square
        (cert(range(1, 66)), ">=", 0, "inconclusive"),  # large
        (cert(factors=()), "<=", 2, "inconclusive"),
        (cert(factors=FACTORS[:1]), "<=", 2, "inconclusive"),
        (cert(factors=((y, x**2), (x, y**2))), "<=", 2, "inconclusive"),  # of the wrong side
        (cert(factors=((ONE, POLY.expression),)), "<=", 2, "inconclusive"),
        (cert(factors=((x**2, y, ONE),)), "<=", 2, "inconclusive"),
        (cert(factors=((x**2 / x**2 + log(x), y),)), "<=", 2, "inconclusive"),
        (cert(factors=((a, y),)), "<=", 2, "inconclusive"),
    ],
)
def test_points_and_factors(evidence, op, value, wanted):
    assert outcome(SeparationRank(POLY, op, value + ZERO), evidence) == wanted


def test_points_have_a_coordinate_for_each_variable_in_its_domain():
    statement = SeparationRank(BITS, ">=", ONE)
    assert outcome(statement, cert((1,))) == "certified"
    for wrong in (cert((2,)), cert((Fraction(1, 2),)), cert((-1,))):
        assert outcome(statement, wrong) == "inconclusive"
    for point in ((), (Fraction(1),) * 2, (1,), ("1",), (True,)):
        wrong = SeparationCertificate((point,), points(1))
        assert outcome(statement, wrong) == "inconclusive"
    ends = Function(x * y, ((x, interval(0, 1)),), ((y, interval(0, 1, "[]")),))
    assert outcome(SeparationRank(ends, ">=", ONE), cert((Fraction(1, 2),), (1,))) == "certified"
    assert outcome(SeparationRank(ends, ">=", ONE), cert((1,), (1,))) == "inconclusive"


def test_factors_on_a_finite_domain_are_tried_at_all_points():
    one = SeparationRank(BITS, "=", ONE)
    assert outcome(one, cert((1,), (1,), ((2 * x, y),))) == "certified"
    assert outcome(one, cert((1,), (1,), ((x, y),))) == "inconclusive"
    wide = replace(BITS, left=((x, integers(0, 2)),))
    assert outcome(replace(one, function=wide), cert((1,), (1,), ((2 * x, y),))) == "inconclusive"
    without = replace(BITS, left=((x, integers(0)),))
    assert outcome(replace(one, function=without), cert((1,), (1,), ((2 * x, y),))) == (
        "inconclusive"
    )


def test_determinant_by_balls():
    assert outcome(SeparationRank(EXP, ">=", THREE), cert((0, 1, 2))) == "certified"
    assert outcome(SeparationRank(EXP, ">=", THREE), cert((0, 1, 1))) == "inconclusive"


def test_no_value_of_a_determinant_by_balls_need_be_rational():
    assert outcome(SeparationRank(EXP, ">=", TWO), cert((1, 2), (1, 2))) == "certified"
    assert outcome(SeparationRank(EXP, ">=", TWO), cert((1, 1), (1, 2))) == "inconclusive"


def test_function_must_be_defined_on_its_domain():
    pole = Function(y / x, ((x, REALS),), ((y, REALS),))
    for evidence in (cert((1,)), cert(factors=((1 / x, y),))):
        assert outcome(SeparationRank(pole, ">=", ZERO), evidence) == "inconclusive"
    away = replace(pole, left=((x, above(0)),))
    assert outcome(SeparationRank(away, "=", ONE), cert((1,), (1,), ((1 / x, y),))) == "certified"


def test_parameters_and_hypotheses():
    evidence = cert((1, 2), (1, 2), ((a * x, y), (b * x**2, y**2)))
    whole = SeparationRank(FORM, "=", TWO, PARAMETERS, NONZERO)
    assert outcome(whole, evidence) == "certified"
    assert outcome(replace(whole, given=NONZERO[:1]), evidence) == "inconclusive"
    factors = replace(evidence, left=(), right=())
    assert outcome(replace(whole, given=NONZERO[:1], op="<="), factors) == "certified"
    assert outcome(replace(whole, value=THREE), evidence) == "inconclusive"  # not for all
    many = cert(range(1, 6))
    assert outcome(replace(whole, op=">=", value=ZERO), many) == "inconclusive"


def test_instances():
    general = SeparationRank(FORM, "=", TWO, PARAMETERS, NONZERO[:1])
    zero = cert((1,), (1,), ((x, y),))
    at = ((a, ONE), (b, ZERO))
    assert outcome(general, Instance(at, zero)) == "refuted"
    assert outcome(replace(general, value=ONE), Instance(at, zero)) == "confirmed"
    assert outcome(general, Instance(at[1:], cert((1,), (1,), ((a * x, y),)))) == "inconclusive"
    assert outcome(general, Instance(((a, ZERO), (b, ZERO)), cert(factors=()))) == "inconclusive"


def product(degree, variables):
    return Product((degree + i) / i, (i, 1, variables - 1))


SIZES = ((layers, integers(1)), (width, integers(1)), (heads, integers(1)), (h, integers(0)))
ODD = (Relation(2 * h + 1, "=", 3**layers),)
COUNT = Sum(product(j, width), (j, 0, h))


def graded(net, bound, law, half=h, op="<=", stated="<=", over=SIZES, value=None):
    """sep op value by degrees, where `bound stated value` is a hypothesis."""
    value = bound if value is None else value
    below = Relation(bound, stated, value)
    given = (law, below)
    goal = SeparationRank(net, op, value, over, given)
    lines = (
        Line(replace(law, over=over, given=given), "hypothesis"),
        Line(replace(below, over=over, given=given), "hypothesis"),
        Line(goal, "graded", (1, 2), (("half", half),)),
    )
    return check("test", goal, (Derivation(lines),)).outcome


ONE_TOKEN = Attention(layers, width, ONE, heads)
ENTRYWISE = Hadamard(width, heads, TWO, layers)
EVEN = Relation(2 * h, "=", 2**layers)
THRICE = replace(ENTRYWISE, degree=THREE)
BOTH = 2 * Sum(product(j, width), (j, 0, h - 1)) + product(h, width)


@pytest.mark.parametrize(
    ("net", "bound", "law", "wanted"),
    [
        (ONE_TOKEN, COUNT, ODD[0], "proved"),
        (ENTRYWISE, BOTH, EVEN, "proved"),
        (THRICE, 2 * COUNT, ODD[0], "proved"),
        (ONE_TOKEN, COUNT, EVEN, "inconclusive"),
        (ONE_TOKEN, COUNT, Relation(2 * h + 1, "=", 5**layers), "inconclusive"),
        (ONE_TOKEN, COUNT, Relation(2 * h + 1, "<=", 3**layers), "inconclusive"),
        (ONE_TOKEN, Sum(product(j, width), (j, 0, h - 1)), ODD[0], "inconclusive"),
        (ONE_TOKEN, Sum(product(j, width), (j, 1, h)), ODD[0], "inconclusive"),
        (ONE_TOKEN, Sum(product(j, width - 1), (j, 0, h)), ODD[0], "inconclusive"),
        (replace(ONE_TOKEN, tokens=TWO), COUNT, ODD[0], "inconclusive"),
        (replace(ONE_TOKEN, width=width - 1), Sum(product(j, width - 1), (j, 0, h)), ODD[0],
         "inconclusive"),  # perhaps 0
        (ENTRYWISE, 2 * COUNT, EVEN, "inconclusive"),
        (ENTRYWISE, BOTH, ODD[0], "inconclusive"),
        (THRICE, COUNT, ODD[0], "inconclusive"),
        (THRICE, BOTH, EVEN, "inconclusive"),
        (POLY, COUNT, ODD[0], "inconclusive"),
    ],
)  # fmt: skip
def test_graded_for_all_sizes(net, bound, law, wanted):
    assert graded(net, bound, law) == wanted


@pytest.mark.parametrize(
    ("op", "stated", "wanted"),
    [
        ("<=", "<", "proved"), ("<=", "=", "proved"), ("<", "<", "proved"),
        ("<", "<=", "inconclusive"), ("<", "=", "inconclusive"), ("<=", ">=", "inconclusive"),
        ("=", "=", "inconclusive"), (">=", "<=", "inconclusive"),
    ],
)  # fmt: skip
def test_graded_is_as_strict_as_its_premise(op, stated, wanted):
    over = (*SIZES, (a, REALS))
    assert graded(ONE_TOKEN, COUNT, ODD[0], op=op, stated=stated, over=over, value=a) == wanted


def test_graded_lets_no_size_be_captured():
    for own in (i, j):
        over = ((layers, integers(1)), (own, integers(1)), (heads, integers(1)), (h, integers(0)))
        bound = Sum(product(j, own), (j, 0, h))
        net = replace(ONE_TOKEN, width=own)
        assert graded(net, bound, ODD[0], over=over) == "inconclusive"


@pytest.mark.parametrize(
    ("net", "op", "value", "wanted"),
    [
        (Attention(ONE, TWO, ONE), "<=", 3, "proved"), (Attention(ONE, TWO, ONE), "<", 4, "proved"),
        (Attention(ONE, TWO, ONE), "<=", 2, "inconclusive"),
        (Attention(ONE, TWO, ONE), "<", 3, "inconclusive"),
        (Attention(ONE, TWO, ONE), "=", 3, "inconclusive"),
        (Attention(ONE, TWO, ONE), "<=", 3 + exp(a), "proved"),
        (Attention(ONE, TWO, ONE), "<=", 3 + a, "inconclusive"),
        (Attention(ONE, TWO, ONE), "<=", 3 + log(a) ** 2, "inconclusive"),
        (Hadamard(TWO, TWO, TWO, TWO), "<=", 9, "proved"),
        (Hadamard(TWO, TWO, TWO, TWO), "<=", 8, "inconclusive"),
    ],
)  # fmt: skip
def test_graded_for_given_sizes(net, op, value, wanted):
    goal = SeparationRank(net, op, value + ZERO, ((a, REALS),))
    assert check("test", goal, (Derivation((Line(goal, "graded"),)),)).outcome == wanted
