"""The slot does not exist."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 32


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    return threshold(
        outbox,
        "OutboxSlotAbsent",
        AlertSeverity.critical,
        Condition("slot_status", "==", 1, {"status": "absent"}),
        120,
        "the replication slot {{ $labels.slot }} does not exist",
        "The slot was dropped, or lost in a failover. Rows that are written now are not published.",
        "slot-lost",
    )
