"""Rules about sampled rows."""

from collections.abc import Iterator

from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.rule import TableViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.schema.words import LONGEST_TOPIC, TOPIC_CHARACTERS


@rule("rows-not-sampled", Severity.info, fix="add the events to the proposed file manually")
def rows_not_sampled(candidate: Candidate) -> Iterator[TableViolation]:
    """Rows of the table were read.

    Event types, repeated ids, arrays and compressed payloads can be detected only in rows.
    """
    if candidate.evidence.unread:
        yield TableViolation(f"no rows could be read: {candidate.evidence.unread}")
    elif not candidate.evidence.count:
        yield TableViolation("no rows were read")


@rule(
    "multiple-events-per-row",
    Severity.warning,
    fix="use a new outbox table with one row per event, which a trigger fills from this table: table.source in "
    "the proposed file. A view that unnests the events is not sufficient: it has no rows in the log",
    documents="let the application insert each event into a new outbox as well, in the same transaction: outbox-kit "
    "init",
)
def multiple_events_per_row(candidate: Candidate) -> Iterator[TableViolation]:
    """Each row contains one event.

    The event router creates one message per row, and cannot split a row.
    """
    if candidate.many:
        evidence = (
            f" in {candidate.evidence.arrays(candidate.many)} of {candidate.evidence.count} rows"
            if candidate.evidence.count
            else ""
        )
        yield TableViolation(f"'{candidate.many}' contains an array of events{evidence}")


@rule(
    "payload-compressed",
    Severity.warning,
    fix="nothing if consumers decompress the payload; otherwise store it uncompressed",
)
def payload_compressed(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload is not compressed.

    The bytes arrive as they are, and no header states the compression. Kafka can compress messages itself.
    """
    column = candidate.roles.get("payload", "")
    if column and (by := candidate.evidence.compressed(column)):
        yield TableViolation(f"'{column}' is compressed with {by}")


@rule("payload-registry-format", Severity.info, fix="set table.registry to avro, protobuf or json")
def payload_registry_format(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload is not in the wire format of a Schema Registry.

    A serializer of a Schema Registry writes a zero byte and the schema id before the body. verify reads such a payload
    with the help of the registry.
    """
    column = candidate.roles.get("payload", "")
    if column and candidate.evidence.framed(column):
        yield TableViolation(f"every sampled '{column}' begins with the header of the wire format")


@rule(
    "type-invalid-in-topic",
    Severity.info,
    fix="set routing.pattern to extract the valid parts; or use one topic for all events, which is what the "
    "proposed file does unless it has a pattern",
)
def type_invalid_in_topic(candidate: Candidate) -> Iterator[TableViolation]:
    """Every type is valid in a topic name.

    A topic name consists of A-Z a-z 0-9 . _ - and has at most 249 characters.
    """
    for role in ("type", "aggregate_type"):
        names = [name for (name,) in candidate.evidence.names(candidate.roles[role])] if role in candidate.roles else []
        if odd := [name for name in names if not is_topic(name)]:
            share = f"({len(odd)} of {len(names)})"
            yield TableViolation(
                f"'{candidate.roles[role]}' contains {odd[0]!r}, which is invalid in a topic name {share}"
            )


def is_topic(name: str) -> bool:
    """Whether a word can be part of a topic's name."""
    return bool(TOPIC_CHARACTERS.fullmatch(name)) and len(name) <= LONGEST_TOPIC - len("outbox.event.")
