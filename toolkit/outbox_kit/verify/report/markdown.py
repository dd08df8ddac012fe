"""The verdict for a pull request or a job's summary."""

from collections.abc import Iterator

from outbox_kit.finding import Finding, Severity
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.report.text import headline, printable
from outbox_kit.verify.result import Report

SHOWN = 5
MARKS = {Severity.error: "❌", Severity.inconclusive: "❔", Severity.warning: "⚠️", Severity.info: "ℹ️"}  # noqa: RUF001 - signs


def render(report: Report) -> str:
    """The report as GitHub's Markdown."""
    return printable("\n".join(_lines(report)) + "\n")


def _lines(report: Report) -> Iterator[str]:
    yield f"## {_plain(report.service)}: {headline(report)}"
    yield ""
    yield "| topic | messages | partitions |"
    yield "| --- | ---: | ---: |"
    for topic, events in report.topics.items():
        yield f"| `{topic}` | {events:,} | {report.partitions.get(topic, 0)} |"
    for note in report.notes:
        yield f"\n> {_plain(note)}"
    for finding in report.findings:
        yield from _finding(finding)
    if report.unchecked:
        yield f"\nCould not be looked for: {', '.join(sorted(report.unchecked))}."


def _finding(finding: Finding) -> Iterator[str]:
    check = CHECKS[finding.check]
    where = "" if finding.topic == "*" else f" on `{finding.topic}`"
    yield ""
    yield f"### {MARKS[finding.severity]} {finding.check} {check.title}{where}"
    yield ""
    if finding.count > 1:
        yield f"{finding.count:,} times. {check.hint[0].upper()}{check.hint[1:]}."
    else:
        yield f"{check.hint[0].upper()}{check.hint[1:]}."
    yield ""
    yield "| where | expected | found |"
    yield "| --- | --- | --- |"
    for sample in finding.samples[:SHOWN]:
        yield f"| {_plain(str(sample.place))} | {_plain(sample.expected)} | {_plain(sample.actual)} |"


def _plain(text: str) -> str:
    """Text from keys and headers as itself, not as Markdown or HTML."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+!|~" else " " if c == "\n" else c for c in text)
