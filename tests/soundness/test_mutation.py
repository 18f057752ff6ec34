"""The kernel's tests notice breakages of the kernel: a sample here, all by mutate_kernel.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mutate_kernel
import pytest

SCRIPT = Path(mutate_kernel.__file__)


def broken(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *options],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_a_sample_of_breakages_is_noticed() -> None:
    done = broken("--sample", "12", "--seed", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all" in done.stdout


def test_tests_that_assert_nothing_notice_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    done = broken("--sample", "2", "--seed", "3", "--tests", str(tmp_path))
    assert done.returncode == 1
    assert done.stdout.count("NOT LISTED") == 2


SOURCE = """
def check(a, b):
    require(a < b, "order")
    if not a:
        return 1
    if a == b and b:
        raise Rejected("no")
    return 2
"""


@pytest.mark.parametrize(
    ("change", "count"),
    [("negate comparison", 2), ("move boundary", 1), ("drop not", 1), ("swap and, or", 1),
     ("drop return", 1), ("drop require", 1), ("drop raise", 1)],
)  # fmt: skip
def test_each_kind_of_change_is_made(change: str, count: int) -> None:
    made = [m for m in mutate_kernel.mutants("sample", SOURCE) if m.change == change]
    assert len(made) == count
    assert len({m.source for m in made}) == count
    assert all(m.source != SOURCE for m in made)


def test_known_survivors_have_reasons_and_still_exist() -> None:
    keys = {mutant.key for mutant in mutate_kernel.everything()}
    for key, reason in mutate_kernel.listed().items():
        assert key in keys, f"{key} is no longer in the kernel; remove it from survivors.txt"
        assert len(reason) > 10
