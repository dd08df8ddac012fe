"""What the trigger writes that fills the outbox from another table. Pure."""

from dataclasses import dataclass

from outbox_kit.dialects.base import Dialect
from outbox_kit.render.constraints import declared
from outbox_kit.schema.columns import Column, fed
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names


@dataclass(frozen=True)
class Given:
    """A column of the outbox and the SQL expression of what it gets; empty for an id that the database makes."""

    column: Column
    expression: str


@dataclass(frozen=True)
class FeedSql:
    """A feed as the templates take it. source: the other table, with its schema. each: its column of a JSON array.

    condition: that a row is an event of the schema file's, in quoted SQL.
    """

    source: tuple[str, str]
    each: str | None
    given: tuple[Given, ...]
    condition: str


def feed(outbox: Outbox, dialect: Dialect) -> FeedSql | None:
    """The feed of an outbox that has one."""
    said = outbox.table.fed_by
    if said is None:
        return None
    given = [Given(column, said.columns.get(name, "")) for name, column in fed(outbox).items()]
    return FeedSql(
        source=(said.db_schema or names(outbox).schema, said.table),
        each=said.each,
        given=tuple(one for one in given if one.expression or one.column.name == outbox.table.columns.id),
        condition=declared(outbox, dialect),
    )
