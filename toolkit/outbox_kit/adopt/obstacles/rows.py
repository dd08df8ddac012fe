"""What a few rows tell that no column's type does."""

from collections.abc import Iterator

from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.obstacle import Met, obstacle
from outbox_kit.finding import Severity
from outbox_kit.schema.words import LONGEST_TOPIC, TOPIC_CHARACTERS


@obstacle("rows-unread", Severity.info, addition="write the events into the proposed file by hand")
def rows_unread(one: Candidate) -> Iterator[Met]:
    """Event types, repeated ids, arrays and compressed payloads are seen in rows only."""
    if one.evidence.unread:
        yield Met(f"no rows could be looked at: {one.evidence.unread}")
    elif not one.evidence.count:
        yield Met("no row was there to look at")


@obstacle(
    "many-events-in-a-row",
    Severity.warning,
    addition="a table of this kit's with a row for each, filled by a trigger: table.fed_by in the proposed file. A "
    "view that unfolds them is not enough: it has no rows in the log",
    documents="your code writes each of them into an outbox of this kit's, in the same transaction: outbox-kit init",
)
def many_events_in_a_row(one: Candidate) -> Iterator[Met]:
    """The router makes one message of one row, and cannot split it."""
    if one.many:
        seen = f" in {one.evidence.arrays(one.many)} of {one.evidence.count} rows" if one.evidence.count else ""
        yield Met(f"'{one.many}' holds an array of events{seen}")


@obstacle(
    "payload-is-compressed", Severity.warning, addition="nothing, where consumers unpack it; else write it as it is"
)
def payload_is_compressed(one: Candidate) -> Iterator[Met]:
    """The bytes arrive as they are, and nothing in the message says how to read them. Kafka compresses by
    itself."""
    column = one.roles.get("payload", "")
    if column and (by := one.evidence.compressed(column)):
        yield Met(f"'{column}' is compressed by {by}")


@obstacle("payload-has-a-frame", Severity.info, addition="table.registry: avro, protobuf or json, whichever it is")
def payload_has_a_frame(one: Candidate) -> Iterator[Met]:
    """A Schema Registry's serialiser puts a zero and the schema's id before the body; `verify` reads it with the
    registry's help."""
    column = one.roles.get("payload", "")
    if column and one.evidence.framed(column):
        yield Met(f"every '{column}' begins as a registry's serialiser would have it")


@obstacle(
    "type-is-no-topic",
    Severity.info,
    addition="routing.pattern, which takes the parts that can be; or one topic for all, as the proposed file has it "
    "unless it has a pattern",
)
def type_is_no_topic(one: Candidate) -> Iterator[Met]:
    """Allowed in a topic's name are A-Z a-z 0-9 . _ - and no more than 249 characters."""
    for role in ("type", "aggregate_type"):
        names = [name for (name,) in one.evidence.names(one.roles[role])] if role in one.roles else []
        if odd := [name for name in names if not is_topic(name)]:
            yield Met(f"'{one.roles[role]}' holds {odd[0]!r}, which is no topic's name ({len(odd)} of {len(names)})")


def is_topic(name: str) -> bool:
    """Whether a word can be part of a topic's name."""
    return bool(TOPIC_CHARACTERS.fullmatch(name)) and len(name) <= LONGEST_TOPIC - len("outbox.event.")
