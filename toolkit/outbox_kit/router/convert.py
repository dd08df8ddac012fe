"""Kafka Connect's converters and Debezium's: what a value becomes on the wire, byte by byte, or how it fails."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import charsets
from outbox_kit.router.javatext import DAY_MS, double, single, text_of, trim, utf8
from outbox_kit.router.settings import BOOLEANS, Options
from outbox_kit.router.simple_header import simple_header
from outbox_kit.router.values import (
    DATE,
    DECIMAL,
    TIME,
    TIMESTAMP,
    UNKNOWN,
    Buffer,
    Date,
    Failure,
    NotModelled,
    Schema,
    Struct,
    Type,
    UnknownDefault,
    java_class,
)

ESCAPED = lazy_pattern(r'[\x00-\x1f"\\\ud800-\udfff]|[\U00010000-\U0010ffff]')
SHORT_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
JSON_TYPES = {
    Type.int8: "int8",
    Type.int16: "int16",
    Type.int32: "int32",
    Type.int64: "int64",
    Type.float32: "float",
    Type.float64: "double",
    Type.boolean: "boolean",
    Type.string: "string",
    Type.bytes: "bytes",
    Type.array: "array",
    Type.map: "map",
    Type.struct: "struct",
}
REGISTRY = "a converter that asks a schema registry"
STORAGE = "org.apache.kafka.connect.storage."
CONNECT = "org.apache.kafka.connect.converters."


class Converter(Protocol):
    """Turns a value into bytes; None is Kafka's null."""

    def __call__(self, topic: str, schema: Schema | None, value: Any) -> bytes | None:
        """Raises Failure where the converter throws, NotModelled where it is not known what it does."""


def string(topic: str, schema: Schema | None, value: Any) -> bytes | None:
    """`StringConverter`: an object's `toString` in UTF-8."""
    if value.__class__ is str:
        try:
            return value.encode()
        except UnicodeEncodeError:
            return utf8(value)
    return None if value is None else utf8(text_of(value, schema))


def unconverted(topic: str, schema: Schema | None, value: Any) -> bytes | None:
    """No converter, for who asks only where a record goes."""
    return None if value is None else b""


def byte_array(topic: str, schema: Schema | None, value: Any) -> bytes | None:
    """Connect's `ByteArrayConverter`: bytes, and nothing else."""
    if schema is not None and schema.type is not Type.bytes:
        raise Failure("DataException", f"Invalid schema type for ByteArrayConverter: {schema.type}")
    if value is not None and not isinstance(value, bytes):
        class_name = java_class(value, schema)
        raise Failure("DataException", f"ByteArrayConverter is not compatible with objects of type class {class_name}")
    return value


@dataclass(frozen=True)
class EncodedString:
    """`StringConverter` with another encoding than UTF-8."""

    encode: Callable[[str], bytes]
    """From a text to its bytes."""

    def __call__(self, topic: str, schema: Schema | None, value: Any) -> bytes | None:
        """An object's `toString`."""
        return None if value is None else self.encode(text_of(value, schema))


@dataclass(frozen=True)
class Opaque:
    """A converter whose bytes cannot be known here: it asks a schema registry, or it is not modelled."""

    reason: str

    def __call__(self, topic: str, schema: Schema | None, value: Any) -> bytes | None:
        """Raises NotModelled, always."""
        raise NotModelled(self.reason)


@dataclass(frozen=True)
class Binary:
    """Debezium's converters for bytes: BinaryDataConverter, and ByteArrayConverter, which takes no ByteBuffer."""

    delegate: Converter | None
    takes_buffers: bool

    def __call__(self, topic: str, schema: Schema | None, value: Any) -> bytes | None:
        """Bytes as they are; anything else goes to the delegate."""
        if schema is None or schema.type is Type.bytes:
            is_bytes = isinstance(value, bytes) and (self.takes_buffers or not isinstance(value, Buffer))
            if is_bytes or value is None:
                return value  # type: ignore[no-any-return]
        if self.delegate is None:
            text = "null" if value is None else text_of(value, schema)
            message = f"A {topic} of type '{text}' requires a delegate.converter.type to be configured"
            raise Failure("DataException", message)
        return self.delegate(topic, schema, value)


