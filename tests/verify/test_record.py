"""Statements and evidence survive the record exactly; anything else is refused in words."""

import json
from fractions import Fraction

import pytest
from sympy import E, Float, IndexedBase, Integer, Rational, Sum, Symbol, exp, log, oo, sqrt

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
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
    Statement,
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
    Evidence,
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
from lemmata.verify.record import (
    DEEPEST,
    KINDS,
    MOST_DIGITS,
    RecordError,
    decode,
    differences,
    digest,
    dumps,
    encode,
    loads,
    seal,
)

d, t, k, n = Symbol("d"), Symbol("t"), Symbol("k"), Symbol("n")
s = IndexedBase("s")
ONE, TWO, HALF = Integer(1), Integer(2), Rational(1, 2)
ROWS = ((ONE, TWO), (HALF, Integer(-3)))

POSITIVE = Relation(log(d) / d, "<=", exp(-1), ((d, above(0)),), (Relation(d, "!=", E),))
POSITIVE_PART = Relation(d, ">", Integer(0))
ORBIT = Orbit(((d, d / 2),), ((d, ONE),), POSITIVE_PART)
STATEMENTS = [
    POSITIVE,
    Relation(d, "=", d),
    Maximum(log(d) / d, d, above(0), E, ((t, interval(0, 1, "[)")),)),
    Maximum(log(d) / d, d, integers(1), Integer(3)),
    MaximumValue(d * (1 - d), d, interval(0, 1, "[]"), Rational(1, 4), HALF),
    Limit(1 / d, Integer(0), ((d, oo),), ((d, above(0)),)),
    Rank(ROWS, 2),
    PolynomialDegree((d + t) ** 3, (d, t), Integer(3)),
    Minimiser(ROWS, (ONE, TWO), (HALF, HALF)),
    Infeasible(ROWS, (ONE, TWO)),
    Mean(d**2, ((d, "normal"),), ONE, "square", (("d", TWO),), Integer(3), HALF),
    Mean(Relation(Sum(s[k], (k, 1, 5)), "<", ONE), ((s, "sign"),), HALF),
    Mean(
        Relation(Sum(s[k, t], (k, 1, t), (t, 1, n)), "<", n),
        ((s, "sign"),),
        HALF,
        over=((n, integers(1)),),
    ),
    ORBIT,
    SeparationRank(Function(d * t, ((d, above(0)),), ((t, integers(0, 1)),)), "=", ONE),
    SeparationRank(Attention(n, TWO, ONE), "<=", n, ((n, integers(1)),), (POSITIVE_PART,)),
    SeparationRank(Hadamard(ONE, ONE, ONE, ONE, (1, -2, 10**30)), ">=", TWO),
    EpsilonRank(Function(d * t, ((d, above(0)),), ((t, above(0)),)), "uniform", HALF, ONE),
    Orbit(((d, d / 2), (t, d + t)), ((d, n), (t, ONE)), POSITIVE_PART, True, ((n, above(0)),)),
    Trend("loss", (("rate", HALF),), sqrt(2), 1 / n, n),
    NoSpuriousMinimum(d**4 - d**2, (d,)),
    Every((Relation(d, "=", d), Every((Rank(ROWS, 2),)))),
]
EVIDENCE = [
    Derivation((Line(POSITIVE, "fact", (), (("name", "Isserlis"), ("at", d + 1), ("d", "d"))),)),
    Derivation((Line(POSITIVE, "sign"), Line(POSITIVE, "chain", (1, 1)))),
    Counterexample(((d, HALF),)),
    Counterexample(((d, k + 1),), k, Integer(0), ((d, TWO),)),
    Enclosure((d,), (((Fraction(1, 3), Fraction(2)),), ((Fraction(2), Fraction(7, 2)),)), 64),
    Enclosure((d,), (), 128, (Fraction(1), Fraction(2)), Fraction(-3, 7)),
    Enumeration(12),
    Multipliers((Fraction(0), Fraction(5, 3))),
    RankCertificate(101, (0, 1), (0, 1), ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))),
    DegreeCertificate(101, (1, 2), (-3, 4)),
    SequentialTest(
        *(
            "square",
            (("d", TWO),),
            Fraction(2),
            Fraction(0),
            Fraction(1, 10**7),
            Fraction(1, 8),
            7,
            16,
        ),
        (SampleBatch(0, 16, (Fraction(0.1), Fraction(-0.3), Fraction(1, 3), Fraction(10**400))),),
    ),
    Trajectory(
        "loss", (("rate", HALF),), Fraction(1, 2**40), ((1, Fraction(0.1)), (9, Fraction(2)))
    ),
    Part(1, Part(0, Enumeration(3))),
    Instance(((s[1], HALF), (d, TWO)), Enumeration(3, reach=9)),
    Counterexample(((n, TWO),), start=Integer(7)),
    Trap(Derivation((Line(ORBIT, "invariant", (), (("after", Integer(3)),)),))),
    SeparationCertificate(((Fraction(1, 2),),), ((Fraction(-1),),), ((d, t),)),
    SeparationCertificate((), ()),
    NetworkCertificate(7, (1, 2, 3), ((1,),), ((-1,),), (1, 0)),
    Spectrum(256),
    Part(0, Trap(Derivation((Line(ORBIT, "invariant"),)))),
]


