"""A table that is its owner's: whether its columns are there, and of types that the router can take."""

from collections.abc import Iterator, Mapping

from outbox_kit import dialects
from outbox_kit.errors import TableDiffers
from outbox_kit.router.columns import Modes, NoSuchType, kind
from outbox_kit.router.values import Schema, Type
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.nearest import nearest

WHOLE = (Type.int16, Type.int32, Type.int64)
MOMENT = "Timestamp"  # in the name of the schema of whatever says when


def expect(outbox: Outbox, found: Mapping[str, str]) -> None:
    """Raises TableDiffers. found: the table's columns with their types as the server writes them; none if no table."""
    dialect = dialects.named(outbox.database.dialect)
    table = dialect.ident(names(outbox).schema, outbox.table.name)
    if not found:
        raise TableDiffers(
            f"there is no table {table}; nothing was changed",
            why="it is its owner's to make (table.existing)",
            fix="let its owner make it first, or say in table.name and database.schema what it is called",
        )
    if details := list(_amiss(outbox, found)):
        raise TableDiffers(
            f"the table {table} is not what the schema file says; nothing was changed",
            fix="say in table.columns, table.extra, table.ids and table.payload what it really has",
            details=details,
        )


def _amiss(outbox: Outbox, found: Mapping[str, str]) -> Iterator[str]:
    for column in columns(outbox):
        if column.name not in found:
            yield f"  '{column.name}' is missing" + nearest(column.name, list(found))
        elif (wanted := _wanted(outbox, column, found[column.name])) is not None:
            yield f"  '{column.name}' is {found[column.name]}; {wanted} is needed"


def _wanted(outbox: Outbox, column: Column, actual: str) -> str | None:
    """What a column must be and is not; a type that nobody knows here is the owner's own, and may well do."""
    dialect = dialects.named(outbox.database.dialect)
    expected = dialect.types[column.kind]
    try:
        there = kind(dialect.name, actual, Modes()).schema
    except NoSuchType:
        return None
    if column.name == outbox.table.columns.created_at and not _is_sent(outbox, column):
        return None if MOMENT in (there.name or "") else "a date with a time"
    return (
        None if _alike(there, kind(dialect.name, expected, Modes()).schema) else f"a {expected}, or what is sent alike,"
    )


def _is_sent(outbox: Outbox, column: Column) -> bool:
    return any(placement.column == column.name for placement in outbox.placements)


def _alike(there: Schema, wanted: Schema) -> bool:
    """Whether a router sends both in the same way; a wide number may be a narrower one."""
    return there.type is wanted.type or (wanted.type is Type.int64 and there.type in WHOLE)
