"""Rules about the payload: its column, its converter and its expansion."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Edit, Violation, at, rule
from outbox_kit.lint.rules.keys import of_converter
from outbox_kit.lint.subject import BINARY, BYTES, JSON, STRING, Subject
from outbox_kit.router.javatext import trim

CONVERTER = "value.converter"
PLACEMENT = "{}.fields.additional.placement"
DELEGATE = "value.converter.delegate.converter.type"
NO_SCHEMAS = (STRING, BYTES, *BINARY)
OF_REGISTRIES = ("AvroConverter", "ProtobufConverter", "JsonSchemaConverter")


@rule(
    "json-converter-on-text-payload",
    Consequence.wrong,
    evidence="A01 A17",
    fix="use the StringConverter for a text payload",
)
def json_converter_on_text_payload(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter is not used for a text payload.

    It writes text as a quoted string, and bytes as base64. Consumers receive "{\\"id\\": 1}" in quotes and have to
    parse it twice.
    """
    expands, placement = subject.router_key("{}.expand.json.payload"), subject.router_key(PLACEMENT)
    if not subject.says(expands, placement) or subject.changes_messages or meant_to_expand(subject):
        return
    if subject.router and subject.converter_in_use("value") == JSON and not subject.expands and not subject.enveloped:
        if subject.option_prefix == "table":
            yield of_converter(subject, "value", "the JsonConverter writes the text of the payload quoted and escaped")


def meant_to_expand(subject: Subject) -> bool:
    """Whether an option that is not read shows that the payload is meant to be expanded; its own finding says so."""
    for key in subject.config:
        if key.endswith(".expand.json.payload") and subject.router and key.startswith(subject.router.prefix):
            option = subject.option(key)
            if option is None or not option.is_supported(subject.release):
                return True
    return False


@rule("converter-not-set", Consequence.risk, evidence="A02 N09", fix="set the converter and its schemas.enable")
def converter_not_set(subject: Subject) -> Iterator[Violation]:
    """The key converter and the value converter are set.

    Without them the default of the worker applies: the same config gives different bytes on another worker. The usual
    default adds a schema to every message.
    """
    for part in ("key", "value"):
        if subject.router and not subject.converter(part) and not subject.document.settings:
            message = f"'{part}.converter' is not set; the default of the worker applies"
            yield at(subject, f"{part}.converter", message)


@rule("schemas-enable-not-set", Consequence.wrong, evidence="A02", fix="set schemas.enable next to the converter")
def schemas_enable_not_set(subject: Subject) -> Iterator[Violation]:
    """The option schemas.enable of the JsonConverter is set.

    The default is true: every message contains {"schema": ..., "payload": ...}.
    """
    for part in ("key", "value"):
        key = f"{part}.converter"
        shown = subject.router and key in subject.document.spots
        if shown and subject.converter(part) == JSON and f"{key}.schemas.enable" not in subject.config:
            message = f"'{key}.schemas.enable' is not set: every message will contain its schema"
            yield Violation(key, message, unset=f"{key}.schemas.enable")


