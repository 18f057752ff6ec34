"""Runs: the same records everywhere, nothing lost when stopped, failures told and survived."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Integer, Symbol

from lemmata.symbolic.statements import Relation, integers
from lemmata.verify.catalogue import Catalogue, builtin, load_file
from lemmata.verify.claim import Claim, Mutant, Settings
from lemmata.verify.record import RecordError, encode
from lemmata.verify.runner import Run, RunError, run
from lemmata.verify.store import RunFolder, StoreError

HERE = Path(__file__).parent
SLOW = HERE / "slow_claims.py"
n = Symbol("n")
SMALL = ((n, integers(1, 5)),)
TRUE = Relation(n, ">", Integer(0), SMALL)
FALSE = Relation(n, ">", Integer(3), SMALL)


def claim(id="live.claim", statement=TRUE, **fields):
    return Claim(id=id, title="<b>t</b>", statement=statement, source="s", **fields)


def check(folder, *claims, **options):
    """A run of claims that stand in no file."""
    return run(claims, Catalogue(claims, base=builtin()), Settings(), folder=folder, **options)


def check_file(path, folder, **options):
    catalogue = load_file(path)
    chosen = (*catalogue.values(), catalogue["degree.optimum"])
    return run(chosen, catalogue, Settings(seed=3), folder=folder, source=path, **options)


def timeless(run):
    """The records without what depends on the clock."""
    return [
        {key: value for key, value in result.record.items() if key not in ("seconds", "digest")}
        for result in run.results
    ]


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    """The sample claims with their mutants, checked in this process; and what was reported."""
    reported = []
    path = HERE / "sample_claims.py"
    folder = tmp_path_factory.mktemp("runs") / "sample"
    return check_file(path, folder, mutants=True, progress=reported.append), reported


def test_results(sampled):
    done, reported = sampled
    outcomes = {result.id: result.outcome for result in done.results}
    assert outcomes == {
        "sample.growth": "proved",
        "sample.rank": "certified",
        "sample.broken": "inconclusive",
        "sample.peak": "refuted",
        "sample.halving": "confirmed",
        "degree.optimum": "proved",
    }
    assert list(outcomes).index("sample.broken") > list(outcomes).index("sample.rank")
    assert all(result.as_expected and not result.resumed for result in done.results)
    assert sorted(reported, key=lambda result: result.id) == sorted(
        done.results, key=lambda result: result.id
    )
    assert done.exit_code == 0
    assert done.counts["proved"] == 2
    growth = next(result for result in done.results if result.id == "sample.growth")
    assert (growth.killed, growth.total) == (3, 3)
    assert growth.family == "sample"
    assert str(done.folder) in done.sentence


def test_a_failed_producer_is_recorded(sampled):
    broken = next(result for result in sampled[0].results if result.id == "sample.broken")
    told = "experiment: ZeroDivisionError: integer division or modulo by zero"
    assert [error.partition(" (")[0] for error in broken.errors] == [told]
    assert "sample_claims.py, line " in broken.errors[0]
    assert "sample.broken" in sampled[0].sentence


def test_the_folder_holds_what_the_results_say(sampled):
    folder = RunFolder(sampled[0].folder)
    header = folder.header()
    assert header["selection"] == [result.id for result in sampled[0].results]
    assert header["settings"]["alpha"] == "1/1000000"
    for result in sampled[0].results:
        record = folder.record(result.id)
        assert record == result.record
        assert record["run"] == header["digest"]
        share = Fraction(1, 10**6) / header["shares"]
        assert Fraction(record["settings"]["alpha"]) == share
        assert record["settings"]["seed"] == 3


def test_two_processes_give_the_same_records(sampled, sample_file, tmp_path):
    again = check_file(sample_file, tmp_path, mutants=True, jobs=2)
    assert timeless(again) == timeless(sampled[0])


def test_a_cluster_gives_the_same_records(sampled, sample_file, tmp_path, cluster):
    again = check_file(sample_file, tmp_path, mutants=True, cluster=cluster)
    assert timeless(again) == timeless(sampled[0])


def test_a_finished_run_is_read_not_run(sampled, sample_file, tmp_path, monkeypatch):
    monkeypatch.setenv("LEMMATA_TEST_LOG", str(tmp_path / "log"))
    reported = []
    again = check_file(sample_file, sampled[0].folder, mutants=True, progress=reported.append)
    assert not (tmp_path / "log").exists()
    assert all(result.resumed for result in again.results)
    assert [result.record for result in again.results] == [r.record for r in sampled[0].results]
    assert len(reported) == len(again.results)
    assert again.notes == ()


def test_a_damaged_record_is_made_again(tmp_path):
    first = check(tmp_path, claim("live.one"), claim("live.two"))
    path = RunFolder(tmp_path).record_path("live.two")
    path.write_text(path.read_text()[:100])
    again = check(tmp_path, claim("live.one"), claim("live.two"))
    assert [result.resumed for result in again.results] == [True, False]
    assert len(again.notes) == 1
    assert again.notes[0].startswith("live.two is checked again: ")
    assert timeless(again) == timeless(first)


def test_another_run_is_refused(tmp_path):
    check(tmp_path, claim())
    with pytest.raises(StoreError, match="mutants was False, now True"):
        check(tmp_path, claim(), mutants=True)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_interrupts_pass(tmp_path, error):
    def stop(statement, settings):
        raise error

    with pytest.raises(error):
        check(tmp_path, claim("live.one"), claim("live.two", experiment=stop))
    assert RunFolder(tmp_path).record("live.one")["verdict"]["outcome"]
    with pytest.raises(RecordError):
        RunFolder(tmp_path).record("live.two")


def test_mutants_are_judged_on_evidence_about_themselves(tmp_path):
    mutants = (
        Mutant("false", FALSE, "1 is not"),
        Mutant("true", replace(TRUE, rhs=Integer(-1)), "?"),
    )
    done = check(tmp_path, claim(mutants=mutants), mutants=True)
    assert done.survivors == ("live.claim/true",)
    assert (done.results[0].killed, done.results[0].total) == (1, 2)
    assert done.results[0].as_expected
    assert done.exit_code == 1
    assert "1 of 2 mutants survived" in done.sentence


def test_an_unexpected_verdict(tmp_path):
    done = check(tmp_path, claim(statement=FALSE))
    assert done.results[0].outcome == "refuted"
    assert done.exit_code == 1
    assert done.sentence.startswith("1 of 1 claim not as expected: live.claim (1 refuted)")


def test_a_conflict_has_its_own_exit_code(sampled):
    first = sampled[0].results[0]
    done = Run(Path("x"), (replace(first, outcome="conflict"), *sampled[0].results[1:]))
    assert done.exit_code == 3
    assert "derivation and experiment disagree" in done.sentence


def test_a_run_shows_itself_in_a_notebook(tmp_path):
    shown = check(tmp_path, claim())._repr_html_()
    assert "live.claim" in shown
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


def test_a_statement_outside_the_language_stops_before_the_run(tmp_path):
    odd = claim(statement=Relation(n, ">", 0.5, SMALL))
    with pytest.raises(RunError, match=r"live\.claim: statement: Relation\.rhs: expected expr"):
        check(tmp_path / "run", odd)
    odd = claim(mutants=(Mutant("odd", Relation(n, ">", 0.5, SMALL), "?"),))
    with pytest.raises(RunError, match=r"live\.claim: mutant 'odd': Relation\.rhs: expected expr"):
        check(tmp_path / "run", odd)
    assert not (tmp_path / "run").exists()


def test_what_cannot_travel_is_told(tmp_path):
    with pytest.raises(RunError, match=r"live\.claim: the check itself failed"):
        check(tmp_path, claim(experiment=lambda statement, settings: ()), jobs=2)


def test_a_changed_file_is_noticed_by_its_worker(tmp_path, monkeypatch):
    path = tmp_path / "claims.py"
    path.write_text(SLOW.read_text())
    monkeypatch.setenv("LEMMATA_TEST_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("LEMMATA_TEST_SECONDS", "0")
    catalogue = load_file(path)

    def meddle(result):
        path.write_text(path.read_text() + "\n")

    with pytest.raises(ValueError, match="differs from the file with which the run was started"):
        run(
            *(tuple(catalogue.values()), catalogue, Settings()),
            folder=tmp_path / "run",
            source=path,
            progress=meddle,
        )
    assert len(list((tmp_path / "run" / "claims").iterdir())) == 1


SCRIPT = """
import sys
from pathlib import Path
from lemmata.verify.catalogue import load_file
from lemmata.verify.claim import Settings
from lemmata.verify.runner import run

