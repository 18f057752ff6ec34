"""How much can a network mix two sides? Draws what the claims of family `separation` say.

    python examples/separation_ranks.py [FILE.svg]

Left: the separation rank of linear attention against its depth. Points are certified modulo a
prime on random weights, lines are the closed forms, dotted is 3^(L d), the order that the seed
states. Right: the ε-rank, how many products come within ε of a function in mean square, relative to
its own mean square. The hard target (-1)^⟨a,b⟩ needs almost all of its products at any ε; random
networks T_d of twelve matrices, width 2, with two inputs a side have far higher ranks and need
few. There is one network for each degree: the order among them says nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D

from lemmata.numeric.separation import (
    attention_rank,
    certify_rank,
    hard_target,
    network_spectrum,
    random_hadamard,
    spectrum,
)
from lemmata.symbolic.separation import attention_bound, two_token_rank

DEEPEST = 5
# The depth up to which ranks are certified: ranks of some thousands take seconds.
CERTIFIED = {(1, 1): 5, (2, 1): 5, (3, 1): 3, (4, 1): 3, (2, 2): 4}
WIDTHS = {1: "#8a8a8a", 2: "#1f6f8b", 3: "#b8860b", 4: "#8b1f4f"}
DEGREES = {2: "#1f6f8b", 3: "#b8860b", 4: "#8b1f4f", 6: "#8a8a8a"}
MATRICES, INPUTS, BITS = 12, 2, 7
SMALLEST = 1e-10
SUBSCRIPTS = "₀₁₂₃₄₅₆"
APART = 1.27  # labels, on the logarithmic axis
GREEN = "#3a7d44"


def draw_ranks(axes: plt.Axes) -> None:
    depths = range(1, DEEPEST + 1)
    for (width, tokens), last in CERTIFIED.items():
        ranks = [attention_rank(layers, width, tokens).rank for layers in depths[:last]]
        two = tokens == 2
        style = {"color": WIDTHS[width], "linewidth": 1.2, "linestyle": "--" if two else "-"}
        formula = [
            attention_bound(layers, width, tokens) if two else two_token_rank(layers, width)
            for layers in depths
        ]
        axes.semilogy(depths, formula, **style)
        face = "white" if two else WIDTHS[width]
        axes.semilogy(depths[:last], ranks, "o", ms=4.5, color=WIDTHS[width], mfc=face)
        name = f"d = {width}" + (", two tokens" if two else "")
        axes.annotate(
            name, (DEEPEST, formula[-1]), (5, 0), textcoords="offset points", va="center",
            color=WIDTHS[width],
        )  # fmt: skip
    for width, colour in WIDTHS.items():
        axes.semilogy(depths, [3.0 ** (n * width) for n in depths], ":", color=colour, linewidth=1)
    axes.set(
        xlabel="layers L", ylabel="separation rank", xticks=depths, xlim=(0.85, DEEPEST + 0.05),
        ylim=(1, 1e8), title="Linear attention of width d, one token a side",
    )  # fmt: skip
    keys = (
        Line2D([], [], color="k", marker="o", ms=4.5, linestyle=""),
        Line2D([], [], color="k", linewidth=1.2),
        Line2D([], [], color="k", linewidth=1, linestyle=":"),
    )
    axes.legend(keys, ("certified", "closed form", "3^(L d)"), frameon=False, loc="upper left")


def draw_tails(axes: plt.Axes) -> None:
    sides = range(BITS), range(BITS, 2 * BITS)
    flat = np.array(spectrum(hard_target(BITS), *sides, law="bits"), float)
    left = 1 - np.cumsum(flat) / flat.sum()
    reached = staircase(axes, [1.0, *left[:-1], 0.0], GREEN, 1.8)
    labels = [(reached, f"hard target, rank {len(flat):,}", GREEN)]
    for degree, colour in DEGREES.items():
        network = random_hadamard(INPUTS, degree, MATRICES // degree)
        values = network_spectrum(network)
        tails = [sum(values.relative_tail(r)) / 2 for r in range(len(values.values) + 1)]
        reached = staircase(axes, tails, colour, 1.2)
        rank = certify_rank(network).rank
        labels.append((reached, f"T{SUBSCRIPTS[degree]}, rank {rank:,}", colour))
    spread = 0.0
    for height, text, colour in sorted(labels):
        spread = max(height, APART * spread)
        axes.annotate(
            text, (SMALLEST, spread), (5, 0), textcoords="offset points", va="center", color=colour
        )
    axes.set(
        xscale="log", yscale="log", xlabel="ε", ylabel="ε-rank", xlim=(1.0, SMALLEST),
        ylim=(0.9, 200), title="High rank is not high ε-rank",
    )  # fmt: skip


def staircase(axes: plt.Axes, tails: list[float], colour: str, width: float) -> int:
    """The least R with tails[R] <= ε, for ε from 1 down; its value at the smallest ε."""
    reached = next(r for r, tail in enumerate(tails) if tail <= SMALLEST)
    ends = [*tails[:reached], SMALLEST]
    axes.plot(ends, range(len(ends)), color=colour, linewidth=width, drawstyle="steps-pre")
    return reached


def main(path: Path) -> None:
    # A fixed salt and no date: the same picture gives the same file.
    plt.rcParams.update({"svg.hashsalt": "lemmata", "font.size": 9, "axes.spines.top": False})
    plt.rcParams["axes.spines.right"] = False
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 3.6), layout="constrained")
    draw_ranks(left)
    draw_tails(right)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print(f"wrote {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("separation_ranks.svg"))
