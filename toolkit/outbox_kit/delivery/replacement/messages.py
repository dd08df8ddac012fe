"""The messages of events in ranges of topics, by event id."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from outbox_kit.delivery.replacement.comparison import PublishedMessage
from outbox_kit.errors import KafkaRefused
from outbox_kit.kafka.read import Cluster, Range, Reading

Ranges = Mapping[tuple[str, int], Range]
ID = "id"
"""The header with the id of an event."""


def ends(cluster: Cluster, topics: Sequence[str]) -> dict[tuple[str, int], Range]:
    """The ranges of all partitions of topics as they are now; topics that do not exist are left out."""
    existing = cluster.topics()
    places = [(topic, number) for topic in topics for number in range(existing.get(topic, 0))]
    return {(planned.topic, planned.partition): planned for planned in cluster.pin(places)}


def between(first: Ranges, last: Ranges) -> Sequence[Range]:
    """The ranges from the ends of an earlier moment to those of a later one."""
    return [
        replace(planned, start=max(planned.start, first[place].end if place in first else planned.start))
        for place, planned in last.items()
    ]


def messages(
    cluster: Cluster, ranges: Sequence[Range], deadline: float, *, prefix: str = ""
) -> dict[str, PublishedMessage]:
    """The first message of each event by its id; records without an id are left out.

    deadline: by time.monotonic(). prefix: of the topics, which is left out. Raises KafkaRefused if a range cannot be
    read to its end, KafkaUnreachable.
    """
    reading, first = Reading(ranges), dict[str, PublishedMessage]()
    for topic, partition, records in cluster.read(reading, deadline):
        for record in records:
            headers = tuple(record.headers() or ())
            event_id = dict(headers).get(ID)
            if event_id is not None:
                message = PublishedMessage(topic.removeprefix(prefix), partition, record.key(), headers, record.value())
                first.setdefault(event_id.decode(errors="backslashreplace"), message)
    for progress in reading.progress.values():
        if not progress.done:
            where = f"{cluster.bootstrap}, topic '{progress.planned.topic}'"
            raise KafkaRefused("a topic was not read to its end", where=where, why=progress.error or "out of time")
    return first
