"""References in a setting: `${env:NAME}`, `${file:PATH:KEY}`, `${directory:FOLDER:FILE}`, as of Kafka Connect."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from outbox_kit.errors import BadConfigFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.properties import properties
from outbox_kit.textfile import content

REFERENCE = lazy_pattern(r"\$\{(env|file|directory):([^{}]*)\}")


def resolved(text: str, where: str) -> str:
    """A text with the values of its references.

    where: its place, for the message. Raises BadConfigFile where a variable, file or key does not exist.
    """
    return REFERENCE.sub(lambda match: PROVIDERS[match[1]](match[2], where), text)


def _variable(name: str, where: str) -> str:
    if name not in os.environ:
        raise BadConfigFile(f"'{name}' is not set", where=where, fix=f"export {name}=...")
    return os.environ[name]


def _property(name: str, where: str) -> str:
    path, colon, key = name.rpartition(":")
    if not colon:
        fix = "write ${file:PATH:KEY}; a whole file is ${directory:FOLDER:FILE}"
        raise BadConfigFile(f"invalid reference '${{file:{name}}}': expected a path and a key", where=where, fix=fix)
    values = {entry.name: entry.value for entry in properties(_text(Path(path), where))}
    if key not in values:
        raise BadConfigFile(f"'{path}' has no property '{key}'", where=where, fix=f"add a line {key}=...")
    return values[key]


def _file(name: str, where: str) -> str:
    folder, colon, file = name.rpartition(":")
    if not colon or "/" in file:
        fix = "write ${directory:FOLDER:FILE}"
        what = f"invalid reference '${{directory:{name}}}': expected a folder and the name of a file in it"
        raise BadConfigFile(what, where=where, fix=fix)
    return _text(Path(folder, file), where).strip()


def _text(path: Path, where: str) -> str:
    try:
        return content(path)
    except (OSError, ValueError) as cause:
        why = getattr(cause, "strerror", None) or str(cause)
        raise BadConfigFile(f"'{path}' cannot be read", where=where, why=why, fix="correct the reference") from None


PROVIDERS: Mapping[str, Callable[[str, str], str]] = {"env": _variable, "file": _property, "directory": _file}
