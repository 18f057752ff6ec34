"""Approximation by few products: epsilon-ranks in mean square, and functions that resist it.

The epsilon-rank counts the singular values that remain when the smallest, whose squares add up to
at most epsilon, are left out. Its values are written out; the kernel recomputes every spectrum.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb

from sympy import Expr, IndexedBase, Integer, Rational, Sum, ceiling, expand, oo, prod, symbols

from ....symbolic.separation.flatness import derive_flat_spectrum
from ....symbolic.statements import (
    REALS,
    Domain,
    Domains,
    EpsilonRank,
    Every,
    Function,
    Relation,
    SeparationRank,
    integers,
    interval,
)
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence, Part, SeparationCertificate, Spectrum

x, y, a, b, c, r, s, t, k, N, R, epsilon = symbols("x y a b c r s t k N R epsilon")
H, error = IndexedBase("H"), IndexedBase("e")
ONE, ZERO = Integer(1), Integer(0)
SEED = "seed 002, sections 3.4, 4.1 and 4.5"
TARGET = "seed 002, section 3.4.2: functions of high epsilon-separation rank"
UNIT, FROM_ZERO, BIT = interval(-1, 1, "[]"), interval(0, 1, "[]"), integers(0, 1)
DISTANCE = "the distance is d_2 = E|y - y'|^2 under a product law; epsilon is not its root"


@dataclass(frozen=True)
class Case:
    """A polynomial, the law of its variables, and pairs of epsilon and epsilon-rank."""

    polynomial: Expr
    left: tuple[Expr, ...]
    right: tuple[Expr, ...]
    law: str
    domain: Domain
    ranks: tuple[tuple[Rational, int], ...]

    def function(self) -> Function:
        left, right = (
            tuple((variable, self.domain) for variable in side) for side in (self.left, self.right)
        )
        return Function(self.polynomial, left, right)


def ranks(*pairs: tuple[str, int]) -> tuple[tuple[Rational, int], ...]:
    return tuple((Rational(number), value) for number, value in pairs)


POWER = 16
MEAN_SQUARE = Rational(2 ** (2 * POWER + 1), (2 * POWER + 1) * (2 * POWER + 2))  # of (x + y)^16
CASES = (
    Case(x * y + 1, (x,), (y,), "uniform", UNIT,
         ranks(("0", 2), ("1/10", 2), ("1/9", 1), ("10/9", 0))),
    Case((x + y) ** 4, (x,), (y,), "uniform", UNIT,
         ranks(("0", 5), ("1/1000", 4), ("1/9", 2), ("3", 1))),
    Case((1 + x * y + x * b) ** 3, (x,), (y, b), "uniform", UNIT,
         ranks(("1/1000", 4), ("1/9", 3), ("1", 2))),
    Case((x + y) ** 3, (x,), (y,), "normal", REALS, ranks(("0", 4), ("1", 4), ("5", 2))),
    Case(x * y + a * b, (x, a), (y, b), "normal", REALS, ranks(("1/2", 2), ("1", 1), ("2", 0))),
    Case(x**2 * y + x * y**2, (x,), (y,), "uniform", FROM_ZERO, ranks(("0", 2), ("1/1000", 1))),
    Case(x**2 * y + x * y**2, (x,), (y,), "uniform", BIT, ranks(("0", 1), ("1", 0))),
    Case((x + a * y) ** 2, (x, a), (y,), "uniform", UNIT,
         ranks(("1/10", 2), ("1/5", 1), ("1/2", 0))),
    Case((x + y) ** POWER, (x,), (y,), "uniform", UNIT,
         ((MEAN_SQUARE / 10**2, 2), (MEAN_SQUARE / 10**6, 4), (MEAN_SQUARE / 10**8, 6))),
)  # fmt: skip


def epsilon_ranks(more: int = 0, scale: Expr = ONE, root: bool = False) -> Every:
    """Every rank of every case; the arguments change the ranks or epsilon."""
    return Every(
        tuple(
            EpsilonRank(
                case.function(),
                case.law,
                scale * (number**2 if root else number),
                Integer(value + more),
            )
            for case in CASES
            for number, value in case.ranks
        )
    )


def recompute(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Asks the kernel for the spectrum of each part about an epsilon-rank."""
    return tuple(
        Part(place, Spectrum())
        for place, part in enumerate(statement.parts)
        if isinstance(part, EpsilonRank)
    )


