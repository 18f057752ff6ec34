"""Wide data are feasible: d >= max(n, T - 1) (seed 003, Optimisation; arXiv 2308.16898).

Notation: x[i, t] = x_i,opt - x_it are the token differences, z_i the queries, and the margin of
token t of sequence i is x[i, t] . W z_i. If u_i solves x[i, t] . u_i = 1 for all t and W z_i = u_i
for all i, every margin is 1. With y_i dual to the queries, W = Sum u_i y_i^T does that: for all
sizes at once, and for given sizes with u_i and y_i by Cramer's rule, where the determinants are
the genericity that is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Add, Expr, IndexedBase, Integer, Matrix, Sum, Symbol, symbols

from ..derivation import Derivation, Proof
from ..statements import REALS, Domains, Relation, integers
from .softmax import by_induction, finished

i, j, r, s, t, d, e, n = symbols("i j r s t d e n")
X, Z, U, Y = map(IndexedBase, "xzuy")
SIZES = ((1, 3, 2), (2, 2, 2), (2, 3, 2))
HALVES = (3, 4, 3)
ONE = Integer(1)


@dataclass(frozen=True)
class Wide:
    """Symbolic data of n sequences with T tokens in d dimensions: only the first n coordinates
    of a query and the first T - 1 of a difference are met by W."""

    n: int
    tokens: int
    d: int

    @property
    def queries(self) -> Matrix:
        """The queries, one a column."""
        return Matrix(self.d, self.n, lambda row, k: Symbol(f"z{k + 1}{row + 1}"))

    def differences(self, k: int) -> Matrix:
        """The differences of sequence k, one a row."""
        return Matrix(self.tokens - 1, self.d, lambda t, e: Symbol(f"x{k + 1}{t + 1}{e + 1}"))

    def names(self, k: int) -> Matrix:
        """Names for the coordinates of u_k."""
        return Matrix(self.d, 1, lambda row, _: Symbol(f"u{k + 1}{row + 1}"))

    @property
    def query_determinant(self) -> Expr:
        return self.queries[: self.n, :].det(method="berkowitz")

    def determinant(self, k: int) -> Expr:
        return self.differences(k)[:, : self.tokens - 1].det(method="berkowitz")

    def target(self, k: int) -> Matrix:
        """u_k with x[k, t] . u_k = 1 for all t, by Cramer's rule; zero beyond T - 1."""
        square = self.differences(k)[:, : self.tokens - 1]
        solved = square.adjugate() * Matrix([1] * (self.tokens - 1)) / self.determinant(k)
        return Matrix([*solved, *([0] * (self.d - self.tokens + 1))])

    def weights(self, targets: list[Matrix]) -> Matrix:
        """W = U Z^(-1), so that W z_k = u_k."""
        dual = self.queries[: self.n, :].adjugate() / self.query_determinant
        padded = dual.row_join(Matrix.zeros(self.n, self.d - self.n))
        return Matrix.hstack(*targets) * padded

    def margin(self, weights: Matrix, k: int, token: int) -> Expr:
        row, image = self.differences(k)[token, :], weights * self.queries[:, k]
        return Add(*(row[e] * image[e] for e in range(self.d)))


def _reals(*matrices: Matrix) -> Domains:
    return tuple((symbol, REALS) for matrix in matrices for symbol in matrix)


def derive_feasible() -> Derivation:
    """Margins of 1 for wide data, of all sizes from dual queries and of some by determinants."""
    proof = Proof()
    parts = [_all_sizes(proof), _pair(proof)]
    for size in SIZES:
        parts += _size(proof, Wide(*size))
    parts += _halves(proof, Wide(*HALVES))
    return finished(proof, parts)


def _mapped(proof: Proof, wide: Wide, k: int) -> list[int]:
    """W z_k = u_k for any u, coordinate by coordinate."""
    names = [wide.names(e) for e in range(wide.n)]
    generic = (Relation(wide.query_determinant, "!=", Integer(0)),)
    images = wide.weights(names) * wide.queries[:, k]
    over = _reals(wide.queries, *names)
    return [
        proof.relate(image, "=", names[k][row], "field", over=over, given=generic)
        for row, image in enumerate(images)
    ]


def _met(proof: Proof, wide: Wide, k: int, token: int) -> int:
    """x[k, token] . u_k = 1 for u_k by Cramer's rule."""
    rows = wide.differences(k)
    given = (Relation(wide.determinant(k), "!=", Integer(0)),)
    product = (rows[token, :] * wide.target(k))[0]
    return proof.relate(product, "=", 1, "field", over=_reals(rows), given=given)


