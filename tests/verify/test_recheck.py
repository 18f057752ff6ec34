"""Re-checking: an untouched run stands, and any edited field brings it down."""

import json
import re
import shutil
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.verify.catalogue import Catalogue, builtin, load_file
from lemmata.verify.claim import Settings
from lemmata.verify.recheck import main, recheck
from lemmata.verify.record import RecordError, dumps, seal
from lemmata.verify.runner import run
from lemmata.verify.store import HEADER, RunFolder, StoreError

SAMPLES = Path(__file__).with_name("sample_claims.py")


def make_run(folder, *ids, mutants=True):
    catalogue = load_file(SAMPLES)
    run(
        *(catalogue.select(ids or ["*"]), catalogue, Settings()),
        folder=folder,
        source=SAMPLES,
        mutants=mutants,
    )
    return RunFolder(folder)


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """Runs that are not to be touched: all the samples, and single ones by name."""
    root = tmp_path_factory.mktemp("runs")
    names = ("sample.growth", "sample.halving", "sample.peak")
    singles = {name: make_run(root / name, name).path for name in names}
    return {"all": make_run(root / "all").path, **singles}


@pytest.fixture
def folder(originals, tmp_path):
    """A copy of the run of all samples, to be tampered with."""
    return RunFolder(shutil.copytree(originals["all"], tmp_path / "run"))


def leaves(data, path=()):
    """Every place in JSON data that holds a value, empty lists and objects included."""
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        if isinstance(value, dict | list) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key)


def changed(value):
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "1"
        case None:
            return "a.b"
        case list():
            return ["a.b"]
        case _:
            return {"kind": "a.b"}


def with_change(data, path, value=None):
    """`data` with the leaf at `path` changed."""
    copy = deepcopy(data)
    *outer, last = path
    place = copy
    for key in outer:
        place = place[key]
    place[last] = changed(place[last]) if value is None else value
    return copy


def problems(path, **options):
    """What recheck objects to; a run that cannot even be read is one objection."""
    try:
        return [problem for item in recheck(path, **options) for problem in item.problems]
    except RecordError as error:
        return [error]


def overwrite(path, data):
    path.write_text(dumps(data))


def name(path):
    """("evidence", 0, "values") as "evidence.*.values"."""
    return ".".join("*" if isinstance(key, int) else key for key in path)


@pytest.mark.parametrize("simulate", [False, True])
def test_an_untouched_run_stands(originals, simulate):
    checked = recheck(originals["all"], simulate=simulate)
    assert checked[0].id == HEADER
    assert len(checked) == 6
    for item in checked:
        assert item.problems == ()
        assert item.notes == ()


def test_an_untouched_run_of_lemmatas_own_claims_stands(tmp_path):
    own = builtin()
    run([own["degree.optimum"]], own, Settings(), folder=tmp_path, mutants=True)
    assert problems(tmp_path) == []
    assert [item.id for item in recheck(tmp_path)][1:] == ["degree.optimum"]


def edits(path, data, reseal, **options):
    """Recheck after every single edit of the file; gives the places where it still stands."""
    before = path.read_bytes()
    standing = set()
    for leaf in leaves(data):
        edited = with_change(data, leaf)
        overwrite(path, seal(edited) if reseal else edited)
        if not problems(path.parents[0 if path.name == HEADER else 1], **options):
            standing.add(name(leaf))
    path.write_bytes(before)
    return standing - ({"digest"} if reseal else set())


# What no one can recompute, and parts of evidence on which the verdict does not depend.
TIMES = {"seconds.produce", "seconds.judge"}
IDLE = {"evidence.*.path", "evidence.*.start", "evidence.*.reach", "errors", "mutants.*.errors"}
VALUES = {"evidence.*.rounding", "evidence.*.values.*.*"}


@pytest.mark.parametrize("id", ["sample.growth", "sample.halving", "sample.peak"])
def test_every_edit_of_a_claim_is_found(originals, tmp_path, id):
    folder = RunFolder(shutil.copytree(originals[id], tmp_path / "run"))
    record, path = folder.record(id), folder.record_path(id)
    assert edits(path, record, reseal=False) == set()
    standing = edits(path, record, reseal=True)
    rejected = {place for place in standing if place.startswith("mutants.*.evidence.")}
    assert standing - rejected <= TIMES | IDLE | (VALUES if id == "sample.halving" else set())
    assert edits(path, record, reseal=True, simulate=True) == TIMES


def test_values_that_change_no_verdict_are_found_by_simulating(originals, tmp_path):
    folder = RunFolder(shutil.copytree(originals["sample.halving"], tmp_path / "run"))
    record = folder.record("sample.halving")
    nearby = with_change(record, ("evidence", 0, "rounding"), "1/1000000000000000")
    overwrite(folder.record_path("sample.halving"), seal(nearby))
    assert problems(folder.path) == []
    found = problems(folder.path, simulate=True)
    assert [problem.field for problem in found] == ["evidence[0].rounding"]


