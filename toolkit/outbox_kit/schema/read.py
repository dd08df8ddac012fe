"""File to model: every complaint at once, each with file:line:column and the nearest valid name.

The only place that reads a schema file, and the only one that speaks of pydantic's and YAML's errors.
"""

import errno
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import orjson
from pydantic import BaseModel, ValidationError
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from outbox_kit.errors import BadSchemaFile, UnknownName
from outbox_kit.schema import presets, yaml
from outbox_kit.schema.characters import IN_WORDS, unprintable
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.nearest import nearest
from outbox_kit.textfile import TooLarge, content

Where = tuple[int | str, ...]
MOST_OUTBOXES = 200  # each is compared with each


@dataclass(frozen=True)
class SchemaFile:
    """A schema file that was read: its path and its outboxes, at least one."""

    path: Path
    outboxes: tuple[Outbox, ...]
    nodes: tuple[CommentedMap, ...] = field(repr=False)

    def where(self, outbox: Outbox, *steps: int | str) -> tuple[int, int]:
        """Line and column, from 1, of an outbox or of a part of it."""
        at = next(number for number, candidate in enumerate(self.outboxes) if candidate is outbox)
        return _position(self.nodes[at], steps)

    def outbox(self, service: str | None = None) -> Outbox:
        """The outbox of a service, or the only one. Raises UnknownName where the choice is not clear."""
        services = [outbox.service for outbox in self.outboxes]
        if service is None and len(services) == 1:
            return self.outboxes[0]
        for outbox in self.outboxes:
            if outbox.service == service:
                return outbox
        problem = f"no service '{service}' in the file" if service else f"the file holds {len(services)} outboxes"
        raise UnknownName(problem, where=str(self.path), fix=f"choose one: --service {' | '.join(services)}")


def read(path: Path) -> SchemaFile:
    """Read and check a schema file, with the JSON Schemas it names.

    Raises BadSchemaFile with every complaint found, one line each.
    """
    documents = list(_documents(path))
    if not documents:
        raise BadSchemaFile(f"'{path}' is empty", fix="write a starter with: outbox-kit init")
    if len(documents) > MOST_OUTBOXES:
        why = f"it holds {len(documents)} outboxes; the most is {MOST_OUTBOXES}"
        raise BadSchemaFile(f"'{path}' is too large", why=why, fix="split it into several schema files")
    outboxes: list[Outbox] = []
    problems: list[str] = []
    for document in documents:
        plain = _plain(document)
        if strays := list(unprintable(plain)):
            problems += [
                f"{path}:{':'.join(map(str, _position(document, at)))}: {_dotted(at)} {problem}"
                for at, problem in strays
            ]
            continue
        try:
            outbox = Outbox.model_validate(presets.spread(plain))
        except UnknownName as cause:
            line, column = _position(document, ("table", "preset"))
            problems += [f"{path}:{line}:{column}: {', '.join(filter(None, (cause.what, cause.why)))}; {cause.fix}"]
            continue
        except ValidationError as cause:
            problems += _complaints(path, document, cause.errors())
            continue
        resolved, contract_problems = _with_contracts(path, document, outbox)
        problems += contract_problems
        outboxes.append(resolved)
    problems += [f"{path}: {clash}" for clash in _clashes(outboxes)]
    if problems:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise BadSchemaFile(f"{count} in '{path}'", details=[f"  {line}" for line in problems])
    return SchemaFile(path, tuple(outboxes), tuple(documents))


def complaints(document: dict[str, Any]) -> list[str]:
    """What is wrong with a document that stands in no file, one sentence each; empty if it is an outbox."""
    if strays := [f"{_dotted(at)} {problem}" for at, problem in unprintable(document)]:
        return strays
    try:
        Outbox.model_validate(presets.spread(document))
    except UnknownName as cause:
        return [cause.what]
    except ValidationError as cause:
        return [_sentence(error["loc"], error) for error in cause.errors()]
    return []


