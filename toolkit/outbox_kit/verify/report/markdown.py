"""The verdict for a pull request or a job's summary."""

import re
from collections.abc import Iterator

from outbox_kit.finding import Finding, Severity
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.report.text import headline, made
from outbox_kit.verify.result import Report

SHOWN = 5
MARKS = {Severity.error: "❌", Severity.inconclusive: "❔", Severity.warning: "⚠️", Severity.info: "ℹ️"}  # noqa: RUF001 - signs


def render(report: Report) -> str:
    """The report as GitHub's Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## {_code(report.service)}: {headline(report)}"
    yield ""
    yield "| topic | messages | partitions |"
    yield "| --- | ---: | ---: |"
    for topic, events in report.topics.items():
        yield f"| {_cell(topic)} | {events:,} | {report.partitions.get(topic, 0)} |"
    for note in filter(None, report.notes):
        yield f"\n> {_code(note)}"
    for finding in report.findings:
        yield from _finding(finding)
    yield f"\nChecks made: {made(report)}.\n"
    for reason, checks in report.reasons().items():
        yield f"- Not checked: {', '.join(checks)} ({reason})."


def _finding(finding: Finding) -> Iterator[str]:
    check = CHECKS[finding.check]
    where = "" if finding.topic == "*" else f" on {_code(finding.topic)}"
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
        yield f"| {_cell(str(sample.place))} | {_cell(sample.expected)} | {_cell(sample.actual)} |"


def _code(text: str) -> str:
    """Text of others as code, where nothing is a link, a mention, Markdown or HTML."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    room = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{room}{text}{room}{fence}" if text else ""


def _cell(text: str) -> str:
    """The same in a table, whose cells end at a plain |."""
    return _code(text).replace("|", "\\|")
