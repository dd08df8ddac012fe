"""Connector configs from a text: JSON of Kafka Connect and MSK Connect, YAML of Strimzi, Java properties, Terraform.

The position of each key is kept, so that a finding has a line. Pure: text in, documents out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from outbox_kit.errors import BadConfigFile
from outbox_kit.lint import managed, terraform
from outbox_kit.properties import properties
from outbox_kit.schema import yaml

Spot = tuple[int, int]
START: Spot = (1, 1)
DEEPEST = 30
NOTHING = re.compile(r"^[ \t]*(?:#.*|---[ \t]*)$", re.MULTILINE)  # comments, and separators of documents


@dataclass(frozen=True)
class Document:
    """One connector's config in a file."""

    kind: str
    """Json, strimzi, properties, server, terraform or schema."""
    name: str | None
    """The name of the connector; None if the file does not contain it."""
    config: Mapping[str, str]
    spots: Mapping[str, Spot]
    """The options that stand in the file, with line and column."""
    start: Spot = START
    odd: Mapping[str, str] = field(default_factory=dict)
    """Keys whose value is a list or an object, with what it is."""
    twice: tuple[str, ...] = ()
    """Keys that occur more than once."""
    release: str | None = None
    """The Debezium release that runs it, if its kind decides that."""
    origins: Mapping[str, Spot] = field(default_factory=dict)
    """The options that are generated from a key of a schema file, with the key's line and column."""

    def spot(self, key: str) -> Spot:
        """Line and column of a key, both from 1; the config's beginning for a key that is not there."""
        return self.spots.get(key) or self.origins.get(key, self.start)


