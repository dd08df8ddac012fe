"""ksqlDB: connectors in `CREATE SOURCE CONNECTOR` and `CREATE SINK CONNECTOR`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document, Entry, document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.words import names_connector

STATEMENT = lazy_pattern(
    r"\bCREATE\s+(?:SOURCE|SINK)\s+CONNECTOR\s+(?:IF\s+NOT\s+EXISTS\s+)?([`\"']?)(?P<name>[\w.${}()-]+)\1\s+WITH\s*\(",
    re.IGNORECASE,
)
PAIR = lazy_pattern(
    r"(?:\s|,|--[^\n]*\n|/\*(?:(?!\*/).)*\*/)*(?:'(?P<key>(?:[^']|'')*)'|\"(?P<quoted>[^\"\n]*)\")"
    r"\s*=\s*(?:'(?P<text>(?:[^']|'')*)'|\"(?P<name>[^\"\n]*)\"|(?P<bare>[\w.-]+))",
    re.DOTALL,
)
DOUBLED = lazy_pattern("''")
IDENTIFIER = "an identifier, because it is in double quotes"


OBJECT = lazy_pattern(r"/\*[^*{]*(\{(?:(?!\*/).)*\})\s*\*/", re.DOTALL)
"""A comment that is an object of JSON, such as a connector beside the statements that it needs."""


INSERT = lazy_pattern(r"^[ \t]*INSERT\s+INTO\s", re.IGNORECASE | re.MULTILINE)
ROW = lazy_pattern(r"'(\{\s*\"(?:[^']|'')*\})\s*'")
"""An object of JSON as the value of a column."""


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a script."""
    for comment in OBJECT.finditer(excerpt.text):
        yield from nested(excerpt.part(*comment.span(1)), "")
    for row in ROW.finditer(excerpt.text):
        if names_connector(row[1]):
            yield from nested(excerpt.part(*row.span(1)).replaced(DOUBLED, lambda _: "'"), ".json")
    for statement in STATEMENT.finditer(excerpt.text):
        entries, at = list[Entry](), statement.end()
        while pair := PAIR.match(excerpt.text, at):
            key, value = (DOUBLED.sub("'", pair[name] or "") for name in ("key", "text"))
            start = pair.start("quoted" if pair["key"] is None else "key") - 1
            odd = IDENTIFIER if pair["name"] is not None else ""
            entries.append(Entry(key or pair["quoted"] or "", value or pair["name"] or pair["bare"] or "", start, odd))
            at = pair.end()
        if any(entry.key == "connector.class" for entry in entries):
            yield replace(document("sql", statement["name"], entries, excerpt), verbatim=False)


FORMAT = TextFormat(
    rank=12,
    title="SQL of ksqlDB",
    suffixes=(".sql", ".ksql"),
    recognises=lambda text: STATEMENT.search(text) is not None or INSERT.search(text) is not None,
    read=read,
    expected="CREATE SOURCE CONNECTOR, or an object of JSON in quotes, with connector.class",
)
