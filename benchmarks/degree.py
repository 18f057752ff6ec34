"""Family `degree`: what interpolation modulo a prime and batching save, measured side by side.

Every row times its rivals in turn, several rounds, and takes the fastest of each: the ratios
then hold on a busy machine too. A rival that needed more than LIMIT seconds sits out the rest.
"""

import math
from fractions import Fraction
from time import perf_counter

import flint
import mpmath
import sympy
import torch

from lemmata.numeric import degree

LIMIT = 2.0
ROUNDS = 5


def race(rivals):
    """Seconds of each rival (None: sits out), the fastest of several interleaved rounds.

    All rivals must give the same result.
    """
    seconds = dict.fromkeys(rivals, math.inf)
    results = set()
    for _ in range(ROUNDS):
        for name, rival in rivals.items():
            if rival is None or math.inf > seconds[name] > LIMIT / ROUNDS:
                continue
            start = perf_counter()
            results.add(rival())
            seconds[name] = min(seconds[name], perf_counter() - start)
    if len(results) != 1:
        raise SystemExit(f"the rivals disagree: {results}")
    return seconds


def table(title, first, names, rows):
    """Print seconds of each rival, and how many times longer than the first one it took."""
    print(f"\n{title}")
    print(f"{first:>24}" + "".join(f"{name:>26}" for name in names), flush=True)
    tired = set()
    for label, rivals in rows:
        seconds = race({n: None if n in tired else rival for n, rival in rivals.items()})
        tired |= {name for name in names if seconds[name] > LIMIT}
        cells = [f"{label:>24}"]
        for name in names:
            known = seconds[name] < math.inf
            ratio = seconds[name] / seconds[names[0]]
            shown = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"
            cells.append(f"{1e3 * seconds[name]:12,.2f} ms {shown:>10}" if known else f"{'-':>26}")
        print("".join(cells), flush=True)


def outputs(network, x):
    """T(x), straight from the definition, for anything that adds and multiplies."""
    for layer in network:
        rows = [[sum(w * v for w, v in zip(row, x, strict=True)) for row in m] for m in layer]
        x = [math.prod(column[1:], start=column[0]) for column in zip(*rows, strict=True)]
    return x


def by_flint(network, width):
    ring = flint.fmpz_mpoly_ctx.get(tuple(f"x{i}" for i in range(width)), flint.Ordering.lex)
    return int(outputs(network, list(ring.gens()))[0].total_degree())


def by_sympy(network, width):
    names = sympy.symbols(f"x:{width}")
    generators = [sympy.Poly(name, *names, domain=sympy.ZZ) for name in names]
    return int(outputs(network, generators)[0].total_degree())


def degrees():
    """Only the first output of the last layer is expanded: nothing is done in vain."""
    width = 3
    for depth in range(1, 8):
        *layers, last = degree.random_network(3, depth, width, seed=1)
        whole = (*layers, last)
        network = (*layers, tuple(matrix[:1] for matrix in last))
        yield (
            f"3^{depth} = {3**depth:,}",
            {
                "modulo a prime": lambda net=whole: degree.certify_degree(net).degree,
                "expanded by flint": lambda net=network: by_flint(net, width),
                "expanded by SymPy": lambda net=network: by_sympy(net, width),
            },
        )


def evaluations():
    prime, width = degree.PRIME, 3
    network = degree.random_network(3, 4, width, seed=1)
    for count in (1, 10, 100, 1000, 10_000):
        rows = torch.arange(count * width).reshape(count, width)
        points = rows.tolist()
        yield (
            f"{count:,}",
            {
                "one batch": lambda x=rows: tuple(
                    degree.evaluate_mod(network, x, prime)[:, 0].tolist()
                ),
                "Python's integers": lambda x=points: tuple(
                    outputs(network, point)[0] % prime for point in x
                ),
                "a call a point": lambda x=rows: tuple(
                    degree.evaluate_mod(network, x[i : i + 1], prime)[0, 0].item()
                    for i in range(len(x))
                ),
            },
        )


def below(boxes, interval, log, best):
    return sum(bool(log(d) / d < best) for d in map(interval, boxes))


def enclosures():
    """The same boxes judged again: [9/8, high] without a surrounding of the optimum e."""
    flint.ctx.prec = mpmath.iv.prec = 128

    def ball(box):
        low, high = (flint.arb(flint.fmpq(*end.as_integer_ratio())) for end in box)
        return low.union(high)

    def interval(box):
        low, high = (mpmath.iv.mpf(end.numerator) / end.denominator for end in box)
        return mpmath.iv.mpf([low.a, high.b])

    arb_best, iv_best = 1 / flint.arb(1).exp(), 1 / mpmath.iv.e
    for high in (4, 64, 1024):
        boxes = degree.optimum_boxes(0, low=Fraction(9, 8), high=high).boxes
        yield (
            f"{len(boxes)} boxes to {high}",
            {
                "arb": lambda b=boxes: below(b, ball, flint.arb.log, arb_best),
                "mpmath.iv": lambda b=boxes: below(b, interval, mpmath.iv.log, iv_best),
                "found from scratch": lambda h=high: len(
                    degree.optimum_boxes(0, low=Fraction(9, 8), high=h).boxes
                ),
            },
        )


def main():
    names = ("modulo a prime", "expanded by flint", "expanded by SymPy")
    table("The degree of a random network of width 3", "degree", names, degrees())
    names = ("one batch", "Python's integers", "a call a point")
    table("Four cubic layers of width 3, at many points", "points", names, evaluations())
    names = ("arb", "mpmath.iv", "found from scratch")
    table("ln d / d < 1/e, box by box", "boxes", names, enclosures())


if __name__ == "__main__":
    main()
