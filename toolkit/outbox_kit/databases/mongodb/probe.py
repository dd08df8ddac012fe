"""Questions to a running MongoDB about one outbox: its log; and the canary document."""

import base64
import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from outbox_kit.databases import canary
from outbox_kit.databases.interface import LONG_WEEKEND_HOURS
from outbox_kit.databases.mongodb.session import driver, session
from outbox_kit.databases.observed import ServerRisk
from outbox_kit.schema.model import Outbox

IN_A_SECOND = 32  # bits
FULL = 0.9  # of what it may take, from where on the log's oldest entries go
OF_A_TIME = slice(2, 18)  # of a resume token: its first byte is the kind of value, a timestamp's


def position(offset: Mapping[str, Any]) -> int | None:
    """See `Probe`.

    While nothing happens only the stream's token moves on, and its time is in there.
    """
    if offset.get("initsync"):
        return None
    if token := offset.get("resume_token"):
        driver()
        import bson

        try:
            return int(bson.decode(base64.b64decode(token))["_data"][OF_A_TIME], 16)
        except bson.errors.BSONError as cause:
            raise ValueError(str(cause)) from None
    return _number(offset["sec"], offset["ord"]) if offset.get("sec") else None


def log_position(dsn: str, outbox: Outbox) -> int:  # noqa: ARG001 - a probe's
    """Where the oplog ends now: seconds since 1970, and the number in that second."""
    with session(dsn) as client:
        time = client["admin"].command({"hello": 1})["operationTime"]
    return _number(time.time, time.inc)


def write_heartbeat(dsn: str, outbox: Outbox) -> None:
    """Nothing: the server writes an entry of its own every ten seconds, and the stream's token moves on with it."""


def heartbeat_age(dsn: str, outbox: Outbox) -> None:
    """None: outbox-kit has no heartbeat in the database."""


def missing_from_publication(dsn: str, outbox: Outbox) -> list[str]:  # noqa: ARG001
    """See `Probe`: none, the log has everything."""
    return []


def risks(dsn: str) -> list[ServerRisk]:
    """The risks of losing events: the server deletes its oplog even if the connector has not read it.

    Empty if the oplog cannot be read: a mongos has none, and the user may lack the privilege.
    """
    with session(dsn) as client:
        log = client["local"]
        try:
            size = log.command({"collStats": "oplog.rs"})
            first, last = (_entry_seconds(log, way) for way in (1, -1))
        except driver().errors.OperationFailure:
            return []
    hours = (last - first) / 3600
    if size["size"] < FULL * size["maxSize"] or hours >= LONG_WEEKEND_HOURS:
        return []
    return [
        ServerRisk(
            f"the oplog goes back {hours:.1f} h, and older entries are deleted, read or not: a connector that stops "
            "for longer loses events",
            f"increase it with replSetResizeOplog and minRetentionHours of {LONG_WEEKEND_HOURS} or more",
        )
    ]


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    with session(dsn) as client:
        _outbox(client, outbox).insert_one(document(outbox, event_id, datetime.now(UTC)))


def document(outbox: Outbox, event_id: uuid.UUID, now: datetime) -> dict[str, Any]:
    """The canary as the validator requires it: with all fields, and values in those that the server does not fill."""
    values = canary.texts(outbox, event_id)
    if outbox.table.payload == "json":
        values[outbox.table.columns.payload] = json.loads(values[outbox.table.columns.payload])
    values[outbox.table.columns.created_at or ""] = now  # only an existing collection may lack it
    return dict.fromkeys(outbox.column_names) | values


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    with session(dsn) as client:
        _outbox(client, outbox).delete_one({outbox.table.columns.id: str(event_id)})


def _entry_seconds(log: Any, way: int) -> int:
    """When the log's first entry, or its last one, was written: seconds since 1970."""
    command = {"find": "oplog.rs", "sort": {"$natural": way}, "limit": 1, "projection": {"ts": 1}}
    return int(log.command(command)["cursor"]["firstBatch"][0]["ts"].time)


def _outbox(client: Any, outbox: Outbox) -> Any:
    return client[outbox.names.database][outbox.table.name]


def _number(seconds: int, place: int) -> int:
    return seconds << IN_A_SECOND | place
