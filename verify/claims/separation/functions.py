"""What bounds a separation rank: coefficients, matricisations, minors modulo a prime."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from sympy import Add, Expr, IndexedBase, Integer, Matrix, Mul, Symbol, floor, symbols
from sympy import Sum as Total

from ....symbolic.separation import (
    derive_coefficient_rank,
    derive_matricisation_bound,
    derive_matricisation_index,
    derive_modular_certificate,
)
from ....symbolic.separation.layout import LAYOUTS, Places
from ....symbolic.separation.minors import carried, determinant, lifted, table, values
from ....symbolic.statements import (
    REALS,
    Domains,
    Every,
    Function,
    Relation,
    SeparationRank,
    integers,
)
from ...claim import Claim, Mutant
from .polynomials import certify
from .trials import failing

SEED = "seed 002"
i, j, r, t, k, l, n, m, R = symbols("i j r t k l n m R")  # noqa: E741
x, y, p, c, s, q, M = symbols("x y p c s q M")
u, v, a, b, C, g, h, J = map(IndexedBase, ("u", "v", "a", "b", "C", "g", "h", "J"))
ZERO, ONE = Integer(0), Integer(1)
MATRICES: Domains = (
    *((u, REALS), (v, REALS), (a, REALS), (b, REALS), (k, integers(1)), (l, integers(1))),
    *((m, integers(1)), (R, integers(1)), (n, integers(1))),
)
CUBIC = x**2 * y + x * y**2
PAIR = (g[1] * h[1]) * (g[2] * h[2])


def values_of_products() -> Expr:
    """sum_i a[k, i] sum_j (sum_r u[i, r] v[r, j]) b[j, l]"""
    row = Total(Total(u[i, r] * v[r, j], (r, 1, R)) * b[j, l], (j, 1, m))
    return Total(a[k, i] * row, (i, 1, n))


def left_factor(row: Expr) -> Expr:
    return Total(a[k, i] * u[i, row], (i, 1, n))


def products(joined: bool = False) -> Expr:
    """sum_r g_r h_r; `joined` multiplies the sums over r instead."""
    right = Total(v[r, j] * b[j, l], (j, 1, m))
    if joined:
        return Total(left_factor(r), (r, 1, R)) * Total(right, (r, 1, R))
    return Total(left_factor(r) * right, (r, 1, R))


def vandermonde(size: int, every_point: bool, sign: int) -> Iterator[Relation]:
    """The determinant is the product of differences, and not 0 where the points are distinct."""
    points = symbols(f"x1:{size + 1}")
    over = tuple((point, REALS) for point in points)
    pairs = list(combinations(points, 2))
    apart = tuple(Relation(two, "!=", one) for one, two in pairs)
    found = Matrix(size, size, lambda row, power: points[row] ** power).det(method="berkowitz")
    yield Relation(found, "=", Mul(*(sign * (two - one) for one, two in pairs)), over)
    yield Relation(found, "!=", ZERO, over, () if every_point else apart)


def functionals(size: int, unsigned: bool) -> Iterator[Relation]:
    """The cofactors return the coefficient of one power and 0 for the others; `unsigned`, minors
    instead."""
    points = symbols(f"x1:{size + 1}")
    over = tuple((point, REALS) for point in points)
    powers = Matrix(size, size, lambda row, power: points[row] ** power)
    whole = Mul(*(two - one for one, two in combinations(points, 2)))
    taken = powers.minor if unsigned else powers.cofactor
    for power in range(size):
        for other in range(size):
            true, found = (
                Add(*(make(at, power) * points[at] ** other for at in range(size)))
                for make in (powers.cofactor, taken)
            )
            wanted = whole if power == other else ZERO
            if true != wanted:  # but for what SymPy's sums decide by themselves
                yield Relation(found, "=", wanted, over)


def coefficient_rank(
    joined: bool = False,
    every_point: bool = False,
    sign: int = 1,
    unsigned: bool = False,
    one: Expr = 2 * x * y,
) -> Every:
    """Both directions for all sizes; functionals of small size; x^2 y + x y^2 on two domains."""
    bits = ((x, integers(0, 1)), (y, integers(0, 1)))
    corners = [[CUBIC.subs({x: left, y: right}) for right in (1, 2)] for left in (1, 2)]
    returned = Relation(values_of_products(), "=", C[k, l])
    return Every(
        (
            Relation(values_of_products(), "=", products(joined), MATRICES),
            Relation(C[k, l], "=", products(joined), ((C, REALS), *MATRICES), (returned,)),
            *(part for size in (2, 3, 4) for part in vandermonde(size, every_point, sign)),
            *(part for size in (2, 3, 4) for part in functionals(size, unsigned)),
            Relation(CUBIC, "=", one, bits),
            Relation(PAIR, "=", (g[1] * h[2]) * (g[2] * h[1]), ((g, REALS), (h, REALS))),
            Relation(corners[0][0] * corners[1][1], "!=", corners[0][1] * corners[1][0]),
        )
    )


COEFFICIENT_RANK = Claim(
    id="separation.coefficient-rank",
    title="C = U V with R columns gives R products, and R products at enough points give C = G H",
    statement=coefficient_rank,
    source=f"{SEED}, sections 4.1 and 5.1",
    hypotheses=(
        "first part, upper side, for all sizes: a[k, i] and b[j, l] are the monomials of the two "
        "sides at points k and l, u v the coefficients; the polynomial is a sum of R products",
        "second part, lower side, for all sizes: u[i, r] v[r, j] are the values of R products at "
        "points, a[k, i] and b[j, l] functionals that return the coefficient C[k, l] from them; "
        "then C = G H with R columns, so rank C <= R",
        "the functionals: for up to four powers of one variable, at distinct points the "
        "determinant of the powers is not 0, and its cofactors return one coefficient each; for "
        "more powers this is Vandermonde's theorem, for several variables products of such "
        "functionals serve; neither is proved here",
        "the reader puts these together: on an infinite domain sep equals the rank of C",
        "last three parts: x^2 y + x y^2 is the product 2 x y on {0, 1}^2 and no product on "
        "{1, 2}^2; a domain with fewer points than powers has no such functionals",
    ),
    derivation=derive_coefficient_rank,
    certificate=failing,
    corrects="separation.finite-domain",
    mutants=(
        Mutant("one-product", partial(coefficient_rank, joined=True), "the sums over r multiplied"),
        Mutant(
            "every-point",
            partial(coefficient_rank, every_point=True),
            "at equal points the determinant of the powers is 0",
        ),
        Mutant(
            "order-of-points",
            partial(coefficient_rank, sign=-1),
            "an odd number of differences changes the sign",
        ),
        Mutant("minors", partial(coefficient_rank, unsigned=True), "cofactors without their signs"),
        Mutant(
            "other-product",
            partial(coefficient_rank, one=x * y),
            "at x = y = 1 the value is 2",
        ),
    ),
)


def finite_domain(value: int = 2, largest: int = 1) -> Every:
    """The rank of x^2 y + x y^2 on {0, ..., largest}^2, which over the reals is 2."""
    domain = integers(0, largest)
    function = Function(CUBIC, ((x, domain),), ((y, domain),))
    return Every((SeparationRank(function, "=", Integer(value)),))


FINITE_DOMAIN = Claim(
    id="separation.finite-domain",
    title="on a finite domain too, sep is the rank of the coefficients: 2 for x^2 y + x y^2",
    statement=finite_domain,
    source=f"{SEED}, section 5.1, with templates from a finite set",
    expected="refuted",
    hypotheses=("x and y are bits; there x^2 = x, and the polynomial is 2 x y",),
    certificate=certify,
    corrected_by="separation.coefficient-rank",
    mutants=(
        Mutant("zero", partial(finite_domain, 0), "the value at (1, 1) is not 0"),
        Mutant("three", partial(finite_domain, 3), "two points a side give no rank 3"),
        Mutant("one-on-trits", partial(finite_domain, 1, 2), "on {0, 1, 2}^2 the rank is 2"),
    ),
)


def matricisation_bound(smaller: int = 0, signed: bool = True, kept: bool = True) -> Every:
    """Minors of size R + 1 vanish for R = 1, 2, 3; rows combine to 0 where those of all g_r do.

    `smaller` takes that much off the size of the minors, but the first; without `signed` they are
    permanents; without `kept` the rows need not combine to 0 for the g_r.
    """
    minors = []
    for count in (1, 2, 3):
        size = count + 1 - (smaller if count > 1 else 0)
        names = [Symbol(f"g{row}{e}") for row in range(1, size + 1) for e in range(1, count + 1)]
        names += [Symbol(f"h{e}{col}") for e in range(1, count + 1) for col in range(1, size + 1)]
        over = tuple((name, REALS) for name in names)
        minors.append(Relation(determinant(values(count, size), signed), "=", ZERO, over))
    cancelled = Relation(left_factor(t), "=", ZERO, ((t, integers(1)),))
    rows = Relation(values_of_products(), "=", ZERO, MATRICES, (cancelled,) if kept else ())
    return Every((*minors, rows))


MATRICISATION_BOUND = Claim(
    id="separation.matricisation-bound",
    title="the rank of a matricisation is at most sep: minors of size R + 1 of R products vanish",
    statement=matricisation_bound,
    source=f"{SEED}, equation (10)",
    hypotheses=(
        "g and h are the values of the functions at any R + 1 templates a side, so nothing is "
        "assumed of functions or templates; minors are multiplied out for R = 1, 2, 3",
        "for all R and any number of templates: a combination a[k, i] of rows i that is 0 for "
        "every function r, sum_i a[k, i] u[i, r] = 0, is 0 for the matricisation, whatever the "
        "columns and the weights b[j, l] given to them",
        "that n > R rows have such a combination that is not trivial, as R equations in n "
        "unknowns do, is left to the reader",
    ),
    derivation=derive_matricisation_bound,
    certificate=failing,
    mutants=(
        Mutant("size-r", partial(matricisation_bound, 1), "minors of size R need not vanish"),
        Mutant("permanent", partial(matricisation_bound, signed=False), "all signs positive"),
        Mutant("any-rows", partial(matricisation_bound, kept=False), "any combination of rows"),
    ),
)


def matricisation_index(
    shift: int = 0, offset: int = 1, backwards: bool = False, most: Expr = M**q - 1
) -> Every:
    """The place in C order splits into row and column; then small layouts case by case.

    Mutants: another power before the row, no 1 taken from the indices, digits from the other end,
    another bound of the column.
    """
    rows, columns = symbols("p q")
    sizes: Domains = ((M, integers(1)), (J, integers(0, M - 1)), (rows, integers(0)))
    over = (*sizes, (columns, integers(0)))
    both = rows + columns
    flat = Total(J[t] * M ** (both - t), (t, 1, both))
    row = Total(J[t] * M ** (rows - t), (t, 1, rows))
    column = Total(J[rows + t] * M ** (columns - t), (t, 1, columns))
    small = (part for layout in LAYOUTS for part in _layout(*layout, offset, backwards))
    return Every(
        (
            Relation(flat, "=", M ** (columns + shift) * row + column, over),
            Relation(ZERO, "<=", column, over),
            Relation(column, "<=", most, over),
            *small,
        )
    )


def _layout(
    left: Places, right: Places, size: int, offset: int, backwards: bool
) -> Iterator[Relation]:
    """Row and column by the seed's formula against those of transposing and reshaping."""
    over = tuple((Symbol(f"j{place}"), integers(1, size)) for place in sorted((*left, *right)))
    count = len(right)
    flat = _digits((*left, *right), size, 1)
    row = floor(flat / Integer(size) ** count)
    stated = [places[::-1] if backwards else places for places in (left, right)]
    yield Relation(1 + row, "=", 1 + _digits(stated[0], size, offset), over)
    column = 1 + flat - size**count * row
    yield Relation(column, "=", 1 + _digits(stated[1], size, offset), over)


