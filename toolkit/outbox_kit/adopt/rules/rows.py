"""What a few rows tell that no column's type does."""

from collections.abc import Iterator

from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.rule import TableViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.schema.words import LONGEST_TOPIC, TOPIC_CHARACTERS


@rule("rows-unread", Severity.info, fix="write the events into the proposed file by hand")
def rows_unread(candidate: Candidate) -> Iterator[TableViolation]:
    """No rows could be read.

    Event types, repeated ids, arrays and compressed payloads are seen in rows only.
    """
    if candidate.evidence.unread:
        yield TableViolation(f"no rows could be looked at: {candidate.evidence.unread}")
    elif not candidate.evidence.count:
        yield TableViolation("no row was there to look at")


@rule(
    "many-events-in-a-row",
    Severity.warning,
    fix="a table of this kit's with a row for each, filled by a trigger: table.fed_by in the proposed file. A "
    "view that unfolds them is not enough: it has no rows in the log",
    documents="your code writes each of them into an outbox of this kit's, in the same transaction: outbox-kit init",
)
def many_events_in_a_row(candidate: Candidate) -> Iterator[TableViolation]:
    """A row holds several events.

    The router makes one message of one row, and cannot split it.
    """
    if candidate.many:
        evidence = (
            f" in {candidate.evidence.arrays(candidate.many)} of {candidate.evidence.count} rows"
            if candidate.evidence.count
            else ""
        )
        yield TableViolation(f"'{candidate.many}' holds an array of events{evidence}")


@rule("payload-is-compressed", Severity.warning, fix="nothing, where consumers unpack it; else write it as it is")
def payload_is_compressed(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload is compressed.

    The bytes arrive as they are, and nothing in the message says how to read them. Kafka compresses by
    itself.
    """
    column = candidate.roles.get("payload", "")
    if column and (by := candidate.evidence.compressed(column)):
        yield TableViolation(f"'{column}' is compressed by {by}")


@rule("payload-has-a-frame", Severity.info, fix="table.registry: avro, protobuf or json, whichever it is")
def payload_has_a_frame(candidate: Candidate) -> Iterator[TableViolation]:
    """The payload has a Schema Registry's frame.

    A Schema Registry's serialiser puts a zero and the schema's id before the body; `verify` reads it with the
    registry's help.
    """
    column = candidate.roles.get("payload", "")
    if column and candidate.evidence.framed(column):
        yield TableViolation(f"every '{column}' begins as a registry's serialiser would have it")


@rule(
    "type-is-no-topic",
    Severity.info,
    fix="routing.pattern, which takes the parts that can be; or one topic for all, as the proposed file has it "
    "unless it has a pattern",
)
def type_is_no_topic(candidate: Candidate) -> Iterator[TableViolation]:
    """A type cannot be part of a topic's name.

    Allowed in a topic's name are A-Z a-z 0-9 . _ - and no more than 249 characters.
    """
    for role in ("type", "aggregate_type"):
        names = [name for (name,) in candidate.evidence.names(candidate.roles[role])] if role in candidate.roles else []
        if odd := [name for name in names if not is_topic(name)]:
            yield TableViolation(
                f"'{candidate.roles[role]}' holds {odd[0]!r}, which is no topic's name ({len(odd)} of {len(names)})"
            )


def is_topic(name: str) -> bool:
    """Whether a word can be part of a topic's name."""
    return bool(TOPIC_CHARACTERS.fullmatch(name)) and len(name) <= LONGEST_TOPIC - len("outbox.event.")
