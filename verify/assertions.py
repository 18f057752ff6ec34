"""Assertions about claims and statements, for scripts and any test framework.

    assert_holds("degree.optimum")
    assert_holds(Relation(log(3) / 3, ">", log(2) / 2))
    assert_refuted("degree.integral-slip")

The verdict is made here and now, in this process; no record is kept.
"""

from __future__ import annotations

from collections.abc import Collection

from ..symbolic.statements import Statement
from .claim import Claim, Settings
from .failures import verdict_failure
from .targets import check_now, select_any

HOLDING = ("proved", "certified", "confirmed")
REFUTED = ("refuted",)


def assert_holds(target: str | Claim | Statement, *, settings: Settings | None = None) -> None:
    """Raise AssertionError unless the target is proved, certified or confirmed.

    `target` is a claim's id, a glob (all that match must hold), the name of a file of claims, a
    claim, or a bare statement, for which a proof or a counterexample is looked for.
    """
    __tracebackhide__ = True
    _demand(target, HOLDING, settings)


def assert_refuted(target: str | Claim | Statement, *, settings: Settings | None = None) -> None:
    """Raise AssertionError unless the target, as for `assert_holds`, is refuted."""
    __tracebackhide__ = True
    _demand(target, REFUTED, settings)


def _demand(
    target: str | Claim | Statement, wanted: Collection[str], settings: Settings | None
) -> None:
    __tracebackhide__ = True
    named = target if isinstance(target, str | Claim) else _bare(target)
    selection = select_any((named,))
    settings = settings or Settings()
    asked = {claim.id for claim in selection.claims}
    failed = [
        verdict_failure(result, " or ".join(wanted), selection.command(result.id, settings))
        for result in check_now(selection, settings).results
        if result.id in asked and result.outcome not in wanted
    ]
    if failed:
        raise AssertionError("\n\n".join(failed))


def _bare(statement: Statement) -> Claim:
    return Claim("given.statement", "the statement given", statement, source="the caller")
