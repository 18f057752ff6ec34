"""Networks of several degrees trained on the hard target, at equal numbers of parameters.

T_d has BUDGET matrices of size width x width in BUDGET/d layers of entrywise products, between an
embedding and a readout of the same sizes for all degrees (`descent`). The target is (-1)^<a,b> on
`bits` bits a side, the domain all inputs. With one seed all degrees start from the same parameters.

Source: seed 002, section 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..device import one_thread, resolve
from ..errors import NumericError
from ..sampling import check_seed, generator
from .arguments import whole

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from .descent import Shape

Progress = Callable[[int, int], None]
Rates = Sequence[float] | Mapping[int, float]

BUDGET = 12
MOST_BITS = 8
# About as many numbers a step on the CPU as stay in its cache: larger batches are slower there.
CACHED = 2**19


@dataclass(frozen=True)
class Run:
    """One trained network: `error` is the final mean of (y - target)², `wrong` that of wrong signs.

    Both are over all inputs. A run that left its dtype has error inf.
    """

    degree: int
    rate: float
    seed: int
    error: float
    wrong: float


@dataclass(frozen=True)
class TrainingReport:
    """All runs of one training, by degree, then rate, then seed, in the order given."""

    bits: int
    width: int
    steps: int
    parameters: int
    runs: tuple[Run, ...] = field(repr=False)

    def of(self, degree: int) -> tuple[Run, ...]:
        """The runs of one degree."""
        found = tuple(run for run in self.runs if run.degree == degree)
        if not found:
            known = sorted({run.degree for run in self.runs})
            raise NumericError(
                f"degree: expected one that was trained, of {known}; got {degree!r}. Add it to "
                "degrees and train again."
            )
        return found

    def best_rate(self, degree: int) -> float:
        """The rate with the least mean error over the seeds; of equal ones the smallest."""
        errors: dict[float, list[float]] = {}
        for run in self.of(degree):
            errors.setdefault(run.rate, []).append(run.error)
        return min((math.fsum(each) / len(each), rate) for rate, each in errors.items())[1]


def train_networks(
    degrees: Sequence[int],
    *,
    bits: int,
    width: int,
    steps: int,
    seeds: Sequence[int],
    rates: Rates,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "float64",
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> TrainingReport:
    """Train T_d for every degree, rate and seed, many runs at once.

    `rates` are the first step sizes of Adam: several for all degrees, or one for each degree as
    {degree: rate}. A run depends on its degree, rate and seed, up to rounding on nothing else.
    `progress(done, total)` is called now and then, in steps of single runs. An executor, such as a
    process pool, trains batches of runs side by side; the report is the same.
    """
    degrees, seeds = distinct("degrees", degrees), distinct("seeds", seeds)
    table = check_training(degrees, bits, width, steps, seeds, rates)
    place, _ = resolve(device, dtype)
    parameters = parameter_count(degrees, bits, width)
    asked = [(d, [(r, s) for r in each for s in seeds]) for d, each in table.items()]
    total = steps * sum(len(each) for _, each in asked)
    note = _Notes(progress, total)
    limit = max(1, CACHED // (BUDGET * width * 4**bits)) if place.type == "cpu" else total
    jobs = [
        Job(degree, bits, width, steps, tuple(each[n : n + limit]), str(device), str(dtype))
        for degree, each in asked
        for n in range(0, len(each), limit)
    ]
    runs: list[Run] = []
    if executor is None:
        for job in jobs:
            runs += train_job(job, partial(note.add, len(job.asked)))
    else:
        pending = [executor.submit(train_job, job) for job in jobs]
        try:
            for job, future in zip(jobs, pending, strict=True):
                runs += future.result()
                note.add(steps * len(job.asked))
        finally:
            for future in pending:
                future.cancel()
    return TrainingReport(bits, width, steps, parameters, tuple(runs))


class Job(NamedTuple):
    """Runs of one degree that are trained in one batch, as (rate, seed)."""

    degree: int
    bits: int
    width: int
    steps: int
    asked: tuple[tuple[float, int], ...]
    device: str
    dtype: str


def train_job(job: Job, after: Callable[[], None] = lambda: None) -> list[Run]:
    """The runs of one job; `after` is called after each step."""
    from .descent import descend, outputs

    place, kind = resolve(job.device, job.dtype)
    shape = network_shape(job.degree, job.bits, job.width)
    rates, seeds = zip(*job.asked, strict=True)
    with one_thread():
        signs, values = (torch_of(array, place, kind) for array in domain(job.bits))
        flat = torch_of(np.stack([start(shape, seed) for seed in seeds]), place, kind)
        chosen = torch_of(np.array(rates), place, kind)
        flat = descend(flat, shape, signs, values, chosen, job.steps, after)
        errors, wrong = _measure(outputs(flat, shape, signs), values)
    found = zip(rates, seeds, errors, wrong, strict=True)
    return [Run(job.degree, *each) for each in found]


def network_shape(degree: int, bits: int, width: int) -> Shape:
    """The wiring of T_d."""
    from .descent import Shape

    return Shape(2 * bits + 1, width, degree, BUDGET // degree)


def parameter_count(degrees: Iterable[int], bits: int, width: int) -> int:
    """The number of parameters, the same for all degrees; an error if it is not."""
    counts = {degree: network_shape(degree, bits, width).parameters for degree in degrees}
    if len(set(counts.values())) != 1:
        raise NumericError(
            f"degrees: expected equal numbers of parameters; got {counts}. Take divisors of "
            f"{BUDGET}."
        )
    return next(iter(counts.values()))


def domain(bits: int) -> tuple[np.ndarray, np.ndarray]:
    """All inputs as columns (a, b, 1) of signs, (2 bits + 1, 4^bits), and (-1)^<a,b> at each.

    The sign of the bit 0 is 1, that of the bit 1 is -1.
    """
    whole("bits", bits, 1)
    numbers = np.arange(4**bits)
    places = np.arange(2 * bits)[::-1, None]
    ones = numbers >> places & 1
    target = (-1.0) ** (ones[:bits] * ones[bits:]).sum(0)
    return np.vstack([1.0 - 2.0 * ones, np.ones_like(target)]), target


def start(shape: Shape, seed: int) -> np.ndarray:
    """The flat parameters that a run starts from: a function of the sizes and the seed alone."""
    import torch

    count = shape.parameters
    flat = torch.randn(count, dtype=torch.float64, generator=generator(seed, 0)).numpy()
    embedding = shape.sizes[0]
    flat[:embedding] /= math.sqrt(shape.inputs)
    flat[embedding:] /= math.sqrt(shape.width)
    return flat


def torch_of(array: np.ndarray, device: torch.device, dtype: torch.dtype) -> Tensor:
    import torch

    return torch.as_tensor(array, dtype=dtype, device=device)


def _measure(y: Tensor, target: Tensor) -> tuple[list[float], list[float]]:
    """The mean squared error of each run, inf if it is not finite, and its share of wrong signs."""
    errors = (y - target).square().mean(1).nan_to_num(nan=math.inf, posinf=math.inf)
    wrong = 1 - (y * target > 0).to(target.dtype).mean(1)
    return errors.tolist(), wrong.tolist()


class _Notes:
    """Calls `progress` when another hundredth is done, and at the end."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def add(self, steps: int) -> None:
        before, self.done = self.done, self.done + steps
        if self.progress and 100 * before // self.total < 100 * self.done // self.total:
            self.progress(self.done, self.total)


