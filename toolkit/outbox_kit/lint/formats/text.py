"""Other texts, such as messages, pages without a language and scripts for Windows: objects in JSON, and properties."""

import re
from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.formats.sql import STATEMENT
from outbox_kit.lint.words import names_connector

MOST_ATTEMPTS = 20
"""How many objects without an end are passed over: the text is read from each to its end."""
BEGIN = 300
"""The characters in which a connector's object names one."""
OPENING = lazy_pattern(r"\{(?=\s*\")")
TOKEN = lazy_pattern(r"\"(?:[^\"\\\n]|\\.)*\"|[{}]")
COMMAND = lazy_pattern(r"^[ \t]*curl[ \t](?:[^'\"\\\n]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\")*", re.MULTILINE | re.DOTALL)
"""A command with its arguments in quotes, up to the end of its last line."""
CALLOUT = lazy_pattern(r"(?<![ \t])[ \t]+(?:(?:#|//|;;|--|<!--)[ \t]*)?<(?:\d+|\.)>(?:-->)?[ \t]*$", re.MULTILINE)
"""What AsciiDoc refers to in its text, and leaves out of a block."""
PROPERTIES = lazy_pattern(r"(?:^[ \t]*(?:[\w.%-]+[ \t]*[=:].*|[#!].*)?\n?)+", re.MULTILINE)
PLAIN = lazy_pattern(r"^[ \t]*[\w.%-]*connector\.class[ \t]*=", re.MULTILINE)


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read every object in braces, and every paragraph of properties with a connector's class."""
    excerpt = excerpt.replaced(CALLOUT, lambda _: "")
    commands = list(_commands(excerpt, nested))
    for _, documents in commands:
        yield from documents
    at, attempts = 0, MOST_ATTEMPTS
    while opening := OPENING.search(excerpt.text, at):
        end = next((end for (start, end), _ in commands if start <= opening.start() < end), 0)
        if end:
            at = end
            continue
        at = _end(excerpt.text, opening.start())
        documents = list(nested(excerpt.part(opening.start(), at), ".json"))
        begins = excerpt.text[opening.start() : opening.start() + BEGIN]
        if attempts and documents and all(each.fault for each in documents) and not names_connector(begins):
            attempts -= 1
            at = opening.end()  # an object of something else, which has no end
        else:
            yield from documents
    if STATEMENT.search(excerpt.text):
        yield from nested(excerpt, ".sql")
    for block in PROPERTIES.finditer(excerpt.text):
        if PLAIN.search(block[0]):
            yield from nested(excerpt.part(*block.span()), ".properties")


def _commands(excerpt: Excerpt, nested: Nested) -> Iterator[tuple[tuple[int, int], list[Document]]]:
    """The place of each command that sends a connector, with the connectors."""
    for command in COMMAND.finditer(excerpt.text):
        if names_connector(command[0]) and (documents := list(nested(excerpt.part(*command.span()), ".sh"))):
            yield command.span(), documents


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
