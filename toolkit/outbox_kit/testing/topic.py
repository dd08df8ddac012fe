"""The declared topics from one moment on: which events came, and whether they keep the contract."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.findings.finding import Collector, Finding
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka import read as kafka
from outbox_kit.kafka.record import Record
from outbox_kit.printable import counted
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.contract import contract
from outbox_kit.verify.reading.jsontext import parsed
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.record import CANARY
from outbox_kit.verify.request import promised
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.tally import Tally

POLL_SECONDS = 0.1
LOOK_SECONDS = 10.0  # a look that has begun is ended, however little time the test gives
Position = dict[tuple[str, int], int]


@dataclass(frozen=True)
class Event:
    """An event as a consumer gets it."""

    type: str
    """The header `eventType`."""
    aggregate: str
    """The header `aggregateType`."""
    key: str | None
    """The message key as text."""
    payload: Any
    """The document; bytes that are no document, None for a tombstone."""
    headers: dict[str, str]
    """Every header as text."""
    topic: str
    """The topic that it arrived on."""
    partition: int
    """The partition of the topic, from 0 on."""
    offset: int
    """Its offset in the partition."""


@dataclass
class OutboxTopic:
    """What arrives on the topics of an outbox from now on."""

    outbox: Outbox
    """The contract."""
    cluster: kafka.Cluster
    """The brokers that hold the topics."""
    registry: str | None = None
    """The address of the Schema Registry that payloads are framed for; None for payloads without a frame."""
    _start: Position = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)
    _findings: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._contract = contract(self.outbox, self.registry)
        self._start = {(r.topic, r.partition): r.end for r in self._pinned()}

    def events(self, count: int = 1, *, type: str | None = None, seconds: float = 30.0) -> list[Event]:
        """At least so many events that arrived since the test began; waits for them. type: only those of a type.

        Raises AssertionError where they do not come in time, or where one breaks the contract.
        """
        deadline = time.monotonic() + seconds
        while True:
            self._look()
            events = [event for event in self._events if type in (None, event.type)]
            if len(events) >= count:
                self.check()
                return events
            if time.monotonic() > deadline:
                kinds = ", ".join(event.type for event in self._events) or "none"
                expected = counted(count, "event") + (f" of type {type}" if type else "")
                raise AssertionError(f"expected {expected} within {seconds:.0f} s; found {kinds}{self._where()}")
            time.sleep(POLL_SECONDS)

    def event(self, type: str | None = None, *, seconds: float = 30.0) -> Event:
        """The one event that arrived, or the one of a type; waits for it. Raises AssertionError."""
        events = self.events(1, type=type, seconds=seconds)
        if len(events) > 1:
            raise AssertionError(f"expected 1 event; found {len(events)}: {', '.join(event.type for event in events)}")
        return events[0]

    def none(self, seconds: float = 2.0) -> None:
        """That nothing arrives for so long. Raises AssertionError."""
        if self._contract.routes.assumed:
            raise AssertionError(f"the topics could not be read completely{self._where()}")
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._look()
            if self._events:
                raise AssertionError(
                    f"expected no event; found {len(self._events)}: {', '.join(e.type for e in self._events)}"
                )
            time.sleep(POLL_SECONDS)

    def check(self) -> None:
        """That every event so far keeps the contract. Raises AssertionError with what is wrong."""
        wrong = [finding for finding in self._findings if finding.severity is Severity.error]
        if wrong:
            raise AssertionError("\n".join(_line(finding) for finding in wrong))

    def _where(self) -> str:
        """The caveat about the topics, if they are not known."""
        return f"; the topics are {self._contract.routes.caveat}" if self._contract.routes.assumed else ""

    def _pinned(self) -> list[kafka.Range]:
        partition_counts = self.cluster.topics()
        self._partitions = {
            topic: partition_counts[topic] for topic in self._contract.routes.topics if topic in partition_counts
        }
        return self.cluster.pin([(t, p) for t, count in self._partitions.items() for p in range(count)])

    def _look(self) -> None:
        """Read everything since the beginning again: few events, and the order in which they came."""
        ranges = [
            kafka.Range(r.topic, r.partition, self._start.get((r.topic, r.partition), 0), r.end) for r in self._pinned()
        ]
        if sum(r.end - r.start for r in ranges) == 0:
            return
        findings = Collector(8, CHECKS.get)
        engine = Memory()
        examination = Examination(self._contract, Tally(findings), engine, self._partitions)
        events = []
        reading = kafka.Reading(ranges)
        for topic, partition, records in self.cluster.read(reading, time.monotonic() + LOOK_SECONDS):
            examination.take(topic, partition, records)
            events += [
                (record.timestamp()[1], _event(topic, partition, record, self._contract.loads)) for record in records
            ]
        if not reading.complete:
            return  # what was known stands; the next look sees it all
        events.sort(key=lambda event: event[0])
        self._events = [event for _, event in events if (event.aggregate, event.type) != _CANARY]
        self._findings = promised(self.outbox).apply(findings)


_CANARY = tuple(part.decode() for part in CANARY)


def _event(topic: str, partition: int, record: Record, loads: Callable[[bytes], Any]) -> Event:
    headers = {name: (value or b"").decode(errors="replace") for name, value in record.headers() or ()}
    value, key = record.value(), record.key()
    try:
        payload = None if value is None else parsed(loads, value).document
    except ValueError:
        payload = value
    key_text = None if key is None else key.decode(errors="replace")
    kind, aggregate = headers.get("eventType", ""), headers.get("aggregateType", "")
    return Event(kind, aggregate, key_text, payload, headers, topic, partition, record.offset())


def _line(finding: Finding) -> str:
    sample = finding.samples[0]
    return f"{finding.id} {finding.text}: {sample.location}: {sample.facts}"
