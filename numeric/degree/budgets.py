"""What a budget of whole matrices buys when depths are whole numbers too, by going through all."""

from __future__ import annotations

from collections.abc import Iterator

from .arguments import whole


def homogeneous(budget: int) -> dict[int, int]:
    """For each degree d = 1..budget, the degree d^L of L = budget // d equal layers."""
    whole("budget", budget, 1)
    return {d: d ** (budget // d) for d in range(1, budget + 1)}


def mixed_optimum(budget: int) -> tuple[int, tuple[int, ...]]:
    """The largest product of positive integers with sum at most `budget`, and such integers.

    Every first layer is tried with the best of what it leaves (dynamic programming).
    """
    whole("budget", budget, 1)
    best: list[tuple[int, tuple[int, ...]]] = [(1, ())]
    for total in range(1, budget + 1):
        choices = ((d * best[total - d][0], (d, *best[total - d][1])) for d in range(1, total + 1))
        best.append(max(best[-1], *choices, key=lambda choice: choice[0]))
    return best[budget]


def compositions(budget: int) -> Iterator[tuple[int, ...]]:
    """All sequences of positive integers with sum at most `budget`: 2**budget, with the empty."""
    whole("budget", budget, 0)
    yield ()
    for first in range(1, budget + 1):
        for rest in compositions(budget - first):
            yield (first, *rest)
