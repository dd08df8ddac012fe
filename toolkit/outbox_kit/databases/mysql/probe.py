"""Questions to a running MySQL or MariaDB about one outbox: its log, its heartbeat; and the canary row."""

import uuid
from collections.abc import Mapping
from typing import Any

from outbox_kit.databases import canary
from outbox_kit.databases.interface import LONG_WEEKEND_HOURS
from outbox_kit.databases.mysql.session import address, session
from outbox_kit.databases.mysql.variant import variant_of
from outbox_kit.databases.observed import ServerRisk
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox

KEPT = "show global variables like 'binlog_expire_logs_seconds'"  # 0: for ever
IN_A_FILE = 40  # bits: no file of the log is longer than a terabyte


def position(offset: Mapping[str, Any]) -> int | None:
    """See `Probe`."""
    return None if not offset.get("file") or offset.get("snapshot") else _number(offset["file"], offset["pos"])


def log_position(dsn: str, outbox: Outbox) -> int:
    """Where the server's log ends now: the file's number, and the place in it."""
    with session(dsn) as cursor:
        cursor.execute(variant_of(outbox).log_status)
        row = cursor.fetchone()
    if not row:
        fix = "switch the binary log on (log_bin), or name another server in OUTBOX_KIT_DSN"
        raise DatabaseRefused("the server writes no binary log, which the connector reads", where=address(dsn), fix=fix)
    file, place = row[:2]
    return _number(file, place)


def write_heartbeat(dsn: str, outbox: Outbox) -> None:
    """See `Probe`."""
    with session(dsn) as cursor:
        cursor.execute(f"delete from {_heartbeat(outbox)}")  # noqa: S608 - an update without a change is not logged; an insert is
        cursor.execute(
            f"insert into {_heartbeat(outbox)} (id) values (1) on duplicate key update beat_at = current_timestamp(6)"  # noqa: S608
        )


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """See `Probe`."""
    with session(dsn) as cursor:
        age = "unix_timestamp(current_timestamp(6)) - unix_timestamp(max(beat_at))"
        cursor.execute(f"select {age} from {_heartbeat(outbox)}")  # noqa: S608
        row = cursor.fetchone()
    return None if not row or row[0] is None else float(row[0])


def missing_from_publication(dsn: str, outbox: Outbox) -> list[str]:  # noqa: ARG001 - a probe's
    """See `Probe`: none, the log has everything."""
    return []


def risks(dsn: str) -> list[ServerRisk]:
    """What lets the server lose events one day: its log waits for no connector."""
    with session(dsn) as cursor:
        cursor.execute(KEPT)
        row = cursor.fetchone()
    if not row:
        text = "the retention of the binary log is unknown: the server has no binlog_expire_logs_seconds"
        return [ServerRisk(text, "see how long the server keeps binary logs")]
    seconds = int(row[1])
    if not 0 < seconds < LONG_WEEKEND_HOURS * 3600:
        return []
    return [
        ServerRisk(
            f"the server deletes binary logs after {seconds / 3600:.1f} h, read or not: a connector that stops for "
            "longer loses events",
            f"set binlog_expire_logs_seconds to {LONG_WEEKEND_HOURS * 3600} or more",
        )
    ]


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    ident = outbox.dialect.quote_ident
    values = canary.texts(outbox, event_id)
    listed, places = ", ".join(map(ident, values)).replace("%", "%%"), ", ".join(["%s"] * len(values))
    with session(dsn) as cursor:
        table = _table(outbox).replace("%", "%%")
        cursor.execute(f"insert into {table} ({listed}) values ({places})", tuple(values.values()))  # noqa: S608


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    column = outbox.dialect.quote_ident(outbox.table.columns.id).replace("%", "%%")
    with session(dsn) as cursor:
        table = _table(outbox).replace("%", "%%")
        cursor.execute(f"delete from {table} where {column} = %s", (str(event_id),))  # noqa: S608


def _table(outbox: Outbox) -> str:
    return outbox.dialect.quote_ident(outbox.names.schema, outbox.table.name)


def _heartbeat(outbox: Outbox) -> str:
    return outbox.dialect.quote_ident(outbox.names.schema, outbox.names.heartbeat_table)


def _number(file: str, place: int) -> int:
    return int(file.rpartition(".")[2]) << IN_A_FILE | int(place)
