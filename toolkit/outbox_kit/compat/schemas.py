"""Whether every value of one JSON Schema is one of another, and if not, a value that is not. Pure.

jsonschema-rs decides it by set algebra. What it cannot decide is said to be undecided, never to be compatible.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any

import jsonschema_rs

from outbox_kit.schema.sample import NoSample, sample

Schema = Any  # an object, or a boolean


class Answer(StrEnum):
    """Whether one set of values lies in another."""

    yes = "yes"
    no = "no"
    undecided = "undecided"


class Policy(StrEnum):
    """What is taken for granted about writers and readers.

    tolerant: a writer writes no member that its schema does not name, and a reader lets those pass that it does not
    know. strict: whatever a schema does not forbid may be written.
    """

    tolerant = "tolerant"
    strict = "strict"


@dataclass(frozen=True)
class Comparison:
    """The answer, and for a no: a value that is lost, where one was found, with where it offends and which rule.

    why: for an undecided one, what stood in the way.
    """

    answer: Answer
    witness: Any = None
    pointer: str = ""
    rule: str = ""
    why: str = ""


def compare(written: Schema, read: Schema, policy: Policy = Policy.tolerant) -> Comparison:
    """Whether all that is written by one schema can be read by the other."""
    if policy is Policy.tolerant:
        written = closed(written)
    try:
        own, other = jsonschema_rs.canonicalize(written), jsonschema_rs.canonicalize(read)
        answer = Answer(ANSWERS[str(other.covers(own)).rsplit(".", 1)[-1].lower()])
        left = None if answer is Answer.yes else own.subtract(other).to_json_schema()
    except (ValueError, TypeError, jsonschema_rs.ReferencingError) as cause:
        return Comparison(Answer.undecided, why=" ".join(str(cause).split()))
    if answer is Answer.yes:
        return Comparison(Answer.yes)
    found = _witness(left, written, read)
    if found is not None:
        return found  # one value that is lost settles it, whatever the algebra says
    if answer is Answer.no:
        return Comparison(Answer.no)
    return Comparison(Answer.undecided, why="the schemas use what cannot be compared")


ANSWERS = {"yes": "yes", "no": "no", "unknown": "undecided"}


def _witness(left: Schema, written: Schema, read: Schema) -> Comparison | None:
    """A value of what is left over, held against both schemas: only one that really tells them apart is shown."""
    writer, reader = jsonschema_rs.validator_for(written), jsonschema_rs.validator_for(read)
    for part, least in product(_parts(left), (False, True)):
        try:
            value = sample(part, least=least)
        except NoSample:
            continue
        if writer.is_valid(value) and not reader.is_valid(value):
            error = next(iter(reader.iter_errors(value)))
            pointer = "/".join(["", *map(str, error.instance_path)]) or "/"
            return Comparison(Answer.no, value, pointer, "/".join(map(str, error.schema_path)))
    return None


def _parts(left: Schema) -> list[Schema]:
    """The alternatives of what is left over, each by itself."""
    parts = left.get("anyOf", [left]) if isinstance(left, Mapping) else [left]
    return [part for part in parts if isinstance(part, Mapping)]


COMPOSED = ("allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas", "unevaluatedProperties", "patternProperties")


def closed(schema: Schema) -> Schema:
    """A schema whose objects hold no member that it does not name; one that is composed of others stays as it is."""
    if not isinstance(schema, Mapping):
        return schema
    found = {name: _closed_below(name, part) for name, part in schema.items()}
    names = isinstance(schema.get("properties"), Mapping) and not any(word in schema for word in COMPOSED)
    return found | {"additionalProperties": False} if names and "additionalProperties" not in schema else found


def _closed_below(name: str, part: Any) -> Any:
    match name, part:
        case (("properties" | "$defs" | "definitions" | "patternProperties"), Mapping()):
            return {key: closed(value) for key, value in part.items()}
        case (("items" | "additionalProperties" | "contains"), Mapping()):
            return closed(part)
        case (("prefixItems" | "oneOf" | "anyOf"), list()):
            return [closed(value) for value in part]
    return part
