"""Questions to a running SQL Server about one outbox: its capture, its heartbeat; and the canary row."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from outbox_kit.databases import canary
from outbox_kit.databases.interface import LONG_WEEKEND_HOURS
from outbox_kit.databases.observed import ServerRisk
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.session import endpoint, session
from outbox_kit.schema.model import Outbox

CAPTURED = "select name from sys.tables where schema_name(schema_id) = %s and name in %s and is_tracked_by_cdc = 1"
CAPTURED_TO = "select sys.fn_cdc_get_max_lsn()"
AGES = (
    "select datediff_big(millisecond, max(beat_at), sysutcdatetime()), "
    "datediff_big(millisecond, sys.fn_cdc_map_lsn_to_time(sys.fn_cdc_get_max_lsn()), getdate()) from {}"
)

# whether readers do not wait for writers; whether another one's job captures; how long ago the log was looked at
STATE = """
select is_read_committed_snapshot_on,
    iif(is_published = 1 or cast(serverproperty(N'EngineEdition') as int) = 5, 1, 0),
    (select datediff(second, max(coalesce(end_time, getdate())), getdate()) from sys.dm_cdc_log_scan_sessions
        where session_id <> 0)
from sys.databases where database_id = db_id() and is_cdc_enabled = 1
"""
JOBS = "exec sys.sp_cdc_help_jobs"
PATIENCE_SECONDS = 300  # beyond the pause that the job makes between two looks at the log
WAITS = ServerRisk(
    "read_committed_snapshot is off: the connector's reading waits for open transactions, and the cleanup of captured "
    "rows for the connector",
    "alter database current set read_committed_snapshot on",
)


def position(offset: Mapping[str, Any]) -> int | None:
    """See `Probe`."""
    digits = str(offset.get("commit_lsn") or "").replace(":", "")
    return None if offset.get("snapshot") or not digits or digits == "NULL" else int(digits, 16)


def log_position(dsn: str, outbox: Outbox) -> int | None:
    """How far the log has been captured; None where nothing has been yet."""
    with session(dsn, outbox.names.database) as cursor:
        cursor.execute(CAPTURED_TO)
        row = cursor.fetchone()
    return int.from_bytes(row[0]) if row and row[0] else None


def write_heartbeat(dsn: str, outbox: Outbox) -> None:
    """See `Probe`."""
    with session(dsn, outbox.names.database) as cursor:
        cursor.execute(f"update {_heartbeat(outbox)} set beat_at = sysutcdatetime() where id = 1")  # noqa: S608


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """Seconds since the last heartbeat, or since anything was captured if that is longer ago; None if there is none.

    The connector continues to write heartbeats while nothing is captured.
    """
    with session(dsn, outbox.names.database) as cursor:
        cursor.execute(AGES.format(_heartbeat(outbox)))
        ages = [float(age) for age in cursor.fetchone() or () if age is not None]
    return max(ages) / 1000 if ages else None


def missing_from_publication(dsn: str, outbox: Outbox) -> list[str]:
    """The tables that are not captured."""
    derived = outbox.names
    expected = outbox.table.name, derived.heartbeat_table
    with session(dsn, derived.database) as cursor:
        cursor.execute(CAPTURED, (derived.schema, expected))
        captured = {row[0] for row in cursor.fetchall()}
    return [f"{derived.schema}.{table}" for table in expected if table not in captured]


def risks(dsn: str) -> list[ServerRisk]:
    """What keeps the connector from its events, now or one day: nothing waits for a connector."""
    database = endpoint(dsn).database
    if not database:
        return []
    with session(dsn, database) as cursor:
        cursor.execute(STATE)
        state = cursor.fetchone()
        if not state:
            return []
        cursor.execute(JOBS)
        jobs = {row[1]: row for row in cursor.fetchall()}
    unlocked, elsewhere, idle = state
    return [
        *([] if elsewhere else _of_capture(jobs.get("capture"), idle)),
        *_of_cleanup(jobs.get("cleanup")),
        *([] if unlocked else [WAITS]),
    ]


def _of_capture(job: Sequence[Any] | None, idle: int | None) -> list[ServerRisk]:
    if job is None:
        text = "the capture job does not exist, so nothing is captured"
        return [ServerRisk(text, "exec sys.sp_cdc_add_job N'capture'")]
    if idle is None or idle <= job[6] + PATIENCE_SECONDS:
        return []
    return [
        ServerRisk(
            f"the capture job has not read the log for {idle // 60} min",
            "check that SQL Server Agent runs, then exec sys.sp_cdc_start_job N'capture'",
        )
    ]


def _of_cleanup(job: Sequence[Any] | None) -> list[ServerRisk]:
    if job is None:
        text = "the cleanup job does not exist, so change tables grow without limit"
        return [ServerRisk(text, "exec sys.sp_cdc_add_job N'cleanup'")]
    if job[7] >= LONG_WEEKEND_HOURS * 60:
        return []
    return [
        ServerRisk(
            f"captured rows are deleted after {job[7] / 60:.1f} h, read or not: a connector that stops for longer "
            "loses events",
            f"exec sys.sp_cdc_change_job N'cleanup', @retention = {LONG_WEEKEND_HOURS * 60} or more",
        )
    ]


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    values = canary.texts(outbox, event_id)
    listed, places = ", ".join(map(SQLSERVER.quote_ident, values)), ", ".join(f"%({n})s" for n in range(len(values)))
    bound = {str(n): value for n, value in enumerate(values.values())}
    with session(dsn, outbox.names.database) as cursor:
        cursor.execute(f"insert into {_table(outbox)} ({listed}) values ({places})", bound)  # noqa: S608


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    column = SQLSERVER.quote_ident(outbox.table.columns.id)
    with session(dsn, outbox.names.database) as cursor:
        cursor.execute(f"delete from {_table(outbox)} where {column} = %(id)s", {"id": str(event_id)})  # noqa: S608


def _table(outbox: Outbox) -> str:
    return SQLSERVER.quote_ident(outbox.names.schema, outbox.table.name)


def _heartbeat(outbox: Outbox) -> str:
    return SQLSERVER.quote_ident(outbox.names.schema, outbox.names.heartbeat_table)
