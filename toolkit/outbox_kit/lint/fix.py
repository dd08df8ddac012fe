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
    places = {(each.name, each.start): number for number, each in enumerate(_read(text, source))}
    applied_edits = []
    for document, edit in edits:
        if not document.verbatim:
            continue
        if document.kind == "schema":
            tried = _with_override(text, document, edit)
        else:
            tried = _with_option(text, source, places.get((document.name, document.start)), edit)
        if tried is not None:
            text = tried
            applied_edits.append(edit)
    return Fixed(text, tuple(applied_edits))


def _read(text: str, source: str) -> Sequence[Document]:
    try:
        return documents(text, source)
    except BadConfigFile:
        return []


def _with_option(text: str, source: str, number: int | None, edit: Edit) -> str | None:
    """A file with an edit of one of its configs; None if it cannot be made, or changes anything else."""
    before = _read(text, source)
    if number is None or number >= len(before):
        return None
    write = _WRITERS.get(before[number].kind)
    tried = write(text, before[number], edit) if write else None
    expected = [each.config for each in before]
    if tried is None or (edit.rename and edit.key not in expected[number]):
        return None
    expected[number] = applied(expected[number], edit)
    return tried if [each.config for each in _read(tried, source)] == expected else None


def _with_override(text: str, document: Document, edit: Edit) -> str | None:
    """The same for a schema file, where an edit is to an override in `connect.config`."""
    tried = _yaml(text, document, edit) if edit.key in document.spots else None
    return tried if tried is not None and _overrides_as_meant(text, tried, edit) else None


def _overrides_as_meant(before: str, after: str, edit: Edit) -> bool:
    """Whether the file contains the edit, and nothing else has changed."""
    old, new = (list(YAML(typ="safe").load_all(text)) for text in (before, after))
    for raw in old:
        config = raw.get("connect", {}).get("config", {})
        if edit.key in config:
            raw["connect"]["config"] = applied(config, edit)
    return old == new


def applied(config: Mapping[str, Any], edit: Edit) -> dict[str, Any]:
    """A config after an edit. Raises KeyError if it renames an option that the config does not have."""
    others = {key: value for key, value in config.items() if key != edit.key}
    if edit.rename is not None:
        return others | {edit.rename: config[edit.key] if edit.value is None else edit.value}
    return others if edit.value is None else others | {edit.key: edit.value}


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
    """The line of a key, which a key of a longer text has beside its own."""
    previous_line = document.spots[key][0] - 1
    compiled = re.compile(pattern.replace("{key}", re.escape(key)))
    lines = [n for n, line in enumerate(text.splitlines()) if compiled.fullmatch(line)]
    return min(lines, key=lambda n: abs(n - previous_line), default=None)


def _offset(text: str, spot: tuple[int, int]) -> int:
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: spot[0] - 1]))


_WRITERS: Mapping[str, Callable[[str, Document, Edit], str | None]] = {
    "json": _json,
    "yaml": _yaml,
    "properties": _properties,
    "server": _server,
}
