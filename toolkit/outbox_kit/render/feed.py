"""What the trigger writes that fills the outbox from another table. Pure."""

from dataclasses import dataclass

from outbox_kit.databases.facts import Dialect
from outbox_kit.render.constraints import declared
from outbox_kit.schema.columns import Column, fed
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class FilledColumn:
    """A column of the outbox and the SQL expression of what it gets; empty for an id that the database makes."""

    column: Column
    expression: str


@dataclass(frozen=True)
class FeedSql:
    """A feed as the templates take it."""

    source: tuple[str, str]
    """The other table, with its schema."""
    each: str | None
    """Its column of a JSON array."""
    columns: tuple[FilledColumn, ...]
    condition: str
    """That a row is an event of the schema file's, in quoted SQL."""


def feed(outbox: Outbox, dialect: Dialect) -> FeedSql | None:
    """The feed of an outbox that has one."""
    feed = outbox.table.fed_by
    if feed is None:
        return None
    expressions = [FilledColumn(column, feed.columns.get(name, "")) for name, column in fed(outbox).items()]
    return FeedSql(
        source=(feed.db_schema or outbox.names.schema, feed.table),
        each=feed.each,
        columns=tuple(
            expression
            for expression in expressions
            if expression.expression or expression.column.name == outbox.table.columns.id
        ),
        condition=declared(outbox, dialect),
    )
