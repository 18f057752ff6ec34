"""Derivations the kernel must refuse, and a few it must accept; the table of `negatives.py`.

Names begin with the rule at fault. `rel`, `line` and the symbols serve both tables.
"""

from sympy import (
    Derivative,
    Expr,
    IndexedBase,
    Integer,
    Integral,
    LambertW,
    Mul,
    Rational,
    Sum,
    binomial,
    ceiling,
    exp,
    floor,
    log,
    oo,
    symbols,
)

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Domain,
    Every,
    Limit,
    Maximum,
    Mean,
    Orbit,
    PolynomialDegree,
    Relation,
    above,
    integers,
    interval,
)

i, j, k, n, t, x, y = symbols("i j k n t x y")
s = IndexedBase("s")
ZERO, ONE, TWO, THREE, FIVE = map(Integer, (0, 1, 2, 3, 5))
HALF = Rational(1, 2)
REAL, POSITIVE, WHOLE = ((x, REALS),), ((x, above(0)),), ((n, integers(0)),)


def rel(lhs, op, rhs, over=(), given=()):
    left, right = (side if isinstance(side, Expr) else Integer(side) for side in (lhs, rhs))
    return Relation(left, op, right, over, given)


def line(statement, rule, *using, **args):
    return Line(statement, rule, using, tuple(args.items()))


def derived(name, *lines):
    """A derivation of its own last line."""
    return name, lines[-1].statement, (Derivation(lines),)


def single(rule, why, statement, **args):
    """One inference without premises."""
    return derived(f"{rule}: {why}", line(statement, rule, **args))


def induction(domain, base):
    """n is never 1: true at `base`, and n + 1 is not 1 for n > 0."""
    over, given = ((n, domain),), (rel(n, "!=", 1),)
    return derived(
        f"induction: from {base} over {domain.low}, open: {domain.low_open}",
        line(rel(base, "!=", 1), "ground"),
        line(rel(n + 1, "!=", 1, over, given), "sign"),
        line(rel(n, "!=", 1, over), "induction", 1, 2),
    )


def not_three(first, second):
    """(n - 3)^2 > 0 in two cases that leave 3 out, joined to all n >= 0."""
    cases = [rel((n - 3) ** 2, ">", 0, ((n, domain),)) for domain in (first, second, integers(0))]
    return derived(
        f"cases: {first.high} to {second.low}",
        line(cases[0], "sign"),
        line(cases[1], "sign"),
        line(cases[2], "cases", 1, 2),
    )


def limit(why, expression, value, target, *over):
    statement = Limit(expression, Integer(value), ((x, target),), over)
    return derived(f"limit: {why}", line(statement, "limit"))


def fair_sum(count, value):
    """P(s[1] + ... + s[count] < 1) = value."""
    return Mean(rel(Sum(s[i], (i, 1, count)), "<", 1), ((s, "sign"),), value)


GENERAL = rel(s[k], ">", 1, ((k, integers(0)),))
UNDEFINED = rel(x * Derivative(log(x), x), "=", 1, REAL)
PEAK = -((x - 3) ** 2)
TRUE, FALSE = rel(1, "<", 2), rel(2, "<", 1)
EQUATION = rel((x + 1) ** 2, "=", x**2 + 2 * x + 1, REAL)

