"""Whether every value of one JSON Schema is one of another, and if not, a value that is not. Pure.

jsonschema-rs decides it by set algebra. What it cannot decide is undecided, never compatible.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any

import jsonschema_rs

from outbox_kit.schema.sample import NoSample, sample
from outbox_kit.schema.violation import MASK, violation

Schema = Any  # an object, or a boolean


class Compatibility(StrEnum):
    """Whether one set of values lies in another."""

    yes = "yes"
    no = "no"
    undecided = "undecided"


class Assumption(StrEnum):
    """What is taken for granted about writers and readers."""

    tolerant = "tolerant"
    """A writer writes no member that its schema does not name, and a reader lets those pass that it does not know."""
    strict = "strict"
    """Whatever a schema does not forbid may be written."""


@dataclass(frozen=True)
class SchemaComparison:
    """The answer, and for a no: an example that the reader rejects, with the place and keyword that reject it."""

    answer: Compatibility
    witness: Any = None
    pointer: str = ""
    rule: str = ""
    violation: str = ""
    """What is wrong with that value, in words."""
    why: str = ""
    """For an undecided one, the reason."""


def compare(writer_schema: Schema, reader_schema: Schema, policy: Assumption = Assumption.tolerant) -> SchemaComparison:
    """Whether all that is written by one schema can be read by the other."""
    if policy is Assumption.tolerant:
        writer_schema = closed(writer_schema)
    try:
        writer, reader = jsonschema_rs.canonicalize(writer_schema), jsonschema_rs.canonicalize(reader_schema)
        answer = Compatibility(ANSWERS[str(reader.covers(writer)).rsplit(".", 1)[-1].lower()])
        difference = None if answer is Compatibility.yes else writer.subtract(reader).to_json_schema()
    except (ValueError, TypeError, jsonschema_rs.ReferencingError) as cause:
        return SchemaComparison(Compatibility.undecided, why=" ".join(str(cause).split()))
    if answer is Compatibility.yes:
        return SchemaComparison(Compatibility.yes)
    example = _witness(difference, writer_schema, reader_schema)
    if example is not None:
        return example  # one value that is lost settles it, whatever the algebra says
    if answer is Compatibility.no:
        return SchemaComparison(Compatibility.no)
    return SchemaComparison(Compatibility.undecided, why="the schemas use keywords that cannot be compared")


ANSWERS = {"yes": "yes", "no": "no", "unknown": "undecided"}


def _witness(difference: Schema, writer_schema: Schema, reader_schema: Schema) -> SchemaComparison | None:
    """A value of what is left over, held against both schemas: only one that really tells them apart is shown."""
    writer = jsonschema_rs.validator_for(writer_schema)
    reader = jsonschema_rs.validator_for(reader_schema, mask=MASK)
    for part, least in product(_parts(difference), (False, True)):
        try:
            value = sample(part, least=least)
        except NoSample:
            continue
        if writer.is_valid(value) and not reader.is_valid(value):
            error = next(iter(reader.iter_errors(value)))
            pointer = "/".join(["", *map(str, error.instance_path)]) or "/"
            keyword = "/".join(map(str, error.schema_path))
            return SchemaComparison(Compatibility.no, value, pointer, keyword, violation(error))
    return None


def _parts(difference: Schema) -> list[Schema]:
    """The remaining alternatives, one by one."""
    parts = difference.get("anyOf", [difference]) if isinstance(difference, Mapping) else [difference]
    return [part for part in parts if isinstance(part, Mapping)]


COMPOSED = ("allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas", "unevaluatedProperties", "patternProperties")


def closed(schema: Schema) -> Schema:
    """A schema whose objects hold no member that it does not name; one that is composed of others stays as it is."""
    if not isinstance(schema, Mapping):
        return schema
    below = {name: _closed_below(name, part) for name, part in schema.items()}
    names = isinstance(schema.get("properties"), Mapping) and not any(word in schema for word in COMPOSED)
    return below | {"additionalProperties": False} if names and "additionalProperties" not in schema else below


def _closed_below(name: str, part: Any) -> Any:
    match name, part:
        case (("properties" | "$defs" | "definitions" | "patternProperties"), Mapping()):
            return {key: closed(value) for key, value in part.items()}
        case (("items" | "additionalProperties" | "contains"), Mapping()):
            return closed(part)
        case (("prefixItems" | "oneOf" | "anyOf"), list()):
            return [closed(value) for value in part]
    return part
