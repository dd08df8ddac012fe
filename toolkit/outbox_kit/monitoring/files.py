"""The files that `gen-monitoring` writes for an outbox, by name. Pure."""

from collections.abc import Mapping

from outbox_kit.monitoring import jmx, rules
from outbox_kit.monitoring.dashboard import dashboard
from outbox_kit.schema.model import Outbox


def files(outbox: Outbox, anchors: Mapping[str, str], runbook_url: str) -> Mapping[str, tuple[str, str]]:
    """Each part's file name and text; without a connector there is no mapping of JMX. Parameters as for `alerting`."""
    texts = {
        "alerts": ("alerts.rules.yaml", rules.alerting(outbox, anchors, runbook_url)),
        "records": ("records.rules.yaml", rules.recording(outbox)),
        "dashboard": ("dashboard.json", dashboard(outbox)),
        "scrape": ("scrape.yaml", rules.scraping(outbox)),
    }
    return texts | ({} if outbox.delivery.by == "relay" else {"jmx": ("jmx-exporter.yaml", jmx.mapping())})
