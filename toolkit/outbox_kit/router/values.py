"""Kafka Connect's data as values: schemas, structs, records, and the failures that stop a task.

The Java side's classes are stood for by Python's own types: String by str, Boolean by bool, every integer by int,
Float and Double by float, BigDecimal by Decimal, List by list, Map by dict, `java.nio.ByteBuffer` by `Buffer`, `byte[]`
by bytes and `java.util.Date` by `Date`. Which integer class a value has is its schema's to say.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple


class Type(StrEnum):
    """Connect's schema types."""

    int8 = "INT8"
    int16 = "INT16"
    int32 = "INT32"
    int64 = "INT64"
    float32 = "FLOAT32"
    float64 = "FLOAT64"
    boolean = "BOOLEAN"
    string = "STRING"
    bytes = "BYTES"
    array = "ARRAY"
    map = "MAP"
    struct = "STRUCT"


class Buffer(bytes):
    """A `java.nio.ByteBuffer`: what the relational connectors hand over for a binary column."""


class ReadBuffer(Buffer):
    """One that Kafka's ByteArrayConverter has read: its position is at its end, which its text says."""


class SharedBuffer(Buffer):
    """The default of a column, which is one object for all rows: its position depends on the rows before."""


class Date(int):
    """A `java.util.Date`: milliseconds since 1970 UTC, under Connect's own Date, Time and Timestamp schemas."""


UNKNOWN = "\0"
DECIMAL = "org.apache.kafka.connect.data.Decimal"
DATE = "org.apache.kafka.connect.data.Date"
TIME = "org.apache.kafka.connect.data.Time"
TIMESTAMP = "org.apache.kafka.connect.data.Timestamp"


@dataclass(frozen=True)
class Schema:
    """A Connect schema."""

    type: Type
    name: str | None = None
    optional: bool = False
    default: Any = None
    version: int | None = None
    fields: "tuple[tuple[str, Schema], ...]" = ()
    """A struct's members."""
    element: "Schema | None" = None
    """An array's elements, or a map's values."""
    key: "Schema | None" = None
    """A map's keys."""
    parameters: tuple[tuple[str, str], ...] = ()
    """Pairs in the order in which the connector adds them: JSON shows it. The text `UNKNOWN` is not known."""

    @cached_property
    def by_name(self) -> "Mapping[str, Schema]":
        """A struct's field schemas."""
        return dict(self.fields)

    @cached_property
    def hashed(self) -> int:
        """The hash, taken once: schemas nest, and are looked up for every row."""
        parts = (self.type, self.name, self.optional, self.version, self.fields, self.element, self.key)
        return hash((*parts, self.parameters, repr(self.default)))

    def __hash__(self) -> int:
        return self.hashed

    def __str__(self) -> str:
        return f"Schema{{{self.name}:{self.type}}}" if self.name else f"Schema{{{self.type}}}"


class UnknownDefault(NamedTuple):
    """A default of which it is not known what the connector makes of it; it may be none."""

    expression: str
    """As the database's catalogue prints it."""

    def refuse(self) -> None:
        """Raise NotModelled: the default decides."""
        raise NotModelled(f"what the connector makes of the column's default '{self.expression}'")


STRING = Schema(Type.string)
OPTIONAL_STRING = Schema(Type.string, optional=True)
OPTIONAL_BYTES = Schema(Type.bytes, optional=True)


class Struct:
    """A struct: its schema, and its values by field name. A field that is not in `values` is null."""

    __slots__ = ("schema", "values")

    def __init__(self, schema: Schema, values: Mapping[str, Any]) -> None:
        self.schema = schema
        self.values = values

    def get(self, name: str) -> Any:
        """A field's value; its schema's default in place of a null. Raises Failure for an unknown field."""
        value = self.values.get(name)
        if value is None:
            schema = self.schema.by_name.get(name)
            if schema is None:
                raise Failure("DataException", f"{name} is not a valid field name")
            if isinstance(schema.default, UnknownDefault):
                schema.default.refuse()
            return SharedBuffer(schema.default) if isinstance(schema.default, Buffer) else schema.default
        return value

    def typed(self, name: str, kind: Type) -> Any:
        """A field's value as one of Connect's typed getters gives it: no default. Raises Failure."""
        schema = self.schema.by_name.get(name)
        if schema is None:
            raise Failure("DataException", f"{name} is not a valid field name")
        if schema.type is not kind:
            raise Failure("DataException", f"Field '{name}' is not of type {kind}")
        value = self.values.get(name)
        if isinstance(value, Date):  # what Connect's own dates and times are, under a schema of a number
            raise Failure("ClassCastException", f"class java.util.Date cannot be cast to class {_CLASSES[kind]}")
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and self.schema == other.schema and self._filled() == other._filled()

    __hash__ = None  # type: ignore[assignment]

    def _filled(self) -> dict[str, Any]:
        return {name: value for name, value in self.values.items() if value is not None}

    def __repr__(self) -> str:
        return f"Struct({self.schema.name}, {dict(self.values)})"


