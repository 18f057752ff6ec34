"""Sums of signs: whose terms are not independent, not fair, or not as many as said."""

from dataclasses import replace

from sympy import Integer, Mul, Product, Rational, Sum, ceiling, factorial, floor

from attacks import HALF, ONE, TWO, ZERO, d, e, false, i, j, k, line, n, proof, rel, t, true, x
from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.statements import Mean, above, integers
from lemmata.verify.kernel.evidence import Enumeration, Instance
from lemmata.verify.kernel.facts import FACTS

THREE = Integer(3)
SIGNS = ((d, "sign"), (x, "sign"))


def fair(count, below, over=()):
    """The fact, and the line that states it."""
    stated = replace(FACTS["sum of signs"].instance(count, below), over=over)
    return stated, line(stated, "fact", name="sum of signs", count=count, below=below)


def relabelled(total, count=THREE, below=ZERO, laws=SIGNS, over=(), **changes):
    stated, first = fair(count, below, over)
    event = Mean(rel(total, "<", below), laws, stated.value, over=over)
    return proof(first, line(replace(event, **changes), "relabel", 1, sum=total))


@false
def square_in_disguise():
    """A product that SymPy is told not to evaluate: every term is 1."""
    own = d[k]
    return relabelled(Sum(Mul(own, own, evaluate=False), (k, 1, 3)))


@false
def entry_as_the_index_of_a_sum():
    """d[1] + 2 d[2] + 3 d[3], where the weight has the name of a sign."""
    weighted = Sum(d[e[1]] * e[1], (e[1], 1, 3))
    return relabelled(weighted, below=-ONE, laws=((d, "sign"), (e, "sign")))


@false
def entry_that_an_index_rebinds():
    """Is e[i] at i = 1 the entry e[1], or the index of that name?"""
    return proof(line(rel(Sum(Sum(e[i], (e[1], 1, 3)), (i, 1, 1)), "=", 6), "ground"))


@false
def one_sign_for_all_terms():
    return relabelled(Sum(x * t, (k, 1, 3)), laws=(*SIGNS, (t, "sign")))


@false
def sign_that_misses_an_index():
    return relabelled(Sum(x * d[k], (k, 1, 3), (i, 1, 3)), Integer(9), ONE)


@false
def product_of_neighbours_around_a_ring():
    """Their product is always 1."""
    ring = Sum(d[k] * d[k + 1], (k, 1, 2)) + d[3] * d[1]
    return relabelled(ring, laws=SIGNS[:1])


@false
def matrix_and_its_transpose():
    return relabelled(Sum(d[k, i] * d[i, k], (k, 1, 2), (i, 1, 2)), Integer(4), laws=SIGNS[:1])


@false
def entry_that_may_lie_in_the_range():
    over = ((n, integers(0)),)
    return relabelled(Sum(d[n] * d[k], (k, 1, 3)), over=over, laws=SIGNS[:1])


@false
def places_that_coincide():
    """d[k, k + i]: one entry for (k, i), but not with i in a place of its own."""
    return relabelled(Sum(x * d[k + i], (k, 1, 2), (i, 1, 2)), Integer(4))


@false
def weight_among_the_signs():
    return relabelled(Sum(2 * d[k], (k, 1, 3)))


@false
def fact_in_place_of_a_claim():
    """3 (s_1 + ... + s_5) < 2 is true with 1/2, s_1 + ... + s_5 < 2 is not."""
    thrice = Mean(rel(Sum(d[k], (i, 1, 3), (k, 1, 5)), "<", 2), SIGNS[:1], HALF)
    total = Sum(x * d[k], (k, 1, 5))
    return proof(
        line(thrice, "fact", name="sum of signs", count=5, below=2),
        line(Mean(rel(total, "<", 2), SIGNS, HALF), "relabel", 1, sum=total),
    )


@false
def range_that_is_empty():
    """From 2 to n - 2 there are n - 3 terms only if there are any."""
    over = ((n, integers(1)),)
    return relabelled(Sum(x * d[k], (k, 2, n - 2)), n, over=over)


