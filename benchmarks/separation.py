"""Family `separation`: ranks modulo a prime against exact and floating-point rivals.

Times are of the processor, not of the clock. Rivals take turns, several rounds, and the fastest run
of each counts; one above LIMIT/ROUNDS seconds runs once, one above LIMIT sits out the rest of its
table. All start from the same NumPy array or network, so that building their own matrices is part
of their time.
"""

import math
from time import process_time

import flint
import numpy as np
from sympy import GF, QQ, Matrix, Poly, symbols
from sympy.external.gmpy import GROUND_TYPES
from sympy.polys.matrices import DomainMatrix

from lemmata.numeric import separation
from lemmata.numeric.separation import networks

LIMIT, ROUNDS = 1.5, 4
PRIME = separation.PRIME


def race(rivals):
    """Seconds of each rival (None: sits out); all must give the same result."""
    seconds, results = dict.fromkeys(rivals, math.inf), set()
    for _ in range(ROUNDS):
        for name, rival in rivals.items():
            if rival is None or math.inf > seconds[name] > LIMIT / ROUNDS:
                continue
            start = process_time()
            results.add(rival())
            seconds[name] = min(seconds[name], process_time() - start)
    if len(results) != 1:
        raise SystemExit(f"the rivals disagree: {results}")
    return seconds, results.pop()


def table(title, first, names, rows):
    """Seconds of each rival, and how many times longer than the first one it took; the last row."""
    print(f"\n{title}")
    print(f"{first:>22}{'rank':>7}" + "".join(f"{name:>22}" for name in names), flush=True)
    tired, seconds = set(), {}
    for label, rivals in rows:
        seconds, rank = race({n: None if n in tired else rivals[n] for n in names})
        tired |= {name for name in names if math.inf > seconds[name] > LIMIT}
        cells = [f"{label:>22}{rank:>7,}"]
        for name in names:
            ratio = seconds[name] / seconds[names[0]]
            shown = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"
            known = seconds[name] < math.inf
            cells.append(f"{1e3 * seconds[name]:10,.2f} ms {shown:>8}" if known else f"{'-':>22}")
        print("".join(cells), flush=True)
    return seconds


def matrices():
    """n x n, of rank n - n/4, with entries of some hundreds."""
    names = ("rank_mod", "pivots_mod", "nmod_mat of a list", "fmpz_mat", "numpy SVD, inexact")
    sympy = ("DomainMatrix, GF(p)", "DomainMatrix, QQ", "Matrix.rank")
    names += sympy

    def rivals(a):
        n = len(a)
        return {
            names[0]: lambda: separation.rank_mod(a),
            names[1]: lambda: separation.pivots_mod(a).rank,
            names[2]: lambda: flint.nmod_mat(n, n, a.ravel().tolist(), PRIME).rank(),
            names[3]: lambda: flint.fmpz_mat(a.tolist()).rank(),
            names[4]: lambda: int(np.linalg.matrix_rank(a)),
            names[5]: lambda: DomainMatrix(_of(GF(PRIME), a), a.shape, GF(PRIME)).rank(),
            names[6]: lambda: DomainMatrix(_of(QQ, a), a.shape, QQ).rank(),
            # Left out where it takes minutes.
            names[7]: (lambda: Matrix(a.tolist()).rank()) if n <= 20 else None,
        }

    def rows():
        for n in (10, 20, 40, 80, 160, 320):
            generator, inner = np.random.default_rng(n), n - n // 4
            left, right = (generator.integers(-9, 10, shape) for shape in ((n, inner), (inner, n)))
            yield f"n = {n}", rivals(left @ right)

    last = table(f"Rank of n x n matrices; SymPy computes with {GROUND_TYPES}", "", names, rows())
    name = min(sympy, key=last.__getitem__)
    ratio = last[name] / last[names[0]]
    print(f"SymPy's fastest exact rank in the last row, {name}, takes {ratio:,.0f} times as long.")


def _of(domain, a):
    return [[domain(entry) for entry in row] for row in a.tolist()]


def singular_values():
    """The same networks in float64: how many singular values count as nonzero."""
    print("\nWhat float64 makes of it: values of networks of products, ranks by numpy's SVD")
    heads = (("SVD, default", 16), ("1e-12", 9), ("1e-9", 9), ("certified in", 16), ("SVD in", 14))
    shown = "".join(f"{head:>{width}}" for head, width in heads)
    print(f"{'degree, depth':>22}{'true':>7}{shown}", flush=True)
    for degree, depth in ((2, 3), (3, 2), (2, 4), (3, 3), (2, 6), (3, 4)):
        start = process_time()
        certificate = separation.hadamard_rank(2, degree, depth)
        certified = process_time() - start
        count = certificate.rank + 20
        generator = np.random.default_rng(0)
        start = process_time()
        a, b = (generator.uniform(-1, 1, (count, 2)) for _ in range(2))
        values = _floats(certificate.network, a, b)
        values /= np.abs(values).max()
        found = [int(np.linalg.matrix_rank(values))]
        decomposed = process_time() - start
        found += [int(np.linalg.matrix_rank(values, rtol=rtol)) for rtol in (1e-12, 1e-9)]
        cells = "".join(f"{n:>{w},}" for n, w in zip(found, (16, 9, 9), strict=True))
        times = f"{1e3 * certified:13,.1f} ms{1e3 * decomposed:11,.1f} ms"
        print(f"{f'{degree}, {depth}':>22}{certificate.rank:>7,}{cells}{times}", flush=True)


