"""The inbox of the consumers, and the conditions on it. No file is touched here.

The fields' descriptions are product text: the reference is made of them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from outbox_kit.schema.problem import SchemaProblem, quoted
from outbox_kit.schema.table import Line, Part

if TYPE_CHECKING:
    from outbox_kit.schema.fields import OutboxFields

TOPIC_DAYS = 7
"""The days for which Kafka retains records by default."""


class InboxConsumer(Part):
    """A consumer that has its rows in the inbox."""

    name: Line = Field(max_length=255)
    """The consumer's name, as in the column `consumer`. Consumers with different names process the same message
    independently."""
    group: Line | None = Field(None, max_length=255)
    """The consumer group in Kafka, whose committed offsets limit the purge. Default: the consumer's name."""

    @property
    def consumer_group(self) -> str:
        """The consumer group."""
        return self.group or self.name


class InboxSettings(Part):
    """The inbox of the consumers, in which duplicates of messages are found: `gen-ddl --inbox` creates its table."""

    mode: Literal["message-id", "high-water", "offsets"] = "message-id"
    """What the inbox stores. `message-id`: the id of each message, unique for each consumer. `high-water`: the greatest
    sequence number of each producer and message key, for messages in order; its size is constant. `offsets`: the next
    offset of each topic partition, fenced by the generation of the consumer group; it needs `delivery_guarantee:
    exactly-once`, because a duplicate that the producer publishes has an offset of its own."""
    window_days: int | None = Field(None, ge=1, le=36_500)
    """Days that message ids are kept at least. Default: the days that rows are kept in the outbox, and 7 more for the
    default retention of topics. The purge keeps every id longer that Kafka can still redeliver."""
    partitioned: bool = False
    """Whether the inbox has a partition for each day, which the purge drops as a whole; in PostgreSQL only. The day is
    that of the message id, which must be a UUID of version 7; other ids are rejected."""
    consumers: tuple[InboxConsumer, ...] = ()
    """The consumers of the inbox, whose ids are purged."""


def kept_days(outbox: "OutboxFields") -> int:
    """The days that message ids are kept at least."""
    return outbox.inbox.window_days or outbox.table.kept_days + TOPIC_DAYS


def complaints(outbox: "OutboxFields") -> Iterator[SchemaProblem]:
    """The mistakes in `inbox`, and in what the rest of the schema file says with it."""
    inbox, title = outbox.inbox, outbox.dialect.title
    modes = outbox.dialect.inbox.modes
    if inbox.mode not in modes:
        expected = f"expected {' or '.join(modes)} for {title}"
        yield SchemaProblem(f"invalid inbox.mode '{inbox.mode}': {expected}", ("inbox", "mode"))
    elif inbox.mode == "offsets" and outbox.delivery_guarantee != "exactly-once":
        expected = (
            "expected message-id or high-water with delivery_guarantee: at-least-once; a duplicate that the producer "
            "publishes has another offset"
        )
        yield SchemaProblem(f"invalid inbox.mode 'offsets': {expected}", ("inbox", "mode"))
    elif inbox.mode == "high-water" and outbox.ordering.sequence is None:
        expected = "expected message-id with ordering.sequence: null; the messages have no header 'sequence'"
        yield SchemaProblem(f"invalid inbox.mode 'high-water': {expected}", ("inbox", "mode"))
    yield from _partitioned(outbox)
    if inbox.mode != "message-id" and inbox.window_days is not None:
        problem = f"inbox.window_days needs inbox.mode: message-id, and it is {inbox.mode}; remove the key"
        yield SchemaProblem(problem, ("inbox", "window_days"))
    names: dict[str, int] = {}
    for n, consumer in enumerate(inbox.consumers):
        if consumer.name in names:
            problem = f"the consumer {quoted(consumer.name)} is declared twice"
            first = ("inbox", "consumers", names[consumer.name], "name")
            yield SchemaProblem(problem, ("inbox", "consumers", n, "name"), first)
        names.setdefault(consumer.name, n)


def _partitioned(outbox: "OutboxFields") -> Iterator[SchemaProblem]:
    """The conditions on an inbox with a partition for each day."""
    inbox, place = outbox.inbox, ("inbox", "partitioned")
    if not inbox.partitioned:
        return
    if not outbox.dialect.inbox.partitions:
        expected = f"expected false for {outbox.dialect.title}"
        yield SchemaProblem(f"invalid inbox.partitioned 'true': {expected}", place)
    elif inbox.mode != "message-id":
        expected = f"expected false with inbox.mode: {inbox.mode}, whose table is small"
        yield SchemaProblem(f"invalid inbox.partitioned 'true': {expected}", place)
    elif outbox.table.ids != "uuid":
        expected = f"expected false with table.ids: {outbox.table.ids}; the day is read from a UUID of version 7"
        yield SchemaProblem(f"invalid inbox.partitioned 'true': {expected}", place)
