"""Wide data are feasible, d >= max(n, T - 1); narrow ones may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from sympy import Expr, IndexedBase, Integer, Matrix, Rational, Sum, Symbol, symbols

from ....symbolic import attsvm as theory
from ....symbolic.attsvm import Wide
from ....symbolic.statements import REALS, Domains, Every, Infeasible, Relation, integers
from ...claim import Claim, Mutant, Settings
from ...kernel.evidence import Counterexample, Evidence, Multipliers
from .points import Point, probed, tried
from .softmax import PAPER, SEED

i, j, r, t, d, n = symbols("i j r t d n")
X, Z, U, Y = map(IndexedBase, "xzuy")
PAIR = "xzuyvw"
ZERO, ONE = Integer(0), Integer(1)
SIZES = ((1, 3, 2), (2, 2, 2), (2, 3, 2))
HALVES = (3, 4, 3)

# Five sequences of four tokens in the plane, n = 5 > d and T - 1 = 3 > d: query, then differences.
NARROW = (
    ((1, 0), ((1, 0), (1, 5), (2, -1))),
    ((0, 1), ((0, 1), (3, 1), (-2, 2))),
    ((1, 1), ((1, 0), (0, 1), (2, -1))),
    ((2, 1), ((1, -1), (0, 1), (-1, 3))),
    ((-1, 1), ((-1, 0), (0, 1), (-2, -1))),
)
Change = Callable[[Wide, Matrix], Matrix]
Data = tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], ...]


def kept(wide: Wide, weights: Matrix) -> Matrix:
    return weights


def transposed(wide: Wide, weights: Matrix) -> Matrix:
    return weights.T


def not_divided(wide: Wide, weights: Matrix) -> Matrix:
    return weights * wide.query_determinant


def doubled(wide: Wide, weights: Matrix) -> Matrix:
    return 2 * weights


def feasible(change: Change = kept, dual: bool = True, solvable: bool = True) -> Every:
    """All sizes from dual queries, once more for two in the plane; given sizes by determinants."""
    parts = [_all_sizes(), _pair(dual, solvable)]
    for size in SIZES:
        parts += _margins(Wide(*size), change)
    parts += _halves(Wide(*HALVES))
    return Every(tuple(parts))


def _all_sizes() -> Relation:
    """x . W z = 1 for W = Sum u_i y_i^T, if y_1 . z = 1, y_i . z = 0 beyond, and x . u_1 = 1."""
    dual, other = (Sum(Y[row, t] * Z[t], (t, 1, d)) for row in (1, j))
    image = Sum(Sum(U[i, r] * Y[i, t], (i, 1, n)) * Z[t], (t, 1, d))
    return Relation(
        Sum(X[r] * image, (r, 1, d)), "=", ONE,
        ((X, REALS), (Z, REALS), (U, REALS), (Y, REALS), (d, integers(1)), (n, integers(1))),
        (
            Relation(dual, "=", ONE),
            Relation(other, "=", ZERO, ((j, integers(2)),)),
            Relation(Sum(X[r] * U[1, r], (r, 1, d)), "=", ONE),
        ),
    )  # fmt: skip


def _pair(dual: bool, solvable: bool) -> Relation:
    """The same for n = d = 2; y_2 . z = 0 and x . u_1 = 1, which n <= d and T - 1 <= d make
    possible, may be left out."""
    x, z, *rest = (Matrix(symbols(f"{name}1:3")) for name in PAIR)
    (u, y), (v, w) = rest[:2], rest[2:]
    given = (
        Relation(y.dot(z), "=", ONE),
        *((Relation(w.dot(z), "=", ZERO),) if dual else ()),
        *((Relation(x.dot(u), "=", ONE),) if solvable else ()),
    )
    return Relation(x.dot((u * y.T + v * w.T) * z), "=", ONE, _reals(x, z, *rest), given)


def _reals(*matrices: Matrix) -> Domains:
    return tuple((symbol, REALS) for matrix in matrices for symbol in matrix)


def _margins(wide: Wide, change: Change) -> list[Relation]:
    """Every margin is 1 under W = U Z^(-1), given determinants that are not 0."""
    data = [wide.differences(k) for k in range(wide.n)]
    weights = change(wide, wide.weights([wide.target(k) for k in range(wide.n)]))
    generic = (wide.query_determinant, *(wide.determinant(k) for k in range(wide.n)))
    return [
        Relation(
            wide.margin(weights, k, token), "=", ONE, _reals(wide.queries, *data),
            tuple(Relation(determinant, "!=", ZERO) for determinant in generic),
        )
        for k in range(wide.n)
        for token in range(wide.tokens - 1)
    ]  # fmt: skip


def _halves(wide: Wide) -> list[Relation]:
    """For the first sequence: W z = u for any u; and x . u = 1 for the u of Cramer's rule."""
    names = [wide.names(k) for k in range(wide.n)]
    rows, images = wide.differences(0), wide.weights(names) * wide.queries[:, 0]
    queries = Relation(wide.query_determinant, "!=", ZERO)
    tokens = Relation(wide.determinant(0), "!=", ZERO)
    return [
        *(
            Relation(image, "=", name, _reals(wide.queries, *names), (queries,))
            for image, name in zip(images, names[0], strict=True)
        ),
        *(
            Relation((rows[token, :] * wide.target(0))[0], "=", ONE, _reals(rows), (tokens,))
            for token in range(wide.tokens - 1)
        ),
    ]


