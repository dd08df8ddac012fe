"""A relay hangs, while others may publish."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 51


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.delivery.polls:
        return None
    return threshold(
        outbox,
        "OutboxRelayHangs",
        AlertSeverity.warning,
        Condition("relay_hangs", "==", 1),
        0,
        "relay {{ $labels.process }} hangs",
        "Its lease has ended, and it has not stopped. Other relays publish its lanes. End the process and start it "
        "again.",
        "relay-stopped",
    )
