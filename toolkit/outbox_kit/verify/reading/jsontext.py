"""JSON as RFC 8259 has it, with what strict readers would not take. Pure.

Slow, and without recursion: it is for payloads that the quick parser refuses, however deep they are.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.kafka.frame import Unread
from outbox_kit.lazy_pattern import lazy_pattern

DEEPEST = 1024  # levels that the quick parser takes; many readers take fewer
JUDGED = 200  # levels that validators see, which recurse: some 2 KB of the stack a level, and a thread may have 512 KB
POINTERS = 8  # that are kept of each oddity
LEVELS = 12  # that a pointer shows
BLANK = lazy_pattern(r"[ \t\n\r]*")
NUMBER = lazy_pattern(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
TEXT = lazy_pattern(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
WORD = lazy_pattern(r"true|false|null")
OTHERS = lazy_pattern(r"-?(?:NaN|Infinity)")
WORDS = {"true": True, "false": False, "null": None}
HALF = lazy_pattern("[\ud800-\udfff]")
LARGEST = 1.7976931348623157e308
DIGITS = 310  # of the largest integer that a double holds, and its sign
CLOSING = {dict: "}", list: "]"}
Container = dict[str, Any] | list[Any]


class NotJSON(ValueError):
    """A text that is no JSON: why, and at which byte; never what is there."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(f"{why} at byte {at}")


@dataclass
class Parsed:
    """A document, and where it has what not every reader takes: JSON pointers with * for any element of an array.

    Integers are exact. A number beyond a double is the largest double, half a surrogate pair a replacement character.
    """

    document: Any = None
    depth: int = 0
    """Levels of objects and arrays."""
    halves: list[str] = field(default_factory=list)
    """Texts with half a pair."""
    beyond: list[str] = field(default_factory=list)
    """Numbers beyond a double."""


def read(value: bytes) -> Parsed:
    """A payload's document with what is odd about it. Raises NotJSON."""
    try:
        text = value.decode()
    except UnicodeDecodeError as cause:
        raise NotJSON("no UTF-8", cause.start) from None
    if text.startswith("\ufeff"):
        raise NotJSON("a byte order mark", 0)
    return _Reader(text).read()


def parsed(loads: Callable[[bytes], Any], value: bytes) -> Parsed:
    """What a payload says. loads: the quick way. Raises NotJSON, and Unread as `frame` says."""
    try:
        return Parsed(loads(value))
    except Unread:
        raise
    except ValueError:
        return read(value)


