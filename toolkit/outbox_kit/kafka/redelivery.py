"""What Kafka can still deliver to a consumer group: the retained records of its topics, and its committed offsets."""

import time
from collections.abc import Mapping, Sequence

from confluent_kafka import Consumer, KafkaException, TopicPartition

from outbox_kit.errors import KafkaRefused
from outbox_kit.kafka.deliverable import DeliverablePartition
from outbox_kit.kafka.errors import problem
from outbox_kit.kafka.read import Cluster, Range, Reading

REQUEST_SECONDS = 10.0
READ_SECONDS = 20.0
RECORDS = 200
"""Offsets that are read for a first record; markers of transactions have none."""


def deliverable(cluster: Cluster, topics: Sequence[str], group: str) -> list[DeliverablePartition]:
    """Every partition of topics, for a consumer group. Raises KafkaUnreachable, KafkaRefused; also without a topic."""
    partitions = cluster.topics()
    settings = cluster.settings([*topics])
    for topic in topics:
        if topic not in partitions or settings.get(topic) is None:
            why = "it does not exist, or the user may not describe it"
            raise KafkaRefused("a topic's retention is unknown", where=f"topic '{topic}'", why=why)
    places = [(topic, number) for topic in topics for number in range(partitions[topic])]
    committed = _committed(cluster, places, group)
    result = []
    for planned in cluster.pin(places):
        offset = committed[planned.topic, planned.partition]
        resume = planned.start if offset is None else max(planned.start, offset)
        oldest = _timestamp(cluster, planned, planned.start)
        result.append(
            DeliverablePartition(
                planned.topic,
                planned.partition,
                planned.start,
                planned.end,
                offset,
                oldest,
                oldest if resume == planned.start else _timestamp(cluster, planned, resume),
                _retention(settings[planned.topic] or {}),
            )
        )
    return result


def _retention(settings: Mapping[str, str]) -> float | None:
    """For how many seconds a topic retains its records; None without a limit, such as the last record of a key."""
    milliseconds = int(settings["retention.ms"])
    return milliseconds / 1000 if milliseconds >= 0 and "delete" in settings["cleanup.policy"] else None


def _committed(cluster: Cluster, places: Sequence[tuple[str, int]], group: str) -> dict[tuple[str, int], int | None]:
    with cluster.client(Consumer, {"group.id": group, "enable.auto.commit": False}) as consumer:
        try:
            answers = consumer.committed([TopicPartition(*place) for place in places], timeout=REQUEST_SECONDS)
        except KafkaException as cause:
            raise problem(cause.args[0], cluster.bootstrap, cluster.access) from cause
        finally:
            consumer.close()
    for answer in answers:
        if answer.error is not None:
            raise problem(answer.error, cluster.bootstrap, cluster.access)
    return {(answer.topic, answer.partition): answer.offset if answer.offset >= 0 else None for answer in answers}


def _timestamp(cluster: Cluster, planned: Range, start: int) -> float | None:
    """The timestamp of the first record at or after an offset, in seconds; None if there is none."""
    while start < planned.end:
        end = min(planned.end, start + RECORDS)
        reading = Reading([Range(planned.topic, planned.partition, start, end)])
        for _, _, records in cluster.read(reading, time.monotonic() + READ_SECONDS):
            _, milliseconds = records[0].timestamp()
            return milliseconds / 1000
        if not reading.complete:
            place = f"{planned.topic}-{planned.partition}@{start}"
            why = reading.progress[planned.topic, planned.partition].error or f"no answer in {READ_SECONDS:.0f} s"
            raise KafkaRefused("a record cannot be read", where=place, why=why)
        start = end
    return None