@false
def range_that_varies():
    over = ((n, integers(1)),)
    return relabelled(Sum(x * d[k, i], (k, 1, i), (i, 1, n)), n, over=over)


@false
def count_that_depends_on_chance():
    count = floor(d[0]) ** 2 + 1
    stated, first = fair(count, ZERO)
    return proof(first, line(stated, "relabel", 1, sum=Sum(x * d[k], (k, 1, 2))))


@false
def count_that_is_not_defined():
    stated, first = fair(n, factorial(n - 5), ((n, integers(1)),))
    total = Sum(x * d[k], (k, 1, n))
    event = Mean(rel(total, "<", factorial(n - 5)), SIGNS, stated.value, over=stated.over)
    return proof(first, line(event, "relabel", 1, sum=total))


@false
def count_that_may_be_zero():
    over = ((n, integers(0)),)
    return relabelled(Sum(x * d[k], (k, 1, n)), n, over=over)


@false
def count_that_is_no_integer():
    over = ((n, above(0)),)
    return relabelled(Sum(x * d[k], (k, 1, ceiling(n))), n, over=over)


@false
def parameter_with_the_name_of_the_facts_index():
    over = ((j, integers(1)),)
    return relabelled(Sum(x * d[k], (k, 1, j)), j, over=over)


@false
def factor_that_turns_the_event():
    stated, first = fair(THREE, ONE)
    total = Sum(x * d[k], (k, 1, 3))
    event = Mean(rel(-total, "<", -1), SIGNS, stated.value)
    return proof(first, line(event, "relabel", 1, sum=total, factor=-1))


@false
def ties_on_the_border():
    """For two signs, at most 0 has 3/4 and less than 0 has 1/4."""
    total = Sum(x * d[k], (k, 1, 2))
    return relabelled(total, TWO, quantity=rel(total, "<=", 0))


@false
def instance_taken_for_all():
    """True at n = 1 alone, and an instance is no derivation."""
    over = ((n, integers(1)),)
    statement = Mean(rel(Sum(d[k], (k, 1, n)), "<", 0), SIGNS[:1], HALF, over=over)
    inner = proof(line(rel(0, "=", 0), "ground"))[1]
    return statement, Instance(((n, TWO),), Enumeration(4)), Instance(((n, ONE),), inner)


@false
def mean_over_a_part_of_the_parameters():
    over = ((n, integers(1)), (k, integers(1)))
    statement = Mean(x * n + k, SIGNS[1:], ONE, over=over)
    return statement, Instance(((n, ONE),), Enumeration(2)), Enumeration(2)


@false
def value_that_depends_on_chance():
    return Mean(x, SIGNS[1:], x - x**3), Enumeration(2)


@true
def mean_of_an_empty_product():
    return Mean(Product(d[k], (k, 3, 1)), SIGNS[:1], ONE), Enumeration(1)


@true
def mean_over_a_hidden_index():
    """The inner k hides the outer one: 2 (d_1 + d_2)."""
    doubled = Sum(d[k], (k, 1, 2), (k, 1, 2))
    return Mean(doubled**2, SIGNS[:1], Integer(8)), Enumeration(4)


@true
def mean_at_an_instance_outside():
    """E[(d_1 + ... + d_n)^2] = n; from 0 on it would be false for n = -1 only."""
    over = ((n, integers(0)),)
    square = Mean(Sum(d[k], (k, 1, n)) ** 2, SIGNS[:1], n, over=over)
    return square, Instance(((n, -ONE),), Enumeration(1)), Instance(((n, HALF),), Enumeration(1))


@true
def derivation_beside_another_mean():
    """Evidence about P(S < 0) = 1/2 says nothing against P(S < 1) = 1/2 + ..."""
    other = relabelled(Sum(x * d[k], (k, 1, 2)), TWO)[1]
    statement = Mean(rel(Sum(x * d[k], (k, 1, 2)), "<", 1), SIGNS, Rational(3, 4))
    return statement, other, Derivation(other.lines[:1])
