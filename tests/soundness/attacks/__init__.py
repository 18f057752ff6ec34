"""Attacks on the kernel, by what they abuse; `test_red_team.py` carries them out.

A false statement here is also one whose expressions are not all defined on its domain, and one
that is not well formed. Each attack is minimal: nothing in it but what the hole needs.
"""

from fractions import Fraction
from types import MappingProxyType

import sympy as sp
from sympy import IndexedBase, Integer, Rational, symbols

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import Domain, Relation
from lemmata.verify.kernel import check

F = Fraction
x, y, z, t, a, k, n, i, j = symbols("x y z t a k n i j")
d, e = IndexedBase("d"), IndexedBase("e")
ZERO, ONE, TWO, HALF = Integer(0), Integer(1), Integer(2), Rational(1, 2)
POINT = Domain(ZERO, ZERO, False, False)
NEGATIVE_ROOT = sp.Pow(-1, Rational(1, 4))  # no real number, though its fourth power is

SUPPORT = {"proved", "certified", "confirmed"}
ATTACKS = {}


def rel(lhs, op, rhs, over=(), given=()):
    return Relation(sp.sympify(lhs), op, sp.sympify(rhs), over, given)


def line(statement, rule, *using, **args):
    return Line(statement, rule, using, tuple((key, sp.sympify(v) if isinstance(v, int) else v)
                                              for key, v in args.items()))  # fmt: skip


def proof(*lines):
    """The last line is the statement attacked."""
    return lines[-1].statement, Derivation(lines)


def single(statement, rule, **args):
    return proof(line(statement, rule, **args))


def attack(kind):
    def register(make):
        ATTACKS[make.__name__] = (kind, make)
        return make

    return register


false, true = attack("false"), attack("true")


def judged(made, lemmas=MappingProxyType({})):
    statement, *evidence = made
    return check("attack", statement, tuple(evidence), lemmas)
