"""Generated cases: connector configs with a table that fits them, more or less, and rows of every shape."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER
from outbox_kit.router.convert import CONNECT, STORAGE
from outbox_kit.router.values import (
    DATE,
    DECIMAL,
    TIME,
    TIMESTAMP,
    Buffer,
    ConnectHeader,
    Date,
    Schema,
    SourceRecord,
    Struct,
    Type,
)
from tests.conformance import strategies as st
from tests.support.rows import SOURCE, envelope

JSON = "org.apache.kafka.connect.json.JsonConverter"
DEBEZIUM = "io.debezium.converters."
ROWS = 24  # of one config

# -- text -------------------------------------------------------------------------------------------------------------

WORDS = (
    "Order",
    "User",
    "a",
    "abc",
    "OrderPlaced",
    "order.placed",
    "x/y",
    "Ü",
    "a b",
    "",
    " ",
    "line\nbreak",
    "😀",
    "$1",
)
words = st.sampled_from(WORDS) | st.text(max_size=6)

# -- JSON documents: few names and small numbers, so that shapes meet ---------------------------------------------------

NAMES = ("a", "b", "c", "fullName", "a.b", "é", "$oid", "", " ")
SCALARS = st.sampled_from(
    (
        None, True, False, "", "x", "text é😀", "\x01", 0, 1, -1, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 2**63, -(2**70),
        0.5, 1.0, -0.0, 1e21, 1e22, 9e-4, 0.001, 1e7, 9999999.0, 1.1, 1e300, 5e-324, 2e-323, 0.1, 123456.789, 1e23,
    )
)  # fmt: skip
documents = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(NAMES), below, max_size=3),
)
shapes = st.lists(st.dictionaries(st.sampled_from("abc"), documents, max_size=3) | st.none(), max_size=3)
ODD_TEXTS = (
    "", " ", "\t\n", "\u00a0", "plain", '"text"', "42", "null", " {}", "{}", "[]", "{", "[1,2", '{"a":1}{"b":2}', '{"a":1} x',
    '{"a":1,"a":2}', '{"a":01}', '{"a":1.}', '{"a":NaN}', '{"a":1e400}', '{"a":-0}', '{"a":1.10}', '{"a":"\\u00e9\\ud83d\\ude00"}',
    '{"a":"\\ud800"}', "{'a':1}", "[null]", "[[],[1]]", '[{"price":39.98},{"price":30}]', "[1,2.5]", "[1,3000000000]",
    '{"n":' + "9" * 1001 + "}", '{"a":[{"x":[]},{"x":[1]}]}', "[" * 50 + "]" * 50, '{"a":"\x01"}', '{"a":"b\nc"}', "\ufeff{}",
)  # fmt: skip


@st.composite
def json_texts(draw: st.Draw) -> str:
    """A payload as text: mostly JSON objects."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(st.sampled_from(ODD_TEXTS))
    if kind == 1:
        return draw(words)
    root = draw(documents) if kind == 2 else {"p": draw(documents | shapes), "q": draw(documents)}
    raw = json.dumps(root, ensure_ascii=False)
    plain = draw(st.booleans()) and not any("\ud800" <= c <= "\udfff" for c in raw)  # no database holds half a pair
    return raw if plain else json.dumps(root)


# -- columns ----------------------------------------------------------------------------------------------------------

integers = {
    Type.int8: st.integers(-(2**7), 2**7 - 1),
    Type.int16: st.integers(-(2**15), 2**15 - 1),
    Type.int32: st.integers(-3, 12) | st.integers(-(2**31), 2**31 - 1),
    Type.int64: st.integers(-(2**63), 2**63 - 1) | st.sampled_from((0, 1553460779000, 1553460779000123, -1999, -1)),
}
single = st.floats(width=32, allow_nan=True)
decimals = st.integers(-(10**20), 10**20).map(lambda n: Decimal(n).scaleb(-2))
YEAR_ONE_MS = -62_135_596_800_000
moments = st.integers(-(10**12), 10**13) | st.integers(YEAR_ONE_MS, 0) | st.sampled_from((0, 1, -1, 86_400_000))
GEOMETRY = Schema(
    Type.struct, "io.debezium.data.geometry.Point", True,
    fields=(("x", Schema(Type.float64)), ("wkb", Schema(Type.bytes, optional=True))),
)  # fmt: skip


def _plain(kind: Type, name: str | None = None, **more: Any) -> Schema:
    return Schema(kind, name, **more)


