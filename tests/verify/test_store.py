"""Run folders: whole files or none, one writer, and damage told from soundness."""

import json
import os
import subprocess
import sys
from copy import deepcopy

import pytest

from lemmata.verify.record import RecordError, dumps, seal
from lemmata.verify.store import HEADER, RunFolder, StoreError, check_shape

VERDICT = {"outcome": "proved", "facts": [], "uses": [], "findings": [], "detail": "2 lines"}
SETTINGS = {"profile": "quick", "seed": 0, "device": "cpu", "alpha": "1/1000000"}
ENVIRONMENT = {"python": "3", "platform": "p", "packages": {}, "code": "c", "device": "cpu"}
HEAD = {
    "schema": "lemmata/1",
    "settings": SETTINGS,
    "shares": 2,
    "mutants": False,
    "source": None,
    "selection": ["a.one", "a.two"],
    "environment": ENVIRONMENT,
}


RECORD = {
    "title": "t",
    "source": "s",
    "expected": "proved",
    "statement": {},
    "statement_text": "",
    "statement_hash": "",
    "hypotheses": [],
    "uses": [],
    "corrects": None,
    "corrected_by": None,
    "settings": SETTINGS,
    "evidence": [],
    "verdict": VERDICT,
    "errors": [],
    "mutants": None,
    "seconds": {"produce": 0.5, "judge": 0.25},
}


def record(id, run):
    return seal({"schema": "lemmata/1", "run": run, "id": id, **RECORD})


@pytest.fixture
def folder(tmp_path):
    """A folder with one finished claim of two."""
    store = RunFolder(tmp_path / "run")
    with store.writing(HEAD) as run:
        store.save(record("a.one", run))
    return store


def test_a_run_is_read_as_it_was_written(folder):
    header = folder.header()
    assert header == seal(HEAD)
    assert folder.record("a.one") == record("a.one", header["digest"])
    assert sorted(os.listdir(folder.path)) == [".lock", "claims", "run.json"]
    assert os.listdir(folder.path / "claims") == ["a.one.json"]


def test_resuming_finds_what_is_finished(folder):
    with folder.writing(HEAD) as run:
        records, notes = folder.finished(["a.one", "a.two"], run)
    assert list(records) == ["a.one"]
    assert notes == ()


def test_a_failed_save_leaves_the_old_record(folder):
    before = folder.record("a.one")
    with pytest.raises(ValueError, match="not JSON compliant"):
        folder.save({**before, "seconds": float("nan")})
    assert folder.record("a.one") == before
    assert folder.stray(["a.one"]) == ()


def edited(**changes):
    return lambda text: dumps({**json.loads(text), **changes})


DAMAGE = {
    "cut short": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "edited": edited(title="another"),
    "another run": lambda text: dumps(seal({**json.loads(text), "run": "0" * 64})),
    "another id": lambda text: dumps(seal({**json.loads(text), "id": "a.two"})),
    "another schema": lambda text: dumps(seal({**json.loads(text), "schema": "lemmata/0"})),
    "no object": lambda text: "[]",
    "a number": lambda text: "3",
    "deep": lambda text: "[" * 50_000,
    "wrong type": lambda text: dumps(seal({**json.loads(text), "errors": "none"})),
    "extra field": lambda text: dumps(seal({**json.loads(text), "extra": 1})),
    "twice": lambda text: text.replace('"title"', '"id": "a.one", "title"'),
    "nan": lambda text: text.replace("0.25", "NaN"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_record_is_made_again(folder, damage):
    path = folder.record_path("a.one")
    path.write_text(DAMAGE[damage](path.read_text()))
    with folder.writing(HEAD) as run:
        records, notes = folder.finished(["a.one", "a.two"], run)
        assert records == {}
        assert len(notes) == 1
        assert notes[0].startswith("a.one is checked again: ")
        folder.save(record("a.one", run))
        assert list(folder.finished(["a.one"], run)[0]) == ["a.one"]


HEADER_DAMAGE = {
    **{name: DAMAGE[name] for name in ("cut short", "empty", "edited", "another schema")},
    **{name: DAMAGE[name] for name in ("no object", "a number", "deep", "extra field")},
    "wrong type": lambda text: dumps(seal({**json.loads(text), "selection": "all"})),
    "twice": lambda text: text.replace('"mutants"', '"schema": "lemmata/1", "mutants"'),
    "nan": lambda text: text.replace('"shares": 2', '"shares": NaN'),
}


@pytest.mark.parametrize("damage", HEADER_DAMAGE)
def test_a_damaged_header_is_told(folder, damage):
    path = folder.path / HEADER
    path.write_text(HEADER_DAMAGE[damage](path.read_text()))
    with pytest.raises(RecordError, match=HEADER) as caught:
        folder.header()
    assert len(str(caught.value)) < 500
    with pytest.raises(RecordError, match=HEADER), folder.writing(HEAD):
        pass


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"settings": {**SETTINGS, "seed": 1}}, "settings.seed was 0, now 1"),
        ({"mutants": True}, "mutants was False, now True"),
        ({"selection": ["a.one"]}, "selection was ['a.one', 'a.two'], now ['a.one']"),
        ({"environment": {**ENVIRONMENT, "python": "4"}}, "environment.python was '3', now '4'"),
    ],
)
def test_another_run_is_not_mixed_in(folder, changes, told):
    with pytest.raises(StoreError) as caught, folder.writing({**HEAD, **changes}):
        pass
    assert told in str(caught.value)
    assert "--out" in str(caught.value)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(StoreError, match=r"holds 'thesis\.tex'"), RunFolder(tmp_path).writing(HEAD):
        pass
    assert not (tmp_path / HEADER).exists()


