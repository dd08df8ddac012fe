"""The publisher that is there already, beside a connector."""

from collections.abc import Iterator

from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import of_publisher
from outbox_kit.adopt.rule import TableViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.schema import presets


@rule(
    "publisher-updates",
    Severity.warning,
    fix="deploy the connector with snapshot: no_data beside it, and turn the publisher off once it has sent what "
    "was pending by then: nothing is lost, and what both have sent has the same id. Without copies: stop it first, "
    "deploy, then let it send only the rows from before the deployment, and leave it off",
)
def publisher_updates(candidate: Candidate) -> Iterator[TableViolation]:
    """Another publisher marks sent rows.

    Its UPDATEs and DELETEs change nothing for the connector, which reads inserts only. But every row would be sent
    twice, by it and by the connector, and perhaps to other topics, with other keys and headers.
    """
    columns, counted = list(of_publisher(candidate.table)), candidate.table.activity
    reasons = [f"{', '.join(map(repr, columns))} remember what was sent"] if columns else []
    if counted and counted.updates:
        reasons.append(f"{counted.updates:,} updates beside {counted.inserts:,} inserts have been counted")
    if reasons:
        yield TableViolation("; ".join(reasons))


@rule(
    "rows-do-not-stay",
    Severity.info,
    fix="keep sent rows for some days, or give verify the application's own record: --ledger",
)
def rows_do_not_stay(candidate: Candidate) -> Iterator[TableViolation]:
    """Rows are deleted.

    The connector reads the log, so a deleted row's event arrives all the same. But what is gone cannot be compared:
    `verify` proves loss only for rows that are still there.
    """
    counted = candidate.table.activity
    if counted and counted.deletes:
        yield TableViolation(f"{counted.deletes:,} deletes beside {counted.inserts:,} inserts have been counted")


@rule("owner-works-on", Severity.info, fix="nothing, for what its owner does")
def owner_works_on(candidate: Candidate) -> Iterator[TableViolation]:
    """The table belongs to another library.

    The table stays its owner's: this kit neither makes nor changes it.
    """
    if candidate.library:
        preset = presets.get(candidate.library.name)
        yield TableViolation(preset.owner.rstrip("."), fix=preset.lacks.rstrip("."))
