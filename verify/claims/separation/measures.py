"""How often sums of k monomials have the full rank k, with exponents drawn at random."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from sympy import Add, IndexedBase, Integer, Mul, Rational

from ....symbolic.statements import Every, Mean, Relation
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Enumeration, Evidence, Part, SampleBatch, SequentialTest
from .families import SEED

if TYPE_CHECKING:
    import numpy as np

    from ....numeric.acceptance import Batch

Size = tuple[int, int, int, int]
alpha = IndexedBase("alpha")
# Monomials k, largest exponent K, variables of the sides.
ENUMERATED = ((1, 3, 1, 2), (2, 2, 1, 1), (2, 3, 1, 1), (3, 2, 1, 1), (3, 3, 1, 1), (2, 2, 1, 2),
              (2, 2, 2, 2), (2, 3, 2, 1), (3, 2, 2, 1))  # fmt: skip
SAMPLED = ((5, 4, 2, 3), (6, 12, 1, 2))


def full_rank(size: Size) -> Relation:
    """The A-parts of all monomials differ, and the B-parts: a sum of squares for each pair."""
    count, _, left, right = size
    sides = range(left), range(left, left + right)
    squares = (
        Add(*((alpha[one, place] - alpha[two, place]) ** 2 for place in side))
        for one, two in combinations(range(count), 2)
        for side in sides
    )
    return Relation(Mul(*squares), "!=", Integer(0))


def probability(size: Size, both: bool = True, first: int = 0, powers: bool = True) -> Rational:
    """prod over i < k of (1 - i/K^|A|)(1 - i/K^|B|); mutants: no B, i from 1 to k, K for K^|A|."""
    count, most, *sides = size
    numbers = [Integer(most) ** (side if powers else 1) for side in sides]
    steps = range(first, first + count)
    found = Mul(*(1 - Integer(i) / n for n in (numbers if both else numbers[:1]) for i in steps))
    return Rational(found)


def measure(
    sizes: tuple[Size, ...], both: bool = True, first: int = 0, powers: bool = True
) -> Every:
    """P(sep = k) for each size, with what a simulation of it needs."""
    return Every(tuple(_mean(size, probability(size, both, first, powers)) for size in sizes))


def _mean(size: Size, value: Rational) -> Mean:
    names = ("monomials", "exponents", "left", "right")
    place = tuple((name, Integer(number)) for name, number in zip(names, size, strict=True))
    laws = ((alpha, f"1..{size[1]}"),)
    bounds = Rational(1, 4), Rational(1, 25)
    return Mean(full_rank(size), laws, value, "full-rank", place, *bounds)


def enumerate_measure(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """All choices of exponents that matter: those of one monomial alone never do."""
    found: list[Evidence] = []
    for number, part in enumerate(statement.parts):
        if isinstance(part, Mean):
            count, most, left, right = (int(value) for _, value in part.parameters)
            cases = most ** (count * (left + right)) if count > 1 else 1
            found.append(Part(number, Enumeration(cases)))
    return tuple(found)


MEASURE = partial(measure, ENUMERATED)
FAMILY_F_MEASURE = Claim(
    id="separation.family-f-measure",
    title="P(A-parts and B-parts distinct) = prod over i < k of (1 - i/K^|A|)(1 - i/K^|B|), by all "
    "cases of small sizes",
    statement=MEASURE,
    source=f"{SEED}: what is their measure",
    expected="certified",
    hypotheses=(
        "alpha[l, i] are the exponents of monomial l, independent and uniform on 1, ..., K; all "
        "coefficients differ from 0, so sep = k where A-parts and B-parts are pairwise distinct",
        f"certified for (k, K, |A|, |B|) in {', '.join(map(str, ENUMERATED))}; that A-parts are "
        "uniform on K^|A| values and pairwise distinct as birthdays are, for all sizes, is a "
        "count which the reader makes",
    ),
    certificate=enumerate_measure,
    mutants=(
        Mutant("without-b", partial(MEASURE, both=False), "the B-parts may coincide too"),
        Mutant("from-1", partial(MEASURE, first=1), "i from 1 to k"),
        Mutant("exponents-only", partial(MEASURE, powers=False), "K in the place of K^|A|"),
    ),
)


def draw_full_rank(size: Size, seed: int, index: int, count: int) -> np.ndarray:
    """1 where a random sum of monomials has rank k, from its matrix of coefficients."""
    import numpy as np

    from ....numeric.sampling import numpy_generator
    from ....symbolic.separation import separation_rank

    number, most, left, right = size
    source = numpy_generator(seed, index)
    exponents = source.integers(1, most + 1, (count, number, left + right)).tolist()
    coefficients = source.integers(1, 1000, (count, number)).tolist()
    sides = range(left), range(left, left + right)
    full = np.zeros(count)
    for place, (powers, values) in enumerate(zip(exponents, coefficients, strict=True)):
        terms: dict[tuple[int, ...], int] = {}
        for key, value in zip(map(tuple, powers), values, strict=True):
            terms[key] = terms.get(key, 0) + value
        full[place] = separation_rank(terms, *sides) == number
    return full


def sample_measure(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """A sequential test of each part; together they err with the probability of the settings."""
    from ....numeric.acceptance import MeanTest, run_mean_test

    found: list[Evidence] = []
    for number, part in enumerate(statement.parts):
        if not isinstance(part, Mean) or part.variance is None or part.resolution is None:
            continue
        count, most, left, right = (int(value) for _, value in part.parameters)
        numbers = (part.value, part.resolution, part.variance)
        value, resolution, variance = (Fraction(int(n.p), int(n.q)) for n in numbers)
        test = MeanTest(value, resolution, variance, settings.alpha / len(statement.parts))
        run = run_mean_test(
            partial(draw_full_rank, (count, most, left, right)), test,
            seed=settings.seed, batch_size=1024, max_batches=64,
        )  # fmt: skip
        batches = tuple(map(_recorded, run.batches))
        sequential = SequentialTest(
            part.observable, part.parameters, test.value, test.tolerance, test.alpha, test.lam,
            run.seed, run.batch_size, batches,
        )  # fmt: skip
        found.append(Part(number, sequential))
    return tuple(found)


def _recorded(batch: Batch) -> SampleBatch:
    first, second, third, fourth = map(Fraction, batch.sums)
    return SampleBatch(batch.index, batch.count, (first, second, third, fourth))


SAMPLES = partial(measure, SAMPLED)
FAMILY_F_SAMPLED = Claim(
    id="separation.family-f-sampled",
    title="P(sep = k) by exact ranks of random sums of monomials, where cases are too many",
    statement=SAMPLES,
    source=f"{SEED}: what is their measure",
    expected="confirmed",
    hypotheses=(
        f"(k, K, |A|, |B|) in {', '.join(map(str, SAMPLED))}; coefficients uniform on 1, ..., 999",
        "sampled is whether the rank of the matrix of coefficients is k, not whether parts differ; "
        "the test tells probabilities apart that differ by 1/25",
    ),
    experiment=sample_measure,
    mutants=(
        Mutant("without-b", partial(SAMPLES, both=False), "the B-parts may coincide too"),
        Mutant("from-1", partial(SAMPLES, first=1), "i from 1 to k"),
        Mutant("exponents-only", partial(SAMPLES, powers=False), "K in the place of K^|A|"),
    ),
)

CLAIMS = (FAMILY_F_MEASURE, FAMILY_F_SAMPLED)
