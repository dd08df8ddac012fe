"""Doubts settled exactly: what came twice, what came too late, what never should have been, what is missing. Pure.

An event sent again after a restart is a duplicate and not disorder: order is judged by first appearances. The engines
only say where to look; here everything is compared as it is.
"""

from array import array
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from outbox_kit.finding import Findings, Place
from outbox_kit.kafka.placement import partition_of
from outbox_kit.kafka.read import Range
from outbox_kit.source import digest
from outbox_kit.source.digest import canonical
from outbox_kit.source.ledger import Held
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.engine import Doubts, hash_of, hash_of_id
from outbox_kit.verify.explain import number, place, route_of, shown
from outbox_kit.verify.loss import contents, is_event
from outbox_kit.verify.paths import FIRST, NO_NUMBER, TYPE_BITS, missteps
from outbox_kit.verify.repeats import Copy, Original, Stretch, report
from outbox_kit.verify.result import Trail
from outbox_kit.verify.tally import Here

TRAILS = 8  # aggregates that are shown as pictures
LONGEST = 120  # events of one of them


@dataclass
class Partition:
    """What is known of one partition as its records go by.

    since: the offset from which on records are judged; those before it were. highest, begins, late, trails: by key.
    holders: by key and number. first: by id. fresh: how many events came for the first time. stretches: of copies.
    paths: number, offset and kind of each aggregate's events.
    """

    doubts: Doubts
    since: int = 0
    highest: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    begins: dict[bytes, int] = field(default_factory=dict)
    holders: dict[tuple[bytes, int], int] = field(default_factory=dict)
    late: defaultdict[bytes, set[int]] = field(default_factory=lambda: defaultdict(set))
    gaps: list[tuple[Place, bytes, int, int]] = field(default_factory=list)
    first: dict[bytes, Original] = field(default_factory=dict)
    fresh: int = 0
    stretches: list[Stretch] = field(default_factory=list)
    trails: dict[bytes, list[tuple[int, int, str]]] = field(default_factory=dict)
    paths: defaultdict[tuple[bytes, int], list[tuple[int, int, int]]] = field(default_factory=lambda: defaultdict(list))

    def remembered(self, key: bytes) -> int:
        """The highest number of a key before what is read again."""
        return max((number for number, _ in self.doubts.before.get(hash_of(key), ())), default=NO_NUMBER)


