"""Programs that register or run a connector: maps and calls whose arguments are options, and texts with a connector.

The languages differ little in what is read here: a text that is an option's name, what separates it from its value, and
the value up to the next comma, semicolon or bracket. What only a run of the program decides is a placeholder.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import engine, placeholders, server
from outbox_kit.lint.completed import FRAMEWORKS, REACH, is_completed_later
from outbox_kit.lint.document import IN_PROGRAM, Document, Entry
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.formats import text
from outbox_kit.lint.literals import PYTHON
from outbox_kit.lint.parsed_program import ParsedProgram
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.lint.scan import MapOptions, with_classes
from outbox_kit.lint.words import names_connector
from outbox_kit.router import options as router_options

CLASS = "connector.class"
ADDS = ("Object.assign(", *FRAMEWORKS)
"""What adds options that are not shown."""
ENGINE = lazy_pattern(
    r"\bDebeziumEngine\b|[\"']debezium-\w+:|^import io\.debezium\.(?:config|connector|embedded)\.", re.MULTILINE
)
"""Classes of the engine and of connectors, in a program that runs a connector itself."""
SPRING = "debezium.properties."
"""What stands before the options of the engine that Spring's support for Debezium runs."""
REPLACES = ("Template", "expandvars", "substitute", "envsubst", ".replace(", "re.sub(", "sed ")
"""What replaces variables in a text later."""
OF_ROUTER = lazy_pattern(r"transforms\.[\w-]+\.type")
JSON = lazy_pattern(r"\s*[{\[]")
REMARK = lazy_pattern(r"^[ \t]*\*(?!/)[ \t]?", re.MULTILINE)
"""What begins the lines of a comment."""


OF_RUST = ('".into()', '".to_string()', '".to_owned()', 'String::from("')
CONVERSION = lazy_pattern(r"(?<=\")\.(?:into|to_string|to_owned)\(\)|\bString::from\((?P<text>\"(?:[^\"\\]|\\.)*\")\)")
"""How Rust makes a text of its own of a literal."""


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a program."""
    if any(mark in excerpt.text for mark in OF_RUST):
        excerpt = excerpt.replaced(CONVERSION, lambda match: match["text"] or "")
    parsed = ParsedProgram(excerpt)
    runs_engine = ENGINE.search(excerpt.text) is not None
    settings, connectors = _connectors(parsed, runs_engine)
    texts = [
        literal
        for literal in parsed.texts()
        if names_connector(literal.text) and (JSON.match(literal.text) or "\n" in literal.text.strip())
    ]
    if server.runs(entry.key for entry in settings):
        read_settings = server.document(settings, excerpt)
        hidden = _hides_names(settings) or is_completed_later(read_settings.config)
        yield replace(read_settings, partial=read_settings.partial or hidden)
    is_plain = PYTHON.search(excerpt.text) and not any(word in excerpt.text for word in REPLACES)
    expands = IN_PROGRAM if is_plain else ""
    for options in connectors:
        read_options = engine.document("code", options.entries, excerpt, runs=runs_engine)
        hidden = _hides_names(options.entries) or any(word in excerpt.text for word in ADDS)
        partial = options.partial or hidden or is_completed_later(read_options.config)
        strict = options.of_endpoint
        yield replace(read_options, verbatim=False, partial=partial, expands=expands, refuses_unknown=strict)
    for literal in texts:
        yield from list(nested(literal, ".sh" if "<<" in literal.text else "")) or text.read(literal, nested)
    if not (settings or connectors or texts):
        documents = text.read(excerpt.replaced(REMARK, lambda _: ""), nested)
        yield from (document for document in documents if not document.fault)


def _hides_names(entries: Sequence[Entry]) -> bool:
    """Whether the names of some options are computed."""
    return any(placeholders.is_open("", entry.key) for entry in entries)


def _connectors(parsed: ParsedProgram, runs_engine: bool) -> tuple[list[Entry], list[MapOptions]]:
    """The settings of Debezium Server, and the options of each connector."""
    settings, connectors = list(parsed.assignments()), list[MapOptions]()
    of_spring = [replace(each, key=each.key.removeprefix(SPRING)) for each in settings if each.key.startswith(SPRING)]
    if any(entry.key == CLASS for entry in of_spring):
        connectors.append(MapOptions(of_spring))
    for options in with_classes(parsed.maps()):
        if variable := _variable(options.entries):
            settings.append(variable)
        elif server.runs(entry.key for entry in options.entries):
            settings += options.entries  # secrets often have a map of their own
        elif options.built or any(entry.key == CLASS for entry in options.entries):
            connectors.append(options)
        elif any(OF_ROUTER.fullmatch(entry.key) for entry in options.entries):
            if connectors:
                connectors[-1].entries += options.entries  # such as those that a condition adds
            elif runs_engine or any(entry.key in REACH for entry in options.entries):
                options.partial = options.partial or parsed.names_class()
                connectors.append(options)  # which lacks its class
    connectors += [MapOptions(endpoint, of_endpoint=True) for endpoint in parsed.endpoints()]
    if getters := list(parsed.getters()):
        connectors.append(MapOptions(getters))
    return settings, [part for options in connectors for part in _parts(options)]


def _parts(options: MapOptions) -> Iterator[MapOptions]:
    """The options of each connector that an object gets in branches of its own, with those before all of them."""
    at = [number for number, entry in enumerate(options.entries) if entry.key == CLASS]
    classes = {options.entries[number].value for number in at}
    if options.built and len(at) > 1:  # what the program sets holds, not what the builder did
        options.entries.pop(at[0])
    if options.built or len(classes) < 2 or not classes <= router_options.connectors().keys():
        yield options
        return
    for begin, end in pairwise([*at, len(options.entries)]):
        yield replace(options, entries=[*options.entries[: at[0]], *options.entries[begin:end]])


def _variable(entries: Sequence[Entry]) -> Entry | None:
    """The variable of Debezium Server that an object with `name` and `value` is; None if it is none."""
    members = {entry.key.lower(): entry for entry in entries}
    name = members["name"].value if "name" in members else ""
    if not (server.VARIABLE.fullmatch(name) or server.runs([name])):
        return None
    value = members["value"].value if "value" in members else placeholder("value")
    return replace(members["name"], key=name, value=value)


FORMAT = TextFormat(
    rank=91,
    title="program",
    suffixes=(
        *(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".py"),
        *(".ps1", ".psm1", "jenkinsfile", ".jsonnet", ".libsonnet"),
        *(".java", ".kt", ".kts", ".groovy", ".scala", ".go", ".rs", ".cs", ".rb", ".php", ".ex", ".exs"),
    ),
    recognises=lambda _: False,
    read=read,
    expected="a map, or calls, with a connector's options",
    keeps_suffix=True,
)
