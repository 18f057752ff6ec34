"""The second opinion on separation ranks: honest records agree, forged ones are reported."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import prod

import pytest
from sympy import Abs, Integer, Rational, S, Sum, Symbol, exp, sin, sqrt

from lemmata.numeric.separation import attention_rank, hadamard_rank
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Attention,
    EpsilonRank,
    Function,
    Hadamard,
    Mean,
    Relation,
    SeparationRank,
    above,
    integers,
    interval,
)
from lemmata.verify import second_opinion as so
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import (
    Enumeration,
    Instance,
    NetworkCertificate,
    SeparationCertificate,
    Spectrum,
)
from lemmata.verify.record import encode
from lemmata.verify.worker import verdict_data

x, y, a, b = (Symbol(name) for name in "xyab")
PRIME = 1_000_003
FORGED = {"outcome": "certified", "facts": [], "uses": [], "detail": ""}


def opinion(statement, evidence, outcome):
    """On a record that says so, whatever the kernel says."""
    finding = {"evidence": type(evidence).__name__, "outcome": outcome, "detail": "", "facts": []}
    verdict = {**FORGED, "outcome": outcome, "findings": [finding]}
    entry = {"statement": encode(statement), "evidence": [encode(evidence)], "verdict": verdict}
    return so.second(json.loads(json.dumps(entry)), {}, Fraction(1, 100))


def honest(statement, evidence):
    """The kernel's outcome, and the word on its record."""
    verdict = verdict_data(check("a.claim", statement, (evidence,)))
    entry = {"statement": encode(statement), "evidence": [encode(evidence)], "verdict": verdict}
    word, _ = so.second(json.loads(json.dumps(entry)), {}, Fraction(1, 100))
    return verdict["outcome"], word


def one(expression, left=REALS, right=REALS):
    return Function(expression, ((x, left),), ((y, right),))


def points(*values):
    return tuple((Fraction(value),) for value in values)


def values(left, right=None, factors=None):
    return SeparationCertificate(points(*left), points(*(right or left)), factors)


def rank(function, op, value, *scope):
    return SeparationRank(function, op, Integer(value), *scope)


TWO = one(x**2 * y + x * y**2)
PAIRS = ((x**2, y), (x, y**2))
BITS = one(x**2 * y + x * y**2, integers(0, 1), integers(0, 1))
POWER = one(Abs(x + y) ** Rational(5, 2))
WAVES = one(exp(x + y) + x / y, right=interval(1, 2, "[]"))
SCALED = one(a * x * y + b * x**2 * y**2)
SCOPE = ((a, REALS), (b, above(0))), (Relation(a, "!=", S.Zero),)
SCALES = ((a * x, y), (b * x**2, y**2))
AT = ((a, Integer(1)), (b, Integer(2)))
SHIFTED = [Fraction(1 - 3 * k, 3) for k in range(6)]

