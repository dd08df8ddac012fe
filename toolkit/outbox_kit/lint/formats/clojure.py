"""Clojure: maps with a connector's class, in which each value stands behind its name, and calls that set options."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import engine, program
from outbox_kit.lint.builders import BUILDERS, built
from outbox_kit.lint.document import Document, Entry
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.placeholders import placeholder

TOKEN = lazy_pattern(
    r'"(?P<text>(?:[^"\\]|\\.)*)"|(?P<comment>;[^\n]*)|(?P<mark>[()\[\]{}])|(?P<atom>[^\s()\[\]{}",;]+)', re.DOTALL
)
SETTERS = (".with", ".put", ".setProperty", "assoc")
"""Functions whose last two arguments are an option and its value."""
CONSTANT = lazy_pattern(r"-?\d+|true|false")


@dataclass
class _Form:
    """What an open bracket has: the offset and the text of each form, None for one that a program computes."""

    bracket: str
    forms: list[tuple[int, str | None]] = field(default_factory=list)
    function: str = ""
    """The atom that a list begins with."""
    entries: list[Entry] = field(default_factory=list)
    """The options that the calls in it set."""


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
                yield from _connector(_pairs(closed.forms), excerpt)
            opened[-1].entries += _set(closed, excerpt.text)
            yield from _connector(closed.entries, excerpt)
        elif token["text"] is not None:
            opened[-1].forms.append((token.start(), program.ESCAPE.sub(program.unescaped, token["text"])))
        else:
            atom = token["atom"].removeprefix(":")
            if opened[-1].bracket == "(" and not opened[-1].forms:
                opened[-1].function = atom.rpartition("/")[2]
            is_plain = CONSTANT.fullmatch(atom) or token["atom"].startswith(":")
            opened[-1].forms.append((token.start(), atom if is_plain else placeholder(atom)))


def _pairs(forms: Sequence[tuple[int, str | None]]) -> list[Entry]:
    """The options of a map, or of the arguments of a function."""
    pairs = zip(forms[::2], forms[1::2], strict=False)
    return [
        Entry(name, placeholder("form") if value is None else value, at) for (at, name), (_, value) in pairs if name
    ]


def _set(call: _Form, text: str) -> list[Entry]:
    """The options that a call sets."""
    if call.function in BUILDERS:
        return list(built(call.function, call.forms[0][0], text))
    return _pairs(call.forms[-2:]) if call.function in SETTERS and len(call.forms) > 2 else []


def _connector(entries: Sequence[Entry], excerpt: Excerpt) -> Iterator[Document]:
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
