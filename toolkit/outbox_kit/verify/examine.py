"""The one pass over every record. Fast where all is well; what is not goes to `explain`, which may be slow.

Records of a partition come in batches. A batch is looked at column by column, which is one call for hundreds of records
at a time; only where a column holds anything unusual is each of its records looked at by itself.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from outbox_kit.kafka.placement import partition_of
from outbox_kit.source import digest
from outbox_kit.source.digest import canonical
from outbox_kit.source.ledger import Held
from outbox_kit.verify import columns, fields, jsontext
from outbox_kit.verify.cloudevents import PARTITION_KEY
from outbox_kit.verify.columns import Unusual, encoded
from outbox_kit.verify.contract import CANARY, STANDARD, Contract, EventContract, pair, qualified
from outbox_kit.verify.engine import Engine, Rows, hash_of_id
from outbox_kit.verify.explain import IDS, OWN_HEADERS, Explainer, meaning, number, place, route_of
from outbox_kit.verify.loss import Arrival, arrival, contents
from outbox_kit.verify.paths import NO_NUMBER, UNDECLARED
from outbox_kit.verify.tally import Tally

Batch = tuple[str, int, list[Any]]
PROGRESS_SECONDS = 5.0
SEVERAL = 4  # records of an unusual batch that are not halved any more
REMEMBERED = 100_000  # keys, and routes, that are known to be good; then they are looked at again


class Events(NamedTuple):
    """The events of a batch. numbers: see `source.digest`; none where nothing is compared."""

    rows: Rows
    numbers: NDArray[np.uint64] | None


@dataclass
class Examination:
    """What one pass does with records. partitions: how many each topic has. held: what is compared with rows."""

    contract: Contract
    tally: Tally
    engine: Engine
    partitions: dict[str, int]
    held: Held | None = None
    explainer: Explainer = field(init=False)

    def __post_init__(self) -> None:
        self.explainer = Explainer(self.contract, self.tally.findings)
        self._good_keys: dict[tuple[str, int], set[bytes]] = {}
        self._routed: dict[Any, EventContract | None] = {}
        self._required = set(self.contract.names) & set(STANDARD)

    def take(self, topic: str, partition: int, records: Sequence[Any]) -> None:
        """Examine records of one partition, in their order; halves of a batch in which not everything is as usual."""
        if not records:
            return
        tally, canaries, strays = self.tally, 0, 0
        try:
            found = self._usual(topic, partition, records)
        except Unusual:
            if len(records) > SEVERAL:
                half = len(records) // 2
                self.take(topic, partition, records[:half])
                self.take(topic, partition, records[half:])
                return
            found, canaries, strays = self._closely(topic, partition, records)
        tally.events[topic] = tally.events.get(topic, 0) + len(records) - canaries
        tally.recognised[topic] = tally.recognised.get(topic, 0) + len(records) - canaries - strays
        tally.read[topic, partition] = tally.read.get((topic, partition), 0) + len(records)
        tally.first.setdefault((topic, partition), records[0].timestamp()[1])
        if len(found.rows.offsets):
            declared = int(np.count_nonzero(found.rows.kinds != UNDECLARED))
            tally.verified[topic] = tally.verified.get(topic, 0) + declared
            if found.numbers is not None:
                tally.count(found.numbers)
            self.engine.add(found.rows)
            if taken := tally.taken((topic, partition), found.rows.offsets):
                self._keep(records, found.rows, taken)

    def _keep(self, records: Sequence[Any], rows: Rows, taken: Sequence[tuple[int, int]]) -> None:
        by_offset, sampled = {record.offset(): record for record in records}, self.held.sampled if self.held else ()
        for n, rank in taken:
            one = by_offset[rows.offsets[n]]
            if sample := arrival(self.contract.outbox, place(rows.topic, rows.partition, one), one, sampled):
                self.tally.keep(rank, self._covering(sample, one))

    def _covering(self, sample: Arrival, record: Any) -> Arrival:
        """A sample with what its payload has, where that keeps the schema."""
        headers, value = dict(record.headers() or ()), record.value()
        event = self.contract.event(headers)
        if event is None or event.opaque or value is None:
            return sample
        if (document := self._sound(event, record)) is None:
            return sample
        if self.contract.outbox.table.registry is None and fields.rounded(document):
            document = jsontext.read(value).document
        members = sorted(set(fields.seen(document))) if event.validator is not None else ()
        return replace(sample, fields=tuple(members), inexact=tuple(sorted(set(fields.inexact(document)))))

    @staticmethod
    def _sound(event: EventContract, record: Any) -> Any:
        """A record's document where it keeps the contract, and None otherwise."""
        if event.hold([record]):
            return event.loads(record.value())
        try:
            parsed = event.read(record.value())
        except ValueError:
            return None
        slow = parsed.depth > 0  # what the quick parser takes has been judged
        return parsed.document if slow and not any(meaning(event, record, parsed)) else None

    def _usual(self, topic: str, partition: int, records: Sequence[Any]) -> Events:
        """A batch in which every record is as it should be. Raises Unusual."""
        contract, headers = self.contract, columns.headers(records)
        if not self._required <= headers.keys():
            raise Unusual
        events = self._events(topic, headers)
        ids = self._ids(headers["id"])
        sequences = columns.numbers(headers["sequence"]) if contract.sequence else None
        if sequences is None or not contract.ordered:
            sequences = np.full(len(ids), NO_NUMBER)
        for rule in contract.headers:
            if not all(map(rule.holds, set(headers.get(rule.name, (None,))))):
                raise Unusual
        keys = [record.key() for record in records]
        self._twins(headers, keys)
        self._keys(topic, partition, keys)
        self._payloads(records, events)
        for name in headers.keys() - contract.declared:
            self._undeclared(topic, partition, records, name, headers[name])
        offsets = [record.offset() for record in records]
        kinds = np.fromiter((event.kind for event in events), np.int64, len(events))
        aggregates = [*map(qualified, (event.aggregate for event in events), keys)] if contract.shared else keys
        rows = Rows(topic, partition, offsets, aggregates, sequences, ids, kinds)
        return Events(rows, self._numbers(partition, records, headers, keys))

    def _numbers(
        self, partition: int, records: Sequence[Any], headers: Mapping[str, columns.Column], keys: columns.Column
    ) -> NDArray[np.uint64] | None:
        """The numbers of a batch, by which it is compared with rows."""
        if self.held is None:
            return None
        ids, nothing = self.contract.outbox.table.ids, [None] * len(records)
        found: list[columns.Column] = []
        for part in self.held.digested:
            match part.place:
                case "header":
                    found.append(headers.get(part.name, nothing))
                case "key":
                    found.append(keys)
                case "partition":
                    found.append([b"%d" % partition] * len(records))
                case _:
                    found.append([record.value() for record in records])
        return columns.digests([canonical(text or b"", ids) for text in headers["id"]], found)

    def _ids(self, texts: columns.Column) -> NDArray[np.uint64]:
        """Ids in 64 bits. Raises Unusual where one is not of its kind."""
        kind = self.contract.outbox.table.ids
        if kind == "uuid":
            return columns.ids(texts)
        if not all(map(IDS[kind].fullmatch, (text or b"" for text in texts))):
            raise Unusual
        return np.array([hash_of_id(canonical(text or b"", kind)) for text in texts], np.uint64)

    def _events(self, topic: str, headers: Mapping[str, columns.Column]) -> Sequence[EventContract]:
        """The event that each record's headers speak of. Raises Unusual where there is none on this topic."""
        known, route, nothing = self._routed, self.contract.route_header, itertools.repeat(None)
        told = (headers.get(name or "", nothing) for name in ("aggregateType", "eventType", route))
        kinds = [*zip(itertools.repeat(topic), *told, strict=False)]
        distinct = set(kinds)
        for kind in distinct - known.keys():
            known[kind] = self._event(*kind)
        found = [known[kinds[0]]] * len(kinds) if len(distinct) == 1 else [known[kind] for kind in kinds]
        if len(known) > REMEMBERED:
            known.clear()
        if None in found:
            raise Unusual
        return found  # type: ignore[return-value]

    def _event(self, topic: str, aggregate: Any, event_type: Any, route: bytes | None) -> EventContract | None:
        event = self.contract.events.get((aggregate, event_type))
        return event if event and route_of(self.contract, event, route) in (None, topic) else None

    def _undeclared(
        self, topic: str, partition: int, records: Sequence[Any], name: str, values: columns.Column
    ) -> None:
        if name.startswith(OWN_HEADERS):
            return
        for record, value in zip(records, values, strict=True):
            if value is not None:
                self.explainer.undeclared(place(topic, partition, record), name)

    def _keys(self, topic: str, partition: int, keys: Sequence[bytes | None]) -> None:
        """That every key is plain text and in its partition; those that were are remembered. Raises Unusual."""
        good = self._good_keys.setdefault((topic, partition), set())
        fresh = set(keys) - good
        for key in fresh:
            if not key or encoded(key) or not self._at_home(topic, partition, key):
                raise Unusual
        if len(good) > REMEMBERED:
            good.clear()
        good |= fresh  # type: ignore[arg-type]

    def _at_home(self, topic: str, partition: int, key: bytes) -> bool:
        return not self.contract.routes.by_key or partition_of(key, self.partitions[topic]) == partition

    def _twins(self, headers: Mapping[str, columns.Column], keys: Sequence[bytes | None]) -> None:
        """That an attribute of a CloudEvent is what another place of the message says too. Raises Unusual."""
        for name, twin in self.contract.twins:
            if list(headers.get(name, ())) != list(headers[twin]):
                raise Unusual
        if PARTITION_KEY in headers and self.contract.twins and list(headers[PARTITION_KEY]) != keys:
            raise Unusual

    def _payloads(self, records: Sequence[Any], events: Sequence[EventContract]) -> None:
        """That every payload keeps its event's contract. Raises Unusual."""
        distinct = set(events)
        for event in distinct:
            here = [own is event for own in events]
            if not event.hold([*itertools.compress(records, here)] if len(distinct) > 1 else records):
                raise Unusual

    def _closely(self, topic: str, partition: int, records: Sequence[Any]) -> tuple[Events, int, int]:
        """Records looked at one by one: those that are events all the same; how many are canaries, and no events."""
        kept, canaries, strays = [], 0, 0
        for record in records:
            headers: dict[str, Any] = dict(record.headers() or ())
            if pair(headers) == CANARY and headers.get("id"):
                canaries += 1
                continue
            strays += not self.explainer.record(topic, partition, record)
            if not headers.get("id") or not record.key():
                continue
            self.explainer.key(topic, partition, record, self.partitions[topic])
            event = self.contract.event(headers)
            if event and not event.hold([record]):
                self.explainer.payload(topic, partition, record, event)
            sequence = number(headers.get("sequence")) if self.contract.ordered else NO_NUMBER
            kind = event.kind if event else UNDECLARED
            event_id = canonical(headers["id"], self.contract.outbox.table.ids)
            values = contents(self.held.digested, record, partition, headers) if self.held else ()
            whole = digest.number(event_id, values) if self.held else 0
            aggregate = self.contract.aggregate(topic, record.key(), headers)
            kept.append((record.offset(), aggregate, sequence, hash_of_id(event_id), kind, whole))
        offsets, aggregates, sequences, ids, kinds, wholes = zip(*kept, strict=True) if kept else ((),) * 6
        numbers, hashes = np.array(sequences, np.int64), np.array(ids, np.uint64)
        rows = Rows(topic, partition, offsets, aggregates, numbers, hashes, np.array(kinds, np.int64))
        return Events(rows, np.array(wholes, np.uint64) if self.held else None), canaries, strays


def examine(batches: Iterable[Batch], examination: Examination, tell: Callable[[int], None]) -> None:
    """Examine records as they come, a few of a partition at a time. tell: is told at times how many there were."""
    done, told = 0, time.monotonic()
    for topic, partition, records in batches:
        examination.take(topic, partition, records)
        done += len(records)
        if time.monotonic() - told > PROGRESS_SECONDS:
            told = time.monotonic()
            tell(done)
