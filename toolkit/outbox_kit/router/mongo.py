"""MongoDB's Event Router: the document in `after` becomes a row, then the relational router has it.

After `MongoEventRouter` and `MongoDataConverter`. Whatever goes wrong with the document is caught there, and the row
stays a text, which the next step refuses.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.router import bson, bsontext
from outbox_kit.router.bson import Bson
from outbox_kit.router.javatext import trim
from outbox_kit.router.route import EventRouter
from outbox_kit.router.settings import Options
from outbox_kit.router.values import (
    OPTIONAL_BYTES,
    OPTIONAL_STRING,
    TIMESTAMP,
    Date,
    Failure,
    Long,
    NotModelled,
    Schema,
    SourceRecord,
    Struct,
    Type,
    validate,
)
from outbox_kit.versions import Version

RENAMED = {
    "collection.field.event.id": "table.field.event.id",
    "collection.field.event.key": "table.field.event.key",
    "collection.field.event.type": "table.field.event.type",
    "collection.field.event.timestamp": "table.field.event.timestamp",
    "collection.field.event.payload": "table.field.event.payload",
    "collection.field.event.schema.version": "table.field.event.schema.version",
    "collection.fields.additional.placement": "table.fields.additional.placement",
    "collection.field.additional.missing": "table.field.additional.missing",
}
KEPT = (
    "route.by.field",
    "route.topic.regex",
    "route.topic.replacement",
    "route.tombstone.on.empty.payload",
    "table.op.invalid.behavior",
)
NESTED_SINCE = Version.of("3.2")  # before, arrays were typed by another algorithm, and empty documents had a name
MIXED_SINCE = Version.of("3.6")

CONNECT_TIMESTAMP = Schema(Type.int64, TIMESTAMP, optional=True, version=1)
DEBEZIUM_TIMESTAMP = Schema(Type.int64, "io.debezium.time.Timestamp", version=1)
EMPTY_ARRAY = Schema(Type.array, optional=True, element=OPTIONAL_STRING)
EMPTY_DOCUMENT = Schema(Type.struct, optional=True)
SCALARS = {
    "null": OPTIONAL_STRING,
    "string": OPTIONAL_STRING,
    "objectId": OPTIONAL_STRING,
    "decimal128": OPTIONAL_STRING,
    "double": Schema(Type.float64, optional=True),
    "binary": OPTIONAL_BYTES,
    "int32": Schema(Type.int32, optional=True),
    "int64": Schema(Type.int64, optional=True),
    "date": CONNECT_TIMESTAMP,
    "timestamp": CONNECT_TIMESTAMP,
    "boolean": Schema(Type.boolean, optional=True),
}
OF_KIND = SCALARS | {"array": EMPTY_ARRAY, "document": EMPTY_DOCUMENT}


class NotARow(Exception):
    """The document cannot be made a row; the real router logs this and uses the text."""


def relational(options: Options) -> dict[str, str]:
    """The options under the names that the engine behind it reads; all others are dropped."""
    renamed = {new: options[old] for old, new in RENAMED.items() if old in options}
    renamed |= {name: options[name] for name in KEPT if name in options}
    return {"table.field.event.id": "_id"} | renamed


class MongoEventRouter(EventRouter):
    """One MongoDB router of one task."""

    def __init__(self, options: Options, release: Version) -> None:
        """options: without the transformation's prefix, as text. Raises Failure where the task would not start."""
        super().__init__(relational(options), release)
        self._payload = options.get("collection.field.event.payload", "payload")
        self._timestamp = options.get("collection.field.event.timestamp")
        self._expand = trim(options.get("collection.expand.json.payload", "false")).lower() == "true"
        self._shapes = _Shapes(release)

    def _converted(self, record: SourceRecord) -> SourceRecord:
        value: Struct = record.value
        if "after" not in value.schema.by_name or not isinstance(value.values.get("after"), str):
            return record
        try:
            row = self._row(value.schema.by_name["after"].name, value.values["after"])
        except (NotARow, bson.NoDocument, Failure):
            return record
        fields = tuple((name, field) for name, field in value.schema.fields if name != "after")
        if any(value.get(name) is None and not field.optional for name, field in fields):
            return record  # the new struct refuses it
        schema = Schema(Type.struct, value.schema.name, fields=(*fields, ("after", row.schema)))
        return replace(record, value_schema=schema, value=Struct(schema, {**value.values, "after": row}))

    def _row(self, name: str | None, text: str) -> Struct:
        document: dict[str, Bson] = bson.parse(text).value
        special: dict[str, tuple[Schema, Any]] = {}
        for key, value in document.items():
            if key == self._timestamp:
                if value.kind != "int64":
                    raise NotARow("the timestamp is no 64-bit integer")
                special[key] = DEBEZIUM_TIMESTAMP, value.value
            elif key == self._payload and not self._expand and value.kind == "document":
                special[key] = OPTIONAL_STRING, bsontext.payload(value)
        shapes = self._shapes.document(document)
        fields = {key: schema for key, (schema, _) in special.items()}
        self._shapes.build(shapes, name, fields)
        schema = Schema(Type.struct, name, fields=tuple(fields.items()))
        values = {key: plain for key, (_, plain) in special.items()}
        return _filled(schema, {key: value for key, value in document.items() if key not in special}, values)


