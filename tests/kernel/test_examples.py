"""One claim of each of the twelve kinds that the kernel must judge, beside a damaged variant."""

import math
from dataclasses import replace
from fractions import Fraction

from flint import ctx
from sympy import (
    IndexedBase,
    Integer,
    Mul,
    Rational,
    Sum,
    Symbol,
    erf,
    exp,
    oo,
    pi,
    sqrt,
    symbols,
)

from lemmata.numeric.acceptance import MeanTest, run_mean_test
from lemmata.numeric.sampling import numpy_generator
from lemmata.symbolic.degree import derive_integer_optimum, derive_optimum, network_polynomial
from lemmata.symbolic.degree.optimum import OPTIMUM
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Every,
    Infeasible,
    Limit,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Rank,
    Relation,
    Trend,
    integers,
    interval,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import (
    Counterexample,
    Enclosure,
    Enumeration,
    Instance,
    Multipliers,
    RankCertificate,
    SampleBatch,
    SequentialTest,
    Trajectory,
)
from lemmata.verify.kernel.facts import FACTS
from lemmata.verify.kernel.terms import enclose, hull

x, y, z, k, d, u, v, p, q = symbols("x y z k d u v p q")
ZERO, ONE = Integer(0), Integer(1)


def judge(statement, *evidence, lemmas=None):
    return check("example", statement, evidence, lemmas or {}).outcome


def rationals(*values):
    return tuple(map(Rational, values))


def fractions(*values):
    return tuple(map(Fraction, values))


def test_1_identity_for_all_reals():
    """attsvm.softmax-identity: S_1 = 1/(1 + exp(y - x) + exp(z - x))."""
    share = exp(x) / (exp(x) + exp(y) + exp(z))
    over = ((x, REALS), (y, REALS), (z, REALS))
    whole = sum(exp(a) / (exp(x) + exp(y) + exp(z)) for a in (x, y, z))
    true = (
        Relation(share, "=", 1 / (1 + exp(y - x) + exp(z - x)), over),
        Relation(whole, "=", ONE, over),
    )
    for statement in true:
        assert judge(statement, Derivation((Line(statement, "field"),))) == "proved"
    wrong = replace(true[0], rhs=1 / (1 + exp(x - y) + exp(z - x)))
    assert judge(wrong, Derivation((Line(wrong, "field"),))) == "inconclusive"
    point = Counterexample(((x, ZERO), (y, ONE), (z, ZERO)))
    assert judge(wrong, Derivation((Line(wrong, "field"),)), point) == "refuted"


def test_2_unique_maximum_on_an_interval():
    """degree.optimum: ln d/d has its only maximum at e."""
    derivation = derive_optimum()
    assert judge(OPTIMUM, derivation) == "proved"
    peak = replace(OPTIMUM.parts[0], at=Integer(3))
    wrong = Every((peak, *OPTIMUM.parts[1:]))
    assert judge(wrong, derivation) == "inconclusive"
    lines = tuple(
        replace(line, statement=wrong if line.statement == OPTIMUM else peak)
        if line.statement in (OPTIMUM, OPTIMUM.parts[0]) else line
        for line in derivation.lines
    )  # fmt: skip
    assert judge(wrong, Derivation(lines)) == "inconclusive"
    reason = check("example", wrong, (Derivation(lines),)).detail
    assert "it is not shown that the function is smaller" in reason
    assert judge(peak, Counterexample(((d, Rational(27, 10)),))) == "refuted"


def test_3_maximum_over_the_integers():
    """degree.integer-optimum rests on 2: ln 3/3 > ln 2/2 because 9 > 8."""
    derivation = derive_integer_optimum()
    statement = derivation.lines[-1].statement
    optimum = {"degree.optimum": (OPTIMUM, "proved")}
    assert judge(statement, derivation, lemmas=optimum) == "proved"
    assert judge(statement, derivation) == "inconclusive"
    assert judge(statement, derivation, lemmas={"degree.optimum": (OPTIMUM, "confirmed")}) == (
        "inconclusive"
    )
    wrong = replace(statement, at=Integer(2))
    lines = (*derivation.lines[:-1], replace(derivation.lines[-1], statement=wrong))
    assert judge(wrong, Derivation(lines), lemmas=optimum) == "inconclusive"
    assert judge(wrong, Counterexample(((d, Integer(3)),))) == "refuted"


