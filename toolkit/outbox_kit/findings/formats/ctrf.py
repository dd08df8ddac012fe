"""The report in the Common Test Report Format: a test for each rule on each subject."""

from collections.abc import Sequence
from typing import Any

from outbox_kit import __version__
from outbox_kit.findings.finding import Finding, by_weight
from outbox_kit.findings.formats.junit import case_lines
from outbox_kit.findings.report import Report, Suite, suite_name
from outbox_kit.findings.rule import Rule, Severity
from outbox_kit.printable import as_json, encodable

CLEAN = encodable
STATUS = {Severity.error: "failed", Severity.inconclusive: "other", Severity.warning: "passed", Severity.info: "passed"}
STATUSES = ("passed", "failed", "pending", "skipped", "other")


def render(report: Report) -> str:
    """The report as CTRF's JSON."""
    tests = [_test(suite, *case) for suite in report.suites for case in suite.cases()]
    summary = {
        "tests": len(tests),
        **{status: sum(test["status"] == status for test in tests) for status in STATUSES},
        "start": report.started_ms,
        "stop": report.started_ms + round(report.seconds * 1000),
        "extra": {"headline": report.headline},
    }
    results = {"tool": {"name": "outbox-kit", "version": __version__}, "summary": summary, "tests": tests}
    return as_json({"reportFormat": "CTRF", "specVersion": "1.0.0", "results": results})


def _test(suite: Suite, rule: Rule, findings: Sequence[Finding], unchecked: str) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": f"{rule.id} {rule.title}",
        "status": "skipped" if unchecked else "passed",
        "duration": 0,
        "suite": [suite_name(suite.name)],
        "tags": [rule.group.title],
    }
    if unchecked:
        test["message"] = f"not checked: {unchecked}"
    if findings:
        worst = min(findings, key=by_weight)
        test["status"] = "skipped" if worst.accepted else STATUS[worst.severity]
        test["message"] = worst.accepted or f"{sum(finding.count for finding in findings)} times"
        test["trace"] = "\n".join(line for finding in findings for line in case_lines(finding))
    return test
