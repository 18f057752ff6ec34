"""Which degree is worth its weights? Draws what the claims of family `degree` say.

    python examples/degree_budget.py [FILE.svg]

Left: ln d/(d + c), the exponent that a unit of budget buys, for layers that cost d - 1, d or
d + 1 matrices, with the best integer degree marked. Right: the best integer degree against c,
which changes at the points where two neighbours tie; attention's degree 3 is best in between
the first two.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
from sympy import N

from lemmata.symbolic.degree import best_integer_degree, optimal_degree, switch_point

COLOURS = {-1: "#b8860b", 0: "#1f6f8b", 1: "#8b1f4f"}
NAMES = {-1: "d - 1 matrices", 0: "d matrices", 1: "d + 1 matrices"}


def draw_objective(axes: plt.Axes) -> None:
    d = np.linspace(1.02, 8, 400)
    for extra, colour in COLOURS.items():
        axes.plot(d, np.log(d) / (d + extra), color=colour, label=NAMES[extra])
        best = best_integer_degree(extra)
        axes.plot(best, np.log(best) / (best + extra), "o", color=colour)
        if extra > -1:
            top = float(N(optimal_degree(extra)))
            axes.plot(top, np.log(top) / (top + extra), "|", color=colour, markersize=14)
    axes.set(xlabel="degree d of a layer", ylabel="ln d / cost", title="What a unit of budget buys")
    axes.legend(frameon=False)


def draw_best(axes: plt.Axes) -> None:
    ends = [-1.0, *(float(N(switch_point(k))) for k in range(2, 6))]
    for degree, (low, high) in enumerate(zip(ends, [*ends[1:], ends[-1] + 1], strict=True), 2):
        colour = "#8b1f4f" if degree == 3 else "#555555"
        axes.hlines(degree, low, high, color=colour, linewidth=3)
    axes.axvspan(ends[1], ends[2], color="#8b1f4f", alpha=0.08)
    axes.set_xticks([-1, 0, 1, 2, 3])
    axes.set_yticks(range(2, 7))
    axes.set(xlabel="further matrices c a layer", title="Best integer degree")
    axes.annotate("attention: 3", ((ends[1] + ends[2]) / 2, 3.12), ha="center", color="#8b1f4f")


def main(path: Path) -> None:
    # A fixed salt and no date: the same picture gives the same file.
    plt.rcParams.update({"svg.hashsalt": "lemmata", "font.size": 9, "axes.spines.top": False})
    plt.rcParams["axes.spines.right"] = False
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.2), layout="constrained")
    draw_objective(left)
    draw_best(right)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print(f"wrote {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("degree_budget.svg"))
