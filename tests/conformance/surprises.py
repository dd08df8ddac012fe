"""What upstream's tests leave out: measured surprises, each with the name that the survey of the router gave it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.router.values import DATE, TIMESTAMP, Buffer, ConnectHeader, Date, Schema, SourceRecord, Struct, Type
from tests.conformance.named import (
    BINARY,
    DROPPED,
    EXPANDED,
    FIELD,
    PLACEMENT,
    PLAIN_JSON,
    STAMP,
    WITH_SCHEMA,
    Named,
    binary,
    expanding,
    holding,
    instant,
    int32,
    of,
    row,
)

DEFAULTED = Schema(Type.string, optional=True, default="fallback")
DEFAULT_NUMBER = Schema(Type.int32, optional=True, default=7)


def with_default(column: str, schema: Schema = DEFAULTED) -> SourceRecord:
    """A row whose column is null and has a default in its schema."""
    return row({column: (schema, None)})


DEFAULTS = [
    of(
        "D1 a null payload is sent as the column's default",
        rows=with_default("payload"),
        expected={"value": b"fallback"},
    ),
    of(
        "D2 a null id is sent as the column's default",
        rows=with_default("id"),
        expected={"headers": (("id", b"fallback"),)},
    ),
    of(
        "D3 a null key is sent as the column's default", rows=with_default("aggregateid"), expected={"key": b"fallback"}
    ),
    of(
        "D4 a null header column is sent as its default",
        {PLACEMENT: "x:header"},
        with_default("x"),
        lambda m: m.headers[1] == ("x", b"fallback"),
    ),
    of(
        "D5 a null envelope column is sent as its default",
        {PLACEMENT: "x:envelope"},
        with_default("x"),
        {"value": b'{"payload":"{}","x":"fallback"}'},
        value=PLAIN_JSON,
    ),
    of(
        "D6 a null routing value has no default",
        rows=with_default("aggregatetype"),
        expected=("NullPointerException", ""),
    ),
    of(
        "D7 a null partition has no default",
        {PLACEMENT: "p:partition"},
        with_default("p", DEFAULT_NUMBER),
        {"partition": None},
    ),
    of(
        "D8 a null timestamp has no default",
        {f"{FIELD}timestamp": "at"},
        row({"at": (Schema(Type.int64, "io.debezium.time.Timestamp", True, 5), None)}),
        {"timestamp": STAMP},
    ),
]

TRACED = replace(row(), headers=[ConnectHeader("trace", Schema(Type.string), "t")], partition=3)
NULLS_AND_ODDITIES = [
    of("N1 a null id is a null header", rows=row({"id": None}), expected={"headers": (("id", None),)}),
    of("N2 a null key is a null key", rows=row({"aggregateid": None}), expected={"key": None}),
    of("N3 a null key is the text null to JSON", rows=row({"aggregateid": None}), expected={"key": b"null"}, key=PLAIN_JSON),
    of("N4 a null payload is a tombstone to the string converter", rows=row({"payload": None}), expected={"value": None}),
    of("N5 a null payload is four bytes to JSON", rows=row({"payload": None}), expected={"value": b"null"}, value=PLAIN_JSON),
    of("N6 a null payload in a schema wrapper", rows=row({"payload": None}), expected=holding('"payload":null'), value=WITH_SCHEMA),
    of("N7 a null routing value stops the task", rows=row({"aggregatetype": None}), expected=("NullPointerException", "")),
    of("N8 an unknown operation is published", rows=row(op="x"), expected={"value": b"{}"}),
    of("N9 an upper-case operation is published", rows=row(op="D", changes={}), expected={"value": b"{}"}),
    of("N10 a row of the first read is published", rows=row(op="r"), expected={"value": b"{}"}),
    of("N11 a message operation is published", rows=row(op="m"), expected={"value": b"{}"}),
    of("N12 an incoming partition is forgotten", rows=TRACED, expected={"partition": None}),
    of("N13 incoming headers come first", rows=TRACED, expected=lambda m: m.headers[0] == ("trace", b"t")),
    of("N14 an id header beside the id header", {PLACEMENT: "id:header"}, expected=lambda m: [n for n, _ in m.headers] == ["id", "id"]),
    of("N15 no-break spaces are no emptiness", {"route.tombstone.on.empty.payload": "true"}, row({"payload": "\u00a0"}), {"value": "\u00a0".encode()}),
    of("N16 blanks are empty", {"route.tombstone.on.empty.payload": "true"}, row({"payload": " \t\n"}), {"value": None}),
    of(
        "N17 no bytes are no emptiness",
        {"route.tombstone.on.empty.payload": "true"},
        row({"payload": binary(b"")}),
        {"value": b""},
        value=BINARY,
    ),
    of(
        "N18 a signal row is taken for an event",
        rows=row({"id": "s1", "type": "execute-snapshot", "data": "{}"}, only=True),
        expected=("ConnectException", "Unable to find payload field payload in event"),
    ),
]  # fmt: skip


A_DATE = (Schema(Type.int32, DATE, version=1), Date(0))


def timed(name: str, column: tuple[Schema, Any] | None, expected: Any) -> Named:
    """A case of the timestamp option."""
    return of(name, {f"{FIELD}timestamp": "at"}, row({"at": column} if column else {}), expected)


TIMESTAMPS = [
    timed("T1 microseconds are divided", instant(1_999_999, "MicroTimestamp"), {"timestamp": 1999}),
    timed("T2 nanoseconds are divided", instant(1_999_999, "NanoTimestamp"), {"timestamp": 1}),
    timed("T3 division goes toward zero, and -1 is no timestamp", instant(-1999, "MicroTimestamp"), {"timestamp": None}),
    timed("T4 before 1970 the producer refuses", instant(-5), ("InvalidRecordException", "")),
    timed("T5 a number without a meaning", (Schema(Type.int64), 5), ("ConnectException", "without logical schema name")),
    timed("T6 a zoned timestamp", (Schema(Type.string, "io.debezium.time.ZonedTimestamp"), "x"), ("DataException", "is not of type INT64")),
    timed("T7 time.precision.mode=connect", (Schema(Type.int64, TIMESTAMP, version=1), Date(5)), ("ClassCastException", "")),
    timed("T8 another time type", instant(5, "MicroTime"), ("ConnectException", "Unsupported field type io.debezium.time.MicroTime")),
    timed("T9 no such column", None, ("ConnectException", "Unable to find timestamp field at in event")),
    timed("T10 a null is the time of processing", instant(None), {"timestamp": STAMP}),
    of(
        "T11 without a timestamp the topic is checked as with one",
        {f"{FIELD}timestamp": "at"},
        row({"at": instant(-1), "aggregatetype": "line\nbreak"}),
        ("InvalidTopicException", ""),
    ),
    of(
        "T12 without a timestamp the partition is checked as with one",
        {f"{FIELD}timestamp": "at", PLACEMENT: "p:partition"},
        row({"at": instant(-1), "p": int32(-1)}),
        ("IllegalArgumentException", "Invalid partition"),
    ),
]  # fmt: skip


def topic(regex: str, replacement: str, route: str, expected: Any) -> Named:
    """A case of the topic's regular expression."""
    options = {"route.topic.regex": regex, "route.topic.replacement": replacement}
    wanted = {"topic": expected} if isinstance(expected, str) else expected
    return of(f"R {regex} to {replacement} of {route!r}", options, row({"aggregatetype": route}), wanted)


