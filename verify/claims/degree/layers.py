"""Degrees of composed layers, mixed degrees, and budgets that force an integer depth."""

from __future__ import annotations

from functools import partial

from sympy import Expr, IndexedBase, Integer, Max, Product, Rational, Sum, floor, symbols

from ....symbolic import degree as theory
from ....symbolic.statements import (
    REALS,
    Domain,
    Every,
    PolynomialDegree,
    Relation,
    above,
    integers,
    interval,
)
from ...claim import Claim, Mutant
from .experiments import explore_budgets, explore_mixtures, explore_networks
from .objective import NETWORKS, SEED, d

k, n, q, p, i, x, y, B, N = symbols("k n q p i x y B N")
LONGEST = 60


def proxy(base: Expr = d, shift: int = 0, exponent: Expr | None = None) -> Every:
    """deg(T_d^L) = d^L by composition; in terms of the budget; and on explicit networks."""
    g = IndexedBase("g")
    composed = (
        Relation(g[0], "=", Integer(1)),
        Relation(g[k + 1], "=", d * g[k], ((k, integers(0)),)),
    )
    over = ((g, REALS), (d, integers(1)), (n, integers(0)))
    positive = ((d, above(0)), (B, above(0)), (N, above(0)))
    measured = (
        PolynomialDegree(
            theory.network_polynomial(network, (x, y)),
            (x, y),
            Integer(degree) ** len(network) + shift,
        )
        for degree, network in NETWORKS
    )
    return Every(
        (
            Relation(g[n], "=", base**n, over, composed),
            Relation(d ** (B / (N * d)), "=", (d ** (1 / d)) ** (exponent or B / N), positive),
            *measured,
        )
    )


PROXY = Claim(
    id="degree.proxy",
    title="L layers of degree d have degree d^L = (d^(1/d))^(B/N)",
    statement=proxy,
    source=f"{SEED}, section 6.2, eq. (16) and (17)",
    hypotheses=(
        "g[L] is the degree after L layers; composing with a layer of degree d multiplies it by d",
        "L = B/(N d): the budget B buys L layers of d matrices with N weights each",
    ),
    derivation=partial(theory.derive_proxy, NETWORKS),
    experiment=explore_networks,
    mutants=(
        Mutant("networks-one-more", partial(proxy, shift=1), "the degree is d^L, not d^L + 1"),
        Mutant("networks-one-less", partial(proxy, shift=-1), "the degree is d^L, not d^L - 1"),
        Mutant("budget-squared", partial(proxy, exponent=(B / N) ** 2), "another exponent"),
        Mutant("budget-halved", partial(proxy, exponent=B / (2 * N)), "another constant"),
    ),
)


def mixing(
    base: int = 3, power: int = 3, degrees: Domain = integers(1), strict: bool = False
) -> Every:
    """d^3 <= 3^d, and the product of all layers' degrees cubed is at most 3^(their sum)."""
    layers = IndexedBase("x")
    degree, budget = Product(layers[i], (i, 1, n)), Sum(layers[i], (i, 1, n))
    op = "<" if strict else "<="
    return Every(
        (
            Relation(d**power, op, Integer(base) ** d, ((d, degrees),)),
            Relation(
                degree**power,
                op,
                Integer(base) ** budget,
                ((layers, integers(1)), (n, integers(1))),
            ),
        )
    )


MIXING_LAYERS = Claim(
    id="degree.mixing-layers",
    title="mixing integer degrees over the layers never beats 3",
    statement=mixing,
    source=f"{SEED}, section 1.2, for layers of different degrees",
    hypotheses=("layer i has the integer degree x[i] >= 1 and costs x[i] matrices",),
    derivation=theory.derive_mixing_layers,
    experiment=explore_mixtures,
    mutants=(
        Mutant("strict", partial(mixing, strict=True), "equality holds when all degrees are 3"),
        Mutant("fourth-power", partial(mixing, power=4), "another exponent: 2^4 > 3^2"),
        Mutant("base-2", partial(mixing, base=2, power=2), "another base: 3^2 > 2^3"),
        Mutant(
            "real-degrees",
            partial(mixing, degrees=interval(1, 4)),
            "(5/2)^3 > 3^(5/2): not integers",
        ),
    ),
)


def mixed(budget: Expr, one: Rational = Rational(4, 3), two: Rational = Rational(2)) -> Expr:
    """3^q, one*3^q or two*3^q for the budget 3q, 3q + 1 or 3q + 2, in one formula."""
    whole = floor(budget / 3)
    rest = budget - 3 * whole
    first, second = one - 1, two - 1
    bend = (second - 2 * first) / 2
    return 3**whole * (1 + rest * (rest * bend + first - bend))


def integer_depth(
    one: Rational = Rational(4, 3), two: Rational = Rational(2), budget: int = 8
) -> Every:
    """Budget 8; Bellman's equation of the mixed optimum; and its superadditivity."""
    only = ((B, integers(budget, budget)),)
    forms = (Integer(1), one, two)
    whole = ((q, integers(0)), (p, integers(0)))
    joined = []
    for r, t in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        carry, rest = divmod(r + t, 3)
        product = forms[r] * 3**q * forms[t] * 3**p
        joined.append(Relation(product, "<=", forms[rest] * 3 ** (q + p + carry), whole))
    steps = Max(2 * mixed(B - 2, one, two), 3 * mixed(B - 3, one, two))
    return Every(
        (
            Relation(3 ** floor(B / 3), "<", 2 ** floor(B / 2), only),
            Relation(3 ** floor(B / 3), "<", 4 ** floor(B / 4), only),
            Relation(d, "<=", mixed(d, one, two), ((d, integers(1, LONGEST)),)),
            Relation(mixed(B, one, two), "=", steps, ((B, integers(4, LONGEST)),)),
            *joined,
        )
    )


INTEGER_DEPTH = Claim(
    id="degree.integer-depth",
    title="with integer depth 3 is not always best; the mixed optimum is 3^q, 4*3^(q-1) or 2*3^q",
    statement=integer_depth,
    source=f"{SEED}, section 1.2, with L and d integers",
    hypotheses=(
        "the budget B is the sum of the layers' degrees; a network of one degree has B // d layers",
        "M(3q) = 3^q, M(3q+1) = (4/3) 3^q, M(3q+2) = 2*3^q; d <= M(d) and M(a) M(b) <= M(a+b) "
        "bound every mixture by M of its budget, and 2 M(B-2) or 3 M(B-3) reaches it from M(2) = 2,"
        " M(3) = 3, M(4) = 4",
    ),
    derivation=theory.derive_integer_depth,
    experiment=explore_budgets,
    mutants=(
        Mutant(
            "budget-9", partial(integer_depth, budget=9), "at budget 9 degree 3 gives 27 and wins"
        ),
        Mutant(
            "rest-1",
            partial(integer_depth, one=Rational(1)),
            "4*3^(q-1), not 3^q, at budget 3q + 1",
        ),
        Mutant(
            "rest-2",
            partial(integer_depth, two=Rational(3)),
            "2*3^q, not 3^(q+1), at budget 3q + 2",
        ),
        Mutant(
            "rest-1-larger", partial(integer_depth, one=Rational(3, 2)), "(3/2) 3^q is not reached"
        ),
    ),
)