def test_every_edit_of_the_header_is_found(originals, tmp_path):
    folder = RunFolder(shutil.copytree(originals["sample.peak"], tmp_path / "run"))
    path = folder.path / HEADER
    assert edits(path, folder.header(), reseal=False) == set()
    # Each claim names the header it belongs to.
    assert edits(path, folder.header(), reseal=True) == set()


def test_what_a_forger_of_every_file_gains(originals, tmp_path):
    folder = RunFolder(shutil.copytree(originals["sample.peak"], tmp_path / "run"))
    header, record = folder.header(), folder.record("sample.peak")
    standing = set()
    for leaf in leaves(header):
        forged = seal(with_change(header, leaf))
        overwrite(folder.path / HEADER, forged)
        overwrite(folder.record_path("sample.peak"), seal({**record, "run": forged["digest"]}))
        if not problems(folder.path):
            standing.add(name(leaf))
    # Versions are the word of whoever ran it; the statement and its verdict are not.
    packages = {f"environment.packages.{key}" for key in header["environment"]["packages"]}
    versions = {"environment.python", "environment.platform", "environment.code", *packages}
    assert standing <= versions | {"settings.device", "source.path", "digest"}


def test_a_missing_key_is_found(originals, tmp_path):
    folder = RunFolder(shutil.copytree(originals["sample.peak"], tmp_path / "run"))
    record = folder.record("sample.peak")
    for key in record:
        data = {other: value for other, value in record.items() if other != key}
        overwrite(folder.record_path("sample.peak"), data if key == "digest" else seal(data))
        assert problems(folder.path)


def forge(folder, id, **changes):
    """Edit a record and seal it again."""
    overwrite(folder.record_path(id), seal({**folder.record(id), **changes}))
    return [(p.claim, p.field) for p in problems(folder.path)]


def test_a_forged_outcome(folder):
    verdict = {**folder.record("sample.peak")["verdict"], "outcome": "proved"}
    assert forge(folder, "sample.peak", verdict=verdict) == [("sample.peak", "verdict.outcome")]
    problem = problems(folder.path)[0]
    assert str(problem) == "sample.peak: verdict.outcome: recorded 'proved'; expected 'refuted'"


def test_a_swapped_statement(folder):
    other = folder.record("sample.growth")
    keys = ("statement", "statement_text", "statement_hash", "evidence", "verdict", "mutants")
    found = forge(folder, "sample.rank", **{key: other[key] for key in keys})
    assert ("sample.rank", "statement_hash") in found
    assert ("sample.rank", "statement_text") in found


def test_swapped_evidence(folder):
    evidence = folder.record("sample.rank")["evidence"]
    found = forge(folder, "sample.growth", evidence=evidence)
    assert ("sample.growth", "verdict.outcome") in found


def test_evidence_left_out_and_added(folder):
    growth = folder.record("sample.growth")
    assert forge(folder, "sample.growth", evidence=[])
    assert forge(folder, "sample.growth", evidence=growth["evidence"] * 2)


def test_a_record_in_the_place_of_another(folder):
    shutil.copy(folder.record_path("sample.rank"), folder.record_path("sample.growth"))
    (problem,) = [p for p in problems(folder.path) if p.claim == "sample.growth"]
    assert "as the file name" in str(problem)


def test_files_missing_and_too_many(folder):
    folder.record_path("sample.rank").rename(folder.record_path("sample.extra"))
    found = problems(folder.path)
    assert ("sample.rank", "file") in [(p.claim, p.field) for p in found]
    assert "claims/sample.extra.json" in str(found[0])


@pytest.mark.parametrize("id", ["../../etc/passwd", "/dev/zero", "sample.rank", "", "a" * 10_000])
def test_a_selection_of_what_is_no_claim(folder, id):
    header = folder.header()
    overwrite(folder.path / HEADER, seal({**header, "selection": [*header["selection"], id]}))
    assert (HEADER, "selection") in [(p.claim, p.field) for p in problems(folder.path)]


@pytest.mark.parametrize("path", ["", "/dev/full", "a" * 5000, "a\0b", "/", "\n"])
def test_a_source_that_is_no_file(folder, path):
    header = folder.header()
    source = {**header["source"], "path": path}
    overwrite(folder.path / HEADER, seal({**header, "source": source}))
    checked = recheck(folder.path)
    assert "taken from the record" in checked[0].notes[0]
    assert not any(item.ok for item in checked[1:])


@pytest.mark.parametrize("alpha", ["1e999999999", "0", "2", "1/0", "nan", "-1/2"])
def test_settings_that_are_none(folder, alpha):
    header = folder.header()
    settings = {**header["settings"], "alpha": alpha}
    overwrite(folder.path / HEADER, seal({**header, "settings": settings}))
    assert (HEADER, "settings") in [(p.claim, p.field) for p in problems(folder.path)]


