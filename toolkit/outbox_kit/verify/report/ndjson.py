"""The verdict as a stream: a line for the run, then a line for each finding."""

import json

from outbox_kit.verify.report.json import document
from outbox_kit.verify.result import Report


def render(report: Report) -> str:
    """The report as NDJSON; the first line is the run without its findings."""
    whole = document(report)
    findings = whole.pop("findings")
    lines = [{"type": "run", **whole}, *({"type": "finding", "service": report.service, **one} for one in findings)]
    return "".join(json.dumps(line) + "\n" for line in lines)