DEFAULT_REGEX, DEFAULT_REPLACEMENT = "(?<routedByValue>.*)", "outbox.event.${routedByValue}"
ILLEGAL, NO_GROUP = "IllegalArgumentException", "IndexOutOfBoundsException"
REGEXES = [
    topic(DEFAULT_REGEX, DEFAULT_REPLACEMENT, "abc", "outbox.event.abc"),
    topic(DEFAULT_REGEX, DEFAULT_REPLACEMENT, "", "outbox.event."),
    topic("(?<r>.+?)", "${r}-events", "abc", "a-eventsbc"),
    topic("(.*)", "$1", "abc", "abc"),
    topic("(.*)", "x.$1.y", "abc", "x.abc.y"),
    topic("(.*)", "$0", "abc", "abc"),
    topic("(.*)", "$12", "abc", "abc2"),
    topic("(.*)", "$2", "abc", (NO_GROUP, "No group 2")),
    topic("(.*)", "$r", "abc", (ILLEGAL, "Illegal group reference")),
    topic("(.*)", "$$1", "abc", (ILLEGAL, "Illegal group reference")),
    topic("(.*)", "$", "abc", (ILLEGAL, "group index is missing")),
    topic("(.*)", "${r}", "abc", (ILLEGAL, "No group with name {r}")),
    topic("(.*)", "${1}", "abc", (ILLEGAL, "starts with digit character")),
    topic("(.*)", "${r", "abc", (ILLEGAL, "missing trailing '}'")),
    topic("(.*)", "a\\", "abc", (ILLEGAL, "character to be escaped is missing")),
    topic("(.*)", "\\a$1", "abc", "aabc"),
    topic("(.*)", "plain", "abc", "plain"),
    topic("Order|User", "t.$0", "Order", "t.Order"),
    topic("Order|User", "t.$0", "Address", "Address"),
    topic("order", "t", "Order", "Order"),
    topic("(?i)order", "t", "Order", "t"),
    topic("^(.*)$", "t.$1", "abc", "t.abc"),
    topic(" (.*) ", " t.$1 ", "abc", "t.abc"),
    topic("(a)|(b)", "t$1.$2x", "b", "t.bx"),
    topic("a|ab|abc", "X", "abc", "Xbc"),
    topic("([A-Z])(\\w*)", "$2$1", "Order", "rderO"),
    topic("(?<x>\\D+)(?<y>\\d+)", "${y}.${x}", "ab12", "12.ab"),
    topic("\\Qa.b\\E(.*)", "t$1", "a.bc", "tc"),
    topic("\\p{Alpha}+", "t", "abc", "t"),
    topic("[^.]+\\.(.+)", "$1", "a.b.c", "b.c"),
    topic("(.*", "t", "abc", ("ConfigException", "route.topic.regex")),
    topic("(?P<x>.*)", "t", "abc", ("ConfigException", "route.topic.regex")),
    topic("(?<my_group>.*)", "t", "abc", ("ConfigException", "route.topic.regex")),
    topic("[[a-z]", "t", "abc", ("ConfigException", "route.topic.regex")),
    topic("*", "t", "abc", ("ConfigException", "route.topic.regex")),
    topic(".*", "", "abc", ("InvalidTopicException", "")),
    topic(DEFAULT_REGEX, DEFAULT_REPLACEMENT, "a b", ("InvalidTopicException", "")),
    topic(DEFAULT_REGEX, "${routedByValue}", "a/b", ("InvalidTopicException", "")),
    topic(DEFAULT_REGEX, DEFAULT_REPLACEMENT, "line\nbreak", ("InvalidTopicException", "")),
]


