"""Statements in words and in LaTeX."""

import pytest
from sympy import (
    Derivative,
    E,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Product,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
    symbols,
)

from lemmata.symbolic.statements import (
    REALS,
    Attention,
    EpsilonRank,
    Every,
    Function,
    Hadamard,
    Infeasible,
    Limit,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Orbit,
    PolynomialDegree,
    Rank,
    Relation,
    SeparationRank,
    Trend,
    above,
    integers,
    interval,
)
from lemmata.symbolic.text import LONGEST, describe, domain_text, formula, latex_of, plain
from lemmata.verify.claims.degree import CLAIMS

x, y, n, k, i = symbols("x y n k i")
s = IndexedBase("s")
ONE, TWO = Integer(1), Integer(2)
ROWS = ((ONE, TWO),)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (x**2 + 1, "x^2 + 1"), (E, "e"), (oo, "∞"), (-oo, "-∞"), (log(x), "ln(x)"),
        (exp(x), "exp(x)"),
        (LambertW(x), "W0(x)"), (s[i + 1], "s[i + 1]"), (Rational(1, 2), "1/2"),
        (Derivative(x**2, x), "d/dx[x^2]"), (Sum(s[i], (i, 1, n)), "(Σ[i = 1 … n] s[i])"),
        (Sum(s[i, k], (i, 1, k), (k, 1, n)), "(Σ[k = 1 … n] (Σ[i = 1 … k] s[i, k]))"),
        (Product(i + k, (i, k, n), (k, 1, 9)), "(Π[k = 1 … 9] (Π[i = k … n] i + k))"),
        (Sum(Product(i, (i, 1, k)), (k, 1, n)), "(Σ[k = 1 … n] (Π[i = 1 … k] i))"),
        (Product(i, (i, 1, n)), "(Π[i = 1 … n] i)"), (Integral(x, (x, 0, y)), "(∫[x = 0 … y] x)"),
    ],
)  # fmt: skip
def test_expressions(expr, text):
    assert plain(expr) == text


def test_long_expressions_are_shortened():
    long = sum((x**k for k in range(2, 200)), x)
    text = plain(long)
    assert len(text) < LONGEST + 20
    assert "characters)" in text
    assert plain(x + 1) == "x + 1"


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        (REALS, "(-∞, ∞)"), (above(0), "(0, ∞)"), (interval(0, 1, "[]"), "[0, 1]"),
        (interval(0, 1, "[)"), "[0, 1)"),
        (interval(0, E, "(]"), "(0, e]"), (integers(), "Z"), (integers(1), "{1, 2, …}"),
        (integers(1, 9), "{1, …, 9}"),
        (integers(4, 4), "{4}"), (integers(4, 5), "{4, 5}"), (integers(k), "{k, k + 1, …}"),
        (integers(0, n), "{0, …, n}"),
        (integers(-oo, 5), "{…, 4, 5}"),
    ],
)  # fmt: skip
def test_domains(domain, text):
    assert domain_text(domain) == text
    assert domain_text(domain, formula)


