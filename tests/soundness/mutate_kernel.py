"""Breaks the kernel's own source, one place at a time, and asks whether tests/kernel notices.

    python tests/soundness/mutate_kernel.py [--sample N] [--seed S] [--module rules ...] [--jobs 2]

Mutations: each comparison is negated or moved to its boundary, each `not` dropped, each `and`
swapped with `or`, each early return removed, each `require` and each `raise Rejected` removed.
Every mutant runs in a process of its own, forked after SymPy and pytest are loaded, on modules
that never touch the disk. A mutant that no test notices survives; survivors that are known, each
with the reason why no test can or need notice it, stand in survivors.txt. Any other survivor
makes the exit code 1.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "verify" / "kernel"
TESTS = ROOT / "tests" / "kernel"
SURVIVORS = Path(__file__).with_name("survivors.txt")
DATA = {"evidence", "facts"}  # declarations only
SECONDS = 60

NEGATED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
MOVED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


@dataclass(frozen=True)
class Mutant:
    """One change of one module; `line` is the text of the source line it stands on."""

    module: str
    number: int
    line: str
    change: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.number}: {self.change}: {self.line}"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.module, self.change, self.line


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """All single changes of a module's source."""
    tree = ast.parse(source)
    lines = source.splitlines()
    for index, node in enumerate(ast.walk(tree)):
        for change in changes(node, tree):
            copied = copy.deepcopy(tree)
            target = next(n for k, n in enumerate(ast.walk(copied)) if k == index)
            apply(change, target, copied)
            number = node.lineno  # type: ignore[attr-defined]
            text = ast.unparse(ast.fix_missing_locations(copied))
            yield Mutant(module, number, lines[number - 1].strip(), change, text)


def changes(node: ast.AST, tree: ast.Module) -> Iterator[str]:
    match node:
        case ast.Compare(ops=[op, *_]):
            yield "negate comparison"
            if type(op) in MOVED:
                yield "move boundary"
        case ast.UnaryOp(op=ast.Not()):
            yield "drop not"
        case ast.BoolOp():
            yield "swap and, or"
        case ast.Return() if not is_last(node, tree):
            yield "drop return"
        case ast.Expr(value=ast.Call(func=ast.Name(id="require"))):
            yield "drop require"
        case ast.Raise(exc=ast.Call(func=ast.Name(id="Rejected"))):
            yield "drop raise"


def apply(change: str, node: ast.AST, tree: ast.Module) -> None:
    match change, node:
        case "negate comparison", ast.Compare():
            node.ops[0] = NEGATED[type(node.ops[0])]()
        case "move boundary", ast.Compare():
            node.ops[0] = MOVED[type(node.ops[0])]()
        case "swap and, or", ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "drop not", ast.UnaryOp():
            replace(node, node.operand, tree)
        case _:
            replace(node, ast.Pass(), tree)


def replace(old: ast.AST, new: ast.AST, tree: ast.Module) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(item is old for item in value):
                value[:] = [new if item is old else item for item in value]


def is_last(node: ast.AST, tree: ast.Module) -> bool:
    """A return that ends its function, which removing would only turn into None."""
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
    return any(function.body[-1] is node for function in functions)


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one kernel module from the mutant's source."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        suffix = "" if mutant.module == "__init__" else f".{mutant.module}"
        self.name = f"lemmata.verify.kernel{suffix}"

    def find_spec(self, name: str, path: object, target: object = None) -> object:
        if name != self.name:
            return None
        package = self.mutant.module == "__init__"
        spec = importlib.machinery.ModuleSpec(name, self, is_package=package)
        if package:
            spec.submodule_search_locations = [str(KERNEL)]
        return spec

    def exec_module(self, module: object) -> None:
        code = compile(self.mutant.source, f"{self.mutant.module} (mutant)", "exec")
        exec(code, module.__dict__)


def child(mutant: Mutant, tests: Path) -> int:
    """In the forked process: run the tests on the mutant. 0 means that all of them passed."""
    import pytest

    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    for name in [name for name in sys.modules if name.startswith("lemmata.verify")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Changed(mutant))
    options = [
        "-x",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:lemmata",
    ]
    options += ["--deselect", "none", f"--ignore-glob={tests}/test_random_*"]
    return int(
        pytest.main(
            [*options, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), str(tests)]
        )
    )


def survives(running: dict[int, tuple[Mutant, float]], done: list[tuple[Mutant, bool]]) -> None:
    """Collect one finished child; one that takes too long counts as noticed."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid:
            mutant, _ = running.pop(pid)
            done.append((mutant, os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0))
            return
        for pid, (_, start) in running.items():
            if time.monotonic() - start > SECONDS:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def run(chosen: list[Mutant], tests: Path = TESTS, jobs: int = 2) -> list[tuple[Mutant, bool]]:
    """(mutant, survived) for each of them."""
    import flint  # noqa: F401
    import pytest  # noqa: F401
    import sympy  # noqa: F401

    import lemmata.numeric.acceptance
    import lemmata.symbolic.degree  # noqa: F401

    running: dict[int, tuple[Mutant, float]] = {}
    done: list[tuple[Mutant, bool]] = []
    for mutant in chosen:
        if len(running) >= jobs:
            survives(running, done)
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                code = child(mutant, tests)
            finally:
                os._exit(code)
        running[pid] = (mutant, time.monotonic())
    while running:
        survives(running, done)
    return done


def listed() -> dict[tuple[str, str, str], str]:
    """Known survivors: module | change | source line | reason."""
    rows = (line for line in SURVIVORS.read_text().splitlines() if line and line[0] != "#")
    entries = (tuple(part.strip() for part in row.split(" | ", 3)) for row in rows)
    return {(module, change, line): reason for module, change, line, reason in entries}


def everything(modules: list[str] | None = None) -> list[Mutant]:
    names = sorted(path.stem for path in KERNEL.glob("*.py") if path.stem not in DATA)
    chosen = [name for name in names if not modules or name in modules]
    return [m for name in chosen for m in mutants(name, (KERNEL / f"{name}.py").read_text())]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, help="only so many, chosen at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--module", nargs="*", help="only these modules of the kernel")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", type=Path, default=TESTS, help="the folder of tests to run")
    options = parser.parse_args()
    chosen = everything(options.module)
    if options.sample:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    done = run(chosen, options.tests, options.jobs)
    known = listed()
    print(f"{'module':<14}{'mutants':>8}{'noticed':>9}{'rate':>8}")
    for module in sorted({m.module for m, _ in done}):
        own = [survived for m, survived in done if m.module == module]
        print(f"{module:<14}{len(own):>8}{len(own) - sum(own):>9}{1 - sum(own) / len(own):>8.1%}")
    alive = [m for m, survived in done if survived]
    print(f"{'all':<14}{len(done):>8}{len(done) - len(alive):>9}{1 - len(alive) / len(done):>8.1%}")
    for mutant in alive:
        print(f"survives: {mutant}  ({known.get(mutant.key, 'NOT LISTED')})")
    return int(any(mutant.key not in known for mutant in alive))


if __name__ == "__main__":
    sys.exit(main())