def _floats(network, a, b):
    """y at every pair of points, with weights scaled to at most 1."""
    scale = networks.BOUND
    first, *others = (np.array(layer, float) / scale for layer in network.weights)
    z = (
        np.einsum("kij,nj->kin", first[..., :2], a)[..., None]
        + np.einsum("kij,nj->kin", first[..., 2:], b)[:, :, None]
    ).prod(0)
    for layer in others:
        z = np.einsum("kij,jmn->kimn", layer, z).prod(0)
    return np.einsum("i,imn->mn", np.array(network.readout, float) / scale, z)


def gram_route(x, network):
    """y for tokens of anything that multiplies, through X^T X as the evaluation does it."""
    for layer in network.weights:
        gram = _times(list(zip(*x, strict=True)), x)
        total = None
        for (a, b), (c, d) in layer:
            part = _times(_times(_times(a, b), gram), _times(c, d))
            total = (
                part
                if total is None
                else [
                    [u + v for u, v in zip(*pair, strict=True)]
                    for pair in zip(total, part, strict=True)
                ]
            )
        x = _times(x, total)
    return x[0][0]


def _times(a, b):
    return [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)] for r in a
    ]


def _tokens(network, flat):
    return [list(flat[i : i + network.width]) for i in range(0, len(flat), network.width)]


def by_flint(network):
    """Multiply out over Z, then take the rank of the coefficient matrix over Z."""
    size = network.coordinates
    ring = flint.fmpz_mpoly_ctx.get([f"x{i}" for i in range(2 * size)], flint.Ordering.lex)
    terms = gram_route(_tokens(network, ring.gens()), network).to_dict()
    return _coefficient_rank(terms, size)


def by_sympy(network):
    """The same with SymPy's polynomials, and the same rank over Z in the end."""
    size = network.coordinates
    names = symbols(f"x:{2 * size}")
    polynomial = gram_route(_tokens(network, [Poly(x, *names) for x in names]), network)
    return _coefficient_rank({e: int(c) for e, c in polynomial.terms()}, size)


def _coefficient_rank(terms, size):
    rows, columns = (
        {part: place for place, part in enumerate({e[cut] for e in terms})}
        for cut in (slice(size), slice(size, None))
    )
    matrix = flint.fmpz_mat(len(rows), len(columns))
    for exponents, coefficient in terms.items():
        matrix[rows[exponents[:size]], columns[exponents[size:]]] = coefficient
    return matrix.rank()


def at_once(network, rank):
    """One matrix of values without grades; the number of points is given away."""
    points = [
        networks.random_points(rank + 2, network.coordinates, PRIME, 0, side)
        for side in (networks.LEFT, networks.RIGHT)
    ]
    return separation.rank_mod(separation.values_mod(network, *points))


def whole_networks():
    names = ("certify_rank", "values at once", "expanded by FLINT", "expanded by SymPy")

    def rows():
        for size in ((1, 2, 2), (2, 2, 1), (2, 2, 2), (2, 3, 1), (2, 4, 2), (3, 2, 2), (4, 2, 2)):
            network = separation.random_attention(*size, bound=9, seed=1)
            rank = separation.certify_rank(network).rank
            degree_nine = network.layers < 3 and network.width < 4
            yield (
                f"{size}",
                {
                    names[0]: lambda n=network: separation.certify_rank(n).rank,
                    names[1]: lambda n=network, r=rank: at_once(n, r),
                    names[2]: (lambda n=network: by_flint(n)) if degree_nine else None,
                    names[3]: (lambda n=network: by_sympy(n)) if degree_nine else None,
                },
            )

    table("Separation rank of linear attention", "(L, d_x, m)", names, rows())


def certificates():
    print("\nCertificates: making one, and checking one from nothing but its own data")
    print(f"{'':>34}{'rank':>7}{'made':>14}{'verified':>14}", flush=True)
    for label, make in (
        ("attention (4, 2, 2)", lambda: separation.attention_rank(4, 2, 2)),
        ("attention (3, 3, 2)", lambda: separation.attention_rank(3, 3, 2)),
        ("products, n' = 2, T_3, depth 4", lambda: separation.hadamard_rank(2, 3, 4)),
    ):
        start = process_time()
        certificate = make()
        made = process_time()
        certificate.verify()
        checked = process_time()
        print(f"{label:>34}{certificate.rank:>7,}{made - start:12.2f} s{checked - made:12.2f} s")


def main():
    matrices()
    singular_values()
    whole_networks()
    certificates()


if __name__ == "__main__":
    main()
