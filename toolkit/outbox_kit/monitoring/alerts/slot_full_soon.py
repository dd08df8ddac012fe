"""The slot reaches its limit soon."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.monitoring.promql import window
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 34


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    safe, hours, over = series("slot_safe_bytes", outbox.service), outbox.monitoring.full_hours, window(outbox, 1800)
    return Alert(
        "OutboxSlotFullSoon",
        AlertSeverity.critical,
        f"predict_linear({safe}[{over}], {hours * 3600}) < 0",
        300,
        f"the replication slot {{{{ $labels.slot }}}} is lost within {hours} h",
        "At the rate of the last half hour the slot reaches max_slot_wal_keep_size, and is lost then.",
        "slot-growing",
    )