def _digits(places: Places, size: int, offset: int) -> Expr:
    top = len(places)
    terms = (
        (Symbol(f"j{place}") - offset) * size ** (top - number)
        for number, place in enumerate(places, 1)
    )
    return Add(*terms)


MATRICISATION_INDEX = Claim(
    id="separation.matricisation-index",
    title="row and column of the seed are those of transposing to A, B and reshaping in C order",
    statement=matricisation_index,
    source=f"{SEED}, section 5.1.3",
    hypotheses=(
        "J[1], ..., J[p + q], from 0 to M - 1, are the seed's indices less 1, in the order of A, "
        "then B; for all p = |A|, q = |B| and M the place in C order is M^q row + column, and the "
        "column lies between 0 and M^q - 1",
        "the other parts go through all cases of six layouts with N <= 4 and M <= 5, with indices "
        "from 1 and the quotient by floor",
    ),
    derivation=derive_matricisation_index,
    certificate=failing,
    mutants=(
        Mutant("next-power", partial(matricisation_index, shift=1), "rows by M^(q + 1)"),
        Mutant("from-0", partial(matricisation_index, offset=0), "1 is not taken from indices"),
        Mutant(
            "fortran-order", partial(matricisation_index, backwards=True), "the first digit runs"
        ),
        Mutant(
            "one-column-less", partial(matricisation_index, most=M**q - 2), "the last column exists"
        ),
    ),
)


