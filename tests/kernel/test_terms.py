"""Expressions: which are admitted, their exact values, their balls, their signs."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import acb, arb, ctx
from sympy import (
    Abs,
    Derivative,
    Dummy,
    E,
    Float,
    I,
    Idx,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Max,
    Min,
    Product,
    Rational,
    Sum,
    Symbol,
    binomial,
    ceiling,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    factorial,
    floor,
    gamma,
    log,
    nan,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    tanh,
    zoo,
)

from lemmata.verify.kernel.terms import (
    BITS,
    CASES,
    FUEL,
    Rejected,
    admit,
    ball,
    decimal,
    enclose,
    evaluated,
    expanded,
    fuelled,
    ground_sign,
    holds,
    hull,
    order,
    put,
    rational,
    spend,
)

x, y, z, n, k, i = symbols("x y z n k i")
s = IndexedBase("s")
HALF = Rational(1, 2)


@pytest.mark.parametrize(
    "expr",
    [x + 2 * y, x**y, sqrt(2), E, pi, exp(x), log(x), LambertW(x), erf(x), erfc(x), gamma(x),
         sin(x),
     cos(x), sinh(x), cosh(x), tanh(x), floor(x), ceiling(x), Abs(x), Max(x, 1), Min(x, 1),
     factorial(n), binomial(n, k), s[i + 1], Sum(s[i], (i, 1, n)), Product(i, (i, 1, n)),
     Integral(x, (x, 0, y)), Derivative(x**2, x), Derivative(sin(x), (x, 6)),
     Sum(x, (i, 1, 2), (k, 1, 3)), Product(s[i], (i, 1, k), (k, 1, n))],
)  # fmt: skip
def test_admitted(expr):
    admit(expr)


@pytest.mark.parametrize(
    "expr",
    [Float(0.5) * x, I * x, tan(x), sp.Piecewise((x, x > 0), (0, True)), oo, zoo, nan,
     Symbol("x", positive=True), Symbol("n", integer=True) + 1, Dummy("x"), s[Idx("i")], sp.zeta(x),
     sp.Function("f")(x), Sum(x, (x, 1, oo)), Integral(exp(-x), (x, 0, oo)), Symbol("x", real=True),
     LambertW(x, -1), Derivative(sin(x), (x, 7)), Integral(x, x), Integral(x, (x, 1)),
     Integral(x * y, (x, 0, 1), (y, 0, 1)), Sum(x, (i, 1, 2), (k, 1, oo)), Sum(s[1], (s[1], 1, 3)),
     x + exp(tan(x)), sp.re(x), sp.sign(x), sp.GoldenRatio, sp.MatrixSymbol("A", 2, 2)[0, 0]],
)  # fmt: skip
def test_not_admitted(expr):
    with pytest.raises(Rejected):
        admit(expr)


def test_values_are_put_for_variables():
    assert put(x**2 + y, {x: Integer(3)}) == 9 + y
    assert put(Derivative(x**2, x), {x: Integer(3)}) == 6
    assert put(Sum(x * i, (i, 1, n)), {x: y}) == Sum(y * i, (i, 1, n))
    assert put(s[k + 1], {k: Integer(2)}) == s[3]
    assert put(s[k + 1], {Symbol("s"): Integer(9), k: Integer(2)}) == s[3]
    assert evaluated(1 + Derivative(x**2 * y, x)) == 1 + 2 * x * y
    assert evaluated(Derivative(y * Derivative(x**3, x), x)) == 6 * x * y


def test_what_has_no_derivative():
    with pytest.raises(Rejected, match="no derivative"):
        put(Derivative(floor(x), x), {x: Integer(1)})


@pytest.mark.parametrize(
    ("expr", "values"),
    [
        (Sum(x * i, (i, 1, n)), {x: i}),
        (Sum(x * i, (i, 1, n)), {x: 1 + i**2}),
        (Sum(x * i, (i, 1, n)), {i: Integer(3)}),
        (Integral(x * z, (z, 0, 1)), {x: z}),
        (1 + Product(x * i, (i, 1, n)), {x: y, y: i}),
    ],
)
def test_a_bound_variable_catches_nothing(expr, values):
    with pytest.raises(Rejected, match="bound"):
        put(expr, values)


@pytest.mark.parametrize(
    ("expr", "value"),
    [(2**x, 10**6 + 1), (2 ** (x / 7), 10**7), (exp(x), 10**6 + 1), (factorial(x), 10**6 + 1),
     (gamma(x), 10**6 + 1), (binomial(x, 2), 10**6 + 1), (binomial(10**6, x), 10**6 + 1),
     (exp(-x), 10**6 + 1), (1 + y * 2 ** (x - 1), 10**7)],
)  # fmt: skip
def test_sympy_is_kept_from_computing_huge_powers(expr, value):
    with pytest.raises(Rejected, match="large"):
        put(expr, {x: Integer(value)})


def test_the_largest_that_sympy_may_compute():
    assert put(pi**x, {x: Integer(10**6)}) == pi ** (10**6)
    assert put((1 + y) ** x, {x: Integer(10**7)}) == (1 + y) ** (10**7)
    assert put(2**x, {x: Integer(BITS // 2)}) == 2 ** (BITS // 2)
    assert put(binomial(x, 2), {x: Integer(BITS // 64)}) == binomial(BITS // 64, 2)
    for expr in (3**x, (2 + pi) ** (10 * x)):
        with pytest.raises(Rejected, match="large"):
            put(expr, {x: Integer(600_000)})


def test_a_check_has_so_many_steps():
    spend(10**5)  # outside of a check nothing is counted
    with fuelled():
        spend(FUEL - 1)
        spend(1)
        with pytest.raises(Rejected, match="steps"):
            spend(1)
    with fuelled():
        spend(FUEL)


def test_large_numbers_elsewhere_are_fine():
    assert put(x**2 + 1, {x: Integer(10**7)}) == 10**14 + 1
    assert put(2**x / 2**y, {x: y}) == 1
    assert put((1 + 1 / y) ** x, {x: Integer(10**6)}) == (1 + 1 / y) ** (10**6)


def test_only_small_powers_of_sums_are_multiplied_out():
    assert expanded((x + 1) ** 2 - x**2 - 2 * x) == 1
    assert expanded((x + 1) ** 100 - (x + 1) ** 100 + y) == y
    assert expanded((x + 1) ** 101) == (x + 1) ** 101
    assert expanded((x + 1) ** 100) != (x + 1) ** 100
    assert expanded(x**200 * (x + 1)) == x**201 + x**200
    many = (x + 1) ** 59 * (y + 1) ** 49
    assert len(expanded(many).args) == 3000
    assert expanded((x + 1) * many) == (x + 1) * many


@pytest.mark.parametrize(
    ("expr", "degree"),
    [(Integer(7), 0), (x, 1), (z, 0), (x * y + x, 2), (x**2 * z**9, 2), ((x + y**3) ** 4, 12),
     ((x + y) ** 2 - x**2, 2), (x * (x + 1) * 5, 2), (log(z) * x, 1),
     (sp.Pow(x, 0, evaluate=False), 0)],
)  # fmt: skip
def test_degrees_are_counted(expr, degree):
    assert order(expr, (x, y)) == degree


@pytest.mark.parametrize("expr", [1 / x, sqrt(x), x**z, 2**x, log(x), 1 + x * exp(y), x**-1 * y])
def test_degrees_of_what_is_no_polynomial(expr):
    with pytest.raises(Rejected, match="no polynomial"):
        order(expr, (x, y))


ENV = {x: Fraction(3), y: Fraction(-1, 2), n: Fraction(4), s[1]: Fraction(5), s[2]: Fraction(7)}


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (Integer(3), 3), (Rational(2, 6), Fraction(1, 3)), (x, 3), (z, None),
        (x + y, Fraction(5, 2)),
        (x * y, Fraction(-3, 2)), (x**2, 9), (x**-2, Fraction(1, 9)), (y**3, Fraction(-1, 8)),
        (x**y, None),
        (sqrt(x), None), (x**0 * x, 3), (floor(y), -1), (ceiling(y), 0), (Abs(y), Fraction(1, 2)),
        (Max(x, y, 7), 7), (Min(x, y, 7), Fraction(-1, 2)), (factorial(n), 24),
        (factorial(n - 4), 1), ((x - 3) ** (n - 4), 1), (binomial(n, 2), 6),
        (binomial(n, x), 4), (factorial(y), None), (binomial(n, y), None), (factorial(-x), None),
        (Sum(i, (i, 1, n)), 10), (Product(i, (i, 1, n)), 24), (Sum(i, (i, 1, 0)), 0),
        (Product(i, (i, 1, 0)), 1),
        (Sum(s[i], (i, 1, 2)), 12), (Sum(s[i], (i, 1, 3)), None), (Product(s[i], (i, 1, 2)), 35),
        (s[1], 5),
        (s[x - 1], 7), (s[z], None), (s[3], None), (Sum(x, (i, n, n)), 3), (log(x), None),
        (exp(x) + 1, None),
        (exp(x) * 0, 0), (pi, None), (Integer(1) ** (10**9), 1), ((x - 2) ** (n**20), 1),
        ((x - 4) ** (2 * n**20 + 1), -1), ((x - 3) ** (n**20), 0), (factorial(x**12), None),
    ],
)  # fmt: skip
def test_exact_values(expr, value):
    assert rational(expr, ENV) == value


@pytest.mark.parametrize(
    ("why", "expr"),
    [
        ("division by zero", 1 / (x - 3)),
        ("bits", x ** (n**20)),
        ("bits", x ** -(n**20)),
        ("bits", (1 / x) ** (n**20)),
        ("not integers", Sum(i, (i, y, 4))),
        ("not integers", Sum(i, (i, 1, y))),
        ("not integers", Sum(i, (i, 1, z))),
        ("not integers", Sum(i, (i, z, 1))),
        ("more than", Sum(i, (i, 0, CASES + 1))),
    ],
)
def test_values_that_are_refused(why, expr):
    with pytest.raises(Rejected, match=why):
        rational(expr, ENV)


def test_powers_up_to_the_limit_are_computed():
    assert rational(sp.Pow(2, BITS // 2, evaluate=False), {}) == 2 ** (BITS // 2)
    assert rational(sp.Pow(4, x, evaluate=False), {x: Fraction(BITS // 3)}) == 4 ** (BITS // 3)
    with pytest.raises(Rejected):
        rational(sp.Pow(2, x, evaluate=False), {x: Fraction(BITS // 2 + 1)})
    assert rational(factorial(x), {x: Fraction(20)}) == 2432902008176640000
    assert rational(factorial(x), {x: Fraction(BITS // 64 + 1)}) is None
    assert rational(binomial(x, 1), {x: Fraction(BITS // 64)}) == BITS // 64


NUMBERS = [
    (E, "2.71828182845904523536"), (pi, "3.14159265358979323846"),
    (sqrt(2), "1.41421356237309504880"),
    (exp(Integer(-3)), "0.04978706836786394298"), (log(3), "1.09861228866810969140"),
    (LambertW(1), "0.56714329040978387300"), (erf(HALF), "0.52049987781304653768"),
    (erfc(HALF), "0.47950012218695346232"), (gamma(Rational(1, 3)), "2.67893853470774763366"),
    (sin(1), "0.84147098480789650665"), (cos(1), "0.54030230586813971740"),
    (sinh(1), "1.17520119364380145688"),
    (cosh(1), "1.54308063481524377848"), (tanh(1), "0.76159415595576488812"),
    (2**pi, "8.82497782707628762385"),
    (Abs(log(HALF)), "0.69314718055994530942"), (Sum(sqrt(i), (i, 1, 3)), "4.14626436994197234233"),
    (Product(log(i), (i, 2, 4)), "1.0556631704363329"), (sqrt(2) ** -3, "0.35355339059327376220"),
    (pi**0 * E ** (-E), "0.06598803584531253708"),
    (log(2) / 2, "0.34657359027997265471"),
    (Integral(exp(-(x**2)), (x, 0, 1)), "0.74682413281242702540"),
    (Integral(log(x), (x, 1, 2)), "0.38629436111989061883"),
    (Integral(sqrt(x), (x, 1, 2)), "1.21895141649746001"),
    (Integral(sin(x) / x, (x, 1, 2)), "0.65932990643551183"),
    (Integral(Derivative(x**2, x), (x, 0, 3)), "9"),
    (Integral(x, (x, 1, 0)), "-0.5"), (Integral(cos(x) * erf(x), (x, 0, 1)), "0.37657697671096637"),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "digits"), NUMBERS)
def test_balls_hold_the_value(expr, digits):
    with ctx.workprec(80):
        found = enclose(expr, {})
        off = abs(found - arb(digits))
    assert off < 1e-15
    assert found.rad() < 1e-15


@pytest.mark.parametrize(
    "expr", [x, floor(x + pi), Max(x, pi), factorial(x + pi), s[1], I * pi, Sum(s[i], (i, 1, 2)),
         Sum(1 / i, (i, 1, y)),
             Integral(Abs(x), (x, -1, 1)), Integral(floor(x), (x, 0, 2)),
             Integral(Sum(sqrt(x), (i, 1, 1)), (x, 1, 2)),
             Integral(x * Integral(y, (y, 0, x)), (x, 0, 1)), Integral(gamma(x), (x, 1, 2)),
             Integral(LambertW(x), (x, 1, 2))],
)  # fmt: skip
def test_no_ball(expr):
    with pytest.raises(Rejected):
        enclose(expr, {} if expr == x else {x: arb(1)})


def test_a_ball_that_meets_a_pole_or_a_cut_decides_nothing():
    around = {x: hull(Fraction(-1), Fraction(1))}
    for expr in (1 / x, log(x), sqrt(x), x**-2, LambertW(x - 2), gamma(x), 2 ** (1 / x)):
        found = enclose(expr, around)
        assert not (found < 10**9 and found > -(10**9))
    for integrand in (1 / x, log(x), sqrt(x - 1)):
        with pytest.raises(Rejected, match="finite"):
            enclose(Integral(integrand, (x, -1, 1)), {})
    with pytest.raises(Rejected, match="not defined"):
        enclose(Derivative(log(x), x), {x: arb(-1)})


def test_balls_of_ranges():
    box = {x: hull(Fraction(-1), Fraction(2))}
    for expr, low, high in (
        (x, -1, 2), (x**2, 0, 4), (x**3, -1, 8), (x**5 + 1, 0, 33), (Abs(x), 0, 2),
        (exp(x), 0.4, 7.3),
        (x**0 + x, 0, 3), (2**x, 0.5, 4),
    ):  # fmt: skip
        found = enclose(expr, box)
        assert found.contains(arb(low)) or found.lower() <= low
        assert found.upper() >= high
    assert enclose(x ** Rational(1, 3), {x: arb(0)}) == 0
    assert not enclose(x ** Rational(-1, 3), {x: arb(0)}).is_finite()
    assert enclose(x**-2, {x: arb(2)}) == 0.25
    assert enclose(x**7, {x: arb(-2)}) == -128
    assert enclose(sp.Pow(x, 0, evaluate=False), {x: arb(-2)}) == 1
    assert enclose(Derivative(x**2, x), {x: arb(3)}) == 6
    assert enclose(x**2, {x: acb(0, 1)}) == -1


def test_no_ball_across_a_cut_where_the_function_must_be_analytic():
    across = {x: acb(arb(-1, 0.5), arb(0, 0.5))}
    for expr in (log(x), sqrt(x)):
        assert enclose(expr, across, False).is_finite()
        assert not enclose(expr, across, True).is_finite()


def test_a_sum_may_have_as_many_cases_as_the_limit(monkeypatch):
    monkeypatch.setattr("lemmata.verify.kernel.terms.CASES", 4)
    assert rational(Sum(i, (i, 0, 4)), {}) == 10
    with pytest.raises(Rejected, match="more than 4 cases"):
        rational(Sum(i, (i, 0, 5)), {})


def test_balls_of_rationals():
    assert ball(Fraction(1, 4)) == 0.25
    assert ball(Fraction(1, 3)).overlaps(arb(1) / 3)
    assert hull(Fraction(1), Fraction(3)).contains(arb(2))
    assert not hull(Fraction(1), Fraction(3)).contains(arb(4))


@pytest.mark.parametrize(
    ("expr", "sign"),
    [(Integer(0), 0), (HALF, 1), (-HALF, -1), (pi - 3, 1), (3 - pi, -1), (x - 3, 0),
         (x * pi - 9, 1),
     (sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3), None), (exp(-(n**5)), 1), (-exp(-(n**5)), -1),
     (exp(pi * sqrt(163)) - 262537412640768744, -1), (log(x - 2), None)],
)  # fmt: skip
def test_signs_of_numbers(expr, sign):
    assert ground_sign(expr, ENV) == sign


def test_more_digits_are_taken_where_needed():
    tiny = exp(pi * sqrt(163)) - 262537412640768744
    assert ground_sign(tiny) == -1
    assert ground_sign(tiny, precisions=(64,)) is None


def test_decimals_for_readers():
    assert decimal(HALF) == "1/2"
    assert decimal(pi) == "3.1416"
    assert decimal(Integer(10**10)) == "10000000000"
    assert decimal(Integer(10**11)) == "1.0000e+11"
    assert decimal(Rational(10**12, 7)).startswith("1.428")


@pytest.mark.parametrize(
    ("op", "signs"),
    [("=", {0}), ("!=", {-1, 1}), ("<", {-1}), ("<=", {-1, 0}), (">", {1}), (">=", {0, 1})],
)
def test_relations(op, signs):
    assert {sign for sign in (-1, 0, 1) if holds(sign, op)} == signs
