"""A config as it is meant, where a rule reports the slip: the other rules examine what is meant. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from outbox_kit.lint.document import Document
from outbox_kit.router import options
from outbox_kit.router.javatext import trim
from outbox_kit.schema.nearest import closest

TRAILING = re.compile(r"(?<=\S)\s+#\s*\w.*$", re.DOTALL)
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
CONVERTERS = ("key.converter", "value.converter", "header.converter")


def config(document: Document) -> Mapping[str, str]:
    """The options of a document: without comments behind values, and with the classes that misspelt ones mean."""
    values = document.config
    if document.kind in PROPERTIES:
        values = {key: TRAILING.sub("", value) for key, value in values.items()}
    if near := _transforms(values):
        values = {**values, "transforms": values[near]}
    corrected = {key: near for key, name in named_classes(values) if (near := meant_class(name))}
    if near := meant_connector(trim(values.get("connector.class", ""))):
        corrected["connector.class"] = near
    return {**values, **corrected} if corrected else values


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


@cache
def known_classes() -> list[str]:
    """The classes of converters, transformations and predicates of Debezium and Kafka Connect."""
    kinds = ("converters", "transforms", "predicates")
    return [*(name for kind in kinds for name in options.classes(kind)), *options.ROUTER_FILES]


def meant_class(name: str) -> str:
    """The class that a misspelt one means; empty if it is known, belongs to others, or none is similar."""
    class_names = known_classes()
    if not name.startswith(CONNECT_CLASSES) or name in class_names:
        return ""
    if any(each.partition("$")[0] == name.partition("$")[0] for each in class_names):
        return ""  # $Key or $Value is missing
    return closest(name, class_names, LIKELY) or ""


def is_unknown_connector(name: str) -> bool:
    """Whether a class is none of Debezium's connectors, although its package says so."""
    if not name.startswith(PACKAGE) or name.endswith(SINK) or name in options.connectors():
        return False
    packages = [each.removeprefix(PACKAGE).partition(".")[0] for each in options.connectors()]
    package = name.removeprefix(PACKAGE).partition(".")[0]
    return closest(package, packages, LIKELY) is not None  # else of another database


def meant_connector(name: str) -> str:
    """The connector's class that a misspelt one means; empty if it is known, belongs to others, or none is similar."""
    return closest(name, list(options.connectors()), LIKELY) or "" if is_unknown_connector(name) else ""
