"""The verdict for programs; sorted, so that two runs over the same data differ in `run` only."""

import shlex
from typing import Any

from outbox_kit.finding import Finding
from outbox_kit.printable import as_json
from outbox_kit.verify.baseline import fingerprint
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.loss import Latency
from outbox_kit.verify.report.text import headline
from outbox_kit.verify.result import Compared, Outcome, Report


def render(report: Report) -> str:
    """The report as JSON."""
    return as_json(document(report))


def document(report: Report) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "schema": "outbox-kit/verify/v1",
        "service": report.service,
        "verdict": report.verdict.value,
        "headline": headline(report),
        "counts": {
            "events": report.events,
            "distinct": report.events - report.copies,
            "copies": report.copies,
            "keys": report.keys,
            "outbox_rows": report.rows,
        },
        "topics": [
            {
                "name": topic,
                "messages": count,
                "events": report.recognised.get(topic, 0),
                "partitions": report.partitions.get(topic, 0),
            }
            for topic, count in report.topics.items()
        ],
        "findings": [_finding(report.service, finding) for finding in report.findings],
        "compared": _compared(report.compared) if report.compared else None,
        "latency_ms": _latency(report.latency) if report.latency else None,
        "passed": [check for check in CHECKS if report.outcome(check) is Outcome.passed],
        "not_checked": sorted(report.unchecked),
        "not_checked_because": report.reasons(),
        "notes": report.notes,
        "run": {
            "seconds": round(report.seconds, 3),
            "interrupted": report.interruption is not None,
            "drained_seconds": None if report.drained is None else round(report.drained, 3),
        },
    }


def _finding(service: str, finding: Finding) -> dict[str, Any]:
    check = CHECKS[finding.check]
    samples = [
        {
            "topic": sample.place.topic,
            "partition": sample.place.partition,
            "offset": sample.place.offset,
            "expected": sample.expected,
            "actual": sample.actual,
        }
        for sample in finding.samples
    ]
    return {
        "id": finding.check,
        "severity": finding.severity.value,
        "title": check.title,
        "hint": check.hint,
        "topic": finding.topic,
        "count": finding.count,
        "known": finding.known,
        "samples": samples,
        "inspect": _look(finding),
        "fingerprint": fingerprint(service, finding),
    }


def _compared(found: Compared) -> dict[str, Any]:
    return {
        "messages": found.messages,
        "parts": [part.title for part in found.held.digested],
        "sample": found.sample,
        "sampled_parts": [part.title for part in found.held.sampled],
        "parts_not_compared": list(found.nothing),
        "without_row": found.rowless,
        "rows_not_judged": found.unjudged,
    }


def _latency(took: Latency) -> dict[str, int]:
    return {"events": took.events, "p50": took.p50, "p95": took.p95, "p99": took.p99, "most": took.most}


def _look(finding: Finding) -> str | None:
    """The command that shows the first record."""
    at = [sample.place for sample in finding.samples if sample.place.offset >= 0]
    return f"outbox-kit verify inspect {shlex.quote(str(at[0]))}" if at else None
