"""All outbox connectors of a Connect cluster, without schema files: state, lag, last event, rate and problems."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outbox_kit import databases
from outbox_kit.connect.client import Config, Connect
from outbox_kit.connect.status import ConnectorStatus, connector_status
from outbox_kit.databases import servers
from outbox_kit.databases.facts import Dialect
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.questions import Questions
from outbox_kit.delivery.slots import LOST, size
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.kafka.read import Cluster, Range, Reading

RATE_SECONDS = 60
READ_SECONDS = 10.0
CLOCKS: Mapping[str, float] = {"ts_usec": 1e6, "ts_ms": 1e3, "ts_sec": 1, "sec": 1}
"""The keys of stored offsets that have the time of the last event, with their units per second."""
HEADINGS = ("connector", "state", "lag", "offset age", "last event", "events/min", "slot")


@dataclass(frozen=True)
class OutboxConnector:
    """What was observed of one outbox connector. None: not asked, not answered, or there is none."""

    name: str
    """The connector's name."""
    status: ConnectorStatus
    """The states of the connector and its task."""
    topics: Sequence[str] = ()
    """The topics of events that it has written."""
    slot_name: str | None = None
    """The replication slot in its configuration."""
    slot: Slot | None = None
    """The slot."""
    slot_examined: bool = False
    """Whether the database was asked for the slot."""
    offset_seconds: float | None = None
    """The age of the event or heartbeat in its stored offset, in seconds."""
    last_event_seconds: float | None = None
    """The age of the newest message on its topics, in seconds."""
    per_minute: int | None = None
    """The messages on its topics in the last minute."""

    def cells(self) -> list[str]:
        """One line of the screen, in the order of the headings."""
        slot = "-" if self.slot_name is None else "not examined" if not self.slot_examined else "missing"
        if self.slot is not None:
            slot = f"{'active' if self.slot.active else 'inactive'}, {size(self.slot.retained)} of WAL"
        lag = "-" if self.slot is None else size(self.slot.behind)
        rate = "-" if self.per_minute is None else str(self.per_minute)
        ages = [_age(self.offset_seconds), _age(self.last_event_seconds)]
        return [self.name, _state(self.status), lag, *ages, rate, slot]

    def problems(self) -> Iterator[str]:
        """What keeps its events from being published, now or soon, a sentence each."""
        status = self.status
        if status.halted:
            yield f"it is {status.connector} and publishes no events: outbox-kit resume"
        elif status.failed:
            yield "its task FAILED: outbox-kit status --trace, outbox-kit restart"
        elif not status.running:
            yield f"it does not run ({status}): see the worker's log"
        if self.slot_examined and self.slot is None:
            yield f"replication slot '{self.slot_name}' does not exist"
        elif self.slot is not None and self.slot.wal_status in LOST:
            yield f"replication slot '{self.slot_name}' is lost (wal_status={self.slot.wal_status})"
        elif self.slot is not None and not self.slot.active and not status.halted:
            yield f"replication slot '{self.slot_name}' is inactive and retains {size(self.slot.retained)} of WAL"

    def document(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "connector": self.name,
            "state": self.status.connector,
            "tasks": list(self.status.tasks),
            "workers": list(self.status.workers),
            "topics": list(self.topics),
            "slot": self.slot_name,
            "lag_bytes": None if self.slot is None else self.slot.behind,
            "retained_bytes": None if self.slot is None else self.slot.retained,
            "offset_seconds": self.offset_seconds,
            "last_event_seconds": self.last_event_seconds,
            "events_per_minute": self.per_minute,
            "problems": list(self.problems()),
        }


@dataclass(frozen=True)
class Overview:
    """All outbox connectors of a cluster, and the questions without an answer."""

    connectors: Sequence[OutboxConnector]
    """By name."""
    unanswered: Sequence[EnvironmentProblem] = field(default_factory=tuple)
    """The errors of systems that did not answer."""

    def lines(self) -> Iterator[str]:
        """The screen."""
        rows = [list(HEADINGS), *(connector.cells() for connector in self.connectors)]
        widths = [max(len(row[place]) for row in rows) for place in range(len(HEADINGS))]
        for row in rows:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for connector in self.connectors:
            yield from (f"problem    {connector.name}: {problem}" for problem in connector.problems())


def observe(connect: Connect, dsn: str | None, cluster: Cluster | None) -> Overview:
    """What is seen of all outbox connectors. Raises ConnectUnreachable, ConnectRefused.

    dsn: a database whose replication slots are looked up; None if none can be asked.
    """
    questions, now = Questions(), time.time()
    seen = []
    for name, config in sorted(connect.connectors().items()):
        dialect = _dialect(config)
        if dialect is not None:
            seen.append(_observed(connect, name, config, dialect, dsn, questions, now))
    if cluster is not None:
        visible = questions.ask("kafka", "topics", cluster.topics)
        if visible is not None:
            seen = [_measured(connector, cluster, visible, questions, now) for connector in seen]
    return Overview(seen, questions.unanswered)


