"""The newest record of a topic with one partition, such as one that is compacted to it."""

import time

from outbox_kit.errors import KafkaRefused
from outbox_kit.kafka.read import Cluster, Range, Reading
from outbox_kit.kafka.record import Record
from outbox_kit.waiting import waiting_for

FIRST_OFFSETS = 100
"""How many offsets before the end are read first; a record is followed by the marker of its transaction."""
LARGER = 100
READ_SECONDS = 30.0
HIDDEN_SECONDS = 10.0


def newest_record(cluster: Cluster, topic: str) -> Record | None:
    """The committed record with the greatest offset; None if the topic is empty. Raises KafkaRefused, KafkaUnreachable.

    No transaction may be open: nothing is known of its end.
    """
    planned = _pinned(cluster, topic)
    offsets = FIRST_OFFSETS
    while True:
        start = max(planned.start, planned.end - offsets)
        reading, newest = Reading([Range(topic, 0, start, planned.end)]), None
        for _, _, records in cluster.read(reading, time.monotonic() + READ_SECONDS):
            newest = records[-1]
        if not reading.complete:
            why = reading.progress[topic, 0].error or f"no answer in {READ_SECONDS:.0f} s"
            raise KafkaRefused("a topic cannot be read", where=f"{cluster.bootstrap}, topic '{topic}'", why=why)
        if newest is not None or start <= planned.start:
            return newest
        offsets *= LARGER


def _pinned(cluster: Cluster, topic: str) -> Range:
    until = time.monotonic() + HIDDEN_SECONDS
    with waiting_for(f"the open transaction in topic '{topic}' to end"):
        while True:
            (planned,) = cluster.pin([(topic, 0)])
            if not planned.hidden:
                return planned
            if time.monotonic() > until:
                raise KafkaRefused(
                    "a transaction in a topic has not ended",
                    where=f"{cluster.bootstrap}, topic '{topic}'",
                    why="another program writes to it",
                )
            time.sleep(0.2)
