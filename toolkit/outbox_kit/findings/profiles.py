"""Profiles of severity: how strict a run is about rules without an explicit severity. Data."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from outbox_kit.findings.finding import Finding
from outbox_kit.findings.rule import Severity


@dataclass(frozen=True)
class Profile:
    """One profile."""

    severities: Mapping[Severity, Severity] = field(default_factory=dict)
    """The severity that takes the place of a finding's own; one that is not listed stays."""
    errors: Set[str] | None = None
    """The consequences whose findings may be errors, others are warnings; None for all."""
    complete: bool = False
    """Whether rules are checked that otherwise are checked only if they are named."""

    def severity(self, finding: Finding) -> Severity:
        """The severity with which a finding counts."""
        severity = self.severities.get(finding.severity, finding.severity)
        if (
            severity is Severity.error
            and self.errors is not None
            and finding.facts.get("consequence") not in self.errors
        ):
            return Severity.warning
        return severity


DEFAULT = "standard"
PROFILES: Mapping[str, Profile] = {
    DEFAULT: Profile(),
    "outage": Profile(errors=frozenset(("loss", "stop", "leak"))),
    "strict": Profile({Severity.warning: Severity.error, Severity.info: Severity.warning}, complete=True),
}
"""The profiles by name. `outage`: only what loses events, stops the connector or leaks a secret is an error."""
