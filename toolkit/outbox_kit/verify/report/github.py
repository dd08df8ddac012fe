"""Workflow commands that GitHub shows beside the line of the schema file that a finding is about."""

from collections.abc import Iterator

from outbox_kit.annotation import annotation
from outbox_kit.finding import Finding, Severity
from outbox_kit.verify.catalogue import CHECKS, family
from outbox_kit.verify.report.text import headline
from outbox_kit.verify.result import Report


def render(report: Report) -> str:
    """One command a finding, one for what was not checked, and one for the verdict."""
    commands = [_command(report, finding) for finding in report.findings]
    return "".join([*commands, *_unchecked(report), _verdict(report)])


def _verdict(report: Report) -> str:
    return annotation(Severity.info, report.file, _start(report), report.verdict.value, headline(report))


def _start(report: Report) -> tuple[int, int]:
    """The line and column at which the outbox begins in its file."""
    return report.places.get("", (1, 1))


def _unchecked(report: Report) -> Iterator[str]:
    if reasons := report.reasons():
        title = f"{len(report.unchecked)} checks were not made"
        text = "\n".join(f"{', '.join(checks)}: {reason}" for reason, checks in reasons.items())
        yield annotation(Severity.info, report.file, _start(report), title, text)


def _command(report: Report, finding: Finding) -> str:
    check, sample = CHECKS[finding.check], finding.samples[0]
    place = report.places.get(family(finding.check), _start(report))
    facts = "; ".join(filter(None, (f"expected {sample.expected}" if sample.expected else "", sample.actual)))
    text = f"{finding.count} times, first at {sample.place}: {facts}. {check.hint}"
    return annotation(finding.severity, report.file, place, f"{finding.check} {check.title}", text)
