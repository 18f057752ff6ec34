"""Catalogues hang together or say why not; files of claims load or say where they fail."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Integer, Symbol

from lemmata.symbolic.statements import Relation
from lemmata.verify.catalogue import (
    Catalogue,
    CatalogueError,
    UnknownClaimError,
    builtin,
    load,
    load_file,
)
from lemmata.verify.claim import Claim, Mutant

HERE = Path(__file__).parent
x = Symbol("x")


def claim(id, **fields):
    return Claim(
        id=id, title=f"About {id}", statement=Relation(x**2, ">=", Integer(0)), source="s", **fields
    )


def ids(claims):
    return [item.id for item in claims]


CHAIN = Catalogue(
    [
        claim("b.last", uses=("a.middle", "a.first")),
        claim("a.middle", uses=("a.first",)),
        claim("a.first", corrected_by="b.other"),
        claim("b.other", corrects="a.first"),
    ]
)


def test_it_is_a_mapping_in_the_order_given():
    assert list(CHAIN) == ["b.last", "a.middle", "a.first", "b.other"]
    assert len(CHAIN) == 4
    assert CHAIN["a.first"].id == "a.first"
    assert "a.first" in CHAIN
    assert "a.none" not in CHAIN
    assert CHAIN.get("a.none") is None


def test_order_puts_each_claim_after_those_it_uses():
    assert ids(CHAIN.order()) == ["a.first", "a.middle", "b.last", "b.other"]
    assert ids(CHAIN.closure([CHAIN["a.middle"]])) == ["a.first", "a.middle"]


def test_a_long_chain_has_an_order():
    links = [claim("a.x0"), *(claim(f"a.x{k}", uses=(f"a.x{k - 1}",)) for k in range(1, 3000))]
    assert ids(Catalogue(reversed(links)).order()) == ids(links)


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        (["a.first"], ["a.first"]),
        (["b.*"], ["b.last", "b.other"]),
        (["b.other", "*.last", "b.*"], ["b.last", "b.other"]),
        (["*"], ["b.last", "a.middle", "a.first", "b.other"]),
        ([], []),
    ],
)
def test_select(patterns, chosen):
    assert ids(CHAIN.select(patterns)) == chosen


@pytest.mark.parametrize(
    ("pattern", "suggestion"),
    [
        ("a.frist", "a.first"),
        ("midle", "a.middle"),
        ("a.mid*e?", "a.middle"),
        ("zzz", "lemmata list"),
    ],
)
def test_what_is_not_there_is_met_with_the_nearest(pattern, suggestion):
    with pytest.raises(UnknownClaimError) as caught:
        CHAIN.select([pattern])
    assert repr(pattern) in str(caught.value)
    assert suggestion in str(caught.value)


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ([claim("a.b"), claim("a.b")], "a.b: expected ids to be distinct"),
        ([claim("a.b", uses=("a.c",))], "a.b: uses: expected the id of a claim; got 'a.c'"),
        ([claim("a.b", corrects="a.c")], "a.b: corrects: expected the id of a claim"),
        ([claim("a.b", corrected_by="a.c")], "a.b: corrected_by: expected the id of a claim"),
        ([claim("a.bc"), claim("a.x", uses=("a.bd",))], "Did you mean a.bc"),
        ([claim("a.a", uses=("a.a",))], "the cycle a.a -> a.a"),
        (
            [claim("a.a", uses=("a.b",)), claim("a.b", uses=("a.c",)), claim("a.c", uses=("a.a",))],
            "a.a -> a.b",
        ),
        (["a.b"], "expected claims; got str"),
    ],
)
def test_what_does_not_hang_together(claims, message):
    with pytest.raises(CatalogueError) as caught:
        Catalogue(claims)
    assert message in str(caught.value)


def test_strict_asks_for_three_mutants():
    few = claim("a.b", mutants=(Mutant("m", Relation(x, ">", Integer(0)), "no"),))
    assert len(Catalogue([few])) == 1
    with pytest.raises(CatalogueError, match=r"a\.b: expected at least 3 mutants; got 1"):
        Catalogue([few], strict=True)


def test_a_catalogue_may_refer_to_its_base():
    above = Catalogue([claim("c.new", uses=("a.middle",))], base=CHAIN)
    assert list(above) == ["c.new"]
    assert ids(above.order()) == ["a.first", "a.middle", "c.new"]
    assert ids(above.select(["c.new", "a.first"])) == ["a.first", "c.new"]
    with pytest.raises(CatalogueError, match=r"a\.first: expected ids to be distinct"):
        Catalogue([claim("a.first")], base=CHAIN)


def test_verdicts_count_claims_and_mutants_of_both():
    mutants = tuple(Mutant(f"m{k}", Relation(x, ">", Integer(k)), "no") for k in range(3))
    assert CHAIN.verdicts == 4
    assert Catalogue([claim("c.new", mutants=mutants)], base=CHAIN).verdicts == 8


def test_lemmatas_own_claims_are_strict_and_pickle():
    own = builtin()
    assert own is builtin() is load(None)
    for original in own.order():
        # Producers may be partial functions, no two of which are equal.
        sent = pickle.loads(pickle.dumps(original))
        plain = replace(sent, derivation=None, experiment=None, certificate=None)
        assert plain == replace(original, derivation=None, experiment=None, certificate=None)


def test_a_file_with_a_tuple_of_claims():
    found = load_file(HERE / "sample_claims.py")
    assert list(found)[:2] == ["sample.broken", "sample.growth"]
    assert found["degree.optimum"] is builtin()["degree.optimum"]
    assert load(HERE / "sample_claims.py") is found


HEAD = """
from sympy import Integer, Symbol
from lemmata.symbolic.statements import Relation
from lemmata.verify.catalogue import builtin
from lemmata.verify.claim import Claim

