"""Conjunctions, instances, claims."""

from attacks import ONE, false, line, proof, rel, single, x
from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import REALS, Every
from lemmata.verify.kernel.evidence import Instance, Part

TRUTH, LIE = rel(0, "=", 0), rel(0, "=", 1)
TRUTH_SHOWN = Derivation((Line(TRUTH, "ground"),))


@false
def part_of_a_part():
    statement = Every((Every((TRUTH, LIE)),))
    return statement, Part(0, Part(0, TRUTH_SHOWN))


@false
def conjunction_of_nothing():
    return (Every(()),)


@false
def nested_conjunction_of_nothing():
    return Every((Every(()), LIE)), Part(0, TRUTH_SHOWN)


@false
def one_part_of_two():
    return Every((TRUTH, LIE)), Part(0, TRUTH_SHOWN)


@false
def negative_part():
    return Every((LIE, TRUTH)), Part(-1, TRUTH_SHOWN), Part(1, TRUTH_SHOWN)


@false
def instance_outside_the_domain():
    statement = rel(x, ">", 0, ((x, REALS),), (rel(x, "<", 0),))
    return statement, Instance(((x, ONE),), single(rel(1, ">", 0), "ground")[1])


@false
def derivation_that_uses_itself():
    return proof(line(LIE, "linear", 1))


@false
def derivation_of_another_statement():
    return LIE, TRUTH_SHOWN


@false
def unknown_claim():
    return proof(line(LIE, "claim", name="lie"))
