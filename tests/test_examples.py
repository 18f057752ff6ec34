"""Every script in examples/ runs, from any folder, and leaves what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_example_runs(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = [
        Path(line.removeprefix("wrote "))
        for line in done.stdout.splitlines()
        if line.startswith("wrote ")
    ]
    assert written
    assert all((tmp_path / path).stat().st_size > 1000 for path in written)


def test_picture_in_the_readme_is_current(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    script = ROOT / "examples" / "degree_budget.py"
    subprocess.run([sys.executable, str(script), str(picture)], check=True, capture_output=True)
    assert picture.read_text() == (ROOT / "docs" / "images" / "degree_budget.svg").read_text()
