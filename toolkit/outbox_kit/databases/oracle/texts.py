"""The values of a column as texts for the model of the router, and such texts as values of the column."""

from binascii import hexlify
from decimal import Decimal
from typing import Any

from outbox_kit.databases.unpublished import ColumnForm, TableColumn

CHARACTERS = ("varchar2", "char")
NATIONAL = ("nvarchar2", "nchar")
LARGE = ("clob", "nclob")
BINARY = ("raw", "blob")
DAY_AND_TIME = 'YYYY-MM-DD"T"HH24:MI:SS'
FORMATS = {
    "date": ("to_date", DAY_AND_TIME),
    "timestamp": ("to_timestamp", f"{DAY_AND_TIME}.FF"),
    "timestamp with time zone": ("to_timestamp_tz", f"{DAY_AND_TIME}.FFTZH:TZM"),
    "timestamp with local time zone": ("to_timestamp_tz", f"{DAY_AND_TIME}.FFTZH:TZM"),
}
"""The types of moments, and how each is read and written. The session is in UTC."""


def column_form(column: TableColumn) -> ColumnForm:
    """How the values of a column are read and written.

    Bytes are hexadecimal after `\\x`, times as in ISO 8601, numbers with all their digits and a point.
    """
    kind = base_type(column.type)
    if kind in BINARY:
        text = r"nvl2({0}, '\x' || lower(rawtohex({0})), null)"
        return ColumnForm(text, "{}", _bytes, "{}", _hexadecimal, as_key=kind == "raw")
    if kind in LARGE:
        return ColumnForm("{}", as_key=False)
    if kind in CHARACTERS:
        return ColumnForm("{}", f"cast({{}} as {column.type})")
    if kind in NATIONAL:
        return ColumnForm("to_char({})", f"cast({{}} as {column.type})", selected="{}")
    if kind in FORMATS:
        function, form = FORMATS[kind]
        zoned = "cast({} as timestamp(9) with time zone)" if "local" in kind else "{}"
        return ColumnForm(f"to_char({zoned}, '{form}')", f"{function}({{}}, '{form}')")
    return ColumnForm("to_char({}, 'TM9')", bound=Decimal)


def base_type(sql_type: str) -> str:
    """A type in lower case without its length, such as `timestamp with time zone`."""
    name, _, rest = sql_type.lower().partition("(")
    return " ".join((name + rest.partition(")")[2]).split())


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("\\x"))


def _hexadecimal(value: Any) -> bytes:
    return b"\\x" + hexlify(value)
