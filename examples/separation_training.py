"""Does degree 3 learn the hard target best? Runs the degree experiment and draws its errors.

    python examples/separation_training.py [FILE.svg]           # small networks, some seconds
    python examples/separation_training.py --full [FILE.svg]    # the full run, some minutes

A point is one trained network: its final mean squared error on the target (-1)^⟨a,b⟩, by degree, at
equal numbers of parameters. Lines join the networks that started from the same parameters. In the
green band the task is solved and errors tie. The protocol: docs/separation.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np

from lemmata.numeric.separation import FULL, QUICK, DegreeExperiment, Protocol, degree_experiment
from lemmata.numeric.separation.experiment import FAVOURITE, SOLVED

COLOURS = {2: "#1f6f8b", 3: "#b8860b", 4: "#8b1f4f", 6: "#8a8a8a"}
CELLS = 40


class Bar:
    """Progress on standard error: redrawn on a terminal, elsewhere a line for each tenth."""

    def __init__(self) -> None:
        self.tenths = 0

    def __call__(self, done: int, total: int) -> None:
        filled = CELLS * done // total
        text = f"training [{'#' * filled}{'.' * (CELLS - filled)}] {100 * done // total:3d} %"
        if sys.stderr.isatty():
            print(f"\r{text}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif 10 * done // total > self.tenths:
            self.tenths = 10 * done // total
            print(text, file=sys.stderr, flush=True)


def experiment(protocol: Protocol) -> DegreeExperiment:
    """On all cores where that pays; the result is the same."""
    if protocol == QUICK:
        return degree_experiment(protocol, device="cpu", progress=Bar())
    # Forked workers would inherit the threads of this process.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        return degree_experiment(protocol, device="cpu", progress=Bar(), executor=pool)


def table(found: DegreeExperiment) -> None:
    rates = found.rates
    print(f"verdict on `degree {FAVOURITE} wins`: {found.outcome}")
    print("degree    rate  mean error  solved  degree 3 wins, loses")
    for degree in found.protocol.degrees:
        errors = np.array(found.errors(degree))
        solved = int((errors <= SOLVED).sum())
        own = degree == FAVOURITE
        score = "" if own else f"{found.wins(degree):>6}, {found.losses(degree)}"
        print(f"{degree:>6}{rates[degree]:>8}{errors.mean():>12.4f}{solved:>8}{score}")


def draw(axes: plt.Axes, found: DegreeExperiment) -> None:
    degrees = found.protocol.degrees
    errors = np.array([found.errors(degree) for degree in degrees])
    count, seeds = found.evaluation.parameters, errors.shape[1]
    places, lowest = np.arange(len(degrees)), errors.min() / 4
    axes.axhspan(lowest, SOLVED, color="#3a7d44", alpha=0.1, linewidth=0)
    axes.text(places[-1] + 0.35, 1.2 * lowest, "solved", ha="right", color="#3a7d44")
    axes.plot(places, errors, color="#cccccc", linewidth=0.6, zorder=1)
    for place, degree, row in zip(places, degrees, errors, strict=True):
        axes.plot([place] * len(row), row, "o", ms=4.5, color=COLOURS[degree], alpha=0.8)
        axes.plot([place - 0.18, place + 0.18], [row.mean()] * 2, "k", linewidth=1.5)
    axes.set(
        yscale="log", xticks=places, xticklabels=degrees, xlabel="degree d",
        ylabel="final error", xlim=(-0.4, places[-1] + 0.4), ylim=(lowest, 1),
        title=f"{count} parameters each; bars: means of {seeds} seeds",
    )  # fmt: skip


def main(path: Path, protocol: Protocol) -> None:
    found = experiment(protocol)
    table(found)
    # A fixed salt and no date: the same picture gives the same file.
    plt.rcParams.update({"svg.hashsalt": "lemmata", "font.size": 9, "axes.spines.top": False})
    plt.rcParams["axes.spines.right"] = False
    figure, axes = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
    draw(axes, found)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print(f"wrote {path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The degree experiment of family `separation`.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("separation_training.svg"))
    parser.add_argument("--full", action="store_true", help="the full run, some minutes")
    options = parser.parse_args()
    main(options.file, FULL if options.full else QUICK)