def documents(text: str, source: str) -> list[Document]:
    """Every connector config in a text. source: the file's name, for messages. Raises BadConfigFile."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if not NOTHING.sub("", stripped).strip():
        raise BadConfigFile(
            f"'{source}' is empty", fix="name a schema file or a connector config, or write one: outbox-kit init"
        )
    if stripped[0] in "{[":
        return _from_json(text.lstrip("\ufeff"), source)
    if terraform.has_connector(text):
        return _from_terraform(text)
    if _looks_like_properties(stripped):
        return [_from_properties(text)]
    return _from_yaml(text, source)


def is_schema_file(text: str) -> bool:
    """Whether a text is one of our own schema files: its top level names a service or a database with a dialect."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped.startswith("{"):
        return _is_schema_in_braces(stripped)
    return bool(re.search(r"^(service|database)\s*:", text, re.MULTILINE)) and not re.search(
        r"^(kind|apiVersion)\s*:", text, re.MULTILINE
    )


STRIMZI = "KafkaConnector"
SPECIFIED = (("class", "connector.class"), ("tasksMax", "tasks.max"))  # which Strimzi puts into the config
OWN_KEYS = {"service", "database", "events"}


def _is_schema_in_braces(text: str) -> bool:
    """The same for one in JSON, or in YAML's braces."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return bool(re.match(r"\{\s*[\"']?(service|database)[\"']?\s*:", text))
    return isinstance(raw, dict) and len(OWN_KEYS & raw.keys()) > 1 and "connector.class" not in raw


# -- JSON -------------------------------------------------------------------------------------------------------------


class _Pairs(list[tuple[str, Any]]):
    """A JSON object's members, with those that stand there twice."""


def _from_json(text: str, source: str) -> list[Document]:
    try:
        raw = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as cause:
        where = f"{source}:{cause.lineno}:{cause.colno}"
        raise BadConfigFile("invalid JSON", where=where, why=cause.msg) from None
    except (ValueError, RecursionError) as cause:
        raise BadConfigFile("invalid JSON", where=source, why=str(cause)) from None
    at, parsed = 0, []
    for name, config in _configs(raw, 0):
        spots, at = _spots(text, [key for key, _ in config], at)
        parsed.append(_document("json", name, config, spots))
    if not parsed:
        raise BadConfigFile(
            "no connector config found in the JSON",
            where=f"{source}:1:1",
            why="expected an object with connector.class, or an object with name and config",
        )
    return parsed


def _configs(raw: Any, depth: int) -> Iterator[tuple[str | None, _Pairs]]:
    """Objects that are a config, wherever they lie: alone, under `config`, in a list, in a map of names."""
    if depth > DEEPEST:
        return
    if isinstance(raw, _Pairs):
        members = dict(raw)
        config = members.get("config")
        requested = members.get("connectorConfiguration")
        if members.get("kind") == STRIMZI:
            yield _resource_in_json(members)
        elif isinstance(requested, _Pairs):
            yield _text(members.get("connectorName")), requested
        elif isinstance(config, _Pairs):
            yield _text(members.get("name")), config
        elif any(key == "connector.class" or key.startswith("transforms") for key in members):
            yield _text(members.get("name")), raw
        else:
            for _, value in raw:
                yield from _configs(value, depth + 1)
    elif isinstance(raw, list):
        for value in raw:
            yield from _configs(value, depth + 1)


def _resource_in_json(members: Mapping[str, Any]) -> tuple[str | None, _Pairs]:
    """The name and the config of Strimzi's resource."""
    metadata, spec = (dict(_pairs(members.get(key))) for key in ("metadata", "spec"))
    options = [(option, spec[key]) for key, option in SPECIFIED if key in spec]
    return _text(metadata.get("name")), _Pairs([*_pairs(spec.get("config")), *options])


def _pairs(value: Any) -> _Pairs:
    return value if isinstance(value, _Pairs) else _Pairs()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _spots(text: str, keys: list[str], start: int) -> tuple[dict[str, Spot], int]:
    """Where each key stands, searched from `start` on."""
    spots: dict[str, Spot] = {}
    at = start
    for key in keys:
        match = re.compile(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:").search(text, start)
        if match:
            spots.setdefault(key, _spot(text, match.start()))
            at = max(at, match.end())
    return spots, at


def _spot(text: str, at: int) -> Spot:
    line = text.count("\n", 0, at) + 1
    return line, at - (text.rfind("\n", 0, at) + 1) + 1


def _from_terraform(text: str) -> list[Document]:
    parsed = []
    for connector in terraform.connectors(text):
        pairs: list[tuple[str, Any]] = [(option.name, option.value) for option in connector]
        spots = {option.name: _spot(text, option.at) for option in reversed(connector)}
        name, release = _text(dict(pairs).get("name")), None
        if managed.is_managed(config := dict(pairs)):
            translated, release = list(managed.as_connect(config)), managed.RELEASE
            pairs = [(option, value) for option, _, value in translated]
            spots = {option: spots[origin] for option, origin, _ in translated if origin in spots}
        parsed.append(replace(_document("terraform", name, pairs, spots), release=release))
    return parsed


def _document(kind: str, name: str | None, pairs: list[tuple[str, Any]], spots: Mapping[str, Spot]) -> Document:
    config, odd, twice = {}, {}, []
    for key, value in pairs:
        if key in config:
            twice.append(key)
        config[key] = _scalar(value)
        if isinstance(value, list | dict):
            odd[key] = "an object" if isinstance(value, _Pairs | dict) else "a list"
    start = min(spots.values(), default=START)
    return Document(kind, name, config, spots, start, odd, tuple(twice))


def _scalar(value: Any) -> str:
    """A value as Connect takes it: text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ",".join(map(_scalar, value))
    return "" if value is None else str(value)


# -- YAML -------------------------------------------------------------------------------------------------------------


def _from_yaml(text: str, source: str) -> list[Document]:
    parsed = []
    try:
        for raw in yaml.loaded(text):
            for resource in _resources(raw, 0):
                parsed.append(_from_resource(resource))
    except YAMLError as cause:
        problem = "unsupported YAML" if isinstance(cause, yaml.RefusedYaml) else "invalid YAML"
        raise BadConfigFile(problem, where=yaml.place(cause, source), why=yaml.why(cause)) from None
    except (ValueError, RecursionError, AttributeError, TypeError) as cause:
        raise BadConfigFile("invalid YAML", where=source, why=" ".join(str(cause).split())) from None
    if not parsed:
        raise BadConfigFile(
            "no connector config found in the YAML",
            where=f"{source}:1:1",
            why="expected a resource of kind KafkaConnector, a mapping with connector.class, or a schema file",
        )
    return parsed


def _resources(raw: Any, depth: int) -> Iterator[CommentedMap]:
    """Mappings that are a KafkaConnector, or a bare config, also inside lists and templates."""
    if depth > DEEPEST:
        return
    if isinstance(raw, CommentedMap):
        if raw.get("kind") == STRIMZI or "connector.class" in raw or _is_named_config(raw):
            yield raw
            return
        raw = list(raw.values())
    if isinstance(raw, list):
        for value in raw:
            yield from _resources(value, depth + 1)


def _is_named_config(raw: CommentedMap) -> bool:
    config = raw.get("config")
    return isinstance(config, CommentedMap) and "connector.class" in config


def _from_resource(resource: CommentedMap) -> Document:
    if resource.get("kind") != STRIMZI:
        name, config = resource.get("name"), resource.get("config", resource)
        return _document("json", _text(name), _yaml_pairs(config), _yaml_spots(config))
    spec = resource.get("spec") if isinstance(resource.get("spec"), CommentedMap) else CommentedMap()
    config = spec.get("config") if isinstance(spec.get("config"), CommentedMap) else CommentedMap()
    metadata = resource.get("metadata")
    name = metadata.get("name") if isinstance(metadata, CommentedMap) else None
    pairs, spots = _yaml_pairs(config), _yaml_spots(config)
    for key, option in SPECIFIED:
        if key in spec:
            pairs.append((option, spec[key]))
            spots[option] = _yaml_spot(spec, key)
    return _document("strimzi", _text(name), pairs, spots)


def _yaml_pairs(config: CommentedMap) -> list[tuple[str, Any]]:
    return [(str(key), value) for key, value in config.items()]


def _yaml_spots(config: CommentedMap) -> dict[str, Spot]:
    return {str(key): _yaml_spot(config, key) for key in config}


def _yaml_spot(config: CommentedMap, key: Any) -> Spot:
    try:
        line, column = config.lc.key(key)
    except (KeyError, AttributeError, TypeError):
        return START  # it comes from a merged anchor
    return line + 1, column + 1


# -- Java properties --------------------------------------------------------------------------------------------------


def _looks_like_properties(text: str) -> bool:
    """The first line that says something is `key=value`, the key being of words and dots."""
    for line in text.splitlines():
        if line.strip() and line.strip()[0] not in "#!":
            return bool(re.match(r"[\w.\-$]+[ \t]*=", line.strip()))
    return False


def _from_properties(text: str) -> Document:
    entries = list(properties(text))
    pairs = [(entry.name, entry.value) for entry in entries]
    spots = {entry.name: (entry.line, entry.column) for entry in reversed(entries)}
    if any(key.startswith(OF_SERVER) for key, _ in pairs):
        return _of_server(pairs, spots)
    name = dict(pairs).get("name")
    return _document("properties", name, pairs, spots)


OF_SERVER = "debezium.source."
SERVER_PREFIXES = (OF_SERVER, "debezium.")
SERVER_OWN = ("debezium.source.offset.storage", "debezium.source.offset.flush.")  # a worker's options elsewhere
SERVER_PARTS = (OF_SERVER, "debezium.transforms", "debezium.predicates")
FORMATS = {
    "json": "org.apache.kafka.connect.json.JsonConverter",
    "string": "org.apache.kafka.connect.storage.StringConverter",
    "binary": "io.debezium.converters.BinaryDataConverter",
    "simplestring": "org.apache.kafka.connect.storage.StringConverter",
    "cloudevents": "io.debezium.converters.CloudEventsConverter",
}


def _of_server(pairs: list[tuple[str, Any]], spots: Mapping[str, Spot]) -> Document:
    """Debezium Server's application.properties: its source, transformations and formats as Connect names them."""
    converter_of = {"debezium.format.key": "key.converter", "debezium.format.value": "value.converter"}
    converted, places = list[tuple[str, Any]](), dict[str, Spot]()
    for key, value in [*((key, "json") for key in converter_of if key not in dict(pairs)), *pairs]:
        if key in converter_of:
            new, value = converter_of[key], FORMATS.get(value.strip().lower(), value)
        elif part := next((old for old in converter_of if key.startswith(f"{old}.")), None):
            new = converter_of[part] + key.removeprefix(part)
        elif key.startswith(SERVER_PARTS) and not key.startswith(SERVER_OWN):
            new = key.removeprefix(next(prefix for prefix in SERVER_PREFIXES if key.startswith(prefix)))
        else:
            continue
        converted.append((new, value.replace("$$", "$")))
        if key in spots:
            places[new] = spots[key]
    return _document("server", None, converted, places)
