"""Connectors from a text in any format: each format is a module of this package.

The position of each key is kept, so that a finding has a line. Pure: text in, documents out.
"""

import importlib
import pkgutil
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from json import loads  # `json` is a module of this package
from pathlib import PurePath

from outbox_kit.errors import BadConfigFile, NoConnector
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import server, templates
from outbox_kit.lint.document import START, Document
from outbox_kit.lint.excerpt import Excerpt, spot_of
from outbox_kit.lint.format import TextFormat
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.lint.repair import MOST, repaired
from outbox_kit.lint.templates import Filled
from outbox_kit.lint.words import names_connector

NOTHING = lazy_pattern(r"^[ \t]*(?:#.*|---[ \t]*)$", re.MULTILINE)  # comments, and separators of documents
OWN_KEYS = {"service", "database", "events"}
TEMPLATES = (
    ".j2",
    ".jinja",
    ".jinja2",
    ".tpl",
    ".tftpl",
    ".tmpl",
    ".template",
    ".gotmpl",
    ".hbs",
    ".dist",
    ".example",
    ".sample",
)
NAMES = ("Jenkinsfile", "Dockerfile", "Containerfile")
"""Files whose whole name says their format."""
DEEPEST, CLASS = 6, "connector.class"
TYPOGRAPHIC = lazy_pattern("[\u201c\u201d\u201e]connector\\.class[\u201c\u201d]")
"""What a text processor makes of the quotation marks of JSON, and of a shell."""
FORM = lazy_pattern(r"\"connector\.class\"\s*:\s*\"\"")
"""A config that is to be filled in, such as in a collection of requests."""
LOOKS_LIKE_JSON = lazy_pattern(r"\s*\{\s*(\"|\})|\s*\[\s*\{\s*\"")


@cache
def all_formats() -> Sequence[TextFormat]:
    """The formats in the order in which they are tried."""
    modules = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    formats: list[TextFormat] = [module.FORMAT for module in modules]
    return sorted(formats, key=lambda each: each.rank)


def suffixes() -> tuple[str, ...]:
    """The suffixes of the files that are read from a folder."""
    return tuple(suffix for each in all_formats() for suffix in each.suffixes)


RENDERED = (".html", ".htm")
"""Pages whose objects have marks and entities of HTML in them: what cannot be read is none that anybody sends."""


def suffix_of(name: str) -> str:
    """The suffix that decides a file's format: without that of a template language."""
    path = PurePath(name)
    while path.suffix.lower() in TEMPLATES:
        path = path.with_suffix("")
    says_format = path.name.startswith(".") or path.name in NAMES
    return path.suffix.lower() or (path.name.lower() if says_format else "")


def documents(text: str, source: str) -> list[Document]:
    """Every connector config in a text. source: the file's name, for its format and for messages.

    Raises NoConnector if there is none, BadConfigFile if the text as a whole cannot be read.
    """
    stripped = text.lstrip("\ufeff \t\r\n")
    if not NOTHING.sub("", stripped).strip():
        raise NoConnector(
            f"'{source}' is empty", fix="name a schema file or a connector config, or write one: outbox-kit init"
        )
    whole = Excerpt.whole(text)
    excerpt = whole.part(1, len(text)) if text.startswith("\ufeff") else whole
    template = templates.filled(excerpt, PurePath(source).suffix.lower())
    suffix = suffix_of(source)
    form = _format(template.excerpt.text, suffix)
    try:
        read = [each for each in _read_or_repaired(template, form, suffix) if not (each.fault and suffix in RENDERED)]
        if not read:
            read = _read_otherwise(template, form)
    except BadConfigFile as cause:
        where = f"{source}:{cause.where}" if cause.where else source
        raise BadConfigFile(cause.what, where=where, why=cause.why) from None
    if not read and (quoted := TYPOGRAPHIC.search(excerpt.text)):
        spot = excerpt.spot(quoted.start())
        return [Document("json", None, {}, {}, spot, fault="typographic quotation marks", verbatim=False)]
    if not read:
        raise NoConnector(
            f"no connector config found in the {form.title}", where=f"{source}:1:1", why=f"expected {form.expected}"
        )
    return _without_parts(read)


def _read_otherwise(template: Filled, form: TextFormat) -> list[Document]:
    """The connectors in a script that is of another language than its suffix says: statements of SQL, a program."""
    text = template.excerpt.text
    for suffix in (".sql", ".ps1") if ".sh" in form.suffixes else ():
        other = next(each for each in all_formats() if suffix in each.suffixes)
        if suffix == ".ps1" or other.recognises(text):
            read = [each for each in _read(template, other, 0) if not each.fault]
            if read:
                return read
    return []


def _without_parts(read: Sequence[Document]) -> list[Document]:
    """The connectors; parts of a Debezium Server's settings, such as of a secret, with those that have its class."""
    read = _without_patches(read)
    parts = [document for document in read if document.kind == "server" and server.CLASS not in document.settings]
    whole = [document for document in read if document not in parts]
    if not parts or all(document.kind != "server" for document in whole):
        return list(read)
    config = {key: placeholder(key) for part in parts for key in part.config}
    settings = {key: placeholder(key) for part in parts for key in part.settings}
    return [
        replace(document, config={**config, **document.config}, settings={**settings, **document.settings})
        if document.kind == "server"
        else document
        for document in whole
    ]


