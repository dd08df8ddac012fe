"""The transformations that stand beside a router: Kafka's own, and the one that decodes messages in the log. Pure.

Each is made of its options, without their prefix, and raises Failure where the task would not start, or NotModelled.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.router import javaregex
from outbox_kit.router.chance import Chance, all_runs
from outbox_kit.router.expand import Expansion, ExpansionFailed
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.route import Result, required_struct
from outbox_kit.router.settings import Options
from outbox_kit.router.values import (
    OPTIONAL_STRING,
    ConnectHeader,
    Dropped,
    Failure,
    NotModelled,
    Schema,
    SourceRecord,
    Struct,
    Type,
    validate,
)

KAFKA = "org.apache.kafka.connect.transforms."
REGEX_ROUTER, INSERT_FIELD, HEADER_FROM = f"{KAFKA}RegexRouter", f"{KAFKA}InsertField$Value", f"{KAFKA}HeaderFrom$Value"
FILTER = f"{KAFKA}Filter"
DECODE = "io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent"
MESSAGE = "io.debezium.connector.postgresql.MessageValue"  # what a connector calls a message in PostgreSQL's log
# Kafka's own that never touch a record's topic, nor its partition; of all there are, only RegexRouter and
# TimestampRouter do
KEEP_TOPIC = frozenset(
    f"{KAFKA}{name}{part}"
    for name in ("Cast", "ExtractField", "Flatten", "HoistField", "MaskField", "ReplaceField", "SetSchemaMetadata")
    for part in ("$Key", "$Value")
) | {f"{KAFKA}{name}" for name in ("DropHeaders", "Filter", "InsertHeader", "TimestampConverter$Value", "ValueToKey")}
Step = Callable[[SourceRecord], list[Result]]


def caught(change: Callable[[SourceRecord], SourceRecord]) -> Step:
    """A change of a record as a step, whose failure is a result."""

    def step(record: SourceRecord) -> list[Result]:
        try:
            return [change(record)]
        except Failure as failure:
            return [failure]

    return step


def regex_router(options: Options) -> Step:
    """A topic's new name."""
    try:
        pattern = javaregex.compiled(trim(options.get("regex", "")))
    except javaregex.BadPattern as cause:
        raise Failure("ConfigException", f"Invalid regex: {cause}") from None
    replacement = trim(options.get("replacement", ""))
    return caught(lambda record: replace(record, topic=javaregex.rewritten(pattern, record.topic or "", replacement)))


def filtered(_: Options) -> Step:
    """No record is left; its predicate says of which."""
    return lambda _: [Dropped("filter")]


def insert_field(options: Options) -> Step:
    """A text that is the same in every value; always as it is written, whatever it looks like."""
    if odd := set(options) - {"type", "predicate", "negate", "static.field", "static.value"}:
        raise NotModelled(f"{sorted(odd)[0]} of InsertField")
    name, text = trim(options.get("static.field", "")), trim(options.get("static.value", ""))
    if not name or not text or name[-1] in "!?":
        raise NotModelled("an InsertField without a plain field and its value")

    def inserted(record: SourceRecord) -> SourceRecord:
        if record.value is None:
            return record
        value = required_struct(record.value, "field insertion", record.value_schema)
        if name in value.schema.by_name:
            raise Failure("SchemaBuilderException", f"Cannot create field because of field name duplication {name}")
        schema = replace(value.schema, fields=(*value.schema.fields, (name, OPTIONAL_STRING)))
        return replace(record, value_schema=schema, value=_filled(schema, {**value.values, name: text}))

    return caught(inserted)


def header_from(options: Options) -> Step:
    """Fields of the value, moved to headers."""
    fields, names = ([trim(name) for name in split(options.get(word, ""), ",")] for word in ("fields", "headers"))
    if options.get("operation") != "move" or len(fields) != len(names):
        raise NotModelled("a HeaderFrom that does not move")

    def moved(record: SourceRecord) -> SourceRecord:
        if record.value is None:
            raise Failure(
                "DataException", "Only Map objects supported in absence of schema for [header move], found: null"
            )
        value = required_struct(record.value, "header move", record.value_schema)
        kinds = value.schema.by_name
        schema = replace(value.schema, fields=tuple(field for field in value.schema.fields if field[0] not in fields))
        struct = _filled(schema, value.values)
        if absent := next((field for field in fields if field not in kinds), None):
            raise Failure("NullPointerException", f"the field '{absent}' is not there")
        headers = [
            ConnectHeader(name, kinds.get(field), value.get(field)) for field, name in zip(fields, names, strict=True)
        ]
        return replace(record, value_schema=schema, value=struct, headers=[*record.headers, *headers])

    return caught(moved)


def decode(options: Options) -> Step:
    """A message in PostgreSQL's log, whose content is JSON, as if that were a new row.

    After `DecodeLogicalDecodingMessageContent`: what the JSON holds has the types that JSON has.
    """
    expansion = Expansion(keep_nulls=trim(options.get("fields.null.include", "false")).lower() == "true")

    def step(record: SourceRecord) -> list[Result]:
        if record.value_schema is None:
            return [Failure("NullPointerException", "the record has no schema")]
        if record.value_schema.name != MESSAGE:
            return [record]
        records, complete = all_runs(
            lambda chance: caught(lambda record: _decoded(record, expansion, chance))(record)[0]
        )
        if not complete:
            raise NotModelled("more outcomes than can be followed")
        return records

    return step


def _decoded(record: SourceRecord, expansion: Expansion, chance: Chance) -> SourceRecord:
    message = required_struct(record.value, "Retrieve a record value", record.value_schema)
    content = message.values["message"].values["content"].decode()
    try:
        row, after = expansion.decoded(content, chance)
    except ExpansionFailed as cause:
        if content.startswith(("{", "[")):
            raise NotModelled(f"a message in the log that cannot be decoded: {cause}") from None
        problem = f"Unable to parse logical decoding message content JSON string '{content}'"
        raise Failure("DebeziumException", problem) from None
    fields = tuple(field for field in message.schema.fields if field[0] != "message")
    schema = Schema(Type.struct, f"{MESSAGE}.Envelope", fields=(*fields, ("after", row)))
    value = Struct(schema, {**message.values, "op": "c", "after": after})
    return replace(record, key_schema=None, key=None, value_schema=schema, value=value)


def _filled(schema: Schema, values: Mapping[str, Any]) -> Struct:
    """A struct as it is filled field by field, each of which is looked at. Raises Failure."""
    struct = Struct(schema, {name: values.get(name) for name in schema.by_name})
    for name, kind in schema.fields:
        validate(kind, struct.get(name), kind, f'field: "{name}"')
    return struct


BY_CLASS: Mapping[str, Callable[[Options], Step]] = {
    FILTER: filtered,
    REGEX_ROUTER: regex_router,
    INSERT_FIELD: insert_field,
    HEADER_FROM: header_from,
    DECODE: decode,
}
