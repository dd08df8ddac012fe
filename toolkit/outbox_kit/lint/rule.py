"""The rules of `check`: functions over a config, entered into the catalogue by the modules in `rules/`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity
from outbox_kit.lint.evidence import sources
from outbox_kit.versions import Version

if TYPE_CHECKING:
    from outbox_kit.lint.subject import Subject


class Consequence(StrEnum):
    """What a violation leads to, the worst first."""

    loss = "committed events are not published, or can be lost"
    stop = "the connector is rejected, does not start, or its task fails"
    leak = "a secret can be read by those who should not know it"
    wrong = "messages are other than the config says or consumers expect, without an error"
    risk = "it works until something foreseeable happens"
    advice = "nothing is wrong; it can be better"


SEVERITIES = {
    Consequence.loss: Severity.error,
    Consequence.stop: Severity.error,
    Consequence.leak: Severity.error,
    Consequence.wrong: Severity.warning,
    Consequence.risk: Severity.warning,
    Consequence.advice: Severity.info,
}
"""The severity of a rule that has none of its own."""


@dataclass(frozen=True)
class Edit:
    """A change to a config: another value, another key, or (both None) the key taken away."""

    key: str
    value: str | None = None
    rename: str | None = None
    safe: bool = True
    """Whether the config does what it was meant to do; one that is not safe changes what a running connector does."""


@dataclass(frozen=True)
class Violation:
    """One occurrence in a config."""

    key: str
    """The option that it stands at."""
    message: str
    edit: Edit | None = None
    """The change that repairs it."""
    unset: str = ""
    """The option whose absence it is; empty if it is about an option that is set."""
    consequence: Consequence | None = None
    """In this place, if it is another than the rule's."""
    severity: Severity | None = None
    """In this place, if it is not that of its consequence."""


Check = Callable[["Subject"], Iterator[Violation]]


@dataclass(frozen=True, kw_only=True)
class ConfigRule(Rule):
    """A rule of `check`."""

    since: str | None
    """The first Debezium release that it holds for; None for all."""
    until: str | None
    """The last one; None for all."""
    connectors: frozenset[str]
    """The connectors that it is about, by our names; all if empty."""
    symptoms: tuple[str, ...]
    """As connectors/evidence.yaml lists them."""
    check: Check
    consequence: Consequence
    of_names: bool = False
    """Whether it is about the options that are set, whatever their values."""
    of_faults: bool = False
    """Whether it is about configs that cannot be read."""
    last: bool = False
    """Silent where an error is about an option that shapes the messages: it would only repeat that."""

    def is_about(self, subject: "Subject") -> bool:
        """Whether it is about a config, at its release: of one that cannot be read only as far as it was repaired."""
        document = subject.document
        is_read = bool(document.fault if self.of_faults else document.config or not document.fault)
        return is_read and self.holds_for(subject.connector, subject.release)

    def holds_for(self, connector: str | None, release: Version) -> bool:
        """Whether it is about a connector at a release."""
        if self.connectors and connector not in self.connectors:
            return False
        began = self.since is None or Version.of(self.since) <= release
        return began and (self.until is None or release <= Version.of(self.until))


def _leads_to(consequence: Consequence, rule: ConfigRule) -> bool:
    return rule.consequence is consequence


RULES = RuleCatalogue(
    "check",
    "outbox_kit.lint.rules",
    ConfigRule,
    sets={consequence.name: partial(_leads_to, consequence) for consequence in Consequence},
)


def rule(
    name: str,
    consequence: Consequence,
    *,
    fix: str,
    severity: Severity | None = None,
    evidence: str = "",
    since: str | None = None,
    until: str | None = None,
    connectors: str = "",
    of_names: bool = False,
    of_faults: bool = False,
    last: bool = False,
    strict: bool = False,
) -> Callable[[Check], Check]:
    """Enter a function into the catalogue. Its docstring is the title and, after a blank line, why it matters.

    severity: if it is not that of its consequence. evidence: symptoms, as connectors/evidence.yaml lists them. evidence
    and connectors: names, separated by blanks. of_names, of_faults, last: see `ConfigRule`.
    """
    return RULES.function(
        name,
        severity or SEVERITIES[consequence],
        fix=fix,
        evidence=sources(evidence.split()),
        applies=_applies(since, until, connectors.split()),
        since=since,
        until=until,
        connectors=frozenset(connectors.split()),
        symptoms=tuple(evidence.split()),
        consequence=consequence,
        of_names=of_names,
        of_faults=of_faults,
        last=last,
        strict=strict,
    )


def _applies(since: str | None, until: str | None, connectors: list[str]) -> str:
    span = " ".join(filter(None, [f"from {since}" if since else "", f"until {until}" if until else ""]))
    return "; ".join(filter(None, [f"Debezium {span}" if span else "", ", ".join(sorted(connectors))]))


def at(subject: "Subject", key: str, message: str) -> Violation:
    """A violation by the value that holds for an option: at the option, or at the connector if it is not set."""
    if key in subject.config:
        return Violation(key, message)
    return Violation("connector.class", message, unset=key)
