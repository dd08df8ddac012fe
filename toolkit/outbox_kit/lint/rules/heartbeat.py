"""Rules about the heartbeat, which advances the stored offset while the outbox is idle."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import Subject

UPSERT = re.compile(r"\bon\s+conflict\b|\bupdate\b|\bmerge\b|\breplace\s+into\b", re.IGNORECASE)
INSERT = re.compile(r"\binsert\b", re.IGNORECASE)
DELETE = re.compile(r"\bdelete\b", re.IGNORECASE)
WRITES_ROWS = re.compile(r"\b(insert|update|delete|merge)\b", re.IGNORECASE)
PART = r"\"(?:[^\"]|\"\")+\"|`[^`]+`|\[[^\]]+\]|[\w$]+"
WRITTEN = re.compile(rf"\b(?:into|update)\s+(?P<name>(?:(?:{PART})\.)*(?P<table>{PART}))", re.IGNORECASE)
EMIT = re.compile(r"pg_logical_emit_message\s*\(\s*(true|false)?", re.IGNORECASE)


@rule(
    "no-heartbeat",
    Severity.warning,
    evidence="I08 G02",
    connectors=POSTGRES.name,
    fix="set heartbeat.interval.ms, and a heartbeat.action.query that writes a row",
)
def no_heartbeat(subject: Subject) -> Iterator[Violation]:
    """A heartbeat advances the replication slot while the outbox is idle.

    Other databases on the server write WAL, the slot retains it, and the disk fills up.
    """
    interval = (subject.config.get("heartbeat.interval.ms") or "0").strip()
    if subject.router and interval in ("", "0"):
        yield Violation("connector.class", "heartbeat.interval.ms is not set")


@rule(
    "heartbeat-table-not-captured",
    Severity.warning,
    evidence="G02",
    connectors=POSTGRES.name,
    fix="add the heartbeat table to table.include.list and to the publication",
)
def heartbeat_table_not_captured(subject: Subject) -> Iterator[Violation]:
    """The heartbeat query writes to a captured table.

    Changes that are not published are not confirmed: the slot does not advance.
    """
    query = subject.config.get("heartbeat.action.query", "")
    match = WRITTEN.search(query)
    if match and subject.tables:
        table = re.sub(r"^[\"`\[]|[\"`\]]$", "", match["table"]).replace('""', '"')
        if not any(table in entry.replace("\\", "") for entry in subject.tables):
            yield Violation("heartbeat.action.query", f"'{match['name']}' is not a captured table")


@rule(
    "heartbeat-update-skipped",
    Severity.error,
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
    skipped = [word.strip() for word in (subject.config.get("skipped.operations") or "").split(",")]
    if "u" in skipped and UPSERT.search(query) and not EMIT.search(query):
        yield Violation("heartbeat.action.query", "skipped.operations skips the update of the heartbeat query")


@rule(
    "heartbeat-logical-message",
    Severity.warning,
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
    Severity.warning,
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


@rule("heartbeat-deletes-rows", Severity.info, evidence="I14", fix="delete old rows in a separate job")
def heartbeat_deletes_rows(subject: Subject) -> Iterator[Violation]:
    """The heartbeat query does not delete outbox rows.

    Cleanup stops when the connector stops, and a slow cleanup delays the heartbeat.
    """
    query = subject.config.get("heartbeat.action.query", "")
    if DELETE.search(query) and "heartbeat" not in query.lower():
        yield Violation("heartbeat.action.query", "the heartbeat query deletes rows")


@rule("heartbeat-query-unsupported", Severity.error, evidence="G15", connectors=MONGODB.name, fix="remove the option")
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