COLUMN_KINDS: tuple[tuple[Schema, st.Strategy], ...] = (
    (_plain(Type.string), words),
    (_plain(Type.string, "io.debezium.data.Uuid", version=1), st.uuids().map(str)),
    (_plain(Type.string, "io.debezium.data.Json", version=1), json_texts()),
    (_plain(Type.string, "io.debezium.data.Enum", version=1, parameters=(("allowed", "Order,User"),)), words),
    *((_plain(kind), values) for kind, values in integers.items()),
    (_plain(Type.int64, "io.debezium.time.Timestamp", version=1), integers[Type.int64]),
    (_plain(Type.int64, "io.debezium.time.MicroTimestamp", version=1), integers[Type.int64]),
    (_plain(Type.int64, "io.debezium.time.NanoTimestamp", version=1), integers[Type.int64]),
    (_plain(Type.int64, "io.debezium.time.MicroTime", version=1), integers[Type.int64]),
    (_plain(Type.string, "io.debezium.time.ZonedTimestamp", version=1), st.just("2019-03-24T20:52:59Z")),
    (_plain(Type.int64, TIMESTAMP, version=1), moments.map(Date)),
    (_plain(Type.int32, DATE, version=1), st.integers(-1000, 30_000).map(lambda d: Date(d * 86_400_000))),
    (_plain(Type.int32, DATE, version=1), moments.map(Date)),
    (_plain(Type.int32, TIME, version=1), st.integers(0, 86_399_999).map(Date)),
    (_plain(Type.int32, TIME, version=1), moments.map(Date)),
    (_plain(Type.boolean), st.booleans()),
    (_plain(Type.float32), single),
    (_plain(Type.float64), st.floats()),
    (_plain(Type.bytes), st.binary(max_size=9).map(Buffer)),
    (_plain(Type.bytes), st.binary(max_size=9)),
    (_plain(Type.bytes, DECIMAL, version=1, parameters=(("scale", "2"),)), decimals),
    (
        _plain(Type.bytes, DECIMAL, version=1, parameters=(("scale", "2"), ("connect.decimal.precision", "22"))),
        decimals,
    ),
    (_plain(Type.array, element=Schema(Type.string, optional=True)), st.lists(words | st.none(), max_size=3)),
    (GEOMETRY, st.floats().map(lambda x: Struct(GEOMETRY, {"x": x, "wkb": Buffer(b"\x01\x02")}))),
)
TEXT_KINDS = COLUMN_KINDS[:2]


@dataclass(frozen=True)
class Table:
    """The columns of a table, and what may stand in them."""

    columns: tuple[tuple[str, Schema, st.Strategy], ...]

    @property
    def schema(self) -> Schema:
        """The row's schema."""
        fields = tuple((name, schema) for name, schema, _ in self.columns)
        return Schema(Type.struct, "p.public.outbox.Value", optional=True, fields=fields)


@st.composite
def column(draw: st.Draw, name: str, kinds: Any = COLUMN_KINDS) -> tuple[str, Schema, st.Strategy]:
    """A column: optional or not, seldom with a default."""
    schema, values = draw(st.sampled_from(kinds))
    optional = draw(st.integers(0, 3)) == 0
    default = draw(values) if optional and schema.type is not Type.struct and draw(st.integers(0, 2)) == 0 else None
    if isinstance(default, float) and default != default:
        default = None
    found = replace(schema, optional=optional or schema is GEOMETRY, default=default)
    if schema is GEOMETRY:
        return name, GEOMETRY, values | st.none()
    return name, found, values | st.none() if optional else values


EXTRAS = ("type", "version", "p", "at", "x", "event_timestamp")


@st.composite
def tables(draw: st.Draw) -> Table:
    """The standard columns, mostly of their usual kinds, and a few more."""
    usual = st.integers(0, 9).map(bool)
    payload = ((_plain(Type.string), json_texts()), (_plain(Type.string, "io.debezium.data.Json"), json_texts()))
    columns = [
        draw(column("id", TEXT_KINDS if draw(usual) else COLUMN_KINDS)),
        draw(column("aggregatetype", TEXT_KINDS if draw(usual) else COLUMN_KINDS)),
        draw(column("aggregateid", TEXT_KINDS if draw(usual) else COLUMN_KINDS)),
        draw(column("payload", payload if draw(usual) else COLUMN_KINDS)),
    ]
    names = draw(st.lists(st.sampled_from(EXTRAS), unique=True, max_size=4))
    return Table((*columns, *[draw(column(name)) for name in names]))


