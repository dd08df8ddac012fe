"""An error of a JSON Schema in words. Pure."""

from typing import Any

MASK = "the value"
"""What validators write in place of a document's values; see `jsonschema_rs.validator_for`."""


def violation(error: Any) -> str:
    """The place in the document and what is wrong with it, and no value. error: of a validator with the mask."""
    place = "/".join(["", *map(str, error.instance_path)])
    subject = place or "the payload"
    match error.kind.name:
        case "required":
            text = f"required property '{error.kind.property}' is missing"
            return f"{text} in {place}" if place else text
        case "additionalProperties" | "unevaluatedProperties":
            names = ", ".join(f"'{name}'" for name in error.kind.unexpected)
            return f"{subject} has undeclared properties: {names}"
        case "type":
            return f"{subject} is not of type {' or '.join(map(str, error.kind.types))}"
    return f"{subject}: {error.message}"
