"""Text that tries to run code, to never end or to fill the memory: refused, nothing touched.

The whole table is read in one fresh process with limits on processor time and memory, which
only a hang can reach. There an audit hook watches what the interpreter itself reports: files
opened for writing, processes, sockets, code that did not come from a file.
"""

import json
import subprocess
import sys

import pytest

CODE = [
    "__import__('os').system('touch f')",
    "eval('1')",
    'exec("open(chr(102), chr(119))")',
    "open('f', 'w')",
    "().__class__.__bases__[0].__subclasses__()",
    "x.__class__",
    "x.is_positive",
    "x.func.mro",
    "(1).__add__(2)",
    "exp.__init__.__globals__",
    "d[().__class__]",
    "__builtins__",
    "__name__",
    "lambda: 1",
    "(lambda x: x)(1)",
    "[x for x in (1, 2)]",
    "{x: 1 for x in y}",
    "(x for x in y)",
    "x := 1",
    "(x := 1)",
    "E = 3",
    "E == 3",
    "x < y < z",
    "x if y else z",
    "x or y",
    "not x",
    "~x",
    "x @ y",
    "x % y",
    "x // y",
    "x ^ y",
    "x & y | z",
    "x << 10**9",
    "await x",
    "yield x",
    "print(1)",
    "input()",
    "breakpoint()",
    "exit()",
    "help(x)",
    "f'{x}'",
    "f'{__import__(chr(111) + chr(115))}'",
    "'x'",
    '"x"',
    "b'x'",
    "'x'*10**9",
    "`x`",
    "exp(*x)",
    "exp(**x)",
    "exp(x=1)",
    "exp(x, evaluate=False)",
    "Sum(*x)",
    "sympify(x)",
    "parse_expr(x)",
    "Symbol(x)",
    "Float(1)",
    "S(1)",
    "x; y",
    "x\ny",
    "x\r\ny",
    "x\ty",
    "x\x0cy",
    "x # y",
    "x \\\n + y",
    "x\x00",
    "\x00",
    "import os",
    "from os import system",
    "def f(): pass",
    "del x",
    "pass",
    "...",
    "None",
    "True",
    "$x",
    "x?",
    "x!",
    "oo",
    "-oo",
    "nan",
    "zoo",
    "I",
    "1j",
    "1.0",
    "1e400",
    "1_000",
    "0x10",
    "0b1",
    "007",
    "d[1:2]",
    "d[...]",
    "d[]",
    "[]",
    "{}",
    "()",
    "",
    " ",
]

LOOKALIKES = [
    "\u0445 + 1",  # Cyrillic x
    "\uff45\uff58\uff50(x)",  # fullwidth exp, which Python's parser takes for exp
    "\u212f",  # script e
    "\u03c0",
    "\U0001d431",  # bold x
    "x\u00b2",
    "\u00bd",
    "\u0661 + 1",  # Arabic digit one
    "\uff11",
    "x \u2212 1",  # minus sign
    "x \u00d7 y",
    "x\u00a0+ 1",  # no-break space
    "x\u200b",  # zero-width space
    "\ufeffx",  # byte order mark
    "\u202ex",  # right-to-left override
    "\ud800",  # lone surrogate
]

LONG = {
    "million digits": "9" * 1_000_000,
    "digits": "9" * 90_000,
    "digits in a fraction": "1/" + "9" * 90_000,
    "sum": "1+" * 1_000_000 + "1",
    "shorter sum": "1+" * 49_000 + "1",
    "product": "x*" * 49_000 + "x",
    "quotient": "x/" * 49_000 + "x",
    "tower": "x**" * 30_000 + "x",
    "tower of numbers": "2**" * 30 + "2",
    "signs": "-" * 99_000 + "x",
    "spaced signs": "- " * 49_000 + "x",
    "open brackets": "(" * 100_000,
    "fewer open brackets": "(" * 150,
    "brackets": "(" * 49_000 + "x" + ")" * 49_000,
    "square brackets": "d[" * 30_000 + "x" + "]" * 30_000,
    "calls": "exp(" * 20_000 + "x" + ")" * 20_000,
    "name": "x" * 99_000,
    "underscores": "x" + "_" * 90_000,
    "names": "x " * 49_000,
    "commas": "Max(" + "x," * 49_000 + "x)",
    "brackets round sums": ("(" + "x+" * 900) * 30 + "x" + ")" * 30,
    "nested sums": "Sum(" * 30 + "i" + ",(i,1,10**9))" * 30,
    "fractions": "+".join(f"1/{10**60 + p}" for p in range(900)),
    "radicals": "*".join(f"sqrt({10**70 + p})" for p in range(40)),
    "nested tanh": "tanh(x - 2*" * 9 + "x" + ")" * 9,
    "nested logarithms": "log(1 + " * 9 + "2" + ")" * 9,
    "zeros": "sin(1 + " * 9 + "0" + ")**2 + cos(1)**2 - 1" * 9,
    "maximum of many": "Max(" + ",".join(f"sin({p})" for p in range(99)) + ")",
}

