"""The verdict in the Common Test Report Format: a test for each check on each topic."""

from typing import Any

from outbox_kit import __version__
from outbox_kit.finding import Finding, Severity
from outbox_kit.printable import as_json
from outbox_kit.verify.catalogue import CHECKS, FAMILIES, family
from outbox_kit.verify.report.text import headline
from outbox_kit.verify.result import RUN, Outcome, Report

STATUS = {Severity.error: "failed", Severity.inconclusive: "other", Severity.warning: "passed", Severity.info: "passed"}
STATUSES = ("passed", "failed", "pending", "skipped", "other")


def render(report: Report) -> str:
    """The report as CTRF's JSON."""
    by_place = {(finding.topic, finding.check): finding for finding in report.findings}
    tests = [_test(report, check, topic, by_place.get((topic, check))) for topic in report.suites for check in CHECKS]
    summary = {
        "tests": len(tests),
        **{status: sum(test["status"] == status for test in tests) for status in STATUSES},
        "start": report.began_ms,
        "stop": report.began_ms + round(report.seconds * 1000),
        "extra": {"headline": headline(report)},
    }
    results = {"tool": {"name": "outbox-kit", "version": __version__}, "summary": summary, "tests": tests}
    return as_json({"reportFormat": "CTRF", "specVersion": "1.0.0", "results": results})


def _test(report: Report, check: str, topic: str, finding: Finding | None) -> dict[str, Any]:
    skipped = report.outcome(check, topic) is Outcome.unchecked
    found: dict[str, Any] = {
        "name": f"{check} {CHECKS[check].title}",
        "status": STATUS[finding.severity] if finding else "skipped" if skipped else "passed",
        "duration": 0,
        "suite": ["the run as a whole" if topic == RUN else topic],
        "tags": [FAMILIES[family(check)]],
    }
    if finding:
        lines = [f"{s.place}: expected {s.expected}; found {s.actual}" for s in finding.samples]
        found |= {"message": f"{finding.count} times", "trace": "\n".join([*lines, CHECKS[check].hint])}
    elif skipped:
        found["message"] = f"not checked: {report.why(check, topic)}"
    return found
