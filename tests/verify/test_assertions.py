"""assert_holds and assert_refuted: what they take, and what they say."""

import subprocess
import sys

import pytest
from sympy import Integer, Rational, Symbol, log

from lemmata.verify import (
    REALS,
    Claim,
    Maximum,
    Relation,
    Settings,
    Trend,
    above,
    assert_holds,
    assert_refuted,
)
from lemmata.verify.catalogue import UnknownClaimError

x, d = Symbol("x"), Symbol("d")
TRUE = Relation((x + 1) ** 2, "=", x**2 + 2 * x + 1, ((x, REALS),))
FALSE = Maximum(log(d) / d, d, above(0), Integer(3))


def claim(statement, **more):
    return Claim(id="mine.own", title="My own", statement=statement, source="school", **more)


@pytest.mark.parametrize("target", ["degree.optimum", "degree.opt*", TRUE, claim(TRUE)])
def test_what_holds(target):
    assert_holds(target)
    with pytest.raises(AssertionError, match=r"verdict: \w+ \(wanted: refuted\)"):
        assert_refuted(target)


@pytest.mark.parametrize(
    "target", ["degree.integral-slip", FALSE, claim(FALSE), claim(FALSE, expected="refuted")]
)
def test_what_is_refuted(target):
    assert_refuted(target)
    with pytest.raises(AssertionError, match="wanted: proved or certified or confirmed"):
        assert_holds(target)


@pytest.mark.parametrize("demand", [assert_holds, assert_refuted])
def test_what_is_neither(demand):
    undecided = Trend("nothing", (), Integer(0), Rational(1, 2) ** x, x)
    with pytest.raises(AssertionError, match="verdict: inconclusive") as failure:
        demand(undecided)
    assert "no evidence was given, and none was found automatically" in str(failure.value)


def test_the_message_shows_the_evidence_and_the_command():
    with pytest.raises(AssertionError) as failure:
        assert_holds("degree.integral-slip", settings=Settings(seed=4))
    text = str(failure.value)
    assert text.startswith("degree.integral-slip: ")
    assert "verdict: refuted (wanted: proved or certified or confirmed)" in text
    assert "Counterexample refuted: " in text
    assert text.endswith("reproduce: lemmata verify degree.integral-slip --seed 4")


def test_a_claim_of_no_file_is_reproduced_by_its_test(request):
    with pytest.raises(AssertionError) as failure:
        assert_holds(FALSE)
    assert f"test_assertions.py::{request.node.name}" in str(failure.value).splitlines()[-1]


def test_a_glob_reports_each_claim_that_fails():
    with pytest.raises(AssertionError) as failure:
        assert_holds("degree.*")
    reported = [line.split(":")[0] for line in str(failure.value).split("\n\n")]
    assert "degree.integral-slip" in reported
    assert "degree.optimum" not in reported


def test_a_file_of_claims(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from sympy import Integer\n"
        "from lemmata.verify import Claim, Relation\n"
        "ONE = Claim('mine.one', 'One', Relation(Integer(1), '<', Integer(2)), 'school')\n"
    )
    assert_holds(str(path))
    with pytest.raises(AssertionError, match=f"reproduce: lemmata verify {path} mine.one"):
        assert_refuted(str(path))


def test_an_unknown_id_is_no_failed_assertion():
    with pytest.raises(UnknownClaimError, match=r"Did you mean degree\.optimum"):
        assert_holds("degree.optimun")


@pytest.mark.parametrize("target", [None, 5, x > 0, b"degree.optimum", ["degree.optimum"]])
def test_anything_else_is_a_clear_error(target):
    with pytest.raises(ValueError, match="expected"):
        assert_holds(target)


def test_the_names_of_the_package_are_all_there():
    import lemmata.verify

    for name in lemmata.verify.__all__:
        assert name == "REALS" or getattr(lemmata.verify, name).__name__ == name
    assert set(lemmata.verify.__all__) <= set(dir(lemmata.verify))
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        lemmata.verify.nonsense  # noqa: B018


def test_importing_the_package_loads_none_of_it():
    code = (
        "import sys, lemmata.verify; print({'sympy', 'lemmata.verify.claim'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
