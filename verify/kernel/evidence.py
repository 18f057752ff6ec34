"""The kinds of evidence: plain frozen data, which anyone may build and the kernel re-checks;
and what one piece of it earns.

Rationals are SymPy rationals; sampled values are exact rationals too (a float64 is one).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Symbol

from ...symbolic.derivation import Derivation

Point = tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True)
class Counterexample:
    """Values of the variables at which the statement fails.

    For `Limit`, expressions in `path`, which grows to infinity from `start`; for `Orbit`, values
    of the parameters and the number `start` of the iterate that fails; for `NoSpuriousMinimum`,
    the local minimum at `point` and a lower point `other`.
    """

    point: Point
    path: Symbol | None = None
    start: Expr | None = None
    other: Point = ()


@dataclass(frozen=True)
class Enclosure:
    """Rational boxes, one interval a variable, that ball arithmetic decides one by one.

    `around` is a box about a maximum on which the function is strictly concave.
    """

    variables: tuple[Symbol, ...]
    boxes: tuple[tuple[tuple[Fraction, Fraction], ...], ...]
    precision: int = 128
    around: tuple[Fraction, Fraction] | None = None
    witness: Fraction | None = None


@dataclass(frozen=True)
class Enumeration:
    """The cases of a statement about integers; the kernel goes through them itself.

    A variable without upper bound runs over its first `reach` values.
    """

    cases: int
    reach: int = 0


@dataclass(frozen=True)
class Multipliers:
    """Nonnegative rational multipliers: of a KKT point (Minimiser) or of Farkas (Infeasible)."""

    values: tuple[Fraction, ...]


@dataclass(frozen=True)
class RankCertificate:
    """A minor that is nonzero modulo `prime`, and rational factors that bound the rank above:
    every row is the combination of the `rows` given by `combinations`."""

    prime: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    combinations: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class DegreeCertificate:
    """A line base + t*direction along which the leading coefficient is nonzero modulo `prime`."""

    prime: int
    base: tuple[int, ...]
    direction: tuple[int, ...]


@dataclass(frozen=True)
class SeparationCertificate:
    """Bounds of the separation rank of a function: points of the two sides at which its values make
    an invertible matrix, and `factors`, if any, pairs of functions of the left and of the right
    side whose products add up to it."""

    left: tuple[tuple[Fraction, ...], ...]
    right: tuple[tuple[Fraction, ...], ...]
    factors: tuple[tuple[Expr, Expr], ...] | None = None


@dataclass(frozen=True)
class NetworkCertificate:
    """Points of the two sides of a network, with `weights` where it has none of its own.

    Modulo `prime`, its part of degree k in the right side has an invertible matrix of values at the
    first `blocks[k]` points.
    """

    prime: int
    weights: tuple[int, ...]
    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class Spectrum:
    """Asks for the squared singular values of a polynomial, enclosed with `precision` bits."""

    precision: int = 128


@dataclass(frozen=True)
class SampleBatch:
    """Batch `index` of `count` samples: sums of psi for the null hypotheses
    mean >= value+resolution, mean <= value-resolution, mean <= value, mean >= value."""

    index: int
    count: int
    sums: tuple[Fraction, Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class SequentialTest:
    """Seeded samples of `observable` at `parameters`, summed batch by batch.

    `value` is the mean that was tested; the stated one lies within `tolerance` of it.
    """

    observable: str
    parameters: tuple[tuple[str, Expr], ...]
    value: Fraction
    tolerance: Fraction
    alpha: Fraction
    scale: Fraction
    seed: int
    batch_size: int
    batches: tuple[SampleBatch, ...]


@dataclass(frozen=True)
class Trajectory:
    """Values of `observable` at growing indices of a deterministic run, with a rounding bound."""

    observable: str
    parameters: tuple[tuple[str, Expr], ...]
    rounding: Fraction
    values: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Trap:
    """A derivation that an orbit ends up where the opposite of what is stated holds for ever."""

    derivation: Derivation


@dataclass(frozen=True)
class Part:
    """Evidence about one part of an `Every`."""

    index: int
    evidence: Evidence


@dataclass(frozen=True)
class Instance:
    """Evidence about the statement with some of its variables fixed."""

    point: Point
    evidence: Evidence


Evidence = (
    Derivation
    | Counterexample
    | Enclosure
    | Enumeration
    | Multipliers
    | RankCertificate
    | DegreeCertificate
    | SeparationCertificate
    | NetworkCertificate
    | Spectrum
    | SequentialTest
    | Trajectory
    | Trap
    | Part
    | Instance
)


@dataclass(frozen=True)
class Finding:
    """What one piece of evidence earns."""

    evidence: str
    outcome: str
    detail: str
    facts: tuple[str, ...] = ()
