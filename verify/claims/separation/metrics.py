"""Distances between functions, what a lower bound by templates is worth, and activations.

Statements of the seed about d_1 = E|y - y'| and d_2 = E|y - y'|^2, with the instances that decide
them, and functions of u + v for which no polynomial count of products is enough.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from sympy import (
    Abs,
    E,
    Expr,
    Integer,
    Integral,
    Max,
    Rational,
    exp,
    oo,
    symbols,
)

from ....symbolic.separation import derive_norms, derive_squared_distance
from ....symbolic.separation.templates import (
    derive_exponential_cost,
    derive_interval_cost,
    derive_power_cost,
)
from ....symbolic.statements import (
    REALS,
    Domains,
    Every,
    Function,
    Operator,
    Relation,
    SeparationRank,
    above,
    integers,
    interval,
)
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence, Part, SeparationCertificate

x, y, z, k, c, s, u, v, B, M, epsilon = symbols("x y z k c s u v B M epsilon")
ONE, ZERO = Integer(1), Integer(0)
METRICS = "seed 002, section 4.5"
BOUND = "seed 002, section 4.3, equation (12)"
ANY: Domains = ((x, REALS), (y, REALS), (z, REALS))


def triangle(factor: Expr = ONE, middle: Expr = y) -> Relation:
    """The triangle inequality of the squared distance of three constant functions."""
    detour = (x - middle) ** 2 + (middle - z) ** 2
    return Relation((x - z) ** 2, "<=", factor * detour, ANY)


def try_constants(statement: Relation, settings: Settings) -> tuple[Evidence, ...]:
    """The constants 0, 1 and 2."""
    return (Counterexample(((x, ZERO), (y, ONE), (z, Integer(2)))),)


D2_METRIC = Claim(
    id="separation.d2-metric",
    title="d_2(y, y') = E|y - y'|^2 is a metric",
    statement=triangle,
    source=f"{METRICS}, equation (15), which calls d_1 and d_2 metrics",
    expected="refuted",
    corrected_by="separation.d2-relaxed",
    hypotheses=("stated for constant functions, whose distance is (x - z)^2",),
    certificate=try_constants,
    mutants=(
        Mutant("three-halves", partial(triangle, Rational(3, 2)), "4 is more than 3"),
        Mutant("almost-two", partial(triangle, Rational(199, 100)), "a factor below 2 is no help"),
        Mutant("through-the-mean", partial(triangle, ONE, (x + z) / 2), "4 is more than 2"),
    ),
)


def relaxed(factor: Expr = Integer(2), op: Operator = "<=") -> Every:
    """4 = d_2(0, 2) > d_2(0, 1) + d_2(1, 2) = 2; with a factor it holds."""
    triangles = triangle(factor)
    return Every(
        (Relation(Integer(4), ">", Integer(2)), Relation(triangles.lhs, op, triangles.rhs, ANY))
    )


D2_RELAXED = Claim(
    id="separation.d2-relaxed",
    title="d_2 satisfies the triangle inequality with a factor 2",
    statement=relaxed,
    source=METRICS,
    corrects="separation.d2-metric",
    hypotheses=(
        "for the values of the three functions at a point; the mean keeps the inequality, so "
        "E|y - y''|^2 <= 2 E|y - y'|^2 + 2 E|y' - y''|^2",
    ),
    derivation=derive_squared_distance,
    mutants=(
        Mutant("no-factor", partial(relaxed, ONE), "d_2 itself is no metric"),
        Mutant("smaller-factor", partial(relaxed, Rational(19, 10)), "4 is more than 3.8"),
        Mutant("strict", partial(relaxed, op="<"), "equality at 0, 1, 2"),
    ),
)

MEAN, SQUARE = Integral(k, (s, 0, 1 / k**2)), Integral(k**2, (s, 0, 1 / k**2))
CONSTANT = Integer(10**6)


def equivalent(constant: Expr = CONSTANT, power: int = 1) -> Every:
    """For f = k on an interval of length 1/k^2: |f|_2^2 <= C^2 |f|_1^2 and
    sup|f|^2 <= C^2 |f|_2^2, both sides to this power."""
    over: Domains = ((k, interval(1, oo, "[)")),)
    return Every(
        (
            Relation(SQUARE**power, "<=", (constant * MEAN) ** (2 * power), over),
            Relation(k ** (2 * power), "<=", (constant**2 * SQUARE) ** power, over),
        )
    )


def try_peaks(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """A peak higher than any constant of the statements."""
    point = ((k, Integer(10**7)),)
    return tuple(Part(place, Counterexample(point)) for place, _ in enumerate(statement.parts))


NORMS_EQUIVALENT = Claim(
    id="separation.norms-equivalent",
    title="the norms |f|_1, |f|_2 and sup|f| of functions are equivalent up to a constant",
    statement=equivalent,
    source=f"{METRICS}.1: as on R^n, all losses are equivalent up to constants",
    expected="refuted",
    corrected_by="separation.norms-differ",
    hypotheses=(
        "on [0, 1], f = k up to 1/k^2 and 0 beyond: |f|_1 = 1/k, |f|_2 = 1, sup|f| = k; stated "
        "with the constant C = 10^6, for the squares",
        "separation.norms-differ excludes every other constant",
    ),
    certificate=try_peaks,
    mutants=(
        Mutant("constant-1", partial(equivalent, ONE), "nor with C = 1"),
        Mutant("constant-1000", partial(equivalent, Integer(1000)), "nor with C = 1000"),
        Mutant("fourth-powers", partial(equivalent, power=2), "nor for higher powers"),
    ),
)


def norms(scale: Expr = ONE, first: Expr = 1 / k, second: Expr = ONE) -> Every:
    """|f|_1 and |f|_2^2 of the peak, and that no constant c < k bounds one norm by another."""
    over: Domains = ((c, above(0)), (k, above(c)))
    return Every(
        (
            Relation(MEAN, "=", first, over),
            Relation(SQUARE, "=", second, over),
            Relation(SQUARE, ">", scale * c * MEAN, over),
            Relation(k, ">", scale * c * SQUARE, over),
        )
    )


NORMS_DIFFER = Claim(
    id="separation.norms-differ",
    title="for every constant c some function has |f|_2 > c |f|_1 and sup|f| > c |f|_2",
    statement=norms,
    source=METRICS,
    corrects="separation.norms-equivalent",
    hypotheses=(
        "on [0, 1], f = k up to 1/k^2 and 0 beyond, any k > c (and k >= 1); as |f|_2 = 1, it "
        "equals its square",
    ),
    derivation=derive_norms,
    mutants=(
        Mutant("twice", partial(norms, Integer(2)), "k must be larger than the constant"),
        Mutant("mean-1", partial(norms, first=ONE), "the mean falls like 1/k"),
        Mutant("square-k", partial(norms, second=k), "the mean square is 1"),
    ),
)

NEAR = Rational(1, 100)
TEMPLATES = integers(0, 1)


def at_templates(half: int, op: Operator, value: int) -> SeparationRank:
    """The rank of 1 - (1 - 2x)^(2 half) as a matrix over the templates 0 and 1."""
    function = Function(1 - (1 - 2 * x) ** (2 * half), ((x, TEMPLATES),), ((y, TEMPLATES),))
    return SeparationRank(function, op, Integer(value))


def distance(half: int, power: int, most: Expr) -> Relation:
    """The mean of |1 - y'|^power on [0, 1]."""
    return Relation(Integral((1 - 2 * s) ** (2 * half * power), (s, 0, 1)), "<=", most)


