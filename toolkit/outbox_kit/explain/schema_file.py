"""The keys of the schema file in words: one by its path, and the reference page."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from outbox_kit.explain.options import GENERATED, markdown
from outbox_kit.schema.jsonschema import jsonschema

REFERENCE = "#/$defs/"


@dataclass(frozen=True)
class Key:
    """A key of the schema file."""

    path: str
    """Its place, such as `table.retention`, or `events[].type` for a key of a list's elements."""
    type: str
    """The values that it takes, in words."""
    default: str
    """The value if the key is left out, as YAML; empty if it is required or has none."""
    required: bool
    description: str


@dataclass(frozen=True)
class Section:
    """The keys of one mapping of the schema file."""

    path: str
    """The place of the mapping; empty for the document itself."""
    description: str
    keys: tuple[Key, ...]


def text(path: str) -> str:
    """A key in words, and the keys below it.

    path: the place of a key, with or without the brackets of lists.
    Returns an empty text if there is no such key.
    """
    requested = path.replace("[]", "")
    return "\n".join(_lines(key) for key in keys() if _is_at_or_below(key.path.replace("[]", ""), requested))


def names() -> list[str]:
    """The path of every key."""
    return [key.path for key in keys()]


def keys() -> list[Key]:
    """Every key of the schema file, in the order of the file."""
    return [key for section in sections() for key in section.keys]


@cache
def sections() -> tuple[Section, ...]:
    """Every mapping of the schema file, the document itself first."""
    document = jsonschema()
    return tuple(_sections("", document, document["$defs"]))


def _is_at_or_below(path: str, requested: str) -> bool:
    return path == requested or path.startswith(f"{requested}.")


def _sections(path: str, mapping: Mapping[str, Any], definitions: Mapping[str, Any]) -> Iterator[Section]:
    without_preset: Mapping[str, Any] = next(iter(mapping.get("anyOf", ())), {})
    required = {*mapping.get("required", ()), *without_preset.get("required", ())}
    yield Section(
        path,
        mapping.get("description", ""),
        tuple(
            Key(
                _join(path, name),
                _type(value),
                _default(value),
                name in required,
                " ".join(_description(value, definitions).split()),
            )
            for name, value in mapping["properties"].items()
        ),
    )
    for name, value in mapping["properties"].items():
        below, is_list = _mapping_in(value, definitions)
        if below is not None:
            yield from _sections(f"{_join(path, name)}{'[]' if is_list else ''}", below, definitions)


def _mapping_in(value: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, bool]:
    """The mapping that a key has, and whether the key has a list of it."""
    for candidate, is_list in ((value, False), (value.get("items", {}), True)):
        for alternative in (candidate, *candidate.get("anyOf", ())):
            if reference := alternative.get("$ref"):
                return definitions[reference.removeprefix(REFERENCE)], is_list
    return None, False


def _description(value: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """The description of a key, or of the mapping that it has."""
    reference = str(value.get("$ref", "")).removeprefix(REFERENCE)
    return str(value.get("description") or definitions.get(reference, {}).get("description", ""))


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _default(value: Mapping[str, Any]) -> str:
    default = value.get("default")
    if default is None or isinstance(default, dict) or _is_mapping(value):
        return ""
    return default if isinstance(default, str) else json.dumps(default)


def _is_mapping(value: Mapping[str, Any]) -> bool:
    return "$ref" in value or "$ref" in str(value.get("anyOf", ""))


def _type(value: Mapping[str, Any]) -> str:
    """The values that a property takes, in words."""
    if "anyOf" in value:
        # a key whose default is null takes null, and needs no word about it
        nullable = value.get("default", ...) is None
        words = dict.fromkeys(_type(alternative) for alternative in value["anyOf"])
        return " or ".join(word for word in words if not (nullable and word == "null"))
    if "$ref" in value:
        return "mapping"
    if "enum" in value:
        return ", ".join(f"`{choice}`" for choice in value["enum"])
    match value.get("type"):
        case "array":
            return f"list of {_plural(_type(value['items']))}"
        case "object":
            return "mapping"
        case "integer":
            return f"integer{_range(value)}"
        case str(kind):
            return kind
    return "any"


def _plural(words: str) -> str:
    return f"{words}s" if words.isalpha() else words


def _range(value: Mapping[str, Any]) -> str:
    bounds = (value.get("minimum"), value.get("maximum"))
    return "" if None in bounds else f" from {bounds[0]} to {bounds[1]}"


# -- terminal ---------------------------------------------------------------------------------------------------------


def _lines(key: Key) -> str:
    facts = {
        "type": key.type.replace("`", ""),
        "default": key.default,
        "required": "yes" if key.required else "",
        "meaning": key.description,
    }
    return "\n".join(
        [f"{key.path} (schema file)", *(f"  {label:<10}{fact}" for label, fact in facts.items() if fact), ""]
    )


# -- Markdown ---------------------------------------------------------------------------------------------------------

INTRODUCTION = """Every key of `outbox.yaml`. `outbox-kit explain table.retention` prints a key at a terminal, and
`outbox-kit check --explain` prints every setting of your file with its value. One YAML document is one outbox; a file
may hold several, separated by `---`. A key that is not listed is rejected."""


def page() -> str:
    """The keys of the schema file as a page."""
    lines = ["# Schema file reference", "", GENERATED, "", INTRODUCTION, ""]
    for section in sections():
        lines += [f"## {section.path or 'Top level'}", "", markdown(section.description), ""]
        lines += ["| key | values | default | meaning |", "| --- | --- | --- | --- |"]
        lines += [_row(key) for key in section.keys]
        lines.append("")
    return "\n".join(lines)


def _row(key: Key) -> str:
    default = "**required**" if key.required else f"`{key.default}`" if key.default else ""
    name = key.path.rsplit(".", 1)[-1]
    cells = (f"`{name}`", key.type, default, markdown(key.description))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
