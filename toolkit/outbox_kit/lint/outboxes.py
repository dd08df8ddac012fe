"""From a schema file's outboxes to what the rules look at: the configs that they give."""

from collections.abc import Mapping
from typing import Any

from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Spot
from outbox_kit.lint.subject import Subject
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import SchemaFile
from outbox_kit.versions import Version
from outbox_kit.wire import connector

ORIGINS: Mapping[str, tuple[str, ...]] = {
    "database.hostname": ("database", "host"),
    "database.password": ("database", "password"),
    "heartbeat.interval.ms": ("connect", "heartbeat_ms"),
    "snapshot.mode": ("connect", "snapshot"),
    "slot.name": ("connect", "slot"),
    "publication.name": ("connect", "publication"),
    "topic.prefix": ("connect", "topic_prefix"),
    "topic.creation.default.partitions": ("connect", "topics", "partitions"),
    "topic.creation.default.replication.factor": ("connect", "topics", "replication_factor"),
    "topic.creation.internal.replication.factor": ("connect", "topics", "replication_factor"),
}
"""The keys of the schema file from which options are generated, by option."""


def from_schema_file(file: SchemaFile, target: Version | None) -> list[Subject]:
    """The configs that a schema file's outboxes give. target: another release than the file's own."""
    return [_from_outbox(file, outbox, target) for outbox in file.outboxes]


def _from_outbox(file: SchemaFile, outbox: Outbox, target: Version | None) -> Subject:
    config = connector.config(outbox)
    start = file.where(outbox)
    spots: dict[str, Spot] = {key: file.where(outbox, "connect", "config", key) for key in outbox.connect.config}
    origins = {key: file.where(outbox, *steps) for key, steps in ORIGINS.items() if _is_set(outbox, steps)}
    document = Document("schema", outbox.names.connector, config, spots, start, origins=origins)
    return Subject(str(file.path), document, target or Version.of(outbox.connect.debezium), outbox)


def _is_set(outbox: Outbox, steps: tuple[str, ...]) -> bool:
    """Whether the schema file sets a key, and does not leave it to its default."""
    part: Any = outbox
    for step in steps:
        if step not in part.model_fields_set:
            return False
        part = getattr(part, step)
    return True
