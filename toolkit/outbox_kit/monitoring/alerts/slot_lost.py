"""The slot is lost."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 30


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    return threshold(
        outbox,
        "OutboxSlotLost",
        AlertSeverity.critical,
        Condition("slot_status", "==", 1, {"status": "lost"}),
        0,
        "the replication slot {{ $labels.slot }} is lost",
        "The server has removed WAL that was not published. Events are missing, and are published again from their "
        "rows.",
        "slot-lost",
    )