@pytest.mark.parametrize("value", STATEMENTS + EVIDENCE, ids=lambda value: type(value).__name__)
def test_values_survive_the_record(value):
    data = encode(value)
    assert loads(dumps(data), "here") == data
    assert decode(data) == value
    assert type(decode(data)) is type(value)
    assert encode(decode(data)) == data
    assert digest(data) == digest(loads(dumps(data), "here"))


def test_every_class_of_the_language_is_among_them():
    seen = {kind for kind in KINDS if f'"kind": "{kind}"' in json.dumps(_all())}
    assert seen == set(KINDS)


def _all():
    return [encode(value) for value in STATEMENTS + EVIDENCE]


def test_statements_and_evidence_are_kept_apart():
    with pytest.raises(RecordError, match=r"^record: expected one of .*Relation"):
        decode(encode(EVIDENCE[0]), Statement)
    with pytest.raises(RecordError, match=r"expected one of .*Derivation"):
        decode(encode(STATEMENTS[0]), Evidence)


def test_samples_are_hexadecimal_and_other_rationals_are_not():
    data = encode(EVIDENCE[10])
    assert data["alpha"] == "1/10000000"
    assert data["batches"][0]["sums"][:3] == [(0.1).hex(), (-0.3).hex(), "1/3"]


def test_python_integers_are_expressions_too():
    assert encode(Relation(d, ">", 0)) == encode(Relation(d, ">", Integer(0)))


class Disguise(Relation):
    """A subclass is not of the language, whatever it says of itself."""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "expected a statement or evidence; got int 3"),
        (Disguise(d, "=", d), "expected a statement or evidence; got Disguise"),
        (Relation(d, "=", 0.5), "Relation.rhs: expected expression; got float 0.5"),
        (Relation(d, "=", True), "Relation.rhs: expected expression; got bool True"),
        (Relation(d, "=", Float(0.5)), "Relation.rhs: "),
        (Relation(d, "==", d), "Relation.op: expected '=' | '!='"),
        (Relation(d, "=", d, ((d, "positive"),)), "Relation.over[0][1]: expected Domain"),
        (Relation(d, "=", d, ((d,),)), "Relation.over[0]: expected a list"),
        (Relation(d, "=", d, [(d, above(0))]), "Relation.over: expected a list"),
        (Relation(d, "=", d, ((IndexedBase("s", shape=(3,)), above(0)),)), "without shape"),
        (Relation(d, "=", d, given=(Disguise(d, "=", d),)), "Relation.given[0]: expected Relation"),
        (Relation(Symbol("d", positive=True), ">", Integer(0)), "Relation.lhs: "),
        (Rank(ROWS, Integer(2)), "Rank.value: expected int; got"),
        (Rank(ROWS, True), "Rank.value: expected int; got bool"),
        (Enclosure((d + 1,), ()), "Enclosure.variables[0]: expected symbol; got Add d + 1"),
        (Enclosure((d,), (((1, 2),),)), "Enclosure.boxes[0][0][0]: expected Fraction; got int 1"),
        (Part(0, POSITIVE), "Part.evidence: expected one of"),
        (Line(POSITIVE, "rule", (), (("a", 0.5),)), "Line.args[0][1]: expected one of"),
    ],
)
def test_what_a_record_cannot_hold(value, message):
    with pytest.raises(RecordError) as caught:
        encode(value)
    assert message in str(caught.value)


def test_evidence_nested_without_end():
    part = Enumeration(1)
    for _ in range(5000):
        part = Part(0, part)
    with pytest.raises(RecordError, match="nested too deeply"):
        encode(part)
    data = {"kind": "Enumeration", "cases": 1}
    for _ in range(5000):
        data = {"kind": "Part", "index": 0, "evidence": data}
    with pytest.raises(RecordError, match="nested too deeply"):
        decode(data)


