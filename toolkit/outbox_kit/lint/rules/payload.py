"""What becomes of the payload: column, converter and expansion together."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import BINARY, BYTES, JSON, RELATIONAL, STRING, Subject
from outbox_kit.versions import Version

CONVERTER = "value.converter"
DELEGATE = "value.converter.delegate.converter.type"
NO_SCHEMAS = (STRING, BYTES, *BINARY)
WITH_EMPTY_ARRAYS = Version.of("3.7")
INT64 = range(-(2**63), 2**63)


@rule(
    "json-converter-on-text-payload",
    Severity.warning,
    evidence="A01 A17",
    fix="use the StringConverter for a text payload",
)
def json_converter_on_text_payload(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter writes a text payload as a quoted string, and a binary one as base64.

    Consumers get "{\\"id\\": 1}" in quotes and have to parse twice.
    """
    if subject.router and subject.converter("value") == JSON and not subject.expands and not subject.enveloped:
        if subject.option_prefix == "table":
            yield Violation(CONVERTER, "the payload's text arrives quoted and escaped")


@rule("converter-inherited", Severity.warning, evidence="A02 N09", fix="name the converter, with its schemas.enable")
def converter_inherited(subject: Subject) -> Iterator[Violation]:
    """A converter is left to the worker's default.

    The same config gives other bytes on another worker; the default adds a schema to every message.
    """
    for part in ("key", "value"):
        if subject.router and not subject.converter(part):
            yield Violation(
                "connector.class", f"'{part}.converter' is not set; the worker's decides what is on the wire"
            )


