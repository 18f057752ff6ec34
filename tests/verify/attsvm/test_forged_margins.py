"""Whoever changes a multiplier, a token or the support in a record is found out by `recheck`.

The forger renews the seals, so that only the content can give the change away.
"""

import shutil
from dataclasses import replace
from fractions import Fraction

import pytest

from lemmata.symbolic.statements import Every
from lemmata.verify.catalogue import builtin
from lemmata.verify.claim import Settings
from lemmata.verify.claims.attsvm import margins
from lemmata.verify.kernel.evidence import Multipliers, Part
from lemmata.verify.recheck import recheck
from lemmata.verify.record import decode, dumps, encode, seal
from lemmata.verify.runner import run
from lemmata.verify.store import RunFolder
from lemmata.verify.worker import describe_statement

CLAIMS = (margins.MAX_MARGIN, margins.INFEASIBLE)
PARTS = [(claim.id, index) for claim in CLAIMS for index in range(len(claim.statement.parts))]


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """One run a claim: a forged record then costs the check of that claim alone."""
    own, folders = builtin(), {}
    for claim in CLAIMS:
        folders[claim.id] = tmp_path_factory.mktemp("original") / "run"
        run([own[claim.id]], own, Settings(), folder=folders[claim.id])
    return folders


@pytest.fixture
def copied(originals, tmp_path):
    def copy(id):
        return RunFolder(shutil.copytree(originals[id], tmp_path / "run"))

    return copy


def problems(folder, **keywords):
    return {item.field for found in recheck(folder.path, **keywords) for item in found.problems}


def evidence_of(folder, id):
    return [decode(item) for item in folder.record(id)["evidence"]]


def plant(folder, id, original, **changes):
    """Write the record with these changes and new seals."""
    path = folder.record_path(id)
    path.write_text(dumps(seal({**original, **changes})))
    assert folder.record(id)["digest"] != original["digest"]


def with_values(evidence, index, values):
    """The evidence with the multipliers of one part replaced."""
    return [
        encode(Part(index, Multipliers(tuple(values))) if item.index == index else item)
        for item in evidence
    ]


@pytest.mark.parametrize("id", [claim.id for claim in CLAIMS])
def test_the_untouched_record_stands(copied, id):
    folder = copied(id)
    assert problems(folder) == set()
    assert folder.record(id)["verdict"]["outcome"] == "certified"


@pytest.mark.parametrize(("id", "index"), PARTS)
def test_every_multiplier(copied, id, index):
    folder = copied(id)
    original, evidence = folder.record(id), evidence_of(folder, id)
    (values,) = (item.evidence.values for item in evidence if item.index == index)
    for place, value in enumerate(values):
        for forged in {value + Fraction(1, 1000), Fraction(0)} - {value}:
            changed = [*values[:place], forged, *values[place + 1 :]]
            plant(folder, id, original, evidence=with_values(evidence, index, changed))
            assert "verdict.outcome" in problems(folder), (place, forged)


@pytest.mark.parametrize(("id", "index"), PARTS)
def test_every_place_of_the_support(copied, id, index):
    """A multiplier moved to another row. If that row is the same one again, the record is still
    a proof, but not the one that the claim's producer makes."""
    folder = copied(id)
    original, evidence = folder.record(id), evidence_of(folder, id)
    rows = decode(original["statement"]).parts[index].rows
    (values,) = (item.evidence.values for item in evidence if item.index == index)
    support = [place for place, value in enumerate(values) if value]
    for old in support:
        for new in {(old + 1) % len(values), *range(len(values))} - set(support):
            changed = list(values)
            changed[old], changed[new] = changed[new], changed[old]
            plant(folder, id, original, evidence=with_values(evidence, index, changed))
            if rows[old] == rows[new]:
                assert problems(folder) == set()
                assert any("evidence" in field for field in problems(folder, simulate=True))
            else:
                assert "verdict.outcome" in problems(folder), (old, new)


@pytest.mark.parametrize("place", range(3))
def test_every_token_of_one_instance(copied, place):
    """The statement with another token, described and sealed anew, is not the catalogue's."""
    id = margins.MAX_MARGIN.id
    folder = copied(id)
    original = folder.record(id)
    whole = decode(original["statement"])
    tokens = [list(map(list, sequence)) for sequence in margins.LOC.tokens]
    for coordinate in range(2):
        changed = [[list(x) for x in sequence] for sequence in tokens]
        changed[0][place][coordinate] += 1
        frozen = tuple(tuple(map(tuple, sequence)) for sequence in changed)
        rows = replace(margins.LOC, tokens=frozen).rows()
        forged = Every((replace(whole.parts[0], rows=rows), *whole.parts[1:]))
        plant(folder, id, original, **describe_statement(encode(forged)))
        assert "statement_hash" in problems(folder)


@pytest.mark.parametrize("index", range(len(margins.MAX_MARGIN.statement.parts)))
def test_another_point(copied, index):
    id = margins.MAX_MARGIN.id
    folder = copied(id)
    original = folder.record(id)
    whole = decode(original["statement"])
    part = whole.parts[index]
    first, *rest = part.point
    forged = [*whole.parts]
    forged[index] = replace(part, point=(first + 1, *rest))
    plant(folder, id, original, **describe_statement(encode(Every(tuple(forged)))))
    assert "verdict.outcome" in problems(folder)
