"""The rank of two tokens against 3^(L d): the constant of the stated rate is not uniform in d.

With t = 3^L, D = (t - 1)/2 and one token on each side, the bound over 3^(L d) is the product over
i <= d of (D + i)/(i t). At fixed d it tends to 1/(2^d d!). For all d and t it is at most
exp(d(d + 1)/t)/2^d, because (D + i)/(i t) <= (1 + 2i/t)/2 <= exp(2i/t)/2; at L = d this is at most
e/2^d. So no c > 0 has sep >= c 3^(L d) for all L and d.

Source: seed 002, equations (1) and (3).
"""

from __future__ import annotations

from math import factorial

from sympy import (
    Derivative,
    E,
    Expr,
    Mul,
    Product,
    Rational,
    exp,
    log,
    oo,
    symbols,
)

from ..derivation import Derivation, Proof
from ..statements import Every, Limit, Relation, above, integers
from .arguments import whole

t, x, d, i, L, c = symbols("t x d i L c")
WIDTHS = (1, 2, 3, 4)


def rising(top: Expr, size: int) -> Expr:
    """C(top + size, size) as a polynomial in `top`: (top + 1)...(top + size)/size!."""
    factors = (top + k for k in range(1, whole("size", size, 0) + 1))
    return Mul(Rational(1, factorial(size)), *factors)


def two_token_ratio(width: int) -> Expr:
    """C(D + width, width)/3^(L width) in L, each factor as 1/2 plus a part that vanishes."""
    size = whole("width", width)
    vanishing = exp(-L * log(3)) / 2
    factors = (Rational(1, 2) + (2 * k - 1) * vanishing for k in range(1, size + 1))
    return Mul(Rational(1, factorial(size)), *factors)


def ratio_limit(width: int) -> Expr:
    """1/(2^width width!), the limit of `two_token_ratio` as L grows."""
    return Rational(1, 2 ** whole("width", width) * factorial(width))


def derive_ratio_limits() -> Derivation:
    """At d = 1 to 4: C(D + d, d)/3^(L d) in the form above, and its limit."""
    proof = Proof()
    parts = prove_ratio_limits(proof)
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def prove_ratio_limits(proof: Proof) -> list[int]:
    """The same as lines of a longer proof."""
    over = ((L, above(0)),)
    parts = []
    for size in WIDTHS:
        rank, ratio = rising((3**L - 1) / 2, size), two_token_ratio(size)
        parts.append(proof.relate(rank / 3 ** (L * size), "=", ratio, "field", over=over))
        goal = Limit(ratio, ratio_limit(size), ((L, oo),), over)
        parts.append(proof.line(goal, "limit"))
    return parts


def ratio_product(power: Expr, width: Expr) -> Expr:
    """C(D + width, width)/power^width as a product, with D = (power - 1)/2."""
    return Product(((power - 1) / 2 + i) / (i * power), (i, 1, width))


def derive_no_uniform_constant() -> Derivation:
    """For every c > 0 and every whole d >= e/c, at depth L = d: C(D + d, d) < c 3^(L d)."""
    proof = Proof()
    prove_no_uniform_constant(proof)
    return proof.done()


def prove_no_uniform_constant(proof: Proof) -> int:
    """The same as lines of a longer proof."""
    below = _bounded(proof)
    powers = _powers(proof)
    over = ((d, integers(1)),)
    ratio = ratio_product(3**d, d)
    here = proof.relate(
        *(ratio, "<=", exp(d * (d + 1) / 3**d) / 2**d, "substitute", below), over=over, t=3**d, d=d
    )
    small = proof.relate(d * (d + 1) / 3**d, "<=", 1, "linear", powers, over=over, c1=1 / 3**d)
    capped = proof.relate(exp(d * (d + 1) / 3**d), "<=", E, "exponential", small, over=over)
    bound = proof.relate(ratio, "<=", E / 2**d, "linear", here, capped, over=over, c2=1 / 2**d)
    doubling = _doubling(proof)
    given = (Relation(c * d, ">=", E),)
    wide = ((c, above(0)), *over)
    enough = proof.relate(c * d, ">=", E, "hypothesis", over=wide, given=given)
    return proof.relate(
        *(ratio, "<", c, "linear", bound, enough, doubling), over=wide, given=given,
        c2=1 / 2**d, c3=c / 2**d,
    )  # fmt: skip


