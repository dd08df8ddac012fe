"""The catalogue of MySQL or MariaDB, and a look at a table's rows: see `databases.catalogue`."""

from contextlib import suppress
from typing import Any

import pymysql

from outbox_kit import databases
from outbox_kit.databases.catalogue import (
    CUT,
    TABLE,
    Activity,
    Catalogue,
    CatalogueColumn,
    CatalogueTable,
    RowSample,
    grouped,
    indexed,
)
from outbox_kit.databases.mysql.ledger import GRACE_SECONDS, TOO_LATE
from outbox_kit.databases.mysql.session import address, session
from outbox_kit.databases.mysql.variant import VARIANTS
from outbox_kit.errors import DatabaseRefused, OutOfTime, UsageProblem

SERVER = "select if(version() like '%MariaDB%', 'mariadb', 'mysql'), version(), database()"
TABLES = """
select table_name, table_type, coalesce(table_rows, 0), coalesce(create_options, '') like '%partitioned%'
from information_schema.tables where table_schema = database() order by 1
"""
COLUMNS = """
select table_name, column_name, concat(data_type, if(column_type like '%unsigned%', ' unsigned', '')),
    is_nullable = 'YES', case when extra like '%STORED GENERATED%' or extra like '%PERSISTENT%' then 'stored'
    when extra like '%VIRTUAL GENERATED%' then 'virtual' else '' end
from information_schema.columns where table_schema = database() order by table_name, ordinal_position
"""
INDEXES = """
select table_name, index_name, column_name, non_unique = 0, index_name = 'PRIMARY' from information_schema.statistics
where table_schema = database() order by table_name, index_name, seq_in_index
"""
TRIGGERS = "select event_object_table, trigger_name from information_schema.triggers where trigger_schema = database()"
REFERENCED = """
select distinct referenced_table_name from information_schema.key_column_usage
where table_schema = database() and referenced_table_schema = database() and table_name <> referenced_table_name
"""
COUNTED = """
select object_name, count_insert, count_update, count_delete
from performance_schema.table_io_waits_summary_by_table where object_schema = database() and object_type = 'TABLE'
"""
COUNTING = "select @@performance_schema"
KINDS = {"BASE TABLE": TABLE, "SYSTEM VERSIONED": TABLE}
BINARY = {"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "bit", "geometry"}


def read(dsn: str) -> Catalogue:
    """See `CatalogueReader`."""
    with session(dsn) as cursor:
        dialect, version, database = _rows(cursor, SERVER)[0]
        if database is None:
            raise UsageProblem("the address names no database", fix="write it as mysql://user@host:3306/database")
        tables, triggers = _rows(cursor, TABLES), grouped(_rows(cursor, TRIGGERS))
        columns, indexes = grouped(_rows(cursor, COLUMNS)), grouped(_rows(cursor, INDEXES))
        referenced = {name for (name,) in _rows(cursor, REFERENCED)}
    counted = _counted(dsn)
    all_tables = (
        CatalogueTable(
            schema=database,
            name=name,
            columns=tuple(
                CatalogueColumn(column_name, kind, bool(null), generated)
                for column_name, kind, null, generated in columns[name]
            ),
            kind=KINDS.get(kind, kind.lower()),
            indexes=tuple(indexed(indexes[name])),
            triggers=tuple(sorted(trigger for (trigger,) in triggers[name])),
            rows=int(rows),
            activity=counted.get(name),
            partitioned=bool(partitioned),
            referenced=name in referenced,
        )
        for name, kind, rows, partitioned in tables
    )
    return Catalogue(dialect, version.partition("-")[0], database, tuple(all_tables))


def _rows(cursor: Any, query: str) -> list[tuple[Any, ...]]:
    cursor.execute(query)
    return list(cursor.fetchall())


def _counted(dsn: str) -> dict[str, Activity]:
    """What the server has counted, where it counts and tells: MariaDB does neither unless it is asked to."""
    counts = {}
    with suppress(DatabaseRefused), session(dsn) as cursor:
        if _rows(cursor, COUNTING)[0][0]:
            counts = {name: Activity(*map(int, counts)) for name, *counts in _rows(cursor, COUNTED)}
    return counts


def sample(dsn: str, table: CatalogueTable, newest: str | None, *, rows: int, seconds: float) -> RowSample:
    """See `CatalogueReader`."""
    ident = databases.get("mysql").quote_ident
    values = ", ".join(
        f"left({ident(column.name)}, {CUT})" if column.type in BINARY else f"left(concat({ident(column.name)}), {CUT})"
        for column in table.columns
    )
    order = f"order by {ident(newest)} desc" if newest else ""
    query = f"select {values} from {ident(table.schema, table.name)} {order} limit {rows}"  # noqa: S608 - quoted
    whole_seconds = max(1, round(seconds))
    with session(dsn, seconds=whole_seconds + GRACE_SECONDS) as cursor:
        variant = VARIANTS[_rows(cursor, SERVER)[0][0]]
        limit = f"{variant.time_limit} = {whole_seconds * variant.units_per_second}"
        cursor.execute(f"set session {limit}, session lock_wait_timeout = {whole_seconds}")
        try:
            sample_rows = _rows(cursor, query)
        except pymysql.Error as cause:
            if cause.args[:1] and cause.args[0] not in TOO_LATE:
                raise
            why = "it is locked, or has no index that its newest rows are found by"
            raise OutOfTime(f"no rows of '{table.title}' in {seconds:.0f} s", where=address(dsn), why=why) from cause
    return RowSample(
        tuple({column.name: value for column, value in zip(table.columns, row, strict=True)} for row in sample_rows)
    )