def test_4_every_sequence():
    """attsvm.saturation-as-stated: S_1 -> 1 whenever |l| -> oo and l_1 > l_2; not on (k + 1, k)."""
    statement = Limit(
        1 / (1 + exp(y - x)), ONE, ((x**2 + y**2, oo),), ((x, REALS), (y, REALS)),
        (Relation(x, ">", y),),
    )  # fmt: skip
    assert judge(statement, Counterexample(((x, k + 1), (y, k)), k, ONE)) == "refuted"
    assert judge(statement, Counterexample(((x, 2 * k), (y, k)), k, ONE)) == "inconclusive"
    assert judge(statement, Counterexample(((x, k), (y, k + 1)), k, ONE)) == "inconclusive"
    saturated = replace(statement, tends=((x - y, oo),))
    assert judge(saturated, Counterexample(((x, k + 1), (y, k)), k, ONE)) == "inconclusive"


# Tokens (-3, 1), (1, 0), (0, 0), query (1, 0), best token the first: atoms dx z^T, row by row.
ATOMS = (rationals(-4, 0, 1, 0), rationals(-3, 0, 1, 0))


def test_5_minimiser_of_a_convex_quadratic():
    """attsvm.max-margin on the example LOC: W = (-3/10, 1/10) z^T, supported by one atom."""
    statement = Minimiser(ATOMS, rationals(1, 1), rationals("-3/10", 0, "1/10", 0))
    assert judge(statement, Multipliers(fractions(0, "1/10"))) == "certified"
    assert judge(statement, Multipliers(fractions("1/10", 0))) == "inconclusive"
    longer = replace(statement, point=rationals(-1, 0, 0, 0))
    assert judge(longer, Multipliers(fractions(0, "1/10"))) == "inconclusive"
    names = symbols("w:4")
    shortest = Counterexample(tuple(zip(names, statement.point, strict=True)))
    assert judge(longer, shortest) == "refuted"
    assert judge(statement, shortest) == "inconclusive"


def test_6_a_system_without_solution():
    """attsvm.infeasible: two atoms and the negative of their sum cannot all have margin 1."""
    opposed = (*ATOMS, rationals(7, 0, -2, 0))
    statement = Infeasible(opposed, rationals(1, 1, 1))
    assert judge(statement, Multipliers(fractions(1, 1, 1))) == "certified"
    assert judge(statement, Multipliers(fractions(1, 1, "1/2"))) == "inconclusive"
    feasible = Infeasible(ATOMS, rationals(1, 1))
    assert judge(feasible, Multipliers(fractions(1, 1))) == "inconclusive"
    names = symbols("w:4")
    margin = tuple(zip(names, rationals("-3/10", 0, "1/10", 0), strict=True))
    assert judge(feasible, Counterexample(margin)) == "refuted"


def test_7_rank_of_an_evaluation_matrix():
    """separation: (x + 2y)(3x - y) on a grid has the rank 3 of x^2, xy, y^2."""
    network = (((((1, 2),), ((3, -1),))),)
    output = network_polynomial(network, (x, y))
    matrix = tuple(tuple(Integer(output.subs({x: a, y: b})) for b in range(4)) for a in range(4))
    # A quadratic in x: the value at 3 is that at 0, 1, 2 with the weights 1, -3, 3.
    identity = (fractions(1, 0, 0), fractions(0, 1, 0), fractions(0, 0, 1))
    certificate = RankCertificate(101, (0, 1, 2), (0, 1, 2), (*identity, fractions(1, -3, 3)))
    assert judge(Rank(matrix, 3), certificate) == "certified"
    assert judge(Rank(matrix, 4), certificate) == "refuted"
    assert judge(Rank(matrix, 2), certificate) == "refuted"
    damaged = replace(certificate, combinations=(*identity, fractions(1, -3, 4)))
    assert judge(Rank(matrix, 3), damaged) == "inconclusive"
    assert judge(Rank(matrix, 3), replace(certificate, prime=5)) == "inconclusive"


N, mu, c = symbols("N mu c")
XI, ETA = IndexedBase("x"), IndexedBase("y")
SIZES = ((N, integers(2)), (d, integers(2)))
CROSSTALK = Sum(XI[0] * XI[c] * ETA[mu, 0] * ETA[mu, c], (c, 1, d - 1), (mu, 1, N - 1))
SIGNS = ((XI, "sign"), (ETA, "sign"))


def bit_error(total=CROSSTALK, op="<", below=1 - d, count=(N - 1) * (d - 1), laws=SIGNS):
    """P(crosstalk < -(d - 1)) in closed form, and its derivation from the two facts."""
    fact = replace(FACTS["sum of signs"].instance(count, below), over=SIZES)
    event = Relation(total - below, op, ZERO)
    statement = Mean(event, laws, fact.value, over=SIZES)
    args = (("name", "sum of signs"), ("count", count), ("below", below))
    lines = Line(fact, "fact", (), args), Line(statement, "relabel", (1,), (("sum", total),))
    return statement, Derivation(lines)


