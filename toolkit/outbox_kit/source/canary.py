"""The row that is no event of anybody's: it proves the way from the table to its topic."""

import uuid
from typing import Any

from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE

NEUTRAL = {"text": "", "integer": 0, "bigint": 0, "boolean": False, "uuid": uuid.UUID(int=0)}


def row(outbox: Outbox, event_id: uuid.UUID) -> dict[str, Any]:
    """The canary's values by column; the others are the database's to fill."""
    c = outbox.table.columns
    values: dict[str, Any] = {
        **{x.name: NEUTRAL[x.kind] for x in outbox.table.extra if x.required},
        c.id: event_id,
        c.aggregate_type: CANARY_AGGREGATE,
        c.aggregate_id: str(event_id),
        c.type: CANARY_TYPE,
        c.payload: b"{}" if outbox.table.payload == "bytes" else "{}",
    }
    if outbox.route_column not in (c.aggregate_type, c.type):
        values[outbox.route_column] = CANARY_AGGREGATE
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "application":
        values[outbox.ordering.sequence] = 1
    return values
