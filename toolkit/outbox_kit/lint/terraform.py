"""Connectors in Terraform's files: the maps of texts in the resources of two providers. Pure.

Only what such a resource consists of is read: texts, and other expressions as references.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

RESOURCE = re.compile(r'^\s*resource\s+"(kafka-connect_connector|confluent_connector)"\s+"([^"]+)"\s*\{', re.MULTILINE)
MAP = re.compile(r"\b(config|config_sensitive|config_nonsensitive)\s*=\s*\{")
TEXT = r'"((?:\\.|[^"\\\n])*)"'
ENTRY = re.compile(rf"\s*(?:(?:#|//)[^\n]*|(?:{TEXT}|([\w.-]+))\s*[=:]\s*(?:{TEXT}|([^\n,}}]+)),?)")
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class TerraformOption(NamedTuple):
    """An entry of a map, with the offset of its key in the text."""

    name: str
    value: str
    at: int


def has_connector(text: str) -> bool:
    """Whether a text has a resource that is a connector."""
    return RESOURCE.search(text) is not None


def connectors(text: str) -> Iterator[list[TerraformOption]]:
    """The options of each connector in a text."""
    starts = [match.start() for match in RESOURCE.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield [option for match in MAP.finditer(text, start, end) for option in _entries(text, match.end())]


def _entries(text: str, at: int) -> Iterator[TerraformOption]:
    """The entries of a map, up to its closing brace or to what is not read."""
    while match := ENTRY.match(text, at):
        at = match.end()
        quoted, bare, value, expression = match.groups()
        if quoted is not None or bare is not None:
            name = _unescaped(quoted) if quoted is not None else bare
            start = match.start(1) - 1 if quoted is not None else match.start(2)
            yield TerraformOption(name, _unescaped(value) if value is not None else _expression(expression), start)


def _expression(text: str) -> str:
    """A value that Terraform computes, as a reference; a number or a flag as it is."""
    plain = re.sub(r"\s*(#|//).*", "", text).strip()
    return plain if re.fullmatch(r"[\d.]+|true|false", plain) else f"${{{plain}}}"


def _unescaped(text: str) -> str:
    """A literal's text; a template in it stays as it is."""

    def character(match: re.Match[str]) -> str:
        short, long, letter = match.groups()
        return chr(int(short or long, 16)) if short or long else ESCAPES.get(letter, letter)

    return re.sub(r"([$%])\1(?=\{)", r"\1", ESCAPE.sub(character, text))
