"""Java properties: of standalone workers, Debezium Server and Quarkus, files of variables, and lists with `;`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from outbox_kit import databases
from outbox_kit.errors import BadConfigFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import engine, server
from outbox_kit.lint.document import Document, Entry
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.properties import properties
from outbox_kit.router import options

QUARKUS = "quarkus.debezium."
"""The prefix of options of Debezium's extension for Quarkus."""
PREFIXED = lazy_pattern(r"((?!debezium\.source\.|quarkus\.)[\w-]+\.[\w.-]+\.)connector\.class")
"""The class below names of an application."""
LINE = lazy_pattern(r"(?:export[ \t]+)?[\w.\-$%]+[ \t]*=")
DOTTED = lazy_pattern(r"[\w-]+\.[\w.-]+[ \t]*=")
MALFORMED = lazy_pattern(
    r"^[ \t]*+(?![#!])[^\\\n]*+(?:\\[^u\n][^\\\n]*+)*+(?P<escape>\\u(?![0-9a-fA-F]{4}))", re.MULTILINE
)
"""What Java refuses, such as in a path of Windows."""
EXPORT = lazy_pattern(r"^export[ \t]+", re.MULTILINE)


def read(excerpt: Excerpt, _nested: Nested) -> Iterator[Document]:
    """Read a text."""
    if _is_joined(excerpt.text):
        excerpt = excerpt.replaced(re.compile(";"), lambda _: "\n")
    is_of_shell = EXPORT.search(excerpt.text) is not None
    excerpt = excerpt.replaced(EXPORT, lambda _: "")
    if malformed := MALFORMED.search(excerpt.text):
        line, column = excerpt.spot(malformed.start("escape"))
        raise BadConfigFile("invalid properties", where=f"{line}:{column}", why="malformed \\uxxxx encoding")
    starts = list(accumulate(map(len, excerpt.text.splitlines(keepends=True)), initial=0))
    entries = [
        Entry(each.name, each.value, starts[each.line - 1] + each.column - 1) for each in properties(excerpt.text)
    ]
    entries = [_unquoted(each) if is_of_shell else each for each in _without_prefix(entries)]
    if server.runs(entry.key for entry in entries):
        variables = (_unquoted(each) if each.key.isupper() else each for each in entries)
        yield server.document(variables, excerpt)
    elif any(entry.key.startswith(QUARKUS) for entry in entries):
        yield replace(engine.document("properties", _of_extension(entries), excerpt, runs=True), partial=True)
    elif any(entry.key == "connector.class" or entry.key.startswith("transforms.") for entry in entries):
        of_connector = any(entry.key == "connector.class" for entry in entries)
        yield replace(engine.document("properties", entries, excerpt), partial=not of_connector)


def _without_prefix(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries without what stands before the options of a connector, as Spring has them."""
    prefixes = {match[1] for entry in entries if (match := PREFIXED.fullmatch(entry.key))}
    prefix = prefixes.pop() if len(prefixes) == 1 else ""
    for entry in entries:
        yield replace(entry, key=entry.key.removeprefix(prefix)) if prefix else entry


def _of_extension(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The options in the settings of Debezium's extension for Quarkus, whose class is that of the datasource."""
    for entry in entries:
        name = server.without_profile(entry.key)
        if name.startswith(QUARKUS):
            yield replace(entry, key=name.removeprefix(QUARKUS))
        elif name == "quarkus.datasource.db-kind":
            for dialect, each in databases.ALL.items():
                if entry.value in (dialect, options.catalogue(dialect).facts.get("name")):
                    yield replace(entry, key="connector.class", value=each.capture.options["connector.class"])


def _is_joined(text: str) -> bool:
    """Whether a text is one line of properties that are separated by semicolons."""
    parts = text.strip().strip(";").split(";")
    return "\n" not in text.strip() and len(parts) > 1 and all("=" in part for part in parts)


def _first_line(text: str) -> str:
    """The first line that is no comment."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and line[0] not in "#!["), "")


def _unquoted(entry: Entry) -> Entry:
    """A variable's value without the quotes of its file."""
    quoted = re.fullmatch(r"([\"'])(.*)\1", entry.value)
    return replace(entry, value=quoted[2]) if quoted else entry


FORMAT = TextFormat(
    rank=50,
    title="Java properties",
    suffixes=(".properties", ".env", ".conf", ".cfg", ".config", ".ini"),
    recognises=lambda text: LINE.match(_first_line(text)) is not None,
    certain=lambda text: DOTTED.match(_first_line(text)) is not None,
    read=read,
    expected="a line connector.class=..., or debezium.source.connector.class=...",
)
