"""Named cases: the router's own unit tests and the measured surprises, restated as configs, rows and expectations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER
from outbox_kit.router.convert import STORAGE
from outbox_kit.router.values import Buffer, Schema, SourceRecord, Struct, Type
from tests.conformance.cases import JSON, TEXT
from tests.support.rows import BASE, FLAG, SOURCE, STAMP, envelope, row

STRING = f"{STORAGE}StringConverter"


def int32(value: int | None) -> tuple[Schema, Any]:
    """An INT32 column."""
    return Schema(Type.int32, optional=value is None), value


def binary(value: bytes) -> tuple[Schema, Any]:
    """A binary column as the relational connectors send it."""
    return Schema(Type.bytes), Buffer(value)


def instant(value: int | None, name: str = "Timestamp") -> tuple[Schema, Any]:
    """A column of one of Debezium's time types."""
    return Schema(Type.int64, f"io.debezium.time.{name}", optional=value is None, version=1), value


@dataclass(frozen=True)
class Named:
    """A case: the router's options, rows in their order, and what is expected of each.

    expected: for each row a dict of a message's fields, the word dropped or unrouted, or a failure's kind and a part
    of its message; a callable looks at the outcome itself.
    """

    name: str
    options: Mapping[str, str]
    rows: list[SourceRecord]
    expected: list[Any]
    value: Mapping[str, str] = field(default_factory=lambda: {"": STRING})
    key: Mapping[str, str] = field(default_factory=lambda: {"": STRING})
    header: Mapping[str, str] = field(default_factory=dict)
    since: str = "2.5"
    router: str = EVENT_ROUTER

    def config(self) -> dict[str, str]:
        """The connector's config around the router's options."""
        return {
            "transforms": "outbox",
            "transforms.outbox.type": self.router,
            **{f"transforms.outbox.{name}": value for name, value in self.options.items()},
            **{f"key.converter{name}": value for name, value in self.key.items()},
            **{f"value.converter{name}": value for name, value in self.value.items()},
            **{f"header.converter{name}": value for name, value in self.header.items()},
        }


PLAIN_JSON = {"": JSON, ".schemas.enable": "false"}
WITH_SCHEMA = {"": JSON}
BINARY = {"": "io.debezium.converters.BinaryDataConverter"}
DROPPED, UNROUTED = "dropped", "unrouted"
FIELD = "table.field.event."
PLACEMENT = "table.fields.additional.placement"


def of(
    name: str,
    options: Mapping[str, str] | None = None,
    rows: SourceRecord | list[SourceRecord] | None = None,
    expected: Any = None,
    **more: Any,
) -> Named:
    """A case of one row or several; one expectation stands for all."""
    given = rows if isinstance(rows, list) else [rows if rows is not None else row()]
    wanted = expected if isinstance(expected, list) else [expected] * len(given)
    return Named(name, options or {}, given, wanted, **more)


def schemaless(record: SourceRecord) -> SourceRecord:
    """A struct whose schema is not given."""
    return replace(record, value_schema=None)


def holding(*parts: str) -> Callable[[Any], bool]:
    """The value holds each of these texts."""
    return lambda message: all(part.encode() in (message.value or b"") for part in parts)


def lacking(*parts: str) -> Callable[[Any], bool]:
    """The value holds none of these texts."""
    return lambda message: not any(part.encode() in (message.value or b"") for part in parts)


def headers(**expected: str) -> Callable[[Any], bool]:
    """The headers, in their order, are exactly `id` and these."""
    wanted = {"id": BASE["id"][1], **expected}
    return lambda message: list(message.headers) == [(name, text.encode()) for name, text in wanted.items()]