class ConnectHeader(NamedTuple):
    """A record header before the header converter."""

    name: str
    schema: Schema | None
    value: Any


class Varying(NamedTuple):
    """A text that does not follow from row and config: each task, or each of its starts, has another one."""

    what: str
    """What it is, in words."""
    pattern: str
    """A regular expression that matches every such text as a whole."""

    def admits(self, text: str) -> bool:
        """Whether it can be this text."""
        return re.fullmatch(self.pattern, text, re.DOTALL) is not None


class ContextHeader(NamedTuple):
    """A header in which a connector says who it is, before the header converter."""

    name: str
    text: str | Varying


@dataclass(slots=True)
class SourceRecord:
    """A source record on its way through the transformations."""

    topic: str | None
    key_schema: Schema | None
    key: Any
    value_schema: Schema | None
    value: Any
    timestamp: int | None = None
    """Milliseconds since 1970, or None."""
    partition: int | None = None
    headers: list[ConnectHeader] = field(default_factory=list)
    context: tuple[ContextHeader, ...] = ()
    """The connector's own headers, which come before the others; no transformation that is modelled changes them."""


class Dropped(NamedTuple):
    """No message: the transformation gave nothing, and the connector's position moves on."""

    reason: str


class Failure(Exception):
    """What stops the task (with errors.tolerance=none): the Java exception's simple name and its message."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message = kind, message


class NotModelled(Exception):
    """Something that this model does not claim to know; the real router decides."""


_CLASSES = {
    Type.int8: "java.lang.Byte",
    Type.int16: "java.lang.Short",
    Type.int32: "java.lang.Integer",
    Type.int64: "java.lang.Long",
    Type.float32: "java.lang.Float",
    Type.float64: "java.lang.Double",
}


class Long(int):
    """A 64-bit number whose size alone does not tell it from a 32-bit one, as in an array of either."""


def java_class(value: Any, schema: Schema | None) -> str:
    """The Java class that stands behind a value. schema: the one it came with; it decides between the numbers."""
    match value:
        case bool():
            return "java.lang.Boolean"
        case Date():
            return "java.util.Date"
        case Long():
            return "java.lang.Long"
        case int() | float():
            return _CLASSES.get(schema.type, "") if schema else _number_class(value)
        case str():
            return "java.lang.String"
        case Decimal():
            return "java.math.BigDecimal"
        case Buffer():
            return "java.nio.HeapByteBuffer"
        case bytes():
            return "[B"
        case list():
            return "java.util.ArrayList"
        case dict():
            return "java.util.LinkedHashMap"
        case _:
            return "org.apache.kafka.connect.data.Struct"


def _number_class(value: float) -> str:
    if isinstance(value, float):
        return "java.lang.Double"
    return "java.lang.Integer" if -(2**31) <= value < 2**31 else "java.lang.Long"


_LOGICAL = {DECIMAL: "java.math.BigDecimal", DATE: "java.util.Date", TIME: "java.util.Date"}
_LOGICAL[TIMESTAMP] = "java.util.Date"
_ACCEPTED = {
    **{kind: {name} for kind, name in _CLASSES.items()},
    Type.boolean: {"java.lang.Boolean"},
    Type.string: {"java.lang.String"},
    Type.bytes: {"[B", "java.nio.HeapByteBuffer"},
    Type.array: {"java.util.ArrayList"},
    Type.map: {"java.util.LinkedHashMap"},
    Type.struct: {"org.apache.kafka.connect.data.Struct"},
}


def validate(schema: Schema, value: Any, came_with: Schema | None, location: str) -> None:
    """What `Struct.put` checks before it takes a value. Raises Failure.

    came_with: the schema of the value's own, which tells an Integer from a Long; None for a value out of JSON.
    """
    if value is None:
        if not schema.optional:
            message = f"Invalid value: null used for required {location}, schema type: {schema.type}"
            raise Failure("DataException", message)
        return
    class_name = java_class(value, came_with)
    accepted = {_LOGICAL[schema.name]} if schema.name in _LOGICAL else _ACCEPTED[schema.type]
    if class_name not in accepted:
        name = f' "{schema.name}"' if schema.name is not None else ""
        message = f"Invalid Java object for schema{name} with type {schema.type}: class {class_name} for {location}"
        raise Failure("DataException", message)
    if schema.type is Type.struct and value.schema != schema:
        raise Failure("DataException", "Struct schemas do not match.")
    if schema.type is Type.array and schema.element:
        element_came_with = came_with.element if came_with else None
        for element in value:
            validate(schema.element, element, element_came_with, f"element of array {location}")
