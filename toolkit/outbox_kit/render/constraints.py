"""The outbox table's CHECKs: each makes one kind of bad row impossible. Pure."""

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


def declared(outbox: Outbox, dialect: Dialect, *extra_pairs: tuple[str, str]) -> str:
    """That a row is one of the declared events.

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
        "a misspelt event would go to a topic that nobody reads",
    )
    if read.route not in (c.aggregate_type, c.type):
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "route_is_topic_safe"),
            conditions.topic_safe.format(ident(read.route)),
            "the router puts the value into the topic's name unchecked, and the task dies of a bad one",
        )
    if not conditions.empty_is_null:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "key_is_not_empty"),
            f"{conditions.text.format(ident(read.key))} <> ''",
            "all events with an empty key share one partition and one order",
        )
    yield CheckConstraint(
        dialect.derived_name(outbox.table.name, "payload_fits"),
        f"{_size(outbox, dialect)} between 1 and {outbox.table.max_payload_bytes}",
        "a message that the broker refuses as too large stops the connector; an empty one says nothing",
    )
    yield from _of_texts(outbox, dialect)
    yield from _of_tombstones(outbox, dialect)
    if read.partition is not None:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "partition_exists"),
            f"{ident(read.partition)} between 0 and {outbox.connect.topics.partitions - 1}",
            "the producer refuses a partition that the topic does not have",
        )


def _of_tombstones(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    tombstones = sorted({event.type for event in outbox.events if event.tombstone})
    if tombstones:
        payload, kind = map(dialect.quote_ident, (outbox.table.columns.payload, outbox.table.columns.type))
        types = ", ".join(map(dialect.quote_literal, tombstones))
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "null_payload_is_a_tombstone"),
            dialect.conditions.same.format(f"{payload} is null", f"{kind} in ({types})"),
            "only the events declared as tombstones have no payload",
        )


def _size(outbox: Outbox, dialect: Dialect) -> str:
    payload, conditions = dialect.quote_ident(outbox.table.columns.payload), dialect.conditions
    if counted := conditions.counted.get(payload_kind(outbox)):
        return counted[0].format(payload)
    return conditions.octets.format(payload if outbox.table.payload == "bytes" else conditions.text.format(payload))


def _of_texts(outbox: Outbox, dialect: Dialect) -> Iterator[CheckConstraint]:
    """What a type of its own says where the database has one."""
    c, conditions = outbox.table.columns, dialect.conditions
    if conditions.is_uuid:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "id_is_a_uuid"),
            conditions.is_uuid.format(dialect.quote_ident(c.id)),
            "lower case, so that one id is one text wherever it is compared",
        )
    if outbox.table.payload == "json" and conditions.is_json:
        yield CheckConstraint(
            dialect.derived_name(outbox.table.name, "payload_is_json"),
            conditions.is_json.format(dialect.quote_ident(c.payload)),
            "consumers read it as what the contract says",
        )
    for extra in outbox.table.extra if conditions.is_boolean else ():
        if extra.kind == "boolean":
            yield CheckConstraint(
                dialect.derived_name(outbox.table.name, extra.name, "is_boolean"),
                conditions.is_boolean.format(dialect.quote_ident(extra.name)),
                "the connector makes false of any other number",
            )
