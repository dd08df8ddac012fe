"""Cases in which the model once differed from the real router, with the words of the survey that found them."""

from decimal import Decimal

from outbox_kit.router.values import DATE, DECIMAL, TIME, TIMESTAMP, Date, Schema, Type
from tests.conformance.named import (
    FAILING,
    JSON,
    MONGO_EXPANDED,
    PLACEMENT,
    PLAIN_JSON,
    STRING,
    WITH_SCHEMA,
    document,
    mongo,
    of,
    row,
)

DAY_MS = 86_400_000
YEAR_ONE_MS = -62_135_596_800_000
GREGORIAN_MS = -12_219_292_800_000
LATIN = {"": STRING, ".converter.encoding": "ISO-8859-1"}
SIXTEEN = {"": STRING, ".converter.encoding": "UTF-16"}
NUMBERS = '{"a": NaN, "b": Infinity, "c": -Infinity}'
BINARY = '{"$binary": "AAEC", "$type": "00"}'


DEFAULTED = (Schema(Type.int64, "io.debezium.time.MicroTimestamp", optional=True, default=0, version=1), None)
PRECISE = Schema(Type.bytes, DECIMAL, version=1, parameters=(("scale", "2"), ("connect.decimal.precision", "10")))


def dated(name: str, milliseconds: int) -> tuple[Schema, Date]:
    """A column of one of Connect's types for moments."""
    kind = Type.int64 if name == TIMESTAMP else Type.int32
    return Schema(kind, name, version=1), Date(milliseconds)


DIFFERENCES = [
    of("B4 StringConverter writes ISO-8859-1", rows=row({"payload": "é€"}), expected={"value": b"\xe9?"}, value=LATIN),
    of(
        "B4 StringConverter writes UTF-16 with a mark",
        rows=row({"payload": "aé"}),
        expected={"value": b"\xfe\xff\x00a\x00\xe9"},
        value=SIXTEEN,
    ),
    of("B4 an empty text has no mark", rows=row({"payload": ""}), expected={"value": b""}, value=SIXTEEN),
    *(
        of(
            f"B5 JsonConverter refuses {name}={word}",
            expected=("ConfigException", name),
            value={"": JSON, f".{name}": word},
        )
        for name, word in (
            ("schemas.enable", "yes"),
            ("replace.null.with.default", "no"),
            ("decimal.format", "plain"),
        )
    ),
    of(
        "B6 a date before the Gregorian calendar",
        rows=row({"aggregateid": dated(TIMESTAMP, YEAR_ONE_MS)}),
        expected={"key": b"Mon Jan 03 00:00:00 UTC 1"},
    ),
    of(
        "B6 the last day of the Julian calendar",
        rows=row({"aggregateid": dated(TIMESTAMP, GREGORIAN_MS - 1)}),
        expected={"key": b"Thu Oct 04 23:59:59 UTC 1582"},
    ),
    of(
        "B7 a time beyond a day is no time in JSON",
        rows=row({"aggregateid": dated(TIME, DAY_MS + 1)}),
        expected=("DataException", "Time type"),
        key=PLAIN_JSON,
    ),
    of(
        "B7 a date not at midnight is no date in JSON",
        rows=row({"aggregateid": dated(DATE, 1)}),
        expected=("DataException", "Date type"),
        key=PLAIN_JSON,
    ),
    of(
        "B8 a column's default stands in the schema, and in the place of a null",
        {PLACEMENT: "x:envelope"},
        row({"x": DEFAULTED, "payload": (Schema(Type.string, default="{}"), "a")}),
        {
            "value": b'{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"default":"{}",'
            b'"field":"payload"},'
            b'{"type":"int64","optional":true,"name":"io.debezium.time.MicroTimestamp","version":1,"default":0,"field":"x"}],'
            b'"optional":false,"name":"p.public.outbox.User.Value"},"payload":{"payload":"a","x":0}}'
        },
        value=WITH_SCHEMA,
    ),
    of(
        "B8 the router has read the null as the default before the converter may leave it",
        {PLACEMENT: "x:envelope"},
        row({"x": DEFAULTED}),
        {"value": b'{"payload":"{}","x":0}'},
        value=PLAIN_JSON | {".replace.null.with.default": "false"},
    ),
    of(
        "B8 a decimal's schema has its precision too",
        rows=row({"payload": (PRECISE, Decimal("1.50"))}),
        expected={
            "value": b'{"schema":{"type":"bytes","optional":false,"name":"org.apache.kafka.connect.data.Decimal",'
            b'"version":1,'
            b'"parameters":{"scale":"2","connect.decimal.precision":"10"}},"payload":"AJY="}'
        },
        value=WITH_SCHEMA,
    ),
    mongo(
        "B1 numbers that JSON does not have are routed",
        rows=document({"payload": NUMBERS}),
        expected={
            "value": b'{\n  "a": {\n    "$numberDouble": "NaN"\n  },\n  "b": {\n    "$numberDouble": "Infinity"\n  },\n'
            b'  "c": {\n    "$numberDouble": "-Infinity"\n  }\n}'
        },
    ),
    of(
        "found: of a default and a value that both cannot be written, the default is reported",
        {PLACEMENT: "at:envelope,p:envelope"},
        row(
            {
                "p": (Schema(Type.int32, DATE, optional=True, default=Date(1), version=1), None),
                "at": dated(TIME, -1),
            }
        ),
        ("DataException", "Date type"),
        value=WITH_SCHEMA,
    ),
    mongo(
        "B1 and expanded as texts",
        MONGO_EXPANDED,
        document({"payload": NUMBERS}),
        {"value": b'{"a":"NaN","b":"Infinity","c":"-Infinity"}'},
        value=PLAIN_JSON,
    ),
    mongo(
        "B2 a member without a name is not expanded",
        MONGO_EXPANDED,
        document({"payload": '{"": 1}'}),
        ("DataException", FAILING),
    ),
    mongo("B2 nor outside of the payload", rows=document({"x": '{"": 1}'}), expected=("DataException", FAILING)),
    mongo(
        "B3 a binary value as the connector writes it",
        rows=document({"_id": BINARY, "payload": f'{{"a": {BINARY}}}'}),
        expected={
            "headers": (("id", b"AAEC"),),
            "value": b'{\n  "a": {\n    "$binary": {\n      "base64": "AAEC",\n      "subType": "00"\n    }\n  }\n}',
        },
    ),
    mongo(
        "B3 a date as text, which relaxed JSON has",
        rows=document({"payload": '{"a": {"$date": "2026-01-02T03:04:05.678Z"}}'}),
        expected={"value": b'{\n  "a": {\n    "$date": {\n      "$numberLong": "1767323045678"\n    }\n  }\n}'},
    ),
    mongo(
        "B7 the seconds of a timestamp beyond 31 bits",
        MONGO_EXPANDED,
        document({"payload": '{"a": {"$timestamp": {"t": 4294967295, "i": 1}}}'}),
        {"value": b'{"a":-1000}'},
        value=PLAIN_JSON,
    ),
]
