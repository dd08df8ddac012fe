"""Workflow commands that GitHub shows beside the line of the schema file that a finding is about."""

from outbox_kit.annotation import annotation
from outbox_kit.finding import Finding
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.result import Report


def render(report: Report) -> str:
    """One command a finding."""
    return "".join(_command(report, finding) for finding in report.findings)


def _command(report: Report, finding: Finding) -> str:
    check, sample = CHECKS[finding.check], finding.samples[0]
    place = report.places.get(finding.check.partition("-")[0], report.places.get("", (1, 1)))
    facts = "; ".join(filter(None, (f"expected {sample.expected}" if sample.expected else "", sample.actual)))
    text = f"{finding.count} times, first at {sample.place}: {facts}. {check.hint}"
    return annotation(finding.severity, report.file, place, f"{finding.check} {check.title}", text)
