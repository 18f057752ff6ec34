"""The catalogue's false variants are refuted, and no evidence serves a statement not its own."""

import pickle

import pytest

from lemmata.verify.catalogue import builtin
from lemmata.verify.claim import Settings
from lemmata.verify.claims import CLAIMS
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Enumeration, Instance, Part, Spectrum
from lemmata.verify.record import decode
from lemmata.verify.runner import run

pytestmark = pytest.mark.xdist_group("records")  # one worker makes them, not each
SUPPORT = ("proved", "certified", "confirmed")
DERIVED = [claim for claim in CLAIMS if claim.derivation]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The records of all claims with their mutants, in the quick profile."""
    own = builtin()
    found = run(CLAIMS, own, Settings(), folder=tmp_path_factory.mktemp("run"), mutants=True)
    return {result.id: result.record for result in found.results}


@pytest.fixture(scope="module")
def lemmas(records):
    """What every claim says and has earned; more than any one of them may cite."""
    return {
        id: (builtin()[id].statement, record["verdict"]["outcome"])
        for id, record in records.items()
    }


def outcomes(entry):
    return [finding["outcome"] for finding in entry["verdict"]["findings"]]


def test_every_claim_has_three_mutants_of_its_own():
    for claim in CLAIMS:
        statements = {mutant.statement for mutant in claim.mutants} - {claim.statement}
        assert len(statements) == len(claim.mutants) >= 3, claim.id


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_mutant_is_refuted(records, claim):
    record = records[claim.id]
    assert record["verdict"]["outcome"] == claim.expected
    found = {entry["name"]: entry["verdict"]["outcome"] for entry in record["mutants"]}
    assert found == {mutant.name: "refuted" for mutant in claim.mutants}
    for entry in record["mutants"]:
        assert "refuted" in outcomes(entry)
        assert entry["errors"] == []


@pytest.mark.parametrize("claim", DERIVED, ids=lambda claim: claim.id)
def test_the_claims_derivation_is_refused_for_every_mutant(lemmas, claim):
    proof = claim.derivation()
    assert check(claim.id, claim.statement, (proof,), lemmas).outcome == "proved"
    for mutant in claim.mutants:
        verdict = check(mutant.name, mutant.statement, (proof,), lemmas)
        assert [finding.outcome for finding in verdict.findings] == ["rejected"]
        assert verdict.outcome == "inconclusive"


NEIGHBOURS = (1, 2, 17)


def bare(item):
    return bare(item.evidence) if isinstance(item, Part | Instance) else item


@pytest.mark.parametrize("one", CLAIMS, ids=lambda claim: claim.id)
def test_no_evidence_carries_over_to_another_claim(records, lemmas, one):
    """To its neighbours, that is. But for what says nothing of its own, counts of cases and
    spectra: the kernel goes through the cases and computes the spectrum itself."""
    brought = tuple(decode(item) for item in records[one.id]["evidence"])
    own = tuple(item for item in brought if not isinstance(bare(item), Enumeration | Spectrum))
    place = CLAIMS.index(one)
    for step in NEIGHBOURS:
        other = CLAIMS[(place + step) % len(CLAIMS)]
        assert check(other.id, other.statement, own, lemmas).outcome not in SUPPORT, other.id
        if own == brought:
            continue
        verdict = check(other.id, other.statement, brought, lemmas)
        supported = {f.evidence.split()[-1] for f in verdict.findings if f.outcome in SUPPORT}
        assert "Derivation" not in supported, other.id
        if verdict.outcome in SUPPORT:
            earned = {"Enumeration": "confirmed", "Spectrum": "certified"}
            assert {verdict.outcome} == {earned[kind] for kind in supported}, other.id
            assert other.expected != "refuted", other.id


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_pickle(claim):
    copy = pickle.loads(pickle.dumps(claim))
    assert (copy.id, copy.statement, copy.mutants) == (claim.id, claim.statement, claim.mutants)
    for field in ("derivation", "experiment", "certificate"):
        assert callable(getattr(copy, field)) == callable(getattr(claim, field))
