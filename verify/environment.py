"""What a run depends on besides its settings: versions, the code itself, the device.

Read from metadata and files; nothing heavy is imported, save torch where only it can tell what
device `auto` means.
"""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("lemmata", "sympy", "python-flint", "numpy", "scipy", "torch", "cvxpy")
FOLDERS = ("symbolic", "numeric", "verify")


def environment(device: str = "auto") -> dict[str, Any]:
    """As it stands in the header of a run; `device` is the one asked for."""
    return {**dict(_common()), "device": resolve_device(device)}


@cache
def _common() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: _version(name) for name in PACKAGES},
        "code": code_digest(),
    }


def resolve_device(device: str) -> str:
    """`auto` made definite here, once, so that every worker of a run uses the same kind."""
    if device != "auto":
        return device
    torch = _version("torch")
    if torch is None or torch.endswith("+cpu"):  # such a build has no other device
        return "cpu"
    from ..numeric.device import resolve

    return str(resolve("auto")[0])


def code_digest() -> str:
    """SHA-256 of lemmata's own source files: two checkouts of one version may differ."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            found.update(f"{path.relative_to(root)}\n".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
