"""Findings of an earlier run that a team has accepted: they are shown and do not count. Pure.

A fingerprint is of a rule and its subject, not of single records: tomorrow's records are others. Of rules about single
events (`Rule.each`: lost events, events without a row) only the occurrences are accepted that were in the report when
the baseline was written. What could not be examined is never accepted: the next run may miss something else.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.findings.finding import Finding, Sample
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import encodable

SCHEMA = "outbox-kit/baseline/v4"
COUNTED = (Severity.error, Severity.warning)


@dataclass(frozen=True)
class Accepted:
    """One finding of a baseline."""

    count: int
    samples: frozenset[str]
    """The fingerprints of its occurrences, for rules about single events."""


@dataclass(frozen=True)
class Baseline:
    """The accepted findings of a command."""

    findings: Mapping[str, Accepted] = field(default_factory=dict)
    """By fingerprint."""

    def accepts(self, finding: Finding) -> bool:
        """Whether a finding is in the baseline."""
        accepted = self.findings.get(fingerprint(finding))
        if accepted is None or finding.severity not in COUNTED:
            return False
        if not finding.rule.each:
            return True
        return finding.count <= accepted.count and set(map(_sample, finding.samples)) <= accepted.samples


EMPTY = Baseline()


def fingerprint(finding: Finding) -> str:
    """What stays the same of a finding from run to run."""
    file = finding.location.file if finding.location else ""
    return _short(" ".join(filter(None, (finding.scope, finding.id, finding.subject, file))))


def _sample(sample: Sample) -> str:
    return _short(f"{sample.location} {sample.expected} {sample.actual}")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def document(command: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """All errors and warnings, as values of JSON for `baseline`."""
    return {
        "schema": SCHEMA,
        "command": command,
        "findings": {
            fingerprint(finding): {
                "finding": encodable(f"{finding.id} on {finding.subject}"),
                "count": finding.count,
                "samples": sorted(map(_sample, finding.samples)) if finding.rule.each else [],
            }
            for finding in findings
            if finding.severity in COUNTED
        },
    }


def baseline(raw: Any, command: str) -> Baseline:
    """The baseline of a document. Raises UsageProblem if it is not one, or another command's."""
    document = raw if isinstance(raw, dict) and raw.get("schema") == SCHEMA else {}
    findings = document.get("findings")
    if not isinstance(findings, dict) or not all(map(_valid, findings.values())):
        fix = f"write one: outbox-kit {command} --baseline FILE --update-baseline"
        raise UsageProblem(f"invalid baseline: expected a file with the schema {SCHEMA}", fix=fix)
    if document.get("command") != command:
        fix = "use a separate baseline file for each command"
        raise UsageProblem(
            f"invalid baseline: expected one of outbox-kit {command}, not of {document.get('command')}", fix=fix
        )
    entries = {name: Accepted(entry["count"], frozenset(entry["samples"])) for name, entry in findings.items()}
    return Baseline(entries)


def _valid(entry: Any) -> bool:
    if not isinstance(entry, dict) or type(entry.get("count")) is not int:
        return False
    samples = entry.get("samples")
    return isinstance(samples, list) and all(isinstance(sample, str) for sample in samples)
