"""Questions to a running Oracle about one outbox: its log, its heartbeat; and the canary row."""

import uuid
from collections.abc import Mapping
from typing import Any

from outbox_kit.dialects.oracle import ORACLE
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import LONG_WEEKEND_HOURS, canary
from outbox_kit.source.oracle.session import session

END_OF_LOG = "select current_scn from v$database"
DESTINATIONS = "select count(*) from v$archive_dest_status where status = 'VALID' and type = 'LOCAL'"
KEPT = """
select round((max(next_time) - min(first_time)) * 24) from v$archived_log where deleted = 'NO' and standby_dest = 'NO'
"""
BEAT = """
merge into {heartbeat} using dual on ("ID" = 1)
when matched then update set "BEAT_AT" = sys_extract_utc(systimestamp)
when not matched then insert ("ID", "BEAT_AT") values (1, sys_extract_utc(systimestamp))
"""
AGE = """
select (cast(sys_extract_utc(systimestamp) as date) - cast(max("BEAT_AT") as date)) * 86400 from {heartbeat}
"""


def position(offset: Mapping[str, Any]) -> int | None:
    """The position in an offset that the connector has stored while streaming, or None.

    It names where to read again from, which an open transaction holds back, and the last commit of each redo thread.
    """
    if not offset.get("scn") or offset.get("snapshot"):
        return None
    commits = [commit.partition(":")[0] for commit in str(offset.get("commit_scn") or "").split(",")]
    return max(int(scn) for scn in (str(offset["scn"]), *commits) if scn.isdigit())


def log_position(dsn: str, outbox: Outbox) -> int:
    """Where the server's log ends now: its system change number."""
    with session(dsn, outbox) as cursor:
        cursor.execute(END_OF_LOG)
        found = cursor.fetchone()
    if not found or found[0] is None:  # no answer is no position: any would have been passed
        raise DatabaseRefused("the server does not say where its log ends")
    return int(found[0])


def beat(dsn: str, outbox: Outbox) -> None:
    """Touch the heartbeat row, so that even an idle outbox has something to publish."""
    with session(dsn, outbox) as cursor:
        cursor.execute(BEAT.format(heartbeat=_heartbeat(outbox)))


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """Seconds since the last heartbeat, or None if there is none."""
    with session(dsn, outbox) as cursor:
        cursor.execute(AGE.format(heartbeat=_heartbeat(outbox)))
        found = cursor.fetchone()
    return None if not found or found[0] is None else float(found[0])


def unpublished(dsn: str, outbox: Outbox) -> list[str]:  # noqa: ARG001 - a probe's
    """What the connector would not find in its publication: nothing, the log has everything."""
    return []


def warnings(dsn: str) -> list[str]:
    """What keeps the connector from its events, now or one day, a sentence each: the log waits for no connector."""
    with session(dsn) as cursor:
        cursor.execute(DESTINATIONS)
        places = int((cursor.fetchone() or (1,))[0])
        cursor.execute(KEPT)
        hours = (cursor.fetchone() or (None,))[0]
    found = []
    if places != 1:
        told = (
            "name the one to read: archive.destination.name in connect.config" if places else "there is no log to read"
        )
        found.append(f"{places} local destinations of archived logs are valid: {told}")
    if hours is not None and hours < LONG_WEEKEND_HOURS:
        found.append(
            f"archived logs go back {hours} h: a connector that stands still longer than they are kept loses events; "
            f"keep them for {LONG_WEEKEND_HOURS} h or more"
        )
    return found


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """Write one row that is no event of anybody's: it proves the way from here to its topic."""
    with session(dsn, outbox) as cursor:
        cursor.execute(inserted(outbox), list(map(_bound, canary.row(outbox, event_id).values())))


def inserted(outbox: Outbox) -> str:
    """The statement that writes the canary, its values by number."""
    columns = list(canary.row(outbox, uuid.UUID(int=0)))
    places = ", ".join(f":{number}" for number in range(1, len(columns) + 1))
    return f"insert into {_table(outbox)} ({', '.join(map(ORACLE.ident, columns))}) values ({places})"  # noqa: S608


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """Take the canary row out again; its message stays in its topic."""
    with session(dsn, outbox) as cursor:
        cursor.execute(removed(outbox), [str(event_id)])


def removed(outbox: Outbox) -> str:
    """The statement that takes the canary out."""
    return f"delete from {_table(outbox)} where {ORACLE.ident(outbox.table.columns.id)} = :1"  # noqa: S608


def _bound(value: Any) -> Any:
    """A value as the driver is to send it: there are no booleans before 23ai, and an empty text is a NULL."""
    if isinstance(value, bool | uuid.UUID):
        return int(value) if isinstance(value, bool) else str(value)
    return " " if value == "" else value


def _table(outbox: Outbox) -> str:
    return ORACLE.ident(names(outbox).schema, outbox.table.name)


def _heartbeat(outbox: Outbox) -> str:
    return ORACLE.ident(names(outbox).schema, names(outbox).heartbeat_table)
