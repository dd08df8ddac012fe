"""The oldest unpublished event is old."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, oldest_metric, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import lag_seconds

RANK = 20


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    return threshold(
        outbox,
        "OutboxLate",
        AlertSeverity.warning,
        Condition(oldest_metric(outbox), ">", lag_seconds(outbox)),
        outbox.monitoring.hold_seconds,
        "{{ $labels.service }}: the oldest unpublished event is {{ $value | humanizeDuration }} old",
        "Events are published late, or not at all. If no other alert explains it, the delivery is slower than the "
        "writers.",
        "relay-stopped" if outbox.delivery.by == "relay" else "nothing-arrives",
    )