def _size(proof: Proof, wide: Wide) -> list[int]:
    """Every margin is 1 under W = U Z^(-1), with u_k by Cramer's rule."""
    targets = [wide.target(k) for k in range(wide.n)]
    data = [wide.differences(k) for k in range(wide.n)]
    over = _reals(wide.queries, *data)
    determinants = (wide.query_determinant, *(wide.determinant(k) for k in range(wide.n)))
    generic = tuple(Relation(found, "!=", Integer(0)) for found in determinants)
    weights = wide.weights(targets)
    values = {
        str(name): value
        for k in range(wide.n)
        for name, value in zip(wide.names(k), targets[k], strict=True)
    }
    chain, lines = _chain(proof, wide.d), []
    for k in range(wide.n):
        images = list(weights * wide.queries[:, k])
        shown = [
            proof.relate(
                *(image, "=", value, "substitute", line), over=over, given=generic, **values
            )
            for image, value, line in zip(images, targets[k], _mapped(proof, wide, k), strict=True)
        ]
        for token in range(wide.tokens - 1):
            put = {f"x{e + 1}": data[k][token, e] for e in range(wide.d)}
            put |= {f"u{e + 1}": targets[k][e] for e in range(wide.d)}
            put |= {f"v{e + 1}": images[e] for e in range(wide.d)}
            met = _met(proof, wide, k, token)
            margin = wide.margin(weights, k, token)
            lines.append(
                proof.relate(
                    *(margin, "=", 1, "substitute", chain, *shown, met),
                    over=over, given=generic, **put,
                )
            )  # fmt: skip
    return lines


def _halves(proof: Proof, wide: Wide) -> list[int]:
    """W z_1 = u_1 for any u, and x[1, t] . u_1 = 1 for u_1 by Cramer's rule."""
    return [
        *_mapped(proof, wide, 0),
        *(_met(proof, wide, 0, token) for token in range(wide.tokens - 1)),
    ]


def _chain(proof: Proof, size: int) -> int:
    """v = u and x . u = 1: x . v = 1."""
    x, u, v = (symbols(f"{name}1:{size + 1}") for name in "xuv")
    over = tuple((symbol, REALS) for symbol in (*x, *u, *v))
    dots = tuple(Add(*(a * b for a, b in zip(x, other, strict=True))) for other in (u, v))
    given = (
        *(Relation(a, "=", b) for a, b in zip(v, u, strict=True)), Relation(dots[0], "=", ONE),
    )  # fmt: skip
    held = [proof.relate(h.lhs, "=", h.rhs, "hypothesis", over=over, given=given) for h in given]
    factors = {f"c{e + 1}": x[e] for e in range(size)}
    return proof.relate(dots[1], "=", 1, "linear", *held, over=over, given=given, **factors)


DATA: Domains = ((X, REALS), (Z, REALS), (U, REALS), (Y, REALS))
COLUMN = (s, integers(1))
WIDTH = (d, integers(1))
COUNT = (n, integers(1))


def dual(row: Expr) -> Expr:
    """y_row . z"""
    return Sum(Y[row, t] * Z[t], (t, 1, d))


def image(column: Expr) -> Expr:
    """Coordinate `column` of W z with W = Sum u_i y_i^T."""
    return Sum(Sum(U[i, column] * Y[i, t], (i, 1, n)) * Z[t], (t, 1, d))


def _all_sizes(proof: Proof) -> int:
    """For the query z of the first sequence: W z = u_1, and x . u_1 = 1 makes the margin 1."""
    given = (
        Relation(dual(ONE), "=", ONE),
        Relation(dual(j), "=", Integer(0), ((j, integers(2)),)),
    )
    mapped = _image_is_target(proof, given)
    last = (*DATA, WIDTH, COUNT, (e, integers(1)))
    sides = (Sum(X[r] * image(r), (r, 1, e)), Sum(X[r] * U[1, r], (r, 1, e)))
    first = proof.relate(
        *(image(ONE), "=", U[1, 1], "substitute", mapped), over=last[:-1], given=given, s=1
    )
    base = proof.relate(
        *(X[1] * image(ONE), "=", X[1] * U[1, 1], "linear", first),
        over=last[:-1], given=given, c1=X[1],
    )  # fmt: skip
    goal = Relation(*(sides[0], "=", sides[1]), last, given)
    held = (*given, Relation(*(sides[0], "=", sides[1])))
    added = proof.relate(
        *(image(e + 1), "=", U[1, e + 1], "substitute", mapped), over=last, given=held, s=e + 1
    )
    total = by_induction(proof, goal, base, added, c2=X[e + 1])
    whole = tuple(side.subs(e, d) for side in sides)
    solved = (*given, Relation(whole[1], "=", ONE))
    over = (*DATA, WIDTH, COUNT)
    same = proof.relate(whole[0], "=", whole[1], "substitute", total, over=over, given=solved, e=d)
    one = proof.relate(whole[1], "=", 1, "hypothesis", over=over, given=solved)
    return proof.relate(whole[0], "=", 1, "linear", same, one, over=over, given=solved)


