"""Terraform: connectors as maps of texts in the resources of its providers, variables of Debezium Server, texts within
other resources.

Only what such a resource consists of is read: texts, and other expressions as placeholders.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import server, templates
from outbox_kit.lint.document import Document, Entry, document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.mentions import closing
from outbox_kit.lint.placeholders import placeholder

RESOURCE = lazy_pattern(
    r'^[ \t]*resource\s+"(kafka-connect_connector|confluent_connector|aws_mskconnect_connector)"\s+"([^"]+)"\s*\{',
    re.MULTILINE,
)
MAP = lazy_pattern(
    r"\b(config|config_sensitive|config_nonsensitive|connector_configuration)[ \t]*=[ \t]*"
    r"(?P<expression>[^{\n]*)(?P<open>\{)?"
)
LOCAL = lazy_pattern(r"\blocal\.(\w+(?:\.\w+)*)")
OUTSIDE = lazy_pattern(r"\b(var|module|data|each)\.|\bfile\(|\btemplatefile\(|\bjsondecode\(")
"""Maps of which the file does not have the entries."""
TEXT = r'"((?>\\.|\$\{(?:[^{}"]|"[^"\n]*"|\{[^{}\n]*\})*\}|[^"\\\n])*)"'
EXPRESSION = r"(?:[^\n,{}#/()\[\]\"]|\"(?:\\.|[^\"\\\n])*\"|\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\]|/(?!/))+"
ENTRY = lazy_pattern(
    rf"\s*(?:(?:#|//)[^\n]*|(?:{TEXT}|([\w.-]+))\s*[=:]\s*(?:{TEXT}(?=\s*(?:[,}}\n#/]|$))|({EXPRESSION})),?)"
)
COMPUTED = lazy_pattern(r"\{\s*for\b")
"""A map that an expression makes."""
SERVER = "DEBEZIUM_SOURCE_CONNECTOR_CLASS"
"""The variable that each Debezium Server has."""
VARIABLE = lazy_pattern(
    rf'\bname"?\s*[=:]\s*"(?P<name>DEBEZIUM_\w+|JAVA_\w+)"\s*,?\s*(?:(?:#|//)[^\n]*\s*)?'
    rf'(?:"?value"?\s*[=:]\s*(?:{TEXT}|(?P<expression>{EXPRESSION})))?'
    rf"|(?:^|[{{,])[ \t]*\"?(?P<key>DEBEZIUM_\w+|JAVA_\w+)\"?\s*[=:]\s*"
    rf"(?:{TEXT}(?=\s*(?:[,}}\n#/]|$))|(?P<computed>{EXPRESSION}))",
    re.MULTILINE,
)
"""A variable of a container: an object with its name and its value, or an entry of a map."""
BRACE_OR_CLASS = lazy_pattern(r"[{}]|(?<![\w.])\"?connector\.class\"?[ \t]*[=:]")
HERE = lazy_pattern(r"<<-?(?P<word>\w+)\n(?P<text>(?:(?!<<-?\w+\n)[\s\S])*?)\n[ \t]*(?P=word)\b")
ESCAPE = lazy_pattern(r"\\(?:u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|(.))")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
TEMPLATE = lazy_pattern(r"([$%])\1(?=\{)|\$\{([^{}]*)\}")
CONSTANT = lazy_pattern(r"[\d.]+|true|false")


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read the resources of a file, then the maps with a connector's class and the texts in others."""
    seen = set[int]()
    starts = [match.start() for match in RESOURCE.finditer(excerpt.text)]
    for start, end in zip(starts, [*starts[1:], len(excerpt.text)] if starts else [], strict=True):
        options = _OptionsOfMaps()
        for match in MAP.finditer(excerpt.text, start, end):
            options.add(excerpt.text, match)
        seen.update(entry.at for entry in options.entries)
        if options.entries:
            yield replace(_connector(options.entries, excerpt), partial=options.partial, expands="Terraform")
    here_documents = list(HERE.finditer(excerpt.text))
    for opening in _openings(excerpt.text):
        if any(match.start() < opening < match.end() for match in here_documents):
            continue
        entries = list(_entries(excerpt.text, opening))
        if entries and seen.isdisjoint(entry.at for entry in entries):
            seen.update(entry.at for entry in entries)
            yield replace(_connector(entries, excerpt), expands="Terraform")
    for variables in _servers(excerpt.text):
        yield replace(server.document(variables, excerpt), verbatim=False)
    for match in here_documents:
        text = excerpt.part(*match.span("text")).replaced(TEMPLATE, _template)
        for each in nested(text, ""):
            yield replace(each, expands=each.expands or "Terraform")


