"""Questions to a running Oracle about one outbox: its log, its heartbeat; and the canary row."""

import uuid
from collections.abc import Mapping
from typing import Any

from outbox_kit.databases import canary
from outbox_kit.databases.interface import LONG_WEEKEND_HOURS
from outbox_kit.databases.observed import ServerRisk
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.oracle.session import session
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox

END_OF_LOG = "select current_scn from v$database"
LOG_SETTINGS = "select log_mode, supplemental_log_data_min, supplemental_log_data_all from v$database"
SUPPLEMENTED = ("YES", "IMPLICIT")
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
    """See `Probe`.

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
        row = cursor.fetchone()
    if not row or row[0] is None:  # no answer is no position: any would have been passed
        raise DatabaseRefused("the server does not say where its log ends")
    return int(row[0])


def write_heartbeat(dsn: str, outbox: Outbox) -> None:
    """See `Probe`."""
    with session(dsn, outbox) as cursor:
        cursor.execute(BEAT.format(heartbeat=_heartbeat(outbox)))


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """See `Probe`."""
    with session(dsn, outbox) as cursor:
        cursor.execute(AGE.format(heartbeat=_heartbeat(outbox)))
        row = cursor.fetchone()
    return None if not row or row[0] is None else float(row[0])


def missing_from_publication(dsn: str, outbox: Outbox) -> list[str]:  # noqa: ARG001 - a probe's
    """See `Probe`: none, the log has everything."""
    return []


def risks(dsn: str) -> list[ServerRisk]:
    """What keeps the connector from its events, now or one day: the log waits for no connector."""
    with session(dsn) as cursor:
        cursor.execute(LOG_SETTINGS)
        mode, least, complete = cursor.fetchone() or (None, None, None)
        cursor.execute(DESTINATIONS)
        places = int((cursor.fetchone() or (1,))[0])
        cursor.execute(KEPT)
        hours = (cursor.fetchone() or (None,))[0]
    problems = []
    if mode != "ARCHIVELOG":
        fix = "shutdown immediate; startup mount; alter database archivelog; alter database open"
        problems.append(ServerRisk(f"log_mode is {mode or 'unknown'}: expected ARCHIVELOG", fix))
    if least not in SUPPLEMENTED and complete != "YES":
        text = f"supplemental_log_data_min is {least or 'unknown'}: LogMiner identifies no changed row"
        problems.append(ServerRisk(text, "alter database add supplemental log data"))
    if places != 1:
        fix = (
            "name the one to read: archive.destination.name in connect.config"
            if places
            else "let the server archive its log to a local destination"
        )
        problems.append(ServerRisk(f"{places} local destinations of archived logs are valid", fix))
    if hours is not None and hours < LONG_WEEKEND_HOURS:
        problems.append(
            ServerRisk(
                f"archived logs go back {hours} h: a connector that stops for longer loses events",
                f"retain them for {LONG_WEEKEND_HOURS} h or more",
            )
        )
    return problems


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    with session(dsn, outbox) as cursor:
        cursor.execute(inserted(outbox), list(map(_bound, canary.row(outbox, event_id).values())))


def inserted(outbox: Outbox) -> str:
    """The statement that writes the canary, its values by number."""
    columns = list(canary.row(outbox, uuid.UUID(int=0)))
    places = ", ".join(f":{number}" for number in range(1, len(columns) + 1))
    return f"insert into {_table(outbox)} ({', '.join(map(ORACLE.quote_ident, columns))}) values ({places})"  # noqa: S608


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    with session(dsn, outbox) as cursor:
        cursor.execute(removed(outbox), [str(event_id)])


def removed(outbox: Outbox) -> str:
    """The statement that takes the canary out."""
    return f"delete from {_table(outbox)} where {ORACLE.quote_ident(outbox.table.columns.id)} = :1"  # noqa: S608


def _bound(value: Any) -> Any:
    """A value as the driver is to send it: there are no booleans before 23ai, and an empty text is a NULL."""
    if isinstance(value, bool | uuid.UUID):
        return int(value) if isinstance(value, bool) else str(value)
    return " " if value == "" else value


def _table(outbox: Outbox) -> str:
    return ORACLE.quote_ident(outbox.names.schema, outbox.table.name)


def _heartbeat(outbox: Outbox) -> str:
    return ORACLE.quote_ident(outbox.names.schema, outbox.names.heartbeat_table)
