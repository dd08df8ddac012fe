"""The report as a stream: a line for the run, then a line for each finding."""

import json

from outbox_kit.findings.formats.json import document
from outbox_kit.findings.report import Report
from outbox_kit.printable import encodable

CLEAN = encodable


def render(report: Report) -> str:
    """The report as NDJSON; the first line is the run without its findings."""
    summary = document(report)
    findings = summary.pop("findings")
    lines = [
        {"type": "run", **summary},
        *({"type": "finding", "run": report.subject, **finding} for finding in findings),
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)
