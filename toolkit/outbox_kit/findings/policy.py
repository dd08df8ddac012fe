"""How findings count: rules, severities, findings that are accepted with a reason, and a baseline. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outbox_kit.errors import UnknownName, UsageProblem
from outbox_kit.findings.baseline import EMPTY, Baseline
from outbox_kit.findings.finding import Finding, by_weight
from outbox_kit.findings.profiles import DEFAULT, PROFILES, Profile
from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity
from outbox_kit.schema.nearest import nearest

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
    profile: Profile | None = None
    """It decides over severities that `severities` does not name; None leaves it to another policy."""
    selected: frozenset[str] | None = None
    """The ids of the rules that are checked; None for all."""

    def over(self, other: "Policy") -> "Policy":
        """Both; this one decides where they differ. The baseline is this one's."""
        return Policy(
            {**other.severities, **self.severities},
            {**other.ignored, **self.ignored},
            self.baseline,
            other.profile if self.profile is None else self.profile,
            other.selected if self.selected is None else self.selected,
        )

    def off(self, rule: Rule) -> bool:
        """Whether a rule is switched off, or not selected."""
        explicit = rule.id in self.severities or (self.selected is not None and rule.id in self.selected)
        selected = self.selected is None or rule.id in self.selected
        profile = self.profile or PROFILES[DEFAULT]
        left_out = rule.strict and not (explicit or profile.complete)
        return left_out or not selected or self.severities.get(rule.id, rule.severity) is None

    def apply(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings as they count, sorted."""
        kept = (self._weighed(finding) for finding in findings if not self.off(finding.rule))
        return sorted(map(self.accepted, kept), key=by_weight)

    def _weighed(self, finding: Finding) -> Finding:
        profile = self.profile or PROFILES[DEFAULT]
        return replace(finding, severity=self.severities.get(finding.id) or profile.severity(finding))

    def accepted(self, finding: Finding) -> Finding:
        """The finding, with the reason if it is accepted."""
        if finding.accepted:
            return finding
        reason = self.ignored.get(f"{finding.id}:{finding.subject}", self.ignored.get(finding.id, ""))
        if not reason and self.baseline.accepts(finding):
            reason = "in the baseline"
        return replace(finding, accepted=reason) if reason else finding


def policy(
    severities: Mapping[str, str],
    ignored: Mapping[str, str],
    rules: RuleCatalogue[..., Any],
    select: Sequence[str] | None = None,
    profile: str | None = None,
) -> Policy:
    """A policy from words. A rule's own entry decides over that of a group.

    severities: `off` or a severity, by rule or group. ignored: reasons by rule or group, or by `rule:subject`.
    select: rules and groups; None for all. profile: a name of PROFILES.
    Raises UnknownName for a rule, group or profile that does not exist.
    """
    if profile is not None and profile not in PROFILES:
        raise UnknownName(f"unknown profile '{profile}'{nearest(profile, list(PROFILES))}")
    weights = {rule: None if word == OFF else Severity(word) for rule, word in _by_rule(severities, rules).items()}
    chosen = None if select is None else frozenset(rule for name in select for rule in rules.members(name))
    return Policy(
        weights,
        _by_rule(ignored, rules),
        profile=None if profile is None else PROFILES[profile],
        selected=chosen,
    )


def _by_rule(words: Mapping[str, str], rules: RuleCatalogue[..., Any]) -> dict[str, str]:
    """The entries of groups as those of their rules, which a rule's own entry replaces. Raises UnknownName."""
    of_groups, of_rules = dict[str, str](), dict[str, str]()
    for key, word in words.items():
        name, colon, subject = key.partition(":")
        entries = {f"{rule}{colon}{subject}": word for rule in rules.members(name)}
        (of_rules if name in rules else of_groups).update(entries)
    return {**of_groups, **of_rules}


def parsed(
    severities: Sequence[str],
    ignored: Sequence[str],
    rules: RuleCatalogue[..., Any],
    select: Sequence[str] = (),
    profile: str | None = None,
) -> Policy:
    """A policy from the options --severity RULE=WORD, --ignore RULE[:SUBJECT]=REASON, --select RULE,... and --profile.

    Raises UsageProblem, and UnknownName for a rule or group that does not exist.
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
    return policy(weights, reasons, rules, names(select), profile)


def names(select: Sequence[str]) -> list[str] | None:
    """The rules and groups of --select, whose values are names separated by commas; None if it is not there.

    Raises UsageProblem for a value without a name.
    """
    if empty := [text for text in select if not text.strip(" ,")]:
        raise UsageProblem(
            f"invalid --select '{empty[0]}': expected RULE,...", fix="name rules or groups, or leave it out"
        )
    return [name.strip() for text in select for name in text.split(",") if name.strip()] if select else None