def observed(points: list[Point], device: str) -> list[dict[Expr, float]]:
    """The margins under the W that torch's linear solver finds."""
    names = {str(name) for name in points[0]}
    for size in SIZES:
        wide = Wide(*size)
        entries = [wide.queries, *(wide.differences(k) for k in range(wide.n))]
        if names == {str(symbol) for matrix in entries for symbol in matrix}:
            return [_solved(wide, point, device) for point in points]
    return [{} for _ in points]


def _solved(wide: Wide, point: Point, device: str) -> dict[Expr, float]:
    import torch

    from ....numeric.device import resolve

    place, dtype = resolve(device)

    def tensor(matrix: Matrix) -> torch.Tensor:
        rows = [
            [float(entry.xreplace(point)) for entry in matrix.row(e)] for e in range(matrix.rows)
        ]
        return torch.tensor(rows, dtype=dtype, device=place)

    data = [tensor(wide.differences(k)) for k in range(wide.n)]
    queries = tensor(wide.queries)
    tokens = wide.tokens - 1
    if (
        min(
            abs(torch.linalg.det(block))
            for block in (queries[: wide.n], *(x[:, :tokens] for x in data))
        )
        < 0.5
    ):
        return {}
    ones = torch.ones(tokens, dtype=dtype, device=place)
    targets = torch.zeros((wide.d, wide.n), dtype=dtype, device=place)
    for k, x in enumerate(data):
        targets[:tokens, k] = torch.linalg.solve(x[:, :tokens], ones)
    weights = torch.zeros((wide.d, wide.d), dtype=dtype, device=place)
    weights[:, : wide.n] = torch.linalg.solve(queries[: wide.n].T, targets.T).T
    symbolic = wide.weights([wide.target(k) for k in range(wide.n)])
    return {
        wide.margin(symbolic, k, token): float(data[k][token] @ weights @ queries[:, k])
        for k in range(wide.n)
        for token in range(tokens)
    }


def explore_feasible(statement: Every, settings: Settings) -> tuple[Evidence, ...]:
    """The parts about given sizes, at random whole data; the pair at two exact points."""
    return (*probed(statement, settings, observed, count=4), *tried(statement, 1, crowded()))


def crowded() -> Iterator[dict[Expr, Expr]]:
    """The second sequence with the query of the first, or a u that is too long."""
    unit, other = (1, 0), (0, 1)
    for target, second in ((unit, unit), ((2, 0), other)):
        vectors = (unit, unit, target, unit, unit, second)
        yield {
            Symbol(f"{name}{place}"): Integer(value)
            for name, vector in zip(PAIR, vectors, strict=True)
            for place, value in enumerate(vector, 1)
        }


