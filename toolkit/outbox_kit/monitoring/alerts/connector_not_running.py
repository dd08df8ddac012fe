"""The connector is paused, stopped or not registered."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 41


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by == "relay":
        return None
    return threshold(
        outbox,
        "OutboxConnectorNotRunning",
        AlertSeverity.warning,
        Condition("connector_state", "==", 0, {"state": "RUNNING"}),
        300,
        "connector {{ $labels.connector }} is not RUNNING",
        "The connector was paused or stopped and not resumed, has failed, or is not registered.",
        "paused",
    )
