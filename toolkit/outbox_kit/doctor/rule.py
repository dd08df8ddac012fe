"""The rules of `doctor`: functions over an observation, entered into the catalogue by the modules in `rules/`. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from outbox_kit.doctor.needs import SystemNeed, unmet
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity


@dataclass(frozen=True)
class SystemViolation:
    """One occurrence, with its evidence in the message."""

    message: str
    subject: str = RUN
    """The object that does not keep the rule: a role, a slot, a topic."""
    fix: str = ""
    """In place of the rule's."""
    details: Sequence[str] = ()
    """Further evidence, or statements to copy, a line each."""
    severity: Severity | None = None
    """In place of the rule's."""


SystemCheck = Callable[[SystemObservation], Iterator[SystemViolation]]


@dataclass(frozen=True, kw_only=True)
class SystemRule(Rule):
    """A rule of `doctor`."""

    check: SystemCheck


ORDER = (
    "Answers",
    "Server",
    "Roles",
    "Outbox",
    "Publication",
    "Slot",
    "Binlog",
    "Capture",
    "Worker",
    "Settings",
    "Connector",
    "Relay",
    "Topics",
    "Acls",
    "Delivery",
)
"""The groups of rules, in the order of the way that an event takes."""
RULES = RuleCatalogue("doctor", "outbox_kit.doctor.rules", SystemRule, groups=ORDER)


def rule(
    name: str, severity: Severity, *, fix: str, needs: Sequence[SystemNeed] = ()
) -> Callable[[SystemCheck], SystemCheck]:
    """Enter a function into the catalogue. Its docstring is the title and, after a blank line, why it matters."""
    return RULES.function(name, severity, fix=fix, needs=frozenset(needs))


def findings(system: SystemObservation) -> tuple[list[Finding], dict[str, str]]:
    """What the rules find, and why a rule was not checked, by its id."""
    missing, results, unchecked = unmet(system), list[Finding](), dict[str, str]()
    for each in RULES:
        reason = next((need for need in SystemNeed if need in each.needs & missing), None)
        if reason is not None:
            unchecked[each.id] = reason.value
        else:
            results += [_finding(each, violation, system.outbox.service) for violation in each.check(system)]
    return results, unchecked


def _finding(rule: SystemRule, violation: SystemViolation, service: str) -> Finding:
    return Finding(
        rule,
        violation.severity or rule.severity,
        violation.subject,
        service,
        message=violation.message,
        remedy=violation.fix,
        details=violation.details,
    )
