"""The one pass over every record. Fast where all is well; what is not goes to `review`, which may be slow.

Records of a partition come in batches. A batch is looked at column by column, which is one call for hundreds of records
at a time; only if a column contains an unusual value, its records are examined one by one.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from outbox_kit.databases import digest
from outbox_kit.databases.digest import canonical
from outbox_kit.databases.ledger import ComparableParts
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.record import Record
from outbox_kit.verify.checks import payloads
from outbox_kit.verify.contract import PARTITION_KEY, Contract, EventContract, qualified
from outbox_kit.verify.reading import batch, jsontext, members
from outbox_kit.verify.reading.arrival import Arrival, arrival, contents
from outbox_kit.verify.reading.batch import NeedsReview
from outbox_kit.verify.reading.review import Review
from outbox_kit.verify.record import (
    CANARY,
    CONTEXT_HEADERS,
    ID_PATTERNS,
    STANDARD,
    encoded,
    event_names,
    location,
    number,
)
from outbox_kit.verify.state.engine import Engine, EventRows, hash_of_id
from outbox_kit.verify.state.tally import Tally
from outbox_kit.verify.transitions import NO_NUMBER, UNDECLARED

Batch = tuple[str, int, list[Record]]
PROGRESS_SECONDS = 5.0
MIN_BATCH_TO_SPLIT = 4  # records of an unusual batch that are not halved any more
REMEMBERED = 100_000  # keys, and routes, that are known to be good; then they are looked at again


class Events(NamedTuple):
    """The events of a batch."""

    rows: EventRows
    numbers: NDArray[np.uint64] | None
    """See `databases.digest`; none where nothing is compared."""


@dataclass
class Examination:
    """What one pass does with records."""

    contract: Contract
    tally: Tally
    engine: Engine
    partitions: dict[str, int]
    """How many each topic has."""
    comparable_parts: ComparableParts | None = None
    """What is compared with rows."""
    review: Review = field(init=False)

    def __post_init__(self) -> None:
        self.review = Review(self.contract, self.tally.findings)
        self._good_keys: dict[tuple[str, int], set[bytes]] = {}
        self._routed: dict[Any, EventContract | None] = {}
        self._required = set(self.contract.names) & set(STANDARD)

    def take(self, topic: str, partition: int, records: Sequence[Record]) -> None:
        """Examine records of one partition, in their order; halves of a batch in which not everything is as usual."""
        if not records:
            return
        tally, canaries, strays = self.tally, 0, 0
        try:
            rows = self._fast(topic, partition, records)
        except NeedsReview:
            if len(records) > MIN_BATCH_TO_SPLIT:
                half = len(records) // 2
                self.take(topic, partition, records[:half])
                self.take(topic, partition, records[half:])
                return
            rows, canaries, strays = self._slow(topic, partition, records)
        tally.events[topic] = tally.events.get(topic, 0) + len(records) - canaries
        tally.recognised[topic] = tally.recognised.get(topic, 0) + len(records) - canaries - strays
        tally.read[topic, partition] = tally.read.get((topic, partition), 0) + len(records)
        tally.first.setdefault((topic, partition), records[0].timestamp()[1])
        tally.last[topic, partition] = records[-1].timestamp()[1]
        if len(rows.rows.offsets):
            declared = int(np.count_nonzero(rows.rows.kinds != UNDECLARED))
            tally.verified[topic] = tally.verified.get(topic, 0) + declared
            if rows.numbers is not None:
                tally.count(rows.numbers)
            self.engine.add(rows.rows)
            if sampled_records := tally.taken((topic, partition), rows.rows.offsets):
                self._keep(records, rows.rows, sampled_records)

    def _keep(self, records: Sequence[Record], rows: EventRows, sampled_records: Sequence[tuple[int, int]]) -> None:
        by_offset, sampled = (
            {record.offset(): record for record in records},
            self.comparable_parts.sampled if self.comparable_parts else (),
        )
        for n, rank in sampled_records:
            record = by_offset[rows.offsets[n]]
            if sample := arrival(self.contract.outbox, location(rows.topic, rows.partition, record), record, sampled):
                self.tally.keep(rank, self._covering(sample, record))

    def _covering(self, sample: Arrival, record: Record) -> Arrival:
        """A sample with what its payload has, where that keeps the schema."""
        headers, value = dict(record.headers() or ()), record.value()
        event = self.contract.event(headers)
        if event is None or event.opaque or value is None:
            return sample
        if (document := self._sound(event, record)) is None:
            return sample
        if self.contract.outbox.table.registry is None and members.rounded(document):
            document = jsontext.read(value).document
        names = sorted(set(members.member_names(document))) if event.validator is not None else ()
        return replace(sample, fields=tuple(names), inexact=tuple(sorted(set(members.inexact(document)))))

    @staticmethod
    def _sound(event: EventContract, record: Record) -> Any:
        """A record's document where it keeps the contract, and None otherwise."""
        value = record.value() or b""
        if event.conforms([record]):
            return event.loads(value)
        try:
            parsed = event.read(value)
        except ValueError:
            return None
        slow = parsed.depth > 0  # what the quick parser takes has been judged
        return parsed.document if slow and not any(payloads.meaning(event, record, parsed)) else None

    def _fast(self, topic: str, partition: int, records: Sequence[Record]) -> Events:
        """A batch in which every record is as it should be. Raises NeedsReview."""
        contract, headers = self.contract, batch.headers(records)
        if not self._required <= headers.keys():
            raise NeedsReview
        events = self._events(topic, headers)
        ids = self._ids(headers["id"])
        sequences = batch.numbers(headers["sequence"]) if contract.sequence else None
        if sequences is None or not contract.ordered:
            sequences = np.full(len(ids), NO_NUMBER)
        for rule in contract.headers:
            if not all(map(rule.holds, set(headers.get(rule.name, (None,))))):
                raise NeedsReview
        keys = [record.key() for record in records]
        self._mirrored_headers(headers, keys)
        self._keys(topic, partition, keys)
        checked = cast("list[bytes]", keys)
        self._payloads(records, events)
        for name in headers.keys() - contract.declared:
            self._undeclared(topic, partition, records, name, headers[name])
        offsets = [record.offset() for record in records]
        kinds = np.fromiter((event.kind for event in events), np.int64, len(events))
        aggregates = [*map(qualified, (event.aggregate for event in events), checked)] if contract.shared else checked
        rows = EventRows(topic, partition, offsets, aggregates, sequences, ids, kinds)
        return Events(rows, self._numbers(partition, records, headers, keys))

    def _numbers(
        self, partition: int, records: Sequence[Record], headers: Mapping[str, batch.Column], keys: batch.Column
    ) -> NDArray[np.uint64] | None:
        """The numbers of a batch, by which it is compared with rows."""
        if self.comparable_parts is None:
            return None
        ids, nothing = self.contract.outbox.table.ids, [None] * len(records)
        columns: list[batch.Column] = []
        for part in self.comparable_parts.digested:
            match part.place:
                case "header":
                    columns.append(headers.get(part.name, nothing))
                case "key":
                    columns.append(keys)
                case "partition":
                    columns.append([b"%d" % partition] * len(records))
                case _:
                    columns.append([record.value() for record in records])
        return batch.digests([canonical(text or b"", ids) for text in headers["id"]], columns)

    def _ids(self, texts: batch.Column) -> NDArray[np.uint64]:
        """Ids in 64 bits. Raises NeedsReview where one is not of its kind."""
        kind = self.contract.outbox.table.ids
        if kind == "uuid":
            return batch.ids(texts)
        if not all(map(ID_PATTERNS[kind].fullmatch, (text or b"" for text in texts))):
            raise NeedsReview
        return np.array([hash_of_id(canonical(text or b"", kind)) for text in texts], np.uint64)

    def _events(self, topic: str, headers: Mapping[str, batch.Column]) -> Sequence[EventContract]:
        """The event that each record's headers name. Raises NeedsReview if there is none on this topic."""
        routed, route, nothing = self._routed, self.contract.route_header, itertools.repeat(None)
        columns = (headers.get(name or "", nothing) for name in ("aggregateType", "eventType", route))
        kinds = [*zip(itertools.repeat(topic), *columns, strict=False)]
        distinct = set(kinds)
        for kind in distinct - routed.keys():
            routed[kind] = self._event(*kind)
        events = [routed[kinds[0]]] * len(kinds) if len(distinct) == 1 else [routed[kind] for kind in kinds]
        if len(routed) > REMEMBERED:
            routed.clear()
        if None in events:
            raise NeedsReview
        return events  # type: ignore[return-value]

    def _event(self, topic: str, aggregate: Any, event_type: Any, route: bytes | None) -> EventContract | None:
        event = self.contract.events.get((aggregate, event_type))
        return event if event and self.contract.belongs(event, topic, route) else None

    def _undeclared(
        self, topic: str, partition: int, records: Sequence[Record], name: str, values: batch.Column
    ) -> None:
        if name.startswith(CONTEXT_HEADERS):
            return
        for record, value in zip(records, values, strict=True):
            if value is not None:
                self.review.undeclared_header(location(topic, partition, record), name)

    def _keys(self, topic: str, partition: int, keys: Sequence[bytes | None]) -> None:
        """That every key is plain text and in its partition; those that were are remembered. Raises NeedsReview."""
        good = self._good_keys.setdefault((topic, partition), set())
        fresh = set(keys) - good
        for key in fresh:
            if not key or encoded(key) or not self._in_expected_partition(topic, partition, key):
                raise NeedsReview
        if len(good) > REMEMBERED:
            good.clear()
        good |= fresh  # type: ignore[arg-type]

    def _in_expected_partition(self, topic: str, partition: int, key: bytes) -> bool:
        return not self.contract.routes.by_key or partition_of(key, self.partitions[topic]) == partition

    def _mirrored_headers(self, headers: Mapping[str, batch.Column], keys: Sequence[bytes | None]) -> None:
        """That an attribute of a CloudEvent is what another place of the message says too. Raises NeedsReview."""
        for name, twin in self.contract.twins:
            if list(headers.get(name, ())) != list(headers[twin]):
                raise NeedsReview
        if PARTITION_KEY in headers and self.contract.twins and list(headers[PARTITION_KEY]) != keys:
            raise NeedsReview

    def _payloads(self, records: Sequence[Record], events: Sequence[EventContract]) -> None:
        """That every payload keeps its event's contract. Raises NeedsReview."""
        distinct = set(events)
        for event in distinct:
            selected = [event_contract is event for event_contract in events]
            if not event.conforms([*itertools.compress(records, selected)] if len(distinct) > 1 else records):
                raise NeedsReview

    def _slow(self, topic: str, partition: int, records: Sequence[Record]) -> tuple[Events, int, int]:
        """Records looked at one by one: those that are events all the same; how many are canaries, and no events."""
        accepted, canaries, strays = [], 0, 0
        for record in records:
            headers: dict[str, Any] = dict(record.headers() or ())
            if event_names(headers) == CANARY and headers.get("id"):
                canaries += 1
                continue
            strays += not self.review.record(topic, partition, record)
            if not headers.get("id") or not (key := record.key()):
                continue
            self.review.key(topic, partition, record, self.partitions[topic])
            event = self.contract.event(headers)
            if event and not event.conforms([record]):
                self.review.payload(topic, partition, record, event)
            sequence = number(headers.get("sequence")) if self.contract.ordered else NO_NUMBER
            kind = event.kind if event else UNDECLARED
            event_id = canonical(headers["id"], self.contract.outbox.table.ids)
            values = (
                contents(self.comparable_parts.digested, record, partition, headers) if self.comparable_parts else ()
            )
            digest_number = digest.number(event_id, values) if self.comparable_parts else 0
            aggregate = self.contract.aggregate(topic, key, headers)
            accepted.append((record.offset(), aggregate, sequence, hash_of_id(event_id), kind, digest_number))
        offsets, aggregates, sequences, ids, kinds, wholes = zip(*accepted, strict=True) if accepted else ((),) * 6
        numbers, hashes = np.array(sequences, np.int64), np.array(ids, np.uint64)
        rows = EventRows(topic, partition, offsets, aggregates, numbers, hashes, np.array(kinds, np.int64))
        return Events(rows, np.array(wholes, np.uint64) if self.comparable_parts else None), canaries, strays


def examine(batches: Iterable[Batch], examination: Examination, tell: Callable[[int], None]) -> None:
    """Examine records as they come, a few of a partition at a time. tell: is told at times how many there were."""
    done, reported = 0, time.monotonic()
    for topic, partition, records in batches:
        examination.take(topic, partition, records)
        done += len(records)
        if time.monotonic() - reported > PROGRESS_SECONDS:
            reported = time.monotonic()
            tell(done)
