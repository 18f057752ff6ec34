"""The pytest plugin: claims as tests.

    @pytest.mark.claims("degree.*")
    def test_theory(claim):
        assert not claim.errors

runs once a claim, as `test_theory[degree.optimum]` and so on, and fails unless the claim gets
the verdict it expects. The fixture `claim` is the result; a test that does not look at it need
not name it. The marker takes what `lemmata verify` takes: ids, globs, and a file of claims,
looked for beside the test file; `profile`, `seed` and `device` are keywords. Inside a test,
`check_claim("degree.optimum")` checks one claim and returns its result.

Nothing is loaded until a test asks for a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .claim import Claim, Settings
    from .runner import Result
    from .targets import Selection

MARKER = (
    "claims(*targets, profile='quick', seed=0, device='auto'): run the test once for each of "
    "these claims (ids, globs, a file) and fail unless it gets the verdict it expects."
)
CHECKED = pytest.StashKey["tuple[Result, str]"]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("claims")
    if marker is None:
        return
    from .errors import VerifyError

    try:
        settings = _settings(marker.kwargs)
        selection = _select(marker.args, metafunc.definition.path)
    except VerifyError as error:
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: {error}") from None
    if "claim" not in metafunc.fixturenames:
        metafunc.fixturenames.append("claim")
    cases = [pytest.param((selection, one.id, settings), id=one.id) for one in selection.claims]
    metafunc.parametrize("claim", cases, indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("claims") is None:
        return
    callspec = getattr(item, "callspec", None)
    if callspec is None or "claim" not in callspec.params:
        pytest.fail("the marker `claims` works on test functions only", pytrace=False)
    item.stash[CHECKED] = _check(*callspec.params["claim"])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """A claim without the verdict it expects fails the test, before its body runs."""
    _, failure = item.stash.get(CHECKED, (None, ""))
    if failure:
        pytest.fail(failure, pytrace=False)


@pytest.fixture
def claim(request: pytest.FixtureRequest) -> Result:
    """The result of the claim that this test is about; see the marker `claims`."""
    if CHECKED not in request.node.stash:
        pytest.fail(
            "the fixture `claim` needs the marker: @pytest.mark.claims('family.*')", pytrace=False
        )
    return request.node.stash[CHECKED][0]


@pytest.fixture
def check_claim(request: pytest.FixtureRequest) -> Callable[..., Result]:
    """`check_claim(target, profile=..., seed=...)`: the result of one claim, given by its id or
    as a value; the test fails unless it gets the verdict it expects."""

    def check(target: str | Claim, **settings: Any) -> Result:
        __tracebackhide__ = True
        selection = _select((target,), request.path)
        ids = [one.id for one in selection.claims]
        if len(ids) != 1:
            pytest.fail(f"check_claim: expected one claim; got {', '.join(ids)}", pytrace=False)
        result, failure = _check(selection, ids[0], _settings(settings))
        if failure:
            pytest.fail(failure, pytrace=False)
        return result

    return check


def _settings(named: Mapping[str, Any]) -> Settings:
    from .claim import ClaimError, Settings

    try:
        return Settings(**named)
    except TypeError as error:
        raise ClaimError(f"settings: {error}") from None


def _select(targets: tuple[str | Claim, ...], test_file: Path) -> Selection:
    from .errors import VerifyError
    from .targets import select_any

    if not targets:
        raise VerifyError("expected the ids of claims, a glob or a file; got nothing.")
    return select_any(targets, test_file.parent)


def _check(selection: Selection, id: str, settings: Settings) -> tuple[Result, str]:
    """The result, and why it is not the one expected; empty when it is."""
    from dataclasses import replace

    from .failures import verdict_failure
    from .targets import check_now

    one = replace(selection, claims=(selection.catalogue[id],))
    (result,) = (found for found in check_now(one, settings).results if found.id == id)
    if result.as_expected:
        return result, ""
    return result, verdict_failure(result, result.expected, selection.command(id, settings))
