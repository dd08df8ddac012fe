"""From a file's text to what the rules look at."""

from collections.abc import Sequence
from dataclasses import replace

from outbox_kit.lint.formats import Document, Spot, documents
from outbox_kit.lint.subject import Subject
from outbox_kit.render import connector
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.read import SchemaFile
from outbox_kit.versions import Version

NEWEST = Version.of("3.7")
USUAL = Version.of("3.6")


def from_configs(text: str, source: str, target: Version | None) -> list[Subject]:
    """The connector configs of a file. target: the Debezium release; 3.6 if none is asked for. Raises BadConfigFile."""
    return [Subject(source, document, target or USUAL) for document in documents(text, source)]


def from_schema_file(file: SchemaFile, target: Version | None) -> list[Subject]:
    """The configs that a schema file's outboxes give. target: another release than the file's own."""
    return [_from_outbox(file, outbox, target) for outbox in file.outboxes]


def _from_outbox(file: SchemaFile, outbox: Outbox, target: Version | None) -> Subject:
    config = connector.config(outbox)
    start = file.where(outbox)
    spots: dict[str, Spot] = {key: file.where(outbox, "connect", "config", key) for key in outbox.connect.config}
    document = Document("schema", names(outbox).connector, config, spots, start)
    return Subject(str(file.path), document, target or Version.of(outbox.connect.debezium), outbox)


def acquainted(subjects: Sequence[Subject]) -> list[Subject]:
    """The same subjects, each knowing the others."""
    return [replace(own, neighbours=tuple(other for other in subjects if other is not own)) for own in subjects]
