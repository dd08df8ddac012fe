"""No relay runs, by the database alone."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 50


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.delivery.polls:
        return None
    return threshold(
        outbox,
        "OutboxRelayAbsent",
        AlertSeverity.critical,
        Condition("relays", "==", 0),
        60,
        "{{ $labels.service }}: no relay is running",
        "No relay has a lease in the database. No event is published.",
        "relay-stopped",
    )
