"""The published JSON Schema of the schema file, for editors."""

import ast
import inspect
from functools import cache
from typing import Any

from outbox_kit.schema import layers, presets
from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.table import Part

ENVIRONMENTS = (
    "What differs from environment to environment, by its name: --env NAME applies it. Maps are merged, other values "
    f"replaced. An environment may change {', '.join(f'`{section}`' for section in layers.CHANGEABLE)}; of `routing`, "
    f"{' and '.join(f'`{key}`' for key in layers.CHANGEABLE['routing'])} only. The events are the same in every one."
)
PRESET_NAMED = {"required": ["preset"], "properties": {"preset": {"type": "string"}}}


def jsonschema() -> dict[str, Any]:
    """The schema of one YAML document of a schema file."""
    document = Outbox.model_json_schema(by_alias=True)
    parts = {part.__name__: part for part in Part.__subclasses__()}
    for name, described in {OutboxFields.__name__: document, **document["$defs"]}.items():
        _describe(parts[name], described["properties"])
    # which a preset may have
    document["$defs"]["SourceTable"]["required"].remove("columns")
    document["required"].remove("events")
    document["anyOf"] = [{"required": ["events"]}, {"required": ["table"], "properties": {"table": PRESET_NAMED}}]
    preset = document["$defs"]["Table"]["properties"]["preset"]
    preset["anyOf"] = [{"enum": list(presets.listed())}, {"type": "null"}]
    document["properties"]["environments"] = {
        "type": "object",
        "default": {},
        "description": ENVIRONMENTS,
        "propertyNames": {"pattern": f"^{layers.NAME.pattern}$"},
        "additionalProperties": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "properties": {section: {} for section in layers.CHANGEABLE},
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "outbox-kit schema file",
        **{key: value for key, value in document.items() if key != "title"},
    }


def _describe(part: type[Part], properties: dict[str, dict[str, Any]]) -> None:
    """Put the text below each field into its property."""
    for alias, description in _descriptions(part).items():
        properties[alias]["description"] = description


@cache
def _descriptions(part: type[Part]) -> dict[str, str]:
    """The text below each field, by its alias. Pydantic can do it too, but on every import, at 30 ms."""
    class_node = ast.parse(inspect.getsource(part)).body[0]
    assert isinstance(class_node, ast.ClassDef)  # noqa: S101 - a class's source is one
    descriptions = {}
    for field, text in zip(class_node.body, class_node.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                descriptions[part.model_fields[name].alias or name] = inspect.cleandoc(words)
    return descriptions
