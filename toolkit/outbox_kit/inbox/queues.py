"""What a consumer holds of its topic partitions: messages that wait, failed attempts, and the next offsets. Pure.

Times are in seconds of one monotonic clock, which the caller reads.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from outbox_kit.inbox.message import InboxMessage

Place = tuple[str, int]


@dataclass(frozen=True)
class Backoff:
    """Pauses between attempts: they double, up to a limit, and half of each is drawn at random."""

    first: float = 0.2
    """Seconds before the second attempt."""
    limit: float = 30.0
    """The longest pause in seconds."""

    def pause(self, failures: int, chance: float) -> float:
        """Seconds after so many failures. chance: from 0 to 1, drawn for each pause."""
        whole = min(self.limit, self.first * 2.0 ** min(failures - 1, 30))
        return float(whole * (0.5 + chance / 2))


@dataclass
class PartitionQueue:
    """The messages of one topic partition, in their order."""

    place: Place
    messages: deque[InboxMessage] = field(default_factory=deque)
    failures: int = 0
    """Failed attempts of the first message."""
    waits: int = 0
    """Attempts of it that ended because something else is missing: they are no failures of the message."""
    not_before: float = 0.0
    """When the first message may be attempted again."""
    next_offset: int | None = None
    """The offset after the last message that was processed; None if none was."""
    committed: int | None = None
    """The last offset that was given to Kafka."""
    paused: bool = True
    """Whether the client takes no records of the partition. A new one may be: it stays paused if it was paused when it
    was revoked."""

    def done(self, message: InboxMessage) -> None:
        """Remove the first message: it was processed, is a duplicate, or a dead letter."""
        assert self.messages[0] is message  # noqa: S101 - of the consumer's own order
        self.messages.popleft()
        self.next_offset, self.failures, self.waits, self.not_before = message.offset + 1, 0, 0, 0.0


class Queues:
    """The queues of the topic partitions that a consumer owns."""

    def __init__(self, most: int) -> None:
        """most: messages of a partition that wait, above which it is paused."""
        self._most = most
        self._queues: dict[Place, PartitionQueue] = {}

    def add(self, places: Iterable[Place]) -> None:
        """Begin with partitions that were assigned."""
        for place in places:
            self._queues[place] = PartitionQueue(place)

    def remove(self, places: Iterable[Place]) -> dict[Place, int]:
        """Abandon partitions; the next offsets that are not committed yet."""
        removed = [queue for place in places if (queue := self._queues.pop(place, None)) is not None]
        return {queue.place: queue.next_offset for queue in removed if queue.next_offset is not None}

    def put(self, messages: Iterable[InboxMessage]) -> None:
        """Add messages; those of partitions that were removed are left out."""
        for message in messages:
            queue = self._queues.get((message.topic, message.partition))
            if queue is not None:
                queue.messages.append(message)

    def of(self, message: InboxMessage) -> PartitionQueue | None:
        """The queue of a message; None if its partition is not owned any more."""
        return self._queues.get((message.topic, message.partition))

    def ready(self, now: float, limit: int) -> list[InboxMessage]:
        """The next messages, each partition's in order. A message that failed comes alone."""
        batch: list[InboxMessage] = []
        for queue in list(self._queues.values()):
            if queue.messages and queue.not_before <= now and len(batch) < limit:
                room = 1 if queue.failures or queue.waits else limit - len(batch)
                batch += [message for message, _ in zip(queue.messages, range(room), strict=False)]
        return batch

    def turn(self, batch: Sequence[InboxMessage]) -> None:
        """Let other partitions be the first ones next time."""
        for place in dict.fromkeys((message.topic, message.partition) for message in batch):
            if (queue := self._queues.pop(place, None)) is not None:
                self._queues[place] = queue

    def postpone(self, until: float) -> None:
        """Attempt nothing before a time."""
        for queue in self._queues.values():
            queue.not_before = max(queue.not_before, until)

    def next_time(self) -> float | None:
        """When a waiting message may be attempted; None if no message waits."""
        return min((queue.not_before for queue in self._queues.values() if queue.messages), default=None)

    def switched(self, now: float) -> tuple[list[Place], list[Place]]:
        """The partitions to pause and those to resume, which are noted as such."""
        pause: list[Place] = []
        resume: list[Place] = []
        for queue in self._queues.values():
            full = len(queue.messages) >= self._most or bool(queue.messages and queue.not_before > now)
            if full != queue.paused:
                queue.paused = full
                (pause if full else resume).append(queue.place)
        return pause, resume

    def uncommitted(self) -> dict[Place, int]:
        """The next offsets that were not given to Kafka yet; they are noted as given."""
        offsets = {}
        for queue in self._queues.values():
            if queue.next_offset is not None and queue.next_offset != queue.committed:
                offsets[queue.place] = queue.committed = queue.next_offset
        return offsets
