"""`verify follow` reports FAIL."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.schema.model import Outbox

RANK = 71


def alert(outbox: Outbox) -> Alert | None:
    """See the package: only messages of Kafka are verified continuously."""
    if outbox.delivery.sink != "kafka":
        return None
    return Alert(
        "OutboxVerdictFailed",
        AlertSeverity.critical,
        f"{series('verdict', outbox.service, verdict='fail')} == 1",
        0,
        "{{ $labels.service }}: the last window of verify follow has failed",
        "Messages are lost, changed, out of order or invalid. The report of the window names them.",
        "verify-failed",
    )
