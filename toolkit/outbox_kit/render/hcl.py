"""Texts and blocks of Terraform's language. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from outbox_kit.lazy_pattern import lazy_pattern

SPECIAL = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
NOT_IN_A_NAME = lazy_pattern(r"[^A-Za-z0-9_]")


class Expression(NamedTuple):
    """An expression in place of a text, such as `var.password`."""

    text: str


def quoted(text: str) -> str:
    """A text as a literal: what would begin a template is escaped."""
    escaped = "".join(SPECIAL.get(c) or (c if c.isprintable() else _code(c)) for c in text)
    return '"' + re.sub(r"([$%])(?=\{)", r"\1\1", escaped) + '"'


def identifier(text: str) -> str:
    """A name for a resource or variable."""
    name = NOT_IN_A_NAME.sub("_", text)
    return name if name[:1].isalpha() else f"_{name}"


def string_map(name: str, entries: Mapping[str, str | Expression]) -> Iterator[str]:
    """The lines of an argument whose value is a map of texts; none if it is empty."""
    if not entries:
        return
    yield f"  {name} = {{"
    for key, value in entries.items():
        yield f"    {quoted(key)} = {value.text if isinstance(value, Expression) else quoted(value)}"
    yield "  }"


def variable_block(name: str, description: str, *, sensitive: bool = False) -> Iterator[str]:
    """The lines of a variable's declaration."""
    yield f'variable "{name}" {{'
    yield f"  description = {quoted(description)}"
    yield "  type        = string"
    if sensitive:
        yield "  sensitive   = true"
    yield "}"


def _code(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 1 << 16 else f"\\U{ord(character):08x}"
