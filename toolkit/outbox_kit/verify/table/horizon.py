"""From when on a row's message must be among those that were read: what is older may be gone, or lies before them.

A reading that begins in the middle of a log is told apart from rows by looking back: messages of up to two minutes
before it are read for their ids, so that rows written around its begin are judged too.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from outbox_kit.databases import digest
from outbox_kit.kafka import read as kafka
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Range
from outbox_kit.verify.record import is_event
from outbox_kit.verify.request import Request
from outbox_kit.verify.state.tally import PartitionId

CLOCKS_MS = 60_000  # how far the database's clock and the worker's may be apart


@dataclass(frozen=True)
class Horizon:
    """From when on rows must be on their topics, in milliseconds since 1970; 0 is always."""

    begin: int = 0
    """Of rows of any topic."""
    partitions: Mapping[PartitionId, int] = field(default_factory=dict)
    """Of rows that belong in a partition."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """The partitions of each topic."""
    moved: Mapping[str, int] = field(default_factory=dict)
    """Of rows of a topic whose events were on another topic before, if that one no longer has all of them."""

    def of(self, topic: str) -> tuple[int, int]:
        """Of a topic's rows: of those that belong in the partition with most of them, and in the one with least."""
        moments = [self._at((topic, partition)) for partition in range(self.counts.get(topic, 0))]
        if moments:
            return min(moments), max(moments)
        moment = max(self.begin, self.moved.get(topic, 0))
        return moment, moment

    def key(self, topic: str, key: str) -> int:
        """Of a topic's rows with a key, where the key chooses the partition."""
        return self._at((topic, partition_of(key.encode(), self.counts[topic])))

    def latest(self) -> int:
        """Of rows that do not say their topic."""
        return max([self.begin, *self.partitions.values(), *self.moved.values()])

    def _at(self, topic_partition: PartitionId) -> int:
        return max(self.begin, self.partitions.get(topic_partition, 0), self.moved.get(topic_partition[0], 0))


@dataclass(frozen=True)
class Move:
    """The change of a topic; see `routing.previous_topics`."""

    previous: frozenset[str]
    """The topics from which events were moved to it."""
    alone: bool
    """Whether all its events were moved to it: then its first message is from after the change."""


@dataclass
class LookBack:
    """What lies before a reading that begins where it was told to, as far as it concerns rows of its time."""

    moment: int
    """Since when rows are of its time, in milliseconds since 1970."""
    first: dict[PartitionId, int] = field(default_factory=dict)
    """The oldest message that was seen of each partition."""
    reaches: set[PartitionId] = field(default_factory=set)
    """The partitions that were read, or need not be, back to before that moment."""
    older_messages: bool = False
    """Whether there were messages before it."""


def look_back(
    request: Request,
    cut: Mapping[PartitionId, Range],
    first: Mapping[PartitionId, int],
    deadline: float,
    seen: Callable[[Iterable[str]], None],
) -> LookBack | None:
    """Read the ids of the messages before a reading's begin; None where nothing says when it begins.

    cut: the partitions that are read from a later offset than 0. first: the timestamp of each one's first message that
    was read. seen: is given the ids. deadline: by time.monotonic().
    """
    start = request.window.start
    moment = start.began_ms or start.milliseconds or min(first.values(), default=None)
    if moment is None:
        return None
    result, topic_partitions = LookBack(moment - CLOCKS_MS), list(cut)
    lows = {(r.topic, r.partition): r.start for r in request.log.pin(topic_partitions)}
    places = request.log.at(topic_partitions, moment - 2 * CLOCKS_MS)
    begins = {at: min(max(lows.get(at, r.start), places.get(at, r.start)), r.start) for at, r in cut.items()}
    reading = kafka.Reading(
        [replace(r, start=begins[at], end=r.start) for at, r in cut.items() if begins[at] < r.start]
    )
    for topic, partition, records in request.log.read(reading, deadline):
        headers: list[dict[str, Any]] = [dict(record.headers() or ()) for record in records]
        ids = (header["id"] for header in headers if is_event(header))
        seen(digest.canonical(event_id, request.outbox.table.ids).decode(errors="backslashreplace") for event_id in ids)
        earliest = min(record.timestamp()[1] for record in records)
        result.first[topic, partition] = min(earliest, result.first.get((topic, partition), earliest))
    unread = {at for at, partition_progress in reading.progress.items() if not partition_progress.done}
    complete = {at for at in cut if begins[at] == 0 or begins[at] > lows.get(at, 0)}
    result.reaches = complete - unread
    result.older_messages = any(begins.values())
    return result


def horizon(
    request: Request,
    ranges: Mapping[PartitionId, Range],
    first: Mapping[PartitionId, int],
    back: LookBack | None,
    moves: Mapping[str, Move],
) -> Horizon:
    """From when on rows must be among the messages of some ranges. first: the timestamp of each one's first message.

    moves: of the topics of the rows in question, by topic.

    With `snapshot: no_data` rows from before the connector's first start were never meant to be published.
    """
    counts: defaultdict[str, int] = defaultdict(int)
    for topic, _ in ranges:
        counts[topic] += 1
    now = int(time.time() * 1000)
    earliest = {
        topic_partition: min(at, back.first.get(topic_partition, at)) if back else at
        for topic_partition, at in first.items()
    }
    earliest |= {
        topic_partition: at
        for topic_partition, at in (back.first if back else {}).items()
        if topic_partition not in earliest
    }
    partitions = {
        topic_partition: back.moment
        if back and topic_partition in back.reaches
        else earliest.get(topic_partition, now - CLOCKS_MS) + CLOCKS_MS
        for topic_partition, r in ranges.items()
        if r.start
    }
    begin = 0
    if request.outbox.connect.snapshot == "no_data" and not (back and back.older_messages):
        begin = min(earliest.values(), default=now - CLOCKS_MS) + CLOCKS_MS
    moved = {topic: _moved(topic, move, counts, partitions, earliest, now) for topic, move in moves.items()}
    return Horizon(begin, partitions, counts, moved)


def _moved(
    topic: str,
    move: Move,
    counts: Mapping[str, int],
    partitions: Mapping[PartitionId, int],
    earliest: Mapping[PartitionId, int],
    now: int,
) -> int:
    """From when on a topic's rows must be on it or on one of its previous topics; 0 if all that was there is there.

    A row that was written after the first message on the topic was published to it, unless other events had it before.
    """
    begins = [at for (name, _), at in earliest.items() if name == topic] if move.alone else []
    changed = min(begins, default=now - CLOCKS_MS)
    lost_until = [changed + CLOCKS_MS for name in move.previous if name not in counts]
    lost_until += [at for (name, _), at in partitions.items() if name in move.previous]
    return min(max(lost_until, default=0), changed + CLOCKS_MS)
