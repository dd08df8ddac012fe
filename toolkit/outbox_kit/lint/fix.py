"""Edits of a file's text: each applies one safe fix, and leaves the rest unchanged. Pure."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML

from outbox_kit.errors import BadConfigFile
from outbox_kit.lint import server
from outbox_kit.lint.document import Document
from outbox_kit.lint.formats import documents
from outbox_kit.lint.rule import Edit
from outbox_kit.smallrye import literal

YAML_VALUE = r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^#]*?)(\s+#.*)?"""  # and the comment behind it
JSON_VALUE = r'("(?:[^"\\]|\\.)*"|[^\s,}\]]+)'


@dataclass(frozen=True)
class Fixed:
    """The text after the edits, and which were made."""

    text: str
    edits: tuple[Edit, ...]


def fixed(text: str, source: str, edits: Sequence[tuple[Document, Edit]]) -> Fixed:
    """Apply edits one by one; an edit that does not result in exactly the intended config is skipped."""
    applied_edits = []
    for document, edit in edits:
        try:
            write = _WRITERS.get(document.kind) if document.verbatim else None
            tried = write(text, document, edit) if write else None
            if tried is not None and _as_meant(text, tried, source, document, edit):
                text = tried
                applied_edits.append(edit)
        except BadConfigFile:
            continue
    return Fixed(text, tuple(applied_edits))


def _as_meant(before: str, after: str, source: str, document: Document, edit: Edit) -> bool:
    """Whether the file contains the edit, and nothing else has changed."""
    if document.kind == "schema":
        return _overrides_as_meant(before, after, edit)
    old, new = documents(before, source), documents(after, source)
    at = next((n for n, d in enumerate(old) if d.name == document.name and edit_target(d, document)), None)
    if at is None or len(old) != len(new):
        return False
    others = [d.config for n, d in enumerate(old) if n != at] == [d.config for n, d in enumerate(new) if n != at]
    return others and dict(new[at].config) == applied(dict(old[at].config), edit)


def _overrides_as_meant(before: str, after: str, edit: Edit) -> bool:
    """The same for a schema file, where an edit is to an override in `connect.config`."""
    old, new = (list(YAML(typ="safe").load_all(text)) for text in (before, after))
    for raw in old:
        config = raw.get("connect", {}).get("config", {})
        if edit.key in config:
            raw["connect"]["config"] = applied(config, edit)
    return old == new


def edit_target(candidate: Document, document: Document) -> bool:
    """Whether it is the same config, earlier edits aside: most of its keys are there."""
    return len(candidate.config.keys() & document.config.keys()) * 2 >= len(document.config)


def applied(config: dict[str, Any], edit: Edit) -> dict[str, Any]:
    """A config after an edit."""
    if edit.rename is not None:
        value = config.pop(edit.key)
        return config | {edit.rename: value if edit.value is None else edit.value}
    if edit.value is not None:
        return config | {edit.key: edit.value}
    return {key: value for key, value in config.items() if key != edit.key}


def _json(text: str, document: Document, edit: Edit) -> str | None:
    start = _offset(text, document.start)
    member = re.compile(re.escape(json.dumps(edit.key, ensure_ascii=False)) + r"(\s*:\s*)" + JSON_VALUE)
    match = member.search(text, start)
    if not match:
        return _json_added(text, start, edit)
    if edit.rename is None and edit.value is None:
        before = re.compile(r",\s*$").search(text, 0, match.start())
        after = re.compile(r"\s*,[ \t]*\n?[ \t]*").match(text, match.end())
        if after:
            return text[: match.start()] + text[after.end() :]
        return text[: before.start() if before else match.start()] + text[match.end() :]
    key = json.dumps(edit.rename or edit.key, ensure_ascii=False)
    value = match[2] if edit.value is None else json.dumps(edit.value, ensure_ascii=False)
    return f"{text[: match.start()]}{key}{match[1]}{value}{text[match.end() :]}"


