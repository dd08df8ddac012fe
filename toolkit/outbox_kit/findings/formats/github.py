"""Workflow commands that GitHub shows beside the line of the file that a finding is about."""

from collections.abc import Iterator

from outbox_kit.findings.annotation import annotation
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.report import Report
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import printable

CLEAN = printable


def render(report: Report) -> str:
    """One command a finding, one for what was not checked, and one for the verdict; accepted findings are left out."""
    commands = [_command(report, finding) for finding in report.findings if not finding.accepted]
    verdict = annotation(Severity.info, report.location, report.verdict.value, report.headline)
    return "".join([*commands, *_unchecked(report), verdict])


def _unchecked(report: Report) -> Iterator[str]:
    if reasons := report.reasons():
        title = f"{len(report.unchecked)} rules were not checked"
        text = "\n".join(f"{', '.join(rules)}: {reason}" for reason, rules in reasons.items())
        yield annotation(Severity.info, report.location, title, text)


def _command(report: Report, finding: Finding) -> str:
    title, text = f"{finding.id} {finding.text}", ""
    if finding.message:
        title, text = finding.id, f"{finding.message}. "
    elif finding.samples:
        first = finding.samples[0]
        text = f"{finding.count} times, first at {first.location}: {first.facts}. "
    return annotation(finding.severity, report.place(finding), title, f"{text}Fix: {finding.fix}")
