"""The metrics of an outbox: those of `exporter` and `lag`, defined once, and those of others that alerts use. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

PREFIX = "outbox_kit_"


class MetricKind(StrEnum):
    """How a metric changes."""

    gauge = "gauge"
    counter = "counter"


@dataclass(frozen=True)
class Metric:
    """A metric of `exporter`, without the label `service`, which all have."""

    name: str
    """With its prefix, and its suffix `_total` if it is a counter."""
    text: str
    """The meaning, a sentence."""
    labels: Sequence[str] = ()
    kind: MetricKind = MetricKind.gauge
    of: str = "all"
    """The outboxes that have it, in words."""
    title: str = ""
    """In `lag`; empty if it is not shown there."""
    unit: str = ""
    """`s`, `bytes` or empty for a number or a state."""


class MetricSample(NamedTuple):
    """A value of a metric."""

    metric: str
    """Its name."""
    labels: Mapping[str, str]
    value: float


SLOT, PUBLISHED, RELAY, CONNECTOR, POLLED = (
    "PostgreSQL with a replication slot",
    "PostgreSQL with a replication slot and rows in the table",
    "a relay",
    "a connector",
    "relays that read the table",
)
BINLOG = "MySQL and MariaDB with a connector"
SLOT_STATES = ("reserved", "extended", "unreserved", "lost", "absent")
CONNECTOR_STATES = ("RUNNING", "PAUSED", "STOPPED", "FAILED", "RESTARTING", "UNASSIGNED", "DESTROYED", "ABSENT")


def _metric(name: str, text: str, *labels: str, of: str = "all", title: str = "", unit: str = "") -> Metric:
    kind = MetricKind.counter if name.endswith("_total") else MetricKind.gauge
    return Metric(PREFIX + name, text, labels, kind, of, title, unit)


METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        _metric("up", "1 if the system has answered this scrape, 0 if it has not.", "system", title="answered"),
        _metric("part_up", "1 if a part of the figures was answered, 0 if it was refused or too late.", "part"),
        _metric("scrape_seconds", "Duration of the collection of the figures.", unit="s"),
        _metric(
            "oldest_seconds",
            "Age of the oldest unpublished event; 0 if all are published. After the exporter's start it counts from "
            "the "
            "start, until the position has passed one that the exporter has recorded.",
            title="oldest unpublished event",
            unit="s",
        ),
        _metric(
            "pending_events", "Unpublished events; of a log the inserts behind the position.", title="pending events"
        ),
        _metric(
            "inserted_rows_total",
            "Rows that were inserted; rolled-back ones are counted too. The label table is outbox or inbox.",
            "table",
            of="PostgreSQL, MySQL and MariaDB",
        ),
        _metric("log_end_position", "Position of the end of the database's log.", of="a delivery that reads the log"),
        _metric(
            "confirmed_position",
            "Position up to which the delivery has confirmed that events are published.",
            of="a delivery that reads the log",
        ),
        _metric(
            "slot_status",
            "1 for the slot's wal_status, 0 for the other ones; absent if the slot does not exist.",
            "slot",
            "status",
            of=SLOT,
            title="slot",
        ),
        _metric("slot_active", "1 if a process reads the slot.", "slot", of=SLOT, title="slot is read"),
        _metric(
            "slot_retained_bytes", "WAL that the slot retains.", "slot", of=SLOT, title="retained WAL", unit="bytes"
        ),
        _metric(
            "slot_unconfirmed_bytes",
            "WAL that is not confirmed.",
            "slot",
            of=SLOT,
            title="unconfirmed WAL",
            unit="bytes",
        ),
        _metric(
            "slot_cap_bytes",
            "max_slot_wal_keep_size; without a series if there is no limit.",
            "slot",
            of=SLOT,
            unit="bytes",
        ),
        _metric(
            "slot_safe_bytes",
            "WAL that can be written before the slot may be lost (safe_wal_size); without a series if there is no "
            "limit.",
            "slot",
            of=SLOT,
            title="WAL until the limit",
            unit="bytes",
        ),
        _metric(
            "slot_used_share",
            "Share of max_slot_wal_keep_size that is used up, 0 to 1.",
            "slot",
            of=SLOT,
            title="share of the limit",
        ),
        _metric(
            "slot_full_seconds",
            "Time until the limit at the rate of the last ten minutes; +Inf if the distance does not decrease.",
            "slot",
            of=SLOT,
            title="time until the limit",
            unit="s",
        ),
        _metric(
            "slot_inactive_seconds",
            "Time since a process has read the slot, from PostgreSQL 17 on; 0 while it is read.",
            "slot",
            of=SLOT,
            title="slot was not read for",
            unit="s",
        ),
        _metric(
            "table_published",
            "1 if the publication passes all inserts into the outbox table on; 0 if it does not, or does not exist.",
            "publication",
            of=PUBLISHED,
            title="table in the publication",
        ),
        _metric(
            "offset_in_log", "1 if the server's log still has the stored offset.", of=BINLOG, title="offset in the log"
        ),
        _metric("log_keep_seconds", "Time for which the server keeps its log.", of=BINLOG, unit="s"),
        _metric(
            "horizon_seconds",
            "Age of the oldest holder of the horizon, before which dead rows are removed, by kind: session, prepared.",
            "kind",
            of="PostgreSQL, MySQL and MariaDB",
            title="oldest transaction",
            unit="s",
        ),
        _metric(
            "horizon_transactions",
            "Transactions since the oldest holder of the horizon, by kind: session, prepared, slot, catalog, standby.",
            "kind",
            of="PostgreSQL",
        ),
        _metric("heartbeat_seconds", "Age of the last heartbeat.", of=CONNECTOR, title="last heartbeat", unit="s"),
        _metric("table_rows", "Rows of the table (outbox or inbox) by the statistics.", "table", title="rows"),
        _metric("table_dead_rows", "Deleted rows that occupy space.", "table", of="PostgreSQL", title="dead rows"),
        _metric("table_bytes", "Size of the table with its indexes.", "table", title="size", unit="bytes"),
        _metric("dead_letters", "Events that are only sent again on request.", of=RELAY, title="dead letters"),
        _metric(
            "waiting_events", "Failed events that are sent again, and those behind them.", of=RELAY, title="waiting"
        ),
        _metric("parked_keys", "Keys whose events wait behind a failed one.", of=RELAY, title="parked keys"),
        _metric("failed_attempts", "Greatest number of attempts for a failed event.", of=RELAY, title="most attempts"),
        _metric("relays", "Relays whose lease has not ended.", of=POLLED, title="running relays"),
        _metric(
            "relay_hangs",
            "1 for a relay whose lease has ended without a stop: in PostgreSQL while it is connected, in MySQL and "
            "MariaDB for ten minutes.",
            "process",
            of=POLLED,
            title="relay hangs",
        ),
        _metric(
            "connector_state",
            "1 for the state that Kafka Connect reports, 0 for the others; ABSENT if it is not registered.",
            "connector",
            "state",
            of=CONNECTOR,
            title="connector",
        ),
        _metric(
            "task_state",
            "1 for the state of the task, 0 for the others; ABSENT if there is no task.",
            "connector",
            "task",
            "state",
            of=CONNECTOR,
            title="task",
        ),
    )
}
"""All metrics of `exporter`, by name, in the order of its page."""


def sample(name: str, value: float | bool, **labels: str) -> MetricSample:
    """A value of a metric. name: without the prefix. Raises KeyError for an unknown one."""
    return MetricSample(METRICS[PREFIX + name].name, labels, float(value))
