"""The publisher that is there already, beside a connector."""

from collections.abc import Iterator

from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.obstacle import Met, obstacle
from outbox_kit.adopt.roles import of_publisher
from outbox_kit.finding import Severity
from outbox_kit.schema import presets


@obstacle(
    "publisher-updates",
    Severity.warning,
    addition="deploy the connector with snapshot: no_data beside it, and turn the publisher off once it has sent what "
    "was pending by then: nothing is lost, and what both have sent has the same id. Without copies: stop it first, "
    "deploy, then let it send only the rows from before the deployment, and leave it off",
)
def publisher_updates(one: Candidate) -> Iterator[Met]:
    """Its UPDATEs and DELETEs change nothing for the connector, which reads inserts only. But every row would be sent
    twice, by it and by the connector, and perhaps to other topics, with other keys and headers."""
    columns, counted = list(of_publisher(one.table)), one.table.activity
    said = [f"{', '.join(map(repr, columns))} remember what was sent"] if columns else []
    if counted and counted.updates:
        said.append(f"{counted.updates:,} updates beside {counted.inserts:,} inserts have been counted")
    if said:
        yield Met("; ".join(said))


@obstacle(
    "rows-do-not-stay",
    Severity.info,
    addition="keep sent rows for some days, or give verify the application's own record: --ledger",
)
def rows_do_not_stay(one: Candidate) -> Iterator[Met]:
    """The connector reads the log, so a deleted row's event arrives all the same. But what is gone cannot be compared:
    `verify` proves loss only for rows that are still there."""
    counted = one.table.activity
    if counted and counted.deletes:
        yield Met(f"{counted.deletes:,} deletes beside {counted.inserts:,} inserts have been counted")


@obstacle("owner-works-on", Severity.info, addition="nothing, for what its owner does")
def owner_works_on(one: Candidate) -> Iterator[Met]:
    """The table stays its owner's: this kit neither makes nor changes it."""
    if one.known:
        preset = presets.named(one.known.name)
        yield Met(preset.owner.rstrip("."), addition=preset.lacks.rstrip("."))
