"""One row of the outbox as the server holds it, for a preview."""

from typing import Any

from outbox_kit import dialects
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source.mysql.session import session

# the server's own words for its columns, in their order; of what a column may hold its kind alone
COLUMNS = """
select column_name, if(data_type in ('enum', 'set'), data_type, column_type), is_nullable = 'YES', data_type
from information_schema.columns where table_schema = %s and table_name = %s order by ordinal_position
"""
# how a value is asked for, where its text would not say it all
SHOWN = dict.fromkeys(("bit", "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"), "{}") | {
    "timestamp": "concat({}, 'Z')"  # the session is in UTC
}


def row(dsn: str, outbox: Outbox, event_id: str) -> list[tuple[str, str, Any, bool]]:
    """The row with that id: name, type, value and whether it may be null, for each column; empty if there is none.

    Values are text in UTC, bytes where the column holds bytes or bits.
    """
    ident, schema, table = dialects.named(outbox.database.dialect).ident, names(outbox).schema, outbox.table.name
    with session(dsn) as cursor:
        cursor.execute(COLUMNS, (schema, table))
        columns = cursor.fetchall()
        shown = [SHOWN.get(kind, "concat({})").format(ident(name)) for name, _, _, kind in columns]
        query = (
            f"select {', '.join(shown) or '*'} from {ident(schema, table)} where {ident(outbox.table.columns.id)} = "  # noqa: S608
        )
        cursor.execute(f"{query.replace('%', '%%')}%s", (event_id.lower(),))
        found = cursor.fetchone()
    if found is None:
        return []
    return [(name, kind, value, bool(maybe)) for (name, kind, maybe, _), value in zip(columns, found, strict=True)]
