"""Where does training take attention? Draws what the claims of family `attsvm` say.

    python examples/attsvm_dynamics.py [FILE.svg]

Left: the angle between W and the max-margin solution W^mm along gradient descent, normalised
gradient descent and Polyak's steps, from the same start. Dashed: the residual law
1 - corr = c/|W|^2 with its exact constant c and the length that each rule gives W. Right: which
token the run selects, for every start in a square, on three tokens in the plane. Only the green
starts reach the global solution.

Polyak's steps have a length that does not shrink, |W^mm| times the step size: with longer ones than
here the run swings about its line for ever, at the same rate with a larger constant.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sympy import N

from lemmata.numeric.attsvm import Problem, loc, random_scored, solve, train
from lemmata.symbolic.attsvm import SupportInstance

STEPS = 10_000
SIZES = {"gd": 1.0, "ngd": 1.0, "polyak": 0.05}
COLOURS = {"gd": "#b8860b", "ngd": "#1f6f8b", "polyak": "#8b1f4f"}
NAMES = {"gd": "gradient descent", "ngd": "normalised, steps 1/√k", "polyak": "Polyak"}
Length = Callable[[np.ndarray], np.ndarray]


def lengths(norm: float) -> dict[str, Length]:
    """|W| after k steps, to leading order: what each rule adds up to."""
    return {
        "gd": lambda k: norm * np.log(SIZES["gd"] * k),
        "ngd": lambda k: 2 * SIZES["ngd"] * np.sqrt(k),
        "polyak": lambda k: SIZES["polyak"] * norm * k,
    }


def exact(problem: Problem) -> SupportInstance:
    """The same data for the symbolic side, which computes the constant."""
    data = (problem.tokens_float, problem.queries_float, problem.scores_float)
    return SupportInstance(*(_nested(array.astype(int)) for array in data))


def _nested(array: np.ndarray) -> tuple:
    return tuple(_nested(row) if row.ndim else int(row) for row in array)


def draw_laws(axes: plt.Axes) -> None:
    problem = random_scored(3, 3, 5, seed=11, equal=True, whole=True, bound=1)
    law, best = exact(problem), solve(problem)
    constant, norm = float(N(law.residual_constant)), float(best.norm_squared) ** 0.5
    for rule, length in lengths(norm).items():
        run = train(
            problem, optimizer=rule, steps=STEPS, step_size=SIZES[rule], reference=best.matrix,
            device="cpu",
        )  # fmt: skip
        k = np.array(run.marks)
        axes.loglog(k, run.misalignment, color=COLOURS[rule], label=NAMES[rule])
        late = k[k >= 30]
        axes.loglog(late, constant / length(late) ** 2, "--", color=COLOURS[rule], linewidth=1)
    axes.set(xlabel="iterations k", ylabel="1 - corr(W, W^mm)", title="How the direction converges")
    axes.legend(frameon=False)


def draw_basins(axes: plt.Axes) -> None:
    problem, side = loc(), np.linspace(-2, 2, 41)
    first, second = np.meshgrid(side, side)
    starts = np.zeros((first.size, 2, 2))
    starts[:, 0, 0], starts[:, 1, 0] = first.ravel(), second.ravel()
    run = train(
        [problem] * first.size, steps=1_500, step_size=0.5, initial=starts, record=[1_500],
        device="cpu",
    )  # fmt: skip
    chosen = run.selected[-1, :, 0].numpy().reshape(first.shape)
    colours = ListedColormap(["#3a7d44", "#c0504d", "#999999"])
    axes.imshow(
        chosen, origin="lower", extent=(-2, 2, -2, 2), cmap=colours, vmin=0, vmax=2, alpha=0.55
    )
    for start, name in (((0, 0), "W₀ = 0"), ((1, 0), "W₀ = e₁e₁ᵀ")):
        axes.plot(*start, "k.")
        axes.annotate(name, start, (-4, 7), textcoords="offset points")
    for aim, name in (((-1.5, 0.5), "W^mm"), ((1.6, 0.0), "(1, 0)zᵀ")):
        axes.annotate("", aim, (0, 0), arrowprops={"arrowstyle": "->"})
        axes.annotate(name, aim, (0, -13), textcoords="offset points", ha="center")
    axes.set(xlabel="W₀[0, 0]", ylabel="W₀[1, 0]", title="Two basins: the start decides")


def main(path: Path) -> None:
    # A fixed salt and no date: the same picture gives the same file.
    plt.rcParams.update({"svg.hashsalt": "lemmata", "font.size": 9, "axes.spines.top": False})
    plt.rcParams["axes.spines.right"] = False
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 3.6), layout="constrained")
    draw_laws(left)
    draw_basins(right)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print(f"wrote {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("attsvm_dynamics.svg"))