if __name__ == "__main__":
    source, folder, jobs = sys.argv[1:]
    catalogue = load_file(source)
    try:
        run(tuple(catalogue.values()), catalogue, Settings(), folder=folder, source=source,
            jobs=int(jobs))
    except KeyboardInterrupt:
        sys.exit(130)
"""


def saved(folder):
    claims = folder / "claims"
    return {path.stem for path in claims.glob("*.json")} if claims.is_dir() else set()


def stopped(tmp_path, jobs, sign, seconds="0.2", enough=2):
    """Start the slow claims in a process of their own and stop it once `enough` are saved."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    env = {**os.environ, "LEMMATA_TEST_LOG": str(tmp_path / "log"), "LEMMATA_TEST_SECONDS": seconds}
    command = [sys.executable, str(script), str(SLOW), str(tmp_path / "run"), str(jobs)]
    with subprocess.Popen(
        command, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while len(saved(tmp_path / "run")) < enough:
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.01)
        # Ctrl-C in a terminal reaches the workers too; kill -9 hits the one process.
        (os.killpg if sign == signal.SIGINT else os.kill)(process.pid, sign)
        errors = process.communicate()[1]
        return process.returncode, errors


def resumed(tmp_path, monkeypatch):
    monkeypatch.setenv("LEMMATA_TEST_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("LEMMATA_TEST_SECONDS", "0")
    catalogue = load_file(SLOW)
    claims = tuple(catalogue.values())
    return run(claims, catalogue, Settings(), folder=tmp_path / "run", source=str(SLOW))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, monkeypatch, jobs):
    code, _ = stopped(tmp_path, jobs, signal.SIGKILL)
    assert code == -signal.SIGKILL
    before = saved(tmp_path / "run")
    assert 2 <= len(before) < 6
    texts = {id: RunFolder(tmp_path / "run").record_path(id).read_bytes() for id in before}
    done = resumed(tmp_path, monkeypatch)
    # Nothing lost: what was saved is there, byte for byte, and the rest is there too.
    assert {result.id for result in done.results if result.resumed} == before
    assert len(saved(tmp_path / "run")) == 6
    for id, text in texts.items():
        assert RunFolder(tmp_path / "run").record_path(id).read_bytes() == text
    # Nothing saved is run twice; only what was under way, or stood in the pool's queue of jobs + 1
    # tasks, which workers that outlive the killed process may still take.
    under_way = 1 if jobs == 1 else jobs + jobs + 1
    runs = Counter((tmp_path / "log").read_text().split())
    assert all(runs[id] == 1 for id in before)
    assert set(runs) == {f"slow.claim-{index}" for index in range(6)}
    assert sum(runs.values()) <= 6 + under_way
    assert max(runs.values()) <= 2
    assert done.notes == ()


@pytest.mark.parametrize(("jobs", "seconds"), [(1, "0.2"), (2, "0.2")])
def test_ctrl_c_leaves_what_is_finished(tmp_path, monkeypatch, jobs, seconds):
    code, errors = stopped(tmp_path, jobs, signal.SIGINT, seconds)
    assert code == 130
    assert errors == ""
    before = saved(tmp_path / "run")
    assert 2 <= len(before) < 6
    done = resumed(tmp_path, monkeypatch)
    assert {result.id for result in done.results if result.resumed} == before
    runs = Counter((tmp_path / "log").read_text().split())
    assert all(runs[id] == 1 for id in before)


def test_encoded_statements_are_those_of_the_claims(sampled, sample_file):
    catalogue = load_file(sample_file)
    for result in sampled[0].results:
        assert result.record["statement"] == encode(catalogue[result.id].statement)
