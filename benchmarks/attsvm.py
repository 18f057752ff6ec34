"""Family `attsvm`: the Gram dual and exact certificates against the d x d primal of cvxpy.

Times are of the processor, not of the clock: on a busy machine a long run waits where a short one
does not. Rivals take turns, several rounds, and the fastest run of each counts. Short ones run
several times a round, those above LIMIT seconds once.
"""

import math
from time import process_time

import numpy as np
import torch

from lemmata.numeric import attsvm
from lemmata.numeric.attsvm import reference

LIMIT, SHORT = 1.0, 0.02
ROUNDS = 4

# (n, T, d) with d >= max(n, T - 1): generic data are feasible.
SHAPES = ((5, 5, 10), (10, 5, 10), (10, 10, 15), (20, 10, 20), (20, 15, 25), (40, 11, 40))
LARGE = ((50, 21, 50), (100, 21, 100), (100, 50, 100), (200, 50, 200))


def race(rivals):
    """Seconds of each rival, the fastest of several interleaved rounds, and what they returned."""
    seconds, results = dict.fromkeys(rivals, math.inf), {}
    for _ in range(ROUNDS):
        for name, rival in rivals.items():
            if math.inf > seconds[name] > LIMIT / ROUNDS:
                continue
            for _ in range(20 if seconds[name] < SHORT else 1):
                start = process_time()
                results[name] = rival()
                seconds[name] = min(seconds[name], process_time() - start)
    return seconds, results


def agree(problem, results):
    """All matrices are feasible and no shorter than the others, to cvxpy's tolerance."""
    x, z = problem.differences_float, problem.queries_float[problem.pairs[:, 0]]
    sizes = {}
    for name, found in results.items():
        short = 1 - np.einsum("jp,pq,jq->j", x, found.matrix, z).min()
        if short > 1e-6:
            raise SystemExit(f"{name}: a margin is {1 - short}")
        sizes[name] = float((found.matrix**2).sum()) / 2
    if max(sizes.values()) - min(sizes.values()) > 1e-7 * (1 + min(sizes.values())):
        raise SystemExit(f"the rivals disagree: {sizes}")


def cell(seconds, ratio=None):
    shown = "" if ratio is None else f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x"
    return f"{1e3 * seconds:11,.2f} ms {shown:>7}"


def header(title, names):
    print(f"\n{title}")
    print(f"{'m (n, T, d)':>22}" + "".join(f"{name:>22}" for name in names), flush=True)


def small(title, make):
    """Seconds, and how many times faster than the primal with a constraint a row."""
    names = ("numeric", "exact", "cvxpy, one constraint", "cvxpy, one a row")
    header(title, names)
    for n, length, d in SHAPES:
        problem = make(n, length, d)
        seconds, results = race(
            {
                names[0]: lambda p=problem: attsvm.solve(p, exact=False),
                names[1]: lambda p=problem: attsvm.solve(p),
                names[2]: lambda p=problem: reference.primal(p),
                names[3]: lambda p=problem: reference.primal_each(p),
            }
        )
        agree(problem, results)
        label = f"{problem.m} ({n}, {length}, {d})"
        slowest = seconds[names[3]]
        cells = (cell(seconds[name], slowest / seconds[name]) for name in names)
        print(f"{label:>22}" + "".join(cells), flush=True)


def large():
    """Growth with the working set; the certificate is added while it takes seconds."""
    header("Many rows, whole data, a few rows at a time", ("numeric", "support", "exact"))
    for n, length, d in LARGE:
        problem = attsvm.random_scored(n, length, d, seed=1, whole=True)
        start = process_time()
        solution = attsvm.solve(problem, exact=False)
        spent = process_time() - start
        row = f"{f'{problem.m:,} ({n}, {length}, {d})':>22}{cell(spent)}"
        row += f"{len(solution.support):>22,}"
        if problem.m <= 1000:
            start = process_time()
            attsvm.solve(problem)
            row += cell(process_time() - start)
        print(row, flush=True)


def solving():
    """Ratios: how many times faster than cvxpy with one constraint a row."""
    small("Whole data", lambda n, length, d: attsvm.random_scored(n, length, d, seed=1, whole=True))
    small(
        "float64 data (certificates of their dyadic rationals)",
        lambda n, length, d: attsvm.random_scored(n, length, d, seed=1),
    )
    large()


def by_autograd(problem, steps, size):
    """Normalised gradient descent as public code writes it: one problem, one d x d matrix."""
    x, z, g = (
        torch.tensor(getattr(problem, name))
        for name in ("tokens_float", "queries_float", "scores_float")
    )
    weights = torch.zeros(problem.d, problem.d, dtype=torch.float64, requires_grad=True)
    for k in range(1, steps + 1):
        attention = torch.softmax(torch.einsum("itd,de,ie->it", x, weights, z), -1)
        loss = torch.nn.functional.softplus(-(attention * g).sum(-1)).mean()
        (gradient,) = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            weights -= size / math.sqrt(k) * gradient / gradient.norm()
    return weights.detach()


def training():
    """Microseconds of one iteration of one run, and how many times faster than autograd."""
    names, steps, slow = ("batched, log domain", "one problem, log domain", "autograd"), 2000, 200
    print("\nTraining by normalised gradient descent, a run-iteration")
    print(f"{'runs (n, T, d)':>22}" + "".join(f"{name:>26}" for name in names), flush=True)
    for runs, shape in ((20, (4, 3, 60)), (100, (4, 3, 60)), (400, (4, 3, 60)), (100, (8, 6, 40))):
        problems = [attsvm.random_scored(*shape, seed, equal=True) for seed in range(runs)]
        size = 1 / shape[2]
        options = {"optimizer": "ngd", "step_size": size, "device": "cpu"}
        seconds, results = race(
            {
                names[0]: lambda p=problems, o=options: attsvm.train(
                    p, steps=steps, record=(slow, steps), **o
                ).matrices[0, 0],
                names[1]: lambda p=problems[0], o=options: attsvm.train(
                    p, steps=slow, record=(slow,), **o
                ).matrices[0],
                names[2]: lambda p=problems[0], e=size: by_autograd(p, slow, e),
            }
        )
        for name in names[:2]:
            torch.testing.assert_close(results[name], results[names[2]], rtol=1e-6, atol=1e-9)
        each = [
            seconds[name] / count
            for name, count in zip(names, (runs * steps, slow, slow), strict=True)
        ]
        cells = (f"{1e6 * one:14.2f} us {each[2] / one:7.1f}x" for one in each)
        print(f"{f'{runs} {shape}':>22}" + "".join(cells), flush=True)


def main():
    solving()
    training()


if __name__ == "__main__":
    main()