EPS_RANK_L2 = Claim(
    id="separation.eps-rank-l2",
    title="the epsilon-rank in mean square counts the singular values of G_A^(1/2) C G_B^(1/2) "
    "but for a tail of squares that add up to epsilon",
    statement=epsilon_ranks,
    source=SEED,
    expected="certified",
    corrects="separation.high-rank-is-not-high-eps-rank",
    hypotheses=(
        DISTANCE,
        "C: the coefficients, G_A, G_B: the mean products of the monomials of a side; that no sum "
        "of R products is nearer than the tail of the spectrum is the theorem of Eckart and Young",
        "certified for the polynomials written out: uniform laws on intervals and on bits, normal "
        "laws, rational and irrational spectra, epsilon equal to a tail (1/9, 10/9, 1, 2)",
    ),
    certificate=recompute,
    mutants=(
        Mutant("one-more", partial(epsilon_ranks, more=1), "one product less is enough"),
        Mutant("one-less", partial(epsilon_ranks, more=-1), "and no fewer"),
        Mutant("root", partial(epsilon_ranks, root=True), "epsilon is a squared distance"),
        Mutant("tenth", partial(epsilon_ranks, scale=Rational(1, 10)), "another epsilon"),
    ),
)


def hard_target(bits: int) -> Function:
    """(-1)^<a, b> for `bits` bits a side: the product of 1 - 2 a_i b_i."""
    left, right = (symbols(f"{name}1:{bits + 1}") for name in "ab")
    factors = (1 - 2 * one * two for one, two in zip(left, right, strict=True))
    return Function(prod(factors), *(tuple((v, BIT) for v in side) for side in (left, right)))


def hard_target_in_digits(digits: int) -> Function:
    """The same for two bits in each digit 0, 1, 2, 3, interpolated digit by digit."""
    left, right = (symbols(f"{name}1:{digits + 1}") for name in "ab")
    factors = (_signs(one, two) for one, two in zip(left, right, strict=True))
    return Function(
        prod(factors), *(tuple((v, integers(0, 3)) for v in side) for side in (left, right))
    )


def _signs(one: Expr, two: Expr) -> Expr:
    """(-1)^(number of common bits) at digits 0 to 3: 1 or -1 for each pair."""
    values = (
        Integer((-1) ** (i & j).bit_count()) * _only(i, one) * _only(j, two)
        for i in range(4)
        for j in range(4)
    )
    return expand(sum(values, ZERO))


def _only(digit: int, variable: Expr) -> Expr:
    """1 at this digit, 0 at the three others."""
    others = [other for other in range(4) if other != digit]
    return prod((variable - other) / Integer(digit - other) for other in others)


EPSILONS = (ZERO, Rational(1, 10), Rational(1, 3), Rational(1, 2), Rational(3, 4), ONE)
BITS = (1, 2, 3)


def flat(number: Expr, size: int) -> Expr:
    return ceiling(size * (1 - number))


def tensor_step(opposite: int = 0) -> tuple[Relation, ...]:
    """Rows of the tensor product of H with [[1, 1], [1, -1]]: different rows of H, one row with
    both signs, one row with one sign."""
    rows: Domains = ((H, REALS), (N, integers(1)), (a, integers(1)))

    def inner(other: Expr) -> Expr:
        return Sum(H[a, b] * H[other, b], (b, 1, N))

    def doubled(sign: Expr, other: Expr) -> Expr:
        entry = (1 - 2 * s * t) * H[a, b] * (1 - 2 * sign * t) * H[other, b]
        return Sum(Sum(entry, (b, 1, N)), (t, 0, 1))

    return (
        Relation(doubled(r, c), "=", ZERO, (*rows, (c, integers(1)), (s, BIT), (r, BIT)),
                 (Relation(inner(c), "=", ZERO),)),
        Relation(doubled(1 - s, a), "=", Integer(opposite), (*rows, (s, BIT))),
        Relation(doubled(s, a), "=", 2 * N, (*rows, (s, BIT)),
                 (Relation(inner(a), "=", N),)),
    )  # fmt: skip


