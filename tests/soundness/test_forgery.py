"""Six ways to forge a verdict or its evidence; none of them passes `recheck`.

A forger may do anything in a process of their own and may write any file of the run, seals
included. What they cannot do is make the kernel, run anew on the record, agree.
"""

import shutil
from dataclasses import dataclass, replace

import pytest
from sympy import Integer

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import Maximum
from lemmata.verify.catalogue import builtin
from lemmata.verify.claim import Settings
from lemmata.verify.kernel import Finding, Verdict, check
from lemmata.verify.kernel.evidence import Counterexample, Enumeration
from lemmata.verify.recheck import recheck
from lemmata.verify.record import RecordError, decode, dumps, encode, seal
from lemmata.verify.runner import run
from lemmata.verify.store import HEADER, RunFolder
from lemmata.verify.worker import describe_statement, judge, verdict_data

FALSE = "degree.attention-as-stated"  # refuted, by a counterexample
TRUE = "degree.attention"  # proved
BOUND = "degree.fractional-gain"  # certified; builds on degree.optimum


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    own, folder = builtin(), tmp_path_factory.mktemp("original") / "run"
    run([own[id] for id in (FALSE, TRUE, BOUND)], own, Settings(), folder=folder)
    return folder


@pytest.fixture
def folder(original, tmp_path):
    """A copy of the run, to be forged."""
    return RunFolder(shutil.copytree(original, tmp_path / "run"))


def problems(folder):
    return {(item.claim, item.field) for found in recheck(folder.path) for item in found.problems}


def plant(folder, id, **changes):
    """Write the changed record with its seal made anew; the file must be another one."""
    path = folder.record_path(id)
    before = path.read_bytes()
    path.write_text(dumps(seal({**folder.record(id), **changes})))
    assert path.read_bytes() != before
    assert folder.record(id)["digest"]  # the seal holds: only the content can give it away


def statement_of(folder, id):
    return decode(folder.record(id)["statement"])


def evidence_of(folder, id):
    return tuple(decode(item) for item in folder.record(id)["evidence"])


def verdict_of(folder, id):
    return check(id, statement_of(folder, id), evidence_of(folder, id))


def test_the_untouched_run_passes(folder):
    assert problems(folder) == set()
    outcomes = {id: folder.record(id)["verdict"]["outcome"] for id in (FALSE, TRUE, BOUND)}
    assert outcomes == {FALSE: "refuted", TRUE: "proved", BOUND: "certified"}


def test_the_same_record_written_again_passes(folder):
    record = folder.record(FALSE)
    verdict = verdict_data(verdict_of(folder, FALSE))
    folder.record_path(FALSE).write_text(dumps(seal({**record, "verdict": verdict})))
    assert problems(folder) == set()


# 1. dataclasses.replace


def test_replaced_outcome(folder):
    honest = verdict_of(folder, FALSE)
    forged = replace(honest, outcome="proved")
    assert (honest.outcome, forged.outcome) == ("refuted", "proved")
    plant(folder, FALSE, verdict=verdict_data(forged))
    assert problems(folder) == {(FALSE, "verdict.outcome")}


def test_replaced_findings(folder):
    proof = Finding("Derivation", "proved", "9 lines re-checked")
    detail = f"{proof.evidence}: {proof.detail}"
    forged = replace(verdict_of(folder, FALSE), outcome="proved", findings=(proof,), detail=detail)
    plant(folder, FALSE, verdict=verdict_data(forged))
    assert (FALSE, "verdict.outcome") in problems(folder)


def test_replaced_facts(folder):
    honest = verdict_of(folder, TRUE)
    forged = replace(honest, facts=())
    assert honest.facts
    plant(folder, TRUE, verdict=verdict_data(forged))
    assert problems(folder) == {(TRUE, "verdict.facts")}


def test_replaced_evidence(folder):
    (proof,) = (e for e in evidence_of(folder, TRUE) if isinstance(e, Derivation))
    goal = statement_of(folder, FALSE)
    forged = replace(proof, lines=(*proof.lines, Line(goal, "every", (1,))))
    assert forged != proof
    verdict = Verdict(FALSE, "proved", (Finding("Derivation", "proved", "re-checked"),), (), (), "")
    plant(folder, FALSE, evidence=[encode(forged)], verdict=verdict_data(verdict))
    assert (FALSE, "verdict.outcome") in problems(folder)


# 2. object.__setattr__


def test_verdict_set_through_object(folder):
    forged = verdict_of(folder, FALSE)
    object.__setattr__(forged, "outcome", "proved")
    assert forged.outcome == "proved"
    plant(folder, FALSE, verdict=verdict_data(forged))
    assert problems(folder) == {(FALSE, "verdict.outcome")}


