"""The verdict for a terminal: first the answer, then what it rests on, then each finding with its evidence."""

from collections.abc import Iterator

from outbox_kit.finding import Finding
from outbox_kit.verify.catalogue import CHECKS, FAMILIES, family
from outbox_kit.verify.result import Compared, Report

SHOWN = 5


def render(report: Report) -> str:
    """The report as plain text."""
    return "\n".join(_lines(report)) + "\n"


# what a verdict speaks of, each by a check without which nothing was said of it
CLAIMS = {
    "routing": "RTE-01",
    "keys": "KEY-01",
    "headers": "HDR-01",
    "payloads": "PAY-02",
    "order": "ORD-01",
    "duplicates": "DUP-01",
    "loss": "LOS-01",
}


def headline(report: Report) -> str:
    """The verdict in one line, with what it does not speak of."""
    said = {"pass": "PASS", "fail": "FAIL", "inconclusive": "INCONCLUSIVE"}[report.verdict.value]
    distinct = report.events - report.copies
    copies = f", {report.copies:,} of them more than once" if report.copies else ""
    table = "" if report.rows is None else f"; {report.rows:,} rows in the outbox"
    partly = report.compared is not None and 0 < report.compared.unjudged < (report.rows or 0)
    silent = [
        claim for claim, check in CLAIMS.items() if check in report.unchecked and not (partly and claim == "loss")
    ]
    unsaid = f"; not checked: {', '.join(silent)}" if silent else ""
    counts = f"{distinct:,} events of {report.keys:,} aggregates{copies}{table}"
    return f"{said}: {counts}{_partly(report.compared)}{unsaid}"


def _partly(found: Compared | None) -> str:
    """What the verdict does not rest on, of what is compared with rows."""
    if found is None:
        return ""
    sampled = [f"{part.title} compared in a sample" for part in found.held.sampled]
    rows = [f"loss of {found.unjudged:,} rows not checked"] if found.unjudged else []
    return "".join(f"; {one}" for one in (*sampled, *(f"{title} not compared" for title in found.nothing), *rows))


def compared(found: Compared) -> Iterator[str]:
    """What of the messages was held against rows, and what was not."""
    whole, some = (", ".join(part.title for part in parts) for parts in (found.held.digested, found.held.sampled))
    yield f"compared with their rows: {found.messages:,} messages by id{', ' if whole else ''}{whole}"
    if some:
        yield f"compared in a sample of {found.sample:,} messages only: {some}"
    if found.nothing:
        yield f"not compared with rows: {', '.join(found.nothing)}"
    if found.rowless:
        yield f"not compared, for their rows are no longer there: {found.rowless:,} messages"
    if found.unjudged:
        yield f"not checked for loss, for they may be older than what was read of the topics: {found.unjudged:,} rows"


def _lines(report: Report) -> Iterator[str]:
    yield headline(report)
    for topic, events in report.topics.items():
        yield f"  {topic}: {events:,} messages in {report.partitions.get(topic, 0)} partitions"
    rate = report.events / report.seconds if report.seconds else 0
    yield f"  read and checked in {report.seconds:.1f} s ({rate:,.0f} messages/s)"
    if report.latency:
        took = report.latency
        yield f"  from row to message: {took.p50} ms (p50), {took.p95} (p95), {took.p99} (p99), {took.most} at most"
    if report.compared:
        yield from map("  {}".format, compared(report.compared))
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