# -- configs ----------------------------------------------------------------------------------------------------------

REGEXES = (
    "(?<routedByValue>.*)", "(.*)", "(?<r>.+?)", "(?i)order|user", "([A-Z])(\\w*)", "^(.*)$", "(\\p{Alpha}+)", "[^/]+", "a|ab|abc",
    "(?<a>.)(?<b>.*)", " (.*) ", "(.*", "[[a-z]", "(?P<x>.*)", "(?<my_group>.*)", "\\Qa\\E(.*)", "x{2", "(a)|(b)|(.*)", "(?:O|U)(.*)",
    "([\\w.]+)", "(.+)\\.(.+)", "(?<x>\\S*)", "*", "\\", "(?<x>a)(?<x>b)", "(\\D+?)", ".{3,}", "(?s).*", "(?=.*a).*", "",
)  # fmt: skip
REPLACEMENTS = (
    "outbox.event.${routedByValue}", "$1", "${r}-events", "$0", "$12", "$2", "${x}", "$r", "plain", "", "\\$1", "a\\", "$", "${",
    "${1}", "${a}_$2", "events.$1.x", " $1 ", "${b}$1",
)  # fmt: skip
PLACEMENTS = (
    "payload:header:copy", "aggregatetype:envelope:kind", "aggregateid:header:of", "aggregatetype:header",
    "type:header", "type:header:eventType", "type:envelope", "type:envelope:eventType", "p:partition", "version:partition", "x:envelope",
    "x:header:x", "at:envelope:at", "aggregateid:header:", "id:header", "fake:header", "fake:envelope:f",
    "fake:partition", "x:headers", "x::y", "x", "", " type : header : t ", "type:envelope:payload", "x:HEADER", "a:b:c:d", ":header",
    "version:envelope:version", "x:header: ",
)  # fmt: skip
SOUND = 4  # so many of them name a column that is always there, and a place
COLUMNS = ("id", "aggregatetype", "aggregateid", "payload", *EXTRAS, "fake", " id", "")
FLAGS = ("true", "false", " TRUE ", "yes", "")
OPTIONS: dict[str, st.Strategy] = {
    "table.field.event.id": st.sampled_from(COLUMNS),
    "table.field.event.key": st.sampled_from(COLUMNS),
    "table.field.event.type": st.sampled_from(COLUMNS),
    "table.field.event.payload": st.sampled_from(COLUMNS),
    "table.field.event.timestamp": st.sampled_from(COLUMNS),
    "table.field.event.schema.version": st.sampled_from(("version", "p", "x", "id", "fake")),
    "table.field.additional.missing": st.sampled_from(("error", "ignore", " Ignore ", "no", "")),
    "table.fields.additional.error.on.missing": st.sampled_from(FLAGS),
    "table.op.invalid.behavior": st.sampled_from(("warn", "error", "fatal", "FATAL ", "ignore", "")),
    "table.json.payload.null.behavior": st.sampled_from(("ignore", "optional_bytes", "Optional_Bytes", "x")),
    "table.json.payload.empty.array.behavior": st.sampled_from(("ignore", "optional_string", "x")),
    "route.by.field": st.sampled_from(COLUMNS),
    "route.topic.replacement": st.sampled_from(REPLACEMENTS),
    "route.tombstone.on.empty.payload": st.sampled_from(FLAGS),
    "table.field.payload": st.just("id"),
}
CONVERTERS: tuple[dict[str, str], ...] = (
    {"": f"{STORAGE}StringConverter"},
    {"": JSON, ".schemas.enable": "false"},
    {"": JSON},
    {"": JSON, ".schemas.enable": "false", ".decimal.format": "NUMERIC", ".replace.null.with.default": "false"},
    {"": f"{CONNECT}ByteArrayConverter"},
    {"": f"{DEBEZIUM}BinaryDataConverter"},
    {
        "": f"{DEBEZIUM}BinaryDataConverter",
        ".delegate.converter.type": JSON,
        ".delegate.converter.type.schemas.enable": "false",
    },
    {"": f"{DEBEZIUM}ByteArrayConverter", ".delegate.converter.type": f"{STORAGE}StringConverter"},
)
HEADER_CONVERTERS = ({"": f"{STORAGE}SimpleHeaderConverter"}, *CONVERTERS)
ENCODINGS = ("UTF-8", "utf8", "ISO-8859-1", "US-ASCII", "UTF-16", "UTF-16BE", "UTF-16LE", "latin1")
JSON_OPTIONS: dict[str, st.Strategy] = {
    ".schemas.enable": st.sampled_from(FLAGS),
    ".replace.null.with.default": st.sampled_from(FLAGS),
    ".decimal.format": st.sampled_from(("BASE64", "NUMERIC", "numeric", " Base64 ", "plain", "")),
}
USUAL = (*CONVERTERS[:1] * 3, *CONVERTERS[1:3] * 2, *CONVERTERS)
USUAL_HEADERS = (*HEADER_CONVERTERS[:1] * 12, *HEADER_CONVERTERS)


