"""A table's row as the change event that a connector sends for it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.router import bson, columns, javaregex, options
from outbox_kit.router.columns import Modes
from outbox_kit.router.transforms import MESSAGE
from outbox_kit.router.values import NotModelled, Schema, SourceRecord, Struct, Type

SOURCE = Schema(
    Type.struct,
    "io.debezium.connector.Source",
    fields=(("connector", Schema(Type.string)), ("table", Schema(Type.string, optional=True))),
)
CONTENT = Schema(
    Type.struct,
    "io.debezium.connector.postgresql.Message",
    fields=(("prefix", Schema(Type.string, optional=True)), ("content", Schema(Type.bytes, optional=True))),
)
MESSAGE_VALUE = Schema(
    Type.struct,
    MESSAGE,
    fields=(
        ("op", Schema(Type.string)),
        ("ts_ms", Schema(Type.int64, optional=True)),
        ("source", SOURCE),
        ("message", CONTENT),
    ),
)
TEXT_DOCUMENT = Schema(Type.string, "io.debezium.data.Json", optional=True, version=1)


@dataclass(frozen=True)
class RowColumn:
    """A column and what stands in it."""

    name: str
    type: str
    """The database's own word."""
    value: Any = None
    optional: bool = False
    """Whether it may be null."""


def change(
    dialect: str,
    config: Mapping[str, str],
    raw_topic: str,
    row: Sequence[RowColumn],
    *,
    operation: str = "c",
    at_ms: int = 0,
) -> SourceRecord:
    """The change event of a row.

    raw_topic: `<topic.prefix>.<schema>.<table>`, after which the schemas are named. at_ms: when Debezium processed it,
    in milliseconds since 1970. Raises NoSuchType, NoSuchValue, NotModelled.
    """
    if is_document(dialect):
        after_schema, after = TEXT_DOCUMENT, json.dumps({column.name: _stored(column) for column in row})
    else:
        sent = captured(config, raw_topic, row)
        after_schema, after = _row(dialect, Modes.of(config), raw_topic, sent)  # type: ignore[assignment]
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
    present = None if operation in ("d", "t") else after
    value = Struct(schema, {"after": present, "source": source, "op": operation, "ts_ms": at_ms})
    return SourceRecord(raw_topic, None, None, schema, value)


def message(topic: str, content: str, *, at_ms: int = 0) -> SourceRecord:
    """The record of a message that `pg_logical_emit_message` wrote into PostgreSQL's log.

    topic: `<topic.prefix>.message`. content: what was written. at_ms: when Debezium processed it.
    """
    body = Struct(CONTENT, {"prefix": "", "content": content.encode()})
    source = Struct(SOURCE, {"connector": "postgresql"})
    value = Struct(MESSAGE_VALUE, {"op": "m", "ts_ms": at_ms, "source": source, "message": body})
    return SourceRecord(topic, None, None, MESSAGE_VALUE, value)


def captured(config: Mapping[str, str], raw_topic: str, row: Sequence[RowColumn]) -> list[RowColumn]:
    """The columns that the connector sends: what its lists of columns leave.

    An entry matches the whole of `schema.table.column`, in any case. Raises NotModelled where values are changed on
    their way.
    """
    changed = next((key for key in config if key.startswith(CHANGING)), None)
    if changed is not None:
        raise NotModelled(changed)
    parts = raw_topic.split(".")
    tables = [".".join(parts[start:]) for start in range(1, len(parts))]
    for key, keeps in (("column.include.list", True), ("column.exclude.list", False)):
        patterns = _patterns(config.get(key, ""))
        if patterns:
            row = [c for c in row if _any(patterns, [f"{table}.{c.name}" for table in tables]) is keeps]
    return list(row)


CHANGING = ("column.mask.", "column.truncate.")


def _patterns(listed: str) -> list[re.Pattern[str]]:
    try:
        return [javaregex.compiled(f"(?i){entry.strip()}") for entry in listed.split(",") if entry.strip()]
    except javaregex.BadPattern as cause:
        raise NotModelled(f"the list of columns '{listed}': {cause}") from None


def _any(patterns: Sequence[re.Pattern[str]], names: Sequence[str]) -> bool:
    return any(pattern.fullmatch(name) for pattern in patterns for name in names)


def is_document(dialect: str) -> bool:
    """Whether the connector sends documents, which have a router of their own."""
    return options.ROUTER_FILES[str(options.catalogue(dialect).facts["router"])] != "router"


def _stored(column: RowColumn) -> Any:
    """A field's value as the connector writes it; a field of no type stands as it is."""
    try:
        return bson.stored(column.type, column.value)
    except (TypeError, ValueError) as cause:
        raise columns.NoSuchValue(f"column '{column.name}': {cause}") from None


def _row(dialect: str, modes: Modes, raw_topic: str, row: Sequence[RowColumn]) -> tuple[Schema, Struct]:
    kinds = {c.name: columns.kind(dialect, c.type, modes, optional=c.optional) for c in row}
    fields = tuple((name, kind.schema) for name, kind in kinds.items())
    schema = Schema(Type.struct, f"{raw_topic}.Value", optional=True, fields=fields)
    values = {c.name: None if c.value is None else _read(c, kinds[c.name]) for c in row}
    return schema, Struct(schema, values)


def _read(column: RowColumn, kind: columns.Kind) -> Any:
    try:
        return kind.read(column.value)
    except columns.NoSuchValue as cause:
        raise columns.NoSuchValue(f"column '{column.name}': {cause}") from None
