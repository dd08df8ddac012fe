"""The same for relays that read the table: the oldest unpublished row stays the same."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, oldest_metric, series
from outbox_kit.monitoring.promql import window
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import lag_seconds

RANK = 11


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.delivery.polls:
        return None
    oldest, over = series(oldest_metric(outbox), outbox.service), window(outbox, 300)
    return Alert(
        "OutboxOldestStays",
        AlertSeverity.critical,
        f"deriv({oldest}[{over}]) > 0.95 and {oldest} > {lag_seconds(outbox)}",
        60,
        "{{ $labels.service }}: the oldest unpublished row stays unpublished",
        "The age of the oldest unpublished row grows as fast as time passes: no relay publishes it.",
        "relay-stopped",
    )
