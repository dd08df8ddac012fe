"""The partitions to which a producer must send one message first, and wait for its answer. Pure.

A broker that has no message of a producer in a partition stores a batch of it whatever its sequence number is (measured
with 4.3). So if the first batch is refused (of a topic that was just created: it has no leader yet), the second one
behind it is stored; the first one is sent again, seems to be a copy, and librdkafka 2.16 says that it is stored. A
broker deletes what it has of a producer a day after its last message (`producer.id.expiration.ms`).
"""

import time
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.router.partition import partition as partition_of

FRESH_SECONDS = 3600.0  # after which a message of each partition is sent alone again


def has_offset(message: Any) -> bool:
    """Whether a message that the client says is stored is: it has no offset if the broker took it for a copy."""
    return message.offset() is not None


@dataclass
class ProducerTopic:
    """A topic that a producer sends to."""

    partitions: int
    fresh: set[int]
    """Partitions of which no message of this producer was acknowledged."""
    begun: set[int] = field(default_factory=set)
    """Those of them to which one was sent."""
    until: float = field(default_factory=lambda: time.monotonic() + FRESH_SECONDS)
    """When it is looked up again, by time.monotonic()."""

    @classmethod
    def of(cls, partitions: int, before: "ProducerTopic | None" = None) -> "ProducerTopic":
        """A topic that was looked up. before: what was known of it until now."""
        return cls(partitions, set(range(partitions)), before.begun if before else set())

    @property
    def is_outdated(self) -> bool:
        """Whether it is to be looked up again."""
        return time.monotonic() > self.until

    def place(self, partition: int | None, key: bytes | None) -> int | None:
        """The partition of a message, if it is a fresh one; it is not to be sent if it is in `begun`."""
        if not self.fresh or (partition is None and key is None):
            return None
        place = partition_of(key or b"", self.partitions) if partition is None else partition
        return place if place in self.fresh else None

    def acknowledged(self, place: int | None, partition: int) -> bool:
        """Take note of an acknowledgement; whether the topic still has as many partitions.

        place: what `place` was before. partition: the one that has the message.
        """
        self.fresh.discard(partition)
        self.begun.discard(partition)
        return place in (None, partition)
