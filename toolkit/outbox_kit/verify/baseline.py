"""Findings that a team knows of already: they are shown, and fail nothing. Pure.

A fingerprint names a check on a topic, and not its records: tomorrow's are other ones. Of events that were lost
or that nobody wrote only as many are known as there were. What could not be looked at is no known finding: it says
nothing of what the next run will not see.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Finding, Severity
from outbox_kit.printable import encodable

SCHEMA = "outbox-kit/baseline/v2"
WEIGHED = (Severity.error, Severity.warning)
COUNTED = "LOS-"  # checks of which one more is another finding
Known = Mapping[str, int]  # how many there were of a finding, by its fingerprint


def fingerprint(service: str, finding: Finding) -> str:
    """What is the same of a finding from run to run."""
    return hashlib.sha256(f"{service} {finding.check} {finding.topic}".encode("utf-8", "surrogatepass")).hexdigest()[
        :16
    ]


def document(service: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """All errors and warnings, as values of JSON for `known`."""
    kept = [finding for finding in findings if finding.known or finding.severity in WEIGHED]
    return {
        "schema": SCHEMA,
        "findings": {
            fingerprint(service, finding): {
                "finding": encodable(f"{finding.check} on {finding.topic}"),
                "count": finding.count,
            }
            for finding in kept
        },
    }


def known(raw: Any) -> Known:
    """The findings of a document. Raises UsageProblem."""
    findings = raw.get("findings") if isinstance(raw, dict) and raw.get("schema") == SCHEMA else None
    if not isinstance(findings, dict) or not all(map(_counted, findings.values())):
        raise UsageProblem("this is no baseline", fix="let verify write one: --baseline FILE --update-baseline")
    return {name: finding["count"] for name, finding in findings.items()}


def _counted(finding: Any) -> bool:
    return isinstance(finding, dict) and type(finding.get("count")) is int


def weighed(service: str, findings: Iterable[Finding], known: Known) -> list[Finding]:
    """The findings, those that are known as mere information."""
    return [
        replace(one, severity=Severity.info, known=True) if _known(service, one, known) else one for one in findings
    ]


def _known(service: str, finding: Finding, known: Known) -> bool:
    count = known.get(fingerprint(service, finding))
    if count is None or finding.severity not in WEIGHED:
        return False
    return not finding.check.startswith(COUNTED) or finding.count <= count
