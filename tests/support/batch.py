"""A config and its rows as bytes for `Harness.java`, and the outcomes that it gives back.

All numbers are big-endian, as Java writes them; a text is its UTF-16 units, so that half a surrogate pair survives.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from outbox_kit.router.chain import ROUTERS
from outbox_kit.router.context import LOGICAL_NAME, TASK, UUID
from outbox_kit.router.convert import STORAGE, below
from outbox_kit.router.values import STRING, Buffer, Date, Schema, SourceRecord, Struct, Type, UnknownDefault, Varying

TYPES = tuple(Type)  # in the order of Connect's
NUMBERS = {Type.int8: "b", Type.int16: "h", Type.int32: "i", Type.int64: "q", Type.float32: "f", Type.float64: "d"}
TAGS = {kind: letter.replace("f", "F").encode() for kind, letter in NUMBERS.items()}
PACKED = {kind: struct.Struct(f">{letter}").pack for kind, letter in NUMBERS.items()}
INT, LONG = struct.Struct(">i"), struct.Struct(">q")
HEAD = struct.Struct(">?iq?")  # partition there, partition, timestamp, routed
NOTHING = INT.pack(-1)
MESSAGE, THROWN = 2, 1
VARYING = {UUID.what: "0199b0c6-7a54-7c3c-9b52-6c9a6c1f1a11", TASK.what: "1", LOGICAL_NAME.what: "shop"}
"""A text of each kind that varies."""
CONVERTERS = ("header.converter", "key.converter", "value.converter")


@dataclass(frozen=True)
class Thrown:
    """What the real thing threw. stage: configure, transformation, header, key, value or producer."""

    stage: str
    kind: str
    message: str


def config_bytes(config: Mapping[str, str]) -> bytes:
    """A connector's transformations, predicates and converters."""
    names = config["transforms"].split(",")
    parts = [INT.pack(len(names))]
    for name in names:
        options = below(config, f"transforms.{name}.")
        kind, predicate, negate = options.pop("type"), options.pop("predicate", None), options.pop("negate", "false")
        tests = below(config, f"predicates.{predicate}.") if predicate else {}
        parts += [_text(kind), bytes([kind in ROUTERS]), _options(options)]
        parts += [_text(tests.pop("type", None)), bytes([negate == "true"]), _options(tests)]
    parts += [_text(config.get(name, f"{STORAGE}SimpleHeaderConverter")) for name in CONVERTERS]
    parts += [_options(below(config, f"{name}.")) for name in CONVERTERS]
    return b"".join(parts)


def rows_bytes(rows: Sequence[SourceRecord]) -> bytes:
    """Rows, after the schemas that they use."""
    schemas = Schemas()
    written = [schemas.record(row) for row in rows]
    parts = [INT.pack(len(schemas.written)), *schemas.written, INT.pack(len(rows))]
    for row in written:
        parts += [INT.pack(len(row)), row]
    return b"".join(parts)


def outcomes(answer: bytes) -> Thrown | list[Any]:
    """Each row's outcome: a dict of what is on the wire, None where it was dropped, or what was thrown.

    What was thrown alone is why the config was refused.
    """
    reader = Reader(answer)
    if reader.byte() == THROWN:
        return reader.thrown()
    found: list[Any] = []
    while reader.at < len(answer):
        kind = reader.byte()
        found.append(reader.message() if kind == MESSAGE else reader.thrown() if kind == THROWN else None)
    return found


