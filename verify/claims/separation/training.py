"""Which degree learns the hard target best: the degree experiment, as a statement about its runs.

A trend runs over the number n of evaluation seeds looked at. That degree d wins at least 9 of the
ten seeds against a rival says the same as: of the first n seeds it leaves a share of at most 1/n,
for n = 1 to 10. In the same way `at most 8 wins` is a share of at most 8/n.

The protocol, its test and its results: docs/separation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sympy import Expr, Integer, Symbol, symbols

from ....symbolic.statements import Every, Trend
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Evidence, Part, Trajectory

if TYPE_CHECKING:
    from ....numeric.separation import DegreeExperiment

SEED = "seed 002, section 3"
DEGREES = (2, 3, 4, 6)
SEEDS, DECISIVE = 10, 9
WON, NOT_WON = "share-won", "share-not-won"
n: Symbol = symbols("n")


class Size(NamedTuple):
    """The networks and their training; the rest stands in the protocol."""

    bits: int
    width: int
    steps: int


SMALL, LARGE = Size(3, 4, 1000), Size(5, 8, 4000)
Pair = tuple[int, int]


def trend(observable: str, size: Size, pair: Pair, most: int) -> Trend:
    """Of the first n seeds at most `most` are (not) won by the first degree of the pair."""
    names = {**size._asdict(), "seeds": SEEDS, "degree": pair[0], "rival": pair[1]}
    where: tuple[tuple[str, Expr], ...] = tuple((k, Integer(v)) for k, v in names.items())
    return Trend(observable, where, Integer(0), most / n, n)


def against(degree: int) -> tuple[Pair, ...]:
    """The degree with each of the others."""
    return tuple((degree, rival) for rival in DEGREES if rival != degree)


def wins(pairs: Sequence[Pair] = against(3), least: int = DECISIVE) -> Every:
    """The first degree of each pair wins at least `least` of ten seeds, at both sizes."""
    return Every(
        tuple(
            trend(NOT_WON, size, pair, SEEDS - least) for size in (SMALL, LARGE) for pair in pairs
        )
    )


def record(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The shares that were recorded; the large networks are trained in the full profile only."""
    found = []
    for index, part in enumerate(statement.parts):
        if not isinstance(part, Trend):
            continue
        asked = {name: int(value) for name, value in part.parameters}
        size = Size(*(asked[name] for name in Size._fields))
        if size == SMALL or settings.profile == "full":
            won = seeds_won(size, asked["degree"], asked["rival"], settings.device)
            counted = [one is (part.observable == WON) for one in won]
            shares = enumerate(accumulate(map(int, counted)), 1)
            values = tuple((seen, Fraction(count, seen)) for seen, count in shares)
            run = Trajectory(part.observable, part.parameters, Fraction(0), values)
            found.append(Part(index, run))
    return tuple(found)


def seeds_won(size: Size, degree: int, rival: int, device: str) -> list[bool]:
    """For each evaluation seed, whether `degree` has the smaller error; solved tasks tie."""
    from ....numeric.separation.experiment import SOLVED

    found = trained(size, device)
    pairs = zip(found.errors(degree), found.errors(rival), strict=True)
    return [max(ours, SOLVED) < max(theirs, SOLVED) for ours, theirs in pairs]


@cache
def trained(size: Size, device: str) -> DegreeExperiment:
    """The experiment at one size, once a process."""
    from ....numeric.separation import FULL, QUICK, degree_experiment

    sizes = {Size(p.bits, p.width, p.steps): p for p in (QUICK, FULL)}
    return degree_experiment(sizes[size], device=device)


RUNS = (
    "networks T_d, d = 2, 3, 4, 6, of twelve matrices in 12/d layers, with equally many parameters "
    "and equal starts; target (-1)^<a,b> on all inputs; error: mean of (y - target)^2 after the "
    "last step; the rate of each degree is tuned on other seeds",
    "a degree wins a seed where its error is strictly smaller; errors of at most 0.01 tie",
)
ROUNDING = (
    "about the runs with seeds 0 to 9 in float64: another processor may round differently, and "
    "training magnifies that; single wins may change"
)

