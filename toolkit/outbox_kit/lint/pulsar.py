"""Sources of Pulsar that run a connector of Debezium, by their archive or class. Pure."""

from dataclasses import replace

from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.router import options

SOURCE = lazy_pattern(r"pulsar-io-debezium-(?P<archive>\w+)|org\.apache\.pulsar\.io\.debezium\.(?P<package>\w+)\.")
NAMES = {"mssql": SQLSERVER.name}
"""Databases that Pulsar calls otherwise."""
FORMER = ("database.server.name", "database.history", "mongodb.name", "mongodb.hosts")
"""Options of the releases before 2.0, the newest of which Pulsar had for long."""
FORMER_RELEASE = "1.9"
OWN = ("pulsar.service.url", "offset.storage.topic", "topic.namespace", "task.class", "schema.registry.url")
"""Options that Pulsar reads itself."""


def connector_class(name: str) -> str:
    """The class of Debezium that a source runs; empty if it runs none. name: of its archive, or of its own class."""
    match = SOURCE.search(name)
    word = (match["archive"] or match["package"]) if match else ""
    classes = {database: class_name for class_name, database in options.connectors().items()}
    return classes.get(NAMES.get(word, word), "")


def of_source(document: Document) -> Document:
    """The config of a source, to which Pulsar adds options, such as those of the schema history."""
    is_former = any(key in document.config for key in FORMER)
    return replace(document, partial=True, release=FORMER_RELEASE if is_former else None)
