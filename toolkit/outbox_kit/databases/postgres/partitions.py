"""Daily partitions in PostgreSQL: created ahead, and dropped without making writers wait.

A partition is created as a table and attached, and detached concurrently before it is dropped: neither needs a lock
that conflicts with inserts into the partitioned table. With a default partition the server cannot detach concurrently.
Then writers wait for the detach alone, a few milliseconds, and it is not attempted while a longer transaction has a
lock that it would wait for. The files are deleted after that, when no writer can wait for them.

The bounds are times, or UUIDs of version 7, which begin with their time.
"""

import time
from collections.abc import Sequence
from typing import LiteralString

import psycopg
from psycopg import sql

from outbox_kit.databases.cleanup import (
    LOCK_SECONDS,
    AddedPartitions,
    PartitionRemoval,
    RemovalState,
    TablePartition,
    partition_kept,
)
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import Session

ATTEMPTS, PAUSE_SECONDS = 5, 0.5
DETACH_SECONDS = 600.0
"""How long a concurrent detach waits for transactions that use the partitioned table; writers do not wait for it."""
CHECK_SECONDS = 600.0
LIMITS = """
select set_config('statement_timeout', %s, true), set_config('lock_timeout', %s, true),
       set_config('synchronize_seqscans', 'off', true)
"""
DETACHED = "outbox-kit cleanup: detached from "
"""The comment of a partition that is being removed, before the quoted name of its table and its bounds."""
LIST = r"""
select c.relname, n.nspname, b.bounds, b.bounds = 'DEFAULT',
       coalesce((to_jsonb(i) ->> 'inhdetachpending')::boolean, false),
       coalesce(case when b.upper ~ '^[0-9a-f]{8}-'
                     then to_timestamp(('x' || left(replace(b.upper, '-', ''), 12))::bit(48)::bigint / 1000.0)
                     else b.upper::timestamptz end <= now() - make_interval(hours => %(hours)s), false),
       false, pg_total_relation_size(c.oid), greatest(c.reltuples, 0)::bigint
from pg_inherits as i join pg_class as c on c.oid = i.inhrelid join pg_namespace as n on n.oid = c.relnamespace,
     lateral (select e.bounds, (regexp_match(e.bounds, 'TO \(''([^'']+)''\)$'))[1] as upper
              from (select pg_get_expr(c.relpartbound, c.oid) as bounds) as e) as b
where i.inhparent = to_regclass(%(table)s)
union all
select c.relname, n.nspname, right(d.description, -length(%(comment)s)), false, false, true, true,
       pg_total_relation_size(c.oid), greatest(c.reltuples, 0)::bigint
from pg_description as d join pg_class as c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
     join pg_namespace as n on n.oid = c.relnamespace
where starts_with(d.description, %(comment)s) and c.relkind = 'r' and not c.relispartition
order by 1
"""
MISSING = """
select %(name)s || '_' || to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', day + 1 || ' 00:00:00+00'
from (select (now() at time zone 'utc')::date + ahead as day from generate_series(0, %(days)s) as ahead) as days
where to_regclass(format('%%I.%%I', %(schema)s::text, %(name)s || '_' || to_char(day, 'YYYYMMDD'))) is null
order by day
"""
KEY_TYPE = """
select format_type(a.atttypid, null) from pg_partitioned_table as p
join pg_attribute as a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0] where p.partrelid = to_regclass(%s)
"""
MISSING_IDS = r"""
with newest as (
    select max(to_date(substring(c.relname from '_(\d{8})$'), 'YYYYMMDD')) as day
    from pg_inherits as i join pg_class as c on c.oid = i.inhrelid where i.inhparent = to_regclass(%(table)s)
), days as (
    select coalesce(newest.day + 1, today.day) + n as day
    from newest, (select (now() at time zone 'utc')::date as day) as today,
         generate_series(0, today.day + %(days)s - coalesce(newest.day + 1, today.day)) as n
)
select %(name)s || '_' || to_char(day, 'YYYYMMDD'), ids.lower, ids.upper
from days, lateral (
    select min(id) as lower, max(id) as upper
    from (select rpad(lpad(to_hex(milliseconds), 12, '0'), 32, '0')::uuid::text as id
          from generate_series(0, 1) as n, lateral (
              select (day + n - date '1970-01-01') * 86400000::bigint as milliseconds) as bound) as bounds
) as ids
order by day
"""
"""Days before the newest partition are not created again: a message of such a day may have been processed."""
MISSING_BY_TYPE = {"uuid": MISSING_IDS}
BLOCKERS = """
select distinct format('process %%s of user %%s (%%s) has a lock since %%s s', a.pid, a.usename,
                       coalesce(nullif(a.application_name, ''), 'unnamed'),
                       extract(epoch from clock_timestamp() - a.xact_start)::int)
from pg_locks as l join pg_stat_activity as a using (pid)
where l.relation = any (%s::regclass[]) and l.granted and a.pid <> pg_backend_pid()
  and a.xact_start <= clock_timestamp() - make_interval(secs => %s)
"""
CREATE = "create table {partition} (like {table} including defaults including constraints including storage \
including generated including comments including indexes)"
ATTACH = "alter table {table} attach partition {partition} {bounds}"
FINALIZE = "alter table {table} detach partition {partition} finalize"
CONCURRENTLY = "alter table {table} detach partition {partition} concurrently"
DETACH = "alter table {table} detach partition {partition}"
NO_FLUSH = "set local synchronous_commit = off"
"""For a short transaction behind which writers wait. A later one, which is flushed, makes it durable."""
NO_BOUNDS = sql.SQL("")
LOCK, DROP = "lock table {partition} in access exclusive mode", "drop table {partition}"