# statement, evidence, what the kernel finds
HONEST = [
    (rank(TWO, "=", 2), values([1, 2], None, PAIRS), "certified"),
    (rank(TWO, "=", 1), values([1, 2], None, PAIRS), "refuted"),
    (rank(TWO, ">=", 3), values([1, 2], None, PAIRS), "refuted"),
    (rank(TWO, "<", 2), values([1, 2]), "refuted"),
    (rank(BITS, "=", 1), values([1], None, ((2 * x, y),)), "certified"),
    (rank(one(S.Zero), "=", 0), values([], None, ()), "certified"),
    (rank(POWER, ">=", 6), values(range(6), SHIFTED), "certified"),
    (rank(WAVES, "=", 2), values([1, 2], None, ((exp(x), exp(y)), (x, 1 / y))), "certified"),
    (rank(SCALED, "=", 2, *SCOPE), values([1, 2], None, SCALES), "certified"),
    (rank(SCALED, ">=", 2, *SCOPE), Instance(AT, values([1, 2])), "confirmed"),
    (rank(SCALED, "<", 2, *SCOPE), Instance(AT, values([1, 2])), "refuted"),
    (EpsilonRank(one(x * y + 1, *[interval(-1, 1, "[]")] * 2), "uniform", Rational(1, 9), S.One),
     Spectrum(), "certified"),
    (EpsilonRank(one(x * y + 1, *[interval(-1, 1, "[]")] * 2), "uniform", Rational(1, 10), S.One),
     Spectrum(), "refuted"),
    (EpsilonRank(one(x * y + 1, *[interval(-1, 1, "[]")] * 2), "uniform", S.Zero, Integer(3)),
     Spectrum(), "refuted"),
    (EpsilonRank(one((x + y) ** 3), "normal", Integer(9), Integer(2)), Spectrum(), "certified"),
    (EpsilonRank(one((x + y) ** 3), "normal", S.Zero, Integer(4)), Spectrum(), "certified"),
    (EpsilonRank(one(x + y**2, integers(0, 3), integers(-1, 1)), "uniform", Rational(2, 9),
                 Integer(1)), Spectrum(), "certified"),
    (Mean(x * x, ((x, "1..6"),), Rational(91, 6)), Enumeration(6), "certified"),
    (Mean(Relation(x * y, "<", Integer(2)), ((x, "sign"), (y, "0..3")), Rational(3, 4)),
     Enumeration(8), "certified"),
    (Mean(x, ((x, "1..6"),), Integer(3)), Enumeration(6), "refuted"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "evidence", "outcome"), HONEST)
def test_honest_evidence_finds_agreement(statement, evidence, outcome):
    assert honest(statement, evidence) == (outcome, "agrees")


# statement, forged evidence, a part of the reason; recorded as certified
FORGERIES = [
    (rank(TWO, "=", 2), values([1, 1], None, PAIRS), "independent"),
    (rank(TWO, "=", 2), values([1, 2], [1], PAIRS), "square"),
    (rank(TWO, "=", 2), values([1, 2], None, (*PAIRS, (x, y))), "add up"),
    (rank(TWO, "=", 2), values([1, 2], None, ((x**2, y), (x, y**2 + y))), "add up"),
    (rank(TWO, "=", 2), values([1, 2], None, ((x**2, y), (x * y, y))), "its side"),
    (rank(TWO, "=", 3), values([1, 2], None, PAIRS), "[2, 2]"),
    (rank(BITS, "=", 1), values([2], None, ((2 * x, y),)), "in its domain"),
    (rank(BITS, "=", 1), values([1], None, ((x, y),)), "add up"),
    (rank(POWER, ">=", 7), values(range(6), SHIFTED), "decided"),
    (rank(POWER, "<=", 1), values([1], None, ((Abs(x) ** Rational(5, 2), S.One),)), "add up"),
    (rank(SCALED, "=", 2, (*SCOPE[0],)), values([1, 2], None, SCALES), "independent"),
    (rank(SCALED, "=", 2, *SCOPE), values([1, 2], None, ((a * x, y), (x**2, y**2))), "add up"),
    (rank(SCALED, "=", 2, *SCOPE), values([1], None, SCALES), "independent"),
    (rank(SCALED, "=", 3, *SCOPE), values([1, 2], None, SCALES), "decided"),
    (rank(one(x * y + 1), ">=", 2), Spectrum(), "epsilon-rank"),
    (EpsilonRank(one(x * y), "normal", S.Zero, Integer(2)), Spectrum(), "Spectrum"),
    (EpsilonRank(one(x * y), "uniform", S.Zero, Integer(1)), Spectrum(), "bounded"),
    (EpsilonRank(one(x * y), "normal", Integer(-1), Integer(1)), Spectrum(), "negative"),
    (EpsilonRank(one(x * y), "normal", S.Zero, Integer(1)), values([1]), "of a function"),
    (Mean(x * x, ((x, "1..6"),), Rational(91, 6)), Enumeration(36), "number of cases"),
    (Mean(x * x, ((x, "6..1"),), Integer(1)), Enumeration(6), "finitely many"),
    (Mean(x * x, ((x, "0..99999"),), Integer(1)), Enumeration(6), "too many"),
]


