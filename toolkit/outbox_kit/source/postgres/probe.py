"""Questions to a running PostgreSQL about one outbox: its slot, its publication, its log; and the canary row."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outbox_kit.dialects.postgres import POSTGRES
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import canary
from outbox_kit.source.postgres.session import bound, session

SLOT = """
select active, coalesce(plugin, ''), coalesce(database, ''), coalesce(wal_status, ''),
       pg_wal_lsn_diff(coalesce(confirmed_flush_lsn, '0/0'), '0/0')::bigint,
       pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(restart_lsn, pg_current_wal_lsn()))::bigint,
       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint, 0)
from pg_replication_slots where slot_name = %s
"""
PUBLISHED = "select schemaname || '.' || tablename from pg_publication_tables where pubname = %s order by 1"

SETTINGS = (
    "select current_setting('wal_level'), "
    "(select setting::int from pg_settings where name = 'max_slot_wal_keep_size')"  # none before PostgreSQL 13
)
LITTLE_MB = 1024


@dataclass(frozen=True)
class Slot:
    """A replication slot. confirmed: the position it was told is safe, in bytes of log since the beginning.

    retained and behind: bytes of log that it keeps, and that it has not confirmed.
    """

    active: bool
    plugin: str
    database: str
    wal_status: str
    confirmed: int
    retained: int
    behind: int


def slot(dsn: str, name: str) -> Slot | None:
    """The slot of that name, or None."""
    with session(dsn) as connection:
        row = connection.execute(SLOT, (name,)).fetchone()
        return Slot(*row) if row else None


def drop_slot(dsn: str, name: str) -> None:
    """Drop a slot that nobody reads; one that is not there is as good as dropped."""
    with session(dsn) as connection:
        connection.execute(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s", (name,)
        )


def position(offset: Mapping[str, Any]) -> int | None:
    """The position in an offset that the connector has stored while streaming, or None."""
    return None if offset.get("lsn") is None or offset.get("snapshot") else int(offset["lsn"])


def log_position(dsn: str, outbox: Outbox) -> int:  # noqa: ARG001 - a probe's
    """Where the server's log ends now, in bytes since its beginning."""
    return int(_one(dsn, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"))


def beat(dsn: str, outbox: Outbox) -> None:
    """Write a heartbeat row, so that even an idle outbox has something to publish."""
    heartbeat = POSTGRES.ident(names(outbox).schema, names(outbox).heartbeat_table)
    with session(dsn) as connection:
        connection.execute(f"insert into {heartbeat} (beat_at) values (clock_timestamp())".encode())  # noqa: S608


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """Seconds since the last heartbeat row, or None if there is none."""
    heartbeat = POSTGRES.ident(names(outbox).schema, names(outbox).heartbeat_table)
    age = _one(dsn, f"select extract(epoch from clock_timestamp() - max(beat_at)) from {heartbeat}")  # noqa: S608
    return None if age is None else float(age)


def unpublished(dsn: str, outbox: Outbox) -> list[str]:
    """What the connector needs in its publication and does not find there: `schema.table` each."""
    schema, own = names(outbox).schema, [outbox.table.name] if outbox.table.storage == "table" else []
    wanted = [f"{schema}.{table}" for table in (*own, names(outbox).heartbeat_table)]
    with session(dsn) as connection:
        found = {row[0] for row in connection.execute(PUBLISHED, (names(outbox).publication,))}
    return [table for table in wanted if table not in found]


def warnings(dsn: str) -> list[str]:
    """What keeps the connector from its events, now or one day, a sentence each."""
    with session(dsn) as connection:
        level, kept = connection.execute(SETTINGS).fetchone() or ("not told", None)
    found = (
        [] if level == "logical" else [f"wal_level is '{level}': no connector can read the log until it is 'logical'"]
    )
    if kept is not None and 0 <= kept < LITTLE_MB:
        found.append(
            f"a connector that is {kept} MB of log behind loses its slot, and events; set max_slot_wal_keep_size higher"
        )
    return found


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """Write one event that is nobody's: it proves the way from here to its topic."""
    values, derived = canary.row(outbox, event_id), names(outbox)
    if outbox.table.storage == "log":
        writer, given = bound(derived.schema, derived.writer), [f"{bound(x)} => %s" for x in values]
        statement = f"call {writer}({', '.join(given)})"
    else:
        table, listed = bound(derived.schema, outbox.table.name), ", ".join(map(bound, values))
        statement = f"insert into {table} ({listed}) values ({', '.join(['%s'] * len(values))})"  # noqa: S608
    with session(dsn) as connection:
        connection.execute(statement.encode(), tuple(values.values()))


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """Take the canary row out again, where there is one; its message stays in its topic."""
    if outbox.table.storage == "log":
        return
    table = bound(names(outbox).schema, outbox.table.name)
    column = bound(outbox.table.columns.id)
    with session(dsn) as connection:
        connection.execute(f"delete from {table} where {column} = %s".encode(), (event_id,))  # noqa: S608


def _one(dsn: str, query: str) -> Any:
    with session(dsn) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row[0] if row else None
