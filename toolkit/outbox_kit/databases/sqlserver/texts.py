"""The values of a column as texts for the model of the router, and such texts as values of the column."""

from outbox_kit.databases.unpublished import ColumnForm, TableColumn

CHARACTERS = frozenset({"char", "nchar", "varchar", "nvarchar"})
NUMBERS = frozenset({"tinyint", "smallint", "int", "bigint", "bit"})
BINARY = frozenset({"binary", "varbinary", "timestamp"})
FLOATING = frozenset({"real", "float"})
TIMES = frozenset({"date", "time", "datetime", "datetime2", "smalldatetime", "datetimeoffset"})
ZONED = TIMES - {"date", "time"}
"""Those that say a moment, in UTC if they have no zone."""


def column_form(column: TableColumn) -> ColumnForm:
    """How the values of a column are read and written.

    Bytes are hexadecimal after `\\x`, times as in ISO 8601, floating-point numbers with all their digits.
    """
    kind, typed = base_type(column.type), f"cast({{}} as {column.type})"
    if kind in BINARY:
        text = r"N'\x' + lower(convert(nvarchar(max), cast({} as varbinary(max)), 2))"
        return ColumnForm(text, typed, lambda written: bytes.fromhex(written[2:]))
    if kind in NUMBERS:
        return ColumnForm("cast({} as nvarchar(50))", typed, int)
    if kind in FLOATING:
        return ColumnForm("convert(nvarchar(50), {}, 3)", typed)
    if kind in TIMES:
        return ColumnForm("convert(nvarchar(50), {}, 126)", typed)
    collated = f"{typed} collate {column.collation}" if column.collation else typed
    return ColumnForm("cast({} as nvarchar(max))", collated)


def base_type(sql_type: str) -> str:
    """A type in lower case without its length."""
    return sql_type.lower().partition("(")[0].strip()
