"""Moments, degrees, facts."""

from sympy import Abs, IndexedBase, Integer

from attacks import ONE, TWO, ZERO, false, j, line, proof, rel, single, x, y
from lemmata.symbolic.statements import Mean, PolynomialDegree


@false
def moment_with_a_variable_twice():
    return single(Mean(x**2, ((x, "normal"), (x, "normal")), ONE), "isserlis")


@false
def moment_of_a_sequence_as_a_constant():
    g = IndexedBase("g")
    return single(Mean(g[1], ((g, "normal"),), g[1]), "isserlis")


@false
def moment_of_a_modulus():
    return single(Mean(Abs(x), ((x, "normal"),), ZERO), "isserlis")


@false
def degree_with_fractions():
    return single(PolynomialDegree(x / 2, (x,), TWO), "degree")


@false
def degree_with_a_parameter():
    return single(PolynomialDegree(x * y, (x,), TWO), "degree")


@false
def sum_of_a_negative_number_of_signs():
    from lemmata.verify.kernel.facts import FACTS

    stated = FACTS["sum of signs"].instance(Integer(-3), ONE)
    return proof(line(stated, "fact", name="sum of signs", count=-3, below=1))


@false
def number_of_signs_caught_by_the_index():
    from lemmata.verify.kernel.facts import FACTS

    stated = FACTS["sum of signs"].instance(j, ONE)
    return proof(line(stated, "fact", name="sum of signs", count=j, below=1))


@false
def fact_without_instances():
    return single(rel(0, "=", 1), "fact", name="mean value theorem")
