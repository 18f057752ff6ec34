"""The separation rank of a polynomial is the rank of its matrix of coefficients.

Upper side: C = U V with R columns gives R products. Lower side: where R products add up to the
polynomial at points, functionals that return its coefficients from these values give C = G H with
R columns. Such functionals exist for powers of one variable at distinct points: the Vandermonde
determinant is the product of the differences of the points, and its cofactors are the functionals
up to this factor. On {0, 1} there are no three points, and the theorem fails.

Source: seed 002, sections 4.1 and 5.1.
"""

from __future__ import annotations

from itertools import combinations, product

from sympy import Add, Expr, IndexedBase, Matrix, Mul, Symbol, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, Relation
from .counterexamples import derive_finite_domain
from .exchange import SIZES, conjunction, doubled, exchange, k, l, separated

C = IndexedBase("C")
DETERMINANTS = (2, 3, 4)
INVERSES = (2, 3, 4)


def nodes(size: int) -> tuple[Symbol, ...]:
    return symbols(f"x1:{size + 1}")


def distinct(points: tuple[Symbol, ...]) -> tuple[Relation, ...]:
    return tuple(Relation(q, "!=", p) for p, q in combinations(points, 2))


def determinant(points: tuple[Symbol, ...]) -> Expr:
    """Of the powers 0, 1, ... of the points, multiplied out."""
    size = len(points)
    return Matrix(size, size, lambda row, power: points[row] ** power).det(method="berkowitz")


def differences(points: tuple[Symbol, ...]) -> Expr:
    return Mul(*(q - p for p, q in combinations(points, 2)))


def cofactor(points: tuple[Symbol, ...], power: int, at: int) -> Expr:
    """What the value at point number `at` contributes to the coefficient of x^power, times the
    determinant."""
    size = len(points)
    return Matrix(size, size, lambda row, column: points[row] ** column).cofactor(at, power)


def returned(points: tuple[Symbol, ...], power: int, other: int) -> Expr:
    """The coefficient of x^power in x^other from its values, times the determinant."""
    return Add(*(cofactor(points, power, at) * x**other for at, x in enumerate(points)))


def derive_coefficient_rank() -> Derivation:
    """Both sides for all sizes, and the functionals for small ones; and the two domains of
    x^2 y + x y^2."""
    proof = Proof()
    whole = exchange(proof)
    parts = [whole, _coefficients(proof, whole)]
    for size in DETERMINANTS:
        parts += _vandermonde(proof, nodes(size))
    for size in INVERSES:
        parts += _inverse(proof, nodes(size))
    for line in derive_finite_domain().lines[:-1]:
        parts.append(proof.line(line.statement, line.rule))
    return conjunction(proof, parts)


def _coefficients(proof: Proof, whole: int) -> int:
    """If the functionals return C[k, l] from the values of R products, it is a sum of R products
    of a number that depends on k and one that depends on l."""
    over: Domains = ((C, REALS), *SIZES)
    given = (Relation(doubled(), "=", C[k, l]),)
    held = proof.relate(doubled(), "=", C[k, l], "hypothesis", over=over, given=given)
    return proof.relate(
        *(C[k, l], "=", separated(), "linear", held, whole), over=over, given=given, c1=-1
    )


def _vandermonde(proof: Proof, points: tuple[Symbol, ...]) -> list[int]:
    """The determinant, and that it is not 0 where the points are distinct."""
    over = tuple((p, REALS) for p in points)
    given = distinct(points)
    expanded, factored = determinant(points), differences(points)
    equal = proof.relate(expanded, "=", factored, "field", over=over)
    apart = proof.relate(factored, "!=", 0, "sign", over=over, given=given)
    nonzero = proof.relate(expanded, "!=", 0, "sign", apart, over=over, given=given)
    return [equal, nonzero]


def _inverse(proof: Proof, points: tuple[Symbol, ...]) -> list[int]:
    """The cofactors return one coefficient and 0 for the others; where that takes a proof."""
    over = tuple((p, REALS) for p in points)
    sides = (
        (returned(points, power, other), int(power == other) * differences(points))
        for power, other in product(range(len(points)), repeat=2)
    )
    return [proof.relate(a, "=", b, "field", over=over) for a, b in sides if a != b]
