"""The relay's tables in PostgreSQL, in a hand-over between a connector and a relay; see `interface.LogHandOver`."""

import json
from collections.abc import Mapping
from typing import Any

from psycopg import sql

from outbox_kit.databases.hand_over import RelayTables
from outbox_kit.databases.ledger import LONGEST_SECONDS
from outbox_kit.databases.postgres.defects import exists, missing_columns
from outbox_kit.databases.postgres.failures import PostgresFailureTable
from outbox_kit.databases.postgres.probe import position
from outbox_kit.databases.postgres.published import belongs
from outbox_kit.databases.postgres.session import Session, identifier, session
from outbox_kit.schema.model import Outbox

KEEP = """
insert into {runs} as known (slot, starts, connector_offset) values (%s, 0, %s::jsonb)
on conflict (slot) do update set connector_offset = excluded.connector_offset
"""
CONFIRMED = """
select pg_wal_lsn_diff(confirmed_flush_lsn, '0/0')::bigint from pg_replication_slots where slot_name = %s
"""
ADVANCE = """
select pg_replication_slot_advance(slot_name, %(end)s::pg_lsn) from pg_replication_slots
where slot_name = %(slot)s and not active and confirmed_flush_lsn < %(end)s::pg_lsn
"""
KEPT = "select to_jsonb(run) -> 'connector_offset' from {runs} as run where slot = %s"


def relay_tables(dsn: str, outbox: Outbox) -> RelayTables:
    """See `LogHandOver`."""
    names, offset = outbox.names, None
    with session(dsn) as connection:
        needed = {table: exists(connection, names.schema, table) for table in (names.failure_table, names.run_table)}
        missing = [f"table {names.schema}.{table} does not exist" for table, present in needed.items() if not present]
        if needed[names.run_table]:
            missing += missing_columns(connection, outbox)
            offset = kept_offset(connection, outbox)
        polled = exists(connection, names.schema, names.lane_table)
    failures = PostgresFailureTable(dsn, outbox).counts() if needed[names.failure_table] else None
    return RelayTables(missing, failures, polled, offset)


def keep_offset(dsn: str, outbox: Outbox, offset: Mapping[str, Any] | None, *, advance: bool = False) -> bool:
    """See `LogHandOver`.

    The last position that a connector confirms is lost if its connection is closed while the server sends.
    """
    end = offset.get("lsn_commit") if offset is not None and advance else None
    if isinstance(end, int):
        with session(dsn, seconds=LONGEST_SECONDS) as connection:
            connection.execute(ADVANCE, {"slot": outbox.names.slot, "end": f"{end >> 32:X}/{end & 0xFFFFFFFF:X}"})
    with session(dsn) as connection:
        connection.execute("set local synchronous_commit = on")
        text = None if offset is None else json.dumps(offset)
        connection.execute(_sql(KEEP, outbox), (outbox.names.slot, text))
        row = connection.execute(CONFIRMED, (outbox.names.slot,)).fetchone()
    return offset is not None and row is not None and belongs(offset, row[0])


def reached(offset: Mapping[str, Any]) -> int | None:
    """See `LogHandOver`."""
    row = position(offset)
    return None if row is None else max(row, int(offset.get("lsn_commit") or 0))


def offset_at(position: int) -> Mapping[str, Any]:
    """See `LogHandOver`.

    With other keys Debezium looks for a row that it has published, and leaves out the first row behind the position.
    """
    return {"lsn": position}


def kept_offset(connection: Session, outbox: Outbox) -> Mapping[str, Any] | None:
    """The offset that is kept for the relay; None if there is none, or a table of an older release cannot have one."""
    row = connection.execute(_sql(KEPT, outbox), (outbox.names.slot,)).fetchone()
    offset: Mapping[str, Any] | None = row[0] if row else None
    return offset


def _sql(statement: str, outbox: Outbox) -> sql.Composed:
    return sql.SQL(statement).format(runs=identifier(outbox.names.schema, outbox.names.run_table))
