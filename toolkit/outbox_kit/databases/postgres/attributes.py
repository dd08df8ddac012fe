"""The columns of the outbox table, from PostgreSQL's catalogue."""

from collections.abc import Collection

from outbox_kit.databases.changes import TableColumns
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.session import Session
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.model import Outbox

ATTRIBUTES = """
select attname, format_type(atttypid, atttypmod), not attnotnull, pg_get_expr(adbin, adrelid)
from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum
"""


def table_columns(connection: Session, outbox: Outbox) -> TableColumns:
    """All columns of the outbox table in their order; none if the table does not exist."""
    place = POSTGRES.quote_ident(outbox.names.schema, outbox.table.name)
    listed = connection.execute(ATTRIBUTES, (place,)).fetchall()
    return TableColumns(
        tuple(RowColumn(name, kind, optional=optional, default=default) for name, kind, optional, default in listed)
    )


def without(columns: TableColumns, names: Collection[str]) -> TableColumns:
    """The columns but those of some names."""
    return TableColumns(tuple(column for column in columns.columns if column.name not in names))
