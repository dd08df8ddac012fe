"""File to model: all mistakes at once, each with file:line:column. The only place that reads a schema file."""

import errno
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from outbox_kit.errors import BadSchemaFile, UnknownName
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.printable import counted
from outbox_kit.schema import messages, presets, yaml
from outbox_kit.schema.characters import unprintable
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.layers import Layers, environments, overlay_problems, position, unknown
from outbox_kit.schema.layers import problems as environment_problems
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.overlay_file import overlay_files, refuse_overlay
from outbox_kit.schema.problem import SchemaProblem, quoted
from outbox_kit.textfile import TooLarge, content

CONNECTOR_CLASS = "connector.class"
KEY = "a key of the document"
INDENTATION = "check the indentation of this line and of the line before, and quotation marks and brackets"
PROPERTY = lazy_pattern(r"(?:^|\s)(?:debezium\.source\.)?connector\.class\s*=")
MOST_OUTBOXES = 200
PLACES = {name: ("connect", name) for name in ("connector", "slot", "publication", "topic_prefix")}


@dataclass(frozen=True)
class SchemaFile:
    """A schema file that was read: its path and its outboxes, at least one."""

    path: Path
    outboxes: tuple[Outbox, ...]
    layers: tuple[Layers, ...] = field(repr=False)
    env: str | None = None
    """The environment that was chosen."""

    def where(self, outbox: Outbox, *steps: int | str) -> tuple[int, int]:
        """Line and column, from 1, of an outbox or of a part of it."""
        at = next(number for number, candidate in enumerate(self.outboxes) if candidate is outbox)
        layers = self.layers[at]
        path, line, column = layers.place(steps)
        return (line, column) if path == self.path else position(layers.document, steps)

    def outbox(self, service: str | None = None) -> Outbox:
        """The outbox of a service, or the only one. Raises UnknownName where the choice is not clear."""
        services = [outbox.service for outbox in self.outboxes]
        if service is None and len(services) == 1:
            return self.outboxes[0]
        for outbox in self.outboxes:
            if outbox.service == service:
                return outbox
        problem = f"service '{service}' not found" if service else f"the file contains {len(services)} outboxes"
        raise UnknownName(problem, where=str(self.path), fix=f"choose one: --service {' | '.join(services)}")


def read(path: Path, env: str | None = None, *, lenient: bool = False, text: str | None = None) -> SchemaFile:
    """Read and check a schema file, with the JSON Schemas it names.

    env: the environment whose overlay is applied; a file with environments needs one. lenient: a file without
    environments is read as it is, whatever env is. text: what the file holds, if it is not to be read: an editor's
    text, or stdin's. Raises BadSchemaFile with all mistakes, one line each, and
    UnknownName for an environment that does not exist or was not chosen.
    """
    documents = list(_documents(path, text))
    if not documents:
        raise BadSchemaFile(f"'{path}' is empty", fix="write a starter: outbox-kit init --force")
    if len(documents) > MOST_OUTBOXES:
        why = f"it contains {len(documents)} outboxes; the maximum is {MOST_OUTBOXES}"
        raise BadSchemaFile(f"'{path}' is too large", why=why, fix="split it into several schema files")
    refuse_overlay(path, documents)
    outboxes: list[Outbox] = []
    nodes: list[Layers] = []
    layered, problems = _layered(path, documents, env, lenient=lenient)
    for document in layered:
        plain = document.merged
        if strays := list(unprintable(plain)):
            problems += _lines(
                document, [SchemaProblem(f"{messages.place_text(at, KEY)} {text}", at) for at, text in strays]
            )
            continue
        try:
            outbox = Outbox.model_validate(presets.spread(plain))
        except UnknownName as cause:
            text = f"{', '.join(filter(None, (cause.what, cause.why)))}; {cause.fix}"
            problems += _lines(document, [SchemaProblem(text, ("table", "preset"))])
            continue
        except ValidationError as cause:
            problems += _lines(document, messages.problems(cause.errors()))
            continue
        resolved, contract_problems = _with_contracts(document, outbox)
        problems += contract_problems
        outboxes.append(resolved)
        nodes.append(document)
    problems += _clashes(outboxes, nodes)
    if problems:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        fix = "correct the file; outbox-kit explain describes a key, such as: outbox-kit explain table.retention"
        raise BadSchemaFile(f"{count} in '{path}'", fix=fix, details=[f"  {line}" for line in problems])
    return SchemaFile(path, tuple(outboxes), tuple(nodes), env)


