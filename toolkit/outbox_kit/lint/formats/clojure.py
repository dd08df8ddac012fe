"""Clojure: maps with a connector's class, in which a name and its value stand one behind the other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import engine, program
from outbox_kit.lint.document import Document, Entry
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.placeholders import placeholder

TOKEN = lazy_pattern(
    r'"(?P<text>(?:[^"\\]|\\.)*)"|(?P<comment>;[^\n]*)|(?P<mark>[()\[\]{}])|(?P<atom>[^\s()\[\]{}",;]+)', re.DOTALL
)
CONSTANT = lazy_pattern(r"-?\d+|true|false")


@dataclass
class _Form:
    """What an open bracket has: the offset and the text of each form, None for one that a program computes."""

    bracket: str
    forms: list[tuple[int, str | None]] = field(default_factory=list)


def read(excerpt: Excerpt, _nested: Nested) -> Iterator[Document]:
    """Read a program, or data."""
    opened = [_Form("")]
    for token in TOKEN.finditer(excerpt.text):
        if token["comment"] is not None:
            continue
        if token["mark"] and token["mark"] in "([{":
            opened.append(_Form(token["mark"]))
        elif token["mark"]:
            closed = opened.pop() if len(opened) > 1 else _Form("")
            opened[-1].forms.append((token.start(), None))
            if closed.bracket == "{":
                yield from _connector(closed, excerpt)
        elif token["text"] is not None:
            opened[-1].forms.append((token.start(), program.ESCAPE.sub(program.unescaped, token["text"])))
        else:
            atom = token["atom"].removeprefix(":")
            is_plain = CONSTANT.fullmatch(atom) or token["atom"].startswith(":")
            opened[-1].forms.append((token.start(), atom if is_plain else placeholder(atom)))


def _connector(form: _Form, excerpt: Excerpt) -> Iterator[Document]:
    pairs = zip(form.forms[::2], form.forms[1::2], strict=False)
    entries = [
        Entry(name, placeholder("form") if value is None else value, at) for (at, name), (_, value) in pairs if name
    ]
    if any(entry.key == "connector.class" for entry in entries):
        yield replace(engine.document("code", entries, excerpt, runs="DebeziumEngine" in excerpt.text), verbatim=False)


FORMAT = TextFormat(
    rank=92,
    title="Clojure",
    suffixes=(".clj", ".cljc", ".edn", ".bb"),
    recognises=lambda _: False,
    read=read,
    expected="a map with connector.class",
    keeps_suffix=True,
)
