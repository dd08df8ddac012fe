"""One row of the outbox as the server holds it, for a preview."""

from psycopg import sql

from outbox_kit.databases.interface import Cell
from outbox_kit.databases.postgres.session import identifier, session
from outbox_kit.schema.model import Outbox

# the server's own words for its columns, in their order
COLUMNS = """
select attname, format_type(atttypid, atttypmod), not attnotnull, pg_get_expr(adbin, adrelid),
    atttypid = 'bytea'::regtype
from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum
"""


def read_row(dsn: str, outbox: Outbox, event_id: str) -> list[Cell]:
    """See `Server.read_row`."""
    table = sql.Identifier(outbox.names.schema, outbox.table.name)
    with session(dsn) as connection:
        connection.execute("set local timezone to 'UTC'; set local datestyle to 'ISO'; set local bytea_output to 'hex'")
        columns = connection.execute(COLUMNS, (table.as_string(connection),)).fetchall()
        expressions = [
            # concat writes a value as its type does; a cast would strip the blanks of a char(n)
            sql.SQL("{}" if binary else "case when {0} is not null then concat({0}) end").format(identifier(name))
            for name, *_, binary in columns
        ] or [sql.Composed([sql.SQL("*")])]  # no such table: the server says so
        query = sql.SQL("select {} from {} where {}::text = %s").format(
            sql.SQL(", ").join(expressions),
            identifier(outbox.names.schema, outbox.table.name),
            identifier(outbox.table.columns.id),
        )
        row = connection.execute(query, (event_id.lower(),)).fetchone()
    if row is None:
        return []
    return [
        Cell(name, kind, value, optional, default)
        for (name, kind, optional, default, _), value in zip(columns, row, strict=True)
    ]
