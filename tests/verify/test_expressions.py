"""The language of expressions: what is read, what is refused, and that writing is exact."""

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import E, Integer, Rational, exp, log, oo, pi, sqrt

from lemmata.verify import expressions
from lemmata.verify.errors import VerifyError
from lemmata.verify.expressions import LANGUAGE, ParseError, parse, parse_hex, parse_number, unparse

MAX_DEPTH, MAX_DIGITS = expressions.MAX_DEPTH, expressions.MAX_DIGITS
MAX_EXPONENT, MAX_LENGTH = expressions.MAX_EXPONENT, expressions.MAX_LENGTH
MAX_ORDER, MAX_TERMS = expressions.MAX_ORDER, expressions.MAX_TERMS

x, y, z, n, c, d, t, i, j, k = sp.symbols("x y z n c d t i j k")
a, w = sp.IndexedBase("a"), sp.IndexedBase("w")

GOOD = {
    "0": Integer(0), "-7": Integer(-7), "1/2": Rational(1, 2), "-6/4": Rational(-3, 2),
    "2**10": Integer(1024), "2**-3": Rational(1, 8), "-2**2": Integer(-4), "2**3**2": Integer(512),
    "1 - 2 - 3": Integer(-4), "8/2/2": Integer(2), "E": E, "pi": pi, "x": x,
    "x_1 + theta": sp.Symbol("x_1") + sp.Symbol("theta"), "  x  +  1 ": x + 1, "+x": x, "--x": x,
    "x + x": 2 * x, "x*x": x**2, "x - -y": x + y, "x*-y": -x * y, "x**-1": 1 / x,
    "x**-y**-z": x ** (-(y ** (-z))), "log(d)/d": log(d) / d,
    "(1 - log(d))/d**2": (1 - log(d)) / d**2, "exp(1 + LambertW(c/E))": exp(1 + sp.LambertW(c / E)),
    "exp((1 + t)*exp(-1 - t))": exp((1 + t) * exp(-1 - t)), "E**x": exp(x), "exp(1)": E,
    "sqrt(8)": 2 * sqrt(2), "sqrt(x)": sqrt(x), "x**(1/3)": x ** Rational(1, 3),
    "1/sqrt(2*pi)": 1 / sqrt(2 * pi), "d**(1/d)": d ** (1 / d),
    "(x + 1)**100000": (x + 1) ** 100_000, "x**(10**9)": x ** (10**9),
    "exp(-exp(-x**2/2))": exp(-exp(-(x**2) / 2)),
    "cos(pi/3) + sin(x) + tan(y)": Rational(1, 2) + sp.sin(x) + sp.tan(y),
    "sinh(x)*cosh(x)*tanh(x)": sp.sinh(x) * sp.cosh(x) * sp.tanh(x),
    "erf(x) + erfc(x)": sp.erf(x) + sp.erfc(x), "factorial(5) + gamma(5)": Integer(144),
    "factorial(n)/gamma(n)": sp.factorial(n) / sp.gamma(n),
    "binomial(10**9, 2)": Integer(499999999500000000), "binomial(n, k)": sp.binomial(n, k),
    "floor(7/2) + ceiling(x)": 3 + sp.ceiling(x), "Abs(x) + Abs(-3)": sp.Abs(x) + 3,
    "Max(x, 0) - Min(x, y, 1)": sp.Max(x, 0) - sp.Min(x, y, 1), "Max(1/2, 2/3)": Rational(2, 3),
    "log(E)": Integer(1), "d[i]": sp.IndexedBase("d")[i], "a[i, j + 1]*w[2]": a[i, j + 1] * w[2],
    "Sum(a[i], (i, 1, n))": sp.Sum(a[i], (i, 1, n)),
    "Sum(i**i, (i, 1, 10**9))": sp.Sum(i**i, (i, 1, 10**9)),
    "Sum(a[i]*Sum(w[j], (j, 1, n)), (i, 1, n))": sp.Sum(a[i] * sp.Sum(w[j], (j, 1, n)), (i, 1, n)),
    "Product(i, (i, 1, n))": sp.Product(i, (i, 1, n)),
    "Sum(Sum(a[i, j], (i, 1, j)), (j, 1, n))": sp.Sum(a[i, j], (i, 1, j), (j, 1, n)),
    "Product(Product(x + i*j, (i, j, n)), (j, 1, n))": sp.Product(x + i * j, (i, j, n), (j, 1, n)),
    "Product(Sum(a[i], (i, 1, j)), (j, 1, n))": sp.Product(sp.Sum(a[i], (i, 1, j)), (j, 1, n)),
    "Sum(Sum(Sum(a[i, j, k], (i, 1, j)), (j, 1, k)), (k, 1, n))": sp.Sum(
        a[i, j, k], (i, 1, j), (j, 1, k), (k, 1, n)
    ),
    "Integral(exp(-x**2), (x, -oo, oo))": sp.Integral(exp(-(x**2)), (x, -oo, oo)),
    "log(2)/2 - Integral(1/t, (t, E, 2))": log(2) / 2 - sp.Integral(1 / t, (t, E, 2)),
    "Derivative(x**2*y, x)": sp.Derivative(x**2 * y, x),
    "Derivative(x**2*y, (x, 2))": sp.Derivative(x**2 * y, (x, 2)),
}  # fmt: skip