ALGEBRA = (
    single("field", "no identity", rel((x + 1) ** 2, "=", x**2 + 1, REAL)),
    single("field", "not defined at 1", rel((x**2 - 1) / (x - 1), "=", x + 1, REAL)),
    single("field", "no equation", rel(x, "<", x + 1, REAL)),
    single("field", "log is not defined at 0", UNDEFINED),
    single("differentiate", "wrong", rel(Derivative(log(x), x), "=", 1 / x**2, POSITIVE)),
    single("differentiate", "not at 0", rel(Derivative(log(x), x), "=", 1 / x, REAL)),
    single("differentiate", "no derivative", rel(2 * x, "=", 2 * x, REAL)),
    single("sign", "false", rel(x, ">", 0, REAL)),
    single("sign", "zero at 0", rel(x**2, ">", 0, REAL)),
    single("sign", "below 1", rel(log(x), ">", 0, POSITIVE)),
    single(
        "sign",
        "the index has the name of a variable",
        rel(Sum(y * (i - 5), (i, 0, 1)), ">=", 0, ((y, above(0)), (i, integers(6)))),
    ),
    single("hypothesis", "another one", rel(x, ">", 2, REAL, (rel(x, ">", 1),))),
    single("hypothesis", "entry", rel(s[0], ">", 1, ((s, REALS),), (rel(s[1], ">", 1),))),
    single(
        "hypothesis",
        "an implication",
        rel(x, ">", 1, REAL, (rel(x, ">", 1, (), (rel(x, ">", 5),)),)),
    ),
    derived(
        "linear: a general hypothesis from a single one",
        line(rel(s[k], ">", 1, ((s, REALS), (k, integers(0))), (GENERAL,)), "hypothesis"),
        line(rel(s[0], ">", 1, ((s, REALS),), (GENERAL,)), "substitute", 1, k=ZERO),
        line(rel(s[0], ">", 1, ((s, REALS), (k, integers(0))), (rel(s[k], ">", 1),)), "linear", 2),
    ),
    derived(
        "linear: a negative factor",
        line(rel(x, "<", x + 1, REAL), "sign"),
        line(rel(x + 1, "<", x, REAL), "linear", 1, c1=-ONE),
    ),
    derived(
        "linear: a negative rest",
        line(rel(x, "<=", x + 1, REAL), "sign"),
        line(rel(x, "<=", x, REAL), "linear", 1, rest=-ONE),
    ),
    derived(
        "linear: strict from not strict",
        line(rel(x**2, ">=", 0, REAL), "sign"),
        line(rel(x**2, ">", 0, REAL), "linear", 1),
    ),
    derived(
        "exponential: the other way",
        line(rel(x, "<", x + 1, REAL), "sign"),
        line(rel(exp(x + 1), "<", exp(x), REAL), "exponential", 1),
    ),
    derived(
        "exponential: one side only",
        line(rel(0, "<=", x, POSITIVE), "sign"),
        line(rel(exp(x), "<=", x, POSITIVE), "exponential", 1),
    ),
)

DOMAINS = (
    derived(
        "substitute: outside the domain",
        line(rel(x, ">", 0, POSITIVE), "sign"),
        line(rel(-1, ">", 0), "substitute", 1, x=-ONE),
    ),
    derived(
        "substitute: a half for an integer",
        line(rel((2 * n - 1) ** 2, ">", 0, ((n, integers(1)),)), "sign"),
        line(rel((2 * HALF - 1) ** 2, ">", 0), "substitute", 1, n=HALF),
    ),
    derived(
        "substitute: drops a hypothesis",
        line(rel(x, ">", 1, REAL, (rel(x, ">", 1),)), "hypothesis"),
        line(rel(0, ">", 1), "substitute", 1, x=ZERO),
    ),
    derived(
        "largest: one side is missing",
        line(rel(PEAK, "<", 0, ((x, above(3)),)), "sign"),
        line(Maximum(PEAK, x, REALS, THREE), "largest", 1),
    ),
    derived(
        "largest: outside the domain",
        line(rel(PEAK, "<", 0, ((x, interval(0, 2)),)), "sign"),
        line(Maximum(PEAK, x, interval(0, 2), THREE), "largest", 1),
    ),
    derived("largest: nothing is shown", line(Maximum(x, x, interval(0, 1), HALF), "largest")),
    not_three(integers(0, FIVE / 2), integers(Rational(7, 2))),
    not_three(Domain(ZERO, THREE, False, True, True), integers(4)),
    not_three(integers(0, 2), integers(4)),
    derived(
        "cases: a point between open ends",
        line(rel(x**2, ">", 0, ((x, interval(-oo, 0)),)), "sign"),
        line(rel(x**2, ">", 0, POSITIVE), "sign"),
        line(rel(x**2, ">", 0, REAL), "cases", 1, 2),
    ),
    derived(
        "point: an interval",
        line(rel(0, "=", 0), "ground"),
        line(rel(x, "=", 0, ((x, interval(0, 1, "[]")),)), "point", 1),
    ),
    derived(
        "point: another value",
        line(rel(0, "=", 0), "ground"),
        line(rel(x, "=", 0, ((x, interval(1, 1, "[]")),)), "point", 1),
    ),
)

