"""A part of the figures is refused."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 81


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    return threshold(
        outbox,
        "OutboxPartUnanswered",
        AlertSeverity.warning,
        Condition("part_up", "==", 0),
        300,
        "{{ $labels.service }}: the figures of {{ $labels.part }} are missing",
        "The database refuses the statement or needs too long, so that alerts on these figures cannot fire. The log "
        "of the exporter has the reason.",
        "figures-missing",
    )
