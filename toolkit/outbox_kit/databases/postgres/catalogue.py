"""PostgreSQL's catalogue, and a look at a table's rows: see `databases.catalogue`."""

from pathlib import Path
from typing import Any

from psycopg import errors, sql

from outbox_kit.databases.catalogue import CUT, Activity, Catalogue, CatalogueColumn, CatalogueTable, Index, RowSample
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import address, session
from outbox_kit.errors import OutOfTime

TABLES = Path(__file__).with_name("catalogue.sql").read_text(encoding="utf-8")
SERVER = "select current_setting('server_version'), current_database()"
GRACE_SECONDS = 5.0  # for the server to report the timeout itself


def read(dsn: str) -> Catalogue:
    """See `CatalogueReader`."""
    with session(dsn) as connection:
        connection.execute("set transaction read only")
        version, database = connection.execute(SERVER).fetchone() or ("", "")
        tables = tuple(_table(*row) for row in connection.execute(TABLES.encode()))
    return Catalogue(POSTGRES.name, version.split()[0], database, tables)


def _table(
    schema: str, name: str, kind: str, columns: Any, indexes: Any, triggers: Any, rows: int, *more: Any
) -> CatalogueTable:
    inserts, updates, deletes, owner, whole_rows, partitioned, publications, referenced = more
    return CatalogueTable(
        schema,
        name,
        tuple(CatalogueColumn(*fields) for fields in columns or ()),
        kind,
        tuple(
            Index(tuple(names), unique, primary, predicate or "")
            for names, unique, primary, predicate in indexes or ()
            if names
        ),
        tuple(triggers or ()),
        rows,
        Activity(inserts, updates, deletes),
        owner,
        whole_rows,
        partitioned,
        tuple(publications or ()),
        referenced,
    )


def sample(dsn: str, table: CatalogueTable, newest: str | None, *, rows: int, seconds: float) -> RowSample:
    """See `CatalogueReader`."""
    values = [
        sql.SQL("substring({} from 1 for {})" if column.type == "bytea" else "left({}::text, {})").format(
            sql.Identifier(column.name), CUT
        )
        for column in table.columns
    ]
    order = sql.SQL("order by {} desc nulls last").format(sql.Identifier(newest)) if newest else sql.SQL("")
    query = sql.SQL("select {} from {} {} limit {}").format(
        sql.SQL(", ").join(values), sql.Identifier(table.schema, table.name), order, rows
    )
    limit = str(max(1, int(seconds * 1000)))
    with session(dsn, seconds=seconds + GRACE_SECONDS) as connection:
        connection.execute("set transaction read only")
        connection.execute(
            "select set_config(name, %s, true) from unnest('{statement_timeout,lock_timeout}'::text[]) name", (limit,)
        )
        try:
            sample_rows = connection.execute(query).fetchall()
        except (errors.QueryCanceled, errors.LockNotAvailable) as cause:
            why = "it is locked, or has no index that its newest rows are found by"
            raise OutOfTime(f"no rows of '{table.title}' in {seconds:.0f} s", where=address(dsn), why=why) from cause
    return RowSample(tuple({c.name: value for c, value in zip(table.columns, row, strict=True)} for row in sample_rows))
