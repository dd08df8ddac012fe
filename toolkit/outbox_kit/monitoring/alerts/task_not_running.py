"""The connector's task does not run."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 40


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.by == "relay":
        return None
    return threshold(
        outbox,
        "OutboxTaskNotRunning",
        AlertSeverity.critical,
        Condition("task_state", "==", 0, {"state": "RUNNING"}),
        120,
        "task {{ $labels.task }} of connector {{ $labels.connector }} is not RUNNING",
        "Kafka Connect reports another state of the task, or no task. The metric outbox_kit_task_state has the state.",
        "task-failed",
    )
