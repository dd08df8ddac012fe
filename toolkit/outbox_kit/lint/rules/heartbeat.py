"""The heartbeat, which moves the database's position on while the outbox is idle: what it writes and where."""

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
    """No heartbeat moves the slot on while the outbox is idle.

    Other databases on the server write, the slot holds their WAL back, and the disk fills.
    """
    interval = (subject.config.get("heartbeat.interval.ms") or "0").strip()
    if subject.router and interval in ("", "0"):
        yield Violation("connector.class", "heartbeat.interval.ms is not set")


@rule(
    "heartbeat-table-not-captured",
    Severity.warning,
    evidence="G02",
    connectors=POSTGRES.name,
    fix="add the heartbeat's table to table.include.list and to the publication",
)
def heartbeat_table_not_captured(subject: Subject) -> Iterator[Violation]:
    """The heartbeat's query writes to a table that is not captured.

    The slot does not move by it: what is not published is not confirmed.
    """
    query = subject.config.get("heartbeat.action.query", "")
    match = WRITTEN.search(query)
    if match and subject.tables:
        table = re.sub(r"^[\"`\[]|[\"`\]]$", "", match["table"]).replace('""', '"')
        if not any(table in entry.replace("\\", "") for entry in subject.tables):
            yield Violation("heartbeat.action.query", f"'{match['name']}' is in no list of captured tables")


@rule(
    "heartbeat-updates",
    Severity.error,
    evidence="G03",
    connectors=POSTGRES.name,
    since="3.6",
    fix="insert a row, and delete the one before in the same statement",
)
def heartbeat_updates(subject: Subject) -> Iterator[Violation]:
    """The heartbeat updates a row, and updates are skipped.

    From 3.6 on, skipped.operations goes into the publication: the heartbeat is published no more, and the slot stands.
    """
    query = subject.config.get("heartbeat.action.query", "")
    skipped = [word.strip() for word in (subject.config.get("skipped.operations") or "").split(",")]
    if "u" in skipped and UPSERT.search(query) and not EMIT.search(query):
        yield Violation("heartbeat.action.query", "its update is skipped with skipped.operations")


@rule(
    "emit-message-heartbeat",
    Severity.warning,
    evidence="G04",
    connectors=POSTGRES.name,
    until="3.5",
    fix="run 3.6 or later, or write a row",
)
def emit_message_heartbeat(subject: Subject) -> Iterator[Violation]:
    """Before 3.6, messages of pg_logical_emit_message are lost after a restart, and may take the next change along."""
    if EMIT.search(subject.config.get("heartbeat.action.query", "")):
        yield Violation("heartbeat.action.query", "pg_logical_emit_message is not safe yet")


@rule(
    "transactional-emit-message",
    Severity.warning,
    evidence="G04",
    connectors=POSTGRES.name,
    fix="pass false: a message without a transaction",
)
def transactional_emit_message(subject: Subject) -> Iterator[Violation]:
    """The heartbeat's message is transactional.

    It is sent with its transaction, and may be sent twice.
    """
    match = EMIT.search(subject.config.get("heartbeat.action.query", ""))
    if match and (match[1] or "").lower() == "true":
        yield Violation("heartbeat.action.query", "the first argument is true")


@rule("heartbeat-cleans-up", Severity.info, evidence="I14", fix="clean up in a job of its own")
def heartbeat_cleans_up(subject: Subject) -> Iterator[Violation]:
    """The heartbeat's query deletes outbox rows.

    When the connector stops, cleaning stops with it; when cleaning is slow, the heartbeat is.
    """
    query = subject.config.get("heartbeat.action.query", "")
    if DELETE.search(query) and "heartbeat" not in query.lower():
        yield Violation("heartbeat.action.query", "it deletes rows")


@rule("heartbeat-query-unsupported", Severity.error, evidence="G15", connectors=MONGODB.name, fix="take it out")
def heartbeat_query_unsupported(subject: Subject) -> Iterator[Violation]:
    """MongoDB's connector has no heartbeat query.

    It fails with a null pointer.
    """
    if "heartbeat.action.query" in subject.config:
        yield Violation("heartbeat.action.query", "MongoDB takes no SQL", Edit("heartbeat.action.query"))
