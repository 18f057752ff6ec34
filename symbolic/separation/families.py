"""Sums of few monomials (the seed's families F_k), and how often their rank is full.

p = sum over l <= k of a_l x^(alpha_l) has sep(p) <= k, with equality if and only if all a_l are
nonzero, the A-parts of the alpha_l are pairwise distinct, and so are their B-parts: only then has
the matrix of coefficients k rows and k columns, and it is a diagonal one up to order. With
exponents independent and uniform on 1, ..., K, the A-parts are uniform on K^|A| values, the B-parts
on K^|B|, independently, so P(sep = k) is a product of two birthday probabilities.

Source: seed 002, section 5.1.1.
"""

from __future__ import annotations

from sympy import Expr, Integer, Mul, Product, Symbol

from .arguments import whole_or_symbolic


def family_f_probability(
    k: int | Expr, exponents: int | Expr, left: int | Expr, right: int | Expr
) -> Expr:
    """P(sep = k) of a sum of `k` monomials whose exponents are uniform on 1, ..., `exponents`.

    `left` and `right` are the numbers of variables on the two sides. Exact; an expression where
    an argument is symbolic.
    """
    count = whole_or_symbolic("k", k)
    most = whole_or_symbolic("exponents", exponents)
    sizes = (most ** whole_or_symbolic("left", left), most ** whole_or_symbolic("right", right))
    if count.free_symbols:
        taken = {str(symbol) for symbol in Mul(count, *sizes).free_symbols}
        index = Symbol(next(name for name in ("i", "j", "l", "r", "s", "t") if name not in taken))
        return Product(Mul(*(1 - index / size for size in sizes)), (index, 0, count - 1))
    return Mul(*(1 - Integer(i) / size for i in range(int(count)) for size in sizes))