def refused(name: str, options: Mapping[str, str], expected: Any = ("ConfigException", ""), **more: Any) -> Named:
    """A case of an option's text."""
    return of(name, options, row({"p": int32(1)}), expected, **more)


CONFIG_TEXT = [
    refused("C1 a flag that is neither true nor false", {"table.expand.json.payload": "yes"}),
    refused("C2 a flag with blanks and capitals", {"table.expand.json.payload": " TRUE "}, {"value": b"Struct{}"}),
    refused("C3 an empty flag", {"route.tombstone.on.empty.payload": ""}),
    refused("C4 a column's name is taken with its blanks", {f"{FIELD}key": " aggregateid "}, ("DataException", "")),
    refused("C5 an empty column", {f"{FIELD}payload": ""}, ("ConnectException", "Unable to find payload field  in event")),
    refused("C6 a misspelt place stops the first row", {PLACEMENT: "type:headers"}, ("NullPointerException", "")),
    refused("C7 a comma alone means nothing", {PLACEMENT: ","}, {"value": b"{}"}),
    refused("C8 a comma too many in the middle", {PLACEMENT: "type:header,,id:header"}),
    refused("C9 an unknown option is not even noticed", {"table.field.payload": "type"}, {"value": b"{}"}),
    refused("C10 a place in capitals", {PLACEMENT: "type: HEADER :t"}, lambda m: m.headers[1] == ("t", b"UserCreated")),
    refused("C11 an empty alias", {PLACEMENT: "type:header: "}, lambda m: m.headers[1] == ("", b"UserCreated")),
    refused("C12 the last of two partitions wins", {PLACEMENT: "p:partition,p:partition:x"}, {"partition": 1}),
    refused("C13 the event type's option does nothing", {f"{FIELD}type": "no such column"}, {"value": b"{}"}),
    refused("C14 a bigint is no partition", {PLACEMENT: "type:partition"}, ("DataException", "is not of type INT32")),
    of("C14a a date is no partition", {PLACEMENT: "d:partition"}, row({"d": A_DATE}), ("ClassCastException", "java.util.Date")),
    refused("C15 renamed in 3.6", {PLACEMENT: "no:header", "table.fields.additional.error.on.missing": "false"}, ("DataException", ""), since="3.6"),
    refused("C16 its successor", {PLACEMENT: "no:header", "table.field.additional.missing": "ignore"}, {"value": b"{}"}, since="3.6"),
]  # fmt: skip

