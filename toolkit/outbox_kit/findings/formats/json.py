"""The report for programs; sorted, so that two runs over the same data differ in `run` only."""

from typing import Any

from outbox_kit.findings.baseline import fingerprint
from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.report import Report
from outbox_kit.printable import as_json, encodable

CLEAN = encodable  # JSON escapes what is not printable; half of a surrogate pair is no text to many readers


def render(report: Report) -> str:
    """The report as JSON."""
    return as_json(document(report))


def document(report: Report) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "schema": f"outbox-kit/{report.command}/v1",
        "subject": report.subject,
        "verdict": report.verdict.value,
        "headline": report.headline,
        **{name: value for name, value in report.document.items() if name != "run"},
        "findings": [finding_document(finding) for finding in report.findings],
        "passed": report.passed(),
        "not_checked": sorted(report.unchecked),
        "not_applicable": sorted(report.not_applicable()),
        "not_checked_because": report.reasons(),
        "notes": list(report.notes),
        "run": {"seconds": round(report.seconds, 3), **_about(report), **report.document.get("run", {})},
    }


def _about(report: Report) -> dict[str, str]:
    return {name.replace(" ", "_").replace("-", "_"): fact for name, fact in report.about.items()}


def finding_document(finding: Finding) -> dict[str, Any]:
    """A finding as plain values."""
    place = finding.location
    return {
        "id": finding.id,
        "severity": finding.severity.value,
        "title": finding.rule.title,
        "message": finding.text,
        "why": finding.rule.why,
        "fix": finding.fix,
        "command": finding.command or None,
        "subject": finding.subject,
        "scope": finding.scope or None,
        "location": {"file": place.file, "line": place.line, "column": place.column} if place else None,
        "count": finding.count,
        "samples": [
            {
                "topic": sample.location.topic,
                "partition": sample.location.partition,
                "offset": sample.location.offset,
                "expected": sample.expected,
                "actual": sample.actual,
            }
            for sample in finding.samples
        ],
        "details": list(finding.details),
        "accepted": finding.accepted or None,
        "evidence": list(finding.rule.evidence),
        "documentation": rule_url(finding.rule),
        "fingerprint": fingerprint(finding),
        **finding.facts,
    }
