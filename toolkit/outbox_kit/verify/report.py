"""The result of a verification as a report, for every format. Pure."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.findings.finding import RUN, FileLocation, Finding
from outbox_kit.findings.report import Report, ReportTable, Suite
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict
from outbox_kit.printable import counted
from outbox_kit.verify import plots
from outbox_kit.verify.checks import CHECKS, duplicates, headers, keys, loss, order, payloads, routing, run
from outbox_kit.verify.checks.latency import Latency
from outbox_kit.verify.needs import INAPPLICABLE, Need
from outbox_kit.verify.result import Result, RowCoverage

TOPICS_IN_A_LINE = 3
REASONS = 2
"""Why a verdict is inconclusive, in its headline."""
CLAIMS = {
    "routing": routing.WRONG_TOPIC,
    "keys": keys.MISSING,
    "headers": headers.MISSING,
    "payloads": payloads.SCHEMA_BROKEN,
    "order": order.LATE,
    "duplicates": duplicates.EVENT,
    "loss": loss.LOST,
}
"""What a verdict is about, each with a check without which it does not include it."""
NO_MESSAGE = frozenset({run.OPEN_TRANSACTION})
"""Checks whose findings name an offset, and no message."""


def report(
    result: Result,
    location: FileLocation | None = None,
    places: Mapping[str, FileLocation] | None = None,
    about: Mapping[str, str] | None = None,
) -> Report:
    """The report of a verification.

    location: where in the schema file the outbox begins. places: see `Report.places`. about: see `provenance`.
    """
    captured = Need.cluster in result.coverage.unmet.get(RUN, ())
    findings = [_with_facts(finding, captured=captured) for finding in result.findings]
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
        inapplicable=frozenset(need.value for need in INAPPLICABLE),
        document=document(result),
        lines=list(_lines(result)),
        notes=result.notes,
        tables=[_topics(result)],
        figures=dict(_figures(result)),
        plots=[plot for plot in (plots.rate(result), plots.latency(result.timing.latency)) if plot],
        traces=[plots.trail(trail) for trail in result.traces],
        location=location,
        places=places or {},
        about=about or {},
        started_ms=result.timing.began_ms,
        seconds=result.timing.seconds,
    )


def summary(result: Result, unchecked: Mapping[str, str]) -> str:
    """The result in one line, with what was not checked. unchecked: as `Result.unchecked` has them."""
    copies = f", {counted(result.copies, 'duplicate message')}" if result.copies else ""
    table = "" if result.rows is None else f"; {counted(result.rows, 'row')} in the outbox"
    partly = result.compared is not None and 0 < result.compared.unjudged < (result.rows or 0)
    silent = [claim for claim, check in CLAIMS.items() if check.id in unchecked and not (partly and claim == "loss")]
    unsaid = f"; not checked: {', '.join(silent)}" if silent else ""
    counts = f"{counted(result.events - result.copies, 'event')} of {counted(result.keys, 'aggregate')}{copies}{table}"
    return f"{''.join(f'{reason}; ' for reason in _reasons(result))}{counts}{_limits(result.compared)}{unsaid}"


def _reasons(result: Result) -> list[str]:
    """Why a verdict is inconclusive, in the first words of the report."""
    if result.verdict is not Verdict.inconclusive:
        return []
    counted_findings = (finding for finding in result.findings if not finding.accepted)
    problems = (finding.text for finding in counted_findings if finding.severity is Severity.inconclusive)
    return list(dict.fromkeys(problems))[:REASONS]


def _limits(compared: RowCoverage | None) -> str:
    """What was not compared with rows, or only in a sample."""
    if compared is None:
        return ""
    sampled = [f"{part.title} compared in a sample" for part in compared.comparable_parts.sampled]
    rows = [f"loss of {counted(compared.unjudged, 'row')} not checked"] if compared.unjudged else []
    nothing = [f"{', '.join(compared.nothing)} not compared"] if compared.nothing else []
    return "".join(f"; {text}" for text in (*sampled, *nothing, *rows))


def _lines(result: Result) -> Iterator[str]:
    yield from _topic_lines(result)
    if result.compared:
        yield from compared_lines(result.compared)
    if took := result.timing.latency:
        figures = (("p50", took.p50), ("p95", took.p95), ("p99", took.p99), ("maximum", took.most))
        yield f"latency from row to message: {', '.join(f'{name} {value} ms' for name, value in figures)}"
    waited = "" if result.timing.drained is None else f", of which {result.timing.drained:.1f} s for the catch-up"
    yield f"time: {result.timing.seconds:.1f} s{waited}"


def _topic_lines(result: Result) -> Iterator[str]:
    """The topics on one line if they are few, and a line each if they are many."""
    texts = [
        f"{topic} ({counted(messages, 'message')} in {counted(result.partitions.get(topic, 0), 'partition')}"
        f"{', previous topic' if topic in result.previous else ''})"
        for topic, messages in result.topics.items()
    ]
    if len(texts) > TOPICS_IN_A_LINE:
        yield from texts
    elif texts:
        yield f"{'topic' if len(texts) == 1 else 'topics'}: {', '.join(texts)}"


def compared_lines(compared: RowCoverage) -> Iterator[str]:
    """What of the messages was compared with rows, and what was not."""
    comparable = compared.comparable_parts
    digested, sampled = (", ".join(part.title for part in parts) for parts in (comparable.digested, comparable.sampled))
    yield f"compared with rows: {counted(compared.messages, 'message')} by id{', ' if digested else ''}{digested}"
    if sampled:
        yield f"compared in a sample of {counted(compared.sample, 'message')}: {sampled}"
    if compared.nothing:
        yield f"not compared with rows: {', '.join(compared.nothing)}"
    if compared.rowless:
        yield f"not compared: {counted(compared.rowless, 'message')} whose rows no longer exist"
    if compared.unjudged:
        older = "may be older than the messages that were read"
        yield f"not checked for loss: {counted(compared.unjudged, 'row')}, which {older}"


def _topics(result: Result) -> ReportTable:
    rows = [
        (
            f"{topic} (previous)" if topic in result.previous else topic,
            f"{count:,}",
            str(result.partitions.get(topic, 0)),
        )
        for topic, count in result.topics.items()
    ]
    highest = max(result.topics.values(), default=1) or 1
    return ReportTable(
        "Topics", ("topic", "messages", "partitions"), rows, [100 * count / highest for count in result.topics.values()]
    )


def _figures(result: Result) -> Iterator[tuple[str, str]]:
    yield "messages", f"{result.events:,}"
    yield "events", f"{result.events - result.copies:,}"
    yield "duplicate messages", f"{result.copies:,}"
    yield "aggregates", f"{result.keys:,}"
    if result.rows is not None:
        yield "outbox rows", f"{result.rows:,}"
    if result.timing.latency:
        yield f"latency p50 (p99 {result.timing.latency.p99:,} ms)", f"{result.timing.latency.p50:,} ms"


def _with_facts(finding: Finding, *, captured: bool) -> Finding:
    """A finding with the command that shows its first message, and its topic. captured: without a broker."""
    records = [sample.location for sample in finding.samples if sample.location.offset >= 0]
    message = shlex.quote(str(records[0])) if records and not captured and finding.rule not in NO_MESSAGE else ""
    command = f"outbox-kit verify inspect {message}" if message else ""
    return replace(finding, command=command, facts={"topic": finding.subject, "inspect": command or None})


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
                "previous": topic in result.previous,
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
