"""Files, pipes and stdin that a command was given, as text: of limited size, and within the command's deadline."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from outbox_kit import deadline

LARGEST = 4 * 1024 * 1024  # characters; a schema file of 12,000 events has 700,000


class TooLarge(ValueError):
    """A file with more than is read of any."""


def content(path: Path, limit: int = LARGEST) -> str:
    """A file's text, of which no more is read than so many characters.

    Raises OSError, UnicodeDecodeError, TooLarge; TimeoutError where a pipe's writer has not ended by the deadline.
    """
    return _read(lambda: path.open(encoding="utf-8"), limit, waits=path.is_fifo())


def stdin(limit: int = LARGEST) -> str:
    """The text of stdin. Raises as `content`."""
    return _read(_stdin, limit, waits=True)


def _stdin() -> TextIO:
    """A reader of stdin of its own: one that still waits when the process ends must not hold Python's."""
    try:
        return os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")
    except io.UnsupportedOperation:  # no file: a test's
        return sys.stdin


def _read(opened: Callable[[], TextIO], limit: int, *, waits: bool) -> str:
    def read() -> str:
        with opened() as file:
            return file.read(limit + 1)

    text = deadline.answered(read, deadline.left()) if waits and deadline.end() < float("inf") else read()
    if len(text) > limit:
        raise TooLarge(f"the most is {limit} characters")
    return text
