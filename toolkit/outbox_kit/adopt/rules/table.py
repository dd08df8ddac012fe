"""Rules about the table as a whole: its kind, its log, its other readers."""

from collections.abc import Iterator

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.rule import UNSUPPORTED_KIND, TableViolation, rule
from outbox_kit.databases.catalogue import TABLE
from outbox_kit.findings.rule import Severity

MANY_ROWS = 100_000


def quoted(candidate: Candidate) -> str:
    """The table's name in a statement."""
    return databases.get(candidate.dialect).quote_ident(candidate.table.schema, candidate.table.name)


@rule(
    UNSUPPORTED_KIND,
    Severity.error,
    fix="capture the underlying tables, or fill a new outbox table from them: table.source",
    documents="capture the underlying collection, or let the application write to an ordinary collection",
)
def unsupported_table_kind(candidate: Candidate) -> Iterator[TableViolation]:
    """The table is an ordinary table.

    A connector reads the log of the database. A view has no rows in it; the rows of a foreign table are in the log of
    another server, those of an unlogged or temporary table in none. A capped collection deletes its oldest documents
    automatically.
    """
    if candidate.table.kind != TABLE:
        yield TableViolation(f"'{candidate.table.title}' is not an ordinary table but a {candidate.table.kind}")


@rule("partitioned", Severity.info, fix="nothing: the publication that gen-ddl creates uses the root table")
def partitioned(candidate: Candidate) -> Iterator[TableViolation]:
    """The table is not partitioned.

    A publication that does not use the root table names each row after its partition. The connector captures the root
    table only: it would skip these rows.
    """
    if candidate.table.partitioned and databases.get(candidate.dialect).capture.uses_slot:
        yield TableViolation("the table is partitioned")


@rule("no-primary-key", Severity.warning, fix="add a primary key, or a unique index on the event id")
def no_primary_key(candidate: Candidate) -> Iterator[TableViolation]:
    """The table has a primary key.

    Without it an event can be inserted twice, and an UPDATE or DELETE by the publisher fails as soon as a publication
    with updates and deletes includes the table.
    """
    if candidate.table.kind == TABLE and not any(index.primary for index in candidate.table.indexes):
        yield TableViolation("the table has no primary key")


@rule("full-row-logging", Severity.info, fix="log the key only, unless another reader needs the previous row")
def full_row_logging(candidate: Candidate) -> Iterator[TableViolation]:
    """Updates and deletes do not write whole rows to the log.

    Every UPDATE and DELETE of the publisher writes the whole row to the log again, with the payload. The connector of
    an outbox reads inserts only.
    """
    if candidate.table.whole_rows:
        yield TableViolation(
            "the replica identity is FULL", sql=f"alter table {quoted(candidate)} replica identity default;"
        )


@rule(
    "already-published",
    Severity.info,
    fix="find the reader of that publication; outbox-kit creates a dedicated publication, of inserts only",
)
def already_published(candidate: Candidate) -> Iterator[TableViolation]:
    """No other publication includes the table.

    Another connector may already publish its rows: both would send every event, with the same id.
    """
    if candidate.table.publications:
        yield TableViolation(f"the table is in the publication {', '.join(map(repr, candidate.table.publications))}")


@rule("has-triggers", Severity.info, fix="examine the triggers; one that fills columns before the insert is safe")
def has_triggers(candidate: Candidate) -> Iterator[TableViolation]:
    """The table has no triggers.

    A change that a trigger makes before the insert is part of the message. A change after the insert is an UPDATE,
    which is not sent.
    """
    if candidate.table.triggers:
        yield TableViolation(f"the table has the trigger {', '.join(map(repr, candidate.table.triggers))}")


@rule("large-table", Severity.info, fix="set connect.snapshot: no_data, as in the proposed file")
def large_table(candidate: Candidate) -> Iterator[TableViolation]:
    """The table has few rows.

    An initial snapshot reads the whole table, and publishes every row that still exists.
    """
    if candidate.table.rows > MANY_ROWS:
        yield TableViolation(f"the table has about {candidate.table.rows:,} rows")
