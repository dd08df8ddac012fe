"""Questions to a running MySQL or MariaDB about one outbox: its log, its heartbeat; and the canary row."""

import uuid
from collections.abc import Mapping
from typing import Any

from outbox_kit import dialects
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import LONG_WEEKEND_HOURS, canary
from outbox_kit.source.mysql.session import session

# each name it goes by, newest first: MariaDB has kept the last
LOG = {"mysql": "show binary log status", "mariadb": "show master status"}
KEPT = "show global variables like 'binlog_expire_logs_seconds'"  # 0: for ever
IN_A_FILE = 40  # bits: no file of the log is longer than a terabyte


def position(offset: Mapping[str, Any]) -> int | None:
    """The position in an offset that the connector has stored while streaming, or None."""
    return None if not offset.get("file") or offset.get("snapshot") else _number(offset["file"], offset["pos"])


def log_position(dsn: str, outbox: Outbox) -> int:
    """Where the server's log ends now: the file's number, and the place in it."""
    with session(dsn) as cursor:
        cursor.execute(LOG[outbox.database.dialect])
        found = cursor.fetchone()
    if not found:  # no answer is no position: any would have been passed
        raise DatabaseRefused("the server writes no log", why="log_bin is off", fix="switch log_bin on")
    return _number(*found[:2])


def beat(dsn: str, outbox: Outbox) -> None:
    """Touch the heartbeat row, so that even an idle outbox has something to publish."""
    with session(dsn) as cursor:
        cursor.execute(f"delete from {_heartbeat(outbox)}")  # noqa: S608 - for an update may be skipped; an insert is not
        cursor.execute(
            f"insert into {_heartbeat(outbox)} (id) values (1) on duplicate key update beat_at = current_timestamp(6)"  # noqa: S608
        )


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """Seconds since the last heartbeat, or None if there is none."""
    with session(dsn) as cursor:
        age = "unix_timestamp(current_timestamp(6)) - unix_timestamp(max(beat_at))"
        cursor.execute(f"select {age} from {_heartbeat(outbox)}")  # noqa: S608
        found = cursor.fetchone()
    return None if not found or found[0] is None else float(found[0])


def unpublished(dsn: str, outbox: Outbox) -> list[str]:  # noqa: ARG001 - a probe's
    """What the connector would not find in its publication: nothing, the log has everything."""
    return []


def warnings(dsn: str) -> list[str]:
    """What lets the server lose events one day, a sentence each: its log waits for no connector."""
    with session(dsn) as cursor:
        cursor.execute(KEPT)
        seconds = int((cursor.fetchone() or ("", 0))[1])
    if not 0 < seconds < LONG_WEEKEND_HOURS * 3600:
        return []
    return [
        f"the server deletes its log after {seconds / 3600:.1f} h, read or not: a connector that stands still longer "
        f"loses events; set binlog_expire_logs_seconds to {LONG_WEEKEND_HOURS * 3600} or more"
    ]


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """Write one row that is no event of anybody's: it proves the way from here to its topic."""
    ident = dialects.named(outbox.database.dialect).ident
    values = canary.texts(outbox, event_id)
    listed, places = ", ".join(map(ident, values)).replace("%", "%%"), ", ".join(["%s"] * len(values))
    with session(dsn) as cursor:
        table = _table(outbox).replace("%", "%%")
        cursor.execute(f"insert into {table} ({listed}) values ({places})", tuple(values.values()))  # noqa: S608


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """Take the canary row out again; its message stays in its topic."""
    column = dialects.named(outbox.database.dialect).ident(outbox.table.columns.id).replace("%", "%%")
    with session(dsn) as cursor:
        table = _table(outbox).replace("%", "%%")
        cursor.execute(f"delete from {table} where {column} = %s", (str(event_id),))  # noqa: S608


def _table(outbox: Outbox) -> str:
    return dialects.named(outbox.database.dialect).ident(names(outbox).schema, outbox.table.name)


def _heartbeat(outbox: Outbox) -> str:
    return dialects.named(outbox.database.dialect).ident(names(outbox).schema, names(outbox).heartbeat_table)


def _number(file: str, place: int) -> int:
    return int(file.rpartition(".")[2]) << IN_A_FILE | int(place)
