"""A table that is its owner's: whether its columns are there, and of types that the router can take."""

from collections.abc import Iterator, Mapping

from outbox_kit.errors import TableDiffers
from outbox_kit.router.column_types import NoSuchType
from outbox_kit.router.columns import Modes, kind
from outbox_kit.router.values import Schema, Type
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.nearest import nearest
from outbox_kit.wire.effective import router_columns

WHOLE = (Type.int16, Type.int32, Type.int64)
MOMENT = "Timestamp"  # in the name of the schema of whatever says when


def expect(outbox: Outbox, actual: Mapping[str, str]) -> None:
    """Raises TableDiffers. actual: the table's columns with their types as the server writes them; none if no table."""
    dialect = outbox.dialect
    table = dialect.quote_ident(outbox.names.schema, outbox.table.name)
    if not actual:
        raise TableDiffers(
            f"there is no table {table}; nothing was changed",
            why="it is its owner's to make (table.existing)",
            fix="let its owner make it first, or say in table.name and database.schema what it is called",
        )
    if details := list(_amiss(outbox, actual)):
        raise TableDiffers(
            f"the table {table} is not what the schema file says; nothing was changed",
            fix="say in table.columns, table.extra, table.ids and table.payload what it really has",
            details=details,
        )


def _amiss(outbox: Outbox, actual: Mapping[str, str]) -> Iterator[str]:
    for column in columns(outbox):
        if column.name not in actual:
            yield f"  '{column.name}' is missing" + nearest(column.name, list(actual))
        elif (expected := _wanted(outbox, column, actual[column.name])) is not None:
            yield f"  '{column.name}' is {actual[column.name]}; {expected} is needed"


def _wanted(outbox: Outbox, column: Column, actual: str) -> str | None:
    """What a column must be and is not; a type that nobody knows here is the owner's own, and may well do."""
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
        else f"a {expected}, or what is sent alike,"
    )


def _is_sent(outbox: Outbox, column: Column) -> bool:
    return column.name in router_columns(outbox).all


def _alike(actual_schema: Schema, expected: Schema) -> bool:
    """Whether a router sends both in the same way; a wide number may be a narrower one."""
    return actual_schema.type is expected.type or (expected.type is Type.int64 and actual_schema.type in WHOLE)
