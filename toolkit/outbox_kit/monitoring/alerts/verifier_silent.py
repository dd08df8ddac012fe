"""`verify follow` has stopped."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.schema.model import Outbox

RANK = 70


def alert(outbox: Outbox) -> Alert | None:
    """See the package: only messages of Kafka are verified continuously."""
    if outbox.delivery.sink != "kafka":
        return None
    last = series("last_window_timestamp_seconds", outbox.service)
    return Alert(
        "OutboxVerifierSilent",
        AlertSeverity.warning,
        f"time() - max by (service) (last_over_time({last}[1d])) > {outbox.monitoring.verify_seconds}",
        0,
        "{{ $labels.service }}: verify follow has judged no window for {{ $value | humanizeDuration }}",
        "The verification does not run, so that loss is not detected. It counts from the last window that Prometheus "
        "has "
        "scraped within a day.",
        "verify-failed",
    )
