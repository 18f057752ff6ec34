"""Recorded runs of `numeric.attsvm` for the laws of training: no formula of a law is used here.

The data are fixed, seeds included: a trend is about these runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import exp, log2
from typing import TYPE_CHECKING, Any

from ....symbolic.attsvm.laws import SupportInstance
from ....symbolic.statements import Every
from ...claim import Settings
from ...kernel.evidence import Evidence
from .records import Place, Recorder, Values, exact, recorded

if TYPE_CHECKING:
    from ....numeric.attsvm import Problem
    from ....numeric.attsvm import Trajectory as Run

# W^mm is known to about 1e-12 and unit matrices differ by 3e-4 or more: exponents to about 1e-8.
ROUNDING = Fraction(1, 2**24)

# All constraints are support, the atoms are independent and the best scores differ.
INSTANCES = (
    SupportInstance(
        tokens=(((1, -1), (-1, 1)), ((-1, -2), (1, 1))),
        queries=((1, 0), (1, -1)),
        scores=((3, 2), (1, -1)),
    ),
    SupportInstance(
        tokens=(((0, 0, 0), (2, 2, -2), (1, 0, 2)), ((2, 0, 1), (2, 1, 0), (-2, 0, 1))),
        queries=((2, 1, 1), (0, 2, 0)),
        scores=((2, 0, -1), (4, 0, 2)),
    ),
    SupportInstance(
        tokens=(
            ((1, 0, 1), (-1, 0, 1)),
            ((-1, -2, -2), (-1, 0, 2)),
            ((0, 0, 2), (-2, 0, 0)),
        ),
        queries=((1, 1, 1), (0, 2, 2), (0, 2, -1)),
        scores=((3, 2), (1, -1), (0, -1)),
    ),
)
SEEDS, SHAPE = 20, (4, 3, 60)
RUNS, SELECTING = 100, (2, 5, 5)


def record(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """Every trend of the statement with what was recorded for it."""
    return recorded(statement.parts, settings, RECORDERS, ROUNDING)


@lru_cache(maxsize=8)
def _flow(number: int, marks: tuple[int, ...], device: str) -> Run:
    """Gradient flow in virtual time on one of the instances, from W = 0."""
    from ....numeric import attsvm as experiment

    given = INSTANCES[number]
    problem = experiment.Problem(given.tokens, given.queries, given.optimal, given.scores)
    aim = experiment.solve(problem).matrix
    return experiment.virtual_time(
        problem, marks[-1], times=marks, step=0.5, reference=aim, device=device
    )


def _doublings(first: int, quick: int, settings: Settings) -> tuple[int, ...]:
    """first, 2 first, ...: `quick` of them, two more in the full profile."""
    count = quick if settings.profile == "quick" else quick + 2
    return tuple(first << j for j in range(count))


def _misalignment(run: Run) -> list[float]:
    if run.misalignment is None:
        raise ValueError("reference: expected a run that was compared with one; got none.")
    return run.misalignment.tolist()


def residual(at: Place, settings: Settings) -> Values:
    """(1 - corr) |W|^2 at growing log times."""
    marks = _doublings(32, 4, settings)
    run = _flow(at["instance"], marks, settings.device)
    scaled = zip(_misalignment(run), run.norm.tolist(), strict=True)
    return exact(marks, [gap * norm**2 for gap, norm in scaled])


def scaled_gap(at: Place, settings: Settings) -> Values:
    """(1 - corr) log(t)^power at growing log times."""
    marks = _doublings(32, 4, settings)
    run = _flow(at["instance"], marks, settings.device)
    pairs = zip(marks, _misalignment(run), strict=True)
    return exact(marks, [gap * mark ** at["power"] for mark, gap in pairs])


def gap_exponent(at: Place, settings: Settings) -> Values:
    """How often 1 - corr halves while log time doubles."""
    return _halvings(at, settings, 1)


def distance_exponent(at: Place, settings: Settings) -> Values:
    """How often |W/|W| - W^mm/|W^mm|| = sqrt(2 (1 - corr)) halves while log time doubles."""
    return _halvings(at, settings, 0.5)


def _halvings(at: Place, settings: Settings, power: float) -> Values:
    marks = _doublings(32, 4, settings)
    gaps = _misalignment(_flow(at["instance"], marks, settings.device))
    return exact(marks[:-1], _exponents([gap**power for gap in gaps]))


def _exponents(falling: list[float]) -> list[float]:
    return [log2(one / two) for one, two in pairwise(falling)]


def unattended(at: Place, settings: Settings) -> Values:
    """t (1 - s_opt) of one sequence at growing log times."""
    marks = _doublings(8, 3, settings)
    run = _flow(at["instance"], marks, settings.device)
    logs = run.log_unattended[:, at["sequence"]].tolist()
    return exact(marks, [exp(mark + low) for mark, low in zip(marks, logs, strict=True)])


def norm_growth(at: Place, settings: Settings) -> Values:
    """|W|/log t at growing log times."""
    marks = _doublings(8, 3, settings)
    run = _flow(at["instance"], marks, settings.device)
    return exact(marks, [n / mark for mark, n in zip(marks, run.norm.tolist(), strict=True)])


def descent_unattended(at: Place, settings: Settings) -> Values:
    """eta k (1 - s_opt) of one sequence in gradient descent, eta = 1."""
    marks = (1250, 2500, 5000, 10_000) if settings.profile == "quick" else (2500, 10_000, 40_000)
    run = _descent(at["instance"], marks, settings.device)
    logs = run.log_unattended[:, at["sequence"]].tolist()
    return exact(marks, [mark * exp(low) for mark, low in zip(marks, logs, strict=True)])


@lru_cache(maxsize=8)
def _descent(number: int, marks: tuple[int, ...], device: str) -> Run:
    from ....numeric import attsvm as experiment

    given = INSTANCES[number]
    problem = experiment.Problem(given.tokens, given.queries, given.optimal, given.scores)
    return experiment.train(problem, steps=marks[-1], step_size=1.0, record=marks, device=device)


FAST = (200, 400, 800, 1600, 3200)
# (optimizer, its step size for atoms of length 1, decay).
RULES: tuple[tuple[str, float, float | None], ...] = (
    ("ngd", 1.0, 0.5),
    ("ngd", 1.0, 0.0),
    ("polyak", 1.0, None),
    ("gd", 1.0, None),
)
NGD_ROOT, NGD_CONSTANT, POLYAK, GD = range(4)
NEAR_ORTHOGONAL, EQUAL_SCORES_ONLY = 0, 1


@lru_cache(maxsize=8)
def _fast(rule: int, data: int, device: str) -> tuple[float, ...]:
    """The largest 1 - corr over the problems after FAST iterations."""
    from ....numeric import attsvm as experiment

    if data == NEAR_ORTHOGONAL:
        problems = [experiment.random_scored(*SHAPE, seed, equal=True) for seed in range(SEEDS)]
    else:
        problems = [experiment.equal_scores(4)]
    optimizer, size, decay = RULES[rule]
    # |x| |z| is about 60 in the random problems; the first step should move margins by about 1.
    size = size / SHAPE[2] if optimizer != "polyak" and data == NEAR_ORTHOGONAL else size
    aims = [experiment.solve(problem, exact=False).matrix for problem in problems]
    run = experiment.train(
        problems,
        optimizer=optimizer,  # type: ignore[arg-type]
        steps=FAST[-1],
        step_size=size,
        decay=decay,
        record=FAST,
        reference=_stack(aims),
        device=device,
    )
    return tuple(max(row) for row in _misalignment(run))  # type: ignore[arg-type]


def _stack(matrices: list[Any]) -> Any:
    import numpy as np

    return np.stack(matrices)


def largest_gap(at: Place, settings: Settings) -> Values:
    """The largest 1 - corr over the problems after k iterations."""
    return exact(FAST, list(_fast(at["rule"], at["data"], settings.device)))


def largest_gap_exponent(at: Place, settings: Settings) -> Values:
    """How often it halves from k to 2k iterations."""
    gaps = list(_fast(at["rule"], at["data"], settings.device))
    return exact(FAST[:-1], _exponents(gaps))


FINAL, OPTIMAL, EARLY = range(3)
LOG_TIMES = (1, 8, 16, 32, 64, 128)


@lru_cache(maxsize=2)
def _selected(device: str) -> tuple[Run, tuple[Problem, ...]]:
    """Gradient flow on random problems from W = 0, and the problems."""
    from ....numeric import attsvm as experiment

    problems = tuple(experiment.random_scored(*SELECTING, seed) for seed in range(RUNS))
    run = experiment.virtual_time(problems, LOG_TIMES[-1], times=LOG_TIMES, step=0.5, device=device)
    return run, problems


@lru_cache(maxsize=8)
def _aims(target: int, device: str) -> tuple[Any, ...]:
    """W^mm of the tokens aimed at in each problem; None where these cannot be separated."""
    from ....numeric import attsvm as experiment

    run, problems = _selected(device)
    found = []
    for number, problem in enumerate(problems):
        tokens = {
            FINAL: run.selected[-1, number].tolist(),
            OPTIMAL: problem.optimal,
            EARLY: run.selected[0, number].tolist(),
        }[target]
        try:
            found.append(experiment.solve(problem.selecting(tokens), exact=False).matrix)
        except experiment.Infeasible:
            found.append(None)
    return tuple(found)


def _settled(device: str) -> list[list[bool]]:
    """For each recorded log time from 16 on, which runs select at half of it what they do in the
    end, and can be solved for that."""
    run, _ = _selected(device)
    final = (run.selected == run.selected[-1]).all(-1)
    aims = _aims(FINAL, device)
    return [
        [same and aim is not None for same, aim in zip(row, aims, strict=True)]
        for row in final[1:-1].tolist()
    ]


def selected_gap(at: Place, settings: Settings) -> Values:
    """The largest 1 - corr with W^mm of the target tokens, over all settled runs that have one."""
    import torch

    from ....numeric import attsvm as experiment

    run, _ = _selected(settings.device)
    aims = _aims(at["target"], settings.device)
    worst = []
    for row, settled in enumerate(_settled(settings.device), 2):
        kept = [j for j, aim in enumerate(aims) if aim is not None and settled[j]]
        reference = torch.as_tensor(_stack([aims[j] for j in kept])).to(run.matrices)
        worst.append(float(experiment.misalignment(run.matrices[row, kept], reference).amax()))
    return exact(LOG_TIMES[2:], worst)


def unsettled(at: Place, settings: Settings) -> Values:
    """How many runs select at half the log time other tokens than in the end, or cannot be solved
    for those."""
    counts = [float(row.count(False)) for row in _settled(settings.device)]
    return exact(LOG_TIMES[2:], counts)


RECORDERS: Mapping[str, Recorder] = {
    "residual": residual,
    "scaled-gap": scaled_gap,
    "gap-exponent": gap_exponent,
    "distance-exponent": distance_exponent,
    "unattended": unattended,
    "norm-growth": norm_growth,
    "descent-unattended": descent_unattended,
    "largest-gap": largest_gap,
    "largest-gap-exponent": largest_gap_exponent,
    "selected-gap": selected_gap,
    "unsettled": unsettled,
}
