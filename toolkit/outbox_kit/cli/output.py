"""Where results go: stdout for the result, stderr for messages; files are written completely or not at all."""

import contextlib
import logging
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, TextIO

import typer

from outbox_kit import printable, secret
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern


class Verbosity(IntEnum):
    """How much is printed on stderr."""

    quiet = 0
    normal = 1
    verbose = 2


@dataclass
class Console:
    """The settings of what is printed, of the whole process: threads print too."""

    verbosity: Verbosity = Verbosity.normal


CONSOLE = Console()


VERDICTS: Mapping[str, str] = {
    "PASS": "green",
    "COMPATIBLE": "green",
    "NO CHANGES": "green",
    "CHANGES": "yellow",
    "FAIL": "red",
    "BREAKING": "red",
    "error": "red",
    "INCONCLUSIVE": "yellow",
    "inconclusive": "yellow",
    "warning": "yellow",
    "info": "blue",
}
"""The words that have a colour at the beginning of a line, or after a location."""
SIGNS: Mapping[str, str] = {"+": "green", "-": "red", "~": "yellow", "=": "blue"}
"""The signs of an option's change, and their colours."""
CHANGED = lazy_pattern(r"^(  )([+~=-])( [\w.-]+ = )", re.MULTILINE)
COLOURED = lazy_pattern(rf"^((?:\S+:\d+:\d+: |\S+Z )?)({'|'.join(VERDICTS)})\b", re.MULTILINE)


def coloured(text: str, stream: TextIO) -> str:
    """The text with colours, if the stream is a terminal that shows them and NO_COLOR is not set."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return text
    text = CHANGED.sub(lambda match: match[1] + typer.style(match[2], fg=SIGNS[match[2]], bold=True) + match[3], text)
    return COLOURED.sub(lambda match: match[1] + typer.style(match[2], fg=VERDICTS[match[2]], bold=True), text)


def say(text: str, *, always: bool = False) -> None:
    """Print progress or a warning on stderr, without secrets and without what moves a terminal's cursor.

    always: also if --quiet was given, as for errors. Warnings are printed with --quiet too.
    """
    if CONSOLE.verbosity is Verbosity.quiet and not (always or text.startswith("warning:")):
        return
    plain = "".join(
        character if character.isprintable() or character in "\n\t" else "?" for character in secret.hidden(text)
    )
    typer.echo(coloured(plain, sys.stderr), err=True)


LOGGERS = ("outbox_kit", "urllib3.connectionpool")
"""Who logs the requests to other systems: databases and Kafka; HTTP."""


class _OnStderr(logging.Handler):
    """Prints log records as progress, which hides secrets."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record, with the time of day."""
        if CONSOLE.verbosity is Verbosity.verbose:
            say(f"{time.strftime('%H:%M:%S')} {record.getMessage()}")


def show_requests() -> None:
    """Print every request to another system on stderr, for --verbose."""
    handler = _OnStderr()
    for logger in map(logging.getLogger, LOGGERS):
        logger.setLevel(logging.DEBUG)
        if not any(isinstance(other, _OnStderr) for other in logger.handlers):
            logger.addHandler(handler)


def show(text: str, *, nl: bool = True) -> None:
    """A result, on stdout, without secrets; see `deliver` for files that are made to be used."""
    typer.echo(coloured(clean(text), sys.stdout), nl=nl)


def show_json(document: Any) -> None:
    """A result as JSON that strict readers take."""
    show(printable.as_json(document), nl=False)


def clean(text: str) -> str:
    """A text without secrets, and without what no encoding has."""
    return secret.hidden(text).encode(errors="replace").decode()


def deliver(files: Mapping[Path | None, str], *, check: bool = False, as_json: bool = False) -> None:
    """Print generated files, write them, or compare them. Raises typer.Exit with 1 if a compared file differs.

    files: the texts by path; None for stdout. as_json: print the texts and what was done as JSON.
    """
    if check and None in files:
        raise UsageProblem("--check needs a file to compare with", fix="add --out FILE")
    states = {path: _delivered(path, text, check=check) for path, text in files.items()}
    for path, text in files.items():
        if path is not None:
            say(MESSAGES[states[path]].format(path))
        elif not as_json:
            typer.echo(text, nl=False)
    if as_json:
        entries = [_entry(path, states[path], text) for path, text in files.items()]
        show_json({"schema": "outbox-kit/files/v1", "files": entries})
    if "out-of-date" in states.values():
        raise typer.Exit(1)


MESSAGES = {
    "written": "wrote '{}'",
    "up-to-date": "'{}' is up to date",
    "out-of-date": "'{}' is out of date; to update it, leave out --check",
}


def _entry(path: Path | None, state: str, text: str) -> dict[str, str]:
    return {"state": state, "text": text} if path is None else {"state": state, "path": str(path)}


def _delivered(path: Path | None, text: str, *, check: bool) -> str:
    """Write or compare a file; what was done."""
    if path is None:
        return "printed"
    if check:
        same = path.is_file() and path.read_bytes() == text.encode(errors="replace")
        return "up-to-date" if same else "out-of-date"
    write(path, text)
    return "written"


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the folders above it. Raises EnvironmentProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as cause:
        raise EnvironmentProblem(f"'{path}' cannot be written", why=cause.strerror or str(cause)) from cause
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as cause:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise EnvironmentProblem(f"'{path}' cannot be written", why=cause.strerror or str(cause)) from cause
