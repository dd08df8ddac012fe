"""Questions to a running PostgreSQL about one outbox: its slot, its publication, its log; and the canary row."""

import uuid
from collections.abc import Mapping
from typing import Any

from outbox_kit.databases import canary
from outbox_kit.databases.interface import FirstRead, Slot, SlotReader
from outbox_kit.databases.observed import ServerRisk
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import bound, session
from outbox_kit.schema.model import Outbox

SLOT = """
select active, coalesce(plugin, ''), coalesce(database, ''), coalesce(wal_status, ''),
       pg_wal_lsn_diff(coalesce(confirmed_flush_lsn, '0/0'), '0/0')::bigint,
       pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(restart_lsn, pg_current_wal_lsn()))::bigint,
       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint, 0)
from pg_replication_slots where slot_name = %s
"""
READER = """
select active_pid, application_name from pg_replication_slots left join pg_stat_replication on pid = active_pid
where slot_name = %s and active_pid is not null
"""
FIRST_READ = """
select slot_name, active_pid, extract(epoch from clock_timestamp() - relay.backend_start)::float8,
       (select min(extract(epoch from clock_timestamp() - state_change))::float8 from pg_stat_activity as rows
        where rows.datname = relay.datname and rows.usename = relay.usename and state = 'idle in transaction'
          and query like 'fetch %% from outbox_kit_rows')
from pg_replication_slots left join pg_stat_activity as relay on pid = active_pid
where slot_name = %s and temporary and active_pid is not null
"""
"""The connection of a first read has the slot, and another one has the cursor."""
READING = "_first_read"
# managed services give the right to the members of a role
MAY_DROP = """
select rolsuper or rolreplication or exists (select from pg_roles managed where managed.rolname = any(%s)
    and pg_has_role(current_user, managed.oid, 'member')) from pg_roles where rolname = current_user
"""
PUBLISHED = "select schemaname || '.' || tablename from pg_publication_tables where pubname = %s order by 1"

SETTINGS = (
    "select current_setting('wal_level'), "
    "(select setting::int from pg_settings where name = 'max_slot_wal_keep_size')"  # none before PostgreSQL 13
)
LOW_WAL_LIMIT_MB = 1024


def slot(dsn: str, name: str) -> Slot | None:
    """See `Slots`."""
    with session(dsn) as connection:
        row = connection.execute(SLOT, (name,)).fetchone()
        return Slot(*row) if row else None


def reader(dsn: str, name: str) -> SlotReader | None:
    """See `Slots`."""
    with session(dsn) as connection:
        row = connection.execute(READER, (name,)).fetchone()
        return SlotReader(*row) if row else None


def first_read_slot(name: str) -> str:
    """The name of the temporary slot of the first read before the slot of that name."""
    return f"{name[: 63 - len(READING)]}{READING}"


def first_read(dsn: str, name: str) -> FirstRead | None:
    """See `Slots`."""
    with session(dsn) as connection:
        row = connection.execute(FIRST_READ, (first_read_slot(name),)).fetchone()
        return FirstRead(*row) if row else None


def may_drop(dsn: str) -> bool:
    """See `Slots`."""
    with session(dsn) as connection:
        row = connection.execute(MAY_DROP, ([*POSTGRES.ddl.log_roles],)).fetchone()
        return bool(row and row[0])


def drop_slot(dsn: str, name: str) -> None:
    """See `Slots`."""
    with session(dsn) as connection:
        connection.execute(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s", (name,)
        )


def position(offset: Mapping[str, Any]) -> int | None:
    """See `Probe`."""
    return None if offset.get("lsn") is None or offset.get("snapshot") else int(offset["lsn"])


def log_position(dsn: str, outbox: Outbox) -> int:  # noqa: ARG001 - a probe's
    """Where the server's log ends now, in bytes since its beginning.

    The insert position: a commit that does not wait for the disk is seen before its log is written.
    """
    return int(_scalar(dsn, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"))


def write_heartbeat(dsn: str, outbox: Outbox) -> None:
    """See `Probe`."""
    heartbeat = POSTGRES.quote_ident(outbox.names.schema, outbox.names.heartbeat_table)
    with session(dsn) as connection:
        written = f"insert into {heartbeat} (beat_at) values (clock_timestamp()) on conflict do nothing"  # noqa: S608
        connection.execute(written.encode())  # a row that the connector writes in the same microsecond does as well


def heartbeat_age(dsn: str, outbox: Outbox) -> float | None:
    """See `Probe`."""
    heartbeat = POSTGRES.quote_ident(outbox.names.schema, outbox.names.heartbeat_table)
    age = _scalar(dsn, f"select extract(epoch from clock_timestamp() - max(beat_at)) from {heartbeat}")  # noqa: S608
    return None if age is None else float(age)


def missing_from_publication(dsn: str, outbox: Outbox) -> list[str]:
    """What the connector needs in its publication and does not find there: `schema.table` each."""
    schema, tables = outbox.names.schema, [outbox.table.name] if outbox.table.storage == "table" else []
    expected = [f"{schema}.{table}" for table in (*tables, outbox.names.heartbeat_table)]
    with session(dsn) as connection:
        published = {row[0] for row in connection.execute(PUBLISHED, (outbox.names.publication,))}
    return [table for table in expected if table not in published]


def publication_exists(dsn: str, name: str) -> bool:
    """See `Slots`."""
    with session(dsn) as connection:
        return connection.execute("select 1 from pg_publication where pubname = %s", (name,)).fetchone() is not None


def risks(dsn: str) -> list[ServerRisk]:
    """See `Probe`."""
    with session(dsn) as connection:
        level, kept = connection.execute(SETTINGS).fetchone() or ("unknown", None)
    problems = []
    if level != "logical":
        problems.append(ServerRisk(f"wal_level is '{level}'", "set it to logical, which connectors need"))
    if kept is not None and 0 <= kept < LOW_WAL_LIMIT_MB:
        problems.append(
            ServerRisk(
                f"a connector with a lag of {kept} MB loses its slot, and events", "increase max_slot_wal_keep_size"
            )
        )
    return problems


def write_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`."""
    values, derived = canary.row(outbox, event_id), outbox.names
    if outbox.table.storage == "log":
        writer, arguments = bound(derived.schema, derived.write_procedure), [f"{bound(x)} => %s" for x in values]
        statement = f"call {writer}({', '.join(arguments)})"
    else:
        table, listed = bound(derived.schema, outbox.table.name), ", ".join(map(bound, values))
        statement = f"insert into {table} ({listed}) values ({', '.join(['%s'] * len(values))})"  # noqa: S608
    with session(dsn) as connection:
        connection.execute(statement.encode(), tuple(values.values()))


def remove_canary(dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
    """See `Probe`: events in the log have no row."""
    if outbox.table.storage == "log":
        return
    table = bound(outbox.names.schema, outbox.table.name)
    column = bound(outbox.table.columns.id)
    with session(dsn) as connection:
        connection.execute(f"delete from {table} where {column} = %s".encode(), (event_id,))  # noqa: S608


def _scalar(dsn: str, query: str) -> Any:
    with session(dsn) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row[0] if row else None
