"""Removes old rows of a table in PostgreSQL; see `databases.cleanup`.

The lock is an advisory lock of a transaction that stays open on a connection of its own. The transaction has no
snapshot and no id, so it does not keep the server from removing dead rows; and a pooler gives it one server process
until its end.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from psycopg import sql

from outbox_kit.databases.cleanup import (
    AddedPartitions,
    DeletedBatch,
    PartitionRemoval,
    TableCondition,
    TablePartition,
    in_use,
)
from outbox_kit.databases.observed import HorizonHolder
from outbox_kit.databases.postgres import partitions
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.partitions import limit
from outbox_kit.databases.postgres.session import KeptSession, address
from outbox_kit.errors import EnvironmentProblem

APPLICATION = "outbox-kit cleanup"
LOCK_KEY = "hashtextextended(%s, 18)"
ZONELESS = "without time zone"
BATCH_SECONDS, QUERY_SECONDS, RELEASE_SECONDS = 30.0, 600.0, 5.0
"""Limits of a statement."""
UNLIMITED = """
select set_config(name, '0', true) from pg_settings
where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
"""
HOLDER = f"""
select format('process %%s of user %%s (%%s)', a.pid, a.usename, a.application_name)
from pg_locks as l join pg_stat_activity as a using (pid), (select {LOCK_KEY} as key) as k
where l.locktype = 'advisory' and l.granted and l.objsubid = 1
  and ((l.classid::bigint << 32) | l.objid::bigint) = k.key