def bounded_below(
    half: int = 25, power: int = 2, most: Expr = NEAR, op: Operator = ">=", value: int = 1
) -> Every:
    """y' is near y = 1, and its matricisation has at least rank 1."""
    return Every((distance(half, power, most), at_templates(half, op, value)))


def interval_cost(power: int, scale: Expr = ONE) -> Relation:
    """Zeros on intervals about M templates cost at most epsilon in the mean of |y - y'|^power."""
    over: Domains = ((epsilon, above(0)), (B, above(0)), (M, integers(1)), (z, REALS))
    width = scale * epsilon / (M * B**power)
    piece = Integral(B**power, (s, z - width / 2, z + width / 2))
    return Relation(M * piece, "<=", epsilon, over)


def smooth_cost(scale: Expr = ONE) -> Relation:
    """The mean squared distance of 1 - exp(-c x) from 1."""
    steep = interval(1 / (2 * scale * epsilon), oo, "[)")
    over: Domains = ((epsilon, above(0)), (c, steep))
    return Relation(Integral(exp(-2 * c * s), (s, 0, 1)), "<", epsilon, over)


def vanish(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The distances, derived, and that all values at templates are 0."""
    costs = {
        interval_cost(1): partial(derive_interval_cost, 1),
        interval_cost(2): partial(derive_interval_cost, 2),
        smooth_cost(): derive_exponential_cost,
    }
    found: list[Evidence] = []
    for place, part in enumerate(statement.parts):
        if isinstance(part, SeparationRank):
            found.append(Part(place, SeparationCertificate((), (), ())))
        elif isinstance(part, Relation) and not part.over:
            power = int(part.lhs.args[0].as_base_exp()[1])
            found.append(Part(place, derive_power_cost(power, part.rhs)))
        elif part in costs:
            found.append(Part(place, costs[part]()))
    return tuple(found)


LOWER_BOUND = Claim(
    id="separation.lower-bound-vacuous",
    title="the smallest rank of a matricisation over all functions near y is a bound that can "
    "exceed 0",
    statement=bounded_below,
    source=BOUND,
    expected="refuted",
    corrected_by="separation.lower-bound-zero",
    hypotheses=(
        "y = 1 on [0, 1]^2, epsilon = 1/100 in d_2, templates 0 and 1: y' = 1 - (1 - 2x)^50 is "
        "within 1/101 of y and 0 at all templates, so its matricisation has rank 0; the "
        "epsilon-rank of y is 1",
    ),
    certificate=vanish,
    mutants=(
        Mutant("mean-distance", partial(bounded_below, 50, 1), "the same for d_1"),
        Mutant("nearer", partial(bounded_below, 50, 2, NEAR / 2), "and for epsilon = 1/200"),
        Mutant("at-least-two", partial(bounded_below, value=2), "nor is it 2"),
        Mutant("not-zero", partial(bounded_below, op="!=", value=0), "it is 0"),
    ),
)


def zero_bound(scale: Expr = ONE, half: int = 25, value: int = 0) -> Every:
    """The cost of zeros about M templates in d_1 and in d_2, and of smooth ones."""
    costs = (interval_cost(1, scale), interval_cost(2, scale), smooth_cost(scale))
    return Every((*costs, distance(half, 2, NEAR), at_templates(half, "=", value)))


LOWER_BOUND_ZERO = Claim(
    id="separation.lower-bound-zero",
    title="over all functions near y in d_1 or d_2 the smallest rank of a matricisation is 0",
    statement=zero_bound,
    source=BOUND,
    expected="certified",
    corrects="separation.lower-bound-vacuous",
    hypotheses=(
        "|y| <= B on [0, 1]^N, M templates: set to 0 where the first variable is within w/2 of a "
        "template, y changes by at most M w B^p in the mean of |y - y'|^p; that is epsilon for "
        "w = epsilon/(M B^p) > 0, proved for all epsilon, B, M and p = 1, 2",
        "smooth functions do it too: 1 - exp(-c x) is 0 at the template 0 and within epsilon of 1 "
        "for c >= 1/(2 epsilon), proved; 1 - (1 - 2x)^50 is 0 at the templates 0 and 1, certified",
        "in sup norm, or for networks of bounded size only, the bound can be positive",
    ),
    certificate=vanish,
    mutants=(
        Mutant("twice-as-wide", partial(zero_bound, Integer(2)), "that costs 2 epsilon"),
        Mutant("rank-one", partial(zero_bound, value=1), "all values at templates are 0"),
        Mutant("less-steep", partial(zero_bound, half=24), "1/97 is more than 1/100"),
    ),
)

POINTS = 16
EXPONENTS = (E, Rational(5, 2), Rational(1, 2), ONE, Integer(3))


def of_sum(function: Expr, size: int = 0) -> Function:
    """A function of u + v on the plane, or on `size` whole numbers a side."""
    if not size:
        return Function(function, ((u, REALS),), ((v, REALS),))
    return Function(function, ((u, integers(1, size)),), ((v, integers(1 - size, 0)),))


def activations(
    op: Operator = ">=", least: int = POINTS, grid: int = 4, more: int = 0, smooth: bool = False
) -> Every:
    """Powers |u + v|^e and ReLU(u + v) on the plane, and ReLU on a grid."""
    relu = Max(ZERO, u + v)
    functions = [Abs(u + v) ** power for power in EXPONENTS]
    functions.append((u + v) ** 2 if smooth else relu)
    ranks = (SeparationRank(of_sum(f), op, Integer(least)) for f in functions)
    return Every((*ranks, SeparationRank(of_sum(relu, grid), "=", Integer(grid + more))))


def at_grid(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Values at a grid; on a finite grid a product for each of its points, of (u + v)^2 three."""
    from ....numeric.separation import kernel_grid

    found = []
    for place, part in enumerate(statement.parts):
        if not isinstance(part, SeparationRank) or not isinstance(part.function, Function):
            continue
        function, size, factors = part.function.expression, POINTS, None
        if part.function != of_sum(function):
            size = int(dict(part.function.left)[u].high)
            factors = tuple((Max(ZERO, u - j), Max(ZERO, 1 - Abs(v + j))) for j in range(size))
        elif function == (u + v) ** 2:
            size, factors = 3, ((u**2, ONE), (2 * u, v), (ONE, v**2))
        left, right = kernel_grid(size, 1 if function.has(Max) else 0)
        points = (_column(left), _column(right))
        found.append(Part(place, SeparationCertificate(*points, factors)))
    return tuple(found)


def _column(numbers: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple((number,) for number in numbers)


FRACTIONAL = Claim(
    id="separation.fractional",
    title="|u + v|^e needs at least 16 products, ReLU(u + v) as many as a grid has points: an "
    "activation voids bounds by degree",
    statement=partial(activations, grid=POINTS),
    source="seed 002, sections 1 and 6: networks without activations; what one changes",
    expected="certified",
    hypotheses=(
        "exponents e (Euler's number), 5/2, 1/2, 1 and 3; determinants of 16 x 16 values, exact or "
        "enclosed by balls, differ from 0",
        "ReLU(u + v) on 16 whole numbers a side has exactly the rank 16; on the reals the rank has "
        "no bound, as the same triangular matrix exists for every size",
        "one such function between layers, and neither degree nor number of monomials bounds the "
        "separation rank",
    ),
    certificate=at_grid,
    mutants=(
        Mutant("fewer", partial(activations, "<=", POINTS - 1), "15 products are too few"),
        Mutant("polynomial", partial(activations, smooth=True), "(u + v)^2 has rank 3"),
        Mutant("one-more", partial(activations, more=1), "the grid has no more points"),
        Mutant("one-less", partial(activations, more=-1), "and all are needed"),
    ),
)

CLAIMS = (
    D2_METRIC,
    D2_RELAXED,
    NORMS_EQUIVALENT,
    NORMS_DIFFER,
    LOWER_BOUND,
    LOWER_BOUND_ZERO,
    FRACTIONAL,
)
