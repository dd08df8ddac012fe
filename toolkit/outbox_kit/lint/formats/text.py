"""Other texts, such as messages, pages without a language and scripts for Windows: objects in JSON, and properties."""

import re
from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat

OPENING = lazy_pattern(r"\{(?=\s*\")")
TOKEN = lazy_pattern(r"\"(?:[^\"\\\n]|\\.)*\"|[{}]")
PROPERTIES = lazy_pattern(r"(?:^[ \t]*(?:[\w.%-]+[ \t]*[=:].*|[#!].*)?\n?)+", re.MULTILINE)
PLAIN = lazy_pattern(r"^[ \t]*[\w.%-]*connector\.class[ \t]*=", re.MULTILINE)


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read every object in braces, and every paragraph of properties with a connector's class."""
    at = 0
    while opening := OPENING.search(excerpt.text, at):
        at = _end(excerpt.text, opening.start())
        yield from nested(excerpt.part(opening.start(), at), ".json")
    for block in PROPERTIES.finditer(excerpt.text):
        if PLAIN.search(block[0]):
            yield from nested(excerpt.part(*block.span()), ".properties")


def _end(text: str, start: int) -> int:
    """The end of an object that begins at a position; that of the text if it has none."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


FORMAT = TextFormat(
    rank=90,
    title="text",
    suffixes=(".txt", ".adoc", ".asciidoc", ".rst", ".org", ".bru"),
    recognises=lambda _: False,
    read=read,
    expected="an object in JSON with a connector",
)
