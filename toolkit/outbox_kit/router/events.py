"""A table's row as the change event that a connector sends for it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.router import columns, options
from outbox_kit.router.columns import Modes
from outbox_kit.router.values import Record, Schema, Struct, Type

SOURCE = Schema(
    Type.struct,
    "io.debezium.connector.Source",
    fields=(("connector", Schema(Type.string)), ("table", Schema(Type.string, optional=True))),
)
TEXT_DOCUMENT = Schema(Type.string, "io.debezium.data.Json", optional=True, version=1)


@dataclass(frozen=True)
class Column:
    """A column and what stands in it. type: the database's own word. optional: whether it may be null."""

    name: str
    type: str
    value: Any = None
    optional: bool = False


def change(
    dialect: str,
    config: Mapping[str, str],
    raw_topic: str,
    row: Sequence[Column],
    *,
    operation: str = "c",
    at_ms: int = 0,
) -> Record:
    """The change event of a row.

    raw_topic: `<topic.prefix>.<schema>.<table>`, after which the schemas are named. at_ms: when Debezium processed it,
    in milliseconds since 1970. Raises columns.NoSuchType, columns.NoSuchValue, NotModelled.
    """
    if _is_document(dialect):
        after_schema, after = TEXT_DOCUMENT, json.dumps({column.name: column.value for column in row})
    else:
        after_schema, after = _row(dialect, Modes.of(config), raw_topic, row)  # type: ignore[assignment]
    fields = (
        ("before", after_schema),
        ("after", after_schema),
        ("source", SOURCE),
        ("op", Schema(Type.string)),
        ("ts_ms", Schema(Type.int64, optional=True)),
    )
    schema = Schema(Type.struct, f"{raw_topic}.Envelope", fields=fields)
    # the word by which Oracle's rows are known; nothing else asks for it
    source = Struct(SOURCE, {"connector": dialect})
    present = None if operation == "d" else after
    value = Struct(schema, {"after": present, "source": source, "op": operation, "ts_ms": at_ms})
    return Record(raw_topic, None, None, schema, value)


def _is_document(dialect: str) -> bool:
    """Whether the connector sends documents, which have a router of their own."""
    return options.ROUTER_FILES[str(options.catalogue(dialect).facts["router"])] != "router"


def _row(dialect: str, modes: Modes, raw_topic: str, row: Sequence[Column]) -> tuple[Schema, Struct]:
    kinds = {c.name: columns.kind(dialect, c.type, modes, optional=c.optional) for c in row}
    fields = tuple((name, kind.schema) for name, kind in kinds.items())
    schema = Schema(Type.struct, f"{raw_topic}.Value", optional=True, fields=fields)
    values = {c.name: None if c.value is None else _read(c, kinds[c.name]) for c in row}
    return schema, Struct(schema, values)


def _read(column: Column, kind: columns.Kind) -> Any:
    try:
        return kind.read(column.value)
    except columns.NoSuchValue as cause:
        raise columns.NoSuchValue(f"column '{column.name}': {cause}") from None
