"""The conditions on the inbox of the consumers, and its window. No file is touched here."""

from collections.abc import Iterator

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.problem import SchemaProblem, quoted

TOPIC_DAYS = 7
"""The days for which Kafka retains records by default."""


def kept_days(outbox: OutboxFields) -> int:
    """The days that message ids are kept at least."""
    return outbox.inbox.window_days or outbox.table.kept_days + TOPIC_DAYS


def complaints(outbox: OutboxFields) -> Iterator[SchemaProblem]:
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


def _partitioned(outbox: OutboxFields) -> Iterator[SchemaProblem]:
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
