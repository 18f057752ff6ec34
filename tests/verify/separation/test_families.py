"""Claims about sums of few monomials: verdicts, mutants, second ways to the numbers, forgeries."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod
from random import Random

import numpy as np
import pytest
from sympy import Integer, Rational, symbols

from lemmata.symbolic.separation import family_f_probability, matching_bound, separation_rank
from lemmata.symbolic.statements import Every, Relation
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import families, measures, polynomials
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Enumeration, Instance, Part, SampleBatch
from lemmata.verify.record import decode, encode
from lemmata.verify.worker import error_probability

CLAIMS = (*families.CLAIMS, *measures.CLAIMS)
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


def evidence(claim, statement, seed: int = 0):
    producers = (claim.certificate, claim.experiment)
    settings = Settings(seed=seed, device="cpu")
    return tuple(item for make in producers if make for item in make(statement, settings))


def variables(side) -> tuple:
    return tuple(name for name, _ in side)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict_is_the_expected_one_also_from_a_record(claim, seed: int) -> None:
    items = evidence(claim, claim.statement, seed)
    read = tuple(decode(encode(item)) for item in items)
    assert read == items
    verdict = check(claim.id, decode(encode(claim.statement)), read)
    assert verdict.outcome == claim.expected, verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}
    assert len(claim.mutants) >= 3


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "name", ""))
def test_mutants_are_refuted(claim, mutant, seed: int) -> None:
    verdict = check(claim.id, mutant.statement, evidence(claim, mutant.statement, seed))
    assert verdict.outcome == "refuted", verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_less_evidence_says_less(claim) -> None:
    items = evidence(claim, claim.statement)
    assert len(items) == len(claim.statement.parts)
    assert check(claim.id, claim.statement, items[1:]).outcome == "inconclusive"


def test_special_polynomials_have_the_ranks_and_matchings_listed() -> None:
    below = 0
    for expression, left, right, rank, most in families.SPECIAL:
        assert separation_rank(expression, left, right) == rank
        assert matching_bound(expression, left, right) == most
        below += rank < most
    assert below == 5


def test_patterns_are_what_they_are_said_to_be() -> None:
    for pattern in families.DISTINCT:
        assert all(len(set(parts)) == len(parts) for parts in pattern)
    assert {len(pattern[0]) for pattern in families.DISTINCT} == {1, 2, 3, 4}
    for pattern, most in families.COINCIDING:
        assert families.matching(pattern) == most < len(pattern[0])
        assert len(set(zip(*pattern, strict=True))) == len(pattern[0])


@pytest.mark.parametrize("number", range(len(families.COINCIDING)))
def test_generic_coefficients_attain_the_matching(number: int) -> None:
    pattern, most = families.COINCIDING[number]
    source = Random(number)
    values = tuple(Integer(source.randint(1, 10**6)) for _ in pattern[0])
    function = families.polynomial(pattern, values)
    sides = variables(function.left), variables(function.right)
    assert separation_rank(function.expression, *sides) == most
    assert polynomials.rank(function) == most


def test_random_cases_are_of_all_kinds() -> None:
    """Full ranks, coinciding parts, parts that cannot be matched; all as a second way finds."""
    full = unmatched = 0
    for number in range(families.RANDOM):
        pattern, values = families.random_case(number)
        function = families.polynomial(pattern, values)
        rank = separation_rank(
            function.expression, variables(function.left), variables(function.right)
        )
        assert rank == families.matching(pattern) == polynomials.rank(function)
        full += rank == len(pattern[0])
        unmatched += rank < families.fewer(pattern)
    assert 20 < full < families.RANDOM / 2
    assert unmatched >= 3


def test_instances_keep_to_the_hypotheses() -> None:
    """A statement that only fails at coefficients 0 is refuted only where these are allowed."""
    pattern = families.DISTINCT[2]
    source = Random(0)
    allowed = families.with_parameters(pattern, "=", 2, ())
    found = polynomials.certify(Every((allowed,)), Settings())[0].evidence
    assert isinstance(found, Instance)
    assert Integer(0) in dict(found.point).values()
    excluded = families.with_parameters(pattern, "=", 2)
    assert check("forged", excluded, (found,)).outcome == "inconclusive"
    made = polynomials.certificate(excluded, source)
    assert check("true", excluded, (made,)).outcome == "certified"
    assert check("all", allowed, (made,)).outcome == "inconclusive"


def test_changed_certificates_show_nothing() -> None:
    a1 = symbols("a1")
    statement = families.with_parameters(families.DISTINCT[4], "=", 3)
    made = polynomials.certificate(statement, Random(0))
    assert made.factors is not None
    (g, h), *rest = made.factors
    forged = (
        replace(made, left=(made.left[0], made.left[0], made.left[2])),
        replace(made, left=made.left[:2], right=made.right[:2]),
        replace(made, factors=None),
        replace(made, factors=tuple(rest)),
        replace(made, factors=((g, 2 * h), *rest)),
        replace(made, factors=((g / a1, a1**2 * h), *rest)),
    )
    for item in forged:
        assert check("forged", statement, (item,)).outcome == "inconclusive"
    moved = replace(made, factors=((g / a1, a1 * h), *rest))
    assert check("moved", statement, (moved,)).outcome == "certified"


@pytest.mark.parametrize("size", [*measures.ENUMERATED, *measures.SAMPLED])
def test_probabilities_agree_with_the_symbolic_ones(size) -> None:
    assert measures.probability(size) == family_f_probability(*size)


def test_sizes_tell_the_mutants_apart() -> None:
    for size in measures.SAMPLED:
        true = measures.probability(size)
        assert abs(measures.probability(size, first=1) - true) > Rational(1, 25)
    rivals = [measures.probability(measures.SAMPLED[0], both=False),
              measures.probability(measures.SAMPLED[0], powers=False)]  # fmt: skip
    true = measures.probability(measures.SAMPLED[0])
    assert all(abs(rival - true) > Rational(1, 25) for rival in rivals)


def test_the_event_is_full_rank() -> None:
    """Pairwise distinct parts, by the sums of squares, against the exact rank."""
    count, most, left, right = size = (3, 2, 2, 1)
    event = measures.full_rank(size)
    source = np.random.default_rng(0)
    seen = set()
    for _ in range(60):
        exponents = source.integers(1, most + 1, (count, left + right))
        point = {
            measures.alpha[row, place]: Integer(int(exponents[row, place]))
            for row in range(count)
            for place in range(left + right)
        }
        terms: dict[tuple[int, ...], int] = {}
        for number, row in enumerate(exponents.tolist(), 1):
            terms[tuple(row)] = terms.get(tuple(row), 0) + number
        full = separation_rank(terms, range(left), range(left, left + right)) == count
        assert (event.lhs.subs(point) != 0) == full
        seen.add(full)
    assert seen == {False}  # three B-parts from two exponents cannot differ
    wide = measures.full_rank((2, 2, 1, 1))
    assert wide == Relation(wide.lhs, "!=", Integer(0))
    pairs = {(a, b): wide.lhs.subs({measures.alpha[0, 0]: a, measures.alpha[1, 0]: b,
                                    measures.alpha[0, 1]: 1, measures.alpha[1, 1]: 2})
             for a in (1, 2) for b in (1, 2)}  # fmt: skip
    assert {pair for pair, value in pairs.items() if value != 0} == {(1, 2), (2, 1)}


def test_samples_are_seeded_and_have_the_mean() -> None:
    size = measures.SAMPLED[0]
    one = measures.draw_full_rank(size, 3, 5, 512)
    assert np.array_equal(one, measures.draw_full_rank(size, 3, 5, 512))
    assert not np.array_equal(one, measures.draw_full_rank(size, 3, 6, 512))
    assert set(one) == {0.0, 1.0}
    true = float(measures.probability(size))
    assert abs(one.mean() - true) < 6 * np.sqrt(true * (1 - true) / 512)


def test_sampling_spends_no_more_than_its_share() -> None:
    claim = measures.FAMILY_F_SAMPLED
    settings = Settings(seed=2, device="cpu", alpha=Fraction(1, 10**4))
    assert claim.experiment is not None
    items = claim.experiment(claim.statement, settings)
    assert error_probability(items) == settings.alpha
    assert check(claim.id, claim.statement, items).outcome == "confirmed"


def test_forged_counts_and_sums_show_nothing() -> None:
    counted = measures.FAMILY_F_MEASURE.statement
    cases = prod((3,) * 4)
    assert check("true", counted.parts[2], (Enumeration(cases),)).outcome == "certified"
    assert check("forged", counted.parts[2], (Enumeration(cases + 1),)).outcome == "inconclusive"
    sampled = measures.FAMILY_F_SAMPLED
    items = evidence(sampled, sampled.statement)
    test = items[0].evidence
    first: SampleBatch = test.batches[0]
    doubled = replace(first, sums=tuple(2 * value for value in first.sums))
    for changed in (
        replace(test, batches=test.batches[1:]),
        replace(test, batches=(replace(first, sums=(Fraction(99),) * 4), *test.batches[1:])),
        replace(test, batches=(doubled,)),
        replace(test, parameters=(("monomials", Integer(4)), *test.parameters[1:])),
        replace(test, value=test.value + Fraction(1, 10)),
    ):
        forged = (Part(0, changed), *items[1:])
        assert check("forged", sampled.statement, forged).outcome == "inconclusive"