ENVELOPE = {PLACEMENT: "type:envelope"}
VERSIONED = ENVELOPE | {f"{FIELD}schema.version": "version"}
CHANGED_TYPE = row({"type": int32(5)})
ENVELOPES = [
    of(
        "E1 the first aggregate names the record for all",
        ENVELOPE,
        [row(), row({"aggregatetype": "Order"})],
        holding('"name":"p.public.outbox.User.Value"'),
        value=WITH_SCHEMA,
    ),
    of("E2 a changed column stops the task", ENVELOPE, [row(), CHANGED_TYPE], [holding(""), ("DataException", "Invalid Java object")]),
    of(
        "E3 a column that appears stops the task",
        {PLACEMENT: "x:envelope", "table.field.additional.missing": "ignore"},
        [row(), row({"x": "now"})],
        [holding(""), ("DataException", "x is not a valid field name")],
        since="3.6",
    ),
    of(
        "E4 one version, two payload shapes",
        VERSIONED | EXPANDED,
        [row({"version": int32(1), "payload": text}) for text in ('{"a": 1}', '{"b": 1}')],
        [holding(""), ("DataException", "Struct schemas do not match.")],
        value=PLAIN_JSON,
    ),
    of("E5 the same alias twice", {PLACEMENT: "type:envelope:a,id:envelope:a"}, row(), ("SchemaBuilderException", "duplication a")),
    of("E6 an alias called payload", {PLACEMENT: "type:envelope:payload"}, row(), ("SchemaBuilderException", "duplication payload")),
    of("E7 the version must be an INT32", VERSIONED, row({"version": "1"}), ("DataException", "is not of type INT32")),
    of("E7a nor a date, which is one", VERSIONED, row({"version": A_DATE}), ("ClassCastException", "java.util.Date")),
    of("E8 without an envelope the version's column may be absent", {f"{FIELD}schema.version": "no"}, row(), {"value": b"{}"}),
    of("E9 a null version is a version", VERSIONED, row({"version": int32(None)}), holding('"type":"UserCreated"'), value=PLAIN_JSON),
    of("E10 an empty payload is in its envelope", ENVELOPE, row({"payload": ""}), holding('"payload":""'), value=PLAIN_JSON),
    of(
        "E11 a tombstone has no envelope",
        ENVELOPE | {"route.tombstone.on.empty.payload": "true"},
        row({"payload": ""}),
        {"value": None},
        value=PLAIN_JSON,
    ),
    of("E12 an array as payload, enveloped", ENVELOPE | EXPANDED, row({"payload": "[1]"}), ("DataException", "Invalid Java object"), value=PLAIN_JSON),
    of("E13 an empty array as payload, enveloped", ENVELOPE | EXPANDED, row({"payload": "[]"}), ("NullPointerException", ""), value=PLAIN_JSON),
]  # fmt: skip