def _pair(proof: Proof) -> int:
    """Two sequences in the plane: x . W z = (x . u)(y . z) + (x . v)(w . z)."""
    x, z, u, y, v, w = (Matrix(symbols(f"{name}1:3")) for name in "xzuyvw")
    given = (
        Relation(y.dot(z), "=", ONE),
        Relation(w.dot(z), "=", Integer(0)),
        Relation(x.dot(u), "=", ONE),
    )
    over = _reals(x, z, u, y, v, w)
    held = [proof.relate(h.lhs, "=", h.rhs, "hypothesis", over=over, given=given) for h in given]
    margin = x.dot((u * y.T + v * w.T) * z)
    return proof.relate(
        *(margin, "=", 1, "linear", *held), over=over, given=given, c1=x.dot(u), c2=x.dot(v)
    )


def _image_is_target(proof: Proof, given: tuple[Relation, ...]) -> int:
    """(W z)_s = u_1s: exchange the sums, then only the first y_i meets z."""
    exchanged = _exchange(proof)
    over = (*DATA, COLUMN, WIDTH, COUNT)
    mixed = Sum(U[i, s] * dual(i), (i, 1, n))
    goal = Relation(mixed, "=", U[1, s], over, given)
    held = (*given, Relation(mixed, "=", U[1, s]))
    one = proof.relate(dual(ONE), "=", 1, "hypothesis", over=over[:-1], given=given)
    base = proof.relate(
        U[1, s] * dual(ONE), "=", U[1, s], "linear", one, over=over[:-1], given=given, c1=U[1, s]
    )
    general = proof.relate(
        *(dual(j), "=", 0, "hypothesis"), over=(*over[:-1], (j, integers(2))), given=given
    )
    zero = proof.relate(dual(n + 1), "=", 0, "substitute", general, over=over, given=held, j=n + 1)
    picked = by_induction(proof, goal, base, zero, c2=U[n + 1, s])
    return proof.relate(image(s), "=", U[1, s], "linear", exchanged, picked, over=over, given=given)


def _exchange(proof: Proof) -> int:
    """Sum_t (Sum_i u_i y_it) z_t = Sum_i u_i (Sum_t y_it z_t), by induction on d."""
    over = (*DATA, COLUMN, COUNT, WIDTH)
    mixed = Sum(U[i, s] * dual(i), (i, 1, n))
    column = Sum(U[i, s] * Y[i, d + 1], (i, 1, n))
    longer = mixed.subs(d, d + 1)
    first = _last_term(proof, (), Integer(0))
    base = proof.relate(
        *(image(s).subs(d, 1), "=", mixed.subs(d, 1), "linear"),
        proof.relate(
            mixed.subs(d, 1), "=", Z[1] * Sum(U[i, s] * Y[i, 1], (i, 1, n)), "substitute", first,
            over=over[:-1], e=1,
        ),
        over=over[:-1], c1=-1,
    )  # fmt: skip
    split = _last_term(proof, (WIDTH,), dual(i))
    held = (Relation(image(s), "=", mixed),)
    added = proof.relate(
        *(longer, "=", mixed + Z[d + 1] * column, "substitute", split),
        over=over, given=held, e=d + 1,
    )  # fmt: skip
    return by_induction(proof, Relation(image(s), "=", mixed, over), base, added, c2=Integer(-1))


def _last_term(proof: Proof, width: Domains, shorter: Expr) -> int:
    """Sum_i u_i (Sum_(t <= e) y_it z_t) with the last t written out, e = d + 1 (or 1): under
    another name, as a bound inside a sum is not taken apart."""
    last = d + 1 if width else ONE
    only = (e, integers(last, last))
    rows = (*DATA, (r, integers(1)), *width)

    def row(index: Expr, bound: Expr) -> Expr:
        return Sum(Y[index, t] * Z[t], (t, 1, bound))

    def apart(index: Expr) -> Expr:
        return shorter.subs(i, index) + Y[index, last] * Z[last]

    at_last = proof.relate(row(r, last), "=", apart(r), "field", over=rows)
    named = proof.relate(row(r, e), "=", apart(r), "point", at_last, over=(*rows, only))
    over = (*DATA, COLUMN, *width, only, COUNT)
    before = Sum(U[i, s] * shorter, (i, 1, n)) if width else Integer(0)
    lhs = Sum(U[i, s] * row(i, e), (i, 1, n))
    rhs = before + Z[last] * Sum(U[i, s] * Y[i, last], (i, 1, n))
    equal = proof.relate(last, "<=", last, "sign", over=width)
    most = proof.relate(e, "<=", last, "point", equal, over=(*width, only))
    first = proof.relate(
        row(ONE, e), "=", apart(ONE), "substitute", named, most, over=over[:-1], r=1
    )
    base = proof.relate(
        *(U[1, s] * row(ONE, e), "=", U[1, s] * apart(ONE), "linear", first),
        over=over[:-1], c1=U[1, s],
    )  # fmt: skip
    added = proof.relate(
        *(row(n + 1, e), "=", apart(n + 1), "substitute", named, most),
        over=over, given=(Relation(lhs, "=", rhs),), r=n + 1,
    )  # fmt: skip
    return by_induction(proof, Relation(lhs, "=", rhs, over), base, added, c2=U[n + 1, s])
