"""The second opinion agrees with honest runs and reports forged ones."""

import ast
import json
import random
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import IndexedBase, Integer, Rational, Sum, Symbol, binomial, cos, exp, log

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Every,
    Infeasible,
    Maximum,
    MaximumValue,
    Mean,
    Minimiser,
    NoSpuriousMinimum,
    Orbit,
    PolynomialDegree,
    Rank,
    Relation,
    Trend,
    integers,
    interval,
)
from lemmata.verify import second_opinion as so
from lemmata.verify.catalogue import builtin
from lemmata.verify.claim import Settings
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import (
    Counterexample,
    DegreeCertificate,
    Enclosure,
    Enumeration,
    Instance,
    Multipliers,
    Part,
    RankCertificate,
    SampleBatch,
    SequentialTest,
    Trajectory,
    Trap,
)
from lemmata.verify.record import digest, dumps, encode, seal
from lemmata.verify.runner import run
from lemmata.verify.worker import verdict_data

SOURCE = Path(so.__file__)
x, y, k = Symbol("x"), Symbol("y"), Symbol("k")


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A run of all claims of the family degree, with mutants."""
    folder = tmp_path_factory.mktemp("honest") / "run"
    catalogue = builtin()
    run(catalogue.select(["degree.*"]), catalogue, Settings(), folder=folder, mutants=True)
    return folder


@pytest.fixture
def forged(honest, tmp_path):
    """A small run to tamper with: edits the record of a claim and renews all seals."""

    def edit(change, name="degree.integral"):
        folder = tmp_path / "run"
        (folder / "claims").mkdir(parents=True)
        header = json.loads((honest / "run.json").read_text("utf-8"))
        before = ["degree.attention-as-stated", "degree.optimum"]
        header = seal({**header, "selection": [*dict.fromkeys([*before, name])]})
        (folder / "run.json").write_text(dumps(header), "utf-8")
        for id in header["selection"]:
            record = json.loads((honest / "claims" / f"{id}.json").read_text("utf-8"))
            record["run"] = header["digest"]
            if id == name:
                change(record)
                record["statement_hash"] = digest(record["statement"])
            (folder / "claims" / f"{id}.json").write_text(dumps(seal(record)), "utf-8")
        return folder

    return edit


def unchanged(record):
    pass


def opinion(folder, capsys):
    code = so.main([str(folder)])
    found = capsys.readouterr()
    return code, found.out.splitlines(), found.err


def test_an_honest_run_finds_agreement(honest, capsys):
    code, lines, _ = opinion(honest, capsys)
    mutants = sum(len(claim.mutants) for claim in builtin().select(["degree.*"]))
    claims = len(builtin().select(["degree.*"]))
    assert [line for line in lines[:-1] if ": agrees: " not in line] == []
    assert code == 0
    assert len(lines) == claims + mutants + 1
    assert lines[-1].endswith(f"{claims + mutants} agrees, 0 disagrees, 0 no opinion.")


@pytest.mark.parametrize(
    "command",
    [["-I", "-S", str(SOURCE)], ["-m", "lemmata.verify.second_opinion"]],
    ids=["bare", "module"],
)
def test_it_runs_on_its_own(command, honest):
    done = subprocess.run(
        [sys.executable, *command, str(honest)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "(not a proof check)" in done.stdout


def test_it_needs_the_standard_library_alone():
    imported = set()
    for node in ast.walk(ast.parse(SOURCE.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add((node.module or "").split(".")[0])
    assert imported <= sys.stdlib_module_names


def derivation_of(record):
    return next(item for item in record["evidence"] if item["kind"] == "Derivation")


def flip_verdict(record):
    record["verdict"]["outcome"] = "refuted"


def flip_verdict_and_findings(record):
    record["verdict"]["outcome"] = "certified"
    for finding in record["verdict"]["findings"]:
        finding["outcome"] = "certified"


def pass_a_mutant(record):
    verdict = record["mutants"][1]["verdict"]
    verdict["outcome"] = "proved"
    for finding in verdict["findings"]:
        finding["outcome"] = "proved" if finding["evidence"] == "Derivation" else "rejected"


def change_the_statement(record):
    record["statement"]["parts"][3]["rhs"] = "2"


def change_the_statement_throughout(record):
    """log(d)/(d - 1) > 2/d, which fails for d near 1, in every place where it stood."""
    text = json.dumps(record).replace('"rhs": "1/d"', '"rhs": "2/d"')
    record.update(json.loads(text))


def make_a_line_false(record):
    derivation_of(record)["lines"][4]["statement"]["rhs"] = "1"


def use_a_later_line(record):
    derivation_of(record)["lines"][1]["using"] = [30]


def move_the_witness(record):
    for item in record["evidence"]:
        item["point"] = [["c", "0"], ["d", "7"]]


def leave_the_domain(record):
    for item in record["evidence"]:
        item["point"] = [["c", "2"], ["d", "4"]]


def miscount(record):
    for item in record["evidence"]:
        if item["kind"] == "Part" and item["evidence"]["kind"] == "Enumeration":
            item["evidence"]["cases"] += 1


def drop_a_finding(record):
    record["verdict"]["findings"].pop()


def cite_a_refuted_claim(record):
    record["uses"] = record["verdict"]["uses"] = ["degree.attention-as-stated"]
    line = derivation_of(record)["lines"][0]
    line["rule"], line["args"] = "claim", [["name", {"text": "degree.attention-as-stated"}]]


def cite_the_unknown(record):
    record["uses"] = ["degree.nowhere"]


def belong_to_another_run(record):
    record["run"] = "0" * 64


def raise_alpha(record):
    record["settings"]["alpha"] = "1/2"


def add_a_field(record):
    record["note"] = "trust me"


FORGERIES = [
    (flip_verdict, "degree.counting", "the findings make it proved"),
    (flip_verdict_and_findings, "degree.counting", "evidence[0] is recorded as certified"),
    (pass_a_mutant, "degree.counting", "recorded as proved; derivation"),
    (change_the_statement, "degree.counting", "not so that it ends at the statement"),
    (change_the_statement_throughout, "degree.counting", "holds: it is false at d = "),
    (make_a_line_false, "degree.counting", "line 5 holds: it is false at w = "),
    (use_a_later_line, "degree.counting", "line 2 uses lines above it"),
    (move_the_witness, "degree.attention-as-stated", "not so that the statement fails there"),
    (leave_the_domain, "degree.attention-as-stated", "not so that c lies in its domain"),
    (miscount, "degree.fractional-gain", "there are 1 cases, not 2"),
    (miscount, "degree.integer-depth", "there are 1 cases, not 2"),
    (drop_a_finding, "degree.counting", "have 3 findings"),
    (cite_a_refuted_claim, "degree.mixing-layers", "is refuted)"),
    (cite_the_unknown, "degree.counting", "uses: expected claims that stand before it"),
    (belong_to_another_run, "degree.counting", "run: expected"),
    (raise_alpha, "degree.counting", "settings: expected"),
    (add_a_field, "degree.counting", "differs in ['note']"),
]


@pytest.mark.parametrize(("forgery", "name", "reason"), FORGERIES)
def test_a_forgery_is_reported(forgery, name, reason, forged, capsys):
    code, lines, _ = opinion(forged(forgery, name), capsys)
    disagreements = [line for line in lines if ": disagrees: " in line]
    assert code == 1
    assert disagreements
    assert disagreements[0].startswith(name)
    assert reason.lower() in disagreements[0].lower()


def test_a_small_run_finds_agreement(forged, capsys):
    code, lines, _ = opinion(forged(unchanged), capsys)
    assert code == 0
    assert lines[-1].endswith(": 13 agrees, 0 disagrees, 0 no opinion.")


def test_a_claim_removed_is_reported(forged, capsys):
    folder = forged(unchanged)
    (folder / "claims" / "degree.integral.json").unlink()
    code, lines, _ = opinion(folder, capsys)
    assert code == 1
    assert any("degree.integral: disagrees: " in line and "no such file" in line for line in lines)


def test_a_claim_added_is_reported(forged, capsys):
    folder = forged(unchanged)
    path = folder / "claims" / "degree.integral.json"
    shutil.copy(path, path.with_name("degree.extra.json"))
    code, lines, _ = opinion(folder, capsys)
    assert code == 1
    assert any(line.startswith("claims/degree.extra.json: disagrees") for line in lines)


def test_an_edit_without_a_new_seal_is_reported(forged, capsys):
    folder = forged(unchanged)
    path = folder / "claims" / "degree.integral.json"
    path.write_text(path.read_text("utf-8").replace('"seed": 0', '"seed": 1'), "utf-8")
    code, lines, _ = opinion(folder, capsys)
    assert code == 1
    assert any(line.startswith("degree.integral: disagrees") and "digest" in line for line in lines)


HOSTILE_JSON = [
    b"",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"a":' * 200 + b"1" + b"}" * 200,
    b"null",
    b"[]",
    b"{}",
    b'{"schema": NaN}',
    b'{"schema": 1e999}',
    b'{"schema": 1, "schema": 2}',
    b'{"schema": "\\ud800"}',
    b"9" * 10_000,
]


@pytest.mark.parametrize("content", HOSTILE_JSON, ids=range(len(HOSTILE_JSON)))
def test_hostile_json_is_reported_in_a_line(content, forged, capsys):
    folder = forged(unchanged)
    (folder / "claims" / "degree.integral.json").write_bytes(content)
    code, lines, _ = opinion(folder, capsys)
    assert code == 1
    assert sum("degree.integral" in line and ": disagrees: " in line for line in lines) == 1
    (folder / "run.json").write_bytes(content)
    code, lines, error = opinion(folder, capsys)
    assert (code, lines) == (2, [])
    assert error.startswith("second_opinion: ")
    assert error.count("\n") == 1
    assert "run.json" in error


HOSTILE_TEXT = [
    "",
    "9**9**9**9",
    "(" * 5000 + "1" + ")" * 5000,
    "-" * 50_000 + "1",
    "1" * 5000,
    "__import__('os').system('true')",
    "().__class__",
    "[1 for i in x]",
    "lambda: 1",
    "x if y else z",
    "exp(exp(exp(exp(9))))",
    "factorial(10**9)",
    "Sum(i, (i, 1, 10**12))",
    "Derivative(x**x, (x, 99))",
    "exp(1, 2)",
    "0.5",
    "x.y",
    "1/0",
    "𝟙",
]


@pytest.mark.parametrize("text", HOSTILE_TEXT)
def test_hostile_expressions_are_reported_in_a_line(text, forged, capsys):
    def change(record):
        record["statement"]["lhs"] = record["evidence"][0]["lines"][-1]["statement"]["lhs"] = text

    code, lines, _ = opinion(forged(change, "degree.integral"), capsys)
    own = [line for line in lines if line.startswith("degree.integral: ")]
    assert len(own) == 1
    assert len(lines) >= 10
    assert code == 1 or "not evaluated" in own[0]


@pytest.mark.parametrize(
    "damage",
    [
        lambda record: record.update(statement=[]),
        lambda record: record.update(statement={"kind": "Nonsense"}),
        lambda record: record.update(evidence=[{}]),
        lambda record: record.update(evidence=[None] * 2),
        lambda record: record.update(verdict={}),
        lambda record: record.update(uses=None),
        lambda record: record.update(mutants=[3]),
        lambda record: record["evidence"][0].update(lines=[{}]),
        lambda record: record["evidence"][0].update(kind=["Derivation"]),
    ],
)
def test_malformed_records_are_reported_in_a_line(damage, forged, capsys):
    code, lines, _ = opinion(forged(damage, "degree.integral"), capsys)
    assert code == 1
    assert lines[-1].startswith(str(len(lines) - 1))


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_wrong_usage_has_its_exit_code(arguments):
    with pytest.raises(SystemExit) as stop:
        so.main(arguments)
    assert stop.value.code == 2


def test_no_run_has_its_exit_code(tmp_path, capsys):
    assert so.main([str(tmp_path)]) == 2
    assert "run.json" in capsys.readouterr().err


def sequence(first):
    sums = (Fraction(first), Fraction(14), Fraction(0), Fraction(0))
    batch = SampleBatch(0, 64, sums)
    return SequentialTest(
        "o", (), Fraction(0), Fraction(0), Fraction(1, 100), Fraction(1, 2), 0, 64, (batch,)
    )


def boxes(count, around=None, witness=None):
    sides = tuple(((Fraction(n, 16), Fraction(n + 1, 16)),) for n in range(count))
    return Enclosure((x,), sides, around=around, witness=witness)


def at(value, variable=x):
    return Counterexample(((variable, value),))


def whole(*values):
    return tuple(map(Integer, values))


OVER = ((x, integers(1, 5)),)
UNIT = interval(0, 1, "[]")
MATRIX = (whole(1, 2), whole(2, 4))
TREND = Trend("o", (), Integer(0), 1 / k, k)
MEAN = Mean(x, ((x, "normal"),), Integer(0), "o", (), Integer(1), Rational(1, 2))
VALLEYS = NoSpuriousMinimum((x**2 - 1) ** 2 * ((x - 3) ** 2 + 1) - (x - 1) ** 2, (x,))
SQUARES = Minimiser((whole(1, 1),), whole(2), whole(1, 1))
CLASH = Infeasible((whole(1), whole(-1)), whole(1, 0))
ZERO, ONE, HALF = Integer(0), Integer(1), Rational(1, 2)
w, n = IndexedBase("w"), Symbol("n")


def orbit(holds, eventually=False, start=ONE, step=x / 2, over=()):
    return Orbit(((x, step),), ((x, start),), holds, eventually, over)


def iterate(number, *fixed):
    return Counterexample(fixed, start=Integer(number))


def kept(conclusion, *rules):
    """x > 0 is kept by x -> x/2 and gives the conclusion."""
    given, over = (Relation(x, ">", ZERO),), ((x, REALS),)
    inside = Relation(conclusion.holds.lhs, conclusion.holds.op, ZERO, over, given)
    lines = (
        Line(inside, rules[0]),
        Line(Relation(x / 2, ">", ZERO, over, given), "sign"),
        Line(conclusion, "invariant", (1, 2)),
    )
    return Derivation(lines)


BELOW = Relation(x, "<=", ZERO)
POSITIVE_ORBIT = orbit(Relation(x, ">", ZERO))
SHOWN = kept(POSITIVE_ORBIT, "hypothesis")
OTHERS = kept(orbit(Relation(x, ">", ZERO), start=Integer(2)), "hypothesis")
STEEP = orbit(Relation(x, ">", ONE), start=n, step=x / n, over=((n, interval(2, 9)),))
SIGNED = Mean(
    Relation(Sum(x * w[k], (k, 1, n)), "<", ZERO),
    ((w, "sign"), (x, "sign")),
    Sum(binomial(n, k), (k, 0, 1)) / 2**n,
    over=((n, integers(1)),),
)  # right for n = 3, wrong for n = 2


def fixed(number, evidence):
    return Instance(((n, Integer(number)),), evidence)


# statement, evidence that shows its outcome, evidence that does not
KINDS = [
    (Relation(x, "<", Integer(6), OVER), "certified", Enumeration(5), Enumeration(4)),
    (Relation(x, "<", Integer(5), OVER), "refuted", at(Integer(5)), at(Integer(4))),
    (Relation(x, "<", Integer(5), OVER), "refuted", at(Integer(5)), at(Integer(6))),
    (
        Relation(x * (1 - x), "<", Rational(1, 2), ((x, UNIT),)),
        "certified",
        boxes(16),
        boxes(15),
    ),
    (
        MaximumValue(x * (1 - x), x, UNIT, Rational(1, 5), Rational(3, 10)),
        "certified",
        boxes(16, witness=Fraction(1, 2)),
        boxes(16, witness=Fraction(1, 8)),
    ),
    (
        Maximum(x - x**2, x, integers(1, 5), Integer(2)),
        "refuted",
        at(Integer(1)),
        at(Integer(3)),
    ),
    (
        Relation(x, ">", y, (*OVER, (y, integers(0, 0)))),
        "confirmed",
        Instance(((y, Integer(0)),), Enumeration(5)),
        Instance(((y, Integer(1)),), Enumeration(5)),
    ),
    (
        Every((Relation(x, "<", Integer(5), OVER),)),
        "refuted",
        Part(0, at(Integer(5))),
        Part(1, at(Integer(5))),
    ),
    (
        Rank(MATRIX, 1),
        "certified",
        RankCertificate(101, (0,), (0,), ((Fraction(1),), (Fraction(2),))),
        RankCertificate(101, (0,), (0,), ((Fraction(1),), (Fraction(3),))),
    ),
    (
        Rank(MATRIX, 0),
        "refuted",
        RankCertificate(101, (0,), (0,), ((Fraction(1),), (Fraction(2),))),
        RankCertificate(101, (0, 1), (0, 1), ((Fraction(1),), (Fraction(2),))),
    ),
    (
        PolynomialDegree((x + y) ** 3 * x, (x, y), Integer(4)),
        "certified",
        DegreeCertificate(10007, (1, 2), (3, 4)),
        DegreeCertificate(10007, (1, 2), (3, -3)),
    ),
    (SQUARES, "certified", Multipliers((Fraction(1),)), Multipliers((Fraction(2),))),
    (
        CLASH,
        "certified",
        Multipliers((Fraction(1), Fraction(1))),
        Multipliers((Fraction(1), Fraction(2))),
    ),
    (
        Infeasible((whole(1),), whole(1)),
        "refuted",
        at(Integer(2)),
        at(Integer(0)),
    ),
    (
        VALLEYS,
        "refuted",
        Counterexample(((x, Integer(1)),), other=((x, Integer(-1)),)),
        Counterexample(((x, Integer(2)),), other=((x, Integer(-1)),)),
    ),
    (
        Mean(x * y, ((x, "sign"), (y, "sign")), Integer(1)),
        "refuted",
        Enumeration(4),
        Multipliers((Fraction(1),)),
    ),
    (MEAN, "confirmed", sequence(14), sequence(13)),
    (
        Mean(Relation(Sum(w[k], (k, 1, 3)), "<", Integer(2)), ((w, "sign"),), Rational(7, 8)),
        "certified",
        Enumeration(8),
        Enumeration(4),
    ),
    (SIGNED, "confirmed", fixed(3, Enumeration(16)), fixed(3, Enumeration(8))),
    (SIGNED, "confirmed", fixed(3, Enumeration(16)), fixed(0, Enumeration(2))),
    (SIGNED, "confirmed", fixed(3, Enumeration(16)), Enumeration(16)),
    (SIGNED, "refuted", fixed(2, Enumeration(8)), fixed(3, Enumeration(16))),
    (orbit(Relation(x, ">", Rational(1, 10))), "refuted", iterate(4), iterate(3)),
    (orbit(Relation(exp(x), "<", ZERO), step=x), "refuted", iterate(0), Enumeration(1)),
    (orbit(Relation(x, "=", ONE), step=exp(-x)), "refuted", iterate(1), iterate(10_001)),
    (STEEP, "refuted", iterate(2, (n, Integer(3))), iterate(2, (n, Integer(11)))),
    (STEEP, "refuted", iterate(2, (n, Integer(3))), iterate(2)),
    (orbit(BELOW), "refuted", Trap(SHOWN), Trap(OTHERS)),
    (orbit(BELOW, True), "refuted", Trap(SHOWN), iterate(3)),
    (POSITIVE_ORBIT, "proved", SHOWN, Trap(SHOWN)),
    (
        TREND,
        "confirmed",
        Trajectory("o", (), Fraction(0), ((1, Fraction(1)), (2, Fraction(1, 4)), (4, Fraction(0)))),
        Trajectory("o", (), Fraction(0), ((1, Fraction(2)), (2, Fraction(1, 4)), (4, Fraction(0)))),
    ),
]


@pytest.mark.parametrize(("statement", "outcome", "good", "bad"), KINDS)
def test_each_kind_of_evidence_is_recomputed(statement, outcome, good, bad):
    verdict = verdict_data(check("a.claim", statement, (good,)))
    entry = {"statement": encode(statement), "evidence": [encode(good)], "verdict": verdict}
    assert verdict["outcome"] == outcome
    assert so.second(entry, {}, Fraction(1, 100))[0] == "agrees"
    word, why = so.second({**entry, "evidence": [encode(bad)]}, {}, Fraction(1, 100))
    assert (word, why[:24]) == ("disagrees", f"evidence[0] is recorded as {outcome}"[:24])


def test_an_irrational_tie_is_left_open():
    """log(4)/4 = log(2)/2 is beyond intervals: no opinion, and no agreement."""
    statement = Maximum(log(x) / x, x, interval(2, 9, "[]"), Integer(2))
    verdict = verdict_data(check("a.claim", statement, (at(Integer(4)),)))
    entry = {
        "statement": encode(statement),
        "evidence": [encode(at(Integer(4)))],
        "verdict": verdict,
    }
    assert so.second(entry, {}, Fraction(1))[0] == "no opinion"


def test_a_cosine_of_an_orbit_is_left_open():
    statement = orbit(Relation(cos(x), "<", ZERO))
    verdict = verdict_data(check("a.claim", statement, (iterate(3),)))
    data = {"statement": encode(statement), "evidence": [encode(iterate(3))], "verdict": verdict}
    assert so.second(data, {}, Fraction(1))[0] == "no opinion"


@pytest.mark.parametrize(
    ("step", "start", "number"),
    [(4 * x * (1 - x), Rational(1, 3), 200), (x**2, Integer(2), 9000), (x**2, HALF, 9000)],
)
def test_orbits_are_followed_as_far_as_short_intervals_tell(step, start, number):
    """The kernel's longer numbers still decide; intervals of 160 bits do not, and say so."""
    statement, evidence = orbit(BELOW, start=start, step=step), iterate(number)
    verdict = verdict_data(check("a.claim", statement, (evidence,)))
    assert verdict["outcome"] == "refuted"
    data = {"statement": encode(statement), "evidence": [encode(evidence)], "verdict": verdict}
    assert so.second(data, {}, Fraction(1))[0] == "no opinion"


