"""Networks of entrywise products T_d: how large their separation rank can be.

`inputs` inputs a side, degree D = degree^depth: sep <= G(inputs, D), proved for all sizes, and
attained, certified size by size. The statements write G as products over i; the numbers at single
sizes are written out.
"""

from __future__ import annotations

from functools import partial

from sympy import Expr, Integer, Product, symbols

from ....symbolic.separation.entrywise import derive_even_bound, derive_odd_bound
from ....symbolic.separation.growth import derive_proxy
from ....symbolic.statements import Domains, Every, Hadamard, Operator, Relation, SeparationRank
from ....symbolic.statements import integers as whole
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Evidence, Part
from .networks import certify_at, certify_every

n, w, d, p, h, i, e = symbols("n w d p h i e")
ONE, TWO = Integer(1), Integer(2)
SEED = "seed 002, section 3.1, comment 3.1, and section 6"
LAYERS = (
    "T_d: depth layers z -> (W_1 z) * ... * (W_d z), products taken entry by entry, with `width` "
    "outputs each and a readout; half of the inputs are on each side"
)

Size = tuple[int, int, int, int]  # inputs, degree, depth, width
Ranks = tuple[tuple[Size, int], ...]
ATTAINED: Ranks = (
    ((1, 3, 2, 2), 10), ((2, 2, 2, 1), 9), ((2, 2, 3, 2), 25), ((2, 3, 2, 2), 30),
    ((2, 5, 2, 2), 182), ((3, 2, 3, 2), 55), ((3, 3, 2, 2), 70), ((4, 2, 2, 2), 20),
    ((4, 3, 2, 2), 140), ((5, 2, 2, 3), 27),
)  # fmt: skip
BUDGET: Ranks = (
    ((2, 2, 6, 2), 1089), ((2, 3, 4, 2), 1722), ((2, 4, 3, 2), 1089), ((2, 6, 2, 2), 361),
)  # fmt: skip
FEW_FORMS: Ranks = (((5, 2, 2, 2), 20), ((3, 2, 2, 1), 9))
ONE_LAYER: Ranks = (
    ((3, 2, 1, 1), 4), ((3, 2, 1, 2), 5), ((5, 2, 1, 2), 6), ((5, 2, 1, 3), 7), ((3, 3, 1, 2), 8),
)  # fmt: skip


def choose(top: Expr, size: Expr) -> Expr:
    """C(top + size, size)."""
    return Product((top + i) / i, (i, 1, size))


def odd_value(inputs: Expr = n) -> Expr:
    """G(inputs, 2h + 1)."""
    return 2 * choose(h, inputs)


def even_value(inputs: Expr = n, middle: int = 1) -> Expr:
    """G(inputs, 2h); the part of equal degrees counts `middle` times."""
    return 2 * choose(h - 1, inputs) + middle * choose(h, inputs - 1)


def rank_of(size: Size, value: int, op: Operator = "=") -> SeparationRank:
    inputs, degree, depth, width = map(Integer, size)
    return SeparationRank(Hadamard(inputs, width, degree, depth), op, Integer(value))


def all_sizes(
    odd: Expr, even: Expr, op: Operator = "<=", width: int = 1
) -> tuple[SeparationRank, SeparationRank]:
    """The two parities of D = d^p, for all widths from `width` on."""
    sizes: Domains = ((n, whole(1)), (w, whole(width)), (d, whole(1)), (p, whole(1)))
    network = Hadamard(n, w, d, p)
    return (
        SeparationRank(
            network, op, odd, (*sizes, (h, whole(0))), (Relation(2 * h + 1, "=", d**p),)
        ),
        SeparationRank(network, op, even, (*sizes, (h, whole(1))), (Relation(2 * h, "=", d**p),)),
    )


