"""Rules about the message key: its column and its converter."""

import re
from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import BINARY, BYTES, JSON, STRING, Subject
from outbox_kit.router.javatext import trim

KEYED = ("kafka", "pulsar", "kinesis", "eventhubs", "redis", "pubsub", "rocketmq")
"""Sinks of Debezium Server that send the key."""


@rule(
    "json-key-converter",
    Consequence.wrong,
    evidence="B01 B02",
    fix="use the StringConverter; on a topic in use, let consumers catch up first, because keys change their partition",
)
def json_key_converter(subject: Subject) -> Iterator[Violation]:
    """The key converter writes text without quotes.

    "42" in quotes is a different key than 42, in another partition, and consumers have to remove the quotes.
    """
    sink = subject.document.settings.get("debezium.sink.type", "kafka").strip()
    if subject.router and sink in KEYED and subject.converter_in_use("key") == JSON:
        yield of_converter(subject, "key", "the JsonConverter writes text keys in quotes")


def of_converter(subject: Subject, part: str, message: str) -> Violation:
    """A violation by the converter of key or value; the worker's stands at the connector."""
    option = f"{part}.converter"
    return (
        Violation(option, message) if option in subject.config else Violation("connector.class", message, unset=option)
    )


@rule(
    "struct-as-text",
    Consequence.wrong,
    evidence="A04",
    fix="use the JsonConverter or one of a registry, or take the field out of the struct before",
)
def struct_as_text(subject: Subject) -> Iterator[Violation]:
    """Without an event router the StringConverter is not used.

    Keys and values of change events are structs, which it writes in the notation of Java: Struct{id=1}. ValueToKey
    makes such a key of the events of any connector, also of one field.
    """
    if subject.router or subject.changes_messages:
        return
    for part, is_struct in (("key", _has_struct_key(subject)), ("value", _has_struct_value(subject))):
        if is_struct and subject.converter_in_use(part) == STRING:
            message = f"the StringConverter writes the {part} of the event as Struct{{…}}"
            yield of_converter(subject, part, message)


def _has_struct_key(subject: Subject) -> bool:
    kinds = [step.kind.rpartition(".")[2] for step in subject.steps]
    if subject.connector:
        return "ExtractField$Key" not in kinds
    is_source = trim(subject.config.get("connector.class", "")).endswith("SourceConnector")
    shaping = [kind for kind in kinds if kind in ("ValueToKey", "ExtractField$Key")]
    return is_source and shaping[-1:] == ["ValueToKey"]


def _has_struct_value(subject: Subject) -> bool:
    return subject.connector is not None and not any(step.kind.endswith("ExtractField$Value") for step in subject.steps)


ID_OF_EVENT = lazy_pattern(r"_?(?:event_?|message_?|outbox_?|row_?)?(?:uu)?id", re.IGNORECASE)
"""How the columns are named that have the id of an event."""
ID_OF_ROW = lazy_pattern(r"(?:event|message|outbox|row)_?id", re.IGNORECASE)


@rule("key-is-event-id", Consequence.wrong, evidence="B04", fix="use the aggregate id as the key")
def key_is_event_id(subject: Subject) -> Iterator[Violation]:
    """The message key is not the event id.

    Every event has a different key, so the events of one aggregate are spread over all partitions, without an order.
    """
    set_key = subject.router_option("{}.field.event.key") or ""
    if subject.router and not subject.outbox and ID_OF_ROW.fullmatch(set_key) and set_key != subject.columns.get("id"):
        yield Violation(subject.router_key("{}.field.event.key"), f"'{set_key}' appears to be the id of the event")
    if subject.router and subject.columns.get("key") == subject.columns.get("id"):
        key, id_key = subject.router_key("{}.field.event.key"), subject.router_key("{}.field.event.id")
        explicit = id_key in subject.config and key in subject.config and not subject.outbox
        if explicit and not ID_OF_EVENT.fullmatch(subject.columns["id"]):
            yield Violation(id_key, f"'{subject.columns['id']}' is also the key: events of one key have one id")
            return
        if key in subject.config and not (subject.outbox and subject.columns["key"] == subject.outbox.table.columns.id):
            yield Violation(key, f"'{subject.columns['key']}' is also the event id")


@rule("key-is-type", Consequence.wrong, evidence="B04", fix="use the aggregate id as the key")
def key_is_type(subject: Subject) -> Iterator[Violation]:
    """The message key is an id, not a type.

    All events of one type go to one partition, and compaction keeps only the last of them.
    """
    key = subject.router_key("{}.field.event.key")
    column = subject.config.get(key, "").replace("_", "").lower()
    if subject.router and column.endswith("type"):
        yield Violation(key, f"'{subject.config[key]}' appears to be a type column")


@rule(
    "binary-key-as-text",
    Consequence.wrong,
    evidence="B03",
    fix="store ids as text, or use the BinaryDataConverter for the key",
)
def binary_key_as_text(subject: Subject) -> Iterator[Violation]:
    """The StringConverter is not used for a binary key.

    The StringConverter writes a binary key as the same text for every row: all events go to one partition, and
    compaction keeps a single record.
    """
    if subject.router and subject.converter("key") == STRING and subject.converter("value") in (*BINARY, BYTES):
        mode = (subject.setting("binary.handling.mode") or "bytes").lower()
        key = subject.columns.get("key", "")
        if mode == "bytes" and "bin" in key.lower():
            yield Violation("key.converter", f"'{key}' appears to be a binary column")
