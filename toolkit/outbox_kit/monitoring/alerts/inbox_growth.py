"""The inbox grows."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 61


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.dialect.capture.measured:
        return None
    return threshold(
        outbox,
        "OutboxInboxGrowth",
        AlertSeverity.warning,
        Condition("table_rows", ">", outbox.monitoring.inbox_rows, {"table": "inbox"}),
        600,
        "the inbox in the database of {{ $labels.service }} has {{ $value | humanize }} rows",
        "Expired rows of the inbox are not deleted: the cleanup does not run, or is slower than the consumers.",
        "inbox-growth",
    )