def _without_patches(read: Sequence[Document]) -> Sequence[Document]:
    """The connectors, without patches of a resource that stands in the text as a whole."""
    whole = {document.name for document in read if document.state is not None and "connector.class" in document.config}
    return [
        document
        for document in read
        if document.state is None or "connector.class" in document.config or document.name not in whole
    ]


def _of_suffix(suffix: str) -> TextFormat | None:
    return next((each for each in all_formats() if suffix in each.suffixes), None)


def _format(text: str, suffix: str) -> TextFormat:
    """The format of a text: what its suffix says, if the text is not certainly of another one."""
    by_suffix = _of_suffix(suffix)
    certain = next((each for each in all_formats() if each.certain(text)), None)
    if by_suffix and (certain is None or by_suffix.keeps_suffix):
        return by_suffix
    return certain or next(each for each in all_formats() if each.recognises(text))


def _read_or_repaired(template: Filled, form: TextFormat, suffix: str) -> list[Document]:
    """The connectors of a file, also if its text is not quite what it seems to be, or not quite JSON.

    form: of the text. Raises BadConfigFile.
    """
    try:
        return list(_read(template, form, 0))
    except BadConfigFile as cause:
        if (other := _of_suffix(suffix)) and other is not form:
            return list(_read(template, other, 0))
        if isinstance(cause, NoConnector) or not (read := _repaired(template, form, 0, cause)):
            raise
        return read


def _repaired(template: Filled, form: TextFormat, depth: int, cause: BadConfigFile) -> list[Document]:
    """The connectors of JSON that cannot be read, without the lines at fault; each has the fault.

    cause: the first fault. Empty if the text is not JSON, or nothing can be read of it.
    """
    refused, excerpt = cause, template.excerpt
    for _ in range(MOST if ".json" in form.suffixes else 0):
        rest = repaired(excerpt, refused)
        if rest is None:
            break
        try:
            return [_at_fault(each, cause) for each in _read(replace(template, excerpt=rest), form, depth)]
        except BadConfigFile as again:
            refused, excerpt = again, rest
    return []


def _at_fault(document: Document, cause: BadConfigFile) -> Document:
    """A config whose text was refused. cause: the first fault."""
    line, _ = spot_of(cause.where) or START
    return replace(document, fault=f"{cause.what} in line {line}: {cause.why}", fault_line=line, verbatim=False)


def _read(template: Filled, form: TextFormat, depth: int) -> Iterator[Document]:
    for document in form.read(template.excerpt, lambda inner, suffix: _nested(inner, suffix, depth + 1)):
        if template.conditional and CLASS in document.twice:  # one of several, in other branches of the template
            document = replace(document, config={**document.config, CLASS: placeholder(CLASS)})
        yield replace(
            document,
            twice=() if template.conditional else document.twice,
            partial=document.partial or _has_hidden_lines(document, template.hidden),
            expands=document.expands or template.expands,
        )


def _has_hidden_lines(document: Document, hidden: Collection[int]) -> bool:
    """Whether lines that are not shown belong to a config: among its options, or beside them."""
    lines = [line for line, _ in document.spots.values()]
    return bool(lines) and any(min(lines) - 1 <= line <= max(lines) + 1 for line in hidden)


def _nested(excerpt: Excerpt, suffix: str, depth: int) -> Iterator[Document]:
    """The connectors of a text within a text. One that looks like a config and cannot be read is one with a fault."""
    if depth > DEEPEST or not names_connector(excerpt.text):
        return
    template = templates.filled(excerpt)
    form = _format(template.excerpt.text, suffix)
    try:
        yield from _read(template, form, depth)
    except BadConfigFile as cause:
        if LOOKS_LIKE_JSON.match(excerpt.text) and not FORM.search(excerpt.text):
            spot = spot_of(cause.where) or excerpt.spot(0)
            unread = Document("json", None, {}, {}, spot, fault=f"{cause.what}: {cause.why}", verbatim=False)
            yield from _repaired(template, form, depth, cause) or [unread]


def is_schema_file(text: str) -> bool:
    """Whether a text is one of our own schema files: its top level names a service or a database with a dialect."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped.startswith("{"):
        return _is_schema_in_braces(stripped)
    return bool(re.search(r"^(service|database)\s*:", text, re.MULTILINE)) and not re.search(
        r"^(kind|apiVersion)\s*:", text, re.MULTILINE
    )


def _is_schema_in_braces(text: str) -> bool:
    """The same for one in JSON, or in YAML's braces."""
    try:
        raw = loads(text)
    except (ValueError, RecursionError):
        return bool(re.match(r"\{\s*[\"']?(service|database)[\"']?\s*:", text))
    return isinstance(raw, dict) and len(OWN_KEYS & raw.keys()) > 1 and "connector.class" not in raw