class Schemas:
    """Writes records, and once each the schemas that they use."""

    def __init__(self) -> None:
        self.places: dict[Schema, int] = {}
        self.written: list[bytes] = []

    def record(self, record: SourceRecord) -> bytes:
        """A source record."""
        partition, timestamp = record.partition, record.timestamp
        parts = [
            _text(record.topic),
            b"n" if partition is None else b"i" + INT.pack(partition),
            b"n" if timestamp is None else b"q" + LONG.pack(timestamp),
            self._place(record.key_schema),
            self._value(record.key, record.key_schema),
            self._place(record.value_schema),
            self._value(record.value, record.value_schema),
            INT.pack(len(record.context) + len(record.headers)),
        ]
        for own in record.context:
            text = VARYING[own.text.what] if isinstance(own.text, Varying) else own.text
            parts += [_text(own.name), self._place(STRING), self._value(text, STRING)]
        for header in record.headers:
            parts += [_text(header.name), self._place(header.schema), self._value(header.value, header.schema)]
        return b"".join(parts)

    def _place(self, schema: Schema | None) -> bytes:
        if schema is None:
            return NOTHING
        place = self.places.get(schema)
        if place is None:
            written = self._schema(schema)
            place = self.places[schema] = len(self.written)
            self.written.append(written)
        return INT.pack(place)

    def _schema(self, schema: Schema) -> bytes:
        parts = [bytes([TYPES.index(schema.type)]), self._place(schema.element), self._place(schema.key)]
        parts.append(INT.pack(len(schema.fields)))
        for name, field in schema.fields:
            parts += [_text(name), self._place(field)]
        parts += [_text(schema.name), b"\0" if schema.version is None else b"\1" + INT.pack(schema.version)]
        # where an unknown one decides, the model refuses
        default = None if isinstance(schema.default, UnknownDefault) else schema.default
        parts += [_options(dict(schema.parameters)), bytes([schema.optional]), self._value(default, schema)]
        return b"".join(parts)

    def _value(self, value: Any, schema: Schema | None) -> bytes:
        match value:
            case None:
                return b"n"
            case bool():
                return b"t" if value else b"f"
            case str():
                return b"s" + _text(value)
            case Date():
                return b"D" + LONG.pack(value)
            case int() | float():
                assert schema
                return TAGS[schema.type] + PACKED[schema.type](value)
            case Decimal():
                return b"m" + _text(str(value))
            case bytes():
                return (b"B" if isinstance(value, Buffer) else b"y") + INT.pack(len(value)) + value
            case list():
                element = schema.element if schema else None
                return b"".join([b"l", INT.pack(len(value)), *(self._value(one, element) for one in value)])
            case Struct():
                return self._struct(value)
        raise TypeError(type(value))

    def _struct(self, value: Struct) -> bytes:
        held = [(name, field) for name, field in value.schema.fields if value.values.get(name) is not None]
        parts = [b"S", self._place(value.schema), INT.pack(len(held))]
        for name, field in held:
            parts += [_text(name), self._value(value.values[name], field)]
        return b"".join(parts)


class Reader:
    """Reads an answer from its beginning to its end."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.at = 0

    def byte(self) -> int:
        self.at += 1
        return self.answer[self.at - 1]

    def number(self) -> int:
        self.at += 4
        return int(INT.unpack_from(self.answer, self.at - 4)[0])

    def bytes(self) -> bytes | None:
        length = self.number()
        if length < 0:
            return None
        self.at += length
        return self.answer[self.at - length : self.at]

    def text(self) -> str | None:
        units = self.bytes()
        return None if units is None else units.decode("utf-16-be", "surrogatepass")

    def thrown(self) -> Thrown:
        return Thrown(self.text() or "", self.text() or "", self.text() or "")

    def message(self) -> dict[str, Any]:
        topic = self.text()
        has_partition, partition, timestamp, routed = HEAD.unpack_from(self.answer, self.at)
        self.at += HEAD.size
        headers = tuple((self.text(), self.bytes()) for _ in range(self.number()))
        return {
            "topic": topic,
            "partition": partition if has_partition else None,
            "key": self.bytes(),
            "value": self.bytes(),
            "headers": headers,
            "timestamp": None if timestamp == -1 else timestamp,
            "routed": routed,
        }


def _text(text: str | None) -> bytes:
    if text is None:
        return NOTHING
    units = text.encode("utf-16-be", "surrogatepass")
    return INT.pack(len(units)) + units


def _options(options: Mapping[str, str]) -> bytes:
    parts = [INT.pack(len(options))]
    for name, value in options.items():
        parts += [_text(name), _text(value)]
    return b"".join(parts)
