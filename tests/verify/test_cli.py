"""The command line, run as a user runs it: through a pipe, on a terminal, interrupted."""

import fcntl
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lemmata.verify.catalogue import builtin
from lemmata.verify.cli import main

COMMAND = (sys.executable, "-m", "lemmata.verify")

TRUE = """
from sympy import Symbol
from lemmata.verify import Claim, Mutant, Relation, above, REALS

x = Symbol("x")
CLAIMS = (
    Claim(
        id="mine.square",
        title="A square [bold]expands[/] so",
        statement=Relation((x + 1) ** 2, "=", x**2 + 2 * x + 1, ((x, REALS),)),
        source="school",
        mutants=(
            Mutant("sign", Relation((x + 1) ** 2, "=", x**2 - 2 * x + 1, ((x, REALS),)), "x = 1"),
        ),
    ),
)
"""
FALSE = """
from sympy import Integer, Symbol, log
from lemmata.verify import Claim, Maximum, above

d = Symbol("d")
CLAIMS = (
    Claim(
        id="mine.peak",
        title="ln d / d peaks at 3",
        statement=Maximum(log(d) / d, d, above(0), Integer(3)),
        source="a guess",
    ),
)
"""
WAITING = """
import time
from pathlib import Path
from sympy import Integer, Symbol
from lemmata.verify import Claim, Relation, integers
from lemmata.verify.kernel.evidence import Enumeration

n = Symbol("n")


def wait(statement, settings):
    Path("waiting").touch()
    while not Path("go").exists():
        time.sleep(0.02)
    return ()


def claim(name, **more):
    statement = Relation(n, ">", Integer(0), ((n, integers(1, 10)),))
    return Claim(id=f"mine.{name}", title=name, statement=statement, source="none", **more)


CLAIMS = (claim("first"), claim("second", uses=("mine.first",), experiment=wait))
"""

CONFLICT = """
from fractions import Fraction
from sympy import Integer, Rational, Symbol
from lemmata.verify import Claim, Trend
from lemmata.verify.kernel.evidence import Trajectory

k = Symbol("k")


def run_twice(statement, settings):
    return tuple(
        Trajectory("decay", (), Fraction(0), tuple((step, value) for step in (1, 2, 3)))
        for value in (Fraction(0), Fraction(1))
    )


decay = Trend("decay", (), Integer(0), Rational(1, 2) ** k, k)
CLAIMS = (Claim("mine.decay", "Decay", decay, "none", "confirmed", experiment=run_twice),)
"""


class Finished:
    """Exit code and output of a command."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def lemmata(monkeypatch, capsys, tmp_path):
    """Runs the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # typer replaces it

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        return Finished(stop.value.code or 0, *capsys.readouterr())

    return call


