"""Choosing what to check, and checking it from Python."""

import pytest
from sympy import Integer

from lemmata.verify import Claim, Relation, Settings, verify
from lemmata.verify.catalogue import CatalogueError, builtin
from lemmata.verify.targets import flags, new_folder, select, select_any

ONE = Claim("mine.one", "One", Relation(Integer(1), "<", Integer(2)), "school")
TWO = Claim("mine.two", "Two", Relation(Integer(2), "<", Integer(3)), "school", uses=("mine.one",))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from sympy import Integer\n"
        "from lemmata.verify import Claim, Relation\n"
        "ONE = Claim('mine.one', 'One', Relation(Integer(1), '<', Integer(2)), 'school')\n"
    )
    return path


def test_nothing_named_means_everything():
    assert select().claims == tuple(builtin().values())


def test_a_file_alone_means_its_own_claims(file):
    selection = select([str(file)])
    assert [claim.id for claim in selection.claims] == ["mine.one"]
    assert selection.source == str(file)


def test_a_file_with_ids_means_these_claims_of_it_or_of_lemmata(file):
    ids = [claim.id for claim in select([str(file), "degree.optimum", "mine.*"]).claims]
    assert sorted(ids) == ["degree.optimum", "mine.one"]


def test_a_file_is_looked_for_from_the_base(file, tmp_path):
    assert select(["mine.py"], tmp_path).source == str(file)


def test_what_is_needed_includes_what_is_used():
    selection = select_any([TWO, ONE])
    assert [claim.id for claim in selection.needed] == ["mine.one", "mine.two"]


@pytest.mark.parametrize("targets", [["a.py", "b.py"], [ONE, "degree.optimum"], [3], [None]])
def test_what_cannot_be_selected(targets):
    with pytest.raises(CatalogueError, match="expected"):
        select_any(targets)


def test_flags_name_what_differs_from_the_default():
    assert flags(Settings()) == []
    named = flags(Settings("full", 3, "cpu"))
    assert " ".join(named) == "--profile full --seed 3 --device cpu"


def test_the_command_that_checks_a_claim_again(file, monkeypatch):
    settings = Settings(seed=2)
    assert select().command("degree.optimum", settings) == "lemmata verify degree.optimum --seed 2"
    command = select([str(file)]).command("mine.one", settings, "mutants")
    assert command == f"lemmata mutants {file} mine.one --seed 2"
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    assert "FILE.py" in select_any([ONE]).command("mine.one", settings)


def test_verify_checks_claims_and_leaves_a_record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen = []
    run = verify(ONE, TWO, settings=Settings(seed=1), progress=seen.append)
    assert [result.outcome for result in run.results] == ["proved", "proved"]
    assert [result.id for result in seen] == ["mine.one", "mine.two"]
    assert run.folder.parent.name == "runs"
    assert (run.folder / "claims" / "mine.two.json").is_file()
    again = verify(ONE, TWO, settings=Settings(seed=1), folder=run.folder)
    assert all(result.resumed for result in again.results)


def test_two_runs_of_one_second_have_two_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len({new_folder() for _ in range(3)}) == 3
