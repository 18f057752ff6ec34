"""Hostile and mistaken input to the command line: words and an exit code, never a traceback."""

import os
import subprocess
import sys

import pytest

from lemmata.verify.cli import main

HEAD = "from sympy import Integer, Symbol, log\nfrom lemmata.verify import *\n"
ONE = "Claim('mine.one', 'One', Relation(Integer(1), '<', Integer(2)), 'school')"
SANE = f"{HEAD}CLAIMS = ({ONE},)\n"


@pytest.fixture
def lemmata(monkeypatch, capfd, tmp_path):
    """Runs the command in this process and an empty folder; checks what must always be so."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # typer replaces it
    monkeypatch.setattr(sys, "path", list(sys.path))

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capfd.readouterr()
        for text in (out, err):
            assert "Traceback" not in text
            assert not {"\x1b", "\x07", "\x00", "\u202e"} & set(text)
        return stop.value.code or 0, out, err

    return call


ARGUMENTS = [
    (("verify", ""), "''"),
    (("verify", "degree.optimum", ""), "''"),
    (("verify", "../../../etc/passwd"), "etc/passwd"),
    (("verify", "[/]"), "[/]"),
    (("verify", "[bold]degree.optimum[/bold]"), "[bold]"),
    (("verify", "\x1b[2J\x07"), r"\x1b[2J"),
    (("verify", "\u202emumitpo.eerged"), r"\u202e"),
    (("verify", "\udcff\udcfe"), r"\udcff"),
    (("verify", "9**9**9**9"), "9**9**9**9"),
    (("verify", "__import__('os').system('touch hacked')"), "__import__"),
    (("verify", "$(touch hacked)"), "touch"),
    (("verify", "d" * 100_000), "ddd"),
    (("verify", "*" * 2_000 + "zz"), "***"),
    (("verify", "dégree.optimum"), "optimum"),
    (("show", "[/]"), "[/]"),
    (("mutants", "nothing.*"), "nothing.*"),
    (("errata", "nothing"), "nothing"),
    (("list", "nothing"), "nothing"),
    (("verify", "absent.py"), "absent.py"),
    (("verify", "one.py", "two.py"), "one.py, two.py"),
    (("verify", ".py"), ".py"),
    (("verify", "/dev/null/x.py"), "x.py"),
    (("verify", "--device", "abacus", "degree.optimum"), "abacus"),
    (("verify", "--device", "mps", "degree.optimum"), "mps"),
    (("verify", "--device", "cuda:999", "degree.optimum"), "cuda"),
    (("verify", "--json", "no/such/folder/x.json"), "no/such/folder"),
    (("verify", "--junit", "."), "."),
    (("verify", "--json", "-", "--junit", "-"), "--junit -"),
    (("verify", "--out", "/dev/null", "degree.optimum"), "/dev/null"),
    (("verify", "--out", "/proc/nothing", "degree.optimum"), "/proc/nothing"),
    (("verify", "--cluster", "nonsense://here", "degree.optimum"), "nonsense://here"),
    (("recheck", "absent"), "absent"),
    (("recheck", "."), "run.json"),
    (("recheck", "/dev/null"), "/dev/null"),
]


@pytest.mark.parametrize(("arguments", "named"), ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_what_cannot_be_met_is_said(lemmata, tmp_path, arguments, named):
    code, out, err = lemmata(*arguments)
    assert code == 2
    assert out == ""
    assert "error: " in err
    assert named in err
    assert not (tmp_path / "hacked").exists()
    assert not (tmp_path / "runs").exists() or "--cluster" in arguments


USAGE = [
    (),
    ("verfy",),
    ("[/]",),
    ("verify", "--sed", "3"),
    ("verify", "--seed", "-1"),
    ("verify", "--seed", "three"),
    ("verify", "--seed", "1e3"),
    ("verify", "--seed", "[/]"),
    ("verify", "--jobs", "0"),
    ("verify", "--profile", "fast"),
    ("verify", "--json"),
    ("show",),
    ("recheck",),
    ("recheck", "a", "b"),
    ("doctor", "now"),
    ("--verbose",),
]


@pytest.mark.parametrize("arguments", USAGE, ids=range(len(USAGE)))
def test_a_command_that_does_not_parse_ends_with_2(lemmata, arguments):
    code, out, err = lemmata(*arguments)
    assert code == 2
    assert "Usage: lemmata" in out + err or "Error" in err


FILES = {
    "syntax error": ("CLAIMS = (\n", "line 1: SyntaxError"),
    "raises": ("x = 1\n1 / 0\n", "line 2: ZeroDivisionError"),
    "exits": ("raise SystemExit(0)\n", "line 1: SystemExit"),
    "recurses": ("def f():\n    f()\nf()\n", "RecursionError"),
    "imports nothing there": ("import no_such_module\n", "no_such_module"),
    "no claims": ("x = 1\n", "expected claims; got none"),
    "empty": ("", "expected claims; got none"),
    "a number for claims": (f"{HEAD}CLAIMS = 5\n", "CLAIMS: expected a tuple"),
    "a claim for claims": (f"{HEAD}CLAIMS = {ONE}\n", "CLAIMS: expected a tuple"),
    "not claims": (f"{HEAD}CLAIMS = ('mine.one',)\n", "expected claims; got str"),
    "the same id twice": (
        f"{HEAD}CLAIMS = ({ONE}, {ONE.replace('Integer(2)', 'Integer(3)')})\n",
        "mine.one",
    ),
    "an id of lemmata": (SANE.replace("mine.one", "degree.optimum"), "degree.optimum"),
    "a bad id": (SANE.replace("mine.one", "Mine One"), "'Mine One'"),
    "an unknown reference": (SANE.replace("'school'", "'school', uses=('mine.two',)"), "mine.two"),
    "a cycle": (SANE.replace("'school'", "'school', uses=('mine.one',)"), "mine.one"),
    "a bad verdict": (SANE.replace("'school'", "'school', expected='true'"), "'true'"),
    "a bad statement": (
        SANE.replace("Relation(Integer(1), '<', Integer(2))", "'1 < 2'"),
        "mine.one",
    ),
    "a float inside": (SANE.replace("Integer(2)", "Symbol('x') * 2.5"), "mine.one"),
    "an odd symbol": (SANE.replace("Integer(2)", "Symbol('__import__')"), "mine.one"),
    "null bytes": ("x = 1\0\n", "my_claims.py"),
    "markup in the error": ("raise ValueError('[/bold] \\x1b[2J [link=x]')\n", "[/bold]"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_holds_no_claims_is_explained(lemmata, tmp_path, kind):
    text, named = FILES[kind]
    (tmp_path / "my_claims.py").write_text(text)
    code, out, err = lemmata("verify", "my_claims.py")
    assert code == 2
    assert out == ""
    assert err.startswith("error: ") or "\nerror: " in err
    assert named in err


def test_a_file_that_is_no_text(lemmata, tmp_path):
    (tmp_path / "my_claims.py").write_bytes(bytes(range(128, 256)))
    assert lemmata("verify", "my_claims.py")[0] == 2
    (tmp_path / "folder.py").mkdir()
    assert lemmata("list", "folder.py")[0] == 2


def test_titles_are_text_whatever_they_hold(lemmata, tmp_path):
    title = r"'[bold]One[/] :smile: \x1b[2J\x07 \u202e [link=x]\n two'"
    (tmp_path / "my_claims.py").write_text(SANE.replace("'One'", title))
    shown = r"[bold]One[/] :smile: \x1b[2J\x07 \u202e [link=x] two"
    for arguments in (("list",), ("show",), ("mutants",), ("verify",)):
        code, out, _ = lemmata(*arguments, "my_claims.py")
        assert code == 0
        assert shown in out or arguments[0] in ("verify", "mutants")


def test_an_existing_folder_with_other_things_is_left_alone(lemmata, tmp_path):
    (tmp_path / "my_claims.py").write_text(SANE)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("years of work")
    code, _, err = lemmata("verify", "my_claims.py", "--out", "thesis")
    assert code == 2
    assert "chapter.tex" in err
    assert sorted(path.name for path in (tmp_path / "thesis").glob("*.tex")) == ["chapter.tex"]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", "null", "[" * 100_000, '{"a": 1, "a": 2}']
)
def test_a_run_folder_of_rubbish(lemmata, tmp_path, content):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "run.json").write_text(content)
    code, _, err = lemmata("recheck", "here")
    assert code == 2
    assert "run.json" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(lemmata, tmp_path):
    (tmp_path / "my_claims.py").write_text(SANE)
    tmp_path.chmod(0o500)
    try:
        code, _, err = lemmata("verify", "my_claims.py")
    finally:
        tmp_path.chmod(0o700)
    assert code == 2
    assert "--out" in err


def test_output_that_cannot_show_a_sign_still_comes(tmp_path):
    (tmp_path / "my_claims.py").write_text(SANE.replace("'One'", "'\\u03b8 \\U0001d6fc \\udc80'"))
    done = subprocess.run(
        [sys.executable, "-m", "lemmata.verify", "list", "my_claims.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mine.one")
