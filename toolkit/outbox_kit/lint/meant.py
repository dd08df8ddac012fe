"""A config as it is meant, where a rule reports the slip: the other rules examine what is meant. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import placeholders
from outbox_kit.lint.document import Document
from outbox_kit.router import options
from outbox_kit.router.javatext import trim
from outbox_kit.router.options import OptionCatalogue
from outbox_kit.schema.nearest import closest

TRAILING = lazy_pattern(r"(?<=\S)\s+#\s*\w.*$", re.DOTALL)
"""A comment behind a value; in properties it is a part of the value. The rule trailing-comment reports it."""
PROPERTIES = ("properties", "server")
"""Kinds of documents whose comments have lines of their own."""
LIKELY = 0.78
"""How similar a name must be to be meant."""
CONNECT_CLASSES = ("io.debezium.", "org.apache.kafka.connect.")
"""What the registry of classes knows completely."""
PACKAGE = "io.debezium.connector."
"""Of a connector's class; the package of its database follows."""
SINK = "SinkConnector"
"""The end of the classes of sinks, whose options the registry does not have."""
KINDS = ("converters", "transforms", "predicates")
"""The files of the registry that describe classes: first the one that every config needs, then the others."""
CONVERTERS = ("key.converter", "value.converter", "header.converter")


def config(document: Document) -> Mapping[str, str]:
    """The options of a document: without comments behind values, and with the classes that are meant."""
    values = document.config
    if document.kind in PROPERTIES:
        values = {key: TRAILING.sub("", value) for key, value in values.items()}
    if near := _transforms(values):
        values = {**values, "transforms": values[near]}
    aliases = _aliases() if not document.settings else {}
    corrected = {key: near for key, name in named_classes(values) if (near := aliases.get(name) or meant_class(name))}
    connector = trim(values.get("connector.class", ""))
    if whole := aliases.get(connector):
        corrected["connector.class"] = whole
    elif near := meant_connector(connector):
        corrected["connector.class"] = near
    elif "connector.class" not in values or placeholders.is_open("connector.class", connector):
        fitting = _connectors_of(values)
        if fitting and ("connector.class" not in values or len(fitting) == 1):
            corrected["connector.class"] = fitting[0]
    return {**values, **corrected} if corrected else values


@cache
def _aliases() -> Mapping[str, str]:
    """The classes by the short names with which Kafka Connect finds them too (`PluginUtils.computeAliases`)."""
    aliases = dict[str, list[str]]()
    for name in (*options.connectors(), *(each for each in known_classes() if "$" not in each)):
        simple = name.rpartition(".")[2]
        for alias in {simple, *(simple.removesuffix(kind) for kind in ("Connector", "Converter"))}:
            aliases.setdefault(alias, []).append(name)
    return {alias: names[0] for alias, names in aliases.items() if len(names) == 1 and alias}


def _connectors_of(values: Mapping[str, str]) -> list[str]:
    """The classes of the connectors that have all options which some connectors have and others lack."""
    names = {name: options.catalogue(ours).options.keys() for name, ours in options.connectors().items()}
    telling = {key for key in values if 0 < sum(key in each for each in names.values()) < len(names)}
    return [name for name, keys in names.items() if telling and telling <= keys]


def _transforms(values: Mapping[str, str]) -> str:
    """The key that is a misspelt `transforms`, by the transformation that it lists; empty if there is none."""
    if "transforms" in values:
        return ""
    near = [key for key in values if "." not in key and closest(key, ["transforms"], LIKELY)]
    return next((key for key in near if f"transforms.{values[key].split(',')[0].strip()}.type" in values), "")


def named_classes(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The options whose values are classes of converters, transformations and predicates, with their values."""
    for key, value in values.items():
        if (
            key in CONVERTERS
            or key.endswith("delegate.converter.type")
            or (key.endswith(".type") and key.startswith(("transforms.", "predicates.")) and key.count(".") == 2)
        ):
            yield key, trim(value)


def known_class(name: str) -> OptionCatalogue | None:
    """A converter, a transformation or a predicate of Debezium or Kafka Connect; None if it is none of these."""
    if name in options.ROUTER_FILES:
        return options.catalogue(options.ROUTER_FILES[name])
    return next((of_kind[name] for kind in KINDS if name in (of_kind := options.classes(kind))), None)


@cache
def known_classes() -> list[str]:
    """The names of all of these classes."""
    return [*(name for kind in KINDS for name in options.classes(kind)), *options.ROUTER_FILES]


def meant_class(name: str) -> str:
    """The class that a misspelt one means; empty if it is known, belongs to others, or none is similar."""
    if not name.startswith(CONNECT_CLASSES) or known_class(name):
        return ""
    if any(each.partition("$")[0] == name.partition("$")[0] for each in known_classes()):
        return ""  # $Key or $Value is missing
    simple = name.rpartition(".")[2].partition("$")[0]
    if any(each.rpartition(".")[2].partition("$")[0] == simple for each in known_classes()):
        return ""  # it is in another package, perhaps with other options
    return closest(name, known_classes(), LIKELY) or ""


OF_STEP = lazy_pattern(r"[\w.]+\.(?:transforms?|smt|converters?|predicates?)\.[\w.$]+")
"""The class of a transformation, a converter or a predicate, by its package."""


def is_of_step(name: str) -> bool:
    """Whether a class is one that a connector uses, and no connector."""
    return known_class(name) is not None or OF_STEP.fullmatch(name) is not None


def is_unknown_connector(name: str) -> bool:
    """Whether a class is none of Debezium's connectors, although its package says so."""
    if not name.startswith(PACKAGE) or name in options.connectors() or name in options.classes("others"):
        return False
    return closest(_package(name), sorted(_packages()), LIKELY) is not None  # else of another database


def is_of_debezium(name: str) -> bool:
    """Whether the class of a connector is in a package that Debezium has, of which all connectors are known."""
    return name.startswith(PACKAGE) and _package(name) in _packages()


def _package(name: str) -> str:
    return name.removeprefix(PACKAGE).partition(".")[0]


def _packages() -> set[str]:
    classes = (*options.connectors(), *options.classes("others"))
    return {_package(each) for each in classes if each.startswith(PACKAGE)}


def meant_connector(name: str) -> str:
    """The connector's class that a misspelt one means; empty if it is known, belongs to others, or none is similar."""
    if name.endswith(SINK):
        return ""  # a source is not meant
    return closest(name, list(options.connectors()), LIKELY) or "" if is_unknown_connector(name) else ""
