"""Many events are not published."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 21


def alert(outbox: Outbox) -> Alert | None:
    """See the package: not without a table, and not in databases for which the kit has no statement."""
    if outbox.table.storage != "table" or not outbox.dialect.capture.measured:
        return None
    return threshold(
        outbox,
        "OutboxPending",
        AlertSeverity.warning,
        Condition("pending_events", ">", outbox.monitoring.pending),
        outbox.monitoring.hold_seconds,
        "{{ $labels.service }}: {{ $value | humanize }} events are not published",
        "Events are published late, or not at all.",
        "relay-stopped" if outbox.delivery.by == "relay" else "nothing-arrives",
    )
