"""There are dead letters."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 52


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by != "relay":
        return None
    return threshold(
        outbox,
        "OutboxDeadLetters",
        AlertSeverity.warning,
        Condition("dead_letters", ">", 0),
        0,
        "{{ $labels.service }}: {{ $value }} dead letters",
        "The sink has refused events, and an operator decides about each.",
        "dead-letters",
    )
