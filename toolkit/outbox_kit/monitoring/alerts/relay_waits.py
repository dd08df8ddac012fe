"""The relay's own metrics: no relay reads the outbox."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.schema.model import Outbox

RANK = 56


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by != "relay":
        return None
    return Alert(
        "OutboxRelayWaits",
        AlertSeverity.critical,
        f"max by (service) ({series('relay_connected', outbox.service)}) == 0",
        120,
        "{{ $labels.service }}: every relay waits for the database or for another relay",
        "The relays run, and none of them reads the outbox.",
        "relay-stopped",
    )
