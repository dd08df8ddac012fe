"""The server has deleted the log at the stored offset."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 37


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by == "relay" or not outbox.dialect.capture.deletes_log:
        return None
    return threshold(
        outbox,
        "OutboxOffsetNotInLog",
        AlertSeverity.critical,
        Condition("offset_in_log", "==", 0),
        0,
        "{{ $labels.service }}: the binary log at the stored offset was deleted",
        "The connector cannot continue after its next restart. Events that it has not read are published again from "
        "their rows.",
        "binlog-lost",
    )
