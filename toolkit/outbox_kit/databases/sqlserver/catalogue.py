"""The catalogue of SQL Server, and a look at a table's rows: see `databases.catalogue`."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from outbox_kit.databases.catalogue import (
    CUT,
    Activity,
    Catalogue,
    CatalogueColumn,
    CatalogueTable,
    RowSample,
    grouped,
    indexed,
)
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.ledger import GRACE_SECONDS, TOO_LATE
from outbox_kit.databases.sqlserver.session import Session, address, endpoint, number, pymssql, session
from outbox_kit.errors import DatabaseRefused, OutOfTime, UsageProblem

VERSION = "select cast(serverproperty('ProductVersion') as nvarchar(128))"
TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
COLUMNS = """
select c.object_id, c.name, type_name(c.system_type_id), c.is_nullable,
    case k.is_persisted when 1 then 'stored' when 0 then 'virtual' else '' end
from sys.columns c left join sys.computed_columns k on k.object_id = c.object_id and k.column_id = c.column_id
order by c.object_id, c.column_id
"""
INDEXES = """
select i.object_id, i.index_id, c.name, i.is_unique, i.is_primary_key, coalesce(i.filter_definition, '')
from sys.indexes i
join sys.index_columns x on x.object_id = i.object_id and x.index_id = i.index_id and x.is_included_column = 0
join sys.columns c on c.object_id = x.object_id and c.column_id = x.column_id
order by i.object_id, i.index_id, x.key_ordinal
"""
TRIGGERS = "select parent_id, name from sys.triggers where parent_class = 1 and is_ms_shipped = 0 order by name"
COUNTED = """
select object_id, sum(leaf_insert_count), sum(leaf_update_count), sum(leaf_delete_count + leaf_ghost_count)
from sys.dm_db_index_operational_stats(db_id(), null, null, null) where index_id in (0, 1) group by object_id
"""
SHOWN = dict.fromkeys(("binary", "varbinary", "image"), "substring(cast({} as varbinary(max)), 1, {})")
NOT_SHOWN = dict.fromkeys(("geography", "geometry", "hierarchyid", "sql_variant", "timestamp"), "null")


def read(dsn: str) -> Catalogue:
    """See `CatalogueReader`."""
    database = _database(dsn)
    with session(dsn, database) as cursor:
        version = str(_rows(cursor, VERSION)[0][0])
        tables = _rows(cursor, TABLES)
        columns, indexes = grouped(_rows(cursor, COLUMNS)), grouped(_rows(cursor, INDEXES))
        triggers = grouped(_rows(cursor, TRIGGERS))
    counted = _counted(dsn, database)
    all_tables = (
        CatalogueTable(
            schema=schema,
            name=name,
            columns=tuple(
                CatalogueColumn(column_name, kind, bool(null), generated)
                for column_name, kind, null, generated in columns[key]
            ),
            kind=kind,
            indexes=tuple(indexed(indexes[key])),
            triggers=tuple(trigger for (trigger,) in triggers[key]),
            rows=int(rows),
            activity=counted.get(key),
            partitioned=bool(partitioned),
            referenced=bool(referenced),
        )
        for key, schema, name, kind, rows, partitioned, referenced in tables
    )
    return Catalogue(SQLSERVER.name, version, database, tuple(all_tables))


def sample(dsn: str, table: CatalogueTable, newest: str | None, *, rows: int, seconds: float) -> RowSample:
    """See `CatalogueReader`."""
    ident = SQLSERVER.quote_ident
    expressions = SHOWN | NOT_SHOWN
    values = ", ".join(
        expressions.get(column.type, "left(cast({} as nvarchar(max)), {})").format(ident(column.name), CUT)
        for column in table.columns
    )
    order = f"order by {ident(newest)} desc" if newest else ""
    query = f"select top ({rows}) {values} from {ident(table.schema, table.name)} {order}"  # noqa: S608 - quoted
    whole_seconds = max(1, round(seconds))
    with session(dsn, _database(dsn), seconds=whole_seconds + GRACE_SECONDS) as cursor:
        cursor.execute(f"set lock_timeout {whole_seconds * 1000}")
        try:
            sample_rows = _rows(cursor, query)
        except pymssql().Error as cause:
            if number(cause) not in TOO_LATE:
                raise
            why = "it is locked, or has no index that its newest rows are found by"
            raise OutOfTime(f"no rows of '{table.title}' in {seconds:.0f} s", where=address(dsn), why=why) from cause
    return RowSample(
        tuple({column.name: value for column, value in zip(table.columns, row, strict=True)} for row in sample_rows)
    )


def _database(dsn: str) -> str:
    address(dsn)
    if (name := endpoint(dsn).database) is None:
        raise UsageProblem("the address names no database", fix="write it as sqlserver://user@host:1433/database")
    return name


def _rows(cursor: Session, query: str) -> list[tuple[Any, ...]]:
    cursor.execute(query)
    return list(cursor.fetchall())


def _counted(dsn: str, database: str) -> dict[int, Activity]:
    """What the server has counted since it last forgot, where the user may see it."""
    counts = {}
    with suppress(DatabaseRefused), session(dsn, database) as cursor:
        counts = {key: Activity(*map(int, counts)) for key, *counts in _rows(cursor, COUNTED)}
    return counts
