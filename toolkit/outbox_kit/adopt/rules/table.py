"""The table as a whole: is it in the log, and who else reads it."""

from collections.abc import Iterator

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.rule import NOT_IN_THE_LOG, TableViolation, rule
from outbox_kit.databases.catalogue import TABLE
from outbox_kit.findings.rule import Severity

MANY_ROWS = 100_000


def quoted(candidate: Candidate) -> str:
    """The table's name in a statement."""
    return databases.get(candidate.dialect).quote_ident(candidate.table.schema, candidate.table.name)


@rule(
    NOT_IN_THE_LOG,
    Severity.error,
    fix="capture the tables below it, or fill a table of this kit's from them: table.fed_by",
    documents="capture the collection below it, or have your code write an ordinary one",
)
def not_in_the_log(candidate: Candidate) -> Iterator[TableViolation]:
    """The rows are not in the database's log.

    A connector reads the database's log. A view has no rows there, whatever it selects; a foreign table's are in
    another server's log, an unlogged or temporary table's in none. A capped collection loses its oldest by itself.
    """
    if candidate.table.kind != TABLE:
        yield TableViolation(f"'{candidate.table.title}' is no ordinary table but a {candidate.table.kind}")


@rule("partitioned", Severity.info, fix="nothing: the publication that gen-ddl makes goes through the root")
def partitioned(candidate: Candidate) -> Iterator[TableViolation]:
    """The table is partitioned.

    A publication that does not go through the root names a partition's rows by the partition, and the connector is
    told of the root only: it would drop them.
    """
    if candidate.table.partitioned and databases.get(candidate.dialect).capture.uses_slot:
        yield TableViolation("it is partitioned")


@rule("no-primary-key", Severity.warning, fix="add one, or a unique index on the event's id")
def no_primary_key(candidate: Candidate) -> Iterator[TableViolation]:
    """The table has no primary key.

    Nothing keeps an event from being written twice, and an UPDATE or DELETE by its publisher fails as soon as any
    publication holds it that carries those.
    """
    if candidate.table.kind == TABLE and not any(index.primary for index in candidate.table.indexes):
        yield TableViolation("it has no primary key")


@rule("whole-rows-logged", Severity.info, fix="log the key only, unless another reader needs the row as it was")
def whole_rows_logged(candidate: Candidate) -> Iterator[TableViolation]:
    """Updates and deletes write the whole row into the log.

    Every UPDATE and DELETE of its publisher writes the whole row into the log once more, payload and all. The
    connector of an outbox reads inserts only.
    """
    if candidate.table.whole_rows:
        yield TableViolation(
            "its replica identity is FULL", sql=f"alter table {quoted(candidate)} replica identity default;"
        )


@rule(
    "published-already",
    Severity.info,
    fix="find who reads it; this kit makes a publication of its own, of inserts only",
)
def published_already(candidate: Candidate) -> Iterator[TableViolation]:
    """Another publication has the table.

    Another connector may publish its rows already; both would send every event, under the same id.
    """
    if candidate.table.publications:
        yield TableViolation(f"it is in the publication {', '.join(map(repr, candidate.table.publications))}")


@rule("has-triggers", Severity.info, fix="see what they do; one that fills columns before the insert is well")
def has_triggers(candidate: Candidate) -> Iterator[TableViolation]:
    """The table has triggers.

    What a trigger changes before the row is inserted is in the message; what it writes to the row afterwards is an
    UPDATE, and is not.
    """
    if candidate.table.triggers:
        yield TableViolation(f"it has the trigger {', '.join(map(repr, candidate.table.triggers))}")


@rule("many-rows", Severity.info, fix="connect.snapshot: no_data, as the proposed file says")
def many_rows(candidate: Candidate) -> Iterator[TableViolation]:
    """The table has many rows.

    Before it follows the log, a connector reads the whole table, and publishes every row that is still there.
    """
    if candidate.table.rows > MANY_ROWS:
        yield TableViolation(f"it holds about {candidate.table.rows:,} rows")
