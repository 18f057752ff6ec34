"""Separation ranks: networks that are none, names of two meanings, bounds that do not hold."""

from sympy import Integer, Rational, exp, log

from attacks import ONE, TWO, ZERO, F, a, false, k, n, rel, single, t, true, x, y
from lemmata.symbolic.statements import (
    REALS,
    Attention,
    EpsilonRank,
    Function,
    Hadamard,
    Mean,
    SeparationRank,
    integers,
    interval,
)
from lemmata.verify.kernel.evidence import (
    Enumeration,
    Instance,
    NetworkCertificate,
    SeparationCertificate,
    Spectrum,
)

NOTHING = NetworkCertificate(7, (), (), (), ())
PRODUCT = Function(x * y, ((x, REALS),), ((y, REALS),))
LINE = Hadamard(ONE, ONE, ONE, ONE)  # c (a x + b y)


def attention(*sizes, weights=()):
    return Attention(*(Integer(0) + size for size in sizes), weights)


def by_degrees(network):
    return single(SeparationRank(network, "<=", Integer(100)), "graded")


@false
def too_few_weights():
    return by_degrees(attention(1, 2, 1, 1, 3, weights=(1, 2)))


@false
def weights_of_text():
    return by_degrees(attention(1, 1, 1, 1, 3, weights=("1",) * 4))


@false
def weights_of_truth_values():
    return by_degrees(attention(1, 1, 1, 1, 3, weights=(True,) * 4))


@false
def weights_for_no_size():
    network = attention(n, 1, 1, 1, 3, weights=(1,) * 4)
    goal = SeparationRank(network, "<=", TWO, ((n, integers(1)),))
    return goal, Instance(((n, ONE),), NOTHING)


@false
def negative_number_of_layers():
    return SeparationRank(attention(-1, 2, 1, 1, 3), ">=", ZERO), NOTHING


@false
def half_a_layer():
    return SeparationRank(attention(Rational(1, 2), 2, 1, 1, 3), ">=", ZERO), NOTHING


@false
def even_degree():
    return SeparationRank(attention(1, 2, 1, 1, 4), "!=", -ONE), NOTHING


@false
def no_layer_at_an_instance():
    goal = SeparationRank(attention(n, 2, 1, 1, 3), ">=", ZERO, ((n, integers(0)),))
    return goal, Instance(((n, ZERO),), NOTHING)


@true
def parameter_named_like_a_side():
    goal = SeparationRank(PRODUCT, "=", ONE, ((x, REALS),))
    return goal, Instance(((x, ZERO),), SeparationCertificate((), (), ()))


@false
def function_undefined_at_the_instance():
    function = Function(x * y + a * log(t), *(((v, REALS),) for v in (x, y)))
    goal = SeparationRank(function, "<=", ONE, ((a, REALS), (t, REALS)))
    point = ((a, ZERO), (t, -ONE))
    return goal, Instance(point, SeparationCertificate((), (), ((x, y),)))


@false
def size_undefined_at_the_instance():
    network = attention(1 + a * log(t), 1, 1, 1, 3)
    goal = SeparationRank(network, "<=", TWO, ((a, REALS), (t, REALS)))
    return goal, Instance(((a, ZERO), (t, -ONE)), NOTHING)


@false
def negative_block():
    evidence = NetworkCertificate(7, (1, 1, 1), ((1,),), ((1,),), (3, -1))
    return SeparationRank(LINE, ">=", Integer(3)), evidence


@false
def block_larger_than_the_points():
    evidence = NetworkCertificate(7, (1, 1, 1), ((1,),), ((1,),), (2, 1))
    return SeparationRank(LINE, ">=", Integer(3)), evidence


@false
def other_weights():
    """The network is 0."""
    network = Hadamard(ONE, ONE, ONE, ONE, (0, 0, 0))
    evidence = NetworkCertificate(7, (1, 1, 1), ((1,),), ((1,),), (1, 1))
    return SeparationRank(network, "=", TWO), evidence


@false
def composite_modulus():
    evidence = NetworkCertificate(9, (1, 1, 1), ((1,),), ((1,),), (1, 1))
    return SeparationRank(LINE, ">=", Integer(3)), evidence


@true
def rank_for_some_parameters_only():
    function = Function(a * x * y, *(((v, REALS),) for v in (x, y)))
    goal = SeparationRank(function, "<=", ONE, ((a, REALS),))
    return goal, Instance((), SeparationCertificate(((F(1),),) * 2, ((F(1),),) * 2))


@true
def hypotheses_that_never_hold():
    goal = SeparationRank(PRODUCT, "=", Integer(5), (), (rel(0, "=", 1),))
    return goal, SeparationCertificate(((F(1),),), ((F(1),),), ((x, y),))


@false
def variable_on_both_sides():
    function = Function(x**2 + y, ((x, REALS),), ((x, REALS), (y, REALS)))
    return SeparationRank(function, "<=", ONE), SeparationCertificate((), (), ((ONE, x**2 + y),))


@false
def factor_of_both_sides():
    function = Function(exp(x * y), *(((v, REALS),) for v in (x, y)))
    return SeparationRank(function, "=", ONE), SeparationCertificate(
        ((F(0),),), ((F(0),),), ((exp(x * y), ONE),)
    )


@false
def point_outside_the_domain():
    function = Function(x * y, ((x, integers(0, 0)),), ((y, REALS),))
    return SeparationRank(function, ">=", ONE), SeparationCertificate(((F(1),),), ((F(1),),))


@false
def negative_epsilon():
    return EpsilonRank(PRODUCT, "normal", -ONE, ONE), Spectrum()


@false
def uniform_on_nothing():
    function = Function(x * y, ((x, interval(1, 0, "[]")),), ((y, interval(0, 1)),))
    return EpsilonRank(function, "uniform", ZERO, ONE), Spectrum()


@false
def epsilon_rank_of_one_variable_twice():
    return EpsilonRank(
        Function(x**2, ((x, REALS),), ((x, REALS),)), "normal", ZERO, ONE
    ), Spectrum()


@false
def law_that_runs_backwards():
    return Mean(k, ((k, "6..1"),), ZERO), Enumeration(0)