def check_training(
    degrees: Sequence[int],
    bits: int,
    width: int,
    steps: int,
    seeds: Sequence[int],
    rates: Rates,
) -> dict[int, tuple[float, ...]]:
    """The rates of each degree; an error for what cannot be trained."""
    for degree in distinct("degrees", degrees):
        whole("degrees", degree, 2)
        if BUDGET % degree:
            known = [d for d in range(2, BUDGET + 1) if BUDGET % d == 0]
            raise NumericError(
                f"degrees: expected divisors of {BUDGET}, the number of matrices: {known}; got "
                f"{degree}. Other degrees would have fewer parameters."
            )
    for name, value in (("bits", bits), ("width", width), ("steps", steps)):
        whole(name, value, 1)
    if bits > MOST_BITS:
        raise NumericError(
            f"bits: expected at most {MOST_BITS}, for 4^bits inputs are trained on at once; got "
            f"{bits}. Pass, e.g., bits=5."
        )
    check_seeds("seeds", seeds)
    if isinstance(rates, Mapping):
        if set(rates) != set(degrees):
            raise NumericError(
                f"rates: expected one for each degree, of {list(degrees)}; got some for "
                f"{list(rates)}. Give a rate to each degree and to no other."
            )
        table = {degree: (rates[degree],) for degree in degrees}
    else:
        common = distinct("rates", rates)
        table = dict.fromkeys(degrees, common)
    return {degree: tuple(map(_rate, each)) for degree, each in table.items()}


def check_seeds(name: str, seeds: Sequence[int]) -> tuple[int, ...]:
    given = distinct(name, seeds)
    for seed in given:
        check_seed(seed)
    return given


def _rate(rate: object) -> float:
    try:
        number = float(rate) if isinstance(rate, Real) and not isinstance(rate, bool) else math.nan
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise NumericError(
            f"rates: expected finite numbers above 0; got {rate!r}. Pass, e.g., rates=[0.01]."
        )
    return number


def distinct(name: str, given: Sequence) -> tuple:
    """The items of a list; an error if there are none or one comes twice."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise NumericError(
            f"{name}: expected a list; got {given!r}. Put it in brackets: {name}=[{given!r}]."
        )
    items = tuple(given)
    twice = [item for item, count in Counter(map(repr, items)).items() if count > 1]
    if not items or twice:
        got = f"{twice[0]} more than once" if twice else "none"
        raise NumericError(
            f"{name}: expected at least one, each once; got {got}. Repeated runs are equal."
        )
    return items
