"""JMX: records wait for the broker."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, selector
from outbox_kit.monitoring.promql import window
from outbox_kit.schema.model import Outbox

RANK = 91


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.monitoring.jmx:
        return None
    connector, over = outbox.names.connector, window(outbox, 120)
    active = selector("kafka_connect_source_record_active_count", connector=connector)
    written = selector("kafka_connect_source_record_write_total", connector=connector)
    return Alert(
        "OutboxWriteStuck",
        AlertSeverity.critical,
        f"min_over_time({active}[{over}]) > 0 and changes({written}[{over}]) == 0",
        60,
        "connector {{ $labels.connector }} has records that Kafka does not accept",
        "A broker does not answer, a topic does not exist, or the task has failed at a record.",
        "unreachable",
    )
