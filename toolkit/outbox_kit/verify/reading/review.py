"""A record that the fast scan stopped at, reviewed rule by rule; slow and thorough."""

from dataclasses import dataclass

from outbox_kit.findings.finding import Collector, RecordLocation
from outbox_kit.kafka.headers import UNREADABLE
from outbox_kit.kafka.record import Record
from outbox_kit.verify.checks import cloudevents, headers, keys, payloads, routing
from outbox_kit.verify.contract import Contract, EventContract
from outbox_kit.verify.record import CONTEXT_HEADERS, Violations, location


@dataclass(frozen=True)
class Review:
    """Adds what is wrong with single records to the findings."""

    contract: Contract
    findings: Collector

    def record(self, topic: str, partition: int, record: Record) -> bool:
        """Routing, key and headers; returns whether the record is an event, however faulty."""
        listed, where = record.headers() or (), location(topic, partition, record)
        if listed is UNREADABLE:
            self.findings.add(
                headers.ENCODED, where, "names as text", "a name that is not UTF-8: the headers cannot be read"
            )
            return True
        event_headers = [(name, value) for name, value in listed if not name.startswith(CONTEXT_HEADERS)]
        by_name, value = dict(event_headers), record.value()
        if "id" not in by_name:
            self._add(where, routing.without_id(self.contract, by_name, value))
            return routing.lost_id(self.contract, by_name) and not routing.raw_change(value)
        self._add(where, headers.names(self.contract, event_headers))
        self._add(where, headers.values(self.contract, by_name))
        self._add(where, cloudevents.violations(self.contract.outbox, by_name, record.key(), value))
        self._add(where, keys.missing(record.key()))
        self._add(where, routing.topic(self.contract, topic, by_name))
        return True

    def undeclared_header(self, where: RecordLocation, name: str) -> None:
        """An undeclared header."""
        self._add(where, iter([headers.undeclared(name)]))

    def key(self, topic: str, partition: int, record: Record, partitions: int) -> None:
        """A key's encoding and its partition. partitions: of the topic."""
        self._add(
            location(topic, partition, record), keys.placed(self.contract, record.key() or b"", partition, partitions)
        )

    def payload(self, topic: str, partition: int, record: Record, event: EventContract) -> None:
        """The value against the event's contract."""
        self._add(location(topic, partition, record), payloads.value(self.contract, event, record))

    def _add(self, where: RecordLocation, violations: Violations) -> None:
        for check, expected, actual in violations:
            self.findings.add(check, where, expected, actual)