FEASIBLE_WHEN_WIDE = Claim(
    id="attsvm.feasible-when-wide",
    title="d >= max(n, T - 1) and generic data make Att-SVM feasible",
    statement=feasible,
    source=f"{SEED}, feasibility; {PAPER}",
    hypotheses=(
        "x[i, t] = x_i,opt - x_it; for all sizes: the queries have a dual basis y_i, and u_i "
        "solves x[i, t] . u_i = 1; the sequence in question is numbered first; again, written out, "
        "for n = d = 2, with u, y of the first and v, w of the second sequence",
        "for (n, T, d) = (1, 3, 2), (2, 2, 2), (2, 3, 2): the leading minors of the queries and of "
        "the differences are not 0; for (3, 4, 3) in two halves, W z = u and x . u = 1, both for "
        "the first of the three sequences",
        "width is not necessary: see attsvm.width-as-necessary",
    ),
    derivation=theory.derive_feasible,
    corrects="attsvm.width-as-necessary",
    experiment=explore_feasible,
    mutants=(
        Mutant("not-divided", partial(feasible, not_divided), "W Z = U det Z, not U"),
        Mutant("transposed", partial(feasible, transposed), "W maps queries to tokens, not back"),
        Mutant("doubled", partial(feasible, doubled), "margins of 2"),
        Mutant("no-dual-basis", partial(feasible, dual=False), "n > d: other sequences interfere"),
        Mutant(
            "not-solvable", partial(feasible, solvable=False), "T - 1 > d: no u serves all tokens"
        ),
    ),
)


def infeasible(data: Data = NARROW) -> Infeasible:
    """That no W gives all atoms x z^T the margin 1."""
    rows = tuple(
        tuple(Integer(a) * Integer(b) for a in x for b in query)
        for query, differences in data
        for x in differences
    )
    return Infeasible(rows, tuple(ONE for _ in rows))


def certify_width(statement: Infeasible, settings: Settings) -> tuple[Evidence, ...]:
    """The exact solver's W, or its Farkas multipliers; every atom as a sequence of two tokens."""
    from ....numeric.attsvm import Infeasible as NoSolution
    from ....numeric.attsvm import Problem, solve

    size = round(len(statement.rows[0]) ** 0.5)
    tokens, queries = [], []
    for row in statement.rows:
        atom = [[Fraction(int(e)) for e in row[k * size : (k + 1) * size]] for k in range(size)]
        lead = next(line for line in atom if any(line))
        place = next(k for k, value in enumerate(lead) if value)
        tokens.append([[line[place] / lead[place] for line in atom], [Fraction(0)] * size])
        queries.append(lead)
    try:
        certificate = solve(Problem(tokens, queries, [0] * len(tokens))).certificate
    except NoSolution as error:
        return (Multipliers(error.multipliers),)
    if certificate is None:
        return ()
    names = symbols(f"w:{size * size}")
    values = (Rational(v.numerator, v.denominator) for v in certificate.point)
    return (Counterexample(tuple(zip(names, values, strict=True))),)


WIDTH_AS_NECESSARY = Claim(
    id="attsvm.width-as-necessary",
    title="data with n > d and T - 1 > d are infeasible",
    statement=infeasible,
    source=f"{SEED}: width read as necessary",
    expected="refuted",
    hypotheses=("n = 5 sequences of T = 4 tokens in d = 2 dimensions",),
    certificate=certify_width,
    corrected_by="attsvm.feasible-when-wide",
    mutants=(
        Mutant(
            "equal-queries",
            partial(infeasible, tuple(((1, 2), rows) for _, rows in NARROW[:3])),
            "n = 3 > d = 2 with one query",
        ),
        Mutant(
            "many-sequences",
            partial(infeasible, tuple((z, rows[:1]) for z, rows in NARROW)),
            "n = 5 > d = 2 with T = 2",
        ),
        Mutant("many-tokens", partial(infeasible, NARROW[3:4]), "T - 1 = 3 > d = 2 with n = 1"),
        Mutant(
            "one-dimension",
            partial(infeasible, (((1,), ((1,), (2,))), ((3,), ((1,), (5,))))),
            "n = 2 > d = 1",
        ),
    ),
)
