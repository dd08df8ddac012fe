"""A follower's windows: a line for each, with the findings that are new in it; or an object for each."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from outbox_kit.printable import encodable, printable
from outbox_kit.verify.follow import Told
from outbox_kit.verify.report.json import document
from outbox_kit.verify.report.safe import safe
from outbox_kit.verify.report.text import lines


def render_text(told: Told) -> str:
    """A window as plain text."""
    found = safe(replace(told.report, findings=told.fresh), printable)
    whole = [printable(_line(told)), *(line for one in found.findings for line in lines(one))]
    return "\n".join(whole) + "\n"


def render_json(told: Told) -> str:
    """A window as one line of JSON."""
    whole: dict[str, Any] = {"type": "window", "window": told.number, "at": _moment(told)}
    problem = told.problem
    if problem is not None:
        whole["problem"] = {"what": problem.what, "where": problem.where, "why": problem.why, "fix": problem.fix}
    found = safe(replace(told.report, findings=told.fresh), encodable)
    return json.dumps({**whole, **document(found)}) + "\n"


RENDERED = {"text": render_text, "json": render_json}


def _line(told: Told) -> str:
    report = told.report
    said = f"{_moment(told)} {report.verdict.value.upper()} window {told.number}"
    if not told.judged:
        return f"{said}: given up, {told.problem.what if told.problem else ''}"
    facts = [f"{report.events:,} events"]
    if report.copies:
        facts.append(f"{report.copies:,} of them copies")
    if report.rows is not None:
        facts.append(f"{report.rows:,} rows compared")
    if report.latency:
        facts.append(f"p99 {report.latency.p99} ms")
    if told.problem:
        facts.append(f"rows not compared: {told.problem.what}")
    return f"{said}: {', '.join(facts)}"


def _moment(told: Told) -> str:
    return datetime.fromtimestamp(told.at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
