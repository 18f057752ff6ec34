"""Nothing that the kernel is given makes it run for long or fill the memory."""

import os
import resource

import pytest
import sympy as sp
from attacks import ONE, ZERO, F, i, j, judged, k, rel, single, t, x, y, z
from sympy import (
    Derivative,
    IndexedBase,
    Integer,
    Integral,
    Rational,
    Sum,
    Symbol,
    exp,
    factorial,
    log,
    sin,
    symbols,
)

from lemmata.symbolic.statements import (
    REALS,
    Attention,
    EpsilonRank,
    Function,
    Hadamard,
    Limit,
    Mean,
    Orbit,
    PolynomialDegree,
    Rank,
    SeparationRank,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    NetworkCertificate,
    RankCertificate,
    SeparationCertificate,
    Spectrum,
)

u, w = Symbol("u"), IndexedBase("w")
BOMBS = {
    "expand a high power": lambda: single(
        rel((x + 1) ** 10**6, ">", x, ((x, above(1)),)), "sign"
    ),
    "field of a high power": lambda: single(
        rel((x + 1) ** 10**6, "=", x, ((x, above(1)),)), "field"
    ),
    "many factors": lambda: single(
        rel(sp.Mul(*((x + c) ** 40 for c in range(1, 30))), "=", y, ((x, above(0)), (y, REALS))),
        "field",
    ),
    "tower in a case": lambda: (rel(2 ** (2**x), ">", 0, ((x, integers(44, 44)),)), Enumeration(1)),
    "tower at a counterexample": lambda: (
        rel(2 ** (2**x), "<", 0, ((x, REALS),)), Counterexample(((x, Integer(44)),)),
    ),
    "factorial at a counterexample": lambda: (
        rel(factorial(x), "<", 0, ((x, integers(0)),)), Counterexample(((x, Integer(10**8)),)),
    ),
    "sum of sums": lambda: single(
        rel(Sum(i + Sum(i * j, (j, 1, 10**5)), (i, 1, 10**5)), ">", 0), "ground"
    ),
    "sum in every case": lambda: (
        rel(Sum(i, (i, 0, x)), ">=", 0, ((x, integers(0, 199_999)),)), Enumeration(200_000),
    ),
    "sum in every box": lambda: (
        rel(Sum(x / i, (i, 1, 10**5)), ">", -1, ((x, interval(0, 300, "[]")),)),
        Enclosure((x,), tuple(((F(b), F(b + 1)),) for b in range(300))),
    ),
    "signs of many factors": lambda: single(
        rel(sp.Mul(*symbols("q:40")), ">", 0, tuple((q, REALS) for q in symbols("q:40"))), "sign"
    ),
    "signs of nested sums": lambda: single(
        rel(nested_sums(40), ">", 0, ((x, above(1)),)), "sign"
    ),
    "expand in many variables": lambda: single(
        rel(sum(symbols("q:8")) ** 60, ">", 1, tuple((q, above(1)) for q in symbols("q:8"))), "sign"
    ),
    "field in many variables": lambda: single(
        rel(sum(symbols("q:8")) ** 60, "=", 1, tuple((q, above(1)) for q in symbols("q:8"))),
        "field",
    ),
    "powers of powers": lambda: single(
        rel((((x + 1) ** 100 + 1) ** 100 + 1) ** 100, ">", 1, ((x, above(1)),)), "sign"
    ),
    "power of a large base": lambda: (
        rel(x**10**6, "<", 0, ((x, REALS),)), Counterexample(((x, Integer(10**2000)),)),
    ),
    "tower within the exponents": lambda: (
        rel((x**x) ** x, "<", 0, ((x, REALS),)), Counterexample(((x, Integer(10**5)),)),
    ),
    "factorial held back": lambda: single(
        rel(x * (x - 3) + factorial(10**8, evaluate=False), ">", 0, ((x, above(1)),)), "sign"
    ),
    "factorial of a million": lambda: (
        rel(factorial(x), "<", 0, ((x, integers(0)),)), Counterexample(((x, Integer(10**6)),)),
    ),
    "many terms on a line": lambda: (
        PolynomialDegree(sum((x + c) ** 10**6 for c in range(300)), (x,), Integer(10**6)),
        DegreeCertificate(1009, (0,), (1,)),
    ),
    "moment in many variables": lambda: single(
        Mean(sum(symbols("q:8")) ** 60, tuple((q, "normal") for q in symbols("q:8")), ONE),
        "isserlis",
    ),
    "order of a derivative": lambda: single(
        rel(Derivative(exp(x**2), (x, 10**6)), ">", 0, ((x, above(1)),)), "sign"
    ),
    "long sum of logarithms": lambda: single(
        rel(Sum(log(i), (i, 1, 2 * 10**5)), "=", 0), "ground"
    ),
    "sum to 10**9": lambda: single(rel(Sum(i, (i, 1, 10**9)), ">", 0), "ground"),
    "degree of a high power": lambda: single(
        PolynomialDegree(x ** (10**9), (x,), Integer(10**9)), "degree"
    ),
    "degree by expansion": lambda: single(
        PolynomialDegree((x + y + z + t) ** 200, (x, y, z, t), Integer(200)), "degree"
    ),
    "degree of a high power on a line": lambda: (
        PolynomialDegree((x + 1) ** 10**9, (x,), Integer(10**9)), DegreeCertificate(7, (0,), (1,)),
    ),
    "moment of a high power": lambda: single(
        Mean((x + y + z + 1) ** 200, ((x, "normal"), (y, "normal"), (z, "normal")), ONE), "isserlis"
    ),
    "huge prime": lambda: (
        Rank(((ONE,),), 1), RankCertificate(2**9689 - 1, (0,), (0,), ((F(1),),)),
    ),
    "huge prime of a degree": lambda: (
        PolynomialDegree(x, (x,), ONE), DegreeCertificate(2**9689 - 1, (0,), (1,)),
    ),
    "integral by sympy": lambda: single(
        rel(Derivative(Integral(exp(sin(t) * x) / (t**5 + log(t + 2) + 3), (t, 0, x)), x), ">", 0,
            ((x, above(0)),)), "sign",
    ),
    "many boxes": lambda: (
        rel(x, ">", -1, ((x, interval(0, 3000, "[]")),)),
        Enclosure((x,), tuple(((F(b), F(b + 1)),) for b in range(3000))),
    ),
    "many slow cases": lambda: (
        rel(exp(x) - exp(x - Rational(1, 10**9)), ">", 0, ((x, integers(1, 2 * 10**5)),)),
        Enumeration(2 * 10**5),
    ),
    "high derivative": lambda: single(
        rel(Derivative(exp(sin(x**2)) / (1 + x**2), (x, 60)), "=", 0, ((x, REALS),)), "field"
    ),
    "reach of 10**30": lambda: (rel(x, ">=", 0, ((x, integers(0)),)), Enumeration(1, 10**30)),
    "many signs": lambda: (
        Mean(sp.Mul(*symbols("q:12")), tuple((q, "sign") for q in symbols("q:12")), ZERO),
        Enumeration(2**12),
    ),
    "as many signs as are allowed": lambda: (
        Mean(rel(Sum(w[i] * w[i + 1], (i, 1, 15)), "<", 0), ((w, "sign"),), ZERO),
        Enumeration(2**16),
    ),
    "wide sum of signs": lambda: (
        Mean(Sum(w[i], (i, 1, 4), (j, 1, 300), (k, 1, 300)), ((w, "sign"),), ZERO), Enumeration(16),
    ),
    "long sum of one sign": lambda: (
        Mean(Sum(w[1] * i, (i, 1, 10**5)), ((w, "sign"),), ZERO), Enumeration(2),
    ),
    "long product of one sign": lambda: (
        Mean(sp.Product(w[1] + i, (i, 1, 99_999)), ((w, "sign"),), ZERO), Enumeration(2),
    ),
    "sum of powers of a sign": lambda: (
        Mean(Sum((w[1] + 2) ** (i * j), (i, 1, 300), (j, 1, 300)), ((w, "sign"),), ZERO),
        Enumeration(2),
    ),
    "sum over many indices": lambda: (
        Mean(Sum(w[1], *((q, 1, 2) for q in symbols("q:40"))), ((w, "sign"),), ZERO),
        Enumeration(2),
    ),
    "number of many indices": lambda: single(
        rel(Sum(1, *((q, 1, 9) for q in symbols("q:40"))), ">", 0), "ground"
    ),
    "equality of many indices": lambda: single(
        rel(Sum(x, *((q, 1, 99) for q in symbols("q:9"))), "=", x, ((x, REALS),)), "field"
    ),
    "sign of many indices": lambda: single(
        rel(Sum(x, *((q, 1, t) for q in symbols("q:90"))), ">", 0,
            ((x, above(0)), (t, integers(1)))), "sign",
    ),
    "iterates without end": lambda: (orbit(x + 1, ZERO), Counterexample((), start=10**30 * ONE)),
    "iterates up to the limit": lambda: (
        orbit(x + 1, ZERO), Counterexample((), start=Integer(10_000)),
    ),
    "step that doubles in size": lambda: (
        orbit(folded(14), Rational(1, 2)), Counterexample((), start=Integer(1000)),
    ),
    "step of many variables": lambda: (
        Orbit(tuple((q, sum(symbols("q:300")) / 300) for q in symbols("q:300")),
              tuple((q, ONE) for q in symbols("q:300")), rel(symbols("q0"), "<", 0)),
        Counterexample((), start=Integer(10)),
    ),
    "step of a high power": lambda: (
        orbit(sum(x ** (Integer(10) ** 4000 - c) for c in range(1, 50)) / 49, ONE),
        Counterexample((), start=Integer(1000)),
    ),
    "step that squares": lambda: (
        orbit(x ** (10**6), Integer(2)), Counterexample((), start=Integer(10_000)),
    ),
    "tower of steps": lambda: (
        orbit(exp(exp(x)), Integer(2)), Counterexample((), start=Integer(10_000)),
    ),
    "step with an integral": lambda: (
        orbit(Integral(exp(-(t**2) * x) + sin(x * t**3) * sin(30 * t), (t, 0, 100)), ONE),
        Counterexample((), start=Integer(100)),
    ),
    "step with a sum": lambda: (
        orbit(Sum(x / i**2, (i, 1, 10**5)), ONE), Counterexample((), start=Integer(10_000)),
    ),
    "high power in every box": lambda: (
        rel(sum(x ** (Integer(10) ** 4000 - c) for c in range(1, 9)), ">", -1,
            ((x, interval(1, 300, "[]")),)),
        Enclosure((x,), tuple(((F(b), F(b + 1)),) for b in range(1, 300))),
    ),
    "large exponent in a ball": lambda: (
        rel(x ** 10**9, ">", -1, ((x, interval(1, 2, "[]")),)), Enclosure((x,), (((F(1), F(2)),),)),
    ),
    "many signs by a fact": lambda: single(
        Mean(rel(0, "<", 1), ((w, "sign"),), ONE), "fact",
        name="sum of signs", count=Integer(10**11), below=ONE,
    ),
    "tower over a sum of signs": lambda: (
        Mean(w[1] * tower(Sum(1, (k, 1, 10))), ((w, "sign"),), ZERO), Enumeration(2),
    ),
    "tower over a sum in a field": lambda: single(rel(tower(Sum(1, (k, 1, 10))), "=", 1), "field"),
    "tower over a slope": lambda: single(
        rel(tower(Derivative(10 * x, x)), ">", 0, ((x, REALS),)), "sign"
    ),
    "power with a large part": lambda: single(
        rel(x + y, ">", (Integer(10) ** 2000) ** (x + 10**6), ((x, above(1)), (y, REALS))), "sign"
    ),
    "expand inside a function": lambda: single(
        rel(x + y, ">", exp(sum(symbols("q:8")) ** 60),
            ((x, above(1)), (y, REALS), *((q, above(1)) for q in symbols("q:8")))), "sign",
    ),
    "many denominators": lambda: single(
        rel(sum(1 / (p + q) for p, q in zip(symbols("p:26"), symbols("q:26"), strict=True)), "=", 0,
            tuple((q, above(0)) for q in symbols("p:26 q:26"))), "field",
    ),
    "limit of a high power": lambda: single(
        Limit((x + 1) ** 10**5 / x ** 10**5, ONE, ((x, sp.oo),), ((x, above(0)),)), "limit"
    ),
    "limit of many fractions": lambda: single(
        Limit(sum(1 / (x + c) for c in range(1, 400)), ZERO, ((x, sp.oo),), ((x, above(0)),)),
        "limit",
    ),
    "product of many numbers": lambda: single(
        rel(sp.Product(i**j, (j, 1, 300), (i, 1, 300)), ">", 0), "ground"
    ),
    "partitions of many parts": lambda: by_degrees(5, 200, 199, 1, 3),
    "partitions of one layer": lambda: by_degrees(1, 200, 100, 1, 199),
    "wide Schur functors": lambda: by_degrees(5, 200, 2, 1, 3),
    "two large blocks": lambda: (
        SeparationRank(Hadamard(*map(Integer, (8, 8, 1, 1))), ">=", ONE),
        NetworkCertificate(2**29 - 3, numbers(136, 20), *(grouped(2048, 8, 20),) * 2, (2048,) * 2),
    ),
    "attention at many points": lambda: (
        SeparationRank(Attention(*map(Integer, (2, 8, 8, 1, 3))), ">=", ONE),
        NetworkCertificate(2**29 - 3, numbers(512, 20), *(grouped(1000, 64, 20),) * 2, (8,) * 5),
    ),
    "coefficients of long weights": lambda: weighted(2, 3, 1, 3, bits=10**4),
    "coefficients of a wide network": lambda: weighted(2, 4, 1, 3, bits=100),
    "coefficients of many layers": lambda: weighted(4, 2, 1, 3, bits=20),
    "coefficients of a high degree": lambda: weighted(1, 2, 1, 59, bits=500),
    "values of many digits": lambda: at_points((x + y) ** 70, 200),
    "values of a high power": lambda: at_points((x * y + 1) ** 10_000, 50),
    "determinant with parameters": lambda: (
        SeparationRank(Function((z + t * x + y * u + x * y * z) ** 60, *SIDES), ">=", ONE,
                       tuple((v, REALS) for v in (z, t, u))),
        SeparationCertificate(*(tuple((F(c),) for c in range(4)),) * 2),
    ),
    "moments of large integers": lambda: (
        EpsilonRank(Function(sum(x ** (2900 - c) for c in range(40)),
                             ((x, integers(10**4000, 10**4000 + 99_990)),), ()),
                    "uniform", ZERO, ONE), Spectrum(),
    ),
    "moments of a large interval": lambda: (
        EpsilonRank(Function(sum(x ** (2900 - c) for c in range(40)),
                             ((x, interval(0, 10**4000, "[]")),), ()),
                    "uniform", ZERO, ONE), Spectrum(),
    ),
    "spectrum of many denominators": lambda: spectrum(24, 30),
    "spectrum of large coefficients": lambda: spectrum(10, 30_000),
    "polynomial of many factors": lambda: (
        EpsilonRank(Function(sp.Mul(*(c * x + y + 1 for c in range(1, 74))), *SIDES),
                    "normal", ZERO, ONE), Spectrum(),
    ),
    "many integers": lambda: (
        Mean(x * y, ((x, "1..256"), (y, "1..256")), ZERO), Enumeration(2**16),
    ),
}  # fmt: skip
SIDES = ((x, REALS),), ((y, REALS),)


