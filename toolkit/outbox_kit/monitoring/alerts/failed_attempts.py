"""An event was tried many times."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import attempts

RANK = 54


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by != "relay" or not outbox.dialect.capture.measured:
        return None
    return threshold(
        outbox,
        "OutboxFailedAttempts",
        AlertSeverity.warning,
        Condition("failed_attempts", ">=", attempts(outbox)),
        0,
        "{{ $labels.service }}: an event was refused {{ $value }} times",
        "The sink refuses the event, which becomes a dead letter after the last attempt.",
        "dead-letters",
    )
