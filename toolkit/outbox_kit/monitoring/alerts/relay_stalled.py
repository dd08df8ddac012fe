"""The relay's own metrics: it makes no round."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.schema.model import Outbox

RANK = 55


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by != "relay":
        return None
    return Alert(
        "OutboxRelayStalled",
        AlertSeverity.critical,
        f"{series('relay_last_round_seconds', outbox.service)} > 60",
        60,
        "{{ $labels.service }}: the relay at {{ $labels.instance }} hangs since {{ $value | humanizeDuration }}",
        "The process of the relay answers, and its loop has stopped. End the process and start it again.",
        "relay-stopped",
    )