GOOD = encode(POSITIVE)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "Claim"}, "expected one of"),
        ({"kind": ["Relation"]}, "expected one of"),
        ({"kind": "Domain"}, "expected one of"),
        ({"lhs": None}, "record.lhs: expected expression; got None"),
        ({"lhs": 3}, "record.lhs: expected expression; got 3"),
        ({"lhs": "__import__('os')"}, "record.lhs: "),
        ({"lhs": "9**9**9"}, "record.lhs: "),
        ({"lhs": "log(d)/d + 0*d"}, "record.lhs: "),
        ({"lhs": "log( d ) / d"}, "record.lhs: expected the form"),
        ({"op": "=="}, "record.op: expected '=' | '!='"),
        ({"over": {}}, "record.over: expected a list"),
        ({"over": [["d", GOOD]]}, "record.over[0][1]: expected Domain; got 'Relation'"),
        ({"over": [["d + 1", GOOD["over"][0][1]]]}, "record.over[0][0]: expected"),
        ({"over": [[{"array": 3}, GOOD["over"][0][1]]]}, "record.over[0][0]: expected symbol"),
        ({"over": [[{"array": "s[1]"}, GOOD["over"][0][1]]]}, "record.over[0][0]: expected symbol"),
        ({"extra": 1}, "Relation has no field 'extra'"),
        ({"lhs": {"text": "d"}}, "record.lhs: expected expression"),
    ],
)
def test_data_that_is_no_statement(changes, message):
    with pytest.raises(RecordError) as caught:
        decode({**GOOD, **changes})
    assert message in str(caught.value)


@pytest.mark.parametrize("missing", [key for key in GOOD if key != "kind"])
def test_data_with_a_field_missing(missing):
    with pytest.raises(RecordError, match=f"expected the field '{missing}' of Relation; got none"):
        decode({key: value for key, value in GOOD.items() if key != missing})


@pytest.mark.parametrize(
    "number", ["2/4", "1/0", "0.5", "1e9", "½", "", " 1", "1" * 10_000, 1, None]
)
def test_numbers_of_another_form(number):
    with pytest.raises(RecordError, match=r"record\.values\[0\]"):
        decode({"kind": "Multipliers", "values": [number]})


@pytest.mark.parametrize("number", ["0x1p0", "inf", "nan", "0x1p99999999", "0x1.8", "x", "1.5"])
def test_samples_of_another_form(number):
    sample = encode(EVIDENCE[11])
    sample["values"][0][1] = number
    with pytest.raises(RecordError, match=r"record\.values\[0\]\[1\]"):
        decode(sample)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a JSON record"),
        ('{"a": 1', "expected a JSON record"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), f"nested deeper than {DEEPEST} levels"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("1" * (MOST_DIGITS + 1), "digits"),
        ("-" + "9" * 1_000_000, "digits"),
        ("1e999", "no finite number"),
        ("NaN", "no finite number"),
        ('{"a": -Infinity}', "no finite number"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' stands twice"),
        ('"\\ud800"', "expected a JSON record"),
        (b"\xff\xfe", "expected a JSON record"),
        (b"\x00", "expected a JSON record"),
        ("{'a': 1}", "expected a JSON record"),
        ('{"a": 1} {}', "expected a JSON record"),
    ],
)
def test_hostile_json(text, message):
    with pytest.raises(RecordError, match=r"^here: ") as caught:
        loads(text, "here")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_great_many_equal_keys_are_told_quickly():
    with pytest.raises(RecordError, match="stands twice"):
        loads("{" + ", ".join(f'"{k % 200_000}": 1' for k in range(200_001)) + "}", "here")


def test_the_digest_is_that_of_sorted_compact_utf8():
    assert digest({"b": "é", "a": [1, None]}) == digest({"a": [1, None], "b": "é"})
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_seal_covers_all_other_fields():
    sealed = seal({"a": 1})
    assert sealed["digest"] == digest({"a": 1})
    assert seal({**sealed, "a": 2})["digest"] == digest({"a": 2})


@pytest.mark.parametrize("data", [float("nan"), {"a": {1, 2}}, ["\ud800"]])
def test_what_has_no_digest(data):
    with pytest.raises(RecordError, match="expected plain JSON data"):
        digest(data)


def test_differences_name_the_place():
    left = {"a": [1, {"b": "x"}], "c": 1}
    right = {"a": [1, {"b": "y"}], "c": 1.0}
    assert list(differences(left, left)) == []
    assert list(differences(left, right)) == [("a[1].b", "'x'", "'y'"), ("c", "1", "1.0")]
    assert list(differences([1], [True], "v")) == [("v[0]", "1", "True")]
    assert [place for place, *_ in differences({"a": [1]}, {"a": [1, 2]})] == ["a"]
