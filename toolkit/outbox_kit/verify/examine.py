"""The one pass over every record. Fast where all is well; what is not goes to `explain`, which may be slow.

Memory grows with the number of keys and of suspects, not of records: per key the highest sequence number seen, per
bucket of event ids a count and a sum to compare with the outbox table.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from outbox_kit.finding import Findings, Place
from outbox_kit.verify.contract import CANARY, Contract
from outbox_kit.verify.explain import Explainer

BUCKETS = 4096  # of event ids, by the low bits of their last twelve digits


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
    kept where the application numbers its events. counts and sums: per bucket, of all event ids.
    """

    contract: Contract
    findings: Findings
    explainer: Explainer
    partitions: dict[str, int]
    highest: dict[tuple[str, int], dict[bytes, int]] = field(default_factory=dict)
    suspects: list[Suspect] = field(default_factory=list)
    gaps: list[tuple[Place, bytes, int, int]] = field(default_factory=list)
    misplaced: dict[tuple[str, bytes], set[int]] = field(default_factory=dict)
    counts: "array[int]" = field(default_factory=lambda: array("q", bytes(8 * BUCKETS)))
    sums: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    events: dict[str, int] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)

    def take(self, topic: str, partition: int, records: Sequence[Any]) -> None:  # noqa: C901 - one loop, for its speed
        """Examine records of one partition, in their order."""
        contract, explain, suspects = self.contract, self.explainer.record, self.suspects
        declared, sequenced, binary, rules = contract.events, contract.sequence, contract.binary, contract.headers
        names, headers_count = frozenset(contract.names), len(contract.names)
        highest = self.highest.setdefault((topic, partition), {})
        counts, sums, loads, seen = self.counts, self.sums, orjson.loads, self.seen
        numbered = contract.outbox.ordering.assigned_by == "application"
        canaries = 0
        for record in records:
            listed = record.headers() or ()
            headers: dict[str, Any] = dict(listed)
            key = record.key()
            pair: Any = (headers.get("aggregateType"), headers.get("eventType"))
            event = declared.get(pair)
            try:
                fingerprint = int(headers["id"][-12:], 16)
                sequence = int(headers["sequence"]) if sequenced else 0
            except (KeyError, ValueError, TypeError):
                fingerprint = -1
            if event is None or fingerprint < 0 or not key:
                if pair == CANARY and fingerprint >= 0:
                    canaries += 1
                    continue
                explain(topic, partition, record)
                if fingerprint < 0 or not key:
                    continue
            elif (
                len(headers["id"]) != 36
                or len(listed) != headers_count
                or (event.topic is not None and event.topic != topic)
                or headers.keys() != names
                or rules
            ):
                explain(topic, partition, record)
            bucket = fingerprint & 4095
            counts[bucket] += 1
            sums[bucket] += fingerprint
            if event is not None:
                value = record.value()
                if value is None or binary or event.valid is None:
                    if value is None or not binary:
                        self.explainer.payload(topic, partition, record, event)
                else:
                    try:
                        if not event.valid(loads(value)):
                            self.explainer.payload(topic, partition, record, event)
                    except orjson.JSONDecodeError:
                        self.explainer.payload(topic, partition, record, event)
            if sequenced:
                before = highest.get(key)
                if before is None:
                    highest[key] = sequence
                    self._first(topic, partition, record, key)
                elif sequence > before:
                    highest[key] = sequence
                    if numbered and sequence > before + 1:
                        self.gaps.append((Place(topic, partition, record.offset()), key, before + 1, sequence - 1))
                else:
                    place = Place(topic, partition, record.offset())
                    suspects.append(Suspect(place, key, sequence, headers["id"]))
            else:
                if key not in highest:
                    highest[key] = 0
                    self._first(topic, partition, record, key)
                if fingerprint in seen:
                    suspects.append(Suspect(Place(topic, partition, record.offset()), key, 0, headers["id"]))
                seen.add(fingerprint)
        self.events[topic] = self.events.get(topic, 0) + len(records) - canaries

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