HEARTBEAT = Schema(Type.struct, "p.Heartbeat.Envelope", fields=(("ts_ms", Schema(Type.int64)),))
RENAMED = {
    f"{FIELD}id": "event_id",
    f"{FIELD}key": "payload_id",
    f"{FIELD}type": "event_type",
    f"{FIELD}payload": "payload_body",
    "route.by.field": "payload_id",
}
RENAMED_ROW = {"event_id": "e1", "payload_id": "10711fa5", "event_type": "UserCreated", "payload_body": "{}"}
TYPED_ROW = {
    "event_id": int32(2),
    "payload_id": int32(1232),
    "event_type": binary(b"UserCreated"),
    "payload_body": binary(b"{}"),
    "my_route_field": "routename",
    "some_boolean": (Schema(Type.boolean), True),
}
TYPED = RENAMED | {"route.by.field": "my_route_field", PLACEMENT: "some_boolean:envelope:bool"}
VERSIONS = [row({"version": int32(number)}) for number in (1, 3, 1)]
DELETED = [row({"is_deleted": (FLAG, True)}), row({"is_deleted": (FLAG, True), "payload": ""})]
DOCUMENT = (
    '{"fullName": "John Doe", "enabled": true, "rating": 4.9, "age": 42, "pets": ["dog", "cat"], "list": [{"a": 1}]}'
)
EXPANDED = {"table.expand.json.payload": "true"}
COLORS = '{"items": [{"n": 1, "colors": []}, {"n": 2, "colors": [{"name": "red"}]}]}'
COMPLEX = '{"p": [{"i": [{"a": 1}]}]}', '{"p": [{"i": [{"a": 1}, {"a": 2}]}, null]}'