def _observed(
    connect: Connect,
    name: str,
    config: Config,
    dialect: Dialect,
    dsn: str | None,
    questions: Questions,
    now: float,
) -> OutboxConnector:
    status = connector_status(connect.status(name), config)
    topics = [topic for topic in connect.topics(name) if _has_events(topic, config)]
    times = [_seconds(entry.get("offset") or {}) for entry in connect.offsets(name)]
    newest = max((moment for moment in times if moment is not None), default=None)
    slot_name, slot, examined = config.get("slot.name"), None, False
    slots = servers.get(dialect.name).slots if slot_name is not None and dsn is not None else None
    if slots is not None and dsn is not None and slot_name is not None:
        key = f"slot of {name}"
        slot = questions.ask("database", key, lambda: slots.slot(dsn, slot_name))
        examined = key in questions.answers
        if slot is not None and slot.database != config.get("database.dbname"):
            slot = None
        examined = examined and (slot is not None or _is_server(dialect, dsn, config))
    return OutboxConnector(
        name, status, topics, slot_name, slot, examined, None if newest is None else max(now - newest, 0.0)
    )


def _is_server(dialect: Dialect, dsn: str, config: Config) -> bool:
    """Whether an address is certainly that of the connector's server, by host and port."""
    place = servers.get(dialect.name).endpoint(dsn)
    expected = config.get("database.hostname"), config.get("database.port", str(dialect.access.port))
    return (place.host, str(place.port or dialect.access.port)) == expected


def _has_events(topic: str, config: Config) -> bool:
    """Whether a topic is one of events, and not of heartbeats or of rows without the router."""
    if topic.startswith(config.get("topic.heartbeat.prefix", "__debezium-heartbeat")):
        return False
    listed = config.get("table.include.list", "").replace("\\", "")  # expressions, in which a dot is escaped
    tables = [table.strip() for table in listed.split(",") if table.strip()]
    rows = topic.startswith(f"{config.get('topic.prefix', '')}.")
    return not (rows and any(topic.endswith(f".{table}") for table in tables))


def _dialect(config: Config) -> Dialect | None:
    """The database of an outbox connector; None for any other connector."""
    routers = {dialect.capture.router for dialect in databases.ALL.values()}
    steps = [step.strip() for step in config.get("transforms", "").split(",")]
    if not any(config.get(f"transforms.{step}.type") in routers for step in steps):
        return None
    kind = config.get("connector.class")
    return next((d for d in databases.ALL.values() if d.capture.options.get("connector.class") == kind), None)


def _seconds(offset: Mapping[str, Any]) -> float | None:
    """When the event of a stored offset was committed, in seconds since 1970."""
    for key, units in CLOCKS.items():
        value = offset.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value / units
    return None


def _traffic(
    cluster: Cluster, visible: Mapping[str, int], topics: Sequence[str], now: float
) -> tuple[int, float | None]:
    """The messages of the last minute on some topics, and the time of the newest one in seconds since 1970."""
    partitions = [(topic, number) for topic in topics for number in range(visible.get(topic, 0))]
    ranges = cluster.pin(partitions)
    since = cluster.at(partitions, int((now - RATE_SECONDS) * 1000))
    recent = sum(max(r.end - since[r.topic, r.partition], 0) for r in ranges if (r.topic, r.partition) in since)
    lasts = [Range(r.topic, r.partition, max(r.end - 1, r.start), r.end) for r in ranges if r.end > r.start]
    newest = None
    for _, _, records in cluster.read(Reading(lasts), time.monotonic() + READ_SECONDS):
        newest = max([*(record.timestamp()[1] / 1000 for record in records), *([newest] if newest else [])])
    return recent, newest


def _measured(
    connector: OutboxConnector, cluster: Cluster, visible: Mapping[str, int], questions: Questions, now: float
) -> OutboxConnector:
    """The connector with the messages on its topics."""
    traffic = questions.ask("kafka", connector.name, lambda: _traffic(cluster, visible, connector.topics, now))
    if traffic is None:
        return connector
    recent, newest = traffic
    age = None if newest is None else max(now - newest, 0.0)
    return replace(connector, per_minute=recent, last_event_seconds=age)


def _state(status: ConnectorStatus) -> str:
    tasks = ", ".join(status.tasks) or "no task"
    return status.connector if status.running else f"{status.connector} ({tasks})"


def _age(seconds: float | None) -> str:
    """A duration in a few characters."""
    if seconds is None:
        return "-"
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
