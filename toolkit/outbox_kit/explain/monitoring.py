"""The page of all metrics and alerts. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from outbox_kit import databases
from outbox_kit.explain.options import GENERATED, markdown
from outbox_kit.monitoring.alert import Alert
from outbox_kit.monitoring.alerts import alerts
from outbox_kit.monitoring.metrics import METRICS
from outbox_kit.monitoring.promql import duration
from outbox_kit.schema.model import Outbox

INTRODUCTION = (
    "The metrics of `outbox-kit exporter`, which `outbox-kit lag` shows too, and the alerts that `gen-monitoring` "
    "writes, with the default thresholds. [Monitoring](../monitoring.md) explains them."
)
LABELS = "Each metric has the label `service`, the service of the schema file."
RELAY, TABLE, JMX = {"by": "relay"}, {"by": "relay", "source": "table"}, {"jmx": True}
WITH_SLOT, WITH_BINLOG, OTHER = (
    next(name for name, dialect in databases.ALL.items() if dialect.capture.polled and is_one(dialect.capture))
    for is_one in (lambda c: c.uses_slot, lambda c: c.deletes_log, lambda c: not c.measured)
)
KINDS: Mapping[str, Mapping[str, Any]] = {
    "PostgreSQL, connector": {"database": {"dialect": WITH_SLOT}, "monitoring": JMX},
    "PostgreSQL, relay of the log": {"database": {"dialect": WITH_SLOT}, "delivery": RELAY},
    "PostgreSQL, relay of the table": {"database": {"dialect": WITH_SLOT}, "delivery": TABLE},
    "MySQL and MariaDB, connector": {"database": {"dialect": WITH_BINLOG}, "monitoring": JMX},
    "MySQL and MariaDB, relay": {"database": {"dialect": WITH_BINLOG}, "delivery": TABLE},
    "other databases, connector": {"database": {"dialect": OTHER}, "monitoring": JMX},
    "SQL Server and Oracle, relay": {"database": {"dialect": OTHER}, "delivery": TABLE},
}
"""An outbox of each kind whose alerts differ."""


def page() -> str:
    """The page."""
    lines = ["# Metrics and alerts", "", GENERATED, "", INTRODUCTION, "", "## Metrics", "", LABELS, ""]
    lines += ["| metric | more labels | meaning | outboxes |", "| --- | --- | --- | --- |"]
    for metric in METRICS.values():
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        lines.append(f"| `{metric.name}` | {labels} | {markdown(metric.text)} | {metric.of} |")
    lines += ["", "## Alerts", "", "`jmx` among the outboxes: only with `monitoring.jmx: true`.", ""]
    lines += ["| alert | severity | fires after | meaning | outboxes |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*lines, *_rows(), ""])


def _rows() -> Iterator[str]:
    kinds = {kind: {alert.name: alert for alert in alerts(_outbox(document))} for kind, document in KINDS.items()}
    in_order: dict[str, Alert] = {}
    for listed in kinds.values():
        in_order |= {name: alert for name, alert in listed.items() if name not in in_order}
    for name, alert in in_order.items():
        having = [kind for kind, listed in kinds.items() if name in listed]
        outboxes = "all" if len(having) == len(kinds) else "; ".join(having)
        needs_jmx = not any(name in {each.name for each in alerts(_outbox(KINDS[kind], jmx=False))} for kind in having)
        marked = f"{outboxes} (`jmx`)" if needs_jmx else outboxes
        cells = (f"`{name}`", alert.severity, duration(alert.hold_seconds), markdown(alert.description), marked)
        yield f"| {' | '.join(cells)} |"


def _outbox(document: Mapping[str, Any], *, jmx: bool = True) -> Outbox:
    """An outbox. jmx: whether its setting of that name is kept."""
    events = [{"type": "OrderPlaced", "aggregate": "Order"}]
    settings = document if jmx else {key: value for key, value in document.items() if key != "monitoring"}
    return Outbox.model_validate({"service": "shop", "events": events, **settings})
