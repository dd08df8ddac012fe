"""What `table.expand.json.payload` makes of a JSON text: a schema inferred from it, and the struct.

After `io.debezium.transforms.outbox.JsonSchemaData`. Elements of an array of objects get one schema, merged in the
order of a hash set: where that order matters, every order is tried (`chance`).
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import jackson
from outbox_kit.router.chance import Chance
from outbox_kit.router.values import OPTIONAL_BYTES, OPTIONAL_STRING, NotModelled, Schema, Struct, Type, validate
from outbox_kit.router.values import Failure as JavaFailure

BOOLEAN = Schema(Type.boolean, optional=True)
INT32 = Schema(Type.int32, optional=True)
INT64 = Schema(Type.int64, optional=True)
FLOAT64 = Schema(Type.float64, optional=True)
EMPTY_ARRAY = Schema(Type.array, optional=True, element=OPTIONAL_STRING)
AVRO_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")


class ExpansionFailed(Exception):
    """The text stays as it is, under its own schema, and the router logs a warning."""


class SchemaReplacedOnly(Exception):
    """The schema was replaced, but the text was not: what reads both together fails. Holds the new schema."""

    def __init__(self, schema: Schema | None) -> None:
        super().__init__("the schema is the inferred one, the value still the text")
        self.schema = schema


@dataclass(frozen=True)
class Expansion:
    """The options that shape an expansion."""

    keep_nulls: bool = False
    keep_empty_arrays: bool = False
    adjusts_names: bool = False
    names_below_null: bool = False  # before 3.0, what has no name lent its children the name "null"

    def expand(self, column: str, text: str, chance: Chance) -> tuple[Schema, Struct]:
        """The payload's new schema and struct.

        column: the payload column's name, after which the struct is named.
        Raises NotExpanded, Poisoned, or NotModelled.
        """
        document = _document(text)
        schema = self._infer(column, document, chance)
        try:
            return _present(schema), _struct(document, schema)
        except JavaFailure:
            raise SchemaReplacedOnly(schema) from None

    def decoded(self, text: str, chance: Chance) -> tuple[Schema, Struct]:
        """A text as a struct without a name. Raises NotExpanded, Failure, NotModelled."""
        document = _document(text)
        schema = self._infer(None, document, chance)
        values = _struct(document, schema)
        return _present(schema), values

    def _infer(self, key: str | None, node: Any, chance: Chance) -> Schema | None:
        match node:
            case None:
                return OPTIONAL_BYTES if self.keep_nulls else None
            case str():
                return OPTIONAL_STRING
            case bool():
                return BOOLEAN
            case int() | float():
                return _number(node)
            case []:
                return EMPTY_ARRAY if self.keep_empty_arrays else None
            case list():
                return Schema(Type.array, optional=True, element=self._element(key, node, chance))
            case _:
                return self._object(key, node, chance)

    def _object(self, key: str | None, node: dict[str, Any], chance: Chance) -> Schema:
        fields = {}
        for name, value in node.items():
            if self.adjusts_names and not AVRO_NAME.fullmatch(name):
                raise NotModelled(f"field.name.adjustment.mode on the member '{name}'")
            below = self._infer(self._below(key, name), value, chance)
            if below is not None:
                if not name:
                    raise ExpansionFailed("a member without a name")
                fields[name] = below
        return Schema(Type.struct, name=key, optional=True, fields=tuple(fields.items()))

    def _below(self, key: str | None, name: str) -> str:
        if self.names_below_null:
            return f"{'null' if key is None else key}.{name}"
        return f"{key}.{name}" if key and key.strip() else name

    def _element(self, key: str | None, array: list[Any], chance: Chance) -> Schema:
        sample = _sample(array)
        if isinstance(sample, dict):
            # value-equal schemas collapse; in what order the rest come is the hash set's affair
            shapes = list(dict.fromkeys(self._object(key, x, chance) for x in array if isinstance(x, dict)))
            first, *others = chance.order(shapes)
            for other in others:
                first = _merged(first, other)
            return first
        schema = self._infer(None, sample, chance)
        if schema is None:
            raise ExpansionFailed("an array whose elements show no type")
        return schema


def _document(text: str) -> Any:
    if not text.startswith(("{", "[")):
        raise ExpansionFailed("it begins with neither { nor [")
    try:
        document = jackson.parse(text)
    except jackson.TooDeep:
        raise NotModelled(f"JSON nested deeper than {jackson.FOLLOWED} levels") from None
    except jackson.UnreadableJson as cause:
        raise ExpansionFailed(str(cause)) from None
    if jackson.deeper(document, jackson.FOLLOWED):
        raise NotModelled(f"JSON nested deeper than {jackson.FOLLOWED} levels")
    return document


def _number(node: float) -> Schema:
    if isinstance(node, float):
        return FLOAT64
    if -(2**31) <= node < 2**31:
        return INT32
    return INT64 if -(2**63) <= node < 2**63 else FLOAT64


def _kind(node: Any) -> str:
    return {str: "STRING", bool: "BOOLEAN", int: "NUMBER", float: "NUMBER", list: "ARRAY"}.get(type(node), "OBJECT")


def _sample(array: list[Any]) -> Any:
    """The first element that is not null; None if there is none. Raises NotExpanded where others are of other kinds."""
    present = [x for x in array if x is not None]
    if not present:
        return None
    sample = present[0]
    if any(_kind(x) != _kind(sample) for x in present):
        raise ExpansionFailed("an array of several kinds")
    if _kind(sample) == "NUMBER" and any(_number(x) is not _number(sample) for x in present):
        raise ExpansionFailed("an array of several number types")
    return sample


def _merged(left: Schema, right: Schema) -> Schema:
    fields = dict(left.fields)
    for name, schema in right.fields:
        old = fields.get(name)
        if old is None or (old.type is Type.bytes and schema.type is not Type.bytes):
            fields[name] = schema
    return replace(left, optional=False, fields=tuple(fields.items()))


def _present(schema: Schema | None) -> Schema:
    if schema is None:
        raise JavaFailure("NullPointerException", "")
    return schema


def _struct(node: dict[str, Any], schema: Schema | None) -> Struct:
    if schema is None:
        raise JavaFailure("NullPointerException", "")
    if schema.type is not Type.struct:
        raise JavaFailure("DataException", f"Not a struct schema: {schema}")
    values = {}
    for name, field in schema.fields:
        if name in node:
            values[name] = _value(node[name], field)
            validate(field, values[name], None, f'field: "{name}"')
    return Struct(schema, values)


def _value(node: Any, schema: Schema | None) -> Any:
    if isinstance(node, list):
        if schema is None or schema.type is not Type.array:
            raise JavaFailure("DataException", "Cannot look up value schema on non-array and non-map type")
        return [_value(x, schema.element) for x in node]
    if isinstance(node, dict):
        return _struct(node, schema)
    if type(node) is int and not -(2**63) <= node < 2**63:
        return Decimal(node)
    return node