@dataclass
class Replay:
    """One more reading of the partitions that are in doubt.

    cut: the partitions whose log has lost its beginning: what has a lower number than all that is left of its key may
    have come first in what is gone. chosen: whether that beginning was left out on purpose. oldest: when the table's
    oldest row was written, in milliseconds since 1970, where that is known. settled: what was judged before; nothing in
    it is said again. held: what is compared with rows. partitions: how many each topic has. whole: partitions that have
    each aggregate's first event. copies: the numbers of the events that came again, each as often as it did; see
    `source.digest`.
    """

    contract: Contract
    findings: Findings
    cut: Container[Here] = ()
    chosen: bool = False
    oldest: int | None = None
    settled: Mapping[Here, Range] = field(default_factory=dict)
    held: Held | None = None
    partitions: Mapping[str, int] = field(default_factory=dict)
    whole: Container[Here] = ()
    copies: "array[int]" = field(default_factory=lambda: array("q"))
    split_keys: int = 0
    _homes: defaultdict[tuple[str, bytes], set[int]] = field(default_factory=lambda: defaultdict(set))
    _partitions: dict[Here, Partition] = field(default_factory=dict)

    def begin(self, doubts: Doubts) -> None:
        """The partition whose records come next."""
        here = doubts.topic, doubts.partition
        settled = self.settled.get(here, Range(*here, 0, 0))
        self._partitions[here] = Partition(doubts, settled.end, fresh=settled.start)

    def take(self, topic: str, partition: int, records: Sequence[Any]) -> None:
        """Records of a partition that has begun, in their order."""
        state = self._partitions[topic, partition]
        for record in records:
            headers, key = dict(record.headers() or ()), record.key()
            if not key or not is_event(headers):
                continue
            event_id = canonical(headers["id"], self.contract.outbox.table.ids)
            aggregate = self.contract.aggregate(topic, key, headers)
            hashed = hash_of(aggregate)
            if hashed in state.doubts.split:
                self._homes[topic, aggregate].add(partition)
            doubted = hash_of_id(event_id) in state.doubts.ids or hashed in state.doubts.paths
            again = doubted and self._again(state, record, headers)
            state.fresh += not again
            if hashed in state.doubts.numbers or hashed in state.doubts.gapped:
                self._numbered(state, record, aggregate, number(headers.get("sequence")), again=again)
            if hashed in state.doubts.paths and not again:
                self._stepped(state, record, aggregate, headers)

    def _stepped(self, state: Partition, record: Any, key: bytes, headers: dict[str, Any]) -> None:
        """Remember an event of an aggregate whose path is in doubt."""
        event = self.contract.event(headers)
        if event is not None:
            sequence = number(headers.get("sequence")) if self.contract.ordered else NO_NUMBER
            if NO_NUMBER != sequence <= state.remembered(key):
                return  # what may have come before says nothing
            state.paths[key, event.kind >> TYPE_BITS].append((sequence, record.offset(), event.kind))

    def _again(self, state: Partition, record: Any, headers: dict[str, Any]) -> bool:
        """Whether an event came before in its partition; says so where it did."""
        event_id = canonical(headers["id"], self.contract.outbox.table.ids)
        here = place(state.doubts.topic, state.doubts.partition, record)
        told = (record.key(), *(headers.get(name) for name in self.contract.names))
        values = contents(self.held.digested, record, here.partition, headers) if self.held else ()
        whole = digest.number(event_id, values) if self.held else 0
        likeness, astray = hash((*told, record.value())), self._astray(here, record, headers)
        this = Original(here, likeness, record.timestamp()[1], state.fresh, astray, whole)
        original = state.first.setdefault(event_id, this)
        if original is this or here.offset < state.since:
            return original is not this
        self._twice(this, original)
        copy = Copy(here, original, this.milliseconds)
        if state.stretches and state.stretches[-1].goes_on(copy):
            state.stretches[-1].add(copy)
        else:
            state.stretches.append(Stretch.of(copy))
        return True

    def _astray(self, here: Place, record: Any, headers: dict[str, Any]) -> int:
        """How far a record is from where it belongs; see `Original`."""
        event = self.contract.event(headers)
        route = headers.get(self.contract.route_header or "")
        if event is not None and route_of(self.contract, event, route) not in (None, here.topic):
            return 2
        count = self.partitions.get(here.topic, 0)
        return int(self.contract.routes.by_key and count > 0 and partition_of(record.key(), count) != here.partition)

    def _twice(self, this: Original, original: Original) -> None:
        self.copies.append(this.whole)
        if this.likeness != original.likeness:
            self.findings.add("DUP-03", this.place, f"as at {original.place}", "another key, header or payload")

    def _numbered(self, state: Partition, record: Any, key: bytes, sequence: int, *, again: bool) -> None:
        """The order of one aggregate, by its numbers."""
        doubts = state.doubts
        here = place(doubts.topic, doubts.partition, record)
        before, at = state.highest.get(key) or (state.remembered(key), -1)
        self._trail(state, key, here.offset, sequence, "again" if again else "late" if sequence <= before else "fresh")
        if before == NO_NUMBER or sequence > before:
            state.highest[key] = sequence, here.offset
            state.begins.setdefault(key, sequence)
            whole = before == NO_NUMBER and at < 0 and (here.topic, here.partition) in self.whole
            least = FIRST if whole else before + 1
            if (whole or before != NO_NUMBER) and least < sequence and here.offset >= state.since:
                state.gaps.append((here, key, least, sequence - 1))
        elif not again and sequence != NO_NUMBER and here.offset >= state.since:
            self._late(state, here, key, sequence, f"number {sequence} after {before} at offset {at}")
        if sequence in doubts.numbers.get(hash_of(key), ()):
            state.holders.setdefault((key, sequence), here.offset)

    def _trail(self, state: Partition, key: bytes, offset: int, sequence: int, kind: str) -> None:
        """Follow the first few aggregates in doubt, as far as a picture can show it."""
        if key not in state.trails and len(state.trails) >= TRAILS:
            return
        trail = state.trails.setdefault(key, [])
        if sequence != NO_NUMBER and len(trail) < LONGEST:
            trail.append((offset, sequence, kind))

    def trails(self) -> list[Trail]:
        """The aggregates of which most events came late, and then those of which most came again."""
        found: list[tuple[int, int, Trail]] = []
        for (topic, partition), state in sorted(self._partitions.items()):
            for key, points in state.trails.items():
                late, again = (sum(kind == wanted for _, _, kind in points) for wanted in ("late", "again"))
                if late or again:
                    readable = shown(key.replace(b"\0", b" ", 1) if self.contract.shared else key)
                    found.append((-late, -again, Trail(topic, partition, readable, points)))
        return [trail for _, _, trail in sorted(found, key=lambda one: one[:2])[:TRAILS]]

    def _late(self, state: Partition, here: Place, key: bytes, sequence: int, said: str) -> None:
        holder = state.holders.get((key, sequence))
        if holder is not None:
            first = Place(here.topic, here.partition, holder)
            self.findings.add("DUP-04", here, f"only {first} with number {sequence}", "another event")
        elif sequence <= state.remembered(key):
            said = f"number {sequence}, which may have come before what is remembered"
            self.findings.add("RUN-13", here, "its first appearance", said)
        elif (here.topic, here.partition) in self.cut and sequence < state.begins[key]:
            if not self.chosen:
                said = f"number {sequence}, from before the log begins"
                self.findings.add("RUN-02", here, "its first appearance", said)
        else:
            state.late[key].add(sequence)
            self.findings.add("ORD-01", here, "in the order of its aggregate", said)

    def finish(self) -> None:
        """What only shows at the end: what sent the copies, what is missing, and keys in several partitions."""
        stretches = [one for state in self._partitions.values() for one in state.stretches]
        report(stretches, self.findings, self.oldest)
        for _, state in sorted(self._partitions.items()):
            for here, key, first, last in state.gaps if self.contract.dense else ():
                if hash_of(key) in state.doubts.split:
                    continue  # what is missing here may be in another partition
                came = sorted(n for n in state.late.get(key, ()) if first <= n <= last)
                if missing := last - first + 1 - len(came):
                    lowest = first + next((n for n, late in enumerate(came) if late != first + n), len(came))
                    self.findings.add("LOS-02", here, f"number {lowest} first", f"{missing} missing before it")
        self._missteps()
        self._elsewhere()
        for (topic, _), partitions in sorted(self._homes.items()):
            if len(partitions) > 1:
                self.split_keys += len(partitions) - 1
                where = ", ".join(map(str, sorted(partitions)))
                self.findings.add("KEY-05", Place(topic), "one partition", f"partitions {where}")
                if self.contract.ordered:
                    self.findings.add("ORD-03", Place(topic), "one partition", f"partitions {where}")

    def _missteps(self) -> None:
        """Events that may not follow what came before; where a key is in several partitions, nothing is said."""
        names, dense = self.contract.by_kind, self.contract.dense
        steps = frozenset(map(int, self.contract.forbidden))
        for here, state in sorted(self._partitions.items()):
            for (key, aggregate), events in state.paths.items():
                if hash_of(key) in state.doubts.split:
                    continue
                known = [one for one in state.doubts.before.get(hash_of(key), ()) if one[1] >> TYPE_BITS == aggregate]
                life = [*((sequence, -1, kind) for sequence, kind in known), *events]
                begun = here in self.whole and not known
                for offset, before, kind in missteps(life, steps, begun=begun, dense=dense):
                    if offset < state.since:
                        continue
                    event, came = names[kind], f"after {names[before].type}" if before else "as the first"
                    allowed = [*(["first"] if event.may_begin else []), *(f"after {one}" for one in event.after or ())]
                    self.findings.add("ORD-02", Place(*here, offset), f"{event.type} {' or '.join(allowed)}", came)

    def _elsewhere(self) -> None:
        """Events in several partitions: the original is what is where it belongs, or else what came first.

        What was judged before is named again only where it is the copy, and what has come since is the original.
        """
        places: defaultdict[bytes, list[tuple[Original, bool]]] = defaultdict(list)
        for _, state in sorted(self._partitions.items()):
            for event_id, this in state.first.items():
                places[event_id].append((this, this.place.offset >= state.since))
        for several in places.values():
            (original, fresh), *others = sorted(several, key=lambda one: _rank(one[0]))
            copies = [this for this, new in others if new]
            copies += [this for this, new in others if fresh and not new][:1]
            for this in copies:
                self._twice(this, original)
                self.findings.add("DUP-05", this.place, f"only at {original.place}", "here too")


def _rank(one: Original) -> tuple[Any, ...]:
    """What comes first is the original."""
    return one.astray, one.milliseconds, *astuple(one.place)
