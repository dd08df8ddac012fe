"""ksqlDB: connectors in `CREATE SOURCE CONNECTOR` and `CREATE SINK CONNECTOR`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document, Entry, document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat

STATEMENT = lazy_pattern(
    r"\bCREATE\s+(?:SOURCE|SINK)\s+CONNECTOR\s+(?:IF\s+NOT\s+EXISTS\s+)?([`\"']?)(?P<name>[\w.${}()-]+)\1\s+WITH\s*\(",
    re.IGNORECASE,
)
PAIR = lazy_pattern(
    r"(?:\s|,|--[^\n]*\n|/\*.*?\*/)*'(?P<key>(?:[^']|'')*)'\s*=\s*(?:'(?P<text>(?:[^']|'')*)'|(?P<bare>[\w.-]+))",
    re.DOTALL,
)
DOUBLED = lazy_pattern("''")


OBJECT = lazy_pattern(r"/\*[^*{]*(\{(?:(?!\*/).)*\})\s*\*/", re.DOTALL)
"""A comment that is an object of JSON, such as a connector beside the statements that it needs."""


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a script."""
    for comment in OBJECT.finditer(excerpt.text):
        yield from nested(excerpt.part(*comment.span(1)), "")
    for statement in STATEMENT.finditer(excerpt.text):
        entries, at = list[Entry](), statement.end()
        while pair := PAIR.match(excerpt.text, at):
            value = pair["bare"] if pair["text"] is None else DOUBLED.sub("'", pair["text"])
            entries.append(Entry(DOUBLED.sub("'", pair["key"]), value, pair.start("key") - 1))
            at = pair.end()
        if any(entry.key == "connector.class" for entry in entries):
            yield replace(document("sql", statement["name"], entries, excerpt), verbatim=False)


FORMAT = TextFormat(
    rank=12,
    title="SQL of ksqlDB",
    suffixes=(".sql", ".ksql"),
    recognises=lambda text: STATEMENT.search(text) is not None,
    read=read,
    expected="CREATE SOURCE CONNECTOR with connector.class",
)
