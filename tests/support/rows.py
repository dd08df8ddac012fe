"""Rows of an outbox as change events."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.router.values import (
    Schema,
    SourceRecord,
    Struct,
    Type,
)

SOURCE = Schema(Type.struct, "io.debezium.connector.postgresql.Source", fields=(("connector", Schema(Type.string)),))


def envelope(row: Schema, name: str = "p.public.outbox.Envelope") -> Schema:
    """The schema of a change event around a row."""
    fields = (
        ("before", row),
        ("after", row),
        ("source", SOURCE),
        ("op", Schema(Type.string)),
        ("ts_ms", Schema(Type.int64, optional=True)),
    )
    return Schema(Type.struct, name, fields=fields)


TEXT_COLUMN = Schema(Type.string)
FLAG = Schema(Type.boolean, optional=True)
BASE: Mapping[str, tuple[Schema, Any]] = {
    "id": (TEXT_COLUMN, "da8d6de6-3b77-45ff-8f44-57db55a7a06c"),
    "aggregatetype": (TEXT_COLUMN, "User"),
    "aggregateid": (TEXT_COLUMN, "10711fa5"),
    "type": (TEXT_COLUMN, "UserCreated"),
    "payload": (TEXT_COLUMN, "{}"),
    "is_deleted": (FLAG, None),
}
STAMP = 1553460779000


def row(
    changes: Mapping[str, Any] | None = None,
    *,
    op: str = "c",
    value_name: str | None = "p.public.outbox.Envelope",
    only: bool = False,
) -> SourceRecord:
    """The base row with changes: a plain value keeps the column's schema, a pair brings its own."""
    columns: dict[str, tuple[Schema, Any]] = {} if only else dict(BASE)
    for name, change in (changes or {}).items():
        schema = columns.get(name, (TEXT_COLUMN, None))[0]
        if isinstance(change, tuple):
            columns[name] = change
        else:
            columns[name] = (replace(schema, optional=schema.optional or change is None), change)
    fields = tuple((name, schema) for name, (schema, _) in columns.items())
    schema = Schema(Type.struct, "p.public.outbox.Value", optional=True, fields=fields)
    after = None if op == "d" else Struct(schema, {name: value for name, (_, value) in columns.items()})
    around = replace(envelope(schema), name=value_name)
    return SourceRecord(
        "p.public.outbox", None, None, around, Struct(around, {"after": after, "op": op, "ts_ms": STAMP})
    )