def modular_certificate(first: int = 1, linear: bool = False, converse: bool = False) -> Every:
    """det(S + p Q) = det S + p K; a number with a remainder other than 0 is not 0; so are minors.

    Mutants: remainders from `first` on, K without higher powers of p, and the converse.
    """
    modulus = ((p, integers(2)),)
    lifts = []
    for size in (1, 2, 3, 4):
        low = determinant(table("s", size, size))
        change = carried(size).subs(p, 0) if linear and size > 1 else carried(size)
        lifts.append(Relation(determinant(lifted(size)), "=", low + p * change, _entries(size)))
    remainder = (*modulus, (s, integers(first, p - 1)), (c, integers()))
    minors = (_minor(size, first, converse) for size in (1, 2, 3))
    return Every((*lifts, Relation(p * c + s, "!=", ZERO, remainder), *minors))


def _minor(size: int, first: int, converse: bool) -> Relation:
    rest = determinant(table("s", size, size)) - p * c
    over = (*_entries(size), (c, integers()))
    if converse:
        return Relation(determinant(lifted(size)), "=", ZERO, over, (Relation(rest, "=", ZERO),))
    given = (Relation(rest, ">=", Integer(first)), Relation(rest, "<=", p - 1))
    return Relation(determinant(lifted(size)), "!=", ZERO, over, given)