# Text that SymPy itself would rewrite, and the tree that stays.
HELD = {
    "2*(x + 1)": sp.Mul(2, x + 1, evaluate=False),
    "-(x + 1)": sp.Mul(-1, x + 1, evaluate=False),
    "(x + 1)/3": sp.Mul(Rational(1, 3), x + 1, evaluate=False),
    "-(x + 1)*(y + 2)": sp.Mul(-1, x + 1, y + 2),
    "erf(-x)": sp.erf(-x, evaluate=False),
    "Abs(exp(x))": sp.Abs(exp(x), evaluate=False),
    "Max(x, 1, 2)": sp.Max(x, 1, 2, evaluate=False),
    "binomial(n, 0)": sp.binomial(n, 0, evaluate=False),
}

# Text, the column to blame, and a word of the message.
BAD = [
    ("", 1, "expected"), ("x +", 4, "syntax"), ("x y", 1, "syntax"), ("(x", 1, "never closed"),
    ("x)", 2, "open bracket"), ("(x]", 3, "does not match"), ("1.5", 2, "1/2"), (".5", 1, "1/2"),
    ("1 + 1e5", 5, "10**5"), ("2x", 1, "2*x"), ("1j", 1, "digits"), ("0x10", 1, "digits"),
    ("1_000", 1, "digits"), ("x + 007", 5, "digits"), ("x % 2", 3, "'%'"), ("x // 2", 1, "BinOp"),
    ("x\ty", 2, r"'\t'"), ("x, y", 1, "Tuple"), ("[x]", 1, "List"), ("oo", 1, "unreserved"),
    ("1 - oo", 5, "unreserved"), ("I", 1, "unreserved"), ("nan", 1, "unreserved"),
    ("zoo", 1, "unreserved"), ("gamma", 1, "unreserved"), ("x + exp", 5, "unreserved"),
    ("lambda", 1, "plain name"), ("_x", 1, "plain name"), ("x__y", 1, "plain name"),
    ("f(x)", 1, "'f'"), ("x + re(x)", 5, "'re'"), ("log(x, 2)", 1, "'log'"), ("exp()", 1, "'exp'"),
    ("Max(x)", 1, "'Max'"), ("LambertW(x, -1)", 1, "'LambertW'"), ("exp(*x)", 5, "Starred"),
    ("exp(**x)", 1, "'exp'"), ("exp(x)(y)", 1, "Call"), ("d[i][j]", 1, "Subscript"),
    ("E[1]", 1, "unreserved"), ("Sum(i, (i, 1))", 1, "low, high"),
    ("Sum(i, (2*i, 1, n))", 1, "low, high"), ("Sum(i, (i, 1, i))", 1, "the index"),
    ("Sum(i, (E, 1, 2))", 1, "low, high"), ("Sum(i, (i, 1, n), (j, 1, n))", 1, "'Sum'"),
    ("Sum(Sum(a[i, j], (i, 1, j)), (j, 1, j))", 1, "the index"),
    ("Integral(Integral(x*y, (x, 0, 1)), (y, 0, 1))", 1, "one variable"),
    ("Integral(x, x)", 1, "'Integral'"), ("Integral(x, (x, 0, oo + 1))", 20, "unreserved"),
    ("Derivative(x, 2*x)", 1, "'Derivative'"),
    ("Derivative(x, (x, 0))", 1, "Derivative(f, (x, n))"),
    ("Derivative(x, (x, y))", 1, "Derivative(f, (x, n))"),
    (f"Derivative(x, (x, {MAX_ORDER + 1}))", 1, "order"),
    ("Derivative(Derivative(x*y, x), y)", 1, "one variable"), ("1/0", 1, "zoo"),
    ("x + 1/(x - x)", 5, "zoo"), ("0**-1", 1, "zoo"), ("1 + log(0)", 5, "zoo"),
    ("log(-1)", 1, "exact real"), ("sqrt(-2)", 1, "root of a positive"),
    ("(-8)**(1/3)", 1, "root of a positive"), ("sqrt(-E)", 1, "exact real"), ("gamma(0)", 1, "zoo"),
    ("tan(pi/2)", 1, "zoo"),
]  # fmt: skip