def hadamard(
    odd: Expr | None = None,
    even: Expr | None = None,
    wide: int = 0,
    few: int = 0,
    one_layer: int = 0,
    larger: Ranks = (),
) -> Every:
    """sep <= G for all sizes; the ranks at single sizes, changed by these numbers, and at `larger`
    ones."""
    groups = ((ATTAINED, wide), (FEW_FORMS, few), (ONE_LAYER, one_layer), (larger, 0))
    ranks = (rank_of(size, value + more) for group, more in groups for size, value in group)
    bounds = all_sizes(odd_value() if odd is None else odd, even_value() if even is None else even)
    return Every((*bounds, *ranks))


def at(inputs: int, width: int, degree: int, depth: int, half: int) -> dict[Expr, Expr]:
    numbers = map(Integer, (inputs, width, degree, depth, half))
    return dict(zip((n, w, d, p, h), numbers, strict=True))


TRIED = ((at(1, 2, 3, 1, 1), at(2, 2, 3, 2, 4)), (at(2, 2, 2, 2, 2), at(3, 2, 2, 3, 4)))


def certify(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Networks of two sizes for each bound, and one for each rank."""
    bounds = (
        Part(place, found)
        for place, (part, points) in enumerate(zip(statement.parts, TRIED, strict=False))
        if isinstance(part, SeparationRank)
        for found in certify_at(part, points, settings)
    )
    return (*bounds, *certify_every(statement, settings))


def prove(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    true = all_sizes(odd_value(), even_value())
    proofs = (derive_odd_bound, derive_even_bound)
    return tuple(
        Part(place, make())
        for place, make in enumerate(proofs)
        if statement.parts[place] == true[place]
    )


HADAMARD = Claim(
    id="separation.hadamard",
    title="entrywise products of degree D: sep <= G(n, D) = the sum over k of "
    "min(C(k + n - 1, n - 1), C(D - k + n - 1, n - 1)), attained at many sizes",
    statement=partial(hadamard, larger=BUDGET),
    source=SEED,
    expected="certified",
    corrects="separation.hadamard-as-stated",
    hypotheses=(
        LAYERS,
        "odd D = 2h + 1: G = 2 C(h + n, n); even D = 2h: G = 2 C(h - 1 + n, n) + C(h + n - 1, "
        "n - 1); proved for all numbers of inputs n, widths, degrees and depths",
        "attained at the sizes written out, certified one by one; among them n = 2 with degree * "
        "depth = 12: 1089, 1722, 1089, 361",
        "width * degree >= n is needed, but not seen to be enough: random networks with n = 5, "
        "degree 3, depth 2, width 2 reach 234 of 252; whether others reach more is open",
        "with fewer linear forms in the first layer than inputs the bound is G(width * degree, D), "
        "and one layer alone is a sum of at most width * C(degree, k) products of degree k in one "
        "side: the smaller ranks there are certified too",
    ),
    certificate=prove,
    experiment=certify,
    mutants=(
        Mutant("one-less", partial(hadamard, odd=odd_value() - 1), "attained for odd D"),
        Mutant("one-side", partial(hadamard, odd=odd_value() / 2), "each degree counts twice"),
        Mutant("no-middle", partial(hadamard, even=even_value(middle=0)), "D/2 counts once"),
        Mutant("fewer-inputs", partial(hadamard, even=even_value(n - 1)), "n inputs, not n - 1"),
        Mutant("more-than-bound", partial(hadamard, wide=1), "above the bound"),
        Mutant("less-than-attained", partial(hadamard, wide=-1), "more is attained"),
        Mutant("wide-anyway", partial(hadamard, few=7), "27 = G(5, 4) needs five linear forms"),
        Mutant("one-layer-more", partial(hadamard, one_layer=1), "one layer has few products"),
    ),
)


def as_stated(width: int = 2, odd: Expr | None = None, even: Expr | None = None) -> Every:
    """sep = G from this width on."""
    return Every(
        all_sizes(
            odd_value() if odd is None else odd,
            even_value() if even is None else even,
            "=",
            width,
        )
    )


def one_layer_as_stated(width: int = 2) -> Every:
    """The same for the quadratic layer alone: 1 + n + 1."""
    over: Domains = ((n, whole(1)), (w, whole(width)))
    return Every((SeparationRank(Hadamard(n, w, TWO, ONE), "=", n + 2, over),))


def try_narrow(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Networks with more inputs than linear forms, at the least width of the statement."""
    found: list[Evidence] = []
    for place, part in enumerate(statement.parts):
        if not isinstance(part, SeparationRank):
            continue
        least = int(dict(part.over)[w].low)
        if h not in dict(part.over):
            point = {n: Integer(2 * least + 1), w: Integer(least)}
        elif place == 0:
            point = at(3 * least + 1, least, 3, 2, 4)
        else:
            point = at(2 * least + 1, least, 2, 2, 2)
        if point[n] > 8:
            continue
        found += (Part(place, item) for item in certify_at(part, (point,), settings))
    return tuple(found)


HADAMARD_AS_STATED = Claim(
    id="separation.hadamard-as-stated",
    title="width 2 is enough for the separation rank of entrywise products to reach G(n, D)",
    statement=as_stated,
    source=SEED,
    expected="refuted",
    corrected_by="separation.hadamard",
    hypotheses=(
        LAYERS,
        "five inputs a side, degree 2, depth 2, width 2: the first layer has four linear forms, so "
        "the rank is at most G(4, 4) = 20, and 20 is reached; G(5, 4) = 27",
    ),
    certificate=try_narrow,
    mutants=(
        Mutant("width-three", partial(as_stated, width=3), "seven inputs have the same problem"),
        Mutant("width-one", partial(as_stated, width=1), "and three inputs for width 1"),
        Mutant("one-more", partial(as_stated, even=even_value() + 1), "even more than G"),
        Mutant("one-layer", one_layer_as_stated, "the quadratic layer alone: 6, not 7, for n = 5"),
    ),
)


def degree_and_bound(
    low: Expr = ONE, far: Expr = ONE, gap: Expr = Integer(0), op: Operator = "<"
) -> Every:
    """G(n, D) < G(n, D') for D < D': even to odd, odd to even, odd to odd, even to even."""

    def odd(half: Expr) -> Expr:
        return 2 * choose(half, n)

    def even(half: Expr) -> Expr:
        return 2 * choose(half - 1, n) + choose(half, n - 1)

    from_odd: Domains = ((n, whole(1)), (h, whole(0)), (e, whole(0)))
    from_even: Domains = ((n, whole(1)), (h, whole(1)), (e, whole(0)))
    return Every(
        (
            Relation(low * even(h) + gap, op, far * odd(h + e), from_even),
            Relation(low * odd(h) + gap, op, far * even(h + e + 1), from_odd),
            Relation(low * odd(h) + gap, op, far * odd(h + e + 1), from_odd),
            Relation(low * even(h) + gap, op, far * even(h + e + 1), from_even),
        )
    )


PROXY_AGREES = Claim(
    id="separation.proxy-agrees",
    title="G(n, D) strictly increases in D: the degree as a proxy picks the same d",
    statement=degree_and_bound,
    source="seed 002, section 6.2, proxy measure",
    hypotheses=(
        "G as in separation.hadamard, for D = 2h or 2h + 1 against any larger D': four parts, one "
        "for each pair of parities; all numbers of inputs",
        "so of several (d, p) the one with the largest degree d^p has the largest G; where G is "
        "attained, the largest separation rank",
    ),
    derivation=derive_proxy,
    mutants=(
        Mutant("twice", partial(degree_and_bound, low=TWO), "one degree more does not double G"),
        Mutant("half", partial(degree_and_bound, far=ONE / 2), "nor is half of it enough"),
        Mutant("falls", partial(degree_and_bound, op=">"), "G rises"),
        Mutant("by-two", partial(degree_and_bound, gap=ONE), "for one input it rises by 1 only"),
    ),
)

CLAIMS = (HADAMARD_AS_STATED, HADAMARD, PROXY_AGREES)
