"""What is declared of the events: payloads, rules, headers, and which events they follow."""

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
    title="new consumers can read the messages already on the topic",
    problem="new consumers cannot read messages already on the topic",
    why="A consumer that is built from the new schema file reads older messages after a restart or a pause.",
    fix="keep the new declaration compatible with the old one, or let the old messages expire first",
)
NEW_MESSAGES_REFUSED = define(
    id="CMP-02",
    severity=ERROR,
    title="existing consumers can read new messages",
    problem="existing consumers cannot read new messages",
    why="A consumer that is built from the old schema file fails at the first new message.",
    fix="publish a new event type, and retire the old one later",
)
UNDECIDED = define(
    id="CMP-04",
    severity=INCONCLUSIVE,
    title="the compatibility can be decided",
    problem="the compatibility is undecidable",
    why="Nothing is proven either way.",
    fix="compare the two declarations by hand",
)
HEADER = define(
    id="CMP-06",
    severity=ERROR,
    title="headers stay compatible",
    problem="a header changes",
    why="Consumers that read the header fail or ignore the event.",
    fix="keep the old header beside the new one until no consumer reads it; if the header is new, consumers must "
    "accept messages without it",
)
REMOVED = define(
    id="CMP-07",
    severity=ERROR,
    title="every event stays declared",
    problem="an event is no longer declared",
    why="Consumers that wait for the event receive nothing, without an error.",
    fix="keep the event declared until no consumer reads it",
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
    yield from _compared(HEADER, HEADER, "", "headers", _declared(before), _declared(after), assumption)


def _declared(outbox: Outbox) -> Any:
    """The declared headers, as the schema of an object of them."""
    return as_schema(header_specs(Routes(outbox)), text_schema)


def _event(before: EventType, after: EventType, assumption: Assumption) -> Iterator[Change]:
    """What is declared of an event that is in both files."""
    name = event_name(before)
    if _payload(before) is ANYTHING and isinstance(after.payload, dict) and not after.tombstone:
        yield Change(UNDECIDED, name, "the payload gets a JSON Schema, and had none before")
    else:
        schemas = _payload(before), _payload(after)
        yield from _compared(OLD_MESSAGES_REFUSED, NEW_MESSAGES_REFUSED, name, "payload", *schemas, assumption)
    yield from _transitions(before, after)
    for rule in before.rules:
        if rule not in after.rules:
            yield Change(UNDECIDED, name, "a rule is removed, on which consumers may rely", rule)


def _transitions(before: EventType, after: EventType) -> Iterator[Change]:
    """Where in an aggregate's life the event may be."""
    for rule, wider, narrower, who in (
        (NEW_MESSAGES_REFUSED, after, before, "existing consumers do not expect it"),
        (OLD_MESSAGES_REFUSED, before, after, "new consumers do not expect it, and it may already be on the topic"),
    ):
        if places := _beyond(wider, narrower):
            yield Change(rule, event_name(before), f"the event {' or '.join(places)}: {who}", after=" or ".join(places))


def _beyond(wider: EventType, narrower: EventType) -> list[str]:
    """The positions that one declaration allows, and the other does not; in words."""
    places = ["as the first of its aggregate"] if wider.may_begin and not narrower.may_begin else []
    if narrower.follows is None:
        return places
    if wider.follows is None:
        return [*places, "after any event"]
    return [*places, *(f"after {kind}" for kind in wider.follows if kind not in narrower.follows)]


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
        (forward, "existing consumers cannot read new messages", after, before),
        (backward, "new consumers cannot read messages already on the topic", before, after),
    ):
        comparison = compare(written, read, assumption)
        if comparison.answer is Compatibility.no:
            severity = WARNING if rule is HEADER and read is after else None
            yield Change(rule, event, f"{subject}: {direction}", severity=severity, comparison=comparison)
        elif comparison.answer is Compatibility.undecided:
            message = f"{subject}: undecidable whether {direction}"
            yield Change(UNDECIDED, event, message, comparison=comparison)
