"""Text that others wrote, made safe to show: no terminal, page or parser takes it for anything but text. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern

LONE = lazy_pattern("[\ud800-\udfff]")


def printable(text: str, keep: str = "") -> str:
    """Control characters, escape sequences and what else is not printable as escapes. keep: characters to leave."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)


def encodable(text: str) -> str:
    """Text that UTF-8 can encode: halves of surrogate pairs as escapes."""
    return LONE.sub(lambda match: _escape(match[0]), text)


def as_json(value: Any) -> str:
    """A JSON document, indented, whose every text is `encodable`: strict readers take no half of a surrogate pair."""
    return json.dumps(_encodable(value), indent=2) + "\n"


def counted(number: int, noun: str) -> str:
    """A number of things, such as `1 event` or `1,234 events`. noun: in the singular; its plural ends in s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {encodable(str(name)): _encodable(inner) for name, inner in value.items()}
    return [*map(_encodable, value)] if isinstance(value, list | tuple) else value


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
