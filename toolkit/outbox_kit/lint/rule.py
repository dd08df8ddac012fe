"""A rule and what it finds: values, collected by the modules in `rules/`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outbox_kit.finding import Severity
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
class Flaw:
    """One occurrence: the option it stands at, what is wrong there, and the change that heals it without any doubt."""

    key: str
    message: str
    edit: Edit | None = None


Check = Callable[["Subject"], Iterator[Flaw]]


@dataclass(frozen=True)
class Rule:
    """A rule of the catalogue.

    title: one sentence, what is wrong. why: what it leads to. fix: what to do.
    evidence: symptoms, as connectors/evidence.yaml lists them. since, until: the Debezium releases it holds for.
    connectors: those it speaks of, by our names; all if empty. last: silent where an error says what shapes the
    messages wrongly, since it would only repeat that.
    """

    id: str
    severity: Severity
    title: str
    why: str
    fix: str
    evidence: tuple[str, ...]
    since: str | None
    until: str | None
    connectors: frozenset[str]
    check: Check
    last: bool = False

    def holds_for(self, connector: str | None, release: Version) -> bool:
        """Whether it speaks of a connector at a release."""
        if self.connectors and connector not in self.connectors:
            return False
        began = self.since is None or Version.of(self.since) <= release
        return began and (self.until is None or release <= Version.of(self.until))


RULES: dict[str, Rule] = {}


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

    evidence and connectors: names, separated by blanks.
    """

    def enter(check: Check) -> Check:
        title, _, why = (check.__doc__ or "").strip().partition("\n\n")
        RULES[name] = Rule(
            id=name,
            severity=severity,
            title=_one_line(title),
            why=_one_line(why),
            fix=fix,
            evidence=tuple(evidence.split()),
            since=since,
            until=until,
            connectors=frozenset(connectors.split()),
            check=check,
            last=last,
        )
        return check

    return enter


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def at(subject: "Subject", keys: Mapping[str, str] | list[str], message: str) -> Iterator[Flaw]:
    """The same message at each of these keys that the config has."""
    for key in keys:
        if key in subject.config:
            yield Flaw(key, message)
