"""The slot uses much of its limit."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 35


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    return threshold(
        outbox,
        "OutboxSlotShare",
        AlertSeverity.warning,
        Condition("slot_used_share", ">", outbox.monitoring.slot_share),
        300,
        "the replication slot {{ $labels.slot }} uses {{ $value | humanizePercentage }} of its limit",
        "The slot retains WAL up to max_slot_wal_keep_size, and is lost then.",
        "slot-growing",
    )
