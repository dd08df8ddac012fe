"""The signal that is true in every fault: rows or log grow, and the confirmed position does not."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.monitoring.promql import window
from outbox_kit.schema.model import Outbox

RANK = 10


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    if outbox.delivery.polls:
        return None
    service, over = outbox.service, window(outbox, 300)
    inserted = f"sum by (service) (increase({series('inserted_rows_total', service, table='outbox')}[{over}])) > 0"
    grown = f"sum by (service) (delta({series('log_end_position', service)}[{over}])) > 0"
    unchanged = f"sum by (service) (changes({series('confirmed_position', service)}[{over}])) == 0"
    return Alert(
        "OutboxNoProgress",
        AlertSeverity.critical,
        f"({inserted} or {grown}) and on (service) {unchanged}",
        60,
        "{{ $labels.service }}: rows or log are written, and no event is confirmed",
        "The position of the delivery has not changed while the database was written. It is true in every fault: a "
        "paused "
        "or failed task, a broker that does not answer, a missing topic, a lost slot, a relay that hangs.",
        "relay-stopped" if outbox.delivery.by == "relay" else "nothing-arrives",
    )
