"""Inferences the kernel must refuse, and a few it must accept: `NEGATIVES` and `POSITIVES`.

A case is (name, statement, evidence). A negative is false, or true but not shown by what is
brought: it must earn neither proved nor certified nor confirmed. Names begin with the rule or
the kind of evidence at fault, so that a test can see that none is left out. Loaded by path, also
by a process under `python -O`; no `assert` here. Derivations stand in `negative_steps.py`.
"""

import runpy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from sympy import Integer, Rational, symbols

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Attention,
    EpsilonRank,
    Every,
    Function,
    Infeasible,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Orbit,
    PolynomialDegree,
    Rank,
    SeparationRank,
    Trend,
    above,
    integers,
    interval,
)
from lemmata.verify.kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    Instance,
    Multipliers,
    NetworkCertificate,
    Part,
    RankCertificate,
    SampleBatch,
    SeparationCertificate,
    SequentialTest,
    Spectrum,
    Trajectory,
    Trap,
)

SUPPORT = ("proved", "certified", "confirmed")

steps = runpy.run_path(str(Path(__file__).with_name("negative_steps.py")))
rel, TRUE, FALSE, PEAK = (steps[name] for name in ("rel", "TRUE", "FALSE", "PEAK"))
kept = {name: evidence[0] for name, _, evidence in steps["POSITIVES"] if "invariant" in name}
HALVED, IN_THE_END = kept["invariant: halving"], kept["invariant: in the end"]
n, x, y = symbols("n x y")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
HALF = Rational(1, 2)
REAL, POSITIVE, WHOLE = ((x, REALS),), ((x, above(0)),), ((n, integers(0)),)


def graded(statement):
    return statement, (Derivation((Line(statement, "graded"),)),)


def boxes(*sides, **options):
    """An enclosure of x by intervals with these ends."""
    pairs = tuple(((Fraction(a), Fraction(b)),) for a, b in sides)
    return Enclosure((x,), pairs, **options)


def fractions(*values):
    return tuple(map(Fraction, values))


SQUARE = NoSpuriousMinimum(x**2, (x,))
NEAREST = Minimiser(((ONE, ZERO),), (ONE,), (ONE, ZERO))
MATRIX = ((ONE, TWO), (TWO, Integer(4)))
FAIR = Mean(x, ((x, "sign"),), ZERO, "coin", (), ONE, HALF)
HALVING = Trend("halving", (), ZERO, 1 / n, n)
SUMS = (fractions(8, 8, 0, 0), fractions(8, 8, 0, 0))


def sampled(observable="coin", scale="1/2", alpha="1/100", size=32, sums=SUMS, first=0):
    batches = tuple(SampleBatch(first + k, 32, four) for k, four in enumerate(sums))
    return SequentialTest(
        observable, (), Fraction(0), Fraction(0), Fraction(alpha), Fraction(scale), 0, size, batches
    )


def recorded(*values, observable="halving", rounding=0):
    pairs = tuple((index, Fraction(value)) for index, value in values)
    return Trajectory(observable, (), Fraction(rounding), pairs)


def orbit(step, start, holds):
    return Orbit(((x, step),), ((x, start),), holds)