def _layered(
    path: Path, documents: Sequence[CommentedMap], env: str | None, *, lenient: bool
) -> tuple[list[Layers], list[str]]:
    """Each document with the overlay of an environment, and the mistakes in the environments of all.

    Raises UnknownName, BadSchemaFile.
    """
    mistakes = [line for each in documents for line in _lines(Layers(path, each), environment_problems(each))]
    inline = sorted({str(name) for document in documents for name in environments(document)})
    beside = overlay_files(path)
    names = sorted({*inline, *beside})
    if env is None or (lenient and not names):
        if inline and not mistakes:
            fix = f"choose one: --env {' | '.join(names)}; or set OUTBOX_KIT_ENV"
            raise UnknownName(f"the file defines {counted(len(names), 'environment')}", where=str(path), fix=fix)
        return [Layers(path, document) for document in documents], mistakes
    if env not in names:
        fix = f"choose one: --env {' | '.join(names)}" if names else "leave out --env, and unset OUTBOX_KIT_ENV"
        raise UnknownName(unknown(env, names), where=str(path), fix=fix)
    if env in inline and env in beside:
        fix = f"delete the file, or the key environments.{env}"
        raise BadSchemaFile(f"environment '{env}' is defined in '{path}' and in '{beside[env]}'", fix=fix)
    if env in beside:
        return _with_file(path, documents, beside[env], mistakes)
    layered = []
    for document in documents:
        overlay = environments(document).get(env)
        layered.append(Layers(path, document, None if any(overlay_problems(overlay)) else overlay))
    return layered, mistakes


def _with_file(
    path: Path, documents: Sequence[CommentedMap], file: Path, mistakes: list[str]
) -> tuple[list[Layers], list[str]]:
    """Each document with its overlay of a file beside it: the one of the same service, or the only one.

    Raises BadSchemaFile.
    """
    overlays: dict[str | None, CommentedMap] = {}
    services = [str(document.get("service")) for document in documents]
    for overlay in _documents(file):
        service = overlay.pop("service", services[0] if len(services) == 1 else None)
        if service not in services:
            line, column = position(overlay, ())
            what = f"no outbox of service '{service}'" if service else "an overlay without a service"
            where, fix = f"{file}:{line}:{column}", f"begin it with service: {' | '.join(services)}"
            raise BadSchemaFile(f"{what} in '{path}', which the overlay is for", where=where, fix=fix)
        problems = _lines(Layers(file, overlay), overlay_problems(overlay))
        mistakes = [*mistakes, *problems]
        if not problems:
            overlays[service] = overlay
    pairs = zip(documents, services, strict=True)
    return [Layers(path, document, overlays.get(service), file) for document, service in pairs], mistakes


def complaints(document: dict[str, Any]) -> list[str]:
    """The mistakes of a document that is in no file, one sentence each; empty if it is an outbox."""
    if strays := [f"{messages.place_text(at, KEY)} {problem}" for at, problem in unprintable(document)]:
        return strays
    try:
        Outbox.model_validate(presets.spread(document))
    except UnknownName as cause:
        return [cause.what]
    except ValidationError as cause:
        return [problem.text for problem in messages.problems(cause.errors())]
    return []


def _documents(path: Path, text: str | None = None) -> Iterator[CommentedMap]:
    try:
        text = (content(path) if text is None else text).removeprefix("\ufeff")
    except FileNotFoundError as cause:
        raise BadSchemaFile(
            f"no file '{path}'", fix="write one: outbox-kit init; or name another one: -f FILE"
        ) from cause
    except TooLarge as cause:
        raise BadSchemaFile(
            f"'{path}' is too large", why=str(cause), fix="split it into several schema files"
        ) from cause
    except (OSError, UnicodeDecodeError) as cause:
        raise BadSchemaFile(f"'{path}' cannot be read", why=str(cause)) from cause
    try:
        for document in yaml.loaded(_without_tabs(text)):
            if document is not None:
                if _is_connector_config(document):
                    raise BadSchemaFile(
                        f"'{path}' is a connector config, not a schema file",
                        fix=f"outbox-kit check and outbox-kit preview accept it: outbox-kit check {path}",
                    )
                if not isinstance(document, CommentedMap):
                    raise BadSchemaFile(f"'{path}' is not a mapping of keys to values", where=f"{path}:1:1")
                yield document
    except YAMLError as cause:
        refused = isinstance(cause, yaml.RefusedYaml)
        problem, fix = ("unsupported YAML", "") if refused else ("invalid YAML", INDENTATION)
        raise BadSchemaFile(problem, where=yaml.place(cause, str(path)), why=yaml.why(cause), fix=fix) from None
    except RecursionError as cause:
        raise BadSchemaFile(f"'{path}' is nested too deeply") from cause


