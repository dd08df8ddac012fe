"""How findings count: severities, findings that are accepted with a reason, and a baseline. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.findings.baseline import EMPTY, Baseline
from outbox_kit.findings.finding import Finding, by_weight
from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity

OFF = "off"
WORDS = (*(severity.value for severity in Severity if severity is not Severity.inconclusive), OFF)


@dataclass(frozen=True)
class Policy:
    """How findings count."""

    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    """Severities by rule, in place of the rules' own. None switches a rule off."""
    ignored: Mapping[str, str] = field(default_factory=dict)
    """Reasons by `rule`, or by `rule:subject`: these findings are shown and do not count."""
    baseline: Baseline = EMPTY
    """Findings of an earlier run that do not count."""

    def over(self, other: "Policy") -> "Policy":
        """Both; this one decides where they differ."""
        return Policy({**other.severities, **self.severities}, {**other.ignored, **self.ignored}, self.baseline)

    def off(self, rule: Rule) -> bool:
        """Whether a rule is switched off."""
        return self.severities.get(rule.id, rule.severity) is None

    def apply(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings as they count, sorted."""
        kept = (self._weighed(finding) for finding in findings if not self.off(finding.rule))
        return sorted(map(self._accepted, kept), key=by_weight)

    def _weighed(self, finding: Finding) -> Finding:
        severity = self.severities.get(finding.id)
        return finding if severity is None else replace(finding, severity=severity)

    def _accepted(self, finding: Finding) -> Finding:
        reason = self.ignored.get(f"{finding.id}:{finding.subject}", self.ignored.get(finding.id, ""))
        if not reason and self.baseline.accepts(finding):
            reason = "in the baseline"
        return replace(finding, accepted=reason) if reason else finding


def policy(severities: Mapping[str, str], ignored: Mapping[str, str], rules: RuleCatalogue[..., Any]) -> Policy:
    """A policy from words: `off`, or a severity. Raises UnknownName for a rule that does not exist."""
    for rule in (*severities, *(key.partition(":")[0] for key in ignored)):
        rules.get(rule)
    weights = {rule: None if word == OFF else Severity(word) for rule, word in severities.items()}
    return Policy(weights, ignored)


def parsed(severities: Sequence[str], ignored: Sequence[str], rules: RuleCatalogue[..., Any]) -> Policy:
    """A policy from the options --severity RULE=WORD and --ignore RULE[:SUBJECT]=REASON.

    Raises UsageProblem, and UnknownName for a rule that does not exist.
    """
    weights, reasons = {}, {}
    for text in severities:
        rule, _, word = text.partition("=")
        if word not in WORDS:
            raise UsageProblem(f"invalid --severity '{text}': expected RULE=LEVEL", fix=f"levels: {', '.join(WORDS)}")
        weights[rule.strip()] = word
    for text in ignored:
        key, equals, reason = text.partition("=")
        if not equals or not reason.strip():
            fix = "state why the findings are accepted: --ignore RULE=REASON, or RULE:SUBJECT=REASON"
            raise UsageProblem(f"invalid --ignore '{text}': expected RULE=REASON", fix=fix)
        reasons[key.strip()] = reason.strip()
    return policy(weights, reasons, rules)
