"""The metrics that rules and dashboards name, and those of a scrape."""

import re

from outbox_kit.monitoring import rules
from outbox_kit.monitoring.alerts import alerts
from outbox_kit.monitoring.dashboard import panels_of
from outbox_kit.monitoring.metrics import MetricSample
from outbox_kit.schema.model import Outbox

NAME = re.compile(r"\b((?:outbox_kit|kafka_connect|debezium)_\w+)\{")
SAMPLE = re.compile(r"^([a-zA-Z_:]\w*)(?:\{[^}]*\})? ", re.MULTILINE)
OF_LIMIT = {"outbox_kit_slot_cap_bytes", "outbox_kit_slot_safe_bytes", "outbox_kit_slot_used_share"} | {
    "outbox_kit_slot_full_seconds"
}
"""Those that need max_slot_wal_keep_size."""


def queried(outbox: Outbox) -> set[str]:
    """The metrics that the files for an outbox name."""
    expressions = [alert.expression for alert in alerts(outbox)]
    expressions += [*rules.records(outbox).values()]
    expressions += [query for panel in panels_of(outbox) for query in panel.queries.values()]
    return {name for expression in expressions for name in NAME.findall(expression)}


def scraped(page: str) -> set[str]:
    """The metrics of a scrape."""
    return set(SAMPLE.findall(page))


def values(samples: list[MetricSample], metric: str) -> dict[str, float]:
    """The values of a metric without its prefix, by the last of their labels; an empty one if it has none."""
    chosen = [sample for sample in samples if sample.metric == f"outbox_kit_{metric}"]
    return {list(sample.labels.values())[-1] if sample.labels else "": sample.value for sample in chosen}
