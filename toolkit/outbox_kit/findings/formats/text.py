"""The report for a terminal: the verdict, what was examined, and each finding with its evidence."""

from collections.abc import Iterator

from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.findings.report import Report, listed
from outbox_kit.printable import counted, printable

CLEAN = printable
SAMPLES = 5
LINE = 160
"""Characters of a line with several reasons."""


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
    if report.findings:
        yield ""
    yield f"  {counted(len(report.passed()), 'check')} passed"
    reasons = [f"{listed(rules)} ({reason})" for reason, rules in report.unexamined().items()]
    together = "; ".join(reasons)
    yield from (f"  not checked: {text}" for text in ([together] if 0 < len(together) <= LINE else reasons))
    if rules := report.not_applicable():
        yield f"  not applicable: {listed(rules)}"


def finding_lines(finding: Finding, *, advice: bool = True) -> Iterator[str]:
    """One finding, with the first few samples of its evidence. advice: with its consequence and the next step."""
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
        texts = (("why", finding.rule.why), ("fix", finding.fix), ("see", finding.command))
        yield from (f"    {label}  {text}" for label, text in texts if text)
