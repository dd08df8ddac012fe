"""A follower's windows: a line for each, with the findings that are new in it; or an object for each."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from outbox_kit.findings.finding import Finding
from outbox_kit.findings.formats import json as json_format
from outbox_kit.findings.formats.text import finding_lines
from outbox_kit.findings.report import cleaned
from outbox_kit.printable import encodable, printable
from outbox_kit.verify.follow import WindowResult
from outbox_kit.verify.report import report


def render_text(window: WindowResult) -> str:
    """A window as plain text."""
    fresh = cleaned(window.fresh, printable)
    return "\n".join([printable(_line(window)), *(line for finding in fresh for line in _finding(finding))]) + "\n"


def _finding(finding: Finding) -> Iterator[str]:
    yield ""
    yield from finding_lines(finding)


def render_json(window: WindowResult) -> str:
    """A window as one line of JSON."""
    document: dict[str, Any] = {"type": "window", "window": window.number, "at": _moment(window)}
    problem = window.problem
    if problem is not None:
        document["problem"] = {"what": problem.what, "where": problem.where, "why": problem.why, "fix": problem.fix}
    window_document = report(replace(window.result, findings=window.fresh))
    return json.dumps({**document, **json_format.document(cleaned(window_document, encodable))}) + "\n"


RENDERED = {"text": render_text, "json": render_json}


def _line(window: WindowResult) -> str:
    result = window.result
    heading = f"{_moment(window)} {result.verdict.value.upper()} window {window.number}"
    if not window.judged:
        return f"{heading}: given up, {window.problem.what if window.problem else ''}"
    facts = [f"{result.events:,} events"]
    if result.copies:
        facts.append(f"{result.copies:,} of them copies")
    if result.rows is not None:
        facts.append(f"{result.rows:,} rows compared")
    if result.timing.latency:
        facts.append(f"p99 {result.timing.latency.p99} ms")
    if window.problem:
        facts.append(f"rows not compared: {window.problem.what}")
    return f"{heading}: {', '.join(facts)}"


def _moment(window: WindowResult) -> str:
    return datetime.fromtimestamp(window.at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
