"""The names of a schema file as its database has them: Oracle's are in upper case unless they are quoted. Pure.

What is no name of the database stays: headers above all, which are the contract's whatever holds the table.
"""

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.mark import MarkColumns
from outbox_kit.schema.table import ExtraColumn, SourceTable
from outbox_kit.schema.words import PLACEHOLDER

Model = TypeVar("Model", bound=BaseModel)
Fields = TypeVar("Fields", bound=OutboxFields)
FIELDS = {"service", "aggregate", "aggregate_id", "type", "id"}  # the schema file's own words
Spelled = Callable[[str], str]


def spelled(outbox: Fields) -> Fields:
    """The outbox with each name of a database's object as the catalogue has it; what was left out stays so marked."""
    dialect = outbox.dialect
    if not dialect.naming.unquoted_pattern:
        return outbox
    of = dialect.fold_case
    extra = tuple(_column(column, of) for column in outbox.table.extra)
    columns = _all(outbox.table.columns, of, *type(outbox.table.columns).model_fields)
    topic = PLACEHOLDER.sub(lambda m: f"{{{_column_or_field(m[1], of)}}}", outbox.routing.topic)
    key = _column_or_field(outbox.routing.key, of)
    users = _with(_all(outbox.database, of, "db_schema", "user"), writers=tuple(map(of, outbox.database.writers)))
    return _with(
        outbox,
        database=_all(users, str.upper, "name", "container"),  # never quoted
        table=_with(_all(outbox.table, of, "name"), columns=columns, extra=extra, source=_fed(outbox, of)),
        routing=_with(outbox.routing, topic=topic, key=key),
        ordering=_all(outbox.ordering, of, "sequence"),
        delivery=_with(outbox.delivery, mark=_marked(outbox, of)),
    )


def _column(column: ExtraColumn, of: Spelled) -> ExtraColumn:
    """A column of yours. Its header has the name that was said, and says so from here on."""
    values = {**dict(column), "name": of(column.name), "alias": column.alias or column.name}
    return type(column).model_construct(column.model_fields_set | {"alias"}, **values)


def _marked(outbox: OutboxFields, of: Spelled) -> MarkColumns | None:
    mark = outbox.delivery.mark
    if mark is None:
        return None
    of_values = {name: _all(value, of, "column") for name in ("status", "expires_at") if (value := getattr(mark, name))}
    return _with(_all(mark, of, "published_at", "attempts", "error", "available_at"), **of_values)


def _fed(outbox: OutboxFields, of: Spelled) -> SourceTable | None:
    feed, standard = outbox.table.source, type(outbox.table.columns).model_fields
    if feed is None:
        return None
    columns = {name if name in standard else of(name): source for name, source in feed.columns.items()}
    return _with(_all(feed, of, "table", "db_schema", "array_column"), columns=columns)


def _column_or_field(name: str, of: Spelled) -> str:
    return name if name in FIELDS else of(name)


def _all(part: Model, of: Spelled, *fields: str) -> Model:
    return _with(part, **{name: of(value) for name in fields if (value := getattr(part, name)) is not None})


def _with(part: Model, **changes: object) -> Model:
    return type(part).model_construct(set(part.model_fields_set), **{**dict(part), **changes})