def test_evidence_set_through_object(folder):
    """The counterexample is moved to a point at which the statement holds."""
    (forged,) = (e for e in evidence_of(folder, FALSE) if isinstance(e, Counterexample))
    honest = encode(forged)
    (first, _), (second, _) = forged.point
    object.__setattr__(forged, "point", ((first, Integer(0)), (second, Integer(2))))
    assert encode(forged) != honest
    plant(folder, FALSE, evidence=[encode(forged)])
    assert (FALSE, "verdict.outcome") in problems(folder)


def test_claim_set_through_object(folder):
    """A claim weakened in the forger's process leaves a record that the catalogue disowns."""
    goal = statement_of(folder, FALSE)
    object.__setattr__(goal, "over", ())
    object.__setattr__(goal, "function", -((goal.variable - 3) ** 2))
    weak = describe_statement(encode(goal))
    assert weak["statement_hash"] != folder.record(FALSE)["statement_hash"]
    honest = check(FALSE, goal, (Enumeration(100, 100),))
    assert honest.outcome == "confirmed"
    evidence = [encode(Enumeration(100, 100))]
    plant(folder, FALSE, **weak, evidence=evidence, verdict=verdict_data(honest))
    assert (FALSE, "statement_hash") in problems(folder)


# 3. __new__ without __init__


def test_verdict_without_init(folder):
    forged = object.__new__(Verdict)
    honest = verdict_of(folder, FALSE)
    forged.__dict__.update({**vars(honest), "outcome": "proved", "findings": ()})
    assert type(forged) is Verdict
    assert forged != honest
    plant(folder, FALSE, verdict=verdict_data(forged))
    assert (FALSE, "verdict.outcome") in problems(folder)


def test_evidence_without_init(folder):
    forged = object.__new__(Derivation)
    forged.__dict__["lines"] = (Line(statement_of(folder, FALSE), "trust me"),)
    assert type(forged) is Derivation
    plant(folder, FALSE, evidence=[encode(forged)])
    assert (FALSE, "verdict.outcome") in problems(folder)


def test_evidence_without_fields():
    """Neither the kernel nor the record takes an object that was never filled."""
    for kind in (Derivation, Counterexample, Enumeration):
        empty = object.__new__(kind)
        assert check(FALSE, builtin()[FALSE].statement, (empty,)).outcome == "inconclusive"
        if kind is not Counterexample:  # whose other fields have defaults
            with pytest.raises((RecordError, AttributeError)):
                encode(empty)


# 4. Subclasses


class Favourable(Verdict):
    @property
    def outcome(self):
        return "proved"

    @outcome.setter
    def outcome(self, value):
        pass

    def __eq__(self, other):
        return True

    __hash__ = None


class Agreeable(Maximum):
    def __eq__(self, other):
        return True

    __hash__ = Maximum.__hash__


@dataclass(frozen=True, eq=False)
class Persuasive(Derivation):
    def __eq__(self, other):
        return True

    __hash__ = Derivation.__hash__


class TwoFaced(Line):
    """Says another thing at every second look."""

    def __getattribute__(self, name):
        if name != "statement":
            return super().__getattribute__(name)
        looks = vars(self)["looks"] = vars(self).get("looks", 0) + 1
        return vars(self)["statement"] if looks % 2 else builtin()[FALSE].statement


def fields_of(value):
    return [getattr(value, name) for name in value.__dataclass_fields__]


def test_subclass_of_verdict(folder):
    honest = verdict_of(folder, FALSE)
    values = vars(honest)
    forged = object.__new__(Favourable)
    forged.__dict__.update({key: value for key, value in values.items() if key != "outcome"})
    assert forged == honest
    assert (honest.outcome, forged.outcome) == ("refuted", "proved")
    plant(folder, FALSE, verdict=verdict_data(forged))
    assert problems(folder) == {(FALSE, "verdict.outcome")}


def test_subclass_of_statement(folder):
    """Equal to everything, so that any derivation seems to end at it."""
    goal = statement_of(folder, FALSE)
    forged = Agreeable(*fields_of(goal))
    proof = evidence_of(folder, TRUE)
    assert proof[0].lines[-1].statement == forged
    assert check(FALSE, forged, proof).outcome == "inconclusive"
    with pytest.raises(RecordError):
        judge(FALSE, forged, proof)
    # Written as its honest base class, it is the statement itself, and stays refuted.
    verdict = replace(verdict_of(folder, TRUE), claim=FALSE)
    evidence = [encode(item) for item in proof]
    plant(folder, FALSE, evidence=evidence, verdict=verdict_data(verdict))
    assert (FALSE, "verdict.outcome") in problems(folder)


