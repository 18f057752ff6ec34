"""The wheel holds what it should, and works in an empty environment without torch or cvxpy."""

import configparser
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("symbolic", "numeric", "verify")
LIGHT = ("sympy", "python-flint", "typer", "rich")
LEFT_OUT = ("build", "dist", "runs", "__pycache__", "*.egg-info", ".*")
OFFLINE = ("connection broken by", "Could not fetch URL", "Temporary failure in name resolution")


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The finished command, which sees the outside world but none of this process's Python."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def copy_sources(target: Path) -> None:
    """The files a clone would hold, new ones included; all but the obvious without git."""
    if shutil.which("git"):
        listed = run("git", "ls-files", "-coz", "--exclude-standard", cwd=ROOT)
        if listed.returncode == 0:
            for name in filter(None, listed.stdout.split("\0")):
                if (ROOT / name).is_file():  # not one deleted since the last commit
                    (target / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, target / name)
            return
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("clone")
    copy_sources(target)
    return target


@pytest.fixture(scope="module")
def wheel(clone, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out)
    done = run(*command, cwd=clone)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_three_packages_and_nothing_else(clone, wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        f"lemmata/{path.relative_to(clone).as_posix()}"
        for folder in FOLDERS
        for path in (clone / folder).rglob("*")
        if path.is_file()
    }
    missing, extra = sorted(expected - held), sorted(held - expected)
    assert not missing, (
        f"not in the wheel; add __init__.py, or package-data to pyproject: {missing}"
    )
    assert not extra, f"in the wheel without belonging to the packages: {extra}"


def test_every_package_is_marked_as_typed(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert {f"lemmata/{folder}/py.typed" for folder in FOLDERS} <= held


def test_the_wheel_declares_the_command_the_plugin_and_the_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (listing,) = (n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt"))
        entry_points = configparser.ConfigParser()
        entry_points.read_string(archive.read(listing).decode())
        metadata = archive.read(listing.replace("entry_points.txt", "METADATA")).decode()
        assert any(name.endswith("/licenses/LICENSE") for name in archive.namelist())
    assert entry_points["console_scripts"]["lemmata"] == "lemmata.verify.cli:main"
    assert entry_points["pytest11"]["lemmata"] == "lemmata.verify.plugin"
    assert "License-Expression: MIT" in metadata


def install(python: Path, *what: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-input")
    return run(*pip, "--retries", "1", *what, cwd=cwd)


def test_the_wheel_lists_its_claims_in_an_empty_environment(wheel, tmp_path):
    made = run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    scripts = tmp_path / "empty" / "bin"
    python = scripts / "python"

    done = install(python, "--constraint", ROOT / "constraints.txt", *LIGHT, cwd=tmp_path)
    unreached = [line for line in done.stderr.splitlines() if any(sign in line for sign in OFFLINE)]
    if done.returncode and unreached and not os.environ.get("CI"):
        pytest.skip(f"the package index cannot be reached: {unreached[0]}")
    assert done.returncode == 0, done.stderr
    done = install(python, "--no-deps", "--no-index", wheel, cwd=tmp_path)
    assert done.returncode == 0, done.stderr

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    listed = run(scripts / "lemmata", "list", cwd=elsewhere)
    assert listed.returncode == 0, listed.stderr
    assert "degree." in listed.stdout
