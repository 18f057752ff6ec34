"""Ranks of polynomials: the seed's families F_k of sums of few monomials, and special ones."""

from __future__ import annotations

from functools import partial
from random import Random

from sympy import Add, Expr, Integer, Mul, Symbol, symbols

from ....symbolic.separation import matching_bound
from ....symbolic.statements import (
    REALS,
    Domains,
    Every,
    Function,
    Operator,
    Relation,
    SeparationRank,
)
from ...claim import Claim, Mutant
from .polynomials import certify

SEED = "seed 002, section 5.1.1"
Parts = tuple[tuple[int, ...], ...]
Pattern = tuple[Parts, Parts]  # the A-parts and the B-parts of the monomials, in their order
x, y, z, w = symbols("x y z w")
ZERO = Integer(0)

DISTINCT: tuple[Pattern, ...] = (
    (((1,),), ((1,),)),
    (((2, 3),), ((1,),)),
    (((1,), (2,)), ((2,), (1,))),
    (((1, 2), (1, 1)), ((3,), (1,))),
    (((1,), (2,), (3,)), ((1,), (3,), (2,))),
    (((4,), (2,), (1,)), ((1, 1), (2, 1), (1, 2))),
    (((1,), (2,), (3,), (4,)), ((4,), (3,), (2,), (1,))),
    (((1, 1), (1, 2), (2, 1), (2, 2)), ((1, 1), (2, 1), (1, 2), (2, 2))),
)
# Parts that coincide, with the size of the largest matching of A-parts and B-parts.
COINCIDING: tuple[tuple[Pattern, int], ...] = (
    ((((1,), (2,)), ((1,), (1,))), 1),
    ((((1,), (1,), (1,)), ((1,), (2,), (3,))), 1),
    ((((1,), (1,), (2,)), ((1,), (2,), (1,))), 2),
    ((((1,), (1,), (2,), (3,)), ((1,), (2,), (1,), (1,))), 2),
    ((((1,), (1,), (2,), (2,)), ((1,), (2,), (1,), (2,))), 2),
    ((((1,), (2,), (3,), (3,)), ((1,), (2,), (3,), (1,))), 3),
)
PATHS = (2, 5)  # of those, the ones whose determinant is a single product, for all coefficients
SQUARE: Pattern = (((1, 1), (1, 1), (1, 2), (1, 2)), ((1, 1), (1, 2), (1, 1), (1, 2)))
RANDOM = 200
FIXED = (Integer(1), Integer(-2))


def reals(names: tuple[Symbol, ...]) -> Domains:
    return tuple((name, REALS) for name in names)


def polynomial(pattern: Pattern, coefficients: tuple[Expr, ...]) -> Function:
    """sum_l a_l x^(A-part l) y^(B-part l)"""
    sides = [
        symbols(f"{name}1:{len(parts[0]) + 1}") for name, parts in zip("xy", pattern, strict=True)
    ]
    monomials = (
        Mul(value, *(v**e for v, e in zip((*sides[0], *sides[1]), (*left, *right), strict=True)))
        for value, left, right in zip(coefficients, *pattern, strict=True)
    )
    return Function(Add(*monomials), reals(sides[0]), reals(sides[1]))


def with_parameters(
    pattern: Pattern, op: Operator, value: int, given: tuple[Relation, ...] | None = None
) -> SeparationRank:
    """For all coefficients a_l other than 0, or all that satisfy `given`."""
    names = symbols(f"a1:{len(pattern[0]) + 1}")
    return _ranked(pattern, names, names, op, value, given)


def full(pattern: Pattern, given: tuple[Relation, ...] | None = None) -> SeparationRank:
    """Rank k; of four coefficients two are fixed, as the determinant has too many terms else."""
    count = len(pattern[0])
    names = symbols(f"a1:{(count if count < 4 else 2) + 1}")
    return _ranked(pattern, names, (*names, *FIXED[: count - len(names)]), "=", count, given)


def _ranked(
    pattern: Pattern,
    names: tuple[Symbol, ...],
    coefficients: tuple[Expr, ...],
    op: Operator,
    value: int,
    given: tuple[Relation, ...] | None,
) -> SeparationRank:
    held = tuple(Relation(a, "!=", ZERO) for a in names) if given is None else given
    return SeparationRank(polynomial(pattern, coefficients), op, Integer(value), reals(names), held)


