"""What is declared of the events: payloads, rules, and the place of an event in its aggregate's life."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from outbox_kit.compat.rules import ERROR, INCONCLUSIVE, RULES, WARNING, Change, Pair, event_name
from outbox_kit.compat.schemas import Assumption, Compatibility, compare
from outbox_kit.findings.rule import Group, Rule
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.headers import as_schema, header_specs, text_schema
from outbox_kit.wire.routes import Routes

define = partial(RULES.define, group=Group("Contract"))
OLD_MESSAGES_REFUSED = define(
    id="CMP-01",
    severity=ERROR,
    title="new readers refuse old messages",
    fix="keep reading what is on the topics, or let it expire first",
)
NEW_MESSAGES_REFUSED = define(
    id="CMP-02",
    severity=ERROR,
    title="readers that are there refuse new messages",
    fix="send a new event type, and retire the old one later",
)
UNDECIDED = define(
    id="CMP-04",
    severity=INCONCLUSIVE,
    title="it cannot be said",
    fix="compare the two by hand; nothing is proven either way",
)
HEADER = define(
    id="CMP-06",
    severity=ERROR,
    title="a header changes",
    fix="add headers beside the old ones; take them away when nobody reads them",
)
REMOVED = define(
    id="CMP-07",
    severity=ERROR,
    title="an event is gone",
    fix="its readers wait for ever; tell them, or keep it declared",
)
ANYTHING = {"type": ["object", "array", "string", "number", "boolean"]}  # an event without a tombstone is never null


def changes(pair: Pair) -> Iterator[Change]:
    """The changes of the declarations."""
    for old, new in pair.events():
        yield from removed([old]) if new is None else _event(old, new, pair.assumption)
    yield from _headers(pair.before, pair.after, pair.assumption)


def removed(events: Sequence[EventType]) -> Iterator[Change]:
    """Events that are no longer declared."""
    for event in events:
        yield Change(REMOVED, event_name(event), "the event is no longer declared")


def _headers(before: Outbox, after: Outbox, assumption: Assumption) -> Iterator[Change]:
    """What is declared of headers."""
    yield from _compared(HEADER, HEADER, "", "the headers", _declared(before), _declared(after), assumption)


def _declared(outbox: Outbox) -> Any:
    """The declared headers, as the schema of an object of them."""
    return as_schema(header_specs(Routes(outbox)), text_schema)


def _event(before: EventType, after: EventType, assumption: Assumption) -> Iterator[Change]:
    """What is declared of an event that is in both files."""
    name = event_name(before)
    if _payload(before) is ANYTHING and isinstance(after.payload, dict) and not after.tombstone:
        yield Change(UNDECIDED, name, "the payload has a schema now, and none was declared before")
    else:
        schemas = _payload(before), _payload(after)
        yield from _compared(OLD_MESSAGES_REFUSED, NEW_MESSAGES_REFUSED, name, "the payload", *schemas, assumption)
    yield from _transitions(before, after)
    for rule in before.rules:
        if rule not in after.rules:
            message = "a rule that no longer holds, on which readers may count"
            yield Change(UNDECIDED, name, message, rule, "gone")


def _transitions(before: EventType, after: EventType) -> Iterator[Change]:
    """Where in an aggregate's life the event may be."""
    for rule, wider, narrower, who in (
        (NEW_MESSAGES_REFUSED, after, before, "readers of today do not expect it there"),
        (OLD_MESSAGES_REFUSED, before, after, "readers of tomorrow do not expect it where it is on the topics"),
    ):
        if places := _beyond(wider, narrower):
            yield Change(rule, event_name(before), f"its place: {who}", after=" or ".join(places))


def _beyond(wider: EventType, narrower: EventType) -> list[str]:
    """Where one declaration lets an event be, and the other does not; in words."""
    places = ["first"] if wider.may_begin and not narrower.may_begin else []
    if narrower.after is None:
        return places
    if wider.after is None:
        return [*places, "after any event"]
    return [*places, *(f"after {kind}" for kind in wider.after if kind not in narrower.after)]


def _payload(event: EventType) -> Mapping[str, Any]:
    if event.tombstone:
        return {"anyOf": [{"type": "null"}, event.payload]} if isinstance(event.payload, dict) else {"type": "null"}
    return event.payload if isinstance(event.payload, dict) else ANYTHING


def _compared(
    backward: Rule, forward: Rule, event: str, subject: str, before: Any, after: Any, assumption: Assumption
) -> Iterator[Change]:
    """Both directions: new messages before the readers that are there, old messages before new readers."""
    if before == after:
        return
    for rule, direction, written, read in (
        (forward, "readers of today refuse new messages", after, before),
        (backward, "readers of tomorrow refuse the messages that are there", before, after),
    ):
        comparison = compare(written, read, assumption)
        if comparison.answer is Compatibility.no:
            severity = WARNING if rule is HEADER and read is after else None
            yield Change(rule, event, f"{subject}: {direction}", severity=severity, comparison=comparison)
        elif comparison.answer is Compatibility.undecided:
            message = f"{subject}: it cannot be said whether {direction}"
            yield Change(UNDECIDED, event, message, comparison=comparison)
