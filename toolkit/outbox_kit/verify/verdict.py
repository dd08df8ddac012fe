"""Findings to a verdict: pass, fail or inconclusive; could not look is not a pass. Pure."""

from collections.abc import Iterable
from enum import StrEnum

from outbox_kit.finding import Finding, Severity


class Verdict(StrEnum):
    """What is said in the end."""

    passed = "pass"
    failed = "fail"
    inconclusive = "inconclusive"


EXIT_CODES = {Verdict.passed: 0, Verdict.failed: 1, Verdict.inconclusive: 3}


def verdict(findings: Iterable[Finding], fail_on: Severity) -> Verdict:
    """The verdict that findings give."""
    return worst((finding.severity for finding in findings), fail_on)


def worst(severities: Iterable[Severity], fail_on: Severity = Severity.error) -> Verdict:
    """Fail wins over inconclusive: what was found is found, however much was not looked at."""
    found = set(severities)
    failing = {Severity.error} | ({Severity.warning} if fail_on is Severity.warning else set())
    if found & failing:
        return Verdict.failed
    return Verdict.inconclusive if Severity.inconclusive in found else Verdict.passed