@rule("schemas-enable-inherited", Severity.warning, evidence="A02", fix="set schemas.enable beside the converter")
def schemas_enable_inherited(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter's schemas.enable is left to its default, which is true.

    Every message then carries {"schema": ..., "payload": ...}.
    """
    for part in ("key", "value"):
        key = f"{part}.converter"
        if subject.converter(part) == JSON and f"{key}.schemas.enable" not in subject.config:
            yield Violation(key, f"'{key}.schemas.enable' is not set: each message will carry its schema")


@rule(
    "schemas-in-every-message",
    Severity.info,
    evidence="A02",
    fix="set schemas.enable to false unless consumers read the schema",
)
def schemas_in_every_message(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter is told to write its schema into every message.

    Consumers must look for the payload below `payload`, and messages are several times larger.
    """
    for part in ("key", "value"):
        key = f"{part}.converter.schemas.enable"
        if subject.converter(part) == JSON and subject.config.get(key, "").strip().lower() == "true":
            yield Violation(key, "the schema goes into every message")


@rule("schemas-enable-ignored", Severity.info, evidence="A03", fix="take it out")
def schemas_enable_ignored(subject: Subject) -> Iterator[Violation]:
    """schemas.enable is set on a converter that does not know it.

    It does nothing, and hides what is meant.
    """
    for part in ("key", "value", "header"):
        key = f"{part}.converter.schemas.enable"
        if key in subject.config and subject.converter(part) in NO_SCHEMAS:
            yield Violation(key, f"{subject.converter(part).rsplit('.', 1)[-1]} has no schemas to enable", Edit(key))


@rule(
    "expand-needs-structured-converter",
    Severity.error,
    evidence="A04 A19",
    fix="drop the expansion, or use the JsonConverter without schemas",
)
def expand_needs_structured_converter(subject: Subject) -> Iterator[Violation]:
    """An expanded payload is a struct, and this converter cannot write structs.

    Consumers read Java's `Struct{a=1,b=[1, 2]}`, or the task fails on the first message.
    """
    delegated = subject.config.get(DELEGATE, "").strip() == JSON
    flat = subject.converter("value") in (STRING, BYTES) or (subject.converter("value") in BINARY and not delegated)
    if subject.router and subject.expands and flat:
        key = subject.router_key("{}.expand.json.payload")
        name = subject.converter("value").rsplit(".", 1)[-1]
        edit = Edit(key, value="false") if name == "StringConverter" else None
        yield Violation(key, f"the payload becomes a struct, which {name} cannot write", edit)


@rule(
    "expand-with-registry",
    Severity.error,
    evidence="A11 A12",
    fix="store serialised Avro or Protobuf in a binary column, and send it with the BinaryDataConverter",
)
def expand_with_registry(subject: Subject) -> Iterator[Violation]:
    """Expansion infers a schema from every single document, and a registry gets them all.

    An amount of 1 is an INT32, of 1.5 a FLOAT64: versions pile up until the registry refuses one and the task fails.
    """
    if subject.router and subject.expands and subject.asks_registry:
        yield Violation(subject.router_key("{}.expand.json.payload"), "each document's own schema goes to the registry")


@rule("record-name-collides", Severity.warning, evidence="A12", fix="keep TopicNameStrategy")
def record_name_collides(subject: Subject) -> Iterator[Violation]:
    """Expanded payloads all have one record name, the payload column's, and the subject is made of the record's name.

    Schemas of different events meet under one subject.
    """
    for key, value in subject.config.items():
        if key.endswith("subject.name.strategy") and "TopicName" not in value and subject.expands:
            yield Violation(key, "every expanded payload has the same record name")


@rule("schema-version-with-expansion", Severity.error, evidence="A13", fix="send the version as a header")
def schema_version_with_expansion(subject: Subject) -> Iterator[Violation]:
    """With a schema version column, value schemas are kept by version number alone.

    The second shape of a payload under one version stops the task: Struct schemas do not match.
    """
    key = subject.router_key("{}.field.event.schema.version")
    if key in subject.config and subject.expands and subject.enveloped:
        yield Violation(key, "one version number, many inferred shapes: the second one fails")


@rule("schema-version-without-envelope", Severity.warning, evidence="A14", fix="place the version in a header")
def schema_version_without_envelope(subject: Subject) -> Iterator[Violation]:
    """The schema version column is only read where a column goes to the envelope.

    The version appears nowhere.
    """
    key = subject.router_key("{}.field.event.schema.version")
    if key in subject.config and not subject.enveloped:
        yield Violation(key, "without an envelope placement it is never read")


@rule(
    "delegate-missing",
    Severity.error,
    evidence="A15 G14",
    fix="add value.converter.delegate.converter.type with the JsonConverter, schemas off",
)
def delegate_missing(subject: Subject) -> Iterator[Violation]:
    """A converter for bytes has no delegate for what is not bytes.

    The first heartbeat, transaction or schema change record stops the task, and so does a text payload.
    """
    for part in ("key", "value"):
        key = f"{part}.converter"
        if subject.converter(part) in BINARY and f"{key}.delegate.converter.type" not in subject.config:
            yield Violation(key, "what is not bytes has no converter")


@rule(
    "delegate-prefix",
    Severity.error,
    evidence="A16",
    fix="begin the option with <part>.converter.delegate.converter.type",
)
def delegate_prefix(subject: Subject) -> Iterator[Violation]:
    """An option for the delegate lacks `.type` in its prefix.

    The delegate never sees it.
    """
    wrong = re.compile(r"(key|value)\.converter\.delegate\.converter\.(?!type(\.|$))(.+)")
    for key in subject.config:
        if match := wrong.fullmatch(key):
            right = f"{match[1]}.converter.delegate.converter.type.{match[3]}"
            edit = Edit(key, rename=right) if right not in subject.config else None
            yield Violation(key, f"the delegate reads '{right}'", edit)


@rule(
    "bytes-converter-without-delegate",
    Severity.warning,
    evidence="A15 G14",
    fix="use Debezium's BinaryDataConverter with a JSON delegate",
)
def bytes_converter_without_delegate(subject: Subject) -> Iterator[Violation]:
    """Connect's ByteArrayConverter takes nothing but bytes.

    A text payload fails, and so does every heartbeat, transaction or schema change record.
    """
    if subject.router and subject.converter("value") == BYTES:
        yield Violation(CONVERTER, "whatever is not bytes stops the task")


@rule(
    "expansion-unread",
    Severity.warning,
    evidence="A19 J10",
    fix="begin the option with `collection.`",
    connectors=MONGODB.name,
)
def expansion_unread(subject: Subject) -> Iterator[Violation]:
    """MongoDB's router reads `collection.` options; those for tables are dropped.

    The option is ignored in silence.
    """
    if subject.option_prefix == "collection" and subject.router:
        for name in subject.router.options:
            if name.startswith("table.") and name != "table.op.invalid.behavior":
                renamed = subject.router.key(f"collection.{name.removeprefix('table.')}")
                is_known = subject.option(renamed) and renamed not in subject.config
                edit = Edit(subject.router.key(name), rename=renamed) if is_known else None
                yield Violation(subject.router.key(name), f"'{name}' is not read by MongoDB's router", edit)


@rule(
    "null-payload-on-the-wire",
    Severity.warning,
    evidence="F05",
    fix="make the column NOT NULL, or say tombstone: true on the event that means one",
)
def null_payload_on_the_wire(subject: Subject) -> Iterator[Violation]:
    """The payload may be null while tombstones are not asked for.

    Strings send a real tombstone, JSON the four bytes `null`, a registry an object: what arrives is chance.
    """
    if subject.outbox and subject.router and any(event.tombstone for event in subject.outbox.events):
        if not subject.flag("route.tombstone.on.empty.payload"):
            key = subject.router_key("route.tombstone.on.empty.payload")
            yield Violation(key, "an event is declared a tombstone, and the router is told not to send any")


@rule(
    "cloudevents-needs-headers",
    Severity.error,
    evidence="A22",
    fix="add HeaderFrom before the router, and a header.converter with schemas",
)
def cloudevents_needs_headers(subject: Subject) -> Iterator[Violation]:
    """Debezium's CloudEvents converter needs the source and the operation, which the router takes away.

    The first message fails unless both were put into headers before.
    """
    if subject.router and subject.converter("value").endswith("CloudEventsConverter"):
        moves_headers = any(
            step.kind.startswith("org.apache.kafka.connect.transforms.HeaderFrom") for step in subject.steps
        )
        if not moves_headers:
            yield Violation(CONVERTER, "nothing puts source and operation into headers before the router")


def _contracts(subject: Subject) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The payload schemas of the declared events, where payloads are expanded."""
    if subject.outbox and subject.expands:
        for event in subject.outbox.events:
            if isinstance(event.payload, dict):
                yield event.type, event.payload


def _parsed(subject: Subject) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Those of them that are read out of text; a document's values have types of their own."""
    yield from _contracts(subject) if subject.option_prefix == RELATIONAL else ()


def _nodes(schema: Any, path: str = "$") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every subschema with its path in the document."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for name, below in (schema.get("properties") or {}).items():
        yield from _nodes(below, f"{path}.{name}")
    if "items" in schema:
        yield from _nodes(schema["items"], f"{path}[]")
    for word in ("oneOf", "anyOf", "allOf"):
        for below in schema.get(word) or ():
            yield from _nodes(below, path)


@rule("expand-root-array", Severity.error, evidence="A05", fix="wrap the array in an object, or do not expand")
def expand_root_array(subject: Subject) -> Iterator[Violation]:
    """A payload whose root is an array is not expanded but poisoned: the schema is replaced, the text is not.

    The converter throws and the task fails.
    """
    for kind, schema in _contracts(subject):
        if schema.get("type") == "array":
            yield Violation(_expand_key(subject), f"the payload of '{kind}' is an array: its expansion stops the task")


@rule(
    "expand-wide-integer",
    Severity.warning,
    evidence="A06",
    fix="send such numbers as strings, or bound them to 64 bits",
)
def expand_wide_integer(subject: Subject) -> Iterator[Violation]:
    """An integer beyond 64 bits poisons an expanded payload.

    The task fails on the first of them.
    """
    for kind, schema in _parsed(subject):
        for path, node in _nodes(schema):
            bounds = (
                node.get("minimum", node.get("exclusiveMinimum")),
                node.get("maximum", node.get("exclusiveMaximum")),
            )
            if node.get("type") == "integer" and not all(isinstance(b, int) and b in INT64 for b in bounds):
                yield Violation(
                    _expand_key(subject), f"'{kind}': {path} is an integer without bounds; 2^63 stops the task"
                )


@rule("expand-array-of-objects", Severity.warning, evidence="A09 A06 A07", fix="do not expand")
def expand_array_of_objects(subject: Subject) -> Iterator[Violation]:
    """Objects in an array get one schema, merged from all of them in an order that the JVM picks.

    Nested members are lost in silence, absent ones become null, and a type that differs stops the task.
    """
    for kind, schema in _contracts(subject):
        for path, node in _nodes(schema):
            items = node.get("items")
            if isinstance(items, dict) and (items.get("type") == "object" or "properties" in items or "oneOf" in items):
                yield Violation(_expand_key(subject), f"'{kind}': {path} is an array of objects")


@rule("expand-changes-decimals", Severity.warning, evidence="A10", fix="send amounts as strings, or do not expand")
def expand_changes_decimals(subject: Subject) -> Iterator[Violation]:
    """Expansion makes every number with a fraction a double.

    1.10 arrives as 1.1, and 123456789.123456789 as 1.2345678912345679E8.
    """
    for kind, schema in _parsed(subject):
        for path, node in _nodes(schema):
            if node.get("type") == "number":
                yield Violation(_expand_key(subject), f"'{kind}': {path} is a number")


@rule(
    "expand-drops-nulls",
    Severity.info,
    evidence="A08",
    fix="set the null and empty array behaviours, where the release has them",
)
def expand_drops_nulls(subject: Subject) -> Iterator[Violation]:
    """Members that are null, and empty arrays, are dropped by an expansion.

    Consumers that tell null from absent are misled.
    """
    if subject.router and subject.expands and subject.option_prefix == "table":
        if (subject.effective("table.json.payload.null.behavior") or "ignore").strip().lower() == "ignore":
            yield Violation(_expand_key(subject), "null members are dropped (table.json.payload.null.behavior)")


@rule(
    "empty-arrays-stop-the-task",
    Severity.warning,
    evidence="A08",
    since="3.7",
    fix="leave the empty array behaviour at ignore",
)
def empty_arrays_stop_the_task(subject: Subject) -> Iterator[Violation]:
    """With optional_string, an empty array at the root is no longer sent as text but stops the task.

    And an empty array beside a filled one, in two objects of one array, fails or not as the JVM's hash order has it.
    """
    key = subject.router_key("table.json.payload.empty.array.behavior")
    if subject.config.get(key, "").strip().lower() == "optional_string" and subject.expands:
        yield Violation(key, "an empty array at the payload's root stops the task")


def _expand_key(subject: Subject) -> str:
    return subject.router_key("{}.expand.json.payload")


@rule(
    "binary-payload-as-text", Severity.error, evidence="A17 A18", fix="use the BinaryDataConverter with a JSON delegate"
)
def binary_payload_as_text(subject: Subject) -> Iterator[Violation]:
    """The payload is stored as bytes, and the converter is made for text.

    Strings send `java.nio.HeapByteBuffer[...]` for every event, JSON a quoted base64.
    """
    if subject.outbox and subject.outbox.table.payload == "bytes" and subject.converter("value") in (STRING, JSON):
        yield Violation(CONVERTER, "table.payload is bytes, and this converter does not write bytes")
