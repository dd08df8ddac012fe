"""A relay hangs, while others may publish."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 51


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not (outbox.delivery.polls and outbox.dialect.capture.measured):
        return None
    return threshold(
        outbox,
        "OutboxRelayHangs",
        AlertSeverity.warning,
        Condition("relay_hangs", "==", 1),
        0,
        "relay {{ $labels.process }} hangs",
        "The lease of the relay has ended, and the relay has not stopped. Other relays publish its lanes. End the "
        "process and start it "
        "again.",
        "relay-stopped",
    )