def _entries(size: int) -> Domains:
    tables = table("s", size, size), table("q", size, size)
    entries = (entry for found in tables for row in found for entry in row)
    return ((p, integers(2)), *((entry, integers()) for entry in entries))


MODULAR_CERTIFICATE = Claim(
    id="separation.modular-certificate",
    title="a minor that is not 0 modulo p is not 0, so the rank modulo p is at most the true one",
    statement=modular_certificate,
    source="the certificate of every lower bound in this family",
    hypotheses=(
        "A = S + p Q with integer matrices, in particular with S the remainders of A; minors of "
        "size 1 to 4 are lifted, with K written out; the conclusion is drawn for sizes 1 to 3",
        "det S - p c is the remainder of det S, between 1 and p - 1",
        "together with the bound by matricisation: a k x k minor of values that is not 0 modulo p "
        "shows sep >= k",
        "the other side is no proof: by Schwartz and Zippel a minor that is not identically 0 "
        "vanishes modulo p at random points with probability at most its degree over p; upper "
        "bounds of this family come from factors or degrees instead",
    ),
    derivation=derive_modular_certificate,
    certificate=failing,
    mutants=(
        Mutant(
            "converse",
            partial(modular_certificate, converse=True),
            "a minor that vanishes modulo p vanishes",
        ),
        Mutant("remainder-0", partial(modular_certificate, 0), "remainder 0 says nothing"),
        Mutant(
            "first-order",
            partial(modular_certificate, linear=True),
            "the terms with p^2 are missing",
        ),
    ),
)


CLAIMS = (
    COEFFICIENT_RANK,
    FINITE_DOMAIN,
    MATRICISATION_BOUND,
    MATRICISATION_INDEX,
    MODULAR_CERTIFICATE,
)
