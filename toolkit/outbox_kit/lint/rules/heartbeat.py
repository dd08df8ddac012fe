"""Rules about the heartbeat, which advances the stored offset while the outbox is idle."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Edit, Violation, at, rule
from outbox_kit.lint.subject import Subject

UPSERT = lazy_pattern(r"\bon\s+conflict\b|\bupdate\b|\bmerge\b|\breplace\s+into\b", re.IGNORECASE)
INSERT = lazy_pattern(r"\binsert\b", re.IGNORECASE)
DELETE = lazy_pattern(r"\bdelete\b", re.IGNORECASE)
PART = r"\"(?:[^\"]|\"\")+\"|`[^`]+`|\[[^\]]+\]|[\w$]+"
WRITTEN = lazy_pattern(rf"\b(?:into|update)\s+(?P<name>(?:(?:{PART})\.)*(?P<table>{PART}))", re.IGNORECASE)
EMIT = lazy_pattern(r"pg_logical_emit_message\s*\(\s*(true|false)?", re.IGNORECASE)


@rule(
    "no-heartbeat",
    Consequence.risk,
    evidence="I08 G02",
    fix="set heartbeat.interval.ms, and in PostgreSQL a heartbeat.action.query that writes a row",
)
def no_heartbeat(subject: Subject) -> Iterator[Violation]:
    """A heartbeat advances the position while the captured tables are idle.

    In PostgreSQL the slot retains the WAL of the whole server, and the disk fills up. In other databases the stored
    position grows older than the log that the server keeps.
    """
    interval = (subject.config.get("heartbeat.interval.ms") or "0").strip()
    streams = (subject.setting("snapshot.mode") or "").lower() != "initial_only"
    if subject.connector and streams and interval in ("", "0"):
        state = "is 0" if "heartbeat.interval.ms" in subject.config else "is not set"
        yield at(subject, "heartbeat.interval.ms", f"heartbeat.interval.ms {state}")


@rule(
    "heartbeat-without-query",
    Consequence.risk,
    evidence="G02",
    connectors=POSTGRES.name,
    fix="set a heartbeat.action.query that writes a row of a captured table",
)
def heartbeat_without_query(subject: Subject) -> Iterator[Violation]:
    """The heartbeat writes to the database.

    A heartbeat confirms what the connector has received. While no captured table changes it receives nothing, the slot
    does not advance, and the server retains WAL.
    """
    beats = subject.heartbeats or "heartbeat.interval.ms" in subject.unknown
    if beats and "heartbeat.interval.ms" in subject.document.spots:
        if not subject.config.get("heartbeat.action.query", "").strip():
            message = "heartbeat.action.query is not set: the heartbeat does not move an idle slot"
            yield Violation("heartbeat.interval.ms", message, unset="heartbeat.action.query")


@rule(
    "heartbeat-table-not-captured",
    Consequence.risk,
    evidence="G02",
    connectors=POSTGRES.name,
    fix="add the heartbeat table to table.include.list and to the publication",
)
def heartbeat_table_not_captured(subject: Subject) -> Iterator[Violation]:
    """The heartbeat query writes to a captured table.

    Changes that are not published are not confirmed: the slot does not advance.
    """
    written = heartbeat_table(subject)
    if written and subject.tables and not is_captured(subject, written):
        yield Violation("heartbeat.action.query", f"'{written}' is not a captured table")


def heartbeat_table(subject: Subject) -> str:
    """The table that the heartbeat query writes, without quotes; empty if it writes none."""
    match = WRITTEN.search(subject.config.get("heartbeat.action.query", ""))
    return re.sub(r"^[\"`\[]|[\"`\]]$", "", match["table"]).replace('""', '"') if match else ""


def is_captured(subject: Subject, table: str) -> bool:
    """Whether the list of tables has one of this name; True without a list."""
    return not subject.tables or any(table in entry.replace("\\", "") for entry in subject.tables)


@rule(
    "heartbeat-writes-outbox",
    Consequence.wrong,
    evidence="G02",
    fix="write to a table of its own, which the predicate of the event router excludes",
)
def heartbeat_writes_outbox(subject: Subject) -> Iterator[Violation]:
    """The heartbeat query does not write the outbox table.

    An inserted row is published as an event. An updated one is skipped with a warning in the log each time, or stops
    the task.
    """
    written = heartbeat_table(subject)
    names = [re.split(r"\\?\.", entry)[-1] for entry in subject.tables]
    query = subject.config.get("heartbeat.action.query", "")
    if subject.router and written and (names == [written] or (written in names and "outbox" in written.lower())):
        beats = any(word in written.lower() for word in ("beat", "ping", "health", "pulse"))
        if not beats and not EMIT.search(query):
            yield Violation("heartbeat.action.query", f"the query writes '{written}', which is the outbox")


@rule(
    "heartbeat-update-skipped",
    Consequence.stop,
    evidence="G03",
    connectors=POSTGRES.name,
    since="3.6",
    fix="insert a row, and delete the previous one in the same statement",
)
def heartbeat_update_skipped(subject: Subject) -> Iterator[Violation]:
    """The heartbeat query does not update a row if updates are skipped.

    From Debezium 3.6 on skipped.operations also applies to the publication: the heartbeat is no longer published, and
    the slot does not advance.
    """
    query = subject.config.get("heartbeat.action.query", "")
    written = heartbeat_table(subject)
    if not written or not is_captured(subject, written):
        return  # the rule heartbeat-table-not-captured says more
    if "u" in subject.skipped and UPSERT.search(query) and not EMIT.search(query):
        yield Violation("heartbeat.action.query", "skipped.operations skips the update of the heartbeat query")


@rule(
    "heartbeat-logical-message",
    Consequence.risk,
    evidence="G04",
    connectors=POSTGRES.name,
    until="3.5",
    fix="use Debezium 3.6 or later, or write a row",
)
def heartbeat_logical_message(subject: Subject) -> Iterator[Violation]:
    """The heartbeat writes a row, or the release handles logical decoding messages reliably.

    Before Debezium 3.6 messages of pg_logical_emit_message are lost after a restart, and the next change may be lost
    with them.
    """
    if EMIT.search(subject.config.get("heartbeat.action.query", "")):
        yield Violation("heartbeat.action.query", "pg_logical_emit_message is not reliable before Debezium 3.6")


@rule(
    "heartbeat-transactional-message",
    Consequence.wrong,
    evidence="G04",
    connectors=POSTGRES.name,
    fix="pass false as the first argument: a message without a transaction",
)
def heartbeat_transactional_message(subject: Subject) -> Iterator[Violation]:
    """The heartbeat message is not transactional.

    A transactional message is sent with its transaction, and may be sent twice.
    """
    match = EMIT.search(subject.config.get("heartbeat.action.query", ""))
    if match and (match[1] or "").lower() == "true":
        yield Violation("heartbeat.action.query", "the first argument of pg_logical_emit_message is true")


@rule("heartbeat-deletes-rows", Consequence.advice, evidence="I14", fix="delete old rows in a separate job")
def heartbeat_deletes_rows(subject: Subject) -> Iterator[Violation]:
    """The heartbeat query does not delete outbox rows.

    Cleanup stops when the connector stops, and a slow cleanup delays the heartbeat.
    """
    query = subject.config.get("heartbeat.action.query", "")
    if DELETE.search(query) and "heartbeat" not in query.lower():
        yield Violation("heartbeat.action.query", "the heartbeat query deletes rows")


@rule(
    "heartbeat-query-unsupported",
    Consequence.stop,
    of_names=True,
    evidence="G15",
    connectors=MONGODB.name,
    fix="remove the option",
)
def heartbeat_query_unsupported(subject: Subject) -> Iterator[Violation]:
    """The MongoDB connector has no heartbeat query.

    The connector fails with a NullPointerException.
    """
    if "heartbeat.action.query" in subject.config:
        yield Violation(
            "heartbeat.action.query",
            "the MongoDB connector does not support heartbeat.action.query",
            Edit("heartbeat.action.query"),
        )
