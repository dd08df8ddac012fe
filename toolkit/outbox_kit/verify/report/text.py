"""The verdict for a terminal: first the answer, then what it rests on, then each finding with its evidence."""

from collections.abc import Iterator

from outbox_kit.finding import Finding
from outbox_kit.verify.catalogue import CHECKS, FAMILIES, family
from outbox_kit.verify.result import Report

SHOWN = 5


def render(report: Report) -> str:
    """The report as plain text."""
    return "\n".join(_lines(report)) + "\n"


def headline(report: Report) -> str:
    """The verdict in one line."""
    said = {"pass": "PASS", "fail": "FAIL", "inconclusive": "INCONCLUSIVE"}[report.verdict.value]
    distinct = report.events - report.copies
    copies = f", {report.copies:,} of them more than once" if report.copies else ""
    table = "" if report.rows is None else f"; {report.rows:,} rows in the outbox"
    return f"{said}: {distinct:,} events of {report.keys:,} aggregates{copies}{table}"


def _lines(report: Report) -> Iterator[str]:
    yield headline(report)
    for topic, events in report.topics.items():
        yield f"  {topic}: {events:,} messages in {report.partitions.get(topic, 0)} partitions"
    rate = report.events / report.seconds if report.seconds else 0
    yield f"  read and checked in {report.seconds:.1f} s ({rate:,.0f} messages/s)"
    if report.latency:
        took = report.latency
        yield f"  from row to message: {took.p50} ms (p50), {took.p95} (p95), {took.p99} (p99), {took.most} at most"
    if report.drained is not None:
        yield f"  the connector had passed the last event after {report.drained:.1f} s"
    for note in report.notes:
        yield f"  note: {note}"
    for finding in report.findings:
        yield from lines(finding)
    yield from ("", "  checks made: " + made(report)) if report.findings else ("  nothing found in " + made(report),)
    for reason, checks in report.reasons().items():
        yield f"  not checked: {', '.join(checks)} ({reason})"


def made(report: Report) -> str:
    """How many checks of each family were made."""
    skipped = report.unchecked
    counts = (
        (title, [check not in skipped for check in CHECKS if family(check) == prefix])
        for prefix, title in FAMILIES.items()
    )
    return ", ".join(f"{title} {sum(done)} of {len(done)}" for title, done in counts)


def lines(finding: Finding) -> Iterator[str]:
    """One finding, with the first few samples of its evidence."""
    check = CHECKS[finding.check]
    times = f", {finding.count:,} times" if finding.count > 1 else ""
    yield ""
    known = " (in the baseline)" if finding.known else ""
    yield f"{finding.severity.value} {finding.check} {check.title}{times}{known}" + (
        f" ({finding.topic})" if finding.topic != "*" else ""
    )
    for sample in finding.samples[:SHOWN]:
        facts = "; ".join(
            f"{label} {text}" for label, text in (("expected", sample.expected), ("found", sample.actual)) if text
        )
        if facts or sample.place.partition >= 0:
            where = "" if sample.place.topic == "*" else f"{sample.place}: "
            yield f"    {where}{facts}"
    if len(finding.samples) > SHOWN:
        yield "    ... more in the JSON report"
    yield f"    {check.hint}"
