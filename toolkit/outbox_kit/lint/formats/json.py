"""JSON: of Kafka Connect, MSK Connect, Confluent Cloud, Strimzi, exported answers, and templates of all of them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Never

from outbox_kit.errors import BadConfigFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document, LooseJson
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.nodes import Items, Members, Node, TextValue
from outbox_kit.lint.repair import BEHIND
from outbox_kit.lint.tree import Tree

TEXT = r"\"(?:[^\"\\\x00-\x1f]|\\.)*\""
TOKEN = lazy_pattern(rf"(?:(?P<text>{TEXT})|(?P<mark>[{{}}\[\]:,])|(?P<bare>[^\s\"{{}}\[\]:,]+))", re.DOTALL)
BLANK = lazy_pattern(r"(?:\s+|//[^\n]*|#[^\n]*|/\*(?:(?!/\*).)*?\*/|\\(?=\r?\n))*", re.DOTALL)
MEMBER = lazy_pattern(rf"{TEXT}\s*:", re.DOTALL)
NUMBER = lazy_pattern(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
PLACEHOLDER = lazy_pattern(r"\$\([^()\s]*\)|\$\w+|<[^<>\s]+>|%\w+%|__\w+__|@\w[\w.-]*@")
TO_FILL = lazy_pattern(r"\[[A-Z][A-Z_-]*(?: [A-Z_-]+)+\]")
"""What a page has in place of a value, without quotes."""
FRAGMENT = lazy_pattern(r"\$\([^()\s]*\)")
BRACES = lazy_pattern(r"\$\{[^{}\s\"]*\}")
ESCAPE = lazy_pattern(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
START = lazy_pattern(r"(?:\s|(?://|#)[^\n]*\n)*(?:\{(?:\s|\\(?=\r?\n))*[\"}]|\[\s*[\[{])")
MARK = lazy_pattern(r"[/#\\]")
"""What begins a comment, or ends a line that goes on in a language around the JSON."""
ELLIPSIS = lazy_pattern(r"(?://|#)[ \t]*(?:\.{3}|\u2026)")
DEEPEST = 200


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a text. Raises BadConfigFile."""
    reader = _Reader(excerpt)
    for document in Tree(excerpt, reader.value_alone(), "json", nested).documents():
        if reader.is_excerpt:
            yield replace(document, partial=True)
        else:
            yield replace(document, loose=document.loose or reader.loose)


FORMAT = TextFormat(
    rank=0,
    title="JSON",
    suffixes=(".json",),
    recognises=lambda text: text[BLANK.match(text).end() :][:1] in ("{", "["),  # type: ignore[union-attr]
    certain=lambda text: START.match(text) is not None,
    read=read,
    expected="an object with connector.class, or an object with name and config",
)