def _documents(path: Path) -> Iterator[CommentedMap]:
    try:
        text = content(path).removeprefix("\ufeff")
    except FileNotFoundError as cause:
        raise BadSchemaFile(f"no file '{path}'", fix="write one with: outbox-kit init") from cause
    except TooLarge as cause:
        raise BadSchemaFile(
            f"'{path}' is too large", why=str(cause), fix="split it into several schema files"
        ) from cause
    except (OSError, UnicodeDecodeError) as cause:
        raise BadSchemaFile(f"'{path}' cannot be read", why=str(cause)) from cause
    try:
        for document in yaml.loaded(_without_tabs(text)):
            if document is not None:
                if not isinstance(document, CommentedMap):
                    raise BadSchemaFile(f"'{path}' is not a mapping of keys to values", where=f"{path}:1:1")
                yield document
    except YAMLError as cause:
        problem = "this YAML is refused" if isinstance(cause, yaml.RefusedYaml) else "this is not YAML"
        raise BadSchemaFile(problem, where=yaml.place(cause, str(path)), why=yaml.why(cause)) from None
    except RecursionError as cause:
        raise BadSchemaFile(f"'{path}' is nested too deeply") from cause


def _without_tabs(text: str) -> str:
    """A text with blanks for tabs where it is JSON, whose tabs stand between values only; YAML takes none there."""
    if "\t" not in text or not text.lstrip().startswith("{"):
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text.replace("\t", " ")