POISONED = ("DataException", "Invalid type for")
AS_TEXT = {
    "X nothing": "",
    "X a blank first": " {}",
    "X a word": "word",
    "X a number": "42",
    "X broken off": '{"a": 1',
    "X kinds mixed": '{"a": [1, "x"]}',
    "X numbers mixed": '{"a": [1, 2.5]}',
    "X int and long": '{"a": [1, 3000000000]}',
    "X only nulls": '{"a": [null]}',
    "X an empty array first": '{"a": [[], [1]]}',
    "X a nameless member": '{"": 1}',
    "X too many digits": '{"a": ' + "9" * 1001 + "}",
    "X not a number": '{"a": NaN}',
}
POISONING = {
    "Xk a root array": "[1]",
    "Xk prices": '[{"price":39.98},{"price":30}]',
    "Xk a big integer": '{"a": 9223372036854775808}',
    "Xk types that collide": '{"a": [{"b": 1}, {"b": "x"}]}',
    "Xk int and double that collide": '{"a": [{"b": 1}, {"b": 1.5}]}',
    "Xk arrays that collide": '{"a": [[1], ["s"]]}',
    "Xk shapes and a null": '{"a": [{"b": 1}, {"c": 1}, null]}',
}
LOSSY = {
    "X a second document is lost": ('{"a":1}{"b":2}', b'{"a":1}'),
    "X trailing text is lost": ('{"a":1} x', b'{"a":1}'),
    "X the last of two equal members": ('{"a":1,"a":2}', b'{"a":2}'),
    "X decimals change": ('{"a":1.10,"b":123456789.123456789}', b'{"a":1.1,"b":1.2345678912345679E8}'),
    "X large and small": ('{"a":1e21,"b":0.0009,"c":1e7,"d":-0}', b'{"a":1.0E21,"b":9.0E-4,"c":1.0E7,"d":0}'),
    "X infinity is a word": ('{"a":1e400}', b'{"a":"Infinity"}'),
    "X nulls are dropped": ('{"a":1,"b":null}', b'{"a":1}'),
    "X a nested array of objects keeps the first": ('{"a":[[{"x":1}],[{"y":2}]]}', b'{"a":[[{"x":1}],[{"x":null}]]}'),
    "X beyond the plane": ('{"a":"\U0001f600é"}', '{"a":"\\uD83D\\uDE00é"}'.encode()),
}
EXPANSIONS = [
    *(of(name, EXPANDED, row({"payload": text}), {"value": text.encode()}) for name, text in AS_TEXT.items()),
    *(expanding(name, text, POISONED, value=PLAIN_JSON) for name, text in POISONING.items()),
    *(expanding(f"{name}: the text to strings", text, {"value": text.encode()}, value={"": "org.apache.kafka.connect.storage.StringConverter"}) for name, text in POISONING.items()),
    *(expanding(name, text, {"value": wire}, value=PLAIN_JSON) for name, (text, wire) in LOSSY.items()),
    expanding("X a struct to strings", '{"a":1,"b":[1,2],"c":null}', {"value": b"Struct{a=1,b=[1, 2]}"}, value={"": "org.apache.kafka.connect.storage.StringConverter"}),
    expanding("X an empty array at the root is text without a schema", "[]", {"value": b'"[]"'}, value=PLAIN_JSON),
]  # fmt: skip