@pytest.mark.parametrize(("statement", "evidence", "reason"), FORGERIES)
def test_forged_evidence_is_reported(statement, evidence, reason):
    word, why = opinion(statement, evidence, "certified")
    assert word == "disagrees"
    assert why.startswith("evidence[0] is recorded as certified; ")
    assert reason in why
    assert check("a.claim", statement, (evidence,)).outcome != "certified"


# true or not, beyond what this file tells
OPEN = [
    (rank(one(sin(x + y)), ">=", 2), values([1, 2])),
    (rank(one(2 ** (x + y)), "=", 1), values([1], None, ((2**x, 2**y),))),
    (rank(one(sqrt(x * y), above(0), above(0)), ">=", 1), values([1])),
    (EpsilonRank(one(exp(x) * y), "normal", S.One, S.One), Spectrum()),
    (EpsilonRank(one((1 + x + y) ** 20), "normal", S.One, S.One), Spectrum()),
]


@pytest.mark.parametrize(("statement", "evidence"), OPEN)
def test_what_cannot_be_told_is_left_open(statement, evidence):
    assert opinion(statement, evidence, "certified")[0] == "no opinion"


NETWORKS = [
    Attention(*map(Integer, sizes))
    for sizes in ((1, 2, 1, 1, 3), (2, 2, 2, 1, 3), (2, 3, 2, 1, 3), (1, 2, 2, 1, 5))
] + [Hadamard(*map(Integer, sizes)) for sizes in ((2, 2, 3, 2), (5, 2, 2, 2), (2, 2, 3, 1))]


@lru_cache
def certified(net):
    """The rank of a network with random weights, and its certificate."""
    if isinstance(net, Attention):
        found = attention_rank(
            *map(int, (net.layers, net.width, net.tokens, net.heads, net.degree))
        )
        parts = [m for layer in found.network.weights for h in layer for pair in h for m in pair]
        last = ()
    else:
        found = hadamard_rank(*map(int, (net.inputs, net.degree, net.depth, net.width)))
        parts = [matrix for layer in found.network.weights for matrix in layer]
        last = found.network.readout
    weights = (*(entry for matrix in parts for row in matrix for entry in row), *last)
    blocks = tuple(block.rank for block in found.blocks)
    most = max(blocks)
    evidence = NetworkCertificate(
        found.prime, weights, found.left[:most], found.right[:most], blocks
    )
    return found.rank, evidence


@pytest.mark.parametrize("net", NETWORKS, ids=str)
def test_networks_are_evaluated_again(net):
    value, evidence = certified(net)
    assert honest(rank(net, "=", value), evidence) == ("certified", "agrees")
    assert honest(rank(net, "<", value), evidence) == ("refuted", "agrees")
    assert honest(rank(net, ">", value), evidence) == ("refuted", "agrees")
    own = replace(net, weights=evidence.weights)
    assert honest(rank(own, "=", value), replace(evidence, weights=())) == ("certified", "agrees")


SMALL = NETWORKS[1]
VALUE, SHOWN = certified(SMALL)


def bumped(numbers, place, by):
    return (*numbers[:place], numbers[place] + by, *numbers[place + 1 :])


NETWORK_FORGERIES = [
    (replace(SHOWN, prime=341_550_071), "prime"),
    (replace(SHOWN, prime=2), "undecided"),
    (replace(SHOWN, weights=(0,) * len(SHOWN.weights)), "invertible"),
    (replace(SHOWN, weights=SHOWN.weights[1:]), "weights are there"),
    (replace(SHOWN, left=(SHOWN.left[1], *SHOWN.left[1:])), "invertible"),
    (replace(SHOWN, right=(SHOWN.right[1], *SHOWN.right[1:])), "invertible"),
    (replace(SHOWN, left=(SHOWN.left[0][1:], *SHOWN.left[1:])), "coordinates are there"),
    (replace(SHOWN, left=SHOWN.left[1:]), "points for each block"),
    (replace(SHOWN, blocks=bumped(SHOWN.blocks, 0, 1)), "invertible"),
    (replace(SHOWN, blocks=bumped(SHOWN.blocks, 2, -1)), "decided"),
    (replace(SHOWN, blocks=SHOWN.blocks[1:]), "each degree has a block"),
]