class _Reader:
    """Reads one text. A placeholder may stand in place of a value, as templates have it."""

    def __init__(self, excerpt: Excerpt) -> None:
        self._excerpt = excerpt
        self._text = excerpt.text
        self._at = 0
        self.loose: LooseJson | None = None
        """Where the text is first not JSON but what editors take for it: a comment, or a comma before a bracket."""
        self.is_excerpt = False
        """Whether a comment says that there is more."""

    def value_alone(self) -> Node:
        """The value that the text is. Raises BadConfigFile."""
        value = self._value(0)
        self._at = self._blank()
        if self._at < len(self._text):
            self._refuse(BEHIND)
        return value

    def _value(self, depth: int) -> Node:
        at = self._blank()
        if depth > DEEPEST:
            self._refuse("nested too deeply")
        if self._text.startswith("{", at):
            self._at = at + 1
            return self._members(at, depth)
        if to_fill := TO_FILL.match(self._text, at):
            self._at = to_fill.end()
            return TextValue(self._excerpt.part(at, self._at), at)
        if self._text.startswith("[", at):
            self._at = at + 1
            return self._items(at, depth)
        match = TOKEN.match(self._text, at)
        if match and match["text"]:
            self._at = match.end()
            return self._quoted(match)
        if braces := BRACES.match(self._text, at):
            self._at = braces.end()
            return TextValue(self._excerpt.part(at, self._at), at)
        if match and match["bare"]:
            return self._bare(match)
        self._refuse("expected a value")

    def _members(self, at: int, depth: int) -> Members:
        pairs, partial, whole = list[tuple[TextValue, Node]](), False, True
        while not self._takes("}"):
            if pairs and whole:
                if not self._lacks_comma():
                    self._demand(",", "expected ',' or '}'")
                self._skip_commas()
                if self._takes_loosely("}"):
                    break
            match = TOKEN.match(self._text, self._blank())
            if match is None or not match["text"]:
                self._refuse("expected a name in double quotes")
            self._at = match.end()
            key = self._quoted(match)
            self._demand(":", "expected ':'")
            pairs.append((key, self._value(depth + 1)))
            if fragment := FRAGMENT.match(self._text, self._blank()):  # members that a script puts in, or none
                self._at = fragment.end()
            whole = fragment is None or self._text.startswith(",", self._blank())
            partial = partial or fragment is not None
        return Members(pairs, at, partial)

    def _items(self, at: int, depth: int) -> Items:
        items = list[Node]()
        while not self._takes("]"):
            if items:
                self._demand(",", "expected ',' or ']'")
                self._skip_commas()
                if self._takes_loosely("]"):
                    break
            items.append(self._value(depth + 1))
        return Items(items, at)

    def _quoted(self, match: re.Match[str]) -> TextValue:
        start, end = match.span("text")
        inner = self._excerpt.part(start + 1, end - 1)
        if "\\" in inner.text:
            for escape in ESCAPE.finditer(inner.text):
                if escape[0][1] not in ESCAPES and len(escape[0]) == 2:
                    self._note_loose(start + 1 + escape.start())
            inner = inner.replaced(ESCAPE, _unescaped)
        return TextValue(inner, start)

    def _bare(self, match: re.Match[str]) -> TextValue:
        text, start = match["bare"], match.start("bare")
        if text not in ("true", "false", "null") and not NUMBER.fullmatch(text) and not PLACEHOLDER.search(text):
            self._at = start
            self._refuse("expected a value")
        self._at = match.end()
        return TextValue(
            self._excerpt.part(start, self._at) if text != "null" else self._excerpt.text_at(start, ""), start
        )

    def _blank(self) -> int:
        match = BLANK.match(self._text, self._at)
        end = match.end() if match else self._at
        if mark := MARK.search(self._text, self._at, end):
            if ELLIPSIS.search(self._text, mark.start(), end):
                self.is_excerpt = True
            else:
                self._note_loose(mark.start(), is_comment=mark[0] != "\\")
        return end

    def _lacks_comma(self) -> bool:
        """Whether the next member begins on another line, without a comma before it."""
        end, at = self._at, self._blank()
        match = MEMBER.match(self._text, at)
        if match is None or "\n" not in self._text[end:at]:
            return False
        self._note_loose(at)
        return True

    def _skip_commas(self) -> None:
        """Skip commas behind a comma."""
        while self._text.startswith(",", at := self._blank()):
            self._note_loose(at)
            self._at = at + 1

    def _takes_loosely(self, mark: str) -> bool:
        """Take a bracket behind a comma."""
        comma = self._at - 1
        if not self._text.startswith(",", comma) or not self._takes(mark):
            return False
        self._note_loose(comma)
        return True

    def _note_loose(self, at: int, *, is_comment: bool = False) -> None:
        """Note what is not JSON, if it is the first."""
        self.loose = self.loose or LooseJson(self._excerpt.spot(at), is_comment)

    def _takes(self, mark: str) -> bool:
        at = self._blank()
        if self._text.startswith(mark, at):
            self._at = at + 1
            return True
        return False

    def _demand(self, mark: str, otherwise: str) -> None:
        if not self._takes(mark):
            self._refuse(otherwise)

    def _refuse(self, why: str) -> Never:
        line, column = self._excerpt.spot(min(self._blank(), len(self._text)))
        raise BadConfigFile("invalid JSON", where=f"{line}:{column}", why=why)


def _unescaped(match: re.Match[str]) -> str:
    escape = match[0]
    if escape[1] != "u" or len(escape) == 2:
        return ESCAPES.get(escape[1], escape)
    units = [int(unit, 16) for unit in escape[2:].split("\\u")]
    return b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "surrogatepass")