class _Pairs(list[tuple[Any, str]]):
    """An array's shape: what it holds, each with its type."""


DocumentShape = dict[str, _Pairs]


class _Shapes:
    """Types of nested documents and arrays, unified as the connector's converter does it.

    A document's shape names for each member what it holds, with its type: a scalar, a list of scalars, the shape of a
    document, or the shape of an array.
    """

    def __init__(self, release: Version) -> None:
        self._release = release

    def document(self, members: Mapping[str, Bson]) -> DocumentShape:
        return {name: _Pairs([(self._shape(value), value.kind)]) for name, value in members.items()}

    def _shape(self, value: Bson) -> Any:
        if value.kind == "array":
            if self._release < NESTED_SINCE:
                raise NotModelled("arrays in documents before Debezium 3.2")
            return self._array(value.value)
        return self.document(value.value) if value.kind == "document" else value

    def _array(self, elements: list[Bson]) -> _Pairs:
        """One pair for each kind of element: nested arrays, all documents as one, all scalars as one."""
        pairs = _Pairs()
        merged: DocumentShape = {}
        schemas: dict[str, list[Schema]] = {}
        scalars = []
        for element in elements:
            if element.kind == "array":
                pair = (self._array(element.value), "array")
                if pair not in pairs:
                    pairs.append(pair)
            elif element.kind == "document":
                _merge(merged, self.document(element.value), schemas)
            else:
                scalars.append(element)
        if merged:
            pairs.append((merged, "document"))
        if scalars and (not merged or self._release >= MIXED_SINCE):
            kinds = list(dict.fromkeys(scalar.kind for scalar in scalars))
            pairs.append((scalars, kinds[0] if len(kinds) == 1 else "array"))
        return pairs

    def build(self, shape: DocumentShape, name: str | None, fields: dict[str, Schema]) -> None:
        """Add a document's members to a struct's fields."""
        for key, pairs in shape.items():
            for pair in pairs:
                self._field(key, pair, name, fields)

    def _field(self, key: str, pair: tuple[Any, str], name: str | None, fields: dict[str, Schema]) -> None:
        if key in fields:
            return
        if not key:
            raise NotARow("a member without a name")
        thing, kind = pair
        if kind in SCALARS:
            fields[key] = SCALARS[kind]
        elif kind == "document":
            is_struct = bool(thing) or self._release < NESTED_SINCE
            fields[key] = self._struct(thing, f"{name}.{key}") if is_struct else EMPTY_DOCUMENT
        elif not isinstance(thing, _Pairs) or not thing:
            fields[key] = EMPTY_ARRAY
        else:
            for inner, _ in thing:
                if isinstance(inner, dict | _Pairs):
                    self._nested(key, inner, name, fields, {}, nested=False)
                else:
                    _simple(key, inner, fields, nested=False)

    def _struct(self, shape: Any, name: str) -> Schema:
        fields: dict[str, Schema] = {}
        self.build(shape, name, fields)
        return Schema(Type.struct, name, optional=True, fields=tuple(fields.items()))

    def _nested(
        self,
        key: str,
        shape: Any,
        name: str | None,
        fields: dict[str, Schema],
        members: dict[str, Schema],
        *,
        nested: bool,
    ) -> None:
        """An array of documents (their shape) or of arrays (their pairs)."""
        if isinstance(shape, dict):
            for member, pairs in shape.items():
                self._member(member, pairs, "null" if nested else f"{name}.{key}", members)
        else:
            for inner, kind in shape:
                if kind == "document":
                    self._nested(key, inner, name, fields, {}, nested=True)
                elif not isinstance(inner, _Pairs):
                    _simple(key, inner, fields, nested=True)
                elif key not in fields:
                    raise NotARow("arrays three deep, or an empty one in an array")
        if members and key not in fields:
            struct = Schema(
                Type.struct, None if nested else f"{name}.{key}", optional=True, fields=tuple(members.items())
            )
            array = Schema(Type.array, optional=True, element=struct)
            fields[key] = Schema(Type.array, optional=True, element=array) if nested else array

    def _member(self, member: str, pairs: _Pairs, name: str, members: dict[str, Schema]) -> None:
        if len({OF_KIND[kind] for _, kind in pairs}) > 1:
            raise NotARow("elements of different types")
        for pair in pairs:
            self._field(member, pair, name, members)