@pytest.mark.parametrize(("evidence", "reason"), NETWORK_FORGERIES)
def test_forged_networks_are_reported(evidence, reason):
    word, why = opinion(rank(SMALL, "=", VALUE), evidence, "certified")
    assert word == ("no opinion" if reason == "undecided" else "disagrees")
    assert reason in why


@pytest.mark.parametrize("value", [VALUE - 1, VALUE + 1])
def test_a_forged_rank_of_a_network_is_reported(value):
    word, why = opinion(rank(SMALL, "=", value), SHOWN, "certified")
    assert word == "disagrees"
    assert f"[{VALUE}, {VALUE}]" in why


def test_the_weights_of_the_statement_are_those_that_count():
    zero = replace(SMALL, weights=(0,) * len(SHOWN.weights))
    word, why = opinion(rank(zero, "=", VALUE), SHOWN, "certified")
    assert (word, "weights are those" in why) == ("disagrees", True)
    word, why = opinion(rank(zero, "=", VALUE), replace(SHOWN, weights=()), "certified")
    assert (word, "invertible" in why) == ("disagrees", True)
    nothing = replace(SHOWN, weights=(), blocks=(0,) * len(SHOWN.blocks))
    assert opinion(rank(zero, "=", 0), nothing, "certified")[0] == "no opinion"
    assert opinion(rank(zero, "<=", VALUE), nothing, "certified")[0] == "agrees"


def test_long_computations_are_left_open():
    wide = Attention(*map(Integer, (2, 8, 2, 1, 3)))
    chance, count = random.Random(0), 2 * 2 * 2 * 64
    weights = tuple(chance.randrange(100) for _ in range(count))
    side = tuple(tuple(chance.randrange(100) for _ in range(16)) for _ in range(120))
    evidence = NetworkCertificate(PRIME, weights, side, side, (1, 36, 120, 120, 8))
    word, why = opinion(rank(wide, ">=", 285), evidence, "certified")
    assert (word, "is short" in why) == ("no opinion", True)


def dimension(k, width, tokens, coordinate):
    """Of the span of products of k entries of a Gram matrix, by values at random tokens."""
    chance = random.Random(1)
    rows = []
    for _ in range(150):
        draw = [[chance.randrange(PRIME) for _ in range(width)] for _ in range(tokens)]
        gram = [sum(t[i] * t[j] for t in draw) for i in range(width) for j in range(i, width)]
        products = [prod(chosen) for chosen in combinations_with_replacement(gram, k)]
        rows.append([p * c % PRIME for p in products for c in (draw[0] if coordinate else [1])])
    return so.eliminate(rows, PRIME)[0]


@pytest.mark.parametrize(("k", "width", "tokens"), [(2, 2, 1), (3, 3, 1), (2, 3, 2), (1, 4, 3)])
def test_dimensions_are_counted(k, width, tokens):
    found = tuple(dimension(k, width, tokens, coordinate) for coordinate in (True, False))
    assert so.gram(k, width, tokens) == found


@pytest.mark.parametrize("width", [1, 2, 3])
def test_monomials_and_tableaux_count_the_same(width):
    for k in range(5):
        shapes = [tuple(2 * row for row in s) for s in so.partitions(k, width, k)]
        assert so.gram(k, width, width)[1] == sum(so.tableaux(s, width) for s in shapes)


def test_real_roots_are_counted():
    poly = so.characteristic([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(2)]])
    assert poly == [1, -4, 3]
    assert [so.above(poly, Fraction(q)) for q in (0, 1, 2, 3, 4)] == [
        (2, 2), (1, 2), (1, 1), (0, 1), (0, 0),
    ]  # fmt: skip
    assert so.root(poly, 1, Fraction(4)) == so.point(3)
    double = [Fraction(c) for c in (1, -2, 1)]
    assert so.above(double, Fraction(1)) == (0, 2)
    golden = so.root([Fraction(c) for c in (1, -3, 1)], 2, Fraction(3))
    assert golden.low < golden.high
    assert golden.low * golden.low - 3 * golden.low + 1 > 0 > golden.high**2 - 3 * golden.high + 1


