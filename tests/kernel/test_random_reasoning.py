"""Signs, equalities and definedness against mpmath at random points of the domain."""

import mpmath
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Abs, Integer, LambertW, Rational, exp, log, oo, sqrt, symbols, tanh

from lemmata.symbolic.statements import REALS, Domain, Relation, above, integers, interval
from lemmata.verify.kernel.reasoning import Context
from lemmata.verify.kernel.terms import Rejected

x, y, z, n = symbols("x y z n")
SMALL = st.sampled_from([Rational(a, b) for a in range(-3, 4) for b in (1, 2)])
DOMAINS = st.sampled_from(
    [
        REALS, above(0), above(1), above(-1), interval(0, 1), interval(0, 1, "[]"),
        interval(-2, -1, "[]"), interval(-oo, 0), interval(-oo, 0, "(]"), interval(-1, 1, "[]"),
        interval(2, 3, "[)"), interval(Rational(1, 2), oo, "[)"),
    ]
)  # fmt: skip
WHOLE = st.sampled_from(
    [integers(0), integers(1), integers(2, 5), integers(-2, 2), integers(-oo, -1)]
)
UNARY = st.sampled_from([exp, log, sqrt, tanh, Abs, LambertW, lambda e: 1 / e, lambda e: -e,
                         lambda e: e**2, lambda e: e**3, lambda e: e - 1,
                         lambda e: 1 + e])  # fmt: skip


def grown(inner):
    return st.one_of(
        st.tuples(UNARY, inner).map(lambda pair: _apply(*pair)),
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        st.tuples(inner, st.sampled_from([Rational(1, 2), Rational(-1, 3), x, n])).map(
            lambda pair: sp.Pow(*pair)
        ),
    )


def _apply(function, expr):
    return function(expr)


EXPRESSIONS = st.recursive(st.one_of(st.sampled_from([x, y, z, n]), SMALL), grown, max_leaves=6)
CONTEXTS = st.tuples(DOMAINS, DOMAINS, DOMAINS, WHOLE)
SHARES = st.tuples(*[st.fractions(0, 1, max_denominator=40)] * 4)


def value(domain, share, whole=False):
    """A number of the domain; a share of 0 or 1 gives a closed end itself."""
    low, high = domain.low, domain.high
    if whole:
        first = low if low != -oo else high - 9
        last = high if high != oo else first + 9
        return first + sp.floor((last - first) * Rational(share.numerator, share.denominator))
    share = Rational(share.numerator, share.denominator)
    if low == -oo and high == oo:
        return 8 * share - 4
    if high == oo:
        found = low + 5 * share
    elif low == -oo:
        found = high - 5 * share
    else:
        found = low + (high - low) * share
    at_end = (found == low and domain.low_open) or (found == high and domain.high_open)
    return None if at_end else found


def point(domains, shares):
    found = [value(d, s, d.integer) for d, s in zip(domains, shares, strict=True)]
    assume(None not in found)
    return dict(zip((x, y, z, n), found, strict=True))


def numeric(expr, at):
    """The value by mpmath, or None where it is no finite real."""
    with mpmath.workdps(40):
        try:
            found = sp.lambdify(
                (x, y, z, n), expr, modules=["mpmath", {"LambertW": mpmath.lambertw}]
            )(*(mpmath.mpf(int(at[v].p)) / int(at[v].q) for v in (x, y, z, n)))
            found = mpmath.mpmathify(found)
        except (ZeroDivisionError, ValueError, OverflowError, TypeError, NameError):
            return None
        real = mpmath.im(found) == 0 and mpmath.isfinite(mpmath.re(found))
        return mpmath.re(found) if real else None


def context_of(domains, known=()):
    return Context.of(tuple(zip((x, y, z, n), domains, strict=True)), known)