def random_case(number: int) -> tuple[Pattern, tuple[Expr, ...]]:
    """Two to six monomials in one or two variables a side, often with equal parts."""
    source = Random(number)
    count = source.randint(2, 6)
    sizes = source.randint(1, 2), source.randint(1, 2)
    chosen: dict[tuple, int] = {}
    while len(chosen) < count:
        sides = (tuple(source.randint(1, 3) for _ in range(size)) for size in sizes)
        chosen.setdefault(tuple(sides), source.choice((-1, 1)) * source.randint(1, 9999))
    lefts, rights = zip(*chosen, strict=True)
    return (lefts, rights), tuple(map(Integer, chosen.values()))


def matching(pattern: Pattern) -> int:
    """The largest matching of A-parts and B-parts."""
    left, right = (len(parts[0]) for parts in pattern)
    monomials = {(*a, *b): 1 for a, b in zip(*pattern, strict=True)}
    return matching_bound(monomials, range(left), range(left, left + right))


def family(
    zeros: bool = False, all_count: bool = False, generic: bool = True, less: int = 0
) -> Every:
    """Full rank k for distinct parts; at most a matching otherwise; the square of four monomials.

    Mutants: coefficients 0 allowed; coinciding parts counted; no hypothesis on the square; less
    than k as the upper bound.
    """
    anything: tuple[Relation, ...] | None = () if zeros else None
    ranks = (full(pattern, anything) for pattern in DISTINCT)
    upper = (with_parameters(pattern, "<=", len(pattern[0]) - less, ()) for pattern in DISTINCT)
    equal = (
        with_parameters(
            pattern,
            "=" if all_count or number in PATHS else "<=",
            len(pattern[0]) if all_count else most,
        )
        for number, (pattern, most) in enumerate(COINCIDING)
    )
    a, b, c, d = symbols("a1:5")
    regular = (Relation(a * d, "!=", b * c),) if generic else None
    singular = polynomial(SQUARE, (a, b, c, b * c / a))
    names, given = reals((a, b, c)), (Relation(a, "!=", ZERO),)
    return Every(
        (
            *ranks,
            *upper,
            *equal,
            with_parameters(SQUARE, "=", 2, regular),
            SeparationRank(singular, "<=", Integer(1), names, given),
        )
    )


FAMILY_F = Claim(
    id="separation.family-f",
    title="a sum of k monomials has sep <= k, and = k if A-parts and B-parts are distinct",
    statement=family,
    source=f"{SEED}: which polynomials of F_d have rank d",
    expected="certified",
    hypotheses=(
        "p = sum_l a_l x^(A-part l) y^(B-part l), l <= k <= 4, for all real a_l; certified for "
        "each of the eight patterns of exponents, in one or two variables a side",
        "= k for all a_l other than 0 where the A-parts are pairwise distinct and the B-parts too; "
        "with four monomials for all a_1, a_2 other than 0, and a_3 = 1, a_4 = -2",
        "where parts coincide: at most the largest matching of A-parts and B-parts, which by "
        "Koenig is the least number of parts that meet all monomials; equal to it, for all a_l "
        "other than 0, where the matching is the only one",
        "four monomials on two A-parts and two B-parts: 2 if a_1 a_4 differs from a_2 a_3, at most "
        "1 if it does not; so special coefficients fall below the matching",
    ),
    certificate=certify,
    mutants=(
        Mutant("zeros", partial(family, zeros=True), "a coefficient 0 takes its monomial away"),
        Mutant("all-count", partial(family, all_count=True), "monomials with equal parts join"),
        Mutant(
            "any-square",
            partial(family, generic=False),
            "a_1 a_4 = a_2 a_3 gives one product",
        ),
        Mutant("less", partial(family, less=1), "k - 1 products are too few"),
    ),
)


def lefts(pattern: Pattern) -> int:
    return len(set(pattern[0]))


def fewer(pattern: Pattern) -> int:
    return min(len(set(parts)) for parts in pattern)


