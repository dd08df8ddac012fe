"""Removes old rows of a table in MySQL and MariaDB; see `databases.cleanup`.

The lock is a lock of a name, on the connection that deletes: if it is lost, both are.
"""

import hashlib
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pymysql
from pymysql.constants import ER

from outbox_kit.databases.cleanup import (
    AddedPartitions,
    DeletedBatch,
    PartitionRemoval,
    RemovalState,
    TableCondition,
    TablePartition,
    in_use,
    partition_kept,
)
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.mysql.session import KeptSession, Session, address, bound
from outbox_kit.databases.observed import HorizonHolder
from outbox_kit.errors import DatabaseRefused, EnvironmentProblem

BATCH_SECONDS, QUERY_SECONDS, RELEASE_SECONDS = 60.0, 600.0, 5.0
"""Limits of an answer."""
IDLE_SECONDS = 3600
"""Longer than a pause between two statements."""
KEYS_AT_ONCE = 900
"""Keys in one statement, of several in a transaction: fewer than those that a server reads as a table."""
ATTEMPTS, PAUSE_SECONDS, LOCK_SECONDS = 5, 0.5, 1
"""For a lock of the whole table, behind which writers wait; the server counts whole seconds."""
SETTINGS = "set session lock_wait_timeout = %s, wait_timeout = %s"
LOCK, RELEASE = "select get_lock(%s, 0), is_used_lock(%s)", "do release_lock(%s)"
HOLDER = "select concat('connection ', id, ' of user ', user) from information_schema.processlist where id = %s"
COLUMNS = """
select column_name, column_type from information_schema.columns
where table_schema = coalesce(%s, database()) and table_name = %s order by ordinal_position
"""
TABLE = """
select exists (select 1 from information_schema.partitions as p where p.table_schema = t.table_schema
               and p.table_name = t.table_name and p.partition_name is not null),
       t.table_rows, t.data_length + t.index_length
from information_schema.tables as t
where t.table_schema = coalesce(%s, database()) and t.table_name = %s and t.table_type = 'BASE TABLE'
"""
KEY = """
select max(column_name) from information_schema.statistics
where table_schema = coalesce(%s, database()) and table_name = %s and non_unique = 0
group by index_name having count(*) = 1 and max(nullable) = '' order by index_name = 'PRIMARY' desc limit 1
"""
HISTORY = "select count from information_schema.innodb_metrics where name = 'trx_rseg_history_len'"
HOLDERS = """
select concat('the transaction of user ', coalesce(p.user, '?'), ' (connection ', t.trx_mysql_thread_id, ', ',
              lower(t.trx_state), ')'),
       timestampdiff(second, t.trx_started, now()), 0, concat('kill ', t.trx_mysql_thread_id)
from information_schema.innodb_trx as t
left join information_schema.processlist as p on p.id = t.trx_mysql_thread_id
where t.trx_mysql_thread_id <> connection_id() order by t.trx_started limit 5
"""
PARTITIONS = """
select partition_name, coalesce(partition_description, ''), table_rows, data_length + index_length,
       unix_timestamp() - %s * 3600
from information_schema.partitions
where table_schema = coalesce(%s, database()) and table_name = %s and partition_name is not null
order by partition_ordinal_position
"""
AHEAD = """
select date_format(utc_date() + interval %s day, '%%Y%%m%%d'), floor(unix_timestamp(utc_date() + interval %s + 1 day))
"""
NOT_VISIBLE = "open transactions and the history list are not shown: grant PROCESS to the user"
TIMES = ("timestamp", "datetime")
LAST = "MAXVALUE"
"""The bound of the partition for rows without another one."""
quote = MYSQL.quote_ident
DENIED = (ER.SPECIFIC_ACCESS_DENIED_ERROR, ER.DBACCESS_DENIED_ERROR, ER.TABLEACCESS_DENIED_ERROR)


