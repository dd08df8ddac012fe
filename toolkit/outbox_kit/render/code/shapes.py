"""A payload's JSON Schema as shapes that every language can express. Pure.

A schema that no shape can express becomes `any`, with a note: its type is wider than the schema, never narrower.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.render.code.naming import Scope

FORMATS = {"uuid": "uuid", "date-time": "instant", "date": "date"}
PLAIN = {"string": "text", "integer": "whole", "number": "number", "boolean": "boolean"}
KEY = lazy_pattern(r"(?!-$)[\w !#$%&()*+./:;<=>?@\[\]^{|}~-]+")  # the keys that Go's encoding/json accepts
COMPOSED = ("anyOf", "oneOf", "allOf", "not", "if", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True)
class Scalar:
    """A value: text, whole (of 64 bits), number, boolean, uuid, instant, date, any (JSON of any kind) or bytes."""

    kind: str


@dataclass(frozen=True)
class Several:
    """A list."""

    of: "Shape"


@dataclass(frozen=True)
class Lookup:
    """Values by name, if the names are unknown."""

    of: "Shape"


@dataclass(frozen=True)
class Nullable:
    """A value, or null."""

    of: "Shape"


@dataclass(frozen=True)
class Named:
    """A record or a choice that is declared under this name."""

    name: str


Shape = Scalar | Several | Lookup | Nullable | Named
ANY = Scalar("any")


@dataclass(frozen=True)
class Member:
    """A member of a record, by its name in the JSON."""

    key: str
    shape: Shape
    required: bool


@dataclass(frozen=True)
class ObjectShape:
    """An object with known members."""

    name: str
    title: str
    members: tuple[Member, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class EnumShape:
    """A string with a fixed set of values."""

    name: str
    values: tuple[str, ...]


Declared = ObjectShape | EnumShape


def kinds(shape: Shape) -> Iterator[str]:
    """The kinds of scalars in a shape, and `several` and `lookup` if it contains one."""
    match shape:
        case Scalar(kind):
            yield kind
        case Several(of):
            yield from ("several", *kinds(of))
        case Lookup(of):
            yield from ("lookup", *kinds(of))
        case Nullable(of):
            yield from kinds(of)
        case Named():
            return


@dataclass
class SchemaReader:
    """Reads the schema of one event's payload."""

    root: Mapping[str, Any]
    event: str
    scope: Scope
    """The names that are used already, by all events."""
    declared: list[Declared] = field(default_factory=list)
    _shapes: dict[str, Shape] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)

    def payload(self) -> Shape:
        """The shape of the payload. The types that it refers to are in `declared`, in the order of their use."""
        return self._shape(self.root, f"{self.event}-payload")

    def _shape(self, schema: Any, name: str) -> Shape:
        if not isinstance(schema, Mapping):
            return ANY
        if isinstance(schema.get("$ref"), str):
            return self._referred(schema["$ref"])
        if values := schema.get("enum", [schema["const"]] if "const" in schema else None):
            return self._one_of(values, name)
        for word in ("anyOf", "oneOf", "allOf"):
            if parts := self._parts(schema, word):
                rest = [part for part in parts if part != {"type": "null"}]
                shape = self._shape(rest[0], name) if len(rest) == 1 else ANY
                return _nullable(shape) if len(rest) < len(parts) else shape
        return self._typed(schema, name)

    def _parts(self, schema: Mapping[str, Any], word: str) -> list[Any]:
        """The alternatives of a schema without other keywords."""
        other_keywords = {"type", "properties", "items", "required", "additionalProperties"} & set(schema)
        parts = schema.get(word)
        return parts if isinstance(parts, list) and not other_keywords else []

    def _typed(self, schema: Mapping[str, Any], name: str) -> Shape:
        types = schema.get("type", "object" if {"properties", "required"} & set(schema) else "any")
        listed = [types] if isinstance(types, str) else list(types)
        rest = [kind for kind in listed if kind != "null"]
        if len(rest) != 1:
            return ANY
        shape = self._of_type(rest[0], schema, name)
        return _nullable(shape) if len(rest) < len(listed) else shape

    def _of_type(self, kind: str, schema: Mapping[str, Any], name: str) -> Shape:
        if kind == "string":
            return Scalar(FORMATS.get(schema.get("format", ""), "text"))
        if kind == "array":
            items = schema.get("items") if "prefixItems" not in schema else None
            return Several(self._shape(items, f"{name}-item"))
        if kind == "object":
            return self._object(schema, name)
        return Scalar(PLAIN[kind]) if kind in PLAIN else ANY

    def _object(self, schema: Mapping[str, Any], name: str) -> Shape:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        keys = [*properties, *(key for key in required if key not in properties)]
        if any(word in schema for word in COMPOSED) or not all(KEY.fullmatch(key) for key in keys):
            return ANY
        if not keys:
            return Lookup(self._shape(schema.get("additionalProperties"), f"{name}-value"))
        type_name = self.scope.name(name)
        inner = name.removesuffix("-payload")
        shapes = {key: self._shape(properties.get(key), f"{inner}-{key}") for key in keys}
        members = tuple(Member(key, shape, key in required) for key, shape in shapes.items())
        notes = [
            f"{key} has no specific type: its schema cannot be expressed as one type"
            for key in keys
            if shapes[key] == ANY
        ]
        if isinstance(schema.get("additionalProperties"), Mapping) or "patternProperties" in schema:
            notes.append("additional members that the schema allows are not represented")
        self.declared.append(
            ObjectShape(type_name, str(schema.get("title") or name.replace("-", " ")), members, tuple(notes))
        )
        return Named(type_name)

    def _one_of(self, values: list[Any], name: str) -> Shape:
        rest = [value for value in values if value is not None]
        shape: Shape = ANY
        if rest and all(isinstance(value, str) for value in rest):
            shape = Named(self.scope.name(name))
            self.declared.append(EnumShape(shape.name, tuple(rest)))
        elif rest and all(isinstance(value, int) and not isinstance(value, bool) for value in rest):
            shape = Scalar("whole")
        return _nullable(shape) if len(rest) < len(values) else shape

    def _referred(self, reference: str) -> Shape:
        """The shape of a reference within the schema; a recursive reference is `any`."""
        if reference in self._shapes:
            return self._shapes[reference]
        target = _referenced(self.root, reference)
        if reference in self._open or target is None:
            return ANY
        self._open.add(reference)
        self._shapes[reference] = shape = self._shape(target, f"{self.event}-{reference.rsplit('/', 1)[-1]}")
        self._open.discard(reference)
        return shape


def _nullable(shape: Shape) -> Shape:
    return shape if shape == ANY or isinstance(shape, Nullable) else Nullable(shape)


def _referenced(root: Mapping[str, Any], reference: str) -> Any:
    if not reference.startswith("#/"):
        return None
    node: Any = root
    for step in reference.removeprefix("#/").split("/"):
        node = node.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(node, Mapping) else None
    return node
