"""The events of keys wait."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 53


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by != "relay":
        return None
    return threshold(
        outbox,
        "OutboxParkedKeys",
        AlertSeverity.warning,
        Condition("parked_keys", ">", 0),
        300,
        "{{ $labels.service }}: the events of {{ $value }} keys wait behind a failed one",
        "Later events of these keys are not published until the failed one is published or discarded.",
        "dead-letters",
    )