def limit(connection: Session, seconds: float, lock_seconds: float = 2.0) -> None:
    """Limit the time of each statement of the transaction, and its waits for locks."""
    connection.execute(LIMITS, (f"{seconds * 1000:.0f}", f"{lock_seconds * 1000:.0f}"))


def listed(connection: Session, table: tuple[str, ...], keep_hours: int) -> Sequence[TablePartition]:
    """The partitions of a table, and those that a former run has detached and not dropped."""
    place = POSTGRES.quote_ident(*table)
    values = {"table": place, "hours": keep_hours, "comment": f"{DETACHED}{place} "}
    return [
        TablePartition(name, schema, old, default, pending, detached, bounds, rows, size)
        for name, schema, bounds, default, pending, old, detached, size, rows in connection.execute(LIST, values)
    ]


def add(connection: Session, table: tuple[str, ...], days: int) -> AddedPartitions:
    """Create and attach the partitions of today and the next days that do not exist."""
    schema, name = table
    place = POSTGRES.quote_ident(*table)
    values = {"schema": schema, "name": name, "days": days, "table": place}
    kind = connection.execute(KEY_TYPE, (place,)).fetchone()
    missing = connection.execute(MISSING_BY_TYPE.get(kind[0] if kind else "", MISSING), values).fetchall()
    names, notes = list[str](), list[str]()
    for partition, lower, upper in missing:
        bounds = sql.SQL("for values from ({}) to ({})").format(sql.Literal(lower), sql.Literal(upper))
        try:
            with connection.transaction():
                limit(connection, CHECK_SECONDS, LOCK_SECONDS)
                _run(connection, CREATE, table, (schema, partition))
                _run(connection, ATTACH, table, (schema, partition), bounds)
        except psycopg.errors.CheckViolation:
            notes.append(
                f"partition {partition} was not created: the default partition has rows of its day, which are deleted "
                "there in batches"
            )
        except psycopg.errors.LockNotAvailable:
            notes.append(f"partition {partition} was not created: its locks were not granted; repeat the command")
            break
        else:
            names.append(partition)
    return AddedPartitions(names, notes)


def remove(
    connection: Session,
    table: tuple[str, ...],
    partition: TablePartition,
    others: Sequence[TablePartition],
    remains: str,
) -> PartitionRemoval:
    """Drop a partition if the query `remains` counts no row."""
    place = (partition.schema, partition.name)
    if not partition.detached:
        if count := _remaining(connection, remains):
            return partition_kept(count)
        _comment(connection, place, f"{DETACHED}{POSTGRES.quote_ident(*table)} {partition.bounds}")
        default = next(((other.schema, other.name) for other in others if other.default), None)
        if default is not None and not partition.pending:
            blocked = _detach_beside(connection, table, place, default)
        else:
            blocked = _detach(connection, table, place, FINALIZE if partition.pending else CONCURRENTLY)
        if blocked is not None:
            return blocked
    return _drop(connection, table, place, remains, partition.bounds)


