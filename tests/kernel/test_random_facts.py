"""Every fact that the kernel takes as given, tried on random instances."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, Symbol

from lemmata.symbolic.statements import Mean, Relation
from lemmata.verify.kernel.derivations import ALL
from lemmata.verify.kernel.facts import FACTS
from lemmata.verify.kernel.terms import Rejected, rational

x = Symbol("x")
COEFFICIENTS = st.lists(st.integers(-5, 5), min_size=2, max_size=5)


def test_every_fact_has_a_reference_and_a_test_here():
    tried = {
        "sum of signs", "fair signs", "Isserlis", "mean value theorem",
        "intermediate value theorem", "fundamental theorem of calculus", "Ville", "Catoni",
        "Karush-Kuhn-Tucker", "second-order condition",
        "fundamental theorems for the orthogonal group", "Eckart-Young",  # test_networks, _spectra
    }  # fmt: skip
    assert set(FACTS) == tried
    assert all(
        fact.name == name and fact.reference and fact.theorem for name, fact in FACTS.items()
    )


@given(st.integers(1, 10), st.integers(-12, 12))
def test_sum_of_signs_by_counting(count, below):
    fact = FACTS["sum of signs"].instance(Integer(count), Integer(below))
    assert isinstance(fact, Mean)
    sums = [sum(signs) for signs in product((-1, 1), repeat=count)]
    expected = Fraction(sum(s < below for s in sums), len(sums))
    assert rational(fact.value, {}) == expected
    (s, law), event = fact.laws[0], fact.quantity
    assert (law, event.op, event.rhs) == ("sign", "<", below)
    values = {s[k + 1]: Fraction(1 if k % 2 else -1) for k in range(count)}
    assert rational(event.lhs, values) == sum(values.values())


@given(st.integers(1, 6), st.integers(-8, 8))
def test_sum_of_signs_with_parameters(count, below):
    """The fact for all counts and bounds, at numbers, is the fact for these."""
    n, b = Symbol("n"), Symbol("b")
    values = {n: Fraction(count), b: Fraction(below)}
    general = FACTS["sum of signs"].instance(n, b)
    here = FACTS["sum of signs"].instance(Integer(count), Integer(below))
    assert rational(general.value, values) == rational(here.value, {})


@given(st.integers(1, 4), st.integers(1, 3), st.data())
def test_fair_signs_by_counting(terms, others, data):
    """Terms s_k o_k, where o_k is any function of further signs: all 2^n outcomes are as likely."""
    table = data.draw(
        st.lists(
            st.lists(st.sampled_from((-1, 1)), min_size=terms, max_size=terms),
            min_size=2**others, max_size=2**others,
        )
    )  # fmt: skip
    counts = dict.fromkeys(product((-1, 1), repeat=terms), 0)
    for rest in table:
        for own in product((-1, 1), repeat=terms):
            counts[tuple(a * b for a, b in zip(own, rest, strict=True))] += 1
    assert set(counts.values()) == {2**others}


def test_signs_that_share_their_own_sign_are_not_fair():
    """What the fact rules out: x y, x z, y z are fair in pairs, but their product is always 1."""
    triples = {(x * y, x * z, y * z) for x, y, z in product((-1, 1), repeat=3)}
    assert len(triples) == 4


def pairings(items):
    """All ways to pair up the items."""
    if not items:
        yield []
        return
    first, *rest = items
    for k, partner in enumerate(rest):
        for others in pairings(rest[:k] + rest[k + 1 :]):
            yield [(first, partner), *others]


@settings(max_examples=40)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=3).filter(lambda powers: sum(powers) <= 8))
def test_isserlis_by_pairings(powers):
    """A moment of independent normals counts the pairings within equal variables."""
    variables = sp.symbols(f"u:{len(powers)}")
    letters = [v for v, power in zip(variables, powers, strict=True) for _ in range(power)]
    count = sum(all(a == b for a, b in pairing) for pairing in pairings(letters))
    laws = tuple((v, "normal") for v in variables)
    moment = Mean(sp.Mul(*letters), laws, Integer(count))
    assert ALL["isserlis"](moment, (), {}) == ("Isserlis",)
    with pytest.raises(Rejected, match="moment"):
        ALL["isserlis"](Mean(sp.Mul(*letters), laws, Integer(count + 1)), (), {})


@given(COEFFICIENTS)
def test_isserlis_against_quadrature(coefficients):
    """Gauss-Hermite quadrature is exact for polynomials of low degree."""
    polynomial = sum(c * x**k for k, c in enumerate(coefficients))
    nodes, weights = np.polynomial.hermite_e.hermegauss(12)
    value = np.polynomial.polynomial.polyval(nodes, coefficients) @ weights / math.sqrt(2 * math.pi)
    moment = Mean(sp.sympify(polynomial) + 0 * x, ((x, "normal"),), Integer(round(value)))
    assert abs(value - round(value)) < 1e-9
    assert ALL["isserlis"](moment, (), {}) == ("Isserlis",)


@given(COEFFICIENTS, st.integers(-4, 4), st.integers(1, 4))
def test_mean_value_theorem(coefficients, low, width):
    """f' > 0 on a fine grid of [u, v] goes with f(u) < f(v), for polynomials whose slope is so."""
    slope = np.polynomial.Polynomial(coefficients)
    square = slope * slope + 1
    rising = square.integ()
    assert rising(low) < rising(low + width)


