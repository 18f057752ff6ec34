"""The README is true: its examples run, its output is what comes out, its table is counted."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
EXAMPLES = dict(re.findall(r"<!-- example: (\S+) -->\n```python\n(.*?)```", README, re.S))
LEMMATA = [sys.executable, "-m", "lemmata.verify"]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LEMMATA, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, code in EXAMPLES.items():
        (tmp_path / name).write_text(code)
    return tmp_path


def test_first_claim_gives_the_output_shown(folder: Path) -> None:
    (shown,) = re.findall(
        r"<!-- output: lemmata verify my_claims.py -->\n```\n(.*?)```", README, re.S
    )
    done = run(folder, "verify", "my_claims.py")
    assert done.returncode == 1, done.stderr
    printed = re.sub(r" +[0-9.]+ s  ", "   ", done.stdout)
    for line in shown.splitlines():
        assert line.split() in [other.split() for other in printed.splitlines()]


def test_added_claim_is_proved_and_its_mutants_refuted(folder: Path) -> None:
    done = run(folder, "verify", "more_claims.py", "--mutants")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "proved" in done.stdout
    assert "all 3 mutants refuted" in done.stdout


def test_a_damaged_derivation_is_rejected_at_its_line(folder: Path) -> None:
    code = EXAMPLES["more_claims.py"]
    damaged = code.replace('"linear", steep)', '"sign")')
    assert damaged != code
    (folder / "damaged.py").write_text(damaged)
    done = run(folder, "verify", "damaged.py")
    assert done.returncode == 1
    assert "line 3 (sign)" in done.stdout


def test_assertions_shown_hold() -> None:
    (code,) = re.findall(
        r"```python\n(from lemmata.verify import assert_holds.*?)```", README, re.S
    )
    exec(compile(code, "README.md", "exec"), {})


def test_parts_shown_can_be_used(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "parts.py"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["1/10"], done.stderr


def test_families_are_counted(folder: Path) -> None:
    from lemmata.verify.claims import CLAIMS

    rows = re.findall(r"^\| \[(\w+)\]\((\S+)\) \| .*? \| (.*) \|$", README, re.M)
    assert {family for family, _, _ in rows} == {claim.family for claim in CLAIMS}
    for family, page, cells in rows:
        assert (ROOT / page).is_file()
        own = [claim for claim in CLAIMS if claim.family == family]
        count = Counter(claim.expected for claim in own)
        mutants = sum(len(claim.mutants) for claim in own)
        outcomes = ("proved", "certified", "confirmed", "refuted")
        numbers = [len(own), *(count[outcome] for outcome in outcomes)]
        assert cells.split(" | ") == [*map(str, numbers), f"{mutants} of {mutants}"]


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).is_file(), f"{page.name} links to {target}"


def test_named_commands_exist() -> None:
    help_text = run(ROOT, "--help").stdout
    for word in set(re.findall(r"`lemmata ([a-z]+)", README)):
        assert word in help_text
    targets = (ROOT / "Makefile").read_text()
    for word in set(re.findall(r"make ([a-z]+)", README)):
        assert re.search(rf"^{word}:", targets, re.M)