"""  # noqa: S608
COUNTED = "do $$ begin perform pg_stat_force_next_flush(); exception when undefined_function then null; end $$"
"""What this session has deleted is in the statistics at once; PostgreSQL 14 has no such function."""
COLUMNS = """
select attname, format_type(atttypid, atttypmod) from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum
"""
TABLE = """
select relkind = 'p', sizes.size, sizes.live, sizes.dead from pg_class as c, lateral (
    select coalesce(sum(pg_total_relation_size(p.oid)), 0)::bigint as size,
           coalesce(sum(case when s.n_live_tup + s.n_dead_tup > 0 then s.n_live_tup
                             else greatest(p.reltuples, 0) end), 0)::bigint as live,
           coalesce(sum(s.n_dead_tup), 0)::bigint as dead
    from pg_class as p left join pg_stat_all_tables as s on s.relid = p.oid
    where p.oid = c.oid or p.oid in (select inhrelid from pg_inherits where inhparent = c.oid)
) as sizes
where c.oid = to_regclass(%s) and relkind in ('r', 'p')
"""
HOLDERS = """
select what, seconds, age, sql from (
    select format('the transaction of %%s (user %%s, pid %%s, %%s)',
                  coalesce(nullif(application_name, ''), 'an unnamed program'), usename, pid, state) as what,
           extract(epoch from clock_timestamp() - xact_start)::float as seconds,
           age(coalesce(backend_xmin, backend_xid)) as age,
           format('select pg_terminate_backend(%%s)', pid) as sql
    from pg_stat_activity
    where coalesce(backend_xmin, backend_xid) is not null and pid <> pg_backend_pid()
    union all
    select format('the prepared transaction %%L of user %%s', gid, owner),
           extract(epoch from clock_timestamp() - prepared)::float, age(transaction),
           format('rollback prepared %%L', gid)
    from pg_prepared_xacts
    union all
    select format('the replication slot %%L (xmin)', slot_name), null, age(xmin), ''
    from pg_replication_slots where xmin is not null
    union all
    select format('the replication slot %%L (catalog_xmin: rows of system tables only)', slot_name), null,
           age(catalog_xmin), ''
    from pg_replication_slots where catalog_xmin is not null
) as holder where age > 0 order by age desc limit 5
"""


class PostgresCleanup:
    """See `databases.cleanup.CleanupSession`."""

    def __init__(self, dsn: str) -> None:
        """dsn: as for `session`."""
        self._dsn = dsn
        self._lock: KeptSession | None = None
        self._kept: KeptSession | None = None

    def open(self, purpose: str) -> None:
        """See the protocol."""
        self._lock, self._kept = KeptSession(self._dsn), KeptSession(self._dsn)
        with self._lock.use(seconds=BATCH_SECONDS) as connection:
            connection.execute("select set_config('application_name', %s, false)", (APPLICATION,))
            connection.execute("begin")
            row = connection.execute(f"select pg_try_advisory_xact_lock({LOCK_KEY})".encode(), (purpose,)).fetchone()
            connection.execute(UNLIMITED)  # without parameters: one with parameters keeps its snapshot until the next
            if not row or not row[0]:
                holder = connection.execute(HOLDER.encode(), (purpose,)).fetchone()
                raise in_use(address(self._dsn), str(holder[0]) if holder else "")
        with self._kept.use(seconds=BATCH_SECONDS) as connection:
            connection.execute("select set_config('application_name', %s, false)", (APPLICATION,))

    def close(self) -> None:
        """See the protocol."""
        if self._lock is not None:  # a server takes its time to notice that a connection has ended
            with suppress(EnvironmentProblem), self._lock.use(seconds=RELEASE_SECONDS) as connection:
                connection.execute("rollback")
        for kept in (self._kept, self._lock):
            if kept is not None:
                kept.close()
        self._kept = self._lock = None

    def examine(self, table: tuple[str, ...]) -> TableCondition:
        """See the protocol."""
        place = POSTGRES.quote_ident(*table)
        with self._session().use(seconds=QUERY_SECONDS) as connection:
            connection.execute(COUNTED)
            columns = dict(connection.execute(COLUMNS, (place,)).fetchall())
            row = connection.execute(TABLE, (place,)).fetchone()
            holders = connection.execute(HOLDERS, ()).fetchall()
        if row is None:
            return TableCondition({})
        partitioned, size, rows, dead = row
        return TableCondition(
            columns,
            {name: ZONELESS in kind for name, kind in columns.items() if kind.startswith("timestamp")},
            partitioned,
            rows=rows,
            dead_rows=dead,
            size=size,
            holders=[HorizonHolder(*holder) for holder in holders],
        )

    def exists(self, table: tuple[str, ...]) -> bool:
        """See the protocol."""
        place = POSTGRES.quote_ident(*table)
        with self._session().use() as connection:
            row = connection.execute("select to_regclass(%s) is not null", (place,)).fetchone()
        return bool(row and row[0])

    def query(self, statement: str) -> Sequence[Sequence[Any]]:
        """See the protocol."""
        with self._session().use(transaction=True, seconds=QUERY_SECONDS) as connection:
            limit(connection, QUERY_SECONDS)
            return connection.execute(statement.encode()).fetchall()

    def delete(self, statement: str) -> DeletedBatch:
        """See the protocol."""
        self._expect_lock()
        with self._session().use(transaction=True) as connection:
            limit(connection, BATCH_SECONDS)
            row = connection.execute(statement.encode()).fetchone()
        rows, last = row or (0, None)
        return DeletedBatch(int(rows), last or "")

    def delete_keys(self, table: tuple[str, ...], column: str, keys: Sequence[Any]) -> int:
        """See the protocol."""
        self._expect_lock()
        name = sql.SQL(POSTGRES.quote_ident(column).replace("%", "%%"))
        place = sql.SQL(POSTGRES.quote_ident(*table).replace("%", "%%"))
        with self._session().use(transaction=True) as connection:
            limit(connection, BATCH_SECONDS)
            statement = sql.SQL("delete from only {} where {} = any (%s)").format(place, name)
            return connection.execute(statement, (list(keys),)).rowcount

    def partitions(self, table: tuple[str, ...], keep_hours: int) -> Sequence[TablePartition]:
        """See the protocol."""
        with self._session().use(seconds=QUERY_SECONDS) as connection:
            return partitions.listed(connection, table, keep_hours)

    def add_partitions(self, table: tuple[str, ...], days: int) -> AddedPartitions:
        """See the protocol."""
        self._expect_lock()
        with self._session().use(seconds=QUERY_SECONDS) as connection:
            return partitions.add(connection, table, days)

    def remove(
        self, table: tuple[str, ...], partition: TablePartition, others: Sequence[TablePartition], remains: str
    ) -> PartitionRemoval:
        """See the protocol."""
        self._expect_lock()
        with self._session().use(seconds=QUERY_SECONDS + partitions.DETACH_SECONDS) as connection:
            return partitions.remove(connection, table, partition, others, remains)

    def _expect_lock(self) -> None:
        """Raise DatabaseUnreachable if the lock was lost with its connection."""
        assert self._lock is not None  # noqa: S101 - it is open
        with self._lock.use(seconds=BATCH_SECONDS) as connection:
            connection.execute("select 1")

    def _session(self) -> KeptSession:
        assert self._kept is not None  # noqa: S101 - it is open
        return self._kept