# What SymPy would compute for ages, or at a length that cannot be written down again.
HEAVY = [
    "9**9**9",
    "9**9**9**9",
    "2**(10**9)",
    "(2**1000)**1000",
    "((((10**10)**10)**10)**10)**10",
    "10**10**10",
    "2**14000",
    "(1/3)**(10**9)",
    "7**(10**9 + 1/2)",
    "7**(1408591/5000000)",
    "2**(1/1009)*2**(1/1013)*2**(1/1019)",
    "(2*x)**(10**9)",
    "2**((2*x + 2)**(10**9))",
    "2**x*2**(10**9 - x)",
    "exp(10**9*log(2))",
    "E**(10**9*log(2) + x)",
    "2**(10**9*log(3)/log(2))",
    "(2**sqrt(10**9))**sqrt(10**9)",
    "exp(exp(exp(20)))",
    "exp(exp(1/(E - 27182818284590452/10**16)))",
    "cosh(cosh(cosh(9)))",
    "sin(exp(10**6))",
    "erfc(exp(10**6))",
    "factorial(10**9)",
    "factorial(factorial(20))",
    "gamma(10**9)",
    "gamma(gamma(100/7))",
    "binomial(10**9, 5*10**8)",
    "binomial(10**6, 1/2)",
    "binomial(1/2, 10**9)",
    "floor(exp(10**6))",
    "ceiling(E + erfc(10**9))",
    "ceiling(1 + exp(-10**6))",
    "Max(Sum(i**i, (i, 1, 10**9)), 1)",
    "floor(Integral(sin(exp(x)), (x, 0, 100)))",
    "x**Sum(i**i, (i, 1, 10**9))",
    "2**(x + Sum(i**i, (i, 1, 10**9)))",
    "exp(Integral(sin(exp(x)), (x, 0, 100)))",
    "sqrt(Sum(i**i, (i, 1, 10**9)) + 1)",
    "Derivative(x**x, (x, 10**9))",
    "Derivative(x**x, (x, 101))",
    "1/0",
    "0**-1",
    "log(0)",
    "log(-1)",
    "sqrt(-1)",
]

TEXTS = {
    **{text: text for text in (*CODE, *LOOKALIKES, *HEAVY)},
    **LONG,
}

READER = """
import json, os, resource, sys
from lemmata.verify.expressions import ParseError, parse, unparse
from sympy import *

# What SymPy loads only when asked, before anything is watched.
for good in ("Sum(x[i]**2, (i, 1, n))/sqrt(8) + exp(-x)", "Max(sin(1), 1)*7**(1/3)*floor(pi)"):
    unparse(parse(good))

seen = []
FORBIDDEN = ("os.", "subprocess.", "shutil.", "socket.", "ctypes.", "pty.", "tempfile.", "code.")
HARMLESS = ("os.listdir", "os.scandir")

def watch(event, args):
    strange = event.startswith(FORBIDDEN) and event not in HARMLESS
    if event == "open" and isinstance(args[1], str):
        strange = set(args[1]) & set("wax+")
    if event == "exec":
        source = args[0].co_filename
        strange = source.startswith("<") and not source.startswith("<frozen")
    if strange:
        seen.append(f"{event} {args!a}"[:200])

texts = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
sys.addaudithook(watch)
for name, text in texts.items():
    before, loaded = os.times(), set(sys.modules)
    used = int(before.user + before.system)
    resource.setrlimit(resource.RLIMIT_CPU, (used + 30, -1))
    seen.clear()
    try:
        result = f"read as {srepr(parse(text))[:200]}"
    except ParseError as error:
        result = f"ParseError: {error}"
    except BaseException as error:
        result = f"{type(error).__name__}: {error}"[:300]
    strange = [m for m in set(sys.modules) - loaded if m.split(".")[0] not in ("sympy", "mpmath")]
    print(json.dumps([name, result, seen + strange]), flush=True)
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What the reader made of each text, and what it touched."""
    folder = tmp_path_factory.mktemp("empty")
    done = subprocess.run(
        [sys.executable, "-c", READER],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=600,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = {name: (result, touched) for name, result, touched in rows}
    return found, list(folder.iterdir()), done.stderr


@pytest.mark.parametrize("name", TEXTS, ids=ascii)
def test_hostile_text_is_refused(answers, name):
    found, _, errors = answers
    assert name in found, f"the reader did not come back from it: {errors[-500:]}"
    result, touched = found[name]
    assert result.startswith("ParseError: "), result
    assert touched == []
    assert len(result) < 500
    assert result.isprintable()
    assert result.isascii()


def test_no_file_was_made(answers):
    _, files, errors = answers
    assert files == []
    assert errors == ""


def test_the_watch_would_see_code_and_files(tmp_path):
    """The same hook reports a text that is run, so its silence above means something."""
    source = READER.replace("srepr(parse(text))", "eval(text)")
    done = subprocess.run(
        [sys.executable, "-c", source],
        input=json.dumps({"run": "open('f', 'w')", "call": "__import__('os').system('true')"}),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
        check=True,
    )
    run, call = (json.loads(line) for line in done.stdout.splitlines())
    assert any(event.startswith("open ") for event in run[2])
    assert any(event.startswith("exec ") for event in run[2])
    assert any(event.startswith("os.system ") for event in call[2])
    assert (tmp_path / "f").exists()
