"""The degree experiment: does degree 3 learn the hard target best, at equal numbers of parameters?

The rate of each degree is tuned on seeds of its own; then degree 3 meets each other degree on the
evaluation seeds, one by one. The protocol, its test and its levels: docs/separation.md.

Source: seed 002, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from ..errors import NumericError
from .arguments import whole
from .training import (
    Progress,
    Rates,
    TrainingReport,
    check_seeds,
    check_training,
    train_networks,
)

if TYPE_CHECKING:
    import torch

Outcome = Literal["confirmed", "refuted", "inconclusive"]

FAVOURITE = 3
# Errors up to this one tie: the task is solved, and what remains says nothing of the degree.
SOLVED = 0.01


@dataclass(frozen=True)
class Protocol:
    """All that an experiment depends on, fixed before it runs.

    Degree 3 must win, or lose, `decisive` of the evaluation seeds against another degree.
    """

    bits: int
    width: int
    steps: int
    rates: tuple[float, ...]
    tuning_seeds: tuple[int, ...]
    evaluation_seeds: tuple[int, ...]
    degrees: tuple[int, ...] = (2, 3, 4, 6)
    decisive: int = 9

    def __post_init__(self) -> None:
        sizes = (self.bits, self.width, self.steps)
        check_seeds("tuning_seeds", self.tuning_seeds)
        check_training(self.degrees, *sizes, self.tuning_seeds, self.rates)
        seeds = check_seeds("evaluation_seeds", self.evaluation_seeds)
        shared = sorted(set(self.tuning_seeds) & set(seeds))
        if shared:
            raise NumericError(
                f"evaluation_seeds: expected none of the tuning seeds; got {shared} in both. "
                "Tune on other seeds."
            )
        if FAVOURITE not in self.degrees or len(self.degrees) < 2:
            raise NumericError(
                f"degrees: expected {FAVOURITE} and at least one other; got {self.degrees!r}. "
                f"Pass, e.g., degrees=(2, {FAVOURITE})."
            )
        whole("decisive", self.decisive, len(seeds) // 2 + 1)
        if self.decisive > len(seeds):
            raise NumericError(
                f"decisive: expected at most {len(seeds)}, the number of evaluation seeds; got "
                f"{self.decisive}. Add seeds or lower it."
            )

    @property
    def rivals(self) -> tuple[int, ...]:
        """The degrees that degree 3 is compared with."""
        return tuple(degree for degree in self.degrees if degree != FAVOURITE)

    @property
    def level(self) -> Fraction:
        """The most that a win against one rival can have as probability, if there is no advantage.

        For `refuted` multiply by the number of rivals.
        """
        seeds = len(self.evaluation_seeds)
        ways = sum(math.comb(seeds, wins) for wins in range(self.decisive, seeds + 1))
        return Fraction(ways, 2**seeds)


QUICK = Protocol(
    bits=3,
    width=4,
    steps=1000,
    rates=(0.003, 0.01, 0.03, 0.1),
    tuning_seeds=tuple(range(100, 103)),
    evaluation_seeds=tuple(range(10)),
)
FULL = Protocol(
    bits=5,
    width=8,
    steps=4000,
    rates=(0.0003, 0.001, 0.003, 0.01, 0.03, 0.1),
    tuning_seeds=tuple(range(100, 105)),
    evaluation_seeds=tuple(range(10)),
)


@dataclass(frozen=True)
class DegreeExperiment:
    """What an experiment found; everything is counted from its runs."""

    protocol: Protocol
    tuning: TrainingReport = field(repr=False)
    evaluation: TrainingReport = field(repr=False)

    @property
    def rates(self) -> dict[int, float]:
        """The tuned rate of each degree."""
        return {degree: self.tuning.best_rate(degree) for degree in self.protocol.degrees}

    def errors(self, degree: int) -> tuple[float, ...]:
        """The final errors of one degree, in the order of the evaluation seeds."""
        return tuple(run.error for run in self.evaluation.of(degree))

    def wins(self, rival: int) -> int:
        """On how many seeds degree 3 has the smaller error; solved tasks tie."""
        return sum(ours < theirs for ours, theirs in self._pairs(rival))

    def losses(self, rival: int) -> int:
        """On how many seeds degree 3 has the larger error."""
        return sum(ours > theirs for ours, theirs in self._pairs(rival))

    @property
    def outcome(self) -> Outcome:
        """The verdict on `degree 3 wins`, by the test of the protocol."""
        rivals, decisive = self.protocol.rivals, self.protocol.decisive
        if all(self.wins(rival) >= decisive for rival in rivals):
            return "confirmed"
        if any(self.losses(rival) >= decisive for rival in rivals):
            return "refuted"
        return "inconclusive"

    def _pairs(self, rival: int) -> Iterator[tuple[float, float]]:
        pairs = zip(self.errors(FAVOURITE), self.errors(rival), strict=True)
        return ((max(ours, SOLVED), max(theirs, SOLVED)) for ours, theirs in pairs)


def degree_experiment(
    protocol: Protocol,
    *,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> DegreeExperiment:
    """Tune the rate of each degree, then train the evaluation seeds with it.

    `progress(done, total)` is called now and then, in steps of single runs. With an executor
    batches of runs are trained side by side, with the same result.
    """
    tuned = len(protocol.degrees) * len(protocol.rates) * len(protocol.tuning_seeds)
    evaluated = len(protocol.degrees) * len(protocol.evaluation_seeds)
    total = protocol.steps * (tuned + evaluated)

    def train(seeds: tuple[int, ...], rates: Rates, before: int) -> TrainingReport:
        def note(done: int, _: int) -> None:
            if progress is not None:
                progress(before + done, total)

        return train_networks(
            protocol.degrees,
            bits=protocol.bits,
            width=protocol.width,
            steps=protocol.steps,
            seeds=seeds,
            rates=rates,
            device=device,
            dtype=dtype,
            progress=note,
            executor=executor,
        )

    tuning = train(protocol.tuning_seeds, protocol.rates, 0)
    best = {degree: tuning.best_rate(degree) for degree in protocol.degrees}
    evaluation = train(protocol.evaluation_seeds, best, protocol.steps * tuned)
    return DegreeExperiment(protocol, tuning, evaluation)