@st.composite
def converters(draw: st.Draw, usual: Sequence[dict[str, str]] = USUAL) -> dict[str, str]:
    """A converter with its options: seldom unusual ones, or words that it does not have."""
    converter = dict(draw(st.sampled_from(usual)))
    if draw(st.integers(0, 7)) == 0:
        if converter[""] == JSON:
            name = draw(st.sampled_from(sorted(JSON_OPTIONS)))
            converter[name] = draw(JSON_OPTIONS[name])
        elif converter[""] == f"{STORAGE}StringConverter":
            converter[".converter.encoding"] = draw(st.sampled_from(ENCODINGS))
    return converter


@st.composite
def options(draw: st.Draw) -> dict[str, str]:
    """The router's own options: seldom many at once, mostly valid."""
    found = {}
    if draw(st.booleans()):
        for name in draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=3, unique=True)):
            found[name] = draw(OPTIONS[name])
    if draw(st.booleans()):
        found["table.expand.json.payload"] = draw(st.sampled_from(("true", "true", "true", " True", "maybe")))
    if draw(st.integers(0, 3)) == 0:
        found["route.topic.regex"] = draw(st.sampled_from(REGEXES))
    if draw(st.booleans()):
        sound = draw(st.integers(0, 3)) > 0
        entries = draw(st.lists(st.sampled_from(PLACEMENTS[:SOUND] if sound else PLACEMENTS), min_size=1, max_size=3))
        found["table.fields.additional.placement"] = draw(st.sampled_from((",", ", "))).join(entries)
    return found


def with_prefix(prefix: str, facts: dict[str, str]) -> dict[str, str]:
    """Options under a prefix."""
    return {f"{prefix}{name}": value for name, value in facts.items()}


@st.composite
def configs(draw: st.Draw, router: str = EVENT_ROUTER) -> dict[str, str]:
    """A connector's config, as far as the way of a record goes."""
    return {
        "transforms": "outbox",
        "transforms.outbox.type": router,
        **with_prefix("transforms.outbox.", draw(options())),
        **with_prefix("key.converter", draw(converters())),
        **with_prefix("value.converter", draw(converters())),
        **with_prefix("header.converter", draw(converters(USUAL_HEADERS))),
    }


# -- records ----------------------------------------------------------------------------------------------------------

OPERATIONS = ("c",) * 30 + ("r", "r", "u", "u", "d", "d", "t", "m", "x")
VALUES = 6  # of each column, in many combinations


