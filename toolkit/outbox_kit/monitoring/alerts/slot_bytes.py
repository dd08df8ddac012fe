"""The slot retains much WAL."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 36


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    return threshold(
        outbox,
        "OutboxSlotBytes",
        AlertSeverity.warning,
        Condition("slot_retained_bytes", ">", outbox.monitoring.slot_bytes),
        300,
        "the replication slot {{ $labels.slot }} retains {{ $value | humanize1024 }}B of WAL",
        "Without max_slot_wal_keep_size the disk of the database fills.",
        "slot-growing",
    )