@dataclass(frozen=True)
class Json:
    """`JsonConverter`."""

    schemas: bool = True
    numeric_decimals: bool = False
    nulls_become_defaults: bool = True

    def __call__(self, topic: str, schema: Schema | None, value: Any) -> bytes | None:
        """The JSON text, as Jackson writes it."""
        if schema is None and value is None:
            return None
        if not self.schemas:
            return self._value(schema, value).encode()
        # the schema first: of a default and a value that both cannot be written, Connect reports the default
        described = "null" if schema is None else self._schema(schema)
        return f'{{"schema":{described},"payload":{self._value(schema, value)}}}'.encode()

    def _value(self, schema: Schema | None, value: Any) -> str:
        if value is None:
            return self._null(schema)
        if schema is not None and schema.name in _LOGICAL:
            return self._logical(schema, value)
        kind = schema.type if schema is not None else _type_of(value)
        if _UNFIT[kind](value):
            raise Failure("DataException", f"Invalid type for {kind}: class {java_class(value, schema)}")
        match kind:
            case Type.string:
                return quoted(value)
            case Type.boolean:
                return "true" if value else "false"
            case Type.float32 | Type.float64:
                text = single(value) if kind is Type.float32 else double(value)
                return f'"{text}"' if text.endswith(("N", "y")) else text
            case Type.bytes:
                return f'"{base64.b64encode(value).decode()}"'
            case Type.array:
                return f"[{','.join(self._value(schema and schema.element, x) for x in value)}]"
            case Type.map:
                return self._map(schema, value)
            case Type.struct:
                return self._struct(schema, value)
            case _:
                return str(value)

    def _null(self, schema: Schema | None) -> str:
        if schema is None:
            return "null"
        if isinstance(schema.default, UnknownDefault) and self.nulls_become_defaults:
            schema.default.refuse()
        if schema.default is not None and self.nulls_become_defaults:
            return self._value(schema, schema.default)
        if schema.optional:
            return "null"
        message = "Conversion error: null value for field that is required and has no default value"
        raise Failure("DataException", message)

    def _logical(self, schema: Schema, value: Any) -> str:
        if schema.name == DECIMAL:
            if not isinstance(value, Decimal):
                class_name = java_class(value, schema)
                raise Failure(
                    "DataException", f"Invalid type for Decimal, expected BigDecimal but was class {class_name}"
                )
            if self.numeric_decimals:
                return str(value)
            return f'"{base64.b64encode(unscaled(schema, value)).decode()}"'
        if not isinstance(value, Date):
            word = _LOGICAL[schema.name or ""]
            class_name = java_class(value, schema)
            raise Failure("DataException", f"Invalid type for {word}, expected Date but was class {class_name}")
        return str(_logical_number(schema.name, int(value)))

    def _map(self, schema: Schema | None, value: Mapping[Any, Any]) -> str:
        keyed = schema.key if schema else None
        if keyed is not None and keyed.type is not Type.string:
            raise NotModelled("a map whose keys are not text")
        members = (f"{quoted(k)}:{self._value(schema and schema.element, v)}" for k, v in value.items())
        return f"{{{','.join(members)}}}"

    def _struct(self, schema: Schema | None, value: Struct) -> str:
        struct_schema = schema or value.schema
        if value.schema is not struct_schema and value.schema != struct_schema:
            raise Failure("DataException", "Mismatching schema.")
        members = (
            f"{quoted(name)}:{self._value(field, value.values.get(name))}" for name, field in struct_schema.fields
        )
        return f"{{{','.join(members)}}}"

    def _schema(self, schema: Schema, name: str | None = None) -> str:
        facts = [f'"type":"{JSON_TYPES[schema.type]}"']
        if schema.type is Type.struct:
            facts.append(
                f'"fields":[{",".join(self._schema(field, field_schema) for field_schema, field in schema.fields)}]'
            )
        elif schema.type is Type.array:
            facts.append(f'"items":{self._schema(_schema_of_parts(schema.element))}')
        elif schema.type is Type.map:
            facts += [
                f'"keys":{self._schema(_schema_of_parts(schema.key))}',
                f'"values":{self._schema(_schema_of_parts(schema.element))}',
            ]
        facts.append(f'"optional":{"true" if schema.optional else "false"}')
        if schema.name is not None:
            facts.append(f'"name":{quoted(schema.name)}')
        if schema.version is not None:
            facts.append(f'"version":{schema.version}')
        if schema.parameters:
            if UNKNOWN in dict(schema.parameters).values():
                raise NotModelled(f"the parameters of {schema.name}")
            pairs = (f"{quoted(k)}:{quoted(v)}" for k, v in schema.parameters)
            facts.append(f'"parameters":{{{",".join(pairs)}}}')
        if isinstance(schema.default, UnknownDefault):
            schema.default.refuse()
        if schema.default is not None:
            facts.append(f'"default":{self._value(schema, schema.default)}')
        if name is not None:
            facts.append(f'"field":{quoted(name)}')
        return f"{{{','.join(facts)}}}"


def quoted(text: str) -> str:
    """A JSON string as Jackson's UTF-8 generator writes it: control characters and surrogates escaped."""
    return f'"{ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    c = match[0]
    if c in SHORT_ESCAPES:
        return SHORT_ESCAPES[c]
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex().upper()}" for at in range(0, len(units), 2))


