"""The exporter is not scraped."""

from outbox_kit.monitoring.alert import Alert, AlertSeverity, series
from outbox_kit.schema.model import Outbox

RANK = 82


def alert(outbox: Outbox) -> Alert | None:
    """See the package."""
    return Alert(
        "OutboxExporterAbsent",
        AlertSeverity.critical,
        f"absent({series('up', outbox.service)})",
        120,
        "{{ $labels.service }}: no exporter is scraped",
        "Alerts on the figures of the exporter cannot fire. Start it: outbox-kit exporter; or correct the scrape "
        "configuration.",
        "figures-missing",
    )
