"""Claims, the kernel that judges them, the runner and the command line.

    from lemmata.verify import Claim, verify, assert_holds

Names are loaded on first use, so that importing this package costs nothing; see `__all__`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..symbolic.derivation import Derivation, Line
    from ..symbolic.statements import (
        REALS,
        Attention,
        Domain,
        EpsilonRank,
        Every,
        Function,
        Hadamard,
        Infeasible,
        Limit,
        Maximum,
        MaximumValue,
        Mean,
        Minimiser,
        NoSpuriousMinimum,
        Orbit,
        PolynomialDegree,
        Rank,
        Relation,
        SeparationRank,
        Trend,
        above,
        integers,
        interval,
    )
    from .assertions import assert_holds, assert_refuted
    from .catalogue import Catalogue
    from .claim import Claim, Mutant, Settings
    from .kernel import Verdict
    from .runner import Result, Run
    from .targets import verify

_HOME = {
    "Catalogue": ".catalogue",
    "Claim": ".claim",
    "Mutant": ".claim",
    "Result": ".runner",
    "Run": ".runner",
    "Settings": ".claim",
    "Verdict": ".kernel",
    "assert_holds": ".assertions",
    "assert_refuted": ".assertions",
    "verify": ".targets",
    "Derivation": "..symbolic.derivation",
    "Line": "..symbolic.derivation",
}

__all__ = [
    "REALS",
    "Attention",
    "Catalogue",
    "Claim",
    "Derivation",
    "Domain",
    "EpsilonRank",
    "Every",
    "Function",
    "Hadamard",
    "Infeasible",
    "Limit",
    "Line",
    "Maximum",
    "MaximumValue",
    "Mean",
    "Minimiser",
    "Mutant",
    "NoSpuriousMinimum",
    "Orbit",
    "PolynomialDegree",
    "Rank",
    "Relation",
    "Result",
    "Run",
    "SeparationRank",
    "Settings",
    "Trend",
    "Verdict",
    "above",
    "assert_holds",
    "assert_refuted",
    "integers",
    "interval",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "..symbolic.statements"), __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