def small(*sizes):
    """All signs of N patterns of size d, one choice after the other; x[0], y[mu, 0] included."""
    return tuple(
        Instance(((N, Integer(a)), (d, Integer(b))), Enumeration(2 ** (a * b))) for a, b in sizes
    )


def test_8_probability_in_closed_form():
    """hopfield.bit-error-exact: P(crosstalk < -(d - 1)) = P(Bin(k, 1/2) < (k - d + 1)/2)."""
    statement, derivation = bit_error()
    verdict = check("example", statement, (derivation,))
    assert (verdict.outcome, verdict.facts) == ("proved", ("sum of signs", "fair signs"))
    sizes = ((2, 2), (2, 3), (3, 3), (4, 2))
    verdict = check("example", statement, small(*sizes))
    assert [finding.outcome for finding in verdict.findings] == ["confirmed"] * 4
    assert judge(statement, derivation, *small((2, 4))) == "proved"
    assert judge(statement, Enumeration(2**4)) == "inconclusive"
    assert judge(statement, *small((1, 2))) == "inconclusive"
    wrong = replace(small((2, 2))[0], evidence=Enumeration(2**4 - 1))
    assert judge(statement, wrong) == "inconclusive"


def test_8_a_tie_counts_or_not():
    ties, derivation = bit_error(op="<=")
    assert judge(ties, derivation) == "inconclusive"
    assert judge(ties, derivation, *small((2, 2))) == "refuted"
    statement, _ = bit_error()
    more = replace(statement, value=statement.value + 2 ** (-(N - 1) * (d - 1)))
    assert judge(more, bit_error()[1], *small((3, 3))) == "refuted"


def test_8_each_term_needs_a_sign_of_its_own():
    """Not x_0 x_c y_0 y_0 = x_0 x_c, the same for all mu; nor a term that meets its own sign."""
    for term in (
        XI[0] * XI[c] * ETA[mu, 0],
        Mul(XI[0], XI[c], ETA[mu, 0], ETA[mu, 0], evaluate=False),
        Mul(XI[0], *[ETA[mu, c]] * 2, evaluate=False),
        Mul(XI[0], ETA[mu, c], ETA[mu, c], evaluate=False),
        XI[0] * ETA[mu, c] * ETA[mu, 1],
        XI[0] * ETA[mu, c] * ETA[c, mu],
        XI[0] * ETA[mu, c] * ETA[mu, c + 1],
    ):
        total = Sum(term, (c, 1, d - 1), (mu, 1, N - 1))
        statement, derivation = bit_error(total)
        verdict = check("example", statement, (derivation,))
        assert verdict.outcome == "inconclusive"
        assert "belong to its term alone" in verdict.detail
    shared, derivation = bit_error(Sum(XI[0] * XI[c] * ETA[mu, 0], (c, 1, d - 1), (mu, 1, N - 1)))
    assert judge(shared, derivation, *small((3, 3))) == "refuted"


def test_8_signs_one_by_one():
    """Without sequences and parameters: all signs of the sum, by name."""
    for size, patterns in ((3, 2), (3, 3), (3, 4), (5, 2)):
        count = (patterns - 1) * (size - 1)
        signs = symbols(f"s:{count}")
        low = [b for b in range(count + 1) if 2 * b < count - size + 1]
        closed = Rational(sum(math.comb(count, b) for b in low), 2**count)
        event = Relation(sum(signs), "<", Integer(1 - size))
        statement = Mean(event, tuple((s, "sign") for s in signs), closed)
        assert judge(statement, Enumeration(2**count)) == "certified"
        ties = replace(statement, quantity=replace(event, op="<="))
        assert judge(ties, Enumeration(2**count)) == "refuted"
        assert judge(statement, Enumeration(2**count - 1)) == "inconclusive"


AGS = (erf(y) / y - 2 / sqrt(pi) * exp(-(y**2))) ** 2 / 2


def cover(function, low, high, most, precision=64):
    """Boxes, halved until ball arithmetic sees that the function stays below `most`."""
    with ctx.workprec(precision):
        if enclose(function, {y: hull(low, high)}) <= enclose(most, {}):
            return ((((low, high)),),)
    middle = (low + high) / 2
    return (*cover(function, low, middle, most), *cover(function, middle, high, most))


