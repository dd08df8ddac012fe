"""The one pass over every record. Fast where all is well; what is not goes to `explain`, which may be slow.

Memory grows with the number of keys and of suspects, not of records: per key the highest sequence number seen, per
bucket of event ids a count and a sum to compare with the outbox table. Only where the schema file names no sequence
column every id must be remembered.
"""

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import orjson

from outbox_kit.finding import Findings, Place
from outbox_kit.verify.contract import CANARY, Contract, EventContract
from outbox_kit.verify.explain import NO_NUMBER, Explainer, number, place
from outbox_kit.verify.loss import BUCKETS, Arrival, arrival, fingerprint_of

SAMPLED = 2000  # messages that are held against their rows field by field, even where every id has arrived
UUID_SHAPE = b"0" * 8 + (b"-" + b"0" * 4) * 3 + b"-" + b"0" * 12
TO_SHAPE = bytes.maketrans(b"0123456789abcdefABCDEF", b"0" * 22)
WRAPPED = b'{"schema":'  # how a JSON converter with schemas.enable begins


@dataclass(frozen=True)
class Suspect:
    """A record whose sequence number is not above all before it: a duplicate, or out of order."""

    place: Place
    key: bytes
    sequence: int
    event_id: bytes


@dataclass
class Examination:
    """What one pass found out.

    highest: per topic and partition, each key's highest sequence. gaps: (key, first missing, last missing) by place,
    kept where the application numbers its events. counts and sums: per bucket, of all event ids. seen: ids, where there
    are no numbers. sampled: messages to hold against their rows, the first ones and then some of every batch.
    """

    contract: Contract
    findings: Findings
    partitions: dict[str, int]
    highest: dict[tuple[str, int], dict[bytes, int]] = field(default_factory=dict)
    suspects: list[Suspect] = field(default_factory=list)
    gaps: list[tuple[Place, bytes, int, int]] = field(default_factory=list)
    misplaced: dict[tuple[str, bytes], set[int]] = field(default_factory=dict)
    counts: "array[int]" = field(default_factory=lambda: array("q", bytes(8 * BUCKETS)))
    sums: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    events: dict[str, int] = field(default_factory=dict)
    seen: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    sampled: deque[Arrival] = field(default_factory=lambda: deque(maxlen=SAMPLED))

    def __post_init__(self) -> None:
        self.explainer = Explainer(self.contract, self.findings)

    def take(self, topic: str, partition: int, records: Sequence[Any]) -> None:  # noqa: C901 - one loop, for its speed
        """Examine records of one partition, in their order."""
        contract, explain, payload = self.contract, self.explainer.record, self.explainer.payload
        event: EventContract | None
        expected = {
            kind: (aggregate, event.valid, event)
            for (aggregate, kind), event in self._here(topic)
            if kind in self.unique
        }
        declared, names, width = contract.events, frozenset(contract.names), len(contract.names)
        sequenced, binary, rules, more = contract.sequence, contract.binary, contract.headers, bool(contract.headers)
        numbered = contract.outbox.ordering.assigned_by == "application"
        highest = self.highest.setdefault((topic, partition), {})
        seen = self.seen.setdefault((topic, partition), set())
        counts, sums, loads, canaries = self.counts, self.sums, orjson.loads, 0
        for record in records:
            listed = record.headers() or ()
            headers: dict[str, Any] = dict(listed)
            key = record.key()
            try:
                kind, event_id = headers["eventType"], headers["id"]
                fingerprint = int(event_id[-12:], 16)
                sequence = int(headers["sequence"]) if sequenced else 0
                aggregate, valid, event = expected[kind]
                good = aggregate == headers["aggregateType"] and key and len(listed) == width
                good = good and event_id.translate(TO_SHAPE) == UUID_SHAPE
            except (KeyError, ValueError, TypeError):
                good = False
            if not good or (more and headers.keys() != names):
                pair: Any = (headers.get("aggregateType"), headers.get("eventType"))
                fingerprint = fingerprint_of(headers.get("id"))
                sequence = number(headers.get("sequence")) if sequenced else 0
                if pair == CANARY and fingerprint >= 0:
                    canaries += 1
                    continue
                explain(topic, partition, record)
                if fingerprint < 0 or not key:
                    continue
                event, event_id = declared.get(pair), headers["id"]
                valid = event.valid if event else None
            elif more and not all(rule.holds(headers.get(rule.name)) for rule in rules):
                explain(topic, partition, record)
            bucket = fingerprint & 4095
            counts[bucket] += 1
            sums[bucket] += fingerprint
            if event is not None:
                value = record.value()
                try:
                    good = value is not None and (binary if valid is None else valid(loads(value)))
                    if not good or value.startswith(WRAPPED):
                        payload(topic, partition, record, event)
                except orjson.JSONDecodeError:
                    payload(topic, partition, record, event)
            before = highest.get(key)
            if before is None:
                highest[key] = sequence
                self._first(topic, partition, record, key)
            elif sequence > before:
                highest[key] = sequence
                if numbered and sequence > before + 1 and before != NO_NUMBER:
                    self.gaps.append((Place(topic, partition, record.offset()), key, before + 1, sequence - 1))
            elif sequenced and sequence != NO_NUMBER:
                self.suspects.append(Suspect(place(topic, partition, record), key, sequence, event_id))
            if not sequenced:
                if fingerprint in seen:
                    self.suspects.append(Suspect(place(topic, partition, record), key, 0, event_id))
                seen.add(fingerprint)
        self.events[topic] = self.events.get(topic, 0) + len(records) - canaries
        for record in records if len(self.sampled) < SAMPLED else (records[0], records[-1]):
            if one := arrival(place(topic, partition, record), record, range(BUCKETS)):
                self.sampled.append(one)

    def _here(self, topic: str) -> Iterator[tuple[tuple[bytes, bytes], EventContract]]:
        """The declared events that belong on a topic: all others are looked at closely."""
        return ((pair, event) for pair, event in self.contract.events.items() if event.topic == topic)

    @cached_property
    def unique(self) -> set[bytes]:
        """The event types that only one aggregate has, so that the type alone finds the event."""
        types = [kind for _, kind in self.contract.events]
        return {kind for kind in types if types.count(kind) == 1}

    def _first(self, topic: str, partition: int, record: Any, key: bytes) -> None:
        """A key's first appearance in a partition: its encoding and its place, checked once for all its records."""
        if not self.explainer.key(topic, partition, record, self.partitions[topic]):
            self.misplaced.setdefault((topic, key), set()).add(partition)

    def finish(self) -> None:
        """What only shows at the end: keys that are in several partitions."""
        for (topic, key), bad in sorted(self.misplaced.items()):
            everywhere = {p for (t, p), keys in self.highest.items() if t == topic and key in keys} | bad
            if len(everywhere) > 1:
                where = ", ".join(map(str, sorted(everywhere)))
                self.findings.add("KEY-05", Place(topic), "one partition", f"partitions {where}")
                if self.contract.sequence:
                    self.findings.add("ORD-03", Place(topic), "one partition", f"partitions {where}")