def monomials(pattern: Pattern) -> int:
    return len(pattern[0])


RULES = {"matching": matching, "monomials": monomials, "lefts": lefts, "fewer": fewer}


def random_family(rule: str = "matching", count: int = RANDOM) -> Every:
    """The ranks of random sums of monomials, by a rule from their exponents alone."""
    cases = map(random_case, range(count))
    return Every(
        tuple(
            SeparationRank(polynomial(pattern, values), "=", Integer(RULES[rule](pattern)))
            for pattern, values in cases
        )
    )


FAMILY_F_RANDOM = Claim(
    id="separation.family-f-random",
    title="random sums of monomials have the rank of the largest matching of their parts",
    statement=random_family,
    source=f"{SEED}: which polynomials of F_d have rank d",
    expected="certified",
    hypotheses=(
        f"{RANDOM} polynomials with two to six monomials, one or two variables a side, exponents "
        "from 1 to 3 and coefficients up to 9999 in size, drawn once from fixed seeds; equality "
        "is certified for these, not for all coefficients",
    ),
    certificate=certify,
    mutants=(
        Mutant("monomials", partial(random_family, "monomials", 24), "equal parts lower the rank"),
        Mutant("a-parts", partial(random_family, "lefts", 24), "so do equal B-parts"),
        Mutant(
            "fewer-parts",
            partial(random_family, "fewer", 40),
            "the parts may not be matched even where there are enough on both sides",
        ),
    ),
)

SPECIAL: tuple[tuple[Expr, tuple[Symbol, ...], tuple[Symbol, ...], int, int], ...] = (
    # polynomial, left, right, its rank, the largest matching of its parts
    (ZERO, (x,), (y,), 0, 0),
    (Integer(7), (x,), (y,), 1, 1),
    ((x + 1) * (y + 1), (x,), (y,), 1, 2),
    ((x + y) ** 2 - (x - y) ** 2, (x,), (y,), 1, 1),
    ((x + y) ** 4, (x,), (y,), 5, 5),
    ((x * y + 1) ** 3 + x**4, (x,), (y,), 4, 4),
    ((x + y + z + w) ** 3, (x, w), (y, z), 4, 6),
    ((x + y + z + w) ** 3, (x,), (y, z, w), 4, 4),
    ((x - y) * (z - w), (x, z), (y, w), 4, 4),
    ((x - y) * (z - w), (x, y), (z, w), 1, 2),
    (x * y + 2 * x * y**2 + 3 * x**2 * y + 6 * x**2 * y**2, (x,), (y,), 1, 2),
    (x * y + 2 * x * y**2 + 3 * x**2 * y + 7 * x**2 * y**2, (x,), (y,), 2, 2),
    ((1 + x + x**2) * (1 + y) + (1 - x**2) * (y + y**3), (x,), (y,), 2, 3),
)


def explicit(matched: bool = False, change: int = 0) -> Every:
    """The ranks of the list; `matched`, the matchings instead, or each rank changed."""
    return Every(
        tuple(
            SeparationRank(
                Function(expression, reals(left), reals(right)), "=",
                Integer(most if matched else found) + change,
            )
            for expression, left, right, found, most in SPECIAL
        )
    )  # fmt: skip


COEFFICIENT_RANK_CASES = Claim(
    id="separation.coefficient-rank-cases",
    title="ranks of polynomials over the reals, also where coefficients are special",
    statement=explicit,
    source="seed 002, sections 4.1 and 5.1",
    expected="certified",
    hypotheses=(
        "the bound above is a factorisation of the matrix of coefficients, the one below an "
        "invertible matrix of values at rational points",
        "the zero polynomial, constants, uneven sides and cancelling terms are among them; in five "
        "the rank is below the largest matching of the parts",
    ),
    certificate=certify,
    mutants=(
        Mutant("matching", partial(explicit, matched=True), "special coefficients fall below it"),
        Mutant("one-more", partial(explicit, change=1), "one product can be saved"),
        Mutant("one-less", partial(explicit, change=-1), "one product is missing"),
    ),
)

CLAIMS = (COEFFICIENT_RANK_CASES, FAMILY_F, FAMILY_F_RANDOM)
