"""From a schema file's outboxes to what the rules look at: the configs that they give."""

from outbox_kit.lint.formats import Document, Spot
from outbox_kit.lint.subject import Subject
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import SchemaFile
from outbox_kit.versions import Version
from outbox_kit.wire import connector


def from_schema_file(file: SchemaFile, target: Version | None) -> list[Subject]:
    """The configs that a schema file's outboxes give. target: another release than the file's own."""
    return [_from_outbox(file, outbox, target) for outbox in file.outboxes]


def _from_outbox(file: SchemaFile, outbox: Outbox, target: Version | None) -> Subject:
    config = connector.config(outbox)
    start = file.where(outbox)
    spots: dict[str, Spot] = {key: file.where(outbox, "connect", "config", key) for key in outbox.connect.config}
    document = Document("schema", outbox.names.connector, config, spots, start)
    return Subject(str(file.path), document, target or Version.of(outbox.connect.debezium), outbox)