class _Reader:
    """One reading. open: the containers around, and the member of each, or *, that is being read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._open: list[tuple[Container, str]] = []
        self._parsed = Parsed()

    def read(self) -> Parsed:
        """All of it. Raises NotJSON."""
        self._pass_blanks()
        while True:
            if self._character() in ("{", "["):
                if self._entered():
                    continue
                value: Any = self._close_container()
            else:
                value = self._scalar()
            while self._open:
                self._put(value)
                if self._goes_on():
                    break
                value = self._close_container()
            else:
                self._pass_blanks()
                if self._at < len(self._text):
                    raise self._not("more behind the end of the value")
                self._parsed.document = value
                return self._parsed

    def _entered(self) -> bool:
        """Open a container; whether there is anything in it."""
        container: Container = {} if self._character() == "{" else []
        self._at += 1
        self._pass_blanks()
        empty = self._character() == CLOSING[type(container)]
        self._open.append((container, "*"))
        self._parsed.depth = max(self._parsed.depth, len(self._open))
        if not empty:
            self._name_next()
        return not empty

    def _close_container(self) -> Container:
        """Close the innermost container, whose closing mark is here."""
        self._at += 1
        return self._open.pop()[0]

    def _put(self, value: Any) -> None:
        container, name = self._open[-1]
        if isinstance(container, dict):
            container[name] = value
        else:
            container.append(value)

    def _goes_on(self) -> bool:
        """Whether a comma follows, and not the end of the container."""
        container = self._open[-1][0]
        closing = CLOSING[type(container)]
        self._pass_blanks()
        if self._character() == closing:
            return False
        if self._character() != ",":
            raise self._not(f"neither , nor {closing}")
        self._at += 1
        self._pass_blanks()
        self._name_next()
        return True

    def _name_next(self) -> None:
        """Read the name of an object's next member."""
        container = self._open[-1][0]
        if isinstance(container, list):
            return
        if self._character() != '"':
            raise self._not("no name of a member")
        self._open[-1] = container, "*"
        name = self._string()
        self._pass_blanks()
        if self._character() != ":":
            raise self._not("no colon")
        self._at += 1
        self._pass_blanks()
        self._open[-1] = container, name

    def _scalar(self) -> Any:
        if self._character() == '"':
            return self._string()
        if word := WORD.match(self._text, self._at):
            self._at = word.end()
            return WORDS[word[0]]
        if OTHERS.match(self._text, self._at):
            raise self._not("NaN or Infinity, which JSON does not have,")
        if number := NUMBER.match(self._text, self._at):
            self._at = number.end()
            return self._number(*number.groups())
        raise self._not("no value" if self._at < len(self._text) else "the end, where a value should be,")

    def _string(self) -> str:
        text = TEXT.match(self._text, self._at)
        if text is None:
            raise self._not("a text that is not ended, or not escaped as JSON has it,")
        self._at = text.end()
        parsed: str = json.loads(text[0])
        if HALF.search(parsed):
            self._note(self._parsed.halves)
            parsed = HALF.sub("\N{REPLACEMENT CHARACTER}", parsed)
        return parsed

    def _number(self, integer: str, part: str | None, power: str | None) -> int | float:
        exact = not (part or power) and len(integer) <= DIGITS
        number = int(integer) if exact else float(f"{integer}{part or ''}{power or ''}")
        if abs(number) <= LARGEST:
            return number
        self._note(self._parsed.beyond)
        return LARGEST if number > 0 else -LARGEST

    def _note(self, oddities: list[str]) -> None:
        """Remember where something odd is."""
        names = [name for _, name in self._open[:LEVELS]]
        pointer = "".join(f"/{name}" for name in names) + ("/..." if len(self._open) > LEVELS else "")
        if pointer not in oddities and len(oddities) < POINTERS:
            oddities.append(pointer)

    def _character(self) -> str:
        return self._text[self._at : self._at + 1]

    def _pass_blanks(self) -> None:
        match = BLANK.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _not(self, why: str) -> NotJSON:
        return NotJSON(why, len(self._text[: self._at].encode()))


def deeper(document: Any, levels: int) -> bool:
    """Whether a document has more than so many levels of objects and arrays."""
    level = [document] if isinstance(document, dict | list) else []
    for _ in range(levels):
        inner = (
            value for container in level for value in (container.values() if isinstance(container, dict) else container)
        )
        level = [value for value in inner if isinstance(value, dict | list)]
        if not level:
            return False
    return bool(level)


def pruned(document: Any, levels: int) -> Any:
    """A document without what is deeper than so many levels, half characters, and integers of more than 64 bits."""
    if not isinstance(document, dict | list):
        return _plain(document)
    root: Container = type(document)()
    waiting: list[tuple[Any, Container, int]] = [(document, root, 1)]
    while waiting:
        source, copy, level = waiting.pop()
        names, values = (map(_plain, source), source.values()) if isinstance(source, dict) else ((), source)
        shape: list[Any] = []
        for value in values:
            inner = isinstance(value, dict | list)
            shape.append(_plain(value) if not inner else type(value)() if level < levels else None)
            if inner and level < levels:
                waiting.append((value, shape[-1], level + 1))
        if isinstance(copy, dict):
            copy.update(zip(names, shape, strict=True))
        else:
            copy.extend(shape)
    return root


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return HALF.sub("\N{REPLACEMENT CHARACTER}", value)
    return float(value) if type(value) is int and not -(2**63) <= value < 2**64 else value
