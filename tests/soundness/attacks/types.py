"""Types."""

import sympy as sp
from sympy import Integer

from attacks import HALF, ONE, ZERO, F, false, rel, x
from attacks.conjunctions import LIE, TRUTH_SHOWN
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import REALS, Minimiser, Relation, interval
from lemmata.verify.kernel.evidence import Enclosure, Multipliers


class Yes:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class YesText(Yes, str):
    __slots__ = ()
    __hash__ = str.__hash__


class YesFraction(F):
    """Wide to the sum of volumes, narrow to the ball."""

    def __eq__(self, other):
        return True

    __hash__ = F.__hash__


class YesSymbol(sp.Symbol):
    def __eq__(self, other):
        return True

    __hash__ = sp.Symbol.__hash__


class YesInteger(sp.Integer):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = sp.Integer.__hash__


def yes_integer(value):
    made = sp.Expr.__new__(YesInteger)
    made.p, made.q = value, 1
    return made


@false
def number_equal_to_everything():
    return Relation(ZERO, "=", yes_integer(1)), Derivation((Line(rel(0, "=", 0), "ground"),))


@false
def proved_number_equal_to_everything():
    return LIE, Derivation((Line(Relation(ZERO, "=", yes_integer(0)), "ground"),))


@false
def variable_equal_to_everything():
    mine = YesSymbol("x")
    shown = Relation(mine, "=", mine, ((mine, REALS),))
    return rel(x, "=", 1, ((x, REALS),)), Derivation((Line(shown, "field"),))


@false
def operator_equal_to_everything():
    return Relation(ZERO, YesText("<"), ZERO), TRUTH_SHOWN


@false
def multiplier_equal_to_everything():
    rows = ((ONE,), (ONE,))
    statement = Minimiser(rows, (ZERO, ZERO), (Integer(7),))
    return statement, Multipliers((YesFraction(7), YesFraction(0)))


@false
def derivation_by_a_subclass():
    class Mine(Derivation):
        def __eq__(self, other):
            return True

        __hash__ = Derivation.__hash__

    return LIE, Mine(TRUTH_SHOWN.lines)


@false
def floats_in_a_box():
    statement = rel(x, "<", HALF, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), (((0.0, 0.4),), ((0.4, 1.0),)))


@false
def float_in_a_statement():
    return Relation(sp.Float(0.1) * 3, "=", sp.Float(0.3)), TRUTH_SHOWN
