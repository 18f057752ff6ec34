"""Degrees of composed layers, mixed degrees, and budgets that force an integer depth."""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Max, Product, Rational, Sum, Symbol, floor, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Every, PolynomialDegree, Relation, above, integers

d, n, k, i, q, p, x, y, B, N = symbols("d n k i q p x y B N")
Network = tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
LONGEST = 60


def network_polynomial(network: Network, variables: tuple[Symbol, ...]) -> Expr:
    """The first output of composed layers; a layer multiplies its matrices' outputs entrywise."""
    outputs: list[Expr] = list(variables)
    for layer in network:
        outputs = [_product(layer, row, outputs) for row in range(len(layer[0]))]
    return outputs[0]


def _product(layer: tuple, row: int, inputs: list[Expr]) -> Expr:
    product: Expr = Integer(1)
    for matrix in layer:
        weighted = (Integer(a) * value for a, value in zip(matrix[row], inputs, strict=True))
        product *= sum(weighted, Integer(0))
    return product


def derive_proxy(networks: tuple[tuple[int, Network], ...]) -> Derivation:
    """Degrees multiply under composition, by induction on the depth; in terms of the budget B;
    and on explicit integer networks (degree, network), by expansion."""
    g = IndexedBase("g")
    fixed = ((g, REALS), (d, integers(1)))
    over = (*fixed, (n, integers(0)))
    given = (
        Relation(g[0], "=", Integer(1)),
        Relation(g[k + 1], "=", d * g[k], ((k, integers(0)),)),
    )
    proof = Proof(*over, given=given)
    base = proof.relate(g[0], "=", 1, "hypothesis", over=fixed)
    assumed = (*given, Relation(g[n], "=", d**n))
    general = proof.relate(g[k + 1], "=", d * g[k], "hypothesis", over=(*fixed, (k, integers(0))))
    here = proof.relate(g[n + 1], "=", d * g[n], "substitute", general, given=assumed, k=n)
    before = proof.relate(g[n], "=", d**n, "hypothesis", given=assumed)
    step = proof.relate(g[n + 1], "=", d ** (n + 1), "linear", here, before, given=assumed, c2=d)
    lines = [proof.relate(g[n], "=", d**n, "induction", base, step)]
    lines.append(
        proof.relate(
            *(d ** (B / (N * d)), "=", (d ** (1 / d)) ** (B / N), "field"),
            over=((d, above(0)), (B, above(0)), (N, above(0))), given=(),
        )
    )  # fmt: skip
    for degree, network in networks:
        total = Integer(degree) ** len(network)
        polynomial = network_polynomial(network, (x, y))
        lines.append(proof.line(PolynomialDegree(polynomial, (x, y), total), "degree"))
    proof.line(Every(tuple(proof.statement(line) for line in lines)), "every", *lines)
    return proof.done()


def derive_mixing_layers() -> Derivation:
    """d^3 <= 3^d for every integer d >= 1; multiplied over the layers, no mixture beats 3."""
    proof = Proof()
    single = _cubes(proof)
    layers, depth = IndexedBase("x"), n
    degree = Product(layers[i], (i, 1, depth))
    budget = Sum(layers[i], (i, 1, depth))
    own = ((layers, integers(1)),)
    over = (*own, (depth, integers(1)))
    last = layers[depth + 1]
    one = Relation(degree**3, "<=", 3**budget)
    base = proof.relate(
        *(layers[1] ** 3, "<=", 3 ** layers[1], "substitute", single), over=own, d=layers[1]
    )
    given = (one,)
    before = proof.relate(one.lhs, "<=", one.rhs, "hypothesis", over=over, given=given)
    added = proof.relate(
        last**3, "<=", 3**last, "substitute", single, over=over, given=given, d=last
    )
    longer = one.lhs.subs(depth, depth + 1), one.rhs.subs(depth, depth + 1)
    step = proof.relate(
        *(longer[0], "<=", longer[1], "linear", before, added),
        over=over, given=given, c1=last**3, c2=3**budget,
    )  # fmt: skip
    mixed = proof.relate(one.lhs, "<=", one.rhs, "induction", base, step, over=over)
    parts = (single, mixed)
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _cubes(proof: Proof) -> int:
    """Induction from 3 on: (d + 1)^3 <= 3 d^3; the cases 1 and 2 by themselves."""
    over = ((d, integers(3)),)
    hypothesis = (Relation(d**3, "<=", 3**d),)
    base = proof.relate(27, "<=", 27, "ground")
    before = proof.relate(d**3, "<=", 3**d, "hypothesis", over=over, given=hypothesis)
    step = proof.relate(
        *((d + 1) ** 3, "<=", 3 ** (d + 1), "linear", before), over=over, given=hypothesis,
        c1=3, rest=3 * d**3 - (d + 1) ** 3,
    )  # fmt: skip
    large = proof.relate(d**3, "<=", 3**d, "induction", base, step, over=over)
    small = proof.relate(d**3, "<=", 3**d, "enumerate", over=((d, integers(1, 2)),))
    return proof.relate(d**3, "<=", 3**d, "cases", small, large, over=((d, integers(1)),))


def mixed_bound(budget: Expr) -> Expr:
    """3^q, (4/3) 3^q or 2 3^q for the budget 3q, 3q + 1 or 3q + 2: the best product of degrees."""
    whole = floor(budget / 3)
    rest = budget - 3 * whole
    return 3**whole * (1 + rest * (rest / 6 + Rational(1, 6)))


def derive_integer_depth() -> Derivation:
    """Budget 8 by comparison; the mixed optimum for all budgets up to a bound by enumeration of
    Bellman's equation; and for all budgets because the three forms only lose when multiplied."""
    proof = Proof()
    eight = ((B, integers(8, 8)),)
    steps = Max(2 * mixed_bound(B - 2), 3 * mixed_bound(B - 3))
    parts = [
        proof.relate(3 ** floor(B / 3), "<", 2 ** floor(B / 2), "enumerate", over=eight),
        proof.relate(3 ** floor(B / 3), "<", 4 ** floor(B / 4), "enumerate", over=eight),
        proof.relate(d, "<=", mixed_bound(d), "enumerate", over=((d, integers(1, LONGEST)),)),
        proof.relate(mixed_bound(B), "=", steps, "enumerate", over=((B, integers(4, LONGEST)),)),
    ]  # fmt: skip
    whole = ((q, integers(0)), (p, integers(0)))
    forms = (Integer(1), Rational(4, 3), Integer(2))
    for r, s in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        carry, rest = divmod(r + s, 3)
        lhs = forms[r] * 3**q * forms[s] * 3**p
        rhs = forms[rest] * 3 ** (q + p + carry)
        slack = forms[rest] * 3**carry - forms[r] * forms[s]
        parts.append(proof.relate(lhs, "<=", rhs, "linear", over=whole, rest=slack * 3**q * 3**p))
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()