def _drop(
    connection: Session, table: tuple[str, ...], place: tuple[str, ...], remains: str, bounds: str
) -> PartitionRemoval:
    """Lock and drop a detached partition, again and again; attach it again if it has rows."""
    blockers: Sequence[str] = ()
    for attempt in range(ATTEMPTS):
        try:
            with connection.transaction():
                limit(connection, CHECK_SECONDS, LOCK_SECONDS)
                _run(connection, LOCK, table, place)
                count = _remaining(connection, remains)
                if count:
                    _run(connection, ATTACH, table, place, sql.SQL(bounds))
                    _comment(connection, place, None)
                else:
                    _run(connection, DROP, table, place)
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            blockers = _blockers(connection, table, place)
            time.sleep(PAUSE_SECONDS * (attempt + 1))
        else:
            return partition_kept(count) if count else PartitionRemoval(RemovalState.dropped)
    return PartitionRemoval(RemovalState.blocked, "its locks were not granted", blockers)


def _detach_beside(
    connection: Session, table: tuple[str, ...], place: tuple[str, ...], default: tuple[str, ...]
) -> PartitionRemoval | None:
    """Detach a partition beside a default partition, behind which writers wait; the outcome if it fails.

    The partition is locked first, so that its readers are waited for without a lock on the table.
    """
    blockers: Sequence[str] = ()
    for attempt in range(ATTEMPTS):
        blockers = _blockers(connection, table, place, default, seconds=LOCK_SECONDS)
        if not blockers:
            try:
                with connection.transaction():
                    limit(connection, CHECK_SECONDS, LOCK_SECONDS)
                    connection.execute(NO_FLUSH)
                    _run(connection, LOCK, table, place)
                    _run(connection, DETACH, table, place)
            except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
                blockers = _blockers(connection, table, place, default)
            else:
                return None
        time.sleep(PAUSE_SECONDS * (attempt + 1))
    _comment(connection, place, None)
    return PartitionRemoval(RemovalState.blocked, "its locks were not granted", blockers)


def _detach(
    connection: Session, table: tuple[str, ...], place: tuple[str, ...], statement: LiteralString
) -> PartitionRemoval | None:
    """Detach a partition by a statement that is not possible in a transaction; the outcome if it fails."""
    connection.execute(f"set statement_timeout = {DETACH_SECONDS * 1000:.0f}".encode())
    try:
        _run(connection, statement, table, place)
    except (psycopg.errors.QueryCanceled, psycopg.errors.LockNotAvailable):
        return PartitionRemoval(RemovalState.blocked, "the detach is pending", _blockers(connection, table, place))
    except psycopg.errors.ObjectNotInPrerequisiteState as cause:
        _comment(connection, place, None)
        return PartitionRemoval(RemovalState.blocked, str(cause.diag.message_primary))
    finally:
        connection.execute("reset statement_timeout")
    return None


def _comment(connection: Session, place: tuple[str, ...], comment: str | None) -> None:
    """Comment a partition, so that a later run finds it after it was detached; None removes the comment."""
    text = "null" if comment is None else POSTGRES.quote_literal(comment)
    connection.execute(f"comment on table {POSTGRES.quote_ident(*place)} is {text}".encode())


def _remaining(connection: Session, query: str) -> int:
    row = connection.execute(query.encode()).fetchone()
    return int(row[0]) if row else 0


def _blockers(connection: Session, *tables: tuple[str, ...], seconds: float = 0.0) -> Sequence[str]:
    """The sessions with a lock on one of the tables, a sentence each. seconds: the least age of their transactions."""
    names = [POSTGRES.quote_ident(*table) for table in tables]
    return [text for (text,) in connection.execute(BLOCKERS, (names, seconds))]


def _run(
    connection: Session,
    statement: LiteralString,
    table: tuple[str, ...],
    partition: tuple[str, ...],
    bounds: sql.Composable = NO_BOUNDS,
) -> None:
    parts = {"table": POSTGRES.quote_ident(*table), "partition": POSTGRES.quote_ident(*partition)}
    composed = sql.SQL(statement).format(**{name: sql.SQL(part) for name, part in parts.items()}, bounds=bounds)
    connection.execute(composed)
