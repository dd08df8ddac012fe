"""Java's properties: names and values as Kafka, Connect and Debezium read them from a file. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from outbox_kit.lazy_pattern import lazy_pattern

PROPERTY = lazy_pattern(r"[ \t\f]*((?:\\.|[^\\=: \t\f\r\n])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
ESCAPE = lazy_pattern(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
PAIR = lazy_pattern(r"[\ud800-\udbff][\udc00-\udfff]")  # a character of two of Java's units
ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
NAMES = {character: f"\\{letter}" for letter, character in ESCAPES.items()}
IN_NAME = lazy_pattern(r"[\\ \t\n\r\f=:#!]")
IN_VALUE = lazy_pattern(r"[\\\t\n\r\f]|^ ")


class Property(NamedTuple):
    """One property, with line and column of its name, from 1."""

    name: str
    value: str
    line: int
    column: int


def properties(text: str) -> Iterator[Property]:
    """The properties of a text in its order, repeated ones too."""
    for number, line in _logical_lines(text):
        match = PROPERTY.fullmatch(line)
        if match:
            yield Property(_unescaped(match[1]), _unescaped(match[2]), number, len(line) - len(line.lstrip()) + 1)


def line(name: str, value: str) -> str:
    """A property as a line in ASCII, which every reader of properties takes."""
    return f"{_escaped(name, IN_NAME)}={_escaped(value, IN_VALUE)}"


def _escaped(text: str, special: re.Pattern[str]) -> str:
    """A name or a value with its special characters escaped; characters outside ASCII as Java's UTF-16 units."""
    escaped = special.sub(lambda match: NAMES.get(match[0], f"\\{match[0]}"), text)
    return "".join(c if " " <= c <= "~" else _units(c) for c in escaped)


def _units(character: str) -> str:
    octets = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{octets[at : at + 2].hex()}" for at in range(0, len(octets), 2))


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations, numbered from 1; comments and blank ones left out."""
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if not line.strip() or line.lstrip()[0] in "#!":
            continue
        logical_line = line
        while (len(logical_line) - len(logical_line.rstrip("\\"))) % 2:
            logical_line = logical_line[:-1] + next(lines, (0, ""))[1].lstrip()
        yield number, logical_line


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        c = match[1]
        return chr(int(c[1:], 16)) if c[0] == "u" and len(c) == 5 else ESCAPES.get(c, c)

    return PAIR.sub(
        lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), ESCAPE.sub(character, text)
    )
