"""Suspects confirmed exactly: duplicates, late events, illegal transitions, missing numbers. Pure.

An event sent again after a restart is a duplicate and not disorder: order is judged by first appearances. The engines
only say where to look; here everything is compared as it is.
"""

from array import array
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from outbox_kit.databases import digest
from outbox_kit.databases.digest import canonical
from outbox_kit.databases.ledger import ComparableParts
from outbox_kit.findings.finding import Collector, RecordLocation
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Range
from outbox_kit.kafka.record import Record
from outbox_kit.printable import counted
from outbox_kit.verify.checks import duplicates, keys, loss, order, run
from outbox_kit.verify.checks.duplicates import Copy, DuplicateRun, Original, report
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.reading.arrival import contents
from outbox_kit.verify.record import is_event, location, number, shown
from outbox_kit.verify.result import AggregateTrace
from outbox_kit.verify.state.engine import Suspects, hash_of, hash_of_id
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.transitions import FIRST, NO_NUMBER, TYPE_BITS, illegal_transitions

PARTS = ("key", "header", "payload")  # of a message, which a duplicate must repeat
TRACES = 8  # aggregates that are shown as pictures
LONGEST = 120  # events of one of them


@dataclass
class Partition:
    """What is known of one partition as its records go by."""

    suspects: Suspects
    since: int = 0
    """The offset from which on records are judged; those before it were."""
    highest: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    """The highest number and its offset, by key."""
    begins: dict[bytes, int] = field(default_factory=dict)
    """The lowest number after the log's lost beginning, by key."""
    holders: dict[tuple[bytes, int], int] = field(default_factory=dict)
    """By key and number."""
    late: defaultdict[bytes, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The numbers that came after higher ones, by key."""
    gaps: list[tuple[RecordLocation, bytes, int, int]] = field(default_factory=list)
    first: dict[bytes, Original] = field(default_factory=dict)
    """By id."""
    fresh: int = 0
    """How many events came for the first time."""
    stretches: list[DuplicateRun] = field(default_factory=list)
    """Of copies."""
    traces: dict[bytes, list[tuple[int, int, str]]] = field(default_factory=dict)
    """Offset, number and kind of each event, by key."""
    paths: defaultdict[tuple[bytes, int], list[tuple[int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """Number, offset and kind of each aggregate's events."""

    def highest_before(self, key: bytes) -> int:
        """The highest number of a key before what is read again."""
        return max((number for number, _ in self.suspects.before.get(hash_of(key), ())), default=NO_NUMBER)


@dataclass
class Replay:
    """One more reading of the partitions that are in doubt."""

    contract: Contract
    findings: Collector
    truncated: Container[PartitionId] = ()
    """The partitions whose log has lost its beginning: what has a lower number than all that is left of its key may
    have come first in what is gone.
    """
    start_overridden: bool = False
    """Whether that beginning was left out on purpose."""
    oldest: int | None = None
    """When the table's oldest row was written, in milliseconds since 1970, where that is known."""
    settled: Mapping[PartitionId, Range] = field(default_factory=dict)
    """What was judged before; its findings are not repeated."""
    comparable_parts: ComparableParts | None = None
    """What is compared with rows."""
    partitions: Mapping[str, int] = field(default_factory=dict)
    """How many each topic has."""
    complete: Container[PartitionId] = ()
    """Partitions that have each aggregate's first event."""
    overlapping: Container[str] = ()
    """Topics between whose events an aggregate may have had others, on another topic."""
    copies: "array[int]" = field(default_factory=lambda: array("q"))
    """The numbers of the events that came again, each as often as it did; see `databases.digest`."""
    split_keys: int = 0
    _homes: defaultdict[tuple[str, bytes], set[int]] = field(default_factory=lambda: defaultdict(set))
    _partitions: dict[PartitionId, Partition] = field(default_factory=dict)

    def begin(self, suspects: Suspects) -> None:
        """The partition whose records come next."""
        topic_partition = suspects.topic, suspects.partition
        settled = self.settled.get(topic_partition, Range(*topic_partition, 0, 0))
        self._partitions[topic_partition] = Partition(suspects, settled.end, fresh=settled.start)

    def take(self, topic: str, partition: int, records: Sequence[Record]) -> None:
        """Records of a partition that has begun, in their order."""
        state = self._partitions[topic, partition]
        for record in records:
            headers, key = dict(record.headers() or ()), record.key()
            if not key or not is_event(headers):
                continue
            event_id = canonical(headers["id"] or b"", self.contract.outbox.table.ids)
            aggregate = self.contract.aggregate(topic, key, headers)
            hashed = hash_of(aggregate)
            if hashed in state.suspects.split:
                self._homes[topic, aggregate].add(partition)
            doubted = hash_of_id(event_id) in state.suspects.ids or hashed in state.suspects.paths
            is_copy = doubted and self._is_duplicate(state, record, headers)
            state.fresh += not is_copy
            if hashed in state.suspects.numbers or hashed in state.suspects.gapped:
                self._check_sequence(state, record, aggregate, number(headers.get("sequence")), is_copy=is_copy)
            if hashed in state.suspects.paths and not is_copy:
                self._track_transition(state, record, aggregate, headers)

    def _track_transition(self, state: Partition, record: Record, key: bytes, headers: dict[str, Any]) -> None:
        """Remember an event of an aggregate whose path is in doubt."""
        event = self.contract.event(headers)
        if event is not None:
            sequence = number(headers.get("sequence")) if self.contract.ordered else NO_NUMBER
            if NO_NUMBER != sequence <= state.highest_before(key):
                return  # what may have come before says nothing
            state.paths[key, event.kind >> TYPE_BITS].append((sequence, record.offset(), event.kind))

    def _is_duplicate(self, state: Partition, record: Record, headers: dict[str, Any]) -> bool:
        """Whether an event came before in its partition; says so where it did."""
        event_id = canonical(headers["id"], self.contract.outbox.table.ids)
        place = location(state.suspects.topic, state.suspects.partition, record)
        repeated_headers = tuple(headers.get(name) for name in self.contract.names)
        values = (
            contents(self.comparable_parts.digested, record, place.partition, headers) if self.comparable_parts else ()
        )
        digest_number = digest.number(event_id, values) if self.comparable_parts else 0
        astray = self._misplacement(place, record, headers)
        event = self.contract.event(headers)
        previous = event is not None and place.topic in event.previous
        likeness = hash(record.key()), hash(repeated_headers), hash(record.value())
        original_record = Original(place, likeness, record.timestamp()[1], state.fresh, astray, digest_number, previous)
        original = state.first.setdefault(event_id, original_record)
        if original is original_record or place.offset < state.since:
            return original is not original_record
        self._record_duplicate(original_record, original)
        copy = Copy(place, original, original_record.milliseconds)
        if state.stretches and state.stretches[-1].extends(copy):
            state.stretches[-1].add(copy)
        else:
            state.stretches.append(DuplicateRun.of(copy))
        return True

    def _misplacement(self, place: RecordLocation, record: Record, headers: dict[str, Any]) -> int:
        """How far a record is from where it belongs; see `Original`."""
        event = self.contract.event(headers)
        route = headers.get(self.contract.route_header or "")
        if event is not None and not self.contract.belongs(event, place.topic, route):
            return 2
        count = self.partitions.get(place.topic, 0)
        return int(
            self.contract.routes.by_key and count > 0 and partition_of(record.key() or b"", count) != place.partition
        )

    def _record_duplicate(self, duplicate: Original, original: Original) -> None:
        self.copies.append(duplicate.digest_number)
        differing = " and ".join(
            part
            for part, *hashes in zip(PARTS, duplicate.likeness, original.likeness, strict=True)
            if len({*hashes}) > 1
        )
        if differing:
            self.findings.add(
                duplicates.OTHER_CONTENT, duplicate.place, f"the message at {original.place}", f"another {differing}"
            )

    def _check_sequence(self, state: Partition, record: Record, key: bytes, sequence: int, *, is_copy: bool) -> None:
        """The order of one aggregate, by its numbers."""
        suspects = state.suspects
        place = location(suspects.topic, suspects.partition, record)
        before, at = state.highest.get(key) or (state.highest_before(key), -1)
        self._trace(
            state, key, place.offset, sequence, "again" if is_copy else "late" if sequence <= before else "fresh"
        )
        if before == NO_NUMBER or sequence > before:
            state.highest[key] = sequence, place.offset
            state.begins.setdefault(key, sequence)
            is_first = before == NO_NUMBER and at < 0 and (place.topic, place.partition) in self.complete
            least = FIRST if is_first else before + 1
            if (is_first or before != NO_NUMBER) and least < sequence and place.offset >= state.since:
                state.gaps.append((place, key, least, sequence - 1))
        elif not is_copy and sequence != NO_NUMBER and place.offset >= state.since:
            self._out_of_order(state, place, key, sequence, _after(sequence, before, at))
        if sequence in suspects.numbers.get(hash_of(key), ()):
            state.holders.setdefault((key, sequence), place.offset)

    def _trace(self, state: Partition, key: bytes, offset: int, sequence: int, kind: str) -> None:
        """Follow the first few aggregates in doubt, as far as a picture can show it."""
        if key not in state.traces and len(state.traces) >= TRACES:
            return
        trail = state.traces.setdefault(key, [])
        if sequence != NO_NUMBER and len(trail) < LONGEST:
            trail.append((offset, sequence, kind))

    def traces(self) -> list[AggregateTrace]:
        """The aggregates of which most events came late, and then those of which most came again."""
        ranked: list[tuple[int, int, AggregateTrace]] = []
        for (topic, partition), state in sorted(self._partitions.items()):
            for key, points in state.traces.items():
                late, again = (sum(kind == mark for _, _, kind in points) for mark in ("late", "again"))
                if late or again:
                    readable = shown(key.replace(b"\0", b" ", 1) if self.contract.shared else key)
                    ranked.append((-late, -again, AggregateTrace(topic, partition, readable, points)))
        return [trail for _, _, trail in sorted(ranked, key=lambda entry: entry[:2])[:TRACES]]

    def _out_of_order(self, state: Partition, place: RecordLocation, key: bytes, sequence: int, actual: str) -> None:
        holder = state.holders.get((key, sequence))
        if holder is not None:
            first = RecordLocation(place.topic, place.partition, holder)
            self.findings.add(
                duplicates.SEQUENCE_NUMBER, place, f"number {sequence} only at {first}", "another event with it"
            )
        elif sequence <= state.highest_before(key):
            highest = state.highest_before(key)
            expected = f"a number above {highest}, the highest of the remembered windows"
            self.findings.add(run.BEFORE_MEMORY, place, expected, f"number {sequence}")
        elif (place.topic, place.partition) in self.truncated and sequence < state.begins[key]:
            if not self.start_overridden:
                actual = f"number {sequence}, which may have been published before"
                expected = f"number {state.begins[key]} or higher, where the partition begins"
                self.findings.add(run.BEGINNING_MISSING, place, expected, actual)
        else:
            state.late[key].add(sequence)
            self.findings.add(order.LATE, place, "the order of its aggregate", actual)

    def finish(self) -> None:
        """What only shows at the end: what sent the copies, what is missing, and keys in several partitions."""
        stretches = [stretch for state in self._partitions.values() for stretch in state.stretches]
        report(stretches, self.findings, self.oldest)
        for _, state in sorted(self._partitions.items()):
            for topic_partition, key, first, last in state.gaps if self.contract.dense else ():
                if hash_of(key) in state.suspects.split:
                    continue  # what is missing here may be in another partition
                came = sorted(n for n in state.late.get(key, ()) if first <= n <= last)
                if missing := last - first + 1 - len(came):
                    lowest = first + next((n for n, late in enumerate(came) if late != first + n), len(came))
                    self.findings.add(
                        loss.GAP, topic_partition, f"number {lowest} before it", f"{counted(missing, 'number')} missing"
                    )
        self._illegal_transitions()
        self._cross_partition_duplicates()
        for (topic, _), partitions in sorted(self._homes.items()):
            if len(partitions) > 1:
                self.split_keys += len(partitions) - 1
                listed_partitions = ", ".join(map(str, sorted(partitions)))
                self.findings.add(
                    keys.SEVERAL_PARTITIONS, RecordLocation(topic), "one partition", f"partitions {listed_partitions}"
                )
                if self.contract.ordered:
                    self.findings.add(
                        order.UNDECIDABLE, RecordLocation(topic), "one partition", f"partitions {listed_partitions}"
                    )

    def _illegal_transitions(self) -> None:
        """Events that may not follow the previous one; a key in several partitions is left out."""
        names, dense = self.contract.by_kind, self.contract.outbox.ordering.dense
        steps = frozenset(map(int, self.contract.forbidden))
        for topic_partition, state in sorted(self._partitions.items()):
            if topic_partition[0] in self.overlapping:
                continue
            for (key, aggregate), events in state.paths.items():
                if hash_of(key) in state.suspects.split:
                    continue
                earlier_steps = [
                    earlier
                    for earlier in state.suspects.before.get(hash_of(key), ())
                    if earlier[1] >> TYPE_BITS == aggregate
                ]
                life = [*((sequence, -1, kind) for sequence, kind in earlier_steps), *events]
                starts_complete = topic_partition in self.complete and not earlier_steps
                for offset, before, kind in illegal_transitions(life, steps, from_first=starts_complete, dense=dense):
                    if offset < state.since:
                        continue
                    event, came = names[kind], f"after {names[before].type}" if before else "as the first event"
                    allowed = [
                        *(["as the first event"] if event.may_begin else []),
                        *(f"after {predecessor}" for predecessor in event.follows or ()),
                    ]
                    self.findings.add(
                        order.ILLEGAL_TRANSITION,
                        RecordLocation(*topic_partition, offset),
                        f"{event.type} {' or '.join(allowed)}",
                        came,
                    )

    def _cross_partition_duplicates(self) -> None:
        """Events in several partitions: the original is what is where it belongs, or else what came first.

        What was judged before is named again only where it is the copy, and what has come since is the original. An
        event that was published to a previous topic first was published again: a restart follows each change of topic.
        """
        places: defaultdict[bytes, list[tuple[Original, bool]]] = defaultdict(list)
        for _, state in sorted(self._partitions.items()):
            for event_id, copy in state.first.items():
                places[event_id].append((copy, copy.place.offset >= state.since))
        for copies_of_id in places.values():
            (original, fresh), *copies_after = sorted(copies_of_id, key=lambda pair: _rank(pair[0]))
            copies = [copy for copy, new in copies_after if new]
            copies += [copy for copy, new in copies_after if fresh and not new][:1]
            for copy in copies:
                self._record_duplicate(copy, original)
                if original.previous and original.place.topic != copy.place.topic and not copy.astray:
                    actual = duplicates.MOVED.format(original.place)
                    self.findings.add(duplicates.EVENT, copy.place, "one message", actual)
                    continue
                self.findings.add(
                    duplicates.OTHER_PLACE,
                    copy.place,
                    f"only the message at {original.place}",
                    "a message with the same id",
                )


def _after(sequence: int, before: int, at: int) -> str:
    """What was found of an event that is out of order. at: the offset of the number before; -1 if it is not known."""
    return f"number {sequence}, after number {before}" + (f" at offset {at}" if at >= 0 else "")


def _rank(copy: Original) -> tuple[Any, ...]:
    """What comes first is the original."""
    return copy.astray, copy.milliseconds, *astuple(copy.place)