def nodes(expr):
    return set(map(type, sp.preorder_traversal(expr)))


@pytest.mark.parametrize("text", GOOD)
def test_text_gives_the_expression_that_sympy_builds(text):
    assert parse(text) == GOOD[text]
    assert nodes(parse(text)) <= LANGUAGE


@pytest.mark.parametrize("text", HELD)
def test_text_that_stays_as_written(text):
    assert parse(text) == HELD[text]


@pytest.mark.parametrize("expr", [*GOOD.values(), *HELD.values()], ids=[*GOOD, *HELD])
def test_writing_and_reading_gives_the_same_tree(expr):
    assert parse(unparse(expr)) == expr


@pytest.mark.parametrize(("text", "column", "word"), BAD)
def test_bad_text_is_refused_with_its_column(text, column, word):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert str(caught.value).startswith(f"column {column}: ")
    assert word in str(caught.value)
    assert caught.value.column == column
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("value", [None, 3, b"x", ["x"], x])
def test_only_text_is_read(value):
    with pytest.raises(ParseError, match="expected text"):
        parse(value)


def test_infinity_stands_alone_where_it_is_allowed():
    assert parse("oo", allow_infinite=True) == oo
    assert parse("-oo", allow_infinite=True) == -oo
    assert parse("x", allow_infinite=True) == x
    assert (unparse(oo), unparse(-oo)) == ("oo", "-oo")
    for text in ("oo + 1", "2*oo", "--oo", "exp(-oo)", "d[oo]"):
        with pytest.raises(ParseError, match="unreserved"):
            parse(text, allow_infinite=True)


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ("9" * MAX_DIGITS, "9" * (MAX_DIGITS + 1)),
        (f"10**{MAX_DIGITS - 1}", f"10**{MAX_DIGITS}"),
        ("x" + " " * (MAX_LENGTH - 1), "x" + " " * MAX_LENGTH),
        ("(" * MAX_DEPTH + "x" + ")" * MAX_DEPTH, "(" * (MAX_DEPTH + 1) + "x"),
        ("-" * MAX_DEPTH + "x", "-" * (MAX_DEPTH + 1) + "x"),
        ("x" + "**x" * MAX_DEPTH, "x" + "**x" * (MAX_DEPTH + 1)),
        ("x" + "+x" * MAX_TERMS, "x" + "+x" * (MAX_TERMS + 1)),
        ("x" + "*x" * MAX_TERMS, "x" + "*x" * (MAX_TERMS + 1)),
        ("x" * 100, "x" * 102),
        ("x" + "+a[1]*x**2*y**2" * 300, "x" + "+(x" * 20 + "+x" * MAX_TERMS),
        ("sqrt(10**300 + 1)", "sqrt(10**700 + 1)"),
        ("exp(8*10**6)", "exp(9*10**6)"),
    ],
)
def test_limits(within, beyond):
    assert isinstance(parse(within), sp.Expr)
    with pytest.raises(ParseError, match="expected"):
        parse(beyond)


