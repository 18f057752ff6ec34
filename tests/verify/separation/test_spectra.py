"""Claims about epsilon-ranks: their derivation, and the exact spectra of `numeric`."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from sympy import Integer, Poly, Rational

from lemmata.numeric.separation import (
    epsilon_rank,
    hadamard_rank,
    hard_target,
    network_epsilon_rank,
    random_hadamard,
)
from lemmata.symbolic.separation.flatness import derive_flat_spectrum
from lemmata.symbolic.statements import REALS
from lemmata.verify.claims.separation import spectra
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Multipliers, Part, Spectrum


@pytest.mark.parametrize("case", spectra.CASES, ids=lambda case: str(case.polynomial))
def test_stated_ranks_are_those_of_the_exact_spectrum(case) -> None:
    terms = Poly(case.polynomial, *case.left, *case.right).terms()
    polynomial = {tuple(map(int, powers)): Fraction(int(c.p), int(c.q)) for powers, c in terms}
    split = len(case.left)
    sides = tuple(range(split)), tuple(range(split, split + len(case.right)))
    law, bounds = case.law, None
    if case.domain == spectra.BIT:
        law = "bits"
    elif case.domain != REALS:
        bounds = (int(case.domain.low), int(case.domain.high))
    for number, value in case.ranks:
        wanted = Fraction(int(number.p), int(number.q))
        assert epsilon_rank(polynomial, *sides, wanted, law=law, bounds=bounds) == value


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_the_hard_target_is_flat(bits: int) -> None:
    sides = tuple(range(bits)), tuple(range(bits, 2 * bits))
    for number in spectra.EPSILONS:
        wanted = Fraction(int(number.p), int(number.q))
        found = epsilon_rank(hard_target(bits), *sides, wanted, law="bits")
        assert found == spectra.flat(number, 2**bits)


def test_digits_stand_for_two_bits() -> None:
    function = spectra.hard_target_in_digits(1)
    ((left, _),), ((right, _),) = function.left, function.right
    for i, j in product(range(4), repeat=2):
        value = function.expression.subs({left: i, right: j})
        assert value == (-1) ** ((i & 1) * (j & 1) + (i >> 1) * (j >> 1))


def test_random_networks_have_high_rank_and_low_epsilon_rank() -> None:
    """d = 6, depth 2: seeded figures of the hypotheses."""
    for seed, value in ((0, 17), (1, 8)):
        network = random_hadamard(2, 6, 2, 2, seed=seed)
        assert hadamard_rank(2, 6, 2, 2, seed=seed).rank == 361
        assert network_epsilon_rank(network, Fraction(1, 10**6)) == value


def test_other_evidence_and_a_bad_precision_are_inconclusive() -> None:
    stated = spectra.epsilon_ranks()
    for item in (Spectrum(0), Spectrum(10**6), Multipliers((Fraction(1),))):
        found = tuple(Part(place, item) for place, _ in enumerate(stated.parts))
        assert check("forged", stated, found).outcome == "inconclusive"


def test_a_changed_conclusion_does_not_follow() -> None:
    found = derive_flat_spectrum()
    last = found.lines[-1]
    for place, part in enumerate(last.statement.parts):
        more = Integer(1) if part.op in ("=", ">=") else -Rational(1, 2)
        parts = list(last.statement.parts)
        parts[place] = replace(part, rhs=part.rhs + more)
        changed = replace(last.statement, parts=tuple(parts))
        lines = [
            replace(line, statement=parts[place]) if line.statement == part else line
            for line in found.lines[:-1]
        ]
        forged = replace(found, lines=(*lines, replace(last, statement=changed)))
        assert check("changed", changed, (forged,)).outcome == "inconclusive", part
