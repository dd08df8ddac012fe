"""Findings that a team knows of already: they are shown, and fail nothing. Pure.

A fingerprint names a check on a topic, and not its records: tomorrow's are other ones. Of events that were lost
or that nobody wrote, only those are known that were named when the baseline was written: later ones are other losses,
also where the first were cleaned up meanwhile. What could not be looked at is no known finding: it says nothing of what
the next run will not see.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Finding, Sample, Severity
from outbox_kit.printable import encodable

SCHEMA = "outbox-kit/baseline/v3"
WEIGHED = (Severity.error, Severity.warning)
NAMED = "LOS-"  # checks of which another event is another finding


@dataclass(frozen=True)
class Accepted:
    """A finding of the baseline: how many there were, and the fingerprints of those that were named."""

    count: int
    samples: frozenset[str]


Known = Mapping[str, Accepted]  # by the finding's fingerprint


def fingerprint(service: str, finding: Finding) -> str:
    """What is the same of a finding from run to run."""
    return _short(f"{service} {finding.check} {finding.topic}")


def _sample(one: Sample) -> str:
    return _short(f"{one.place} {one.expected} {one.actual}")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def document(service: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """All errors and warnings, as values of JSON for `known`."""
    kept = [finding for finding in findings if finding.known or finding.severity in WEIGHED]
    return {
        "schema": SCHEMA,
        "findings": {
            fingerprint(service, finding): {
                "finding": encodable(f"{finding.check} on {finding.topic}"),
                "count": finding.count,
                "samples": sorted(map(_sample, finding.samples)) if finding.check.startswith(NAMED) else [],
            }
            for finding in kept
        },
    }


def known(raw: Any) -> Known:
    """The findings of a document. Raises UsageProblem."""
    findings = raw.get("findings") if isinstance(raw, dict) and raw.get("schema") == SCHEMA else None
    if not isinstance(findings, dict) or not all(map(_whole, findings.values())):
        raise UsageProblem("this is no baseline", fix="let verify write one: --baseline FILE --update-baseline")
    return {name: Accepted(one["count"], frozenset(one["samples"])) for name, one in findings.items()}


def _whole(finding: Any) -> bool:
    if not isinstance(finding, dict) or type(finding.get("count")) is not int:
        return False
    samples = finding.get("samples")
    return isinstance(samples, list) and all(isinstance(one, str) for one in samples)


def weighed(service: str, findings: Iterable[Finding], known: Known) -> list[Finding]:
    """The findings, those that are known as mere information."""
    return [
        replace(one, severity=Severity.info, known=True) if _known(service, one, known) else one for one in findings
    ]


def _known(service: str, finding: Finding, known: Known) -> bool:
    accepted = known.get(fingerprint(service, finding))
    if accepted is None or finding.severity not in WEIGHED:
        return False
    if not finding.check.startswith(NAMED):
        return True
    return finding.count <= accepted.count and set(map(_sample, finding.samples)) <= accepted.samples
