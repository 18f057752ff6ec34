"""The form of claims, mutants and settings: good ones, and beside them bad ones."""

import pickle
import subprocess
import sys
from fractions import Fraction

import pytest
from sympy import Integer, Symbol

from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.statements import Relation
from lemmata.verify.claim import OUTCOMES, Claim, ClaimError, Mutant, Settings
from lemmata.verify.claims import CLAIMS

x = Symbol("x")
SQUARE = Relation(x**2, ">=", Integer(0))
STRICT = Relation(x**2, ">", Integer(0))
MUTANT = Mutant("strict", STRICT, "fails at 0")


def derive() -> Derivation:
    raise RuntimeError("called before anyone asked for evidence")


def claim(**changes) -> Claim:
    fields = {"id": "test.square", "title": "Squares", "statement": SQUARE, "source": "school"}
    return Claim(**{**fields, **changes})


def test_building_a_claim_calls_no_producer():
    built = claim(derivation=derive, experiment=derive, certificate=derive)
    assert built.family == "test"
    assert built.expected == "proved"


def test_everything_pickles():
    built = claim(derivation=derive, mutants=(MUTANT,), uses=("test.other",))
    assert pickle.loads(pickle.dumps((built, Settings()))) == (built, Settings())


built_times: list[str] = []


def build() -> Relation:
    built_times.append("now")
    return SQUARE


def build_text() -> str:
    return "x^2 >= 0"


def test_a_statement_may_be_built_when_it_is_asked_for():
    built_times.clear()
    later = claim(statement=build, mutants=(Mutant("strict", STRICT, "fails at 0"),))
    assert later.family == "test"
    assert built_times == []
    assert later.statement == later.statement == SQUARE
    assert built_times == ["now"]
    assert later == claim(mutants=(MUTANT,))


def test_a_deferred_statement_pickles_before_and_after():
    later = claim(statement=build, mutants=(Mutant("strict", build, "the same"),))
    for _ in range(2):
        assert pickle.loads(pickle.dumps(later)) == later


def test_what_is_built_must_be_a_statement():
    later = claim(statement=build_text)
    with pytest.raises(ClaimError, match=r"test\.square: statement: expected one of .*str"):
        _ = later.statement


def test_listing_builds_no_statement_and_no_mutant_is_its_claim():
    done = subprocess.run(
        [sys.executable, "-c", LISTING], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    for held in CLAIMS:
        assert all(mutant.statement != held.statement for mutant in held.mutants), held.id


LISTING = """
from lemmata.verify.claims import CLAIMS
large = [c.id for c in CLAIMS if c.family == "attsvm" and not callable(vars(c)["_statement"])]
assert not large, large
"""


def test_fields_cannot_be_set():
    with pytest.raises(AttributeError):
        claim().expected = "refuted"


@pytest.mark.parametrize("id", ["a.b", "degree.integer-optimum", "icl2.test-error-2"])
def test_ids(id):
    assert claim(id=id).id == id


@pytest.mark.parametrize(
    "id",
    [
        *("", "degree", "degree.", ".x", "a.b.c", "Degree.x", "a.b_c", "a/b.c", "../a.b", "a.b\n"),
        *("a.-b", "a.é", None, 3, "a." + "b" * 300),
    ],
)
def test_ids_that_are_none(id):
    with pytest.raises(ClaimError, match=r"^id: expected family\.name"):
        claim(id=id)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_expected_outcomes(outcome):
    assert claim(expected=outcome).expected == outcome


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": " "}, "test.square: title: expected some text"),
        ({"source": None}, "test.square: source: expected some text"),
        ({"expected": "true"}, "test.square: expected: expected one of proved, certified"),
        ({"statement": x > 0}, "test.square: statement: expected one of Relation, Maximum"),
        ({"statement": None}, "got NoneType"),
        ({"hypotheses": "x > 0"}, "hypotheses: expected a tuple of strings"),
        ({"uses": ["test.other"]}, "uses: expected a tuple of strings"),
        ({"derivation": Derivation(())}, "Pass the function itself, without calling it"),
        ({"experiment": 3}, "experiment: expected a function"),
        ({"corrects": 3}, "corrects: expected some text"),
        ({"corrected_by": ""}, "corrected_by: expected some text"),
        ({"mutants": [MUTANT]}, "mutants: expected a tuple of Mutant"),
        ({"mutants": (STRICT,)}, "mutants: expected a tuple of Mutant"),
        ({"mutants": (MUTANT, MUTANT)}, "got 'strict' twice"),
        ({"mutants": (Mutant("same", SQUARE, "?"),)}, "got the statement itself"),
    ],
)
def test_claims_of_bad_form(changes, message):
    with pytest.raises(ClaimError, match=r"^test\.square: ") as caught:
        claim(**changes)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "statement", "why"), [("", STRICT, "?"), ("m", STRICT, ""), ("m", "x > 0", "false")]
)
def test_mutants_of_bad_form(name, statement, why):
    with pytest.raises(ClaimError, match=r"^mutant"):
        Mutant(name, statement, why)


@pytest.mark.parametrize("device", ["auto", "cpu", "cuda", "cuda:1", "mps"])
def test_devices(device):
    assert Settings(device=device).device == device


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("profile", value) for value in ("slow", None)),
        *(("seed", value) for value in (-1, 1.0, "1", True)),
        *(("device", value) for value in ("gpu", "cpu:0; rm", "", None)),
        *(("alpha", value) for value in (1e-6, 0, Fraction(0), Fraction(1), Fraction(-1, 2))),
    ],
)
def test_settings_of_bad_form(field, value):
    with pytest.raises(ClaimError, match=f"^{field}: expected"):
        Settings(**{field: value})