def _is_connector_config(document: Any) -> bool:
    """Whether a document is the config of a connector: of Kafka Connect, of Strimzi, or as Java properties."""
    if isinstance(document, str):
        return bool(PROPERTY.search(document))
    if not isinstance(document, CommentedMap):
        return False
    config = document.get("config")
    nested = isinstance(config, CommentedMap) and CONNECTOR_CLASS in config
    return nested or CONNECTOR_CLASS in document or document.get("kind") == "KafkaConnector"


def _without_tabs(text: str) -> str:
    """A text with blanks for tabs where it is JSON, whose tabs stand between values only; YAML takes none there."""
    if "\t" not in text or not text.lstrip().startswith("{"):
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text.replace("\t", " ")


def _lines(document: Layers, problems: Iterable[SchemaProblem]) -> list[str]:
    """One line for each mistake, in the order of the file."""
    lines = []
    for problem in problems:
        path, line, column = document.place(problem.at)
        first = document.place(problem.first) if problem.first and document.has(problem.first) else None
        earlier = f"; first at {first[0]}:{first[1]}:{first[2]}" if first else ""
        lines.append((str(path), line, column, f"{problem.text}{earlier}"))
    return [f"{path}:{line}:{column}: {text}" for path, line, column, text in sorted(lines)]


def _with_contracts(document: Layers, outbox: Outbox) -> tuple[Outbox, list[str]]:
    """The outbox with each payload's JSON Schema in place of its path, and what is wrong with those."""
    events: list[EventType] = []
    problems: list[str] = []
    for index, event in enumerate(outbox.events):
        try:
            events.append(event.model_copy(update={"payload": _contract(document.path.parent, event.payload)}))
        except ValueError as cause:
            path, line, column = document.place(("events", index, "payload"))
            problems.append(f"{path}:{line}:{column}: the payload of '{event.type}': {cause}")
    return outbox.model_copy(update={"events": tuple(events)}), problems


def _contract(folder: Path, payload: str | dict[str, Any] | None) -> dict[str, Any] | None:
    """A payload's JSON Schema. Raises ValueError with a sentence."""
    if payload is None:
        return None
    import jsonschema_rs

    source = f"'{folder / payload}'" if isinstance(payload, str) else "the schema"
    try:
        schema = json.loads(_regular(folder / payload)) if isinstance(payload, str) else payload
        if strays := list(unprintable(schema, contract=True)):
            raise ValueError(f"{messages.place_text(strays[0][0], KEY)} {strays[0][1]}")
        jsonschema_rs.validator_for(schema, retriever=_elsewhere)
        orjson.dumps(schema)  # which `verify` will do too, and which takes no number beyond 64 bits
    except OSError as cause:
        raise ValueError(f"{source} cannot be read ({cause.strerror})") from cause
    except (json.JSONDecodeError, UnicodeDecodeError) as cause:
        raise ValueError(f"{source} is not JSON ({cause})") from cause
    except jsonschema_rs.ValidationError as cause:
        why = cause.message.partition(" and retrieving it failed")[0]
        raise ValueError(f"{source} is not a valid JSON Schema: {why}") from cause
    except (ValueError, TypeError, RecursionError) as cause:
        raise ValueError(f"{source} is not supported ({cause})") from cause
    if not isinstance(schema, dict):
        raise ValueError(f"{source} is not a valid JSON Schema: expected an object")
    return schema


def _regular(path: Path) -> str:
    """The text of a file that a schema file names. Raises OSError, also for a device or a pipe; UnicodeDecodeError."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "not a regular file")
    return content(path)


def _elsewhere(uri: str) -> Any:
    """What a schema refers to outside of itself is not looked for: no verdict is to depend on a server."""
    raise ValueError(uri)


def _clashes(outboxes: Sequence[Outbox], nodes: Sequence[Layers]) -> list[str]:
    """The names that two outboxes of one file share and must not: the second would replace the first."""
    clashes = []
    for part in ("connector", "slot", "publication", "topic_prefix"):
        used: dict[str, int] = {}
        for number, name in enumerate(getattr(outbox.names, part) for outbox in outboxes):
            if name in used:
                (path, line, column), first = (nodes[n].place(PLACES[part]) for n in (number, used[name]))
                shared = f"two outboxes share the {part.replace('_', ' ')} {quoted(name)}"
                fix = f"choose another one in {'.'.join(PLACES[part])}, or another service name"
                clashes.append(f"{path}:{line}:{column}: {shared}; {fix}; first at {first[0]}:{first[1]}:{first[2]}")
            used.setdefault(name, number)
    return clashes
