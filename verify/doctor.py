"""What a complete installation has, checked one by one: `lemmata doctor`.

The only place of `verify` that imports heavy libraries to see whether they work.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

REQUIRED = ("sympy", "python-flint", "numpy", "scipy", "torch", "cvxpy", "typer", "rich")
OLDEST_PYTHON = (3, 11)


class MissingError(Exception):
    """What is not there, and the remedy."""

    def __init__(self, found: str, remedy: str) -> None:
        super().__init__(found)
        self.found, self.remedy = found, remedy


@dataclass(frozen=True)
class Checkup:
    """One thing looked at: what was found, and the remedy when it is not as it should be."""

    name: str
    ok: bool
    found: str
    remedy: str = ""
    optional: bool = False


def examine() -> list[Checkup]:
    """Everything a run may need, in the order in which it needs it."""
    return [
        _look("python", _python),
        *(_look(name, _installed(name)) for name in ("lemmata", *REQUIRED)),
        _look("arithmetic", _ball_arithmetic),
        _look("device", _device),
        _look("solvers", _solvers),
        _look("cluster", _cluster, optional=True),
        _look("run folder", _writable),
    ]


def _look(name: str, question: Callable[[], str], optional: bool = False) -> Checkup:
    try:
        return Checkup(name, True, question(), optional=optional)
    except MissingError as gap:
        return Checkup(name, False, gap.found, gap.remedy, optional)
    # A broken library may raise anything when it is imported; that is the finding.
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
        return Checkup(name, False, found, "reinstall it: pip install --force-reinstall", optional)


def _python() -> str:
    found = f"{platform.python_version()} ({platform.machine()}, {platform.system()})"
    if sys.version_info < OLDEST_PYTHON:
        raise MissingError(found, "install Python 3.11 or newer")
    return found


def _installed(package: str) -> Callable[[], str]:
    def question() -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            raise MissingError("not installed", f"pip install {package}") from None

    return question


def _ball_arithmetic() -> str:
    from flint import arb

    if not arb(2).log() < 1:
        raise MissingError(
            "ball arithmetic gives wrong signs", "pip install --force-reinstall python-flint"
        )
    return "exact rationals and balls (FLINT)"


def _device() -> str:
    try:
        import torch
    except ImportError as error:
        raise MissingError(str(error), "pip install torch") from None

    if torch.cuda.is_available():
        return f"cuda, {torch.cuda.device_count()} device(s): {torch.cuda.get_device_name(0)}"
    threads = f"cpu, {torch.get_num_threads()} thread(s)"
    if torch.backends.mps.is_available():
        return f"{threads}; mps is present but has no float64, so it is not used"
    return f"{threads}; no cuda device"


def _solvers() -> str:
    try:
        import cvxpy
    except ImportError as error:
        raise MissingError(str(error), "pip install cvxpy") from None

    found = cvxpy.installed_solvers()
    if not found:
        raise MissingError("cvxpy has no solver", "pip install clarabel")
    return ", ".join(found)


def _cluster() -> str:
    try:
        import distributed  # noqa: F401 (importing it is the question)
    except ImportError:
        raise MissingError(
            "dask is not installed (needed for --cluster only)", "pip install 'lemmata[cluster]'"
        ) from None
    return f"dask distributed {version('distributed')}"


def _writable() -> str:
    folder = Path(".")
    try:
        folder = folder.resolve()
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except OSError as error:
        raise MissingError(
            f"cannot write in {folder}: {error.strerror}", "give a folder: --out DIR"
        ) from None