def test_9_value_of_a_maximum():
    """hopfield.ags: the maximum of (erf(y)/y - 2 exp(-y^2)/sqrt(pi))^2/2 is 0.138."""
    statement = MaximumValue(AGS, y, interval(1, 3, "[]"), Rational(137, 1000), Rational(142, 1000))
    boxes = cover(AGS, Fraction(1), Fraction(3), statement.high)
    evidence = Enclosure((y,), boxes, 64, witness=Fraction(3, 2))
    assert len(boxes) < 200
    assert judge(statement, evidence) == "certified"
    assert judge(replace(statement, high=Rational(137, 1000)), evidence) == "inconclusive"
    assert judge(replace(statement, low=Rational(139, 1000)), evidence) == "inconclusive"
    assert judge(statement, replace(evidence, boxes=boxes[1:])) == "inconclusive"
    lower = replace(statement, low=Rational(1, 10), high=Rational(137, 1000))
    assert judge(lower, Counterexample(((y, Rational(3, 2)),))) == "refuted"


def squares(seed, index, count):
    return numpy_generator(seed, index).standard_normal(count) ** 2


def simulated(statement, seed=5):
    """A sequential test of the statement's value, as the kernel wants to see it."""
    numbers = (statement.value, statement.resolution, statement.variance)
    test = MeanTest(*(Fraction(int(n.p), int(n.q)) for n in numbers), Fraction(1, 10**6))
    record = run_mean_test(squares, test, seed=seed, batch_size=64, max_batches=200)
    batches = tuple(
        SampleBatch(b.index, b.count, tuple(map(Fraction, b.sums))) for b in record.batches
    )
    return record.outcome, SequentialTest(
        "squares",
        (),
        test.value,
        test.tolerance,
        test.alpha,
        test.lam,
        record.seed,
        record.batch_size,
        batches,
    )


def test_10_mean_in_closed_form():
    """icl.test-error, in small: E u^2 = 1 by Isserlis, and by a sequential test."""
    statement = Mean(u**2, ((u, "normal"),), ONE, "squares", (), Integer(2), Rational(1, 2))
    derivation = Derivation((Line(statement, "isserlis"),))
    outcome, evidence = simulated(statement)
    assert outcome == "confirmed"
    assert judge(statement, derivation) == "proved"
    assert judge(statement, evidence) == "confirmed"
    assert judge(statement, evidence, derivation) == "proved"
    wrong = replace(statement, value=Integer(2))
    assert judge(wrong, derivation) == "inconclusive"
    outcome, evidence = simulated(wrong)
    assert outcome == "refuted"
    assert judge(wrong, evidence) == "refuted"
    half = replace(evidence, batches=evidence.batches[1:])
    assert judge(wrong, half) == "inconclusive"
    assert judge(wrong, replace(evidence, scale=2 * evidence.scale)) == "inconclusive"


def test_10_higher_moments():
    """Step 2 of the chain: E[(a u)^2 (u^2 + v^2)^2], 15 pairings."""
    statement = Mean((2 * u) ** 2 * (u**2 + v**2) ** 2, ((u, "normal"), (v, "normal")), Integer(96))
    assert judge(statement, Derivation((Line(statement, "isserlis"),))) == "proved"
    fewer = replace(statement, value=Integer(88))
    assert judge(fewer, Derivation((Line(fewer, "isserlis"),))) == "inconclusive"


def test_11_every_local_minimum_is_global():
    """icl.dense-init-as-stated: a rational local minimum above another value refutes it."""
    loss = 3 * p**4 - 4 * p**3 - 12 * p**2 + 2 * p**2 * q**2 + 30 * q**2
    statement = NoSpuriousMinimum(loss, (p, q))
    local, lower = ((p, -ONE), (q, ZERO)), ((p, Integer(2)), (q, ZERO))
    assert judge(statement, Counterexample(local, other=lower)) == "refuted"
    assert judge(statement, Counterexample(lower, other=local)) == "inconclusive"
    saddle = ((p, ZERO), (q, ZERO))
    assert judge(statement, Counterexample(saddle, other=lower)) == "inconclusive"
    moved = ((p, Rational(-9, 10)), (q, ZERO))
    assert judge(statement, Counterexample(moved, other=lower)) == "inconclusive"


def test_12_limit_of_a_trajectory():
    """attsvm.residual-law, in small: k log(1 + 1/k) as recorded stays within 1/k of its limit."""
    index = Symbol("k")
    statement = Trend("residual", (), ONE, 1 / index, index)
    ticks = [2**j for j in range(1, 12)]
    values = tuple((n, Fraction(n * math.log1p(1 / n))) for n in ticks)
    evidence = Trajectory("residual", (), Fraction(1, 10**12), values)
    assert judge(statement, evidence) == "confirmed"
    assert judge(replace(statement, value=Rational(9, 10)), evidence) == "refuted"
    assert judge(replace(statement, budget=1 / index**2), evidence) == "refuted"
    assert judge(statement, replace(evidence, values=values[:2])) == "inconclusive"
    assert judge(statement, replace(evidence, values=values[::-1])) == "inconclusive"
    assert judge(statement, replace(evidence, observable="loss")) == "inconclusive"
