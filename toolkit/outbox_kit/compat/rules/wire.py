"""The message of one row, by both configurations."""

from collections.abc import Iterator

from outbox_kit.compat.rules import ERROR, RULES, Change, Pair, event_name
from outbox_kit.compat.rules.contract import HEADER, UNDECIDED
from outbox_kit.errors import UsageProblem
from outbox_kit.findings.rule import Group
from outbox_kit.router.chain import Message, Outcome, Unknown
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from outbox_kit.wire.event import send_event

OTHER_MESSAGE = RULES.define(
    id="CMP-05",
    severity=ERROR,
    title="messages keep their topic, key, partition and bytes",
    problem="the wire format of messages changes",
    why="Consumers find the messages in another place, in another order, or cannot read them.",
    fix="publish the new form on a new topic, let consumers read both topics, and name the former one in "
    "routing.previous_topics; never change the keys of an existing topic",
    group=Group("Wire", rank=1),
)
SHAPING = ("transforms", "predicates", "key.converter", "value.converter", "header.converter")


def changes(pair: Pair) -> Iterator[Change]:
    """The changes of the messages."""
    yield from _outbox(pair.before, pair.after)
    for old, new in pair.events():
        if new is not None:
            yield from _event(pair.before, pair.after, old, new)


def _outbox(before: Outbox, after: Outbox) -> Iterator[Change]:
    """What holds for all events."""
    guarantee, later = before.delivery_guarantee, after.delivery_guarantee
    if guarantee != later == "at-least-once":
        message = "duplicates become possible: the delivery guarantee changes"
        yield Change(OTHER_MESSAGE, "", message, guarantee, later)
    if before.table.registry != after.table.registry:
        old, new = (outbox.table.registry or "none" for outbox in (before, after))
        yield Change(OTHER_MESSAGE, "", "the Schema Registry of payloads changes", old, new)


def _event(before: Outbox, after: Outbox, old: EventType, new: EventType) -> Iterator[Change]:
    """A row of an event that is in both files."""
    name = event_name(old)
    try:
        null = old.tombstone or new.tombstone
        first, second = (
            send_event(outbox, event, {} if null else {outbox.table.columns.payload: "{}"})
            for outbox, event in ((before, old), (after, new))
        )
    except UsageProblem as problem:
        yield Change(UNDECIDED, name, f"undecidable: no sample row could be made: {problem.why}")
        return
    if isinstance(first, Message) and isinstance(second, Message):
        yield from _messages(name, first, second)
        yield from _partitions(name, first, second, before.connect.topics.partitions, after.connect.topics.partitions)
        return
    unknown = isinstance(first, Unknown) and _shaping(before) != _shaping(after)
    if first != second or unknown:
        yield Change(
            UNDECIDED, name, "undecidable: the router's result is not known for both files", _kind(first), _kind(second)
        )


def _shaping(outbox: Outbox) -> dict[str, str]:
    """The options that decide what a message is."""
    return {name: value for name, value in connector.config(outbox).items() if name.startswith(SHAPING)}


def _kind(outcome: Outcome) -> str:
    return type(outcome).__name__.lower()


def _messages(name: str, before: Message, after: Message) -> Iterator[Change]:
    if before.topic != after.topic:
        yield Change(OTHER_MESSAGE, name, "the topic changes", before.topic, after.topic)
    if before.key != after.key:
        message = "the key of the same row changes"
        yield Change(OTHER_MESSAGE, name, message, _content_text(before.key), _content_text(after.key))
    if before.value != after.value and before.value is not None and after.value is not None:
        message = "the bytes of the same payload change"
        yield Change(OTHER_MESSAGE, name, message, _content_text(before.value), _content_text(after.value))
    old, new = dict(before.headers), dict(after.headers)
    left = {name for name, _ in (*after.context, *after.headers)}
    for header, _ in before.context:
        if header not in left:
            yield Change(HEADER, name, f"the header '{header}' is removed")
    for header, value in old.items():
        if header not in new:
            yield Change(HEADER, name, f"the header '{header}' is removed", _content_text(value))
        elif new[header] != value:
            message = f"the value of the header '{header}' changes"
            yield Change(HEADER, name, message, _content_text(value), _content_text(new[header]))


def _partitions(name: str, before: Message, after: Message, old: int, new: int) -> Iterator[Change]:
    """The partition of a message. old, new: the number of partitions."""
    if old != new:
        message = "the partition of most keys changes: the number of partitions changes"
        yield Change(OTHER_MESSAGE, name, message, str(old), str(new))
    elif (before.partition is None) != (after.partition is None):
        message = "the selection of the partition changes"
        yield Change(OTHER_MESSAGE, name, message, _chosen(before), _chosen(after))


def _chosen(message: Message) -> str:
    return "by the key" if message.partition is None else "by a column"


def _content_text(content: bytes | None) -> str:
    return "null" if content is None else content.decode(errors="replace")
