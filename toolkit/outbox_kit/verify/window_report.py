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
from outbox_kit.printable import counted, encodable, printable
from outbox_kit.verify.follow import WindowResult
from outbox_kit.verify.report import report

EMPTY = "no new messages, nothing was verified"


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
    if window.is_empty:
        window_document = replace(window_document, summary=EMPTY)
    return json.dumps({**document, **json_format.document(cleaned(window_document, encodable))}) + "\n"


RENDERED = {"text": render_text, "json": render_json}


def _line(window: WindowResult) -> str:
    result = window.result
    heading = f"{_moment(window)} {result.verdict.value.upper()} window {window.number}"
    if not window.judged:
        return f"{heading}: not verified, the next window repeats it: {window.problem.what if window.problem else ''}"
    if window.is_empty:
        return f"{_moment(window)} window {window.number}: {EMPTY}"
    facts = [counted(result.events, "event") if result.events else "no new messages"]
    if result.copies:
        facts.append(counted(result.copies, "duplicate"))
    if result.rows is not None:
        facts.append(f"{counted(result.rows, 'row')} compared")
    if result.timing.latency:
        facts.append(f"latency p99 {result.timing.latency.p99} ms")
    if window.problem:
        facts.append(f"rows not compared: {window.problem.what}")
    return f"{heading}: {', '.join(facts)}"


def _moment(window: WindowResult) -> str:
    return datetime.fromtimestamp(window.at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
