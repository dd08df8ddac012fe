"""The slot is about to be lost."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 31


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    return threshold(
        outbox,
        "OutboxSlotUnreserved",
        AlertSeverity.critical,
        Condition("slot_status", "==", 1, {"status": "unreserved"}),
        0,
        "the replication slot {{ $labels.slot }} is lost at the next checkpoint",
        "The slot retains more WAL than max_slot_wal_keep_size. Raise that setting now, then fix the delivery.",
        "slot-growing",
    )
