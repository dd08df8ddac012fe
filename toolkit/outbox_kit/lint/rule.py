"""The rules of `check`: functions over a config, entered into the catalogue by the modules in `rules/`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity
from outbox_kit.lint.evidence import sources
from outbox_kit.versions import Version

if TYPE_CHECKING:
    from outbox_kit.lint.subject import Subject


@dataclass(frozen=True)
class Edit:
    """A change to a config: another value, another key, or (both None) the key taken away."""

    key: str
    value: str | None = None
    rename: str | None = None


@dataclass(frozen=True)
class Violation:
    """One occurrence in a config."""

    key: str
    """The option that it stands at."""
    message: str
    edit: Edit | None = None
    """The change that is right without any doubt."""


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
    last: bool = False
    """Silent where an error is about an option that shapes the messages: it would only repeat that."""

    def holds_for(self, connector: str | None, release: Version) -> bool:
        """Whether it is about a connector at a release."""
        if self.connectors and connector not in self.connectors:
            return False
        began = self.since is None or Version.of(self.since) <= release
        return began and (self.until is None or release <= Version.of(self.until))


RULES = RuleCatalogue("check", "outbox_kit.lint.rules", ConfigRule)


def rule(
    name: str,
    severity: Severity,
    *,
    fix: str,
    evidence: str = "",
    since: str | None = None,
    until: str | None = None,
    connectors: str = "",
    last: bool = False,
) -> Callable[[Check], Check]:
    """Enter a function into the catalogue. Its docstring is the title and, after a blank line, why it matters.

    evidence: symptoms, as connectors/evidence.yaml lists them. evidence and connectors: names, separated by blanks.
    """
    return RULES.function(
        name,
        severity,
        fix=fix,
        evidence=sources(evidence.split()),
        applies=_applies(since, until, connectors.split()),
        since=since,
        until=until,
        connectors=frozenset(connectors.split()),
        symptoms=tuple(evidence.split()),
        last=last,
    )


def _applies(since: str | None, until: str | None, connectors: list[str]) -> str:
    span = " ".join(filter(None, [f"from {since}" if since else "", f"until {until}" if until else ""]))
    return "; ".join(filter(None, [f"Debezium {span}" if span else "", ", ".join(sorted(connectors))]))


def at(subject: "Subject", keys: Mapping[str, str] | list[str], message: str) -> Iterator[Violation]:
    """The same message at each of these keys that the config has."""
    for key in keys:
        if key in subject.config:
            yield Violation(key, message)