@rule(
    "schemas-enabled",
    Consequence.advice,
    evidence="A02",
    fix="set schemas.enable=false unless consumers read the schema",
)
def schemas_enabled(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter does not add its schema to messages.

    Consumers have to read the payload from the member `payload`, and messages are several times larger.
    """
    for part in ("key", "value"):
        key = f"{part}.converter.schemas.enable"
        enabled = subject.config.get(key, "").strip().lower() == "true"
        if subject.router and enabled and subject.converter(part) == JSON:
            yield Violation(key, "every message contains its schema")


@rule("converter-option-unread", Consequence.advice, evidence="A03", fix="set the converter too, or remove the option")
def converter_option_unread(subject: Subject) -> Iterator[Violation]:
    """An option of a converter is set only next to its converter.

    Kafka Connect reads the options of a converter from the config of the connector only if that names the converter.
    """
    for part in ("key", "value", "header"):
        for key in subject.config:
            if key.startswith(f"{part}.converter.") and not subject.converter(part) and not subject.document.settings:
                yield Violation(key, f"'{part}.converter' is not set, so that the option is not read")


@rule("null-behavior-without-expansion", Consequence.advice, evidence="A08", fix="remove the option")
def null_behavior_without_expansion(subject: Subject) -> Iterator[Violation]:
    """Options of the expansion are set only if payloads are expanded.

    The option has no effect.
    """
    for name in subject.router.options if subject.router else ():
        if name.startswith("table.json.payload.") and not subject.expands:
            if subject.router and subject.says(subject.router_key("{}.expand.json.payload")):
                yield Violation(subject.router.key(name), "payloads are not expanded: the option has no effect")


@rule("schemas-enable-ignored", Consequence.advice, of_names=True, evidence="A03", fix="remove the option")
def schemas_enable_ignored(subject: Subject) -> Iterator[Violation]:
    """The option schemas.enable is set only for converters that support it.

    The option has no effect.
    """
    for part in ("key", "value", "header"):
        key = f"{part}.converter.schemas.enable"
        ignores = subject.converter(part) in NO_SCHEMAS or subject.converter(part).endswith(OF_REGISTRIES)
        if key in subject.config and ignores:
            yield Violation(
                key, f"{subject.converter(part).rsplit('.', 1)[-1]} does not support schemas.enable", Edit(key)
            )


@rule(
    "expand-without-structured-converter",
    Consequence.wrong,
    severity=Severity.error,
    evidence="A04 A19",
    fix="turn off the expansion, or use the JsonConverter without schemas",
)
def expand_without_structured_converter(subject: Subject) -> Iterator[Violation]:
    """The value converter can write an expanded payload.

    An expanded payload is a struct. Consumers receive `Struct{a=1,b=[1, 2]}` in the notation of Java, or the task fails
    on the first message.
    """
    delegated = subject.config.get(DELEGATE, "").strip() == JSON
    flat = subject.converter("value") in (STRING, BYTES) or (subject.converter("value") in BINARY and not delegated)
    if subject.router and subject.expands and flat:
        key = subject.router_key("{}.expand.json.payload")
        name = subject.converter("value").rsplit(".", 1)[-1]
        edit = Edit(key, value="false") if name == "StringConverter" else None
        yield Violation(CONVERTER, f"the payload becomes a struct, which {name} writes in the notation of Java", edit)


@rule(
    "expand-with-registry",
    Consequence.risk,
    evidence="A11 A12",
    fix="store serialized Avro or Protobuf in a binary column, and send it with the BinaryDataConverter",
)
def expand_with_registry(subject: Subject) -> Iterator[Violation]:
    """Payloads are not expanded for a Schema Registry.

    Expansion infers a schema from each document, and each schema is registered. An amount of 1 is an INT32, of 1.5 a
    FLOAT64: versions accumulate until the registry rejects one and the task fails.
    """
    if subject.router and subject.expands and subject.asks_registry:
        yield Violation(
            subject.router_key("{}.expand.json.payload"), "the inferred schema of each document is registered"
        )


@rule("record-name-collision", Consequence.risk, evidence="A12", fix="use TopicNameStrategy")
def record_name_collision(subject: Subject) -> Iterator[Violation]:
    """The subject of an expanded payload does not depend on the record name.

    All expanded payloads have the same record name, that of the payload column: the schemas of different events share
    one subject.
    """
    for key, value in subject.config.items():
        if key.endswith("subject.name.strategy") and "TopicName" not in value and subject.expands:
            yield Violation(key, "every expanded payload has the same record name")


@rule(
    "schema-version-with-expansion", Consequence.stop, of_names=True, evidence="A13", fix="send the version as a header"
)
def schema_version_with_expansion(subject: Subject) -> Iterator[Violation]:
    """Expanded payloads have no schema version column.

    With the column, value schemas are stored by version number alone. A payload with the same version and another
    structure stops the task: Struct schemas do not match.
    """
    key = subject.router_key("{}.field.event.schema.version")
    if key in subject.config and subject.expands and subject.enveloped:
        yield Violation(key, "payloads of one version can have different inferred schemas")


@rule(
    "schema-version-without-envelope",
    Consequence.wrong,
    of_names=True,
    evidence="A14",
    fix="place the version in a header",
)
def schema_version_without_envelope(subject: Subject) -> Iterator[Violation]:
    """A schema version column is set only if a column is placed in the envelope.

    Without an envelope the column is not read, and no message contains the version.
    """
    key = subject.router_key("{}.field.event.schema.version")
    if key in subject.config and not subject.enveloped:
        yield Violation(key, "the option is ignored if no column is placed in the envelope")


@rule(
    "delegate-converter-missing",
    Consequence.risk,
    evidence="A15 G14",
    fix="set value.converter.delegate.converter.type to the JsonConverter, with schemas off",
)
def delegate_converter_missing(subject: Subject) -> Iterator[Violation]:
    """A converter for bytes has a delegate for data that is not bytes.

    The first heartbeat, transaction or schema change record stops the task, and so does a text payload.
    """
    for part in ("key", "value"):
        key = f"{part}.converter"
        if subject.converter(part) in BINARY and f"{key}.delegate.converter.type" not in subject.config:
            unset = f"{key}.delegate.converter.type"
            yield Violation(key, f"'{unset}' is not set", unset=unset)


@rule(
    "delegate-option-prefix",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="A16",
    fix="rename the option to <part>.converter.delegate.converter.type.<name>",
)
def delegate_option_prefix(subject: Subject) -> Iterator[Violation]:
    """The options of a delegate begin with `<part>.converter.delegate.converter.type.`.

    Without `.type` the delegate does not receive the option.
    """
    wrong = re.compile(r"(key|value)\.converter\.delegate\.converter\.(?!type(\.|$))(.+)")
    for key in subject.config:
        if match := wrong.fullmatch(key):
            right = f"{match[1]}.converter.delegate.converter.type.{match[3]}"
            edit = Edit(key, rename=right) if right not in subject.config else None
            yield Violation(key, f"the delegate reads '{right}'", edit)


@rule(
    "bytes-converter-without-delegate",
    Consequence.risk,
    evidence="A15 G14",
    fix="use the BinaryDataConverter of Debezium with a JSON delegate",
)
def bytes_converter_without_delegate(subject: Subject) -> Iterator[Violation]:
    """The value converter can write data that is not bytes.

    The ByteArrayConverter of Kafka Connect accepts only bytes. A text payload stops the task, and so does every
    heartbeat, transaction or schema change record.
    """
    others = subject.heartbeats or any(
        subject.on(key) and key in subject.config for key in ("provide.transaction.metadata", "include.schema.changes")
    )
    if subject.router and others and subject.converter("value") == BYTES:
        yield Violation(CONVERTER, "the ByteArrayConverter rejects data that is not bytes")


@rule(
    "mongo-table-option",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="A19 J10",
    fix="rename the option to collection.<name>",
    connectors=MONGODB.name,
)
def mongo_table_option(subject: Subject) -> Iterator[Violation]:
    """The options of MongoDB's event router begin with `collection.`.

    The event router ignores options that begin with `table.`, without an error.
    """
    if subject.option_prefix == "collection" and subject.router:
        for name in subject.router.options:
            if name.startswith("table.") and name != "table.op.invalid.behavior":
                renamed = subject.router.key(f"collection.{name.removeprefix('table.')}")
                is_known = subject.option(renamed) and renamed not in subject.config
                edit = Edit(subject.router.key(name), rename=renamed) if is_known else None
                option = subject.option(renamed)
                same = option is not None and option.default_at(subject.release) == subject.router.options[name]
                message = f"'{name}' is not read by MongoDB's event router"
                consequence = Consequence.advice if same else None
                yield Violation(subject.router.key(name), message, edit, consequence=consequence)


@rule(
    "tombstones-disabled",
    Consequence.wrong,
    evidence="F05",
    fix="set route.tombstone.on.empty.payload=true, or remove tombstone: true from the event",
)
def tombstones_disabled(subject: Subject) -> Iterator[Violation]:
    """Tombstones are enabled if an event is declared as one.

    A null payload becomes what the converter makes of it: a tombstone with the StringConverter, the four bytes `null`
    with the JsonConverter, an object with a Schema Registry.
    """
    if subject.outbox and subject.router and any(event.tombstone for event in subject.outbox.events):
        if not subject.flag("route.tombstone.on.empty.payload"):
            key = subject.router_key("route.tombstone.on.empty.payload")
            yield Violation(
                key, "an event is declared as a tombstone, but route.tombstone.on.empty.payload is not true"
            )


@rule(
    "cloudevents-headers-missing",
    Consequence.stop,
    evidence="A22",
    fix="add HeaderFrom before the event router, and a header.converter with schemas",
)
def cloudevents_headers_missing(subject: Subject) -> Iterator[Violation]:
    """The CloudEvents converter receives the source and the operation as headers.

    The event router removes both. The first message fails unless they were copied to headers before.
    """
    if subject.router and subject.writes_cloudevents:
        moves_headers = any(
            step.kind.startswith("org.apache.kafka.connect.transforms.HeaderFrom") for step in subject.steps
        )
        if not moves_headers:
            yield Violation(
                CONVERTER, "no transformation copies source and operation to headers before the event router"
            )


OF_REGISTRY = lazy_pattern(r"io\.confluent\.connect\.(?:avro\.Avro|json\.JsonSchema|protobuf\.Protobuf)Converter")


@rule(
    "registry-not-named",
    Consequence.stop,
    evidence="N20",
    fix="set schema.registry.url for each converter",
)
def registry_not_named(subject: Subject) -> Iterator[Violation]:
    """A converter that keeps its schemas in a registry has its address.

    It has no default, and the worker's is for the worker's converters: Kafka Connect rejects the connector.
    """
    for part in ("key", "value", "header"):
        key = f"{part}.converter"
        address = f"{key}.schema.registry.url"
        # the format avro of Debezium Server is Apicurio's converter if that has an address
        addresses = {address, f"{key}.apicurio.registry.url"} if subject.document.settings else {address}
        if OF_REGISTRY.fullmatch(trim(subject.config.get(key, ""))) and not addresses & subject.config.keys():
            if subject.says(key):
                yield Violation(key, f"'{address}' is not set", unset=address)
