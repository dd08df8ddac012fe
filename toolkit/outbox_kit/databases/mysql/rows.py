"""One row of the outbox as the server holds it, for a preview."""

from outbox_kit.databases.interface import Cell
from outbox_kit.databases.mysql.session import session
from outbox_kit.schema.model import Outbox

# the server's own words for its columns, in their order; of what a column may hold its kind alone
COLUMNS = """
select column_name, if(data_type in ('enum', 'set'), data_type, column_type), is_nullable = 'YES', data_type,
    if(version() like '%%MariaDB%%', nullif(column_default, 'NULL'),
        if(extra like '%%DEFAULT_GENERATED%%', column_default, nullif(quote(column_default), 'NULL')))
from information_schema.columns where table_schema = %s and table_name = %s order by ordinal_position
"""
# how a value is asked for, where its text would not say it all
SHOWN = dict.fromkeys(("bit", "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"), "{}") | {
    "timestamp": "concat({}, 'Z')"  # the session is in UTC
}


def read_row(dsn: str, outbox: Outbox, event_id: str) -> list[Cell]:
    """See `Server.read_row`."""
    ident, schema, table = outbox.dialect.quote_ident, outbox.names.schema, outbox.table.name
    with session(dsn) as cursor:
        cursor.execute(COLUMNS, (schema, table))
        columns = cursor.fetchall()
        listed = ", ".join(SHOWN.get(kind, "concat({})").format(ident(name)) for name, _, _, kind, _ in columns) or "*"
        query = f"select {listed} from {ident(schema, table)} where {ident(outbox.table.columns.id)} = "  # noqa: S608
        cursor.execute(f"{query.replace('%', '%%')}%s", (event_id.lower(),))
        row = cursor.fetchone()
    if row is None:
        return []
    return [
        Cell(name, kind, value, bool(maybe), default)
        for (name, kind, maybe, _, default), value in zip(columns, row, strict=True)
    ]
