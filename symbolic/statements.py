"""The language of statements: what a claim may say.

Pure data, no logic. Every expression is an exact SymPy expression in plain symbols (no
assumptions attached); what is known about a symbol stands in `over` and `given`, where the
kernel can see it. A statement is read as: for all values of its variables in their domains
that satisfy every relation of `given`, all expressions are defined, real and finite, and the
conclusion holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sympy import Expr, Indexed, IndexedBase, Integer, Symbol, oo

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
Variable = Symbol | IndexedBase


@dataclass(frozen=True)
class Domain:
    """An interval of reals or of integers; an infinite end is always open."""

    low: Expr = -oo
    high: Expr = oo
    low_open: bool = True
    high_open: bool = True
    integer: bool = False

    def __str__(self) -> str:
        kind = "the integers of " if self.integer else ""
        ends = ("(" if self.low_open else "[", ")" if self.high_open else "]")
        return f"{kind}{ends[0]}{self.low}, {self.high}{ends[1]}"


REALS = Domain()
ONE, THREE = Integer(1), Integer(3)


def interval(low: Expr | int, high: Expr | int, ends: str = "()") -> Domain:
    """The real interval from `low` to `high`; `ends` is one of "()", "[]", "(]", "[)"."""
    if ends not in ("()", "[]", "(]", "[)"):
        raise ValueError(f"ends: expected one of '()', '[]', '(]', '[)'; got {ends!r}")
    low_open, high_open = ends[0] == "(", ends[1] == ")"
    return Domain(_exact(low), _exact(high), low_open or low == -oo, high_open or high == oo)


def above(low: Expr | int) -> Domain:
    """All reals greater than `low`."""
    return interval(low, oo)


def integers(low: Expr | int = -oo, high: Expr | int = oo) -> Domain:
    """The integers from `low` to `high`, both included where finite."""
    return Domain(_exact(low), _exact(high), low == -oo, high == oo, integer=True)


def _exact(value: Expr | int) -> Expr:
    if isinstance(value, Expr):
        return value
    if isinstance(value, int):
        return Integer(value)
    raise ValueError(
        f"a bound must be an integer or an exact SymPy expression; got {value!r}. "
        "Write 1/2 as Rational(1, 2)."
    )


Domains = tuple[tuple[Variable, Domain], ...]


@dataclass(frozen=True)
class Relation:
    """lhs op rhs."""

    lhs: Expr
    op: Operator
    rhs: Expr
    over: Domains = ()
    given: tuple[Relation, ...] = ()

    def __str__(self) -> str:
        return f"{self.lhs} {self.op} {self.rhs}"


@dataclass(frozen=True)
class Maximum:
    """`function` of `variable` has its only maximum over `domain` at `at`."""

    function: Expr
    variable: Symbol
    domain: Domain
    at: Expr
    over: Domains = ()
    given: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class MaximumValue:
    """The supremum of `function` over `domain` lies between `low` and `high`."""

    function: Expr
    variable: Symbol
    domain: Domain
    low: Expr
    high: Expr


@dataclass(frozen=True)
class Limit:
    """Along every path in the domain on which each expression of `tends` tends to its target,
    `expression` tends to `value`."""

    expression: Expr
    value: Expr
    tends: tuple[tuple[Expr, Expr], ...]
    over: Domains = ()
    given: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class Rank:
    """The rational matrix with these rows has rank `value`."""

    matrix: tuple[tuple[Expr, ...], ...]
    value: int


@dataclass(frozen=True)
class PolynomialDegree:
    """`polynomial` (over the integers, expanded or not) has total degree `value`."""

    polynomial: Expr
    variables: tuple[Symbol, ...]
    value: Expr


@dataclass(frozen=True)
class Minimiser:
    """`point` is the only minimiser of |x|^2 subject to rows . x >= bounds (all rational)."""

    rows: tuple[tuple[Expr, ...], ...]
    bounds: tuple[Expr, ...]
    point: tuple[Expr, ...]


@dataclass(frozen=True)
class Infeasible:
    """No x satisfies rows . x >= bounds (all rational)."""

    rows: tuple[tuple[Expr, ...], ...]
    bounds: tuple[Expr, ...]


@dataclass(frozen=True)
class Mean:
    """The mean of a random quantity equals `value`; of a relation, its probability does.

    `quantity` defines it in independent variables with the given `laws` ("normal": standard
    normal, "sign": uniform on -1, 1, "1..6": uniform on these integers; of a sequence, each entry)
    and in the parameters `over`.
    `observable` and `parameters` name the simulation that samples the same quantity, `variance`
    bounds its variance and `resolution` is the distance from `value` that an experiment must be
    able to see.
    """

    quantity: Expr | Relation
    laws: tuple[tuple[Variable, str], ...]
    value: Expr
    observable: str = ""
    parameters: tuple[tuple[str, Expr], ...] = ()
    variance: Expr | None = None
    resolution: Expr | None = None
    over: Domains = ()


@dataclass(frozen=True)
class Orbit:
    """The iteration x -> step(x) from `start` satisfies `holds` at every iterate, the start
    included; with `eventually`, at every iterate from some index on."""

    step: tuple[tuple[Symbol, Expr], ...]
    start: tuple[tuple[Symbol, Expr], ...]
    holds: Relation
    eventually: bool = False
    over: Domains = ()


@dataclass(frozen=True)
class Function:
    """A function of the variables of a left and of a right side, each in its domain."""

    expression: Expr
    left: Domains
    right: Domains


@dataclass(frozen=True)
class Attention:
    """Linear attention of odd degree; `tokens` tokens on the left side, as many on the right.

    A layer maps the tokens X, one a row, to the sum over its heads of X W_1 G W_2 W_3 G ... W_k
    with G = X^T X and k = degree - 1: for degree 3, X W_1 G W_2. Each W_i = U_i V_i, where U_i has
    floor(width/heads) columns. The output is the first coordinate of the first token, which is on
    the left, after the last layer. `weights` are U_1, V_1, U_2, ... row by row, head by head and
    layer by layer; none stand for all real weights.
    """

    layers: Expr
    width: Expr
    tokens: Expr
    heads: Expr = ONE
    degree: Expr = THREE
    weights: tuple[int, ...] = ()


@dataclass(frozen=True)
class Hadamard:
    """Entrywise products: `depth` layers z -> (W_1 z) * ... * (W_degree z), then <readout, z>.

    The inputs are `inputs` numbers of the left side, then as many of the right. The W_i have
    `width` rows. `weights` are W_1, W_2, ... row by row, layer by layer, then the readout; none
    stand for all real weights.
    """

    inputs: Expr
    width: Expr
    degree: Expr
    depth: Expr
    weights: tuple[int, ...] = ()


@dataclass(frozen=True)
class SeparationRank:
    """The separation rank of `function`, the least R with which it is a sum of R products
    g(left) h(right), is in the relation `op` to `value`; of a network without weights, the largest
    over all real weights."""

    function: Function | Attention | Hadamard
    op: Operator
    value: Expr
    over: Domains = ()
    given: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class EpsilonRank:
    """The least R for which a sum of R products g(left) h(right) lies within the mean squared
    distance `epsilon` of the polynomial `function` is `value`.

    The variables are independent; `law` is "uniform" (on the domain of each) or "normal".
    """

    function: Function
    law: str
    epsilon: Expr
    value: Expr


@dataclass(frozen=True)
class Trend:
    """The recorded sequence `observable` stays within `budget` (of `index`) of `value`."""

    observable: str
    parameters: tuple[tuple[str, Expr], ...]
    value: Expr
    budget: Expr
    index: Symbol


@dataclass(frozen=True)
class NoSpuriousMinimum:
    """Every local minimum of the polynomial `loss` in `variables` is a global one."""

    loss: Expr
    variables: tuple[Symbol, ...]


@dataclass(frozen=True)
class Every:
    """All of `parts` hold."""

    parts: tuple[Statement, ...]


Statement = (
    Relation
    | Maximum
    | MaximumValue
    | Limit
    | Rank
    | PolynomialDegree
    | Minimiser
    | Infeasible
    | Mean
    | Orbit
    | SeparationRank
    | EpsilonRank
    | Trend
    | NoSpuriousMinimum
    | Every
)

__all__ = [
    "REALS",
    "Attention",
    "Domain",
    "Domains",
    "EpsilonRank",
    "Every",
    "Function",
    "Hadamard",
    "Indexed",
    "Infeasible",
    "Limit",
    "Maximum",
    "MaximumValue",
    "Mean",
    "Minimiser",
    "NoSpuriousMinimum",
    "Operator",
    "Orbit",
    "PolynomialDegree",
    "Rank",
    "Relation",
    "SeparationRank",
    "Statement",
    "Trend",
    "Variable",
    "above",
    "integers",
    "interval",
]
