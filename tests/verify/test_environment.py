"""What a run depends on is told without importing anything heavy."""

import subprocess
import sys

from lemmata.verify.environment import PACKAGES, code_digest, environment, resolve_device


def test_versions_and_device():
    found = environment("cuda:1")
    assert found["device"] == "cuda:1"
    assert set(found["packages"]) == set(PACKAGES)
    assert all(found["packages"].values())
    assert resolve_device("cpu") == "cpu"
    assert resolve_device("auto") in ("cpu", "cuda")


def test_the_code_is_told_apart_by_its_content():
    assert code_digest() == environment()["code"]
    assert len(code_digest()) == 64


def test_nothing_heavy_is_imported():
    code = (
        "import sys; from lemmata.verify import catalogue, recheck, runner, store;"
        "from lemmata.verify.environment import environment; environment('cpu');"
        "catalogue.builtin();"
        "print([m for m in ('torch', 'cvxpy', 'numpy', 'scipy', 'dask') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