@dataclass(frozen=True)
class Drawn:
    """Some values for each part of a record, from which many records are put together."""

    operations: list[str]
    stamps: list[int | None]
    columns: dict[str, list[Any]]
    steps: list[int]

    def record(self, number: int, row: Schema, raw_topic: str) -> SourceRecord:
        """The record of a number: each part takes its values in steps of its own."""
        if number == self.steps[0]:
            return SourceRecord(raw_topic, None, None, None, None)
        name = "p.heartbeat.Heartbeat" if number == self.steps[1] else f"{raw_topic}.Envelope"
        operation = self.operations[number % len(self.operations)]
        after = None if operation in ("d", "t") else Struct(row, self._row(number))
        return self.event(number, after, envelope(row, name), operation, raw_topic)

    def _row(self, number: int) -> dict[str, Any]:
        steps = zip(self.columns.items(), self.steps[2:], strict=False)
        return {name: values[number * step // 2 % len(values)] for (name, values), step in steps}

    def event(self, number: int, after: Any, schema: Schema, operation: str, raw_topic: str) -> SourceRecord:
        """A change event around a row."""
        stamp = self.stamps[number % len(self.stamps)]
        source = Struct(SOURCE, {"connector": "postgresql"})
        value = Struct(schema, {"after": after, "op": operation, "ts_ms": stamp, "source": source})
        headers = [ConnectHeader("trace", Schema(Type.string), "t")] if number == self.steps[2] else []
        partition = 0 if number == self.steps[3] else None
        return SourceRecord(raw_topic, KEY, Struct(KEY, {"id": "k"}), schema, value, None, partition, headers)


KEY = Schema(Type.struct, "p.public.outbox.Key", fields=(("id", Schema(Type.string)),))


@st.composite
def drawn(draw: st.Draw, columns: dict[str, st.Strategy]) -> Drawn:
    """Values to put records together from."""
    return Drawn(
        operations=draw(st.lists(st.sampled_from(OPERATIONS), min_size=VALUES, max_size=VALUES)),
        stamps=[1553460779000, draw(st.sampled_from((1553460779000, 0, None)))],
        columns={name: draw(st.lists(values, min_size=VALUES, max_size=VALUES)) for name, values in columns.items()},
        steps=draw(st.lists(st.integers(0, ROWS * 2), min_size=12, max_size=12)),
    )


@dataclass(frozen=True)
class Case:
    """A config and the rows that go through one task with it."""

    config: dict[str, str]
    rows: list[SourceRecord]


@st.composite
def cases(draw: st.Draw) -> Case:
    """A config, a table, and rows."""
    config = draw(configs())
    table = draw(tables())
    values = draw(drawn({name: values for name, _, values in table.columns}))
    return Case(config, [values.record(number, table.schema, "p.public.outbox") for number in range(ROWS)])


# -- expansion: a sound table and config, and documents whose shapes collide -------------------------------------------

few = st.sampled_from((None, 1, 2.5, 3_000_000_000, "x", [], [1], [None], {"m": 1}, {"n": "y"}, {"m": 1.5}, {}))
colliding = st.lists(st.dictionaries(st.sampled_from("abc"), few, max_size=3) | st.none(), min_size=1, max_size=4)
expandable = st.fixed_dictionaries({"p": colliding | st.lists(colliding, max_size=2)}, optional={"q": documents})


@st.composite
def expansion_cases(draw: st.Draw) -> Case:
    """Payloads with arrays of objects, expanded."""
    json_converter = CONVERTERS[draw(st.sampled_from((1, 1, 2)))]
    router = {
        "table.expand.json.payload": "true",
        "table.json.payload.null.behavior": draw(st.sampled_from(("ignore", "optional_bytes"))),
        "table.json.payload.empty.array.behavior": draw(st.sampled_from(("ignore", "optional_string"))),
    }
    if draw(st.integers(0, 3)) == 0:
        router["table.fields.additional.placement"] = "type:envelope"
    config = {
        "transforms": "outbox",
        "transforms.outbox.type": EVENT_ROUTER,
        **with_prefix("transforms.outbox.", router),
        **with_prefix("value.converter", json_converter),
        "key.converter": f"{STORAGE}StringConverter",
    }
    texts = st.sampled_from(("Order", "User", "a"))
    columns = dict.fromkeys(("id", "aggregatetype", "aggregateid", "type"), texts)
    payload = {"payload": (expandable | colliding).map(json.dumps)}
    schema = Schema(
        Type.struct, "p.outbox.Value", fields=tuple((name, Schema(Type.string)) for name in columns | payload)
    )
    values = draw(drawn(columns | payload))
    return Case(config, [values.record(number, schema, "p.public.outbox") for number in range(ROWS // 2)])


# -- MongoDB ----------------------------------------------------------------------------------------------------------

MONGO_NAMES = ("a", "b", "c", "fullName", "é", "")
bson_scalars = (
    st.none()
    | st.booleans()
    | words
    | st.integers(-(2**63), 2**63 - 1)
    | st.integers(-5, 5)
    | st.sampled_from((1.5, -0.0, 1e21, 0.1, math.nan, math.inf, -math.inf))
    | st.integers(-(2**63), 2**63 - 1).map(lambda n: {"$numberLong": str(n)})
    | st.just({"$numberInt": "7"})
    | st.sampled_from(("1.0", "Infinity", "NaN", "1E-5")).map(lambda n: {"$numberDouble": n})
    | st.just({"$numberDecimal": "1.10"})
    | st.just({"$oid": "507f1f77bcf86cd799439011"})
    | st.integers(0, 10**13).map(lambda n: {"$date": {"$numberLong": str(n)}})
    | st.just({"$date": 1553460779000})
    | st.just({"$binary": {"base64": "AAEC", "subType": "00"}})
    | st.just({"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "04"}})
    | st.sampled_from(("00", "04")).map(lambda subtype: {"$binary": "AAECAwQFBgcICQoLDA0ODw==", "$type": subtype})
    | st.sampled_from((1553460779, 2**31, 2**32 - 1)).map(lambda t: {"$timestamp": {"t": t, "i": 3}})
)
bson_values = st.recursive(
    bson_scalars | st.lists(st.integers(-5, 5), max_size=3) | st.lists(words | st.none(), max_size=3),
    lambda below: (
        st.lists(st.fixed_dictionaries({"a": st.integers(0, 9)}, optional={"b": words}), max_size=3)
        | st.lists(below, max_size=2)
        | st.dictionaries(st.sampled_from(MONGO_NAMES), below, max_size=3)
    ),
)
MONGO_OPTIONS: dict[str, st.Strategy] = {
    "collection.field.event.id": st.sampled_from(("_id", "type", "fake")),
    "collection.field.event.key": st.sampled_from(("aggregateid", "aggregatetype", "_id", "x", "fake")),
    "collection.field.event.payload": st.sampled_from(("payload", "x", "type", "fake")),
    "collection.field.event.timestamp": st.sampled_from(("at", "x", "fake")),
    "collection.field.event.schema.version": st.sampled_from(("version", "x")),
    "collection.fields.additional.placement": st.lists(st.sampled_from(PLACEMENTS), min_size=1, max_size=3).map(
        ",".join
    ),
    "collection.field.additional.missing": st.sampled_from(("error", "ignore", "x")),
    "collection.fields.additional.error.on.missing": st.sampled_from(FLAGS),
    "collection.expand.json.payload": st.sampled_from(("true", "true", "false", " TRUE ")),
    "collection.op.invalid.behavior": st.just("fatal"),
    "table.op.invalid.behavior": st.sampled_from(("warn", "fatal")),
    "table.expand.json.payload": st.just("true"),
    "route.by.field": st.sampled_from(("aggregatetype", "type", "x")),
    "route.topic.regex": st.sampled_from(REGEXES),
    "route.topic.replacement": st.sampled_from(REPLACEMENTS),
    "route.tombstone.on.empty.payload": st.sampled_from(FLAGS),
}


payloads = bson_values | st.fixed_dictionaries({"a": bson_values, "b": bson_values})


@st.composite
def mongo_documents(draw: st.Draw) -> dict[str, Any]:
    """An outbox document without its payload: mostly as it should be."""
    usual = st.integers(0, 15).map(bool)
    document: dict[str, Any] = {
        "_id": {"$oid": "507f1f77bcf86cd799439011"} if draw(usual) else draw(bson_scalars),
        "aggregatetype": draw(words) if draw(usual) else draw(bson_values),
        "aggregateid": draw(words | st.integers(0, 99)) if draw(usual) else draw(bson_values),
    }
    for name in draw(st.lists(st.sampled_from(("type", "at", "x", "version", "p")), unique=True, max_size=3)):
        document[name] = draw(bson_values)
    if draw(usual):
        document.setdefault("type", "OrderPlaced")
    return document


TEXT = Schema(Type.string, "io.debezium.data.Json", optional=True, version=1)


def mongo_record(values: Drawn, number: int) -> SourceRecord:
    """A change event of MongoDB's connector: the document as text."""
    operation = values.operations[number % VALUES]
    document = values.columns["after"][number % VALUES] | {"payload": values.columns["payload"][number // 2 % VALUES]}
    after = None if operation in ("d", "t") else json.dumps(document, ensure_ascii=number % 2 == 0)
    return values.event(number, after, envelope(TEXT, "p.shop.outbox.Envelope"), operation, "p.shop.outbox")


@st.composite
def mongo_cases(draw: st.Draw) -> Case:
    """A config of MongoDB's router, and documents."""
    most = draw(st.sampled_from((0, 1, 1, 2, 4)))
    names = draw(st.lists(st.sampled_from(sorted(MONGO_OPTIONS)), max_size=most, unique=True))
    own = {name: draw(MONGO_OPTIONS[name]) for name in names}
    config = {
        "transforms": "outbox",
        "transforms.outbox.type": MONGO_EVENT_ROUTER,
        **with_prefix("transforms.outbox.", own),
        **with_prefix("key.converter", draw(converters())),
        **with_prefix("value.converter", draw(converters())),
        "header.converter": f"{STORAGE}SimpleHeaderConverter",
    }
    values = draw(drawn({"after": mongo_documents(), "payload": payloads}))
    return Case(config, [mongo_record(values, number) for number in range(ROWS)])