def unscaled(schema: Schema, value: Decimal) -> bytes:
    """A decimal's unscaled value in two's complement, big-endian. Raises Failure where the scale is another one."""
    exponent = value.as_tuple().exponent
    scale = dict(schema.parameters).get("scale")
    if scale is None or not isinstance(exponent, int) or -exponent != int(scale):
        message = "Decimal value has mismatching scale for given Decimal schema"
        raise Failure("DataException", message)
    unscaled_value = int(value.scaleb(-exponent))
    return unscaled_value.to_bytes(
        (unscaled_value if unscaled_value >= 0 else ~unscaled_value).bit_length() // 8 + 1, "big", signed=True
    )


_LOGICAL = {DECIMAL: "Decimal", DATE: "Date", TIME: "Time", TIMESTAMP: "Timestamp"}


def _logical_number(name: str | None, milliseconds: int) -> int:
    """A date as the number that JSON has for it. Raises Failure where the type has no such moment."""
    if name == TIME and not 0 <= milliseconds <= DAY_MS:
        message = "Kafka Connect Time type should not have any date fields set to non-zero values."
        raise Failure("DataException", message)
    if name == DATE and milliseconds % DAY_MS:
        message = "Kafka Connect Date type should not have any time fields set to non-zero values."
        raise Failure("DataException", message)
    return milliseconds // DAY_MS if name == DATE else milliseconds


def _not(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: not isinstance(value, kinds) or (bool not in kinds and isinstance(value, bool))


_UNFIT: Mapping[Type, Callable[[Any], bool]] = {
    **dict.fromkeys((Type.int8, Type.int16, Type.int32, Type.int64), _not(int)),
    **dict.fromkeys((Type.float32, Type.float64), _not(float)),
    Type.boolean: lambda value: not isinstance(value, bool),
    Type.string: _not(str),
    Type.bytes: _not(bytes),
    Type.array: _not(list),
    Type.map: _not(dict),
    Type.struct: _not(Struct),
}


def _type_of(value: Any) -> Type:
    types = {str: Type.string, bool: Type.boolean, int: Type.int64, float: Type.float64, list: Type.array}
    types |= {dict: Type.map, Struct: Type.struct, bytes: Type.bytes}
    kind = bytes if isinstance(value, Buffer) else type(value)
    if kind not in types:
        raise NotModelled(f"a {kind.__name__} without a schema")
    return types[kind]


def _schema_of_parts(schema: Schema | None) -> Schema:
    if schema is None:
        raise NotModelled("an array or a map without the schema of what it holds")
    return schema


def _json(options: Options) -> Json:
    return Json(
        schemas=_word(options, "schemas.enable", "true", BOOLEANS) == "true",
        numeric_decimals=_word(options, "decimal.format", "base64", ("base64", "numeric")) == "numeric",
        nulls_become_defaults=_word(options, "replace.null.with.default", "true", BOOLEANS) == "true",
    )


def _word(options: Options, name: str, default: str, words: Sequence[str]) -> str:
    """A word in lower case. Raises Failure for another one."""
    word = trim(options.get(name, default)).lower()
    if word not in words:
        message = f"Invalid value {options[name]} for configuration {name}: expected {' or '.join(words)}"
        raise Failure("ConfigException", message)
    return word


def _string(options: Options) -> Converter:
    name = options.get("converter.encoding", "UTF-8")
    encode = charsets.encoder(name)
    if encode is None:
        return Opaque(f"StringConverter with the encoding {name}")
    return string if encode is utf8 else EncodedString(encode)


def _binary(options: Options, *, takes_buffers: bool) -> Binary:
    type_name = options.get("delegate.converter.type")
    delegate = type_name and converter(type_name, below(options, "delegate.converter.type."))
    return Binary(delegate or None, takes_buffers)


CONVERTERS: Mapping[str, Callable[[Options], Converter]] = {
    f"{STORAGE}StringConverter": _string,
    f"{STORAGE}SimpleHeaderConverter": lambda options: simple_header,
    "org.apache.kafka.connect.json.JsonConverter": _json,
    f"{CONNECT}ByteArrayConverter": lambda options: byte_array,
    "io.debezium.converters.BinaryDataConverter": lambda options: _binary(options, takes_buffers=True),
    "io.debezium.converters.ByteArrayConverter": lambda options: _binary(options, takes_buffers=False),
    "io.confluent.connect.avro.AvroConverter": lambda options: Opaque(REGISTRY),
    "io.confluent.connect.protobuf.ProtobufConverter": lambda options: Opaque(REGISTRY),
    "io.confluent.connect.json.JsonSchemaConverter": lambda options: Opaque(REGISTRY),
    "io.apicurio.registry.utils.converter.AvroConverter": lambda options: Opaque(REGISTRY),
}


def converter(class_name: str, options: Options) -> Converter:
    """The converter of a class; one that is not known refuses every value. options: without its prefix."""
    return CONVERTERS[class_name](options) if class_name in CONVERTERS else Opaque(f"the converter {class_name}")


def below(options: Options, prefix: str) -> dict[str, str]:
    """The options that begin with a prefix, without it."""
    return {name[len(prefix) :]: value for name, value in options.items() if name.startswith(prefix)}
