"""The message key: what it is made of, and what it looks like on the wire."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Violation, rule
from outbox_kit.lint.subject import BINARY, BYTES, JSON, STRING, Subject

CONVERTER = "key.converter"


@rule(
    "json-key-converter",
    Severity.warning,
    evidence="B01 B02",
    fix="use the StringConverter; on a live topic drain it first, since keys change partition",
)
def json_key_converter(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter quotes a text key.

    "42" in quotes is another key than 42, in another partition, and consumers have to unquote it.
    """
    if subject.router and subject.converter("key") == JSON:
        yield Violation(CONVERTER, "text keys arrive in quotes")


@rule("key-is-event-id", Severity.error, evidence="B04", fix="make the aggregate's id the key")
def key_is_event_id(subject: Subject) -> Iterator[Violation]:
    """The message key is the event's own id.

    Every event has another key, so the events of one aggregate are spread over all partitions, without an order.
    """
    if subject.router and subject.columns.get("key") == subject.columns.get("id"):
        key = subject.router_key("{}.field.event.key")
        if key in subject.config and not (subject.outbox and subject.columns["key"] == subject.outbox.table.columns.id):
            yield Violation(key, f"'{subject.columns['key']}' is also the event's id")


@rule("key-is-type", Severity.error, evidence="B04", fix="make the aggregate's id the key")
def key_is_type(subject: Subject) -> Iterator[Violation]:
    """The message key is a type, not an id.

    All events of one type share one partition, and compaction keeps the last of them.
    """
    key = subject.router_key("{}.field.event.key")
    column = subject.config.get(key, "").replace("_", "").lower()
    if subject.router and column.endswith("type"):
        yield Violation(key, f"'{subject.config[key]}' tells the kind, not which one")


@rule(
    "binary-key-as-text",
    Severity.warning,
    evidence="B03",
    fix="keep ids as text, or use the BinaryDataConverter for the key",
)
def binary_key_as_text(subject: Subject) -> Iterator[Violation]:
    """A binary key through the StringConverter is the same text for every row.

    All events go to one partition, and compaction keeps a single record.
    """
    if subject.router and subject.converter("key") == STRING and subject.converter("value") in (*BINARY, BYTES):
        mode = (subject.setting("binary.handling.mode") or "bytes").lower()
        key = subject.columns.get("key", "")
        if mode == "bytes" and "bin" in key.lower():
            yield Violation(CONVERTER, f"'{key}' looks like a binary column")
