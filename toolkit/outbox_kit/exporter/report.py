"""The figures of one time in words and as a document, and the thresholds that they pass. Pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.delivery.slots import size
from outbox_kit.exporter.collection import Collected
from outbox_kit.monitoring.alert import Alert
from outbox_kit.monitoring.alerts import alerts
from outbox_kit.monitoring.metrics import METRICS, PREFIX, MetricSample
from outbox_kit.schema.model import Outbox

SCHEMA = "outbox-kit/lag/v1"
STATES = ("slot_status", "connector_state", "task_state")
YES_NO = ("up", "slot_active", "table_published", "offset_in_log")
HIDDEN_LABELS = ("state", "status", "slot", "publication", "connector")
EXPECTED = ("oldest_seconds", "pending_events")
"""Figures without which it is not known whether events are late."""


@dataclass(frozen=True)
class Passed:
    """A threshold that a value passes."""

    alert: Alert
    sample: MetricSample

    def line(self) -> str:
        """In words."""
        condition = self.alert.condition
        assert condition is not None  # noqa: S101 - it was passed
        value, limit = value_text(self.sample), value_text(self.sample._replace(value=condition.limit))
        place = "".join(f" {name}={text}" for name, text in self.sample.labels.items())
        if condition.operator == "==":
            return f"{self.alert.name}: {condition.metric}{place} is {value}"
        return f"{self.alert.name}: {condition.metric}{place} is {value}; the threshold is {condition.operator} {limit}"


def passed(outbox: Outbox, samples: Sequence[MetricSample]) -> Sequence[Passed]:
    """The thresholds that values pass now, in the order of the alerts."""
    return [
        Passed(alert, sample)
        for alert in alerts(outbox)
        if alert.condition is not None
        for sample in samples
        if alert.condition.passed(sample)
    ]


def unknown(collected: Collected) -> Sequence[str]:
    """The figures that decide whether events are late, and are not known although the database has answered."""
    names = {sample.metric for sample in collected.samples}
    if "database" in collected.unanswered:
        return ()
    outbox = collected.observed.outbox
    if outbox.delivery.polls and not outbox.dialect.capture.measured:
        return ()
    counts = outbox.table.storage == "table" and outbox.dialect.capture.measured
    expected = EXPECTED if counts else EXPECTED[:1]
    return [name for name in expected if PREFIX + name not in names]


def becomes_known(collected: Collected) -> bool:
    """Whether a figure that is not known becomes known when the figures are collected again."""
    return bool(unknown(collected)) and collected.observed.confirmed is not None


def why_unknown(collected: Collected) -> str:
    """Why a figure is not known, as the end of a sentence."""
    if becomes_known(collected):
        return "the time of the confirmed position is not known; use a longer --wait"
    return "rows were not read" if collected.observed.outbox.delivery.polls else "no position of the log is confirmed"


def impossible(collected: Collected) -> Iterator[str]:
    """The thresholds that can never be passed with the settings of the server, a sentence each."""
    observed = collected.observed
    monitoring, database = observed.outbox.monitoring, observed.database
    if database is None or database.slot is None:
        return
    cap = database.log.cap
    if cap is None:
        yield (
            "monitoring.slot_share and monitoring.full_hours never fire: max_slot_wal_keep_size is -1, and the slot "
            "retains WAL without a limit; set it, for example: "
            "alter system set max_slot_wal_keep_size = '50GB'; select pg_reload_conf();"
        )
    elif monitoring.slot_bytes >= cap:
        yield (
            f"monitoring.slot_bytes '{monitoring.slot_bytes}' never fires: expected less than max_slot_wal_keep_size, "
            f"{cap} bytes, at which the slot is lost"
        )


def lines(collected: Collected) -> Iterator[str]:
    """The figures, a line each."""
    by_name: dict[str, list[MetricSample]] = {}
    for sample in collected.samples:
        by_name.setdefault(sample.metric, []).append(sample)
    for name, metric in METRICS.items():
        if metric.title:
            for labels, text in _shown(name.removeprefix(PREFIX), by_name.get(name, ())):
                yield f"{metric.title:<26} {text}{labels}"


def _shown(name: str, samples: Sequence[MetricSample]) -> Iterator[tuple[str, str]]:
    for sample in samples:
        labels = {label: text for label, text in sample.labels.items() if label not in HIDDEN_LABELS}
        place = f" ({', '.join(labels.values())})" if labels else ""
        if name not in STATES:
            yield place, value_text(sample)
        elif sample.value:
            yield place, sample.labels.get("state") or sample.labels["status"]


def value_text(sample: MetricSample) -> str:
    """A value with its unit."""
    name, unit, value = sample.metric.removeprefix(PREFIX), METRICS[sample.metric].unit, sample.value
    if name in YES_NO:
        return "yes" if value else "no"
    if math.isinf(value):
        return "not decreasing"
    if unit == "s":
        return f"{value:.0f} s" if value >= 10 else f"{value:.1f} s"
    if unit == "bytes":
        return size(round(value))
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def document(outbox: Outbox, collected: Collected, at: str) -> Mapping[str, Any]:
    """The figures as plain values. at: the time in ISO 8601. An infinite value is null."""
    return {
        "schema": SCHEMA,
        "service": outbox.service,
        "at": at,
        "figures": [
            {
                "metric": sample.metric,
                "labels": dict(sample.labels),
                "value": None if math.isinf(sample.value) else sample.value,
            }
            for sample in collected.samples
        ],
        "passed": [
            {
                "alert": each.alert.name,
                "severity": each.alert.severity.value,
                "chapter": each.alert.chapter,
                "metric": each.sample.metric,
                "labels": dict(each.sample.labels),
                "value": each.sample.value,
            }
            for each in passed(outbox, collected.samples)
        ],
        "unknown": [*unknown(collected)],
        "unread": dict(collected.unread),
        "unanswered": [
            {"system": system, "what": problem.what, "at": problem.where, "why": problem.why}
            for system, problem in collected.unanswered.items()
        ],
        "never_fires": [*impossible(collected)],
    }
