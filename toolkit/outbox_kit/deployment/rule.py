"""The rules of `plan`: functions over a plan, entered into the catalogue by the modules in `rules/`. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from outbox_kit.connect.planned import PlannedConnector
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity


@dataclass(frozen=True)
class PlannedViolation:
    """One occurrence in a plan."""

    message: str
    """The difference, in one line."""
    subject: str
    """The option, or the connector."""
    fix: str = ""
    """In place of the rule's."""


PlanCheck = Callable[[PlannedConnector], Iterator[PlannedViolation]]


@dataclass(frozen=True, kw_only=True)
class PlanRule(Rule):
    """A rule of `plan`. An error needs --allow-destructive or --adopt."""

    check: PlanCheck


ORDER = ("Connector", "Changes")
"""The groups of rules."""
RULES = RuleCatalogue("plan", "outbox_kit.deployment.rules", PlanRule, groups=ORDER)


def rule(name: str, severity: Severity, *, fix: str) -> Callable[[PlanCheck], PlanCheck]:
    """Enter a function into the catalogue. Its docstring is the title and, after a blank line, why it matters."""
    return RULES.function(name, severity, fix=fix)


def findings(plan: PlannedConnector) -> list[Finding]:
    """What the rules find in a plan."""
    return [
        Finding(
            each,
            each.severity,
            violation.subject,
            plan.scope,
            message=violation.message,
            remedy=violation.fix,
        )
        for each in RULES
        for violation in each.check(plan)
    ]