def _plain(node: Any) -> Any:
    """YAML's decorated nodes as plain values, so that pydantic sees what JSON would hold."""
    if isinstance(node, Mapping):
        return {str(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(item) for item in node]
    for plain in (bool, int, float, str):
        if isinstance(node, plain):
            return plain(node)
    return node


def _position(document: CommentedMap, location: Where) -> tuple[int, int]:
    """Line and column (from 1) of the deepest node on the way to `where`: the key, if it is there."""
    node: Any = document
    line, column = document.lc.line, document.lc.col
    for step in location:
        try:
            if isinstance(node, CommentedMap):
                line, column = node.lc.key(step)
            elif isinstance(node, CommentedSeq):
                line, column = node.lc.item(step)
            else:
                break
            node = node[step]
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # a name of the model, such as a union's branch, not of the file
    return line + 1, column + 1


def _complaints(path: Path, document: CommentedMap, errors: Sequence[Any]) -> list[str]:
    """One line a complaint, in the file's order."""
    places = [error["loc"] for error in errors]
    problems = []
    for error in errors:
        location: Where = error["loc"]
        if error["type"] == "too_short" and any(
            len(p) > len(location) and p[: len(location)] == location for p in places
        ):
            continue  # the list is only short because its items were refused
        line, column = _position(document, location)
        problems.append((line, column, _sentence(location, error)))
    return [f"{path}:{line}:{column}: {sentence}" for line, column, sentence in sorted(problems)]


def _sentence(location: Where, error: Any) -> str:
    key = ".".join(map(_shown, location)) or "the document"
    match error["type"]:
        case "extra_forbidden":
            return f"unknown key '{_shown(location[-1])}'" + nearest(str(location[-1]), _keys(location[:-1]))
        case "missing":
            return f"'{key}' is missing"
        case "literal_error":
            allowed = [word.strip("' ") for word in error["ctx"]["expected"].replace(" or ", ", ").split(",")]
            return f"'{key}' cannot be {error['input']!r}; it is one of {', '.join(allowed)}" + nearest(
                str(error["input"]), allowed
            )
        case "value_error":
            return (
                error["msg"].removeprefix("Value error, ")
                if not location
                else (f"'{key}' {error['msg'].removeprefix('Value error, ')}")
            )
        case "string_pattern_mismatch" if error["ctx"]["pattern"] in IN_WORDS:
            value = "" if "@" in str(error["input"]) else f" {error['input']!r}"  # an address with a password
            return f"invalid '{key}'{value}: expected {IN_WORDS[error['ctx']['pattern']]}"
        case "string_pattern_mismatch":
            return f"'{key}' is {error['input']!r}, which does not match {error['ctx']['pattern']}"
        case _:
            return f"'{key}': {error['msg'][0].lower()}{error['msg'][1:]}"


def _dotted(location: Where) -> str:
    return f"'{'.'.join(map(_shown, location))}'" if location else "a key of the document"


def _shown(step: int | str) -> str:
    return repr(step)[1:-1] if isinstance(step, str) else str(step)


def _keys(location: Where) -> list[str]:
    """The keys that the model knows at a place."""
    model: Any = Outbox
    for step in location:
        if isinstance(step, int):
            continue
        by_key = {field.alias or name: field for name, field in model.model_fields.items()}
        if step not in by_key:
            return []
        model = next((t for t in _types(by_key[str(step)].annotation) if issubclass(t, BaseModel)), None)
        if model is None:
            return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _types(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for argument in get_args(annotation):
        yield from _types(argument)


def _with_contracts(path: Path, document: CommentedMap, outbox: Outbox) -> tuple[Outbox, list[str]]:
    """The outbox with each payload's JSON Schema in place of its path, and what is wrong with those."""
    events: list[EventType] = []
    problems: list[str] = []
    for index, event in enumerate(outbox.events):
        try:
            events.append(event.model_copy(update={"payload": _contract(path.parent, event.payload)}))
        except ValueError as cause:
            line, column = _position(document, ("events", index, "payload"))
            problems.append(f"{path}:{line}:{column}: the payload of '{event.type}': {cause}")
    return outbox.model_copy(update={"events": tuple(events)}), problems


def _contract(folder: Path, payload: str | dict[str, Any] | None) -> dict[str, Any] | None:
    """A payload's JSON Schema. Raises ValueError with a sentence."""
    if payload is None:
        return None
    source = f"'{folder / payload}'" if isinstance(payload, str) else "the schema"
    try:
        schema = json.loads(_regular(folder / payload)) if isinstance(payload, str) else payload
        if strays := list(unprintable(schema, contract=True)):
            raise ValueError(f"{_dotted(strays[0][0])} {strays[0][1]}")
        jsonschema_rs.validator_for(schema, retriever=_elsewhere)
        orjson.dumps(schema)  # which `verify` will do too, and which takes no number beyond 64 bits
    except OSError as cause:
        raise ValueError(f"{source} cannot be read ({cause.strerror})") from cause
    except (json.JSONDecodeError, UnicodeDecodeError) as cause:
        raise ValueError(f"{source} is not JSON ({cause})") from cause
    except jsonschema_rs.ValidationError as cause:
        why = cause.message.partition(" and retrieving it failed")[0]
        raise ValueError(f"{source} is no JSON Schema: {why}") from cause
    except (ValueError, TypeError, RecursionError) as cause:
        raise ValueError(f"{source} cannot be taken ({cause})") from cause
    if not isinstance(schema, dict):
        raise ValueError(f"{source} is no JSON Schema: an object is expected")
    return schema


def _regular(path: Path) -> str:
    """The text of a file that a schema file names. Raises OSError, also for a device or a pipe; UnicodeDecodeError."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "no regular file")
    return content(path)


def _elsewhere(uri: str) -> Any:
    """What a schema refers to outside of itself is not looked for: no verdict is to depend on a server."""
    raise ValueError(uri)


def _clashes(outboxes: list[Outbox]) -> list[str]:
    """Names that two outboxes of one file share and must not: the second would take the first one's place."""
    clashes = []
    for part in ("connector", "slot", "publication", "topic_prefix"):
        used = [getattr(outbox.names, part) for outbox in outboxes]
        clashes += [
            f"two outboxes share the {part.replace('_', ' ')} '{name}'"
            for name in sorted({name for name in used if used.count(name) > 1})
        ]
    return clashes
