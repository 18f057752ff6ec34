"""A file of claims as a user might write it: small, quick, one for each kind of evidence.

Where the environment variable LEMMATA_TEST_LOG names a file, each experiment leaves a line in
it, so that tests can count what was run.
"""

import os
from fractions import Fraction

from sympy import Integer, Rational, Symbol, log

from lemmata.symbolic.statements import Maximum, Rank, Relation, Trend, above, integers
from lemmata.verify.claim import Claim, Mutant
from lemmata.verify.kernel.evidence import (
    Counterexample,
    Enumeration,
    RankCertificate,
    Trajectory,
)

n, x, k, d = Symbol("n"), Symbol("x"), Symbol("k"), Symbol("d")
SMALL = ((n, integers(1, 20)),)


def leave_a_line(text):
    if path := os.environ.get("LEMMATA_TEST_LOG"):
        with open(path, "a") as log:
            log.write(f"{text}\n")


def enumerate_cases(statement, settings):
    leave_a_line("cases")
    return (Enumeration(20),)


def take_three(statement, settings):
    leave_a_line("peak")
    return (Counterexample(((d, Integer(3)),)),)


def halve(statement, settings):
    leave_a_line("halving")
    values = tuple((step, Fraction(1, 3) + Fraction(1, 2**step) / 8) for step in (1, 5, 10))
    rounded = tuple((step, Fraction(float(value))) for step, value in values)
    return (Trajectory("halving", (("from", Integer(1)),), Fraction(1, 2**50), rounded),)


def minor(statement, settings):
    leave_a_line("rank")
    combinations = ((Fraction(1),), (Fraction(2),))
    return (RankCertificate(101, (0,), (0,), combinations),)


def divide_by_zero(statement, settings):
    return 1 // 0


GROWTH = Claim(
    id="sample.growth",
    title="3^n is at least n^3 up to 20",
    statement=Relation(3**n, ">=", n**3, SMALL),
    source="by hand",
    hypotheses=("n is a whole number",),
    certificate=enumerate_cases,
    mutants=(
        Mutant("strict", Relation(3**n, ">", n**3, SMALL), "equal at n = 3"),
        Mutant("turned", Relation(3**n, "<=", n**3, SMALL), "false at n = 1"),
        Mutant("doubled", Relation(3**n, ">=", 2 * n**3, SMALL), "false at n = 2"),
    ),
)
PEAK = Claim(
    id="sample.peak",
    title="ln d / d peaks at 2",
    statement=Maximum(log(d) / d, d, above(0), Integer(2)),
    source="by hand",
    expected="refuted",
    experiment=take_three,
)
HALVING = Claim(
    id="sample.halving",
    title="A sequence tends to 1/3",
    statement=Trend("halving", (("from", Integer(1)),), Rational(1, 3), Rational(1, 2) ** k, k),
    source="by hand",
    expected="confirmed",
    experiment=halve,
)
RANK = Claim(
    id="sample.rank",
    title="A matrix of rank 1",
    statement=Rank(((Integer(1), Integer(2)), (Integer(2), Integer(4))), 1),
    source="by hand",
    expected="certified",
    certificate=minor,
)
BROKEN = Claim(
    id="sample.broken",
    title="A claim whose experiment fails",
    statement=Trend("nothing", (), Integer(0), Rational(1, 2) ** k, k),
    source="by hand",
    expected="inconclusive",
    experiment=divide_by_zero,
    uses=("sample.growth", "sample.rank"),
)

CLAIMS = (BROKEN, GROWTH, PEAK, HALVING, RANK)
