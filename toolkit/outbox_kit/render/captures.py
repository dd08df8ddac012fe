"""The names of SQL Server's capture instances. Pure."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox

LONGEST = 100  # the server derives other names from it
DIGITS = 6


@dataclass(frozen=True)
class TableCapture:
    """A table and the name of its capture instance, which changes with the table's columns and the connector's role."""

    table: str
    name: str


def captures(outbox: Outbox) -> list[TableCapture]:
    """The capture instances of the outbox and of its heartbeat."""
    derived, types = outbox.names, outbox.dialect.types
    definitions = [
        f"{column.name} {types[column.kind]}{' not null' if column.required else ''}" for column in columns(outbox)
    ]
    tables = {outbox.table.name: definitions, derived.heartbeat_table: []}
    return [
        TableCapture(table, _name(derived.schema, table, [derived.role, *table_columns]))
        for table, table_columns in tables.items()
    ]


def _name(schema: str, table: str, definitions: Sequence[str]) -> str:
    """The name of a capture instance, derived from the columns and their nullability: if they change, another capture
    instance is created beside the old one.
    """
    digest = hashlib.sha256("\n".join([schema, table, *definitions]).encode()).hexdigest()[:DIGITS]
    readable = re.sub(r"[^A-Za-z0-9]+", "_", f"{schema}_{table}").strip("_")
    return f"{readable[: LONGEST - DIGITS - 1]}_{digest}"
