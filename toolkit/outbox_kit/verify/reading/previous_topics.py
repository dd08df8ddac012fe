"""What is known of the topics that events were moved away from, and what a report states of them. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit.kafka.read import Range
from outbox_kit.moments import moment
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.wire.routes import Routes

UNJUDGED = "the loss of older rows is not checked"
LATE_MS = 60_000
"""Milliseconds after the first message on the new topic in which the connector may still end on the previous one."""


@dataclass(frozen=True)
class TopicTimes:
    """When the topics of an outbox had messages. All times in milliseconds since 1970."""

    ranges: Sequence[Range]
    """What was read."""
    first: Mapping[PartitionId, int]
    """The timestamp of each partition's first message."""
    last: Mapping[PartitionId, int]
    """The timestamp of each partition's last message."""

    def notes(self, routes: Routes, unreadable: Iterable[str], *, from_beginning: bool) -> Iterator[str]:
        """A sentence for each fact about a previous topic.

        unreadable: topics that the brokers do not show. from_beginning: whether the first offsets were to be read.
        """
        begins: defaultdict[str, list[str]] = defaultdict(list)
        for r in self.ranges:
            begins[r.topic] += [f"{r.partition} at offset {r.start}"] if r.start else []
        for topic in routes.previous_topics:
            if topic not in begins and topic not in set(unreadable):
                yield f"the previous topic '{topic}' does not exist: {UNJUDGED}"
            elif begins[topic] and from_beginning:
                where = f"partition {', '.join(begins[topic])}"
                yield f"the previous topic '{topic}' does not begin at offset 0: {where}; {UNJUDGED}"
            yield from self._late(routes, topic)

    def _late(self, routes: Routes, previous: str) -> Iterator[str]:
        """That messages still came to a previous topic after its events were published to their new one."""
        for topic in routes.topics:
            if previous not in routes.moved_to(topic) or not routes.begins_with_move(topic):
                continue
            changed, latest = self._begin(topic), self._end(previous)
            if changed is not None and latest is not None and latest > changed + LATE_MS:
                yield (
                    f"the previous topic '{previous}' has messages up to {moment(latest)}, although '{topic}' has "
                    f"messages since {moment(changed)}: the change was undone, or two connectors publish the table"
                )
                return

    def overlapping(self, topics: Iterable[str]) -> frozenset[str]:
        """The topics of one aggregate between whose messages another one of them may have had messages."""
        names = sorted(topics)
        return frozenset(name for name in names if any(self._between(name, other) for other in names if other != name))

    def _between(self, topic: str, other: str) -> bool:
        """Whether another topic may have had a message between two messages of a topic."""
        ranges = [r for r in self.ranges if r.topic == other]
        begin, end, first, last = self._begin(topic), self._end(topic), self._begin(other), self._end(other)
        if begin is None or end is None or (ranges and not any(r.end for r in ranges)):
            return False  # one of them has never had a message
        if first is None or last is None:
            return True  # what it had was deleted
        deleted = any(r.start for r in ranges)
        return last > begin and (deleted or first < end)

    def _begin(self, topic: str) -> int | None:
        return min((at for (name, _), at in self.first.items() if name == topic), default=None)

    def _end(self, topic: str) -> int | None:
        return max((at for (name, _), at in self.last.items() if name == topic), default=None)