HALVING_ORBIT = orbit(x / 2, ONE, rel(x, ">", 0))
EXHIBITS = (
    ("Counterexample: none", rel(x**2, ">=", 0, REAL), (Counterexample(((x, ZERO),)),)),
    ("Counterexample: of no support", FALSE, (Counterexample(()),)),
    ("Counterexample: outside", rel(x, ">", 0, POSITIVE), (Counterexample(((x, -ONE),)),)),
    ("Counterexample: a minimum", SQUARE, (Counterexample(((x, ONE),), other=((x, ZERO),)),)),
    ("Enclosure: fails", rel(x, "<", 1, ((x, interval(0, 2)),)), (boxes((0, 2)),)),
    ("Enclosure: a gap", rel(x, ">", -1, ((x, interval(0, 3)),)), (boxes((0, 1), (2, 3)),)),
    ("Enclosure: elsewhere", rel(x, "<", 1, ((x, interval(5, 10)),)), (boxes((0, HALF)),)),
    (
        "Enclosure: elsewhere, where the domain depends on another variable",
        rel(y, "<", 1, ((x, interval(5, 10)), (y, interval(x, 20)))),
        (Enclosure((x, y), ((fractions(6, 7), fractions(0, HALF)),)),),
    ),
    ("Enclosure: an equation", rel(x, "=", x, ((x, interval(0, 1)),)), (boxes((0, 1)),)),
    (
        "Enclosure: flat boxes",
        rel(y * (5 - y), "<=", 0, ((x, interval(0, 0, "[]")), (y, interval(0, 5, "[]")))),
        (Enclosure((x, y), tuple((fractions(0, 0), fractions(b, b)) for b in (0, 5))),),
    ),
    (
        "Enclosure: a maximum outside",
        Maximum(PEAK, x, interval(0, 2), THREE),
        (boxes((0, 2), around=fractions(2, 4)),),
    ),
    (
        "Enclosure: a witness too low",
        MaximumValue(x, x, interval(0, 1), TWO, THREE),
        (boxes((0, 1), witness=Fraction(1, 2)),),
    ),
    (
        "Enclosure: a part of the domain",
        MaximumValue(x, x, interval(0, 9), ZERO, TWO),
        (boxes((0, 1), witness=Fraction(1, 2)),),
    ),
    ("Enumeration: fails", rel(n, "<", 3, ((n, integers(0, 3)),)), (Enumeration(4),)),
    ("Enumeration: no cases", rel(n, "<", 0, WHOLE), (Enumeration(0),)),
    ("Enumeration: miscounted", rel(n, "<", 9, ((n, integers(0, 3)),)), (Enumeration(3),)),
    ("Enumeration: a mean", Mean(x * y, ((x, "sign"), (y, "sign")), ONE), (Enumeration(4),)),
    (
        "Enumeration: a maximum that ties",
        Maximum(-((n - HALF) ** 2), n, integers(0, 3), ZERO),
        (Enumeration(4),),
    ),
    (
        "Multipliers: negative",
        Infeasible(((ONE,), (ONE,)), (ONE, ZERO)),
        (Multipliers(fractions(1, -1)),),
    ),
    (
        "Multipliers: feasible",
        Infeasible(((ONE,), (-ONE,)), (ZERO, ZERO)),
        (Multipliers(fractions(1, 1)),),
    ),
    ("Multipliers: not stationary", NEAREST, (Multipliers(fractions(2)),)),
    (
        "Multipliers: no complement",
        Minimiser(((ONE,),), (ONE,), (TWO,)),
        (Multipliers(fractions(2)),),
    ),
    (
        "RankCertificate: no prime",
        Rank(MATRIX, 1),
        (RankCertificate(4, (0,), (0,), (fractions(1), fractions(2))),),
    ),
    (
        "RankCertificate: no combination",
        Rank(((ONE, TWO), (TWO, THREE)), 1),
        (RankCertificate(101, (0,), (0,), (fractions(1), fractions(2))),),
    ),
    (
        "RankCertificate: the minor vanishes",
        Rank(MATRIX, 2),
        (RankCertificate(101, (0, 1), (0, 1), (fractions(1, 0), fractions(0, 1))),),
    ),
    (
        "RankCertificate: ragged",
        Rank(((ONE, TWO), (ONE,)), 1),
        (RankCertificate(101, (0,), (0,), (fractions(1), fractions(1))),),
    ),
    (
        "DegreeCertificate: another degree",
        PolynomialDegree(x * y, (x, y), THREE),
        (DegreeCertificate(101, (0, 0), (1, 1)),),
    ),
    (
        "DegreeCertificate: a poor line",
        PolynomialDegree(x * y, (x, y), ONE),
        (DegreeCertificate(101, (0, 1), (1, 0)),),
    ),
    (
        "DegreeCertificate: no prime",
        PolynomialDegree(x * y, (x, y), TWO),
        (DegreeCertificate(100, (0, 0), (1, 1)),),
    ),
    ("SequentialTest: another quantity", FAIR, (sampled("dice"),)),
    ("SequentialTest: another scale", FAIR, (sampled(scale="1"),)),
    ("SequentialTest: alpha too large", FAIR, (sampled(alpha="1/2"),)),
    ("SequentialTest: too few", FAIR, (sampled(sums=()),)),
    ("SequentialTest: one side only", FAIR, (sampled(sums=(fractions(9, 0, 0, 0),)),)),
    ("SequentialTest: differs", FAIR, (sampled(sums=(fractions(9, 0, 9, 0),)),)),
    ("SequentialTest: a batch is missing", FAIR, (sampled(first=1),)),
    ("SequentialTest: of a relation", TRUE, (sampled(),)),
    ("Trajectory: outside", HALVING, (recorded((1, 0), (2, 1), (4, 0)),)),
    ("Trajectory: too short", HALVING, (recorded((1, 0), (4, 0)),)),
    ("Trajectory: another quantity", HALVING, (recorded((1, 0), (2, 0), (4, 0), observable="x"),)),
    ("Trajectory: rough", HALVING, (recorded((1, 0), (2, 0), (4, 0), rounding=1),)),
    ("Part: one of two", Every((TRUE, FALSE)), (Part(0, Enumeration(1)),)),
    ("Part: none such", Every((TRUE,)), (Part(1, Enumeration(1)), Part(-1, Enumeration(1)))),
    ("Part: of no conjunction", TRUE, (Part(0, Enumeration(1)),)),
    ("Part: of a part", Every((Every((TRUE, FALSE)),)), (Part(0, Part(0, Enumeration(1))),)),
    ("Instance: outside", rel(x, "<", 0, POSITIVE), (Instance(((x, -ONE),), Enumeration(1)),)),
    ("Instance: fails", rel(x, "<", 1, POSITIVE), (Instance(((x, TWO),), Enumeration(1)),)),
    (
        "Instance: against a hypothesis",
        rel(x, "<", 0, REAL, (rel(x, ">", 0),)),
        (Instance(((x, -ONE),), Enumeration(1)),),
    ),
    ("Instance: an orbit", HALVING_ORBIT, (Instance((), HALVED),)),
    (
        "Instance: a mean outside",
        Mean(n * x, ((x, "sign"),), ZERO, over=((n, integers(1)),)),
        (Instance(((n, ZERO),), Enumeration(2)),),
    ),
    (
        "Enumeration: a mean with parameters",
        Mean(n * x, ((x, "sign"),), ZERO, over=((n, integers(1)),)),
        (Enumeration(2),),
    ),
    ("Counterexample: an iterate", HALVING_ORBIT, (Counterexample((), start=TWO),)),
    ("Trap: of what holds", HALVING_ORBIT, (Trap(HALVED),)),
    ("Trap: of another orbit", orbit(x / 3, ONE, rel(x, "<=", 0)), (Trap(HALVED),)),
    ("Trap: a weaker opposite", orbit(x / 2, ONE, rel(x, "<", 0)), (Trap(HALVED),)),
    ("Trap: no support for itself", orbit(x + 1, -TWO, rel(x, ">", 0)), (Trap(IN_THE_END),)),
    ("Trap: of no orbit", TRUE, (Trap(HALVED),)),
    ("not evidence", TRUE, (TRUE,)),
)