def _bounded(proof: Proof) -> int:
    """prod over i <= d of (D + i)/(i t) <= exp(d(d + 1)/t)/2^d, by induction on d."""
    fixed = ((t, above(0)),)
    over = (*fixed, (d, integers(0)))
    ratio, cap = ratio_product(t, d), exp(d * (d + 1) / t) / 2**d
    tangent = _tangent(proof)
    base = proof.relate(ratio.subs(d, 0), "<=", cap.subs(d, 0), "linear", over=fixed)
    given = (Relation(ratio, "<=", cap),)
    before = proof.relate(ratio, "<=", cap, "hypothesis", over=over, given=given)
    power = 2 * (d + 1) / t
    factor = ((t - 1) / 2 + d + 1) / ((d + 1) * t)
    line = proof.relate(
        1 + power, "<=", exp(power), "substitute", tangent, over=over, given=given, x=power
    )
    slack = d / t + (d + 1 / t) / (2 * (d + 1))
    last = proof.relate(
        *(factor, "<=", exp(power) / 2, "linear", line), over=over, given=given,
        c1=Rational(1, 2), rest=slack,
    )  # fmt: skip
    step = proof.relate(
        *(ratio.subs(d, d + 1), "<=", cap.subs(d, d + 1), "linear", before, last),
        over=over, given=given, c1=factor, c2=cap,
    )  # fmt: skip
    return proof.relate(ratio, "<=", cap, "induction", base, step, over=over)


def _tangent(proof: Proof) -> int:
    """1 + x <= exp(x) for x > 0: the slope of exp(x) - x is positive."""
    rest = exp(x) - x
    over = ((x, above(0)),)
    larger = proof.relate(
        1, "<", exp(x), "exponential", proof.relate(0, "<", x, "sign", over=over), over=over
    )
    slope = proof.relate(Derivative(rest, x), ">", 0, "linear", larger, over=over)
    rises = proof.relate(
        *(1, "<", rest, "monotone", slope), over=over, function=rest, variable=x, low=0, high=x
    )
    return proof.relate(1 + x, "<=", exp(x), "linear", rises, over=over)


def _powers(proof: Proof) -> int:
    """d(d + 1) <= 3^d from d = 1 on: 3 d(d + 1) - (d + 1)(d + 2) = 2 (d + 1)(d - 1)."""
    over, goal = ((d, integers(1)),), Relation(d * (d + 1), "<=", 3**d)
    base = proof.relate(2, "<=", 3, "ground", over=())
    before = proof.relate(goal.lhs, "<=", goal.rhs, "hypothesis", over=over, given=(goal,))
    step = proof.relate(
        *((d + 1) * (d + 2), "<=", 3 ** (d + 1), "linear", before), over=over, given=(goal,),
        c1=3, rest=2 * (d + 1) * (d - 1),
    )  # fmt: skip
    return proof.relate(goal.lhs, "<=", goal.rhs, "induction", base, step, over=over)


def _doubling(proof: Proof) -> int:
    """d < 2^d from d = 1 on."""
    over, goal = ((d, integers(1)),), Relation(d, "<", 2**d)
    base = proof.relate(1, "<", 2, "ground", over=())
    before = proof.relate(d, "<", 2**d, "hypothesis", over=over, given=(goal,))
    step = proof.relate(
        *(d + 1, "<", 2 ** (d + 1), "linear", before), over=over, given=(goal,), c1=2, rest=d - 1
    )
    return proof.relate(d, "<", 2**d, "induction", base, step, over=over)
