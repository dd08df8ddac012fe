"""A table's row as the change event that a connector sends for it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.router import bson, bsontext, columns, javaregex, options, source_options
from outbox_kit.router.bson import Bson
from outbox_kit.router.columns import Modes
from outbox_kit.router.context import context_headers
from outbox_kit.router.defaults import with_default
from outbox_kit.router.transforms import MESSAGE
from outbox_kit.router.values import ContextHeader, NotModelled, Schema, SourceRecord, Struct, Type
from outbox_kit.versions import Version

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
    default: str | None = None
    """As the database's catalogue prints it; None if it has none."""


class Relation:
    """A table as a connector sends its rows: the schemas are made once, and are the same values for every row."""

    def __init__(
        self,
        dialect: str,
        config: Mapping[str, str],
        raw_topic: str,
        columns_sent: Sequence[RowColumn],
        release: Version,
    ) -> None:
        """raw_topic: `<topic.prefix>.<schema>.<table>`, after which the schemas are named.

        columns_sent: the table's columns, whose values are not read. release: Debezium's.
        Raises NoSuchType, NotModelled.
        """
        self.context = context_headers(dialect, config, release)
        sent = captured(config, raw_topic, columns_sent)
        source_options.refuse_unmodelled(config, raw_topic, {column.name: column.type for column in sent})
        names = [column.name for column in sent]
        self._skipped = source_options.skipped(config)
        modes = Modes.of(config)
        self._dialect, self._topic = dialect, raw_topic
        self.kinds = {
            column.name: with_default(
                dialect,
                column.type,
                columns.kind(dialect, column.type, modes, optional=column.optional),
                column.default,
                release,
            )
            for column in columns_sent
            if column.name in names
        }
        fields = tuple((name, kind.schema) for name, kind in self.kinds.items())
        self._row = Schema(Type.struct, f"{raw_topic}.Value", optional=True, fields=fields)
        self._envelope = _envelope_schema(raw_topic, self._row)

    def record(self, values: Mapping[str, Any], *, operation: str = "c", at_ms: int = 0) -> SourceRecord:
        """The change event of a row.

        values: plain ones by column; a column that is left out is null. at_ms: when Debezium processed the row, in
        milliseconds since 1970. Raises NoSuchValue, NotModelled for an operation that the connector does not send.
        """
        if operation in self._skipped:
            raise NotModelled(f"skipped.operations={','.join(self._skipped)}")
        row = {name: _read(name, kind, values.get(name)) for name, kind in self.kinds.items()}
        after = Struct(self._row, row)
        return _enveloped(self._dialect, self._topic, self._envelope, after, operation, at_ms, self.context)


def change(
    dialect: str,
    config: Mapping[str, str],
    raw_topic: str,
    row: Sequence[RowColumn],
    release: Version,
    *,
    operation: str = "c",
    at_ms: int = 0,
) -> SourceRecord:
    """The change event of a row.

    raw_topic: `<topic.prefix>.<schema>.<table>`, after which the schemas are named. release: Debezium's.
    at_ms: when Debezium processed it, in milliseconds since 1970. Raises NoSuchType, NoSuchValue, NotModelled.
    """
    if not is_document(dialect):
        relation = Relation(dialect, config, raw_topic, row, release)
        return relation.record({column.name: column.value for column in row}, operation=operation, at_ms=at_ms)
    document = Bson("document", {column.name: _stored(column) for column in row})
    text = bsontext.sent(document, bsontext.forms(config, release))
    envelope = _envelope_schema(raw_topic, TEXT_DOCUMENT)
    context = context_headers(dialect, config, release)
    return _enveloped(dialect, raw_topic, envelope, text, operation, at_ms, context)


def _envelope_schema(raw_topic: str, row: Schema) -> Schema:
    fields = (
        ("before", row),
        ("after", row),
        ("source", SOURCE),
        ("op", Schema(Type.string)),
        ("ts_ms", Schema(Type.int64, optional=True)),
    )
    return Schema(Type.struct, f"{raw_topic}.Envelope", fields=fields)


def _enveloped(
    dialect: str,
    topic: str,
    schema: Schema,
    after: Any,
    operation: str,
    at_ms: int,
    context: tuple[ContextHeader, ...],
) -> SourceRecord:
    # the word by which Oracle's rows are known; nothing else asks for it
    source = Struct(SOURCE, {"connector": dialect})
    present = None if operation in ("d", "t") else after
    value = Struct(schema, {"after": present, "source": source, "op": operation, "ts_ms": at_ms})
    return SourceRecord(topic, None, None, schema, value, context=context)


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

    An entry matches the whole of `schema.table.column`, in any case. Raises NotModelled for an entry that is not known.
    """
    parts = raw_topic.split(".")
    tables = [".".join(parts[start:]) for start in range(1, len(parts))]
    for key, keeps in (("column.include.list", True), ("column.exclude.list", False)):
        patterns = _patterns(config.get(key, ""))
        if patterns:
            row = [c for c in row if _any_matches(patterns, [f"{table}.{c.name}" for table in tables]) is keeps]
    return list(row)


def _patterns(listed: str) -> list[re.Pattern[str]]:
    try:
        return [javaregex.compiled(f"(?i){entry.strip()}") for entry in listed.split(",") if entry.strip()]
    except javaregex.BadPattern as cause:
        raise NotModelled(f"the list of columns '{listed}': {cause}") from None


def _any_matches(patterns: Sequence[re.Pattern[str]], names: Sequence[str]) -> bool:
    return any(pattern.fullmatch(name) for pattern in patterns for name in names)


def is_document(dialect: str) -> bool:
    """Whether the connector sends documents, which have a router of their own."""
    return options.ROUTER_FILES[str(options.catalogue(dialect).facts["router"])] != "router"


def _stored(column: RowColumn) -> Bson:
    """A field's value as the connector writes it; a field of no type stands as it is."""
    try:
        return bson.stored(column.type, column.value)
    except (TypeError, ValueError) as cause:
        raise columns.NoSuchValue(f"column '{column.name}': {cause}") from None


def _read(name: str, kind: columns.Kind, value: Any) -> Any:
    if value is None:
        return None
    try:
        return kind.read(value)
    except columns.NoSuchValue as cause:
        raise columns.NoSuchValue(f"column '{name}': {cause}") from None