WHOLE_NUMBERS = (
    single("enumerate", "fails at 3", rel(n**2, "<", 9, ((n, integers(0, 3)),))),
    single("enumerate", "not finite", rel(n, ">=", 0, WHOLE)),
    single("enumerate", "not integers", rel(x**2, "<=", 1, ((x, interval(0, 1, "[]")),))),
    single("enumerate", "log 0", rel(1 / log(n), "=", 0, ((n, integers(0, 0)),))),
    single("ground", "false", FALSE),
    single("ground", "near is not equal", rel(exp(1), "=", Rational(271828, 100000))),
    single("ground", "a variable", rel(x, "=", x, REAL)),
    induction(integers(0), ZERO),
    induction(integers(HALF), HALF),
    induction(Domain(ZERO, oo, True, True, True), ZERO),
    derived(
        "induction: no base",
        line(rel(n, ">", 5, WHOLE, (rel(n, ">", 5),)), "hypothesis"),
        line(rel(n + 1, ">", 5, WHOLE, (rel(n, ">", 5),)), "linear", 1, rest=ONE),
        line(rel(n, ">", 5, WHOLE), "induction", 2, 2),
    ),
)

OTHERS = (
    derived("isserlis: E[g^4] = 2", line(Mean(x**4, ((x, "normal"),), TWO), "isserlis")),
    derived("isserlis: of a sign", line(Mean(x**4, ((x, "sign"),), THREE), "isserlis")),
    derived("isserlis: no polynomial", line(Mean(exp(x), ((x, "normal"),), ONE), "isserlis")),
    derived("degree: too high", line(PolynomialDegree(x * y + 1, (x, y), THREE), "degree")),
    derived(
        "degree: the leading terms cancel",
        line(PolynomialDegree((x + 1) ** 2 - x**2, (x,), TWO), "degree"),
    ),
    derived("fact: unknown", line(rel(x, "=", x + 1, REAL), "fact", name="magic")),
    derived("fact: without instances", line(FALSE, "fact", name="Ville")),
    derived(
        "fact: another number",
        line(fair_sum(3, HALF), "fact", name="sum of signs", count=THREE, below=ONE),
        line(Every((fair_sum(3, HALF), TRUE)), "every", 1),
    ),
    derived(
        "fact: the claim itself",
        line(
            fair_sum(3, Sum(binomial(3, j), (j, 0, 1)) / 8),
            "fact",
            name="sum of signs",
            count=THREE,
            below=ONE,
        ),
    ),
    derived(
        "every: a part is missing", line(TRUE, "ground"), line(Every((TRUE, FALSE)), "every", 1)
    ),
    derived("every: empty", line(Every(()), "every")),
    derived(
        "part: not among them",
        line(TRUE, "ground"),
        line(Every((TRUE,)), "every", 1),
        line(FALSE, "part", 2),
    ),
    derived("part: of itself", line(FALSE, "part", 1)),
    derived("claim: judged by nobody", line(FALSE, "claim", name="degree.optimum")),
    derived("unknown rule", line(TRUE, "obviously")),
    ("another statement", FALSE, (Derivation((line(TRUE, "ground"),)),)),
    ("no line", TRUE, (Derivation(()),)),
    ("no evidence", TRUE, ()),
)

CHANGES = (
    derived(
        "reparametrise: from nothing",
        line(rel(t, "<", 0, ((t, interval(1, -1)),)), "sign"),
        line(rel(x, "<", 0, ((x, interval(-1, 1)),)), "reparametrise", 1, variable=x, image=t),
    ),
    derived(
        "reparametrise: exp misses the negative",
        line(rel(exp(t), ">", 0, ((t, REALS),)), "sign"),
        line(rel(x, ">", 0, REAL), "reparametrise", 1, variable=x, image=exp(t)),
    ),
    derived(
        "monotone: the other way",
        line(rel(2 * x, ">", 0, POSITIVE), "sign"),
        line(rel(4, "<", 1), "monotone", 1, function=x**2, variable=x, low=ONE, high=TWO),
    ),
    derived(
        "monotone: beyond the interval",
        line(rel(2 * x, ">", 0, POSITIVE), "sign"),
        line(rel(4, "<", 1), "monotone", 1, function=x**2, variable=x, low=-TWO, high=ONE),
    ),
    derived(
        "monotone: across a pole",
        line(rel(-1 / x**2, "<", 0, POSITIVE), "sign"),
        line(rel(-1, ">", 1), "monotone", 1, function=1 / x, variable=x, low=-ONE, high=ONE),
    ),
    limit("another value", 1 / x, 1, oo, (x, above(0))),
    limit("a step", floor(x), 1, ONE, (x, interval(0, 1))),
    limit("0 to the power 0", x ** (1 / log(x)), 1, ZERO, (x, interval(0, 1))),
    limit("along other paths", x * y, 0, ZERO, (x, above(0)), (y, above(0))),
    single("antiderivative", "wrong", rel(Integral(2 * t, (t, 0, 1)), "=", 2), F=t**2),
    single("antiderivative", "another F", rel(Integral(2 * t, (t, 0, 1)), "=", 1), F=t**3),
    single("antiderivative", "a pole", rel(Integral(t**-2, (t, -1, 1)), "=", -2), F=-1 / t),
)


