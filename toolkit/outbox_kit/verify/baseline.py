"""Findings that a team knows of already: they are shown, and fail nothing. Pure.

A fingerprint names a check on a topic of an outbox, and not its records: tomorrow's are other ones. What could not be
looked at is no known finding: it says nothing of what the next run will not see.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Finding, Severity
from outbox_kit.printable import encodable

SCHEMA = "outbox-kit/baseline/v1"
WEIGHED = (Severity.error, Severity.warning)


def fingerprint(service: str, finding: Finding) -> str:
    """What is the same of a finding from run to run."""
    return hashlib.sha256(f"{service} {finding.check} {finding.topic}".encode("utf-8", "surrogatepass")).hexdigest()[
        :16
    ]


def document(service: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """All errors and warnings, as values of JSON for `known`."""
    told = [finding for finding in findings if finding.known or finding.severity in WEIGHED]
    return {
        "schema": SCHEMA,
        "findings": {
            fingerprint(service, finding): encodable(f"{finding.check} on {finding.topic}") for finding in told
        },
    }


def known(raw: Any) -> frozenset[str]:
    """The fingerprints of a document. Raises UsageProblem."""
    if not isinstance(raw, dict) or raw.get("schema") != SCHEMA or not isinstance(raw.get("findings"), dict):
        raise UsageProblem("this is no baseline", fix="let verify write one: --baseline FILE --update-baseline")
    return frozenset(raw["findings"])


def weighed(service: str, findings: Iterable[Finding], known: frozenset[str]) -> list[Finding]:
    """The findings, those that are known as mere information."""
    return [
        replace(one, severity=Severity.info, known=True)
        if one.severity in WEIGHED and fingerprint(service, one) in known
        else one
        for one in findings
    ]
