"""JMX: a task was started and has no state."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, selector
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_slot

RANK = 92


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not outbox.monitoring.jmx:
        return None
    total, running = (
        selector("kafka_connect_connector_tasks", connector=outbox.names.connector, state=state)
        for state in ("total", "running")
    )
    return Alert(
        "OutboxTaskNotStarted",
        AlertSeverity.critical,
        f"{total} > 0 unless on (connector) {running}",
        120,
        "the task of connector {{ $labels.connector }} does not finish its start",
        "The task tries to begin and fails, for example at a lost replication slot, while Kafka Connect reports "
        "RUNNING.",
        "slot-lost" if has_slot(outbox) else "nothing-arrives",
    )
