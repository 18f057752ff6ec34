"""The language of statements: domains and their makers, values that compare and hash."""

import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import get_args

import pytest
from sympy import E, Integer, Rational, Symbol, oo

from lemmata.symbolic.statements import (
    REALS,
    Domain,
    Every,
    Maximum,
    Mean,
    Orbit,
    Relation,
    Statement,
    above,
    integers,
    interval,
)

x = Symbol("x")


@pytest.mark.parametrize(
    ("made", "domain"),
    [
        (interval(0, 1), Domain(Integer(0), Integer(1))),
        (interval(0, 1, "[]"), Domain(Integer(0), Integer(1), False, False)),
        (interval(0, 1, "[)"), Domain(Integer(0), Integer(1), False, True)),
        (interval(0, 1, "(]"), Domain(Integer(0), Integer(1), True, False)),
        (interval(E, oo, "[]"), Domain(E, oo, False, True)),
        (interval(-oo, E, "[]"), Domain(-oo, E, True, False)),
        (interval(x, x + 1), Domain(x, x + 1)),
        (interval(Rational(1, 2), 2), Domain(Rational(1, 2), Integer(2))),
        (above(0), Domain(Integer(0), oo)),
        (above(E), Domain(E, oo)),
        (integers(), Domain(-oo, oo, True, True, True)),
        (integers(1), Domain(Integer(1), oo, False, True, True)),
        (integers(1, 5), Domain(Integer(1), Integer(5), False, False, True)),
        (integers(-oo, 5), Domain(-oo, Integer(5), True, False, True)),
        (REALS, Domain(-oo, oo, True, True, False)),
    ],
)
def test_domains(made, domain):
    assert made == domain
    assert hash(made) == hash(domain)


@pytest.mark.parametrize("ends", ["", "(", "[[", "][", "())", "open", "<>"])
def test_ends_are_one_of_four(ends):
    with pytest.raises(ValueError, match="expected one of"):
        interval(0, 1, ends)


@pytest.mark.parametrize("bound", [0.5, "1", None, 1j])
def test_bounds_are_exact(bound):
    with pytest.raises(ValueError, match="exact SymPy expression"):
        above(bound)
    with pytest.raises(ValueError, match="Rational"):
        interval(0, bound)
    with pytest.raises(ValueError, match="exact"):
        integers(bound)


@pytest.mark.parametrize("kind", get_args(Statement))
def test_statements_are_frozen_data(kind):
    assert is_dataclass(kind)
    made = object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(kind)[0].name, 1)


def test_statements_compare_by_value_and_travel():
    one = Relation(x, "<", Integer(1), ((x, above(0)),), (Relation(x, "!=", E),))
    same = Relation(x, "<", Integer(1), ((x, above(0)),), (Relation(x, "!=", E),))
    whole = Every((one, Maximum(x, x, REALS, E)))
    assert one == same
    assert len({one, same}) == 1
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert one != Relation(x, "<=", Integer(1), one.over, one.given)


def test_parameters_and_tense_are_part_of_a_statement():
    holds = Relation(x, ">", Integer(0))
    orbit = Orbit(((x, x / 2),), ((x, Integer(1)),), holds)
    assert (orbit.eventually, orbit.over) == (False, ())
    others = {
        Orbit(orbit.step, orbit.start, holds, eventually=True),
        Orbit(orbit.step, orbit.start, holds, over=((Symbol("n"), integers(1)),)),
        Orbit(orbit.step, ((x, Integer(2)),), holds),
        Orbit(((x, x / 3),), orbit.start, holds),
    }
    assert len({orbit, *others}) == 5
    mean = Mean(x, ((x, "sign"),), Integer(0))
    assert mean.over == ()
    assert mean != Mean(x, ((x, "sign"),), Integer(0), over=((Symbol("n"), integers(1)),))
    assert pickle.loads(pickle.dumps((orbit, mean))) == (orbit, mean)


def test_short_text():
    assert str(Relation(x, "<=", Integer(1))) == "x <= 1"
    assert str(interval(0, 1, "[)")) == "[0, 1)"
    assert str(integers(1)) == "the integers of [1, oo)"