def tails(power: int = 2, scale: int = 1) -> tuple[Relation, ...]:
    """What a tail of at most epsilon says about R; and an error of at most epsilon everywhere."""
    over: Domains = ((k, integers(0)), (R, REALS), (epsilon, REALS))
    size = 2**k
    tail, least = (size - R) / size, size * (1 - epsilon)
    small, large = Relation(tail, "<=", scale * epsilon), Relation(R, ">=", least)
    errors: Domains = (
        (epsilon, interval(0, oo, "[)")), (error, interval(-epsilon, epsilon, "[]")),
        (N, integers(1)), (k, integers(0)), (R, REALS),
    )  # fmt: skip
    mean = Sum(error[b] ** 2, (b, 1, N)) / N
    return (
        Relation(R, ">=", least, over, (small,)),
        Relation(tail, "<=", epsilon, over, (large,)),
        Relation(mean, "<=", epsilon**power, errors[:3]),
        Relation(R, ">=", size * (1 - epsilon**power), errors, (Relation(tail, "<=", mean),)),
    )


def hard(
    more: int = 0,
    squared: bool = False,
    sizes: tuple[int, ...] = BITS,
) -> Every:
    """The epsilon-ranks of the targets; four bits are written in digits."""
    targets = ((bits, hard_target(bits) if bits < 4 else hard_target_in_digits(bits // 2))
               for bits in sizes)  # fmt: skip
    return Every(
        tuple(
            EpsilonRank(
                target, "uniform", number, flat(number**2 if squared else number, 2**bits) + more
            )
            for bits, target in targets
            for number in EPSILONS
        )
    )


HARD_TARGET = Claim(
    id="separation.hard-target",
    title="(-1)^<a, b> on k bits a side has a flat spectrum: its epsilon-rank is "
    "ceil(2^k (1 - epsilon))",
    statement=partial(hard, sizes=(*BITS, 4)),
    source=TARGET,
    expected="certified",
    hypotheses=(
        DISTANCE,
        "certified for k = 1 to 4 and epsilon = 0, 1/10, 1/3, 1/2, 3/4, 1, where 1/2 and 3/4 are "
        "sums of squared singular values (for k = 4 two bits are one digit 0 to 3)",
        "for all k: separation.flat-spectrum",
    ),
    certificate=recompute,
    mutants=(
        Mutant("one-more", partial(hard, more=1), "one product less is enough"),
        Mutant("one-less", partial(hard, more=-1), "and no fewer"),
        Mutant("epsilon-squared", partial(hard, squared=True), "that is the bound in sup norm"),
    ),
)


def flat_spectrum(opposite: int = 0, power: int = 2, scale: int = 1) -> Every:
    """The step from k to k + 1 bits, and what tails and errors say about R."""
    return Every((*tensor_step(opposite), *tails(power, scale)))


def try_small(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """One row of length 1, one error: values at which a changed part without hypotheses fails."""
    half = Rational(1, 2)
    points = {
        1: ((N, ONE), (a, ONE), (s, ZERO), (H[1, 1], ONE)),
        5: ((epsilon, half), (N, ONE), (error[1], half)),
    }
    true = flat_spectrum()
    return tuple(
        Part(place, Counterexample(point))
        for place, point in points.items()
        if statement.parts[place] != true.parts[place]
    )


FLAT_SPECTRUM = Claim(
    id="separation.flat-spectrum",
    title="(-1)^<a, b>: orthogonal rows stay so from k to k + 1 bits, and what a tail of a flat "
    "spectrum says: R >= 2^k (1 - epsilon) in mean square, 2^k (1 - epsilon^2) in sup norm",
    statement=flat_spectrum,
    source=TARGET,
    hypotheses=(
        "if the rows of H are orthogonal with squared length N, those of its tensor product with "
        "[[1, 1], [1, -1]] are so with 2N: from k to k + 1 bits",
        "then all 2^k squared singular values are 2^-k, and by Eckart and Young no R products are "
        "nearer than (2^k - R)/2^k: that is at most epsilon if and only if R >= 2^k (1 - epsilon)",
        "an error of at most epsilon everywhere has a mean square of at most epsilon^2",
        "the induction over k and the step from singular values to R products are not part of the "
        "statement; for k up to 4 separation.hard-target has all of it",
    ),
    derivation=derive_flat_spectrum,
    experiment=try_small,
    mutants=(
        Mutant("not-orthogonal", partial(flat_spectrum, opposite=1), "the signs cancel"),
        Mutant("sup-cubed", partial(flat_spectrum, power=3), "1 - epsilon^3 asks for too much"),
        Mutant("twice-the-tail", partial(flat_spectrum, scale=2), "2 epsilon allows fewer"),
    ),
)


def binomial_power(power: int, domain: Domain = UNIT) -> Function:
    return Function((x + y) ** power, ((x, domain),), ((y, domain),))


def high_ranks(power: int = POWER, digits: int = 6, law: str = "uniform", less: int = 0) -> Every:
    """(x + y)^power needs power + 1 products, and as many for a relative error 10^-digits."""
    normal = law == "normal"
    function = binomial_power(power, REALS if normal else UNIT)
    square = Integer(prod(range(1, 2 * power, 2)) * 2**power) if normal else Rational(
        2 ** (2 * power + 1), (2 * power + 1) * (2 * power + 2)
    )  # fmt: skip
    rank = Integer(power + 1)
    return Every(
        (
            SeparationRank(function, "=", rank),
            EpsilonRank(function, law, square / 10**digits, rank - less),
        )
    )


def binomial_terms(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The terms of (x + y)^power as products, independent at power + 1 points; the spectrum."""
    found: list[Evidence] = list(recompute(statement, settings))
    for place, part in enumerate(statement.parts):
        if isinstance(part, SeparationRank) and isinstance(part.function, Function):
            power = int(part.function.expression.as_base_exp()[1])
            points = tuple((Fraction(i, power + 1),) for i in range(power + 1))
            factors = tuple((comb(power, i) * x**i, y ** (power - i)) for i in range(power + 1))
            found.append(Part(place, SeparationCertificate(points, points, factors)))
    return tuple(found)


HIGH_RANK = Claim(
    id="separation.high-rank-is-not-high-eps-rank",
    title="a function of high separation rank has a high epsilon-rank",
    statement=high_ranks,
    source="seed 002, sections 3.4.2 and 5.1: separation rank as a measure of what can be mimicked",
    expected="refuted",
    corrected_by="separation.eps-rank-l2",
    hypotheses=(
        DISTANCE,
        "(x + y)^16, which is T_2 of depth 4 with all weights 1, has separation rank 17; 4 "
        "products are enough for a mean squared error of 10^-6 of E y^2, uniform on [-1, 1]",
        "random T_d with 2 inputs a side, width 2 and degree * depth = 12 have the ranks 1089, "
        "1722, 1089, 361 for d = 2, 3, 4, 6; at 10^-6, uniform on [-1, 1], seeds 0 and 1 have the "
        "epsilon-ranks 6 and 8 for d = 2, 15 and 6 for d = 3, 14 and 10 for d = 4, 17 and 8 for "
        "d = 6: they depend on "
        "the weights, so no single figure is claimed",
    ),
    certificate=binomial_terms,
    mutants=(
        Mutant("depth-three", partial(high_ranks, power=8), "6 instead of 9"),
        Mutant("coarser", partial(high_ranks, digits=2), "2 products are enough"),
        Mutant("normal", partial(high_ranks, law="normal"), "9 for standard normal inputs"),
        Mutant("half", partial(high_ranks, less=8), "nor is half of the rank needed"),
    ),
)

CLAIMS = (HIGH_RANK, EPS_RANK_L2, HARD_TARGET, FLAT_SPECTRUM)