def relabelled(why, total, value=HALF, count=THREE, below=ZERO, op="<", laws=(s, y)):
    """P(total < below) = value from the sum of that many signs."""
    mass = Sum(binomial(count, j), (j, 0, ceiling((count + below) / 2) - 1)) / 2**count
    fact = Mean(rel(Sum(s[i], (i, 1, count)), "<", below), ((s, "sign"),), mass)
    event = Mean(rel(total, op, below), tuple((law, "sign") for law in laws), value)
    return derived(
        f"relabel: {why}",
        line(fact, "fact", name="sum of signs", count=count, below=below),
        line(event, "relabel", 1, sum=total),
    )


def orbit(why, step, start, holds, region, *shown, eventually=False, **args):
    """x -> step from start: the region gives what holds and is kept, by the rules named."""
    image = {x: step}
    kept = (rel(r.lhs.xreplace(image), r.op, r.rhs.xreplace(image), REAL, region) for r in region)
    inside = rel(holds.lhs, holds.op, holds.rhs, REAL, region)
    lines = [line(p, rule) for p, rule in zip((inside, *kept), shown, strict=True)]
    whole = Orbit(((x, step),), ((x, start),), holds, eventually)
    numbers = range(1, len(lines) + 1)
    return derived(f"invariant: {why}", *lines, line(whole, "invariant", *numbers, **args))


SAME = s[k]
UP, NEAR = rel(x, ">", 0), rel(x, "<", 1)
SIGNS = (
    relabelled("a square", Sum(Mul(SAME, SAME, evaluate=False), (k, 1, 3))),
    relabelled("the same sign in all terms", Sum(y * t, (k, 1, 3)), laws=(s, y, t)),
    relabelled("a neighbour's sign", Sum(s[k] * s[k + 1] * s[k + 2], (k, 1, 3)), laws=(s,)),
    relabelled("too many terms", Sum(y * s[k], (k, 0, 3))),
    relabelled("at most", Sum(y * s[k], (k, 1, 2)), op="<=", count=TWO, value=Rational(1, 4)),
    relabelled("another value", Sum(y * s[k], (k, 1, 3)), value=ONE),
)
ORBITS = (
    orbit("a region that is left", x + 1, ZERO, NEAR, (NEAR,), "hypothesis", "sign"),
    orbit("a start outside", x / 2, -ONE, UP, (UP,), "hypothesis", "sign"),
    orbit("more than the region gives", x / 2, ONE, rel(x, ">", 1), (UP,), "sign", "sign"),
    orbit("false on the way", x + 1, -TWO, UP, (UP,), "hypothesis", "sign", after=THREE),
    orbit("never there", x / 2, -ONE, UP, (UP,), "hypothesis", "sign", eventually=True, after=FIVE),
    orbit("not defined", 1 / x, ZERO, rel(x, "=", x), (), "field"),
)
NEGATIVES = ALGEBRA + DOMAINS + WHOLE_NUMBERS + OTHERS + CHANGES + SIGNS + ORBITS

LAMBERT = rel(LambertW(x * exp(x)), "=", x, POSITIVE)
POSITIVES = (
    single("field", "an identity", EQUATION),
    single("field", "W0", LAMBERT),
    single("sign", "a square", rel(x**2, ">=", 0, REAL)),
    single("ground", "1 < 2", TRUE),
    single("antiderivative", "right", rel(Integral(2 * t, (t, 0, 1)), "=", 1), F=t**2),
    limit("of 1/x", 1 / x, 0, oo, (x, above(0))),
    derived(
        "cases: all integers",
        line(rel((2 * n - 5) ** 2, ">", 0, ((n, integers(0, 2)),)), "sign"),
        line(rel((2 * n - 5) ** 2, ">", 0, ((n, integers(3)),)), "sign"),
        line(rel((2 * n - 5) ** 2, ">", 0, WHOLE), "cases", 1, 2),
    ),
    derived("isserlis: E[g^4] = 3", line(Mean(x**4, ((x, "normal"),), THREE), "isserlis")),
    relabelled("a common sign", Sum(y * s[k], (k, 1, 3))),
    orbit("halving", x / 2, ONE, UP, (UP,), "hypothesis", "sign"),
    orbit("in the end", x + 1, -TWO, UP, (UP,), "hypothesis", "sign", eventually=True, after=THREE),
)
