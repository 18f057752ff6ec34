"""Results for other programs: JSON documents and JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from .record import SCHEMA

if TYPE_CHECKING:
    from .claim import Claim
    from .runner import Result

# What XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def listing(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """`lemmata list --json`."""
    return [
        {
            "id": claim.id,
            "family": claim.family,
            "title": claim.title,
            "source": claim.source,
            "expected": claim.expected,
            "uses": list(claim.uses),
            "corrected_by": claim.corrected_by,
        }
        for claim in claims
    ]


def verification(results: Sequence[Result], environment: Mapping[str, Any]) -> dict[str, Any]:
    """`lemmata verify --json`; the evidence itself is in the run folder."""
    return {
        "schema": SCHEMA,
        "environment": dict(environment),
        "claims": [_claim(result) for result in results],
    }


def _claim(result: Result) -> dict[str, Any]:
    findings = result.record["verdict"]["findings"]
    entry: dict[str, Any] = {
        "id": result.id,
        "verdict": result.outcome,
        "expected": result.expected,
        "facts": list(result.facts),
        "seconds": result.seconds,
        "evidence": [
            {
                "kind": finding["evidence"],
                "outcome": finding["outcome"],
                "detail": finding["detail"],
            }
            for finding in findings
        ],
    }
    if result.total is not None:
        entry["mutants"] = {"killed": result.killed, "total": result.total}
    return entry


def mutation(results: Sequence[Result]) -> dict[str, Any]:
    """`lemmata mutants --json`."""
    return {
        "claims": [{"id": r.id, "killed": r.killed or 0, "total": r.total or 0} for r in results]
    }


def junit(failures: Mapping[str, str], results: Sequence[Result]) -> str:
    """JUnit XML: a test case a claim, failed with the text that `failures` has for its id."""
    suite = ElementTree.Element(
        "testsuite",
        name="lemmata",
        tests=str(len(results)),
        failures=str(sum(result.id in failures for result in results)),
        errors="0",
        skipped="0",
        time=f"{sum(result.seconds for result in results):.3f}",
    )
    for result in results:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=result.family,
            name=result.id,
            time=f"{result.seconds:.3f}",
        )
        if result.id in failures:
            text = NOT_XML.sub("\ufffd", failures[result.id])
            failure = ElementTree.SubElement(
                case, "failure", type=result.outcome, message=text.partition("\n")[0]
            )
            failure.text = text
        output = ElementTree.SubElement(case, "system-out")
        output.text = NOT_XML.sub("\ufffd", f"{result.outcome}: {result.detail}")
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="utf-8").decode("utf-8") + "\n"
