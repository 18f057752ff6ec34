"""Who may import whom, and what the kernel must not contain, read from the source tree."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("symbolic", "numeric", "verify")
HEAVY = ("torch", "cvxpy", "numpy", "scipy", "matplotlib", "dask", "distributed")
KERNEL = "lemmata.verify.kernel"

SYMBOLIC_MODULES = (*sys.stdlib_module_names, "sympy", "flint", "lemmata.symbolic")
KERNEL_MODULES = (
    *(*sys.stdlib_module_names, "sympy", "flint", KERNEL),
    *("lemmata.symbolic.statements", "lemmata.symbolic.derivation"),
)
# The one module of the kernel that computes with numpy's integers; loaded when it is needed.
KERNEL_ARRAYS = "lemmata.verify.kernel.values"
# What would let the kernel run code, guess, or depend on anything but its input.
KERNEL_BANNED_MODULES = ("random", "secrets", "uuid", "time", "datetime", "importlib", "pickle")
KERNEL_BANNED_NAMES = frozenset(
    {"eval", "exec", "__import__", "breakpoint", "sympify", "_sympify", "parse_expr"}
    | {"simplify", "nsimplify", "evalf", "random", "time"}
)
KERNEL_BANNED_CALLS = frozenset({"float", "complex", "compile", "S"})  # S("...") is sympify
EXACT_MATH = frozenset({"gcd", "lcm", "isqrt", "comb", "perm", "factorial", "prod"})


@dataclass(frozen=True)
class Import:
    """One imported name, made absolute: `from .rules import check` in the kernel is
    `lemmata.verify.kernel.rules.check`."""

    name: str
    line: int
    at_import_time: bool
    relative: bool


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("lemmata", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def sources() -> dict[str, Path]:
    """Every module of the three packages, by the name it installs under."""
    paths = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))
    return {module_name(path): path for path in paths}


def package_of(module: str, path: Path | None) -> str:
    """The package that relative imports in `module` start from."""
    is_package = path is not None and path.name == "__init__.py"
    return module if is_package else module.rpartition(".")[0]


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(source: str, package: str) -> Iterator[Import]:
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source), True)]
    while pending:
        node, at_import_time = pending.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, at_import_time, relative=False)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                stem = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join((*stem, *filter(None, [node.module])))
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield Import(name, node.lineno, at_import_time, relative=node.level > 0)
        deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        inner = at_import_time and not deferred and not is_type_checking(node)
        pending.extend((child, inner) for child in ast.iter_child_nodes(node))


def within(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(module + ".") for module in modules)


def broken_rule(module: str, item: Import) -> str | None:
    """Why `module` may not import `item`; None when it may."""
    if within(item.name, (*FOLDERS, "lemmata")) and not item.relative:
        return "between the packages write a relative import"
    if within(module, ("lemmata.symbolic",)):
        if not within(item.name, SYMBOLIC_MODULES):
            return "symbolic may import the standard library, sympy and flint"
    elif within(module, ("lemmata.numeric",)):
        if within(item.name, ("lemmata.symbolic", "lemmata.verify", "sympy")):
            return "numeric may use neither symbolic, verify nor sympy"
    elif within(module, (KERNEL,)):
        inexact = item.name.startswith("math.") and item.name.split(".")[1] not in EXACT_MATH
        banned = within(item.name, KERNEL_BANNED_MODULES)
        arrays = module == KERNEL_ARRAYS and item.name == "numpy"
        if inexact or banned or not (arrays or within(item.name, KERNEL_MODULES)):
            return "not part of the kernel's trusted base"
    elif item.at_import_time and within(item.name, HEAVY):
        return "heavy; import it inside the function that uses it"
    return None


def import_violations(module: str, source: str, path: Path | None = None) -> list[str]:
    """What `source`, as the module of that name, imports against the rules."""
    return [
        f"{module}:{item.line} imports {item.name}: {reason}"
        for item in imports(source, package_of(module, path))
        if (reason := broken_rule(module, item))
    ]


def kernel_violations(module: str, source: str) -> list[str]:
    """Constructs in `source` that have no place in the trusted kernel."""
    found = []
    for node in ast.walk(ast.parse(source)):
        problem = None
        match node:
            case ast.Assert():
                problem = "assert vanishes under python -O; raise instead"
            case ast.Constant(value=float() | complex()):
                problem = f"{node.value!r} is inexact; write an exact number"
            case ast.Call(func=ast.Name(id=name)) if name in KERNEL_BANNED_CALLS:
                problem = f"{name}(...) is inexact or runs text as code"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in EXACT_MATH:
                problem = f"math.{name} is inexact"
            case ast.Attribute(attr="equals"):
                problem = ".equals guesses; use a polynomial zero test"
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if (
                name.rpartition(".")[2] in KERNEL_BANNED_NAMES
            ):
                problem = f"{name} has no place in the kernel"
        if problem:
            found.append(f"{module}:{getattr(node, 'lineno', 0)} {problem}")
    return found


def loaded_at_import(module: str, tree: dict[str, str], packages: set[str]) -> dict[str, str]:
    """Heavy names that importing `module` would load, each with the module that asks for it."""
    heavy: dict[str, str] = {}
    seen: set[str] = set()
    pending = [module]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        package = current if current in packages else current.rpartition(".")[0]
        for item in imports(tree[current], package):
            if item.at_import_time and within(item.name, HEAVY):
                heavy[item.name] = current
            # Importing a.b.c runs a and a.b too.
            parts = item.name.split(".")
            prefixes = {".".join(parts[: end + 1]) for end in range(len(parts))}
            pending.extend(prefixes & tree.keys() if item.at_import_time else ())
    return heavy


def test_every_module_keeps_the_import_rules():
    found = [
        violation
        for module, path in sources().items()
        for violation in import_violations(module, path.read_text("utf-8"), path)
    ]
    assert not found, "\n".join(found)


def test_the_kernel_holds_nothing_inexact_or_unsafe():
    found = [
        violation
        for module, path in sources().items()
        if within(module, (KERNEL,))
        for violation in kernel_violations(module, path.read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


def test_importing_a_verify_module_never_leads_to_a_heavy_one():
    tree = {module: path.read_text("utf-8") for module, path in sources().items()}
    packages = {module for module, path in sources().items() if path.name == "__init__.py"}
    found = [
        f"{module} loads {name} (asked for by {by}) when it is imported"
        for module in tree
        if within(module, ("lemmata.verify",)) and module != KERNEL_ARRAYS
        for name, by in loaded_at_import(module, tree, packages).items()
    ]
    assert not found, "\n".join(found)


def test_every_folder_of_modules_is_a_package():
    """Packages are found by their `__init__.py`; without one a folder would not be installed."""
    found = {
        str(path.parent.relative_to(ROOT))
        for path in sources().values()
        if not (path.parent / "__init__.py").exists()
    }
    assert not found, f"no __init__.py in {sorted(found)}; the wheel would lack these folders"


BAD_IMPORTS = [
    ("lemmata.symbolic.x", "import torch"),
    ("lemmata.symbolic.x", "def f():\n    import numpy as np"),
    ("lemmata.symbolic.x", "from ..numeric import sampling"),
    ("lemmata.symbolic.x", "from .. import verify"),
    ("lemmata.symbolic.fam.x", "from ...verify.claim import Claim"),
    ("lemmata.symbolic.x", "if TYPE_CHECKING:\n    from ..numeric.device import Device"),
    ("lemmata.numeric.x", "from ..symbolic import degree"),
    ("lemmata.numeric.x", "from sympy.core import Expr"),
    ("lemmata.numeric.x", "import lemmata.verify"),
    ("lemmata.verify.x", "import torch.nn"),
    ("lemmata.verify.x", "class A:\n    from numpy import array"),
    ("lemmata.verify.x", "try:\n    import dask\nexcept ImportError:\n    dask = None"),
    ("lemmata.verify.x", "from symbolic import degree"),
    ("lemmata.verify.x", "import verify.claim"),
    ("lemmata.verify.kernel.x", "from ...symbolic import degree"),
    ("lemmata.verify.kernel.x", "from ...numeric.acceptance import test"),
    ("lemmata.verify.kernel.x", "from ..claim import Claim"),
    ("lemmata.verify.kernel.x", "def f():\n    import numpy"),
    ("lemmata.verify.kernel.x", "import random"),
    ("lemmata.verify.kernel.x", "from time import monotonic"),
    ("lemmata.verify.kernel.x", "from math import sqrt"),
    ("lemmata.verify.kernel.x", "import mpmath"),
]
GOOD_IMPORTS = [
    ("lemmata.symbolic.x", "import math\nfrom sympy import Expr\nimport flint"),
    ("lemmata.symbolic.fam.x", "from ..derivation import Line\nfrom . import y"),
    ("lemmata.numeric.x", "import torch, numpy, flint\nfrom .device import pick"),
    ("lemmata.verify.x", "from ..symbolic.statements import Relation\nimport typer"),
    ("lemmata.verify.x", "def f():\n    import torch\n    from ..numeric import degree"),
    ("lemmata.verify.x", "if TYPE_CHECKING:\n    import torch"),
    ("lemmata.verify.kernel.x", "from ...symbolic.statements import Relation"),
    ("lemmata.verify.kernel.x", "from ...symbolic import derivation"),
    ("lemmata.verify.kernel.x", "from .rules import check\nfrom math import gcd\nimport flint"),
]


@pytest.mark.parametrize(("module", "source"), BAD_IMPORTS)
def test_a_forbidden_import_is_reported(module, source):
    assert len(import_violations(module, source)) == 1


@pytest.mark.parametrize(("module", "source"), GOOD_IMPORTS)
def test_an_allowed_import_passes(module, source):
    assert import_violations(module, source) == []


def test_relative_imports_of_a_package_start_at_itself():
    path = ROOT / "verify" / "kernel" / "__init__.py"
    assert import_violations(KERNEL, "from .rules import check", path) == []
    assert len(import_violations(KERNEL, "from ..claim import Claim", path)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "assert x",
        "eval('1')",
        "exec(code)",
        "__import__('os')",
        "from sympy import sympify",
        "from sympy import simplify as s",
        "sympy.simplify(x)",
        "x.simplify()",
        "x.equals(y)",
        "x.evalf()",
        "S('1/3')",
        "sympy.parsing.sympy_parser.parse_expr(t)",
        "import random",
        "import time",
        "x = 0.5",
        "x = 1e-9",
        "x = 2j",
        "float(x)",
        "math.sqrt(2)",
        "map(eval, lines)",
    ],
)
def test_a_forbidden_construct_in_the_kernel_is_reported(source):
    assert kernel_violations(KERNEL, source)


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "isinstance(x, float)",
        "S.Zero",
        "math.gcd(4, 6)",
        "if not x:\n    raise ValueError('no assert, no eval, 0.5 in text')",
        "Rational(1, 2)",
    ],
)
def test_an_allowed_construct_in_the_kernel_passes(source):
    assert kernel_violations(KERNEL, source) == []


def test_a_heavy_import_is_found_through_other_modules():
    tree = {
        "lemmata.verify": "",
        "lemmata.verify.a": "from . import b\ndef f():\n    import scipy",
        "lemmata.verify.b": "from ..numeric.c import g",
        "lemmata.numeric": "import cvxpy",
        "lemmata.numeric.c": "import torch",
    }
    packages = {"lemmata.verify", "lemmata.numeric"}
    assert loaded_at_import("lemmata.verify.a", tree, packages) == {
        "torch": "lemmata.numeric.c",
        "cvxpy": "lemmata.numeric",
    }


LOADED = "import sys; print(*sorted(set({heavy!r}) & sys.modules.keys()))"


def heavy_modules_after(code: str) -> str:
    """The heavy modules that a fresh interpreter has loaded after running `code`."""
    script = f"{code}\n{LOADED.format(heavy=HEAVY)}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd="/"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_importing_verify_loads_nothing_heavy():
    assert heavy_modules_after("import lemmata.verify") == ""


def test_lemmata_list_loads_nothing_heavy():
    code = """
import sys
from lemmata.verify.cli import main
sys.argv = ["lemmata", "list"]
try:
    main()
except SystemExit as stop:
    if stop.code:
        raise
"""
    assert heavy_modules_after(code) == ""


def test_the_fresh_interpreter_reports_a_heavy_module():
    assert "numpy" in heavy_modules_after("import numpy").split()