@dataclass
class _OptionsOfMaps:
    """What the maps of a resource have."""

    entries: list[Entry] = field(default_factory=list)
    partial: bool = False

    def add(self, text: str, match: re.Match[str]) -> None:
        """Add the entries of a map: its own, and those of local values."""
        expression = match["expression"]
        self.partial = self.partial or OUTSIDE.search(LOCAL.sub("", expression)) is not None
        for name in LOCAL.findall(expression):
            at = _local(text, name)
            self.partial = self.partial or at is None
            self.entries += _entries(text, at) if at is not None else ()
        self.entries += _entries(text, match.end()) if match["open"] else ()
        if "merge(" in expression:
            rest = text[match.end() : closing(text, match.end() - 1) if match["open"] else match.end()]
            self.partial = self.partial or COMPUTED.search(rest) is not None


FORMAT = TextFormat(
    rank=5,
    title="Terraform",
    suffixes=(".tf",),
    recognises=lambda text: (RESOURCE.search(text) or templates.MAP.search(text)) is not None,
    read=read,
    expected="a resource that is a connector",
    keeps_suffix=True,
)


def _servers(text: str) -> Iterator[list[Entry]]:
    """The variables of each Debezium Server: those up to the next one's, or all if there is one."""
    entries = list(_variables(text)) if SERVER in text else []
    starts = [at for at, entry in enumerate(entries) if entry.key == SERVER]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(entries)
        yield entries[start if number else 0 : end]


def _variables(text: str) -> Iterator[Entry]:
    for match in VARIABLE.finditer(text):
        literal = match[2] if match[2] is not None else match[5]
        expression = match["expression"] or match["computed"] or match[0]
        name = match["name"] or match["key"]
        yield Entry(name, _unescaped(literal) if literal is not None else _computed(expression), match.start())


def _openings(text: str) -> list[int]:
    """The offsets behind the braces that open the maps with a connector's class."""
    openings, opened = dict[int, None](), list[int]()
    for match in BRACE_OR_CLASS.finditer(text):
        if match[0] == "{":
            opened.append(match.end())
        elif match[0] == "}":
            opened[-1:] = []
        elif opened:
            openings[opened[-1]] = None
    return list(openings)


def _local(text: str, path: str) -> int | None:
    """Where the entries of a local value, or of a map in it, begin; None if it is no map."""
    at = 0
    for name in path.split("."):
        opening = re.compile(rf"^[ \t]*\"?{name}\"?[ \t]*=[ \t]*(?:merge\([^{{\n]*)?\{{", re.MULTILINE)
        match = opening.search(text, at)
        if match is None:
            return None
        at = match.end()
    return at


def _connector(entries: list[Entry], excerpt: Excerpt) -> Document:
    name = {entry.key: entry.value for entry in entries}.get("name")
    return document("terraform", name, entries, excerpt)


def _entries(text: str, at: int) -> Iterator[Entry]:
    """The entries of a map, up to its closing brace or to what is not read."""
    while match := ENTRY.match(text, at):
        at = match.end()
        quoted, bare, value, expression = match.groups()
        if quoted is not None or bare is not None:
            name = _unescaped(quoted) if quoted is not None else bare
            start = match.start(1) - 1 if quoted is not None else match.start(2)
            yield Entry(name, _unescaped(value) if value is not None else _computed(expression), start)


def _computed(text: str) -> str:
    """A value that Terraform computes, as a placeholder; a number or a flag as it is."""
    plain = re.sub(r"\s*(#|//).*", "", text).strip()
    return plain if CONSTANT.fullmatch(plain) else placeholder(plain)


def _unescaped(text: str) -> str:
    """A literal's text, with placeholders for the expressions in it."""

    def character(match: re.Match[str]) -> str:
        short, long, letter = match.groups()
        return chr(int(short or long, 16)) if short or long else ESCAPES.get(letter, letter)

    return TEMPLATE.sub(_template, ESCAPE.sub(character, text))


def _template(match: re.Match[str]) -> str:
    return match[1] or placeholder(match[2])
