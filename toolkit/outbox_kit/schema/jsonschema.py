"""The published JSON Schema of the schema file, for editors."""

from typing import Any

from outbox_kit.schema.model import Outbox


def jsonschema() -> dict[str, Any]:
    """The schema of one YAML document of a schema file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "outbox-kit schema file",
        **{key: value for key, value in Outbox.model_json_schema(by_alias=True).items() if key != "title"},
    }