EVENT_ROUTER_CASES = [
    of("canSkipTombstone", rows=SourceRecord("t", None, None, None, None), expected=DROPPED),
    of("canSkipDeletion", rows=row(op="d"), expected=DROPPED),
    of("canSkipMessagesWithoutDebeziumCdcEnvelopeDueToMissingSchemaName", rows=row(value_name=None), expected=UNROUTED),
    of(
        "shouldFailWhenTheSchemaLooksValidButDoesNotHaveTheCorrectFields",
        rows=SourceRecord("t", None, None, HEARTBEAT, Struct(HEARTBEAT, {"ts_ms": 1})),
        expected=("DataException", "op is not a valid field name"),
    ),
    of(
        "canSkipMessagesWithoutDebeziumCdcEnvelopeDueToMissingSchemaNameSuffix",
        rows=row(value_name="p.Heartbeat"),
        expected=UNROUTED,
    ),
    of(
        "canSkipMessagesWithoutDebeziumCdcEnvelopeDueToMissingValueSchema",
        rows=schemaless(row()),
        expected=UNROUTED,
    ),
    of("canSkipUpdates", rows=row(op="u"), expected=DROPPED),
    of(
        "canFailOnUpdates",
        {"table.op.invalid.behavior": "fatal"},
        row(op="u"),
        ("IllegalStateException", "Unexpected update message received null, fail."),
    ),
    of("canExtractTableFields", expected=lacking("version"), value=WITH_SCHEMA),
    of("canSetDefaultMessageKey", expected={"key": b"10711fa5"}),
    of("canSetMessageKey", {f"{FIELD}key": "type"}, expected={"key": b"UserCreated"}),
    of("failsOnInvalidSetMessageKey", {f"{FIELD}key": "fakefield"}, expected=("DataException", "fakefield")),
    of("canSetTimestampFromDebeziumEnvelopeByDefault", expected={"timestamp": STAMP}),
    of(
        "canSetTimestampByUserDefinedConfiguration",
        {f"{FIELD}timestamp": "event_timestamp"},
        row({"event_timestamp": instant(14222264625338)}),
        {"timestamp": 14222264625338},
    ),
    of(
        "canRouteBasedOnField",
        {"route.by.field": "aggregatetype"},
        [row(), row({"type": "UserUpdated"}), row({"aggregatetype": "Address"})],
        [{"topic": "outbox.event.User"}, {"topic": "outbox.event.User"}, {"topic": "outbox.event.Address"}],
    ),
    of(
        "canConfigureEveryTableField",
        RENAMED,
        row(RENAMED_ROW, only=True),
        {"value": b"{}", "headers": (("id", b"e1"),), "topic": "outbox.event.10711fa5"},
    ),
    of(
        "canInfluenceTableColumnTypes",
        TYPED,
        row(TYPED_ROW, only=True),
        {
            "topic": "outbox.event.routename",
            "key": b"1232",
            "headers": (("id", b"2"),),
            "value": b'{"payload":"e30=","bool":true}',
        },
        value=PLAIN_JSON,
    ),
    of(
        "canSetSchemaVersionWhenMoreThanPayloadIsInEnvelope",
        {f"{FIELD}schema.version": "version", PLACEMENT: "type:envelope:eventType"},
        VERSIONS,
        [holding('"version":1'), holding('"version":3'), holding('"version":1')],
        value=WITH_SCHEMA,
    ),
    of(
        "shouldNotSetSchemaVersionByDefault",
        {f"{FIELD}schema.version": "version"},
        VERSIONS,
        lacking("version"),
        value=WITH_SCHEMA,
    ),
    of(
        "canSetPayloadTypeIntoTheEnvelope",
        {PLACEMENT: "type:envelope"},
        expected={"value": b'{"payload":"{}","type":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    of(
        "canSetPayloadTypeIntoTheEnvelopeWithAlias",
        {PLACEMENT: "type:envelope:aggregateType"},
        expected={"value": b'{"payload":"{}","aggregateType":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    of(
        "canSetMultipleFieldsIntoTheEnvelope",
        {PLACEMENT: "type:envelope:payloadType, aggregateid:envelope:payloadId,type:header:payloadType"},
        expected=lambda m: headers(payloadType="UserCreated")(m) and holding('"payloadId":"10711fa5"')(m),
        value=PLAIN_JSON,
    ),
    of("canSetPartitionWithAdditionalFields", {PLACEMENT: "p:partition"}, row({"p": int32(123)}), {"partition": 123}),
    of(
        "shouldFailOnInvalidConfigurationForTopicRegex",
        {"route.topic.regex": " [[a-z]"},
        expected=("ConfigException", "route.topic.regex"),
    ),
    of(
        "shouldFailOnInvalidConfigurationForAdditionalFields",
        {PLACEMENT: "type"},
        expected=("ConfigException", PLACEMENT),
    ),
    of(
        "shouldFailOnInvalidConfigurationForAdditionalFieldsEmpty",
        {PLACEMENT: ""},
        expected=("ConfigException", PLACEMENT),
    ),
    of(
        "shouldFailOnInvalidConfigurationForOperationBehavior",
        {"table.op.invalid.behavior": "invalidOption"},
        expected=("ConfigException", "table.op.invalid.behavior"),
    ),
    of("canPassStringKey", expected=holding(""), key=WITH_SCHEMA),
    of(
        "canSetBinaryMessageKey",
        {f"{FIELD}key": "type"},
        row({"type": binary(b"a UserCreated")}),
        {"key": b"a UserCreated"},
        key=BINARY,
    ),
    of("canPassBinaryKey", rows=row({"aggregateid": binary(b"\x00\xff")}), expected={"key": b"\x00\xff"}, key=BINARY),
    of("canPassIntKey", rows=row({"aggregateid": int32(54321)}), expected={"key": b"54321"}, key=PLAIN_JSON),
    of(
        "canPassBinaryMessage",
        rows=row({"payload": binary(b"\x00\xff")}),
        expected={"value": b"\x00\xff"},
        value=BINARY,
    ),
    of(
        "canMarkAnEventAsDeleted",
        {PLACEMENT: "is_deleted:envelope:deleted", "route.tombstone.on.empty.payload": "true"},
        DELETED,
        [{"value": b'{"payload":"{}","deleted":true}'}, {"value": None, "key": b"10711fa5"}],
        value=PLAIN_JSON,
    ),
    of(
        "noTombstoneIfNotConfigured",
        {PLACEMENT: "is_deleted:envelope:deleted"},
        DELETED,
        [holding('"deleted":true'), {"value": b'{"payload":"","deleted":true}', "key": b"10711fa5"}],
        value=PLAIN_JSON,
    ),
    of(
        "canExpandJsonPayloadIfConfigured",
        EXPANDED,
        row({"payload": DOCUMENT}),
        {"value": DOCUMENT.replace(": ", ":").replace(", ", ",").encode()},
        value=PLAIN_JSON,
    ),
    of(
        "shouldNotWarnOnNullPayloadWhenExpandJsonPayloadEnabled",
        EXPANDED | {"route.tombstone.on.empty.payload": "true"},
        row({"payload": None}),
        {"value": None},
        value=PLAIN_JSON,
    ),
    of(
        "canExpandJsonWithNestedArraysWhereFirstArrayIsEmpty",
        EXPANDED,
        row({"payload": COLORS}),
        {"value": b'{"items":[{"n":1,"colors":[]},{"n":2,"colors":[{"name":"red"}]}]}'},
        value=PLAIN_JSON,
    ),
    of(
        "shouldExpandJSONPayloadWithEmptyArrayAndRemoveThatArray",
        EXPANDED,
        row({"payload": '{"items": [{"n": 1, "colors": []}]}'}),
        {"value": b'{"items":[{"n":1}]}'},
        value=PLAIN_JSON,
    ),
    of(
        "shouldNotExpandJSONPayloadIfNotConfigured",
        rows=row({"payload": DOCUMENT}),
        expected={"value": DOCUMENT.encode()},
    ),
    of(
        "canExpandJsonPayloadWithAdditionalFieldInEnvelope",
        EXPANDED | {PLACEMENT: "type:envelope"},
        row({"payload": '{"fullName": "John Doe"}'}),
        {"value": b'{"payload":{"fullName":"John Doe"},"type":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    of(
        "canExpandJsonArrayWithFirstElementNull",
        EXPANDED,
        row({"payload": '{"a": [null, 2, 3]}'}),
        {"value": b'{"a":[null,2,3]}'},
        value=PLAIN_JSON,
    ),
    of(
        "canExpandJsonArrayWithComplexElements",
        EXPANDED,
        [row({"payload": text}) for text in COMPLEX],
        [{"value": b'{"p":[{"i":[{"a":1}]}]}'}, {"value": b'{"p":[{"i":[{"a":1},{"a":2}]},null]}'}],
        value=PLAIN_JSON,
    ),
    of(
        "canSetFieldIntoTheEnvelopeWithMissingField",
        {PLACEMENT: "nonExistingField:envelope:alias", "table.field.additional.missing": "ignore"},
        expected={"value": b'{"payload":"{}"}'},
        value=PLAIN_JSON,
        since="3.6",
    ),
    of(
        "shouldFailOnMissingField",
        {PLACEMENT: "nonExistingField:envelope:alias"},
        expected=("ConnectException", "Unable to find field nonExistingField in event"),
        since="3.6",
    ),
]

UUID = Schema(Type.string, "io.debezium.data.Uuid", version=1)
LIVE = {"id": (UUID, BASE["id"][1]), "payload": (Schema(Type.string, "io.debezium.data.Json", version=1), '{"a": 1}')}
ALL_FEATURES = LIVE | {
    "version": int32(1),
    "somebooltype": (Schema(Type.boolean), True),
    "createdat": instant(STAMP * 1000, "MicroTimestamp"),
    "is_deleted": (Schema(Type.boolean, optional=True, default=False), False),
    "aggregatetype": "UserEmail",
}
FEATURES = {
    f"{FIELD}schema.version": "version",
    f"{FIELD}timestamp": "createdat",
    PLACEMENT: "version:envelope:eventVersion,aggregatetype:envelope:aggregateType,somebooltype:envelope:someBoolType,"
    "is_deleted:envelope:deleted,somebooltype:header:someBool",
}
EMPTIED = {"route.tombstone.on.empty.payload": "true"}
ENVELOPED = {PLACEMENT: "is_deleted:envelope:deleted"}

TABLE_CASES = [
    of("shouldConsumeRecordsFromInsert", rows=row(LIVE), expected={"topic": "outbox.event.User", "key": b"10711fa5"}),
    of(
        "shouldSendEventTypeAsHeader",
        {PLACEMENT: "type:header:eventType"},
        row(LIVE),
        lambda m: headers(eventType="UserCreated")(m) and m.value == b'{"a": 1}',
    ),
    of(
        "shouldSendEventTypeAsValue",
        {PLACEMENT: "type:envelope:eventType"},
        row(LIVE),
        {"value": b'{"payload":"{\\"a\\": 1}","eventType":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    of("shouldRespectJsonFormatAsString", rows=row(LIVE), expected={"value": b'{"a": 1}'}),
    of(
        "shouldSupportAllFeatures",
        FEATURES,
        row(ALL_FEATURES),
        lambda m: (
            m.timestamp == STAMP
            and holding('"name":"p.public.outbox.UserEmail.Value","version":1', '"eventVersion":1', '"deleted":false')(
                m
            )
        ),
        value=WITH_SCHEMA,
    ),
    of(
        "shouldConvertMicrosecondsTimestampToMilliseconds",
        {f"{FIELD}timestamp": "createdat"},
        row({"createdat": instant(STAMP * 1000, "MicroTimestamp")}),
        {"timestamp": STAMP},
    ),
    of(
        "shouldNotProduceTombstoneEventForNullPayload",
        ENVELOPED,
        row({"payload": None}),
        {"value": b'{"payload":null,"deleted":null}'},
        value=PLAIN_JSON,
    ),
    of("shouldProduceTombstoneEventForNullPayload", ENVELOPED | EMPTIED, row({"payload": None}), {"value": None}),
    of("shouldProduceTombstoneEventForEmptyPayload", ENVELOPED | EMPTIED, row({"payload": ""}), {"value": None}),
]

KEEP_NULLS = EXPANDED | {"table.json.payload.null.behavior": "optional_bytes"}
KEEP_EMPTY = EXPANDED | {"table.json.payload.empty.array.behavior": "optional_string"}
RESTAURANT = (
    '{"pub": {"address": {"building": "1007", "floor": {"level": 17}, "coord": [-73.856077, 40.848447]}, '
    '"grades": [{"date": {"$date": 1393804800000}, "score": 2}]}}'
)


def expanding(name: str, text: str, expected: Any, options: Mapping[str, str] = EXPANDED, **more: Any) -> Named:
    """A case of JSON expansion."""
    return of(name, options, row({"payload": text}), expected, **({"value": WITH_SCHEMA} | more))


EXPANSION_CASES = [
    expanding(
        "shouldCreateCorrectSchemaFromArrayJson",
        '{"a": [{"code": "1"}, {"code": "2", "description": null}]}',
        holding('"field":"code"', '"type":"bytes","optional":true,"field":"description"'),
        KEEP_NULLS,
    ),
    expanding(
        "failSchemaCheckForArrayWithDifferentNumberTypes",
        '{"a": [1, 2.0, 3.0]}',
        {"value": b'"{\\"a\\": [1, 2.0, 3.0]}"'},
        value=PLAIN_JSON,
    ),
    expanding(
        "shouldCreateCorrectSchemaFromInsertJson",
        RESTAURANT,
        holding('"name":"payload.pub.address.floor"', '"name":"payload.pub.grades.date"', '"type":"double"'),
    ),
    expanding(
        "shouldConvertNullNodeToOptionalBytes",
        '{"email": null}',
        holding('"type":"bytes","optional":true,"field":"email"'),
        KEEP_NULLS,
    ),
    expanding("shouldDropEmptyArrayFieldByDefault", '{"a": 1, "tags": []}', lacking("tags")),
    expanding(
        "shouldKeepEmptyArrayFieldAsOptionalStringArrayWhenConfigured",
        '{"tags": []}',
        holding('"items":{"type":"string","optional":true}', '"payload":{"tags":[]}'),
        KEEP_EMPTY,
        since="3.7",
    ),
    expanding(
        "shouldKeepNestedEmptyArrayFieldWhenConfigured",
        '{"a": {"tags": []}}',
        holding('"payload":{"a":{"tags":[]}}'),
        KEEP_EMPTY,
        since="3.7",
    ),
    expanding(
        "shouldConvertEmptyArrayFieldToEmptyListWhenConfigured",
        '{"tags": []}',
        {"value": b'{"tags":[]}'},
        KEEP_EMPTY,
        since="3.7",
        value=PLAIN_JSON,
    ),
]

OID = '{"$oid": "000000000000000000000000"}'
COLLECTION = "collection.field.event."
PLACES = "collection.fields.additional.placement"
MONGO_BASE = {
    "_id": OID,
    "aggregatetype": '"User"',
    "aggregateid": '{"$oid": "000000000000000000000001"}',
    "type": '"UserCreated"',
    "payload": "{}",
}


def document(changes: Mapping[str, str] | None = None, *, op: str = "c", only: bool = False) -> SourceRecord:
    """The base document with changes, each as extended JSON."""
    members = ({} if only else MONGO_BASE) | dict(changes or {})
    text = "{" + ", ".join(f'"{name}": {value}' for name, value in members.items()) + "}"
    schema = envelope(TEXT, "p.shop.outbox.Envelope")
    after = None if op == "d" else text
    source = Struct(SOURCE, {"connector": "mongodb"})
    value = Struct(schema, {"after": after, "op": op, "ts_ms": STAMP, "source": source})
    return SourceRecord("p.shop.outbox", None, None, schema, value)


def mongo(
    name: str, options: Mapping[str, str] | None = None, rows: Any = None, expected: Any = None, **more: Any
) -> Named:
    """A case of MongoDB's router."""
    return of(
        f"mongo:{name}", options, rows if rows is not None else document(), expected, router=MONGO_EVENT_ROUTER, **more
    )


MONGO_EXPANDED = {"collection.expand.json.payload": "true"}
MONGO_ENVELOPE = {PLACES: "is_deleted:envelope:deleted"}
MONGO_DELETED = [document({"is_deleted": "true"}), document({"is_deleted": "true", "payload": "null"})]
MONGO_KEY = b"000000000000000000000001"
MONGO_RENAMED = {
    f"{COLLECTION}id": "event_id",
    f"{COLLECTION}key": "payload_id",
    f"{COLLECTION}type": "event_type",
    f"{COLLECTION}payload": "payload_body",
    "route.by.field": "payload_id",
}
MONGO_TYPED = MONGO_RENAMED | {"route.by.field": "my_route_field", PLACES: "some_boolean:envelope:bool"}
MONGO_VERSIONS = [document({"version": str(number)}) for number in (1, 3, 1)]
FAILING = "Only Struct objects supported for [Read Outbox Event], found: java.lang.String"
UNPARSED = envelope(Schema(Type.string, "io.debezium.data.Json", optional=True, version=1), "p.Heartbeat")

MONGO_CASES = [
    mongo("canSkipTombstone", rows=SourceRecord("t", None, None, None, None), expected=DROPPED),
    mongo("canSkipDeletion", rows=document(op="d"), expected=DROPPED),
    mongo(
        "canSkipMessagesWithoutDebeziumCdcEnvelopeDueToMissingSchemaName",
        rows=replace(document(), value_schema=replace(UNPARSED, name=None)),
        expected=UNROUTED,
    ),
    mongo(
        "shouldFailWhenTheSchemaLooksValidButDoesNotHaveTheCorrectFields",
        rows=SourceRecord("t", None, None, HEARTBEAT, Struct(HEARTBEAT, {"ts_ms": 1})),
        expected=("DataException", "op is not a valid field name"),
    ),
    mongo(
        "canSkipMessagesWithoutDebeziumCdcEnvelopeDueToMissingSchemaNameSuffix",
        rows=SourceRecord("t", None, None, UNPARSED, Struct(UNPARSED, {"op": "c"})),
        expected=UNROUTED,
    ),
    mongo(
        "canSkipMessagesWithoutDebeziumCdcEnvelopeDueToMissingValueSchema",
        rows=schemaless(document()),
        expected=UNROUTED,
    ),
    mongo("canSkipUpdates", rows=document(op="u"), expected=DROPPED),
    mongo(
        "canFailOnUpdates",
        {"table.op.invalid.behavior": "fatal"},
        document(op="u"),
        ("IllegalStateException", "Unexpected update message received"),
    ),
    mongo(
        "theDocumentedNameOfTheOperationOptionIsNotRead",
        {"collection.op.invalid.behavior": "fatal"},
        document(op="u"),
        DROPPED,
    ),
    mongo("canExtractTableFields", expected={"value": b"{}"}),
    mongo("canSetDefaultMessageKey", expected={"key": MONGO_KEY}),
    mongo("canSetMessageKey", {f"{COLLECTION}key": "type"}, expected={"key": b"UserCreated"}),
    mongo("failsOnInvalidSetMessageKey", {f"{COLLECTION}key": "fakefield"}, expected=("DataException", "fakefield")),
    mongo("canSetTimestampFromDebeziumEnvelopeByDefault", expected={"timestamp": STAMP}),
    mongo(
        "canSetTimestampByUserDefinedConfiguration",
        {f"{COLLECTION}timestamp": "event_timestamp"},
        document({"event_timestamp": '{"$numberLong": "14222264625338"}'}),
        {"timestamp": 14222264625338},
    ),
    mongo(
        "failsOnATimestampThatIsADate",
        {f"{COLLECTION}timestamp": "at"},
        document({"at": '{"$date": {"$numberLong": "14222264625338"}}'}),
        ("DataException", FAILING),
    ),
    mongo(
        "canRouteBasedOnField",
        {"route.by.field": "aggregatetype"},
        [document(), document({"aggregatetype": '"Address"'})],
        [{"topic": "outbox.event.User"}, {"topic": "outbox.event.Address"}],
    ),
    mongo(
        "canConfigureEveryTableField",
        MONGO_RENAMED,
        document({"event_id": '"e1"', "payload_id": '"p1"', "event_type": '"T"', "payload_body": "{}"}, only=True),
        {"value": b"{}", "headers": (("id", b"e1"),), "topic": "outbox.event.p1"},
    ),
    mongo(
        "canInfluenceDocumentFieldTypes",
        MONGO_TYPED,
        document(
            {
                "event_id": "2",
                "payload_id": '{"$numberLong": "1232"}',
                "payload_body": '{"$binary": {"base64": "e30=", "subType": "00"}}',
                "my_route_field": '"routename"',
                "some_boolean": "true",
            },
            only=True,
        ),
        {
            "topic": "outbox.event.routename",
            "key": b"1232",
            "headers": (("id", b"2"),),
            "value": b'{"payload":"e30=","bool":true}',
        },
        value=PLAIN_JSON,
    ),
    mongo(
        "canSetSchemaVersionWhenMoreThanPayloadIsInEnvelope",
        {f"{COLLECTION}schema.version": "version", PLACES: "type:envelope:eventType"},
        MONGO_VERSIONS,
        [holding('"version":1'), holding('"version":3'), holding('"version":1')],
        value=WITH_SCHEMA,
    ),
    mongo(
        "shouldNotSetSchemaVersionByDefault",
        {f"{COLLECTION}schema.version": "version"},
        MONGO_VERSIONS,
        lacking('"version"'),
        value=WITH_SCHEMA,
    ),
    mongo(
        "canSetPayloadTypeIntoTheEnvelope",
        {PLACES: "type:envelope"},
        expected={"value": b'{"payload":"{}","type":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    mongo(
        "canSetPayloadTypeIntoTheEnvelopeWithAlias",
        {PLACES: "type:envelope:aggregateType"},
        expected={"value": b'{"payload":"{}","aggregateType":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    mongo(
        "canSetMultipleFieldsIntoTheEnvelope",
        {PLACES: "type:envelope:payloadType, aggregateid:envelope:payloadId,type:header:payloadType"},
        expected=holding('"payloadType":"UserCreated","payloadId":"000000000000000000000001"'),
        value=PLAIN_JSON,
    ),
    mongo("canSetPartitionWithAdditionalFields", {PLACES: "p:partition"}, document({"p": "123"}), {"partition": 123}),
    mongo(
        "shouldFailOnInvalidConfigurationForTopicRegex",
        {"route.topic.regex": " [[a-z]"},
        expected=("ConfigException", ""),
    ),
    mongo("shouldFailOnInvalidConfigurationForAdditionalFields", {PLACES: "type"}, expected=("ConfigException", "")),
    mongo("shouldFailOnInvalidConfigurationForAdditionalFieldsEmpty", {PLACES: ""}, expected=("ConfigException", "")),
    mongo(
        "shouldFailOnInvalidConfigurationForOperationBehavior",
        {"table.op.invalid.behavior": "invalidOption"},
        expected=("ConfigException", ""),
    ),
    mongo("canPassStringKey", rows=document({"aggregateid": '"a"'}), expected={"key": b'"a"'}, key=PLAIN_JSON),
    mongo(
        "canPassBinaryKey",
        rows=document({"aggregateid": '{"$binary": {"base64": "AP8=", "subType": "00"}}'}),
        expected={"key": b"\x00\xff"},
        key=BINARY,
    ),
    mongo("canPassIntKey", rows=document({"aggregateid": "54321"}), expected={"key": b"54321"}, key=PLAIN_JSON),
    mongo(
        "canPassBinaryMessage",
        rows=document({"payload": '{"$binary": {"base64": "AP8=", "subType": "00"}}'}),
        expected={"value": b"\x00\xff"},
        value=BINARY,
    ),
    mongo(
        "canMarkAnEventAsDeleted",
        MONGO_ENVELOPE | EMPTIED,
        MONGO_DELETED,
        [{"value": b'{"payload":"{}","deleted":true}'}, {"value": None}],
        value=PLAIN_JSON,
    ),
    mongo(
        "noTombstoneIfNotConfigured",
        MONGO_ENVELOPE,
        MONGO_DELETED,
        [holding("deleted"), {"value": b'{"payload":null,"deleted":true}'}],
        value=PLAIN_JSON,
    ),
    mongo(
        "canExpandJsonPayloadIfConfigured",
        MONGO_EXPANDED,
        document({"payload": '{"fullName": "John", "age": {"$numberLong": "42"}, "pets": ["dog", "cat"]}'}),
        {"value": b'{"fullName":"John","age":42,"pets":["dog","cat"]}'},
        value=PLAIN_JSON,
        since="3.2",
    ),
    mongo(
        "shouldNotExpandJSONPayloadIfNotConfigured",
        rows=document({"payload": '{"fullName": "John"}'}),
        expected={"value": b'{\n  "fullName": "John"\n}'},
    ),
    mongo(
        "canExpandJsonPayloadWithAdditionalFieldInEnvelope",
        MONGO_EXPANDED | {PLACES: "type:envelope"},
        document({"payload": '{"fullName": "John"}'}),
        {"value": b'{"payload":{"fullName":"John"},"type":"UserCreated"}'},
        value=PLAIN_JSON,
        since="3.2",
    ),
    mongo(
        "canSetFieldIntoTheEnvelopeWithMissingField",
        {PLACES: "fake:envelope:alias", "collection.field.additional.missing": "ignore"},
        expected={"value": b'{"payload":"{}"}'},
        value=PLAIN_JSON,
        since="3.6",
    ),
    mongo(
        "shouldFailOnMissingField",
        {PLACES: "fake:envelope:alias"},
        expected=("ConnectException", "Unable to find field fake in event"),
        since="3.6",
    ),
    # the integration test's six
    mongo(
        "IT:longKey", rows=document({"aggregateid": '{"$numberLong": "123"}'}), expected={"key": b"123"}, key=PLAIN_JSON
    ),
    mongo(
        "IT:typeAsHeader",
        {PLACES: "type:header:eventType"},
        expected={"headers": (("id", b"000000000000000000000000"), ("eventType", b"UserCreated"))},
    ),
    mongo(
        "IT:typeInTheEnvelope",
        {PLACES: "type:envelope:eventType"},
        document({"payload": '"text"'}),
        {"value": b'{"payload":"text","eventType":"UserCreated"}'},
        value=PLAIN_JSON,
    ),
    mongo(
        "IT:allFeatures",
        {f"{COLLECTION}timestamp": "at", f"{COLLECTION}schema.version": "version", PLACES: "version:envelope:v"},
        document({"at": '{"$numberLong": "1553460779000"}', "version": "1", "payload": '"t"'}),
        lambda m: m.timestamp == STAMP and holding('"name":"io.debezium.data.User.Json","version":1')(m),
        value=WITH_SCHEMA,
    ),
    mongo(
        "IT:nullPayload",
        MONGO_ENVELOPE,
        document({"payload": "null", "is_deleted": "true"}),
        {"value": b'{"payload":null,"deleted":true}'},
        value=PLAIN_JSON,
    ),
    mongo("IT:nullPayloadAsTombstone", EMPTIED, document({"payload": "null"}), {"value": None}),
    mongo(
        "found:aLaterInnerArrayOfAnotherType",
        MONGO_EXPANDED,
        document({"payload": "[[-5, -2], [1.5, null]]"}),
        ("DataException", FAILING),
        since="3.2",
    ),
    mongo(
        "found:longsAmongInnerArrays",
        MONGO_EXPANDED,
        document({"payload": '[[{"$numberLong": "5"}], [{"$numberLong": "6"}]]'}),
        {"value": b"[[5],[6]]"},
        value=PLAIN_JSON,
        since="3.2",
    ),
    mongo(
        "found:anEmptyDocumentInTheKey",
        {},
        document({"aggregateid": "{}"}),
        lambda m: (b"Json.aggregateid" in m.key) or (b'"optional":true}' in m.key),
        key=WITH_SCHEMA,
    ),
]
