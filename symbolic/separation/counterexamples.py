"""Statements of the seed that one small instance decides.

The mean squared distance d_2(y, y') = E|y - y'|^2 of the constant functions 0, 1, 2 breaks the
triangle inequality; it holds with a factor 2. The polynomial x^2 y + x y^2 is no product of
functions of x and of y over the reals, but equals 2 x y on {0, 1}^2. The function that is k up to
1/k^2 and 0 beyond has the norms 1/k (mean), 1 (root mean square) and k (largest value), so none of
these bounds another up to a constant.

Source: seed 002, sections 4.1 and 4.5.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Integral, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, Every, Relation, above, integers

x, y, z, k, c, s = symbols("x y z k c s")
g, h = IndexedBase("g"), IndexedBase("h")
POLYNOMIAL: Expr = x**2 * y + x * y**2
TRIANGLE = Relation(
    (x - z) ** 2, "<=", (x - y) ** 2 + (y - z) ** 2, ((x, REALS), (y, REALS), (z, REALS))
)
TRIANGLE_FAILS = ((x, Integer(0)), (y, Integer(1)), (z, Integer(2)))


def derive_squared_distance() -> Derivation:
    """d_2(0, 2) = 4 > 1 + 1; and (x - z)^2 <= 2 (x - y)^2 + 2 (y - z)^2 for all reals."""
    proof = Proof()
    point = dict(TRIANGLE_FAILS)
    left, right = TRIANGLE.lhs.subs(point), TRIANGLE.rhs.subs(point)
    fails = proof.relate(left, ">", right, "ground")
    relaxed = proof.relate(
        *(TRIANGLE.lhs, "<=", 2 * TRIANGLE.rhs, "linear"),
        over=TRIANGLE.over, rest=(x - 2 * y + z) ** 2,
    )  # fmt: skip
    parts = (fails, relaxed)
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def derive_finite_domain() -> Derivation:
    """On {0, 1}^2 the polynomial is the product 2 x y. At 1 and 2 no product g(x) h(y) has its
    values f: those of a product satisfy f(1,1) f(2,2) = f(1,2) f(2,1), but 2 * 16 != 6 * 6."""
    proof = Proof()
    bits = ((x, integers(0, 1)), (y, integers(0, 1)))
    sequences: Domains = ((g, REALS), (h, REALS))
    corners = [[POLYNOMIAL.subs({x: a, y: b}) for b in (1, 2)] for a in (1, 2)]
    parts = (
        proof.relate(POLYNOMIAL, "=", 2 * x * y, "enumerate", over=bits),
        proof.relate(
            (g[1] * h[1]) * (g[2] * h[2]), "=", (g[1] * h[2]) * (g[2] * h[1]), "field",
            over=sequences,
        ),
        proof.relate(corners[0][0] * corners[1][1], "!=", corners[0][1] * corners[1][0], "ground"),
    )  # fmt: skip
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def derive_norms() -> Derivation:
    """On (0, 1), with f = k up to 1/k^2 and 0 beyond: the integrals of |f| and f^2, and for every
    constant c < k that 1 > c/k and k > c, so |f|_2 > c |f|_1 and sup|f| > c |f|_2."""
    proof = Proof((c, above(0)), (k, above(c)))
    first, second = Integral(k, (s, 0, 1 / k**2)), Integral(k**2, (s, 0, 1 / k**2))
    large = proof.relate(k, ">", c, "sign")
    mean = proof.relate(first, "=", 1 / k, "antiderivative", F=k * s)
    square = proof.relate(second, "=", 1, "antiderivative", F=k**2 * s)
    parts = (
        mean,
        square,
        proof.relate(second, ">", c * first, "linear", square, mean, large, c1=-1, c2=c, c3=1 / k),
        proof.relate(k, ">", c * second, "linear", large, square, c2=c),
    )
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()
