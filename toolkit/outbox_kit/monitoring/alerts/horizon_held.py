"""A transaction keeps the database from removing dead rows."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 60


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.dialect.capture.measured:
        return None
    return threshold(
        outbox,
        "OutboxHorizonHeld",
        AlertSeverity.warning,
        Condition("horizon_seconds", ">", outbox.monitoring.horizon_seconds),
        300,
        "{{ $labels.kind }}: a transaction is open since {{ $value | humanizeDuration }}",
        "Dead rows of all tables stay, and statements become slower. A delivery that waits for open transactions "
        "stops, too.",
        "horizon-held",
    )
