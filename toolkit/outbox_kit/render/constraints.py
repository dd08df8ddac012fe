"""The outbox table's CHECKs: each makes one kind of bad row impossible. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.dialects.base import Dialect
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE


@dataclass(frozen=True)
class CheckConstraint:
    """A rule that makes a bad row impossible; the expression is quoted SQL."""

    name: str
    expression: str
    why: str


def constraints(outbox: Outbox, dialect: Dialect) -> list[CheckConstraint]:
    """The table's CHECKs, in the order they are created."""
    return list(_constraints(outbox, dialect))


def _constraints(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    table, c, ident = outbox.table.name, outbox.table.columns, dialect.ident
    pairs = [(event.aggregate, event.type) for event in outbox.events] + [(CANARY_AGGREGATE, CANARY_TYPE)]
    declared = ", ".join(f"({dialect.literal(a)}, {dialect.literal(t)})" for a, t in sorted(pairs))
    yield CheckConstraint(
        f"{table}_event_is_declared",
        f"({ident(c.aggregate_type)}, {ident(c.type)}) in ({declared})",
        "a misspelt event would go to a topic that nobody reads",
    )
    if outbox.route_column not in (c.aggregate_type, c.type):
        yield CheckConstraint(
            f"{table}_route_is_topic_safe",
            f"{ident(outbox.route_column)} ~ '^[A-Za-z0-9._-]{{1,200}}$'",
            "the router puts the value into the topic's name unchecked, and the task dies of a bad one",
        )
    yield CheckConstraint(
        f"{table}_key_is_not_empty",
        f"{ident(outbox.key_column)}::text <> ''",
        "all events with an empty key share one partition and one order",
    )
    yield CheckConstraint(
        f"{table}_payload_fits",
        f"octet_length({ident(c.payload)}{'' if outbox.table.payload == 'bytes' else '::text'})"
        f" between 1 and {outbox.table.max_payload_bytes}",
        "a message that the broker refuses as too large stops the connector; an empty one says nothing",
    )
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        types = ", ".join(map(dialect.literal, tombstones))
        yield CheckConstraint(
            f"{table}_null_payload_is_a_tombstone",
            f"({ident(c.payload)} is null) = ({ident(c.type)} in ({types}))",
            "only the events declared as tombstones have no payload",
        )
    for extra in outbox.table.extra:
        if extra.to == "partition":
            last = outbox.connect.topics.partitions - 1
            yield CheckConstraint(
                f"{table}_partition_exists",
                f"{ident(extra.name)} between 0 and {last}",
                "the producer refuses a partition that the topic does not have",
            )