class MySqlCleanup:
    """See `databases.cleanup.CleanupSession`."""

    def __init__(self, dsn: str) -> None:
        """dsn: as for `session`."""
        self._dsn = dsn
        self._kept: KeptSession | None = None
        self._lock = ""

    def open(self, purpose: str) -> None:
        """See the protocol."""
        self._kept = KeptSession(self._dsn)
        self._lock = f"outbox-kit {hashlib.sha256(purpose.encode()).hexdigest()[:40]}"
        with self._kept.use() as cursor:
            cursor.execute(SETTINGS, (LOCK_SECONDS, IDLE_SECONDS))
            cursor.execute(LOCK, (self._lock, self._lock))
            granted, connection = cursor.fetchone() or (0, None)
            if granted != 1:
                cursor.execute(HOLDER, (connection,))
                holder = cursor.fetchone()
                raise in_use(address(self._dsn), str(holder[0]) if holder else "")

    def close(self) -> None:
        """See the protocol."""
        kept, self._kept = self._kept, None
        if kept is not None:  # a server takes its time to notice that a connection has ended
            with suppress(EnvironmentProblem), kept.use(seconds=RELEASE_SECONDS) as cursor:
                cursor.execute(RELEASE, (self._lock,))
            kept.close()

    def examine(self, table: tuple[str, ...]) -> TableCondition:
        """See the protocol."""
        place, notes = _place(table), []
        with self._session().use(seconds=QUERY_SECONDS) as cursor:
            columns = {str(name): str(kind) for name, kind in _rows(cursor, COLUMNS, place)}
            row = next(iter(_rows(cursor, TABLE, place)), None)
            key = next(iter(_rows(cursor, KEY, place)), ("",))
            try:
                holders = [HorizonHolder(str(w), float(s), int(n), str(q)) for w, s, n, q in _rows(cursor, HOLDERS, ())]
                history = next((int(count) for (count,) in _rows(cursor, HISTORY, ())), None)
            except pymysql.err.MySQLError as cause:
                if not (cause.args and cause.args[0] in DENIED):
                    raise
                holders, history = [], None
                notes.append(NOT_VISIBLE)
        if row is None:
            return TableCondition({})
        partitioned, rows, size = row
        return TableCondition(
            columns,
            {name: kind.startswith("datetime") for name, kind in columns.items() if kind.startswith(TIMES)},
            bool(partitioned),
            str(key[0]),
            rows=None if rows is None else int(rows),
            size=None if size is None else int(size),
            history=history,
            holders=holders,
            notes=notes,
        )

    def exists(self, table: tuple[str, ...]) -> bool:
        """See the protocol."""
        with self._session().use() as cursor:
            return bool(_rows(cursor, TABLE, _place(table)))

    def query(self, statement: str) -> Sequence[Sequence[Any]]:
        """See the protocol."""
        with self._session().use(seconds=QUERY_SECONDS) as cursor:
            cursor.execute(statement)
            return cursor.fetchall()

    def delete(self, statement: str) -> DeletedBatch:
        """See the protocol."""
        with self._session().use(seconds=BATCH_SECONDS) as cursor:
            return DeletedBatch(cursor.execute(statement))

    def delete_keys(self, table: tuple[str, ...], column: str, keys: Sequence[Any]) -> int:
        """See the protocol."""
        deleted = 0
        with self._session().use(seconds=BATCH_SECONDS) as cursor:
            cursor.execute("begin")
            try:
                for start in range(0, len(keys), KEYS_AT_ONCE):
                    some = keys[start : start + KEYS_AT_ONCE]
                    places = ", ".join(["%s"] * len(some))
                    statement = f"delete from {bound(*table)} where {bound(column)} in ({places})"  # noqa: S608
                    deleted += cursor.execute(statement, some)
                cursor.execute("commit")
            except pymysql.err.MySQLError:
                cursor.execute("rollback")
                raise
        return deleted

    def partitions(self, table: tuple[str, ...], keep_hours: int) -> Sequence[TablePartition]:
        """See the protocol."""
        with self._session().use(seconds=QUERY_SECONDS) as cursor:
            rows = _rows(cursor, PARTITIONS, (keep_hours, *_place(table)))
        return [
            TablePartition(
                str(name),
                old=str(bounds).isdigit() and int(bounds) <= limit,
                default=str(bounds).upper() == LAST,
                bounds=str(bounds),
                rows=count,
                size=size,
            )
            for name, bounds, count, size, limit in rows
        ]

    def add_partitions(self, table: tuple[str, ...], days: int) -> AddedPartitions:
        """See the protocol."""
        partitions = self.partitions(table, 0)
        last = next((partition.name for partition in partitions if partition.default), "")
        newest = max((int(partition.bounds) for partition in partitions if partition.bounds.isdigit()), default=0)
        with self._session().use(seconds=QUERY_SECONDS) as cursor:
            ahead = [row for day in range(days + 1) for row in _rows(cursor, AHEAD, (day, day))]
        missing = [(f"p{day}", int(end)) for day, end in ahead if int(end) > newest]
        if not (missing and last):
            return AddedPartitions()
        bounds = ", ".join(f"partition {quote(name)} values less than ({end})" for name, end in missing)
        rest = f"partition {quote(last)} values less than maxvalue"
        names = [name for name, _ in missing]
        if self._altered(table, f"reorganize partition {quote(last)} into ({bounds}, {rest})"):
            return AddedPartitions(names)
        return AddedPartitions((), [f"{len(names)} partitions were not created: the lock of the table was not granted"])

    def remove(
        self,
        table: tuple[str, ...],
        partition: TablePartition,
        others: Sequence[TablePartition],  # noqa: ARG002 - as PostgreSQL's
        remains: str,
    ) -> PartitionRemoval:
        """See the protocol."""
        for attempt in range(ATTEMPTS):
            count = int(self.query(remains)[0][0])  # again: a transaction that had the lock may have added a row
            if count:
                return partition_kept(count)
            if self._altered(table, f"drop partition {quote(partition.name)}"):
                return PartitionRemoval(RemovalState.dropped)
            time.sleep(PAUSE_SECONDS * (attempt + 1))
        holders = self.examine(table).holders
        return PartitionRemoval(RemovalState.blocked, "its lock was not granted", [holder.what for holder in holders])

    def _altered(self, table: tuple[str, ...], change: str) -> bool:
        """Change a table; whether its lock was granted. Raises DatabaseRefused."""
        try:
            with self._session().use(seconds=QUERY_SECONDS) as cursor:
                cursor.execute(f"alter table {quote(*table)} {change}")
        except DatabaseRefused as refused:
            cause = refused.__cause__
            if not (isinstance(cause, pymysql.Error) and cause.args and cause.args[0] == ER.LOCK_WAIT_TIMEOUT):
                raise
            return False
        return True

    def _session(self) -> KeptSession:
        assert self._kept is not None  # noqa: S101 - it is open
        return self._kept


def _place(table: tuple[str, ...]) -> tuple[str | None, str]:
    """Database and name of a table; None for the database of the session."""
    return (table[0] if len(table) > 1 else None, table[-1])


def _rows(cursor: Session, query: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    cursor.execute(query, values)
    return cursor.fetchall()
