"""The server deletes the log soon that the connector has not read."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.schema.model import Outbox

RANK = 38


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by == "relay" or not outbox.dialect.capture.deletes_log:
        return None
    oldest, kept = (series(name, outbox.service) for name in ("oldest_seconds", "log_keep_seconds"))
    return Alert(
        "OutboxLogExpires",
        AlertSeverity.critical,
        f"{oldest} > on (service) 0.5 * {kept}",
        300,
        "{{ $labels.service }}: half of the retention of the binary log has passed since the oldest unpublished event",
        "The server deletes its log after binlog_expire_logs_seconds whether or not the connector has read it.",
        "binlog-lost",
    )
