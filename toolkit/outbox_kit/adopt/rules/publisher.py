"""Rules about another publisher of the table."""

from collections.abc import Iterator

from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import of_publisher
from outbox_kit.adopt.rule import TableViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.schema import presets


@rule(
    "other-publisher",
    Severity.warning,
    fix="deploy the connector with snapshot: no_data while the publisher runs, and stop the publisher after it "
    "has sent what was pending by then: nothing is lost, and duplicates have the same id. To avoid "
    "duplicates: stop the publisher, deploy, let it send only the rows from before the deployment, and keep "
    "it stopped",
)
def other_publisher(candidate: Candidate) -> Iterator[TableViolation]:
    """No other publisher processes the table.

    The UPDATEs and DELETEs of another publisher do not affect the connector, which reads inserts only. But every row is
    sent twice, by the publisher and by the connector, and possibly to different topics, with different keys and
    headers.
    """
    columns, counted = list(of_publisher(candidate.table)), candidate.table.activity
    reasons = [f"{', '.join(map(repr, columns))} contain the state of a publisher"] if columns else []
    if counted and counted.updates:
        reasons.append(f"the database counted {counted.updates:,} updates and {counted.inserts:,} inserts")
    if reasons:
        yield TableViolation("; ".join(reasons))


@rule(
    "rows-deleted",
    Severity.info,
    fix="keep sent rows for some days, or give verify the log of the application: --published-log",
)
def rows_deleted(candidate: Candidate) -> Iterator[TableViolation]:
    """Rows are not deleted.

    The connector reads the log, so the event of a deleted row arrives as well. But verify can compare only rows that
    still exist: the loss of a deleted row is not detected.
    """
    counted = candidate.table.activity
    if counted and counted.deletes:
        yield TableViolation(f"the database counted {counted.deletes:,} deletes and {counted.inserts:,} inserts")


@rule("library-table", Severity.info, fix="nothing: the library continues to use the table")
def library_table(candidate: Candidate) -> Iterator[TableViolation]:
    """The table does not belong to a library.

    The table remains the library's: outbox-kit captures it, and neither creates nor alters it.
    """
    if candidate.library:
        preset = presets.get(candidate.library.name)
        yield TableViolation(preset.owner.rstrip("."), fix=preset.lacks.rstrip("."))