@settings(max_examples=400)
@given(EXPRESSIONS, CONTEXTS, SHARES)
def test_signs_hold_at_random_points(expr, domains, shares):
    context = context_of(domains)
    assume(not expr.has(sp.I, sp.zoo, sp.nan, oo))
    try:
        context.require_defined(expr)
        signs = context.signs(expr)
    except Rejected:
        return
    found = numeric(expr, point(domains, shares))
    assert found is not None, f"{expr} was said to be defined"
    if abs(found) > mpmath.mpf(10) ** -30:
        assert int(mpmath.sign(found)) in signs
    elif len(signs) == 1 and signs != {0}:
        assert found != 0


@settings(max_examples=200)
@given(EXPRESSIONS, EXPRESSIONS, CONTEXTS, SHARES, st.sampled_from(["<", "<=", ">", ">=", "!="]))
def test_signs_hold_at_random_points_where_something_is_known(expr, other, domains, shares, op):
    assume(not (expr + other).has(sp.I, sp.zoo, sp.nan, oo))
    context = context_of(domains)
    at = point(domains, shares)
    left = numeric(other, at)
    assume(left is not None and abs(left) > mpmath.mpf(10) ** -30)
    holds = {"<": left < 0, "<=": left < 0, ">": left > 0, ">=": left > 0, "!=": True}[op]
    assume(holds)
    known = context.knowing((Relation(other, op, Integer(0)),))
    try:
        known.require_defined(expr + other)
        signs = known.signs(expr * other + other)
    except Rejected:
        return
    found = numeric(expr * other + other, at)
    if found is not None and abs(found) > mpmath.mpf(10) ** -30:
        assert int(mpmath.sign(found)) in signs


REWRITES = [
    sp.expand, sp.together, sp.factor, lambda e: sp.expand(e, power_exp=True), sp.powsimp,
    sp.logcombine,
    lambda e: sp.expand_log(e, force=True), sp.powdenest, lambda e: sp.powdenest(e, force=True),
    lambda e: e.subs(x, x + 1), lambda e: e + 1, lambda e: -e, lambda e: sp.sqrt(e**2),
    sp.nsimplify,
]  # fmt: skip


@settings(max_examples=400)
@given(EXPRESSIONS, st.sampled_from(REWRITES), CONTEXTS, SHARES)
def test_equal_sides_agree_at_random_points(expr, rewrite, domains, shares):
    """Some of the rewritings are only right for positive symbols: what is seen as equal must be."""
    try:
        other = rewrite(expr)
    except (ValueError, TypeError, AttributeError, sp.PolynomialError, NotImplementedError):
        return
    assume(not (expr.has(sp.I, sp.zoo, sp.nan, oo) or other.has(sp.I, sp.zoo, sp.nan, oo)))
    context = context_of(domains)
    try:
        context.require_defined(expr)
        context.require_defined(other)
        equal = context.equal(expr, other)
    except (Rejected, ValueError):
        return
    if equal:
        at = point(domains, shares)
        left, right = numeric(expr, at), numeric(other, at)
        assert left is not None
        assert right is not None
        assert abs(left - right) <= mpmath.mpf(10) ** -25 * (1 + abs(left))


@given(DOMAINS, DOMAINS, SMALL, SMALL, st.fractions(0, 1, max_denominator=40))
def test_what_is_contained_lies_inside(domain, target, slope, shift, share):
    inside = Context.of(((x, domain),)).contains(target, slope * x + shift)
    found = value(domain, share)
    if inside and found is not None:
        image = slope * found + shift
        assert image >= target.low if not target.low_open else image > target.low
        assert image <= target.high if not target.high_open else image < target.high


@given(st.integers(-3, 3), st.integers(-3, 3), st.booleans(), st.booleans())
def test_an_empty_interval_holds_no_number(low, high, low_open, high_open):
    domain = Domain(Integer(low), Integer(high), low_open, high_open)
    inside = [m for m in range(-4, 5) if Context().contains(domain, Integer(m))]
    expected = [
        m for m in range(-4, 5)
        if (m > low or (m == low and not low_open)) and (m < high or (m == high and not high_open))
    ]  # fmt: skip
    assert inside == expected