def _simple(key: str, scalars: list[Bson], fields: dict[str, Schema], *, nested: bool) -> None:
    if key in fields:
        return
    schemas = list(dict.fromkeys(OF_KIND[scalar.kind] for scalar in scalars))
    if len(schemas) > 1:
        raise NotARow("elements of different types")
    array = Schema(Type.array, optional=True, element=schemas[0])
    fields[key] = Schema(Type.array, optional=True, element=array) if nested else array


def _merge(base: DocumentShape, other: DocumentShape, seen: dict[str, list[Schema]]) -> None:
    """One document's shape into that of all documents of an array; the last shape of a nested document stays."""
    for name, pairs in other.items():
        thing, kind = pairs[0]
        schemas = seen.setdefault(name, [])
        if OF_KIND[kind] not in schemas:
            schemas.append(OF_KIND[kind])
        if not (kind == "document" and thing) and len(schemas) > 1:
            raise NotARow("array elements with different types")
        base[name] = pairs


def _filled(schema: Schema, members: Mapping[str, Bson], values: dict[str, Any]) -> Struct:
    for name, value in members.items():
        field = schema.by_name.get(name)
        if field is None:
            raise NotARow(f"no field for {name}")
        values[name] = _value(value, field)
        # an array's elements are what they are, whatever the array was typed as by another one
        came_with = None if value.kind == "array" else OF_KIND[value.kind] if value.kind in SCALARS else field
        validate(field, values[name], came_with, f'field: "{name}"')
    return Struct(schema, values)


def _value(value: Bson, schema: Schema) -> Any:
    if value.kind == "document":
        if schema.type is not Type.struct:
            raise NotARow("a document where none is expected")
        return _filled(schema, value.value, {})
    if value.kind == "array":
        if not value.value:
            return []
        return _elements(value.value, schema.element if schema.type is Type.array and schema.element else schema)
    return _scalar(value)


def _elements(elements: list[Bson], schema: Schema) -> list[Any]:
    values: list[Any] = []
    for element in elements:
        if element.kind == "array":
            inner = _inner(element.value, schema)
            if inner:
                values.append(inner)
        elif element.kind == "document":
            if schema.type is not Type.struct:
                raise NotARow("a document where none is expected")
            values.append(_filled(schema, element.value, {}))
        else:
            values.append(_scalar(element))
    return values


def _inner(elements: list[Bson], schema: Schema) -> list[Any]:
    values: list[Any] = []
    for element in elements:
        if element.kind == "array":
            values.append(_elements(element.value, schema))
        elif element.kind == "document":
            if schema.element is None or schema.element.type is not Type.struct:
                raise NotARow("a document where none is expected")
            values.append(_filled(schema.element, element.value, {}))
        else:
            values.append(_scalar(element))
    return values


def _scalar(value: Bson) -> Any:
    match value.kind:
        case "binary":
            return value.value[0]
        case "int64":
            return Long(value.value)
        case "date":
            return Date(value.value)
        case "timestamp":
            seconds = int(value.value[0])
            return Date(1000 * (seconds - 2**32 if seconds >= 2**31 else seconds))  # a Java int
        case _:
            return value.value