def test_a_thousand_terms_are_written_and_read():
    terms = [sp.Symbol(f"c{p}") * x**p for p in range(MAX_TERMS)]
    assert parse(unparse(sp.Add(*terms))) == sp.Add(*terms)
    assert parse(unparse(sp.Mul(*terms))) == sp.Mul(*terms)


def nest(levels):
    expr = x
    for _ in range(levels):
        expr = sp.sin(expr, evaluate=False)
    return expr


UNWRITABLE = [
    (sp.Float("0.5"), "Float"), (x + sp.Float(2), "Float"), (sp.nan, "NaN"),
    (sp.zoo, "ComplexInfinity"), (x + oo, "unreserved"), (2 * sp.I, "ImaginaryUnit"),
    (sp.GoldenRatio, "GoldenRatio"), (sp.Symbol("x", positive=True), "without assumptions"),
    (sp.Symbol("n", integer=True) + 1, "without assumptions"),
    (sp.Symbol("A", commutative=False), "without assumptions"), (sp.Dummy("x"), "Dummy"),
    (sp.Wild("x"), "Wild"), (sp.Symbol("E"), "'E'"), (sp.Symbol("gamma") + 1, "'gamma'"),
    (sp.Symbol("oo"), "'oo'"), (sp.Symbol("x + y"), "'x + y'"),
    (sp.Symbol("__import__('os')"), "__import__"), (sp.Symbol("lambda"), "'lambda'"),
    (sp.Symbol("a__b"), "'a__b'"), (sp.Symbol("\u0445"), r"'\u0445'"), (sp.Symbol(""), "''"),
    (sp.Function("f")(x), "f(x)"), (sp.beta(x, y), "beta"), (sp.re(x), "re(x)"),
    (sp.sign(x), "sign"), (sp.LambertW(x, -1), "'LambertW'"),
    (sp.Piecewise((x, x > 0), (0, True)), "Piecewise"), (sp.Subs(x, x, 0), "Subs"),
    (sp.Order(x), "Order"), (sp.UnevaluatedExpr(x), "UnevaluatedExpr"),
    (sp.MatrixSymbol("M", 2, 2)[0, 0], "MatrixElement"),
    (sp.MatrixSymbol("M", 2, 2), "MatrixSymbol"), (sp.Matrix([[x]]), "Matrix"),
    (sp.Eq(x, y), "Equality"), (sp.true, "BooleanTrue"), (sp.Tuple(x), "Tuple"),
    (a, "does not survive"), (sp.IndexedBase("a", shape=(2,))[i], "does not survive"),
    (a[sp.Idx("i")], "Idx"), (sp.Integral(x, x), "'Integral'"),
    (sp.Integral(x * y, (x, 0, 1), (y, 0, 1)), "one variable"),
    (sp.Sum(a[i], (i, 1, n), (n, 1, n)), "ends that contain the index"),
    (sp.Derivative(x * y, x, y), "one variable"), (sp.Derivative(x**2, (x, n)), "order"),
    (sp.Add(x, x, evaluate=False), "does not survive"),
    (sp.Pow(2, 3, evaluate=False), "does not survive"),
    (sp.Mul(y, x, evaluate=False), "does not survive"), (Integer(10) ** MAX_DIGITS, "digits"),
    (nest(MAX_DEPTH + 1), "levels of nesting"), (nest(3000), "nested too deeply"),
    (exp(Integer(10) ** 9), "bits"), (3, "expected an expression; got int"),
    ("x", "expected an expression; got str"), (None, "expected an expression; got NoneType"),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "word"), UNWRITABLE, ids=[word for _, word in UNWRITABLE])
