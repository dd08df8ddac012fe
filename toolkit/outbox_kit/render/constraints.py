"""The outbox table's CHECKs: each makes one kind of bad row impossible. Pure."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.dialects.base import Dialect
from outbox_kit.schema.columns import payload_kind
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE


@dataclass(frozen=True)
class CheckConstraint:
    """A rule that makes a bad row impossible; the expression is quoted SQL."""

    name: str
    expression: str
    why: str

    @property
    def digest(self) -> str:
        """Tells a rule from what it was before; for names, where a server keeps a rule in words of its own."""
        return hashlib.sha256(self.expression.encode()).hexdigest()[:6]


def constraints(outbox: Outbox, dialect: Dialect) -> list[CheckConstraint]:
    """The table's CHECKs, in the order they are created; none for a table that is its owner's."""
    return [] if outbox.table.existing else list(_constraints(outbox, dialect))


def declared(outbox: Outbox, dialect: Dialect, *more: tuple[str, str]) -> str:
    """That a row is one of the declared events. more: pairs of aggregate and type that are allowed beside them."""
    c, says = outbox.table.columns, dialect.conditions
    told = says.pair.format(*(dialect.ident(name) for name in (c.aggregate_type, c.type) if name is not None))
    pairs = sorted([*((event.aggregate, event.type) for event in outbox.events), *more])
    return f"{told} in ({says.comma.join(says.pair.format(*map(dialect.literal, pair)) for pair in pairs)})"


def _constraints(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    c, ident, says = outbox.table.columns, dialect.ident, dialect.conditions
    payload = ident(c.payload)
    yield CheckConstraint(
        dialect.made(outbox.table.name, "event_is_declared"),
        declared(outbox, dialect, (CANARY_AGGREGATE, CANARY_TYPE)),
        "a misspelt event would go to a topic that nobody reads",
    )
    if outbox.route_column not in (c.aggregate_type, c.type):
        yield CheckConstraint(
            dialect.made(outbox.table.name, "route_is_topic_safe"),
            says.topic_safe.format(ident(outbox.route_column)),
            "the router puts the value into the topic's name unchecked, and the task dies of a bad one",
        )
    if not says.empty_is_null:
        yield CheckConstraint(
            dialect.made(outbox.table.name, "key_is_not_empty"),
            f"{says.text.format(ident(outbox.key_column))} <> ''",
            "all events with an empty key share one partition and one order",
        )
    yield CheckConstraint(
        dialect.made(outbox.table.name, "payload_fits"),
        f"{_size(outbox, dialect)} between 1 and {outbox.table.max_payload_bytes}",
        "a message that the broker refuses as too large stops the connector; an empty one says nothing",
    )
    yield from _of_texts(outbox, dialect)
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        types = ", ".join(map(dialect.literal, tombstones))
        yield CheckConstraint(
            dialect.made(outbox.table.name, "null_payload_is_a_tombstone"),
            says.same.format(f"{payload} is null", f"{ident(c.type)} in ({types})"),
            "only the events declared as tombstones have no payload",
        )
    for extra in outbox.table.extra:
        if extra.to == "partition":
            last = outbox.connect.topics.partitions - 1
            yield CheckConstraint(
                dialect.made(outbox.table.name, "partition_exists"),
                f"{ident(extra.name)} between 0 and {last}",
                "the producer refuses a partition that the topic does not have",
            )


def _size(outbox: Outbox, dialect: Dialect) -> str:
    payload, says = dialect.ident(outbox.table.columns.payload), dialect.conditions
    if counted := says.counted.get(payload_kind(outbox)):
        return counted[0].format(payload)
    return says.octets.format(payload if outbox.table.payload == "bytes" else says.text.format(payload))


def _of_texts(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    """What a type of its own says where the database has one."""
    c, says = outbox.table.columns, dialect.conditions
    if says.is_uuid:
        yield CheckConstraint(
            dialect.made(outbox.table.name, "id_is_a_uuid"),
            says.is_uuid.format(dialect.ident(c.id)),
            "lower case, so that one id is one text wherever it is compared",
        )
    if outbox.table.payload == "json" and says.is_json:
        yield CheckConstraint(
            dialect.made(outbox.table.name, "payload_is_json"),
            says.is_json.format(dialect.ident(c.payload)),
            "consumers read it as what the contract says",
        )
    for extra in outbox.table.extra if says.is_boolean else ():
        if extra.kind == "boolean":
            yield CheckConstraint(
                dialect.made(outbox.table.name, extra.name, "is_boolean"),
                says.is_boolean.format(dialect.ident(extra.name)),
                "the connector makes false of any other number",
            )