STATEMENTS = [
    (Relation(x, "<=", TWO), "x ≤ 2"),
    (Relation(x, "!=", TWO, ((x, above(0)),)), "x ≠ 2  for all x ∈ (0, ∞)"),
    (Relation(x, ">=", y, ((x, REALS), (y, REALS)), (Relation(x, ">", y),)),
     "x ≥ y  for all x ∈ (-∞, ∞), y ∈ (-∞, ∞), given x > y"),
    (Relation(s[n], ">", ONE, ((s, above(0)), (n, integers(0)))),
     "s[n] > 1  for all s[·] ∈ (0, ∞), n ∈ {0, 1, …}"),
    (Maximum(log(x) / x, x, above(0), E),
         "the only maximum of ln(x)/x over x ∈ (0, ∞) is at x = e"),
    (MaximumValue(x, x, interval(0, 1, "[]"), ONE, TWO), "1 ≤ sup ≤ 2 for x over x ∈ [0, 1]"),
    (Limit(1 / x, Integer(0), ((x, oo),), ((x, above(0)),)),
         "1/x → 0 as x → ∞  for all x ∈ (0, ∞)"),
    (Rank(ROWS, 1), "the 1 x 2 matrix given has rank 1"),
    (PolynomialDegree(x * y, (x, y), TWO), "deg in x, y of x*y = 2"),
    (Minimiser(ROWS, (ONE,), (ONE, TWO)), "(1, 2) is the shortest x under 1 constraints"),
    (Infeasible(ROWS, (ONE,)), "the 1 constraints given have no solution"),
    (Mean(x**2, ((x, "normal"),), ONE), "E[x^2] = 1  with x normal"),
    (Mean(Relation(x, "<", ONE), ((x, "sign"),), ONE), "P[x < 1] = 1  with x sign"),
    (Mean(Relation(Sum(s[i], (i, 1, n)), "<", ONE), ((s, "sign"), (x, "sign")), ONE,
          over=((n, integers(2)),)),
     "P[(Σ[i = 1 … n] s[i]) < 1] = 1  with s[·] sign, x sign  for all n ∈ {2, 3, …}"),
    (Orbit(((x, x / 2), (y, x + y)), ((x, ONE), (y, TWO)), Relation(y, ">=", ONE)),
     "always y ≥ 1 along x → x/2, y → x + y from x = 1, y = 2"),
    (Orbit(((x, x / n),), ((x, n),), Relation(x, "<", ONE), True, ((n, above(1)),)),
     "eventually x < 1 along x → x/n from x = n  for all n ∈ (1, ∞)"),
    (SeparationRank(Function(x * y, ((x, REALS),), ((y, integers(0, 1)),)), "<=", ONE),
     "sep of x*y between x ∈ (-∞, ∞) and y ∈ {0, 1} ≤ 1"),
    (SeparationRank(Attention(n, TWO, ONE), ">=", n, ((n, integers(1)),)),
     "sep of attention (layers n, width 2, tokens 1, heads 1, degree 3) ≥ n"
     "  for all n ∈ {1, 2, …}"),
    (SeparationRank(Hadamard(ONE, ONE, ONE, ONE, (1, 2, 3)), "=", TWO),
     "sep of entrywise products (inputs 1, width 1, degree 1, depth 1)"
     " with the 3 weights given = 2"),
    (EpsilonRank(Function(x * y, ((x, REALS),), ((y, REALS),)), "normal", Rational(1, 2), ONE),
     "sep of x*y between x ∈ (-∞, ∞) and y ∈ (-∞, ∞), normal, mean squared distance ≤ 1/2: 1"),
    (Trend("loss", (), ONE, 1 / k, k), "loss stays within 1/k of 1 as k grows"),
    (NoSpuriousMinimum(x**2, (x,)), "every local minimum of x^2 is global"),
    (Every((Relation(x, "<", TWO), Relation(x, ">", ONE))), "(1) x < 2;  (2) x > 1"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "text"), STATEMENTS)
def test_statements_in_words(statement, text):
    assert describe(statement) == text


@pytest.mark.parametrize("statement", [s for s, _ in STATEMENTS] + [c.statement for c in CLAIMS])
def test_statements_in_latex(statement):
    text = latex_of(statement)
    assert text
    assert text.count("{") == text.count("}")
    assert "$" not in text


def test_latex_says_the_same():
    statement = Relation(x, "<=", log(y), ((y, interval(1, oo, "[)")),), (Relation(y, "!=", TWO),))
    assert latex_of(statement) == (
        r"x \leq \ln{\left(y \right)}  \text{for all } y \in [1, \infty)"
        r",\ \text{given } y \neq 2"
    )
    assert r"\mathbb{Z}" in latex_of(Relation(n, "=", n, ((n, integers()),)))
    assert r"\{0, 1, \ldots\}" in latex_of(Relation(n, "=", n, ((n, integers(0)),)))


def test_what_is_no_statement():
    with pytest.raises(TypeError, match="Symbol is not a kind of statement"):
        describe(Symbol("x"))