TRAINING = Claim(
    id="separation.training",
    title="at equal numbers of parameters degree 3 learns the hard target best: it wins at least 9 "
    "of 10 seeds against each of the degrees 2, 4 and 6",
    statement=wins,
    source=f"{SEED}: degree 3 has the most separation rank for its parameters, so it should learn "
    "targets of high rank best",
    expected="refuted",
    hypotheses=(
        *RUNS,
        "3 bits a side, width 4, 224 parameters, 1000 steps, and 5 bits, width 8, 864 parameters, "
        "4000 steps; share-not-won is that of the first n seeds, so that at most 1/n for n = 1 to "
        "10 says 9 wins of 10; the quick profile trains the small networks, the full profile both",
        "refuted are these runs: small, 4, 2 and 2 wins against 2, 4 and 6; large, 1, 5 and 3. For "
        "other seeds the test that was fixed before the first run is inconclusive at both sizes: "
        "degree 3 neither wins nor loses 9 of 10 against any degree",
        ROUNDING,
    ),
    experiment=record,
    corrected_by="separation.training-outcome",
    mutants=(
        Mutant("degree-2", partial(wins, against(2)), "degree 2 wins 3, 1 and 1 of the small runs"),
        Mutant("degree-4", partial(wins, against(4)), "degree 4 wins 6, 3 and 3 of the small runs"),
        Mutant("degree-6", partial(wins, against(6)), "degree 6 wins 5, 3 and 1 of the small runs"),
        Mutant(
            "degree-3-loses",
            partial(wins, tuple((rival, 3) for _, rival in against(3))),
            "it loses 3 of the small runs against each",
        ),
        Mutant("most-seeds", partial(wins, least=6), "nor does it win 6 of 10"),
    ),
)


def undecided(most: int = DECISIVE - 1) -> Every:
    """No degree wins more than `most` of ten seeds against any other, at the small size."""
    pairs = (pair for degree in DEGREES for pair in against(degree))
    return Every(tuple(trend(WON, SMALL, pair, most) for pair in pairs))


def decided(pair: Pair) -> Every:
    """One degree wins at least 9 of ten seeds against another, at the small size."""
    return Every((trend(NOT_WON, SMALL, pair, SEEDS - DECISIVE),))


OUTCOME = Claim(
    id="separation.training-outcome",
    title="training small networks on the hard target ranks no degree: none of 2, 3, 4, 6 wins 9 "
    "of 10 seeds against another",
    statement=undecided,
    source=f"{SEED}, corrected",
    expected="confirmed",
    hypotheses=(
        *RUNS,
        "3 bits a side, width 4, 224 parameters, 1000 steps; share-won is that of the first n "
        "seeds, so that at most 8/n for n = 1 to 10 says at most 8 wins of 10; the most that any "
        "degree has against another is 6",
        "26 of these 40 runs solve the task, and ties are no wins. In the large runs of "
        "separation.training degree 2 wins 8 of 10 against degree 3, one short of a decision",
        ROUNDING,
    ),
    experiment=record,
    corrects="separation.training",
    mutants=(
        Mutant("at-most-1", partial(undecided, 1), "degree 4 wins 6 against degree 2"),
        Mutant("at-most-3", partial(undecided, 3), "degree 3 wins 4 against degree 2"),
        Mutant("3-beats-2", partial(decided, (3, 2)), "degree 3 wins 4 against degree 2"),
        Mutant("4-beats-2", partial(decided, (4, 2)), "degree 4 wins 6 against degree 2"),
        Mutant("6-beats-4", partial(decided, (6, 4)), "degree 6 wins 1 against degree 4"),
    ),
)

CLAIMS = (TRAINING, OUTCOME)
