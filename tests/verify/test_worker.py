"""The check of one claim: producers that fail, workers that differ, and what the kernel sees."""

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Symbol

from lemmata.symbolic.statements import Relation, integers
from lemmata.verify.catalogue import builtin
from lemmata.verify.claim import Claim, Settings
from lemmata.verify.environment import environment
from lemmata.verify.kernel.evidence import (
    Counterexample,
    Enumeration,
    Instance,
    Part,
    SequentialTest,
)
from lemmata.verify.record import RecordError, seal
from lemmata.verify.worker import Task, WorkerError, error_probability, judge, work

n = Symbol("n")
SMALL = ((n, integers(1, 5)),)
TRUE = Relation(n, ">", Integer(0), SMALL)
FALSE = Relation(n, ">", Integer(3), SMALL)


def claim(**fields):
    return Claim(id="live.claim", title="t", statement=TRUE, source="s", **fields)


def task(claim=None, id="live.claim", **changes):
    fields = {
        "id": id,
        "settings": Settings(),
        "mutants": False,
        "lemmas": (),
        "source": None,
        "sha256": None,
        "claim": claim,
        "environment": environment(),
        "run": "0" * 64,
    }
    return Task(**{**fields, **changes})


def test_a_task_travels_and_gives_a_sealed_record():
    sent = pickle.loads(pickle.dumps(task(id="degree.optimum")))
    record = work(sent)
    assert record == seal(record)
    assert record["verdict"]["outcome"] == builtin()["degree.optimum"].expected
    assert record["run"] == "0" * 64
    assert record["mutants"] is None


def fail(statement, settings):
    raise ValueError("no luck")


def nothing(statement, settings):
    return None


def numbers(statement, settings):
    return (1, 2)


def floats(statement, settings):
    return (Counterexample(((n, 0.5),)),)


def careless(statement, settings):
    return (
        SequentialTest(
            "x", (), Fraction(0), Fraction(0), 2 * settings.alpha, Fraction(1), 0, 16, ()
        ),
    )


def no_derivation():
    return Enumeration(5)


@pytest.mark.parametrize(
    ("producer", "told"),
    [
        ({"experiment": fail}, "experiment: ValueError: no luck (test_worker.py, line "),
        ({"certificate": fail}, "certificate: ValueError: no luck"),
        ({"experiment": nothing}, "experiment: TypeError: expected a tuple of evidence; got None"),
        ({"experiment": numbers}, "experiment: RecordError: expected a statement or evidence"),
        ({"experiment": floats}, "Counterexample.point[0][1]: expected expression; got float 0.5"),
        ({"experiment": careless}, "expected tests with an error probability of at most 1/"),
        ({"derivation": no_derivation}, "derivation: RecordError: derivation: expected Derivation"),
    ],
)
def test_failing_producers(producer, told):
    errors = work(task(claim(**producer)))["errors"]
    assert len(errors) == 1
    assert told in errors[0]


def test_the_tests_of_a_claim_share_its_error_probability():
    test = SequentialTest(
        "x", (), Fraction(0), Fraction(0), Fraction(1, 100), Fraction(1), 0, 16, ()
    )
    nested = Part(0, Instance(((n, Integer(1)),), test))
    assert error_probability([test, Enumeration(3), nested]) == Fraction(2, 100)


def test_judge_sees_what_a_record_holds():
    assert judge("live.claim", TRUE, (Enumeration(5),)).outcome == "certified"
    assert judge("live.claim", FALSE, (Counterexample(((n, 1),)),)).outcome == "refuted"
    with pytest.raises(RecordError):
        judge("live.claim", TRUE, (object(),))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"python": "3.99.0"}, "python is "),
        ({"code": "0" * 64}, "code is "),
        ({"packages": {**environment()["packages"], "sympy": "0.7"}}, "packages.sympy is "),
    ],
)
def test_a_worker_set_up_otherwise_declines(changes, told):
    with pytest.raises(WorkerError) as caught:
        work(task(claim(), environment={**environment(), **changes}))
    assert told in str(caught.value)
    assert "Install the same versions" in str(caught.value)


def test_a_worker_with_another_file_declines(sample_file, tmp_path):
    with pytest.raises(WorkerError, match="differs from the file"):
        work(task(id="sample.rank", source=str(sample_file), sha256="0" * 64))
    with pytest.raises(ValueError, match="No such file"):
        work(task(id="sample.rank", source=str(tmp_path / "none.py"), sha256="0" * 64))


def test_settings_reach_the_producers():
    seen = []

    def look(statement, settings):
        seen.append((statement, settings))
        return ()

    settings = Settings(seed=5, alpha=Fraction(1, 10**9))
    work(replace(task(claim(experiment=look)), settings=settings))
    assert seen == [(TRUE, settings)]
