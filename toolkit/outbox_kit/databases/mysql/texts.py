"""The values of a column as texts for the model of the router, and such texts as values of a statement.

A text is that of `concat(column)`, but where this would not say it all: bytes are hexadecimal after `\\x`, and a
document is written as the connector writes it.
"""

from binascii import hexlify
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from outbox_kit.databases.mysql.json_text import connector_text

BINARY = frozenset({"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"})
TEXTS = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"})
EXPRESSIONS: Mapping[str, str] = {
    "bit": "{} + 0",
    "float": "{} + 0e0",  # its own text has six digits
    "timestamp": "concat({}, 'Z')",  # the session is in UTC
    "bigint unsigned": "cast({} as signed)",  # of 64 bits, as the connector sends it
}
"""How a column is selected, by its type without length, if not by its name alone."""


@dataclass(frozen=True)
class ColumnTexts:
    """How the values of a column of one type are read and written as texts."""

    expression: str
    """What is selected, with `{}` for the column."""
    read: Callable[[bytes], bytes] | None
    """Makes the text of what the server sends for `expression`; None if it is the text."""
    text: str
    """The expression of the text in UTF-8, as bytes, with `{}` for the column."""

    def of(self, value: bytes | None) -> bytes | None:
        """The text of what the server sends for `expression`."""
        return value if value is None or self.read is None else self.read(value)


def column_texts(sql_type: str) -> ColumnTexts:
    """For a type as the catalogue writes it, such as `varchar(255)`."""
    kind = base_type(sql_type)
    if kind in BINARY:
        return ColumnTexts("{}", _hexadecimal, r"concat('\\x', lower(hex({})))")
    expression = EXPRESSIONS.get(kind, "{}")
    return ColumnTexts(
        expression, connector_text if kind == "json" else None, f"convert(concat({expression}) using utf8mb4)"
    )


def base_type(sql_type: str) -> str:
    """A type in lower case without its length, such as `bigint unsigned`."""
    name, _, rest = sql_type.lower().partition("(")
    return " ".join((name + rest.partition(")")[2]).split())


def parameter(sql_type: str, text: str) -> str | int | bytes:
    """The text of a value as the parameter with which a column of a type is compared.

    A number is one, because the server compares a column of numbers with a text as floating point.
    """
    kind = base_type(sql_type)
    if kind in BINARY:
        return bytes.fromhex(text.removeprefix("\\x"))
    return int(text) if "int" in kind.split()[0] or kind == "bit" else text


def _hexadecimal(value: bytes) -> bytes:
    return b"\\x" + hexlify(value)