@pytest.fixture
def mine(tmp_path):
    """Writes a file of claims."""

    def write(text, name="my_claims.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path.name

    return write


def test_list_gives_a_line_a_claim_that_starts_with_its_id(lemmata):
    done = lemmata("list")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == list(builtin())
    assert done.err == ""


def test_list_as_json(lemmata):
    listed = json.loads(lemmata("list", "--json").out)
    assert [claim["id"] for claim in listed] == list(builtin())
    for claim in listed:
        keys = ["id", "family", "title", "source", "expected", "uses", "corrected_by"]
        assert list(claim) == keys
        assert isinstance(claim["uses"], list)


def test_list_takes_globs_and_files(lemmata, mine):
    assert "degree.optimum " in lemmata("list", "*.optimum").out
    assert lemmata("list", mine(TRUE)).out.split()[0] == "mine.square"


def test_an_unknown_id_suggests_the_nearest(lemmata):
    done = lemmata("verify", "degree.optimun")
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: 'degree.optimun'")
    assert "degree.optimum" in done.err


def test_a_true_claim_is_proved_and_leaves_a_record(lemmata, mine, tmp_path):
    done = lemmata("verify", mine(TRUE))
    assert done.code == 0
    assert re.search(r"^✓  mine.square  proved ", done.out, re.MULTILINE)
    assert "Fewer than 3 mutants to try the check on: mine.square" in done.out
    (folder,) = (tmp_path / "runs").iterdir()
    assert done.out.splitlines()[-1].endswith(f"runs/{folder.name}")
    assert (folder / "claims" / "mine.square.json").is_file()
    assert f"runs/{folder.name}" in done.err
    assert "[1/1] mine.square proved" in done.err


def test_a_false_claim_is_refuted_with_a_witness_and_the_command_to_see_it_again(lemmata, mine):
    done = lemmata("verify", mine(FALSE), "--seed", "5")
    assert done.code == 1
    assert re.search(r"^✗  mine.peak  refuted ", done.out, re.MULTILINE)
    assert "verdict: refuted (wanted: proved)" in done.out
    assert "Counterexample refuted: " in done.out
    (command,) = re.findall("reproduce: (.*)", done.out)
    assert command == "lemmata verify my_claims.py mine.peak --seed 5"
    assert lemmata(*shlex.split(command)[1:]).code == 1


def test_evidence_that_disagrees_ends_with_3(lemmata, mine):
    done = lemmata("verify", mine(CONFLICT))
    assert done.code == 3
    assert re.search(r"^!  mine.decay  conflict ", done.out, re.MULTILINE)
    assert "Trajectory confirmed: " in done.out
    assert "Trajectory refuted: " in done.out
    assert "reproduce: lemmata verify my_claims.py mine.decay" in done.out


def test_verify_as_json(lemmata, mine, tmp_path):
    lemmata("verify", mine(FALSE), "--json", "found.json")
    found = json.loads((tmp_path / "found.json").read_text())
    assert set(found) == {"schema", "environment", "claims"}
    assert found["schema"] == "lemmata/1"
    assert "python" in found["environment"]
    (claim,) = found["claims"]
    assert set(claim) == {"id", "verdict", "expected", "facts", "seconds", "evidence"}
    assert (claim["id"], claim["verdict"], claim["expected"]) == ("mine.peak", "refuted", "proved")
    assert "Counterexample" in [piece["kind"] for piece in claim["evidence"]]


def test_json_on_standard_output_is_alone_there(lemmata, mine):
    loud = TRUE + "\nprint('loaded')\n"
    done = lemmata("verify", mine(loud), "--mutants", "--json", "-")
    (claim,) = json.loads(done.out)["claims"]
    assert claim["mutants"] == {"killed": 1, "total": 1}
    assert "loaded" in done.err
    assert "mine.square" in done.err


def test_verify_as_junit(lemmata, mine, tmp_path):
    lemmata("verify", mine(FALSE.replace("peaks at 3", "peaks <&> \\x00 at 3")), "--junit", "f.xml")
    suite = ElementTree.parse(tmp_path / "f.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    case = suite.find("testcase")
    assert case is not None
    assert (case.get("classname"), case.get("name")) == ("mine", "mine.peak")
    assert "reproduce: lemmata verify my_claims.py mine.peak" in (case.findtext("failure") or "")


def test_a_run_folder_is_resumed(lemmata, mine):
    first = lemmata("verify", mine(TRUE), "--out", "here")
    again = lemmata("verify", mine(TRUE), "--out", "here")
    assert "(from the record)" not in first.err
    assert "mine.square proved (from the record)" in again.err
    assert again.code == 0


def test_a_folder_of_another_run_is_left_alone(lemmata, mine):
    lemmata("verify", mine(TRUE), "--out", "here")
    done = lemmata("verify", mine(TRUE), "--out", "here", "--seed", "1")
    assert done.code == 2
    assert "--out" in done.err


def test_mutants_are_all_refuted(lemmata, mine, tmp_path):
    done = lemmata("mutants", mine(TRUE), "--json", "mutants.json")
    assert done.code == 0
    assert "1 of 1 mutant refuted" in done.out
    found = json.loads((tmp_path / "mutants.json").read_text())
    assert found == {"claims": [{"id": "mine.square", "killed": 1, "total": 1}]}


def test_a_mutant_that_is_true_survives_and_is_reported(lemmata, mine):
    tame = TRUE.replace("x**2 - 2 * x + 1", "1 + 2 * x + x**2 + 0 * x").replace("x + 0 * x", "x")
    tame = tame.replace('"=", 1 + 2', '">=", 1 + 2')
    done = lemmata("mutants", mine(tame))
    assert done.code == 1
    assert "the mutant 'sign' survived" in done.out
    (command,) = re.findall("reproduce: (.*)", done.out)
    assert command == "lemmata mutants my_claims.py mine.square"
    assert lemmata("verify", mine(tame), "--mutants").code == 1


def test_show_has_everything_about_a_claim(lemmata, mine):
    done = lemmata("show", mine(TRUE))
    assert done.code == 0
    assert done.out.startswith("mine.square  A square [bold]expands[/] so\n")
    for line in (
        r"  source +school",
        r"  statement +\S.* = ",
        r"  expected +proved",
        r"  derivation",
        r" +1  \S.*  \S+",
        r"  mutant +sign: x = 1\n +\S",
        r"  facts used +\S",
        r"  verdict +proved",
        r" +Derivation proved: ",
    ):
        assert re.search(f"^{line}", done.out, re.MULTILINE), line


def test_show_aligns_the_rules_of_a_derivation(lemmata):
    lines = lemmata("show", "degree.optimum").out.splitlines()
    start = lines.index("  derivation") + 1
    rows = [line for line in lines[start:] if re.match(r" {5,}\d+  ", line)]
    assert len(rows) > 3
    starts = {len(line) - len(re.split(r" {2,}", line)[-1]) for line in rows}
    assert len(starts) == 1


def test_errata_give_statement_counterexample_and_correction(lemmata):
    done = lemmata("errata")
    assert done.code == 0
    refuted = [claim for claim in builtin().values() if claim.expected == "refuted"]
    assert refuted
    for claim in refuted:
        block = next(b for b in done.out.split("\n\n") if b.startswith(claim.id))
        assert re.search("^  stated +\\S", block, re.MULTILINE)
        assert re.search("^  fails +\\S", block, re.MULTILINE)
        assert not claim.corrected_by or f"{claim.corrected_by}: " in block


def test_errata_of_claims_that_hold(lemmata, mine):
    assert "No statement" in lemmata("errata", mine(TRUE)).out


def test_recheck_accepts_a_record_and_rejects_an_edited_one(lemmata, mine, tmp_path):
    lemmata("verify", mine(FALSE), "--out", "here")
    done = lemmata("recheck", "here")
    assert done.code == 0
    assert "ok      mine.peak" in done.out
    record = tmp_path / "here" / "claims" / "mine.peak.json"
    record.write_text(record.read_text().replace('"refuted"', '"proved"'))
    done = lemmata("recheck", "here")
    assert done.code == 1
    assert "FAILED  mine.peak" in done.out


def test_doctor_finds_this_installation_complete(lemmata):
    done = lemmata("doctor")
    assert done.code == 0
    assert re.search(r"^ok +torch +\d", done.out, re.MULTILINE)


def test_version_and_help(lemmata):
    assert re.fullmatch(r"lemmata \d+\.\d+\.\d+\n", lemmata("--version").out)
    assert "recheck" in lemmata("--help").out
    assert "--junit" in lemmata("verify", "--help").out


def test_an_error_of_lemmata_itself_is_one_line_without_a_traceback(lemmata, monkeypatch):
    def burst(targets=(), base=None):
        raise RuntimeError("a pipe\nhas burst")

    monkeypatch.setattr("lemmata.verify.targets.select", burst)
    done = lemmata("list")
    assert done.code == 70
    assert done.err.startswith("internal error: RuntimeError: a pipe has burst\n")
    assert "Traceback" not in done.err
    monkeypatch.setenv("LEMMATA_TRACEBACK", "1")
    assert "Traceback" in lemmata("list").err


def test_ctrl_c_saves_what_is_finished_and_says_how_to_go_on(mine, tmp_path):
    arguments = ["verify", mine(WAITING), "--seed", "3", "--out", "here"]
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    while not (tmp_path / "waiting").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert "interrupted: 1 of 2 claims finished and saved in here" in err.decode()
    assert "Traceback" not in err.decode()
    command = err.decode().splitlines()[-1].strip()
    assert command == "lemmata " + shlex.join(arguments)

    (tmp_path / "go").touch()
    resumed = subprocess.run(
        [*COMMAND, *shlex.split(command)[1:]], cwd=tmp_path, capture_output=True, check=False
    )
    assert resumed.returncode == 0
    assert b"mine.first proved (from the record)" in resumed.stderr


def test_a_reader_that_goes_away_ends_nothing(tmp_path, mine):
    """As in `lemmata verify | head -0`: the exit code is still the verdict's."""
    for arguments, code in ((["list"], 0), (["list", "--json"], 0), (["verify", mine(FALSE)], 1)):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(writing)
        assert done.returncode == code
        assert b"Error" not in done.stderr
        assert b"Traceback" not in done.stderr


def on_a_terminal(*arguments, cwd: Path, columns: int, **environment):
    """What the command writes to a terminal of this width, all streams together."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    hidden = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    inherited = {name: value for name, value in os.environ.items() if name not in hidden}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=cwd,
        env={**inherited, "TERM": "xterm", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunks.append(os.read(ours, 1 << 16))
        except OSError:  # Linux: the other side is closed
            break
        if not chunks[-1]:
            break
    os.close(ours)
    return process.wait(), b"".join(chunks).decode()


def test_on_a_narrow_terminal_ids_stay_whole(tmp_path):
    code, text = on_a_terminal("list", cwd=tmp_path, columns=50)
    assert code == 0
    assert all(id in text for id in builtin())
    assert "\x1b[32m" in text
    assert "Check them with: lemmata verify" in text


def test_no_color_is_respected(tmp_path):
    _, text = on_a_terminal("list", cwd=tmp_path, columns=100, NO_COLOR="1")
    assert "\x1b[3" not in text


def test_progress_is_live_on_a_terminal(tmp_path, mine):
    code, text = on_a_terminal("verify", mine(TRUE), cwd=tmp_path, columns=100)
    assert code == 0
    assert "1/1" in text
    assert "\x1b[2K" in text  # lines are drawn anew
    assert "mine.square" in text
    assert "Record: runs/" in text