@pytest.mark.parametrize("kind", [Persuasive, Derivation])
def test_subclass_of_evidence(folder, kind):
    lines = evidence_of(folder, TRUE)[0].lines
    if kind is Derivation:
        lines = tuple(TwoFaced(*fields_of(line)) for line in lines)
        assert lines[0].statement != lines[0].statement
    forged = kind(lines)
    goal = statement_of(folder, TRUE)
    assert check(TRUE, goal, (Derivation(evidence_of(folder, TRUE)[0].lines),)).outcome == "proved"
    assert check(TRUE, goal, (forged,)).outcome == "inconclusive"
    with pytest.raises(RecordError):
        judge(TRUE, goal, (forged,))


def test_kind_of_a_subclass_in_a_record(folder):
    evidence = folder.record(TRUE)["evidence"]
    plant(folder, TRUE, evidence=[{**evidence[0], "kind": "Persuasive"}, *evidence[1:]])
    assert problems(folder) == {(TRUE, "file")}


# 5. An edited record


def test_edited_without_a_seal(folder):
    path = folder.record_path(FALSE)
    text = path.read_text()
    path.write_text(text.replace('"outcome": "refuted"', '"outcome": "proved"'))
    assert path.read_text() != text
    assert problems(folder) == {(FALSE, "file")}


def test_edited_everywhere_with_all_seals_made_anew(folder):
    """The outcome turned in every place that shows it, and what was expected too."""
    verdict = folder.record(FALSE)["verdict"]
    findings = [{**finding, "outcome": "proved"} for finding in verdict["findings"]]
    forged = {**verdict, "outcome": "proved", "findings": findings}
    header = seal({**folder.header(), "settings": {**folder.header()["settings"], "seed": 1}})
    (folder.path / HEADER).write_text(dumps(header))
    for id in header["selection"]:
        record = folder.record(id)
        settings = {**record["settings"], "seed": 1}
        plant(folder, id, run=header["digest"], settings=settings)
    assert problems(folder) == set()  # another seed, all seals in order
    plant(folder, FALSE, verdict=forged, expected="proved")
    found = problems(folder)
    assert {(FALSE, "expected"), (FALSE, "verdict.outcome")} <= found


def test_edited_lemma(folder):
    """A claim that others build on loses its proof; it and they are found."""
    record = folder.record("degree.optimum")
    plant(folder, "degree.optimum", evidence=record["evidence"][1:])
    assert ("degree.optimum", "verdict.outcome") in problems(folder)


def test_edited_derivation(folder):
    """A single rule in the middle of a proof, under a verdict that stays as it was."""
    evidence = folder.record(TRUE)["evidence"]
    lines = list(evidence[0]["lines"])
    lines[0] = {**lines[0], "rule": "ground"}
    plant(folder, TRUE, evidence=[{**evidence[0], "lines": lines}, *evidence[1:]])
    assert (TRUE, "verdict.outcome") in problems(folder)


# 6. A swapped statement


def test_swapped_statement_with_its_proof(folder):
    """A true statement, its evidence and its verdict, under the name of a false one."""
    other = folder.record(TRUE)
    keys = ("statement", "statement_text", "statement_hash", "evidence", "verdict")
    assert other["statement"] != folder.record(FALSE)["statement"]
    plant(folder, FALSE, **{key: other[key] for key in keys})
    assert {(FALSE, "statement_hash"), (FALSE, "statement_text")} <= problems(folder)


def test_swapped_statement_under_the_old_hash(folder):
    other = folder.record(TRUE)
    keys = ("statement", "evidence", "verdict")
    plant(folder, FALSE, **{key: other[key] for key in keys})
    assert any(id == FALSE for id, _ in problems(folder))


def test_swapped_records(folder):
    """Two files exchanged as they are, then under each other's name."""
    records = {id: folder.record(id) for id in (FALSE, TRUE)}
    for id, other in ((FALSE, TRUE), (TRUE, FALSE)):
        folder.record_path(id).write_text(dumps(records[other]))
    assert problems(folder) == {(FALSE, "file"), (TRUE, "file")}
    for id, other in ((FALSE, TRUE), (TRUE, FALSE)):
        folder.record_path(id).write_text(dumps(seal({**records[other], "id": id})))
    found = problems(folder)
    assert {(FALSE, "statement_hash"), (TRUE, "statement_hash")} <= found


def test_swapped_parts_of_a_statement(folder):
    """The parts in another order: the same words, another statement."""
    data = folder.record(BOUND)["statement"]
    turned = {**data, "parts": data["parts"][::-1]}
    assert turned != data
    plant(folder, BOUND, **describe_statement(turned))
    assert (BOUND, "statement_hash") in problems(folder)
