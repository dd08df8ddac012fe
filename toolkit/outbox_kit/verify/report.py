"""The result of a verification as a report, for every format. Pure."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.findings.finding import FileLocation, Finding
from outbox_kit.findings.report import Report, ReportTable, Suite
from outbox_kit.verify import plots
from outbox_kit.verify.checks import CHECKS, duplicates, headers, keys, loss, order, payloads, routing
from outbox_kit.verify.checks.latency import Latency
from outbox_kit.verify.result import Result, RowCoverage

CLAIMS = {
    "routing": routing.WRONG_TOPIC,
    "keys": keys.MISSING,
    "headers": headers.MISSING,
    "payloads": payloads.SCHEMA_BROKEN,
    "order": order.LATE,
    "duplicates": duplicates.EVENT,
    "loss": loss.LOST,
}
"""What a verdict is about, each with a check without which it says nothing of it."""


def report(
    result: Result, location: FileLocation | None = None, places: Mapping[str, FileLocation] | None = None
) -> Report:
    """The report of a verification.

    location: where in the schema file the outbox begins. places: see `Report.places`.
    """
    findings = [_with_facts(finding) for finding in result.findings]
    unchecked = result.unchecked()
    return Report(
        command=CHECKS.command,
        subject=result.service,
        verdict=result.verdict,
        summary=summary(result, unchecked),
        rules=list(CHECKS),
        findings=findings,
        suites=[
            Suite(
                name, list(CHECKS), [finding for finding in findings if finding.subject == name], result.unchecked(name)
            )
            for name in result.suites
        ],
        unchecked=unchecked,
        document=document(result),
        lines=list(_lines(result)),
        notes=result.notes,
        tables=[_topics(result)],
        figures=dict(_figures(result)),
        plots=[plot for plot in (plots.rate(result), plots.latency(result.timing.latency)) if plot],
        traces=[plots.trail(trail) for trail in result.traces],
        location=location,
        places=places or {},
        started_ms=result.timing.began_ms,
        seconds=result.timing.seconds,
    )


def summary(result: Result, unchecked: Mapping[str, str]) -> str:
    """The result in one line, with what it does not speak of. unchecked: as `Result.unchecked` has them."""
    copies = f", {result.copies:,} of them more than once" if result.copies else ""
    table = "" if result.rows is None else f"; {result.rows:,} rows in the outbox"
    partly = result.compared is not None and 0 < result.compared.unjudged < (result.rows or 0)
    silent = [claim for claim, check in CLAIMS.items() if check.id in unchecked and not (partly and claim == "loss")]
    unsaid = f"; not checked: {', '.join(silent)}" if silent else ""
    counts = f"{result.events - result.copies:,} events of {result.keys:,} aggregates{copies}{table}"
    return f"{counts}{_limits(result.compared)}{unsaid}"


def _limits(compared: RowCoverage | None) -> str:
    """What the verdict does not rest on, of what is compared with rows."""
    if compared is None:
        return ""
    sampled = [f"{part.title} compared in a sample" for part in compared.comparable_parts.sampled]
    rows = [f"loss of {compared.unjudged:,} rows not checked"] if compared.unjudged else []
    return "".join(f"; {text}" for text in (*sampled, *(f"{title} not compared" for title in compared.nothing), *rows))


def _lines(result: Result) -> Iterator[str]:
    for topic, events in result.topics.items():
        yield f"{topic}: {events:,} messages in {result.partitions.get(topic, 0)} partitions"
    yield f"read and checked in {result.timing.seconds:.1f} s ({_rate(result):,.0f} messages/s)"
    if took := result.timing.latency:
        yield f"from row to message: {took.p50} ms (p50), {took.p95} (p95), {took.p99} (p99), {took.most} at most"
    if result.compared:
        yield from compared_lines(result.compared)
    if result.timing.drained is not None:
        yield f"the connector had passed the last event after {result.timing.drained:.1f} s"


def compared_lines(compared: RowCoverage) -> Iterator[str]:
    """What of the messages was held against rows, and what was not."""
    comparable = compared.comparable_parts
    digested, sampled = (", ".join(part.title for part in parts) for parts in (comparable.digested, comparable.sampled))
    yield f"compared with their rows: {compared.messages:,} messages by id{', ' if digested else ''}{digested}"
    if sampled:
        yield f"compared in a sample of {compared.sample:,} messages only: {sampled}"
    if compared.nothing:
        yield f"not compared with rows: {', '.join(compared.nothing)}"
    if compared.rowless:
        yield f"not compared, for their rows are no longer there: {compared.rowless:,} messages"
    if compared.unjudged:
        unread = "they may be older than what was read of the topics"
        yield f"not checked for loss, for {unread}: {compared.unjudged:,} rows"


def _topics(result: Result) -> ReportTable:
    rows = [(topic, f"{count:,}", str(result.partitions.get(topic, 0))) for topic, count in result.topics.items()]
    highest = max(result.topics.values(), default=1) or 1
    return ReportTable(
        "Topics", ("topic", "messages", "partitions"), rows, [100 * count / highest for count in result.topics.values()]
    )


def _figures(result: Result) -> Iterator[tuple[str, str]]:
    yield "messages", f"{result.events:,}"
    yield "events", f"{result.events - result.copies:,}"
    yield "came again", f"{result.copies:,}"
    yield "aggregates", f"{result.keys:,}"
    if result.rows is not None:
        yield "outbox rows", f"{result.rows:,}"
    if result.timing.latency:
        yield f"from row to message, p99 {result.timing.latency.p99:,} ms", f"{result.timing.latency.p50:,} ms"
    yield "checked a second", f"{_rate(result):,.0f}"


def _rate(result: Result) -> float:
    return result.events / result.timing.seconds if result.timing.seconds else 0


def _with_facts(finding: Finding) -> Finding:
    """A finding with the command that shows its first record."""
    records = [sample.location for sample in finding.samples if sample.location.offset >= 0]
    command = f"outbox-kit verify inspect {shlex.quote(str(records[0]))}" if records else None
    return replace(finding, facts={"topic": finding.subject, "inspect": command})


def document(result: Result) -> dict[str, Any]:
    """Members of the JSON document."""
    return {
        "service": result.service,
        "counts": {
            "events": result.events,
            "distinct": result.events - result.copies,
            "copies": result.copies,
            "keys": result.keys,
            "outbox_rows": result.rows,
        },
        "topics": [
            {
                "name": topic,
                "messages": count,
                "events": result.recognised.get(topic, 0),
                "partitions": result.partitions.get(topic, 0),
            }
            for topic, count in result.topics.items()
        ],
        "compared": _compared(result.compared) if result.compared else None,
        "latency_ms": _latency(result.timing.latency) if result.timing.latency else None,
        "run": {
            "interrupted": result.interruption is not None,
            "drained_seconds": None if result.timing.drained is None else round(result.timing.drained, 3),
        },
    }


def _compared(compared: RowCoverage) -> dict[str, Any]:
    return {
        "messages": compared.messages,
        "parts": [part.title for part in compared.comparable_parts.digested],
        "sample": compared.sample,
        "sampled_parts": [part.title for part in compared.comparable_parts.sampled],
        "parts_not_compared": list(compared.nothing),
        "without_row": compared.rowless,
        "rows_not_judged": compared.unjudged,
    }


def _latency(took: Latency) -> dict[str, int]:
    return {"events": took.events, "p50": took.p50, "p95": took.p95, "p99": took.p99, "most": took.most}
