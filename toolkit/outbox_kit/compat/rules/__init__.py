"""The rules of `diff`, one module a theme: its rules, and a function `changes` that finds where they do not hold."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.compat.schemas import Assumption, SchemaComparison
from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox

RULES = RuleCatalogue("diff", __name__, Rule)
ERROR, INCONCLUSIVE, WARNING, _ = Severity


@dataclass(frozen=True)
class Pair:
    """An outbox as both files declare it."""

    before: Outbox
    after: Outbox
    assumption: Assumption

    def events(self) -> Iterator[tuple[EventType, EventType | None]]:
        """Each event of the old file with that of the new one, or None."""
        later = {(event.aggregate, event.type): event for event in self.after.events}
        yield from ((event, later.get((event.aggregate, event.type))) for event in self.before.events)


@dataclass(frozen=True)
class Change:
    """One difference that a consumer notices."""

    rule: Rule
    event: str
    """Whose messages change, as `type of aggregate`; empty for all."""
    message: str
    before: str = ""
    after: str = ""
    severity: Severity | None = None
    """In place of the rule's."""
    comparison: SchemaComparison | None = None
    """Of the schemas, where there is one."""


def event_name(event: EventType) -> str:
    """An event as findings name it."""
    return f"{event.type} of {event.aggregate}"