def test_what_is_outside_the_language_is_not_written(expr, word):
    with pytest.raises(ValueError, match=re.escape(word)) as caught:
        unparse(expr)
    assert len(str(caught.value)) < 500


def test_the_error_is_a_verify_error_and_a_value_error():
    assert issubclass(ParseError, VerifyError)
    assert issubclass(ParseError, ValueError)


def test_no_rule_of_the_reader_runs_text_or_uses_floats():
    tree = ast.parse(Path(expressions.__file__).read_text("utf-8"))
    names = {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(tree)}
    banned = {"eval", "exec", "__import__", "sympify", "parse_expr", "S", "float", "Float"}
    assert not names & (banned | {"evalf", "simplify"})
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert not [value for value in constants if isinstance(value, float | complex)]


rationals = st.fractions(-50, 50, max_denominator=30).map(
    lambda value: Rational(value.numerator, value.denominator)
)
leaves = st.one_of(
    st.sampled_from([x, y, z, n, E, pi, a[i], a[1, 2], w[x + 1]]),
    st.integers(-(10**30), 10**30).map(Integer),
    rationals,
)


def compound(inner):
    """Nodes as SymPy builds them; functions held, since some leave the reals when evaluated."""
    unary = ("log", "LambertW", "erf", "erfc", "factorial", "gamma", "floor", "ceiling", "Abs")
    unary = (*unary, "sin", "cos", "tan", "sinh", "cosh", "tanh")
    mixed = st.builds(lambda *parts: sp.Add(x, *parts), inner, inner)  # with a symbol inside
    return st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda parts: sp.Add(*parts)),
        st.lists(inner, min_size=2, max_size=4).map(lambda parts: sp.Mul(*parts)),
        st.builds(sp.Pow, mixed, st.one_of(st.integers(-4, 4), st.sampled_from([n, 1 / n, x - y]))),
        st.builds(lambda e, p: sp.Pow(e, p), mixed, rationals.filter(lambda p: p.q < 5)),
        mixed.map(exp),
        st.builds(
            lambda name, e: getattr(sp, name)(e, evaluate=False), st.sampled_from(unary), mixed
        ),
        st.builds(lambda e, f: sp.Max(e, f, evaluate=False), mixed, inner),
        st.builds(lambda e, f: sp.binomial(e, f, evaluate=False), mixed, inner),
        mixed.map(lambda e: sp.Mul(Rational(-2, 3), e, evaluate=not isinstance(e, sp.Add))),
        st.builds(lambda e: sp.Sum(e * a[i], (i, 1, n)), inner),
        st.builds(lambda e: sp.Product(1 + e, (i, 0, z)), inner),
        st.builds(lambda e: sp.Integral(e + t, (t, -oo, y)), inner),
        st.builds(lambda e, order: sp.Derivative(e + t, (t, order)), inner, st.integers(1, 5)),
    )


@settings(max_examples=400)
@given(st.recursive(leaves, compound, max_leaves=8))
def test_random_expressions_survive_writing_and_reading(expr):
    """What is refused is outside the language or its limits; what is written is never misread."""
    try:
        text, refused = unparse(expr), ""
    except ParseError as error:
        text, refused = "", str(error)
    if refused:
        outside = not nodes(expr) <= LANGUAGE
        assert outside or "expected at most" in refused, (expr, refused)
    else:
        assert parse(text) == expr
        assert unparse(parse(text)) == text


@settings(max_examples=300)
@given(
    st.recursive(
        st.one_of(st.sampled_from([x, y, n, a[i]]), st.integers(1, 40).map(Integer)),
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=4).map(lambda parts: sp.Add(*parts)),
            st.lists(inner, min_size=2, max_size=4).map(lambda parts: sp.Mul(*parts)),
            st.builds(sp.Pow, inner, st.integers(-3, 3)),
            inner.map(lambda e: exp(-e * x)),
            inner.map(lambda e: log(1 + e)),
            inner.map(lambda e: sp.erf(e + y)),
        ),
        max_leaves=10,
    )
)
def test_everyday_expressions_are_never_refused(expr):
    assert parse(unparse(expr)) == expr


