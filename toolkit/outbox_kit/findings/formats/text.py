"""The report for a terminal: first the verdict, then what it rests on, then each finding with its evidence."""

from collections.abc import Iterator

from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.findings.report import Report
from outbox_kit.printable import printable

CLEAN = printable
SAMPLES = 5


def render(report: Report) -> str:
    """The report as plain text."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield report.headline
    yield from (f"  {line}" for line in report.lines)
    yield from (f"  note: {note}" for note in report.notes)
    explained: set[str] = set()
    for finding in report.findings:
        yield ""
        yield from finding_lines(finding, advice=finding.id not in explained or bool(finding.remedy))
        explained.add(finding.id)
    yield from (
        ("", f"  checks made: {report.checked()}") if report.findings else (f"  nothing found in {report.checked()}",)
    )
    for reason, rules in report.reasons().items():
        yield f"  not checked: {', '.join(rules)} ({reason})"


def finding_lines(finding: Finding, *, advice: bool = True) -> Iterator[str]:
    """One finding, with the first few samples of its evidence. advice: with what follows from it, and what to do."""
    times = f", {finding.count:,} times" if finding.count > 1 else ""
    status = f" ({finding.accepted})" if finding.accepted else ""
    if finding.location:
        yield f"{finding.location}: {finding.severity}: {finding.text}{times}{status} [{finding.id}]"
    else:
        subject = f" ({finding.subject})" if finding.subject != RUN else ""
        yield f"{finding.severity} {finding.id} {finding.text}{times}{status}{subject}"
    for sample in finding.samples[:SAMPLES]:
        if sample.facts or sample.location.partition >= 0:
            location = "" if sample.location.topic == RUN else f"{sample.location}: "
            yield f"    {location}{sample.facts}"
    if len(finding.samples) > SAMPLES:
        yield "    ... more in the JSON report"
    yield from (f"    {line}" for line in finding.details)
    if advice:
        yield from (f"    {label}  {text}" for label, text in (("why", finding.rule.why), ("fix", finding.fix)) if text)