BYTES16 = binary(bytes(16))
CONVERTERS = [
    of("K1 a binary key to strings is the same for all", rows=row({"aggregateid": BYTES16}), expected={"key": b"java.nio.HeapByteBuffer[pos=0 lim=16 cap=16]"}),
    of("K2 a JSON key is quoted", expected={"key": b'"10711fa5"'}, key=PLAIN_JSON),
    of("K3 a binary id is base64 in its header", rows=row({"id": BYTES16}), expected={"headers": (("id", b"AAAAAAAAAAAAAAAAAAAAAA=="),)}),
    of("K4 a binary column that is key and payload was read as the key", {"table.field.event.key": "payload"}, row({"payload": binary(b"ab")}), {"key": b"ab", "value": b"java.nio.HeapByteBuffer[pos=2 lim=2 cap=2]"}, key={"": "org.apache.kafka.connect.converters.ByteArrayConverter"}),
    of("K5 a binary column that is a header and the payload was read as the header", {"table.fields.additional.placement": "payload:header:copy"}, row({"id": BYTES16, "payload": binary(b"ab")}), {"value": b"java.nio.HeapByteBuffer[pos=2 lim=2 cap=2]"}, header={"": "org.apache.kafka.connect.converters.ByteArrayConverter"}),
    of("H1 a text payload to JSON is quoted", expected={"value": b'"{}"'}, value=PLAIN_JSON),
    of("H2 a text payload to JSON with schemas", expected=holding('{"schema":{"type":"string"'), value=WITH_SCHEMA),
    of("H3 a text payload to bytes", expected=("DataException", "requires a delegate.converter.type"), value=BINARY),
    of("H4 a binary payload to strings", rows=row({"payload": binary(b"ab")}), expected={"value": b"java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]"}),
    of("H5 a binary payload to JSON", rows=row({"payload": binary(b"ab")}), expected={"value": b'"YWI="'}, value=PLAIN_JSON),
    of("H6 Connect's ByteArrayConverter takes a text for a mistake", expected=("DataException", "Invalid schema type for ByteArrayConverter"), value={"": "org.apache.kafka.connect.converters.ByteArrayConverter"}),
    of("H7 Debezium's ByteArrayConverter takes no buffer", rows=row({"payload": (Schema(Type.bytes), Buffer(b"ab"))}), expected=("DataException", "requires a delegate"), value={"": "io.debezium.converters.ByteArrayConverter"}),
    of("H8 but an array of bytes", rows=row({"payload": (Schema(Type.bytes), b"ab")}), expected={"value": b"ab"}, value={"": "io.debezium.converters.ByteArrayConverter"}),
    of("H9 a backslash in the texts of a header's array is doubled", rows=row({"id": (Schema(Type.array, element=Schema(Type.string)), ["a\\b", '"'])}), expected={"headers": (("id", rb'["a\\b","\""]'),)}),
]  # fmt: skip

MOVED = replace(row(), headers=[ConnectHeader("__debezium.oldkey", Schema(Type.string), "k")])
GONE = SourceRecord("p.public.outbox", None, None, None, None)
EMPTIED_TABLE = row(op="t")
EMPTIED_TABLE.value = Struct(EMPTIED_TABLE.value.schema, EMPTIED_TABLE.value.values | {"after": None})
LIVE = [
    of(
        "a changed primary key arrives as a delete, a tombstone and a new event",
        rows=[row(op="d"), GONE, MOVED],
        expected=[DROPPED, DROPPED, lambda m: m.headers[0][0] == "__debezium.oldkey"],
    ),
    of("a TRUNCATE stops the task", rows=EMPTIED_TABLE, expected=("DataException", "Read Outbox Event")),
]

SURPRISES = [
    *DEFAULTS,
    *NULLS_AND_ODDITIES,
    *TIMESTAMPS,
    *REGEXES,
    *CONFIG_TEXT,
    *ENVELOPES,
    *EXPANSIONS,
    *CONVERTERS,
    *LIVE,
]