def _json_added(text: str, start: int, edit: Edit) -> str | None:
    """A new member after connector.class, on a line like its own."""
    match = re.compile(r'([ \t]*)"connector\.class"(\s*:\s*)' + JSON_VALUE).search(text, start)
    if not match or edit.value is None:
        return None
    line = "\n" + match[1] if text[: match.start()].endswith("\n") else " "
    return f"{text[: match.end()]},{line}{json.dumps(edit.key)}{match[2]}{json.dumps(edit.value)}{text[match.end() :]}"


def _yaml(text: str, document: Document, edit: Edit) -> str | None:
    if edit.key not in document.spots:
        return _yaml_added(text, document, edit)
    return _line(text, edit, rf"(\s*(?:- )?)([\"']?){{key}}\2(\s*:[ \t]+){YAML_VALUE}", _yaml_scalar, document)


def _yaml_added(text: str, document: Document, edit: Edit) -> str | None:
    lines = text.splitlines(keepends=True)
    beside = next((spot for key, spot in document.spots.items() if key not in ("connector.class", "tasks.max")), None)
    if edit.value is None or beside is None:
        return None
    new = f"{' ' * (beside[1] - 1)}{edit.key}: {_yaml_scalar(edit.value)}\n"
    return "".join([*lines[: beside[0] - 1], new, *lines[beside[0] - 1 :]])


def _yaml_scalar(value: str) -> str:
    plain = re.fullmatch(r"[A-Za-z0-9_][\w.\-/]*", value) and value not in ("true", "false", "null", "yes", "no")
    return value if plain and not re.fullmatch(r"[\d.]+", value) else json.dumps(value, ensure_ascii=False)


def _properties(text: str, document: Document, edit: Edit) -> str | None:
    if edit.key not in document.spots:
        return f"{text.rstrip()}\n{edit.key}={edit.value}\n" if edit.value is not None else None
    return _line(text, edit, r"(\s*)(){key}(\s*[=:\s]\s*)(.*)()", str, document)


SERVER_KEY = r"(\s*(?:%[\w-]+\.)?debezium\.(?:source\.)?)(){key}(\s*[=:]\s*)(.*)()"


def _server(text: str, document: Document, edit: Edit) -> str | None:
    """A setting of Debezium Server, which has a name and a notation of its own."""
    if edit.key in document.spots:
        return _line(text, edit, SERVER_KEY, literal, document)
    if edit.value is None:
        return None
    return f"{text.rstrip()}\n{server.setting(edit.key)}={literal(edit.value)}\n"


def _line(text: str, edit: Edit, pattern: str, scalar: Callable[[str], str], document: Document) -> str | None:
    """Edit the line of a key."""
    number = _line_of(text, edit.key, pattern, document)
    if number is None:
        return None
    lines = text.splitlines(keepends=True)
    ending = lines[number][len(lines[number].rstrip("\r\n")) :]
    match = re.fullmatch(pattern.replace("{key}", re.escape(edit.key)), lines[number].rstrip("\r\n"))
    if not match:
        return None
    if edit.rename is None and edit.value is None:
        return "".join([*lines[:number], *lines[number + 1 :]])
    value = match[4] if edit.value is None else scalar(edit.value)
    lines[number] = f"{match[1]}{edit.rename or edit.key}{match[3]}{value}{match[5] or ''}{ending}"
    return "".join(lines)


def _line_of(text: str, key: str, pattern: str, document: Document) -> int | None:
    """The line of a key that is nearest to its line before earlier edits."""
    previous_line = document.spots[key][0] - 1
    compiled = re.compile(pattern.replace("{key}", re.escape(key)))
    lines = [n for n, line in enumerate(text.splitlines()) if compiled.fullmatch(line)]
    return min(lines, key=lambda n: abs(n - previous_line), default=None)


def _offset(text: str, spot: tuple[int, int]) -> int:
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: spot[0] - 1]))


def _override(text: str, document: Document, edit: Edit) -> str | None:
    return _yaml(text, document, edit) if edit.key in document.spots else None


_WRITERS: Mapping[str, Callable[[str, Document, Edit], str | None]] = {
    "json": _json,
    "yaml": _yaml,
    "properties": _properties,
    "schema": _override,
    "server": _server,
}
