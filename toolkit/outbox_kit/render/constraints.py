"""The outbox table's CHECKs: each rejects one kind of invalid row. Pure."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.databases.facts import Dialect
from outbox_kit.schema.columns import payload_kind
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.wire.effective import router_columns


@dataclass(frozen=True)
class CheckConstraint:
    """A condition that rejects invalid rows; the expression is quoted SQL."""

    name: str
    expression: str
    why: str

    @property
    def digest(self) -> str:
        """A digest of the expression, for the names of constraints if the server does not store it verbatim."""
        return hashlib.sha256(self.expression.encode()).hexdigest()[:6]


def constraints(outbox: Outbox, dialect: Dialect) -> list[CheckConstraint]:
    """The table's CHECKs in the order of their creation; none for an existing table."""
    return [] if outbox.table.existing else list(_constraints(outbox, dialect))


def declared(outbox: Outbox, dialect: Dialect, *extra_pairs: tuple[str, str]) -> str:
    """The condition that a row is a declared event.

    extra_pairs: pairs of aggregate and type that are allowed beside them.
    """
    c, conditions = outbox.table.columns, dialect.conditions
    pair = conditions.pair.format(
        *(dialect.quote_ident(name) for name in (c.aggregate_type, c.type) if name is not None)
    )
    pairs = sorted([*((event.aggregate, event.type) for event in outbox.events), *extra_pairs])
    allowed = (conditions.pair.format(*map(dialect.quote_literal, names)) for names in pairs)
    return f"{pair} in ({conditions.comma.join(allowed)})"


def _constraints(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    c, ident, conditions = outbox.table.columns, dialect.quote_ident, dialect.conditions
    read = router_columns(outbox)
    yield CheckConstraint(
        dialect.derived_name(outbox.table.name, "event_is_declared"),
        declared(outbox, dialect, (CANARY_AGGREGATE, CANARY_TYPE)),
        "the event must be declared: a misspelt event would be published to a topic without consumers",
    )
    if read.route not in (c.aggregate_type, c.type):
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "route_is_topic_safe"),
            conditions.topic_safe.format(ident(read.route)),
            "the value must be valid in a topic's name: the connector task fails at an invalid topic",
        )
    if not conditions.empty_is_null:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "key_is_not_empty"),
            f"{conditions.text.format(ident(read.key))} <> ''",
            "the key must not be empty: all events with an empty key would go to one partition",
        )
    yield CheckConstraint(
        dialect.derived_name(outbox.table.name, "payload_fits"),
        f"{_size(outbox, dialect)} between 1 and {outbox.table.max_payload_bytes}",
        "the payload must not be empty or too large: the connector fails if the broker rejects a message",
    )
    yield from _of_texts(outbox, dialect)
    yield from _of_tombstones(outbox, dialect)
    if read.partition is not None:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "partition_exists"),
            f"{ident(read.partition)} between 0 and {outbox.connect.topics.partitions - 1}",
            "the partition must exist: the producer rejects any other partition number",
        )


def _of_tombstones(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        payload, kind = map(dialect.quote_ident, (outbox.table.columns.payload, outbox.table.columns.type))
        types = ", ".join(map(dialect.quote_literal, tombstones))
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "null_payload_is_a_tombstone"),
            dialect.conditions.same.format(f"{payload} is null", f"{kind} in ({types})"),
            "an event without a payload must be declared as a tombstone, and a tombstone has none",
        )


def _size(outbox: Outbox, dialect: Dialect) -> str:
    payload, conditions = dialect.quote_ident(outbox.table.columns.payload), dialect.conditions
    if counted := conditions.counted.get(payload_kind(outbox)):
        return counted[0].format(payload)
    return conditions.octets.format(payload if outbox.table.payload == "bytes" else conditions.text.format(payload))


def _of_texts(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    """The conditions that replace data types which the database does not have."""
    c, conditions = outbox.table.columns, dialect.conditions
    if conditions.is_uuid:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "id_is_a_uuid"),
            conditions.is_uuid.format(dialect.quote_ident(c.id)),
            "the id must be a UUID in lower case, so that equal ids are equal as text",
        )
    if outbox.table.payload == "json" and conditions.is_json:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "payload_is_json"),
            conditions.is_json.format(dialect.quote_ident(c.payload)),
            "the payload must be valid JSON",
        )
    for extra in outbox.table.extra if conditions.is_boolean else ():
        if extra.kind == "boolean":
            yield CheckConstraint(
                dialect.derived_name(outbox.table.name, extra.name, "is_boolean"),
                conditions.is_boolean.format(dialect.quote_ident(extra.name)),
                "a boolean must be 0 or 1: the connector converts any other number to false",
            )