def test_primes_are_told():
    def told(number):
        try:
            return so.prime(number) == number
        except so.Rejected:
            return False

    numbers = range(-2, 400)
    known = [n for n in numbers if n > 1 and all(n % k for k in range(2, n))]
    assert [n for n in numbers if told(n)] == known


def graded(statement):
    return Derivation((Line(statement, "graded"),))


def test_a_bound_by_degrees_is_counted_again():
    good = rank(SMALL, "<=", VALUE)
    assert honest(good, graded(good)) == ("proved", "agrees")
    low = rank(SMALL, "<=", VALUE - 1)
    word, why = opinion(low, graded(low), "proved")
    assert word == "disagrees"
    assert "line 1 counts the degrees" in why


LAYERS, WIDTH, HALF, J = (Symbol(name) for name in ("layers", "width", "h", "j"))


def for_all_sizes(top):
    """One token a side, three factors: the rank is at most the number of monomials to degree h."""
    over = ((LAYERS, integers(1)), (WIDTH, integers(1, 2)), (HALF, integers(0)))
    law = (Relation(2 * HALF + 1, "=", 3**LAYERS),)
    count = Sum(1 + J * (WIDTH - 1), (J, 0, top))
    net = Attention(LAYERS, WIDTH, S.One)
    return SeparationRank(net, "<=", count, over, law)


def test_statements_for_all_sizes_are_tried_at_small_ones():
    tried, failure = so.attack(json.dumps(encode(for_all_sizes(HALF))))
    assert (tried >= 2, failure) == (True, "")
    tried, failure = so.attack(json.dumps(encode(for_all_sizes(HALF - 1))))
    assert "false at layers = 1, width = 1, h = 1" in failure
    assert so.outgrown(encode(for_all_sizes(HALF - 1)))
    assert not so.outgrown(encode(for_all_sizes(HALF)))


@pytest.mark.parametrize(
    "statement", [rank(TWO, "=", 1), rank(SCALED, "<=", 1, *SCOPE), rank(SMALL, "<", VALUE)]
)
def test_false_ranks_are_refuted_by_sampling(statement):
    assert so.attack(json.dumps(encode(statement)))[1].startswith("false ")


DAMAGE = [
    ("statement", "function", None),
    ("statement", "function", {"kind": "Nonsense"}),
    ("statement", "function", {"kind": "Attention"}),
    ("statement", "value", "9**9**9"),
    ("statement", "op", "~"),
    ("evidence", "prime", "7"),
    ("evidence", "prime", 10**400),
    ("evidence", "blocks", [10**9] * 5),
    ("evidence", "blocks", [0.5, 1]),
    ("evidence", "blocks", None),
    ("evidence", "left", [[1.5]] * 9),
    ("evidence", "kind", "Nonsense"),
]


@pytest.mark.parametrize(("part", "field", "value"), DAMAGE)
def test_damaged_records_are_no_agreement(part, field, value):
    data = {"statement": encode(rank(SMALL, "=", VALUE)), "evidence": encode(SHOWN)}
    data[part] = {**data[part], field: value}
    finding = {"evidence": "NetworkCertificate", "outcome": "certified", "detail": "", "facts": []}
    verdict = {**FORGED, "findings": [finding]}
    entry = {"statement": data["statement"], "evidence": [data["evidence"]], "verdict": verdict}
    try:
        word, _ = so.second(json.loads(json.dumps(entry)), {}, Fraction(1))
    except (so.Unsound, LookupError, TypeError, ValueError, AttributeError):
        return  # reported as malformed, in a line
    assert word in ("disagrees", "no opinion")


@pytest.mark.parametrize(
    "sizes", [(1, 200, 1, 1, 3), (8, 200, 3, 1, 3), (2, 60, 5, 7, 9), (10**9,) * 5]
)
def test_large_sizes_take_no_time(sizes):
    net = Attention(*map(Integer, sizes))
    statement = rank(net, "<=", 10**9)
    assert so.attack(json.dumps(encode(statement)))[1] == ""
    assert opinion(statement, graded(statement), "proved")[0] in ("agrees", "disagrees")
