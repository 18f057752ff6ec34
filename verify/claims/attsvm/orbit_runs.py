"""Evidence about orbits: derivations by the known arguments, traps, iterates that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice, product

from sympy import Expr, Integer, Rational, lambdify, symbols

from ....symbolic.attsvm import orbits as loc
from ....symbolic.attsvm import orbits_equal as equal
from ....symbolic.attsvm import orbits_window as window
from ....symbolic.attsvm.regions import iterates
from ....symbolic.derivation import Derivation
from ....symbolic.statements import (
    Domain,
    Domains,
    Every,
    Minimiser,
    Operator,
    Orbit,
    Relation,
    Statement,
)
from ...claim import Settings
from ...kernel.evidence import Counterexample, Evidence, Part, Trap
from .margins import certify_systems

OPPOSITE: dict[Operator, Operator] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
SLOWEST = Rational(1, 10)
RATES_USED = (symbols("eta"), SLOWEST, Rational(1, 2), Integer(1), Integer(2), Integer(4))
MOST_COPIES = 6
SOON, LATE = 40, 3_000


def follow(statement: Statement, settings: Settings) -> tuple[Evidence, ...]:
    """Exact multipliers of a shortest point; of an orbit a derivation, a trap or an iterate."""
    match statement:
        case Every(parts):
            found: list[Part] = []
            for index, part in enumerate(parts):
                found += (Part(index, item) for item in follow(part, settings))
                # No later part can save a statement of which one part is refuted.
                if found and isinstance(found[-1].evidence, Counterexample | Trap):
                    break
            return tuple(found)
        case Relation():
            return (loc.derive_descent(statement),)
        case Minimiser():
            return certify_systems(statement, settings)
        case Orbit(eventually=True):
            return _eventual(statement)
        case Orbit():
            return _stray(statement, SOON) or _derived(statement) or _stray(statement, LATE)
    return ()


def _eventual(orbit: Orbit) -> tuple[Evidence, ...]:
    """A derivation of the orbit, or a trap: one of the opposite."""
    holds = orbit.holds
    opposite = replace(orbit, holds=Relation(holds.lhs, OPPOSITE[holds.op], holds.rhs))
    return _derived(orbit) or tuple(map(Trap, _derived(opposite)))


def _derived(orbit: Orbit) -> tuple[Derivation, ...]:
    """Derivations of the orbit by the arguments that there are for its map, at most one."""
    for argument in _arguments().get(orbit.step, ()):
        try:
            return (argument(orbit),)
        except ValueError:
            continue
    return ()


@cache
def _arguments() -> dict[tuple, tuple[Callable[[Orbit], Derivation], ...]]:
    """The maps that are known, with the derivations about each."""
    known: dict[tuple, tuple[Callable[[Orbit], Derivation], ...]] = {}
    for rate, counted in product(RATES_USED, (True, False)):
        known[loc.loc_step(rate, counted)] = (
            partial(loc.derive_escape, rate=rate),
            partial(loc.derive_capture, rate=rate),
        )
    for rate, counted, copies in product(RATES_USED[1:], (True, False), range(1, MOST_COPIES + 1)):
        known[equal.equal_step(copies, rate, counted)] = (
            partial(equal.derive_equal_escape, copies=copies, rate=rate),
            partial(window.derive_equal_capture, copies=copies, rate=rate),
        )
    return known


def _stray(orbit: Orbit, most: int) -> tuple[Counterexample, ...]:
    """An early iterate at which floats see the relation fail, at some values of the parameters."""
    names = [variable for variable, _ in orbit.step]
    for values in _samples(orbit.over):
        sides = (side.xreplace(values) for side in (orbit.holds.lhs, orbit.holds.rhs))
        left, right = (lambdify(names, side, "math") for side in sides)
        below = orbit.holds.op in ("<", "<=")
        for number, here in enumerate(islice(iterates(orbit, values), most)):
            gap = left(*here) - right(*here)
            if (gap if below else -gap) > 1e-9 * (1 + abs(left(*here))):
                return (Counterexample(tuple(values.items()), start=Integer(number)),)
    return ()


def _samples(over: Domains) -> Iterator[dict[Expr, Expr]]:
    choices = [_sample(domain) for _, domain in over]
    for values in product(*choices):
        yield {variable: value for (variable, _), value in zip(over, values, strict=True)}


def _sample(domain: Domain) -> tuple[Expr, ...]:
    inner = domain.low + Rational(1, 2), domain.low + 4
    return inner if domain.low_open else (domain.low, *inner)
