"""The canary: a row that proves the delivery from the table to its topic, and is not an event of the application."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from outbox_kit.databases.event_row import event_row
from outbox_kit.databases.interface import Probe
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.wire.effective import router_columns

NEUTRAL = {"text": "", "integer": 0, "bigint": 0, "boolean": False, "uuid": uuid.UUID(int=0)}


def allow(outbox: Outbox) -> None:
    """Raises UsageProblem for an existing table: another publisher would publish the canary as an event."""
    if outbox.table.existing:
        raise UsageProblem(
            f"outbox-kit inserts no canary row into the existing table '{outbox.table.name}'",
            why="the publisher of the table's owner would publish it",
            fix="leave out --probe, or --catch-up-method canary",
        )


@contextmanager
def inserted(probe: Probe, dsn: str, outbox: Outbox, event_id: uuid.UUID) -> Iterator[None]:
    """Insert a canary row for the length of a block, and delete it again whatever happens.

    Raises UsageProblem, see `allow`, and what the probe raises. Nothing is inserted if the user may not delete it.
    """
    allow(outbox)
    probe.remove_canary(dsn, outbox, event_id)  # deletes nothing yet, and fails without the privilege
    try:
        probe.write_canary(dsn, outbox, event_id)
        yield
    finally:
        probe.remove_canary(dsn, outbox, event_id)


def texts(outbox: Outbox, event_id: uuid.UUID) -> dict[str, Any]:
    """The values of `row`, for servers and drivers without a type for UUIDs. Raises UsageProblem."""
    values = row(outbox, event_id)
    return {column: str(value) if isinstance(value, uuid.UUID) else value for column, value in values.items()}


def row(outbox: Outbox, event_id: uuid.UUID) -> dict[str, Any]:
    """The canary's values by column; the database fills the others. Raises UsageProblem; see `allow`."""
    allow(outbox)
    c, read = outbox.table.columns, router_columns(outbox)
    values: dict[str, Any] = {x.name: NEUTRAL[x.kind] for x in outbox.table.extra if x.required}
    values |= event_row(outbox, event_id, CANARY_AGGREGATE, str(event_id), CANARY_TYPE, "{}")
    if read.route not in (c.aggregate_type, c.type):
        values[read.route] = CANARY_AGGREGATE
    if any(extra.name == read.id and extra.kind == "text" for extra in outbox.table.extra):
        values[read.id] = str(event_id)
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "application":
        values[outbox.ordering.sequence] = 1
    return values