@settings(max_examples=300)
@given(st.text(alphabet="xyE12 +-*/()[],.eipOo_=\u0445\n", max_size=30))
def test_random_text_is_read_or_refused(text):
    try:
        expr = parse(text)
    except ParseError:
        return
    assert nodes(expr) <= LANGUAGE
    assert parse(unparse(expr)) == expr


NUMBERS = {
    "0": Fraction(0),
    "-0": Fraction(0),
    "12": Fraction(12),
    "-12": Fraction(-12),
    "6/4": Fraction(3, 2),
    "-1/3": Fraction(-1, 3),
    f"1/1{'0' * (MAX_DIGITS - 1)}": Fraction(1, 10 ** (MAX_DIGITS - 1)),
}
NO_NUMBERS = [
    *("", " 1", "1 ", "1\n", "+1", "--1", "1/-2", "1/0", "1/00", "01", "1/02", "1/2/3", "1 /2"),
    *("1.5", "1e5", "1_000", "0x1", "x", "nan", "inf", "oo", "\u0661", "\uff11", "1/"),
    *("9" * (MAX_DIGITS + 1), "1/" + "9" * (MAX_DIGITS + 1), "9" * 1_000_000),
]


@pytest.mark.parametrize("text", NUMBERS, ids=lambda text: text[:10])
def test_numbers(text):
    assert parse_number(text) == NUMBERS[text]


@pytest.mark.parametrize("text", NO_NUMBERS, ids=lambda text: ascii(text[:10]))
def test_what_is_no_number(text):
    with pytest.raises(ParseError, match="expected -3 or 3/7"):
        parse_number(text)


@given(st.fractions())
def test_every_fraction_is_read_back(value):
    assert parse_number(str(value)) == value


HEXADECIMAL = {
    "0x1.8p+1": Fraction(3),
    "-0x1.8000000000000p+1": Fraction(-3),
    "0x0.0p+0": Fraction(0),
    "-0x0.0p+0": Fraction(0),
    "0x1.999999999999ap-4": Fraction(0.1),
    "0x0.0000000000001p-1022": Fraction(5e-324),
    "0x1.fffffffffffffp+1023": Fraction(1.7976931348623157e308),
    f"0x1.0p-{MAX_EXPONENT}": Fraction(1, 2**MAX_EXPONENT),
}
NO_HEXADECIMAL = [
    *("", "inf", "-inf", "nan", "0x", "1.8p+1", "0x1.8", "0x1.8p", "0x1.8p1", "0x1.8p+", "0x1p+1"),
    *("0x2.0p+0", "0x1.8P+1", "0X1.8p+1", "0x1.Fp+0", "+0x1.8p+1", "0x1.8p+1 ", "0x1.8p+1\n"),
    *("0x1.gp+0", "0x1.p+0", "0x1.00000000000000p+0", "0x1.8p+1_0", "0x1.8p+\u0661", "3", "x"),
    *(f"0x1.0p+{MAX_EXPONENT + 1}", f"0x1.0p-{MAX_EXPONENT + 1}", "0x1.0p+99999999999"),
    "0x1." + "0" * 1_000_000 + "p+0",
]


@pytest.mark.parametrize("text", HEXADECIMAL)
def test_hexadecimal_floats(text):
    assert parse_hex(text) == HEXADECIMAL[text]


@pytest.mark.parametrize("text", NO_HEXADECIMAL, ids=lambda text: ascii(text[:20]))
def test_what_is_no_hexadecimal_float(text):
    with pytest.raises(ParseError, match="expected a finite float"):
        parse_hex(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_exactly(value):
    assert parse_hex(value.hex()) == Fraction(value)
