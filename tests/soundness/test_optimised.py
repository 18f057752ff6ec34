"""The same refusals with and without `python -O`, which drops every `assert`."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from lemmata.verify.kernel import check
from lemmata.verify.kernel.derivations import ALL
from lemmata.verify.kernel.evidence import Derivation, Evidence

TABLE = Path(__file__).with_name("negatives.py")
REPORTER = Path(__file__).with_name("reporter.py")

# A table with one case of each kind, for changes that the reporter must notice.
SMALL = """
from sympy import Integer
from lemmata.symbolic.statements import Relation
from lemmata.verify.kernel.evidence import Enumeration
true, false = Relation(Integer(1), "<", Integer(2)), Relation(Integer(2), "<", Integer(1))
NEGATIVES = (("down", {negative}, (Enumeration(1),)),)
POSITIVES = (("up", {positive}, (Enumeration(1),)),)
"""


def load():
    spec = importlib.util.spec_from_file_location("negatives", TABLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cases = load()


def report(table, *flags):
    command = [sys.executable, *flags, str(REPORTER), str(table)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("case", cases.NEGATIVES, ids=lambda case: case[0])
def test_a_negative_earns_no_support(case):
    assert check(*case).outcome in ("refuted", "inconclusive")


@pytest.mark.parametrize("case", cases.POSITIVES, ids=lambda case: case[0])
def test_a_positive_earns_support(case):
    assert check(*case).outcome in cases.SUPPORT


def test_no_rule_and_no_kind_of_evidence_is_left_out():
    named = {name.partition(":")[0] for name, _, _ in cases.NEGATIVES}
    kinds = {kind.__name__ for kind in get_args(Evidence)} - {Derivation.__name__}
    assert {*ALL, "claim", *kinds} <= named
    names = [name for name, _, _ in cases.NEGATIVES]
    assert len(set(names)) == len(names) >= 40


def test_under_optimisation():
    found = report(TABLE, "-O")
    counts = f"{len(cases.NEGATIVES)} and {len(cases.POSITIVES)} cases\n"
    assert (found.returncode, found.stdout, found.stderr) == (0, counts, "")


@pytest.mark.parametrize(
    ("negative", "positive", "code", "told"),
    [
        ("false", "true", 0, ""),
        ("true", "true", 1, "NEGATIVES: down: certified\n"),
        ("false", "false", 1, "POSITIVES: up: inconclusive\n"),
    ],
)
def test_the_reporter_can_fail(tmp_path, negative, positive, code, told):
    table = tmp_path / "table.py"
    table.write_text(SMALL.format(negative=negative, positive=positive))
    found = report(table, "-O")
    assert (found.returncode, found.stdout) == (code, f"{told}1 and 1 cases\n")


def test_the_reporter_insists_on_optimisation(tmp_path):
    found = report(TABLE)
    assert (found.returncode, found.stderr) == (1, "run this with python -O\n")
