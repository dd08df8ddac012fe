"""The rows that a trigger on a source table inserts into the outbox. Pure."""

from dataclasses import dataclass

from outbox_kit.databases.facts import Dialect
from outbox_kit.render.constraints import declared
from outbox_kit.schema.columns import Column, fed
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class FilledColumn:
    """A column of the outbox and the SQL expression of its value; empty for an id that the database generates."""

    column: Column
    expression: str


@dataclass(frozen=True)
class FeedSql:
    """The trigger on a source table, as variables of its templates."""

    source: tuple[str, str]
    """The source table with its schema."""
    array_column: str | None
    """Its column with a JSON array."""
    columns: tuple[FilledColumn, ...]
    condition: str
    """The condition that a row is a declared event, in quoted SQL."""


def feed(outbox: Outbox, dialect: Dialect) -> FeedSql | None:
    """The trigger's variables; None if the outbox has no source table."""
    feed = outbox.table.source
    if feed is None:
        return None
    expressions = [FilledColumn(column, feed.columns.get(name, "")) for name, column in fed(outbox).items()]
    return FeedSql(
        source=(feed.db_schema or outbox.names.schema, feed.table),
        array_column=feed.array_column,
        columns=tuple(
            expression
            for expression in expressions
            if expression.expression or expression.column.name == outbox.table.columns.id
        ),
        condition=declared(outbox, dialect),
    )
