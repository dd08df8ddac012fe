"""The report for a pull request or a job's summary."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.findings.report import Report, ReportTable, listed
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import printable

CLEAN = printable
SAMPLES = 5
MARKS = {Severity.error: "❌", Severity.inconclusive: "❔", Severity.warning: "⚠️", Severity.info: "ℹ️"}  # noqa: RUF001 - signs


def render(report: Report) -> str:
    """The report as GitHub's Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## {_code(report.subject)}: {report.headline}"
    for table in report.tables:
        yield from _table(table)
    if report.about:
        yield "\n" + "; ".join(f"{name}: {_code(fact)}" for name, fact in report.about.items())
    for note in filter(None, report.notes):
        yield f"\n> {_code(note)}"
    for finding in report.findings:
        yield from _finding(finding)
    yield f"\nChecks made: {report.checked()}.\n"
    for reason, rules in report.unexamined().items():
        yield f"- Not checked: {listed(rules)} ({reason})."
    if rules := report.not_applicable():
        yield f"- Not applicable: {listed(rules)}."


def _table(table: ReportTable) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(table.columns)} |"
    yield f"| {' | '.join('---' for _ in table.columns)} |"
    for name, *cells in table.rows:
        plain = [cell if cell.replace(",", "").isdecimal() else _cell(cell) for cell in cells]
        yield f"| {' | '.join([_cell(name), *plain])} |"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _finding(finding: Finding) -> Iterator[str]:
    location = "" if finding.subject == RUN else f" on {_code(finding.subject)}"
    accepted = f" ({finding.accepted})" if finding.accepted else ""
    title = "" if finding.message else f" {finding.text}"
    rule = f"[{finding.id}]({rule_url(finding.rule)})"
    yield f"\n### {MARKS[finding.severity]} {rule}{title}{location}{accepted}\n"
    place = f"{_code(str(finding.location))}: " if finding.location else ""
    if finding.message or place:
        yield f"{place}{_code(finding.text)}\n"
    times = f"{finding.count:,} times. " if finding.count > 1 else ""
    yield times + " ".join(sentence(text) for text in (finding.rule.why, finding.fix) if text)
    if finding.command:
        yield f"\nSee {_code(finding.command)}."
    if finding.samples:
        yield "\n| where | expected | found |\n| --- | --- | --- |"
        for sample in finding.samples[:SAMPLES]:
            yield _row((str(sample.location), sample.expected, sample.actual))
    if finding.details:
        yield "\n" + "\n".join(f"- {_code(line)}" for line in finding.details)


def sentence(text: str) -> str:
    """A text that is part of a rule as a sentence."""
    return f"{text[0].upper()}{text[1:]}".rstrip(".") + "."


def _code(text: str) -> str:
    """Text of others as code, where nothing is a link, a mention, Markdown or HTML."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    room = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{room}{text}{room}{fence}" if text else ""


def _cell(text: str) -> str:
    """The same in a table, whose cells end at a plain |."""
    return _code(text).replace("|", "\\|")