def test_records_without_a_header_are_left_alone(folder):
    (folder.path / HEADER).unlink()
    with pytest.raises(StoreError, match=r"holds 'a\.one\.json'"), folder.writing(HEAD):
        pass


def test_what_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="expected a folder to write to"):
        RunFolder(tmp_path / "file").writing(HEAD).__enter__()
    with pytest.raises(StoreError, match="expected a run folder"):
        RunFolder(tmp_path / "none").header()
    assert RunFolder(tmp_path / "none").stray([]) == ()


def test_what_has_no_end_is_not_read(folder):
    path = folder.record_path("a.one")
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(RecordError, match="no plain file"):
        folder.record("a.one")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(RecordError, match="no plain file"):
        folder.record("a.one")


def test_one_writer_at_a_time(folder):
    told = f"written by another process .{os.getpid()}"
    with folder.writing(HEAD), pytest.raises(StoreError, match=told):
        RunFolder(folder.path).writing(HEAD).__enter__()
    with folder.writing(HEAD):
        pass


HOLD = """
import json, sys
from lemmata.verify.store import RunFolder
with RunFolder(sys.argv[1]).writing(json.loads(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_lock_vanishes_with_its_process(folder):
    command = [sys.executable, "-c", HOLD, str(folder.path), json.dumps(HEAD)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=f"{holder.pid}"):
            folder.writing(HEAD).__enter__()
        holder.kill()
        holder.wait()
    with folder.writing(HEAD):
        pass


def test_strays_are_found(folder):
    claims = folder.path / "claims"
    (claims / "a.three.json").write_text("{}")
    (claims / ".a.two.json.tmp").write_text("left by a killed run")
    assert folder.stray(["a.one", "a.two"]) == ("a.three.json",)


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        ({"a": 1}, {"a": int}),
        ({"a": None}, {"a": (int, None)}),
        ([1, 2], [int]),
        ([], [str]),
        ({}, dict),
    ],
)
def test_shapes(data, shape):
    check_shape(deepcopy(data), shape, "here")


@pytest.mark.parametrize(
    ("data", "shape", "told"),
    [
        ({"a": 1}, {"a": str}, "here: a: expected str; got int"),
        ({"a": True}, {"a": int}, "here: a: expected int; got bool"),
        ({"a": 1}, {"a": float}, "here: a: expected float; got int"),
        ({"a": None}, {"a": int}, "here: a: expected int; got NoneType"),
        ({"a": "x"}, {"a": (int, None)}, "here: a: expected int; got str"),
        ({}, {"a": int}, "here: the field 'a' is missing"),
        ({"a": 1, "b": 1}, {"a": int}, "here: the field 'b' does not belong there"),
        ([1, "x"], [int], "here[1]: expected int; got str"),
        ({}, [int], "here: expected list; got dict"),
        ([], {"a": int}, "here: expected dict; got list"),
    ],
)
def test_shapes_that_differ(data, shape, told):
    with pytest.raises(RecordError) as caught:
        check_shape(data, shape, "here")
    assert told in str(caught.value)