def test_too_few_shares_of_the_error_probability(folder):
    overwrite(folder.path / HEADER, seal({**folder.header(), "shares": 7}))
    assert (HEADER, "shares") in [(p.claim, p.field) for p in problems(folder.path)]


HOSTILE = {
    "cut short": lambda text: text[:-20],
    "deep": lambda text: "[" * 100_000,
    "deep statement": lambda text: text.replace('"statement": {', '"statement": ' + '{"a":' * 200),
    "digits": lambda text: re.sub(r'"seed": \d+', '"seed": ' + "9" * 100_000, text),
    "twice": lambda text: text.replace('"id":', '"id": "x.y", "id":'),
    "nan": lambda text: re.sub(r'"judge": [\d.e-]+', '"judge": NaN', text),
    "types": lambda text: text.replace('"hypotheses": [', '"hypotheses": {"a": [').replace(
        '"uses"', '"b": {}}, "uses"', 1
    ),
    "bytes": lambda text: text.replace("sample", "\ud800sample"),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_hostile_records_are_told_in_a_line(folder, attack, capsys):
    path = folder.record_path("sample.growth")
    text = HOSTILE[attack](path.read_text())
    path.write_bytes(text.encode(errors="surrogatepass"))
    assert main([str(folder.path)]) == 1
    told = capsys.readouterr().out
    assert "FAILED sample.growth" in told
    assert max(map(len, told.splitlines())) < 1000
    with pytest.raises(RecordError):
        folder.record("sample.growth")


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('true')",
        "9**9**9",
        "(" * 5000,
        "n" * 100_001,
        "n.real",
        "lambda: 1",
    ],
)
def test_hostile_expressions_are_told_in_a_line(folder, expression):
    record = folder.record("sample.growth")
    overwrite(
        folder.record_path("sample.growth"),
        seal(with_change(record, ("statement", "lhs"), expression)),
    )
    (problem,) = [p for p in problems(folder.path) if p.claim == "sample.growth"]
    assert problem.field == "file"
    assert "statement.lhs: " in str(problem)
    assert len(str(problem)) < 1000


def test_a_file_that_is_gone(folder, tmp_path):
    source = tmp_path / "claims.py"
    source.write_text(SAMPLES.read_text())
    catalogue = load_file(source)
    run([catalogue["sample.rank"]], catalogue, Settings(), folder=tmp_path / "own", source=source)
    source.unlink()
    checked = recheck(tmp_path / "own")
    assert all(item.ok for item in checked)
    assert "No such file" in checked[0].notes[0]
    assert "taken from the record" in checked[1].notes[0]


def test_a_file_that_changed(tmp_path):
    source = tmp_path / "claims.py"
    source.write_text(SAMPLES.read_text())
    catalogue = load_file(source)
    run([catalogue["sample.rank"]], catalogue, Settings(), folder=tmp_path / "own", source=source)
    source.write_text(source.read_text().replace("A matrix of rank 1", "A matrix"))
    assert [(p.claim, p.field) for p in problems(tmp_path / "own")] == [(HEADER, "source.sha256")]
    mark = tmp_path / "mark"
    source.write_text(f"open({str(mark)!r}, 'w')")
    assert [(p.claim, p.field) for p in problems(tmp_path / "own")] == [(HEADER, "source.sha256")]
    assert not mark.exists()


def test_a_catalogue_of_ones_own(folder):
    catalogue = load_file(SAMPLES)
    claims = {**catalogue, "sample.rank": replace(catalogue["sample.rank"], title="Another")}
    found = problems(folder.path, catalogue=Catalogue(claims.values(), base=builtin()))
    assert [(p.claim, p.field) for p in found] == [("sample.rank", "title")]


def test_simulating_under_other_versions_compares_outcomes(folder):
    header = folder.header()
    environment = {**header["environment"], "python": "3.99.0"}
    forged = seal({**header, "environment": environment})
    overwrite(folder.path / HEADER, forged)
    for id in header["selection"]:
        overwrite(folder.record_path(id), seal({**folder.record(id), "run": forged["digest"]}))
    assert problems(folder.path, simulate=True) == []


def test_a_folder_that_is_no_run(tmp_path, capsys):
    with pytest.raises(StoreError, match="expected a run folder"):
        recheck(tmp_path)
    assert main([str(tmp_path)]) == 2
    assert "expected a run folder" in capsys.readouterr().err


def test_in_a_fresh_process(folder):
    command = [sys.executable, "-m", "lemmata.verify.recheck", str(folder.path)]
    untouched = subprocess.run(command, capture_output=True, text=True)
    assert (untouched.returncode, untouched.stderr) == (0, "")
    record = json.loads(folder.record_path("sample.peak").read_text())
    overwrite(folder.record_path("sample.peak"), {**record, "expected": "proved"})
    edited = subprocess.run(command, capture_output=True, text=True)
    assert (edited.returncode, edited.stderr) == (1, "")
    assert "FAILED sample.peak" in edited.stdout
