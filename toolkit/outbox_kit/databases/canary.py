"""The row that is no event of anybody's: it proves the way from the table to its topic."""

import uuid
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.wire.effective import router_columns

NEUTRAL = {"text": "", "integer": 0, "bigint": 0, "boolean": False, "uuid": uuid.UUID(int=0)}


def allow(outbox: Outbox) -> None:
    """Raises UsageProblem for a table whose owner would take a canary for an event of its own."""
    if outbox.table.existing:
        raise UsageProblem(
            f"no row of this kit's is written into '{outbox.table.name}'",
            why="the table is its owner's, whose publisher would send it",
            fix="leave out what asks for a canary: --probe, or --fence canary",
        )


def texts(outbox: Outbox, event_id: uuid.UUID) -> dict[str, Any]:
    """The same values as `row`, for servers and drivers that know a UUID as text only. Raises UsageProblem."""
    values = row(outbox, event_id)
    return {column: str(value) if isinstance(value, uuid.UUID) else value for column, value in values.items()}


def row(outbox: Outbox, event_id: uuid.UUID) -> dict[str, Any]:
    """The canary's values by column; the others are the database's to fill. Raises UsageProblem; see `allow`."""
    allow(outbox)
    c, read = outbox.table.columns, router_columns(outbox)
    canary_values = {
        c.id: event_id,
        c.aggregate_type: CANARY_AGGREGATE,
        c.aggregate_id: str(event_id),
        c.type: CANARY_TYPE,
        c.payload: b"{}" if outbox.table.payload == "bytes" else "{}",
    }
    values: dict[str, Any] = {x.name: NEUTRAL[x.kind] for x in outbox.table.extra if x.required}
    values |= {column: value for column, value in canary_values.items() if column is not None}
    if read.route not in (c.aggregate_type, c.type):
        values[read.route] = CANARY_AGGREGATE
    if any(extra.name == read.id and extra.kind == "text" for extra in outbox.table.extra):
        values[read.id] = str(event_id)
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "application":
        values[outbox.ordering.sequence] = 1
    return values
