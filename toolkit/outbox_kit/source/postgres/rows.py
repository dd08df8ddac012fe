"""One row of the outbox as the server holds it, for a preview."""

from typing import Any

from psycopg import sql

from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source.postgres.session import identifier, session

# the server's own words for its columns, in their order
COLUMNS = """
select attname, format_type(atttypid, atttypmod), not attnotnull, atttypid = 'bytea'::regtype
from pg_attribute where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum
"""


def row(dsn: str, outbox: Outbox, event_id: str) -> list[tuple[str, str, Any, bool]]:
    """The row with that id: name, type, value and whether it may be null, for each column; empty if there is none.

    Values are text in UTC, bytes where the column is bytea.
    """
    table = sql.Identifier(names(outbox).schema, outbox.table.name)
    with session(dsn) as connection:
        connection.execute("set local timezone to 'UTC'; set local datestyle to 'ISO'; set local bytea_output to 'hex'")
        columns = connection.execute(COLUMNS, (table.as_string(connection),)).fetchall()
        shown = [
            # concat writes a value as its type does; a cast would strip the blanks of a char(n)
            sql.SQL("{}" if binary else "case when {0} is not null then concat({0}) end").format(identifier(name))
            for name, _, _, binary in columns
        ] or [sql.Composed([sql.SQL("*")])]  # no such table: the server says so
        query = sql.SQL("select {} from {} where {}::text = %s").format(
            sql.SQL(", ").join(shown),
            identifier(names(outbox).schema, outbox.table.name),
            identifier(outbox.table.columns.id),
        )
        found = connection.execute(query, (event_id.lower(),)).fetchone()
    if found is None:
        return []
    return [(name, kind, value, optional) for (name, kind, optional, _), value in zip(columns, found, strict=True)]
