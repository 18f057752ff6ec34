"""Linear attention for all depths and widths: one token a side, the stated rate, other degrees.

L layers of width d, H heads; 2D + 1 = 3^L, or another odd degree to the power L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from math import comb, factorial

from sympy import E, Expr, IndexedBase, Integer, Product, Rational, oo, symbols

from ....symbolic import separation as theory
from ....symbolic.separation.rates import rising
from ....symbolic.separation.two_tokens import e
from ....symbolic.statements import (
    REALS,
    Attention,
    Domains,
    Every,
    Limit,
    Relation,
    SeparationRank,
    above,
    integers,
)
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence, Instance, NetworkCertificate, Part
from ...kernel.rules import decide
from .attention import LEVINE, SEED, rank
from .networks import certify_at, certify_every

L, d, D, H, c, i, k, q, N = symbols("L d D H c i k q N")
s = IndexedBase("s")
ONE, THREE = Integer(1), Integer(3)
OVER: Domains = ((L, integers(1)), (d, integers(1)), (H, integers(1)), (D, integers(0)))
LAW = Relation(2 * D + 1, "=", THREE**L)
DEEP = ((1, 1), (1, 2), (1, 4), (1, 6), (2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 2), (3, 3),
        (4, 1), (4, 2))  # fmt: skip
Point = dict[Expr, Expr]


def choose(top: Expr, size: Expr) -> Expr:
    """C(top + size, size), as a product."""
    return Product((top + i) / i, (i, 1, size))


def number(top: int, size: int) -> int:
    return comb(top + size, size)


def two_tokens(
    value: Callable[[Expr, Expr], Expr] = choose, found: Callable[[int, int], int] = number
) -> Every:
    """The upper side for all sizes and heads; with one head equality at given sizes."""
    network = Attention(L, d, ONE, H, THREE)
    equal = (
        rank((depth, width, 1, 1, 3), "=", found((3**depth - 1) // 2, width))
        for depth, width in DEEP
    )
    return Every((SeparationRank(network, "<=", value(D, d), OVER, (LAW,)), *equal))


def points(degree: int = 3) -> Iterator[Point]:
    """Small sizes at which a statement for all sizes is tried."""
    for depth, width in ((1, 1), (1, 2), (2, 1), (2, 2)):
        half = (degree**depth - 1) // 2
        yield {L: Integer(depth), d: Integer(width), H: ONE, D: Integer(half)}


def first(statement: Every) -> SeparationRank:
    part = statement.parts[0]
    if not isinstance(part, SeparationRank):
        raise TypeError(f"statement: expected a separation rank first; got {part!r}.")
    return part


def certify_two_tokens(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    tried = certify_at(first(statement), points(), settings)
    return (
        Part(0, theory.derive_two_tokens()),
        *(Part(0, found) for found in tried),
        *certify_every(statement, settings),
    )


def shorter(top: Expr, size: Expr) -> Expr:
    return choose(top, size - 1)


def less_reach(top: Expr, size: Expr) -> Expr:
    return choose(top - 1, size)


def whole_degree(top: int, size: int) -> int:
    return number(2 * top + 1, size)


def one_more_variable(top: int, size: int) -> int:
    return number(top, size + 1)


TWO_TOKENS = Claim(
    id="separation.two-tokens",
    title="one token a side: the largest rank is C(D + d, d) with D = (3^L - 1)/2",
    statement=two_tokens,
    source=f"{SEED}, equation (1), for N = 2; {LEVINE}",
    expected="certified",
    hypotheses=(
        "N = 2 tokens, one on each side",
        "sep <= C(D + d, d) for all L, d, H and weights is proved, by the hockey-stick identity; "
        "the binomial stands as the product of (D + i)/i over i <= d",
        "equality with one head is certified at 13 sizes, with ranks up to 861",
    ),
    certificate=certify_two_tokens,
    mutants=(
        Mutant(
            "one-factor-fewer",
            partial(two_tokens, value=shorter),
            "C(D + d - 1, d - 1) is too small",
        ),
        Mutant(
            "smaller-reach",
            partial(two_tokens, value=less_reach),
            "the smaller degree takes all values from 0 to D",
        ),
        Mutant(
            "whole-degree",
            partial(two_tokens, found=whole_degree),
            "D = (3^L - 1)/2, not 3^L",
        ),
        Mutant(
            "one-more-variable",
            partial(two_tokens, found=one_more_variable),
            "C(D + d, d), not C(D + d + 1, d + 1)",
        ),
    ),
)


def stated_rate(
    constant: Expr = Rational(1, 100), heads: Expr = ONE, power: int = 1
) -> SeparationRank:
    """sep >= constant 3^(L d) for one token a side, from 3^L > d^power on."""
    return SeparationRank(
        Attention(L, d, ONE, heads, THREE), ">=", constant * THREE ** (L * d), OVER[:2],
        (Relation(THREE**L, ">", d**power),),
    )  # fmt: skip


def refute_rate(statement: SeparationRank, settings: Settings) -> tuple[Evidence, ...]:
    """The first sizes at which C(D + d, d) is smaller; the kernel finds the bound again."""
    for depth, width in product(range(1, 6), range(1, 13)):
        point: Point = {L: Integer(depth), d: Integer(width)}
        if theory.two_token_rank(depth, width) >= statement.value.xreplace(point):
            continue
        if all(decide(given, point) for given in statement.given):
            return (Instance(tuple(point.items()), NetworkCertificate(2, (), (), (), ())),)
    return ()


THETA_AS_STATED = Claim(
    id="separation.theta-as-stated",
    title="sep >= c 3^(L d) once L > log_3 d, with one constant for all widths",
    statement=stated_rate,
    source=f"{SEED}, equation (1): sep = Theta(3^(L d)) as long as L > log_3 d",
    expected="refuted",
    corrected_by="separation.theta",
    hypotheses=(
        "the lower half of Theta, read with a constant that does not depend on d; stated for "
        "c = 1/100, for every c > 0 see separation.theta",
        "one token a side, one head; refuted by the bound of the degrees alone, for all weights",
        "the upper half fails by trend with more tokens: for d = 2 and two tokens a side "
        "sep/3^(2L) is .33, .22, .32, .69 at L = 1 to 4, and U/3^(2L) is 1.85 at L = 5",
    ),
    certificate=refute_rate,
    mutants=(
        Mutant("tenth", partial(stated_rate, Rational(1, 10)), "a larger constant"),
        Mutant("thousandth", partial(stated_rate, Rational(1, 1000)), "a smaller constant"),
        Mutant("deep", partial(stated_rate, power=3), "only from L > 3 log_3 d on"),
        Mutant("two-heads", partial(stated_rate, heads=Integer(2)), "more heads"),
    ),
)


def all_powers(width: Expr) -> Expr:
    return THREE ** (width * width)


def theta(
    power: Callable[[Expr], Expr] = all_powers, wide: bool = True,
    limit: Callable[[int], Expr] = theory.ratio_limit,
) -> Every:  # fmt: skip
    """At L = d: sep < c 3^(L d) if c d >= e; and the limits of C(D + d, d)/3^(L d), d = 1 to 4."""
    over: Domains = ((c, above(0)), (d, integers(1)), (H, integers(1)), (D, integers(0)))
    law, enough = Relation(2 * D + 1, "=", THREE**d), Relation(c * d, ">=", E)
    network = Attention(d, d, ONE, H, THREE)
    small = SeparationRank(network, "<", c * power(d), over, (law, enough) if wide else (law,))
    parts: list[Relation | Limit] = []
    for size in range(1, 5):
        form, deep = theory.two_token_ratio(size), ((L, above(0)),)
        stated = rising((THREE**L - 1) / 2, size) / THREE ** (L * size)
        parts.append(Relation(stated, "=", form, deep))
        parts.append(Limit(form, limit(size), ((L, oo),), deep))
    return Every((small, *parts))


def try_theta(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The ranks at d = 1, 2, 3 with c = 3/d, and with c = 1/10 where that is allowed."""
    part, tried = first(statement), []
    for width, constant in product((1, 2, 3), (None, Rational(1, 10))):
        point: Point = {
            c: constant or Rational(3, width), d: Integer(width), H: ONE,
            D: Integer((3**width - 1) // 2),
        }  # fmt: skip
        if all(decide(given, point) for given in part.given):
            tried.append(point)
    return tuple(Part(0, found) for found in certify_at(part, tried, settings))


def one_power_less(width: Expr) -> Expr:
    return THREE ** (width * (width - 1))


def twos(width: Expr) -> Expr:
    return Integer(2) ** (width * width)


def without_factorial(size: int) -> Expr:
    return Rational(1, 2**size)


def without_power(size: int) -> Expr:
    return Rational(1, factorial(size))


THETA = Claim(
    id="separation.theta",
    title="no constant: for every c > 0 and d >= e/c, sep < c 3^(L d) at depth L = d",
    statement=theta,
    source=f"{SEED}, equation (1), corrected: at fixed d bound/3^(L d) tends to 1/(2^d d!)",
    expected="proved",
    corrects="separation.theta-as-stated",
    hypotheses=(
        "one token a side, any heads, all weights; 2D + 1 = 3^d",
        "L = d satisfies L > log_3 d, so the constant of the stated rate depends on d",
        "the limits, for d = 1 to 4, are those of C(D + d, d)/3^(L d) with L, where C(D + d, d) is "
        "the bound of separation.two-tokens",
    ),
    derivation=theory.derive_theta,
    certificate=try_theta,
    mutants=(
        Mutant("every-width", partial(theta, wide=False), "narrow networks exceed small c"),
        Mutant("one-power-less", partial(theta, one_power_less), "3^((L - 1) d) is exceeded"),
        Mutant("powers-of-two", partial(theta, twos), "2^(L d) is exceeded"),
        Mutant(
            "without-factorial", partial(theta, limit=without_factorial), "1/(2^d d!), not 1/2^d"
        ),
        Mutant("without-power", partial(theta, limit=without_power), "1/(2^d d!), not 1/d!"),
    ),
)

# (layers, width, tokens a side, degree)
ODD = ((1, 1, 1, 5), (1, 2, 1, 5), (1, 3, 2, 5), (1, 4, 2, 5), (2, 1, 1, 5), (2, 2, 1, 5),
       (2, 2, 2, 5), (1, 2, 2, 7), (1, 3, 2, 7), (1, 3, 3, 7), (1, 4, 1, 7), (1, 4, 2, 7),
       (2, 1, 2, 7), (2, 2, 1, 7))  # fmt: skip


def odd_degrees(
    value: Callable[[Expr, Expr], Expr] = choose,
    found: Callable[[int, int, int, int], int] = theory.attention_bound,
) -> Every:
    """One token a side at every odd degree; the shape of the factors; equality at given sizes."""
    over = (*OVER, (e, integers(1)))
    upper = SeparationRank(
        Attention(L, d, ONE, H, e), "<=", value(D, d), over, (Relation(2 * D + 1, "=", e**L),)
    )
    shape = Relation(
        s[2 * q + 1], "=", d,
        ((s, REALS), (N, integers(1)), (d, integers(1)), (q, integers(0))),
        (Relation(s[1], "=", d), Relation(s[k + 1], "=", N + d - s[k], ((k, integers(1)),))),
    )  # fmt: skip
    equal = (
        rank((layers, width, tokens, 1, degree), "=", found(layers, width, tokens, degree))
        for layers, width, tokens, degree in ODD
    )
    return Every((upper, shape, *equal))


def certify_odd(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    tried = [{**point, e: Integer(degree)} for degree in (3, 5, 7) for point in points(degree)]
    return (
        Part(0, theory.derive_two_tokens(e)),
        Part(1, theory.derive_columns()),
        *(Part(0, found) for found in certify_at(first(statement), tried, settings)),
        *certify_every(statement, settings),
    )


def as_degree_three(layers: int, width: int, tokens: int, degree: int) -> int:
    return theory.attention_bound(layers, width, tokens)


def one_less_at(layers: int, width: int, tokens: int, degree: int) -> int:
    return theory.attention_bound(layers, width, tokens, degree) - 1


def degree_as_stated(layers: int, width: int, tokens: int, degree: int) -> int:
    return degree ** (layers * width)


DEGREE_D = Claim(
    id="separation.degree-d",
    title="odd degrees: sep <= C(D + d, d) at one token a side, D = (degree^L - 1)/2; U is "
    "attained at 14 sizes of degree 5 and 7",
    statement=odd_degrees,
    source=f"{SEED}, equations (2) and (3)",
    expected="certified",
    corrects="separation.even-degree",
    hypotheses=(
        "one token a side: sep <= C(D + d, d) for all L, d, H, weights and odd degrees is proved",
        "an odd number of factors X, X^T, X, ... has the shape of X, so that layers compose: s[k] "
        "is the number of columns of k factors, N tokens in all, width d",
        "equality with one head is certified at 14 sizes with degree 5 or 7",
    ),
    certificate=certify_odd,
    mutants=(
        Mutant("one-factor-fewer", partial(odd_degrees, value=shorter), "C(D + d - 1, d - 1)"),
        Mutant("as-degree-three", partial(odd_degrees, found=as_degree_three), "D from 3^L"),
        Mutant("one-less", partial(odd_degrees, found=one_less_at), "the rank is larger"),
        Mutant(
            "degree-to-the-L-d",
            partial(odd_degrees, found=degree_as_stated),
            "the rate of the seed",
        ),
    ),
)


def columns(k: Expr) -> Expr:
    """Of the product of k factors X, X^T, X, ..., where X is N x d: d if k is odd, else N."""
    return d * (1 - (-1) ** k) / 2 + N * (1 + (-1) ** k) / 2


def sequence_to_sequence(factors: Expr = k, wide: bool = False, stated: Expr = d) -> Relation:
    """A layer maps N x d to N x d: the last factor leaves d columns."""
    over: Domains = ((k, integers(1)), (N, integers(1)), (d, integers(1)))
    given = (Relation(d, ">", N),) if wide else ()
    return Relation(columns(factors), "=", stated, over, given)


def refute_shape(statement: Relation, settings: Settings) -> tuple[Evidence, ...]:
    """The first small number of factors, tokens and coordinates at which the shape is another."""
    for values in product((1, 2, 3), repeat=3):
        point: Point = {v: Integer(n) for v, n in zip((k, N, d), values, strict=True)}
        if all(decide(given, point) for given in statement.given) and not decide(statement, point):
            return (Counterexample(tuple(point.items())),)
    return ()


EVEN_DEGREE = Claim(
    id="separation.even-degree",
    title="layers of every degree k map sequences to sequences",
    statement=sequence_to_sequence,
    source=f"{SEED}, equation (2), stated for every degree d",
    expected="refuted",
    corrected_by="separation.degree-d",
    hypotheses=(
        "k factors X, X^T, X, ... with square weights between them, X with one of N tokens a row",
        "N = d alone hides it: N varies, the width does not",
    ),
    certificate=refute_shape,
    mutants=(
        Mutant("even-degrees", partial(sequence_to_sequence, 2 * k), "N columns at every even k"),
        Mutant("degree-two", partial(sequence_to_sequence, Integer(2)), "X X^T is N x N"),
        Mutant("wide", partial(sequence_to_sequence, wide=True), "more coordinates than tokens"),
        Mutant(
            "tokens-by-tokens",
            partial(sequence_to_sequence, stated=N),
            "N columns at every k: odd k have d",
        ),
    ),
)

CLAIMS = (TWO_TOKENS, THETA_AS_STATED, THETA, DEGREE_D, EVEN_DEGREE)
