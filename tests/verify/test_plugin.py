"""The pytest plugin, in test suites of its own."""

import subprocess
import sys
from textwrap import dedent

import pytest

CLAIMS = """
from sympy import Integer, Symbol, log
from lemmata.verify import Claim, Maximum, REALS, Relation, above

x, d = Symbol("x"), Symbol("d")
CLAIMS = (
    Claim(
        id="mine.square",
        title="A square expands so",
        statement=Relation((x + 1) ** 2, "=", x**2 + 2 * x + 1, ((x, REALS),)),
        source="school",
    ),
    Claim(
        id="mine.peak",
        title="ln d / d peaks at 3",
        statement=Maximum(log(d) / d, d, above(0), Integer(3)),
        source="a guess",
    ),
    Claim(
        id="mine.peak-known-false",
        title="ln d / d peaks at 2",
        statement=Maximum(log(d) / d, d, above(0), Integer(2)),
        source="a guess",
        expected="refuted",
    ),
)
"""


@pytest.fixture
def suite(pytester):
    """Runs a test file beside a file of claims."""

    def run(test, *options):
        pytester.makepyfile(my_claims=CLAIMS)
        pytester.makepyfile("import pytest\n" + dedent(test))
        return pytester.runpytest("-p", "no:randomly", "--strict-markers", *options)

    return run


def test_a_marked_test_runs_once_for_each_claim(suite):
    done = suite(
        """
        @pytest.mark.claims("my_claims.py", "mine.square", "mine.peak-known-false")
        def test_theory(claim):
            assert claim.outcome == claim.expected
            assert claim.id.startswith("mine.")
        """,
        "-v",
    )
    done.assert_outcomes(passed=2)
    done.stdout.fnmatch_lines(
        ["*::test_theory[[]mine.square[]] PASSED*", "*[[]mine.peak-known-false[]] PASSED*"]
    )


def test_the_fixture_need_not_be_named(suite):
    done = suite(
        """
        pytestmark = pytest.mark.claims("my_claims.py")

        @pytest.mark.parametrize("number", [1, 2])
        def test_theory(number):
            pass
        """
    )
    done.assert_outcomes(passed=4, failed=2)


def test_a_glob_selects_claims_of_lemmata(suite):
    done = suite(
        """
        @pytest.mark.claims("degree.opt*")
        class TestDegree:
            def test_theory(self, claim):
                assert claim.family == "degree"
        """
    )
    done.assert_outcomes(passed=1)


def test_a_claim_without_its_verdict_fails_and_says_why_and_how_to_see_it_again(suite, pytester):
    done = suite(
        """
        @pytest.mark.claims("my_claims.py", "mine.peak", seed=7)
        def test_theory():
            raise SystemExit("the body must not run")
        """
    )
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "mine.peak: ln d / d peaks at 3",
            "    verdict: refuted (wanted: proved)",
            "    statement: the only maximum of *",
            "    Counterexample refuted: *",
            f"    reproduce: lemmata verify {pytester.path}/my_claims.py mine.peak --seed 7",
        ]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'degree.optimun'", "*'degree.optimun'*Did you mean degree.optimum*"),
        ("'nothing.*'", "*'nothing.[*]'*no claim matches*"),
        ("'absent.py'", "*absent.py*No such file*"),
        ("", "*expected the ids of claims*got nothing*"),
        ("5", "*got int*"),
        ("'degree.optimum', profile='fast'", "*profile*quick, full*fast*"),
        ("'degree.optimum', speed=3", "*speed*"),
    ],
)
def test_a_marker_that_cannot_be_met_is_a_collection_error(suite, arguments, message):
    done = suite(f"@pytest.mark.claims({arguments})\ndef test_theory(claim):\n    pass\n")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([message])
    assert "Traceback" not in done.stdout.str()


def test_the_fixture_without_the_marker_says_what_is_missing(suite):
    done = suite("def test_theory(claim):\n    pass\n")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*needs the marker*"])


def test_the_marker_on_a_unittest_method_is_not_ignored(suite):
    done = suite(
        """
        import unittest

        class TestTheory(unittest.TestCase):
            @pytest.mark.claims("degree.optimum")
            def test_theory(self):
                pass
        """
    )
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*works on test functions only*"])


def test_check_claim_returns_the_result_or_fails(suite):
    done = suite(
        """
        def test_true(check_claim):
            assert check_claim("degree.optimum", seed=2).outcome == "proved"

        def test_value(check_claim):
            from my_claims import CLAIMS
            assert check_claim(CLAIMS[0]).id == "mine.square"

        def test_false(check_claim):
            from my_claims import CLAIMS
            check_claim(CLAIMS[1])

        def test_several(check_claim):
            check_claim("my_claims.py")

        def test_unknown(check_claim):
            check_claim("degree.optimun")
        """
    )
    done.assert_outcomes(passed=2, failed=3)
    done.stdout.fnmatch_lines(
        [
            "    verdict: refuted (wanted: proved)",
            "    reproduce: pytest *::test_false",
            "check_claim: expected one claim; got mine.square, mine.peak, mine.peak-known-false",
            "*Did you mean degree.optimum*",
        ]
    )


def test_the_marker_is_documented(pytester):
    pytester.runpytest("--markers").stdout.fnmatch_lines(["@pytest.mark.claims(?targets*"])


def test_nothing_is_loaded_for_a_suite_without_claims(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_nothing():
            assert "lemmata.verify.plugin" in sys.modules
            assert not {"sympy", "torch", "rich", "lemmata.verify.claim"} & sys.modules.keys()
        """
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly"],
        cwd=pytester.path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
