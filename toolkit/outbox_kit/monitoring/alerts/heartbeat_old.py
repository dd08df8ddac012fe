"""The last heartbeat is old."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_heartbeat, heartbeat_seconds

RANK = 42


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if not has_heartbeat(outbox):
        return None
    return threshold(
        outbox,
        "OutboxHeartbeatOld",
        AlertSeverity.warning,
        Condition("heartbeat_seconds", ">", heartbeat_seconds(outbox)),
        60,
        "{{ $labels.service }}: the last heartbeat is {{ $value | humanizeDuration }} old",
        "The connector writes a heartbeat at an interval, after it has read the log. It does not run, or cannot write "
        "to the database.",
        "nothing-arrives",
    )
