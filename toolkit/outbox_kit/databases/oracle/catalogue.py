"""The catalogue of Oracle, and a look at a table's rows: see `databases.catalogue`."""

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
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.oracle.session import TIME_IS_UP, Session, address, code, driver, in_root, session
from outbox_kit.errors import OutOfTime, UsageProblem

PLACE = "select sys_context('userenv', 'con_name'), sys_context('userenv', 'cdb_name') from dual"
VERSION = "select version from product_component_version where product like 'Oracle%' and rownum = 1"
TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
# with the digits of a number, and the length of bytes: what the connector makes of them goes by that
COLUMNS = """
select c.owner, c.table_name, c.column_name,
    case
        when c.data_type = 'NUMBER' and c.data_precision is not null and c.data_scale > 0
            then 'number(' || c.data_precision || ',' || c.data_scale || ')'
        when c.data_type = 'NUMBER' and c.data_precision is not null then 'number(' || c.data_precision || ')'
        when c.data_type = 'NUMBER' and c.data_scale = 0 then 'number(38)'
        when c.data_type = 'RAW' then 'raw(' || c.data_length || ')'
        else lower(c.data_type)
    end,
    decode(c.nullable, 'N', 0, 1), decode(c.virtual_column, 'YES', 'virtual', '')
from all_tab_cols c join all_users u on u.username = c.owner and u.oracle_maintained = 'N'
where c.hidden_column = 'NO' order by c.owner, c.table_name, c.column_id
"""
INDEXES = """
select i.table_owner, i.table_name, i.index_name, c.column_name, decode(i.uniqueness, 'UNIQUE', 1, 0),
    case when exists (
        select 1 from all_constraints p
        where p.owner = i.table_owner and p.constraint_type = 'P' and p.index_name = i.index_name
    ) then 1 else 0 end
from all_indexes i
join all_ind_columns c on c.index_owner = i.owner and c.index_name = i.index_name
join all_users u on u.username = i.table_owner and u.oracle_maintained = 'N'
where i.index_type = 'NORMAL' order by i.table_owner, i.table_name, i.index_name, c.column_position
"""
TRIGGERS = """
select t.table_owner, t.table_name, t.trigger_name
from all_triggers t join all_users u on u.username = t.table_owner and u.oracle_maintained = 'N'
where t.base_object_type = 'TABLE' order by t.trigger_name
"""
COUNTED = """
select table_owner, table_name, inserts, updates, deletes from all_tab_modifications where partition_name is null
"""
SHOWN = {"date", "float", "binary_float", "binary_double"}  # what is read, beside the types that begin like these
BEGINNINGS = ("varchar2", "nvarchar2", "char", "nchar", "number", "raw", "clob", "nclob", "blob", "timestamp")


def read(dsn: str) -> Catalogue:
    """See `CatalogueReader`."""
    with session(dsn) as cursor:
        database, container = _rows(cursor, PLACE)[0]
        if in_root(cursor):
            fix = "write it as oracle://user@host:1521/service, of the pluggable database that holds the table"
            raise UsageProblem("the address is that of a container's root", where=address(dsn), fix=fix)
        version = str((_rows(cursor, VERSION) or [("",)])[0][0])
        tables = _rows(cursor, TABLES)
        columns, indexes = grouped(_rows(cursor, COLUMNS), 2), grouped(_rows(cursor, INDEXES), 2)
        triggers, counted = grouped(_rows(cursor, TRIGGERS), 2), grouped(_rows(cursor, COUNTED), 2)
    all_tables = (
        CatalogueTable(
            schema=owner,
            name=name,
            columns=tuple(
                CatalogueColumn(column_name, kind, bool(null), generated or "")
                for column_name, kind, null, generated in columns[owner, name]
            ),
            kind=kind,
            indexes=tuple(indexed(indexes[owner, name])),
            triggers=tuple(trigger for (trigger,) in triggers[owner, name]),
            rows=int(rows),
            activity=next((Activity(*map(int, counts)) for counts in counted[owner, name]), None),
            owner=owner,
            partitioned=bool(partitioned),
            referenced=bool(referenced),
        )
        for owner, name, kind, rows, partitioned, referenced in tables
    )
    return Catalogue(ORACLE.name, version, str(database), tuple(all_tables), container)


def sample(dsn: str, table: CatalogueTable, newest: str | None, *, rows: int, seconds: float) -> RowSample:
    """See `CatalogueReader`."""
    ident = ORACLE.quote_ident
    read_ = (
        ident(column.name) if column.type in SHOWN or column.type.startswith(BEGINNINGS) else "null"
        for column in table.columns
    )
    order = f" order by {ident(newest)} desc" if newest else ""
    query = f"select {', '.join(read_)} from {ident(table.schema, table.name)}{order} fetch first {rows} rows only"  # noqa: S608
    with session(dsn, seconds=seconds) as cursor:
        try:
            sample_rows = [tuple(map(_plain, row)) for row in _rows(cursor, query)]
        except driver().Error as cause:
            if code(cause) != TIME_IS_UP:
                raise
            why = "it has no index that its newest rows are found by"
            raise OutOfTime(f"no rows of '{table.title}' in {seconds:.0f} s", where=address(dsn), why=why) from cause
    return RowSample(
        tuple({column.name: value for column, value in zip(table.columns, row, strict=True)} for row in sample_rows)
    )


def _plain(value: Any) -> str | bytes | None:
    """A value as a sample has it; a LOB is read by its beginning."""
    if value is None:
        return None
    text = value.read(1, CUT) if hasattr(value, "read") else value
    return (text if isinstance(text, bytes) else str(text))[:CUT]


def _rows(cursor: Session, query: str) -> list[tuple[Any, ...]]:
    cursor.execute(query)
    return list(cursor.fetchall())
