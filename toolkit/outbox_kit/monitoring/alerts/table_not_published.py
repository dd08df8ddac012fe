"""The publication does not pass the rows of the outbox table on."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_publication

RANK = 33


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_publication(outbox):
        return None
    return threshold(
        outbox,
        "OutboxTableNotPublished",
        AlertSeverity.critical,
        Condition("table_published", "==", 0),
        0,
        "the publication {{ $labels.publication }} does not pass the rows of the outbox table on",
        "The publication was dropped, has lost the table, or passes only some of its rows on. Everything is RUNNING, "
        "and rows that are written now are not published without a repair.",
        "nothing-arrives",
    )
