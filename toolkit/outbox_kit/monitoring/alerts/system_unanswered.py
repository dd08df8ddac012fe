"""A system does not answer the exporter."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, Condition, threshold
from outbox_kit.schema.model import Outbox

RANK = 80


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    return threshold(
        outbox,
        "OutboxSystemUnanswered",
        AlertSeverity.critical,
        Condition("up", "==", 0),
        120,
        "{{ $labels.service }}: the {{ $labels.system }} does not answer the exporter",
        "The figures of the system are missing, and alerts on them cannot fire. Possible causes: the system is down, "
        "the network, a "
        "password.",
        "unreachable",
    )