def numbers(count, bits):
    """Numbers of no pattern."""
    return tuple(pow(3, bits + 5 * c + 7, 2**bits - 1) for c in range(count))


def grouped(count, size, bits):
    flat = numbers(count * size, bits)
    return tuple(flat[c : c + size] for c in range(0, count * size, size))


def by_degrees(*sizes):
    return single(SeparationRank(Attention(*map(Integer, sizes)), "<=", ONE), "graded")


def weighted(layers, width, heads, degree, bits):
    weights = numbers(2 * width * width * (degree - 1) * layers, bits)
    network = Attention(*map(Integer, (layers, width, 1, heads, degree)), weights)
    return SeparationRank(network, "=", ONE), NetworkCertificate(7, (), (), (), ())


def at_points(expr, bits):
    side = tuple((F(value, 2**bits - 3),) for value in numbers(64, bits))
    return SeparationRank(Function(expr, *SIDES), ">=", ONE), SeparationCertificate(side, side)


def spectrum(size, bits):
    flat = iter(numbers(2 * size * size, bits))
    expr = sum(Rational(next(flat) | 1, next(flat) | 1) * x**p * y**q
               for p in range(size) for q in range(size))  # fmt: skip
    return EpsilonRank(Function(expr, *SIDES), "normal", ONE, ONE), Spectrum(4096)


def tower(height):
    """9**9**10 has 10**9 digits."""
    return Integer(9) ** (Integer(9) ** height)


def orbit(step, start):
    return Orbit(((x, step),), ((x, start),), rel(x, "<", -100))


def folded(depth):
    """Each half of the product is the whole of the one before."""
    expr = x
    for _ in range(depth):
        expr = (expr + 1) * (expr - 1) / 3
    return expr


def nested_sums(depth):
    expr = x
    for c in range(depth):
        expr = (expr - 2) * (x - c - 2) - 1
    return expr


def finishes(make, seconds, memory=4 << 30):
    """Run the check in a child with bounded time and memory; did it end by itself, in order?"""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            judged(make())
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize("name", BOMBS)
def test_kernel_ends_soon(name):
    assert finishes(BOMBS[name], seconds=3)
