"""Programs that register a connector: objects in JavaScript and TypeScript, dictionaries in Python."""

import re
from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lint.document import Document, Entry, document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.placeholders import placeholder

OPENING = re.compile(r"\{(?=\s*(?:(?://|#)[^\n]*\n\s*|[\w.]+\s*[,:]|/\*)*[\"'`])")
GAP = r"(?:[\s,]|//[^\n]*\n|#[^\n]*\n|/\*(?:(?!\*/).)*\*/)*"
PAIR = re.compile(
    rf"{GAP}(?P<mark>[\"'`])(?P<key>[\w.$-]+)(?P=mark)\s*:\s*"
    r"(?:(?P<quote>[\"'`])(?P<text>(?:(?!(?P=quote))[^\\\n]|\\.)*)(?P=quote)(?=\s*[,}\n])|(?P<other>[^,\n{}\[\]]+))",
    re.DOTALL,
)
END = re.compile(rf"{GAP}\}}")
ESCAPE = re.compile(r"\\(.)")
PLAIN = re.compile(r"-?\d+(?:\.\d+)?|true|false", re.IGNORECASE)
INTERPOLATION = re.compile(r"\$\{([^{}]*)\}")
CLASS = "connector.class"


def read(excerpt: Excerpt, _nested: Nested) -> Iterator[Document]:
    """Read a program."""
    at = 0
    while opening := OPENING.search(excerpt.text, at):
        entries, at = list[Entry](), opening.end()
        while pair := PAIR.match(excerpt.text, at):
            entries.append(Entry(pair["key"], _value(pair), pair.start("key") - 1))
            at = pair.end()
        if any(entry.key == CLASS for entry in entries):
            whole = END.match(excerpt.text, at) is not None  # not one that takes over the members of another
            yield replace(document("code", None, entries, excerpt), verbatim=False, partial=not whole)


def _value(pair: re.Match[str]) -> str:
    """The value of a member as the program gives it; a placeholder for what only its run decides."""
    if pair["text"] is None:
        text = pair["other"].strip()
        return text.lower() if PLAIN.fullmatch(text) else placeholder(text)
    text = ESCAPE.sub(r"\1", pair["text"])
    return INTERPOLATION.sub(lambda match: placeholder(match[1]), text) if pair["quote"] == "`" else text


FORMAT = TextFormat(
    rank=91,
    title="program",
    suffixes=(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".py"),
    recognises=lambda _: False,
    read=read,
    expected="an object whose members are a connector's options",
    keeps_suffix=True,
)
