"""No process reads the slot."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 33


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_slot(outbox):
        return None
    return threshold(
        outbox,
        "OutboxSlotInactive",
        AlertSeverity.critical,
        Condition("slot_active", "==", 0),
        60 if outbox.delivery.by == "relay" else 120,
        "no process reads the replication slot {{ $labels.slot }}",
        "No event is published, and the slot retains WAL. Possible causes: a connector that is stopped, failed or "
        "refused by the "
        "database, a relay that is not running, or a lost slot.",
        "relay-stopped" if outbox.delivery.by == "relay" else "task-failed",
    )