def test_a_false_orbit_is_seen_among_the_lines():
    """A forged derivation: the invariant is fine, the orbit it is said to prove is not."""
    false = orbit(Relation(x, ">", Rational(1, 10)))
    forged = Derivation((*SHOWN.lines, Line(false, "invariant", (1, 2))))
    verdict = {**verdict_data(check("a.claim", POSITIVE_ORBIT, (SHOWN,)))}
    data = {"statement": encode(false), "evidence": [encode(forged)], "verdict": verdict}
    word, why = so.second(data, {}, Fraction(1))
    assert word == "disagrees"
    assert "false at iterate 4" in why
    above = {**data, "statement": encode(orbit(BELOW)), "evidence": [encode(Trap(forged))]}
    assert so.second(above, {}, Fraction(1))[0] == "disagrees"


def test_more_error_probability_than_granted_is_reported():
    verdict = verdict_data(check("a.claim", MEAN, (sequence(14),)))
    entry = {"statement": encode(MEAN), "evidence": [encode(sequence(14))], "verdict": verdict}
    assert so.second(entry, {}, Fraction(1, 101))[0] == "disagrees"


RATIONALS = st.fractions(min_value=-40, max_value=40, max_denominator=10**6)
POSITIVE = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


def assert_encloses(found, function, *arguments):
    """The interval contains the value that mpmath computes to 80 digits, and is narrow."""
    with mpmath.workdps(80):
        value = function(*(mpmath.mpf(q.numerator) / q.denominator for q in arguments))
        sign, mantissa, exponent, _ = mpmath.mpf(value)._mpf_
    true = (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent
    slack = (abs(true) + 1) / 10**70
    assert found.low - slack <= true <= found.high + slack
    assert found.high - found.low <= (abs(true) + 1) / 2**120


@given(RATIONALS)
def test_exp_is_enclosed(q):
    assert_encloses(so.exp_at(q), mpmath.exp, q)


@given(POSITIVE)
def test_log_is_enclosed(q):
    assert_encloses(so.log_at(q), mpmath.log, q)


@given(st.fractions(min_value=Fraction(-9, 25), max_value=10**6, max_denominator=10**6))
@settings(max_examples=50, deadline=None)
def test_lambert_w_is_enclosed(q):
    assert_encloses(so.lambert_at(q), lambda z: mpmath.lambertw(z).real, q)


@given(st.fractions(Fraction(1, 1000), 1000, max_denominator=1000), st.fractions(-9, 9))
@settings(deadline=None)
def test_powers_are_enclosed(base, exponent):
    found = so.power(so.point(base), so.point(exponent))
    assert_encloses(found, lambda b, e: b**e, base, exponent)


def test_pi_is_enclosed():
    assert_encloses(so.CONSTANTS["pi"], lambda: mpmath.pi)


SHAPES = [
    ("x + 2*y - x*y", lambda a, b: a + 2 * b - a * b),
    ("x**2 - y**3", lambda a, b: a**2 - b**3),
    ("Abs(x - y)", lambda a, b: abs(a - b)),
    ("Max(x, y, 0) - Min(x, y)", lambda a, b: max(a, b, 0) - min(a, b)),
    ("floor(x) + ceiling(y)", lambda a, b: a.__floor__() + b.__ceil__()),
    ("x/(1 + y**2)", lambda a, b: a / (1 + b**2)),
    ("Sum(x*i, (i, 1, 3)) + Product(y + i, (i, 0, 2))", lambda a, b: 6 * a + b * (b + 1) * (b + 2)),
    ("Derivative(x**3*y - x, (x, 2))", lambda a, b: 6 * a * b),
]
SIDES = st.tuples(st.fractions(-5, 5, max_denominator=50), st.fractions(0, 3, max_denominator=50))


@pytest.mark.parametrize(("text", "function"), SHAPES)
@given(sides=st.tuples(SIDES, SIDES), seed=st.integers(0, 999))
def test_values_on_a_box_lie_in_the_interval(text, function, sides, seed):
    intervals = [so.Interval(low, low + width) for low, width in sides]
    found = so.value(so.parse(text), dict(zip("xy", intervals, strict=True)))
    chosen = random.Random(seed)
    inner = [low + width * Fraction(chosen.randint(0, 8), 8) for low, width in sides]
    assert found.low <= function(*inner) <= found.high
    exact = so.value(so.parse(text), dict(zip("xy", map(so.point, inner), strict=True)))
    assert exact == so.point(function(*inner))


def test_an_integral_of_a_derivative_is_its_difference():
    found = so.value(so.parse("Integral(Derivative(exp(s)/s, s), (s, 1, 2))"), {})
    assert_encloses(found, lambda: mpmath.e**2 / 2 - mpmath.e)
    with pytest.raises(so.Untold):  # a pole in between
        so.value(so.parse("Integral(Derivative(1/s, s), (s, -1, 2))"), {})


def test_a_false_statement_is_refuted_by_sampling():
    false = Relation(exp(x), ">", 1 + 2 * x, ((x, interval(0, 1)),))
    true = Relation(exp(x), ">", 1 + x, ((x, interval(0, 1)),))
    assert so.attack(json.dumps(encode(false)))[1].startswith("false at x = ")
    tried, failure = so.attack(json.dumps(encode(true)))
    assert tried > 3
    assert failure == ""
