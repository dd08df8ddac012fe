"""An existing table: whether its columns exist, with types that the event router can read."""

from collections.abc import Callable, Iterator, Mapping

from outbox_kit.errors import TableDiffers
from outbox_kit.router.column_types import NoSuchType
from outbox_kit.router.columns import Modes, kind
from outbox_kit.router.values import Schema, Type
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.nearest import nearest
from outbox_kit.wire.effective import router_columns

WHOLE = (Type.int16, Type.int32, Type.int64)
MOMENT = "Timestamp"  # in the schema names of all types with date and time
TIME = ("a date with a time", lambda schema: MOMENT in (schema.name or ""))
MARKS: Mapping[int | str, tuple[str, Callable[[Schema], bool]]] = {
    "published_at": TIME,
    "available_at": TIME,
    "expires_at": TIME,
    "attempts": ("an integer", lambda schema: schema.type in WHOLE),
    "error": ("a text", lambda schema: schema.type is Type.string),
}
"""What is suitable for a column of `delivery.mark`; for a status everything is."""


def expect(outbox: Outbox, actual: Mapping[str, str]) -> None:
    """Raises TableDiffers. actual: the table's columns with their types as the server writes them; none if no table."""
    dialect = outbox.dialect
    table = dialect.quote_ident(outbox.names.schema, outbox.table.name)
    if not actual:
        raise TableDiffers(
            f"table {table} does not exist; nothing was changed",
            why="table.existing is true: outbox-kit does not create it",
            fix="create it first, or correct table.name and database.schema in the schema file",
        )
    if details := list(_amiss(outbox, actual)):
        raise TableDiffers(
            f"the table {table} differs from the schema file; nothing was changed",
            fix="correct table.columns, table.extra, table.ids, table.payload and delivery.mark in the schema file",
            details=details,
        )


def _amiss(outbox: Outbox, actual: Mapping[str, str]) -> Iterator[str]:
    for column in columns(outbox):
        if column.name not in actual:
            yield f"  '{column.name}' is missing" + nearest(column.name, list(actual))
        elif (expected := _expected_type(outbox, column, actual[column.name])) is not None:
            yield f"  '{column.name}' is {actual[column.name]}; expected {expected}"
    for problem in unsuitable_marks(outbox, actual):
        yield f"  {problem}"


def unsuitable_marks(outbox: Outbox, actual: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the columns in which a relay records what it has published.

    actual: the table's columns with their types as the server writes them.
    """
    if outbox.mark is None:
        return
    for name, place in outbox.mark.places():
        if name not in actual:
            yield f"'{name}' is missing" + nearest(name, list(actual))
            continue
        title, is_suitable = MARKS.get(place[0], ("", lambda _: True))
        try:
            schema = kind(outbox.dialect.name, actual[name], Modes()).schema
        except NoSuchType:
            continue
        if not is_suitable(schema):
            yield f"'{name}' is {actual[name]}; expected {title}"


def _expected_type(outbox: Outbox, column: Column, actual: str) -> str | None:
    """The expected type of a column with another one; None if the type fits or is unknown."""
    dialect = outbox.dialect
    expected = dialect.types[column.kind]
    try:
        actual_schema = kind(dialect.name, actual, Modes()).schema
    except NoSuchType:
        return None
    if column.name == outbox.table.columns.created_at and not _is_sent(outbox, column):
        return None if MOMENT in (actual_schema.name or "") else "a date with a time"
    return (
        None
        if _alike(actual_schema, kind(dialect.name, expected, Modes()).schema)
        else f"{expected} or an equivalent type"
    )


def _is_sent(outbox: Outbox, column: Column) -> bool:
    return column.name in router_columns(outbox).all


def _alike(actual_schema: Schema, expected: Schema) -> bool:
    """Whether the event router sends both types in the same way; a narrower integer is accepted."""
    return actual_schema.type is expected.type or (expected.type is Type.int64 and actual_schema.type in WHOLE)
