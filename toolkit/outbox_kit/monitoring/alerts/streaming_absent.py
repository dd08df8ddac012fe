"""JMX: the connector streams no changes."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, selector
from outbox_kit.monitoring.promql import window
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.connector_topics import server_name

RANK = 90


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.monitoring.jmx:
        return None
    connected = selector("debezium_streaming_connected", server=server_name(outbox))
    return Alert(
        "OutboxStreamingAbsent",
        AlertSeverity.critical,
        f"absent_over_time({connected}[{window(outbox, 180)}])",
        0,
        "no worker reports that {{ $labels.server }} streams changes",
        "The connector is stopped, has failed, or is refused by the database; or the JMX exporter is not scraped.",
        "task-failed",
    )