MIXED = Function(x * y + 1, ((x, interval(-1, 1, "[]")),), ((y, interval(-1, 1, "[]")),))
CORNERS = (fractions(0), fractions(1))
ONE_LAYER = Attention(ONE, ONE, ONE)  # x * (x^2 + y^2)
TWO_POINTS = NetworkCertificate(101, (1, 1, 1, 1), ((1,),), ((1,),), (1, 1))


def mixed(op, value):
    return SeparationRank(MIXED, op, Integer(value))


def one_layer(op, value):
    return SeparationRank(ONE_LAYER, op, Integer(value))


def approximated(value, law="uniform"):
    return EpsilonRank(MIXED, law, Rational(1, 9), Integer(value))


SEPARATION = (
    ("SeparationCertificate: three", mixed(">=", 3), (SeparationCertificate(CORNERS, CORNERS),)),
    (
        "SeparationCertificate: equal rows",
        mixed(">=", 2),
        (SeparationCertificate(CORNERS[:1] * 2, CORNERS),),
    ),
    (
        "SeparationCertificate: another function",
        mixed("<=", 1),
        (SeparationCertificate((), (), ((x, y),)),),
    ),
    (
        "SeparationCertificate: both sides in one factor",
        mixed("<=", 1),
        (SeparationCertificate((), (), ((x * y + 1, ONE),)),),
    ),
    ("NetworkCertificate: three", one_layer(">=", 3), (TWO_POINTS,)),
    ("NetworkCertificate: one", one_layer("<=", 1), (TWO_POINTS,)),
    ("NetworkCertificate: no prime", one_layer("=", 2), (replace(TWO_POINTS, prime=99),)),
    ("Spectrum: another value", approximated(2), (Spectrum(),)),
    ("Spectrum: no normal law on an interval", approximated(1, "normal"), (Spectrum(),)),
    ("graded: one", *graded(one_layer("<=", 1))),
    ("graded: from below", *graded(one_layer(">=", 2))),
    ("graded: a function", *graded(mixed("<=", 2))),
)

NEGATIVES = steps["NEGATIVES"] + EXHIBITS + SEPARATION

POSITIVES = (
    *steps["POSITIVES"],
    ("Enclosure", rel(x, "<", 3, ((x, interval(0, 2)),)), (boxes((0, 1), (1, 2)),)),
    ("Enumeration", rel(n, "<", 9, ((n, integers(0, 3)),)), (Enumeration(4),)),
    ("Multipliers", NEAREST, (Multipliers(fractions(1)),)),
    (
        "RankCertificate",
        Rank(MATRIX, 1),
        (RankCertificate(101, (0,), (0,), (fractions(1), fractions(2))),),
    ),
    (
        "DegreeCertificate",
        PolynomialDegree(x * y, (x, y), TWO),
        (DegreeCertificate(101, (0, 0), (1, 1)),),
    ),
    (
        "SeparationCertificate",
        mixed("=", 2),
        (SeparationCertificate(CORNERS, CORNERS, ((x, y), (ONE, ONE))),),
    ),
    ("NetworkCertificate", one_layer("=", 2), (TWO_POINTS,)),
    ("Spectrum", approximated(1), (Spectrum(),)),
    ("graded", *graded(one_layer("<=", 2))),
    ("SequentialTest", FAIR, (sampled(),)),
    ("Trajectory", HALVING, (recorded((1, 0), (2, 0), (4, 0)),)),
    ("Part", Every((TRUE, TRUE)), (Part(0, Enumeration(1)), Part(1, Enumeration(1)))),
    ("Instance", rel(x, "<", x + 1, REAL), (Instance(((x, ONE),), Enumeration(1)),)),
)
