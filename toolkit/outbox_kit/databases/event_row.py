"""The row of one event, as the kit itself inserts it: a canary, or an event of a two-phase message. Pure."""

from typing import Any

from outbox_kit.schema.model import Outbox


def event_row(
    outbox: Outbox, event_id: Any, aggregate: str, aggregate_id: str, event_type: str, payload: str | None
) -> dict[str, Any]:
    """The values of the router's columns that the table has, by column; the database fills the others.

    event_id: of the type that the driver takes. payload: None for a tombstone.
    """
    columns = outbox.table.columns
    values = {
        columns.id: event_id,
        columns.aggregate_type: aggregate,
        columns.aggregate_id: aggregate_id,
        columns.type: event_type,
        columns.payload: payload.encode() if payload is not None and outbox.table.payload == "bytes" else payload,
    }
    return {column: value for column, value in values.items() if column is not None}