x = Symbol("x")

def make(id, **more):
    return Claim(id=id, title="t", statement=Relation(x, "=", x), source="s", **more)
"""


def written(folder, body):
    path = folder / "my_claims.py"
    path.write_text(HEAD + body)
    return path


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("one = make('my.one')\nalias = one\ntwo = make('my.two')", ["my.one", "my.two"]),
        ("CLAIMS = [make('my.one')]\nother = make('my.two')", ["my.one"]),
        ("known = builtin()['degree.optimum']\none = make('my.one')", ["my.one"]),
        ("CLAIMS = (make('my.one', uses=('degree.optimum',)),)", ["my.one"]),
        ("CLAIMS = (builtin()['degree.optimum'],)", ["degree.optimum"]),
        ("from my_neighbour import NAME\none = make(NAME)", ["my.neighbour"]),
    ],
)
def test_files_of_claims(tmp_path, monkeypatch, body, found):
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "my_neighbour.py").write_text("NAME = 'my.neighbour'")
    assert list(load_file(written(tmp_path, body))) == found


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "my_claims.py: expected claims; got none"),
        ("CLAIMS = ()", "my_claims.py: expected claims; got none"),
        ("CLAIMS = 3", "my_claims.py, line 11: CLAIMS: expected a tuple of claims; got int"),
        ("CLAIMS = (3,)", "my_claims.py: expected claims; got int 3"),
        ("1 / 0", "my_claims.py, line 11: ZeroDivisionError: division by zero"),
        ("def f(:", "my_claims.py, line 11: SyntaxError: invalid syntax"),
        ("import no_such_thing", "line 11: ModuleNotFoundError: No module named 'no_such_thing'"),
        ("exit(3)", "my_claims.py, line 11: SystemExit: 3"),
        (
            "\none = make('no-family')",
            "my_claims.py, line 10: ClaimError: id: expected family.name",
        ),
        ("a = make('my.a')\nb = make('my.a')", "line 12: my.a: expected ids to be distinct"),
        ("a = make('degree.optimum')", "line 11: degree.optimum: expected ids to be distinct"),
        ("a = make('my.a', uses=('degree.optimun',))", "Did you mean degree.optimum"),
        ("a = make('my.a', uses=('my.a',))", "the cycle my.a -> my.a"),
    ],
)
def test_files_that_are_none(tmp_path, body, message):
    path = written(tmp_path, body)
    with pytest.raises(CatalogueError) as caught:
        load_file(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_file_that_is_not_there_or_not_python(tmp_path):
    with pytest.raises(CatalogueError, match="No such file"):
        load_file(tmp_path / "none.py")
    with pytest.raises(CatalogueError, match="no plain file"):
        load_file(tmp_path)
    (tmp_path / "claims.txt").write_text("CLAIMS = ()")
    with pytest.raises(CatalogueError, match=r"ends in \.py"):
        load_file(tmp_path / "claims.txt")
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CatalogueError, match="SyntaxError"):
        load_file(tmp_path / "bytes.py")


def test_a_changed_file_is_loaded_anew(tmp_path):
    assert list(load_file(written(tmp_path, "a = make('my.a')"))) == ["my.a"]
    assert list(load_file(written(tmp_path, "a = make('my.b')"))) == ["my.b"]