@given(COEFFICIENTS, st.integers(-4, 4), st.integers(1, 4), st.floats(0, 1))
def test_intermediate_value_theorem(coefficients, low, width, share):
    function = np.polynomial.Polynomial(coefficients)
    ends = function(low), function(low + width)
    wanted = ends[0] + share * (ends[1] - ends[0])
    grid = function(np.linspace(low, low + width, 2001)) - wanted
    assert grid.min() <= 1e-9 * (1 + abs(wanted))
    assert grid.max() >= -1e-9 * (1 + abs(wanted))


@given(COEFFICIENTS, st.integers(-4, 4), st.integers(-4, 4))
def test_fundamental_theorem_of_calculus(coefficients, low, high):
    function = np.polynomial.Polynomial(coefficients)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    middle, half = (low + high) / 2, (high - low) / 2
    area = half * weights @ function.deriv()(middle + half * nodes)
    assert area == pytest.approx(function(high) - function(low), abs=1e-8)


@given(st.floats(-1e3, 1e3))
def test_catoni(u):
    psi = math.copysign(math.log1p(abs(u) + u * u / 2), u)
    assert psi <= math.log1p(u + u * u / 2) + 1e-12
    assert psi >= -math.log1p(-u + u * u / 2) - 1e-12


def test_ville():
    """Doubling or nothing ever reaches 2^k with probability exactly 2^-k, and no more often."""
    source = np.random.default_rng(7)
    growth = source.choice([0.5, 1.5], size=(20_000, 60))
    reached = np.cumprod(growth, axis=1).max(axis=1)
    for level in (2, 4, 10):
        assert (reached >= level).mean() <= 1 / level + 4 * math.sqrt(1 / level / 20_000)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=3),
       st.lists(st.integers(0, 3), min_size=3, max_size=3), st.integers(-3, 3),
       st.integers(-3, 3))  # fmt: skip
def test_karush_kuhn_tucker(rows, weights, a, b):
    """x = sum of weighted rows with active constraints is no longer than any feasible point."""
    best = [sum(w * row[k] for w, row in zip(weights, rows, strict=False)) for k in (0, 1)]
    bounds = [row[0] * best[0] + row[1] * best[1] for row in rows]
    feasible = all(row[0] * a + row[1] * b >= c for row, c in zip(rows, bounds, strict=True))
    if feasible:
        assert a * a + b * b >= best[0] ** 2 + best[1] ** 2


@given(st.integers(1, 3), st.integers(-3, 3), st.integers(1, 3), st.floats(0, 6.28))
def test_second_order_condition(a, b, c, angle):
    """Along every short way from a critical point with positive Hessian L L^T the value grows."""
    u, v = 1e-2 * math.cos(angle), 1e-2 * math.sin(angle)
    assert (a * u + b * v) ** 2 + (c * v) ** 2 + u**3 - 2 * v**3 > 0


@given(st.integers(1, 8), st.integers(-9, 9))
def test_a_fact_that_is_changed_is_no_fact(count, below):
    fact = FACTS["sum of signs"].instance(Integer(count), Integer(below))
    args = {"name": "sum of signs", "count": Integer(count), "below": Integer(below)}
    assert ALL["fact"](fact, (), args) == ("sum of signs",)
    event = fact.quantity
    changed = Mean(Relation(event.lhs, "<=", event.rhs), fact.laws, fact.value)
    shifted = Mean(event, fact.laws, fact.value + Rational(1, 2**count))
    for wrong in (changed, shifted):
        with pytest.raises(Rejected, match="the fact states"):
            ALL["fact"](wrong, (), args)
