"""The outbox table's columns, as the model means them: name, kind and why. Pure; types are the dialect's."""

from dataclasses import dataclass
from functools import lru_cache

from outbox_kit.schema.fields import EventType, OutboxFields


@dataclass(frozen=True)
class Column:
    """A column of the outbox table."""

    name: str
    """Its name."""
    kind: str
    """A key of the dialect's types."""
    required: bool
    """Whether it is NOT NULL."""
    why: str
    """Its comment in the database; empty for the user's own columns, see `render.described`."""
    filled: str = ""
    """A key of the dialect's fills; empty if the writer fills it."""


def fed(outbox: OutboxFields) -> dict[str, Column]:
    """The columns by the names that `table.source.columns` has for them."""
    names = {column: name for name, column in outbox.table.columns}
    return {names.get(column.name, column.name): column for column in columns(outbox)}


class _Same:
    """A value that is only equal to itself: what is frozen can be remembered by its identity."""

    def __init__(self, value: "tuple[EventType, ...]") -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


@lru_cache(maxsize=16)
def _any_tombstone(events: _Same) -> bool:
    return any(event.tombstone for event in events.value)


def tombstones(outbox: OutboxFields) -> bool:
    """Whether an event may be without a payload. It is asked for each event's row, and so remembered."""
    return _any_tombstone(_Same(outbox.events))


def columns(outbox: OutboxFields) -> list[Column]:
    """The table's columns in order.

    None that the router reads has a default: the router would send the default in place of a NULL.
    """
    c = outbox.table.columns
    dialect = outbox.dialect
    payload = {"json": "the event; kept byte for byte", "text": "the event", "bytes": "the event, serialised"}
    if dialect.documents:
        payload["json"] = "the event, a document; an array in it holds values of one type, or the router fails"
    columns = [Column(c.id, outbox.table.ids, True, "the event's id: header id, what consumers deduplicate by")]
    if c.aggregate_type is not None:
        columns.append(Column(c.aggregate_type, "text", True, "what changed"))
    if c.aggregate_id is not None:
        columns.append(Column(c.aggregate_id, "text", True, "which one changed"))
    columns += [
        Column(c.type, "text", True, "what happened: header eventType"),
        Column(c.payload, payload_kind(outbox), not tombstones(outbox), payload[outbox.table.payload]),
    ]
    if outbox.ordering.sequence:
        by_database = outbox.ordering.assigned_by == "database"
        why = "grows with every event" if by_database else "the aggregate's version: 1, 2, 3"
        filled = "identity" if by_database else ""
        columns.append(Column(outbox.ordering.sequence, "bigint", True, f"{why}: header sequence", filled))
    columns += [Column(extra.name, extra.kind, extra.required, "") for extra in outbox.table.extra]
    if c.created_at is not None:
        why = "for retention; not read by the router" + (
            "" if "now" in dialect.ddl.default_clauses else "; the application writes it"
        )
        columns.append(Column(c.created_at, "instant", True, why, "now"))
    return columns


def payload_kind(outbox: OutboxFields) -> str:
    """The kind of the payload's column; `short ...` where the dialect has another type for what is no longer."""
    kind = "document" if outbox.table.payload == "text" else outbox.table.payload
    short = outbox.dialect.short_types.get(kind, 0) >= outbox.table.max_payload_bytes
    return f"short {kind}" if short else kind
