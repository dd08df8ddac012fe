"""The verdict that findings give: pass, fail or inconclusive. What could not be examined is not a pass. Pure."""

from collections.abc import Iterable
from enum import StrEnum

from outbox_kit.findings.finding import Finding
from outbox_kit.findings.rule import WEIGHTS, Severity


class Verdict(StrEnum):
    """The result of a run."""

    passed = "pass"
    failed = "fail"
    inconclusive = "inconclusive"


EXIT_CODES = {Verdict.passed: 0, Verdict.failed: 1, Verdict.inconclusive: 3}
WORST_FIRST = (Verdict.failed, Verdict.inconclusive, Verdict.passed)


def verdict(findings: Iterable[Finding], fail_on: Severity = Severity.error) -> Verdict:
    """The verdict of findings. fail_on: the least severity that fails: error, warning or info.

    Fail outweighs inconclusive: a fault stays a fault, whatever was not examined.
    """
    counted = {finding.severity for finding in findings if not finding.accepted}
    if any(WEIGHTS[severity] <= WEIGHTS[fail_on] for severity in counted - {Severity.inconclusive}):
        return Verdict.failed
    return Verdict.inconclusive if Severity.inconclusive in counted else Verdict.passed
