"""Text that others wrote, made safe to show: no terminal, page or parser takes it for anything but text. Pure."""

import re

LONE = re.compile("[\ud800-\udfff]")


def printable(text: str, keep: str = "") -> str:
    """Control characters, escape sequences and what else is not printable as escapes. keep: characters to leave."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)


def encodable(text: str) -> str:
    """Text that UTF-8 can encode: halves of surrogate pairs as escapes."""
    return LONE.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
